# SPDX-License-Identifier: GPL-2.0-only
"""Figures: one function per kind of plot, registered by name; colours for the colour-blind too."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")  # no display needed

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from reproduce.curves import CURVES
from reproduce.experiments import Experiment
from reproduce.files import replacing
from reproduce.metrics import RunOutput, aggregate_goodput
from reproduce.runs import Run
from reproduce.tables import select

# Okabe and Ito's palette without yellow (too faint for lines), and a marker each.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
HOLLOW = {"linestyle": "", "marker": "D", "markerfacecolor": "white", "color": "black"}
# Lines that are called by a colour.
NAMED = {"green": "#009E73", "yellow": "#E69F00", "red": "#D55E00"}
# Schemes that many figures have: each looks the same in all of them as far as there are colours,
# whatever experiments are added. Others take what is left.
FAMILIAR = {"DRB": 0, "RRB": 1, "AFQ": 2, "RB": 3, "DCTCP": 4, "Ideal-FQ": 5, "TCP": 6}
FAMILIAR |= {"SFQ": 0, "ECMP": 1, "MPTCP": 2}
FAMILIAR |= {"Trinity": 0, "ElasticSwitch": 1, "C-ElasticSwitch": 1, "Static reservation": 2}
FAMILIAR |= {"No protection": 3, "A-ElasticSwitch": 4}
FAMILIAR |= {"uFAB": 0, "PWC": 1, "ElasticSwitch+Clove": 2, "uFAB'": 3}
FIRST_FREE = 3  # where the search for a colour begins for all others
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

    def __init__(
        self,
        experiment: Experiment,
        runs: list[Run],
        summary: pd.DataFrame,
        drawn: dict[str, pd.DataFrame],
    ) -> None:
        self.experiment = experiment
        self.runs = runs
        self.summary = summary
        self.drawn = drawn  # by the name of the plot: what is not in the summary
        self.schemes = list(dict.fromkeys(run.scheme for run in runs))
        self.places = self._places()

    def _places(self) -> dict[str, int]:
        """The place of each scheme among the colours: its own, or the next one that is free."""

        order = list(FAMILIAR)

        def rank(scheme: str) -> int:
            label = self.label(scheme)
            return order.index(label) if label in FAMILIAR else len(order)

        places: dict[str, int] = {}
        for scheme in sorted(self.schemes, key=rank):
            place = FAMILIAR.get(self.label(scheme), FIRST_FREE)
            while place in places.values() and len(places) < len(COLOURS):
                place = (place + 1) % len(COLOURS)
            places[scheme] = place
        return places

    def colour(self, scheme: str) -> tuple[str, str]:
        """The colour and marker of a scheme."""
        i = self.places[scheme]
        return COLOURS[i], MARKERS[i]

    def label(self, scheme: str) -> str:
        """The name of a scheme as the paper writes it."""
        return self.experiment.labels.get(scheme, scheme)

    def cells(self, scheme: str, metric: str, at: Plot) -> pd.DataFrame:
        """The summary rows of a scheme and metric at fixed swept arguments."""
        rows = self.summary
        rows = rows[(rows["scheme"] == scheme) & (rows["metric"] == metric)]
        return select(rows, at).dropna(subset=["mean"])

    def printed(self, scheme: str, bar: Plot, at: Plot) -> list[float]:
        """The paper's values of a bar and of its whisker, as the claims have them."""
        return [
            claim["paper_value"]
            for claim in self.experiment.claims
            if claim["kind"] == "value"
            and claim.get("scheme") == scheme
            and claim.get("metric") in (bar["metric"], bar.get("whisker"))
            and claim.get("at", {}) == at
        ]


Draw = Callable[[Plot, Inputs], Figure]
KINDS: dict[str, Draw] = {}


def kind(name: str) -> Callable[[Draw], Draw]:
    """Registers a function as a kind of plot."""

    def register(function: Draw) -> Draw:
        KINDS[name] = function
        return function

    return register


def draw_all(inputs: Inputs, folder: Path) -> None:
    """Draws an experiment's plots as PNG files."""
    with mpl.rc_context(STYLE):
        for plot in inputs.experiment.plots:
            figure = KINDS[plot["kind"]](plot, inputs)
            # No version or date in the file: equal numbers give equal bytes.
            with replacing(folder / f"{plot['name']}.png") as part:
                figure.savefig(part, metadata={"Software": None})
            plt.close(figure)


