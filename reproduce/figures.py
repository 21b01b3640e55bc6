# SPDX-License-Identifier: GPL-2.0-only
"""Figures: one function per kind of plot, registered by name; colours for the colour-blind too."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")  # no display needed

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduce.experiments import Experiment, load_all
from reproduce.metrics import RunOutput
from reproduce.runs import Run

# Okabe and Ito's palette without yellow (too faint for lines), and a marker each.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
STYLE = {
    "figure.dpi": 150,
    "font.size": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.alpha": 0.35,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
}
Plot = dict[str, Any]


class Inputs:
    """What a plot draws from."""

    def __init__(self, experiment: Experiment, runs: list[Run], summary: pd.DataFrame) -> None:
        self.experiment = experiment
        self.runs = runs
        self.summary = summary
        self.schemes = list(dict.fromkeys(run.scheme for run in runs))
        # A scheme looks the same in every figure: its place among all schemes decides.
        everywhere = [name for known in load_all() for name in known.schemes]
        self.styles = list(dict.fromkeys([*everywhere, *self.schemes]))

    def colour(self, scheme: str) -> tuple[str, str]:
        """The colour and marker of a scheme."""
        i = self.styles.index(scheme)
        return COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]

    def label(self, scheme: str) -> str:
        """The name of a scheme as the paper writes it."""
        return self.experiment.labels.get(scheme, scheme)

    def cells(self, scheme: str, metric: str, at: Plot) -> pd.DataFrame:
        """The summary rows of a scheme and metric at fixed swept arguments."""
        rows = self.summary
        rows = rows[(rows["scheme"] == scheme) & (rows["metric"] == metric)]
        for argument, value in at.items():
            rows = rows[rows[argument] == value]
        return rows.dropna(subset=["mean"])


KINDS: dict[str, Callable[[Plot, Inputs], Figure]] = {}


def kind(
    name: str,
) -> Callable[[Callable[[Plot, Inputs], Figure]], Callable[[Plot, Inputs], Figure]]:
    """Registers a function as a kind of plot."""

    def register(function: Callable[[Plot, Inputs], Figure]) -> Callable[[Plot, Inputs], Figure]:
        KINDS[name] = function
        return function

    return register


def draw_all(experiment: Experiment, runs: list[Run], summary: pd.DataFrame, folder: Path) -> None:
    """Draws an experiment's plots as PNG files."""
    inputs = Inputs(experiment, runs, summary)
    with mpl.rc_context(STYLE):
        for plot in experiment.plots:
            figure = KINDS[plot["kind"]](plot, inputs)
            # No version or date in the file: equal numbers give equal bytes.
            figure.savefig(folder / f"{plot['name']}.png", metadata={"Software": None})
            plt.close(figure)


def _finish(axes: plt.Axes, plot: Plot) -> None:
    """Titles, labels, scales and reference lines."""
    for line in plot.get("references", []):
        axes.axhline(line["y"], color="0.45", linestyle="--", linewidth=1.2)
        axes.annotate(
            line["label"],
            (0.99, line["y"]),
            xycoords=("axes fraction", "data"),
            xytext=(0, -4),
            textcoords="offset points",
            ha="right",
            va="top",
            color="0.3",
            fontsize=8,
        )
    axes.set_title(plot["title"], loc="left", fontsize=10.5, wrap=True)
    axes.set_xlabel(plot.get("xlabel", plot.get("x", "")))
    axes.set_ylabel(plot.get("ylabel", plot.get("y", "")))
    if plot.get("ylog"):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda v, _: f"{v:g}"))
    if not plot.get("ylog") or "ymin" in plot:
        axes.set_ylim(bottom=plot.get("ymin", 0))


@kind("lines")
def lines(plot: Plot, inputs: Inputs) -> Figure:
    """A metric against a swept argument, one line per scheme, bars for the 95 % interval."""
    figure, axes = plt.subplots(figsize=(6.2, 3.8), layout="constrained")
    for scheme in inputs.schemes:
        rows = inputs.cells(scheme, plot["y"], plot.get("at", {})).sort_values(plot["x"])
        colour, marker = inputs.colour(scheme)
        axes.errorbar(
            rows[plot["x"]],
            rows["mean"],
            yerr=rows["ci95"].fillna(0),
            label=inputs.label(scheme),
            color=colour,
            marker=marker,
            capsize=3,
        )
    if plot.get("xlog"):
        axes.set_xscale("log", base=2)
    ticks = sorted(set(inputs.summary[plot["x"]]))
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    _finish(axes, plot)
    axes.legend()
    return figure


@kind("bars")
def bars(plot: Plot, inputs: Inputs) -> Figure:
    """Groups of bars, one bar per scheme, each with a whisker up to a second metric."""
    figure, axes = plt.subplots(figsize=(6.8, 4.0), layout="constrained")
    width = 0.8 / max(1, len(inputs.schemes))
    place = np.arange(len(plot["bars"]))
    at = plot.get("at", {})
    for i, scheme in enumerate(inputs.schemes):
        means = [inputs.cells(scheme, bar["metric"], at)["mean"].max() for bar in plot["bars"]]
        tails = [
            inputs.cells(scheme, bar["whisker"], at)["mean"].max() if "whisker" in bar else np.nan
            for bar in plot["bars"]
        ]
        up = np.nan_to_num(np.maximum(np.array(tails, float) - np.array(means, float), 0))
        x = place + (i - (len(inputs.schemes) - 1) / 2) * width
        axes.bar(
            x,
            means,
            width * 0.92,
            yerr=[np.zeros(len(up)), up],
            label=inputs.label(scheme),
            color=inputs.colour(scheme)[0],
            capsize=3,
            error_kw={"linewidth": 1.2, "ecolor": "0.25"},
        )
    axes.set_xticks(place, [bar["label"] for bar in plot["bars"]])
    axes.grid(axis="x", visible=False)
    _finish(axes, plot)
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, ncols=3, fontsize=9, loc="outside lower center")
    return figure


@kind("timeseries")
def timeseries(plot: Plot, inputs: Inputs) -> Figure:
    """rates.csv of the first seed: the rate of each group over time, one panel per scheme."""
    first = {run.scheme: run for run in reversed(inputs.runs)}
    count = len(inputs.schemes)
    figure, grid = plt.subplots(
        count,
        1,
        figsize=(6.8, 1.2 + 2.1 * count),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, scheme in zip(grid[:, 0], inputs.schemes, strict=True):
        rates = RunOutput(first[scheme].folder).table("rates")
        for i, (group, rows) in enumerate(rates.groupby("group")):
            colour = COLOURS[i % len(COLOURS)]
            sent = rows.loc[rows["rate_bps"] > 0].index
            rows = rows.loc[sent.min() : sent.max()] if len(sent) else rows
            axes.plot(
                rows["time_s"], rows["rate_bps"] / 1e9, label=f"flow {group + 1}", color=colour
            )
    # The panels share the axis, whose range is known only now that every line is drawn.
    for axes, scheme in zip(grid[:, 0], inputs.schemes, strict=True):
        _finish(axes, plot | {"title": f"{plot['title']}: {inputs.label(scheme)}", "xlabel": ""})
    grid[-1, 0].set_xlabel(plot.get("xlabel", "time (s)"))
    figure.legend(
        *grid[0, 0].get_legend_handles_labels(), ncols=5, fontsize=9, loc="outside lower center"
    )
    return figure
