# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong around simulations: copied clones, killed programs, full disks."""

import re
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import EXPERIMENT, Project

from reproduce import build


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


@pytest.mark.parametrize("size", [300, 20000])
def test_a_full_disk_is_one_line_and_keeps_what_was_there(project: Project, size: int) -> None:
    assert project.repro("run", "--no-build").returncode == 0
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
    assert "report.html" not in changed
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
