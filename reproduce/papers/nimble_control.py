# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of Nimble (SOSR 2021) that are about its controller: who gets what when paths
change, and what happens while limiters are programmed (Sections 6.3.2 and 6.3.3).
"""

from __future__ import annotations

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, over_time
from reproduce.papers.nimble import PAYLOAD

LOCAL_TOTALS = (100, 200, 200, 200)  # Gbps of ports' own rates in each interval of Fig. 12: those
INTERVALS = len(LOCAL_TOTALS)  # that nimble-shares computes, to which a test holds them


def class_goodput(run: RunOutput) -> pd.DataFrame:
    """Goodput of each class in Gbit/s: a row per bin, a column per class.

    A class is several tenants: what stands before the hyphen of their names.
    """
    table = over_time(run, "tenants", "goodput").fillna(0)
    return table.T.groupby(lambda tenant: str(tenant).split("-")[0]).sum().T / 1e9


@metric(
    "class-intervals",
    *(f"{who}_interval[0-9]_gbps" for who in ("t1", "t2", "t3", "sum")),
    *("t1_mean_gbps", "use_of_local_rates", "use_of_local_rates_total"),
)
def class_intervals(run: RunOutput) -> Numbers:
    """Mean goodput of each class in each of four intervals, changes included, and of all classes.

    `use_of_local_rates` is the mean over the intervals of what all have together, each relative to
    what the ports' own rates sum to in it; `use_of_local_rates_total` the same of the whole time.
    """
    table = class_goodput(run)
    length = run.setting("duration_s") / INTERVALS
    interval = np.minimum(((table.index + 1e-9) // length).astype(int), INTERVALS - 1)
    means = table.groupby(interval).mean()
    means["sum"] = means.sum(axis=1)
    most = PAYLOAD * np.array(LOCAL_TOTALS)
    numbers = {
        f"{str(name).lower()}_interval{number + 1}_gbps": float(value)
        for name, column in means.items()
        for number, value in column.items()
    }
    return numbers | {
        "t1_mean_gbps": float(means["T1"].mean()),
        "use_of_local_rates": float((means["sum"] / most).mean()),
        "use_of_local_rates_total": float(means["sum"].sum() / most.sum()),
    }


@curve("class-goodput-time")
def class_goodput_time(run: RunOutput) -> pd.DataFrame:
    """Goodput of each class in Gbit/s against time in intervals, of which there are four."""
    table = class_goodput(run).rename_axis(columns="series")
    table.index = table.index / run.setting("duration_s") * INTERVALS
    return table.stack().rename("y").rename_axis(["x", "series"]).reset_index()


# ---- While limiters are programmed (Section 6.3.3) ----

CUT_MS = (2, 5, 10, 15, 20, 25)  # after the limits are halved, in Fig. 15(a)
RESTORE_MS = (10, 15, 20, 25, 28, 32)  # after they are restored
CLOSE = 5  # percent of the servers' rate: so close is there
RESTORED = 94  # percent: above it Fig. 15(a) is back where it was
SERVER_MS = 25.6  # that a point of Fig. 15(a) is the mean of: bins of 0.1 ms of 256 servers
OVER = 1.05  # times its new limit, a server receives too much


def utilization(run: RunOutput) -> pd.Series:
    """The goodput of all servers as a percentage of their links' payload rate, by time in ms.

    In IP datagrams with acknowledgments: what arrives in order would come in heaps after losses.
    """
    received = over_time(run, "tenants", "throughput").sum(axis=1)
    share = 100 * received / server_links(run).sum()
    share.index = 1e3 * share.index
    return share


def server_links(run: RunOutput) -> pd.Series:
    """Rates of the servers' links in bit/s."""
    ports = run.table("ports")
    return ports.loc[ports["role"] == "host-leaf", "rate_bps"]


def change_times(run: RunOutput) -> tuple[float, float]:
    """The times at which limits were halved and restored, in ms."""
    times = sorted({1e3 * time for time in run.table("events")["time_s"]})
    return times[0], times[1]


def reaching(there: pd.Series, since: float) -> float:
    """Time in ms from a change to the end of the first bin in which something is reached.

    TCP swings around a new limit and may overshoot at first; that it is held afterwards is what
    `staying` says.
    """
    width = float(np.diff(there.index).min())
    last = there.index.max()
    return float((there.idxmax() if there.any() else last) + width - since)


def as_plotted(share: pd.Series, servers: int) -> pd.Series:
    """A running mean over as many bins as make a point of Fig. 15(a), so that the swings of few
    servers' TCP, which it does not show, do not look like a limit that is not held.
    """
    width = float(np.diff(share.index).min())
    bins = max(1, round(SERVER_MS / (servers * width)))
    return share.rolling(bins, center=True, min_periods=1).mean()


def staying(there: pd.Series, since: float) -> float:
    """Time in ms from a change to the end of the first bin from which on something holds in every
    bin; if it does not even in the last one, all the time.
    """
    return reaching(there[::-1].cummin()[::-1], since)


