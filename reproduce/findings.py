# SPDX-License-Identifier: GPL-2.0-only
"""Sentences whose numbers come from tables: an experiment's findings, a claim's reason.

    AFQ's short flows take {{short_mean of afq at load=0.7}} of an idle network's time, DCTCP's
    {{short_mean of dctcp over afq at load=0.7}} times as long; {{conclusion of afq-fig8-c2}}.

A number is a mean over seeds, or of the ratios of each seed; `as %` has it in percent, `as .3g` in
another form than two digits. A claim has `conclusion of ID` and `number of ID`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TYPE_CHECKING

from reproduce import judging
from reproduce.document import Problem
from reproduce.effects import NoValueError, Reader
from reproduce.errors import UserError, unknown
from reproduce.experiments import PROFILES, Experiment
from reproduce.statements import Claim, Entry, Number, Place, Side
from reproduce.statements import Quantity as Kind

if TYPE_CHECKING:
    from reproduce import verdicts

PLACEHOLDER = re.compile(r"\{\{\s*(.*?)\s*\}\}", re.S)
OF_RUNS = re.compile(
    r"(?P<metric>.+?) of (?P<scheme>\S+)(?: over (?P<over>\S+))?(?: at (?P<at>.+?))?"
    r"(?: as (?P<form>%|\.\d[gf]))?(?: in (?P<profile>quick|paper))?"
)
OF_CLAIM = re.compile(r"(?P<what>conclusion|number) of (?P<id>[a-z0-9-]+)")
ALLOWED = (
    "METRIC of SCHEME [over SCHEME] [at ARGUMENT=VALUE,...] [as %|.3g] [in quick|paper], "
    "conclusion of CLAIM, number of CLAIM"
)
NOTHING = "(not run)"
WORDS = 80


@dataclass(frozen=True)
class Quantity:
    """A number of the tables that a text asks for."""

    side: Side
    form: str  # % or as format() has it
    profile: str

    @classmethod
    def read(cls, text: str, experiment: Experiment) -> Quantity | None:
        """Reads a placeholder for a number of runs; raises if a name is unknown."""
        found = OF_RUNS.fullmatch(" ".join(text.split()))
        if found is None:
            return None
        for scheme in filter(None, (found["scheme"], found["over"])):
            if scheme not in experiment.schemes:
                raise unknown("scheme", scheme, experiment.schemes)
        over = Side(found["over"], found["metric"]) if found["over"] else None
        profile = found["profile"] or PROFILES[0]
        at = _place(found["at"] or "", experiment, profile)
        side = Side(found["scheme"], found["metric"], at, over)
        return cls(side, found["form"] or ".2g", profile)

    def text(self, given: verdicts.Tables, experiment: Experiment) -> str:
        """The number in the text; raises NoValueError if there is none."""
        table = given.runs(experiment.id, self.profile)
        number = Number(Kind.VALUE, (Entry(self.side, "1"),))
        reader = Reader(Claim("", experiment.id, "", number=number), table)
        mean = judging.mean(reader.values(self.side, [{}]))
        if not math.isfinite(mean):
            raise NoValueError(f"no value: {self.side}")
        return f"{plain(100 * mean, '.2g')} %" if self.form == "%" else plain(mean, self.form)


def plain(value: float, form: str) -> str:
    """A number without an exponent."""
    text = format(value, form)
    return f"{Decimal(text):,f}" if "e" in text else text


def _place(written: str, experiment: Experiment, profile: str) -> Place:
    """The swept arguments of ARGUMENT=VALUE,...: what is not said must have one value."""
    swept = experiment.swept(profile)
    said = dict(word.partition("=")[::2] for word in written.split(",") if word)
    place = {}
    for argument, text in said.items():
        if argument not in swept:
            raise unknown("swept argument", argument, swept)
        meant = {str(value): value for value in swept[argument]}
        if text not in meant:
            raise unknown(f"value of {argument}", text, meant)
        place[argument] = meant[text]
    for argument, values in swept.items():
        if argument not in place and len(values) > 1:
            raise UserError(f"does not say {argument}; allowed: {', '.join(map(str, values))}")
    return place


def problems(experiment: Experiment, columns: Iterable[str] = ()) -> Iterator[Problem]:
    """The mistakes in what an experiment shows; with the columns of its table, or patterns of them,
    also metrics that are not there.
    """
    for text in mistakes(experiment.findings, experiment, columns):
        yield experiment.document.problem(("findings",), f"findings: {text}")


def mistakes(text: str, experiment: Experiment, columns: Iterable[str] = ()) -> Iterator[str]:
    """Placeholders that say nothing that is known, or do not end, and too many words."""
    rest = PLACEHOLDER.sub("1", text)
    if "{{" in rest or "}}" in rest:
        yield "a {{ without its }}, or the reverse"
    if (words := len(rest.split())) > WORDS:
        yield f"{words} words; allowed: {WORDS}, a placeholder counts as one"
    for asked in PLACEHOLDER.findall(text):
        try:
            quantity = None if OF_CLAIM.fullmatch(asked) else Quantity.read(asked, experiment)
            metric = quantity.side.metric if quantity else ""
            if metric and columns and not any(fnmatchcase(metric, one) for one in columns):
                raise unknown("metric", metric, columns)
            if not OF_CLAIM.fullmatch(asked) and not quantity:
                yield f"'{{{{{asked}}}}}' is not allowed; allowed: {ALLOWED}"
        except UserError as error:
            yield f"{{{{{asked}}}}}: {error}"


def with_numbers(
    sentences: str,
    experiment: Experiment,
    given: verdicts.Tables,
    rows: Mapping[str, verdicts.Row] = MappingProxyType({}),
) -> str:
    """The sentences with the numbers of tables and of claims' verdicts."""

    def number(found: re.Match[str]) -> str:
        text = " ".join(found[1].split())
        if of_claim := OF_CLAIM.fullmatch(text):
            row = rows.get(of_claim["id"])
            return str(row[of_claim["what"]]) if row else NOTHING
        try:
            quantity = Quantity.read(text, experiment)
            return quantity.text(given, experiment) if quantity else NOTHING
        except NoValueError:
            return NOTHING

    return PLACEHOLDER.sub(number, sentences).strip()
