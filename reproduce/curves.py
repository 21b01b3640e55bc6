# SPDX-License-Identifier: GPL-2.0-only
"""Curves: from the CSV files of one run to a line of a figure.

A curve is a function from a RunOutput to a table with the columns x and y, and `series` if one run
gives several lines; registered by name, as metrics are. A plot of the kind `curve` names one and
shows its mean over seeds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from reproduce.metrics import (
    BINS_PER_DECADE,
    RunOutput,
    by_size,
    misestimation,
    packets_per_flow,
    probe_flows,
    queues_by_hop,
)
from reproduce.runs import Run
from reproduce.tables import interval

Function = Callable[[RunOutput], pd.DataFrame]


@dataclass(frozen=True)
class Curve:
    """A named curve."""

    function: Function
    elsewhere: float  # y at an x that a run does not have


CURVES: dict[str, Curve] = {}


def curve(name: str, elsewhere: float = np.nan) -> Callable[[Function], Function]:
    """Registers a function as a curve."""

    def register(function: Function) -> Function:
        CURVES[name] = Curve(function, elsewhere)
        return function

    return register


def tabulate(plot: dict[str, Any], runs: list[Run]) -> pd.DataFrame:
    """The curve of a plot for each scheme: scheme, series, x, mean, ci95, seeds."""
    at = plot.get("at", {})
    chosen: dict[str, dict[int, RunOutput]] = {}
    for run in runs:
        if at.items() <= dict(run.point).items():
            chosen.setdefault(run.scheme, {})[run.seed] = RunOutput(run.folder)
    tables = [
        table.assign(scheme=scheme)
        for scheme, outputs in chosen.items()
        if not (table := mean_curve(plot["curve"], outputs)).empty
    ]
    columns = ["scheme", "series", "x", "mean", "ci95", "seeds"]
    return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)


def mean_curve(name: str, outputs: dict[int, RunOutput]) -> pd.DataFrame:
    """The mean over seeds with its 95 % interval: series, x, mean, ci95, seeds."""
    known = CURVES[name]
    tables = {seed: known.function(output) for seed, output in outputs.items()}
    lines = {
        seed: table.assign(series=table.get("series", "")).set_index(["series", "x"])["y"]
        for seed, table in tables.items()
    }
    seeds = pd.DataFrame(lines).sort_index().fillna(known.elsewhere)
    return pd.DataFrame(
        {
            "mean": seeds.mean(axis=1),
            "ci95": seeds.apply(interval, axis=1),
            "seeds": seeds.notna().sum(axis=1),
        }
    ).reset_index()


@curve("fct-by-size")
def fct_by_size(run: RunOutput) -> pd.DataFrame:
    """Mean flow completion time in microseconds against flow size in bytes, in logarithmic bins."""
    flows = run.table("flows")
    means = by_size(flows[flows["finished"] == 1])
    middle = 10 ** ((means.index + 0.5) / BINS_PER_DECADE)
    return pd.DataFrame({"x": middle, "y": means["fct_ns"].to_numpy() / 1e3})


@curve("packets-per-flow", elsewhere=0)
def packets_per_flow_ccdf(run: RunOutput) -> pd.DataFrame:
    """CCDF of the packets that a flow has in a queue, over all snapshots in which it has any."""
    return _ccdf(packets_per_flow(run))


@curve("core-packets-per-flow", elsewhere=0)
def core_packets_per_flow_ccdf(run: RunOutput) -> pd.DataFrame:
    """The same at ports between switches."""
    return _ccdf(packets_per_flow(run, core=True))


def _ccdf(counts: pd.Series) -> pd.DataFrame:
    """P(at least x) at every x up to the largest, from how often each value occurred."""
    counts = counts.reindex(range(1, 1 + max(counts.index, default=0)), fill_value=0)
    return pd.DataFrame({"x": counts.index, "y": counts[::-1].cumsum()[::-1] / counts.sum()})


@curve("misestimation")
def misestimation_by_columns(run: RunOutput) -> pd.DataFrame:
    """Share of packets (percent) in a later round than due against sketch columns, by rows."""
    rows = [
        {"series": f"{rows} row{'s' if rows > 1 else ''}", "x": columns, "y": 100 * share}
        for (rows, columns), share in misestimation(run).items()
    ]
    return pd.DataFrame(rows, columns=["series", "x", "y"])


# Where the CDFs of delays are drawn: the same places for all runs, 40 per decade from 0.1 us.
DELAYS_US = np.geomspace(0.1, 1e5, 241)


def _delay_cdf(run: RunOutput, table: str) -> pd.DataFrame:
    """P(at most x) of the delays that a histogram counted, x in microseconds."""
    bins = run.table(table)
    if bins.empty:
        return pd.DataFrame({"x": [], "y": []})
    edges = bins["high_ns"].to_numpy(float) / 1e3
    shares = (bins["count"].cumsum() / bins["count"].sum()).to_numpy(float)
    y = np.concatenate([[0.0], shares])[np.searchsorted(edges, DELAYS_US, side="right")]
    # Half a step beyond both ends says all; a decade of nothing would say no more.
    first = max(0, int(np.argmax(y > 0)) - 1)
    last = min(len(y), int(np.argmax(y >= 1)) + 1 if (y >= 1).any() else len(y))
    return pd.DataFrame({"x": DELAYS_US[first:last], "y": y[first:last]})


@curve("network-latency-cdf")
def network_latency_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the time from the first switch to behind the last one, in microseconds."""
    return _delay_cdf(run, "network_latency")


