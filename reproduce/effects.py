# SPDX-License-Identifier: GPL-2.0-only
"""Effects: from the table of runs to a number per seed and point that speaks for or against.

An effect is the logarithm of a ratio, paired by seed because the schemes of a seed carry the same
trace, and above 0 if it is on the sentence's side. Where a value is 0 or below it is a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from reproduce.errors import UserError
from reproduce.lazy import pd
from reproduce.statements import (
    AboutEqual,
    Bound,
    Claim,
    Order,
    Place,
    Predicate,
    Side,
    Trend,
    shown,
    sides_of,
)


class NoValueError(Exception):
    """A number that a claim needs and the table does not have."""


@dataclass(frozen=True)
class Values:
    """A quantity per seed (rows) and point (columns), as a fraction: over 1 if it is no ratio."""

    above: np.ndarray
    below: np.ndarray

    @classmethod
    def whole(cls, above: np.ndarray) -> Values:
        """A quantity that is no ratio."""
        return cls(above, np.ones_like(above))

    @property
    def positive(self) -> bool:
        """True if logarithms exist."""
        return bool((self.above > 0).all() and (self.below > 0).all())


@dataclass(frozen=True)
class Effects:
    """An effect per seed (rows) and point (columns)."""

    name: str  # such as `afq < dctcp`
    points: tuple[str, ...]
    values: np.ndarray
    logarithms: bool = True  # else differences


@dataclass(frozen=True)
class Reader:
    """The quantities of a claim in the table of a profile, with the same seeds for all of them."""

    claim: Claim
    table: pd.DataFrame | None

    @cached_property
    def points(self) -> list[Place]:
        """The points of the claim's scope that the profile sweeps.

        If it has none of them all, so that what is missing is named.
        """
        return [point for point in self.claim.points if self._swept(point)] or self.claim.points

    @property
    def has_points(self) -> bool:
        """True if the profile sweeps any of the scope's points."""
        return any(self._swept(point) for point in self.claim.points)

    def _swept(self, point: Place) -> bool:
        table = self.table
        return table is not None and all(
            argument in table and (table[argument] == value).any()
            for argument, value in point.items()
        )

    @cached_property
    def seeds(self) -> list[int]:
        """The seeds of everything that the claim speaks of."""
        runs = (self.runs(side, point) for side in self.claim.sides for point in self.points)
        return sorted({seed for rows in runs for seed in rows["seed"]})

    def name(self, side: Side) -> str:
        """A side as a person reads it, with its metric where the claim speaks of several."""
        side = side.completed(self.claim.scheme, self.claim.metric)
        several = len({one.metric for one in self.claim.sides}) > 1
        return side.named(side.at) if several else str(side)

    def fewest_seeds(self, points: list[Place]) -> int:
        """The least number of seeds that each side has at any of some points."""
        there = (self.runs(side, point) for side in self.claim.sides for point in points)
        return min((len(rows.dropna()) for rows in there), default=0)

    def runs(self, side: Side, point: Place) -> pd.DataFrame:
        """The seeds of a side at a point with its metric, without what it is over."""
        if self.table is None:
            return pd.DataFrame({"seed": []})
        there = self.table["scheme"] == side.scheme
        for argument, value in {**point, **side.at}.items():
            there &= self.table[argument] == value if argument in self.table else False
        return self.table.loc[there, [one for one in ("seed", side.metric) if one in self.table]]

    def values(self, side: Side, points: list[Place]) -> Values:
        """A side's numbers at some points."""
        side = side.completed(self.claim.scheme, self.claim.metric)
        above = np.column_stack([self._column(side, point) for point in points])
        if side.over is None:
            return Values.whole(above)
        below = self.values(side.over, [{**point, **side.at} for point in points])
        if (below.above < 0).any():
            raise NoValueError(f"no value: {side} is over a number below 0")
        return Values(above * below.below, below.above)

    def _column(self, side: Side, point: Place) -> np.ndarray:
        """A metric of a scheme at a point, a value per seed."""
        rows = self.runs(side, point)
        where = Side(side.scheme).named({**point, **side.at})
        if rows.empty:
            raise NoValueError(f"no run of {where}")
        self._check_seeds(rows["seed"].tolist(), where)
        if side.metric not in rows or rows[side.metric].isna().any():
            raise NoValueError(f"no value: {side.metric} of {where}")
        try:
            return rows.set_index("seed").loc[self.seeds, side.metric].to_numpy(float)
        except ValueError:
            raise NoValueError(f"no number: {side.metric} of {where}") from None

    def _check_seeds(self, there: list[int], where: str) -> None:
        twice = [seed for seed in self.seeds if there.count(seed) > 1]
        if twice:
            raise self._error(f"{where} has several runs of seed {twice[0]}; allowed: one a point")
        missing = [str(seed) for seed in self.seeds if seed not in there]
        if missing:
            raise self._error(
                f"{where} has no seed {', '.join(missing)}; allowed: the same seeds on every side"
            )

    def _error(self, problem: str) -> UserError:
        return UserError(f"claim {self.claim.id}: {problem}")


