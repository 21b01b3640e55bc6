# SPDX-License-Identifier: GPL-2.0-only
"""Simulation against theory: flows that share links under ECMP, TCP's law of the square root."""

import math

from reproduce.metrics import Numbers, RunOutput, metric, results

LAYERS = {
    "rack_up": "edge-aggregation",
    "pod_up": "aggregation-core",
    "pod_down": "core-aggregation",
    "rack_down": "aggregation-edge",
}
MOST = 3  # links with so many flows and with more are counted together


@metric("flows-per-link", *(f"{layer}_*" for layer in LAYERS))
def flows_per_link(run: RunOutput) -> Numbers:
    """Counts of flows that share a link, by layer of a fat-tree (recorder port-flows).

    `LAYER_0` to `LAYER_2` are the shares of links with so many flows, `LAYER_3` with 3 or more;
    `LAYER_variance` is over all links, with the mean that they have.
    """
    ports = run.table("port-flows")
    numbers: Numbers = {}
    for layer, role in LAYERS.items():
        flows = ports.loc[ports["role"] == role, "flows"]
        shares = flows.clip(upper=MOST).value_counts(normalize=True)
        numbers |= {f"{layer}_{count}": shares.get(count, 0.0) for count in range(MOST + 1)}
        numbers[f"{layer}_links"] = len(flows)
        numbers[f"{layer}_mean"] = flows.mean()
        numbers[f"{layer}_variance"] = flows.var(ddof=0)
    return numbers


LOST = "Lost at random"


@metric("loss-law", "loss_rate", "losses", "goodput_mbps", "law_constant")
def loss_law(run: RunOutput) -> Numbers:
    """The constant C of goodput = C segments / (round trip x sqrt(loss rate)), as measured.

    The loss rate is that of the packets that came to the port that loses.
    """
    drops = run.table("drops")
    lost = drops[(drops["kind"] == "drop") & (drops["reason"] == LOST)]
    losses = int(lost["packets"].sum())
    ports = run.table("ports").set_index("port")
    sent = int(ports.loc[lost["port"].unique(), "tx_packets"].sum())
    found = results(run)
    rate = losses / (losses + sent)
    (segment,) = {transport["SegmentSize"] for transport in run.setting("transports").values()}
    segments = found["goodput_bps"] / 8 / segment
    return {
        "loss_rate": rate,
        "losses": losses,
        "goodput_mbps": found["goodput_bps"] / 1e6,
        "law_constant": segments * run.setting("baseRtt_s") * math.sqrt(rate),
    }
