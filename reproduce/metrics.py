# SPDX-License-Identifier: GPL-2.0-only
"""Metrics: from the CSV files of one run to named numbers.

A metric is a function from a RunOutput to {column: number}, registered by name. An experiment
names the metrics it wants; their columns become the columns of its table. To add one, write the
function here and decorate it.
"""

import json
import re
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from reproduce.errors import UserError
from reproduce.paths import show

Numbers = dict[str, float]

# The flow-size classes of the papers, in bytes: [low, high); named as the scenarios name them.
SIZE_CLASSES = {
    "all": (0, np.inf),
    "short": (0, 100e3),
    "below_10KB": (0, 10e3),
    "10KB_to_100KB": (10e3, 100e3),
    "100KB_to_1MB": (100e3, 1e6),
    "1MB_to_10MB": (1e6, 10e6),
    "above_10MB": (10e6, np.inf),
}


class RunOutput:
    """What one simulation wrote into its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """run.json."""
        return json.loads((self.folder / "run.json").read_text())

    def table(self, name: str) -> pd.DataFrame:
        """One of the CSV files."""
        path = self.folder / f"{name}.csv"
        if not path.exists():
            raise UserError(f"{show(path)} is missing: the scenario did not write it")
        return pd.read_csv(path)


METRICS: dict[str, Callable[[RunOutput], Numbers]] = {}


def metric(name: str) -> Callable[[Callable[[RunOutput], Numbers]], Callable[[RunOutput], Numbers]]:
    """Registers a function as a metric."""

    def register(function: Callable[[RunOutput], Numbers]) -> Callable[[RunOutput], Numbers]:
        METRICS[name] = function
        return function

    return register


@metric("results")
def results(run: RunOutput) -> Numbers:
    """The numbers the scenario itself wrote into run.json."""
    found = run.manifest.get("results", {})
    return {key: value for key, value in found.items() if isinstance(value, int | float)}


@metric("flow-completion")
def flow_completion(run: RunOutput) -> Numbers:
    """Flow completion times by size class.

    `CLASS_mean` and `CLASS_p99` are normalised: the mean (99th percentile) of the flow completion
    time over the mean ideal time of the same flows. `CLASS_slowdown` is the mean of each flow's own
    ratio, `CLASS_mean_us` the plain mean. Only finished flows count; the others are counted.
    `CLASS_share` is the share of the flows that belong to the class.
    """
    flows = run.table("flows")
    numbers: Numbers = {}
    for name, (low, high) in SIZE_CLASSES.items():
        members = flows[(flows["bytes"] >= low) & (flows["bytes"] < high)]
        done = members[members["finished"] == 1]
        numbers[f"{name}_flows"] = len(members)
        numbers[f"{name}_unfinished"] = len(members) - len(done)
        numbers[f"{name}_share"] = len(members) / max(1, len(flows))
        if done.empty:
            continue
        ideal = done["ideal_ns"].mean()
        numbers[f"{name}_mean"] = done["fct_ns"].mean() / ideal
        numbers[f"{name}_p99"] = done["fct_ns"].quantile(0.99) / ideal
        numbers[f"{name}_slowdown"] = (done["fct_ns"] / done["ideal_ns"]).mean()
        numbers[f"{name}_mean_us"] = done["fct_ns"].mean() / 1e3
    return numbers


@metric("completion")
def completion(run: RunOutput) -> Numbers:
    """Completion of a request served by many flows: first byte sent to last flow finished.

    Absent (not a number) when a flow did not finish, because the request then did not either.
    """
    flows = run.table("flows")
    unfinished = int((flows["finished"] == 0).sum())
    if unfinished or flows.empty:
        return {"completion_ms": np.nan, "unfinished": unfinished}
    end = (flows["first_sent_ns"] + flows["fct_ns"]).max()
    return {
        "completion_ms": (end - flows["first_sent_ns"].min()) / 1e6,
        "unfinished": unfinished,
    }


@metric("delays")
def delays(run: RunOutput) -> Numbers:
    """Goodput in Mbit/s, and what a run with --delays wrote of its packets' delays and order."""
    found = results(run)
    return {
        "goodput_mean_mbps": found["goodput_mean_bps"] / 1e6,
        "goodput_min_mbps": found["goodput_min_bps"] / 1e6,
    } | {
        key: value
        for key, value in found.items()
        if key.startswith(
            ("network_latency", "queueing", "round_trip", "resequencing", "displaced", "overtaken")
        )
        or key in ("retransmissions", "jain_index")
    }


