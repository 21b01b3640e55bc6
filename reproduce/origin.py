# SPDX-License-Identifier: GPL-2.0-only
"""Names the origin of results: the commit, and the versions of what made them."""

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reproduce.paths import HOME

LIBRARIES = ("matplotlib", "numpy", "pandas", "snakemake")  # that results go through


def _git(*words: str) -> str:
    """The output of git; nothing outside a checkout."""
    try:
        done = subprocess.run(["git", *words], cwd=HOME, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@cache
def commit() -> str:
    """The commit of the checkout; nothing outside one."""
    return _git("rev-parse", "HEAD")


@cache
def changed() -> bool:
    """True if files differ from the commit, results aside."""
    return bool(_git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!results"))


def changed_since(path: Path) -> list[str]:
    """The files that differ from the commit that last changed a file; none outside a checkout."""
    last = _git("log", "-1", "--format=%H", "--", str(path))
    return _git("diff", "--name-only", last).splitlines() if last else []


def environment() -> dict[str, str]:
    """Environment variables that tell a program its commit, for its run.json."""
    if not commit():
        return {}
    return {"SUITE_COMMIT": commit(), "SUITE_CHANGED": "1" if changed() else "0"}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def code() -> str:
    """The commit, for people."""
    return (
        f"commit {commit()[:10]}{' with changes' if changed() else ''}"
        if commit()
        else ("no git checkout")
    )


def libraries() -> str:
    """ns-3 and the libraries that results go through, with their versions."""
    ns3 = _version("ns3")
    known = [f"{name} {found}" for name in LIBRARIES if (found := _version(name))]
    return ", ".join([f"ns-3 {ns3}" if ns3 else "an ns-3 of one's own", *known])
