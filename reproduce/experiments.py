# SPDX-License-Identifier: GPL-2.0-only
"""Experiments: one YAML file each in experiments/, checked as a whole when it is read.

A user's own are in scratch/experiments/. Their results are with those that are not shipped.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from reproduce import specs, validation
from reproduce.document import Document, refuse
from reproduce.errors import UserError, unknown
from reproduce.files import read_yaml
from reproduce.paths import EXPERIMENTS, MINE, OWN_EXPERIMENTS, RESULTS, show
from reproduce.specs import Attributes, Presets, Scalar, Spec

PROFILES = ("quick", "paper")
PRESETS = "presets.yaml"  # beside the shipped experiments: presets for all
Sweep = dict[str, list[Scalar] | dict[str, Spec]]  # argument -> values, or name -> value


@dataclass(frozen=True)
class Profile:
    """The size at which an experiment is run; its arguments and sweep override the experiment's."""

    seeds: int
    cost: float  # seconds one run takes, roughly
    arguments: Attributes = field(default_factory=dict)
    sweep: Sweep = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """One figure or table of a paper: a scenario, schemes, a sweep, and what the paper claims."""

    id: str
    paper: str
    title: str
    scenario: str
    schemes: dict[str, Spec | None]  # display name -> spec; None: the program takes no scheme
    metrics: list[str]
    profiles: dict[str, Profile]
    description: str = ""
    findings: str = ""  # what it shows, with {{...}} for numbers of its tables (findings.py)
    claims: dict[str, Any] = field(default_factory=dict)  # its own: id -> claim (claim_tables.py)
    headline: bool = False
    random: bool = True  # false: seeds cannot differ
    labels: dict[str, str] = field(default_factory=dict)  # display name -> as figures write it
    arguments: Attributes = field(default_factory=dict)
    sweep: Sweep = field(default_factory=dict)
    given: dict[str, list[Scalar]] = field(default_factory=dict)  # swept values not run: given.py
    presets: Presets = field(default_factory=dict)  # its own and those for all
    plots: list[dict[str, Any]] = field(default_factory=list)
    uncompared: list[str] = field(default_factory=list)  # columns that check leaves out
    document: Document = field(default_factory=lambda: Document(EXPERIMENTS), compare=False)

    @property
    def own(self) -> bool:
        """True of a user's own."""
        return self.document.path.parent == OWN_EXPERIMENTS

    @property
    def home(self) -> Path:
        """The folder of its results, run as its file says."""
        return MINE if self.own else RESULTS

    @cached_property
    def placeholders(self) -> set[str]:
        """Swept arguments that stand within specs and other arguments: no options themselves."""
        return self._named(*self.schemes.values()) | self._in_arguments | set(self.given)

    @cached_property
    def _in_arguments(self) -> set[str]:
        profiles = self.profiles.values()
        return self._named(self.arguments, *(profile.arguments for profile in profiles))

    def _named(self, *trees: Any) -> set[str]:
        return {name for tree in trees for name in specs.placeholders(tree, self.presets)}

    def is_reference(self, scheme: str, argument: str) -> bool:
        """True of a scheme that is the same for every value of a swept argument, unlike others."""
        used = self._named(self.schemes.get(scheme)) | self._in_arguments | set(self.given)
        return argument in self.placeholders - used

    def swept(self, profile: str) -> dict[str, dict[Scalar, Spec]]:
        """The sweep of a profile: argument -> what a value is called -> the value."""
        sweep = self.sweep | self.profiles[profile].sweep
        return {
            argument: values if isinstance(values, dict) else {value: value for value in values}
            for argument, values in sweep.items()
        }

    def is_given(self, point: dict[str, Scalar]) -> bool:
        """True if a point of the sweep is not run: its rows are those of a file."""
        return any(point.get(name) in values for name, values in self.given.items())

    def options(self, profile: str, spec: Spec | None, values: dict[str, Spec]) -> dict[str, Spec]:
        """The options of a run, but for its seed: name -> value, without presets, placeholders."""
        context = specs.Context(self.presets, values)
        chosen = {} if spec is None else {"scheme": context.spec(spec)}
        fixed = context.attributes(self.arguments)
        sized = context.attributes(self.profiles[profile].arguments)
        own = {name: value for name, value in values.items() if name not in self.placeholders}
        return chosen | specs.merged(fixed, sized) | own


