# SPDX-License-Identifier: GPL-2.0-only
"""The rules of judging: a paper's sentence and its number against the table of runs.

The unit is the seed. Of several points it is first the mean within each seed, then one t interval
over the seeds' means: the pooled interval. A sentence is tried in this order:
  partly     the pooled interval is on its side and a point significantly against it; or some points
             are significantly for it and some against (Holm over the points)
  yes        the pooled interval is on its side
  no         it is on the other side, or there is a tie where the sentence claims a difference
  undecided  else, with the smallest effect that these seeds could have seen
Three or four seeds are marked, fewer decide nothing, but one does of what is not random.
The number is judged apart, by the mean alone: an interval may spoil what is within, not rescue what
is off. Nothing here reads a file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from reproduce.effects import Effects, NoValueError, Reader, Values, each_once, effects, places_of
from reproduce.errors import UserError
from reproduce.estimates import CONSTANT, EXACT, ROUNDING, TIE, Estimate, holm
from reproduce.lazy import pd
from reproduce.statements import (
    AboutEqual,
    Across,
    Basis,
    Bound,
    Claim,
    Conclusion,
    Entry,
    Number,
    NumberVerdict,
    Order,
    Place,
    Predicate,
    Quantity,
    Side,
    Trend,
    shown,
)

EQUAL = math.log(1.1)  # a 90 % interval within this of 0 is about equal
FEWEST = 3  # seeds, of what is random
FEW = 4  # seeds, up to which a verdict is marked
TOLERANCE = {Quantity.VALUE: 0.15, Quantity.RATIO: 0.25, Quantity.GAIN: 0.25, Quantity.ERROR: 0.25}
DISTANCE = 0.10  # of two distributions


@dataclass(frozen=True)
class Verdict:
    """Both verdicts on a claim, which are never merged."""

    claim: Claim
    sentence: SentenceOutcome
    number: NumberOutcome

    @property
    def hash(self) -> str:
        """The fingerprint of what decided."""
        return fingerprint(self.claim)


def fingerprint(claim: Claim) -> str:
    """The hash of all that decides on a claim, the margins among it."""
    return claim.fingerprint([TIE, EXACT, EQUAL, FEWEST, TOLERANCE, DISTANCE])


def judge(claim: Claim, table: pd.DataFrame | None, random: bool = True) -> Verdict:
    """Both verdicts on a claim by the table of a profile."""
    sentence, number = judge_sentence(claim, table, random), judge_number(claim, table, random)
    return Verdict(claim, sentence, number)


def paper_decides(
    claim: Claim, quick: pd.DataFrame | None, paper: pd.DataFrame | None, random: bool = True
) -> bool:
    """True if the paper profile decides: it has seeds enough wherever quick has the claim."""
    reader = Reader(claim, quick)
    points = (reader if reader.has_points else Reader(claim, paper)).points
    return enough(Reader(claim, paper).fewest_seeds(points), random)


def judge_must_fail(
    claim: Claim, table: pd.DataFrame | None, random: bool = True
) -> Conclusion | None:
    """The conclusion with the side that must fail; none if the table has no such runs.

    Nor if they have other seeds than the rest.
    """
    spoiled = claim.spoiled()
    if spoiled is None:
        return None
    try:
        outcome = judge_sentence(spoiled, table, random)
    except UserError:
        return None
    complete = all(finding.pooled for finding in outcome.findings)
    return outcome.conclusion if complete else None


def enough(seeds: int, random: bool) -> bool:
    """True if so many seeds are judged."""
    return seeds >= (FEWEST if random else 1)


def few(seeds: int, random: bool) -> bool:
    """True if a verdict on so many seeds is marked."""
    return random and FEWEST <= seeds <= FEW


def _too_few(seeds: int, random: bool) -> str:
    """The reason why so few seeds decide nothing; empty if they do."""
    return "" if enough(seeds, random) else f"{seeds} seed{'s' * (seeds != 1)}, random"


# The sentence


@dataclass(frozen=True)
class Finding:
    """The conclusion on one comparison, with what it rests on."""

    conclusion: Conclusion
    name: str
    why: str = ""
    pooled: Estimate | None = None  # of `up to` the best point, of `about equal` the worst
    points: tuple[tuple[str, Estimate], ...] = ()
    smallest_visible: float | None = None
    logarithms: bool = True  # else its effects are differences


@dataclass(frozen=True)
class SentenceOutcome:
    """The conclusion on a sentence, with each of its comparisons."""

    conclusion: Conclusion
    findings: tuple[Finding, ...] = ()

    @property
    def decisive(self) -> Finding | None:
        """The first comparison that came out as the whole did; of mixed ones, that spoilt it."""
        ranked = (self.conclusion, Conclusion.NO, Conclusion.UNDECIDED, Conclusion.YES)
        found = (one for rank in ranked for one in self.findings if one.conclusion is rank)
        return next(found, None)


@dataclass(frozen=True)
class Rule:
    """The way in which a predicate reads its effects."""

    across: Across = Across.TOGETHER
    singled_out: tuple[int, ...] = ()  # columns
    tie: Conclusion = Conclusion.NO  # what the sentence says of one
    margin: float = TIE  # and what is one


Ruling = tuple[Conclusion, str]  # with the reason, where it is not plain


def judge_sentence(
    claim: Claim, table: pd.DataFrame | None, random: bool = True
) -> SentenceOutcome:
    """The conclusion on a claim by the table of a profile."""
    if claim.basis is Basis.NOT_TESTABLE or not claim.predicates:
        return SentenceOutcome(Conclusion.NONE)
    reader = Reader(claim, table)
    findings = [one for part in claim.predicates for one in _findings(part, reader, random)]
    return SentenceOutcome(combined(one.conclusion for one in findings), tuple(findings))


def combined(conclusions: Iterable[Conclusion]) -> Conclusion:
    """The conclusion on a sentence of several parts, such as the pairs of a chain."""
    found = set(conclusions)
    if Conclusion.PARTLY in found or found >= {Conclusion.YES, Conclusion.NO}:
        return Conclusion.PARTLY
    order = (Conclusion.NO, Conclusion.UNDECIDED, Conclusion.YES)
    return next((one for one in order if one in found), Conclusion.NONE)


def _findings(predicate: Predicate, reader: Reader, random: bool) -> list[Finding]:
    try:
        comparisons = effects(predicate, reader)
    except NoValueError as missing:
        return [Finding(Conclusion.UNDECIDED, type(predicate).__name__, str(missing))]
    if not random:
        _check_constant(reader.claim, comparisons)
    if isinstance(predicate, AboutEqual):
        return [conclude_equal(one, random) for one in comparisons]
    rule = _rule(predicate, reader)
    return [conclude(one, rule, random) for one in comparisons]


def _check_constant(claim: Claim, comparisons: list[Effects]) -> None:
    """Refuses seeds that differ where nothing is said to be random."""
    for one in comparisons:
        if (np.ptp(one.values, axis=0) > 2 * CONSTANT).any():
            raise UserError(f"claim {claim.id}: random: false, but seeds differ in {one.name}")


def _rule(predicate: Order | Bound | Trend, reader: Reader) -> Rule:
    places = places_of(predicate, reader)
    columns = tuple(i for i, place in enumerate(places) if _singled_out(predicate, place))
    for place in reader.claim.outside(predicate):
        raise UserError(f"claim {reader.claim.id}: no point of its scope has {shown(place)}")
    if isinstance(predicate, Bound):
        return Rule(predicate.across, columns, Conclusion.YES, EXACT)
    or_equal = isinstance(predicate, Order) and predicate.or_equal
    return Rule(predicate.across, columns, Conclusion.YES if or_equal else Conclusion.NO)


def _singled_out(predicate: Order | Bound | Trend, point: Place) -> bool:
    return any(place.items() <= point.items() for place in predicate.singled_out)


def conclude(comparison: Effects, rule: Rule, random: bool = True) -> Finding:
    """The conclusion on one comparison."""
    points = _estimates(comparison)
    if rule.across is Across.UP_TO:
        pooled = max(points, key=lambda point: point.mean)
    else:
        pooled = Estimate.of(comparison.values.mean(axis=1))
    ruling = _RULES[rule.across](pooled, points, rule)
    return _finding(comparison, ruling, pooled, points, random)


def conclude_equal(comparison: Effects, random: bool = True) -> Finding:
    """The conclusion on sides that are about equal: at each point and pair, never pooled."""
    points = _estimates(comparison)
    numbers = range(len(points))
    outside = [i for i in numbers if points[i].lies_outside(EQUAL)]
    unclear = [i for i in numbers if not points[i].lies_within(EQUAL)]
    worst = max(outside or unclear or numbers, key=lambda i: abs(points[i].mean))
    at = f"at {comparison.points[worst]}" if comparison.points[worst] else ""
    ruling = Conclusion.YES, ""
    if outside:
        ruling = Conclusion.NO, at
    elif unclear:
        why = "an interval reaches across what is about equal"
        ruling = Conclusion.UNDECIDED, f"{why}, {at}" if at else why
    found = _finding(comparison, ruling, points[worst], points, random)
    return replace(found, smallest_visible=None)  # nothing is to be told from 1


def _estimates(comparison: Effects) -> list[Estimate]:
    return [Estimate.of(column) for column in comparison.values.T]


def _finding(
    comparison: Effects, ruling: Ruling, pooled: Estimate, points: list[Estimate], random: bool
) -> Finding:
    """The ruling, if there are seeds enough for it."""
    too_few = _too_few(pooled.seeds, random)
    conclusion, why = (Conclusion.UNDECIDED, too_few) if too_few else ruling
    return Finding(
        conclusion=conclusion,
        name=comparison.name,
        why=why,
        pooled=pooled,
        points=tuple(zip(comparison.points, points, strict=True)),
        smallest_visible=None if too_few else pooled.smallest_visible,
        logarithms=comparison.logarithms,
    )


def _judge_pooled(pooled: Estimate, points: list[Estimate], rule: Rule) -> Ruling:
    """Over all points as one."""
    found = _significant(points)
    kept = pooled.side() > 0 or (rule.tie is Conclusion.YES and pooled.is_tie(rule.margin))
    if -1 in found and (kept or 1 in found):
        return Conclusion.PARTLY, "points are against it"
    if pooled.side() > 0:
        return _judge_singled_out([points[i] for i in rule.singled_out])
    if pooled.side() < 0:
        return Conclusion.NO, ""
    return _tie(pooled, rule)


def _judge_singled_out(singled_out: list[Estimate]) -> Ruling:
    """A yes, unless a point that the sentence singles out is not apart by itself."""
    if all(side > 0 for side in _significant(singled_out)):
        return Conclusion.YES, ""
    return Conclusion.UNDECIDED, "a point that the sentence singles out is not apart"


def _tie(pooled: Estimate, rule: Rule) -> Ruling:
    """The conclusion that a tie gives the sentence, if there is one."""
    if pooled.is_tie(rule.margin):
        return rule.tie, "a tie"
    return Conclusion.UNDECIDED, ""


def _every(pooled: Estimate, points: list[Estimate], rule: Rule) -> Ruling:
    """As over all points as one, and each has the right sign besides."""
    conclusion, why = _judge_pooled(pooled, points, rule)
    if conclusion is Conclusion.YES and not all(_right(point, rule) for point in points):
        return Conclusion.UNDECIDED, "not every point has the right sign"
    return conclusion, why


def _right(point: Estimate, rule: Rule) -> bool:
    """True of the sentence's sign, and of a tie if the sentence allows one."""
    return point.sign > 0 or (rule.tie is Conclusion.YES and point.is_tie(rule.margin))


