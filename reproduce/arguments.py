# SPDX-License-Identifier: GPL-2.0-only
"""Whether a program can take what an experiment gives it: options, objects, attributes, values.

What there is, the program says itself (programs.py). Presets are looked at where they are named.
Texts with a grammar of their own, such as timelines, only the program reads (rehearsal.py).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from reproduce import specs
from reproduce.document import Problem, Where
from reproduce.errors import unknown
from reproduce.programs import Description, Form
from reproduce.specs import PLACEHOLDER, PRESET, Attributes, Spec, listed

if TYPE_CHECKING:
    from reproduce.experiments import Experiment

OWN = ("scheme", "out", "RngRun")  # what every run is given

# Units as ns-3 knows them; what a time of 1 is in seconds.
TIMES = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
TIMES |= {"min": 60, "h": 3600, "d": 86400, "y": 365 * 86400}
QUANTITY = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([A-Za-z/]*)")
RATE = re.compile(r"[kKMG]?(?:bps|b/s|Bps|B/s)|[KMG]i[bB]/s")
LENGTHS = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "Ki": 2**10, "Mi": 2**20}  # of bytes or packets
FREE = ("text", "timeline")  # what only the program can read
TRUTH = ("true", "false", "t", "f", "1", "0")


def problems(experiment: Experiment, description: Description) -> list[Problem]:
    """What the program of an experiment would refuse."""
    return list(dict.fromkeys(_Check(experiment, description).all()))


def scheme_problems(experiment: Experiment, description: Description, scheme: str) -> list[str]:
    """What the program would refuse of a scheme that is not in the experiment's file."""
    found = _Check(experiment, description).value(
        _Place(()), "scheme", scheme, description.options["scheme"]
    )
    return [problem.text for problem in found]


@dataclass(frozen=True)
class _Place:
    """Where something stands in the file, and by way of which preset."""

    where: Where
    preset: str = ""

    def inside(self, key: str | int) -> _Place:
        return self if self.preset else _Place((*self.where, key))


