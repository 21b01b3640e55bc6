# SPDX-License-Identifier: GPL-2.0-only
"""./repro test: which steps there are, what --fast leaves out, and that a failure is told."""

import subprocess
from pathlib import Path

import pytest

from reproduce import cli, testing


def names(fast: bool) -> list[str]:
    """The steps, by name."""
    return [name for name, _ in testing.steps(fast)]


def test_fast_leaves_out_what_takes_long_and_keeps_the_order() -> None:
    every, kept = names(fast=False), names(fast=True)
    assert [name for name in every if name in kept] == kept
    assert {"formatting", "build", "figure numbers", "C++ suites", "Python tests"} <= {*kept}
    left_out = " ".join(name for name in every if name not in kept)
    for what in ("sanitizers", "fuzzed", "figures and documents"):
        assert what in left_out


@pytest.mark.parametrize("fast", [True, False])
def test_slow_tests_are_left_out_by_fast_alone(monkeypatch: pytest.MonkeyPatch, fast: bool) -> None:
    called: list[str] = []

    def call(words: list[str], **_: object) -> subprocess.CompletedProcess:
        called.append(" ".join(map(str, words)))
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(testing.subprocess, "run", call)
    steps = dict(testing.steps(fast))
    steps["Python tests"]()
    steps["Python tests that build"]()
    assert [" and not slow" in command for command in called] == [fast, fast]
    # What builds in this clone runs alone, and each test runs in one of the steps.
    others, builds = called
    assert "-m not xdist_group" in others and " -n " in others
    assert "-m xdist_group" in builds and " -n " not in builds


def test_tests_that_build_follow_all_that_reads_results_and_run_beside_the_sanitizers() -> None:
    every = names(fast=False)
    began = every.index("Python tests that build begin")
    for name in ("figure numbers", "figures and documents", "Python tests"):
        assert every.index(name) < began
    assert "sanitizers" in every[began + 1]
    assert every[began + 2 :] == ["Python tests that build"] == every[-1:]


def test_a_failed_suite_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    for text, passes in (("exit 1", False), ("echo 100% tests passed, 0 failed", True)):
        (tmp_path / "ctest").write_text(f"#!/bin/sh\necho a suite\n{text}\n")
        (tmp_path / "ctest").chmod(0o755)
        monkeypatch.setattr(testing.build, "tool", lambda name: str(tmp_path / name))
        assert testing.run([("C++ suites", testing.cxx_suites)]) == (0 if passes else 1)
        assert ("a suite" in capsys.readouterr().out) is not passes


def test_a_source_is_held_to_what_it_includes_itself(tmp_path: Path) -> None:
    source = tmp_path / "source.cc"
    entry = {"command": f"c++ -Wall -o x.o -c {source}", "directory": str(tmp_path)}

    def said(text: str) -> str:
        source.write_text(text)
        return testing.check_source(entry)

    assert said("#include <string>\nstd::string text;\n") == ""
    assert "string" in said("std::string text;\n")
    assert "sign-compare" in said("bool Less(int a, unsigned b)\n{\n    return a < b;\n}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["source.cc"]


def test_the_others_are_each_source_and_the_oldest_ns3(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("clang++-16", "clang++", "clang++-query"):
        (tmp_path / name).touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    told = [name for name, _ in testing.other_steps()]
    alone = [f"each source alone, {name}" for name in ("c++", "clang++", "clang++-16")]
    assert told == ["clang", *alone, "ns-3 3.42.post2"]
    monkeypatch.setenv("PATH", "")
    with pytest.raises(testing.StepError, match="no clang"):
        testing.clang_present()


def test_every_step_runs_and_failures_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    done: list[str] = []

    def fails() -> None:
        raise testing.StepError("of no use")

    fake = [("one", fails), ("two", lambda: done.append("two"))]
    monkeypatch.setattr(testing, "steps", lambda fast: fake)
    assert cli.main(["test", "--fast"]) == 1
    assert done == ["two"]
    out = capsys.readouterr().out
    assert "== one FAILED: of no use" in out and out.endswith("FAILED: one\n")
    monkeypatch.setattr(testing, "steps", lambda fast: fake[1:])
    assert cli.main(["test"]) == 0
