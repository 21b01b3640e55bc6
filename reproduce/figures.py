# SPDX-License-Identifier: GPL-2.0-only
"""Figures: one function per kind of plot, registered by name, drawn from the tables of results.

Whiskers and bands are 95 % intervals over seeds, and nothing else is; an arrow says that one goes
on beyond the axes. Hollow marks are what the paper prints, taken from the claims. How a scheme
looks is in styles.py; a line that lies on another has another dash.
"""

import io
import itertools
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl

mpl.use("Agg")  # no display needed

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import ticker
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from reproduce import claim_tables, printed, styles, tables
from reproduce.errors import UserError
from reproduce.experiments import Experiment
from reproduce.files import replacing
from reproduce.printed import GIVEN_BY, PLACED, Printed, PrintedAt
from reproduce.statements import Claim, Quantity, Side
from reproduce.styles import COLOURS, PALETTE, Style
from reproduce.tables import select

FORMATS = ("png", "svg", "pdf")
HOLLOW = {"linestyle": "None", "markerfacecolor": "white", "markersize": 6}
GIVEN = {"paper": "D", "theory": "o", "expected": "o"}  # a paper's number has a mark of its own
HOLLOW |= {"markeredgewidth": 1.5, "zorder": 4}
# Of a second metric on a bar, such as a 99th percentile.
MARK = {"linestyle": "None", "marker": "v", "markersize": 7, "markeredgecolor": "black"}
WHISKER = {"capsize": 3, "elinewidth": 1.2}
REFERENCE = {"color": "0.45", "linestyle": "--", "linewidth": 1.2, "zorder": 1.5}
# Lines that are called by a colour.
NAMED = {"green": PALETTE["green"], "yellow": PALETTE["orange"], "red": PALETTE["vermilion"]}
STYLE = {
    "figure.dpi": 150,
    "font.size": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.alpha": 0.35,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.hashsalt": "suite",  # equal numbers give equal files
}
Plot = dict[str, Any]


@dataclass(frozen=True)
class Inputs:
    """The tables from which the plots of an experiment are drawn."""

    experiment: Experiment
    summary: pd.DataFrame
    drawn: dict[str, pd.DataFrame]  # by the name of the plot: what the runs do not have
    claims: tuple[Claim, ...] = ()  # about the experiment
    runs: pd.DataFrame | None = None  # the table of runs
    shown: set[tuple[str, str, int]] = field(default_factory=set)  # numbers that figures have shown

    @classmethod
    def read(cls, experiment: Experiment, profile: str, folder: Path) -> "Inputs":
        """The tables in a folder of results."""
        runs = tables.read_runs(folder / "runs.csv", experiment, profile)
        summary = tables.summary(runs, tables.index_columns(experiment, profile))
        drawn = {}
        for plot in experiment.plots:
            path = folder / f"{plot['name']}.csv"
            if plot["kind"] == "curve" or plot["kind"] in tables.SINGLE or "over" in plot:
                drawn[plot["name"]] = tables.read_drawn(plot, path, experiment, profile)
        claims = tuple(
            claim for claim in claim_tables.every_claim() if claim.experiment == experiment.id
        )
        return cls(experiment, summary, drawn, claims, runs)

    @cached_property
    def schemes(self) -> list[str]:
        """In the order of the experiment."""
        return list(dict.fromkeys(self.summary["scheme"]))

    @cached_property
    def styles(self) -> dict[str, Style]:
        """The style of each scheme."""
        found = styles.styles(map(self.label, self.schemes))
        return {scheme: found[self.label(scheme)] for scheme in self.schemes}

    def values(self, argument: str) -> list[Any]:
        """The values of a swept argument: numbers in their order, others in the experiment's."""
        values = list(dict.fromkeys(self.summary[argument]))
        return values if isinstance(values[0], str) else sorted(values)

    def label(self, scheme: str) -> str:
        """The name of a scheme as the paper writes it."""
        return self.experiment.labels.get(scheme, scheme)

    def sample(self, plot: Plot) -> str:
        """Of how many runs a plot, or the figure of printed numbers, is."""
        if plot.get("kind") in tables.SINGLE:
            return "one run, the first seed" if self.experiment.random else "one run"
        drawn = self.drawn.get(plot.get("name", ""), self.summary)
        seeds = drawn["seeds"][drawn["seeds"] > 0].astype(int)  # else not measured
        if not self.experiment.random or seeds.max() == 1:
            return "one run" if not self.experiment.random else "one seed"
        numbers = " to ".join(map(str, sorted({seeds.min(), seeds.max()})))
        return f"{numbers} seeds, intervals of 95 %"

    def cells(self, scheme: str, metric: str, at: Plot) -> pd.DataFrame:
        """The summary rows of a scheme and metric at fixed swept arguments."""
        rows = self._measured.get((scheme, metric))
        return self.summary[:0] if rows is None else select(rows, at)

    @cached_property
    def _measured(self) -> dict[tuple[str, str], pd.DataFrame]:
        """The summary by scheme and metric, without what was not measured."""
        known = self.summary.dropna(subset=["mean"])
        return dict(iter(known.groupby(["scheme", "metric"], sort=False)))

    def number(self, scheme: str, metric: str | None, at: Plot) -> pd.Series:
        """The mean and the interval of a scheme's metric; nothing if there is none."""
        rows = self.cells(scheme, metric, at) if metric else self.summary[:0]
        largest = rows.sort_values("mean")[["mean", "ci95"]].iloc[-1:]
        return largest.iloc[0] if len(largest) else pd.Series({"mean": np.nan, "ci95": np.nan})

    @cached_property
    def marks(self) -> list[PrintedAt]:
        """Every number that the claims print, at each of its places."""
        return list(printed.marks(self.claims))

    def printed(self, cell: pd.DataFrame) -> list[Printed]:
        """The paper's values of a row of the summary."""
        placed = (mark for mark in self.marks if mark.number.quantity in PLACED)
        return sorted({self.note(mark) for mark in placed if self._is_of(mark, cell)})

    def note(self, mark: PrintedAt) -> Printed:
        """Notes that a figure shows a claim's printed number."""
        self.shown.add(mark.key)
        return mark.printed

    def printed_ratios(self, plot: Plot, scheme: str) -> list[tuple[float, Printed]]:
        """The paper's ratios over the scheme `over` of a plot, where measured: place, value."""
        measured = set(self.drawn[plot["name"]][plot["x"]])
        wanted = Side(scheme, plot["y"], over=Side(plot["over"], plot["y"]))
        found = set()
        for mark in self.marks:
            at = dict(mark.place)
            place = at.pop(plot["x"], None)
            if mark.number.quantity is not Quantity.RATIO or replace(mark.side, at={}) != wanted:
                continue
            if place in measured and at == plot.get("at", {}):
                found.add((place, self.note(mark)))
        return sorted(found)

    def named(self, wanted: Plot) -> Printed:
        """The number that a plot names by what it is of."""
        over = {"over": Side(wanted["over"], wanted["metric"])} if "over" in wanted else {}
        side = Side(wanted["scheme"], wanted["metric"], **over)
        at = wanted.get("at", {})
        for mark in self.marks:
            if replace(mark.side, at={}) == side and at.items() <= mark.place.items():
                return self.note(mark)
        where = side.named(at)
        raise UserError(f"experiments/{self.experiment.id}.yaml: no claim has a number of {where}")

    def _is_of(self, mark: PrintedAt, cell: pd.DataFrame) -> bool:
        """True if a number is of this row and no other."""
        if mark.side.over or len(cell) != 1:
            return False
        if not set(mark.place) <= set(self.summary):  # not swept in this profile
            return False
        rows = self.cells(mark.side.scheme, mark.side.metric, mark.place)
        return list(rows.index) == list(cell.index)