class _Check:
    def __init__(self, experiment: Experiment, description: Description) -> None:
        self.experiment = experiment
        self.description = description
        self.values: dict[str, list[Spec]] = {}
        for profile in experiment.profiles:
            for name, values in experiment.swept(profile).items():
                self.values.setdefault(name, []).extend(values.values())

    def wrong(self, place: _Place, text: str) -> Problem:
        within = f"preset {place.preset}: " if place.preset else ""
        return self.experiment.document.problem(place.where, within + text)

    def all(self) -> Iterator[Problem]:
        """Everything that reaches the program."""
        experiment = self.experiment
        yield from self.options(_Place(("arguments",)), experiment.arguments)
        for name, profile in experiment.profiles.items():
            where = ("profiles", name, "arguments")
            yield from self.options(_Place(where), profile.arguments)
            yield from self.sweep(("profiles", name, "sweep"), profile.sweep)
        yield from self.sweep(("sweep",), experiment.sweep)
        form = self.description.options.get("scheme")
        for scheme, spec in experiment.schemes.items():
            place = _Place(("schemes", scheme))
            if spec is not None and form is None:
                yield self.wrong(place, f"{experiment.scenario} takes no scheme; allowed: null")
            elif spec is not None:
                yield from self.value(place, "scheme", spec, form)

    def sweep(self, where: Where, sweep: dict[str, Any]) -> Iterator[Problem]:
        """The values of swept arguments that are options."""
        for name in (name for name in sweep if name not in self.experiment.placeholders):
            values = sweep[name] if isinstance(sweep[name], dict) else enumerate(sweep[name])
            for key, value in dict(values).items():
                yield from self.option(_Place((*where, name, key)), name, value)

    def options(self, place: _Place, options: Attributes) -> Iterator[Problem]:
        """Options with their values."""
        for inside, name, value in self.settings(place, options):
            yield from self.option(inside, name, value)

    def option(self, place: _Place, name: str, value: Spec) -> Iterator[Problem]:
        """An option: the program's own, one of ns-3's, or the default of an attribute."""
        cls, _, attribute = name.rpartition("::")
        known = self.description.options | self.description.globals
        if cls and cls not in self.description.classes:
            yield self.wrong(place, str(unknown("class", cls, self.description.classes)))
        elif cls:
            yield from self.attribute(place, attribute, value, cls, cls)
        elif name in OWN:
            yield self.wrong(place, f"'{name}' is not an argument: each run has its own")
        elif name not in known:
            allowed = (option for option in self.description.options if option not in OWN)
            yield self.wrong(place, str(unknown("argument", name, allowed)))
        else:
            yield from self.value(place, name, value, known[name])

    def attributes(
        self, place: _Place, attributes: Attributes, cls: str, owner: str
    ) -> Iterator[Problem]:
        """The attributes of an object."""
        for inside, name, value in self.settings(place, attributes):
            yield from self.attribute(inside, name, value, cls, owner)

    def attribute(
        self, place: _Place, name: str, value: Spec, cls: str, owner: str
    ) -> Iterator[Problem]:
        """One attribute of an object."""
        known = self.description.attributes(cls)
        if name in known:
            yield from self.value(place, name, value, known[name])
        else:
            yield self.wrong(place, str(unknown(f"attribute of {owner}", name, sorted(known))))

    def settings(self, place: _Place, settings: Attributes) -> Iterator[tuple[_Place, str, Spec]]:
        """Attributes or options with their places, those of presets at the name of the preset."""
        for name, value in settings.items():
            if name != PRESET:
                yield place.inside(name), name, value
                continue
            at = place.inside(name).where
            for preset in (text for one in listed(value) for text in self.filled(one)):
                yield from self.settings(_Place(at, preset), self.experiment.presets[preset])

    def filled(self, value: str) -> Iterable[Spec]:
        """What a text with placeholders can become."""
        names = list(dict.fromkeys(PLACEHOLDER.findall(value)))
        for values in itertools.product(*(self.values[name] for name in names)):
            given = dict(zip(names, values, strict=True))
            yield specs.Context(self.experiment.presets, given).fill(value)

    def value(self, place: _Place, name: str, value: Spec, form: Form) -> Iterator[Problem]:
        """The value of an option or attribute."""
        if isinstance(value, str) and PLACEHOLDER.search(value):
            for filled in self.filled(value):
                yield from self.value(place, name, filled, form)
        elif isinstance(value, list) and form.get("several"):
            for i, one in enumerate(value):
                yield from self.value(place.inside(i), name, one, form)
        elif form["kind"] == "spec" and not isinstance(value, list):
            for one in specs.several(value) if form.get("several") else [value]:
                yield from self.spec(place, name, one, form)
        elif isinstance(value, dict | list):
            if form["kind"] not in FREE:
                what = "mapping" if isinstance(value, dict) else "list"
                text = f"{name}: a {what} is not allowed; allowed: {form['allowed']}"
                yield self.wrong(place, text)
        elif form["kind"] == "class":
            if not self.description.derived(specs.text(value), form["base"]):
                known = self.description.classes
                classes = [one for one in known if self.description.derived(one, form["base"])]
                yield self.wrong(place, str(unknown(name, value, classes)))
        elif not _fits(specs.text(value), form):
            text = f"{name}: '{specs.text(value)}' is not allowed; allowed: {form['allowed']}"
            yield self.wrong(place, text)

    def spec(self, place: _Place, name: str, spec: Spec, form: Form) -> Iterator[Problem]:
        """An object, by its name and attributes."""
        kind, settings = specs.named(spec)
        if form.get("several"):  # each may have a name of its own: web=lean
            kind = kind.rpartition("=")[2]
        if not kind and not settings and form["default"] == "":
            return
        known = self.description.names.get(form["base"], {})
        meant = next((one for one in known if fnmatchcase(kind, one)), None)  # one may be *.csv
        if meant is None:
            yield self.wrong(place, str(unknown(name, kind, known)))
        else:
            inside = place.inside(next(iter(spec))) if isinstance(spec, dict) else place
            yield from self.attributes(inside, settings, known[meant]["class"], kind)


def _fits(text: str, form: Form) -> bool:
    """Whether a value is of its kind and within its bounds; of kinds unknown here it is."""
    kind = form["kind"]
    if kind == "bool":
        return text in TRUTH
    if kind == "choice":
        return text in form["choices"]
    if kind not in ("integer", "number", "time", "rate", "length", "size"):
        return True
    if kind == "size":  # of a queue
        kinds: tuple[Form, ...] = ({"kind": "length"}, {"kind": "time", "least": 0})
        return text == "never" or any(_fits(text, each) for each in kinds)
    quantity = QUANTITY.fullmatch(text)
    if not quantity:
        return False
    number, unit = quantity.groups()
    if kind == "rate":
        return RATE.fullmatch(unit) is not None
    if kind == "length":
        factor = LENGTHS.get(unit[:-1], 0) if unit[-1:] in ("B", "p") else 0
        return factor > 0 and 0 <= float(number) * factor < 2**32
    if kind == "time":
        return unit in TIMES and _within(float(number) * TIMES[unit], form)
    whole = kind == "number" or re.fullmatch(r"[-+]?\d+", number) is not None
    return not unit and whole and _within(float(number), form)


def _within(value: float, form: Form) -> bool:
    slack = 1e-9 * abs(value)  # units are not exact
    return form.get("least", value) - slack <= value <= form.get("most", value) + slack
