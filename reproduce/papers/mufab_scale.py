# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of uFAB's large simulations (Figs. 17, 18 and 20).

Times in the tables of a run are of the simulation. Rates are of IP datagrams unless said otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, percentile
from reproduce.papers.mufab import BASE_RTT_US, ENOUGH

BASE_RTT = 12.8e-6  # seconds, between pods
CALM_BINS = 10  # in a row, without a pair that misses its guarantee, when an incast has converged
GRACE = 2 * BASE_RTT  # until the first byte of a flow can be there: handshake, way
HEADERS = 40  # bytes of a datagram besides payload
SIZES = {"10k": (0, 1e4), "100k": (1e4, 1e5), "1m": (1e5, 1e6), "more": (1e6, np.inf)}


@dataclass
class Pairs:
    """VM pairs, by number: the hoses that they belong to, and what they ask for and get."""

    source: np.ndarray  # number of the VM that sends
    destination: np.ndarray
    send: np.ndarray  # by VM, bit/s
    receive: np.ndarray
    edges: np.ndarray  # of bins, seconds
    asked: np.ndarray  # pair x bin: bytes of flows that began in it
    got: np.ndarray  # pair x bin: bytes


def end_of(run: RunOutput) -> float:
    """The end of a run, in seconds."""
    return run.setting("warmUp_s") + run.setting("duration_s")


def all_flows(run: RunOutput) -> pd.DataFrame:
    """Flows with their begin and end in seconds, those under way as if they ended with the run."""
    flows = run.table("flows")
    begin = flows["start_ns"] / 1e9
    end = (begin + flows["fct_ns"] / 1e9).where(flows["finished"] == 1, end_of(run))
    return flows.assign(begin=begin, end=end)


def read_pairs(run: RunOutput, flows: pd.DataFrame) -> tuple[Pairs, pd.Series]:
    """The VM pairs that have flows, and the pair of each flow.

    Several VMs of a tenant on a host count as one, with the sum of their hoses.
    """
    vms = run.table("vms").groupby(["tenant", "group", "host"], as_index=False)
    vms = vms[["send_bps", "receive_bps"]].sum()
    number = pd.Series(vms.index, index=pd.MultiIndex.from_frame(vms[["group", "host"]]))
    source = number.loc[list(zip(flows["group"], flows["source"], strict=True))].to_numpy()
    destination = number.loc[list(zip(flows["group"], flows["destination"], strict=True))]
    ends = pd.MultiIndex.from_arrays([source, destination.to_numpy()])
    codes, keys = ends.factorize()
    table = run.table("pairs")
    table = table[table["measure"] == "goodput"]
    starts = np.unique(table["time_s"])
    width = np.diff(starts).min()
    groups = vms.drop_duplicates("tenant").set_index("tenant")["group"]
    by_pair = [
        number.reindex(pd.MultiIndex.from_arrays([table["tenant"].map(groups), table[side]]))
        for side in ("source", "destination")
    ]
    of_pair = keys.get_indexer(pd.MultiIndex.from_arrays([one.to_numpy() for one in by_pair]))
    of_bin = np.searchsorted(starts, table["time_s"])
    got = np.zeros((len(keys), len(starts)))
    known = of_pair >= 0  # the others carry acknowledgments
    np.add.at(got, (of_pair[known], of_bin[known]), table["rate_bps"].to_numpy()[known] * width / 8)
    asked = np.zeros_like(got)
    at = np.clip(np.searchsorted(starts, flows["begin"], "right") - 1, 0, len(starts) - 1)
    np.add.at(asked, (codes, at), flows["bytes"].to_numpy(float))
    pairs = Pairs(
        keys.get_level_values(0).to_numpy(),
        keys.get_level_values(1).to_numpy(),
        vms["send_bps"].to_numpy(float),
        vms["receive_bps"].to_numpy(float),
        np.append(starts, starts[-1] + width),
        asked,
        got,
    )
    return pairs, pd.Series(codes, index=flows.index)


def payload(run: RunOutput) -> float:
    """The part of a full datagram that is payload."""
    segment = run.setting("transports.lean.SegmentSize")
    return segment / (segment + HEADERS)


def members(of: np.ndarray) -> dict[int, np.ndarray]:
    """The pairs of each VM, from the VM of each pair."""
    order = np.argsort(of, kind="stable")
    vms, starts = np.unique(of[order], return_index=True)
    return dict(zip(vms.tolist(), np.split(order, starts[1:]), strict=True))


