# SPDX-License-Identifier: GPL-2.0-only
"""Failures around simulations: copied clones, killed programs, full disks."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import EXPERIMENT, Project

from reproduce import build, cli, locks, origin
from reproduce.errors import UserError


def test_a_program_that_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "fake"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(build, "build", lambda _: None)
    monkeypatch.setattr(build, "program", lambda _: program)
    with pytest.raises(UserError, match=r"^fake ended by signal 11 \(Segmentation fault\); doc/"):
        cli._built_and_run("fake", [])


@pytest.mark.parametrize(
    "text",
    [
        'static const SchemeRows rows{{"mine", "tcp", "x"}};',
        'SchemeRows rows{\n    {"mine",\n     "tcp",\n     "x",\n     {{"Paths", "drill"}}},\n};',
    ],
)
def test_rows_of_schemes_are_found_however_they_are_set(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.cc"
    path.write_text(text)
    assert build._registered(path) == ["scheme mine"]


@pytest.mark.slow
def test_a_copied_clone_builds_into_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = tmp_path / "original"
    original.mkdir()
    (original / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(tiny NONE)\n"
        'add_custom_target(tiny ALL COMMAND ${CMAKE_COMMAND} -E touch "${CMAKE_BINARY_DIR}/made")\n'
    )
    copy = tmp_path / "copy"
    for home in (original, copy):
        if home == copy:
            shutil.copytree(original, copy)
            (original / "build" / "made").unlink()
            (copy / "build" / "made").unlink()
        monkeypatch.setattr(build, "HOME", home)
        build.build(["all"], home / "build")
        assert (home / "build" / "made").exists()
    assert not (original / "build" / "made").exists()


def test_built_is_said_only_of_what_was_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(tiny NONE)\n"
        'file(GLOB found CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/*.txt")\n'
        "add_custom_command(OUTPUT made COMMAND ${CMAKE_COMMAND} -E touch made)\n"
        "add_custom_target(tiny ALL DEPENDS made)\n"
    )
    monkeypatch.setattr(build, "HOME", tmp_path)
    build.build(["all"], tmp_path / "build")
    assert "built" in capfd.readouterr().err
    build.build(["all"], tmp_path / "build")
    assert capfd.readouterr().err == ""


def test_builds_say_how_far_they_are_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(tiny NONE)\n"
        "add_custom_target(one ALL COMMAND ${CMAKE_COMMAND} -E echo)\n"
        "add_custom_target(two ALL COMMAND ${CMAKE_COMMAND} -E echo)\n"
    )
    monkeypatch.setattr(build, "HOME", tmp_path)
    monkeypatch.setattr("reproduce.progress.LINE_S", 0)
    build.build(["all"], tmp_path / "build")
    said = capfd.readouterr().err.splitlines()
    assert said[:-1] == ["building 1/2", "building 2/2"]
    assert said[-1].startswith("built 2 steps in ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("os.kill(os.getpid(), 9)", "ended by signal 9 (Killed), perhaps by the system"),
        ("os.abort()", "ended by signal 6 (Aborted)"),
        ("sys.exit(3)", "ended with exit status 3 and no message"),
    ],
)
def test_runs_that_die_without_a_word_are_named(project: Project, ending: str, said: str) -> None:
    program = project.home / "build/bin/fake"
    dies = f'if args["scheme"] == "slow" and args["load"] == "0.7":\n    {ending}\n'
    text = program.read_text()
    program.write_text(text.replace("time.sleep(", dies + "time.sleep("))
    done = project.repro("run", "--no-build", "--jobs", "1")
    assert done.returncode == 1
    assert "2 of the simulations failed" in done.stderr
    assert len(re.findall(r"^tiny/quick/slow/load=0.7/seed-[12]: ", done.stderr, re.M)) == 2
    assert done.stderr.count(said) == 2
    (table,) = (path.read_text() for path in project.home.rglob("tiny/runs.csv"))
    assert len(table.splitlines()) == 1 + 6  # the finished ones give their results


def _limited(size: int) -> Callable[[], None]:
    """A full disk, nearly: no file can have more bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 20000])
