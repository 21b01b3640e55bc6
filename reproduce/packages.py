# SPDX-License-Identifier: GPL-2.0-only
"""Installs the Python packages that only some commands need, when one of these is called."""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from reproduce.errors import UserError
from reproduce.paths import HOME, show


def install(purpose: str) -> None:
    """Installs what requirements-PURPOSE.txt pins, unless each package is there in that version."""
    path = HOME / f"requirements-{purpose}.txt"
    if all(map(_is_installed, _pins(path))):
        return
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", str(path)]).returncode:
        raise UserError(f"pip could not install {show(path)}")


def _pins(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


def _is_installed(pin: str) -> bool:
    name, _, wanted = pin.partition("==")
    try:
        return version(name) == wanted
    except PackageNotFoundError:
        return False
