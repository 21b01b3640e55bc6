# SPDX-License-Identifier: GPL-2.0-only
"""Claims as papers make them: the words of verdicts, and what a sentence and a number speak of.

A claim is apart from any result. How it is judged is in judging.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any

from reproduce.errors import UserError
from reproduce.specs import Scalar


class Conclusion(StrEnum):
    """The outcome of a sentence, without its number."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNDECIDED = "undecided"
    NONE = "-"


class NumberVerdict(StrEnum):
    """The outcome of a printed number."""

    WITHIN = "within"
    OVERLAPS = "overlaps"  # within at some points
    OFF = "off"  # by a factor, where there is one
    IMPRECISE = "imprecise"
    NONE = "-"


class Basis(StrEnum):
    """The ground of a verdict; only what is measured counts."""

    MEASURED = "measured"
    BY_CONSTRUCTION = "by construction"
    CALIBRATED = "calibrated"
    NOT_TESTABLE = "not testable"


class Cause(StrEnum):
    """The reason that a sentence or a number does not come out."""

    CONTRADICTION = "paper contradicts itself"
    SILENCE = "paper silent"
    TESTBED = "testbed"
    MECHANISM = "mechanism as printed"
    OURS = "ours"


class Across(StrEnum):
    """The way in which a sentence speaks of several points."""

    TOGETHER = "together"
    EVERY = "every"  # or `always`
    UP_TO = "up to"
    SOME = "there are cases"


class Quantity(StrEnum):
    """The kind of a printed number, which decides how near ours has to be."""

    VALUE = "value"
    RATIO = "ratio"
    GAIN = "gain"  # a reduction is below 0
    ERROR = "error"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    DISTRIBUTION = "distribution"


Place = Mapping[str, Scalar]  # swept arguments, each with a value
Scope = Mapping[str, tuple[Scalar, ...]]  # a sentence is judged at every combination


@dataclass(frozen=True)
class Side:
    """One of the quantities that a sentence compares: a metric of a scheme, or a ratio of two.

    A scheme or metric that is left out is the claim's; of `over` it is that of what it divides.
    """

    scheme: str = ""
    metric: str = ""
    at: Place = field(default_factory=dict)  # besides the point, or instead of a part of it
    over: Side | None = None

    def completed(self, scheme: str, metric: str) -> Side:
        """The side with what it leaves out."""
        scheme, metric = self.scheme or scheme, self.metric or metric
        over = self.over and self.over.completed(scheme, metric)
        return replace(self, scheme=scheme, metric=metric, over=over)

    def named(self, place: Place) -> str:
        """The side at a place, as a person reads it."""
        text = f"{self.metric} of {self.scheme}" if self.metric else self.scheme
        text += f" ({shown(place)})" if place else ""
        return f"{text} over {self.over.named(self.over.at)}" if self.over else text

    def __str__(self) -> str:
        text = self.scheme or self.metric
        text += f" ({shown(self.at)})" if self.at else ""
        return f"{text} over {self.over}" if self.over else text


@dataclass(frozen=True)
class Order:
    """Steps from the lowest to the highest: two are a difference, more a chain.

    Each side of a step is below each of the next one; sides of one step are not compared.
    """

    steps: tuple[tuple[Side, ...], ...]
    across: Across = Across.TOGETHER
    singled_out: tuple[Place, ...] = ()  # points that must be apart by themselves
    or_equal: bool = False  # `not more than`: a tie is a yes


@dataclass(frozen=True)
class AboutEqual:
    """Sides each pair of which is about equal, at each point."""

    sides: tuple[Side, ...]


@dataclass(frozen=True)
class Bound:
    """A limit that one side keeps, or two that it keeps between; what reaches one keeps it."""

    side: Side
    at_most: float | None = None
    at_least: float | None = None
    across: Across = Across.TOGETHER
    singled_out: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Trend:
    """A side that rises, or falls, from one place to another."""

    side: Side
    first: Place
    last: Place
    falls: bool = False
    across: Across = Across.TOGETHER
    singled_out: tuple[Place, ...] = ()

    @property
    def ends(self) -> tuple[Side, Side]:
        """The side at the first and the last place."""
        first, last = (replace(self.side, at={**self.side.at, **at}) for at in self._places)
        return first, last

    @property
    def _places(self) -> tuple[Place, Place]:
        return self.first, self.last


Predicate = Order | AboutEqual | Bound | Trend


@dataclass(frozen=True)
class Entry:
    """A printed number with what it is of, as a text because its last digit counts."""

    side: Side
    printed: str
    end: str = ""  # the other end of a range


@dataclass(frozen=True)
class Number:
    """A paper's printed number, or all those of a bar chart, a row or a distribution.

    Entries of a distribution are shares up to some place. A gain and a ratio may be in %.
    """

    quantity: Quantity
    entries: tuple[Entry, ...]
    unit: str = ""
    analytic: bool = False  # a bound that is proved