def _finish(axes: plt.Axes, plot: Plot) -> None:
    """Titles, labels, scales and reference lines."""
    for line in plot.get("references", []):
        if "slope" in line:
            low, high = axes.get_xlim()
            x = np.geomspace(max(low, 1e-12), high) if plot.get("xlog") else [0, high]
            y = line["slope"] * np.asarray(x)
            axes.plot(x, y, color="0.45", linestyle="--", linewidth=1.2, label=line["label"])
            axes.set_xlim(low, high)
            continue
        axes.axhline(line["y"], color="0.45", linestyle="--", linewidth=1.2)
        above = line.get("above", False)
        axes.annotate(
            line["label"],
            (0.99, line["y"]),
            xycoords=("axes fraction", "data"),
            xytext=(0, 2 if above else -4),
            textcoords="offset points",
            ha="right",
            va="bottom" if above else "top",
            color="0.3",
            fontsize=8,
        )
    axes.set_title(plot["title"], loc="left", fontsize=10.5, wrap=True)
    axes.set_xlabel(plot.get("xlabel", plot.get("x", "")))
    axes.set_ylabel(plot.get("ylabel", plot.get("y", "")))
    if plot.get("ylog"):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda v, _: f"{v:g}"))
        low, high = axes.get_ylim()
        if high < 100 * low:  # else a tick or two would be all
            axes.yaxis.set_major_locator(mpl.ticker.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_formatter(mpl.ticker.NullFormatter())
    if not plot.get("ylog") or "ymin" in plot:
        axes.set_ylim(bottom=plot.get("ymin", 0))


@kind("lines")
def lines(plot: Plot, inputs: Inputs) -> Figure:
    """A metric against a swept argument, bars for the 95 % interval.

    One line per scheme, or per scheme and value of a second swept argument (`series`). With `over`,
    each scheme's number is divided by that of the scheme `over`.
    """
    figure, axes = plt.subplots(figsize=(6.2, 4.0), layout="constrained")
    for label, look, scheme, at in _families(plot, inputs):
        if "over" in plot:
            rows = inputs.drawn[plot["name"]]
            rows = rows[rows["scheme"] == scheme]
        else:
            rows = inputs.cells(scheme, plot["y"], at)
        rows = rows[rows["mean"] > 0] if plot.get("ylog") else rows
        _line(axes, rows.sort_values(plot["x"]), plot["x"], label, look)
    if plot.get("xlog"):
        axes.set_xscale("log", base=2)
    ticks = sorted(set(inputs.summary[plot["x"]]))
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    _finish(axes, plot)
    _legend_below(figure, axes)
    return figure


def _legend_below(figure: Figure, axes: plt.Axes) -> None:
    """A legend that covers no data."""
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, ncols=3, fontsize=9, loc="outside lower center")


Look = tuple[str, str]  # colour and marker


def _families(plot: Plot, inputs: Inputs) -> list[tuple[str, Look, str, Plot]]:
    """The lines of a plot: label, look, scheme and where."""
    at = plot.get("at", {})
    series = plot.get("series")
    families = []
    for scheme in (name for name in inputs.schemes if name != plot.get("over")):
        if series is None:
            families.append((inputs.label(scheme), inputs.colour(scheme), scheme, at))
            continue
        values = sorted(set(inputs.summary[series]))
        if inputs.experiment.is_reference(scheme, series):
            grey = ("0.2" if not families else "0.6", "")
            families.append((inputs.label(scheme), grey, scheme, at | {series: values[0]}))
            continue
        text = plot.get("serieslabel", series + " {}")
        for i, value in enumerate(values):
            look = (COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)])
            families.append((text.format(value), look, scheme, at | {series: value}))
    return families


def _line(axes: plt.Axes, rows: pd.DataFrame, x: str, label: str, look: Look) -> None:
    """One line with its intervals."""
    axes.errorbar(
        rows[x],
        rows["mean"],
        yerr=rows["ci95"].fillna(0),
        label=label,
        color=look[0],
        marker=look[1],
        capsize=3,
    )


@kind("curve")
def curve(plot: Plot, inputs: Inputs) -> Figure:
    """A curve of curves.py, the mean over seeds with its 95 % interval, one line per scheme."""
    figure, axes = plt.subplots(figsize=(6.2, 4.0), layout="constrained")
    table = inputs.drawn[plot["name"]]
    schemes = table["scheme"].unique()
    styles = dict(zip(schemes, itertools.cycle(["-", "--", ":", "-."]), strict=False))
    for scheme in schemes:
        families = list(table[table["scheme"] == scheme].groupby("series"))
        for i, (name, rows) in enumerate(families):
            look = inputs.colour(scheme)
            if len(families) > 1:
                look = (COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)])
            many = len(rows) > MANY_POINTS
            names = ([inputs.label(scheme)] if len(schemes) > 1 or not name else []) + [name]
            label = " ".join(names).strip()
            rows = rows[rows["mean"] > 0] if plot.get("ylog") else rows
            axes.plot(
                rows["x"],
                rows["mean"],
                label=label,
                color=look[0],
                marker="" if many else look[1],
                linestyle=styles[scheme] if len(families) > 1 else "-",
            )
            low, high = rows["mean"] - rows["ci95"], rows["mean"] + rows["ci95"]
            axes.fill_between(rows["x"], low, high, color=look[0], alpha=0.2, linewidth=0)
    if plot.get("xlog"):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(PLAIN)
        low, high = axes.get_xlim()
        axes.xaxis.set_minor_formatter(PLAIN if high < 10 * low else mpl.ticker.NullFormatter())
        if 10 * low <= high < 100 * low:  # else a tick or two would be all
            axes.xaxis.set_major_locator(mpl.ticker.LogLocator(subs=(1, 2, 5)))
    _finish(axes, plot)
    if plot["curve"].endswith("cdf"):  # an interval may be wider than a share can be
        axes.set_ylim(0, 1.02)
    _legend_below(figure, axes)
    return figure


