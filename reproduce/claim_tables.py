# SPDX-License-Identifier: GPL-2.0-only
"""Tables of claims, claims/NAME.yaml: what a paper says, apart from any result.

What is not a paper's (sensitivity, theory, cross-checks, expectations) has tables of the same form,
claims/own/NAME.yaml. Everything wrong in a table is told at once, each with its line. To see it
while writing: ./repro claims NAME.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from reproduce import findings
from reproduce.document import Document, Problem, Where, refuse
from reproduce.errors import UserError, unknown
from reproduce.experiments import (
    PROFILES,
    Experiment,
    leave_out,
    left_out,
    load_known,
)
from reproduce.files import read_yaml
from reproduce.metrics import METRICS
from reproduce.paths import CLAIMS, show
from reproduce.specs import Scalar, listed, text
from reproduce.statements import (
    AboutEqual,
    Across,
    Basis,
    Bound,
    Cause,
    Claim,
    Entry,
    Number,
    Order,
    Place,
    Predicate,
    Quantity,
    Replacement,
    Side,
    Trend,
    shown,
)
from reproduce.validation import form_problems

QUANTITIES = {quantity.value.replace(" ", "_"): quantity for quantity in Quantity}
PRINTED = re.compile(
    r"(?P<low>[-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(?: to (?P<high>[-+]?[0-9.]+(?:e[-+]?[0-9]+)?))?"
    r"(?: (?P<unit>(?:1/)?[^\s\d+-].*))?"
)
PREDICATES = ("order", "equal", "at_most", "at_least", "rises", "falls")
DECIDE = re.compile(r"#\s*decide:\s*(.*)")


@dataclass(frozen=True)
class Open:
    """A line of a table that still asks for a person's decision."""

    line: int
    id: str
    text: str


@dataclass(frozen=True)
class Summary:
    """A paper on the front page: its central claims, the figure to look at, what to know."""

    name: str
    proposes: str
    claims: tuple[str, ...]
    experiment: str
    plot: str
    shows: str  # what is seen in the figure
    know: str

    @classmethod
    def read(cls, document: Document) -> tuple[Summary | None, list[Problem]]:
        """Reads a table's summary, if it has one, and finds names in it that do not exist."""
        if (data := document.data.get("summary")) is None:
            return None, []
        where, figure = ("summary",), data["figure"]
        experiment = _experiments().get(figure["experiment"])
        plots = [plot["name"] for plot in experiment.plots] if experiment else []
        wanted = [
            ((*where, "claims", i), "claim", name, document.data["claims"])
            for i, name in enumerate(data["claims"])
        ]
        wanted.append(((*where, "figure"), "experiment", figure["experiment"], _nameable()))
        if experiment:
            wanted.append(((*where, "figure"), "plot", figure["plot"], plots))
        problems = [
            document.problem(place, str(unknown(kind, name, known)))
            for place, kind, name, known in wanted
            if name not in known
        ]
        words = {key: data[key] for key in ("name", "proposes", "know")}
        return cls(claims=tuple(data["claims"]), **words, **figure), problems


@dataclass(frozen=True)
class ClaimTable:
    """The claims of one file."""

    name: str
    title: str  # of the paper
    own: bool  # not a paper's
    claims: tuple[Claim, ...]
    document: Document
    open: tuple[Open, ...]
    summary: Summary | None = None

    @classmethod
    def load(cls, path: Path) -> ClaimTable:
        """Reads and checks a file."""
        try:
            written = read_yaml(path)
        except FileNotFoundError:
            raise unknown("table of claims", path.stem, names()) from None
        document = Document.read(path, written)
        refuse(document.problems or form_problems(document, "table", "claims"))
        own = path.parent.name == "own"
        reader = _Reader(document, own)
        claims = tuple(
            reader.claim(name)
            for name, raw in document.data["claims"].items()
            if raw.get("experiment") not in left_out()
        )
        summary, problems = Summary.read(document)
        refuse([*reader.problems, *problems])
        asked = _open(document, written)
        return cls(path.stem, document.data["paper"], own, claims, document, asked, summary)


def names() -> list[str]:
    """The tables that exist, as they are named on a command line."""
    return [path.relative_to(CLAIMS).with_suffix("").as_posix() for path in _paths()]


def load(name: str) -> ClaimTable:
    """A table by its name, such as afq or own/afq, or by the path of its file."""
    return ClaimTable.load(Path(name) if name.endswith(".yaml") else CLAIMS / f"{name}.yaml")