@dataclass(frozen=True)
class Replacement:
    """A scheme or a setting in a scheme's place, with which the sentence must not come out."""

    scheme: str
    by: Side  # what it leaves out stays

    def of(self, side: Side) -> Side:
        """A complete side after it."""
        over = self.of(side.over) if side.over else None
        side = replace(side, over=over)
        if side.scheme != self.scheme:
            return side
        scheme, metric = self.by.scheme or side.scheme, self.by.metric or side.metric
        return replace(side, scheme=scheme, metric=metric, at={**side.at, **self.by.at})


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper: what it says, of what, and how that is judged.

    A sentence of several parts has several predicates, one that is only a number has none.
    """

    paper: str
    id: str
    sentence: str
    scope: Scope = field(default_factory=dict)
    predicates: tuple[Predicate, ...] = ()
    number: Number | None = None
    metric: str = ""  # of every side that names none
    scheme: str = ""  # likewise
    basis: Basis = Basis.MEASURED
    must_fail: Replacement | None = None
    experiment: str = ""  # whose table of runs decides
    # What decides nothing:
    sources: tuple[str, ...] = ()  # where the paper says so
    also: tuple[str, ...] = ()  # other ids of the catalogue that say the same
    kind: str = ""  # of what is not a paper's: sensitivity, theory, ...
    cause: Cause | None = None  # if it does not come out
    silent_on: str = ""  # of a paper
    sensitivity: str = ""  # the experiment that shows that it matters
    reason: str = ""

    @property
    def points(self) -> list[Place]:
        """Every combination of the values in the scope."""
        lists = product(*self.scope.values())
        return [dict(zip(self.scope, values, strict=True)) for values in lists]

    def outside(self, predicate: Predicate) -> list[Place]:
        """The places that a predicate singles out and no point of the scope has."""
        places = getattr(predicate, "singled_out", ())
        return [
            place
            for place in places
            if not any(place.items() <= point.items() for point in self.points)
        ]

    @property
    def sides(self) -> list[Side]:
        """Every quantity that the claim speaks of, complete; of a ratio both."""
        sides = (side.completed(self.scheme, self.metric) for side in sides_of(self._judged))
        return [part for side in sides for part in _both(side)]

    @property
    def _judged(self) -> tuple[Any, ...]:
        return self.predicates, self.number

    def fingerprint(self, margins: Any) -> str:
        """A hash of all that decides: runs, scope, predicates, number, basis, null and margins."""
        kinds = [type(predicate).__name__ for predicate in self.predicates]
        words = [self.experiment, self.basis, self.scope, self.metric, self.scheme]
        decides = [kinds, *self._judged, self.must_fail, *words, margins]
        text = json.dumps(decides, default=asdict, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def _whole(self) -> tuple[Predicate, ...]:
        return _mapped(self.predicates, lambda side: side.completed(self.scheme, self.metric))

    @property
    def can_be_spoiled(self) -> bool:
        """True if what must fail changes anything of the sentence."""
        return self.must_fail is None or _mapped(self._whole, self.must_fail.of) != self._whole

    def spoiled(self) -> Claim | None:
        """The claim with what must fail in its place, if that is named."""
        if self.must_fail is None:
            return None
        predicates = _mapped(self._whole, self.must_fail.of)
        if not self.can_be_spoiled:
            raise UserError(f"claim {self.id}: must_fail changes nothing of the sentence")
        return replace(self, predicates=predicates, must_fail=None)


def shown(place: Place) -> str:
    """A place as a person reads it."""
    return ", ".join(f"{argument} {value}" for argument, value in place.items())


def sides_of(part: Any) -> Iterator[Side]:
    """Every side in a part of a claim, as it is written there."""
    if isinstance(part, Side):
        yield part
    elif isinstance(part, Trend):
        yield from part.ends
    else:
        for one in _parts(part):
            yield from sides_of(one)


def _both(side: Side) -> Iterator[Side]:
    """A side, and what it is over at its own place."""
    yield side
    if side.over:
        yield from _both(replace(side.over, at={**side.at, **side.over.at}))


def _parts(part: Any) -> tuple[Any, ...]:
    if is_dataclass(part):
        return tuple(getattr(part, one.name) for one in fields(part))
    return part if isinstance(part, tuple) else ()


def _mapped(part: Any, change: Callable[[Side], Side]) -> Any:
    """A part of a claim with each of its sides changed."""
    if isinstance(part, Side):
        return change(part)
    if isinstance(part, tuple):
        return tuple(_mapped(one, change) for one in part)
    if is_dataclass(part):
        new = {one.name: _mapped(getattr(part, one.name), change) for one in fields(part)}
        return replace(part, **new)
    return part
