# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of AFQ: Approximating Fair Queueing on Reconfigurable Switches (NSDI 2018)."""

from __future__ import annotations

import heapq
import re

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, by_class, by_size, host_rate, jain, metric


@metric("loss", "dropped_bytes_per_flow", "dropped_percent", "packets_dropped_*")
def loss(run: RunOutput) -> Numbers:
    """Bytes dropped at switch ports per flow, and packets, also as a share of all sent.

    Of the whole run, so that flows count that started before the measured time, too.
    `packets_dropped_horizon` came too far ahead of AFQ's round, `_buffer` are all others.
    Drops of hosts' own ports, named hostN:NUMBER, do not count.
    """
    rows = run.table("drops")
    rows = rows[(rows["kind"] == "drop") & ~rows["port"].str.startswith("host")]
    flows = len(run.table("flows")) + run.manifest["results"]["flows_excluded"]
    sent = run.table("ports")
    sent = sent.loc[sent["role"].str.startswith("host-"), "tx_packets"].sum()
    beyond = rows["reason"].str.contains("horizon", case=False)
    return {
        "dropped_bytes_per_flow": rows["bytes"].sum() / max(1, flows),
        "dropped_percent": 100 * rows["packets"].sum() / max(1, sent),
        "packets_dropped_horizon": int(rows.loc[beyond, "packets"].sum()),
        "packets_dropped_buffer": int(rows.loc[~beyond, "packets"].sum()),
    }


@metric(
    "size-fairness",
    "slowdown_small",
    "slowdown_large",
    "slowdown_ratio",
    "jain_large",
    "us_per_KB_*",
    "fit_error",
    "fit_intercept_us",
)
def size_fairness(run: RunOutput) -> Numbers:
    """Slowdown by flow size, and its ratio between small and large flows.

    `slowdown_ratio` is the mean slowdown of flows below 10 KB over that of those from 1 MB on,
    `jain_large` Jain's index of what the latter got of the rate that they would have alone.
    `us_per_KB_small` is the mean completion time of flows below 10 KB over their mean size,
    `_middle` that of flows from 100 KB on below 1 MB, `_large` of those from there on below 10 MB:
    all alike if time is in proportion to size. Flows of 200 MB, which at 70 % load take nearly as
    long as the paper profile's load, end in a network that has emptied.
    Mean completion times in logarithmic bins from 10 KB on are fitted by a straight line:
    `fit_error` is the largest relative deviation from it, `fit_intercept_us` where it meets the
    axis.
    """
    flows = run.table("flows")
    done = flows[flows["finished"] == 1]
    slowdown = done["fct_ns"] / done["ideal_ns"]
    is_small, is_large = done["bytes"] < 10e3, done["bytes"] >= 1e6
    small, large = float(slowdown[is_small].mean()), float(slowdown[is_large].mean())
    classes = {
        "small": done[is_small],
        "middle": done[done["bytes"].between(100e3, 1e6, inclusive="left")],
        "large": done[is_large & (done["bytes"] < 10e6)],
    }
    means = by_size(done[done["bytes"] >= 10e3])
    # Relative deviations count: else the largest bin alone would decide.
    slope, intercept = np.polyfit(means["bytes"], means["fct_ns"], 1, w=1 / means["fct_ns"])
    residual = means["fct_ns"] / (slope * means["bytes"] + intercept) - 1
    return {
        "slowdown_small": small,
        "slowdown_large": large,
        "slowdown_ratio": small / large,
        "jain_large": jain(1 / slowdown[is_large].to_numpy(float)),
        **{
            f"us_per_KB_{size}": float(some["fct_ns"].mean() / some["bytes"].mean())
            for size, some in classes.items()
        },
        "fit_error": float(residual.abs().max()),
        "fit_intercept_us": intercept / 1e3,
    }


@metric("buffer-shares", "flow_packets_jain")
def buffer_shares(run: RunOutput) -> Numbers:
    """Jain's index of the packets that unfinished flows have in a queue, over all snapshots.

    A flow without a packet counts with 0, unlike in `occupancy`: it has no share of the buffer.
    """
    found = run.table("occupancy")
    interval = next(
        one["Interval_s"] for one in run.setting("record") if one["name"] == "occupancy"
    )
    snapshots = run.table("flows")["fct_ns"].sum() / (interval * 1e9)  # each of one flow
    packets = (found["packets"] * found["count"]).sum()
    squares = (found["packets"] ** 2 * found["count"]).sum()
    return {"flow_packets_jain": float(packets**2 / (snapshots * squares))}


LASTING = ("all_mean", "short_mean", "short_p99")


@metric(
    "stationarity", *(f"{name}_first_*ms" for name in LASTING), *(f"{n}_drift" for n in LASTING)
)
def stationarity(run: RunOutput) -> Numbers:
    """The slowdown of flows that start early in the measured time over that of all.

    `all_mean_first_50ms` is that of those that start in its first 50 ms, and so for 100 ms.
    `all_mean_drift` is that of the second half's over the first half's. Once the network is
    stationary all are 1, but for chance.
    """
    flows = run.table("flows")
    begin, lasts = run.setting("warmUp_s") * 1e3, run.setting("duration_s") * 1e3
    since = flows["start_ns"] / 1e6 - begin
    whole = by_class(flows)
    early, late = by_class(flows[since < lasts / 2]), by_class(flows[since >= lasts / 2])
    numbers = {f"{name}_drift": late[name] / early[name] for name in LASTING}
    for window in (50, 100):
        if window < lasts:
            first = by_class(flows[since < window])
            numbers |= {f"{name}_first_{window}ms": first[name] / whole[name] for name in LASTING}
    return numbers


