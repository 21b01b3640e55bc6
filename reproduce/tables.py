# SPDX-License-Identifier: GPL-2.0-only
"""Tables: one row per run, their means with 95 % intervals over seeds, and what figures draw."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from reproduce import given
from reproduce.curves import CURVES
from reproduce.errors import UserError
from reproduce.experiments import PROFILES, Experiment
from reproduce.lazy import pd
from reproduce.metrics import METRICS, RunOutput, aggregate_goodput
from reproduce.paths import show
from reproduce.runs import Run
from reproduce.specs import Scalar

# Two-sided 95 % quantiles of Student's t distribution for 1, 2, ... degrees of freedom; then 1.96.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179]
T95 += [2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064]
T95 += [2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def interval(values: pd.Series) -> float:
    """Half the width of the 95 % confidence interval of the mean; not a number for one value."""
    known = values.dropna()
    freedom = len(known) - 1
    if freedom < 1:
        return math.nan
    return _quantile(freedom) * float(known.std(ddof=1)) / math.sqrt(len(known))


def _quantile(freedom: int) -> float:
    """Student's 97.5 % quantile for some degrees of freedom."""
    return T95[freedom - 1] if freedom <= len(T95) else 1.96


def per_run(experiment: Experiment, runs: list[Run]) -> pd.DataFrame:
    """One row per finished run, then those given: scheme, swept arguments, seed, then metrics."""
    rows = []
    for run in runs:
        output = RunOutput(run.folder)
        point = {"scheme": run.scheme} | dict(run.point) | {"seed": run.seed}
        row = dict(point)
        for name in experiment.metrics:
            row |= METRICS[name].measure(output)
        rows.append(row | point)  # a result may have the name of a swept argument
    others = given.rows(experiment, runs[0].profile) if runs else pd.DataFrame()
    return pd.concat([pd.DataFrame(rows), others]) if len(others) else pd.DataFrame(rows)


def made_by(experiment: Experiment, profile: str) -> str:
    """Says which command makes an experiment's tables: "./repro run afq-fig9 makes it"."""
    more = f" --profile {profile}" if profile != PROFILES[0] else ""
    return f"./repro run {experiment.id}{more} makes it"


def _read(
    path: Path, experiment: Experiment, profile: str, needs: Iterable[str], **how: Any
) -> pd.DataFrame:
    """A table of results; one that cannot be read is one line that says how to make it.

    What is not given a type is numbers.
    """
    try:
        written = path.read_bytes()
        if written and not written.endswith(b"\n"):
            raise ValueError("its last line has no end")
        rows = pd.read_csv(io.BytesIO(written), **how)
        if absent := [name for name in needs if name not in rows]:
            raise ValueError(f"no column {absent[0]}")
        return rows.astype({name: float for name in rows if name not in how["dtype"]})
    except FileNotFoundError:
        why = "is missing"
    except pd.errors.EmptyDataError:
        why = "is empty"
    except ValueError as error:  # also what pandas and the decoder raise
        why = f"is damaged: {str(error).splitlines()[0]}"
    raise UserError(f"{show(path)} {why}: {made_by(experiment, profile)}")


def read_runs(path: Path, experiment: Experiment, profile: str) -> pd.DataFrame:
    """A table of runs as it was written, the values of swept arguments again those of the file."""
    swept = experiment.swept(profile)
    types = dict.fromkeys(index_columns(experiment, profile), str) | {"seed": int}
    form = {"dtype": types, "keep_default_na": False, "na_values": [""]}
    rows = _read(path, experiment, profile, types, **form)
    for argument in swept:
        meant = {text: value for value in swept[argument] for text in _written(value)}
        rows[argument] = pd.Series([meant.get(x, x) for x in rows[argument]], dtype=object)
    return rows


