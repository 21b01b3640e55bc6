# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that claims print: marks for an experiment's plots, and ours over those of none.

A ratio of two schemes has no place among their rates, nor has a number of which there is no plot.
So each experiment has one more figure, a line for each such number. Not in it are bounds and
distributions, which are no numbers to be met, what holds by construction, and numbers of 0, of
which nothing is a multiple.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from reproduce import judging
from reproduce.errors import UserError
from reproduce.judging import Measured
from reproduce.lazy import pd
from reproduce.statements import Basis, Claim, Entry, Number, Place, Quantity, Side

NAME = "printed"  # of the figure, as plots have names
TITLE = "Our numbers over the printed ones"
WIDTH = 64  # characters of a sentence
GIVEN_BY = ("paper", "theory", "expected")
PLACED = (Quantity.VALUE, Quantity.ERROR)  # what stands among the metric's own values
MULTIPLES = (*PLACED, Quantity.RATIO, Quantity.GAIN)


class Printed(NamedTuple):
    """A number of the paper, or a range, and whose it is: the paper's, or theory's."""

    low: float
    high: float
    by: str


@dataclass(frozen=True)
class PrintedAt:
    """A printed number at one of its places."""

    claim: Claim
    number: Number
    entry: Entry
    side: Side
    place: Place

    @property
    def key(self) -> tuple[str, str, int]:
        """The number, however many places it has."""
        return self.claim.paper, self.claim.id, self.number.entries.index(self.entry)

    @property
    def printed(self) -> Printed:
        """What the paper has."""
        ends = sorted(float(end) for end in (self.entry.printed, self.entry.end) if end)
        return Printed(ends[0], ends[-1], given_by(self.claim))


def given_by(claim: Claim) -> str:
    """Whose the claim's number is, as figures name it."""
    if not claim.kind:
        return "paper"
    return "theory" if claim.kind == "theory" else "expected"


def marks(claims: Iterable[Claim]) -> Iterator[PrintedAt]:
    """Every number that claims print, at each of its places."""
    for claim in claims:
        for entry in claim.number.entries if claim.number else ():
            side = entry.side.completed(claim.scheme, claim.metric)
            for point in claim.points:
                yield PrintedAt(claim, claim.number, entry, side, {**point, **side.at})


@dataclass(frozen=True)
class Row:
    """A number of the paper's with ours, all as multiples of it (of the middle of a range)."""

    label: str
    low: float
    high: float
    by: str  # whose number it is: the paper's or theory's
    allowed: tuple[float, float]
    verdict: str  # within, overlaps or off
    ours: list[tuple[float, float, float]]  # at each point: the mean and its 95 % interval


def rows(
    claims: Iterable[Claim],
    table: pd.DataFrame | None,
    random: bool,
    shown: set[tuple[str, str, int]],
) -> list[Row]:
    """In the order of the claims, without those that other figures show."""
    found = []
    for claim in claims:
        number = claim.number
        if number is None or number.quantity not in MULTIPLES:
            continue
        if claim.basis in (Basis.BY_CONSTRUCTION, Basis.NOT_TESTABLE):
            continue
        try:
            points = judging.judge_number(claim, table, random).points
        except UserError:  # its sides have other seeds, which verdicts tell
            continue
        for i, entry in enumerate(number.entries):
            own = [point for point in points if point.entry is entry]
            middle = sum(own[0].printed) / 2 if own else 0
            if middle and (claim.paper, claim.id, i) not in shown:
                found.append(_row(claim, number, entry, own, middle))
    return found


def _row(claim: Claim, number: Number, entry: Entry, points: list[Measured], middle: float) -> Row:
    unit = f" {number.unit}" if number.unit else ""
    text = " to ".join(filter(None, (entry.printed, entry.end))) + unit
    sentence = claim.sentence if len(number.entries) == 1 else _of(claim, entry)
    low, high = sorted(end / middle for end in points[0].printed)
    least, most = sorted(end / middle for end in points[0].allowed)
    within = [point.within for point in points]
    return Row(
        label=f"{textwrap.shorten(sentence, WIDTH, placeholder=' ...')}: {text}",
        low=low,
        high=high,
        by=given_by(claim),
        allowed=(least, most),
        verdict="within" if all(within) else "overlaps" if any(within) else "off",
        ours=[(one.ours / middle, *sorted(e / middle for e in one.interval)) for one in points],
    )


def _of(claim: Claim, entry: Entry) -> str:
    """What an entry of a chart is of."""
    side = entry.side.completed(claim.scheme, claim.metric)
    return f"{side}, {side.metric}"
