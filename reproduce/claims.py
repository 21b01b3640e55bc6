# SPDX-License-Identifier: GPL-2.0-only
"""Claims: the paper's statement against our numbers.

When a claim holds, by kind, the same for all papers:
  value     within 15 % of the paper's, or our 95 % interval over seeds covers it
  ratio     within 25 % (of the nearer end, if the paper gives a range)
  ordering  each neighbour pair has its 95 % intervals apart; `about equal` means within 10 %
  bound     in every seed
A value judged `by_mean` has the first 15 % only: with two seeds an interval may cover anything.
A claim with its own `tolerance` says why in its YAML. What only repeats the paper's own arithmetic
(`arithmetic: true`) is checked like the others, but when it holds its verdict is `arithmetic`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from typing import Any

from reproduce.experiments import Experiment
from reproduce.lazy import pd
from reproduce.tables import interval

VERDICTS = ("holds", "differs", "arithmetic", "not measured", "not testable")
TOLERANCE = {"value": 0.15, "ratio": 0.25, "ordering": 0.10}
Claim = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """One of the numbers that a claim compares or bounds."""

    name: str
    mean: float
    interval: float | None  # half of the 95 % interval


@dataclass(frozen=True)
class Judgement:
    """The outcome for one claim."""

    id: str
    kind: str
    statement: str
    source: str
    paper_value: float | list[float] | None
    unit: str | None
    measured: float | str | None
    verdict: str  # one of VERDICTS
    reason: str
    note: str = ""
    interval: float | None = None  # half of the 95 % interval around `measured`
    parts: tuple[Part, ...] = ()  # what `measured` is made of, where it is several numbers
    given_by: str = "paper"  # whose number `paper_value` is

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class MissingNumberError(Exception):
    """A number that the claim needs and the table does not have."""


@dataclass(frozen=True)
class Outcome:
    """What one point of a claim came to."""

    holds: bool
    number: float | None
    text: str
    parts: tuple[Part, ...]
    margin: float = 0.0  # of a bound: how far within it, as a part of it


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval over seeds."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: pd.Series) -> Estimate:
        """The mean over seeds."""
        return cls(float(values.mean()), interval(values))

    def covers(self, value: float) -> bool:
        """Whether the interval covers a value (never with a single seed)."""
        return abs(self.mean - value) <= self.half

    def part(self, name: str) -> Part:
        """The number with what it is of."""
        return Part(name, self.mean, None if math.isnan(self.half) else self.half)

    def __str__(self) -> str:
        spread = "" if math.isnan(self.half) else f" ± {self.half:.2g}"
        return f"{self.mean:.4g}{spread}"


def judge_all(experiment: Experiment, table: pd.DataFrame | None, profile: str) -> list[Judgement]:
    """Every claim of an experiment against the per-run table of a profile, if it has one."""
    return [judge(claim, table, profile) for claim in experiment.claims]


def judge(claim: Claim, table: pd.DataFrame | None, profile: str) -> Judgement:
    """One claim."""
    return Judgement(
        id=claim["id"],
        kind=claim["kind"],
        statement=claim["statement"],
        source=claim["source"],
        paper_value=claim.get("paper_value"),
        unit=claim.get("unit"),
        note=claim.get("note", ""),
        given_by=claim.get("given_by", "paper"),
        **_verdict(claim, table, profile),
    )


def _verdict(claim: Claim, table: pd.DataFrame | None, profile: str) -> dict[str, Any]:
    """The fields of a judgement that depend on what was measured."""
    if claim.get("testable", True) is False:
        return _unmeasured("not testable", claim.get("reason", ""))
    try:
        outcomes = [_RULES[claim["kind"]](point, table) for point in _swept(claim, table)]
    except MissingNumberError as missing:
        return _unmeasured("not measured", missing)
    if all(outcome.holds for outcome in outcomes):
        verdict = "arithmetic" if claim.get("arithmetic") else "holds"
        reason = claim.get("tolerance_reason", "")
    else:
        verdict = "differs"
        reasons = claim.get("reason", {})
        reason = reasons.get(profile, "") if isinstance(reasons, dict) else reasons
    parts = tuple(part for outcome in outcomes for part in outcome.parts)
    single = len(outcomes) == 1 and outcomes[0].number is not None
    return {
        "measured": _measured(claim, outcomes),
        "verdict": verdict,
        "reason": str(reason),
        "interval": parts[0].interval if single else None,
        "parts": () if single else parts,
    }


def _unmeasured(verdict: str, reason: object) -> dict[str, Any]:
    return {"measured": None, "verdict": verdict, "reason": str(reason)}


def _measured(claim: Claim, outcomes: list[Outcome]) -> float | str:
    """The number, if there is one; else a text. Of a bound at many points, the worst."""
    if len(outcomes) == 1 and outcomes[0].number is not None:
        return outcomes[0].number
    if claim["kind"] == "bound":
        worst = min(outcomes, key=lambda outcome: outcome.margin)
        return f"{worst.text}, the worst of {len(outcomes)} points"
    return "; ".join(outcome.text for outcome in outcomes)


def _cells(claim: Claim) -> list[Claim]:
    """The numbers a claim is about, each with what the claim says for all of them."""
    parts = [part for step in claim.get("order", []) for part in _group(step)]
    if claim["kind"] != "ordering":
        parts = [{"over": claim["over"]} if "over" in claim else {}]
    return [_completed(part, claim) for part in parts]


def _completed(part: str | Claim, claim: Claim) -> Claim:
    """A cell, and what it is divided by, with what the claim says for all of its cells."""
    common = {key: claim[key] for key in ("scheme", "metric") if key in claim}
    own = {"scheme": part} if isinstance(part, str) else part
    cell = common | own | {"at": claim.get("at", {}) | own.get("at", {})}
    if "over" in own:
        cell["over"] = _completed(own["over"], {key: cell[key] for key in cell if key != "over"})
    return cell


def _group(step: str | Claim | list[str | Claim]) -> list[str | Claim]:
    """A step of an ordering as the list of those that are about equal."""
    return step if isinstance(step, list) else [step]


def points(claim: Claim) -> list[Claim]:
    """Where a claim must hold: every combination of the lists in `scheme` and `at`."""
    lists = {key: value for key, value in claim.get("at", {}).items() if isinstance(value, list)}
    points = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]
    at = claim.get("at", {})
    schemes = [{"scheme": name} for name in _listed(claim["scheme"])] if "scheme" in claim else [{}]
    return [claim | scheme | {"at": at | point} for scheme, point in product(schemes, points)]


def _swept(claim: Claim, table: pd.DataFrame | None) -> list[Claim]:
    """The points of a claim that a profile has: of the values listed in `at`, it may sweep a part.

    Of a claim with none of its points there, all, so that what is missing is named.
    """
    everywhere = points(claim)
    if table is None:
        return everywhere
    lists = [key for key, value in claim.get("at", {}).items() if isinstance(value, list)]
    there = [
        point
        for point in everywhere
        if all(key not in table or point["at"][key] in set(table[key]) for key in lists)
    ]
    return there or everywhere


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def _values(cell: Claim, table: pd.DataFrame | None) -> pd.Series:
    """A cell's values, indexed by seed.

    A ratio is formed seed by seed, so that what a seed does to both sides cancels.
    """
    if "over" in cell:
        above = _values({key: cell[key] for key in cell if key != "over"}, table)
        ratios = (above / _values(cell["over"], table)).dropna()
        if ratios.empty:
            raise MissingNumberError("the two sides have no seed in common")
        return ratios
    if "metric" not in cell or "scheme" not in cell:
        raise MissingNumberError("the claim names no scheme and metric to measure it by")
    if table is None or table.empty:
        raise MissingNumberError("not run yet")
    rows = table[table["scheme"] == cell["scheme"]]
    for argument, value in cell["at"].items():
        if argument not in rows:
            raise MissingNumberError(f"{argument} is not swept in this profile")
        rows = rows[rows[argument] == value]
    if rows.empty:
        raise MissingNumberError(f"no run of {_name(cell)}")
    if cell["metric"] not in rows or rows[cell["metric"]].isna().any():
        raise MissingNumberError(f"no {cell['metric']} for {_name(cell)} in some run")
    return rows.set_index("seed")[cell["metric"]]


def _name(cell: Claim) -> str:
    """A cell as a person reads it."""
    at = ", ".join(f"{key} {value}" for key, value in cell.get("at", {}).items())
    name = f"{cell.get('scheme', '?')}{f' ({at})' if at else ''}"
    return f"{name} over {_name(cell['over'])}" if "over" in cell else name


def _near(estimate: Estimate, paper: float | list[float], tolerance: float) -> bool:
    low, high = paper if isinstance(paper, list) else (paper, paper)
    within = low * (1 - tolerance) <= estimate.mean <= high * (1 + tolerance)
    return within or estimate.covers(low) or estimate.covers(high)


def _value(claim: Claim, table: pd.DataFrame | None) -> Outcome:
    (cell,) = _cells(claim)
    estimate = Estimate.of(_values(cell, table))
    tolerance = claim.get("tolerance", TOLERANCE["value"])
    half = math.nan if claim.get("by_mean") else estimate.half  # nothing is within NaN
    holds = _near(Estimate(estimate.mean, half), _paper(claim), tolerance)
    part = estimate.part(_name(cell))
    return Outcome(holds, estimate.mean, f"{part.name} {estimate}", (part,))


def _ratio(claim: Claim, table: pd.DataFrame | None) -> Outcome:
    (cell,) = _cells(claim)
    estimate = Estimate.of(_values(cell, table))
    low, high = paper if isinstance(paper := _paper(claim), list) else (paper, paper)
    tolerance = claim.get("tolerance", TOLERANCE["ratio"])
    holds = low * (1 - tolerance) <= estimate.mean <= high * (1 + tolerance)
    part = estimate.part(_name(cell))
    return Outcome(holds, estimate.mean, f"{part.name} {estimate}", (part,))


def _paper(claim: Claim) -> float | list[float]:
    if claim.get("paper_value") is None:
        raise MissingNumberError("the paper gives no number")
    return claim["paper_value"]


def _ordering(claim: Claim, table: pd.DataFrame | None) -> Outcome:
    if "order" not in claim:
        raise MissingNumberError("the claim names no order to measure it by")
    estimates = iter([(_name(c), Estimate.of(_values(c, table))) for c in _cells(claim)])
    steps = [[next(estimates) for _ in _group(step)] for step in claim["order"]]
    tolerance = claim.get("tolerance", TOLERANCE["ordering"])
    holds = all(_about_equal([e for _, e in step], tolerance) for step in steps)
    for lower, upper in pairwise(steps):
        for (_, left), (_, right) in product(lower, upper):
            if math.isnan(left.half) or math.isnan(right.half):
                raise MissingNumberError("an ordering needs at least 2 seeds")
            holds = holds and left.mean + left.half < right.mean - right.half
    text = " < ".join(" ≈ ".join(f"{name} {est}" for name, est in step) for step in steps)
    parts = tuple(estimate.part(name) for step in steps for name, estimate in step)
    return Outcome(holds, None, text if holds else text.replace(" < ", ", "), parts)


def _about_equal(group: list[Estimate], tolerance: float) -> bool:
    means = [estimate.mean for estimate in group]
    return max(means) - min(means) <= tolerance * max(abs(mean) for mean in means)


def _bound(claim: Claim, table: pd.DataFrame | None) -> Outcome:
    (cell,) = _cells(claim)
    values = _values(cell, table)
    if "at_most" not in claim and "at_least" not in claim:
        raise MissingNumberError("the paper gives no number")
    sides = []  # what is left, the limit, and the seed that decides
    if "at_least" in claim:
        sides.append((values.min() - claim["at_least"], claim["at_least"], values.min()))
    if "at_most" in claim:
        sides.append((claim["at_most"] - values.max(), claim["at_most"], values.max()))
    margin, worst = min((room / (abs(limit) or 1), float(value)) for room, limit, value in sides)
    holds = margin >= 0
    text = f"{_name(cell)} {worst:.4g} in the worst seed"
    return Outcome(holds, worst, text, (Part(_name(cell), worst, None),), margin)


_RULES = {"value": _value, "ratio": _ratio, "ordering": _ordering, "bound": _bound}
