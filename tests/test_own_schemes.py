# SPDX-License-Identifier: GPL-2.0-only
"""Schemes in scratch/schemes: each by itself, without effect on what does not name it."""

import os
import re
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


def logged(scheme: str, *words: str) -> list[str]:
    """The log of ports in a run of a scheme."""
    command = [build.program("incast"), f"--scheme={scheme}", "--bytes=900000", *words]
    environment = os.environ | {"NS_LOG": "FabricPort=logic"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


LEAVES = "--topology=leaf-spine:Leaves=3,Spines=4,HostsPerLeaf=8,FabricRate=10Gbps"


def test_drill_finds_shorter_queues_than_chance() -> None:
    build.build(["incast"])
    behind = {}
    for paths in ("drill", "spray", "drill:Samples=1"):
        words = (LEAVES, "--allAsk=true", "--senders=16")
        lines = logged(f"dctcp:Paths={paths}", *words)
        found = [re.match(r"leaf\d+:(\d+): .* comes behind (\d+) bytes", line) for line in lines]
        up = [int(m[2]) for m in found if m and int(m[1]) >= 8]  # to the spines
        assert len(up) > 1000
        behind[paths] = sum(up) / len(up)
    assert behind["drill"] < behind["drill:Samples=1"] < behind["spray"]


def test_what_leaves_is_of_the_flow_that_has_sent_least() -> None:
    build.build(["incast"])
    lines = logged("my-least-attained", "--senders=6")
    item = re.compile(r"switch0:0: (flow \d+, .* to host \d+): (comes|leaves)(?:, (\d+) bytes)?")
    events = [(m[1], m[2], m[3]) for line in lines if (m := item.match(line))]
    sizes = {name: int(size) for name, what, size in events if what == "leaves"}
    attained: dict[str, int] = {}
    waiting: list[tuple[int, str]] = []
    overtakes = 0
    for name, what, _ in events:
        if what == "comes":
            flow = name.split(",")[0]
            waiting.append((attained.get(flow, 0), name))
            attained[flow] = attained.get(flow, 0) + sizes[name]
            continue
        least = min(rank for rank, _ in waiting)
        assert (least, name) in waiting, f"{name} leaves before one of rank {least}"
        overtakes += waiting[0] != (least, name)
        waiting.remove((least, name))
    assert overtakes > 100 and not waiting


def test_a_row_is_a_scheme(mine: Path) -> None:
    mine.write_text(ROW.replace('"my-first"', '"of-a-test"'))
    done = repro("sim", "fct", "--", "--scheme=of-a-test:Paths=spray", "--check")
    assert done.returncode == 0, done.stderr
    told = repro("sim", "fct", "--", "--scheme=of-a-test:help").stdout
    assert told.startswith("of-a-test is dctcp:MarkThreshold=60kB\n")
