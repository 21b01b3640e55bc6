# SPDX-License-Identifier: GPL-2.0-only
"""Metrics: from the CSV files of one run to named numbers.

A metric is a function from a RunOutput to {column: number}, registered by name. An experiment
names the metrics it wants; their columns become the columns of its table. To add one, write the
function here, or in papers/ if it is of one paper, and decorate it with its name and columns.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from reproduce.errors import UserError
from reproduce.lazy import pd
from reproduce.paths import show

Numbers = dict[str, float]


def size_classes() -> dict[str, tuple[int, float]]:
    """Classes of flows by their size in bytes, [low, high)."""
    lines = Path(__file__).with_name("size-classes.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {
        row["name"]: (int(row["lowest_bytes"]), float(row["highest_bytes"] or np.inf))
        for row in rows
    }


SIZE_CLASSES = size_classes()


class RunOutput:
    """The files of one simulation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """run.json."""
        path = self.folder / "run.json"
        try:
            return json.loads(path.read_text())
        except ValueError as error:  # also the decoder's
            raise UserError(f"{show(path)} is damaged: {error}") from None

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """Of the files that the run wrote, in bytes, where its run.json tells them."""
        there = (self.folder / "run.json").is_file() and isinstance(self.manifest, dict)
        sizes = self.manifest.get("output") if there else None
        return sizes if isinstance(sizes, dict) else {}

    def setting(self, path: str) -> Any:
        """A setting of run.json by its path: "topology.HostRate_bps", in SI units."""
        value = self.manifest["settings"]
        for key in path.split("."):
            value = value[key]
        return value

    def table(self, name: str) -> pd.DataFrame:
        """One of the CSV files."""
        path = self.folder / f"{name}.csv"
        size = self._sizes.get(path.name)
        if not path.exists():
            why = "the scenario did not write it" if size is None else "the run wrote it"
            raise UserError(f"{show(path)} is missing: {why}")
        if size not in (None, path.stat().st_size):
            raise UserError(f"{show(path)} was changed: the run wrote {size:,} bytes")
        try:
            return pd.read_csv(path)
        except ValueError as error:  # also what pandas and the decoder raise
            raise UserError(f"{show(path)} is damaged: {str(error).splitlines()[0]}") from None

    @contextmanager
    def read_by(self, what: str) -> Iterator[None]:
        """Within it, a column or a result that the run did not write is the user's error."""
        try:
            yield
        except KeyError as error:
            raise UserError(f"{what} needs {error}, which {show(self.folder)} has not") from error


@dataclass(frozen=True)
class Metric:
    """A named metric."""

    name: str
    function: Callable[[RunOutput], Numbers]
    columns: tuple[str, ...]  # that it may give; `*` stands for anything

    def gives(self, column: str) -> bool:
        """True if a column may be this metric's."""
        return any(fnmatchcase(column, form) for form in self.columns)

    def measure(self, run: RunOutput) -> Numbers:
        """The numbers of a run."""
        with run.read_by(f"metric '{self.name}'"):
            numbers = self.function(run)
        if others := [column for column in numbers if not self.gives(column)]:
            raise RuntimeError(f"metric {self.name}: column {others[0]} is not declared")
        return numbers


METRICS: dict[str, Metric] = {}
Register = Callable[[Callable[[RunOutput], Numbers]], Callable[[RunOutput], Numbers]]


def metric(name: str, *columns: str) -> Register:
    """Registers a function as a metric that gives columns."""

    def register(function: Callable[[RunOutput], Numbers]) -> Callable[[RunOutput], Numbers]:
        if name in METRICS:
            raise ValueError(f"two metrics are called {name}")
        METRICS[name] = Metric(name, function, columns)
        return function

    return register


ANYTHING = "*"

# Of what a column is, by the last word of its name. One without such a word is a number of
# something or a ratio, as the metric says.
UNITS = {
    "ns": "ns",
    "us": "us",
    "ms": "ms",
    "s": "s",
    "rtts": "base RTTs",
    "bytes": "bytes",
    "kb": "KB",
    "mb": "MB",
    "packets": "packets",
    "bdps": "bandwidth-delay products",
    "bps": "bit/s",
    "mbps": "Mbit/s",
    "gbps": "Gbit/s",
    "kqps": "thousand requests per second",
    "percent": "percent",
    "share": "share of 1",
}


