# SPDX-License-Identifier: GPL-2.0-only
"""The share of all runs that CI checks: each scheme, scenario and recorder at least once.

It is the headline experiments whole, and of the others as few and as short runs as name what those
do not. Seeds of a point differ in nothing that counts here, so the first one stands for them.
"""

from __future__ import annotations

from collections import defaultdict

from reproduce import build, programs, specs
from reproduce.experiments import Experiment
from reproduce.runs import Run
from reproduce.specs import Spec

Part = tuple[str, str]  # kind and name: ("scheme", "afq")
SPECS = {"scheme": "ns3::Scheme", "record": "ns3::Recorder"}  # options and what they name
KINDS = {"scenario": "scenarios", "scheme": "schemes", "record": "recorders"}
OWN = "libsuite-own"  # libraries of scratch/, which no experiment of the suite runs


def parts(run: Run) -> set[Part]:
    """The parts to be covered that a run has."""
    given = dict(word.removeprefix("--").partition("=")[::2] for word in run.arguments)
    return {("scenario", run.scenario)} | {
        (option, name)
        for option in SPECS
        for name in map(_name, specs.several(specs.parse(given.get(option, ""))))
        if name
    }


def _name(spec: Spec) -> str:
    return specs.named(spec)[0]


def everything() -> set[Part]:
    """All parts that there are in the programs that are built."""
    found: set[Part] = set()
    for name in build.scenarios():
        if description := programs.describe(name):
            found.add(("scenario", name))
            for option, base in SPECS.items():
                if option in description.options:
                    names = description.names.get(base, {})
                    found |= {
                        (option, one)
                        for one, entry in names.items()
                        if not entry.get("library", "").startswith(OWN)
                    }
    return found


def share(experiments: list[Experiment], runs: dict[str, list[Run]]) -> dict[str, list[Run]]:
    """Of the runs of all experiments, by id, those that CI checks."""
    whole = {experiment.id for experiment in experiments if experiment.headline}
    chosen = {name: some if name in whole else [] for name, some in runs.items()}
    missing = everything() - {
        part for some in chosen.values() for run in some for part in parts(run)
    }
    first = [
        run for name, some in runs.items() if name not in whole for run in some if run.seed == 1
    ]
    having = {run.name: parts(run) for run in first}
    while missing:
        best = max(first, key=lambda run: len(having[run.name] & missing) / run.cost, default=None)
        if best is None or not having[best.name] & missing:
            break
        chosen[best.experiment].append(best)
        missing -= having[best.name]
    return chosen


def text(chosen: dict[str, list[Run]]) -> list[str]:
    """Lists for people what is covered, a line per kind, and what is not."""
    runs = [run for some in chosen.values() for run in some]
    covered = {part for run in runs for part in parts(run)}
    lines = [f"{len(runs)} runs of {sum(map(bool, chosen.values()))} experiments cover"]
    names: dict[str, list[str]] = defaultdict(list)
    for kind, name in sorted(covered):
        names[kind].append(name)
    lines += [
        f"  {len(names[kind])} {word}: {', '.join(names[kind])}" for kind, word in KINDS.items()
    ]
    for kind, name in sorted(everything() - covered):
        lines.append(f"  no experiment runs the {KINDS[kind].removesuffix('s')} {name}")
    return lines
