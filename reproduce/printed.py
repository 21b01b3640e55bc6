# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that claims print: marks for an experiment's plots, and ours over those of none.

A ratio of two schemes has no place among their rates, nor has a number of which there is no plot.
So each experiment has one more figure, a line for each such number. Not in it are bounds and
distributions, which are no numbers to be met, what holds by construction, and numbers of 0, of
which nothing is a multiple.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from reproduce import judging
from reproduce.errors import UserError
from reproduce.judging import Measured
from reproduce.lazy import pd
from reproduce.statements import Basis, Claim, Entry, Number, Place, Quantity, Side

NAME = "printed"  # of the figure, as plots have names
TITLE = "Ours as multiples of the printed numbers that no other figure shows"
WIDTH = 58  # characters of a line of a sentence, of which there are three at most
UNITS = {"us": "µs", "mbps": "Mbit/s", "gbps": "Gbit/s", "percent": "%"}
UNITS |= {"kb": "KB", "mb": "MB", "kqps": "thousand per second"}
UNITS |= {unit: unit for unit in ("ms", "s", "bytes", "packets")} | {"packets2": "packets²"}
WORDS = {"p50": "median", "p99": "99th percentile", "max": "largest", "min": "smallest"}
WORDS |= {"rtt": "RTT", "fct": "FCT", "qct": "QCT", "resequencing": "re-sequencing"}
FLOWS = ("all", "short", "long")  # as the first word
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
        """The paper's number."""
        ends = sorted(float(end) for end in (self.entry.printed, self.entry.end) if end)
        return Printed(ends[0], ends[-1], given_by(self.claim))


def given_by(claim: Claim) -> str:
    """The side that the claim's number is of, as figures name it.

    A claim that varies one of the paper's settings repeats the paper's number.
    """
    if claim.kind in ("", "sensitivity"):
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
    labels: dict[str, str],
) -> list[Row]:
    """In the order of the claims, without those that other figures show; schemes by labels."""
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
                label = _label(claim, number, entry, labels)
                found.append(_row(claim, label, own, middle))
    return found


def _row(claim: Claim, label: str, points: list[Measured], middle: float) -> Row:
    low, high = sorted(end / middle for end in points[0].printed)
    least, most = sorted(end / middle for end in points[0].allowed)
    within = [point.within for point in points]
    return Row(
        label=label,
        low=low,
        high=high,
        by=given_by(claim),
        allowed=(least, most),
        verdict="within" if all(within) else "overlaps" if any(within) else "off",
        ours=[(one.ours / middle, *sorted(e / middle for e in one.interval)) for one in points],
    )


def _label(claim: Claim, number: Number, entry: Entry, labels: dict[str, str]) -> str:
    """The sentence, or what an entry of a chart is of, and the number."""
    side = entry.side.completed(claim.scheme, claim.metric)
    words, unit = in_words(side.metric)
    if number.unit:
        unit = UNITS.get(number.unit.lower(), number.unit)
    if number.quantity not in PLACED and not number.unit:
        unit = ""
    text = " to ".join(_plain(end) for end in (entry.printed, entry.end) if end)
    sentence = claim.sentence
    if len(number.entries) > 1:
        if side.over and side.over.scheme == side.scheme and side.over.metric != side.metric:
            side, words = replace(side, over=None), f"{words} over {in_words(side.over.metric)[0]}"
        sentence = as_written(f"{_called(side, labels)}, {words}")
    value = f"{text} {unit}".strip().replace(" ", "\u00a0")  # on one line
    sentence = textwrap.shorten(sentence, 3 * WIDTH - len(value) - 20, placeholder=" ...")
    return textwrap.fill(f"{sentence}: {value}", WIDTH)


def in_words(metric: str) -> tuple[str, str]:
    """A column of a table as a person says it, and its unit."""
    *words, last = metric.split("_")
    unit = UNITS.get(last, "") if words else ""
    if not unit:
        words.append(last)
    if words[0] in FLOWS:
        words[0] += " flows"
    counted = re.compile(r"([a-z])(\d+)$")  # `hop1` is `hop 1`
    return " ".join(WORDS.get(word) or counted.sub(r"\1 \2", word) for word in words), unit


def _called(side: Side, labels: dict[str, str]) -> Side:
    """A side whose schemes have the names of figures."""
    over = side.over and _called(side.over, labels)
    return replace(side, scheme=labels.get(side.scheme, side.scheme), over=over)


def as_written(text: str) -> str:
    """A text with its units as people write them: `500us` is `500 µs`."""
    return re.sub(r"(?<=\d)([a-zA-Z]+)\b", lambda unit: _spaced(unit[1]), text)


def _spaced(unit: str) -> str:
    written = UNITS.get(unit.lower(), unit)
    return f" {written}" if unit.lower() in UNITS else unit


def _plain(number: str) -> str:
    return f"{float(number):,.10g}" if "e" in number else number