def unit(column: str) -> str:
    """Of what a column is; empty for a number or a ratio."""
    return UNITS.get(column.rsplit("_", 1)[-1], "")


@metric("results", ANYTHING)
def results(run: RunOutput) -> Numbers:
    """The numbers the scenario itself wrote into run.json, and what flows.csv and tasks.csv say.

    Of these `fct_mean_ns_CLASS` and so on, the numbers of completion_times() by size class, and
    `STEP_mean_us` and so on, those of task_times() by step, where there are flows and tasks.
    """
    found = run.manifest.get("results", {})
    numbers = {key: value for key, value in found.items() if isinstance(value, int | float)}
    if (run.folder / "flows.csv").exists():
        for name, row in completion_times(run.table("flows")).iterrows():
            if row["flows_started"] > 0:
                numbers |= {f"{key}_{name}": value for key, value in row.dropna().items()}
    if (run.folder / "tasks.csv").exists():
        for step, row in task_times(run.table("tasks")).iterrows():
            numbers |= {f"{step}_{key}": value for key, value in row.items()}
    return numbers


CLASS_NUMBERS = ("flows", "unfinished", "share", "mean", "p99", "slowdown", "mean_us")


@metric(
    "flow-completion", *(f"{name}_{number}" for name in SIZE_CLASSES for number in CLASS_NUMBERS)
)
def flow_completion(run: RunOutput) -> Numbers:
    """Flow completion times by size class.

    `CLASS_mean` and `CLASS_p99` are normalised: the mean (99th percentile) of the flow completion
    time over the mean ideal time of the same flows. `CLASS_slowdown` is the mean of each flow's own
    ratio, `CLASS_mean_us` the plain mean. Only finished flows count; the others are counted.
    `CLASS_share` is the share of the flows that belong to the class.
    """
    return by_class(run.table("flows"))