def load_tables() -> list[ClaimTable]:
    """Every table: papers first. Raises UserError if two of them have a claim of the same name."""
    found = [ClaimTable.load(path) for path in _paths()]
    first: dict[str, ClaimTable] = {}
    for table in found:
        for claim in table.claims:
            if (there := first.setdefault(claim.id, table)) is not table:
                where = f"{show(table.document.path)}: {claim.id}"
                raise UserError(f"{where} stands in {show(there.document.path)}, too")
    return found


@cache
def every_claim() -> tuple[Claim, ...]:
    """Every claim: those of papers first, then what is no paper's, then those of experiments."""
    found = [claim for table in load_tables() for claim in table.claims]
    for experiment in load_known():
        try:
            found += of_experiment(experiment)
        except UserError as error:
            if not experiment.own:
                raise
            leave_out(experiment.document.path, str(error))
    return tuple(found)


def check_own(experiments: Iterable[Experiment], as_run: bool = True) -> None:
    """Raises if the claims in a user's own files, which are asked for by name, are not right."""
    for experiment in experiments:
        if experiment.own:
            of_experiment(experiment, as_run)


def of_experiment(experiment: Experiment, as_run: bool = False) -> tuple[Claim, ...]:
    """The claims that stand in an experiment's own file; run as it is, its tables have the metrics.

    Raises UserError if one is not right.
    """
    document = experiment.document
    refuse(
        problem
        for name in experiment.claims
        for problem in form_problems(document, "claim", "claims", ("claims", name))
    )
    reader = _Reader(document, True, experiment, as_run)
    found = tuple(reader.claim(name) for name in experiment.claims)
    refuse(reader.problems)
    return found


def _paths() -> list[Path]:
    return sorted(CLAIMS.glob("*.yaml")) + sorted(CLAIMS.glob("own/*.yaml"))


def _open(document: Document, written: str) -> tuple[Open, ...]:
    """The comments that ask for a decision, each with the claim in which it stands."""
    starts = [(document.line(("claims", name)), name) for name in document.data["claims"]]
    found = []
    for number, line in enumerate(written.splitlines(), 1):
        if asked := DECIDE.search(line):
            above = [name for start, name in starts if start <= number]
            found.append(Open(number, above[-1] if above else "", asked[1]))
    return tuple(found)


# Experiments, as claims refer to them


@cache
def _experiments() -> dict[str, Experiment]:
    return {experiment.id: experiment for experiment in load_known()}


def _nameable() -> list[str]:
    """Experiments that claims may name, those that are not right and left out included."""
    return [*_experiments(), *left_out()]


def _header(path: Path) -> list[str]:
    """The first line of a table, in cells; that a table is damaged is told where it is read."""
    with path.open(errors="replace") as file:
        return file.readline().strip().split(",")


@dataclass(frozen=True)
class _Names:
    """The names that claims about an experiment may use."""

    experiment: Experiment
    as_run: bool = True  # its tables have all its metrics

    @cached_property
    def values(self) -> dict[str, list[Scalar]]:
        """Each swept argument with the values that it has in any profile."""
        found: dict[str, list[Scalar]] = {}
        for profile in PROFILES:
            for argument, values in self.experiment.swept(profile).items():
                known = found.setdefault(argument, [])
                known += [value for value in values if value not in known]
        return found

    @cached_property
    def varied(self) -> list[str]:
        """Arguments of which a claim has to say the value."""
        return [argument for argument, values in self.values.items() if len(values) > 1]

    @cached_property
    def columns(self) -> list[str]:
        """The metrics: columns of its tables, or patterns of what its metrics give."""
        patterns = [column for one in self.experiment.metrics for column in METRICS[one].columns]
        if not self.as_run:
            return patterns
        folders = [self.experiment.home / one / self.experiment.id for one in PROFILES]
        paths = [folder / "runs.csv" for folder in folders]
        rows = (_header(path) for path in paths if path.exists())
        there = dict.fromkeys(column for row in rows if "scheme" in row for column in row)
        known = ("scheme", "seed", *self.values)
        return [one for one in there if one not in known] or patterns

    def has(self, metric: str) -> bool:
        """True of a metric that there is."""
        return any(fnmatchcase(metric, column) for column in self.columns)


@cache
def _names_of(experiment: str) -> _Names:
    return _Names(_experiments()[experiment])