def _up_to(best: Estimate, points: list[Estimate], rule: Rule) -> Ruling:
    """By the point with the largest mean, with an interval that allows for its being chosen."""
    side = best.side(1 - 0.05 / len(points))
    if side == 0:
        return _tie(best, rule)
    return (Conclusion.YES if side > 0 else Conclusion.NO), ""


def _some(_: Estimate, points: list[Estimate], __: Rule) -> Ruling:
    """By one point that is significantly for it, or all that are against."""
    found = _significant(points)
    if 1 in found:
        return Conclusion.YES, ""
    return (Conclusion.NO if set(found) == {-1} else Conclusion.UNDECIDED), ""


_RULES: dict[Across, Callable[[Estimate, list[Estimate], Rule], Ruling]] = {
    Across.TOGETHER: _judge_pooled,
    Across.EVERY: _every,
    Across.UP_TO: _up_to,
    Across.SOME: _some,
}


def _significant(points: list[Estimate]) -> list[int]:
    """Of each point 1 or -1 if it is significantly for or against (Holm over them), else 0."""
    found = holm([point.chance for point in points])
    return [point.sign if one else 0 for point, one in zip(points, found, strict=True)]


# The number


@dataclass(frozen=True)
class Measured:
    """Our number at one point: its mean and 95 % interval, and where it is allowed to be."""

    name: str
    ours: float
    interval: tuple[float, float]
    printed: tuple[float, float]  # both ends, the same if it is no range
    allowed: tuple[float, float]
    entry: Entry | None = None  # none of a distribution

    @property
    def within(self) -> bool:
        """True if the mean is where it is allowed to be."""
        return self._allows(self.ours)

    @property
    def imprecise(self) -> bool:
        """True if the interval reaches across the tolerance's edge."""
        return not all(self._allows(end) for end in self.interval)

    def _allows(self, value: float) -> bool:
        slack = ROUNDING * abs(value) if math.isfinite(value) else 0
        return self.allowed[0] - slack <= value <= self.allowed[1] + slack

    @property
    def factor(self) -> float | None:
        """The larger of ours over the paper's and the reverse; none with a 0 on one side."""
        nearer = min(self.printed, key=lambda end: abs(self.ours - end))
        if not (self.ours * nearer > 0 and math.isfinite(self.ours)):
            return None
        return max(self.ours / nearer, nearer / self.ours)

    @property
    def badness(self) -> tuple[bool, float]:
        """A key by which the worst point is the largest: off by most, or nearest to an edge."""
        if self.within:
            return False, -min(self.ours - self.allowed[0], self.allowed[1] - self.ours)
        return True, math.inf if self.factor is None else self.factor