@metric("misestimation", "misestimated_*x*_percent")
def misestimation_numbers(run: RunOutput) -> Numbers:
    """Percent of packets that a sketch puts into a later round than due, by its size."""
    return {
        f"misestimated_{rows}x{columns}_percent": 100 * share
        for (rows, columns), share in misestimation(run).items()
    }


def misestimation(run: RunOutput) -> dict[tuple[int, int], float]:
    """The same as shares, by (rows, columns)."""
    found = run.manifest.get("results", {})
    sizes = ((re.fullmatch(r"misestimated_(\d+)x(\d+)", key), key) for key in found)
    return {(int(size[1]), int(size[2])): found[key] for size, key in sizes if size}


FULL_PACKET = 1500  # bytes, of which PAYLOAD are the flow's
PAYLOAD = 1460


@metric("deviation-from-ideal", "deviation", "rate_unfairness")
def deviation_from_ideal(run: RunOutput) -> Numbers:
    """The distance of flows over one link from ideal fair queueing of the same flows (Fig. 16).

    Ideal is a link that all flows present share equally at any instant. `deviation` is 1 minus
    Jain's index of ideal over measured completion time: 0 if all flows are slowed alike.
    `rate_unfairness` is 1 minus Jain's index of the flows' own rates, size over measured completion
    time: not 0 on an ideal link, either, as flows meet more or fewer others.
    """
    flows = run.table("flows").sort_values("start_ns", kind="stable")
    if (flows["finished"] == 0).any():
        return {}
    starts = flows["start_ns"].to_numpy(float)
    bytes_per_ns = host_rate(run) / 8e9 * PAYLOAD / FULL_PACKET
    sizes = flows["bytes"].to_numpy(float)
    ideal = processor_sharing_times(starts, sizes, bytes_per_ns)
    measured = flows["fct_ns"].to_numpy(float)
    return {
        "deviation": 1 - jain(ideal / measured),
        "rate_unfairness": 1 - jain(sizes / measured),
    }


def processor_sharing_times(starts: np.ndarray, sizes: np.ndarray, rate: float) -> np.ndarray:
    """Completion times of flows on a link that shares its rate equally at any instant.

    Starts ascend. This is processor sharing; the service that a flow present from the beginning
    would have had tells when each is over.
    """
    times = np.empty(len(starts))
    ends: list[tuple[float, int]] = []  # the service at which a flow is over
    now = served = 0.0
    coming = 0
    while coming < len(starts) or ends:
        share = rate / max(1, len(ends))
        due = now + (ends[0][0] - served) / share if ends else np.inf
        if coming < len(starts) and starts[coming] <= due:
            served += share * (starts[coming] - now)
            now = starts[coming]
            heapq.heappush(ends, (served + sizes[coming], coming))
            coming += 1
        else:
            served, flow = heapq.heappop(ends)
            now = due
            times[flow] = now - starts[flow]
    return times


# After a flow joins or leaves, the others get this long to adapt before fairness counts: the
# reading of "immediately" in App. B that the experiment states.
SETTLE_S = 0.02


@metric("rate-fairness", "rate_cov", "jain", "jain_min", "newcomer_share_min")
def rate_fairness(run: RunOutput) -> Numbers:
    """Jain's index of the rates of the active groups, bin by bin.

    A group is active between its first and its last bin with traffic. Left out are bins with one
    active group, which say nothing, and bins within SETTLE_S of a join or leave. `rate_cov` is the
    mean over bins of the coefficient of variation across groups, `jain` the mean of Jain's index,
    `jain_min` its minimum.
    `newcomer_share_min` is the least that a group which joins others has in its first bin, over the
    mean of all active ones.
    """
    rates = run.table("rates").pivot(index="time_s", columns="group", values="rate_bps").fillna(0)
    values = rates.to_numpy(float)  # squares of whole numbers of bit/s would overflow
    sent = values > 0
    active = np.maximum.accumulate(sent) & np.maximum.accumulate(sent[::-1])[::-1]
    covs, jains, shares = [], [], []
    changed, before = -np.inf, active[0]
    for time, row, mask in zip(rates.index, values, active, strict=True):
        x = row[mask]
        if len(x) > 1:
            shares.extend(row[mask & ~before] / x.mean())
        if (mask != before).any():
            changed, before = time, mask
        if len(x) > 1 and time >= changed + SETTLE_S - 1e-9:
            covs.append(x.std() / x.mean() if x.mean() > 0 else 0.0)
            jains.append(jain(x))
    if not covs:
        return {}
    return {
        "rate_cov": float(np.mean(covs)),
        "jain": float(np.mean(jains)),
        "jain_min": float(np.min(jains)),
        **({"newcomer_share_min": float(min(shares))} if shares else {}),
    }


@curve("misestimation")
def misestimation_by_columns(run: RunOutput) -> pd.DataFrame:
    """Share of packets (percent) in a later round than due against sketch columns, by rows."""
    rows = [
        {"series": f"{rows} row{'s' if rows > 1 else ''}", "x": columns, "y": 100 * share}
        for (rows, columns), share in misestimation(run).items()
    ]
    return pd.DataFrame(rows, columns=["series", "x", "y"])


START_BIN_MS = 20


@curve("fct-by-start")
def fct_by_start(run: RunOutput) -> pd.DataFrame:
    """Mean FCT over that in an idle network, of the flows that start within 20 ms of a run."""
    flows = run.table("flows")
    done = flows[flows["finished"] == 1]
    bins = done.groupby(done["start_ns"] // (START_BIN_MS * 1e6))[["fct_ns", "ideal_ns"]].sum()
    middle = (bins.index + 0.5) * START_BIN_MS
    return pd.DataFrame({"x": middle, "y": (bins["fct_ns"] / bins["ideal_ns"]).to_numpy()})