# Reading


@dataclass
class _Common:
    """Defaults that a part of a claim inherits from it."""

    schemes: list[str]
    metric: str
    over: Side | None
    at: Place  # of a part; that of a claim is its scope

    @property
    def sides(self) -> list[Side]:
        """The claim's own side, of each of its schemes."""
        schemes = self.schemes or [""]
        return [Side(scheme, self.metric, self.at, self.over) for scheme in schemes]


class _Reader:
    """Makes claims of a document and notes what is wrong with them.

    The claims of an experiment's own file are about it.
    """

    def __init__(
        self,
        document: Document,
        own: bool,
        experiment: Experiment | None = None,
        as_run: bool = False,  # its tables have all its metrics
    ) -> None:
        self.as_run = as_run
        self.document = document
        self.own = own
        self.experiment = experiment
        self.problems: list[Problem] = []

    @property
    def paper(self) -> str:
        """The table's name, as a file below claims/."""
        if self.experiment:
            return f"experiments/{self.experiment.id}"
        return ("own/" if self.own else "") + self.document.path.stem

    def wrong(self, where: Where, text: str) -> None:
        """Notes a problem of a claim."""
        self.problems.append(self.document.problem(where, f"{where[1]}: {text}"))

    def known(self, where: Where, what: str, name: Any, allowed: Iterable[Any]) -> bool:
        """True if a name is among those allowed; if not, that is a problem."""
        allowed = list(allowed)
        if name not in allowed:
            self.wrong(self._place(where, name), str(unknown(what, name, allowed)))
        return name in allowed

    def _place(self, where: Where, name: Any) -> Where:
        """The place of a name within a claim, as a value or a key."""
        inside = (place for place in self.document.lines if place[: len(where)] == where)
        return next(
            (
                place
                for place in inside
                if place[-1] == name or self.document.texts.get(place) == text(name)
            ),
            where,
        )

    def claim(self, name: str) -> Claim:
        """A claim, checked."""
        where: Where = ("claims", name)
        raw = self.document.data["claims"][name]
        common = self._common(raw)
        claim = Claim(
            paper=self.paper,
            id=name,
            sentence=raw["sentence"],
            scope={key: tuple(listed(value)) for key, value in raw.get("at", {}).items()},
            predicates=tuple(self._predicates(where, raw, common)),
            number=self._number((*where, "number"), raw, common) if "number" in raw else None,
            metric=raw.get("metric", ""),
            scheme=common.schemes[0] if len(common.schemes) == 1 else "",
            basis=Basis(raw.get("basis", "measured")),
            must_fail=self._must_fail(raw),
            experiment=raw.get("experiment", self.experiment.id if self.experiment else ""),
            sources=tuple(listed(raw.get("source", []))),
            also=tuple(listed(raw.get("also", []))),
            kind=raw.get("kind", ""),
            cause=Cause(raw["cause"]) if "cause" in raw else None,
            silent_on=raw.get("on", ""),
            sensitivity=raw.get("sensitivity", ""),
            reason=raw.get("reason", ""),
        )
        self._check(where, claim, raw)
        return claim

    def _common(self, raw: dict[str, Any], above: _Common | None = None) -> _Common:
        at = raw.get("at", {}) if above else {}
        above = above or _Common([], "", None, {})
        return _Common(
            listed(raw["scheme"]) if "scheme" in raw else above.schemes,
            raw.get("metric", above.metric),
            _side(raw["over"]) if "over" in raw else above.over,
            at,
        )

    def _must_fail(self, raw: dict[str, Any]) -> Replacement | None:
        for scheme, by in raw.get("must_fail", {}).items():
            return Replacement(scheme, _side(by))
        return None

    def _predicates(
        self, where: Where, raw: dict[str, Any], common: _Common
    ) -> Iterator[Predicate]:
        """Yields the predicates of a sentence, one or several."""
        for i, part in enumerate(raw.get("parts", [])):
            yield from self._part((*where, "parts", i), part, self._common(part, common))
        if "parts" in raw:
            beside = (*PREDICATES, "across", "alone", "or_equal")
            for key in (key for key in beside if key in raw):
                self.wrong((*where, key), f"{key} stands beside parts; allowed: one of them")
        elif any(key in raw for key in PREDICATES):
            yield from self._part(where, raw, common)

    def _part(self, where: Where, raw: dict[str, Any], common: _Common) -> Iterator[Predicate]:
        said = {key.replace("at_least", "at_most") for key in PREDICATES if key in raw}
        if len(said) != 1:
            given = ", ".join(key for key in PREDICATES if key in raw) or "none"
            self.wrong(where, f"says {given}; allowed: one of {', '.join(PREDICATES)}, or parts")
            return
        (key,) = said
        more: dict[str, Any] = {}
        if "across" in raw:
            more["across"] = Across(raw["across"])
        if "alone" in raw:
            more["singled_out"] = tuple(raw["alone"])
        if key == "equal":
            for name in (name for name in ("across", "alone", "or_equal") if name in raw):
                self.wrong((*where, name), f"{name} says nothing of equal: it is each point anyway")
            yield from self._equal(raw["equal"], common)
        elif key == "order":
            more["or_equal"] = raw.get("or_equal", False)
            yield from self._orders(raw["order"], common, more)
        elif key == "at_most":
            limits = {"at_most": raw.get("at_most"), "at_least": raw.get("at_least")}
            yield from (Bound(side, **limits, **more) for side in common.sides)
        else:
            first, last = ({name: ends[i] for name, ends in raw[key].items()} for i in (0, 1))
            falls = {"falls": key == "falls"}
            yield from (Trend(side, first, last, **falls, **more) for side in common.sides)
        if "or_equal" in raw and key != "order":
            self.wrong((*where, "or_equal"), f"or_equal says nothing of {key}; allowed: order")

    def _orders(self, steps: list[Any], common: _Common, more: dict[str, Any]) -> Iterator[Order]:
        for own in common.sides:
            yield Order(tuple(tuple(_with(own, s) for s in listed(step)) for step in steps), **more)

    def _equal(self, sides: list[Any], common: _Common) -> Iterator[AboutEqual]:
        for own in common.sides:
            yield AboutEqual(tuple(_with(own, side) for side in sides))

    # Numbers

    def _number(self, where: Where, raw: dict[str, Any], common: _Common) -> Number | None:
        """Reads the printed number, of the claim's side or of the sides that the tree names."""
        number = raw["number"]
        given = [key for key in QUANTITIES if key in number]
        if len(given) != 1:
            words = ", ".join(given) or "none"
            self.wrong(where, f"has {words}; allowed: one of {', '.join(QUANTITIES)}")
            return None
        (key,) = given
        units: set[str] = {number["unit"]} if "unit" in number else set()
        tree = isinstance(number[key], dict)
        levels = listed(number.get("by", "scheme")) if tree else []
        if "by" in number and not tree:
            self.wrong((*where, "by"), "by names the levels of a tree, and there is none")
        own = self._common(number, common)
        entries = [
            entry
            for side in (
                own.sides if "scheme" not in levels else [Side("", own.metric, own.at, own.over)]
            )
            for entry in self._entries((*where, key), number[key], levels, side, units)
        ]
        if len(units) > 1:
            self.wrong(where, f"has the units {', '.join(sorted(units))}; allowed: one")
        unit = next(iter(units), "")
        return Number(QUANTITIES[key], tuple(entries), unit, number.get("analytic", False))

    def _entries(
        self, where: Where, tree: Any, levels: list[str], side: Side, units: set[str]
    ) -> Iterator[Entry]:
        """The numbers of a tree, each with what it is of."""
        if isinstance(tree, dict) != bool(levels):
            wanted = f"a mapping by {levels[0]}" if levels else "a number"
            self.wrong(where, f"{wanted} is wanted here: by names the levels")
            return
        if levels:
            for name, inner in tree.items():
                there = _named(side, levels[0], name)
                yield from self._entries((*where, name), inner, levels[1:], there, units)
            return
        printed = self.document.texts[where]
        found = PRINTED.fullmatch(printed)
        if not found or not _numbers(found):
            self.wrong(where, f"'{printed}' is no number; allowed: NUMBER [to NUMBER] [UNIT]")
            return
        if found["unit"]:
            units.add(found["unit"])
        yield Entry(side, found["low"], found["high"] or "")

    # Names

    def _check(self, where: Where, claim: Claim, raw: dict[str, Any]) -> None:
        """Notes names in a claim that do not exist, and a claim that says too little."""
        if self.own != bool(claim.kind) and not self.experiment:
            problem = "needs a kind" if self.own else "has a kind; allowed in claims/own alone"
            self.wrong((*where, "kind"), problem)
        if self.experiment and claim.experiment != self.experiment.id:
            problem = f"is about this file's experiment; allowed: {self.experiment.id}"
            self.wrong((*where, "experiment"), problem)
            return
        if claim.sensitivity:
            self.known((*where, "sensitivity"), "experiment", claim.sensitivity, _nameable())
        if claim.basis is Basis.NOT_TESTABLE and findings.PLACEHOLDER.search(claim.reason):
            self.wrong((*where, "reason"), "asks for numbers of what is not testable")
        judged = claim.predicates or claim.number
        if claim.basis is not Basis.NOT_TESTABLE:
            if not claim.experiment:
                self.wrong(where, "needs experiment")
            if not judged and not self.problems:
                says = ", ".join((*PREDICATES, "parts", "number"))
                self.wrong(where, f"nothing to judge by; allowed: {says}, or basis: not testable")
        if not claim.experiment:
            return
        if self.experiment:
            about = _Names(self.experiment, self.as_run)
        elif self.known((*where, "experiment"), "experiment", claim.experiment, _experiments()):
            about = _names_of(claim.experiment)
        else:
            return
        if not self.own and about.experiment.paper != self.document.data["paper"]:
            self.wrong((*where, "experiment"), f"{claim.experiment} is of another paper")
        for mistake in findings.mistakes(claim.reason, about.experiment, about.columns):
            self.wrong((*where, "reason"), f"reason: {mistake}")
        for argument, values in claim.scope.items():
            self._values((*where, "at"), about, argument, values)
        for side in claim.sides:
            self._side_names(where, about, side)
        for predicate in claim.predicates:
            self._sense(where, claim, predicate)
        self._unsaid(where, about, claim)
        if claim.must_fail:
            self._must_fail_names((*where, "must_fail"), about, claim, claim.must_fail)

    def _sense(self, where: Where, claim: Claim, predicate: Predicate) -> None:
        """Refuses what can only come out in one way, or is of no point."""
        if isinstance(predicate, Order):
            for lower, upper in pairwise(predicate.steps):
                for side in (one for one in lower if one in upper):
                    self.wrong((*where, "order"), f"{side} is compared with itself")
        elif isinstance(predicate, AboutEqual) and len(set(map(repr, predicate.sides))) == 1:
            self.wrong((*where, "equal"), f"{predicate.sides[0]} is compared with itself")
        elif isinstance(predicate, Bound):
            low, high = predicate.at_least, predicate.at_most
            if None not in (low, high) and low > high:
                self.wrong(where, f"at_least {low:g} is above at_most {high:g}")
        elif isinstance(predicate, Trend) and predicate.first == predicate.last:
            self.wrong(where, f"ends where it begins, at {shown(predicate.first)}")
        for place in claim.outside(predicate):
            self.wrong((*where, "alone"), f"no point of the scope has {shown(place)}")

    def _side_names(self, where: Where, about: _Names, side: Side) -> None:
        if not side.scheme:
            self.wrong(where, "names no scheme; allowed: " + ", ".join(about.experiment.schemes))
        else:
            self.known(where, "scheme", side.scheme, about.experiment.schemes)
        if not side.metric:
            self.wrong(where, "names no metric")
        elif not about.has(side.metric):
            self.known(where, "metric", side.metric, about.columns)
        for argument, value in side.at.items():
            self._values(where, about, argument, (value,))

    def _values(
        self, where: Where, about: _Names, argument: str, values: tuple[Scalar, ...]
    ) -> None:
        if self.known(where, "swept argument", argument, about.values):
            for value in values:
                self.known(where, f"value of {argument}", value, about.values[argument])

    def _unsaid(self, where: Where, about: _Names, claim: Claim) -> None:
        """Refuses a scope in which a point has several runs."""
        for argument in about.varied:
            if argument not in claim.scope and any(argument not in side.at for side in claim.sides):
                values = ", ".join(map(str, about.values[argument]))
                self.wrong((*where, "at"), f"at does not say {argument}; allowed: {values}")

    def _must_fail_names(
        self, where: Where, about: _Names, claim: Claim, must_fail: Replacement
    ) -> None:
        by = must_fail.by
        if by.scheme:
            self.known(where, "scheme", by.scheme, about.experiment.schemes)
        if by.metric and not about.has(by.metric):
            self.known(where, "metric", by.metric, about.columns)
        for argument, value in by.at.items():
            self._values(where, about, argument, (value,))
        there = [side.scheme for side in claim.sides]
        self.known(where, "scheme of the sentence", must_fail.scheme, there)
        if not claim.predicates:
            self.wrong(where, "must_fail is of a sentence, and this is only a number")
            return
        for trend in (one for one in claim.predicates if isinstance(one, Trend)):
            own = trend.side.scheme or claim.scheme
            for argument in (
                one for one in by.at if one in trend.first and own == must_fail.scheme
            ):
                self.wrong(where, f"{argument} is what rises or falls; allowed: another argument")
        if must_fail.scheme in there and not claim.can_be_spoiled:
            self.wrong(where, "changes nothing of the sentence; allowed: another side")


