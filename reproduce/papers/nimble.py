# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of Nimble: Scalable TCP-Friendly Programmable In-Network Rate-Limiting
(SOSR 2021).
"""

from __future__ import annotations

import numpy as np

from reproduce.curves import curve
from reproduce.lazy import pd
from reproduce.metrics import Numbers, RunOutput, metric, over_time

FULL_PACKET = 1500  # bytes
PAYLOAD = 1460 / FULL_PACKET


def goodput(run: RunOutput) -> pd.Series:
    """Goodput of all groups together in Gbit/s, by the time at which a bin begins."""
    return run.table("rates").groupby("time_s")["rate_bps"].sum() / 1e9


@metric("class-goodput", *(f"goodput_{name}_gbps" for name in ("mean", "min", "max", "sd")))
def class_goodput(run: RunOutput) -> Numbers:
    """Goodput of all flows together after the warm-up, bin by bin."""
    rates = goodput(run)
    rates = rates[rates.index >= run.setting("warmUp_s")]
    return {
        "goodput_mean_gbps": float(rates.mean()),
        "goodput_min_gbps": float(rates.min()),
        "goodput_max_gbps": float(rates.max()),
        "goodput_sd_gbps": float(rates.std(ddof=0)),
    }


@metric(
    "limit-error",
    *("limited_payload_gbps", "limit_error_percent", "limit_inaccuracy_percent"),
    "limit_sd_percent",
)
def limit_error(run: RunOutput) -> Numbers:
    """The rate of packets that leave the limited port, as they arrive at the host behind it in
    order or not: its mean as payload, the distance of that from the policy's first limit with and
    without its sign, and the standard deviation from bin to bin, relative to the limit.
    """
    policy = run.setting("policy")
    rules = policy["classes"] + policy["local"]
    limit = next(rule["rate_bps"] for rule in rules if "rate_bps" in rule)
    pairs = run.table("pairs")
    arrived = pairs[pairs["measure"] == "throughput"].pivot_table(
        "rate_bps", "time_s", "destination", "sum", fill_value=0
    )
    rates = arrived[arrived.sum().idxmax()]  # others have acknowledgments only
    error = 100 * (float(rates.mean()) / limit - 1)
    return {
        "limited_payload_gbps": PAYLOAD * float(rates.mean()) / 1e9,
        "limit_error_percent": error,
        "limit_inaccuracy_percent": abs(error),
        "limit_sd_percent": 100 * float(rates.std(ddof=0)) / limit,
    }


BACKLOG = 4 * 2**20  # bytes (Section 2.2.2)


@metric("limited-queue", *(f"queue_{name}_mb" for name in ("mean", "min", "max")), "backlog_us")
def limited_queue(run: RunOutput) -> Numbers:
    """The queue at the sampled ports after the warm-up, in 2^20 bytes as the paper counts, and the
    time that the fastest link takes for 4 of these.
    """
    samples = run.table("queues").groupby("time_s")["bytes"].sum() / 2**20
    samples = samples[samples.index >= run.setting("warmUp_s")]
    return {
        "queue_mean_mb": float(samples.mean()),
        "queue_min_mb": float(samples.min()),
        "queue_max_mb": float(samples.max()),
        "backlog_us": 8e6 * BACKLOG / float(run.table("ports")["rate_bps"].max()),
    }


def phases(run: RunOutput) -> list[tuple[float, float]]:
    """Begin and end of the time before, between and after the events of a run.

    Events at one time are one; the first phase begins when the run does.
    """
    times = sorted({0.0, *run.table("events")["time_s"]})
    return list(zip(times, [*times[1:], run.manifest["simulated_s"]], strict=True))


@metric("phases", "phase[0-9]_gbps", "phase[0-9]_settling_ms")
def phase_numbers(run: RunOutput) -> Numbers:
    """Goodput of all flows in the second half of each phase between events.

    `settling` is the time from a phase's begin until the end of the first bin within 10 % of that,
    the whole phase if there is none.
    """
    rates = goodput(run)
    width = float(np.diff(rates.index).min())
    numbers: Numbers = {}
    for number, (begin, end) in enumerate(phases(run), start=1):
        inside = rates[(rates.index >= begin - 1e-9) & (rates.index + width <= end + 1e-9)]
        level = float(inside[inside.index >= (begin + end) / 2].mean())
        close = inside[(inside / level - 1).abs() <= 0.1]
        numbers[f"phase{number}_gbps"] = level
        settled = end if close.empty else close.index[0] + width
        numbers[f"phase{number}_settling_ms"] = 1e3 * (settled - begin)
    return numbers


@metric("change", "lowest_gbps", "queue_before_kb", "queue_empty_after_ms", "share[0-9]_gbps")
def change(run: RunOutput) -> Numbers:
    """Around the first event: the lowest goodput after it, what waits at the sampled ports in the
    millisecond before it (in 2^10 bytes), how long after it less than a packet waits on average
    over a millisecond, and the goodput of each group in the second half of the time after it.
    """
    (_, begin), (_, end) = phases(run)[:2]
    rates = goodput(run)
    rates = rates[(rates.index >= begin - 1e-9) & (rates.index < end - 1e-9)]
    queue = run.table("queues").groupby("time_s")["bytes"].sum()
    before = queue[(queue.index >= begin - 1e-3) & (queue.index < begin)]
    after = queue[queue.index >= begin]
    steps = max(1, round(1e-3 / float(np.diff(after.index).min())))
    ahead = after[::-1].rolling(steps).mean()[::-1]  # over the millisecond from here on
    empty = ahead[ahead < FULL_PACKET]
    groups = run.table("rates")
    groups = groups[groups["time_s"] >= (begin + end) / 2]
    means = groups.groupby("group")["rate_bps"].mean() / 1e9
    return {
        "lowest_gbps": float(rates.min()),
        "queue_before_kb": float(before.mean()) / 2**10,
        "queue_empty_after_ms": np.nan if empty.empty else 1e3 * float(empty.index[0] - begin),
    } | {f"share{group}_gbps": float(value) for group, value in means.items()}


@curve("goodput-time")
def goodput_time(run: RunOutput) -> pd.DataFrame:
    """Goodput of all flows together in Gbit/s against time in ms."""
    rates = goodput(run)
    return pd.DataFrame({"x": 1e3 * rates.index, "y": rates.to_numpy(float)})


@curve("queue-time")
def queue_time(run: RunOutput) -> pd.DataFrame:
    """The queue at the sampled ports in 2^20 bytes against time in ms."""
    samples = run.table("queues").groupby("time_s")["bytes"].sum() / 2**20
    return pd.DataFrame({"x": 1e3 * samples.index, "y": samples.to_numpy(float)})


@metric("tenant-goodput", "*_gbps")
def tenant_goodput(run: RunOutput) -> Numbers:
    """Goodput of each tenant over the bins of recorder `tenants`: mean, also per host of the
    network, standard deviation and maximum.
    """
    rates = over_time(run, "tenants", "goodput") / 1e9
    hosts = int(run.table("ports")["role"].str.startswith("host-").sum())
    numbers: Numbers = {}
    for tenant in rates:
        numbers[f"{tenant}_gbps"] = float(rates[tenant].mean())
        numbers[f"{tenant}_max_gbps"] = float(rates[tenant].max())
        numbers[f"{tenant}_sd_gbps"] = float(rates[tenant].std(ddof=0))
        numbers[f"{tenant}_per_server_gbps"] = float(rates[tenant].mean()) / hosts
    return numbers


# Of packets of 1500 bytes, each with an acknowledgment of 40.
ACKNOWLEDGED_PAYLOAD = 1460 / (FULL_PACKET + 40)


@metric("tenant-arrivals", "*_arrived_gbps", "*_arrived_sd_gbps")
def tenant_arrivals(run: RunOutput) -> Numbers:
    """Arrivals of each tenant per host of the network, in order or not, as payload: mean and
    standard deviation over the bins of recorder `tenants`. Losses make no heaps of them, as they
    do of goodput.
    """
    hosts = int(run.table("ports")["role"].str.startswith("host-").sum())
    rates = ACKNOWLEDGED_PAYLOAD * over_time(run, "tenants", "throughput") / 1e9 / hosts
    numbers: Numbers = {}
    for tenant in rates:
        numbers[f"{tenant}_arrived_gbps"] = float(rates[tenant].mean())
        numbers[f"{tenant}_arrived_sd_gbps"] = float(rates[tenant].std(ddof=0))
    return numbers


RESPONSE_BYTES = 4 * 2**20  # of the web tenant; nimble-fig6-offered has a quarter of it


@metric("request-latency", "requests", "unanswered", *(f"request_p{p}_ms" for p in (50, 99)))
def request_latency(run: RunOutput) -> Numbers:
    """Latency of the requests of the first tenant that are asked in the first half of the run.
    Those that are not answered until its end count as longer than all others. Latencies of large
    responses are given for 4 MB, in proportion.
    """
    end = 1e9 * run.manifest["simulated_s"]
    tasks, flows = run.table("tasks"), run.table("flows")
    flows = flows[flows["group"] == 0]
    waiting = flows[flows["finished"] == 0]
    asked = pd.concat([tasks["start_ns"], waiting["start_ns"]], ignore_index=True)
    answered = tasks["duration_ns"].to_numpy(float) / 1e6
    lasted = pd.Series(np.append(answered, np.full(len(waiting), np.inf)))[asked <= end / 2]
    size = float(flows["bytes"].max())
    scale = RESPONSE_BYTES / size if size > RESPONSE_BYTES / 100 else 1.0
    numbers: Numbers = {"requests": len(lasted), "unanswered": int(np.isinf(lasted).sum())}
    for p in (50, 99):
        value = scale * float(lasted.quantile(p / 100, interpolation="higher"))
        numbers[f"request_p{p}_ms"] = value if np.isfinite(value) else np.nan
    return numbers


PROBE_PERCENTILES = (50, 90, 99)


def short_size(flows: pd.DataFrame) -> int:
    """Size of the short flows in bytes: the least of flows that are not without end."""
    return int(flows.loc[flows["bytes"] > 0, "bytes"].min())


def probe_times(run: RunOutput) -> pd.Series:
    """Completion times of the short flows in ms, in rising order; infinite without an end."""
    flows = run.table("flows")
    probes = flows[flows["bytes"] == short_size(flows)]
    return (probes["fct_ns"].where(probes["finished"] == 1, np.inf) / 1e6).sort_values()


@metric(
    "short-flows", "probes", "probes_unfinished", *(f"probe_p{p}_ms" for p in PROBE_PERCENTILES)
)
def short_flows(run: RunOutput) -> Numbers:
    """Percentiles of the completion time of short flows. Those that did not end count as longer
    than all others.
    """
    times = probe_times(run)
    numbers: Numbers = {"probes": len(times), "probes_unfinished": int(np.isinf(times).sum())}
    for p in PROBE_PERCENTILES:
        value = float(times.quantile(p / 100, interpolation="higher"))
        numbers[f"probe_p{p}_ms"] = value if np.isfinite(value) else np.nan
    return numbers


def overlap(flows: pd.DataFrame, end_s: float) -> float:
    """Time in seconds for which flows were under way until a time, added up."""
    begin = flows["start_ns"] / 1e9
    over = (begin + flows["fct_ns"] / 1e9).where(flows["finished"] == 1, np.inf)
    return float((over.clip(upper=end_s) - begin).clip(lower=0).sum())


@metric("long-flows", "long_flows", "long_flow_gbps")
def long_flows(run: RunOutput) -> Numbers:
    """Throughput of the long flows of tenant A: what arrived of them over the time for which they
    were under way, while recorder `tenants` measured, from the run's begin on.
    """
    rates = over_time(run, "tenants", "goodput")["A"]
    width = float(np.diff(rates.index).min())
    end = float(rates.index[-1]) + width
    flows = run.table("flows")
    size = short_size(flows)
    flows = flows[flows["group"] == 0]
    short = flows[(flows["bytes"] == size) & (flows["finished"] == 1)]
    arrived = float(rates.sum()) * width - 8 * float(short["bytes"].sum())
    long = flows[flows["bytes"] > size]
    return {"long_flows": len(long), "long_flow_gbps": arrived / overlap(long, end) / 1e9}


# Where the CDFs of short flows are drawn: the same places for all runs, 40 per decade.
PROBE_MS = np.geomspace(1e-2, 1e2, 161)


@curve("short-flow-cdf")
def short_flow_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of the completion time of short flows in ms."""
    times = probe_times(run).to_numpy(float)
    shares = np.searchsorted(times, PROBE_MS, side="right") / len(times)
    return pd.DataFrame({"x": PROBE_MS, "y": shares})


