# SPDX-License-Identifier: GPL-2.0-only
"""Results: tables and figures per experiment, and a report on all claims, a page per paper."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from reproduce import claim_tables, findings, origin, printed, tables, verdicts
from reproduce.errors import UserError
from reproduce.experiments import PROFILES, Experiment, load_known
from reproduce.files import replace_content
from reproduce.lazy import pd
from reproduce.paths import HOME, RESULTS, RUNS, show
from reproduce.runs import Run
from reproduce.statements import Basis, Cause, Conclusion, NumberVerdict
from reproduce.verdicts import Row

TEMPLATES = Path(__file__).parent / "templates"
FOLDER = "report"  # below the results
JUDGING = "doc/how-a-claim-is-judged.md"
MARKUP = re.compile(r"[\\`*\[\]<]")  # what Markdown would not show as it is
UNFINISHED = ("all_unfinished", "unfinished")  # metrics that count flows that did not finish
OTHERS = "Of no paper"  # the page of other experiments


def write_results(
    experiment: Experiment, profile: str, runs: list[Run], home: Path = RESULTS
) -> pd.DataFrame:
    """Tables (CSV) and the figures of an experiment, from finished runs.

    Returns the table with a row per run. Raises UserError if no run has a number.
    """
    from reproduce import figures  # loads matplotlib, which nothing else here needs

    table = tables.per_run(experiment, runs)
    if not len(table.columns.difference([*tables.index_columns(experiment, profile), "seed"])):
        raise UserError(f"{experiment.id}: no run has a number of {', '.join(experiment.metrics)}")
    folder = home / profile / experiment.id
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {plot["name"]: tables.figure_table(plot, table, runs) for plot in experiment.plots}
    for name, frame in ({"runs": table} | drawn).items():
        if frame is not None:
            csv = frame.to_csv(index=False, float_format=tables.FORMAT, lineterminator="\n")
            replace_content(folder / f"{name}.csv", csv)
    figures.draw_all(figures.Inputs.read(experiment, profile, folder), folder)
    return table


# Counts


@dataclass(frozen=True)
class Count:
    """The number of claims with a basis and a conclusion, by number and by cause."""

    basis: str
    conclusion: str
    claims: int
    numbers: list[int]  # in the order of NumberVerdict
    causes: list[int]  # in the order of CAUSES

    @property
    def cells(self) -> list[int | str]:
        """The cells of a table, empty for zero."""
        return [self.claims, *(n or "" for n in (*self.numbers, *self.causes))]


CAUSES = (Cause.OURS, *(cause for cause in Cause if cause is not Cause.OURS))
NUMBERS = tuple(NumberVerdict)
NULL_TOO = "yes (null too)"  # it comes out with what must spoil it in place, too: counted apart
CONCLUSIONS = (Conclusion.YES, NULL_TOO, *(one for one in Conclusion if one != Conclusion.YES))


def counted(row: Row) -> str:
    """A conclusion as it is counted."""
    return NULL_TOO if _null_too(row) else row["conclusion"]


def _null_too(row: Row) -> bool:
    """True of a yes that says little: so does what must spoil it."""
    return row["conclusion"] == row["must_fail"] == Conclusion.YES


def counts(rows: list[Row]) -> list[Count]:
    """Conclusion x number x basis x cause, a line for each basis and conclusion that there is."""
    found = []
    for basis in Basis:
        for conclusion in CONCLUSIONS:
            some = [r for r in rows if (r["basis"], counted(r)) == (basis, conclusion)]
            if some:
                numbers = [sum(r["number"] == one for r in some) for one in NUMBERS]
                caused = [r for r in some if basis != Basis.CALIBRATED]
                causes = [sum(r["cause"] == one for r in caused) for one in CAUSES]
                found.append(Count(basis, conclusion, len(some), numbers, causes))
    return found


def ours(rows: Iterable[Row]) -> list[Row]:
    """Claims that are left to work on: papers' claims that do not come out because of us."""
    return [row for row in rows if row["cause"] == Cause.OURS and _counts(row)]


def _counts(row: Row) -> bool:
    """True of a paper's claim, unless a choice was made after seeing its number."""
    return row["basis"] != Basis.CALIBRATED and _paper(row)


