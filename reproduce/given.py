# SPDX-License-Identifier: GPL-2.0-only
"""Rows of an experiment that no program of ours makes, such as another simulator's.

They are those of experiments/given/ID.csv for the values of a swept argument that the experiment
calls `given`. Comments in the file say which program made it, and how.
"""

from __future__ import annotations

from pathlib import Path

from reproduce.errors import UserError
from reproduce.experiments import Experiment
from reproduce.lazy import pd
from reproduce.paths import show


def file_of(experiment: Experiment) -> Path:
    """The file of its rows."""
    return experiment.document.path.parent / "given" / f"{experiment.id}.csv"


def rows(experiment: Experiment, profile: str) -> pd.DataFrame:
    """Its rows at the profile's points and seeds: scheme, swept arguments, seed, then metrics."""
    if not experiment.given:
        return pd.DataFrame()
    path = file_of(experiment)
    swept = experiment.swept(profile)
    try:
        table = pd.read_csv(path, comment="#")
        wanted = table["seed"] <= experiment.profiles[profile].seeds
        wanted &= table["scheme"].isin(list(experiment.schemes))
        for argument, values in swept.items():
            wanted &= table[argument].isin(list(values))
        for argument, values in experiment.given.items():
            wanted &= table[argument].isin(values)
    except KeyError as error:
        raise UserError(f"{show(path)} has no column {error}") from None
    except (OSError, ValueError) as error:  # also what pandas and the decoder raise
        raise UserError(f"{show(path)} cannot be read: {str(error).splitlines()[0]}") from None
    keys = ["scheme", *swept, "seed"]
    return table.loc[wanted, [*keys, *table.columns.difference(keys, sort=False)]]
