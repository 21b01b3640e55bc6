# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of uFAB (SIGCOMM 2022).

Rates are of IP datagrams as they arrive, in bins of 1 ms. VFs are tenants of one VM pair each.
"""

from __future__ import annotations

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, percentile, whole

BASE_RTT_US = 24  # of the testbed (Fig. 10)
REST_OF_BASE_RTT_US = 12.46  # of these: the sender's link, and the acknowledgment's way back
ENOUGH = 0.95  # of its guarantee: the paper's own target of a link
ETHERNET = 14  # bytes in front of a datagram, as the paper counts probes
TAIL_MS = 20  # at the end, in which a VF is satisfied or not
START_MS = 20  # as long, in which VFs that start together come to steady rates
STEADY_BINS = 10  # in a row, of 1 ms, in which a rate that is steady stays near


def demands(run: RunOutput) -> pd.Series:
    """The rate of each VF's own transport in Mbit/s."""
    senders = {
        name: tenant["workloads"][0]["Transport"] for name, tenant in run.setting("tenants").items()
    }
    transports = run.setting("transports")
    return pd.Series({vf: transports[by]["Rate_bps"] / 1e6 for vf, by in senders.items()})


def virtual_fabrics(run: RunOutput) -> pd.DataFrame:
    """Guarantee in Mbit/s and time of joining in ms of each VF."""
    rows = {
        name: (tenant["hose_bps"] / 1e6, round(tenant["joins_s"] * 1e3, 6))
        for name, tenant in run.setting("tenants").items()
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
    """The part of its guarantee that each VF lacks, in Mbit/s; all send once they have joined."""
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


def variation(table: pd.DataFrame) -> float:
    """Coefficient of variation of a VF's rate, the mean of the VFs."""
    return float((table.std() / table.mean().clip(lower=1e-9)).mean())


@metric(
    "mufab-guarantees",
    *("satisfied", "dissatisfaction_peak_percent", "dissatisfaction_percent"),
    *("satisfied_bins_share", "converged_mean_ms", "converged_max_ms", "rate_cov"),
    *("rate_cov_start", "longest_queue_kb", "total_mbps", "worst_vf_share"),
)
def guarantees(run: RunOutput) -> Numbers:
    """The shares of guarantees that are kept.

    `satisfied` counts VFs with 95 % of their guarantee in the last 20 ms; `dissatisfaction_percent`
    is of all the time, its peak that of the worst bin; `satisfied_bins_share` the bins in which it
    is below 1 %. `converged_mean_ms` and `converged_max_ms`: see convergence_times(). `rate_cov` is
    the mean coefficient of variation of a VF's rate in the second half, `rate_cov_start` in the
    first 20 ms. `worst_vf_share` is the least rate over its guarantee of any VF in the last 20 ms.
    """
    table, fabrics = rates(run), virtual_fabrics(run)
    width = float(np.diff(table.index).min())
    tail = table[table.index > table.index[-1] + width - TAIL_MS - 1e-9]
    half = table[table.index >= (table.index[0] + table.index[-1]) / 2]
    start = table[table.index < table.index[0] + START_MS - 1e-9]
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
        "rate_cov": variation(half),
        "rate_cov_start": variation(start),
        "longest_queue_kb": switches["max_queue_bytes"].max() / 1e3,
        "total_mbps": float(tail.sum(axis=1).mean()),
        "worst_vf_share": float((tail.mean() / fabrics["mbps"]).min()),
    }


@metric("mufab-steady", "share_after_ms", "own_rate_after_ms")
def steady(run: RunOutput) -> Numbers:
    """VFs that start together to one host and come to a steady rate (Fig. 12a).

    The time until a VF is within 10 % of a rate in ten bins in a row, the whole run if it never is,
    as a mean of the VFs: `share_after_ms` of its share, by guarantees, of 95 % of the host's link,
    `own_rate_after_ms` of its own rate in the last 20 ms.
    """
    table, fabrics = rates(run), virtual_fabrics(run)
    width = float(np.diff(table.index).min())
    (receiver,) = set(run.table("pairs")["destination"])
    ports = run.table("ports").set_index("port")
    link = float(ports.at[f"host{receiver}:0", "rate_bps"]) / 1e6
    tail = table[table.index > table.index[-1] + width - TAIL_MS - 1e-9]

    def near_after(goals: pd.Series) -> float:
        near = ((table - goals).abs() <= 0.1 * goals).rolling(STEADY_BINS).sum() == STEADY_BINS
        return float(near.idxmax().where(near.any(), table.index[-1]).mean()) + width

    return {
        "share_after_ms": near_after(ENOUGH * link * fabrics["mbps"] / fabrics["mbps"].sum()),
        "own_rate_after_ms": near_after(tail.mean()),
    }