def guaranteed(pairs: Pairs, flows: pd.DataFrame, of_pair: pd.Series) -> np.ndarray:
    """Bytes of datagrams that pairs are guaranteed while they have flows, pair x bin.

    A hose is divided equally among the pairs of its VM that have flows at the time, and a pair has
    the lesser of its two shares. A flow counts from when its first byte can be there.
    """
    alive = flows["end"] > flows["begin"] + GRACE
    times = np.concatenate([flows["begin"][alive] + GRACE, flows["end"][alive], pairs.edges])
    changes = np.concatenate(
        [np.ones(alive.sum()), -np.ones(alive.sum()), np.zeros_like(pairs.edges)]
    )
    who = np.concatenate([of_pair[alive], of_pair[alive], np.zeros_like(pairs.edges)]).astype(int)
    order = np.argsort(times, kind="stable")
    times, changes, who = times[order], changes[order].astype(int), who[order]
    which = np.clip(np.searchsorted(pairs.edges, times, "right") - 1, 0, len(pairs.edges) - 2)
    count = np.zeros(len(pairs.source), int)  # flows of each pair
    pairs_out = np.zeros(len(pairs.send), int)  # of each VM, those that have flows
    pairs_in = np.zeros_like(pairs_out)
    share = np.zeros(len(pairs.source))
    total = np.zeros((len(pairs.edges) - 1, len(pairs.source)))
    by_source, by_destination = members(pairs.source), members(pairs.destination)
    for i in range(len(times) - 1):
        source, destination = pairs.source[who[i]], pairs.destination[who[i]]
        before, count[who[i]] = count[who[i]], count[who[i]] + changes[i]
        if step := int(count[who[i]] > 0) - int(before > 0):
            pairs_out[source] += step
            pairs_in[destination] += step
            near = np.append(by_source[source], by_destination[destination])
            share[near] = 0
            near = near[count[near] > 0]
            source, destination = pairs.source[near], pairs.destination[near]
            share[near] = np.minimum(
                pairs.send[source] / pairs_out[source],
                pairs.receive[destination] / pairs_in[destination],
            )
        if (width := times[i + 1] - times[i]) > 0:
            total[which[i]] += share * width / 8
    return total.T


@metric(
    "mufab-tenants",
    *("dissatisfaction_percent", "missed_percent", "missed_longest_ms", "within_100us_percent"),
    *("slowdown_mean", "slowdown_p99", "fct_p99_us", "unfinished_percent", "carried_gbps"),
    *(f"slowdown_{name}" for name in SIZES),
)
def tenants(run: RunOutput) -> Numbers:
    """Tenants with random flows (Fig. 17).

    What a pair misses in a bin is the lesser of what it is guaranteed (see guaranteed()) and what
    it has to send, less what arrives. `dissatisfaction_percent` is that over what arrives,
    `missed_percent` over what it should be, `missed_longest_ms` the longest time for which a pair
    missed more than 5 % in each bin. A slowdown is a flow's time over its bytes at what its VM is
    guaranteed to send; unfinished flows count with the time until the end of the run.
    """
    flows = all_flows(run)
    pairs, of_pair = read_pairs(run, flows)
    owed = guaranteed(pairs, flows, of_pair) * payload(run)
    before = np.cumsum(pairs.got, axis=1) - pairs.got
    left = np.cumsum(pairs.asked, axis=1) - before
    owed = np.minimum(owed, np.maximum(left, 0))
    missed = np.maximum(owed - pairs.got, 0)
    short = missed > (1 - ENOUGH) * owed + 1
    longest = run_length = np.zeros(len(short), int)
    for column in short.T:
        run_length = (run_length + 1) * column
        longest = np.maximum(longest, run_length)
    send = pairs.send[pairs.source[of_pair]]
    time = (flows["end"] - flows["begin"]).reset_index(drop=True)
    alone = 8 * flows["bytes"].to_numpy() / send
    slowdown = pd.Series(time / alone)
    sizes = flows["bytes"].reset_index(drop=True)
    return {
        "dissatisfaction_percent": 100 * missed.sum() / pairs.got.sum(),
        "missed_percent": 100 * missed.sum() / owed.sum(),
        "missed_longest_ms": 1e3 * longest.max() * np.diff(pairs.edges)[0],
        "within_100us_percent": 100 * float((alone <= 100e-6).mean()),
        "slowdown_mean": float(slowdown.mean()),
        "slowdown_p99": percentile(slowdown, 99),
        "fct_p99_us": percentile(time, 99) * 1e6,
        "unfinished_percent": 100 * float((flows["finished"] == 0).mean()),
        "carried_gbps": pairs.got.sum() * 8 / (pairs.edges[-1] - pairs.edges[0]) / 1e9,
        **{
            f"slowdown_{name}": float(slowdown[(sizes >= low) & (sizes < high)].mean())
            for name, (low, high) in SIZES.items()
        },
    }