def _side(raw: str | dict[str, Any]) -> Side:
    """A side as it is written."""
    if isinstance(raw, str):
        return Side(raw)
    over = _side(raw["over"]) if "over" in raw else None
    return Side(raw.get("scheme", ""), raw.get("metric", ""), raw.get("at", {}), over)


def _with(own: Side, raw: str | dict[str, Any]) -> Side:
    """A side with what the claim says for all of its sides."""
    side = _side(raw)
    return Side(
        side.scheme or own.scheme,
        side.metric or own.metric,
        {**own.at, **side.at},
        side.over or own.over,
    )


def _named(side: Side, level: str, name: Scalar) -> Side:
    """A side with what a level of a tree names."""
    if level == "scheme":
        return Side(str(name), side.metric, side.at, side.over)
    if level == "metric":
        return Side(side.scheme, str(name), side.at, side.over)
    if level == "over":
        return Side(side.scheme, side.metric, side.at, Side(str(name)))
    return Side(side.scheme, side.metric, {**side.at, level: name}, side.over)


def _numbers(found: re.Match[str]) -> bool:
    try:
        return all(math.isfinite(float(one)) for one in (found["low"], found["high"]) if one)
    except ValueError:
        return False


# For those who write claims


def catalogue_ids(path: Path) -> list[str]:
    """The ids of a catalogue: a YAML with experiments, each with claims."""
    document = Document.read(path, read_yaml(path))
    try:
        each = (one.get("claims") or [] for one in document.data["experiments"])
        return [claim["id"] for claims in each for claim in claims]
    except (TypeError, KeyError):
        raise UserError(f"{path}: no catalogue; needs experiments with claims with ids") from None