@metric("mufab-rtt", "rtt_p99_us", "rtt_max_us", "queueing_p99_us")
def round_trips(run: RunOutput) -> Numbers:
    """Round-trip times of data as the edge sees them, acknowledgments without queueing."""
    results = run.manifest["results"]
    p99 = results["network_latency_p99_us"]
    least = BASE_RTT_US - REST_OF_BASE_RTT_US
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


@metric(
    "mufab-case2",
    *("subscription_percent", "f1_before_percent", "f2_before_percent", "f3_before_percent"),
    *("f1_share", "f2_share", "f3_share", "f4_share", "worst_share"),
    *("f1_f4_best_share", "f1_f2_best_share", "f4_best_share", "case2_converged_ms", "gap_rtts"),
)
def case2(run: RunOutput) -> Numbers:
    """Four VFs on three paths (Fig. 5).

    A share is the rate over what the VF is owed, the lesser of guarantee and demand, in the last
    20 ms; `f4_best_share` that of F4's best bin. `before` are rates of the last 10 ms before F4
    joins, of the rate of a path. `case2_converged_ms` is the time after F4's joining until no
    VF lacks more than 5 % any more.
    """
    table, fabrics = rates(run), virtual_fabrics(run)
    owed = fabrics["mbps"].clip(upper=demands(run).reindex(fabrics.index))
    joined = fabrics.loc["F4", "joins_ms"]
    percent = run.setting("topology.FabricRate_bps") / 1e6 / 100  # of a path's rate, in Mbit/s
    width = float(np.diff(table.index).min())
    before = (
        table[(table.index >= joined - 10 - 1e-9) & (table.index < joined - 1e-9)].mean() / percent
    )
    after = table[table.index >= joined - 1e-9]
    shares = table[table.index > table.index[-1] + width - TAIL_MS - 1e-9].mean() / owed
    short = (after < ENOUGH * owed - 1e-9).any(axis=1)
    late = after.index[short]
    return {
        "subscription_percent": fabrics["mbps"].drop("F4").sum() / percent,
        **{f"f{i}_before_percent": float(before[f"F{i}"]) for i in (1, 2, 3)},
        **{f"f{i}_share": float(shares[f"F{i}"]) for i in (1, 2, 3, 4)},
        "worst_share": float(shares.min()),
        "f1_f4_best_share": float(shares[["F1", "F4"]].max()),
        "f1_f2_best_share": float(shares[["F1", "F2"]].max()),
        "f4_best_share": float((after["F4"] / owed["F4"]).max()),
        "case2_converged_ms": float(late[-1] + width - joined) if len(late) else 0.0,
        "gap_rtts": 36 / BASE_RTT_US,
    }


@curve("mufab-newcomer-rate")
def newcomer_rate(run: RunOutput) -> pd.DataFrame:
    """Rate of F4 in Mbit/s against time in ms (Fig. 5)."""
    table = rates(run)
    return pd.DataFrame({"x": table.index, "y": table["F4"].to_numpy()})


@metric("mufab-overhead", "probe_percent")
def overhead(run: RunOutput) -> Numbers:
    """Bytes of probes over all bytes of the sender's link, with Ethernet's header (Fig. 15b)."""
    results = run.manifest["results"]
    ports = run.table("ports").set_index("port")
    sender = ports.loc["host0:0"]
    probes = results["mufab_probe_bytes"] + ETHERNET * results["mufab_probes_sent"]
    everything = sender["tx_bytes"] + ETHERNET * sender["tx_packets"]
    return {"probe_percent": float(100 * probes / everything)}


def total_rate(run: RunOutput) -> pd.Series:
    """Rate of all tenants together in Gbit/s, by the start of the bin in ms."""
    rows = run.table("tenants")
    rows = rows[rows["measure"] == "throughput"]
    table = rows.groupby("time_s")["rate_bps"].sum() / 1e9
    table.index = (table.index * 1e3).to_numpy().round(6)
    return table


@curve("mufab-total-rate")
def total_rate_over_time(run: RunOutput) -> pd.DataFrame:
    """Rate of all tenants together in Gbit/s against time in ms."""
    total = total_rate(run)
    return pd.DataFrame({"x": total.index, "y": total.to_numpy()})


