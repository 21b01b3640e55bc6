# SPDX-License-Identifier: GPL-2.0-only
"""Figures of the documents' site that no experiment draws: from data, headers and programs.

An illustration is a function that makes a figure, registered by its name. All are drawn anew with
the reference, so none can show what the suite no longer does.
"""

import re
import subprocess
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import EngFormatter

from reproduce import build, pictures, programs, specs
from reproduce.errors import UserError
from reproduce.figures import STYLE
from reproduce.paths import HOME
from reproduce.styles import COLOURS, DASHES, PALETTE

Illustration = Callable[[], Figure]
ILLUSTRATIONS: dict[str, Illustration] = {}
SIZES = HOME / "src" / "workload" / "data"
WHEEL = HOME / "src" / "kernel" / "model" / "timing-wheel.h"
SPECIFICATION = "leaf-spine:Leaves=4,Spines=2"
MISSPELT = "leaf-spine:Leafs=4,Spines=2"
RUN = ["--record=queues:Interval=10us", "--requests=2", "--interval=2ms"]
SCHEMES = ["tcp", "dctcp", "afq"]
SMALL = {"fontsize": 9}


def illustration(function: Illustration) -> Illustration:
    """Registers an illustration by the name of its function."""
    ILLUSTRATIONS[function.__name__.replace("_", "-")] = function
    return function


def draw(folder: Path) -> None:
    """Draws all into a folder."""
    folder.mkdir(parents=True)
    with rc_context(STYLE):
        for name, function in ILLUSTRATIONS.items():
            figure = function()
            figure.savefig(folder / f"{name}.png")
            plt.close(figure)


def distributions() -> Iterator[tuple[str, pd.DataFrame]]:
    """Name and knots (bytes, probability) of each flow-size distribution of src/workload."""
    for file in sorted(SIZES.glob("*.csv")):
        yield file.stem, pd.read_csv(file, comment="#")


def shares(knots: pd.DataFrame) -> pd.DataFrame:
    """The shares of all flows and of all bytes in flows of at most so many bytes."""
    size, probability = knots["bytes"].to_numpy(float), knots["probability"].to_numpy(float)
    # Linear between the knots, as sizes are drawn: so many points that an axis of logarithms
    # shows it. What has a probability of its own is a step.
    between = np.geomspace(max(1, size[0]), size[-1], 500)
    between = between[~np.isin(between, size)]
    x = np.concatenate(([size[0]], size, between))
    y = np.concatenate(([0], probability, np.interp(between, size, probability)))
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    carried = np.cumsum(np.diff(y, prepend=0) * (x + np.concatenate((x[:1], x[:-1]))) / 2)
    return pd.DataFrame({"bytes": x, "flows": y, "volume": carried / carried[-1]})


