# SPDX-License-Identifier: GPL-2.0-only
"""Simulations from a script or a notebook, with tables as pandas DataFrames.

    from reproduce import sim, sweep

    run = sim("fct", scheme="afq", load=0.7)
    run.results["fct_p99_ns_all"], run.flows["slowdown"].median()

    runs = sweep("fct", scheme=["afq", {"tcp": {"EdgeBuffer": "300kB"}}], load=[0.3, 0.7], seeds=3)
    runs.results.groupby(["scheme", "load"])["fct_mean_ns_all"].mean()

What is finished is found again and not simulated twice, whether it was begun here or by ./repro
run: until the program, a library that it uses, or an argument changes.
"""

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from reproduce import build, engine, programs, rehearsal, runs
from reproduce.errors import UserError
from reproduce.metrics import RunOutput, results
from reproduce.runs import Run
from reproduce.specs import Spec, short, write

FOLDER = "api"  # below runs/
NOT_ARGUMENTS = {
    "RngRun": "say seed or seeds",
    "out": "each run has a folder of its own",
    "from": "give the options of its input, as in sim(NAME, **input)",
}


class Finished:
    """A finished simulation."""

    def __init__(self, run: Run) -> None:
        self.arguments: dict[str, Any] = dict(run.point)
        self.seed: int = run.seed
        self.folder: Path = run.folder
        self._output = RunOutput(run.folder)

    @property
    def manifest(self) -> dict[str, Any]:
        """run.json: what was said, settings, results, versions, commit."""
        return self._output.manifest

    @property
    def results(self) -> dict[str, float]:
        """The totals that the program reports, and completion times by size class."""
        return results(self._output)

    def table(self, name: str) -> pd.DataFrame:
        """A CSV file that the run wrote, by its name without .csv."""
        return self._output.table(name)

    @cached_property
    def flows(self) -> pd.DataFrame:
        """Size, start and completion time of each flow (flows.csv)."""
        return self.table("flows")

    def __repr__(self) -> str:
        words = [*(f"{key}={value}" for key, value in self.arguments.items()), f"seed={self.seed}"]
        return f"<run {' '.join(words)}>"


class Sweep:
    """The finished simulations of a grid, in its order, the seeds of a point together."""

    def __init__(self, finished: list[Finished]) -> None:
        self.runs = finished

    @property
    def results(self) -> pd.DataFrame:
        """A row per simulation: its arguments and seed, then what the program reports."""
        rows = pd.DataFrame([run.results | _point(run) for run in self.runs])
        first = list(_point(self.runs[0]))
        return rows[[*first, *(name for name in rows if name not in first)]]

    def table(self, name: str) -> pd.DataFrame:
        """A CSV file of all simulations, with the arguments and the seed as columns."""
        tables = [run.table(name).assign(**_point(run)) for run in self.runs]
        return pd.concat(tables, ignore_index=True)

    @property
    def flows(self) -> pd.DataFrame:
        """The flows of all simulations."""
        return self.table("flows")

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Finished]:
        return iter(self.runs)


def _point(run: Finished) -> dict[str, Any]:
    return run.arguments | {"seed": run.seed}


def sim(scenario: str, *, seed: int = 1, **arguments: Spec) -> Finished:
    """One simulation: builds the program if needed, and runs it unless that was done before.

    Arguments are the program's options without dashes (`sim("fct", load=0.7)`); those of ns-3 go
    in as `**{"ns3::TcpSocketBase::MinRto": "1ms"}`. Objects are text or mappings, as in experiment
    files. Raises UserError with the line that the program would print.
    """
    (finished,) = _finish(scenario, [_run(scenario, arguments, seed)], None)
    return finished


def sweep(
    scenario: str,
    *,
    seeds: int | Iterable[int] = 1,
    jobs: int | None = None,
    no_build: bool = False,
    **grid: Spec,
) -> Sweep:
    """The simulations of a grid, in parallel: each argument that is a list is swept.

    `seeds` is how many (1, 2, ...) or which; `jobs` how many run at a time (default: all cores);
    with `no_build` the program is used as it is.
    """
    axes = [value if isinstance(value, list) else [value] for value in grid.values()]
    numbers = range(1, seeds + 1) if isinstance(seeds, int) else list(seeds)
    wanted = [
        _run(scenario, dict(zip(grid, values, strict=True)), seed)
        for values in itertools.product(*axes)
        for seed in numbers
    ]
    if not wanted:
        raise UserError(f"sweep of {scenario}: a list is empty, so there is nothing to run")
    return Sweep(_finish(scenario, wanted, jobs, no_build))


def _run(scenario: str, arguments: dict[str, Spec], seed: int) -> Run:
    for name, value in arguments.items():
        if name in NOT_ARGUMENTS:
            raise UserError(f"'{name}' is not an argument: {NOT_ARGUMENTS[name]}")
        if isinstance(value, dict) and len(value) != 1:
            raise UserError(f"{name}: names {len(value)} things: {', '.join(value)}; allowed: one")
    written = {name: write(value) for name, value in arguments.items()}
    words = tuple(f"--{name}={value}" for name, value in written.items())
    digest = hashlib.sha256("\0".join(sorted(words)).encode()).hexdigest()[:12]
    point = tuple(
        (name, short(value) if isinstance(value, dict | list) else value)
        for name, value in arguments.items()
    )
    seeded = (*words, f"--RngRun={seed}")
    shared = runs.shared_home(frozenset([scenario, *words]))
    home = shared or f"{FOLDER}/{scenario}/{digest}"
    return Run(FOLDER, FOLDER, scenario, written.get("scheme", ""), point, seed, seeded, 1.0, home)


def _finish(
    scenario: str, wanted: list[Run], jobs: int | None, no_build: bool = False
) -> list[Finished]:
    build.check_scenario(scenario)
    if not no_build:
        build.build([scenario])
    programs.forget()  # it may have been built anew since the last call
    runs.forget()
    jobs = jobs or engine.default_jobs()
    if said := rehearsal.refusal([run for run in wanted if not run.fresh], jobs):
        raise UserError(f"{scenario}: {said}")
    if failed := engine.execute(wanted, jobs, None, []):
        raise UserError(engine.failure_report(failed))
    return [Finished(run) for run in wanted]
