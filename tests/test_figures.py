# SPDX-License-Identifier: GPL-2.0-only
"""Figures drawn from tables small enough to say where each mark is."""

from typing import Any

import pandas as pd
import pytest
from matplotlib import pyplot as plt

from reproduce import figures
from reproduce.experiments import Experiment
from reproduce.runs import Run

CLAIMS = [
    {"kind": kind, "scheme": "new", "metric": metric, "paper_value": value, "at": {"load": load}}
    for kind, metric, value, load in [
        ("value", "fct", 7.0, 1),
        ("value", "tail", 9.0, 1),
        ("value", "fct", 8.0, 2),
        ("bound", "fct", 6.0, 1),
    ]
]


def inputs(labels: dict[str, str] | None = None) -> figures.Inputs:
    """Two schemes at two loads: `old` 10 and 20, `new` 5 and 15."""
    rows = [
        {"scheme": scheme, "load": load, "metric": "fct", "mean": mean, "ci95": 1.0, "seeds": 2}
        for scheme, load, mean in [("old", 1, 10), ("old", 2, 20), ("new", 1, 5), ("new", 2, 15)]
    ]
    schemes: dict[str, Any] = {"old": "tcp", "new": "dctcp"}
    experiment = Experiment(
        "one", "A paper", "Title", "fct", schemes, [], {}, CLAIMS, labels=labels or {}
    )
    runs = [Run("one", "quick", "fct", scheme, (), 1, (), 1, "home") for scheme in schemes]
    return figures.Inputs(experiment, runs, pd.DataFrame(rows), {})


def marks(label: str) -> list[tuple[float, float]]:
    """Where the marks of a name are, in the figure drawn last."""
    handles, labels = plt.gca().get_legend_handles_labels()
    handle = dict(zip(labels, handles, strict=True))[label]
    line = handle if hasattr(handle, "get_xydata") else handle.lines[0]
    return [(float(x), float(y)) for x, y in line.get_xydata()]


def test_bars_show_what_the_claims_have_as_the_papers_values() -> None:
    bar = {"label": "1", "metric": "fct", "whisker": "tail", "at": {"load": 1}}
    figures.bars({"title": "", "paper": True, "bars": [bar]}, inputs())
    assert marks("paper") == [(pytest.approx(0.2), 7.0), (pytest.approx(0.2), 9.0)]
    plt.close()


def test_dots_stand_in_the_line_of_their_scheme() -> None:
    figures.dots({"title": "", "y": "fct", "series": "load"}, inputs())
    assert marks("load 1") == [(10, 0), (5, -1)]
    assert marks("load 2") == [(20, 0), (15, -1)]
    plt.close()


def test_familiar_schemes_keep_their_colours() -> None:
    drawn = inputs({"new": "Trinity", "old": "ElasticSwitch"})
    assert drawn.colour("new")[0] == figures.COLOURS[0]
    assert drawn.colour("old")[0] == figures.COLOURS[1]
