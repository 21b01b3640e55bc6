# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of DRB: Per-packet Load-balanced Routing for Clos Networks (CoNEXT 2013)."""

from __future__ import annotations

import numpy as np

from reproduce.curves import DELAYS_US, curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, results

PROBES = 1  # the group of probes in flows.csv


@metric("probes", "rack[01]_load_percent", "probe_*KB_*")
def probes(run: RunOutput) -> Numbers:
    """Completion times of probe flows in microseconds, by size in KB (1024 bytes).

    `probe_4KB_mean_us` and so on run from asking for the flow, so the handshake counts;
    `probe_4KB_data_mean_us` runs from the first payload sent. All these are of finished probes;
    `probe_4KB_longest_us` is the longest that any has waited, finished or not, by the end.
    """
    numbers = {
        f"rack{rack}_load_percent": 100 * results(run)[f"rack{rack}_load"] for rack in (0, 1)
    }
    end_us = 1e6 * run.manifest["simulated_s"]
    for size, flows in probe_flows(run).groupby("bytes"):
        name = f"probe_{size / 1024:g}KB"
        done = flows[flows["finished"] == 1]
        numbers[f"{name}_probes"] = len(flows)
        numbers[f"{name}_unfinished"] = len(flows) - len(done)
        waited = flows["total_us"].where(flows["finished"] == 1, end_us - flows["start_ns"] / 1e3)
        numbers[f"{name}_longest_us"] = waited.max()
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


@metric("arrivals", "arrived_mean_mbps")
def arrivals(run: RunOutput) -> Numbers:
    """Payload that came to servers in the measured time, per server, in order or not, in Mbit/s.

    From the data packets whose way through the network the recorder `delays` timed. Goodput counts
    what is handed up in order: that of a flow with subflows stands still until the slowest has sent
    again what it lost, and then may be more than the link carries.
    """
    packets = run.table("network_latency")["count"].sum()
    seconds = run.setting("duration_s")
    servers = run.table("ports")["role"].str.startswith("host-").sum()
    (payload,) = {transport["SegmentSize"] for transport in run.setting("transports").values()}
    return {"arrived_mean_mbps": packets * payload * 8 / seconds / servers / 1e6}


@metric("setup-times", "setup_*")
def setup_times(run: RunOutput) -> Numbers:
    """Times to set up connections in microseconds: between pods, and within a rack.

    When an unfinished flow was set up is not told: it counts by what it has waited by the end.
    """
    pods, racks = _setups(run)
    return {
        "setup_samples": len(pods),
        "setup_unfinished": int(run.table("flows")["first_sent_ns"].isna().sum()),
        "setup_rack_samples": len(racks),
        "setup_p50_us": pods.quantile(0.5),
        "setup_p99_us": pods.quantile(0.99),
        "setup_rack_p50_us": racks.quantile(0.5),
        "setup_rack_p99_us": racks.quantile(0.99),
        "setup_tail_ratio": pods.quantile(0.99) / pods.quantile(0.5),
    }


def _setups(run: RunOutput) -> tuple[pd.Series, pd.Series]:
    """From asking for a flow to its first payload: flows between pods, and within a rack."""
    flows = run.table("flows")
    sent = flows["first_sent_ns"].fillna(1e9 * run.manifest["simulated_s"])
    times = (sent - flows["start_ns"]) / 1e3
    racks = run.setting("topology.K") // 2  # of a pod
    in_rack = round(racks * run.setting("topology.EdgeOversubscription"))
    in_pod = racks * in_rack
    pods = flows["source"] // in_pod != flows["destination"] // in_pod
    rack = flows["source"] // in_rack == flows["destination"] // in_rack
    return times[pods], times[rack]


@curve("setup-cdf")
def setup_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the times to set up connections between pods, in microseconds."""
    times = np.sort(_setups(run)[0].to_numpy(float))
    first, last = np.searchsorted(DELAYS_US, [times[0], 1.06 * times[-1]])
    grid = DELAYS_US[max(first - 1, 0) : last]
    return pd.DataFrame({"x": grid, "y": np.searchsorted(times, grid, "right") / len(times)})


# The hops of a path between racks in a fat-tree, by role of the port, and DRB's testbed packet.
HOPS = {"edge-aggregation": "hop1", "aggregation-edge": "hop4"}
JUMBO_BYTES = 9000


@metric("queue-ports", "queue_hop[14]_mean_packets", "queue_hop[14]_max_packets")
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
    """Bytes at the sampled ports of each hop: a row per time in seconds, a column per port.

    In packets of 9000 bytes, so that acknowledgments count by what they take.
    """
    hops = run.table("ports").set_index("port")["role"].map(HOPS)
    samples = run.table("queues").pivot(index="time_s", columns="port", values="bytes")
    return {
        hop: samples[[port for port in samples if hops[port] == hop]] / JUMBO_BYTES
        for hop in HOPS.values()
    }


SHOWN_S = 0.02  # of a queue over time


@curve("queue-hop1")
def queue_hop1(run: RunOutput) -> pd.DataFrame:
    """The queue of the first sampled hop-1 port, in packets, over the first 20 ms."""
    return _queue(run, "hop1")


@curve("queue-hop4")
def queue_hop4(run: RunOutput) -> pd.DataFrame:
    """The queue of the first sampled hop-4 port, in packets, over the first 20 ms."""
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