PLAIN = mpl.ticker.FuncFormatter(lambda value, _: f"{value:,.10g}")
MANY_POINTS = 30  # of a curve: from here on without markers


@kind("bars")
def bars(plot: Plot, inputs: Inputs) -> Figure:
    """Groups of bars, one bar per scheme, each with a whisker up to a second metric.

    With `paper`, hollow marks show what the claims have as the paper's values.
    """
    figure, axes = plt.subplots(figsize=(6.8, 4.0), layout="constrained")
    width = 0.8 / max(1, len(inputs.schemes))
    place = np.arange(len(plot["bars"]))
    at = plot.get("at", {})
    printed: list[tuple[float, float]] = []
    for i, scheme in enumerate(inputs.schemes):
        means, tails = (
            [
                inputs.cells(scheme, bar[part], at | bar.get("at", {}))["mean"].max()
                if part in bar
                else np.nan
                for bar in plot["bars"]
            ]
            for part in ("metric", "whisker")
        )
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
        for where, bar in zip(x, plot["bars"], strict=True):
            values = inputs.printed(scheme, bar, at | bar.get("at", {}))
            printed += [(where, value) for value in values]
    if plot.get("paper") and printed:
        axes.plot(*zip(*printed, strict=True), label="paper", **HOLLOW)
    axes.set_xticks(place, [bar["label"] for bar in plot["bars"]])
    if plot.get("references"):  # room for their names beside the bars
        axes.set_xlim(-0.5, 1.28 * len(place) - 0.5)
    axes.grid(axis="x", visible=False)
    _finish(axes, plot)
    _legend_below(figure, axes)
    return figure


@kind("dots")
def dots(plot: Plot, inputs: Inputs) -> Figure:
    """A metric of many schemes, a line for each, bars for the 95 % interval.

    A mark for each value of a swept argument (`series`); references are upright lines.
    """
    series = plot["series"]
    height = {scheme: -i for i, scheme in enumerate(inputs.schemes)}
    figure, axes = plt.subplots(figsize=(6.8, 1.4 + 0.28 * len(height)), layout="constrained")
    for i, value in enumerate(sorted(set(inputs.summary[series]))):
        at = plot.get("at", {}) | {series: value}
        rows = pd.concat([inputs.cells(scheme, plot["y"], at) for scheme in inputs.schemes])
        axes.errorbar(
            rows["mean"],
            rows["scheme"].map(height),
            xerr=rows["ci95"].fillna(0),
            label=plot.get("serieslabel", series + " {}").format(value),
            color=COLOURS[i % len(COLOURS)],
            marker=MARKERS[i % len(MARKERS)],
            linestyle="",
            capsize=3,
        )
    for line in plot.get("references", []):
        axes.axvline(line["y"], color="0.45", linestyle="--", linewidth=1.2, label=line["label"])
    axes.set_yticks(list(height.values()), [inputs.label(scheme) for scheme in height])
    _finish(axes, plot | {"references": [], "y": "", "ymin": 0.4 - len(height)})
    axes.set_xlim(left=0)
    _legend_below(figure, axes)
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