def _strength(rows: list[Row]) -> dict[str, Any]:
    """The degree to which conclusions of papers' claims can be believed."""
    papers = [row for row in rows if _paper(row)]
    came_out = [row for row in papers if row["conclusion"] == Conclusion.YES]
    undecided = [row for row in papers if row["conclusion"] == Conclusion.UNDECIDED]
    return {
        "claims": len(papers),
        "yes": len(came_out),
        "null_named": sum(row["must_fail"] is not None for row in came_out),
        "null_too": [row for row in came_out if _null_too(row)],
        "undecided": len(undecided),
        "not_run": sum("no run of" in row["why"] for row in undecided),
        "overlaps": sum(row["number"] == NumberVerdict.OVERLAPS for row in papers),
    }


# What the pages show


def number(value: object) -> str:
    """A number for people, with four digits."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " to ".join(number(part) for part in value)
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def effect(row: Row, interval: bool = True) -> str:
    """An effect with its interval: a ratio as x 1.3, a difference as 12 % of the mean."""
    if row.get("effect") is None:
        return ""
    share = row.get("scale") == "difference"

    def text(value: float) -> str:
        return f"{100 * value:.3g}" if share else f"{value:.3g}"

    ends = row["interval"]
    inside = f" [{', '.join(map(text, ends))}]" if interval and ends and None not in ends else ""
    return f"{text(row['effect'])}{inside} %" if share else f"x {text(row['effect'])}{inside}"


def _evidence(row: Row) -> str:
    """The evidence for a conclusion, in a line; of several comparisons the decisive one."""
    several = len(row["comparisons"]) > 1 and row["effect"] is not None
    words = [f"{row['compared']}: {effect(row)}" if several else effect(row)]
    if row["n"]:
        words.append(f"n = {row['n']}")
    if row["conclusion"] == Conclusion.UNDECIDED and row["smallest_effect"]:
        seen = effect({"effect": row["smallest_effect"], "scale": row["scale"], "interval": None})
        words.append(f"could have seen {seen}")
    words.append(row["why"])
    return ", ".join(filter(None, words))


def _worst(row: Row) -> str:
    """Our number where it is furthest from the paper's."""
    worst = row["worst"]
    if worst is None:
        return ""
    text = number(worst["ours"])
    low, high = worst["interval"]
    if low != high and None not in (low, high):
        text += f" [{number(low)}, {number(high)}]"
    if len(row["numbers"]) > 1:
        text += f", the worst of {len(row['numbers'])}: {worst['name']}, {number(worst['printed'])}"
        text += " printed"
    return text


def outcome(row: Row) -> str:
    """The verdict on a number; of one that overlaps, at how many of its points it is within."""
    if row["number"] == NumberVerdict.OVERLAPS:
        return f"overlaps, {row['within']}"
    return f"off by {row['factor']:.3g}" if row["factor"] else str(row["number"])


def _why(row: Row) -> str:
    """The cause with what belongs to it."""
    on = f" on {row['on']}" if row["cause"] == Cause.SILENCE else ""
    return ": ".join(filter(None, ((row["cause"] or "") + on, row["reason"])))


def _short(row: Row) -> str:
    """The verdicts on the sentence and on the number, if there are such."""
    return ", ".join(one for one in (row["conclusion"], row["number"]) if one != "-") or "-"


def _claim(row: Row) -> Row:
    """A claim as the report shows it."""
    beside = row["beside"]
    other = next((one for one in PROFILES if one != row["profile"]), "")
    marks = [
        *(f"before it was changed: {_short(one)}" for one in row["before"][-1:]),
        "no null named" if row["conclusion"] == Conclusion.YES and row["must_fail"] is None else "",
        "its null comes out, too" if _null_too(row) else "",
        "few seeds" if row["few"] else "",
        f"{other} profile: {beside['conclusion']}, {outcome(beside)}" if beside else "",
    ]
    return row | {
        "counted": counted(row),
        "evidence": _evidence(row),
        "ours": _worst(row),
        "outcome": outcome(row),
        "short": _short(row | {"number": outcome(row)}),
        "cause_text": _why(row),
        "shown_by": row["sensitivity"] if row["cause"] == Cause.SILENCE else "",
        "marks": [mark for mark in marks if mark],
    }


