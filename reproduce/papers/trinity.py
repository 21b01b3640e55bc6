# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of Trinity (TCC 2018).

Throughput is what arrives, in Mbit/s of IP datagrams, in bins of 5 ms as the paper samples it;
sending rates (Fig. 12) are what limiters let go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, over_time, percentile

LIMIT = 960  # what the limiters of a host let through
SHARED = 500  # Mbit/s that both senders converge to, Sec. 5.5
TENANT_NUMBERS = ("mbps", "min_mbps", "cov", "worst_50ms_mbps", "falls_per_s", "spare_share")


def throughput(run: RunOutput, measure: str = "throughput") -> pd.DataFrame:
    """A row per bin, a column per tenant; data only, which all cross the trunk the same way."""
    rows = run.table("pairs")
    rows = rows[(rows["measure"] == measure) & (rows["source"] < rows["destination"])]
    return rows.pivot_table("rate_bps", "time_s", "tenant", "sum").fillna(0) / 1e6


def measured(run: RunOutput, table: pd.DataFrame) -> pd.DataFrame:
    """Its rows after the warm-up."""
    return table[table.index >= run.setting("warmUp_s") - 1e-9]


def half_of_trunk(run: RunOutput) -> float:
    """Half of what the trunk carries of full IP datagrams, in Mbit/s."""
    return run.setting("topology.BottleneckRate_bps") / 1e6 * 1500 / 1538 / 2


def guarantees(run: RunOutput) -> dict[str, float]:
    """The hose of each tenant in Mbit/s: of its first VM, to send. Copies of a tenant are one."""
    hoses = {original(name): one["hose_bps"] / 1e6 for name, one in run.setting("tenants").items()}
    return {name: hose for name, hose in hoses.items() if hose > 0}


def original(name: str) -> str:
    """Of whom a tenant is a copy: A of A-7."""
    return name.partition("-")[0]


def names(run: RunOutput, name: str) -> list[str]:
    """The tenants that are copies of one, or itself."""
    return [one for one in run.setting("tenants") if original(one) == name]


def tenants_of(run: RunOutput, name: str) -> list[dict[str, Any]]:
    """The settings of these."""
    return [run.setting("tenants")[one] for one in names(run, name)]


def bin_width(table: pd.DataFrame) -> float:
    """In seconds."""
    return float(np.diff(table.index).min())


@metric(
    "trinity-rates",
    *(f"{who}_{number}" for who in "abc" for number in TENANT_NUMBERS),
    *("sum_mbps", "mean_mbps", "utilization", "mean_spare_share", "apart_percent"),
    *("worst_tenant_mbps", "worst_tenant_50ms_mbps"),
)
def rates(run: RunOutput) -> Numbers:
    """Throughput of each tenant, and of all.

    `a_mbps` is the mean, `a_cov` the coefficient of variation, `a_worst_50ms_mbps` the least mean
    over 50 ms, `a_falls_per_s` how often the rate falls by more than 30 % from bin to bin,
    `a_spare_share` which part of what A could have beyond its guarantee it has: 1 is an equal part
    of what limiters let through. `utilization` is a share of what the trunk carries,
    `apart_percent` how far the tenants' means are apart, over their mean.
    """
    table = measured(run, throughput(run))
    hoses = guarantees(run)
    numbers: Numbers = {}
    for name, rate in table.items():
        who = str(name).lower()
        spare = LIMIT / len(table.columns) - hoses[name]
        numbers |= {
            f"{who}_mbps": rate.mean(),
            f"{who}_min_mbps": rate.min(),
            f"{who}_cov": rate.std() / rate.mean(),
            f"{who}_worst_50ms_mbps": rate.rolling(round(0.05 / bin_width(table))).mean().min(),
            f"{who}_falls_per_s": (rate < 0.7 * rate.shift()).mean() / bin_width(table),
            f"{who}_spare_share": (rate.mean() - hoses[name]) / spare,
        }

    def of_tenants(number: str) -> list[float]:
        return [numbers[f"{str(name).lower()}_{number}"] for name in table]

    means = np.array(of_tenants("mbps"))
    return numbers | {
        "sum_mbps": means.sum(),
        "mean_mbps": means.mean(),
        "apart_percent": 100 * np.ptp(means) / means.mean(),
        "utilization": means.sum() / (2 * half_of_trunk(run)),
        "mean_spare_share": float(np.mean(of_tenants("spare_share"))),
        "worst_tenant_mbps": means.min(),
        "worst_tenant_50ms_mbps": min(of_tenants("worst_50ms_mbps")),
    }