@metric(
    "utilization-after-changes",
    *("before_percent", "halved_percent", "after_percent"),
    *(f"cut_{ms}ms_percent" for ms in CUT_MS),
    *(f"restore_{ms}ms_percent" for ms in RESTORE_MS),
    *(f"{part}_{how}_ms" for part in ("cut", "restore") for how in ("settling", "converged")),
    "restore_above_94_ms",
)
def utilization_after_changes(run: RunOutput) -> Numbers:
    """Utilization of the servers' links before limits are halved, at times after that, and after
    they are restored. Settling is the time until it is within 5 points of its last level for the
    first time, converged the time from which on the running mean stays there: what Section 6.3.3
    asks is "how long it takes for the throughput to converge". What counts is what links carry
    ("utilization").
    """
    share = utilization(run)
    cut, restore = change_times(run)
    halved = share[(share.index >= cut) & (share.index < restore - 1e-6)]
    restored = share[share.index >= restore - 1e-6]
    numbers: Numbers = {
        "before_percent": float(share[(share.index >= cut - 10) & (share.index < cut)].mean()),
        "halved_percent": float(halved.iloc[-10:].mean()),
        "after_percent": float(restored.iloc[-10:].mean()),
    }
    for name, since, times, part in (
        ("cut", cut, CUT_MS, halved),
        ("restore", restore, RESTORE_MS, restored),
    ):
        for ms in times:
            place = np.abs(part.index.to_numpy() - since - ms).argmin()
            numbers[f"{name}_{ms}ms_percent"] = float(part.iloc[place])
    below = halved <= numbers["halved_percent"] + CLOSE
    above = restored >= numbers["after_percent"] - CLOSE
    servers = len(server_links(run))
    off_cut = as_plotted(halved, servers) - numbers["halved_percent"]
    off_restored = as_plotted(restored, servers) - numbers["after_percent"]
    return numbers | {
        "cut_settling_ms": reaching(below, cut),
        "restore_settling_ms": reaching(above, restore),
        "cut_converged_ms": staying(off_cut.abs() <= CLOSE, cut),
        "restore_converged_ms": staying(off_restored.abs() <= CLOSE, restore),
        "restore_above_94_ms": reaching(restored > RESTORED, restore),
    }


def received_while_halved(run: RunOutput) -> tuple[pd.DataFrame, float]:
    """The rate of each server in bit/s, by time in ms, while limits are halved; and its limit."""
    cut, restore = change_times(run)
    rows = run.table("pairs")
    rows = rows[rows["measure"] == "throughput"]
    table = rows.pivot_table("rate_bps", "time_s", "destination", "sum").fillna(0)
    table.index = 1e3 * table.index
    halved = table[(table.index >= cut - 1e-6) & (table.index < restore - 1e-6)]
    return halved, float(server_links(run).iloc[0] / 2)


def overruns(run: RunOutput) -> pd.Series:
    """For each server the time in ms from the cut until it is held to its new limit, first."""
    halved, limit = received_while_halved(run)
    width = float(np.diff(halved.index).min())
    cut = change_times(run)[0]
    return (halved <= OVER * limit).apply(lambda held: reaching(held, cut) - width)


def excess(run: RunOutput) -> pd.Series:
    """For each server the most by which what it received since the cut was beyond its new limit, in
    ms at that limit: what it had too early, or should not have had.
    """
    halved, limit = received_while_halved(run)
    width = float(np.diff(halved.index).min())
    return ((halved / limit - 1).cumsum() * width).max().clip(lower=0)


@metric(
    "limit-overrun",
    *(f"{what}_{how}_ms" for what in ("overrun", "excess") for how in ("mean", "max")),
)
def limit_overrun(run: RunOutput) -> Numbers:
    """The time for which servers receive more than their new limit after it was halved, and the
    excess, which no single bin decides.
    """
    times, beyond = overruns(run), excess(run)
    return {
        "overrun_mean_ms": float(times.mean()),
        "overrun_max_ms": float(times.max()),
        "excess_mean_ms": float(beyond.mean()),
        "excess_max_ms": float(beyond.max()),
    }


@curve("utilization-time")
def utilization_time(run: RunOutput) -> pd.DataFrame:
    """Utilization of the servers' links in percent against time in ms since limits were halved,
    from 10 ms before.
    """
    share = utilization(run)
    since = share.index.to_numpy(float) - change_times(run)[0]
    return pd.DataFrame({"x": since, "y": share.to_numpy(float)})[since >= -10]


@curve("overrun-cdf")
def overrun_cdf(run: RunOutput) -> pd.DataFrame:
    """Share of the servers that receive no more than their new limit, against ms since the cut."""
    cut, restore = change_times(run)
    places = np.arange(0, restore - cut + 0.25, 0.5)
    times = np.sort(overruns(run).to_numpy(float))
    done = np.searchsorted(times, places + 1e-6, side="right") / len(times)
    return pd.DataFrame({"x": places, "y": done})


# ---- Queues (Fig. 13) ----


def sampled_queues(run: RunOutput) -> pd.Series:
    """Samples in KB (1024 bytes) of all queues that the run samples, pooled."""
    return run.table("queues")["bytes"] / 1024