def highest_delay_us(run: RunOutput) -> tuple[float, float]:
    """The 99th percentile and the maximum of delays in the network beyond the least one."""
    bins = run.table("network_latency")
    least = float(bins.loc[bins["count"] > 0, "low_ns"].min()) / 1e3
    results = run.manifest["results"]
    p99, top = results["network_latency_p99_us"], results["network_latency_max_us"]
    return max(0.0, p99 - least), top - least


@metric(
    "mufab-star",
    *("star_rtt_p99_us", "star_rtt_max_us", "star_queue_kb"),
    *("greedy_gbps", "greedy_least_gbps", "guarantee_after_ms", "steady_after_ms"),
)
def star(run: RunOutput) -> Numbers:
    """Demands that alternate every 4 ms (Fig. 16); the worst of all phases in which they are high.

    On a star, or between pods.
    `greedy_gbps` is the rate in the second half of such a phase, `greedy_least_gbps` the worst bin
    but for the first ms, `guarantee_after_ms` the time until 95 % of what is guaranteed come
    for the first time, `steady_after_ms` that until the rate stays within 10 % of `greedy_gbps`.
    """
    total = total_rate(run)
    width = float(np.diff(total.index).min())
    p99, top = highest_delay_us(run)
    _, greedy = run.setting("tenants.F.workloads")
    first, on, period = (1e3 * greedy[name] for name in ("Start_s", "On_s", "Period_s"))
    senders = len(run.setting("tenants.F.hosts")) - 1  # the last one receives
    guaranteed = senders * run.setting("tenants.F.hose_bps") / 1e9
    base = 1e6 * run.setting("baseRtt_s")
    worst: dict[str, list[float]] = {"last": [], "least": [], "guarantee": [], "steady": []}
    for start in np.arange(first, total.index[-1], period):
        phase = total[(total.index >= start - 1e-9) & (total.index < start + on - 1e-9)]
        since = phase.index.to_numpy() - start
        values = phase.to_numpy()
        last = values[since >= on / 2 - 1e-9].mean()
        enough = np.flatnonzero(values >= ENOUGH * guaranteed)
        off = np.flatnonzero(np.abs(values - last) > 0.1 * last)
        worst["last"].append(last)
        worst["least"].append(values[since >= 1 - 1e-9].min())
        worst["guarantee"].append(since[enough[0]] + width if len(enough) else on)
        worst["steady"].append(since[off[-1]] + width if len(off) else 0.0)
    return {
        "star_rtt_p99_us": base + p99,
        "star_rtt_max_us": base + top,
        "star_queue_kb": run.table("ports")["max_queue_bytes"].max() / 1e3,
        "greedy_gbps": float(min(worst["last"])),
        "greedy_least_gbps": float(min(worst["least"])),
        "guarantee_after_ms": float(max(worst["guarantee"])),
        "steady_after_ms": float(max(worst["steady"])),
    }


@metric(
    "mufab-failure",
    *("before_gbps", "joins_converged_ms", "regained_ms", "worst_after_share"),
    *("failure_rtt_max_us", "failure_queue_kb"),
)
def failure(run: RunOutput) -> Numbers:
    """Joins, then a failed switch (Fig. 15a); times until no VF lacks more than 5 % any more."""
    table, fabrics = rates(run), virtual_fabrics(run)
    width = float(np.diff(table.index).min())
    failed = 1e3 * float(run.table("events").set_index("event").at["fail-switch", "time_s"])
    share = (table / fabrics["mbps"]).where(
        table.index.to_numpy()[:, None] >= fabrics["joins_ms"].to_numpy() - 1e-9
    )
    short = (share < ENOUGH - 1e-9).any(axis=1)
    joins = sorted(set(fabrics["joins_ms"]))
    ends = [*joins[1:], failed]
    times = [
        _last_true(short[(short.index >= start - 1e-9) & (short.index < end - 1e-9)], start, width)
        for start, end in zip(joins, ends, strict=True)
    ]
    after = short[short.index >= failed - 1e-9]
    tail = table[(table.index >= failed - 2 - 1e-9) & (table.index < failed - 1e-9)]
    ports = run.table("ports")
    _, top = highest_delay_us(run)
    return {
        "before_gbps": float(tail.sum(axis=1).mean() / 1e3),
        "joins_converged_ms": max(times),
        "regained_ms": _last_true(after, failed, width),
        "worst_after_share": float(share[share.index >= failed - 1e-9].min().min()),
        "failure_rtt_max_us": BASE_RTT_US + top,
        "failure_queue_kb": ports.loc[
            ~ports["port"].str.startswith("host"), "max_queue_bytes"
        ].max()
        / 1e3,
    }