def since_start_of_b(run: RunOutput) -> pd.DataFrame:
    """Throughput from when B starts, by milliseconds since then; empty if B is there at once."""
    starts = [workload.get("Start_s", 0.0) for workload in tenants_of(run, "B")[0]["workloads"]]
    if max(starts) == 0:
        return pd.DataFrame()
    table = throughput(run)
    table = table[table.index >= max(starts) - 1e-9]
    table.index = (table.index - table.index[0]) * 1e3
    return table


@metric(
    "trinity-recovery",
    *("b_recovery_ms", "b_below_ms", "b_last_second_mbps", "a_excess_while_b_short"),
)
def recovery(run: RunOutput) -> Numbers:
    """The share of its guarantee that B gets, back after a time with little traffic.

    `b_recovery_ms` is the time until 100 ms with 95 % of it begin, `b_below_ms` how long B is below
    that in its first second, `a_excess_while_b_short` what A has meanwhile over its own guarantee.
    """
    table = since_start_of_b(run)
    if table.empty:
        return {}
    hoses = guarantees(run)
    enough = 0.95 * hoses["B"]
    width = bin_width(table)
    ahead = table["B"].rolling(round(100 / width)).mean().shift(1 - round(100 / width)).dropna()
    reached = ahead[ahead >= enough]
    first = table[table.index < 1000]
    short = first[first["B"] < enough]
    return {
        "b_recovery_ms": reached.index[0] if len(reached) else table.index[-1],
        "b_below_ms": len(short) * width,
        "b_last_second_mbps": table.loc[table.index >= table.index[-1] - 1000, "B"].mean(),
        "a_excess_while_b_short": short["A"].mean() / hoses["A"] if len(short) else 0.0,
    }


@metric(
    "trinity-convergence",
    *("a_before_mbps", "a_after_mbps", "b_after_mbps", "a_sent_mbps", "b_sent_mbps"),
    *("settled_after_ms", "agreed_after_ms", "settled_percent"),
)
def convergence(run: RunOutput) -> Numbers:
    """Throughput of A before B starts and of both from 10 ms after it on, then what senders do.

    `a_sent_mbps` is A's sending rate from 10 ms after B's first packet on. `settled_after_ms`: from
    the sample of 5 ms on that begins then both sending rates stay within 15 % of 500 Mbit/s;
    `agreed_after_ms`: within 10 % of each other. What does not stay counts as settled when the run
    ends. `settled_percent` are the samples from 5 ms on in which both are that near to 500.
    """
    table = since_start_of_b(run)
    table = table[(table["B"] > 0).cummax()]
    table.index = table.index - table.index[0]
    before = measured(run, throughput(run))
    after = table[table.index >= 10]
    sent = sending_rates(run)
    settled = ((sent / SHARED - 1).abs() <= 0.15).all(axis=1)
    return {
        "a_before_mbps": before.loc[(before["B"] > 0).cumsum() == 0, "A"].mean(),
        "a_after_mbps": after["A"].mean(),
        "b_after_mbps": after["B"].mean(),
        "a_sent_mbps": sent.loc[sent.index >= 10, "A"].mean(),
        "b_sent_mbps": sent.loc[sent.index >= 10, "B"].mean(),
        "settled_after_ms": stays_after(settled),
        "agreed_after_ms": stays_after(sent.min(axis=1) >= 0.9 * sent.max(axis=1)),
        "settled_percent": 100 * settled[settled.index >= 5].mean(),
    }


SAMPLE = 5  # ms, of sending rates in Sec. 5.5


def let_go(run: RunOutput) -> pd.DataFrame:
    """Bytes of data that limiters have let go so far: a row per sample, a column per tenant."""
    rows = run.table("limiters")
    rows = rows[rows["measure"].isin(["green_bytes", "red_bytes"])]
    rows = rows[rows["source"] < rows["destination"]]
    return rows.pivot_table("value", "time_s", "tenant", "sum").fillna(0)


