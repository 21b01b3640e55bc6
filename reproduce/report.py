# SPDX-License-Identifier: GPL-2.0-only
"""Results of a profile: tables, figures and verdicts per experiment, and one report over all."""

from __future__ import annotations

import itertools
import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import jinja2

from reproduce import claims, origin, printed, tables
from reproduce.errors import UserError
from reproduce.experiments import Experiment, load_all
from reproduce.files import write_atomically
from reproduce.lazy import pd
from reproduce.paths import EXPERIMENTS, RESULTS, RUNS, show
from reproduce.runs import Run

TEMPLATES = Path(__file__).parent / "templates"
OUTCOME = ("measured", "interval", "parts", "verdict", "reason")  # of a claim, by its runs
UNFINISHED = ("all_unfinished", "unfinished")  # metrics that count flows that did not finish


def write_results(
    experiment: Experiment, profile: str, runs: list[Run], home: Path = RESULTS
) -> pd.DataFrame:
    """Tables (CSV), claims.json and the figures of an experiment, from finished runs.

    Returns the table with a row per run.
    """
    from reproduce import figures  # loads matplotlib, which nothing else here needs

    folder = home / profile / experiment.id
    folder.mkdir(parents=True, exist_ok=True)
    table = tables.per_run(experiment, runs)
    summary = tables.summary(table, tables.index_columns(experiment, profile))
    drawn = {plot["name"]: tables.figure_table(plot, table, runs) for plot in experiment.plots}
    for name, frame in ({"runs": table, "summary": summary} | drawn).items():
        if frame is not None:
            csv = frame.to_csv(index=False, float_format=tables.FORMAT, lineterminator="\n")
            write_atomically(folder / f"{name}.csv", csv)
    verdicts = [judged.as_dict() for judged in claims.judge_all(experiment, table, profile)]
    write_atomically(
        folder / "claims.json", json.dumps(verdicts, indent=1, ensure_ascii=False) + "\n"
    )
    figures.draw_all(figures.Inputs.read(experiment, profile, folder), folder)
    return table


def last_verdicts(
    experiment: Experiment, profile: str | None = None, home: Path = RESULTS
) -> list[dict[str, Any]]:
    """The claims with their last verdicts, from the fullest profile that was run or the given."""
    for name in [profile] if profile else ["paper", "quick"]:
        path = home / name / experiment.id / "claims.json"
        if path.exists():
            stored = {row["id"]: row for row in json.loads(path.read_text())}
            break
    else:
        stored = {}
    nothing = claims.judge_all(experiment, None, profile or "quick")
    rows = []
    for fresh in (judged.as_dict() for judged in nothing):
        known = stored.get(fresh["id"], {})
        rows.append(fresh | {key: known[key] for key in OUTCOME if key in known})
    return rows


def _beside(experiment: Experiment, profile: str, home: Path) -> dict[str, str]:
    """What the other profile came to, by claim, if it was run."""
    other = "quick" if profile == "paper" else "paper"
    path = home / other / experiment.id / "claims.json"
    if not path.exists():
        return {}
    return {row["id"]: f"{other}: {_outcome(row)}" for row in json.loads(path.read_text())}


def _outcome(row: dict[str, Any]) -> str:
    """A verdict, with the number that it is of where that is one."""
    measured = row["measured"]
    number = f" ({_number(measured)})" if isinstance(measured, int | float) else ""
    return row["verdict"] + number


def _number(value: object) -> str:
    """A paper's or a measured value for people."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " to ".join(_number(part) for part in value)
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def _ratio(row: dict[str, Any]) -> str:
    """Ours over the paper's, where both are one number."""
    ours, paper = row["measured"], row["paper_value"]
    numbers = all(isinstance(value, int | float) for value in (ours, paper))
    return f"{ours / paper:.2f}" if numbers and paper else ""


