# SPDX-License-Identifier: GPL-2.0-only
"""A run as it was, with something changed: that of a run.json, or of a point of a figure."""

from __future__ import annotations

import json
from pathlib import Path

from reproduce import specs
from reproduce.errors import UserError, unknown
from reproduce.experiments import select
from reproduce.paths import show
from reproduce.runs import Run, expand

Words = list[str]  # what a program is given


def as_in_file(source: str) -> tuple[str, Words]:
    """The program of a run.json, and the words that make it read the file."""
    path = Path(source)
    if path.exists() and not path.is_file():
        raise UserError(f"--from {show(path)}: not a regular file")
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        scenario = str(content["scenario"])
    except OSError as error:
        raise UserError(f"--from {show(path)}: {error.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise UserError(f"--from {show(path)}: is no run.json that a program has written") from None
    return scenario, [f"--from={path}"]


def like_point(name: str, at: str, profile: str, seed: int) -> tuple[str, Words]:
    """The program of an experiment, and its words at a point: `load=0.7,scheme=dctcp`."""
    (experiment,) = select([name])
    runs = [run for run in expand(experiment, profile, seeds=seed) if run.seed == seed]
    for setting in specs.split(at) if at else []:
        key, _, value = setting.partition("=")
        known = _axes(runs[0])
        if key not in known:
            raise unknown(f"setting of --at for {name}", key, known)
        left = [run for run in runs if str(_axes(run)[key]) == value]
        if not left:
            raise unknown(f"{key} of {name}", value, (_axes(run)[key] for run in runs))
        runs = left
    left_open = {key: {str(_axes(run)[key]): 0 for run in runs} for key in _axes(runs[0])}
    if choices := [f"{key}={'|'.join(v)}" for key, v in left_open.items() if len(v) > 1]:
        raise UserError(f"--like {name}: add to --at one each of {', '.join(choices)}")
    return experiment.scenario, list(runs[0].arguments)


def _axes(run: Run) -> dict[str, object]:
    return {"scheme": run.scheme} | dict(run.point)
