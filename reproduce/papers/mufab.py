# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of uFAB (SIGCOMM 2022).

Rates are of IP datagrams as they arrive, in bins of 1 ms. VFs are tenants of one VM pair each.
"""

import re

import numpy as np
import pandas as pd

from reproduce.curves import curve
from reproduce.metrics import Numbers, RunOutput, metric

REST_OF_BASE_RTT_US = 12.46  # of 24 us: the sender's link, and the acknowledgment's way back
ENOUGH = 0.95  # of its guarantee: the paper's own target of a link
TAIL_MS = 20  # at the end, in which a VF is satisfied or not


def virtual_fabrics(run: RunOutput) -> pd.DataFrame:
    """Guarantee in Mbit/s and time of joining in ms of each VF."""
    statements = run.manifest["arguments"]["tenants"]
    found = re.findall(
        r"tenant (\w+) hosts=[\d,]+ hose=(\d+)([GM])bps(?: joins=([\d.]+)ms)?", statements
    )
    rows = {
        name: (float(rate) * (1000 if unit == "G" else 1), float(joins or 0))
        for name, rate, unit, joins in found
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["mbps", "joins_ms"])


def rates(run: RunOutput) -> pd.DataFrame:
    """Rate of each VF in Mbit/s, a row per bin by its start in ms."""
    rows = run.table("pairs")
    rows = rows[rows["measure"] == "throughput"]
    table = rows.pivot_table("rate_bps", "time_s", "tenant", "sum").fillna(0) / 1e6
    table.index = (table.index * 1e3).to_numpy().round(6)
    return table.reindex(columns=virtual_fabrics(run).index, fill_value=0.0)


def missing(run: RunOutput) -> pd.DataFrame:
    """What each VF lacks of its guarantee in Mbit/s; all send without end from when they join."""
    table, fabrics = rates(run), virtual_fabrics(run)
    lack = (fabrics["mbps"] - table).clip(lower=0)
    joined = table.index.to_numpy()[:, None] >= fabrics["joins_ms"].to_numpy() - 1e-9
    return lack.where(joined, 0.0)


def dissatisfaction(run: RunOutput) -> pd.Series:
    """Bandwidth that is missing over bandwidth that is delivered, in per cent, by bin."""
    return 100 * missing(run).sum(axis=1) / rates(run).sum(axis=1)


def convergence_times(run: RunOutput) -> list[float]:
    """Per join, in ms: until no VF lacks more than 5 % of its guarantee before the next join."""
    fabrics = virtual_fabrics(run)
    short = (missing(run) > (1 - ENOUGH) * fabrics["mbps"] + 1e-9).any(axis=1)
    width = float(np.diff(short.index).min())
    joins = sorted(set(fabrics["joins_ms"]))
    times = []
    for start, end in zip(joins, [*joins[1:], short.index[-1] + width], strict=True):
        between = short[(short.index >= start - 1e-9) & (short.index < end - 1e-9)]
        late = between.index[between]
        times.append(float(late[-1] + width - start) if len(late) else 0.0)
    return times


@metric(
    "mufab-guarantees",
    *("satisfied", "dissatisfaction_peak_percent", "dissatisfaction_percent"),
    *("satisfied_bins_share", "converged_mean_ms", "converged_max_ms", "rate_cov"),
    *("longest_queue_kb", "total_mbps"),
)
def guarantees(run: RunOutput) -> Numbers:
    """How well guarantees are kept.

    `satisfied` counts VFs with 95 % of their guarantee in the last 20 ms; `dissatisfaction_percent`
    is of all the time, its peak that of the worst bin; `satisfied_bins_share` the bins in which it
    is below 1 %. `converged_mean_ms` and `converged_max_ms`: see convergence_times(). `rate_cov` is
    the mean coefficient of variation of a VF's rate in the second half.
    """
    table, fabrics = rates(run), virtual_fabrics(run)
    width = float(np.diff(table.index).min())
    tail = table[table.index > table.index[-1] + width - TAIL_MS - 1e-9]
    half = table[table.index >= (table.index[0] + table.index[-1]) / 2]
    ratio = dissatisfaction(run).fillna(0)
    times = convergence_times(run)
    ports = run.table("ports")
    switches = ports[~ports["port"].str.startswith("host")]
    return {
        "satisfied": float((tail.mean() >= ENOUGH * fabrics["mbps"]).sum()),
        "dissatisfaction_peak_percent": ratio.max(),
        "dissatisfaction_percent": 100 * missing(run).to_numpy().sum() / table.to_numpy().sum(),
        "satisfied_bins_share": float((ratio < 1).mean()),
        "converged_mean_ms": float(np.mean(times)),
        "converged_max_ms": max(times),
        "rate_cov": float((half.std() / half.mean().clip(lower=1e-9)).mean()),
        "longest_queue_kb": switches["max_queue_bytes"].max() / 1e3,
        "total_mbps": float(tail.sum(axis=1).mean()),
    }


@metric("mufab-rtt", "rtt_p99_us", "rtt_max_us", "queueing_p99_us")
def round_trips(run: RunOutput) -> Numbers:
    """Round-trip times of data as the edge sees them, acknowledgments without queueing."""
    results = run.manifest["results"]
    p99 = results["network_latency_p99_us"]
    least = 24 - REST_OF_BASE_RTT_US
    return {
        "rtt_p99_us": p99 + REST_OF_BASE_RTT_US,
        "rtt_max_us": results["network_latency_max_us"] + REST_OF_BASE_RTT_US,
        "queueing_p99_us": max(0.0, p99 - least),
    }


@curve("mufab-rtt-cdf")
def rtt_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of round-trip times in microseconds."""
    bins = run.table("network_latency")
    edges = bins["high_ns"].to_numpy(float) / 1e3 + REST_OF_BASE_RTT_US
    shares = (bins["count"].cumsum() / bins["count"].sum()).to_numpy(float)
    x = np.geomspace(10, 1e4, 301)
    y = np.interp(x, edges, shares, left=0, right=1)
    last = int(np.argmax(y >= 1)) + 1 if (y >= 1).any() else len(x)
    return pd.DataFrame({"x": x[:last], "y": y[:last]})


@curve("mufab-worst-rate")
def worst_rate(run: RunOutput) -> pd.DataFrame:
    """Rate of the worst VF of a bin in Mbit/s against time in ms."""
    table = rates(run)
    return pd.DataFrame({"x": table.index, "y": table.min(axis=1).to_numpy()})


@curve("mufab-worst-share")
def worst_share(run: RunOutput) -> pd.DataFrame:
    """Rate over guarantee of the worst VF that has joined against time in ms."""
    table, fabrics = rates(run), virtual_fabrics(run)
    joined = table.index.to_numpy()[:, None] >= fabrics["joins_ms"].to_numpy() - 1e-9
    worst = (table / fabrics["mbps"]).where(joined).min(axis=1)
    return pd.DataFrame({"x": table.index, "y": worst.to_numpy()})


@curve("mufab-dissatisfaction")
def dissatisfaction_over_time(run: RunOutput) -> pd.DataFrame:
    """Bandwidth dissatisfaction in per cent against time in ms."""
    ratio = dissatisfaction(run)
    return pd.DataFrame({"x": ratio.index, "y": ratio.to_numpy()})