def read_drawn(
    plot: dict[str, Any], path: Path, experiment: Experiment, profile: str
) -> pd.DataFrame:
    """A table of what a plot draws that the runs do not have."""
    texts = {"scheme": str, "series": str}
    rows = _read(path, experiment, profile, drawn_columns(plot), dtype=texts)
    return rows.fillna({"series": ""})


def drawn_columns(plot: dict[str, Any]) -> list[str]:
    """The columns of what a plot draws that the runs do not have."""
    if "over" in plot:
        return ["scheme", plot["x"], *MEANS]
    return ["scheme", "series", "x", *(["y"] if plot["kind"] in SINGLE else MEANS)]


def index_columns(experiment: Experiment, profile: str) -> list[str]:
    """The columns that name a point: the scheme and the swept arguments."""
    return ["scheme", *experiment.swept(profile)]


MEANS = ("mean", "ci95", "seeds")
FORMAT = "%.6g"  # of numbers in tables


def _written(value: Scalar) -> set[str]:
    """The forms in which a table may have a swept argument's value."""
    number = isinstance(value, int | float)
    return {str(value), FORMAT % value} if number else {str(value)}


def select(rows: pd.DataFrame, at: dict[str, Scalar]) -> pd.DataFrame:
    """The rows at fixed swept arguments."""
    for argument, value in at.items():
        rows = rows[rows[argument] == value]
    return rows


def ratios(table: pd.DataFrame, plot: dict[str, Any]) -> pd.DataFrame:
    """Each scheme's metric over that of one scheme, seed by seed, for a plot with `over`."""
    x, metric, base = plot["x"], plot["y"], plot["over"]
    numbers = select(table, plot.get("at", {})).set_index(["scheme", x, "seed"])[metric]
    rows = []
    for scheme in dict.fromkeys(numbers.index.get_level_values("scheme")):
        if scheme != base and base in numbers.index:
            values = (numbers[scheme] / numbers[base]).dropna().groupby(level=0, sort=False)
            ratio = values.agg(mean="mean", ci95=interval, seeds="count").reset_index()
            rows.append(ratio.assign(scheme=scheme))
    columns = drawn_columns(plot)
    return pd.concat(rows)[columns] if rows else pd.DataFrame(columns=columns)


def summary(runs: pd.DataFrame, index: list[str]) -> pd.DataFrame:
    """Long form: one row per point and metric, with mean, 95 % half-interval and seeds."""
    points = runs.drop(columns="seed").groupby(index, sort=False)
    seeds = points.count()
    half = seeds.map(lambda n: _quantile(n - 1) / math.sqrt(n) if n > 1 else math.nan)
    numbers = {"mean": points.mean(), "ci95": points.std() * half, "seeds": seeds}
    columns = {name: _long(table) for name, table in numbers.items()}
    return pd.DataFrame(columns).reset_index()


def _long(table: pd.DataFrame) -> pd.Series:
    """A table of points and metrics as one column, a row for each number."""
    return table.rename_axis("metric", axis=1).stack(future_stack=True)


def figure_table(plot: dict[str, Any], table: pd.DataFrame, runs: list[Run]) -> pd.DataFrame | None:
    """The table of a plot whose numbers the table of runs does not have."""
    if plot["kind"] == "curve":
        return tabulate(plot, runs)
    if plot["kind"] in SINGLE:
        return single_runs(plot, runs)
    return ratios(table, plot) if "over" in plot else None


def single_runs(plot: dict[str, Any], runs: list[Run]) -> pd.DataFrame:
    """Of each scheme the run with the first seed: scheme, series, x, y."""
    wanted = plot.get("at", {}).items()
    first = {run.scheme: run for run in reversed(runs) if wanted <= dict(run.point).items()}
    tables = [
        SINGLE[plot["kind"]](plot, RunOutput(first[scheme].folder)).assign(scheme=scheme)
        for scheme in dict.fromkeys(run.scheme for run in runs)
        if scheme in first
    ]
    columns = drawn_columns(plot)
    return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)