@dataclass(frozen=True)
class NumberOutcome:
    """The verdict on a claim's number, with ours at each point."""

    verdict: NumberVerdict
    why: str = ""
    points: tuple[Measured, ...] = ()
    seeds: int = 0

    @property
    def worst(self) -> Measured | None:
        """The point that is furthest off, or nearest to being so."""
        return max(self.points, key=lambda point: point.badness, default=None)

    @property
    def factor(self) -> float | None:
        """The factor by which it is off at the worst point, if it is."""
        return self.worst.factor if self.worst and self.verdict is NumberVerdict.OFF else None

    def __str__(self) -> str:
        return f"{self.verdict} by {self.factor:.2g}" if self.factor else str(self.verdict)


def judge_number(claim: Claim, table: pd.DataFrame | None, random: bool = True) -> NumberOutcome:
    """The verdict on a claim's number by the table of a profile."""
    if claim.basis is Basis.NOT_TESTABLE or claim.number is None:
        return NumberOutcome(NumberVerdict.NONE)
    reader = Reader(claim, table)
    try:
        points = tuple(_measured(claim.number, reader))
    except NoValueError as missing:
        return NumberOutcome(NumberVerdict.NONE, str(missing))
    seeds = len(reader.seeds)
    if why := _too_few(seeds, random):
        return NumberOutcome(NumberVerdict.NONE, why, points, seeds)
    return NumberOutcome(_verdict(points), "", points, seeds)