def _claim(row: dict[str, Any]) -> dict[str, Any]:
    """A claim as the report shows it."""
    unit = f" {row['unit']}" if row["unit"] else ""
    paper, ours = _number(row["paper_value"]), _number(row["measured"])
    if row["interval"] is not None:
        ours += f" ± {row['interval']:.2g}"
    if isinstance(row["measured"], int | float):
        ours += unit
    if paper and row["given_by"] != "paper":
        unit += f" ({row['given_by']})"
    return row | {"paper": paper and paper + unit, "ours": ours, "ratio": _ratio(row)}


def _unfinished(summary: pd.DataFrame, index: list[str]) -> list[dict[str, Any]]:
    """The points in which flows did not finish: percentiles there are of the finished ones only."""
    rows = summary[summary["metric"].isin(UNFINISHED) & (summary["mean"] > 0)]
    return [
        {"point": ", ".join(f"{key} {row[key]}" for key in index), "mean": _number(row["mean"])}
        for row in rows.to_dict("records")
    ]


def _section(experiment: Experiment, profile: str, folder: Path) -> dict[str, Any]:
    """What the report says about one experiment."""
    summary = pd.read_csv(folder / "summary.csv")
    index = tables.index_columns(experiment, profile)
    home = folder.parent.parent
    verdicts = last_verdicts(experiment, profile, home)
    beside = _beside(experiment, profile, home)
    return {
        "experiment": experiment,
        "claims": [_claim(row) | {"beside": beside.get(row["id"])} for row in verdicts],
        "totals": _totals(verdicts),
        "figures": [
            {"title": plot["title"], "file": f"{experiment.id}/{plot['name']}.png"}
            for plot in [*experiment.plots, {"name": printed.NAME, "title": printed.TITLE}]
            if (folder / f"{plot['name']}.png").exists()
        ],
        "tables": [f"{experiment.id}/{path.name}" for path in sorted(folder.glob("*.csv"))],
        "unfinished": _unfinished(summary, index),
        "counts_flows": bool(summary["metric"].isin(UNFINISHED).any()),
        "schemes": list(dict.fromkeys(summary["scheme"])),
        "seeds": _seeds(summary),
    }


def _seeds(summary: pd.DataFrame) -> str:
    """How many seeds each point has, by scheme where they differ."""
    most = summary.groupby("scheme", sort=False)["seeds"].max().astype(int)
    if most.nunique() > 1:
        return ", ".join(f"{scheme} {seeds}" for scheme, seeds in most.items()) + " seeds per point"
    return f"{most.iloc[0]} seed{'s' if most.iloc[0] != 1 else ''} per point"


def _totals(rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many claims have each verdict."""
    verdicts = [row["verdict"] for row in rows]
    return {name: verdicts.count(name) for name in claims.VERDICTS}


def _chapters(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The experiments of each paper."""
    return [
        {"paper": paper, "sections": (own := list(group)), "totals": _totals(_claims(own))}
        for paper, group in itertools.groupby(sections, lambda one: one["experiment"].paper)
    ]


def _claims(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for section in sections for row in section["claims"]]


def write_report(profile: str, results: Path = RESULTS) -> Path:
    """report.md and report.html over every experiment with results in the profile."""
    home = results / profile
    sections = [
        _section(experiment, profile, home / experiment.id)
        for experiment in load_all()
        if (home / experiment.id / "claims.json").exists()
    ]
    content = {
        "profile": profile,
        "chapters": _chapters(sections),
        "totals": _totals(_claims(sections)),
        "verdicts": claims.VERDICTS,
        "origin": f"{date.today()}, {origin.code()}, {origin.libraries()}",
        "experiments": os.path.relpath(EXPERIMENTS, home),
    }
    for name in ("report.md", "report.html"):
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES),
            autoescape=name.endswith(".html"),
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters["cell"] = lambda text: str(text).replace("|", "\\|")
        environment.filters["number"] = _number
        write_atomically(home / name, environment.get_template(name + ".j2").render(content))
    return home / "report.html"


def check_writable() -> None:
    """Raises early, before hours of simulation, if results cannot be written."""
    for folder in (RESULTS, RUNS):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot write {show(folder)}: {error.strerror}") from error
        if not os.access(folder, os.W_OK):
            raise UserError(f"cannot write {show(folder)}: permission denied")
