# SPDX-License-Identifier: GPL-2.0-only
"""Asks programs, by --check, about the command lines that are about to run.

A program then reads everything and builds its network, but does not run. So names, units, bounds
and what goes together are judged in one place, and before anything runs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from reproduce import build, engine, origin, progress
from reproduce.document import Problem, Where
from reproduce.paths import BUILD, RUNS

if TYPE_CHECKING:
    from reproduce.experiments import Experiment
    from reproduce.runs import Run, Settings

MANY = 200  # command lines: asking about more takes seconds, and is said
OPTION = re.compile(r"--([\w-]+(?:::\w+)*)")
WORD = re.compile(r"\w+")
QUOTED = re.compile(r"'([^']+)'")


def problems(experiments: list[Experiment], runs: list[Run], jobs: int) -> list[Problem]:
    """The runs that built programs refuse; an answer to several points is one problem."""
    runs = _built(runs)
    answers = _answers(runs, jobs)
    refused: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if message := answers[run.settings]:
            refused.setdefault((run.experiment, message), []).append(run)
    known = {experiment.id: experiment for experiment in experiments}
    return [_problem(known[name], message, at) for (name, message), at in refused.items()]


def refusal(runs: list[Run], jobs: int) -> str:
    """The refusal of runs that are no experiment's by built programs, in one line; else empty."""
    said = dict.fromkeys(filter(None, _answers(_built(runs), jobs).values()))
    first = next(iter(said), "")
    return f"{first} (and {len(said) - 1} more)" if len(said) > 1 else first


def _built(runs: list[Run]) -> list[Run]:
    return [run for run in runs if build.program(run.scenario).exists()]


def _answers(runs: list[Run], jobs: int) -> dict[Settings, str]:
    """The answer to each command line: one per point, whatever its seeds and experiments."""
    asked = {run.settings: run for run in reversed(runs)}  # by its first run
    if len(asked) > MANY:
        print(f"checking {len(asked)} command lines", file=sys.stderr)
    RUNS.mkdir(parents=True, exist_ok=True)
    answers: dict[Settings, str] = {}
    plain = progress.Lines()
    with ThreadPoolExecutor(jobs) as pool:
        said = pool.map(partial(_ask, environment=_environment()), asked.values())
        for settings, answer in zip(asked, said, strict=True):
            answers[settings] = answer
            plain.tell(f"checked {len(answers)} of {len(asked)} command lines")
    return answers


def _environment() -> dict[str, str]:
    """As runs have it: the libraries of the build come first."""
    path = [str(BUILD / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    libraries = {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, path))}
    return os.environ | origin.environment() | libraries


def _ask(run: Run, environment: dict[str, str]) -> str:
    """The answer of a program to a command line; empty if it takes it."""
    done = subprocess.run(
        [build.program(run.scenario), *run.arguments, "--check"],
        cwd=RUNS,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode == 0:
        return ""
    said = (done.stderr.strip().splitlines() or [""])[-1]
    prefix = f"{run.scenario}: "
    if done.returncode == 1 and said.startswith(prefix):
        return said.removeprefix(prefix)
    status = done.returncode if done.returncode > 0 else engine.SIGNALLED - done.returncode
    how = f"{run.scenario} --check {engine.ended(status)}"
    return f"{how}: {said}" if said else how


def _problem(experiment: Experiment, message: str, refused: list[Run]) -> Problem:
    """The problem that an answer is, at the place of the first of its runs."""
    first = refused[0]
    point = [f"scheme {first.scheme}", *(f"{name}={value}" for name, value in first.point)]
    others = len({(run.scheme, run.point) for run in refused}) - 1
    more = f" and {others} more" if others else ""
    text = f"{', '.join(point)}{more}: {message}"
    return experiment.document.problem(_place(experiment, first, message), text)


def _place(experiment: Experiment, run: Run, message: str) -> Where:
    """The place that a message is about: within its option, or the run's scheme."""
    option = _option(run, message)
    profile = ("profiles", run.profile)
    parts: list[Where] = [(*profile, "sweep"), ("sweep",), (*profile, "arguments"), ("arguments",)]
    lines = experiment.document.lines
    roots = [(*part, option) for part in parts if (*part, option) in lines]
    roots = roots or [("schemes", run.scheme)]
    words = _words(message)
    for root in [*roots, ("presets",)] if OPTION.match(message) else []:
        inside = [where for where in lines if where[: len(root)] == root and where[-1] in words]
        if inside and inside[-1] != root:
            return max(inside, key=len)
    return roots[0]


def _words(message: str) -> set[str]:
    """Names in the argument of ARGUMENT = 'VALUE': REASON, and quoted texts."""
    argument, _, rest = message.partition(" = ")
    return {*WORD.findall(argument), *QUOTED.findall(rest)}


def _option(run: Run, message: str) -> str:
    """The option that a message begins with, else the only one with the value that it quotes."""
    if begins := OPTION.match(message):
        return begins[1]
    if not (quoted := QUOTED.search(message)):
        return ""
    value = re.compile(rf"(?<![\w.-]){re.escape(quoted[1])}(?![\w.-])")
    having = [word[2:].split("=")[0] for word in run.arguments if value.search(word)]
    return having[0] if len(having) == 1 else ""
