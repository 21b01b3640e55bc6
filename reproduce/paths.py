# SPDX-License-Identifier: GPL-2.0-only
"""Paths of a clone. REPRO_HOME points elsewhere in the tests."""

import os
from pathlib import Path

HOME = Path(os.environ.get("REPRO_HOME") or Path(__file__).parent.parent).resolve()
BUILD = HOME / "build"
EXPERIMENTS = HOME / "experiments"
OWN_EXPERIMENTS = HOME / "scratch" / "experiments"  # the user's: nothing shipped tells of them
CLAIMS = HOME / "claims"  # a table per paper; in own/ what is not a paper's
RUNS = HOME / "runs"  # raw output of simulations, not in git
RESULTS = HOME / "results"  # tables, figures, verdicts
OWN = HOME / "out" / "results"  # a folder per name: results that are not the shipped ones
MINE = OWN / "mine"  # those that were given no name


def show(path: Path) -> str:
    """The path as a user would type it: relative to the current folder when it is below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
