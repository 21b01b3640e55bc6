# SPDX-License-Identifier: GPL-2.0-only
"""./repro compare: ratios paired by seed, with the rules of papers' claims."""

import json
from pathlib import Path

import pandas as pd
import pytest
from conftest import Project

from reproduce.compare import compare, draw, text, unfinished
from reproduce.errors import UserError


def table(**schemes: list[float]) -> pd.DataFrame:
    """A number for each scheme and seed."""
    rows = [
        {"scheme": scheme, "seed": seed, "fct_mean_ns_all": value, "name": "x", "drops": 0}
        for scheme, values in schemes.items()
        for seed, value in enumerate(values, 1)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("other", "outcome"),
    [
        ([2, 20, 200], "lower"),  # paired: each seed has the same ratio
        ([0.5, 5, 50], "higher"),
        ([1.01, 10.1, 101], "lower"),  # a small one, but of every seed
        ([1.0, 10.0, 100.05], "the same, within 5 %"),
        ([1, 30, 20], "undecided (could have seen x "),
    ],
)
def test_schemes_are_compared_seed_by_seed(other: list[float], outcome: str) -> None:
    (row,) = compare(table(a=[1, 10, 100], b=other), "a", ["b"], [])
    assert row.outcome.startswith(outcome)
    assert (row.metric, row.scheme, row.over, row.seeds) == ("fct_mean_ns_all", "a", "b", 3)
    assert row.interval and row.ratio and row.interval[0] <= row.ratio <= row.interval[1]


def test_values_of_zero_have_no_ratio() -> None:
    (row,) = compare(table(a=[1, 2, 3], b=[2, 4, 6]), "a", ["b"], ["drops"])
    assert (row.ratio, row.interval, row.outcome) == (None, None, "the same, within 5 %")


def test_a_metric_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="unknown metric 'fct_men\\*'; allowed: fct_mean_ns_all"):
        compare(table(a=[1, 2, 3], b=[2, 4, 6]), "a", ["b"], ["fct_men*"])


def test_every_other_scheme_has_its_lines_and_its_picture(tmp_path: Path) -> None:
    rows = compare(table(a=[1, 2, 3], b=[2, 4, 6.2], c=[1, 2, 3.1]), "a", ["b", "c"], [])
    lines = text(rows).splitlines()
    assert lines[0].startswith("a over b, 3 seeds") and lines[2].startswith("a over c, 3 seeds")
    assert "x 0.495" in lines[1] and lines[1].endswith("lower")
    draw(rows, tmp_path / "new" / "a.png")
    assert (tmp_path / "new" / "a.png").read_bytes()[:4] == b"\x89PNG"


def test_flows_that_did_not_finish_are_told() -> None:
    results = table(a=[1, 2, 3], b=[2, 4, 6]).assign(flows_started=10, flows_unfinished=0)
    assert unfinished(results) == []
    results.loc[results["scheme"] == "b", "flows_unfinished"] = 2
    assert unfinished(results) == ["b: 6 of 30 flows did not finish; times are of the others"]


def test_a_picture_has_a_known_form(tmp_path: Path) -> None:
    rows = compare(table(a=[1, 2, 3], b=[2, 4, 7]), "a", ["b"], [])
    with pytest.raises(UserError, match=r"no picture; allowed: .*png"):
        draw(rows, tmp_path / "x.txt")
    assert list(tmp_path.iterdir()) == []


def test_the_verb(project: Project) -> None:
    words = ["compare", "fast", "slow", "odd", "--scenario", "fake", "--seeds", "3", "--no-build"]
    done = project.repro(*words, "--json", "--", "--load=0.7")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    over = {row["over"]: row for row in rows if row["metric"] == "fct_mean_ns_all"}
    assert over["slow"]["ratio"] == pytest.approx(1 / 3)
    assert over["odd"]["outcome"] == "lower"
    assert (project.home / "out/compare/fast.png").exists()
    assert len(project.executions()) == 9
    assert project.repro(*words, "--", "--load=0.7").stdout.startswith("fast over slow, 3 seeds")
    assert len(project.executions()) == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fast", "fast"], "'fast' with itself"),
        (["fast", "slow", "--seeds", "2"], "--seeds=2 decides nothing; allowed: from 3 on"),
        (["fast", "slow", "--", "load"], "'load' is not allowed; allowed: --NAME=VALUE"),
        (["fast", "slow", "--", "--scheme=a"], "schemes are named before --"),
        (["fast"], "OTHER"),
    ],
)
def test_mistakes_are_one_line(project: Project, words: list[str], said: str) -> None:
    done = project.repro("compare", *words)
    assert done.returncode == 1
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_an_unknown_scheme_is_told_before_anything_runs(project: Project) -> None:
    words = ("compare", "fast", "slew", "--scenario", "fake", "--seeds", "3", "--no-build")
    done = project.repro(*words, "--", "--load=0.7")
    assert done.returncode == 1
    assert done.stderr == (
        "./repro: fake: --scheme = 'slew': no scheme is called 'slew', only slow, fast, odd\n"
    )
    assert (project.executions(), len(project.checks())) == ([], 2)
