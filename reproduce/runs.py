# SPDX-License-Identifier: GPL-2.0-only
"""From an experiment to its runs: one simulation each, with its folder, command and freshness."""

import hashlib
import itertools
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reproduce import build, programs
from reproduce.errors import UserError
from reproduce.experiments import PROFILES, Experiment, load_known
from reproduce.paths import RUNS
from reproduce.specs import Scalar, Spec, text, write

Settings = frozenset[str]  # a program and its arguments but for the seed
MOST = 1_000_000  # runs of an experiment, and points


@dataclass(frozen=True)
class Run:
    """One simulation."""

    experiment: str
    profile: str
    scenario: str
    scheme: str  # display name
    point: tuple[tuple[str, Scalar], ...]  # the swept arguments
    seed: int
    arguments: tuple[str, ...]  # as the program gets them, but for --out
    cost: float  # the YAML's estimate of its duration, s
    home: str  # the folder of its point below runs/

    @property
    def name(self) -> str:
        """The folder below runs/, which names the run everywhere."""
        return f"{self.home}/seed-{self.seed}"

    @property
    def folder(self) -> Path:
        """The folder of its output."""
        return RUNS / self.name

    @property
    def command(self) -> list[str]:
        """The command line, executed from within runs/."""
        program = os.path.relpath(build.program(self.scenario), RUNS)
        return [program, *self.arguments, f"--out={self.name}"]

    @property
    def settings(self) -> Settings:
        """The program and arguments that all seeds of a point share, whatever their order."""
        return frozenset([self.scenario, *self._unseeded])

    @property
    def _unseeded(self) -> tuple[str, ...]:
        return tuple(word for word in self.arguments if not word.startswith("--RngRun="))

    @property
    def key(self) -> str:
        """Equal keys give equal results: the command and the version of the code that it uses."""
        # Experiments that share a run may give its arguments in another order.
        everything = [*sorted(self.command), _version(self.scenario, self._unseeded)]
        return hashlib.sha256("\0".join(everything).encode()).hexdigest()[:24]

    @property
    def fresh(self) -> bool:
        """Finished, by the present code with the present arguments, and not damaged since."""
        return self._finished and not self.damage

    @property
    def _finished(self) -> bool:
        """True if the present code did it, with the present arguments."""
        try:
            with (self.folder / "run.key").open("rb") as file:
                return file.readline().strip() == self.key.encode()
        except FileNotFoundError:  # not finished, or just being run again
            return False

    @property
    def damage(self) -> str:
        """The first fault in the files of a finished run; empty for one that is not finished."""
        path = self.folder / "run.key"
        try:
            return _damage(path, path.stat().st_mtime_ns) if self._finished else ""
        except FileNotFoundError:  # it is just being run again
            return ""

    def measured_seconds(self) -> float | None:
        """The wall time of an earlier run in the same folder, s."""
        try:
            return float(json.loads((self.folder / "run.json").read_text())["wall_s"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


@cache
def _damage(path: Path, written: int) -> str:
    """The first file of a finished run that is not as its run.key has it.

    Looked for once for each time that run.key was written.
    """
    lines = path.read_bytes().decode(errors="replace").splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ./") for line in lines[1:])}
    if "run.json" not in sums or "" in sums:
        return "run.key is cut"
    for name, digest in sums.items():
        file = path.parent / name
        if not file.is_file():
            return f"{name} is missing"
        with file.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != digest:
                return f"{name} was changed"
    return ""


_version = cache(programs.version)


def forget() -> None:
    """Lets versions be found anew, after a build within one process."""
    _version.cache_clear()


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=_-]+", "-", name).strip("-")


@dataclass(frozen=True)
class _Point:
    """A scheme at one combination of the swept arguments."""

    scheme: str
    values: tuple[tuple[str, Scalar], ...]
    arguments: tuple[str, ...]
    home: str
    settings: Settings


def _points(experiment: Experiment, profile: str, schemes: dict[str, Spec | None]) -> list[_Point]:
    """Schemes x sweep; `home` is where an experiment that shares nothing would put them."""
    sweep = experiment.swept(profile)
    if (count := math.prod([len(schemes), *map(len, sweep.values())])) > MOST:
        raise UserError(f"{experiment.id}: {count:,} points; allowed: {MOST:,}")
    points = []
    for scheme, swept in _places(experiment, sweep, schemes):
        meant = {key: sweep[key][value] for key, value in swept.items()}
        options = experiment.options(profile, schemes[scheme], meant)
        words = tuple(f"--{key}={write(value)}" for key, value in options.items())
        names = [_slug(f"{key}={text(value)}") for key, value in swept.items()]
        home = "/".join([experiment.id, profile, _slug(scheme), *names])
        settings = frozenset([experiment.scenario, *words])
        points.append(_Point(scheme, tuple(swept.items()), words, home, settings))
    if len({point.home for point in points}) < len(points):
        raise UserError(f"experiments/{experiment.id}.yaml: two points of the sweep look alike")
    return points


def _places(
    experiment: Experiment, sweep: dict[str, dict[Scalar, Spec]], schemes: Iterable[str]
) -> Iterator[tuple[str, dict[str, Scalar]]]:
    """Schemes x sweep, without what is given instead of run."""
    for scheme, *values in itertools.product(schemes, *sweep.values()):
        swept = dict(zip(sweep, values, strict=True))
        if not experiment.is_given(swept):
            yield scheme, swept


def rows(experiment: Experiment, profile: str) -> Iterator[dict[str, Scalar]]:
    """The names of an experiment's runs in its tables: scheme, swept arguments, seed."""
    seeds = range(1, experiment.profiles[profile].seeds + 1)
    for scheme, swept in _places(experiment, experiment.swept(profile), experiment.schemes):
        yield from ({"scheme": scheme} | swept | {"seed": seed} for seed in seeds)


@cache
def _homes() -> dict[Settings, str]:
    """The folder of the runs with given settings: that of the first experiment that has them.

    So what several figures show is simulated once.
    """
    homes: dict[Settings, str] = {}
    for experiment, profile in itertools.product(load_known(), PROFILES):
        for point in _points(experiment, profile, experiment.schemes):
            homes.setdefault(point.settings, point.home)
    return homes


def shared_home(settings: Settings) -> str | None:
    """The folder of the runs that an experiment has with these settings."""
    return _homes().get(settings)


def expand(
    experiment: Experiment,
    profile: str,
    schemes: dict[str, Spec | None] | None = None,
    seeds: int | None = None,
) -> list[Run]:
    """The runs of an experiment: schemes x sweep x seeds, the seeds of one point together."""
    points = _points(experiment, profile, schemes or experiment.schemes)
    size = experiment.profiles[profile]
    seeds = seeds or size.seeds
    if (count := len(points) * seeds) > MOST:
        raise UserError(f"{experiment.id}: {count:,} runs; allowed: {MOST:,}")
    return [
        Run(
            experiment.id,
            profile,
            experiment.scenario,
            point.scheme,
            point.values,
            seed,
            (*point.arguments, f"--RngRun={seed}"),
            size.cost,
            shared_home(point.settings) or point.home,
        )
        for point in points
        for seed in range(1, seeds + 1)
    ]


def estimates(runs: list[Run]) -> dict[str, float]:
    """Seconds each run will take: as it took before, else as its like took, else the YAML's."""
    measured = {run.name: run.measured_seconds() for run in runs}
    alike: dict[tuple[str, str, str], list[float]] = {}
    for run in runs:
        if seconds := measured[run.name]:
            alike.setdefault((run.experiment, run.profile, run.scheme), []).append(seconds)

    def estimate(run: Run) -> float:
        like = alike.get((run.experiment, run.profile, run.scheme))
        return measured[run.name] or (sum(like) / len(like) if like else run.cost)

    return {run.name: estimate(run) for run in runs}