def pair_rates(run: RunOutput, tenant: str = "") -> pd.DataFrame:
    """Rate of each VM pair in bit/s, a row per bin by its start in seconds; of a tenant, or all."""
    table = run.table("pairs")
    table = table[(table["measure"] == "throughput") & table["tenant"].str.startswith(tenant)]
    rates = table.pivot_table("rate_bps", "time_s", "pair", "sum")
    return rates.loc[:, rates.sum() > 0.01 * rates.sum().max()].fillna(0)  # no acknowledgments


def guarantee_of(run: RunOutput, tenant: str = "") -> float:
    """The guarantee of each pair of a tenant, or of all, in bit/s: the hose of its senders."""
    tenants = run.setting("tenants").items()
    (hose,) = {one["hose_bps"] for name, one in tenants if name.startswith(tenant)}
    return float(hose)


def short_share(rates: pd.DataFrame, guarantee: float) -> pd.Series:
    """The part of the pairs that miss their guarantee, by bin."""
    return (rates < ENOUGH * guarantee).mean(axis=1)


def last_short(rates: pd.DataFrame, guarantee: float, start: float, allowed: float = 0.0) -> float:
    """Time from the start until the end of the last bin in which a pair misses its guarantee.

    Or, with a share allowed, more than such a part of the pairs.
    """
    width = float(np.diff(rates.index).min())
    since = rates[rates.index > start - width / 2]
    short = since.index[short_share(since, guarantee) > allowed]
    return float(short[-1] + width - start) if len(short) else 0.0


def first_calm(rates: pd.DataFrame, guarantee: float, start: float) -> float:
    """Time from the start to the first CALM_BINS bins in a row in which no pair is short.

    To the end of the run if there are none.
    """
    width = float(np.diff(rates.index).min())
    since = rates[rates.index > start - width / 2]
    short = short_share(since, guarantee) > 0
    calm = (short.rolling(CALM_BINS).sum() == 0).to_numpy()  # of the bins up to each
    if not calm.any():
        return float(since.index[-1] + width - start)
    return max(0.0, float(since.index[calm.argmax() - CALM_BINS + 1] - start))


@metric(
    "mufab-settling",
    *("settled_us", "guarantees_us", "guarantees_most_us", "last_migration_us"),
    *("short_pairs", "short_percent"),
)
def settling(run: RunOutput) -> Numbers:
    """All pairs, of equal guarantees, start at once (Figs. 18a and b).

    `guarantees_us` is the time until no pair misses 5 % of its guarantee any more,
    `guarantees_most_us` until no more than a hundredth of them do, `last_migration_us` that of the
    last migration, `settled_us` the later of the first and this; `short_pairs` counts pairs that
    miss it in the last bin but one, `short_percent` is their part.
    """
    rates, guarantee = pair_rates(run), guarantee_of(run)
    guarantees = 1e6 * last_short(rates, guarantee, 0.0)
    short = rates.iloc[-2] < ENOUGH * guarantee
    samples = run.table("limiters")
    path = samples[samples["measure"] == "path"].pivot_table("value", "time_s", "pair")
    moved = (path.diff().fillna(0) != 0) & (path.shift() >= 0) & (path >= 0)
    times = path.index[moved.any(axis=1)]
    last = 1e6 * float(times[-1]) if len(times) else 0.0
    return {
        "settled_us": max(guarantees, last),
        "guarantees_us": guarantees,
        "guarantees_most_us": 1e6 * last_short(rates, guarantee, 0.0, allowed=0.01),
        "last_migration_us": last,
        "short_pairs": float(short.sum()),
        "short_percent": 100 * float(short.mean()),
    }


@curve("mufab-short-pairs")
def short_pairs(run: RunOutput) -> pd.DataFrame:
    """The part of the pairs that miss 5 % of their guarantee, in percent, by time in us."""
    share = short_share(pair_rates(run), guarantee_of(run))
    return pd.DataFrame({"x": 1e6 * share.index, "y": 100 * share.to_numpy()})