def _unfinished(summary: pd.DataFrame, index: list[str]) -> list[dict[str, Any]]:
    """The points in which flows did not finish: percentiles there are of the finished ones only."""
    rows = summary[summary["metric"].isin(UNFINISHED) & (summary["mean"] > 0)]
    return [
        {"point": ", ".join(f"{key} {row[key]}" for key in index), "mean": number(row["mean"])}
        for row in rows.to_dict("records")
    ]


def _scale(experiment: Experiment, profile: str, given: verdicts.Tables) -> dict[str, Any] | None:
    """The size of a profile of an experiment, if that was run."""
    runs = given.runs(experiment.id, profile)
    if runs is None or runs.empty:
        return None
    folder = given.home / profile / experiment.id
    index = tables.index_columns(experiment, profile)
    summary = tables.summary(runs, index)
    named = [*experiment.plots, {"name": printed.NAME, "title": printed.TITLE}]
    return {
        "profile": profile,
        "figures": [
            {"title": plot["title"], "file": f"../{profile}/{experiment.id}/{plot['name']}.png"}
            for plot in named
            if (folder / f"{plot['name']}.png").exists()
        ],
        "tables": [f"../{profile}/{experiment.id}/{one.name}" for one in _sorted(folder)],
        "unfinished": _unfinished(summary, index),
        "counts_flows": bool(summary["metric"].isin(UNFINISHED).any()),
        "schemes": list(dict.fromkeys(summary["scheme"])),
        "seeds": _seeds(summary),
    }