def completion_times(flows: pd.DataFrame) -> pd.DataFrame:
    """Completion times of flows, a row per size class: whatever tells of them is from here.

    All but the numbers of flows is over finished flows, and absent without any. A slowdown is a
    flow's completion time over its ideal time.
    """
    rows = {}
    for name, (low, high) in SIZE_CLASSES.items():
        members = flows[(flows["bytes"] >= low) & (flows["bytes"] < high)]
        done = members[members["finished"] == 1]
        times = done["fct_ns"]
        slowdowns = times / done["ideal_ns"]
        rows[name] = {
            "flows_started": len(members),
            "flows_finished": len(done),
            "fct_mean_ns": times.mean(),
            "fct_p50_ns": percentile(times, 50),
            "fct_p99_ns": percentile(times, 99),
            "ideal_mean_ns": done["ideal_ns"].mean(),
            "slowdown_mean": slowdowns.mean(),
            "slowdown_p99": percentile(slowdowns, 99),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def task_times(tasks: pd.DataFrame) -> pd.DataFrame:
    """Times of tasks and their steps, a row per step: whatever tells of them is from here.

    Without those that lost bytes, whose numbers run.json has (`STEP_incomplete_count`).
    """
    rows = {}
    for step, members in whole(tasks).groupby("step"):
        times = members["duration_ns"] / 1e3
        rows[step] = {
            "mean_us": times.mean(),
            "p99_us": percentile(times, 99),
            "max_us": times.max(),
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def whole(tasks: pd.DataFrame) -> pd.DataFrame:
    """The tasks that lost no bytes."""
    return tasks[tasks["lost_bytes"] == 0]


def percentile(values: pd.Series, percent: float) -> float:
    """The percentile of a sample, with linear interpolation (Hyndman and Fan's definition 7)."""
    return float(values.quantile(percent / 100))


def by_class(flows: pd.DataFrame) -> Numbers:
    """The numbers of `flow-completion` of these flows."""
    numbers: Numbers = {}
    for name, row in completion_times(flows).iterrows():
        started, finished = int(row["flows_started"]), int(row["flows_finished"])
        numbers[f"{name}_flows"] = started
        numbers[f"{name}_unfinished"] = started - finished
        numbers[f"{name}_share"] = started / max(1, len(flows))
        if finished > 0:
            numbers[f"{name}_mean"] = row["fct_mean_ns"] / row["ideal_mean_ns"]
            numbers[f"{name}_p99"] = row["fct_p99_ns"] / row["ideal_mean_ns"]
            numbers[f"{name}_slowdown"] = row["slowdown_mean"]
            numbers[f"{name}_mean_us"] = row["fct_mean_ns"] / 1e3
    return numbers


@metric("completion", "completion_ms", "unfinished")
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


DELAYS = ("network_latency", "queueing", "round_trip", "resequencing", "displaced", "overtaken")


@metric(
    "delays",
    *("goodput_mean_mbps", "goodput_min_mbps", "retransmissions", "jain_index"),
    *(f"{name}_*" for name in DELAYS),
)
def delays(run: RunOutput) -> Numbers:
    """Goodput in Mbit/s, and what the recorder `delays` found of packets' delays and order.

    Of programs that measure goodput, such as permutation; of others `results` has what was found.
    """
    found = results(run)
    return {
        "goodput_mean_mbps": found["goodput_mean_bps"] / 1e6,
        "goodput_min_mbps": found["goodput_min_bps"] / 1e6,
    } | {
        key: value
        for key, value in found.items()
        if key.startswith(DELAYS) or key in ("retransmissions", "jain_index")
    }


@metric("requests", "request_mean_ms", "request_max_ms", "unfinished")
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


@metric("drops", "packets_dropped", "packets_marked")
def drops(run: RunOutput) -> Numbers:
    """Packets dropped and marked anywhere in the network."""
    rows = run.table("drops")
    return {
        f"packets_{name}": int(rows.loc[rows["kind"] == kind, "packets"].sum())
        for kind, name in (("drop", "dropped"), ("mark", "marked"))
    }


@metric("host-drops", "packets_dropped_hosts")
def host_drops(run: RunOutput) -> Numbers:
    """Packets that hosts drop at their own ports."""
    rows = run.table("drops")
    own = (rows["kind"] == "drop") & rows["port"].str.startswith("host")
    return {"packets_dropped_hosts": int(rows.loc[own, "packets"].sum())}


OCCUPANCY = tuple(f"flow_packets_{n}" for n in ("above_5", "mean", "p99", "p99_to_p50", "max"))


@metric("occupancy", *OCCUPANCY)
def occupancy(run: RunOutput) -> Numbers:
    """Packets that a flow has in a queue, over all snapshots in which it has any."""
    return _distribution(packets_per_flow(run))


@metric("core-occupancy", *OCCUPANCY, "queue_mean_bytes_core")
def core_occupancy(run: RunOutput) -> Numbers:
    """Packets that a flow has in a queue between switches, as in `occupancy`.

    `queue_mean_bytes_core` is the mean queue there.
    """
    found = run.manifest.get("results", {})
    roles = [key for key in found if key.startswith("queue_mean_bytes_") and "host" not in key]
    mean = {"queue_mean_bytes_core": float(np.mean([found[key] for key in roles]))} if roles else {}
    return _distribution(packets_per_flow(run, core=True)) | mean


def packets_per_flow(run: RunOutput, core: bool = False) -> pd.Series:
    """Counts pairs of flow and snapshot by the flow's packets in the queue.

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


@metric("fairness", "jain", "unfairness", "flows")
def fairness(run: RunOutput) -> Numbers:
    """Jain's index of the finished flows' throughput, and 1 minus it."""
    flows = run.table("flows")
    done = flows[flows["finished"] == 1]
    index = jain((done["bytes"] / done["fct_ns"]).to_numpy(float))
    return {"jain": index, "unfairness": 1 - index, "flows": len(done)}


BINS_PER_DECADE = 4


def by_size(done: pd.DataFrame) -> pd.DataFrame:
    """Mean size and completion time of finished flows in logarithmic bins of size."""
    bins = np.floor(np.log10(done["bytes"]) * BINS_PER_DECADE)
    return done.groupby(bins)[["bytes", "fct_ns"]].mean()


@metric("queue-maximum", "max_queue_packets", "max_queue_bytes")
def queue_maximum(run: RunOutput) -> Numbers:
    """The longest queue of any switch port during the run."""
    ports = run.table("ports")
    switches = ports[~ports["role"].str.startswith("host-")]  # roles read FROM-TO
    return {
        "max_queue_packets": int(switches["max_queue_packets"].max()),
        "max_queue_bytes": int(switches["max_queue_bytes"].max()),
    }


def jain(values: np.ndarray) -> float:
    """Jain's fairness index: 1 when all are equal, 1/n when one has everything."""
    squares = float((values**2).sum())
    return float(values.sum()) ** 2 / (len(values) * squares) if squares else 1.0


@metric("pauses", "pfc_*")
def pauses(run: RunOutput) -> Numbers:
    """Counts of priority flow control, in a run of a scheme that has it: the results `pfc_*`."""
    return {key: value for key, value in results(run).items() if key.startswith("pfc_")}


PERIOD_NUMBERS = ("goodput_gbps", "goodput_share", "lowest_share", "settling_s")


@metric(
    "failure-periods",
    *(f"period[0-9]_{name}" for name in PERIOD_NUMBERS),
    *("loss[0-9]_gbps", "told[0-9]_ms"),
)
def failure_periods(run: RunOutput) -> Numbers:
    """The goodput of all hosts at the end of each period between failures and repairs.

    Rates are as if hosts' links had 1 Gbit/s. `loss1_gbps` is what the first change cost,
    `told1_ms` the time from it until the last server knew, if the scheme says.
    """
    found = run.manifest["results"]
    numbers: Numbers = {}
    scale = 1e9 / host_rate(run)
    count = sum(key.endswith("_goodput_bps") for key in found)
    for i in range(count):
        numbers[f"period{i}_goodput_gbps"] = found[f"period{i}_goodput_bps"] * scale / 1e9
        for name in PERIOD_NUMBERS[1:]:
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


def over_time(run: RunOutput, table: str, measure: str) -> pd.DataFrame:
    """The table over time of one of the recorders `pairs`, `tenants` and `limiters`.

    A row per time in seconds, a column per tenant, or per pair as `TENANT SOURCE-DESTINATION`
    (with ` #PAIR` behind it where a tenant has several pairs between the same hosts), in the
    recorder's own unit.
    """
    rows = run.table(table)
    rows = rows[rows["measure"] == measure]
    value = "value" if "value" in rows else "rate_bps"
    return rows.assign(who=_sender_names(rows)).pivot(index="time_s", columns="who", values=value)


def _sender_names(rows: pd.DataFrame) -> pd.Series:
    """The names of tenants or pairs, row by row."""
    tenants = rows["tenant"].astype(str)
    if "pair" not in rows:
        return tenants
    hosts = tenants + " " + rows["source"].astype(str) + "-" + rows["destination"].astype(str)
    several = rows["pair"].groupby(hosts).transform("nunique") > 1
    return hosts.where(~several, hosts + " #" + rows["pair"].astype(str))


RATE_NUMBERS = ("mean", "min", "max", "std")


def _rates(run: RunOutput, table: str) -> Numbers:
    """Mean, least, greatest and standard deviation of the rates in bins, in Mbit/s."""
    numbers: Numbers = {}
    for measure in ("goodput", "throughput"):
        rates = over_time(run, table, measure) / 1e6
        for number in RATE_NUMBERS:
            for who, value in rates.agg(number).items():
                numbers[f"{who} {measure}_{number}_mbps"] = float(value)
    return numbers


RATE_COLUMNS = tuple(
    f"* {measure}_{number}_mbps" for measure in ("goodput", "throughput") for number in RATE_NUMBERS
)


@metric("pair-rates", *RATE_COLUMNS)
def pair_rates(run: RunOutput) -> Numbers:
    """Rates of each VM pair over the bins of recorder `pairs`: `A 0-2 goodput_mean_mbps`, ..."""
    return _rates(run, "pairs")


@metric("tenant-rates", *RATE_COLUMNS)
def tenant_rates(run: RunOutput) -> Numbers:
    """Rates of each tenant over the bins of recorder `tenants`: `A goodput_mean_mbps`, ..."""
    return _rates(run, "tenants")