def load_file(path: Path) -> Experiment:
    """Reads and checks one experiment."""
    shared = _shared_presets(path)
    return _parse(path, read_yaml(path), read_yaml(shared) if shared.exists() else "")


def _shared_presets(path: Path) -> Path:
    """The file of presets for all: a user's own experiments have those that are shipped."""
    return (EXPERIMENTS if path.parent == OWN_EXPERIMENTS else path.parent) / PRESETS


@cache
def _presets(path: Path, text: str) -> Presets:
    document = Document.read(path, text)
    refuse(document.problems or validation.form_problems(document, "presets"))
    return document.data or {}


@cache
def _parse(path: Path, text: str, shared: str) -> Experiment:
    document = Document.read(path, text)
    refuse(document.problems or validation.form_problems(document))
    raw = dict(document.data)
    raw["profiles"] = {name: Profile(**value) for name, value in raw["profiles"].items()}
    raw["presets"] = _presets(_shared_presets(path), shared) | raw.get("presets", {})
    experiment = Experiment(**raw, document=document)
    refuse(validation.name_problems(experiment))
    return experiment


def load_all() -> list[Experiment]:
    """The shipped ones, ordered by id (numbers inside ids count as numbers).

    One that is not right is told, and stops no other.
    """
    return _good(_paths(EXPERIMENTS), load_file)


def load_own() -> list[Experiment]:
    """The user's own, likewise."""
    return _good(_paths(OWN_EXPERIMENTS), _load_own_file)


def load_known() -> list[Experiment]:
    """The shipped ones, then the user's own."""
    return [*load_all(), *load_own()]


def _paths(folder: Path) -> list[Path]:
    paths = (path for path in folder.glob("*.yaml") if path.name != PRESETS)
    return sorted(paths, key=_natural)


def _good(paths: list[Path], load: Callable[[Path], Experiment]) -> list[Experiment]:
    found = []
    for path in paths:
        try:
            found.append(load(path))
        except UserError as error:
            leave_out(path, str(error))
    return found


@cache
def leave_out(path: Path, why: str) -> None:
    """Tells once why a file is passed over."""
    print(f"{show(path)} is left out: {why}", file=sys.stderr)


@cache
def left_out() -> set[str]:
    """The ids of shipped experiments that are not right."""
    return {path.stem for path in _paths(EXPERIMENTS)} - {one.id for one in load_all()}


def _load_own_file(path: Path) -> Experiment:
    if (shipped := EXPERIMENTS / path.name).exists():
        raise UserError(f"{show(path)}: {show(shipped)} has that name; allowed: another")
    return load_file(path)


def _natural(path: Path) -> list[str | int]:
    """Names in order, numbers in names by their value."""
    parts = re.split(r"(\d+)", path.stem)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]


def select(ids: list[str], every: bool = False) -> list[Experiment]:
    """The named experiments; with no name the shipped headline ones, or every shipped one.

    A name may be the path of the file, as the shell completes it. What is wrong with one is told.
    """
    if not ids:
        shipped = [load_file(path) for path in _paths(EXPERIMENTS)]
        return [experiment for experiment in shipped if every or experiment.headline]
    paths = {path.stem: path for path in (*_paths(OWN_EXPERIMENTS), *_paths(EXPERIMENTS))}
    found = []
    for name in dict.fromkeys(Path(n).stem if n.endswith(".yaml") else n for n in ids):
        if name not in paths:
            raise unknown("experiment", name, paths)
        own = OWN_EXPERIMENTS / f"{name}.yaml"
        found.append(_load_own_file(own) if own.exists() else load_file(paths[name]))
    return found