@metric("requests")
def requests(run: RunOutput) -> Numbers:
    """Completion of many requests, each a group of flows: mean and largest, from its first byte.

    Absent (not a number) when a flow did not finish.
    """
    flows = run.table("flows")
    unfinished = int((flows["finished"] == 0).sum())
    if unfinished or flows.empty:
        return {"request_mean_ms": np.nan, "request_max_ms": np.nan, "unfinished": unfinished}
    ends = flows["first_sent_ns"] + flows["fct_ns"]
    times = ends.groupby(flows["group"]).max() - flows.groupby("group")["first_sent_ns"].min()
    return {
        "request_mean_ms": times.mean() / 1e6,
        "request_max_ms": times.max() / 1e6,
        "unfinished": unfinished,
    }


@metric("drops")
def drops(run: RunOutput) -> Numbers:
    """Packets dropped and marked anywhere in the network."""
    rows = run.table("drops")
    return {
        f"packets_{name}": int(rows.loc[rows["kind"] == kind, "packets"].sum())
        for kind, name in (("drop", "dropped"), ("mark", "marked"))
    }


@metric("loss")
def loss(run: RunOutput) -> Numbers:
    """Bytes dropped at switch ports per flow, and packets, also as a share of all sent.

    `packets_dropped_horizon` came too far ahead of AFQ's round, `_buffer` are all others.
    Drops of hosts' own ports, named hostN:NUMBER, do not count.
    """
    rows = run.table("drops")
    rows = rows[(rows["kind"] == "drop") & ~rows["port"].str.startswith("host")]
    flows = run.table("flows")
    sent = run.table("ports")
    sent = sent.loc[sent["role"].str.startswith("host-"), "tx_packets"].sum()
    beyond = rows["reason"].str.contains("horizon", case=False)
    return {
        "dropped_bytes_per_flow": rows["bytes"].sum() / max(1, len(flows)),
        "dropped_percent": 100 * rows["packets"].sum() / max(1, sent),
        "packets_dropped_horizon": int(rows.loc[beyond, "packets"].sum()),
        "packets_dropped_buffer": int(rows.loc[~beyond, "packets"].sum()),
    }


@metric("occupancy")
def occupancy(run: RunOutput) -> Numbers:
    """Packets that a flow has in a queue, over all snapshots in which it has any."""
    return _distribution(packets_per_flow(run))


@metric("core-occupancy")
def core_occupancy(run: RunOutput) -> Numbers:
    """The same at ports between switches, and the mean queue there in bytes."""
    found = run.manifest.get("results", {})
    roles = [key for key in found if key.startswith("queue_mean_bytes_") and "host" not in key]
    mean = {"queue_mean_bytes_core": float(np.mean([found[key] for key in roles]))} if roles else {}
    return _distribution(packets_per_flow(run, core=True)) | mean


def packets_per_flow(run: RunOutput, core: bool = False) -> pd.Series:
    """How often (flow, snapshot) had so many packets in a queue, by number of packets.

    `core` counts only the ports between switches; roles read FROM-TO.
    """
    rows = run.table("occupancy")
    rows = rows[~rows["role"].str.contains("host")] if core else rows
    return rows.groupby("packets")["count"].sum().sort_index()


def _distribution(counts: pd.Series) -> Numbers:
    """Share above 5 packets (AFQ's Sec. 6.2.3), mean, 99th percentile, and how wide it is."""
    if counts.empty:
        return {}
    samples = counts.sum()
    cdf = counts.cumsum() / samples
    median, p99 = (float(cdf.index[cdf >= share][0]) for share in (0.5, 0.99))
    return {
        "flow_packets_above_5": float(counts[counts.index > 5].sum() / samples),
        "flow_packets_mean": float((counts * counts.index).sum() / samples),
        "flow_packets_p99": p99,
        "flow_packets_p99_to_p50": p99 / median,
        "flow_packets_max": float(counts.index.max()),
    }


@metric("fairness")
def fairness(run: RunOutput) -> Numbers:
    """Jain's index of the finished flows' throughput, and 1 minus it."""
    flows = run.table("flows")
    done = flows[flows["finished"] == 1]
    index = jain((done["bytes"] / done["fct_ns"]).to_numpy(float))
    return {"jain": index, "unfairness": 1 - index, "flows": len(done)}