def _samples(plot: dict[str, Any], output: RunOutput) -> pd.DataFrame:
    """A curve as one run has it, within the plot's window."""
    with output.read_by(f"curve '{plot['curve']}'"):
        table = CURVES[plot["curve"]].function(output)
    if "window" in plot:
        table = table[table["x"].between(*plot["window"])]
    return table if "series" in table else table.assign(series="")


def _rates(_: dict[str, Any], output: RunOutput) -> pd.DataFrame:
    """The rate of each group of flows in Gbit/s, from the first to the last time that it sends."""
    tables = []
    for group, rows in output.table("rates").groupby("group"):
        sent = rows.loc[rows["rate_bps"] > 0].index
        rows = rows.loc[sent.min() : sent.max()] if len(sent) else rows
        y = rows["rate_bps"] / 1e9
        tables.append(pd.DataFrame({"x": rows["time_s"], "y": y, "series": f"flow {group + 1}"}))
    return pd.concat(tables)


def _paths(_: dict[str, Any], output: RunOutput) -> pd.DataFrame:
    """The top switch of each packet, the series being its first up-link."""
    names = {"packet": "x", "top_switch": "y", "uplink": "series"}
    return output.table("paths").rename(columns=names)


def _failures(_: dict[str, Any], output: RunOutput) -> pd.DataFrame:
    """The goodput of all hosts together over time, what fails, and when all servers know."""
    goodput = aggregate_goodput(output)
    rows = [("goodput", time, rate) for time, rate in goodput.items()]
    for event in output.table("events").itertuples():
        state = "fails" if event.event.startswith("fail") else "repaired"
        rows.append((f"{event.details} {state}", event.time_s, math.nan))
    for name, time in output.manifest["results"].items():
        if name.startswith("change") and name.endswith("_last_server_told_s") and time:
            rows.append(("told", time, math.nan))
    return pd.DataFrame(rows, columns=["series", "x", "y"])


# Kinds of plots that show single runs.
SINGLE: dict[str, Callable[[dict[str, Any], RunOutput], pd.DataFrame]] = {
    "samples": _samples,
    "timeseries": _rates,
    "paths": _paths,
    "failures": _failures,
}


def tabulate(plot: dict[str, Any], runs: list[Run]) -> pd.DataFrame:
    """The curve of a plot for each scheme: scheme, series, x, mean, ci95, seeds."""
    at = plot.get("at", {})
    chosen: dict[str, dict[int, RunOutput]] = {}
    for run in runs:
        if at.items() <= dict(run.point).items():
            chosen.setdefault(run.scheme, {})[run.seed] = RunOutput(run.folder)
    tables = [
        table.assign(scheme=scheme)
        for scheme, outputs in chosen.items()
        if not (table := mean_curve(plot["curve"], outputs)).empty
    ]
    columns = drawn_columns(plot)
    return pd.concat(tables)[columns] if tables else pd.DataFrame(columns=columns)


def mean_curve(name: str, outputs: dict[int, RunOutput]) -> pd.DataFrame:
    """The mean over seeds with its 95 % interval: series, x, mean, ci95, seeds."""
    known = CURVES[name]
    tables = {}
    for seed, output in outputs.items():
        with output.read_by(f"curve '{name}'"):
            tables[seed] = known.function(output)
    lines = {
        seed: table.assign(series=table.get("series", "")).set_index(["series", "x"])["y"]
        for seed, table in tables.items()
    }
    seeds = pd.DataFrame(lines).sort_index()
    if name.endswith("cdf"):  # beyond its ends a run has nothing, or all that it has
        has = seeds.notna().groupby(level="series").transform("any")
        seeds = seeds.groupby(level="series").ffill().fillna(0).where(has)
    seeds = seeds.fillna(known.elsewhere)
    return pd.DataFrame(
        {
            "mean": seeds.mean(axis=1),
            "ci95": seeds.apply(interval, axis=1),
            "seeds": seeds.notna().sum(axis=1),
        }
    ).reset_index()