@curve("round-trip-cdf")
def round_trip_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the senders' round-trip times in microseconds."""
    return _delay_cdf(run, "round_trip")


@curve("resequencing-cdf")
def resequencing_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the time that data waits for what was sent before it, in microseconds."""
    return _delay_cdf(run, "resequencing")


SHOWN_S = 0.02  # of a queue over time


@curve("queue-hop1")
def queue_hop1(run: RunOutput) -> pd.DataFrame:
    """The queue of the first sampled hop-1 port, in packets, over the first 20 ms."""
    return _queue(run, "hop1")


@curve("queue-hop4")
def queue_hop4(run: RunOutput) -> pd.DataFrame:
    """The same of the first sampled hop-4 port."""
    return _queue(run, "hop4")


def _queue(run: RunOutput, hop: str) -> pd.DataFrame:
    if run.manifest["rng_run"] > 1:  # a mean over seeds would have no bursts
        return pd.DataFrame({"x": [], "y": []})
    queue = queues_by_hop(run)[hop].iloc[:, 0]
    time = queue.index - queue.index[0]
    return pd.DataFrame({"x": time * 1e3, "y": queue.to_numpy()})[time <= SHOWN_S]


@curve("bouncing-order")
def bouncing_order(run: RunOutput) -> pd.DataFrame:
    """The bouncing switch of each packet of a pair, over one round and a bit."""
    order = run.table("order").rename(columns={"packet": "x", "point": "y"})
    return order[order["x"] <= 1.25 * order["y"].max()]


@curve("fabric-link-loads")
def fabric_link_loads(run: RunOutput) -> pd.DataFrame:
    """CCDF of the loads of links between switches, in steps of a tenth."""
    loads = run.table("loads")
    loads = loads[loads["link"].between(1, loads["link"].max() - 1)]  # but for servers' own
    steps = np.arange(0, 10 * loads["load"].max() + 2) / 10
    above = [loads.loc[loads["load"] >= step - 1e-6, "count"].sum() for step in steps]
    return pd.DataFrame({"x": steps, "y": np.array(above) / loads["count"].sum()})


@curve("probe-cdf")
def probe_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the completion times of 4 KB probes in microseconds, unfinished ones at infinity."""
    probes = probe_flows(run)
    probes = probes[probes["bytes"] == 4096]
    times = np.sort(probes.loc[probes["finished"] == 1, "total_us"].to_numpy(float))
    first, last = np.searchsorted(DELAYS_US, [times[0], 1.06 * times[-1]])
    grid = DELAYS_US[first:last]
    return pd.DataFrame({"x": grid, "y": np.searchsorted(times, grid, "right") / len(probes)})


@curve("probe-by-size")
def probe_by_size(run: RunOutput) -> pd.DataFrame:
    """Mean completion time of probes in microseconds against their size in KB."""
    probes = probe_flows(run)
    means = probes[probes["finished"] == 1].groupby("bytes")["total_us"].mean()
    return pd.DataFrame({"x": means.index / 1024, "y": means.to_numpy()})


@curve("server-delay")
def server_delay(run: RunOutput) -> pd.DataFrame:
    """CDF of the time from a failure until the last server knows of it, by what failed, in ms."""
    grid = np.arange(0, 351, 2.0)
    lines = []
    for failure, rows in run.table("delays").groupby("failure", sort=False):
        times = np.sort(rows["last_server_ms"].to_numpy(float))
        share = np.searchsorted(times, grid, "right") / len(times)
        lines.append(pd.DataFrame({"series": failure.replace("_", " "), "x": grid, "y": share}))
    return pd.concat(lines)
