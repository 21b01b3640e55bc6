# SPDX-License-Identifier: GPL-2.0-only
"""Finds mistakes in an experiment's file, each with its line, before anything runs.

First the file's form (experiment.schema.yaml), then the names in it that refer to other things:
presets, swept arguments, metrics and their columns, curves, schemes in plots.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from reproduce import build, papers, specs
from reproduce.curves import CURVES
from reproduce.document import Document, Problem, Where
from reproduce.errors import unknown
from reproduce.metrics import ANYTHING, METRICS
from reproduce.specs import PLACEHOLDER, PRESET, listed

if TYPE_CHECKING:
    from reproduce.experiments import Experiment

papers.load()


# ---- The form: what a schema can say ----


@cache
def _validator(file: str, part: str) -> Draft202012Validator:
    path = Path(__file__).with_name(f"{file}.schema.yaml")
    schema = Document.read(path, path.read_text()).data
    return Draft202012Validator(schema["$defs"][part] | {"$defs": schema["$defs"]})


def form_problems(
    document: Document, part: str = "experiment", file: str = "experiment", place: Where = ()
) -> list[Problem]:
    """The mistakes that a part of a schema finds in a document, or at a place in it."""
    data = document.data
    for key in place:
        data = data[key]
    found = (
        ((*place, *where), text)
        for error in _validator(file, part).iter_errors(data)
        for where, text in _explain(best_match([error]))
    )
    return [
        document.problem(where, ".".join(map(str, where)) + (": " if where else "") + text)
        for where, text in found
    ]


def _explain(error: ValidationError) -> Iterator[tuple[Where, str]]:
    """Explains a mistake: place, fault, allowed values."""
    where = tuple(error.absolute_path)
    value = error.instance
    if error.validator == "additionalProperties" and "properties" in error.schema:
        allowed = error.schema["properties"]
        for key in (key for key in value if key not in allowed):
            yield (*where, key), f"unknown key; allowed: {', '.join(allowed)}"
    elif error.validator == "required":
        missing = [key for key in error.validator_value if key not in value]
        yield where, f"needs {' and '.join(missing)}"
    elif error.validator == "dependentRequired":
        for key, needed in error.validator_value.items():
            if key in value and not all(name in value for name in needed):
                yield (*where, key), f"needs {' and '.join(needed)}"
    elif error.validator == "enum":
        allowed = (str(name) for name in error.validator_value)
        yield where, f"'{value}' is not allowed; allowed: {', '.join(allowed)}"
    elif error.validator == "pattern":
        yield where, f"'{value}' is not allowed; allowed: what {error.validator_value} describes"
    elif error.validator == "maxProperties":
        yield where, f"names {len(value)} things: {', '.join(map(str, value))}; allowed: one"
    elif error.validator == "type":
        yield where, f"{_shown(value)} is not allowed; allowed: {_types(error.validator_value)}"
    elif error.validator == "anyOf":
        inside = [one for one in error.context if one.validator not in ("type", "const")]
        if inside and isinstance(value, dict | list):
            yield from _explain(best_match(inside))
        else:
            kinds = [one.get("type") for one in error.validator_value if "type" in one]
            allowed = f"; allowed: {', '.join(map(_types, kinds))}" if kinds else ""
            yield where, f"{_shown(value)} is not allowed{allowed}"
    elif error.validator in ("minItems", "maxItems"):
        least = error.validator == "minItems"
        limit = f"{'at least' if least else 'at most'} {error.validator_value}"
        yield where, f"has {len(value)} items; allowed: {limit}"
    else:
        yield where, error.message


TYPES = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}


def _types(names: str | list[str]) -> str:
    return ", ".join(TYPES[name] for name in listed(names))


def _shown(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, dict | list):
        return f"a {'mapping' if isinstance(value, dict) else 'list'}"
    return "nothing" if value is None else f"'{specs.text(value)}'"


# ---- Names: what a schema cannot say ----


OWN = ("scheme", "out", "RngRun")


def name_problems(experiment: Experiment, table: Iterable[str] = ()) -> list[Problem]:
    """Names that refer to nothing; with the columns of its table also columns that are not there.

    A metric may say that it gives any column, as `results` does: what a program reports.
    """
    names = _Names(experiment, set(table))
    names.check()
    return names.problems


class _Names:
    """Looks up every name in an experiment."""

    def __init__(self, experiment: Experiment, table: set[str]) -> None:
        self.experiment = experiment
        self.table = table
        self.document = experiment.document
        self.problems: list[Problem] = []
        sweeps = [experiment.swept(profile) for profile in experiment.profiles]
        # A value counts if any profile has it; an argument that all schemes need is in each.
        self.values = {
            name: {value for sweep in sweeps for value in sweep.get(name, {})}
            for name in dict.fromkeys(name for sweep in sweeps for name in sweep)
        }
        self.always = [name for name in self.values if all(name in sweep for sweep in sweeps)]

    def wrong(self, where: Where, text: str) -> None:
        """Notes a problem."""
        self.problems.append(self.document.problem(where, text))

    def known(self, where: Where, what: str, name: Any, allowed: Iterable[Any]) -> bool:
        """True if a name is among those allowed; if not, that is a problem."""
        allowed = list(allowed)
        if name not in allowed:
            self.wrong(where, str(unknown(what, name, allowed)))
        return name in allowed

    def unique(self, where: Where, what: str, items: list[Any], key: str = "") -> None:
        """Each item, or what it has at a key, stands once in a list."""
        seen: dict[Any, int] = {}
        for i, item in enumerate(items):
            name = item[key] if key else item
            place = (*where, i, key) if key else (*where, i)
            if name in seen:
                line = self.document.line((*where, seen[name]))
                self.wrong(place, f"{what} '{name}' stands twice, first in line {line}")
            seen.setdefault(name, i)

    def check(self) -> None:
        """Looks at everything."""
        experiment = self.experiment
        if experiment.id != self.document.path.stem:
            stem = self.document.path.stem
            self.wrong(("id",), f"id '{experiment.id}' must equal the file name '{stem}'")
        self.known(("scenario",), "scenario", experiment.scenario, build.scenarios())
        for scheme, spec in experiment.schemes.items():
            self.tree(("schemes", scheme), spec)
        self.options(("arguments",), experiment.arguments)
        self.options(("sweep",), experiment.sweep)
        for name, profile in experiment.profiles.items():
            self.options(("profiles", name, "arguments"), profile.arguments)
            self.options(("profiles", name, "sweep"), profile.sweep)
        for name, values in experiment.given.items():
            if self.known(("given", name), "swept argument", name, self.always):
                for i, value in enumerate(values):
                    what = f"value of {name}"
                    self.known(("given", name, i), what, value, sorted(self.values[name], key=str))
        for name in experiment.labels:
            self.known(("labels", name), "scheme", name, experiment.schemes)
        self.unique(("metrics",), "metric", experiment.metrics)
        for i, name in enumerate(experiment.metrics):
            self.known(("metrics", i), "metric", name, METRICS)
        for i, name in enumerate(experiment.uncompared):
            self.column(("uncompared", i), name)
        self.unique(("plots",), "plot", experiment.plots, "name")
        for i, plot in enumerate(experiment.plots):
            self.plot(("plots", i), plot)

    def options(self, where: Where, options: dict[str, Any]) -> None:
        """Options for all runs; what every run has of its own is not among them."""
        for name in (name for name in options if name in OWN):
            self.wrong((*where, name), f"'{name}' is not an argument: each run has its own")
        self.tree(where, options)

    def tree(self, where: Where, tree: Any) -> None:
        """The presets and placeholders of a spec or of arguments."""
        if isinstance(tree, str):
            for name in PLACEHOLDER.findall(tree):
                self.known(where, "swept argument", name, self.always)
        for i, one in enumerate(tree) if isinstance(tree, list) else ():
            self.tree((*where, i), one)
        for name, value in tree.items() if isinstance(tree, dict) else ():
            if name == PRESET:
                self.presets((*where, name), value)
            else:
                self.tree((*where, name), value)

    def presets(self, where: Where, value: Any) -> None:
        """The presets that are named in one place, and the placeholders in these."""
        presets = self.experiment.presets
        for template in listed(value):
            used = list(dict.fromkeys(PLACEHOLDER.findall(template)))
            if not all(self.known(where, "swept argument", name, self.always) for name in used):
                continue
            for values in itertools.product(*(self.values[name] for name in used)):
                texts = dict(zip(used, map(specs.text, values), strict=True))
                name = PLACEHOLDER.sub(lambda found, texts=texts: texts[found[1]], template)
                if self.known(where, "preset", name, presets):
                    for argument in specs.placeholders(presets[name], presets):
                        what = f"swept argument in preset {name}"
                        self.known(where, what, argument, self.always)
                    self.nested(where, name, presets[name], (name,))

    def nested(self, where: Where, preset: str, tree: Any, within: tuple[str, ...]) -> None:
        """The presets that a preset names in its turn."""
        for one in tree if isinstance(tree, list) else ():
            self.nested(where, preset, one, within)
        for key, value in tree.items() if isinstance(tree, dict) else ():
            if key != PRESET:
                self.nested(where, preset, value, within)
                continue
            for template in listed(value):
                meant = specs.matching(template, self.experiment.presets)
                if not meant:
                    self.known(
                        where, f"preset in preset {preset}", template, self.experiment.presets
                    )
                for name in (name for name in meant if name not in within):
                    inner = self.experiment.presets[name]
                    self.nested(where, name, inner, (*within, name))

    def column(self, where: Where, name: str) -> None:
        """A column of the table: one that a metric of the experiment gives."""
        metrics = [METRICS[metric] for metric in self.experiment.metrics if metric in METRICS]
        columns = [column for metric in metrics for column in metric.columns]
        if self.table:
            columns = [column for column in columns if column != ANYTHING] + sorted(self.table)
        if not any(fnmatchcase(name, column) for column in columns):
            self.wrong(where, str(unknown("column", name, columns)))

    def at(self, where: Where, at: dict[str, Any], arguments: Iterable[str]) -> None:
        """Checks the swept arguments and values at which something is plotted."""
        for argument, value in at.items():
            if self.known((*where, argument), "swept argument", argument, arguments):
                what = f"value of {argument}"
                self.known((*where, argument), what, value, sorted(self.values[argument], key=str))

    def plot(self, where: Where, plot: dict[str, Any]) -> None:
        """Checks the names that a plot refers to."""
        for key in ("x", "series"):
            if key in plot:
                self.known((*where, key), "swept argument", plot[key], self.always)
        names = (v for v in self.values.get(plot.get("x"), ()) if not isinstance(v, int | float))
        if name := next(names, None):
            self.wrong((*where, "x"), f"'{name}' is a value of {plot['x']}; allowed: numbers")
        if "y" in plot:
            self.column((*where, "y"), plot["y"])
        if "over" in plot:
            self.known((*where, "over"), "scheme", plot["over"], self.experiment.schemes)
        if "curve" in plot:
            self.known((*where, "curve"), "curve", plot["curve"], CURVES)
        self.at((*where, "at"), plot.get("at", {}), self.always)
        for i, mark in enumerate(plot.get("paper", [])):
            self.mark((*where, "paper", i), mark)
        for i, bar in enumerate(plot.get("bars", [])):
            for key in ("metric", "mark"):
                if key in bar:
                    self.column((*where, "bars", i, key), bar[key])
            self.at((*where, "bars", i, "at"), bar.get("at", {}), self.always)

    def mark(self, where: Where, mark: dict[str, Any]) -> None:
        """Checks the side that a printed number in a plot is of."""
        for key in (key for key in ("scheme", "over") if key in mark):
            self.known((*where, key), "scheme", mark[key], self.experiment.schemes)
        self.column((*where, "metric"), mark["metric"])
        self.at((*where, "at"), mark.get("at", {}), self.values)