@metric("size-fairness")
def size_fairness(run: RunOutput) -> Numbers:
    """How completion depends on flow size.

    `slowdown_ratio` is the mean slowdown of flows below 10 KB over that of those from 1 MB on.
    Mean completion times in logarithmic bins from 10 KB on are fitted by a straight line:
    `fit_error` is the largest relative deviation from it, `fit_intercept_us` where it meets the
    axis.
    """
    flows = run.table("flows")
    done = flows[flows["finished"] == 1]
    slowdown = done["fct_ns"] / done["ideal_ns"]

    small = float(slowdown[done["bytes"] < 10e3].mean())
    large = float(slowdown[done["bytes"] >= 1e6].mean())
    means = by_size(done[done["bytes"] >= 10e3])
    # Relative deviations count: else the largest bin alone would decide.
    slope, intercept = np.polyfit(means["bytes"], means["fct_ns"], 1, w=1 / means["fct_ns"])
    residual = means["fct_ns"] / (slope * means["bytes"] + intercept) - 1
    return {
        "slowdown_small": small,
        "slowdown_large": large,
        "slowdown_ratio": small / large,
        "fit_error": float(residual.abs().max()),
        "fit_intercept_us": intercept / 1e3,
    }


BINS_PER_DECADE = 4


def by_size(done: pd.DataFrame) -> pd.DataFrame:
    """Mean size and completion time of finished flows in logarithmic bins of size."""
    bins = np.floor(np.log10(done["bytes"]) * BINS_PER_DECADE)
    return done.groupby(bins)[["bytes", "fct_ns"]].mean()


@metric("misestimation")
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


@metric("queue-maximum")
def queue_maximum(run: RunOutput) -> Numbers:
    """The longest queue of any switch port during the run."""
    ports = run.table("ports")
    switches = ports[~ports["role"].str.startswith("host-")]  # roles read FROM-TO
    return {
        "max_queue_packets": int(switches["max_queue_packets"].max()),
        "max_queue_bytes": int(switches["max_queue_bytes"].max()),
    }


# After a flow joins or leaves, the others get this long to adapt before fairness counts: the
# reading of "immediately" in AFQ's App. B that the experiment states.
SETTLE_S = 0.02


@metric("rate-fairness")
def rate_fairness(run: RunOutput) -> Numbers:
    """How equal the rates of the active groups are, bin by bin.

    A group is active between its first and its last bin with traffic. Left out are bins with one
    active group, which say nothing, and bins within SETTLE_S of a join or leave. `rate_cov` is the
    mean over bins of the coefficient of variation across groups, `jain` the mean of Jain's index,
    `jain_min` its minimum.
    """
    rates = run.table("rates").pivot(index="time_s", columns="group", values="rate_bps").fillna(0)
    values = rates.to_numpy(float)  # squares of whole numbers of bit/s would overflow
    sent = values > 0
    active = np.maximum.accumulate(sent) & np.maximum.accumulate(sent[::-1])[::-1]
    covs, jains = [], []
    changed, before = -np.inf, active[0]
    for time, row, mask in zip(rates.index, values, active, strict=True):
        if (mask != before).any():
            changed, before = time, mask
        x = row[mask]
        if len(x) > 1 and time >= changed + SETTLE_S - 1e-9:
            covs.append(x.std() / x.mean() if x.mean() > 0 else 0.0)
            jains.append(jain(x))
    if not covs:
        return {}
    return {
        "rate_cov": float(np.mean(covs)),
        "jain": float(np.mean(jains)),
        "jain_min": float(np.min(jains)),
    }


def jain(values: np.ndarray) -> float:
    """Jain's fairness index: 1 when all are equal, 1/n when one has everything."""
    squares = float((values**2).sum())
    return float(values.sum()) ** 2 / (len(values) * squares) if squares else 1.0


PROBES = 1  # the group of probes in flows.csv


@metric("probes")
def probes(run: RunOutput) -> Numbers:
    """Completion times of probe flows in microseconds, by size in KB (1024 bytes).

    `probe_4KB_mean_us` and so on run from asking for the flow, so the handshake counts;
    `probe_4KB_data_mean_us` runs from the first payload sent.
    """
    numbers = {
        f"rack{rack}_load_percent": 100 * results(run)[f"rack{rack}_load"] for rack in (0, 1)
    }
    for size, flows in probe_flows(run).groupby("bytes"):
        name = f"probe_{size / 1024:g}KB"
        done = flows[flows["finished"] == 1]
        numbers[f"{name}_probes"] = len(flows)
        numbers[f"{name}_unfinished"] = len(flows) - len(done)
        if done.empty:
            continue
        numbers[f"{name}_mean_us"] = done["total_us"].mean()
        for percent in (10, 50, 90, 99):
            numbers[f"{name}_p{percent}_us"] = done["total_us"].quantile(percent / 100)
        numbers[f"{name}_max_us"] = done["total_us"].max()
        numbers[f"{name}_data_mean_us"] = done["fct_ns"].mean() / 1e3
    return numbers


