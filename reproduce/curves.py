# SPDX-License-Identifier: GPL-2.0-only
"""Curves: from the CSV files of one run to a line of a figure.

A curve is a function from a RunOutput to a table with the columns x and y, and `series` if one run
gives several lines; registered by name, as metrics are. A plot of the kind `curve` names one and
shows its mean over seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reproduce.lazy import pd
from reproduce.metrics import BINS_PER_DECADE, RunOutput, by_size, over_time, packets_per_flow

Function = Callable[[RunOutput], "pd.DataFrame"]


@dataclass(frozen=True)
class Curve:
    """A named curve."""

    function: Function
    elsewhere: float  # y at an x that a run does not have


CURVES: dict[str, Curve] = {}


def curve(name: str, elsewhere: float = np.nan) -> Callable[[Function], Function]:
    """Registers a function as a curve."""

    def register(function: Function) -> Function:
        if name in CURVES:
            raise ValueError(f"two curves are called {name}")
        CURVES[name] = Curve(function, elsewhere)
        return function

    return register


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
    """CCDF of the packets that a flow has in a queue between switches, as `packets-per-flow`."""
    return _ccdf(packets_per_flow(run, core=True))


def _ccdf(counts: pd.Series) -> pd.DataFrame:
    """P(at least x) at every x up to the largest, from how often each value occurred."""
    counts = counts.reindex(range(1, 1 + max(counts.index, default=0)), fill_value=0)
    return pd.DataFrame({"x": counts.index, "y": counts[::-1].cumsum()[::-1] / counts.sum()})


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


def time_curve(name: str, table: str, measure: str, scale: float, unit: str) -> None:
    """Registers a measure of the recorder `pairs`, `tenants` or `limiters` against time in ms."""

    def measured(run: RunOutput) -> pd.DataFrame:
        values = over_time(run, table, measure) * scale
        values.index = values.index * 1e3
        return values.reset_index(names="x").melt("x", var_name="series", value_name="y").dropna()

    said = f"`{measure}` of the recorder `{table}` in {unit} against time in ms."
    measured.__doc__ = said
    curve(name)(measured)


for who in ("pair", "tenant"):
    for what in ("goodput", "throughput"):
        time_curve(f"{who}-{what}", f"{who}s", what, 1e-6, "Mbit/s")
time_curve("pair-limit", "limiters", "rate_bps", 1e-6, "Mbit/s")
time_curve("pair-guarantee", "limiters", "guarantee_bps", 1e-6, "Mbit/s")
time_curve("pair-window", "limiters", "window_bytes", 1, "bytes")