def _verdict(points: tuple[Measured, ...]) -> NumberVerdict:
    within = [point.within for point in points]
    if not all(within):
        return NumberVerdict.OVERLAPS if any(within) else NumberVerdict.OFF
    if any(point.imprecise for point in points):
        return NumberVerdict.IMPRECISE
    return NumberVerdict.WITHIN


def _measured(number: Number, reader: Reader) -> Iterator[Measured]:
    """Our number at each point of the scope, for each that is printed."""
    if number.quantity is Quantity.DISTRIBUTION:
        yield from _distances(number, reader)
        return
    for entry in number.entries:
        low, high = sorted((float(entry.printed), float(entry.end or entry.printed)))
        side = entry.side.completed(reader.claim.scheme, reader.claim.metric)
        for place in _places(side, reader):
            mean, interval = _ours(number, side, reader.values(side, [place]))
            room = allowed(number, entry)
            yield Measured(side.named(place), mean, interval, (low, high), room, entry)


def _places(side: Side, reader: Reader) -> list[Place]:
    """The points for a side that may stand at a place of its own, each once."""
    return each_once({**point, **side.at} for point in reader.points)


def _ours(number: Number, side: Side, values: Values) -> tuple[float, tuple[float, float]]:
    """The mean over seeds at a point and its 95 % interval, in the printed unit."""
    if side.over is None:
        return _mean(values.above[:, 0])
    mean, (low, high) = _ratio(values)
    change = 1 if number.quantity is Quantity.GAIN else 0
    scale = _scale(number)
    return (mean - change) * scale, ((low - change) * scale, (high - change) * scale)