class Mark(NamedTuple):
    """The place in a figure of a number: a range from one place to the other."""

    x: float
    y: float
    colour: str
    by: str = "paper"
    end: tuple[float, float] | None = None

    @classmethod
    def upright(cls, x: float, number: Printed, colour: str) -> "Mark":
        """A number on the vertical axis."""
        return cls(x, number.low, colour, number.by, (x, number.high))

    @classmethod
    def level(cls, y: float, number: Printed, colour: str) -> "Mark":
        """A number on the horizontal axis."""
        return cls(number.low, y, colour, number.by, (number.high, y))

    @property
    def ends(self) -> list[tuple[float, float]]:
        """One place, or both of a range."""
        return list(dict.fromkeys([(self.x, self.y), self.end or (self.x, self.y)]))


Draw = Callable[[Plot, Inputs], Figure]
KINDS: dict[str, Draw] = {}


def kind(name: str) -> Callable[[Draw], Draw]:
    """Registers a function as a kind of plot."""

    def register(function: Draw) -> Draw:
        KINDS[name] = function
        return function

    return register


def rendered(inputs: Inputs, form: str = "png") -> Iterator[tuple[str, bytes]]:
    """The name and the file of each of an experiment's plots."""
    for plot in inputs.experiment.plots:
        with mpl.rc_context(STYLE):
            figure = KINDS[plot["kind"]](plot, inputs)
            yield plot["name"], _file(finished(figure, inputs.sample(plot)), form)
    random, labels = inputs.experiment.random, inputs.experiment.labels
    if rows := printed.rows(inputs.claims, inputs.runs, random, inputs.shown, labels):
        with mpl.rc_context(STYLE):
            yield printed.NAME, _file(finished(multiples(rows), inputs.sample({})), form)


def _file(figure: Figure, form: str) -> bytes:
    # No version or date in the file: equal numbers give equal bytes.
    undated = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    file = io.BytesIO()
    figure.savefig(file, format=form, metadata=undated[form])
    plt.close(figure)
    return file.getvalue()


