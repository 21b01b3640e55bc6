# SPDX-License-Identifier: GPL-2.0-only
"""./repro test: which steps there are, what --fast leaves out, and that a failure is told."""

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
    for what in ("sanitizers", "ns-3 3.42", "fuzzed", "figures and documents"):
        assert what in left_out


@pytest.mark.parametrize("fast", [True, False])
def test_slow_tests_are_left_out_by_fast_alone(monkeypatch: pytest.MonkeyPatch, fast: bool) -> None:
    called: list[str] = []
    monkeypatch.setattr(testing, "_call", lambda command: called.append(" ".join(command)))
    steps = dict(testing.steps(fast))
    steps["Python tests"]()
    steps["Python tests that build"]()
    assert [" and not slow" in command for command in called] == [fast, fast]
    # What builds in this clone runs alone, and each test runs in one of the steps.
    others, builds = called
    assert "-m not xdist_group" in others and " -n " in others
    assert "-m xdist_group" in builds and " -n " not in builds


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