@kind("samples")
def samples(plot: Plot, inputs: Inputs) -> Figure:
    """A curve of curves.py as one run has it, that of the first seed: one panel per scheme."""
    wanted = plot.get("at", {}).items()
    runs = [run for run in inputs.runs if wanted <= dict(run.point).items()]
    first = {run.scheme: run for run in reversed(runs)}
    count = len(inputs.schemes)
    figure, grid = plt.subplots(
        count,
        1,
        figsize=(7.6, 1.0 + 1.9 * count),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, scheme in zip(grid[:, 0], inputs.schemes, strict=True):
        table = CURVES[plot["curve"]].function(RunOutput(first[scheme].folder))
        if "window" in plot:
            table = table[table["x"].between(*plot["window"])]
        called = [NAMED[name] for name in table["series"].unique() if name in NAMED]
        others = itertools.cycle(colour for colour in COLOURS if colour not in called)
        for name, rows in table.groupby("series"):
            colour = NAMED[str(name)] if name in NAMED else next(others)
            axes.plot(rows["x"], rows["y"], label=name, color=colour, linewidth=1.2)
    for axes, scheme in zip(grid[:, 0], inputs.schemes, strict=True):
        title = f"{plot['title']}: {inputs.label(scheme)}" if count > 1 else plot["title"]
        _finish(axes, plot | {"title": title, "xlabel": ""})
    grid[-1, 0].set_xlabel(plot.get("xlabel", ""))
    handles = grid[0, 0].get_legend_handles_labels()
    figure.legend(*handles, ncols=5, fontsize=9, loc="outside lower center")
    return figure


@kind("paths")
def paths(plot: Plot, inputs: Inputs) -> Figure:
    """paths.csv of the first seed: the top switch of each packet, coloured by its first up-link."""
    first = {run.scheme: run for run in reversed(inputs.runs)}
    count = len(inputs.schemes)
    figure, grid = plt.subplots(
        1,
        count,
        figsize=(1.2 + 2.7 * count, 3.8),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, scheme in zip(grid[0], inputs.schemes, strict=True):
        ways = RunOutput(first[scheme].folder).table("paths")
        axes.plot(ways["packet"], ways["top_switch"], color="0.8", linewidth=0.7, zorder=1)
        for link in sorted(ways["uplink"].unique()):
            rows = ways[ways["uplink"] == link]
            look = {"color": COLOURS[link % len(COLOURS)], "marker": MARKERS[link % len(MARKERS)]}
            axes.scatter(rows["packet"], rows["top_switch"], s=16, label=f"up-link {link}", **look)
        axes.set_title(inputs.label(scheme), loc="left", fontsize=10.5)
        axes.set_xlabel(plot.get("xlabel", "packet"))
    grid[0, 0].set_ylabel(plot.get("ylabel", "switch"))
    figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5)
    named = {
        label: handle
        for axes in grid[0]
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    names = sorted(named)
    handles = [named[name] for name in names]
    figure.legend(handles, names, ncols=7, fontsize=9, loc="outside lower center")
    return figure


@kind("failures")
def failures(plot: Plot, inputs: Inputs) -> Figure:
    """The goodput of all hosts together over time, one line per scheme, first seed.

    Failures and repairs are lines across, dotted where the last server came to know of one. The
    second panel shows the time around the first failure.
    """
    first = {run.scheme: RunOutput(run.folder) for run in reversed(inputs.runs)}
    figure, (whole, part) = plt.subplots(
        1, 2, figsize=(10, 4.0), sharey=True, width_ratios=[2.4, 1], layout="constrained"
    )
    for scheme in inputs.schemes:
        goodput = aggregate_goodput(first[scheme])
        # A step from the beginning of each bin to its end.
        edges = np.append(goodput.index, 2 * goodput.index[-1] - goodput.index[-2])
        for axes in (whole, part):
            colour, _ = inputs.colour(scheme)
            axes.stairs(
                goodput, edges, baseline=None, label=inputs.label(scheme), color=colour, lw=1.4
            )
    found = [output.manifest for output in first.values()]
    events = next(iter(first.values())).table("events")
    for axes in (whole, part):
        for event in events.itertuples():
            axes.axvline(event.time_s, color="0.35", linewidth=1)
            if axes is whole:
                state = "fails" if event.event.startswith("fail") else "repaired"
                axes.annotate(
                    f"{event.details} {state}", (event.time_s, 0.02),
                    xycoords=("data", "axes fraction"), xytext=(9, 0),
                    textcoords="offset points", fontsize=8, color="0.3",
                )  # fmt: skip
        for one in found:
            for time in _times(one, "change", "_last_server_told_s"):
                axes.axvline(time, color="0.35", linewidth=1, linestyle=":")
    _finish(whole, plot)
    _finish(part, plot | {"title": "Dotted: all servers know", "ylabel": ""})
    start = events["time_s"].iloc[0]
    part.set_xlim(start - start / 8, start + start / 4)
    handles = whole.get_legend_handles_labels()
    figure.legend(*handles, ncols=3, fontsize=9, loc="outside lower center")
    return figure


def _times(manifest: dict[str, Any], prefix: str, suffix: str) -> list[float]:
    """The numbered results of a name, such as change1_s, change2_s."""
    found = manifest["results"]
    return [v for k, v in found.items() if k.startswith(prefix) and k.endswith(suffix) and v]