@metric("mufab-incast-join", "incast_us", "incast_near_us", "incast_gbps")
def incast_join(run: RunOutput) -> Numbers:
    """Pairs join a loaded network together (Fig. 18c).

    `incast_us` is the time until none misses 5 % of its guarantee any more, `incast_near_us` until
    none does for ten bins in a row; `incast_gbps` is what they have together in the last ms.
    """
    rates, guarantee = pair_rates(run, "incast"), guarantee_of(run, "incast")
    joins = run.setting("tenants.incast.joins_s")
    tail = rates[rates.index >= rates.index[-1] - 1e-3]
    return {
        "incast_us": 1e6 * last_short(rates, guarantee, joins),
        "incast_near_us": 1e6 * first_calm(rates, guarantee, joins),
        "incast_gbps": float(tail.sum(axis=1).mean() / 1e9),
    }


def rounds(run: RunOutput) -> pd.DataFrame:
    """The time of each sender's nth response in the incast, in seconds: a row per round."""
    samples = run.table("limiters")
    counts = samples[samples["measure"] == "responses"].pivot_table("value", "time_s", "pair")
    last = int(min(40, counts.iloc[-1].min()))
    times = counts.index.to_numpy()
    return pd.DataFrame(
        {
            pair: times[np.searchsorted(counts[pair].ffill().fillna(0), np.arange(1, last + 1))]
            for pair in counts
        },
        index=np.arange(1, last + 1),
    )


def one_window(run: RunOutput) -> pd.Series:
    """The window of the first sender of the incast by the number of its responses."""
    samples = run.table("limiters")
    samples = samples[samples["pair"] == samples["pair"].min()]
    table = samples.pivot_table("value", "time_s", "measure")
    return table.groupby("responses")["window_bytes"].last()


def ages(run: RunOutput) -> pd.DataFrame:
    """The age of a sender's last response, or of its joining, at the median of each round, in s."""
    at = rounds(run).median(axis=1).to_numpy()
    samples = run.table("limiters")
    counts = samples[samples["measure"] == "responses"].pivot_table("value", "time_s", "pair")
    answered = counts.diff().fillna(0) > 0
    when = answered.mul(counts.index.to_numpy(), axis=0).cummax().clip(lower=counts.index[0])
    latest = when.to_numpy()[np.searchsorted(counts.index.to_numpy(), at, "right") - 1]
    return pd.DataFrame(at[:, None] - latest, columns=counts.columns)


@metric(
    "mufab-rounds",
    *("rounds", "gap_most_rtts", "gap_p99_rtts", "rounds_apart", "settled_rounds"),
    *("near_rounds", "off_late_percent"),
    *("age_median_rtts", "age_p99_rtts", "age_most_rtts"),
)
def asynchrony(run: RunOutput) -> Numbers:
    """Responses to 128 senders to one host (Fig. 20).

    A gap is the time between a sender's nth response and the median sender's. `rounds_apart` counts
    rounds of 40 in which the largest exceeds a base RTT. `settled_rounds` is the median sender's
    number of responses until its window stays within 10 % of its mean over the last ten,
    `near_rounds` until it is there for ten in a row; `off_late_percent` are those that are not, of
    the 20th and later ones. `age` is how old a sender's last response is at the median of a round:
    what it acts on. Unlike gaps, ages do not add up from round to round.
    """
    times = rounds(run)
    rtt = run.manifest["results"]["mufab_largest_base_rtt_us"] / 1e6
    gaps = times.sub(times.median(axis=1), axis=0).abs() / rtt
    old = ages(run).to_numpy() / rtt
    samples = run.table("limiters").pivot_table("value", ["pair", "time_s"], "measure")
    settled, near, late = [], [], []
    for _, one in samples.groupby("pair"):
        window = one.groupby("responses")["window_bytes"].last().loc[1:]
        off = (window / window.tail(10).mean() - 1).abs() > 0.1
        settled.append(float(off.index[off][-1]) if off.any() else 0.0)
        calm = off.rolling(10).sum() == 0
        near.append(float(calm.idxmax() - 10) if calm.any() else float(len(off)))
        late.append(off.loc[20:].mean())
    return {
        "rounds": float(len(times)),
        "gap_most_rtts": float(gaps.max().max()),
        "gap_p99_rtts": float(np.quantile(gaps, 0.99)),
        "rounds_apart": float((gaps.max(axis=1) > 1).sum()),
        "settled_rounds": float(np.median(settled)),
        "near_rounds": float(np.median(near)),
        "off_late_percent": float(100 * np.mean(late)),
        "age_median_rtts": float(np.median(old)),
        "age_p99_rtts": float(np.quantile(old, 0.99)),
        "age_most_rtts": float(old.max()),
    }


@curve("mufab-round-gaps")
def round_gaps(run: RunOutput) -> pd.DataFrame:
    """Largest time between a sender's response and the median sender's, in us, by round."""
    times = rounds(run)
    gaps = times.sub(times.median(axis=1), axis=0).abs().max(axis=1)
    return pd.DataFrame({"x": gaps.index, "y": 1e6 * gaps.to_numpy()})


