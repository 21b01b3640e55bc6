# SPDX-License-Identifier: GPL-2.0-only
"""Metrics that hold a simulation against what theory says of it."""

from __future__ import annotations

import numpy as np

from reproduce.metrics import Numbers, RunOutput, metric

UDP_HEADERS = 28  # bytes of a packet besides payload
FULL_PACKET, PAYLOAD, ACKNOWLEDGMENT = 1500, 1460, 40


@metric("queue-theory", "utilisation", "wait_us", "wait_theory_us", "wait_over_theory")
def queue_theory(run: RunOutput) -> Numbers:
    """The mean wait at the link between two switches against Pollaczek and Khinchine's.

    Flows are single packets of UDP that arrive as a Poisson process over a much faster link, so
    the port is an M/G/1 queue: a packet waits rate E[S^2] / (2 (1 - utilisation)), S being the
    times of transmission of the sizes that were drawn.
    """
    ports = run.table("ports")
    ports = ports[ports["role"] == "switch-switch"]
    found = run.manifest["results"]
    rate = found["flow_rate_per_s"] / len(ports)
    size = run.table("flows")["bytes"].to_numpy(float) + UDP_HEADERS
    wait, utilisation = pollaczek_khinchine(rate, 8 * size / ports["rate_bps"].iloc[0])
    measured = found["queueing_switch-switch_mean_us"]
    return {
        "utilisation": utilisation,
        "wait_us": measured,
        "wait_theory_us": 1e6 * wait,
        "wait_over_theory": measured / (1e6 * wait),
    }


def pollaczek_khinchine(rate: float, service: np.ndarray) -> tuple[float, float]:
    """Mean wait in an M/G/1 queue, and its utilisation, from a sample of times of service."""
    utilisation = float(rate * service.mean())
    return float(rate * (service**2).mean() / (2 * (1 - utilisation))), utilisation


LARGE = 50e3  # bytes: the round trip is little beside the time of transmission


@metric("processor-sharing", "large_flows", "utilisation", "slowdown_large", "fct_over_sharing")
def processor_sharing(run: RunOutput) -> Numbers:
    """Mean completion of large flows across a dumbbell against that of processor sharing.

    A flow of x bytes takes x / (C (1 - utilisation)) there, whatever the law of sizes. Headers and
    the acknowledgments of the other direction use the link as well; what an idle network adds to
    the time of transmission is added here, too.
    """
    left = run.setting("topology.Left")
    ports = run.table("ports")
    capacity = float(ports.loc[ports["role"] == "switch-switch", "rate_bps"].iloc[0])
    utilisation = run.setting("load") * (FULL_PACKET + ACKNOWLEDGMENT) / PAYLOAD
    flows = run.table("flows")
    crossing = (flows["source"] < left) != (flows["destination"] < left)
    flows = flows[crossing & (flows["bytes"] >= LARGE)]
    if (flows["finished"] == 0).any():
        return {}
    alone = 8e9 * flows["bytes"] * FULL_PACKET / PAYLOAD / capacity
    expected = alone / (1 - utilisation) + flows["ideal_ns"] - alone
    return {
        "large_flows": len(flows),
        "utilisation": utilisation,
        "slowdown_large": float((flows["fct_ns"] / flows["ideal_ns"]).mean()),
        "fct_over_sharing": float(flows["fct_ns"].mean() / expected.mean()),
    }


ROUNDS = 20  # until shares and acknowledgments agree


@metric("max-min", "share_error_mean", "share_error_max", "share_least_mbps", "share_most_mbps")
def max_min(run: RunOutput) -> Numbers:
    """The distance of long flows' goodput from max-min fair shares, relative to these.

    One flow per group. The shares are those of water-filling over the ports that each flow has gone
    through. Acknowledgments take so little that no fair port withholds it: they are taken from the
    capacity.
    """
    paths = run.table("paths")
    groups = sorted(paths["group"].unique())
    capacity = run.table("ports").set_index("port")["rate_bps"].astype(float)
    data, answers = (
        paths[paths["what"] == what]
        .pivot_table(index="port", columns="group", aggfunc="size", fill_value=0)
        .reindex(index=capacity.index, columns=groups, fill_value=0)
        .to_numpy(float)
        for what in ("data", "answer")
    )
    shares = np.zeros(len(groups))
    for _ in range(ROUNDS):
        left = capacity.to_numpy() - answers @ shares * ACKNOWLEDGMENT / PAYLOAD
        shares = water_filling(data * FULL_PACKET / PAYLOAD, left)
    rates = run.table("rates")
    settled = rates[rates["time_s"] >= run.setting("warmUp_s")]
    goodput = settled.groupby("group")["rate_bps"].mean().reindex(groups).to_numpy(float)
    errors = np.abs(goodput / shares - 1)
    return {
        "share_error_mean": float(errors.mean()),
        "share_error_max": float(errors.max()),
        "share_least_mbps": float(shares.min() / 1e6),
        "share_most_mbps": float(shares.max() / 1e6),
    }


def water_filling(use: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """Max-min fair rates: all rise together until a link is full, whose flows then stay.

    use[link, flow] is how much of the link a flow takes per unit of its rate.
    """
    rates = np.zeros(use.shape[1])
    rising = use.sum(axis=0) > 0
    while rising.any():
        slope = use[:, rising].sum(axis=1)
        room = capacity - use @ rates
        steps = np.divide(room, slope, out=np.full(len(room), np.inf), where=slope > 0)
        rates[rising] += steps.min()
        full = steps <= steps.min() * (1 + 1e-9) + 1e-9
        rising &= ~(use[full] > 0).any(axis=0)
    return rates