def in_samples(sent: pd.DataFrame) -> pd.DataFrame:
    """Rates in Mbit/s of bytes let go, in samples of 5 ms from the first row on."""
    sent = sent.iloc[:: round(SAMPLE / 1e3 / bin_width(sent))]
    return sent.diff().shift(-1).dropna() * 8 / (SAMPLE * 1e3)


def sending_rates(run: RunOutput) -> pd.DataFrame:
    """Of each tenant, in samples of 5 ms from B's first packet on, by milliseconds since then."""
    sent = let_go(run)
    start = max(int((sent["B"] > 0).to_numpy().argmax()) - 1, 0)  # nothing of B's yet
    rates = in_samples(sent.iloc[start:])
    rates.index = pd.Index(SAMPLE * np.arange(len(rates)))
    return rates


def stays_after(good: pd.Series) -> float:
    """Begin of the samples from which on all are good; the end of the last if that is not."""
    bad = good.index[~good]
    return float(bad[-1] + SAMPLE) if len(bad) else 0.0


@metric("trinity-join", "a_after_mbps", "b_after_mbps", "a_longest_gap_ms")
def join(run: RunOutput) -> Numbers:
    """Rates of A from 100 ms and of B from 20 ms after B's start on; longest time without a byte
    of A delivered in order."""
    table = since_start_of_b(run)
    delivered = throughput(run, "goodput")["A"].iloc[-len(table) :]
    gaps = (delivered == 0).groupby((delivered > 0).cumsum()).sum()
    return {
        "a_after_mbps": table.loc[table.index >= 100, "A"].mean(),
        "b_after_mbps": table.loc[table.index >= 20, "B"].mean(),
        "a_longest_gap_ms": gaps.max() * bin_width(table),
    }


@metric("trinity-short-flows", "short_mean_us", "short_p99_us", "short_flows", "utilization")
def short_flows(run: RunOutput) -> Numbers:
    """Completion of the flows that end, and the share of what the trunk carries that arrives."""
    flows = run.table("flows")
    times = flows.loc[flows["finished"] == 1, "fct_ns"] / 1e3
    return {
        "short_mean_us": times.mean(),
        "short_p99_us": percentile(times, 99),
        "short_flows": len(times),
        "utilization": measured(run, throughput(run)).sum(axis=1).mean() / (2 * half_of_trunk(run)),
    }


FULL_BYTES = {"FileStore": 32 * 300e6, "MapReduce": 32 * 256e6}  # Sec. 5.3


def jobs(run: RunOutput) -> pd.DataFrame:
    """Bytes delivered of each job over time in seconds, both as if the jobs had their full size."""
    tasks = run.table("tasks")
    scale = sum(FULL_BYTES.values()) / tasks["bytes"].sum()
    rate = over_time(run, "tenants", "goodput").fillna(0) / 1e6
    delivered = rate.cumsum() * 1e6 / 8 * bin_width(rate) * scale
    delivered.index = (delivered.index + bin_width(rate)) * scale
    return delivered


@metric(
    "trinity-jobs", "filestore_s", "mapreduce_s", "both_s", "filestore_share", "reserved_percent"
)
def job_times(run: RunOutput) -> Numbers:
    """Completion of both jobs, as if they had their full size.

    `filestore_share` is FileStore's part of what arrives while both run, `reserved_percent` what
    the pairs that are used are guaranteed of 1 Gbit/s.
    """
    tasks = run.table("tasks")
    scale = sum(FULL_BYTES.values()) / tasks["bytes"].sum()
    ends = (tasks["start_ns"] + tasks["duration_ns"]).groupby(tasks["group"]).max() / 1e9 * scale
    filestore, mapreduce = (float(ends[group]) for group in (0, 1))
    delivered = jobs(run)
    both = delivered[delivered.index <= min(filestore, mapreduce)].iloc[-1]
    tenants = run.setting("tenants").values()
    connections = [tenant["workloads"][0]["Connections"] for tenant in tenants]
    pipes = [tenant["pairs"][0]["pipe_bps"] / 1e6 for tenant in tenants]
    pairs = tasks.groupby("group")["flows"].sum() / connections
    return {
        "filestore_s": filestore,
        "mapreduce_s": mapreduce,
        "both_s": max(filestore, mapreduce),
        "filestore_share": both["FileStore"] / both.sum(),
        "reserved_percent": float(sum(pairs * pipes)) / 10,
    }