@curve("mufab-one-window")
def one_rate(run: RunOutput) -> pd.DataFrame:
    """Rate that the first sender's window allows, in Gbit/s, by its responses."""
    window = one_window(run).loc[1:60]
    rtt = run.manifest["results"]["mufab_largest_base_rtt_us"] / 1e6
    return pd.DataFrame({"x": window.index, "y": 8 * window.to_numpy() / rtt / 1e9})


ROUNDS = 5  # base RTTs over which rates are means when they converge


def joins_us(run: RunOutput) -> float:
    """The time at which the second pair of mufab-join begins."""
    return 1e6 * run.setting("tenants.second.joins_s")


@curve("mufab-join-windows")
def join_windows(run: RunOutput) -> pd.DataFrame:
    """Windows and the queue in KB (1024 bytes) against time in us; responses as marks at 0."""
    samples = run.table("limiters")
    windows = samples[samples["measure"] == "window_bytes"]
    names = {"first": "window of the first", "second": "window of the second"}
    rows = pd.DataFrame(
        {"time_s": windows["time_s"], "series": windows["tenant"].map(names), "y": windows["value"]}
    )
    queue = run.table("queues")
    queue = pd.DataFrame({"time_s": queue["time_s"], "series": "queue", "y": queue["bytes"]})
    second = samples[(samples["measure"] == "responses") & (samples["tenant"] == "second")]
    answered = second["value"].diff().fillna(0) > 0
    probes = pd.DataFrame(
        {
            "time_s": second["time_s"],
            "series": "responses to the second",
            "y": 2048.0 * answered,
        }
    )
    table = pd.concat([rows, queue, probes])
    return pd.DataFrame(
        {
            "x": 1e6 * table["time_s"] - joins_us(run),
            "series": table["series"],
            "y": table["y"] / 1024,
        }
    )


@curve("mufab-join-rates")
def join_rates(run: RunOutput) -> pd.DataFrame:
    """Rates of both pairs in Gbit/s against time in us."""
    table = run.table("pairs")
    table = table[(table["measure"] == "throughput") & (table["destination"] == 2)]
    return pd.DataFrame(
        {
            "x": 1e6 * table["time_s"] - joins_us(run),
            "series": "the " + table["tenant"],
            "y": table["rate_bps"] / 1e9,
        }
    )


@metric(
    "mufab-join",
    *("first_window_bytes", "guarantee_after_rtts", "other_least", "last_ratio", "converged_us"),
)
def join(run: RunOutput) -> Numbers:
    """A pair joins a link that another has (mufab-join): rates are means over a base RTT of 24 us.

    `first_window_bytes` is the window at the first sample after joining; `guarantee_after_rtts` the
    time until the second pair never has less than 95 % of its guarantee any more; `other_least` the
    first's least rate from then on over its own; `converged_us` the time until both stay,
    as means over 5 base RTTs, within 10 % of those over the last 200 us, whose ratio is
    `last_ratio`.
    """
    samples = run.table("limiters")
    windows = samples[(samples["measure"] == "window_bytes") & (samples["tenant"] == "second")]
    first = windows.loc[windows["value"] > 0, "value"]
    table = run.table("pairs")
    table = table[(table["measure"] == "throughput") & (table["destination"] == 2)]
    rates = table.pivot_table("rate_bps", "time_s", "tenant", "sum").fillna(0) / 1e9
    rates.index = rates.index * 1e6 - joins_us(run)
    width = float(np.diff(rates.index).min())
    rates = rates.iloc[:-1]  # the last bin is not a whole one
    after = rates[rates.index > -width / 2]
    last = after[after.index > after.index[-1] - 200].mean()
    first_gbps, second_gbps = (run.setting(f"tenants.{who}.hose_bps") / 1e9 for who in after)
    short = after.index[after["second"] < ENOUGH * second_gbps]
    calm = after.rolling(ROUNDS).mean().dropna()  # a mean over 24 us counts whole packets
    off = calm.index[((calm / last - 1).abs() > 0.1).any(axis=1)]
    return {
        "first_window_bytes": float(first.iloc[0]),
        "guarantee_after_rtts": (float(short[-1]) + width) / BASE_RTT_US if len(short) else 0.0,
        "other_least": float(after["first"].min() / first_gbps),
        "last_ratio": float(last["second"] / last["first"]),
        "converged_us": float(off[-1] + width) if len(off) else 0.0,
    }
