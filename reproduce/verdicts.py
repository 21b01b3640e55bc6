# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts on all claims by the tables of results: claims.json, a line for each claim.

The paper profile decides a claim where it has seeds enough at every point that the quick one has,
else quick does; what the other came to is beside it. The hash is of what decides: predicates,
scope, number, margins. A claim that was changed since keeps the outcomes that it had before.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from reproduce import check, claim_tables, findings, judging, tables
from reproduce.errors import UserError
from reproduce.estimates import Estimate
from reproduce.experiments import PROFILES, Experiment, left_out, load_known
from reproduce.files import replace_content
from reproduce.judging import Finding, Measured, NumberOutcome, SentenceOutcome, Verdict
from reproduce.lazy import pd
from reproduce.paths import RESULTS, show
from reproduce.statements import Basis, Cause, Claim, Conclusion, NumberVerdict

FILE = "claims.json"
DIGITS = 5  # of a number
AGAIN = "./repro judge makes it anew"
Row = dict[str, Any]


@dataclass
class Tables:
    """The tables of runs in a folder of results, each read once."""

    home: Path
    _read: dict[tuple[str, str], pd.DataFrame | None] = field(default_factory=dict)
    _damage: dict[str, str] = field(default_factory=dict)

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """By id."""
        return {experiment.id: experiment for experiment in load_known()}

    def runs(self, experiment: str, profile: str) -> pd.DataFrame | None:
        """A table, if there is one."""
        key = experiment, profile
        if key not in self._read:
            path = self.home / profile / experiment / "runs.csv"
            known = self.experiments[experiment]
            there = path.exists()
            self._read[key] = tables.read_runs(path, known, profile) if there else None
        return self._read[key]

    def lost(self, row: Row) -> str:
        """The fault of a verdict whose table is not there any more; else empty."""
        experiment, profile = row["experiment"], row["profile"]
        path = self.home / profile / experiment / "runs.csv"
        if not profile or path.exists() or experiment not in self.experiments:
            return ""
        return f"{show(path)} is missing: {tables.made_by(self.experiments[experiment], profile)}"

    def has(self, experiment: str) -> bool:
        """True of an experiment that was run in any profile."""
        return any((self.home / one / experiment / "runs.csv").exists() for one in PROFILES)

    def damage(self, experiment: str) -> str:
        """The fault in an experiment's tables; empty if there is none.

        Rows that the experiment has not, or more, are one: the table is an older one, or was cut.
        """
        if experiment not in self._damage:
            self._damage[experiment] = self._damaged(experiment)
        return self._damage[experiment]

    def _damaged(self, experiment: str) -> str:
        try:
            for profile in PROFILES if self.has(experiment) else ():
                runs, known = self.runs(experiment, profile), self.experiments[experiment]
                if runs is None or self.home != RESULTS:  # a user's may be of some schemes or seeds
                    continue
                path = self.home / profile / experiment / "runs.csv"
                check.refuse_strange_rows(known, profile, runs, path)
        except UserError as error:
            return str(error)
        return ""

    def may_have(self, claim: Claim) -> bool:
        """False of a claim of a user's own experiment among what is shipped."""
        about = self.experiments.get(claim.experiment)
        return about is None or not about.own or self.home != RESULTS


def judge(claim: Claim, given: Tables) -> Row:
    """A claim's line; raises if its sides have different seeds."""
    if claim.basis is Basis.NOT_TESTABLE:
        return _row(claim, judging.judge(claim, None), "", None, None)
    quick, paper = (given.runs(claim.experiment, profile) for profile in PROFILES)
    experiment = given.experiments[claim.experiment]
    random = experiment.random
    by_paper = quick is None or judging.paper_decides(claim, quick, paper, random)
    table, other = (paper, quick) if by_paper else (quick, paper)
    verdict = judging.judge(claim, table, random)
    beside = None if other is None else judging.judge(claim, other, random)
    null = judging.judge_must_fail(claim, table, random)
    row = _row(claim, verdict, PROFILES[by_paper], null, beside)
    reason = findings.with_numbers(claim.reason, experiment, given, PROFILES[by_paper])
    return row | {"few": judging.few(row["n"] or 0, random), "reason": reason}