def multiples(rows: list[printed.Row]) -> Figure:
    """Ours over the paper's, a line for each number: hollow marks at 1, grey what counts as met."""
    height = 0.2 + 0.12 * max(row.label.count("\n") for row in rows)
    figure, axes = plt.subplots(figsize=(8.6, 1.4 + height * len(rows)), layout="constrained")
    looks = {"within": ("green", "o"), "overlaps": ("orange", "D"), "off": ("vermilion", "s")}
    for y, row in enumerate(rows):
        low, high = row.allowed
        axes.barh(y, high - low, 0.7, low, color="0.9", label="counts as within")
        colour, marker = looks[row.verdict]
        x, below, above = zip(*row.ours, strict=True)
        axes.errorbar(
            x,
            [y] * len(x),
            xerr=[np.subtract(x, below), np.subtract(above, x)],
            color=PALETTE[colour],
            marker=marker,
            linestyle="",
            label=f"ours, {row.verdict}",
            zorder=5,  # within a hollow mark, if it is the same
            markersize=4,
            **WHISKER,
        )
    _paper_marks(
        axes,
        [Mark.level(y, Printed(row.low, row.high, row.by), "black") for y, row in enumerate(rows)],
    )
    seen = [end for row in rows for end in (*row.allowed, *(mean for mean, _, _ in row.ours))]
    if min(seen) > 0 and max(seen) > 4 * min(seen):
        axes.set_xscale("log")
        axes.set_xlim(min(seen) / 1.3, max(seen) * 1.3)
    axes.set_yticks(range(len(rows)), [row.label for row in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("ours / " + " or ".join(dict.fromkeys(row.by for row in rows)))
    figure.suptitle(printed.TITLE, x=0.01, ha="left", fontsize=10.5)
    _legend_of_all(figure, [axes])
    return figure


def draw_all(inputs: Inputs, folder: Path, form: str = "png") -> list[Path]:
    """Draws an experiment's plots as files."""
    files = []
    for name, content in rendered(inputs, form):
        files.append(folder / f"{name}.{form}")
        with replacing(files[-1]) as part:
            part.write_bytes(content)
    return files


# ---- What all kinds have: axes, legends, the paper's marks ----


def _plain(value: float, _: object = None) -> str:
    """A number without an exponent."""
    text = f"{value:,.10f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


PLAIN = ticker.FuncFormatter(_plain)


def log_ticks(axis: mpl.axis.Axis) -> None:
    """Plain numbers, as many as can be read."""
    low, high = sorted(axis.get_view_interval())
    axis.set_major_formatter(PLAIN)
    if high < 10 * low:
        axis.set_major_locator(ticker.LogLocator(subs=range(1, 10)))
        axis.set_minor_formatter(ticker.NullFormatter())
        if high < 3 * low:
            axis.set_major_locator(ticker.MaxNLocator(6))
        return
    if high < 300 * low:  # else a tick or two would be all
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_minor_formatter(ticker.NullFormatter())


def _finish(axes: plt.Axes, plot: Plot) -> None:
    """Titles, labels, scales and reference lines."""
    for line in plot.get("references", []):
        if "slope" in line:
            (low, high), heights = axes.get_xlim(), axes.get_ylim()
            x = np.geomspace(max(low, 1e-12), high) if plot.get("xlog") else [0, high]
            y = line["slope"] * np.asarray(x)
            axes.plot(x, y, color="0.45", linestyle="--", linewidth=1.2, label=line["label"])
            axes.set_xlim(low, high)
            axes.set_ylim(heights)
            continue
        axes.axhline(line["y"], **REFERENCE)
        axes.annotate(  # beside the axes, where it covers nothing
            textwrap.fill(line["label"], 14),
            (1, line["y"]),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            va="bottom" if line.get("above", False) else "center",
            color="0.3",
            fontsize=8,
            gid="reference",
        )
    axes.set_title(plot["title"], loc="left", fontsize=10.5, wrap=True)
    axes.set_xlabel(plot.get("xlabel", plot.get("x", "")))
    axes.set_ylabel(plot.get("ylabel", plot.get("y", "")))
    if plot.get("ylog"):
        axes.set_yscale("log")
    if not plot.get("ylog") or "ymin" in plot:
        axes.set_ylim(bottom=plot.get("ymin", 0))
    if "ymax" in plot:
        axes.set_ylim(top=plot["ymax"])


def _keep_in_view(axes: plt.Axes, means: Iterable[float], plot: Plot) -> None:
    """An interval of few seeds may be many times the mean: it may leave the figure, means not.

    Nor may what the plot holds them against, its references.
    """
    levels = [line["y"] for line in plot.get("references", []) if "y" in line]
    shown = [one for one in [*means, *levels] if one > 0]
    if not shown:
        return
    low, high = axes.get_ylim()
    if plot.get("ylog"):
        least = max(low, min(shown) / 3)
        if plot["kind"] == "bars":  # which begin at a round number
            least = _round_below(min(shown) / 1.5)
        axes.set_ylim(plot.get("ymin", least), min(high, 3 * max(shown)))
    else:
        axes.set_ylim(top=min(max(high, 1.05 * max(shown)), 1.4 * max(shown)))
    if "ymax" in plot:
        axes.set_ylim(top=plot["ymax"])


def _round_below(value: float) -> float:
    """The largest 1, 2 or 5 times a power of ten that is not above a value."""
    decade = 10.0 ** np.floor(np.log10(value))
    return max(step * decade for step in (1, 2, 5) if step * decade <= value)


def finished(figure: Figure, sample: str) -> Figure:
    """Adds what needs the whole figure: arrows, ticks that have room, the number of seeds."""
    if figure.legends:
        figure.legends[0].set_title(sample, prop={"size": 8})
        figure.legends[0].get_title().set_color("0.4")
    else:
        figure.supxlabel(sample, x=0.99, ha="right", fontsize=8, color="0.4")
    for axes in figure.axes:
        _arrow_ends(axes)
        for axis in (axes.xaxis, axes.yaxis):
            chosen = isinstance(axis.get_major_locator(), ticker.FixedLocator)
            if axis.get_scale() == "log" and not chosen:
                log_ticks(axis)
    _lay_out(figure)
    figure.set_layout_engine("none")  # which keeps what is laid out
    for axes in figure.axes:
        _thin_out(axes.get_xticklabels())
        _separate([text for text in axes.texts if text.get_gid() == "reference"])
    return figure


def _lay_out(figure: Figure) -> None:
    """Gives all its place, without drawing it."""
    figure.get_layout_engine().execute(figure)


def _arrow_ends(axes: plt.Axes) -> None:
    """An arrow where an interval goes on beyond the axes, but where nothing is below 0."""
    for drawn in [one for one in axes.containers if isinstance(one, ErrorbarContainer)]:
        along = int(drawn.has_yerr)
        limits = (axes.get_xlim, axes.get_ylim)[along]()
        sides = list(zip(limits, ("<>", "v^")[along], (1, -1), strict=True))
        for bars in drawn.lines[2]:
            look = {"color": bars.get_color()[0], "markersize": 4.5, "clip_on": False}
            for ends in (one for one in bars.get_segments() if len(one) == 2):
                for end, (limit, arrow, sign) in zip(ends, sides, strict=True):
                    if limit != 0 and sign * end[along] < sign * limit:
                        place = (limit, end[1]) if along == 0 else (end[0], limit)
                        axes.plot(*place, arrow, scalex=False, scaley=False, zorder=3.6, **look)


def _separate(texts: list[Text]) -> None:
    """Moves names of references up, as far as those below them need."""
    top = -np.inf
    for text in sorted(texts, key=lambda text: text.xy[1]):
        place = text.get_window_extent()
        over = max(0, top - place.y0) * 72 / text.figure.dpi
        text.xyann = (text.xyann[0], text.xyann[1] + over)
        top = max(top, place.y0) + place.height


def _touch(labels: list[Text], inches: float) -> bool:
    """True if two of the names are nearer to each other than a gap."""
    places = [label.get_window_extent() for label in labels if label.get_text()]
    room = labels[0].figure.dpi * inches
    return any(a.x1 + room > b.x0 for a, b in itertools.pairwise(places))


def _name_groups(axes: plt.Axes, names: list[str]) -> None:
    """Names below groups of bars: folded where one would touch the next, else slanting."""
    axes.set_xticks(range(len(names)), names)
    _lay_out(axes.figure)
    if not _touch(axes.get_xticklabels(), 0.1):
        return
    room = axes.bbox.width / axes.figure.dpi * 72 / len(names)
    folded = [textwrap.fill(name, int(room / 6.5), break_long_words=False) for name in names]
    axes.set_xticks(range(len(names)), folded)
    _lay_out(axes.figure)
    if _touch(axes.get_xticklabels(), 0.03):
        axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")


def _thin_out(labels: list[Text]) -> None:
    """Leaves out the numbers of ticks that would touch the next one."""
    kept = None
    for label in reversed([one for one in labels if one.get_text() and not one.get_rotation()]):
        place = label.get_window_extent()
        if kept is None or place.x1 + 3 < kept.x0:
            kept = place
        else:
            label.set_visible(False)


def _legend_below(figure: Figure, *handles: Any, names: list[str] | None = None) -> None:
    """A legend that covers no data."""
    if names is None:
        (axes,) = handles
        handles, names = axes.get_legend_handles_labels()
    if not names:
        return
    longest = max(map(len, names), default=0)
    most = next((n for n, room in ((5, 10), (4, 15), (3, 26)) if longest <= room), 2)
    # What is ours first, then second metrics, the paper's marks at the end.
    marks = [getattr(handle, "get_linestyle", str)() == "None" for handle in handles]
    order = sorted(range(len(names)), key=lambda i: (names[i].startswith(GIVEN_BY), marks[i]))
    rows = -(-len(order) // most)
    columns = -(-len(order) // rows)  # as many in each row
    by_row = [i for column in range(columns) for i in order[column::columns]]
    figure.legend(
        [handles[i] for i in by_row],
        [names[i] for i in by_row],
        ncols=columns,
        fontsize=9,
        handlelength=2.4,
        loc="outside lower center",
    )


def _paper_marks(axes: plt.Axes, marks: list[Mark], name: str = "", marker: str = "") -> None:
    """Hollow marks for what the paper prints, those of a range with a line between them."""
    colours: dict[Mark, set[str]] = {}  # what is printed of two schemes alike is of neither's
    for mark in marks:
        colours.setdefault(mark._replace(colour="black"), set()).add(mark.colour)
    for shared, own in colours.items():
        mark = shared if len(own) > 1 else shared._replace(colour=own.pop())
        x, y = zip(*mark.ends, strict=True)
        line = {"linestyle": ":", "linewidth": 1} if len(mark.ends) > 1 else {}
        axes.plot(x, y, color=mark.colour, marker=marker or GIVEN[mark.by], **HOLLOW | line)
    for by in dict.fromkeys(mark.by for mark in marks):
        look = HOLLOW | {"marker": marker or GIVEN[by]}
        axes.plot([], [], color="black", label=", ".join(filter(None, (by, name))), **look)


def _heights(marks: Iterable[Mark]) -> list[float]:
    return [y for mark in marks for _, y in mark.ends]


def _named_marks(plot: Plot, inputs: Inputs, colours: dict[str, str]) -> list[Mark]:
    """The marks that a plot lists, each with its place on the other axis."""
    marks = []
    for mark in plot.get("paper", []):
        colour = colours.get(mark.get("series", mark["scheme"]), "black")
        low, high, by = inputs.named(mark)
        scale = mark.get("scale", 1)
        scaled = Printed(low * scale, high * scale, by)
        upright = "x" in mark
        make = Mark.upright if upright else Mark.level
        marks.append(make(mark["x" if upright else "y"], scaled, colour))
    return marks


# ---- The kinds ----


@kind("lines")
def lines(plot: Plot, inputs: Inputs) -> Figure:
    """A metric against a swept argument, bars for the 95 % interval.

    One line per scheme, or per scheme and value of a second swept argument (`series`). With `over`,
    each scheme's number is divided by that of the scheme `over`.
    """
    figure, axes = plt.subplots(figsize=(6.2, 4.0), layout="constrained")
    found: list[Line] = []
    places = set()
    for label, look, scheme, at in _families(plot, inputs):
        if "over" in plot:
            rows = inputs.drawn[plot["name"]]
            rows = rows[rows["scheme"] == scheme]
            paper = inputs.printed_ratios(plot, scheme)
        else:
            rows = inputs.cells(scheme, plot["y"], at)
            each = [(rows[plot["x"]].iloc[j], rows.iloc[[j]]) for j in range(len(rows))]
            paper = [(x, one) for x, row in each for one in inputs.printed(row)]
        if len(rows):  # else not measured
            places |= set(rows[plot["x"]])
            rows = rows.sort_values(plot["x"])
            found.append(Line.of(label, look, rows, plot)._replace(paper=paper))
    if len(places) == 1:  # no lines, but marks side by side
        found = [line.at(i) for i, line in enumerate(found)]
    for i, line in enumerate(vary_dashes(found, plot)):
        _line(axes, line, len(found) - 1 - i)
    marks = [Mark.upright(x, one, line.look.colour) for line in found for x, one in line.paper]
    _paper_marks(axes, marks)
    if len(places) == 1:
        axes.set_xlim(-1, len(found))
        axes.set_xticks([(len(found) - 1) / 2], [_plain(*places)])
    else:
        _ticks_at(axes, sorted(places), plot)
    _finish(axes, plot)
    means = [mean for line in found for mean in line.rows["mean"]]
    _keep_in_view(axes, means + _heights(marks), plot)
    _legend_below(figure, axes)
    return figure


def _ticks_at(axes: plt.Axes, places: list[float], plot: Plot) -> None:
    """A tick where there are marks, also where a scheme has none."""
    if plot.get("xlog"):
        axes.set_xscale("log", base=2)
    axes.update_datalim([(place, axes.dataLim.ymin) for place in places])
    axes.autoscale_view()
    axes.set_xticks(places)
    axes.xaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()


def _families(plot: Plot, inputs: Inputs) -> list[tuple[str, Style, str, Plot]]:
    """The lines of a plot: label, look, scheme and where."""
    at = plot.get("at", {})
    series = plot.get("series")
    families: list[tuple[str, Style, str, Plot]] = []
    for scheme in (name for name in inputs.schemes if name != plot.get("over")):
        if series is None:
            families.append((inputs.label(scheme), inputs.styles[scheme], scheme, at))
            continue
        values = inputs.values(series)
        if inputs.experiment.is_reference(scheme, series):
            grey = Style("0.2" if not families else "0.6", "", "-", "")
            families.append((inputs.label(scheme), grey, scheme, at | {series: values[0]}))
            continue
        text = plot.get("serieslabel", series + " {}")
        for i, value in enumerate(values):
            name = printed.as_written(text.format(value))
            families.append((name, styles.style(i), scheme, at | {series: value}))
    return families


class Line(NamedTuple):
    """A line to be drawn: rows with x, mean and ci95."""

    label: str
    look: Style
    rows: pd.DataFrame
    paper: Sequence[tuple[float, Printed]] = ()

    def at(self, place: float) -> "Line":
        """The line at another place, if it has but one."""
        return self._replace(
            rows=self.rows.assign(x=place), paper=[(place, number) for _, number in self.paper]
        )

    @classmethod
    def of(cls, label: str, look: Style, rows: pd.DataFrame, plot: Plot) -> "Line":
        """Without what a log axis cannot show."""
        rows = rows.rename(columns={plot.get("x", "x"): "x"})
        if not plot.get("ylog"):
            return cls(label, look, rows)
        shown = rows[rows["mean"] > 0]
        return cls(label + ("" if len(shown) else ": none"), look, shown)


def vary_dashes(lines: list[Line], plot: Plot) -> list[Line]:
    """The lines, with another dash where one would hide the line that it lies on."""
    heights = [line.rows.set_index("x")["mean"] for line in lines]
    if plot.get("ylog"):
        heights = [np.log(height) for height in heights]
    values = pd.concat(heights) if heights else pd.Series(dtype=float)
    near = 0.015 * (values.max() - (values.min() if plot.get("ylog") else plot.get("ymin", 0)))
    if plot.get("curve", "").endswith("cdf"):  # all of which begin at 0 and end at 1
        heights = [height[(height > 0.01) & (height < 0.99)] for height in heights]
    found: list[Line] = []
    for i, line in enumerate(lines):
        apart = [(heights[i] - height).abs().dropna() for height in heights[:i]]
        below = [one for one, far in zip(found, apart, strict=True) if (far < near).mean() > 0.5]
        dash = line.look.dash
        if dash in [one.look.dash for one in below]:
            alike = [one for one in lines if one.look.colour == line.look.colour]
            while dash in [one.look.dash for one in [*below, *alike]]:
                dash = styles.next_dash(dash)
        found.append(line._replace(look=replace(line.look, dash=dash)))
    return found


def _line(axes: plt.Axes, line: Line, above: int) -> None:
    """One line with its intervals, wider than the lines above it, so that none is hidden."""
    axes.errorbar(
        line.rows["x"],
        line.rows["mean"],
        yerr=line.rows["ci95"],
        label=line.label,
        color=line.look.colour,
        marker=line.look.marker,
        linestyle=line.look.dash,
        linewidth=1.5 + 0.4 * min(above, 4),
        markersize=4.5 + 1.2 * min(above, 4),
        **WHISKER,
    )


@kind("curve")
def curve(plot: Plot, inputs: Inputs) -> Figure:
    """A curve of curves.py, the mean over seeds with its 95 % interval as a band.

    One line per scheme and series: the schemes have their colours; of one scheme alone, the series
    have one each. With `panels`, a panel per scheme.
    """
    table = inputs.drawn[plot["name"]]
    schemes = list(table["scheme"].unique())
    panels = plot.get("panels", False) and len(schemes) > 1
    figure, all_axes = _panels(len(schemes), 1.7) if panels else _panels(1, 3.0)
    colours = {}
    places, found = [], []
    for place, scheme in enumerate(schemes):
        own = table[table["scheme"] == scheme]
        single = len(schemes) == 1 and own["series"].nunique() > 1
        looks = styles.styles(sorted(own["series"].unique()))  # of one scheme alone
        for i, (name, rows) in enumerate(own.groupby("series")):
            look = looks[name] if single else inputs.styles[scheme]
            if not single:  # a dash that variants of the scheme have not
                look = replace(look, dash=styles.next_dash(look.dash, 3 * i))
            if panels and own["series"].nunique() == 1:  # a line alone
                look = replace(look, marker="", dash="-")
            colours[name if single else scheme] = look.colour
            names = ([inputs.label(scheme)] if len(schemes) > 1 or not name else []) + [name]
            found.append(Line.of(", ".join(filter(None, names)), look, rows, plot))
            places.append(place if panels else 0)
    for place, line in zip(places, found if panels else vary_dashes(found, plot), strict=True):
        _curve(all_axes[place], line)
    marks = _named_marks(plot, inputs, colours)
    for i, axes in enumerate(all_axes):
        _paper_marks(axes, [m for m in marks if not panels or m.colour == _colour(axes)])
        _scale(axes, table, plot)
        named = {"title": inputs.label(schemes[i]), "references": []} if panels else {}
        _finish(axes, plot | named | _outer(axes, plot))
        _keep_in_view(axes, [*table["mean"], *_heights(marks)], plot)
        if plot["curve"].endswith("cdf"):
            axes.set_ylim(0, 1.02)  # an interval may be wider than a share can be
            axes.set_xlim(_rising(table, marks, plot.get("xlog", False)))
    if panels:
        figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5)
        _legend_of_all(figure, all_axes, only=GIVEN_BY)
    else:
        _legend_below(figure, all_axes[0])
    return figure


def _scale(axes: plt.Axes, table: pd.DataFrame, plot: Plot) -> None:
    """The scale of a curve's places."""
    if plot.get("xlog"):
        axes.set_xscale("log")
    elif (table["x"] % 1 == 0).all():
        axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, steps=(1, 2, 5, 10)))


def _rising(table: pd.DataFrame, marks: list[Mark], log: bool) -> tuple[float, float]:
    """From where the first distribution rises to where the last is at 1, with all marks."""
    places = [x for mark in marks for x, _ in mark.ends]
    for _, rows in table.groupby(["scheme", "series"]):
        x, share = rows["x"], rows["mean"]
        low, high = x[share <= FLAT].max(), x[share >= 1 - FLAT].min()
        places += [x.min() if np.isnan(low) else low, x.max() if np.isnan(high) else high]
    low, high = min(places), max(places)
    if log:
        margin = (high / low) ** 0.04
        return low / margin, high * margin
    return low - 0.04 * (high - low), high + 0.04 * (high - low)


FLAT = 0.005  # of a distribution: what is not shown below and above


def _panels(count: int, height: float) -> tuple[Figure, list[plt.Axes]]:
    """Panels with the same axes, in two columns if there are many."""
    columns = 1 if count <= FEW_PANELS else 2
    rows = -(-count // columns)
    figure, grid = plt.subplots(
        rows,
        columns,
        figsize=(6.2 if columns == 1 else 9.0, 1.0 + height * rows),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    if count < grid.size:  # what would stand below the panel that is not there
        grid[-2, -1].xaxis.set_tick_params(labelbottom=True)
    return figure, list(grid.flat[:count])


FEW_PANELS = 3


def _outer(axes: plt.Axes, plot: Plot) -> Plot:
    """The names of a panel's axes: those that stand at the edge of the figure."""
    place = axes.get_subplotspec()
    lowest = axes.xaxis.get_tick_params().get("labelbottom", True)
    return {
        "xlabel": plot.get("xlabel", plot.get("x", "")) if lowest else "",
        "ylabel": plot.get("ylabel", plot.get("y", "")) if place.is_first_col() else "",
    }


def _colour(axes: plt.Axes) -> str:
    return axes.lines[0].get_color() if axes.lines else ""


def _curve(axes: plt.Axes, line: Line) -> None:
    """One curve, with a mark here and there if it has many points."""
    rows, look = line.rows, line.look
    step = max(1, len(rows) // 8) if len(rows) > MANY_POINTS else 1
    axes.plot(
        rows["x"],
        rows["mean"],
        label=line.label,
        color=look.colour,
        marker=look.marker,
        markevery=(len(axes.lines) * len(rows) // 40 % step, step),
        linestyle=look.dash,
    )
    if len(rows) <= FEW_POINTS:
        ends = {"linestyle": "None", "ecolor": look.colour, "alpha": 0.7}
        axes.errorbar(rows["x"], rows["mean"], yerr=rows["ci95"], **ends, **WHISKER)
        return
    low, high = rows["mean"] - rows["ci95"], rows["mean"] + rows["ci95"]
    axes.fill_between(rows["x"], low, high, color=look.colour, alpha=0.18, linewidth=0)


MANY_POINTS = 30  # of a curve: from here on not all have a mark
FEW_POINTS = 8  # up to here they have whiskers, not a band


@kind("bars")
def bars(plot: Plot, inputs: Inputs) -> Figure:
    """Groups of bars, one bar per scheme, with its 95 % interval.

    A group may have a second metric (`mark`), such as a 99th percentile, which is drawn as a mark.
    A scheme that the groups do not vary has one bar, in the first of them. A group that the profile
    does not sweep is left out.
    """
    there = _groups_with_runs(plot, inputs)
    plot = plot | {"bars": there or plot["bars"]}
    groups = _groups(plot, inputs)
    count = max(1, *map(len, groups))
    width = 0.8 / count
    size = max(6.8, 0.19 * count * len(groups))
    figure, axes = plt.subplots(figsize=(min(size, 11), 4.0), layout="constrained")
    papers: dict[str, list[Mark]] = {"metric": [], "mark": []}
    shown: list[float] = []
    for scheme in inputs.schemes:
        own = [i for i, group in enumerate(groups) if scheme in group]
        if not own:
            continue
        beside = [groups[i].index(scheme) - (len(groups[i]) - 1) / 2 for i in own]
        x = np.add(own, np.multiply(beside, width))
        for part, draw in (("metric", _bar), ("mark", _mark)):
            cells = [(plot["bars"][i].get(part), _at(plot, plot["bars"][i])) for i in own]
            numbers = pd.DataFrame([inputs.number(scheme, metric, at) for metric, at in cells])
            draw(axes, x, numbers, width * 0.92, inputs.styles[scheme], inputs.label(scheme))
            shown += list(numbers["mean"])
            for place, (metric, at) in zip(x, cells, strict=True):
                cell = inputs.cells(scheme, metric, at) if metric else inputs.summary[:0]
                for one in inputs.printed(cell):  # beside the middle, so that ours stays in sight
                    papers[part].append(Mark.upright(place + 0.28 * width, one, "black"))
    own = [(i, bar["reference"]) for i, bar in enumerate(plot["bars"]) if "reference" in bar]
    for i, y in own:  # of this group alone
        name = plot["referencelabel"] if (i, y) == own[0] else None
        axes.plot([i - 0.46, i + 0.46], [y, y], label=name, **REFERENCE | {"color": "0.1"})
    if any("mark" in bar for bar in plot["bars"]):
        axes.plot([], [], label=plot["marklabel"], color="0.75", **MARK)
    _paper_marks(axes, papers["metric"])
    _paper_marks(axes, papers["mark"], plot.get("marklabel", ""), marker="v")
    axes.grid(axis="x", visible=False)
    _finish(axes, plot)
    _keep_in_view(axes, shown + _heights(itertools.chain(*papers.values())), plot)
    _legend_below(figure, axes)
    _write_unseen(axes)
    _name_groups(axes, [bar["label"] for bar in plot["bars"]])
    if not there:
        axes.text(0.5, 0.5, "not run in this profile", ha="center", transform=axes.transAxes)
    return figure


def _groups_with_runs(plot: Plot, inputs: Inputs) -> list[Plot]:
    """The groups of bars that the tables have a value for, of any scheme."""
    return [
        group
        for group in plot["bars"]
        if any(len(inputs.cells(one, group["metric"], _at(plot, group))) for one in inputs.schemes)
    ]


def _write_unseen(axes: plt.Axes) -> None:
    """Says of a bar that is too low to be seen that it is there, above its interval."""
    marked = any(line.get_marker() == MARK["marker"] for line in axes.lines)
    intervals = [one.lines[2] for one in axes.containers if isinstance(one, ErrorbarContainer)]
    ends = [bar[-1] for bars in itertools.chain(*intervals) for bar in bars.get_segments()]
    for patch in axes.patches:
        place, value = patch.get_x() + patch.get_width() / 2, patch.get_height()
        _, part = (axes.transScale + axes.transLimits).transform((place, value))
        if part < UNSEEN:
            own = [y for x, y in ends if np.isclose(x, place) and axes.viewLim.contains(x, y)]
            axes.annotate(
                "≈0" if value else "0",
                (place, max(axes.get_ylim()[0], value, *own)),
                xytext=(0, 6 if marked else 2),  # above what may be there
                textcoords="offset points",
                ha="center",
                fontsize=7,
            )


UNSEEN = 0.005  # of the height of the axes


def _at(plot: Plot, group: Plot) -> Plot:
    """The swept arguments of a group of bars."""
    return plot.get("at", {}) | group.get("at", {})


def _groups(plot: Plot, inputs: Inputs) -> list[list[str]]:
    """The schemes that have a bar in each group.

    What is the same in two groups, because they differ by what is not the scheme's, has one bar.
    """
    groups: list[list[str]] = []
    seen = set()
    for group in plot["bars"]:
        at = _at(plot, group)
        groups.append([])
        for scheme in inputs.schemes:
            own = [name for name in sorted(at) if not inputs.experiment.is_reference(scheme, name)]
            key = (scheme, group["metric"], group.get("mark"), *((name, at[name]) for name in own))
            if key not in seen and len(inputs.cells(scheme, group["metric"], at)):
                groups[-1].append(scheme)
                seen.add(key)
    return groups


Places = np.ndarray


def _bar(
    axes: plt.Axes, x: Places, numbers: pd.DataFrame, width: float, look: Style, label: str
) -> None:
    axes.bar(
        x,
        numbers["mean"],
        width,
        label=label,
        color=look.colour,
        edgecolor="white",
        hatch=look.hatch,
        linewidth=0,
    )
    _whiskers(axes, x, numbers)


def _mark(axes: plt.Axes, x: Places, numbers: pd.DataFrame, _: float, look: Style, __: str) -> None:
    if numbers["mean"].notna().any():
        axes.plot(x, numbers["mean"], color=look.colour, zorder=3, **MARK)
        _whiskers(axes, x, numbers)


def _whiskers(axes: plt.Axes, x: Places, numbers: pd.DataFrame) -> None:
    """The 95 % intervals, where there are seeds enough for one."""
    known = numbers["ci95"].to_numpy(float) > 0
    if known.any():
        y, half = (numbers[column].to_numpy(float)[known] for column in ("mean", "ci95"))
        axes.errorbar(x[known], y, yerr=half, linestyle="", ecolor="0.25", zorder=3.5, **WHISKER)


@kind("dots")
def dots(plot: Plot, inputs: Inputs) -> Figure:
    """A metric of many schemes, a line for each, bars for the 95 % interval.

    A mark for each value of a swept argument (`series`); references are upright lines.
    """
    series = plot["series"]
    height = {scheme: -i for i, scheme in enumerate(inputs.schemes)}
    figure, axes = plt.subplots(figsize=(6.8, 1.4 + 0.28 * len(height)), layout="constrained")
    marks: list[Mark] = []
    shown = [line["y"] for line in plot.get("references", [])]
    values = inputs.values(series)
    for i, value in enumerate(values):
        at = plot.get("at", {}) | {series: value}
        label = printed.as_written(plot.get("serieslabel", series + " {}").format(value))
        looks = [(label, styles.style(i), inputs.schemes)]
        if len(values) == 1:  # then the title says which, and schemes have their colours
            looks = [("", inputs.styles[scheme], [scheme]) for scheme in inputs.schemes]
        for name, look, schemes in looks:
            cells = {scheme: inputs.cells(scheme, plot["y"], at) for scheme in schemes}
            rows = pd.concat(cells.values())
            shown += list(rows["mean"])
            axes.errorbar(
                rows["mean"],
                rows["scheme"].map(height),
                xerr=rows["ci95"],
                label=name or None,
                color=look.colour,
                marker=look.marker,
                linestyle="",
                **WHISKER,
            )
            for scheme, cell in cells.items():
                marks += [Mark.level(height[scheme], m, look.colour) for m in inputs.printed(cell)]
    _paper_marks(axes, marks)
    for line in plot.get("references", []):
        axes.axvline(line["y"], color="0.45", linestyle="--", linewidth=1.2, label=line["label"])
    axes.set_yticks(list(height.values()), [inputs.label(scheme) for scheme in height])
    _finish(axes, plot | {"references": [], "y": "", "ymin": 0.4 - len(height)})
    shown += [x for mark in marks for x, _ in mark.ends]
    most = 1.2 * np.nanmax(
        shown
    )  # beyond it an interval may go, and far from 0 no axis begins there
    axes.set_xlim(0 if np.nanmin(shown) < most / 2 else None, min(axes.get_xlim()[1], most))
    _legend_below(figure, axes)
    return figure


@kind("timeseries")
@kind("samples")
def samples(plot: Plot, inputs: Inputs) -> Figure:
    """Draws the samples of the first seed's run: one panel per scheme, a line per series."""
    table = inputs.drawn[plot["name"]]
    schemes = [scheme for scheme in inputs.schemes if scheme in set(table["scheme"])]
    count = max(1, len(schemes))
    figure, panels = _panels(count, 1.9)
    names = list(table["series"].unique())
    called = [NAMED[name] for name in names if name in NAMED]
    others = itertools.cycle(colour for colour in COLOURS if colour not in called)
    colours = {name: NAMED[name] if name in NAMED else next(others) for name in names}
    for axes, scheme in zip(panels, schemes, strict=False):
        own = table[table["scheme"] == scheme]
        for name, rows in own.groupby("series", sort=False):
            width = 1.2 + 0.5 * (len(names) - 1 - names.index(name))  # none is hidden
            axes.plot(rows["x"], rows["y"], label=name, color=colours[name], linewidth=width)
        wanted = [mark for mark in plot.get("paper", []) if mark["scheme"] == scheme]
        _paper_marks(axes, _named_marks(plot | {"paper": wanted}, inputs, colours))
    # The panels share the axis, whose range is known only now that every line is drawn.
    plot = {"xlabel": "time (s)"} | plot
    for axes, scheme in zip(panels, schemes, strict=False):
        title = inputs.label(scheme) if count > 1 else plot["title"]
        _finish(axes, plot | {"title": title} | _outer(axes, plot))
    if count > 1:
        figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5)
    _legend_of_all(figure, panels)
    return figure


def _legend_of_all(figure: Figure, all_axes: list[plt.Axes], only: Any = "") -> None:
    """One legend for panels, of what has a label that begins so."""
    named = {
        label: handle
        for axes in all_axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        if label.startswith(only)
    }
    if any(named):
        _legend_below(figure, *named.values(), names=list(named))


@kind("paths")
def paths(plot: Plot, inputs: Inputs) -> Figure:
    """The top switch of each packet of one run, coloured by its first up-link."""
    table = inputs.drawn[plot["name"]]
    schemes = inputs.schemes
    figure, grid = plt.subplots(
        1,
        len(schemes),
        figsize=(1.2 + 2.7 * len(schemes), 3.8),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for axes, scheme in zip(grid[0], schemes, strict=True):
        ways = table[table["scheme"] == scheme]
        axes.plot(ways["x"], ways["y"], color="0.8", linewidth=0.7, zorder=1)
        for link in sorted(ways["series"].unique(), key=int):
            rows = ways[ways["series"] == link]
            look = styles.style(int(link))
            point = {"color": look.colour, "marker": look.marker}
            axes.scatter(rows["x"], rows["y"], s=16, label=f"up-link {link}", **point)
        axes.set_title(inputs.label(scheme), loc="left", fontsize=10.5)
        axes.set_xlabel(plot.get("xlabel", "packet"))
    grid[0, 0].set_ylabel(plot.get("ylabel", "switch"))
    grid[0, 0].yaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    figure.suptitle(plot["title"], x=0.01, ha="left", fontsize=10.5)
    _legend_of_all(figure, list(grid[0][::-1]))
    return figure


@kind("failures")
def failures(plot: Plot, inputs: Inputs) -> Figure:
    """The goodput of all hosts together over time, one line per scheme, first seed.

    Failures and repairs are upright lines, dotted where the last server came to know of one. The
    second panel shows the time around the first failure.
    """
    table = inputs.drawn[plot["name"]]
    figure, (whole, part) = plt.subplots(
        1, 2, figsize=(10, 4.2), sharey=True, width_ratios=[2.4, 1], layout="constrained"
    )
    for scheme in inputs.schemes:
        goodput = table[(table["scheme"] == scheme) & (table["series"] == "goodput")]
        # A step from the beginning of each bin to its end.
        times = goodput["x"].to_numpy()
        edges = np.append(times, 2 * times[-1] - times[-2])
        for axes in (whole, part):
            look = {"color": inputs.styles[scheme].colour, "ls": inputs.styles[scheme].dash}
            label = inputs.label(scheme)
            axes.stairs(goodput["y"], edges, baseline=None, label=label, lw=1.6, **look)
    events = table[~table["series"].isin(["goodput", "told"])]
    events = events[events["scheme"] == events["scheme"].iloc[0]]
    told = table[table["series"] == "told"]
    # Profiles differ in how long they run.
    placed = [mark | {"x": mark["x"] * edges[-1]} for mark in plot.get("paper", [])]
    colours = {scheme: look.colour for scheme, look in inputs.styles.items()}
    _paper_marks(whole, _named_marks(plot | {"paper": placed}, inputs, colours))
    for axes in (whole, part):
        for event in events.itertuples():
            axes.axvline(event.x, color="0.35", linewidth=1)
        for time in told["x"]:
            axes.axvline(time, color="0.35", linewidth=1, linestyle=":")
    _finish(whole, plot)
    _finish(part, plot | {"title": "Dotted: all servers know", "ylabel": "", "references": []})
    top = 1.14 * table["y"].max()  # room for what happens
    whole.set_ylim(0, top)
    for event in events.itertuples():
        whole.annotate(
            f" {event.series}", (event.x, top), va="top", ha="left", fontsize=8, color="0.3"
        )
    for line in plot.get("references", []):
        part.axhline(line["y"], color="0.45", linestyle="--", linewidth=1.2, zorder=1.5)
    start = events["x"].iloc[0]
    part.set_xlim(start - start / 8, start + start / 4)
    _legend_below(figure, whole)
    return figure