@illustration
def flow_sizes() -> Figure:
    """Every flow-size distribution, by flows and by the bytes that they carry."""
    figure, panels = plt.subplots(
        1, 2, figsize=(8.4, 4.6), sharex=True, sharey=True, layout="constrained"
    )
    for i, (name, knots) in enumerate(distributions()):
        curves = shares(knots)
        look = {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i // len(COLOURS)]}
        for axes, column in zip(panels, ("flows", "volume"), strict=True):
            axes.plot(curves["bytes"].clip(lower=1), curves[column], label=name, **look)
    for axes, title in zip(panels, ("Flows", "Bytes"), strict=True):
        axes.set_title(f"{title} in flows of at most a size", loc="left", fontsize=10.5)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(EngFormatter("B"))
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("flow size")
    panels[0].set_ylabel("share")
    figure.legend(
        *panels[0].get_legend_handles_labels(), ncols=5, loc="outside lower center", **SMALL
    )
    return figure


def _canvas(width: float, height: float) -> tuple[Figure, plt.Axes]:
    """A drawing without axes; coordinates count from the lower left corner."""
    figure, axes = plt.subplots(figsize=(8.4, 8.4 * height / width), layout="constrained")
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    return figure, axes


def wheel_numbers() -> tuple[int, int, int]:
    """Buckets of the timing wheel, ns that each covers at first, events with room in each."""
    text = WHEEL.read_text()
    patterns = (r" BUCKETS = (\d+);", r"NanoSeconds\((\d+)\)\.GetTimeStep", r" CAPACITY = (\d+);")
    found = [re.search(pattern, text) for pattern in patterns]
    if None in found:
        raise UserError(f"{WHEEL.name} no longer has what its illustration shows")
    buckets, width, room = (int(match[1]) for match in found if match)
    return buckets, width, room


def _column(axes: plt.Axes, x: float, events: int, room: int, colour: str) -> None:
    """A bucket with its events; those that it has no room for are beyond its frame."""
    axes.add_patch(Rectangle((x + 0.08, 1), 0.84, 0.5 * room, fill=False, edgecolor="0.6"))
    for i in range(events):
        faint = {"alpha": 0.5} if i >= room else {}
        axes.add_patch(Rectangle((x + 0.16, 1.05 + 0.5 * i), 0.68, 0.4, color=colour, **faint))


@illustration
def timing_wheel() -> Figure:
    """Draws the place of an event in the timing wheel, by the event's time."""
    buckets, width, room = wheel_numbers()
    figure, axes = _canvas(14, 5.5)
    drained, waiting, far = PALETTE["vermilion"], PALETTE["blue"], PALETTE["green"]
    _column(axes, 0.2, 3, room, drained)
    for x, events in zip(
        (1.2, 2.2, 3.2, 4.2, 5.2, 7.2, 8.2), (2, 0, 1, room + 2, 1, 0, 2), strict=True
    ):
        _column(axes, x, events, room, waiting)
    axes.text(6.7, 2, "...", ha="center", fontsize=14)
    heap = [(11.6, 3.2), (10.7, 2.2), (12.5, 2.2), (10.2, 1.2), (11.2, 1.2), (12.0, 1.2)]
    for child in range(1, len(heap)):
        axes.plot(*zip(heap[child], heap[(child - 1) // 2], strict=True), color="0.6", linewidth=1)
    axes.plot(*zip(*heap, strict=True), "s", color=far, markersize=11)
    axes.annotate("", (13.8, 0.7), (0.2, 0.7), arrowprops={"arrowstyle": "->"})
    axes.text(13.8, 0.2, "time", ha="right", **SMALL)
    axes.text(0.2, 0.2, "now", **SMALL)
    axes.text(1.2, 0.2, f"{width} ns", ha="center", **SMALL)
    horizon = f"horizon: {buckets} x {width} ns = {buckets * width / 1e3:.0f} us at first"
    axes.text(9.2, 0.2, horizon, ha="center", **SMALL)
    axes.axvline(9.2, 0.08, 0.8, color="0.6", linestyle=":", linewidth=1)
    axes.text(0.1, 5.3, "being drained:\nsorted by time and uid", color=drained, va="top", **SMALL)
    said = f"buckets: events as they come;\nmore than {room}: in blocks behind"
    axes.text(4.6, 5.3, said, color=waiting, va="top", ha="center", **SMALL)
    said = "heap: beyond the horizon,\nor not in the order of uids"
    axes.text(11.6, 5.3, said, color=far, va="top", ha="center", **SMALL)
    return figure


def refusal() -> str:
    """The line with which a program refuses the misspelt specification."""
    command = [build.program("incast"), f"--topology={MISSPELT}"]
    return subprocess.run(command, capture_output=True, text=True).stderr.strip()


@illustration
def specification() -> Figure:
    """Draws the way from a user's text to an object, or to a line that says what is wrong."""
    known = programs.describe("incast")
    if known is None:
        raise UserError("incast is not built")
    name, given = specs.read(SPECIFICATION)
    kind = known.names["ns3::Topology"][name]["class"]
    attributes = known.attributes(kind)
    figure, axes = _canvas(16, 4.9 + 0.5 * len(attributes))
    top = 4.4 + 0.5 * len(attributes)
    mono = {"family": "monospace", "fontsize": 9}
    axes.text(0, top, f"--topology={SPECIFICATION}", family="monospace", fontsize=12)
    axes.annotate("", (0.5, top - 1.2), (0.5, top - 0.2), arrowprops={"arrowstyle": "->"})
    axes.text(0.8, top - 0.8, f"'{name}' is looked up among the TypeIds of its kind", **SMALL)
    axes.text(0, top - 1.7, f"{kind}, a kind of ns3::Topology", weight="bold", **SMALL)
    for row, (attribute, form) in enumerate(attributes.items()):
        y = top - 2.3 - 0.5 * row
        said = attribute in given
        colour = PALETTE["blue"] if said else "0.35"
        axes.text(0.3, y, attribute, color=colour, **mono)
        axes.text(
            3.2,
            y,
            given[attribute] if said else form["default"],
            color=colour,
            **mono,
        )
        axes.text(5.6, y, "as typed" if said else "default", color=colour, **SMALL)
        axes.text(7.6, y, form["allowed"], color=colour, **SMALL)
    axes.text(0, 1.6, f"--topology={MISSPELT}", family="monospace", fontsize=12)
    line = "\n".join(textwrap.wrap(refusal(), 100))
    axes.text(0.3, 1.1, line, color=PALETTE["vermilion"], va="top", **mono)
    return figure


@illustration
def scenario() -> Figure:
    """One scenario under several schemes, as ./repro plot draws its queues."""
    with tempfile.TemporaryDirectory() as home:
        folders = [Path(home) / scheme for scheme in SCHEMES]
        for folder in folders:
            words = [*RUN, f"--scheme={folder.name}", f"--out={folder}"]
            subprocess.run([build.program("incast"), *words], check=True, capture_output=True)
        return pictures.queues(pictures.load(folders))
