# SPDX-License-Identifier: GPL-2.0-only
"""The set-up in ./repro, on a machine that has only what a test puts on its PATH."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import packages
from reproduce.errors import UserError

NEEDED = ("sh", "cat", "dirname", "uname", "sed", "env")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A clone without .venv, and beside it bin/ with the few programs of a bare machine."""
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("repro", "requirements.txt", "requirements-ns3.txt"):
        shutil.copy(ROOT / name, clone)
    shutil.copytree(ROOT / "reproduce", clone / "reproduce")
    (clone / "src/scenario").mkdir(parents=True)
    shutil.copy(ROOT / "src/scenario/VERSION", clone / "src/scenario")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in NEEDED:
        (programs / name).symlink_to(shutil.which(name))
    program(programs, "id", "echo 1000")  # not root
    return clone


def program(folder: Path, name: str, body: str) -> None:
    """Puts a small program on the PATH."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def repro(clone: Path, *words: str, **more: str) -> subprocess.CompletedProcess:
    """Runs the clone's ./repro with the bare PATH."""
    environment = {"PATH": str(clone.parent / "bin"), "HOME": str(clone.parent)} | more
    return subprocess.run(
        [clone / "repro", *words], env=environment, capture_output=True, text=True, timeout=60
    )


def test_help_without_python(bare: Path) -> None:
    done = repro(bare, "run", "--help")
    assert done.returncode == 0
    assert "./repro run " in done.stdout
    assert "./repro test " in done.stdout
    assert "SPDX" not in done.stdout


def test_help_without_packages(bare: Path) -> None:
    python = getattr(sys, "_base_executable", sys.executable)
    program(bare.parent / "bin", "python3", f'exec "{python}" -S "$@"')
    done = repro(bare, "run", "--help")
    assert done.returncode == 0, done.stderr
    assert "--profile" in done.stdout


def test_bytecode_is_kept_whatever_the_environment_says(bare: Path) -> None:
    program(bare.parent / "bin", "python3", 'echo "${PYTHONDONTWRITEBYTECODE-unset}"')
    done = repro(bare, "run", "--help", PYTHONDONTWRITEBYTECODE="1")
    assert set(done.stdout.split()) == {"unset"}, done.stderr


def test_missing_packages_without_rights_prints_the_line(bare: Path) -> None:
    done = repro(bare, "run")
    assert done.returncode == 1
    line = "sudo apt-get update && sudo apt-get install -y --no-install-recommends"
    assert re.search(
        rf"^ +{re.escape(line)} g\+\+ python3-venv( ca-certificates)?$", done.stderr, re.M
    )
    assert not (bare / ".venv").exists()


def test_missing_packages_are_installed_by_root(bare: Path) -> None:
    programs = bare.parent / "bin"
    program(programs, "id", "echo 0")
    log = bare.parent / "apt.log"
    program(programs, "apt-get", f'echo "$@" >> "{log}"')
    done = repro(bare, "run")
    assert done.returncode != 0  # nothing was really installed
    lines = log.read_text().splitlines()
    assert lines[0].startswith("update")
    assert re.search(r"install .*--no-install-recommends g\+\+ python3-venv", lines[1])


def test_an_unfit_python_is_named(bare: Path) -> None:
    programs = bare.parent / "bin"
    program(programs, "g++", "exit 0")
    stub = 'case "$*" in *version_info*) exit 1 ;; --version) echo "Python 3.8.1" ;; esac'
    program(programs, "python3", stub)
    environment_has_certificates = Path("/etc/ssl/certs/ca-certificates.crt").exists()
    if not environment_has_certificates:
        pytest.skip("this machine has no certificates, which is reported first")
    done = repro(bare, "list")
    assert done.returncode == 1
    assert "Python 3.8.1 found" in done.stderr
    assert "3.11, 3.12 or 3.13" in done.stderr


def test_a_moved_clone_is_set_up_anew(bare: Path) -> None:
    programs = bare.parent / "bin"
    log = bare.parent / "python.log"
    program(programs, "g++", "exit 0")
    for name in ("mkdir", "cp"):
        (programs / name).symlink_to(shutil.which(name))
    stub = f"""case "$*" in *venv*--clear*)
    echo "$@" >>"{log}"
    mkdir -p "$4/bin" "$4/lib/python3.12/site-packages" && cp "$0" "$4/bin/python" ;;
esac"""
    program(programs, "python3", stub)
    for _ in range(2):
        assert repro(bare, "list").returncode == 0
    assert len(log.read_text().splitlines()) == 1
    path = bare / ".venv/lib/python3.12/site-packages/reproduce.pth"
    assert path.read_text() == f"{bare}\n"
    moved = bare.rename(bare.parent / "Größe 2")
    for _ in range(2):
        assert repro(moved, "list").returncode == 0
    assert log.read_text().splitlines()[1:] == [f"-m venv --clear {moved}/.venv"]
    done = repro(moved.rename(moved.parent / "a:b"), "list")
    assert done.returncode == 1
    assert "a folder with a colon cannot stand in a search path" in done.stderr


def test_requirements_are_pinned() -> None:
    for path in ROOT.glob("requirements*.txt"):
        for line in path.read_text().splitlines():
            if not line.startswith(("#", "-r ")):
                assert re.fullmatch(r"[\w.-]+==[\w.]+", line), f"{path.name}: {line}"


def test_packages_that_are_there_are_not_installed_again(tmp_path: Path, monkeypatch) -> None:
    asked: list[list[str]] = []
    status = 0

    def pip(words: list[str]) -> subprocess.CompletedProcess:
        asked.append(words)
        return subprocess.CompletedProcess(words, status)

    monkeypatch.setattr(packages, "HOME", tmp_path)
    monkeypatch.setattr(packages.subprocess, "run", pip)
    pins = tmp_path / "requirements-test.txt"
    pins.write_text(f"# for tests\npytest=={pytest.__version__}\n")
    packages.install("test")
    assert asked == []
    for pin in ("pytest==0.1", "no-such-package==1.0"):
        pins.write_text(f"pytest=={pytest.__version__}\n{pin}\n")
        packages.install("test")
        assert asked.pop()[-2:] == ["-r", str(pins)]
    status = 1
    with pytest.raises(UserError, match=r"pip could not install .*requirements-test.txt"):
        packages.install("test")
