# SPDX-License-Identifier: GPL-2.0-only
"""From an experiment to its runs: one simulation each, with its folder, command and freshness."""

import hashlib
import itertools
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reproduce import build
from reproduce.errors import UserError
from reproduce.experiments import Experiment, Scalar
from reproduce.paths import RUNS


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

    @property
    def name(self) -> str:
        """The folder below runs/, which names the run everywhere."""
        swept = [_slug(f"{key}={text(value)}") for key, value in self.point]
        place = [self.experiment, self.profile, _slug(self.scheme), *swept, f"seed-{self.seed}"]
        return "/".join(place)

    @property
    def folder(self) -> Path:
        """Where its output goes."""
        return RUNS / self.name

    @property
    def command(self) -> list[str]:
        """What is executed, from within runs/."""
        program = os.path.relpath(build.program(self.scenario), RUNS)
        return [program, *self.arguments, f"--out={self.name}"]

    @property
    def key(self) -> str:
        """Equal keys give equal results: the command and the version of the code."""
        everything = [*self.command, _code_version(self.scenario)]
        return hashlib.sha256("\0".join(everything).encode()).hexdigest()[:24]

    @property
    def fresh(self) -> bool:
        """Finished, by the present code with the present arguments."""
        key = self.folder / "run.key"
        return (
            key.exists()
            and key.read_text().strip() == self.key
            and (self.folder / "run.json").exists()
        )

    def measured_seconds(self) -> float | None:
        """The wall time of an earlier run in the same folder, s."""
        try:
            return float(json.loads((self.folder / "run.json").read_text())["wall_s"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


_code_version = cache(build.code_version)


def _slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=_-]+", "-", name).strip("-")


def text(value: Scalar) -> str:
    """A YAML scalar as a command-line value."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def expand(
    experiment: Experiment,
    profile: str,
    schemes: dict[str, str] | None = None,
    seeds: int | None = None,
) -> list[Run]:
    """The runs of an experiment: schemes x sweep x seeds, the seeds of one point together."""
    size = experiment.profiles[profile]
    sweep = experiment.swept(profile)
    fixed = experiment.arguments | size.arguments
    runs = []
    for (scheme, spec), values in itertools.product(
        (experiment.schemes if schemes is None else schemes).items(),
        itertools.product(*sweep.values()),
    ):
        point = tuple(zip(sweep, values, strict=True))
        arguments = {"scheme": spec} | fixed | dict(point)
        for seed in range(1, (seeds or size.seeds) + 1):
            words = [f"--{key}={text(value)}" for key, value in arguments.items()]
            words.append(f"--RngRun={seed}")
            runs.append(
                Run(
                    experiment.id,
                    profile,
                    experiment.scenario,
                    scheme,
                    point,
                    seed,
                    tuple(words),
                    size.cost,
                )
            )
    names = {run.name for run in runs}
    if len(names) < len(runs):
        raise UserError(f"experiments/{experiment.id}.yaml: two points of the sweep look alike")
    return runs


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