@curve("trinity-progress")
def progress(run: RunOutput) -> pd.DataFrame:
    """Percentage that is delivered of each job against time in seconds, at every 20th bin."""
    share = 100 * jobs(run).iloc[19::20] / pd.Series(FULL_BYTES)
    return share.reset_index(names="x").melt("x", var_name="series", value_name="y")


@metric(
    "trinity-queries", "query_p50_us", "query_p90_us", "query_p99_us", "queries", "green_percent"
)
def queries(run: RunOutput) -> Numbers:
    """Completion of queries, and how much of what arrives for their tenant is green."""
    times = run.table("tasks")["duration_ns"] / 1e3
    rows = run.table("tenants")
    own = rows["tenant"].str.split("-").str[0] == "memcached"  # perhaps of copies
    classes = rows[own & rows["measure"].str.startswith("class")]
    sums = classes.groupby("measure")["rate_bps"].sum()
    return {
        "query_p50_us": percentile(times, 50),
        "query_p90_us": percentile(times, 90),
        "query_p99_us": percentile(times, 99),
        "queries": len(times),
        "green_percent": 100 * sums.get("class0", 0.0) / sums.sum() if sums.sum() else np.nan,
    }


@curve("trinity-query-cdf")
def query_cdf(run: RunOutput) -> pd.DataFrame:
    """Share of queries that are complete after a time in microseconds."""
    times = np.sort(run.table("tasks")["duration_ns"] / 1e3)
    x = np.geomspace(10, 1e5, 241)
    y = np.searchsorted(times, x, side="right") / len(times)
    first, last = max(0, int(np.argmax(y > 0)) - 1), int(np.argmax(y >= 0.9999)) + 1
    return pd.DataFrame({"x": x[first:last], "y": y[first:last]})


@curve("trinity-throughput")
def throughput_over_time(run: RunOutput) -> pd.DataFrame:
    """Throughput of each tenant against time in seconds."""
    table = throughput(run)
    table.columns = [f"{name}2" for name in table]
    return table.reset_index(names="x").melt("x", var_name="series", value_name="y")


@curve("trinity-sending-rates")
def sending_over_time(run: RunOutput) -> pd.DataFrame:
    """Sending rate of each tenant against time in seconds, in samples of 5 ms."""
    table = in_samples(let_go(run))
    table.columns = [f"{name}1" for name in table]
    return table.reset_index(names="x").melt("x", var_name="series", value_name="y")


@metric("trinity-feedback", "feedback_mbps", "feedback_share")
def feedback(run: RunOutput) -> Numbers:
    """Bandwidth of reports in Mbit/s and as a share of 1 Gbit/s: 64 bytes each, or the 8 by which a
    packet grows that one rides on."""
    results = run.manifest["results"]
    rode = results.get("pair_reports_rode", 0)
    size = 64 * (results["pair_reports_sent"] - rode) + 8 * rode
    mbps = size * 8 / run.manifest["simulated_s"] / 1e6
    return {"feedback_mbps": mbps, "feedback_share": mbps / 1000}


@metric("trinity-work", "reports_per_s", "events_per_packet")
def work(run: RunOutput) -> Numbers:
    """Reports per second, and events of the simulation per packet that hosts sent."""
    ports = run.table("ports")
    packets = ports.loc[ports["role"] == "host-switch", "tx_packets"].sum()
    found = run.manifest
    return {
        "reports_per_s": found["results"].get("pair_reports_sent", 0) / found["simulated_s"],
        "events_per_packet": found["events"] / packets,
    }


@metric("trinity-pairs", "utilization", "worst_pair_share")
def pairs(run: RunOutput) -> Numbers:
    """Share of the sender's link that is used, and the slowest pair's rate over its guarantee.

    The pairs are those of the first host, each guaranteed an eighth of its link.
    """
    ports = run.table("ports")
    link = ports.loc[ports["port"] == "host0:0", "rate_bps"].iloc[0]
    rows = run.table("pairs")
    rows = rows[(rows["measure"] == "throughput") & (rows["source"] == 0)]
    means = rows.groupby("pair")["rate_bps"].mean()
    return {
        "utilization": means.sum() / (link * 1500 / 1538),
        "worst_pair_share": means.min() / (link / 8),
    }