def mean(values: Values) -> float:
    """The mean over seeds at a point; of a ratio that of the seeds' ratios."""
    whole = bool((values.below == 1).all())
    return (_mean(values.above[:, 0]) if whole else _ratio(values))[0]


def _mean(values: np.ndarray) -> tuple[float, tuple[float, float]]:
    """The mean with its interval, in parts of the largest value: a small unit is no spread."""
    unit = float(np.abs(values).max()) or 1.0
    estimate = Estimate.of(values / unit)
    low, high = estimate.interval()
    return estimate.mean * unit, (low * unit, high * unit)


def _ratio(values: Values) -> tuple[float, tuple[float, float]]:
    """The mean of the seeds' ratios with its interval; with zeros that of the means alone."""
    if values.positive:
        estimate = Estimate.of(np.log(values.above / values.below)[:, 0])
        low, high = estimate.interval()
        return math.exp(estimate.mean), (math.exp(low), math.exp(high))
    above, below = float(values.above.mean()), float(values.below.mean())
    ratio = above / below if below else math.inf if above else math.nan
    return ratio, (ratio, ratio)


def _scale(number: Number) -> float:
    """From a ratio to the printed unit."""
    return 100.0 if number.unit == "%" else 1.0


def allowed(number: Number, entry: Entry) -> tuple[float, float]:
    """The means that are within: around the number, or from one end of a range to the other."""
    around = [_around(number, text) for text in (entry.printed, entry.end) if text]
    return min(low for low, _ in around), max(high for _, high in around)


def _around(number: Number, text: str) -> tuple[float, float]:
    printed = float(text)
    half = 0.0 if number.analytic else last_digit(text) / 2
    if number.quantity is Quantity.AT_MOST:
        return -math.inf, printed + half
    if number.quantity is Quantity.AT_LEAST:
        return printed - half, math.inf
    room = TOLERANCE[number.quantity] * abs(printed)
    if number.quantity is Quantity.ERROR:
        room = max(room, half)
    if number.quantity is Quantity.GAIN:  # and the ratio of the sides
        room = min(room, TOLERANCE[Quantity.RATIO] * abs(_scale(number) + printed))
    return printed - room, printed + room


def last_digit(text: str) -> float:
    """The weight of the last printed digit: 0.01 of 1.50, 1 of 895."""
    return float(Decimal(1).scaleb(Decimal(text).as_tuple().exponent))


def _distances(number: Number, reader: Reader) -> Iterator[Measured]:
    """The largest distance of two distributions, by their shares up to the same places."""
    shares = np.array([float(entry.printed) for entry in number.entries])
    for point in reader.points:
        values = [reader.values(entry.side, [point]) for entry in number.entries]
        ours = np.array([float((one.above / one.below).mean()) for one in values])
        distance = float(np.abs(ours - shares).max()) / _scale(number)
        yield Measured(shown(point), distance, (distance,) * 2, (0.0, 0.0), (0.0, DISTANCE))