def not_judged(claim: Claim, conclusion: Conclusion = Conclusion.NONE, why: str = "not run") -> Row:
    """The line of a claim that cannot be judged."""
    nothing = Verdict(claim, SentenceOutcome(conclusion), NumberOutcome(NumberVerdict.NONE))
    return _row(claim, nothing, "", None, None) | {"why": why}


def _row(
    claim: Claim, verdict: Verdict, profile: str, null: Conclusion | None, beside: Verdict | None
) -> Row:
    found, number = verdict.sentence.decisive, verdict.number
    cause = claim.cause or (Cause.OURS if of_paper(claim.paper) else None)
    return {
        "paper": claim.paper,
        "id": claim.id,
        "kind": claim.kind,
        "sentence": claim.sentence,
        "source": list(claim.sources),
        "experiment": claim.experiment,
        "profile": profile,
        **_outcome(verdict),
        "basis": claim.basis,
        "cause": cause if failed(verdict) else None,
        "on": claim.silent_on if failed(verdict) else "",
        "sensitivity": claim.sensitivity if failed(verdict) else "",
        "reason": findings.without_numbers(claim.reason),
        "why": "; ".join(dict.fromkeys(filter(None, (found.why if found else "", number.why)))),
        "n": _seeds(verdict),
        "few": False,
        "compared": found.name if found else "",
        **(_effect(found.pooled, found) if found and found.pooled else NO_EFFECT),
        "smallest_effect": _smallest(found) if found else None,
        "must_fail": null,
        "comparisons": [_comparison(one) for one in verdict.sentence.findings],
        "printed": printed(claim),
        "worst": _worst(verdict),
        "numbers": [_number(one) for one in number.points],
        "beside": _outcome(beside) if beside else None,
        "hash": verdict.hash,
        "before": [],
    }


def of_paper(name: str) -> bool:
    """True of a table of claims that a paper makes: not own/NAME, nor an experiment's file."""
    return "/" not in name


def failed(verdict: Verdict) -> bool:
    """True of what needs a cause."""
    conclusion, number = verdict.sentence.conclusion, verdict.number.verdict
    return conclusion in (Conclusion.NO, Conclusion.PARTLY) or number is NumberVerdict.OFF


def _outcome(verdict: Verdict) -> Row:
    number = verdict.number
    return {
        "conclusion": verdict.sentence.conclusion,
        "number": number.verdict,
        "factor": number.factor and _rounded(number.factor),
        "within": f"{sum(one.within for one in number.points)} of {len(number.points)}",
    }


def _seeds(verdict: Verdict) -> int | None:
    """The number of seeds that it rests on."""
    found = verdict.sentence.decisive
    if found and found.pooled:
        return found.pooled.seeds
    return verdict.number.seeds or None


NO_EFFECT: Row = {"effect": None, "interval": None, "scale": None}


def _effect(estimate: Estimate, finding: Finding) -> Row:
    """An effect with its 95 % interval: a ratio, or a difference in parts of the mean.

    It is above 1, or above 0, on the sentence's side. A single seed of what is random has none.
    """
    change = math.exp if finding.logarithms else float
    single = estimate.seeds < 2 and finding.smallest_visible is None
    ends = None if single else [_rounded(change(end)) for end in estimate.interval()]
    scale = "ratio" if finding.logarithms else "difference"
    return {"effect": _rounded(change(estimate.mean)), "interval": ends, "scale": scale}


def _smallest(finding: Finding) -> float | None:
    if finding.smallest_visible is None:
        return None
    change = math.exp if finding.logarithms else float
    return _rounded(change(finding.smallest_visible))