def test_a_full_disk_is_one_line_and_keeps_what_was_there(finished: Project, size: int) -> None:
    project = finished
    before = {p: p.read_bytes() for p in sorted((project.home / "results").rglob("*.*"))}
    title = EXPERIMENT["plots"][0] | {"title": "Another title"}
    project.write(EXPERIMENT | {"plots": [title], "headline": True, "title": "Another"})
    done = subprocess.run(
        project.command("run", "--no-build"),
        env=project.environment,
        cwd=project.home,
        capture_output=True,
        text=True,
        preexec_fn=_limited(size),
    )
    assert done.returncode == 1
    assert re.fullmatch(r"\./repro: results/\S+: File too large\n", done.stderr), done.stderr
    after = {p: p.read_bytes() for p in sorted((project.home / "results").rglob("*.*"))}
    assert set(after) == set(before)
    changed = [path.name for path in before if before[path] != after[path]]
    assert not {"index.html", "README.md"} & set(changed)
    assert all(len(after[path]) for path in after)


@pytest.mark.parametrize("words", [["list"], ["--help"], ["run", "--no-build", "--dry-run"]])
def test_output_that_cannot_be_written_is_one_line(project: Project, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            project.command(*words),
            env=project.environment,
            cwd=project.home,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "./repro: standard output: No space left on device\n"


def test_runs_folder_that_cannot_be_written(project: Project) -> None:
    (project.home / "runs").write_text("a file")
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "runs" in done.stderr


def test_one_builds_at_a_time_and_others_say_for_whom_they_wait(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    script = (
        "import pathlib, sys, time; from reproduce import locks\n"
        "with locks.waiting(pathlib.Path(sys.argv[1]), 'builds here'):\n"
        "    print('taken', flush=True); time.sleep(float(sys.argv[2]))\n"
    )

    def start(seconds: str) -> subprocess.Popen:
        command = [sys.executable, "-c", script, str(path), seconds]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=build.HOME
        )

    first = start("60")
    assert first.stdout.readline() == "taken\n"
    second = start("0")
    assert f"waiting for process {first.pid} (" in (said := second.stderr.readline())
    assert "which builds here" in said
    first.kill()  # a lock ends with its process
    assert second.stdout.readline() == "taken\n"
    assert second.wait(timeout=60) == 0
    first.wait()
    for one in (first, second):
        one.stdout.close()
        one.stderr.close()


def test_holders_of_locks_that_have_ended_are_passed_over(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    path = tmp_path / "lock"
    path.write_text(f"{ended.pid}\n{os.getpid()}\n")
    assert locks.holder(path).startswith(f"process {os.getpid()} (")
    path.write_text(f"{ended.pid}\n")
    assert "process" in locks.holder(path)


@pytest.mark.parametrize("text", ["mine", "mine.cc", "scratch/mine", "./scratch/mine.cc"])
def test_programs_go_by_the_paths_of_their_sources(text: str) -> None:
    assert build.program_name(text) == "mine"


@pytest.mark.parametrize("scenario", ["fct", "bottleneck"])
def test_every_scenario_knows_the_schemes_in_scratch(tmp_path: Path, scenario: str) -> None:
    program = build.program(scenario)
    known = subprocess.run([program, "--scheme=help"], capture_output=True, text=True).stdout
    assert re.search(r"^ *my-first ", known, re.M), known
    words = ["--scheme=my-first:MarkThreshold=15kB", "--duration=200us", "--warmUp=0s", "--out=out"]
    done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "my-first" in (tmp_path / "out/run.json").read_text()


def test_runs_say_by_which_commit(tmp_path: Path) -> None:
    quick = ["--duration=100us", "--warmUp=0s", "--topology=single-switch:Hosts=3"]
    words = [build.program("bottleneck"), "--flows=2", *quick, "--out=out"]

    def versions(**more: str) -> dict[str, object]:
        subprocess.run(words, cwd=tmp_path, env=os.environ | more, check=True, capture_output=True)
        found = json.loads((tmp_path / "out/run.json").read_text())["versions"]
        shutil.rmtree(tmp_path / "out")
        return found

    told = versions(SUITE_COMMIT="abc", SUITE_CHANGED="1")
    assert (told["commit"], told["changed"]) == ("abc", True)
    assert told["ns3"] and told["boost"] and told["libstdc++"]
    assert versions(SUITE_COMMIT="abc", SUITE_CHANGED="0")["changed"] is False
    assert "pandas" in origin.libraries() and "ns-3" in origin.libraries()
