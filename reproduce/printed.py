# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that a paper prints and that none of an experiment's plots can show: ours over theirs.

A ratio of two schemes has no place among their rates, nor has a number of which there is no plot.
So each experiment has one more figure, a line for each such number. Not in it are bounds and
orderings, which are no numbers to be met, what only repeats the paper's arithmetic, what was not
measured, and numbers of 0, of which nothing is a multiple.
"""

import textwrap
from dataclasses import dataclass
from typing import Any

from reproduce.claims import TOLERANCE
from reproduce.experiments import Experiment

NAME = "printed"  # of the figure, as plots have names
TITLE = "Ours over printed numbers that no other figure can show"
WIDTH = 64  # characters of a statement
VERDICTS = ("holds", "differs")


@dataclass(frozen=True)
class Row:
    """A number of the paper's with ours, all as multiples of it (of the middle of a range)."""

    label: str
    low: float
    high: float
    by: str  # whose number it is: the paper's or theory's
    tolerance: float
    verdict: str
    ours: list[tuple[float, float | None]]  # at each point: the mean, half of the 95 % interval


def rows(experiment: Experiment, verdicts: list[dict[str, Any]], shown: set[str]) -> list[Row]:
    """In the order of the claims, without those that other figures show."""
    known = {verdict["id"]: verdict for verdict in verdicts}
    found = (
        _row(claim, known[claim["id"]])
        for claim in experiment.claims
        if claim["id"] in known and claim["id"] not in shown
    )
    return [row for row in found if row]


def _row(claim: dict[str, Any], verdict: dict[str, Any]) -> Row | None:
    paper = claim.get("paper_value")
    if claim["kind"] not in ("value", "ratio") or paper is None or claim.get("arithmetic"):
        return None
    low, high = paper if isinstance(paper, list) else (paper, paper)
    middle = (low + high) / 2
    if middle == 0 or verdict["verdict"] not in VERDICTS:
        return None
    parts = [(part["mean"], part["interval"]) for part in verdict.get("parts", ())]
    ours = parts or [(verdict["measured"], verdict.get("interval"))]
    if not isinstance(ours[0][0], int | float):  # a text, of results older than parts
        return None
    unit = f" {claim['unit']}" if claim.get("unit") else ""
    number = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return Row(
        label=f"{textwrap.shorten(claim['statement'], WIDTH, placeholder=' ...')}: {number}{unit}",
        low=low / middle,
        high=high / middle,
        by=claim.get("given_by", "paper"),
        tolerance=claim.get("tolerance", TOLERANCE[claim["kind"]]),
        verdict=verdict["verdict"],
        ours=[(mean / middle, half and half / abs(middle)) for mean, half in ours],
    )