def _comparison(finding: Finding) -> Row:
    effect = _effect(finding.pooled, finding) if finding.pooled else NO_EFFECT
    points = [
        {"at": at} | {key: value for key, value in _effect(one, finding).items() if key != "scale"}
        for at, one in finding.points
    ]
    return {
        "name": finding.name,
        "conclusion": finding.conclusion,
        "why": finding.why,
        **effect,
        "smallest_effect": _smallest(finding),
        "points": points,
    }


def _number(point: Measured) -> Row:
    return {
        "name": point.name,
        "ours": _rounded(point.ours),
        "interval": [_rounded(end) for end in point.interval],
        "printed": list(dict.fromkeys(point.printed)),
        "within": point.within,
    }


def _worst(verdict: Verdict) -> Row | None:
    return _number(verdict.number.worst) if verdict.number.worst else None


def printed(claim: Claim) -> str:
    """A claim's number as the paper has it; of a chart how many there are."""
    number = claim.number
    if number is None:
        return ""
    if len(number.entries) > 1:
        return f"{len(number.entries)} numbers"
    (entry,) = number.entries
    words = (entry.printed, *(("to", entry.end) if entry.end else ()), number.unit)
    limit = number.quantity.value if number.quantity.value.startswith("at ") else ""
    return " ".join(filter(None, (limit, *words)))


def _rounded(value: float) -> float | None:
    """A number with the digits that it deserves; nothing for one that is not finite."""
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


# The file


def path(home: Path) -> Path:
    """The file of the verdicts of a folder of results."""
    return home / FILE


def read(home: Path) -> list[Row]:
    """The verdicts that were written last."""
    try:
        rows = json.loads(path(home).read_text())
        known = isinstance(rows, list) and all({"paper", "id", "hash"} <= set(row) for row in rows)
    except FileNotFoundError:
        return []
    except (ValueError, TypeError):
        known = False
    if not known:
        raise UserError(f"{show(path(home))} is damaged: {AGAIN}")
    return rows


def write(home: Path, rows: list[Row]) -> None:
    """A line for each claim."""
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    replace_content(path(home), "[\n" + ",\n".join(lines) + "\n]\n")


def update(
    home: Path, experiments: Iterable[str] | None = None
) -> tuple[list[Row], list[UserError]]:
    """Judges the claims of some experiments, or all, anew; those of others stay as they were.

    Returns the lines of all claims, and why some cannot be judged: their sides have other seeds, or
    the table has gone that they were judged by.
    """
    wanted = None if experiments is None else set(experiments)
    given, known = Tables(home), {_key(row): row for row in read(home)}
    rows: list[Row] = []
    wrong: list[UserError] = []
    for claim in claim_tables.every_claim():
        old = known.get((claim.paper, claim.id))
        if wanted is not None and claim.experiment not in wanted:
            rows += [old] if old else []
        elif why := given.damage(claim.experiment):
            rows += [old] if old else []
            wrong.append(UserError(why))
        elif given.has(claim.experiment) or (
            claim.basis is Basis.NOT_TESTABLE and given.may_have(claim)
        ):
            try:
                rows.append(_with_history(judge(claim, given), old))
            except UserError as error:
                wrong.append(error)
                rows.append(not_judged(claim, Conclusion.UNDECIDED, str(error)))
        elif old and (lost := given.lost(old)):
            rows.append(old)
            wrong.append(UserError(lost))
    judged = {_key(row) for row in rows}
    rows += [
        row for key, row in known.items() if key not in judged and _stays(row["experiment"], wanted)
    ]
    write(home, rows)
    return rows, list({str(error): error for error in wrong}.values())


def _stays(experiment: str, wanted: set[str] | None) -> bool:
    """True of an experiment whose verdicts are not asked for, or whose file is not right."""
    return experiment in left_out() or (wanted is not None and experiment not in wanted)