@metric("sampled-queues", *(f"queue_{what}_kb" for what in ("p50", "p90", "p99", "max")))
def sampled_queue_numbers(run: RunOutput) -> Numbers:
    """Percentiles of the sampled queues, pooled, in KB of 1024 bytes."""
    queue = sampled_queues(run)
    numbers = {f"queue_p{p}_kb": float(np.percentile(queue, p)) for p in (50, 90, 99)}
    return numbers | {"queue_max_kb": float(queue.max())}


@curve("sampled-queue-cdf")
def sampled_queue_cdf(run: RunOutput) -> pd.DataFrame:
    """Share of the samples, over all sampled queues, in which at most x KB (1024 bytes) wait."""
    queue = np.sort(sampled_queues(run).to_numpy(float))
    places = np.arange(0, 402, 2)
    return pd.DataFrame(
        {"x": places, "y": np.searchsorted(queue, places, side="right") / len(queue)}
    )


# ---- Updates while flows come and go (Fig. 14) ----


def updates(run: RunOutput, column: str = "limiters") -> pd.DataFrame:
    """Limiters that were updated: a row per window, columns edge and network."""
    return run.table("updates").pivot(index="time_s", columns="where", values=column)


@metric(
    "limiter-churn",
    *("edge_updates", "network_updates", "updates_ratio"),
    *("edge_writes", "network_writes", "writes_ratio"),
)
def limiter_churn(run: RunOutput) -> Numbers:
    """Limiters updated per window, once or more often, and how often they were written."""
    numbers: Numbers = {}
    for column, name in (("limiters", "updates"), ("writes", "writes")):
        means = updates(run, column).mean()
        numbers |= {
            f"edge_{name}": float(means["edge"]),
            f"network_{name}": float(means["network"]),
            f"{name}_ratio": float(means["edge"] / means["network"]),
        }
    return numbers


@curve("updates-time")
def updates_time(run: RunOutput) -> pd.DataFrame:
    """Limiters updated per window against its end in ms."""
    table = updates(run).rename(columns={"edge": "End-host", "network": "In-network"})
    table.index = 1e3 * table.index
    table = table.rename_axis(columns="series")
    return table.stack().rename("y").rename_axis(["x", "series"]).reset_index()


# ---- Losses over time (Fig. 19) ----


def losses(run: RunOutput) -> pd.Series:
    """Packets dropped per bin, by the time in ms at which it ends."""
    table = run.table("drops_over_time")
    width = float(np.diff(table["time_s"]).min())
    return pd.Series(table["drops"].to_numpy(float), index=1e3 * (table["time_s"] + width))


LOSS_TIMES = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
LOSS_TIMES += tuple(time + 100 for time in LOSS_TIMES)


@metric(
    "losses-over-time",
    *(f"drops_{time}ms" for time in LOSS_TIMES),
    "drops_at_reductions_share",
)
def losses_over_time(run: RunOutput) -> Numbers:
    """Packets dropped in bins of 10 ms, called by their ends; the share of those between 50 and 60
    and between 150 and 160 ms, when limits are reduced, among all after the first bin.
    """
    drops = losses(run).round(6)
    numbers = {f"drops_{round(time)}ms": float(count) for time, count in drops.items()}
    later = drops[drops.index > 11]
    at_changes = later[[round(time) in (60, 160) for time in later.index]]
    share = at_changes.sum() / later.sum() if later.sum() else np.nan
    return numbers | {"drops_at_reductions_share": float(share)}


@curve("losses-time")
def losses_time(run: RunOutput) -> pd.DataFrame:
    """Packets dropped per bin against the time in ms at which it ends."""
    drops = losses(run)
    return pd.DataFrame({"x": drops.index, "y": drops.to_numpy(float)})


# ---- One meter over time ----


def meter(run: RunOutput, measures: dict[str, tuple[str, float]]) -> pd.DataFrame:
    """Measures of the recorder `meters` against time in ms, each with its name and scale."""
    table = run.table("meters")
    table = table[table["measure"].isin(measures)]
    named = table["measure"].map({key: name for key, (name, _) in measures.items()})
    scale = table["measure"].map({key: scale for key, (_, scale) in measures.items()})
    return pd.DataFrame(
        {"x": 1e3 * table["time_s"], "series": named, "y": table["value"].astype(float) * scale}
    )


@curve("meter-queue")
def meter_queue(run: RunOutput) -> pd.DataFrame:
    """The imagined queue of a logical meter, and its thresholds, in KB (1024 bytes)."""
    kilobytes = 1 / 1024
    return meter(
        run,
        {
            "occupancy_bytes": ("imagined queue", kilobytes),
            "yellow_bytes": ("yellow", kilobytes),
            "red_bytes": ("red", kilobytes),
        },
    )


@curve("meter-colours")
def meter_colours(run: RunOutput) -> pd.DataFrame:
    """Rates of the packets of each colour and the meter's own, in Gbit/s."""
    return meter(
        run,
        {
            "green_bps": ("green", 1e-9),
            "yellow_bps": ("yellow", 1e-9),
            "red_bps": ("red", 1e-9),
            "rate_bps": ("allowed", 1e-9),
        },
    )
