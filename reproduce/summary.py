# SPDX-License-Identifier: GPL-2.0-only
"""Completion times of a run's flows by size, as ./repro sim prints them and figures have them."""

from pathlib import Path

import pandas as pd

from reproduce.metrics import completion_times

COLUMNS = {  # heading -> number of completion_times(), what one unit is
    "mean FCT us": ("fct_mean_ns", 1e3),
    "median us": ("fct_p50_ns", 1e3),
    "99 % us": ("fct_p99_ns", 1e3),
    "mean slowdown": ("slowdown_mean", 1.0),
}
FEW = 1000  # finished flows: one in a hundred is beyond a 99th percentile, ten are wanted


def text(flows: Path) -> str:
    """A table with a line per size class that has finished flows, and what to know before.

    Empty if no flow with a size is measured.
    """
    classes = completion_times(pd.read_csv(flows))
    if classes.loc["all", "flows_started"] == 0:
        return ""
    some = classes[classes["flows_finished"] > 0]
    lines = [f"  {'size':14}{'flows':>9}" + "".join(f"{heading:>15}" for heading in COLUMNS)]
    for name, row in some.iterrows():
        cells = "".join(f"{row[key] / unit:15.2f}" for key, unit in COLUMNS.values())
        lines.append(f"  {name:14}{int(row['flows_finished']):9}{cells}")
    return "\n".join(lines + cautions(classes))


def cautions(classes: pd.DataFrame) -> list[str]:
    """Reasons not to believe some of these numbers, a line each."""
    few = classes.loc[classes["flows_finished"].between(1, FEW - 1), "flows_finished"]
    if few.empty:
        return []
    each = ", ".join(f"{name} {int(count)}" for name, count in few.items())
    return [
        "note: 99th percentiles with fewer than ten flows beyond them (size class and its "
        f"finished flows): {each}"
    ]