@metric(
    "trinity-hose",
    *(f"{phase}_phase_mbps" for phase in ("alone", "limited", "all", "worst")),
    "b_mbps",
)
def hose(run: RunOutput) -> Numbers:
    """Throughput of all pairs of A's hose in phases of 500 ms, without the first 100 of each."""
    table = throughput(run)
    numbers: Numbers = {}
    for i, phase in enumerate(("alone", "limited", "all")):
        within = (table.index >= i / 2 + 0.1 - 1e-9) & (table.index < (i + 1) / 2 - 1e-9)
        numbers[f"{phase}_phase_mbps"] = table.loc[within, "A"].mean()
    worst = min(numbers.values())
    return numbers | {
        "worst_phase_mbps": worst,
        "b_mbps": table.loc[table.index >= 0.1, "B"].mean(),
    }


@curve("trinity-hose-rates")
def hose_rates(run: RunOutput) -> pd.DataFrame:
    """Throughput of A and of each of its pairs against time in seconds."""
    rates = over_time(run, "pairs", "throughput").fillna(0) / 1e6
    hosts = sorted(int(name.split("-")[1]) for name in rates if name.startswith("A 0-"))
    rates = rates[[f"A 0-{host}" for host in hosts]]
    rates.columns = [f"pair {i + 1}" for i in range(len(hosts))]
    return rates.reset_index(names="x").melt("x", var_name="series", value_name="y")


def pair_shares(run: RunOutput) -> pd.Series:
    """The rate of each pair that sends data over its guarantee, the hose of its VMs."""
    rows = run.table("pairs")
    rows = rows[rows["measure"] == "throughput"]
    means = rows.groupby("pair")["rate_bps"].mean()
    answers = means.reindex([pair ^ 1 for pair in means.index]).fillna(0).to_numpy()
    return means[means.to_numpy() > 5 * answers] / common_hose(run)


def common_hose(run: RunOutput) -> float:
    """The hose that all VMs have, in bit/s."""
    (hose,) = {tenant["hose_bps"] for tenant in run.setting("tenants").values()}
    return float(hose)


@metric("trinity-hose-shares", "mean_guarantee_mbps", "below_own_percent")
def hose_shares(run: RunOutput) -> Numbers:
    """The part of their hoses that pairs which send data are given, and the percentage that get
    less than 95 % of that."""
    hose_mbps = common_hose(run) / 1e6
    rates = pair_shares(run) * hose_mbps
    rows = run.table("limiters")
    given = rows[rows["measure"] == "guarantee_bps"].groupby("pair")["value"].mean() / 1e6
    given = given.reindex(rates.index)
    return {
        "mean_guarantee_mbps": given.mean(),
        "below_own_percent": 100 * (rates < 0.95 * given).mean(),
    }


@metric("trinity-many-pairs", "pairs", "pair_mean_mbps", "pair_p1_share", "pairs_below_percent")
def many_pairs(run: RunOutput) -> Numbers:
    """Rates of many pairs: mean, the slowest hundredth over its guarantee, and the percentage that
    get less than 95 % of it."""
    shares = pair_shares(run)
    hose_mbps = common_hose(run) / 1e6
    return {
        "pairs": len(shares),
        "pair_mean_mbps": shares.mean() * hose_mbps,
        "pair_p1_share": shares.quantile(0.01),
        "pairs_below_percent": 100 * (shares < 0.95).mean(),
    }


@curve("trinity-pair-share-cdf")
def pair_share_cdf(run: RunOutput) -> pd.DataFrame:
    """Share of pairs whose rate over their guarantee is at most x."""
    shares = np.sort(pair_shares(run))
    x = np.geomspace(0.3, 10, 121)
    return pd.DataFrame({"x": x, "y": np.searchsorted(shares, x, side="right") / len(shares)})


def copies_rates(run: RunOutput) -> pd.DataFrame:
    """The goodput of each copy of a tenant over its guarantee: a row per copy, a column per tenant.

    Of a pair and its reverse, the data go in the direction of the even one. A copy that received
    nothing does not appear in the table of pairs.
    """
    rows = run.table("pairs")
    rows = rows[(rows["measure"] == "throughput") & (rows["pair"] % 2 == 0)]
    sums = rows.groupby("tenant")["rate_bps"].sum() / rows["time_s"].nunique() / 1e6
    return pd.DataFrame(
        {
            name: sums.reindex(names(run, name)).to_numpy() / hose
            for name, hose in guarantees(run).items()
        }
    ).fillna(0)