def stale(experiments: Iterable[Experiment]) -> list[str]:
    """Verdicts and summaries that are not what the tables of runs give, a line each."""
    found = list(problems(experiments))
    for home, ids in _by_home(experiments):
        given, known = Tables(home), {_key(row): row for row in read(home)}
        found += filter(None, map(given.damage, ids))
        lost = {key: given.lost(row) for key, row in known.items() if row["experiment"] in ids}
        found += dict.fromkeys(filter(None, lost.values()))
        for claim in (one for one in claim_tables.every_claim() if one.experiment in ids):
            old = known.get((claim.paper, claim.id))
            sound = old and not lost.get(_key(old)) and not given.damage(claim.experiment)
            if sound and old["hash"] == judging.fingerprint(claim):
                fresh = json.loads(json.dumps(judge(claim, given)))
                if fresh | {"before": old["before"]} != old:
                    found.append(f"{claim.paper}: {claim.id} is not what its tables give: {AGAIN}")
    return found


def _by_home(experiments: Iterable[Experiment]) -> list[tuple[Path, set[str]]]:
    """The ids of experiments by where their results are."""
    found: dict[Path, set[str]] = {}
    for one in experiments:
        found.setdefault(one.home, set()).add(one.id)
    return list(found.items())


def last(experiments: Iterable[Experiment]) -> list[Row]:
    """The verdicts that were written last where the results of these experiments are."""
    return [row for home, _ in _by_home(experiments) for row in read(home)]


def _key(row: Row) -> tuple[str, str]:
    return row["paper"], row["id"]


OUTCOME = ("hash", "conclusion", "number")


def _with_history(row: Row, old: Row | None) -> Row:
    """A line with the outcomes that its claim had when it said something else."""
    if old is None:
        return row
    was = [*old["before"], {key: old[key] for key in OUTCOME}]
    return row | {"before": [one for one in was if one["hash"] != row["hash"]]}


# What changed


def problems(experiments: Iterable[Experiment]) -> Iterator[str]:
    """Claims of some experiments that are not those that were judged."""
    for home, ids in _by_home(experiments):
        yield from _problems(ids, home)


def _problems(wanted: set[str], home: Path) -> Iterator[str]:
    known = {_key(row): row for row in read(home)}
    claims = [claim for claim in claim_tables.every_claim() if claim.experiment in wanted]
    if claims and not known:
        yield f"{show(path(home))} is missing: {AGAIN}"
        return
    for claim in claims:
        row = known.pop((claim.paper, claim.id), None)
        if row is None:
            yield f"{claim.paper}: {claim.id} was never judged: {AGAIN}"
        elif row["hash"] != judging.fingerprint(claim):
            yield (
                f"{claim.paper}: {claim.id} says something else than when it was judged (hash"
                f" {judging.fingerprint(claim)}, then {row['hash']}): {AGAIN}"
            )
    for (paper, name), row in known.items():
        if row["experiment"] in wanted:
            yield f"{paper}: {name} was judged and is no claim now: {AGAIN}"


def rewritten(rows: Iterable[Row]) -> list[Row]:
    """Claims that were changed after they were first judged."""
    return [row for row in rows if row["before"]]


def text(rows: list[Row]) -> str:
    """The outcome of the claims of each paper, or of an experiment's own file, a line each."""
    lines = []
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        counts = [
            _counted(own, "conclusion", Conclusion),
            _counted(own, "number", NumberVerdict),
            _counted([one for one in own if one["basis"] != Basis.CALIBRATED], "cause", Cause),
        ]
        lines.append(f"{paper}: {len(own)} claims; {'; '.join(filter(None, counts))}")
    return "\n".join(lines)


def _counted(rows: list[Row], key: str, words: Iterable[str]) -> str:
    """A key of the lines with how many have each word."""
    found = ((sum(row[key] == word for row in rows), word) for word in words if word != "-")
    counts = ", ".join(f"{count} {word}" for count, word in found if count)
    return f"{key} {counts}" if counts else ""
