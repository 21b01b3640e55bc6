# SPDX-License-Identifier: GPL-2.0-only
"""Regression: the figures' numbers against those stored in results/reference, per ns-3 version.

Equal code gives equal numbers: what a compiler or a mathematical library may change in the last bit
of a number is far below the picosecond to which times are rounded. So nothing is tolerated but the
rounding of the stored numbers, unless an experiment's `check` says otherwise. Another ns-3 version
has its own numbers, hence its own folder.
"""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

from reproduce import tables
from reproduce.experiments import Experiment
from reproduce.files import write_atomically
from reproduce.paths import REFERENCE, show
from reproduce.runs import Run

TOLERANCE = 1e-5  # stored with six digits


def reference_file(experiment: Experiment, profile: str, runs: list[Run]) -> Path:
    """Where the numbers of an experiment are kept, by the ns-3 that ran it."""
    found = re.match(r"\d+\.\d+", _linked_version(runs))
    name = f"ns-{found[0]}" if found else "ns-other"
    return REFERENCE / name / profile / f"{experiment.id}.csv"


def _linked_version(runs: list[Run]) -> str:
    """The ns-3 of the runs, as the first says; else the one that is installed; else nothing."""
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError):
        return str(json.loads((runs[0].folder / "run.json").read_text())["versions"]["ns3"])
    try:
        return version("ns3")
    except PackageNotFoundError:
        return ""


def numbers(experiment: Experiment, profile: str, runs: list[Run]) -> pd.DataFrame:
    """Mean over seeds by point and metric: what is compared."""
    index = tables.index_columns(experiment, profile)
    table = tables.summary(tables.per_run(experiment, runs), index)
    return table.drop(columns="ci95")


def update(experiment: Experiment, profile: str, runs: list[Run]) -> Path:
    """Stores the present numbers as the reference."""
    path = reference_file(experiment, profile, runs)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = numbers(experiment, profile, runs)
    write_atomically(path, content.to_csv(index=False, float_format="%.6g", lineterminator="\n"))
    return path


@dataclass(frozen=True)
class Comparison:
    """An experiment's numbers against the reference."""

    id: str
    missing: str  # what to do if there is no reference; else empty
    rows: pd.DataFrame  # that drifted: point, metric, reference, now, change

    @property
    def passed(self) -> bool:
        """Whether there is a reference and nothing drifted."""
        return not self.missing and self.rows.empty

    @property
    def text(self) -> str:
        """For people."""
        if self.missing:
            return f"{self.id}: {self.missing}"
        if self.passed:
            return f"{self.id}: all numbers as in the reference"
        return f"{self.id}: {len(self.rows)} numbers drifted\n{self.rows.to_string(index=False)}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        drifted = self.rows.astype(object).where(self.rows.notna(), None).to_dict("records")
        return {"id": self.id, "passed": self.passed, "missing": self.missing, "drifted": drifted}


def junit(comparisons: Iterable[Comparison]) -> str:
    """The outcomes as test cases, in the format that CI systems read."""
    suite = ET.Element("testsuite", name="figure numbers")
    for one in comparisons:
        case = ET.SubElement(suite, "testcase", classname="check", name=one.id)
        if not one.passed:
            ET.SubElement(case, "failure", message=one.text.splitlines()[0]).text = one.text
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def compare(experiment: Experiment, profile: str, runs: list[Run]) -> Comparison:
    """The present numbers against the stored ones."""
    path = reference_file(experiment, profile, runs)
    if not path.exists():
        missing = f"{show(path)} is missing; ./repro check {experiment.id} --update writes it"
        return Comparison(experiment.id, missing, pd.DataFrame())
    keys = [*tables.index_columns(experiment, profile), "metric"]
    old = pd.read_csv(path).set_index(keys)["mean"]
    new = numbers(experiment, profile, runs).set_index(keys)["mean"]
    both = pd.concat([old.rename("reference"), new.rename("now")], axis=1).reset_index()
    return Comparison(experiment.id, "", drifted(both, experiment.check))


def drifted(both: pd.DataFrame, tolerances: dict[str, float]) -> pd.DataFrame:
    """The rows of (reference, now) that are further apart than their tolerance allows."""
    allowed = both["metric"].map(lambda name: tolerances.get(name, TOLERANCE)).astype(float)
    change = (both["now"] - both["reference"]).abs()
    far = change > allowed * both["reference"].abs() + 1e-9
    one_sided = both["now"].isna() != both["reference"].isna()
    change_percent = (both["now"] / both["reference"] - 1).mul(100).round(2)
    explained = both.assign(change_percent=change_percent, allowed_percent=(allowed * 100).round(3))
    return explained[far | one_sided]
