# SPDX-License-Identifier: GPL-2.0-only
"""Rows of an experiment that are another program's."""

import pytest
from conftest import EXPERIMENT, Project

GIVEN = EXPERIMENT | {
    "id": "given",
    "headline": False,
    "sweep": {"load": [0.3], "simulator": ["ours", "other"]},
    "given": {"simulator": ["other"]},
    "plots": [],
    "claims": {
        "given-c1": {
            "sentence": "fast is as fast in the other program",
            "source": "nowhere",
            "scheme": "fast",
            "metric": "all_mean",
            "equal": [{"at": {"simulator": "ours"}}, {"at": {"simulator": "other"}}],
        },
    },
}
HEAD = "# made by hand\nsimulator,load,scheme,seed,all_mean\n"


def give(project: Project, text: str) -> None:
    """Stores the experiment and what is given."""
    project.write(GIVEN)
    (project.home / "experiments" / "given").mkdir()
    (project.home / "experiments" / "given" / "given.csv").write_text(text)


@pytest.mark.slow
def test_given_rows_stand_beside_runs(project: Project) -> None:
    rows = [f"other,0.3,fast,{seed},7" for seed in (1, 2, 3)]
    give(project, HEAD + "\n".join([*rows, "other,0.9,fast,1,8", "third,0.3,fast,1,9"]) + "\n")
    done = project.repro("run", "given", "--no-build")
    assert done.returncode == 0, done.stderr
    assert len(project.executions()) == 4  # two schemes, two seeds, nothing of the other program
    table = (project.home / "results" / "quick" / "given" / "runs.csv").read_text().splitlines()
    assert [line.split(",")[:4] for line in table[1:]] == [
        *(["slow", "0.3", "ours", "1"], ["slow", "0.3", "ours", "2"]),
        *(["fast", "0.3", "ours", "1"], ["fast", "0.3", "ours", "2"]),
        *(["fast", "0.3", "other", "1"], ["fast", "0.3", "other", "2"]),
    ]
    checked = project.repro("check", "given", "--no-build")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("load,scheme,seed\n", "experiments/given/given.csv has no column 'simulator'"),
        ("", "experiments/given/given.csv cannot be read: No columns to parse from file"),
    ],
)
@pytest.mark.slow
def test_given_rows_that_cannot_be_read_are_one_line(
    project: Project, text: str, error: str
) -> None:
    give(project, text)
    done = project.repro("run", "given", "--no-build")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"./repro: {error}"


def test_given_values_must_be_swept(project: Project) -> None:
    project.write(GIVEN | {"given": {"simulator": ["third"], "loaf": [1]}})
    done = project.repro("run", "given", "--no-build")
    assert done.returncode == 1
    assert "given: names 2 things: simulator, loaf; allowed: one" in done.stderr
    project.write(GIVEN | {"given": {"simulator": ["third"]}})
    done = project.repro("run", "given", "--no-build")
    assert "unknown value of simulator 'third'; allowed: other, ours" in done.stderr
