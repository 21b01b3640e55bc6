# SPDX-License-Identifier: GPL-2.0-only
"""Experiments: one YAML file each in experiments/, checked against experiment.schema.yaml."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from reproduce.errors import UserError, unknown
from reproduce.metrics import METRICS
from reproduce.paths import EXPERIMENTS, show

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's is ten times as fast
PROFILES = ("quick", "paper")
Scalar = str | int | float | bool
Sweep = dict[str, list[Scalar] | dict[str, Scalar]]  # argument -> values, or name -> value
PLACEHOLDER = re.compile(r"\{(\w+)\}")  # in a scheme spec: a swept argument


def substitute(spec: str, values: dict[str, Scalar]) -> str:
    """A scheme spec with the swept arguments that it names in braces filled in."""
    return PLACEHOLDER.sub(lambda found: str(values[found[1]]), spec)


@dataclass(frozen=True)
class Profile:
    """How large an experiment is run; its arguments and sweep override the experiment's."""

    seeds: int
    cost: float  # seconds one run takes, roughly
    arguments: dict[str, Scalar] = field(default_factory=dict)
    sweep: Sweep = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """One figure or table of a paper: a scenario, schemes, a sweep, and what the paper claims."""

    id: str
    paper: str
    title: str
    scenario: str
    schemes: dict[str, str | None]  # display name -> spec; None: the program takes no scheme
    metrics: list[str]
    profiles: dict[str, Profile]
    claims: list[dict[str, Any]]
    description: str = ""
    headline: bool = False
    labels: dict[str, str] = field(default_factory=dict)  # display name -> as figures write it
    arguments: dict[str, Scalar] = field(default_factory=dict)
    sweep: Sweep = field(default_factory=dict)
    plots: list[dict[str, Any]] = field(default_factory=list)
    check: dict[str, float] = field(default_factory=dict)

    @property
    def placeholders(self) -> set[str]:
        """Swept arguments that belong to scheme specs, not to the program."""
        return {name for spec in self.schemes.values() for name in PLACEHOLDER.findall(spec or "")}

    def swept(self, profile: str) -> dict[str, dict[Scalar, Scalar]]:
        """The sweep of a profile: argument -> what a value is called -> the value."""
        sweep = self.sweep | self.profiles[profile].sweep
        return {
            argument: values if isinstance(values, dict) else {value: value for value in values}
            for argument, values in sweep.items()
        }


@cache
def _validator() -> Draft202012Validator:
    schema = Path(__file__).with_name("experiment.schema.yaml")
    return Draft202012Validator(yaml.safe_load(schema.read_text()))


def _explain(error: ValidationError) -> str:
    """One line: where, what, and what is allowed."""
    where = ".".join(str(part) for part in error.absolute_path)
    at = f"{where}: " if where else ""
    if error.validator == "additionalProperties":
        allowed = error.schema["properties"]
        extra = next(key for key in error.instance if key not in allowed)
        return f"{at}unknown key '{extra}'; allowed: {', '.join(allowed)}"
    if error.validator == "enum":
        return f"{at}'{error.instance}' is not allowed; allowed: {', '.join(error.validator_value)}"
    return at + error.message


def _arguments(cell: Any) -> list[str]:
    """The swept arguments that a claim, or a part of one, names."""
    if isinstance(cell, list):
        return [name for part in cell for name in _arguments(part)]
    if not isinstance(cell, dict):
        return []
    inner = [cell[key] for key in ("over", "order") if key in cell]
    return [*cell.get("at", {}), *_arguments(inner)]


def _check_names(experiment: Experiment) -> None:
    """What a schema cannot say: names that refer to other things."""
    for name in experiment.metrics:
        if name not in METRICS:
            raise unknown("metric", name, METRICS)
    for name in experiment.labels:
        if name not in experiment.schemes:
            raise unknown("scheme in labels", name, experiment.schemes)
    swept = [set(experiment.swept(profile)) for profile in PROFILES]
    for name in experiment.placeholders:
        if not all(name in names for names in swept):
            raise unknown("swept argument in schemes", name, sorted(set.intersection(*swept)))
    known = set.union(*swept)
    for claim in experiment.claims:
        for argument in _arguments(claim):
            if argument not in known:
                raise unknown(f"swept argument in claim {claim['id']}", argument, sorted(known))
    names = [claim["id"] for claim in experiment.claims]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"claim id '{name}' appears twice")


def load_file(path: Path) -> Experiment:
    """Reads and checks one experiment."""
    return _parse(path, path.read_text())


@cache
def _parse(path: Path, text: str) -> Experiment:
    try:
        raw = yaml.load(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise UserError(f"{show(path)}: not YAML: {' '.join(str(error).split())}") from error
    if error := best_match(_validator().iter_errors(raw)):
        raise UserError(f"{show(path)}: {_explain(error)}")
    if raw["id"] != path.stem:
        raise UserError(f"{show(path)}: id '{raw['id']}' must equal the file name '{path.stem}'")
    raw["profiles"] = {name: Profile(**value) for name, value in raw["profiles"].items()}
    experiment = Experiment(**raw)
    try:
        _check_names(experiment)
    except UserError as error:
        raise UserError(f"{show(path)}: {error}") from error
    return experiment


def load_all() -> list[Experiment]:
    """Every experiment, ordered by id (numbers inside ids count as numbers)."""
    return [load_file(path) for path in sorted(EXPERIMENTS.glob("*.yaml"), key=_natural)]


def _natural(path: Path) -> tuple[str, int, str]:
    letters = path.stem.rstrip("0123456789")
    digits = path.stem[len(letters) :]
    return (letters, int(digits or 0), path.stem)


def select(ids: list[str], every: bool = False) -> list[Experiment]:
    """The named experiments; with no name the headline ones, or every one."""
    known = {experiment.id: experiment for experiment in load_all()}
    for name in ids:
        if name not in known:
            raise unknown("experiment", name, known)
    if ids:
        return [known[name] for name in dict.fromkeys(ids)]
    return [experiment for experiment in known.values() if every or experiment.headline]