@metric(
    "trinity-copies",
    *("a_pair_mbps", "b_pair_mbps", "pair_mbps", "a_over_b"),
    *("a_below_percent", "b_below_percent", "below_percent", "worst_share"),
)
def copies(run: RunOutput) -> Numbers:
    """Rates of the pairs of many copies of A and B: means, and the percentage of pairs that get
    less than 95 % of their guarantee. `worst_share` is the slowest pair's rate over its own."""
    shares = copies_rates(run)
    mbps = shares * pd.Series(guarantees(run))
    below = 100 * (shares < 0.95)
    return {
        "a_pair_mbps": mbps["A"].mean(),
        "b_pair_mbps": mbps["B"].mean(),
        "pair_mbps": mbps.to_numpy().mean(),
        "a_over_b": mbps["A"].mean() / mbps["B"].mean(),
        "a_below_percent": below["A"].mean(),
        "b_below_percent": below["B"].mean(),
        "below_percent": below.to_numpy().mean(),
        "worst_share": shares.to_numpy().min(),
    }


@curve("trinity-copies-cdf")
def copies_cdf(run: RunOutput) -> pd.DataFrame:
    """Share of pairs whose rate over their guarantee is at most x."""
    x = np.geomspace(0.03, 30, 121)
    parts = [
        pd.DataFrame({"x": x, "series": name, "y": np.searchsorted(np.sort(column), x, "right")})
        for name, column in copies_rates(run).items()
    ]
    return pd.concat(parts).assign(y=lambda rows: rows["y"] / len(copies_rates(run)))


@metric(
    "trinity-copied-jobs",
    *(f"{job}_{number}ms" for job in ("filestore", "mapreduce") for number in ("", "worst_")),
    *("both_ms", "filestore_over_mapreduce", "filestore_over_reserved", "jobs"),
)
def copied_jobs(run: RunOutput) -> Numbers:
    """Completion of the jobs of many copies, which begin together: mean and slowest of either kind,
    and the mean time after which both jobs of a copy are over. A job that has not ended counts as
    if it had with the run. What FileStore takes is also given over what the bytes of a pair take at
    the rate that is reserved for it."""
    stores = tenants_of(run, "FileStore")
    size = stores[0]["workloads"][0]["Sizes"]["Bytes"]
    rate = stores[0]["pairs"][0]["pipe_bps"]
    tasks = run.table("tasks")
    ends = (tasks["start_ns"] + tasks["duration_ns"]).groupby(tasks["group"]).max() / 1e6
    times = (
        ends.reindex(range(2 * len(stores))).fillna(run.manifest["simulated_s"] * 1e3).to_numpy()
    )
    filestore, mapreduce = times[0::2], times[1::2]
    return {
        "filestore_ms": filestore.mean(),
        "mapreduce_ms": mapreduce.mean(),
        "filestore_worst_ms": filestore.max(),
        "mapreduce_worst_ms": mapreduce.max(),
        "both_ms": np.maximum(filestore, mapreduce).mean(),
        "filestore_over_mapreduce": filestore.mean() / mapreduce.mean(),
        "filestore_over_reserved": filestore.mean() / (size * 8 / (rate / 1e6) / 1e3),
        "jobs": tasks["group"].nunique(),
    }


@curve("trinity-colours")
def colours(run: RunOutput) -> pd.DataFrame:
    """A's data by colour on arrival, and A's rates R_G and R_W, against time in seconds."""
    rates, limits = run.table("pairs"), run.table("limiters")
    names = {"class0": "green", "class1": "red", "guarantee_bps": "R_G", "spare_rate_bps": "R_W"}
    rows = pd.concat([rates, limits.rename(columns={"value": "rate_bps"})])
    rows = rows[(rows["tenant"] == "A") & (rows["source"] < rows["destination"])]
    rows = rows[rows["measure"].isin(names)]
    return pd.DataFrame(
        {"x": rows["time_s"], "series": rows["measure"].map(names), "y": rows["rate_bps"] / 1e6}
    )