def probe_flows(run: RunOutput) -> pd.DataFrame:
    """The probes of flows.csv, with their times from being asked for in microseconds."""
    flows = run.table("flows")
    flows = flows[flows["group"] == PROBES]
    total = flows["first_sent_ns"] + flows["fct_ns"] - flows["start_ns"]
    return flows.assign(total_us=total / 1e3)


@metric("pauses")
def pauses(run: RunOutput) -> Numbers:
    """What priority flow control did, in a run of a scheme that has it."""
    return {key: value for key, value in results(run).items() if key.startswith("pfc_")}


# The hops of a path between racks in a fat-tree, by role of the port, and DRB's testbed packet.
HOPS = {"edge-aggregation": "hop1", "aggregation-edge": "hop4"}
JUMBO_BYTES = 9000


@metric("queue-ports")
def queue_ports(run: RunOutput) -> Numbers:
    """Mean and maximum of the sampled queues of hop-1 and hop-4 ports, in packets of 9000 bytes.

    As in DRB's model the packet being sent counts: 1 more at most, and on average the share of time
    in which the port sends.
    """
    ports = run.table("ports").set_index("port")
    busy = 8 * ports["tx_bytes"] / ports["rate_bps"] / run.manifest["simulated_s"]
    numbers: Numbers = {}
    for hop, queues in queues_by_hop(run).items():
        numbers[f"queue_{hop}_mean_packets"] = float((queues.mean() + busy[queues.columns]).mean())
        numbers[f"queue_{hop}_max_packets"] = float(queues.max().max()) + 1
    return numbers


def queues_by_hop(run: RunOutput) -> dict[str, pd.DataFrame]:
    """What waits at the sampled ports of each hop: a row per time in seconds, a column per port.

    In packets of 9000 bytes, so that acknowledgments count by what they take.
    """
    hops = run.table("ports").set_index("port")["role"].map(HOPS)
    samples = run.table("queues").pivot(index="time_s", columns="port", values="bytes")
    return {
        hop: samples[[port for port in samples if hops[port] == hop]] / JUMBO_BYTES
        for hop in HOPS.values()
    }


@metric("failure-periods")
def failure_periods(run: RunOutput) -> Numbers:
    """Where the goodput of all hosts ends up between one failure or repair and the next.

    Rates are as if hosts' links had 1 Gbit/s. `loss1_gbps` is what the first change cost,
    `told1_ms` the time from it until the last server knew, if the scheme says.
    """
    found = run.manifest["results"]
    numbers: Numbers = {}
    scale = 1e9 / host_rate(run)
    count = sum(key.endswith("_goodput_bps") for key in found)
    for i in range(count):
        numbers[f"period{i}_goodput_gbps"] = found[f"period{i}_goodput_bps"] * scale / 1e9
        for name in ("goodput_share", "lowest_share", "settling_s"):
            value = found[f"period{i}_{name}"]
            numbers[f"period{i}_{name}"] = np.nan if value is None else value
        if i > 0:
            before = numbers[f"period{i - 1}_goodput_gbps"]
            numbers[f"loss{i}_gbps"] = before - numbers[f"period{i}_goodput_gbps"]
        if told := found.get(f"change{i}_last_server_told_s"):
            numbers[f"told{i}_ms"] = 1e3 * (told - found[f"change{i}_s"])
    return numbers


def host_rate(run: RunOutput) -> float:
    """The rate of hosts' links in bit/s."""
    ports = run.table("ports")
    return float(ports.loc[ports["role"].str.startswith("host-"), "rate_bps"].iloc[0])


def aggregate_goodput(run: RunOutput) -> pd.Series:
    """The goodput of all hosts together in Gbit/s, as if their links had 1 Gbit/s, by time in s."""
    rates = run.table("rates").groupby("time_s")["rate_bps"].sum()
    return rates * (1e9 / host_rate(run)) / 1e9
