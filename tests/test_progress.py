# SPDX-License-Identifier: GPL-2.0-only
"""The words of a sweep while it runs: the time left, and what is at work."""

import itertools
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import EXPERIMENT, Project

from reproduce import build, engine
from reproduce.engine import Clock, Running

COST = {f"short-{i}": 1.0 for i in range(10)} | {f"long-{i}": 100.0 for i in range(10)}


def test_left_is_what_was_thought_at_first() -> None:
    assert Clock(COST, 2).left({}, {}) == pytest.approx(1010 / 2)
    assert Clock({}, 2).left({}, {}) == 0
    assert Clock({"one": 60.0}, 8).left({}, {}) == pytest.approx(60)  # it cannot be cut in pieces


def test_left_does_not_jump_at_the_first_short_run() -> None:
    """Short runs that took thrice what was thought say little of the long ones."""
    clock = Clock(COST, 2)
    before = clock.left({}, {})
    after = clock.left({"short-0": 3.0}, {"long-0": Running(3.0, 0)})
    assert after == pytest.approx(before, rel=0.05)


def test_left_learns_from_what_runs_took() -> None:
    took = {f"long-{i}": 300.0 for i in range(9)}
    left = Clock(COST, 1).left(took, {})
    assert left == pytest.approx(3 * 110, rel=0.1)


def test_left_goes_down_smoothly() -> None:
    """Runs take twice what was thought, and none says how far it is."""
    cost = {f"run-{i}": 60.0 for i in range(20)}
    clock = Clock(cost, 2)
    said = []
    for second in range(0, 1200, 10):  # two at a time, 120 s each
        pairs = second // 120
        took = {f"run-{i}": 120.0 for i in range(2 * pairs)}
        elapsed = Running(second - 120.0 * pairs, 0)
        said.append(clock.left(took, {f"run-{2 * pairs + i}": elapsed for i in range(2)}))
    steps = [after - before for before, after in itertools.pairwise(said)]
    assert max(map(abs, steps)) < 120, steps  # a tenth of what it takes in all
    assert said[-1] < 60


def test_a_single_long_run_says_how_far_it_is() -> None:
    clock = Clock({"long": 60.0}, 2)
    assert clock.left({}, {"long": Running(300.0, 0.25)}) == pytest.approx(900)
    assert clock.left({}, {"long": Running(30.0, 0.01)}) == pytest.approx(30)  # too early to tell
    assert (
        engine.describe_running({"long": Running(300.0, 0.25)}) == "at long (25% of it, 5 min 00 s)"
    )
    several = {"a": Running(5.0, 0), "b": Running(70.0, 0)}
    assert engine.describe_running(several) == "at b (1 min 10 s) and 1 more"
    assert engine.describe_running({}) == ""


@pytest.mark.slow
def test_a_sweep_names_what_runs(project: Project) -> None:
    project.write(EXPERIMENT | {"arguments": {"sleep": 2}})
    quick = "from reproduce import cli, progress; progress.LINE_S = 1; "
    quick += "raise SystemExit(cli.main(['run', '--no-build', '--seeds', '1', '--jobs', '1']))"
    command = [*project.command()[:2], "-c", quick]
    done = subprocess.run(command, env=project.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if " left, at tiny/quick/" in line]
    assert lines, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup")
def test_a_program_says_how_far_it_is(tmp_path: Path) -> None:
    file = tmp_path / "progress.txt"
    words = [build.program("fct"), "--load=0.7", "--duration=2s"]
    process = subprocess.Popen(
        words, env=os.environ | {"SUITE_PROGRESS": str(file)}, stdout=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        said: list[str] = []
        while len(set(said)) < 2 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.5)
            said += [text] if file.exists() and (text := file.read_text()) else []
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    percents = [int(text.strip("\r %")) for text in said]
    assert len(set(percents)) >= 2, said
    assert percents == sorted(percents)
