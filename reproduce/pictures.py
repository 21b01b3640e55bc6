# SPDX-License-Identifier: GPL-2.0-only
"""./repro plot: the usual pictures of single runs, compared where there are several.

A picture is a function from runs to a figure, registered with the table that it needs; a run
without that table is left out of it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure

from reproduce.curves import fct_by_size
from reproduce.errors import UserError
from reproduce.figures import STYLE, log_ticks
from reproduce.files import replace_content, replacing
from reproduce.metrics import RunOutput
from reproduce.paths import show
from reproduce.styles import COLOURS, Style, styles

MOST_LINES = 8  # of groups in one panel
SIZE = (6.4, 4.0)


@dataclass(frozen=True)
class PicturedRun:
    """A run in a picture."""

    label: str
    output: RunOutput
    look: Style  # of its scheme, as in the figures of papers

    @property
    def colour(self) -> str:
        """Of its lines and points."""
        return self.look.colour

    @property
    def marker(self) -> str:
        """Of its points."""
        return self.look.marker


Draw = Callable[[list[PicturedRun]], Figure]
PICTURES: dict[str, tuple[str, Draw]] = {}  # name -> the table it needs, the function


def picture(name: str, table: str) -> Callable[[Draw], Draw]:
    """Registers a picture."""

    def register(function: Draw) -> Draw:
        PICTURES[name] = (table, function)
        return function

    return register


def load(folders: list[Path]) -> list[PicturedRun]:
    """The runs in folders, called by their schemes if these differ, else by their folders."""
    outputs: list[RunOutput] = []
    schemes: list[str] = []
    for folder in folders:
        if not (folder / "run.json").is_file():
            raise UserError(
                f"{show(folder)} has no run.json; allowed: folders that --out=FOLDER names"
            )
        outputs.append(RunOutput(folder))
        try:
            schemes.append(outputs[-1].manifest["scheme"])
        except (KeyError, TypeError):
            raise UserError(f"{show(folder / 'run.json')} is not of a finished scenario") from None
    ways = [schemes, [folder.name for folder in folders], [show(folder) for folder in folders]]
    labels = next((way for way in ways if len(set(way)) == len(way)), ways[-1])
    looks = styles(labels)
    return [
        PicturedRun(label if len(label) <= 40 else f"{label[:37]}...", output, looks[label])
        for label, output in zip(labels, outputs, strict=True)
    ]


def draw(folders: list[Path], out: Path, kind: str = "png") -> list[Path]:
    """Draws every picture that the runs have tables for; returns the files."""
    runs = load(folders)
    out.mkdir(parents=True, exist_ok=True)
    files = []
    with rc_context(STYLE):
        for name, (table, function) in PICTURES.items():
            having = [run for run in runs if _has_rows(run.output.folder / f"{table}.csv")]
            if not having:
                continue
            try:
                figure = function(having)
            except (ValueError, KeyError, IndexError, TypeError) as error:
                places = ", ".join(show(run.output.folder / f"{table}.csv") for run in having)
                raise UserError(f"cannot draw {name} of {places}: {error}") from None
            files.append(out / f"{name}.{kind}")
            with replacing(files[-1]) as part:
                figure.savefig(part, metadata={"Date": None} if kind == "svg" else None)
            plt.close(figure)
    if not files:
        raise UserError(f"nothing to draw: no tables in {', '.join(map(show, folders))}")
    for folder in folders:  # that of a sweep's run has checksums, and goes as a whole
        if folder.resolve() == out.resolve() and not (folder / "run.key").exists():
            _add_to_manifest(folder / "run.json", files)
    return files


def _add_to_manifest(manifest: Path, files: list[Path]) -> None:
    """Says that files are of a run: they go with it when another takes its place."""
    content = json.loads(manifest.read_text())
    sizes = {file.name: file.stat().st_size for file in files}
    content["output"] = content.get("output", {}) | sizes
    replace_content(manifest, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _has_rows(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb") as lines:
        return next(lines, b"") != b"" and next(lines, b"") != b""


def _axes(title: str, x: str, y: str) -> tuple[Figure, plt.Axes]:
    figure, axes = plt.subplots(figsize=SIZE, layout="constrained")
    _name(axes, title, x, y)
    return figure, axes


def _name(axes: plt.Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontsize=10.5)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _legend(figure: Figure, axes: plt.Axes) -> None:
    handles = axes.get_legend_handles_labels()
    figure.legend(*handles, ncols=2, fontsize=9, loc="outside lower center")


@picture("fct-cdf", "flows")
def fct_cdf(runs: list[PicturedRun]) -> Figure:
    """CDF of flow completion times; what did not finish keeps a curve below 1."""
    figure, axes = _axes("Flow completion times", "flow completion time in us", "share of flows")
    for run in runs:
        flows = run.output.table("flows")
        times = np.sort(flows.loc[flows["finished"] == 1, "fct_ns"].to_numpy(float)) / 1e3
        shares = np.arange(1, len(times) + 1) / len(flows)
        axes.step(times, shares, where="post", label=run.label, color=run.colour)
    axes.set_xscale("log")
    log_ticks(axes.xaxis)
    axes.set_ylim(0, 1.02)
    _legend(figure, axes)
    return figure


@picture("fct-by-size", "flows")
def fct_against_size(runs: list[PicturedRun]) -> Figure:
    """Mean flow completion time against size."""
    title = "Mean flow completion time by size, finished flows"
    figure, axes = _axes(title, "flow size in bytes", "mean flow completion time in us")
    for run in runs:
        curve = fct_by_size(run.output)
        axes.plot(curve["x"], curve["y"], run.marker + "-", label=run.label, color=run.colour)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        log_ticks(axis)
    _legend(figure, axes)
    return figure


@picture("queues", "queues")
def queues(runs: list[PicturedRun]) -> Figure:
    """The longest queue and the mean queue of the switch ports over time."""
    title = "Queues of switch ports: the longest (solid) and the mean (dotted)"
    figure, axes = _axes(title, "time in ms", "waiting in kB")
    for run in runs:
        at = run.output.table("queues").groupby("time_s")["bytes"].agg(["max", "mean"]) / 1e3
        axes.plot(at.index * 1e3, at["max"], label=run.label, color=run.colour, linewidth=1.2)
        axes.plot(at.index * 1e3, at["mean"], color=run.colour, linestyle=":", linewidth=1.2)
    axes.set_ylim(bottom=0)
    _legend(figure, axes)
    return figure


@picture("rates", "rates")
def rates(runs: list[PicturedRun]) -> Figure:
    """Rates at which groups of flows are delivered, a panel per run; the largest if many."""
    count = len(runs)
    figure, grid = plt.subplots(
        count, 1, figsize=(6.4, 1.2 + 2.2 * count), sharex=True, squeeze=False, layout="constrained"
    )
    for axes, run in zip(grid[:, 0], runs, strict=True):
        table = run.output.table("rates").pivot(index="time_s", columns="group", values="rate_bps")
        marker = "o" if len(table) == 1 else None  # a line needs two points
        largest = table.sum().sort_values(ascending=False, kind="stable").index[:MOST_LINES]
        for i, group in enumerate(sorted(largest)):
            colour = COLOURS[i % len(COLOURS)]
            line = table[group] / 1e9
            axes.plot(table.index * 1e3, line, marker=marker, label=f"group {group}", color=colour)
        left_out = table.shape[1] - len(largest)
        more = f", {left_out} smaller groups not shown" if left_out else ""
        _name(axes, f"Goodput under {run.label}{more}", "", "Gbit/s")
        axes.set_ylim(bottom=0)
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))  # covers no data
    grid[-1, 0].set_xlabel("time in ms")
    return figure


STATES = {  # column of flow-states.csv -> what one unit of its axis is, label of the axis
    "window_bytes": (1e3, "window in kB"),
    "rtt_s": (1e-6, "smoothed RTT in us"),
    "rate_bps": (1e9, "rate in Gbit/s"),
    "alpha": (1.0, "alpha"),
}


FAR = 30  # times the median, beyond which values need a logarithmic axis


@picture("flow-states", "flow-states")
def flow_states(runs: list[PicturedRun]) -> Figure:
    """State of senders over time: a column per run, a row for each of STATES it has."""
    tables = [run.output.table("flow-states") for run in runs]
    shown = [name for name in STATES if any(table[name].notna().any() for table in tables)]
    figure, grid = plt.subplots(
        max(1, len(shown)),
        len(runs),
        figsize=(1.6 + 4.8 * len(runs), 1.2 + 1.9 * max(1, len(shown))),
        sharex="col",
        sharey="row",
        squeeze=False,
        layout="constrained",
    )
    for column, (run, table) in enumerate(zip(runs, tables, strict=True)):
        subflows = table.groupby(["flow", "subflow"])
        _name(grid[0, column], f"Senders under {run.label}{_left_out(subflows.ngroups)}", "", "")
        several = table["subflow"].max() > 0
        for i, ((flow, subflow), rows) in enumerate(list(subflows)[:MOST_LINES]):
            label = f"flow {flow}.{subflow}" if several else f"flow {flow}"
            look = {"color": COLOURS[i % len(COLOURS)], "linewidth": 1.2, "label": label}
            for axes, name in zip(grid[:, column], shown, strict=False):
                axes.plot(rows["time_s"] * 1e3, rows[name] / STATES[name][0], **look)
        grid[-1, column].set_xlabel("time in ms")
        grid[0, column].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    for axes, name in zip(grid[:, 0], shown, strict=False):
        axes.set_ylabel(STATES[name][1])
        values = pd.concat([table[name] for table in tables])
        if values.min() > 0 and values.max() > FAR * values.median():
            axes.set_yscale("log")  # or most lines would lie on the axis
        else:
            axes.set_ylim(bottom=0)
    return figure


def _left_out(lines: int) -> str:
    return f", {lines - MOST_LINES} more not shown" if lines > MOST_LINES else ""


def _use(output: RunOutput) -> pd.DataFrame:
    """Role of each port and the share of the run in which its link was busy."""
    ports = output.table("ports")
    if (output.folder / "links.csv").exists():
        return ports.merge(output.table("links")[["port", "busy_share"]], on="port")
    seconds = output.manifest["simulated_s"]
    return ports.assign(busy_share=ports["tx_bytes"] * 8 / ports["rate_bps"] / seconds)


@picture("links", "ports")
def links(runs: list[PicturedRun]) -> Figure:
    """The use of every link by tier: a spread between switches is imbalance among paths."""
    title = "Use of every link over the whole run, by tier; a bar is the tier's mean"
    figure, axes = _axes(title, "", "share of its capacity")
    tables = [_use(run.output) for run in runs]
    roles = list(dict.fromkeys(role for table in tables for role in table["role"]))
    width = 0.8 / len(runs)
    for i, (run, table) in enumerate(zip(runs, tables, strict=True)):
        for place, role in enumerate(roles):
            shares = table.loc[table["role"] == role, "busy_share"].to_numpy(float)
            middle = place + (i - (len(runs) - 1) / 2) * width
            # Side by side in the order of ports, so that equal shares are seen as many.
            x = middle + np.linspace(-0.4, 0.4, len(shares)) * width if len(shares) > 1 else middle
            label = run.label if place == 0 else None
            axes.plot(x, shares, run.marker, color=run.colour, markersize=3, alpha=0.7, label=label)
            if len(shares):
                ends = (middle - 0.45 * width, middle + 0.45 * width)
                axes.hlines(shares.mean(), *ends, color="0.2", linewidth=1.4)
    axes.set_xticks(range(len(roles)), [role.replace("-", "-\n") for role in roles])
    axes.grid(axis="x", visible=False)
    axes.set_ylim(bottom=0)
    _legend(figure, axes)
    return figure
