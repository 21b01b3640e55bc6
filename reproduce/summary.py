# SPDX-License-Identifier: GPL-2.0-only
"""Completion times of a run's flows by size and of its tasks by step, as ./repro sim prints them.

The numbers are those that figures have.
"""

from pathlib import Path

import pandas as pd

from reproduce.metrics import completion_times, task_times, whole

FLOWS = {  # heading -> number of completion_times(), what one unit is
    "mean FCT us": ("fct_mean_ns", 1e3),
    "median us": ("fct_p50_ns", 1e3),
    "99 % us": ("fct_p99_ns", 1e3),
    "mean slowdown": ("slowdown_mean", 1.0),
}
TASKS = {"mean us": "mean_us", "99 % us": "p99_us", "longest us": "max_us"}  # of task_times()
FEW = 1000  # finished: one in a hundred is beyond a 99th percentile, ten are wanted


def text(folder: Path) -> str:
    """Tables of a folder's flows.csv and tasks.csv; empty if it has neither."""
    flows, tasks = folder / "flows.csv", folder / "tasks.csv"
    lines = of_flows(pd.read_csv(flows)) if flows.exists() else []
    lines += of_tasks(pd.read_csv(tasks)) if tasks.exists() else []
    return "\n".join(lines)


def of_flows(flows: pd.DataFrame) -> list[str]:
    """A line per size class that has finished flows, and what to know before believing them.

    None if no flow with a size is measured.
    """
    classes = completion_times(flows)
    if classes.loc["all", "flows_started"] == 0:
        return []
    some = classes[classes["flows_finished"] > 0]
    lines = [heading("size", "flows", FLOWS)]
    for name, row in some.iterrows():
        cells = "".join(f"{row[key] / unit:15.2f}" for key, unit in FLOWS.values())
        lines.append(f"  {name:14}{int(row['flows_finished']):9}{cells}")
    return lines + cautions("flows", "size class and its finished flows", some["flows_finished"])


def of_tasks(tasks: pd.DataFrame) -> list[str]:
    """The same of tasks and their steps, without those that lost bytes."""
    counts = whole(tasks)["step"].value_counts(sort=False)
    if counts.empty:
        return []
    lines = [heading("step", "number", TASKS)]
    for step, row in task_times(tasks).iterrows():
        cells = "".join(f"{row[key]:15.2f}" for key in TASKS.values())
        lines.append(f"  {step:14}{counts[step]:9}{cells}")
    return lines + cautions("tasks", "step and how often it was finished", counts)


def heading(what: str, number: str, columns: dict[str, object]) -> str:
    """The first line of a table."""
    return f"  {what:14}{number:>9}" + "".join(f"{column:>15}" for column in columns)


def cautions(kind: str, what: str, counts: pd.Series) -> list[str]:
    """A line if percentiles are of so few that they are not to be believed."""
    few = counts[counts < FEW]
    if few.empty:
        return []
    each = ", ".join(f"{name} {int(count)}" for name, count in few.items())
    return [f"note: 99th percentiles with fewer than ten {kind} beyond them ({what}): {each}"]
