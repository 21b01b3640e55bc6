# SPDX-License-Identifier: GPL-2.0-only
"""Metrics of what uFAB's paper does not try: its bounds and shares on random networks."""

from __future__ import annotations

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric
from reproduce.papers.theory import water_filling

TARGET = 0.95  # eta: of a link


@metric("mufab-longest", "rtt_over_base", "rtt_p99_over_base", "queue_bdps")
def longest(run: RunOutput) -> Numbers:
    """Round-trip times over the network's largest base RTT, and the longest queue in target BDPs.

    A packet that is lost has no round trip. A BDP is that of the queue's port.
    """
    results, ports = run.manifest["results"], run.table("ports")
    rtt = results["mufab_largest_base_rtt_us"]
    switches = ports[~ports["port"].str.startswith("host")]
    bdp = TARGET * switches["rate_bps"].astype(float) * rtt / 8e6
    return {
        "rtt_over_base": results["mufab_rtt_max_us"] / rtt,
        "rtt_p99_over_base": results["mufab_rtt_p99_us"] / rtt,
        "queue_bdps": float((switches["max_queue_bytes"] / bdp).max()),
    }


def settled_pairs(run: RunOutput) -> pd.DataFrame:
    """VM pairs that send without end: hosts, guarantee and the rate of the second half, in bit/s.

    Tenants of two VMs, of which each sends to the other.
    """
    table = run.table("pairs")
    table = table[table["measure"] == "throughput"]
    bins = np.sort(table["time_s"].unique())
    late = bins[len(bins) // 2 :]
    ends = table.groupby("pair")[["tenant", "source", "destination"]].first()
    rate = table[table["time_s"].isin(late)].groupby("pair")["rate_bps"].sum() / len(late)
    hose = run.table("vms").groupby("tenant")["send_bps"].first().astype(float)
    pairs = ends.assign(rate=rate, guarantee=ends["tenant"].map(hose)).fillna(0.0)
    return pairs[pairs["rate"] > 0.01 * pairs["guarantee"]]  # the others carry acknowledgments


def shares(pairs: pd.DataFrame, line: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weighted max-min shares, links x pairs, and what each link can carry.

    Only hosts' links limit: each host's own to its line rate, the switch's to it to 95 % of that.
    """
    hosts = 1 + int(pairs[["source", "destination"]].to_numpy().max())
    crosses = np.zeros((2 * hosts, len(pairs)))
    crosses[pairs["source"], np.arange(len(pairs))] = 1
    crosses[hosts + pairs["destination"], np.arange(len(pairs))] = 1
    capacity = np.repeat([line, TARGET * line], hosts)
    tokens = pairs["guarantee"].to_numpy()
    return water_filling(crosses * tokens, capacity) * tokens, crosses, capacity


@metric("mufab-shares", "share_least", "share_gap_percent", "bound_least", "guarantee_least")
def token_shares(run: RunOutput) -> Numbers:
    """The goodput of pairs over their weighted max-min shares.

    `share_least` is of the worst pair, `share_gap_percent` the mean distance. `bound_least` is of
    the pair that is furthest below the bound that the cap of Eq. 3 leaves: each pair has a full
    link on which nobody has more per token, its host's own or another, or, of another, its tokens
    over the most tokens of a pair there. `guarantee_least` is the worst pair's rate over its
    guarantee.
    """
    pairs = settled_pairs(run)
    line = run.table("ports").set_index("port").loc["host0:0", "rate_bps"]
    share, crosses, capacity = shares(pairs, float(line))
    rate, tokens = pairs["rate"].to_numpy(), pairs["guarantee"].to_numpy()
    per_token = rate / tokens
    most = (crosses * tokens).max(axis=1)
    level = (crosses * per_token).max(axis=1)
    used = crosses @ rate / capacity
    part = rate / np.outer(capacity, tokens) * most[:, None]
    even = np.minimum(per_token / np.maximum(level, 1e-30)[:, None], used[:, None])
    part[: len(capacity) // 2] = 0  # hosts' own links, which their schedulers divide, not Eq. 3
    best = np.where(crosses > 0, np.maximum(part, even), 0).max(axis=0)
    return {
        "share_least": float((rate / share).min()),
        "share_gap_percent": 100 * float(np.abs(rate / share - 1).mean()),
        "bound_least": float(best.min()),
        "guarantee_least": float((rate / tokens).min()),
    }


@curve("mufab-share-cdf")
def share_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF, over pairs, of the rate over the weighted max-min share."""
    pairs = settled_pairs(run)
    line = run.table("ports").set_index("port").loc["host0:0", "rate_bps"]
    share, _, _ = shares(pairs, float(line))
    ratios = np.sort(pairs["rate"].to_numpy() / share)
    x = np.linspace(0, 2, 201)
    return pd.DataFrame({"x": x, "y": np.searchsorted(ratios, x, "right") / len(ratios)})