def _sorted(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.csv"))


def _seeds(summary: pd.DataFrame) -> str:
    """The number of seeds of each point, by scheme where they differ."""
    most = summary.groupby("scheme", sort=False)["seeds"].max().astype(int)
    if most.nunique() > 1:
        return ", ".join(f"{scheme} {seeds}" for scheme, seeds in most.items()) + " seeds per point"
    return f"{most.iloc[0]} seed{'s' if most.iloc[0] != 1 else ''} per point"


def _section(experiment: Experiment, rows: list[Row], given: verdicts.Tables) -> dict[str, Any]:
    """The report's section about one experiment."""
    scales = (_scale(experiment, profile, given) for profile in PROFILES)
    claims = [row for row in rows if row["experiment"] == experiment.id]
    return {
        "experiment": experiment,
        "findings": findings.with_numbers(experiment.findings, experiment, given),
        "scales": [scale for scale in scales if scale],
        "claims": [_claim(row) for row in claims if _paper(row)],
        "own": [_claim(row) for row in claims if not _paper(row)],
    }


def _paper(row: Row) -> bool:
    """True of a claim that a paper makes."""
    return verdicts.of_paper(row["paper"])


@dataclass(frozen=True)
class Page:
    """A page of the report: a paper, or what is of none."""

    name: str
    title: str
    rows: list[Row]
    experiments: list[Experiment]
    summary: claim_tables.Summary | None = None

    @property
    def central(self) -> list[Row]:
        """The paper's central claims, as far as they were judged."""
        named = self.summary.claims if self.summary else ()
        rows = {row["id"]: row for row in self.of_paper}
        return [_claim(rows[name]) for name in named if name in rows]

    def figure(self, home: Path) -> str:
        """The file of the one figure to look at, seen from the report's pages, or none.

        It is of the paper's scale if that was drawn.
        """
        if self.summary is None:
            return ""
        name = f"{self.summary.experiment}/{self.summary.plot}.png"
        drawn = (f"{profile}/{name}" for profile in reversed(PROFILES))
        return next((f"../{one}" for one in drawn if (home / one).exists()), "")

    @property
    def of_paper(self) -> list[Row]:
        """The claims that the paper makes."""
        return [row for row in self.rows if _paper(row)]

    @property
    def own(self) -> list[Row]:
        """The part that is not the paper's."""
        return [row for row in self.rows if not _paper(row)]

    def content(self, given: verdicts.Tables) -> dict[str, Any]:
        """The values that its template is given."""
        there = {experiment.id for experiment in self.experiments}
        return {
            "page": self,
            "figure": self.figure(given.home),
            "ours": [_claim(row) for row in ours(self.rows)],
            "counts": counts(self.of_paper),
            "own_counts": counts(self.own),
            "sections": sorted(
                (_section(one, self.rows, given) for one in self.experiments),
                key=lambda section: not section["claims"],  # those with the paper's come first
            ),
            "nowhere": [_claim(row) for row in self.rows if row["experiment"] not in there],
        }


def _pages(rows: list[Row], home: Path) -> list[Page]:
    """A page for each paper, those with tables of claims first."""
    there = [
        experiment
        for experiment in load_known()
        if any((home / one / experiment.id / "runs.csv").exists() for one in PROFILES)
    ]
    papers = [table for table in claim_tables.load_tables() if not table.own]
    names = {table.title: table.name for table in papers}
    summaries = {table.name: table.summary for table in papers}
    pages = []
    for title, name in {**names, OTHERS: "others"}.items():
        own = [one for one in there if names.get(one.paper, "others") == name]
        ids = {experiment.id for experiment in own}
        mine = [row for row in rows if row["paper"] == name or row["experiment"] in ids]
        if own or mine:
            pages.append(Page(name, title, mine, own, summaries.get(name)))
    return pages


def write_report(home: Path = RESULTS) -> Path:
    """The report on all results in a folder: a page for each paper, and one over all."""
    rows = verdicts.read(home)
    pages = _pages(rows, home)
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    common = {
        "pages": pages,
        "origin": f"{origin.code()}, {origin.libraries()}",  # no date: equal results, equal pages
        "path": lambda experiment: os.path.relpath(experiment.document.path, folder),
        "judging": os.path.relpath(HOME / JUDGING, folder),
        "verdicts": f"../{verdicts.FILE}",
        "heading": "Five papers, reproduced" if home == RESULTS else "Results of your own",
        "numbers": NUMBERS,
        "causes": CAUSES,
        "conclusions": CONCLUSIONS,
        "null_too": NULL_TOO,
    }
    given = verdicts.Tables(home)
    contents = {page.name: common | page.content(given) for page in pages}
    over_all = common | {
        "counted": [
            (page, counts(page.of_paper), counts(page.own), ours(page.rows)) for page in pages
        ],
        "ours": [_claim(row) for row in ours(rows)],
        "front": [(page, page.central, page.figure(home)) for page in pages if page.central],
        "over_front": _over_front(pages),
        "measured": _strength([row for row in rows if row["basis"] == Basis.MEASURED]),
        "rewritten": verdicts.rewritten(rows),
        "comparisons": sum(len(row["comparisons"]) for row in rows),
    }
    for form, first in (("md", "README"), ("html", "index")):
        environment = _environment(form)
        index = environment.get_template(f"index.{form}.j2").render(over_all | {"form": form})
        replace_content(folder / f"{first}.{form}", index)
        template = environment.get_template(f"paper.{form}.j2")
        for name, content in contents.items():
            replace_content(folder / f"{name}.{form}", template.render(content | {"form": form}))
    return folder / "index.html"


def front_text(home: Path = RESULTS) -> str:
    """The outcome of each paper's central claims that are not calibrated, a line each."""
    return "\n".join(
        f"{one['page'].summary.name}: of {one['claims']} central claims {one['conclusions']}"
        + (f"; numbers: {one['numbers']}" if one["numbers"] else "")
        for one in _over_front(_pages(verdicts.read(home), home))
    )


def _over_front(pages: list[Page]) -> list[dict[str, Any]]:
    """The counts of each paper's central claims: conclusions and numbers, most first."""
    found = []
    for page in pages:
        rows = [row for row in page.central if row["basis"] != Basis.CALIBRATED]
        conclusions = Counter(row["counted"] for row in rows if row["counted"] != "-")
        numbers = Counter(row["number"] for row in rows if row["number"] != "-")
        if rows:
            texts = {"conclusions": _listed(conclusions), "numbers": _listed(numbers)}
            found.append({"page": page, "claims": len(rows)} | texts)
    return found


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counts.most_common())


def _environment(form: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=form == "html",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = _plain
    environment.filters["cell"] = lambda text: str(text).replace("|", "\\|")
    environment.filters["number"] = number
    environment.filters["effect"] = effect
    return environment


def _plain(text: str) -> str:
    """A name or sentence in Markdown, in which nothing of it is markup."""
    return MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def check_writable() -> None:
    """Raises early, before hours of simulation, if results cannot be written."""
    for folder in (RESULTS, RUNS):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot write {show(folder)}: {error.strerror}") from error
        if not os.access(folder, os.W_OK):
            raise UserError(f"cannot write {show(folder)}: permission denied")