def per_server_curve(tenant: str) -> None:
    """Registers the goodput of a tenant per host in Gbit/s against time in ms."""

    @curve(f"per-server-{tenant}")
    def measured(run: RunOutput) -> pd.DataFrame:
        """Goodput of that tenant per host of the network, in Gbit/s, against time in ms."""
        rates = over_time(run, "tenants", "goodput")[tenant]
        hosts = int(run.table("ports")["role"].str.startswith("host-").sum())
        return pd.DataFrame({"x": 1e3 * rates.index, "y": rates.to_numpy(float) / 1e9 / hosts})


for name in ("A", "B"):
    per_server_curve(name)


JUMBO_FRAME = 9000  # bytes, with 28 of headers
MOST_FRAMES = 5


def frames_per_bin(run: RunOutput) -> pd.DataFrame:
    """Frames of each class in each bin after the warm-up: a row per bin, a column per class."""
    rates = run.table("rates").pivot_table(
        index="time_s", columns="group", values="rate_bps", fill_value=0
    )
    width = float(np.diff(rates.index).min())
    measured = rates[rates.index >= run.setting("warmUp_s") - 1e-9]
    return (measured * width / 8 / (JUMBO_FRAME - 28)).round()


@metric(
    "class-frames",
    *("class_mean_mbps", "class_max_mbps", "window_max_mbps", "classes"),
    *(f"frames{n}_share" for n in range(MOST_FRAMES)),
    *(f"class{n}_mbps" for n in range(1, 5)),
)
def class_frames(run: RunOutput) -> Numbers:
    """Throughput of classes in Mbit/s of IP datagrams: the mean over all, the largest of a class
    over the whole time and in a bin, four classes drawn at random, and the share of bins in which
    a class has so many frames.
    """
    frames = frames_per_bin(run)
    width = float(np.diff(frames.index).min())
    mbps = 8e-6 * JUMBO_FRAME / width
    means = frames.mean() * mbps
    sampled = means.sample(4, random_state=run.manifest["rng_run"]).to_numpy()
    values = frames.to_numpy()
    return (
        {
            "class_mean_mbps": float(means.mean()),
            "class_max_mbps": float(means.max()),
            "window_max_mbps": float(values.max() * mbps),
            "classes": len(means),
        }
        | {f"frames{n}_share": float((values == n).mean()) for n in range(MOST_FRAMES)}
        | {f"class{n}_mbps": float(value) for n, value in enumerate(sampled, start=1)}
    )


@curve("class-throughput-cdf")
def class_throughput_cdf(run: RunOutput) -> pd.DataFrame:
    """CDF of a class's throughput in one bin, in Mbit/s: a step at each number of frames."""
    frames = frames_per_bin(run)
    step = 8e-6 * JUMBO_FRAME / float(np.diff(frames.index).min())
    shares = [float((frames.to_numpy() <= n).mean()) for n in range(MOST_FRAMES + 1)]
    x = [place for n in range(MOST_FRAMES + 1) for place in ((n - 1e-6) * step, n * step)]
    y = [share for pair in zip([0.0, *shares[:-1]], shares, strict=True) for share in pair]
    return pd.DataFrame({"x": x, "y": y})
