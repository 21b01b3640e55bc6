# SPDX-License-Identifier: GPL-2.0-only
"""Regression: each run against its row in the committed table of its experiment.

Equal code gives equal numbers: what a compiler or a mathematical library may change in the last bit
of a number is far below the picosecond to which times are rounded. So a number of the table must be
the present one, rounded to the table's six digits. The tables are of the ns-3 in
requirements-ns3.txt; another version has slightly other numbers.
"""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reproduce import given, origin, tables
from reproduce.errors import UserError
from reproduce.experiments import Experiment, select
from reproduce.lazy import pd
from reproduce.paths import HOME, RESULTS, show
from reproduce.runs import Run, rows

HALF_DIGIT = 0.5 * (1 + 1e-6)  # of the last digit; a tie may be rounded either way
DIGITS = 6  # of a number in a table
SHOWN = 20  # drifted numbers and strange rows for people; JSON has all
COLUMNS = ["run", "column", "table", "now"]


def table_file(experiment: Experiment, profile: str) -> Path:
    """The table of rows that runs are compared with."""
    return experiment.home / profile / experiment.id / "runs.csv"


def with_table(profile: str) -> list[Experiment]:
    """The experiments that must have a table: of the quick profile all of them."""
    found = [
        e for e in select([], every=True) if profile == "quick" or table_file(e, profile).exists()
    ]
    if not found:
        raise UserError(f"{show(RESULTS / profile)} has no table")
    return found


