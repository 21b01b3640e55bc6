# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of Nimble: Scalable TCP-Friendly Programmable In-Network Rate-Limiting
(SOSR 2021).
"""

import re

import numpy as np
import pandas as pd

from reproduce.curves import curve
from reproduce.metrics import Numbers, RunOutput, metric

PAYLOAD = 1460 / 1500  # of a full packet
SECONDS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def seconds(text: str) -> float:
    """A time as options have it."""
    number, unit = re.fullmatch(r"([\d.e+-]+)(s|ms|us|ns)", text).groups()
    return float(number) * SECONDS[unit]


def goodput(run: RunOutput) -> pd.Series:
    """Goodput of all groups together in Gbit/s, by the time at which a bin begins."""
    return run.table("rates").groupby("time_s")["rate_bps"].sum() / 1e9


@metric("class-goodput", *(f"goodput_{name}_gbps" for name in ("mean", "min", "max", "sd")))
def class_goodput(run: RunOutput) -> Numbers:
    """Goodput of all flows together after the warm-up, bin by bin."""
    rates = goodput(run)
    rates = rates[rates.index >= seconds(run.manifest["arguments"]["warmUp"])]
    return {
        "goodput_mean_gbps": float(rates.mean()),
        "goodput_min_gbps": float(rates.min()),
        "goodput_max_gbps": float(rates.max()),
        "goodput_sd_gbps": float(rates.std(ddof=0)),
    }


@metric("limit-error", "limit_error_percent", "limit_sd_percent")
def limit_error(run: RunOutput) -> Numbers:
    """How far the mean goodput is from the first limit of the policy, as payload, and its standard
    deviation over time, both relative to the limit.
    """
    limit = float(re.search(r"rate=([\d.]+)Gbps", run.manifest["scheme"])[1]) * PAYLOAD
    found = class_goodput(run)
    return {
        "limit_error_percent": 100 * (found["goodput_mean_gbps"] / limit - 1),
        "limit_sd_percent": 100 * found["goodput_sd_gbps"] / limit,
    }


@metric("limited-queue", *(f"queue_{name}_mb" for name in ("mean", "min", "max")))
def limited_queue(run: RunOutput) -> Numbers:
    """What waits at the sampled ports after the warm-up, in 2^20 bytes as the paper counts."""
    samples = run.table("queues").groupby("time_s")["bytes"].sum() / 2**20
    samples = samples[samples.index >= seconds(run.manifest["arguments"]["warmUp"])]
    return {
        "queue_mean_mb": float(samples.mean()),
        "queue_min_mb": float(samples.min()),
        "queue_max_mb": float(samples.max()),
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


@curve("goodput-time")
def goodput_time(run: RunOutput) -> pd.DataFrame:
    """Goodput of all flows together in Gbit/s against time in ms."""
    rates = goodput(run)
    return pd.DataFrame({"x": 1e3 * rates.index, "y": rates.to_numpy(float)})


@curve("queue-time")
def queue_time(run: RunOutput) -> pd.DataFrame:
    """What waits at the sampled ports in 2^20 bytes against time in ms."""
    samples = run.table("queues").groupby("time_s")["bytes"].sum() / 2**20
    return pd.DataFrame({"x": 1e3 * samples.index, "y": samples.to_numpy(float)})
