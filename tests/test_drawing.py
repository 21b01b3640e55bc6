# SPDX-License-Identifier: GPL-2.0-only
"""./repro draw: figures from the tables of results, and whether they are what is drawn."""

import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import EXPERIMENT, Project
from PIL import Image, ImageDraw

NAMES = ["classes", "mean", "printed"]
FIGURES = [f"{name}.png" for name in NAMES]


@pytest.fixture
def project(finished: Project) -> Project:
    """A project that has results."""
    return finished


@pytest.fixture
def home(project: Project) -> Path:
    """The results of a finished run, without the run."""
    for path in (project.home / "runs").rglob("*.csv"):
        path.unlink()
    return project.home / "results" / "quick" / "tiny"


def test_figures_come_from_tables_alone(project: Project, home: Path) -> None:
    before = {name: (home / name).read_bytes() for name in FIGURES}
    for words in (["draw"], ["draw", "--check", "tiny"]):
        for name in FIGURES:
            (home / name).unlink()
        done = project.repro(*words)
        assert done.returncode == 0, done.stderr
        assert {name: (home / name).read_bytes() for name in FIGURES} == before
    assert project.repro("draw", "--check", "tiny").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_svg_and_pdf_on_request(project: Project, home: Path, form: str) -> None:
    done = project.repro("draw", "tiny", "--format", form)
    folder = project.home / "out" / "figures" / "quick" / "tiny"
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == [f"{name}.{form}" for name in NAMES], done.stderr
    first = [path.read_bytes() for path in files]
    assert all(len(content) > 1000 for content in first)
    again = project.repro("draw", "tiny", "--format", form, "--out", "mine")
    assert again.returncode == 0, again.stderr
    assert [(project.home / "mine" / "tiny" / p.name).read_bytes() for p in files] == first


def stale(project: Project) -> str:
    """The answer of the check to figures that are not those drawn."""
    done = project.repro("draw", "--check")
    assert done.returncode == 1
    return done.stdout


def test_a_stale_figure_is_found(project: Project, home: Path) -> None:
    picture = Image.open(home / "mean.png").convert("RGB")
    ImageDraw.Draw(picture).line([(200, 200), (230, 210)], fill="pink")
    picture.save(home / "mean.png")
    assert stale(project).splitlines() == [
        "results/quick/tiny/mean.png is not what its tables give: ./repro draw tiny"
    ]
    assert project.repro("draw").returncode == 0
    table = home / "runs.csv"
    pd.read_csv(table).assign(all_mean=99).to_csv(table, index=False)
    assert "mean.png is not what" in stale(project)


def test_nothing_is_drawn_of_a_table_that_was_cut(project: Project, home: Path) -> None:
    table = home / "runs.csv"
    whole = table.read_text().splitlines(keepends=True)
    for kept in (whole[:1], whole[:-1]):
        table.write_text("".join(kept))
        done = project.repro("draw", "tiny")
        assert done.returncode == 1
        said = (
            r"\./repro: results/quick/tiny/runs.csv has no row of .*; \./repro run tiny makes it\n"
        )
        assert re.fullmatch(said, done.stderr)
        (said,) = stale(project).splitlines()
        assert "has no row of" in said
    table.write_text("".join([*whole, whole[-1]]))
    assert "has two rows of" in project.repro("draw", "tiny").stderr


def test_another_title_left_over_figures_and_lost_tables_are_found(
    project: Project, home: Path
) -> None:
    plots = [EXPERIMENT["plots"][0] | {"title": "Another"}]
    project.write(EXPERIMENT | {"plots": plots})
    (home / "former.csv").write_text("scheme,x,mean\n")
    said = stale(project)
    assert "mean.png is not what" in said
    for name in ("classes.png", "former.csv"):
        assert f"{name} is of no plot of tiny: remove it" in said
    (home / "runs.csv").rename(home / "kept.csv")
    done = project.repro("draw", "tiny")
    assert done.returncode == 1
    assert done.stderr.strip().endswith("./repro run tiny --profile quick")
    (home / "kept.csv").rename(home / "runs.csv")
    curve = {"name": "sizes", "kind": "curve", "curve": "fct-by-size", "title": "Sizes"}
    project.write(EXPERIMENT | {"plots": [curve]})
    assert "sizes.csv is missing: ./repro run tiny makes it" in stale(project)


def test_the_check_takes_no_other_format(project: Project) -> None:
    done = project.repro("draw", "--check", "--format", "svg")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