def _last_true(flags: pd.Series, start: float, width: float) -> float:
    """Time from the start until the end of the last bin that is true."""
    late = flags.index[flags]
    return float(late[-1] + width - start) if len(late) else 0.0


def whole_tasks(run: RunOutput, group: int) -> pd.Series:
    """Times in us of a tenant's tasks that were finished, by when they began in ms."""
    tasks = whole(run.table("tasks"))
    rows = tasks[(tasks["step"] == "task") & (tasks["group"] == group)]
    return pd.Series(
        rows["duration_ns"].to_numpy() / 1e3, index=rows["start_ns"].to_numpy() / 1e6
    ).sort_index()


@metric("mufab-requests", "kqps", "qct_mean_us", "qct_p99_us", "objects", "flows_unfinished")
def requests(run: RunOutput) -> Numbers:
    """Memcached beside MongoDB (Fig. 13): the first tenant's requests, the second's objects.

    `kqps` is of requests that begin, as often as they end in a closed loop.
    """
    times = whole_tasks(run, 0)
    return {
        "kqps": float(len(times) / (times.index.max() - times.index.min())),
        "qct_mean_us": float(times.mean()),
        "qct_p99_us": percentile(times, 99),
        "objects": float(len(whole_tasks(run, 1))),
        "flows_unfinished": float(run.manifest["results"]["flows_unfinished"]),
    }


@metric(
    "mufab-storage",
    "total_mean_ms",
    "total_p99_ms",
    "gc_mean_ms",
    "gc_p99_ms",
    "tasks",
    "flows_unfinished",
)
def storage(run: RunOutput) -> Numbers:
    """Tasks of the block service (first tenant) and of garbage collection (second) (Fig. 14)."""
    total, garbage = whole_tasks(run, 0) / 1e3, whole_tasks(run, 1) / 1e3
    return {
        "total_mean_ms": float(total.mean()),
        "total_p99_ms": percentile(total, 99),
        "gc_mean_ms": float(garbage.mean()),
        "gc_p99_ms": percentile(garbage, 99),
        "tasks": float(len(total)),
        "flows_unfinished": float(run.manifest["results"]["flows_unfinished"]),
    }


@metric(
    "mufab-bound",
    *("in_flight_bdps", "latency_rtts", "latency_beyond_packets_rtts", "queue_bdps"),
)
def bound(run: RunOutput) -> Numbers:
    """Bytes under way and latency at a switch's port, in target BDPs and base RTTs.

    All but `latency_rtts` without a packet of 1500 bytes of each pair.
    """
    results, ports = run.manifest["results"], run.table("ports")
    rtt = results["mufab_largest_base_rtt_us"]
    pairs = len(run.setting("tenants.F.hosts")) - 1  # the last one receives
    switches = ports[~ports["port"].str.startswith("host")]
    mbps = float(switches["rate_bps"].iloc[0]) / 1e6
    bdp = ENOUGH * mbps * rtt / 8  # bytes: eta times the link's bits in a microsecond
    queue = float(switches["max_queue_bytes"].max()) - 1500 * pairs
    latency = results["mufab_rtt_max_us"]
    samples = run.table("limiters")
    samples = samples[samples["measure"] == "in_flight_bytes"]
    in_flight = samples.groupby("time_s")["value"].sum().max() - 1500 * pairs
    return {
        "in_flight_bdps": float(in_flight / bdp),
        "latency_rtts": latency / rtt,
        "latency_beyond_packets_rtts": (latency - 8 * 1500 / mbps * pairs) / rtt,
        "queue_bdps": queue / bdp,
    }


@curve("mufab-burst-load")
def burst_load(run: RunOutput) -> pd.DataFrame:
    """The load after a burst, as a share of the link's capacity, against time in RTTs (Fig. 19)."""
    table = run.table("burst")
    table = table[table["rtts"] <= 12]
    return pd.DataFrame({"x": table["rtts"], "y": table["load"]})


@curve("mufab-burst-queue")
def burst_queue(run: RunOutput) -> pd.DataFrame:
    """The queue after a burst in base RTTs against time in RTTs (Fig. 19)."""
    table = run.table("burst")
    table = table[table["rtts"] <= 12]
    return pd.DataFrame({"x": table["rtts"], "y": table["queue"]})