@dataclass(frozen=True)
class Comparison:
    """An experiment's runs against its table."""

    id: str
    runs: int
    problems: list[str] = field(default_factory=list)  # of the table itself
    drifted: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=COLUMNS))
    rooms: list[str] = field(default_factory=list)  # whose files changed since the table was made

    @property
    def passed(self) -> bool:
        """True if every run has its row, every row its run, and every number is the same."""
        return not self.problems and self.drifted.empty

    @property
    def text(self) -> str:
        """For people."""
        if self.passed:
            return f"{self.id}: {self.runs} runs as in the table"
        lines = [f"{self.id}: {problem}" for problem in _first(self.problems)]
        if len(self.drifted):
            lines.append(f"{self.id}: {len(self.drifted)} numbers drifted")
            lines.append(self.drifted.head(SHOWN).to_string(index=False, float_format="%.7g"))
            if len(self.drifted) > SHOWN:
                lines.append(f"... and {len(self.drifted) - SHOWN} more")
            rooms = ", ".join(self.rooms) or "no file that git knows"
            lines.append(f"changed since that table was made: {rooms}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        drifted = self.drifted.astype(object).where(self.drifted.notna(), None)
        return {
            "id": self.id,
            "passed": self.passed,
            "runs": self.runs,
            "problems": self.problems,
            "drifted": drifted.to_dict("records"),
            "rooms": self.rooms,
        }


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return lines[:SHOWN] + ([f"... and {more} more"] if more > 0 else [])


def unreadable(experiment: Experiment, profile: str) -> list[Comparison]:
    """The comparison that cannot be made, if the experiment's table cannot be read; else none."""
    try:
        _table(experiment, profile)
    except UserError as error:
        return [Comparison(experiment.id, 0, [str(error)])]
    return []


def compare(experiment: Experiment, profile: str, runs: list[Run]) -> Comparison:
    """Finished runs against their rows, and the rows against all that the experiment has.

    Raises UserError if the table cannot be read.
    """
    path = table_file(experiment, profile)
    then = _table(experiment, profile)
    keys = [*tables.index_columns(experiment, profile), "seed"]
    now = _keyed(tables.per_run(experiment, runs), keys)
    problems = strange_rows(experiment, profile, then, path)
    problems += [
        f"experiments/{experiment.id}.yaml: uncompared '{name}' is no column of {show(path)}"
        for name in experiment.uncompared
        if name not in then
    ]
    drifted = differences(then.set_index(keys), now, set(experiment.uncompared))
    rooms = changed_rooms(path, experiment) if len(drifted) else []
    return Comparison(experiment.id, len(runs), problems, drifted, rooms)


def _table(experiment: Experiment, profile: str) -> pd.DataFrame:
    """The table of rows that runs are compared with. Raises UserError if it cannot be read."""
    path = table_file(experiment, profile)
    make = tables.made_by(experiment, profile)
    keys = [*tables.index_columns(experiment, profile), "seed"]
    if not path.exists():
        raise UserError(f"{show(path)} is missing; {make}")
    try:
        then = _read(path.read_text(), keys)
    except ValueError as error:  # also what pandas and the decoder raise
        raise UserError(f"{show(path)} is damaged: {str(error).splitlines()[0]}; {make}") from error
    if absent := [key for key in keys if key not in then]:
        raise UserError(f"{show(path)} has no column {absent[0]}; {make}")
    return then


def _read(text: str, keys: list[str]) -> pd.DataFrame:
    """A table of runs; what names a run stays text."""
    types = dict.fromkeys(keys, str)
    rows = pd.read_csv(io.StringIO(text), dtype=types, keep_default_na=False, na_values=[""])
    return rows.astype({name: float for name in rows if name not in keys})


def _keyed(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """A table of runs with all its digits, indexed by what a file would say of each run."""
    written = table[keys].infer_objects().to_csv(index=False, float_format=tables.FORMAT)
    index = pd.MultiIndex.from_frame(_read(written, keys))
    return table.drop(columns=keys).set_axis(index)


def strange_rows(
    experiment: Experiment, profile: str, table: pd.DataFrame, path: Path
) -> list[str]:
    """Rows that the experiment has and a table has not, and the other way round."""
    names = [*tables.index_columns(experiment, profile), "seed"]
    index = _keyed(table, names).index
    meant = pd.DataFrame(rows(experiment, profile), columns=names)
    if len(others := given.rows(experiment, profile)):
        meant = pd.concat([meant, others[names]])
    wanted = _keyed(meant, names).index
    problems = [
        f"{show(path)} has no row of {_name(names, key)}" for key in wanted.difference(index)
    ]
    problems += [
        f"{show(path)} has a row of {_name(names, key)}, which the experiment has not"
        for key in index.difference(wanted)
    ]
    twice = index[index.duplicated()].unique()
    return problems + [f"{show(path)} has two rows of {_name(names, key)}" for key in twice]


def refuse_strange_rows(
    experiment: Experiment, profile: str, table: pd.DataFrame, path: Path
) -> None:
    """Raises UserError if a table lacks rows of its experiment or has others: it is old, or cut."""
    if strange := strange_rows(experiment, profile, table, path):
        raise UserError(f"{strange[0]}; {tables.made_by(experiment, profile)}")


def _name(names: Iterable[str], key: tuple[str, ...]) -> str:
    """A run as people say it: scheme=afq load=0.7 seed=1."""
    return " ".join(f"{name}={value}" for name, value in zip(names, key, strict=True))


def differences(then: pd.DataFrame, now: pd.DataFrame, uncompared: set[str]) -> pd.DataFrame:
    """The numbers of these runs that the table does not have: run, column, table, now.

    Runs without a row are told elsewhere.
    """
    runs = now.index.intersection(then.index[~then.index.duplicated()])
    columns = [*dict.fromkeys([*then.columns, *now.columns])]
    columns = [name for name in columns if name not in uncompared]
    left = then[~then.index.duplicated()].reindex(index=runs, columns=columns).astype(float)
    right = now.reindex(index=runs, columns=columns).astype(float)
    exponents = np.floor(np.log10(left.abs().where(left != 0)))
    allowed = HALF_DIGIT * 10.0 ** (exponents - DIGITS + 1)
    allowed = allowed.where(np.isfinite(left) & (left != 0), 0)  # those must be the same
    apart = (right - left).abs() > allowed
    far = apart | (left.isna() != right.isna())
    rows = []
    for i, j in zip(*far.to_numpy().nonzero(), strict=True):
        name = _name(then.index.names, runs[i])
        rows.append((name, columns[j], left.iat[i, j], right.iat[i, j]))
    return pd.DataFrame(rows, columns=COLUMNS)


def changed_rooms(path: Path, experiment: Experiment) -> list[str]:
    """The rooms whose files changed since the commit that last changed a table."""
    rooms = []
    for file in origin.changed_since(path):
        first, *rest = Path(file).parts
        if first == "src" and rest:
            rooms.append(rest[0])
        elif first in ("examples", "reproduce") or file == f"experiments/{experiment.id}.yaml":
            rooms.append(first)
        elif file in ("experiments/presets.yaml", "requirements-ns3.txt"):
            rooms.append(file)
    return list(dict.fromkeys(rooms))


def other_ns3(runs: Iterable[Run]) -> str:
    """One line if the runs are of another ns-3 than the tables; else nothing."""
    pins = HOME / "requirements-ns3.txt"
    pinned = re.search(r"ns3==(\d+\.\d+)", pins.read_text()) if pins.exists() else None
    for run in runs:
        with suppress(OSError, ValueError, KeyError, TypeError):
            used = str(json.loads((run.folder / "run.json").read_text())["versions"]["ns3"])
            if pinned and not used.startswith(pinned[1]):
                return (
                    f"the tables are of ns-3 {pinned[1]}, these runs of {used}: numbers may differ"
                )
            return ""
    return ""


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