def paired(upper: Values, lower: Values, logarithms: bool) -> np.ndarray:
    """The logarithms of the ratios of two quantities; with zeros among them their differences.

    A difference is over the mean of both sides, over all seeds of its point. Fractions of which a
    denominator is 0 are compared by what each is times the other's.
    """
    if (upper.below > 0).all() and (lower.below > 0).all():
        above, below = upper.above / upper.below, lower.above / lower.below
    else:
        above, below = upper.above * lower.below, lower.above * upper.below
    if logarithms:
        return np.log(above / below)
    scale = np.broadcast_to((np.abs(above) + np.abs(below)).mean(axis=0) / 2, above.shape)
    return np.divide(above - below, scale, out=np.zeros_like(above), where=scale > 0)


def effects(predicate: Predicate, reader: Reader) -> list[Effects]:
    """The effects of a predicate, those of each of its comparisons."""
    return list(_EFFECTS[type(predicate)](predicate, reader, places_of(predicate, reader)))


def places_of(predicate: Predicate, reader: Reader) -> list[Place]:
    """The points of a predicate, each once: those of the scope without what all its sides fix."""
    fixed = set.intersection(*(set(side.at) for side in sides_of(predicate)))
    return each_once({k: v for k, v in point.items() if k not in fixed} for point in reader.points)


def each_once(places: Iterable[Place]) -> list[Place]:
    """The different ones of some places, in their order."""
    found: list[Place] = []
    for place in places:
        if place not in found:
            found.append(place)
    return found


def _order(order: Order, reader: Reader, points: list[Place]) -> Iterator[Effects]:
    """Each pair of neighbours by itself."""
    steps = [[(side, reader.values(side, points)) for side in step] for step in order.steps]
    logarithms = all(value.positive for step in steps for _, value in step)
    sign = "≤" if order.or_equal else "<"
    for lower, upper in pairwise(steps):
        for (left, low), (right, high) in product(lower, upper):
            values = paired(high, low, logarithms)
            name = f"{reader.name(left)} {sign} {reader.name(right)}"
            yield _named(name, points, values, logarithms)


def _about_equal(equal: AboutEqual, reader: Reader, points: list[Place]) -> Iterator[Effects]:
    """A column for each pair at each point."""
    sides = [(side, reader.values(side, points)) for side in equal.sides]
    logarithms = all(value.positive for _, value in sides)
    pairs = list(combinations(sides, 2))
    columns = [paired(left, right, logarithms) for (_, left), (_, right) in pairs]
    names = [f"{reader.name(left)} ≈ {reader.name(right)}" for (left, _), (right, _) in pairs]
    places = [", ".join(filter(None, place)) for place in product(names, map(shown, points))]
    name = " ≈ ".join(reader.name(side) for side in equal.sides)
    yield Effects(name, tuple(places), np.hstack(columns), logarithms)


def _bound(bound: Bound, reader: Reader, points: list[Place]) -> Iterator[Effects]:
    """One sample: how far the side is on the right side of its limit.

    Of two limits it is the one that the mean over seeds is nearer to, the same for all seeds of a
    point: with the nearer one of each seed their scatter would count against the sentence.
    """
    value = reader.values(bound.side, points)
    sides = []
    if bound.at_most is not None:
        sides.append((f"at most {bound.at_most:g}", -_beyond(value, bound.at_most)))
    if bound.at_least is not None:
        sides.append((f"at least {bound.at_least:g}", _beyond(value, bound.at_least)))
    limits = " and ".join(limit for limit, _ in sides)
    rooms = np.stack([room for _, room in sides])
    nearer = rooms.mean(axis=1).argmin(axis=0)
    room = rooms[nearer, :, range(len(points))].T
    yield _named(f"{reader.name(bound.side)} {limits}", points, room, _has_logarithms(value, bound))


def _has_logarithms(value: Values, bound: Bound) -> bool:
    limits = (limit for limit in (bound.at_most, bound.at_least) if limit is not None)
    return value.positive and all(limit > 0 for limit in limits)


def _beyond(value: Values, limit: float) -> np.ndarray:
    """The distance of a quantity above a limit."""
    limits = Values.whole(np.full_like(value.above, limit))
    return paired(value, limits, value.positive and limit > 0)


def _trend(trend: Trend, reader: Reader, points: list[Place]) -> Iterator[Effects]:
    """The change of a side, or of the logarithm of a ratio, from the first place to the last."""
    first, last = (reader.values(side, points) for side in trend.ends)
    logarithms = first.positive and last.positive
    if trend.side.over is None or logarithms:
        change = paired(last, first, logarithms)
    else:
        change = _difference(last) - _difference(first)
    name = f"{reader.name(trend.side)} {'falls' if trend.falls else 'rises'}"
    name += f" from {shown(trend.first)} to {shown(trend.last)}"
    yield _named(name, points, -change if trend.falls else change, logarithms)


def _difference(ratio: Values) -> np.ndarray:
    """The difference of the two sides of a ratio."""
    return paired(Values.whole(ratio.above), Values.whole(ratio.below), logarithms=False)


def _named(name: str, points: list[Place], values: np.ndarray, logarithms: bool) -> Effects:
    return Effects(name, tuple(map(shown, points)), values, logarithms)


_EFFECTS: dict[type, Callable[[Any, Reader, list[Place]], Iterator[Effects]]] = {
    Order: _order,
    AboutEqual: _about_equal,
    Bound: _bound,
    Trend: _trend,
}
