# SPDX-License-Identifier: GPL-2.0-only
"""Schemes in scratch/schemes: each by itself, without effect on what does not name it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import build

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("clone"),
    pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup"),
]
SCHEMES = ROOT / "scratch" / "schemes"
ROW = (SCHEMES / "first-scheme.cc").read_text()
CLASS = (SCHEMES / "second-scheme.cc").read_text()
MINE = CLASS.replace("MySecondScheme", "OfATestScheme").replace("my-second", "of-a-test")


def repro(*words: str) -> subprocess.CompletedProcess:
    """Runs a command of the project."""
    command = [sys.executable, "-P", "-m", "reproduce", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def version(scheme: str) -> str:
    """The hash of what a run depends on."""
    code = f"from reproduce import programs; print(programs.version('fct', ['--scheme={scheme}']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def mine() -> Iterator[Path]:
    """A file for a scheme of one's own, which is gone after the test, with its library."""
    path = SCHEMES / "of-a-test.cc"
    yield path
    path.unlink(missing_ok=True)
    build.build(["fct"])
    assert not list((ROOT / "build" / "lib").glob("*of-a-test*"))


def test_another_scheme_makes_no_finished_run_stale(mine: Path) -> None:
    build.build(["fct"])
    schemes = ("dctcp", "trinity", "my-first")
    before = [version(scheme) for scheme in schemes]
    mine.write_text(MINE)
    assert repro("sim", "fct", "--", "--scheme=of-a-test", "--check").returncode == 0
    assert [version(scheme) for scheme in schemes] == before
    own = version("of-a-test")
    mine.write_text(mine.read_text().replace("60kB", "70kB"))
    build.build(["fct"])
    assert version("of-a-test") != own
    assert [version(scheme) for scheme in schemes] == before


def test_a_scheme_that_does_not_compile_stops_no_other(mine: Path) -> None:
    mine.write_text(MINE)
    assert repro("sim", "fct", "--", "--scheme=of-a-test", "--check").returncode == 0
    mine.write_text(mine.read_text().replace("QueueLimit m_threshold;", "QueueLimi m_threshold;"))
    done = repro("sim", "fct", "--", "--scheme=my-first", "--check")
    assert done.returncode == 0, done.stderr
    (told,) = (line for line in done.stderr.splitlines() if "of-a-test" in line)
    assert told.startswith("scratch/schemes/of-a-test.cc is left out: ")
    assert "error:" in told and "QueueLimi" in told
    unknown = repro("sim", "fct", "--", "--scheme=of-a-test", "--check")
    assert unknown.returncode == 1  # not what the file was before
    assert "'of-a-test'" in unknown.stderr


def test_what_an_editor_leaves_there_stops_nothing() -> None:
    link, copy = SCHEMES / ".#of-a-test.cc", SCHEMES / "first-scheme (copy).cc"
    try:
        link.symlink_to("nowhere")
        copy.write_text(CLASS)
        done = repro("sim", "fct", "--", "--scheme=my-first", "--check")
    finally:
        link.unlink()
        copy.unlink()
    assert done.returncode == 0, done.stderr
    assert "scratch/schemes/first-scheme (copy).cc is left out: a file's name has" in done.stderr


@pytest.mark.parametrize(
    ("text", "what", "where"),
    [
        (ROW, "scheme my-first", "scratch/schemes/first-scheme.cc"),
        (
            MINE.replace("OfATestScheme", "TrinityScheme"),
            "class ns3::TrinityScheme",
            "src/trinity/model/trinity-scheme.cc",
        ),
        (
            ROW.replace('"my-first"', '"dctcp"'),
            "scheme dctcp",
            "src/schemes/model/shared-schemes.cc",
        ),
    ],
)
def test_what_is_there_already_stops_nothing(mine: Path, text: str, what: str, where: str) -> None:
    mine.write_text(text)
    done = repro("sim", "fct", "--", "--scheme=my-first", "--check")
    assert done.returncode == 0, done.stderr
    told = f"scratch/schemes/of-a-test.cc is left out: its {what} is in {where} already"
    assert told in done.stderr.splitlines()


def test_a_row_is_a_scheme(mine: Path) -> None:
    mine.write_text(ROW.replace('"my-first"', '"of-a-test"'))
    done = repro("sim", "fct", "--", "--scheme=of-a-test:Paths=spray", "--check")
    assert done.returncode == 0, done.stderr
    told = repro("sim", "fct", "--", "--scheme=of-a-test:help").stdout
    assert told.startswith("of-a-test is dctcp:MarkThreshold=60kB\n")