def progress(table: ClaimTable, catalogue: list[str]) -> Iterator[str]:
    """Says, a line each, what is left to do in a table; no verdict, so that none is looked at."""
    path = show(table.document.path)
    yield f"{path}: {len(table.claims)} claims, {len(table.open)} decisions open"
    yield from (f"{path}:{one.line}: {one.id}: decide: {one.text}" for one in table.open)
    if catalogue:
        mine = {name: _entry(name, catalogue) for claim in table.claims for name in _ids(claim)}
        missing = [name for name in catalogue if name not in mine.values()]
        beyond = [name for name, entry in mine.items() if not entry]
        yield f"ids of the catalogue without a claim ({len(missing)}): {', '.join(missing)}"
        yield f"claims without an id of the catalogue ({len(beyond)}): {', '.join(beyond)}"
    testable = [claim for claim in table.claims if claim.basis is Basis.MEASURED]
    bare = [claim.id for claim in testable if claim.predicates and not claim.must_fail]
    yield f"sentences without must_fail ({len(bare)}): {', '.join(bare)}"


def _ids(claim: Claim) -> tuple[str, ...]:
    return claim.id, *claim.also


def _entry(name: str, catalogue: list[str]) -> str:
    """The catalogue's id of a claim: its own, or the longest that it continues with -WORDS."""
    fitting = [one for one in catalogue if name == one or name.startswith(f"{one}-")]
    return max(fitting, key=len, default="")


def show_progress(given: list[str], catalogue: Path | None) -> int:
    """The verb claims; `python -m reproduce.claim_tables` is the same."""
    wrong = []
    for name in given or names():
        try:
            table = load(name)
            path = catalogue
            if path and path.is_dir():
                path = path / f"{table.name}.yaml"
            ids = catalogue_ids(path) if path and not table.own else []
            print(*progress(table, ids), sep="\n")
        except UserError as error:
            wrong.append(str(error))
    if wrong:
        raise UserError("\n".join(wrong))
    return 0


if __name__ == "__main__":
    from reproduce.cli import main

    sys.exit(main(["claims", *sys.argv[1:]]))
