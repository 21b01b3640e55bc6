# SPDX-License-Identifier: GPL-2.0-only
"""Sentences whose numbers come from tables: an experiment's findings, a claim's reason.

    AFQ's short flows take {{short_mean of afq at load=0.7}} of an idle network's time, DCTCP's
    {{short_mean of dctcp over afq at load=0.7}} times as long.

A number is a mean over seeds, or of the ratios of each seed; `as %` has it in percent, `as .3g` in
another form than two digits. It is of the profile that follows `in`; else a finding's is quick's,
a reason's that by which its claim is judged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
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
ALLOWED = "METRIC of SCHEME [over SCHEME] [at ARGUMENT=VALUE,...] [as %|.3g] [in quick|paper]"
NOTHING = "(not run)"
WORDS = 80


@dataclass(frozen=True)
class Quantity:
    """A number of the tables that a text asks for."""

    side: Side
    form: str  # % or as format() has it
    profile: str

    @classmethod
    def read(cls, text: str, experiment: Experiment, profile: str) -> Quantity:
        """Reads a placeholder, of a profile if it names none; raises if a name is unknown."""
        found = OF_RUNS.fullmatch(" ".join(text.split()))
        if found is None:
            raise UserError(f"is not allowed; allowed: {ALLOWED}")
        for scheme in filter(None, (found["scheme"], found["over"])):
            if scheme not in experiment.schemes:
                raise unknown("scheme", scheme, experiment.schemes)
        over = Side(found["over"], found["metric"]) if found["over"] else None
        profile = found["profile"] or profile
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
    """The mistakes in an experiment's findings."""
    for text in mistakes(experiment.findings, experiment, columns, PROFILES[:1]):
        yield experiment.document.problem(("findings",), f"findings: {text}")


def mistakes(
    text: str,
    experiment: Experiment,
    columns: Iterable[str] = (),
    profiles: Iterable[str] = PROFILES,
) -> Iterator[str]:
    """Placeholders that say nothing that is known, or do not end, and too many words.

    A number is known if one of the profiles has it. With the columns of tables, or patterns of
    them, its metric is looked for, too.
    """
    rest = PLACEHOLDER.sub("1", text)
    if "{{" in rest or "}}" in rest:
        yield "a {{ without its }}, or the reverse"
    if (words := len(rest.split())) > WORDS:
        yield f"{words} words; allowed: {WORDS}, a placeholder counts as one"
    for asked in PLACEHOLDER.findall(text):
        found = [_mistake(asked, experiment, columns, profile) for profile in profiles]
        if all(found):
            yield f"{{{{{asked}}}}}: {found[0]}"


def _mistake(asked: str, experiment: Experiment, columns: Iterable[str], profile: str) -> str:
    """The mistake in a placeholder, if its number is of this profile; else empty."""
    try:
        metric = Quantity.read(asked, experiment, profile).side.metric
        if columns and not any(fnmatchcase(metric, one) for one in columns):
            raise unknown("metric", metric, columns)
    except UserError as error:
        return str(error)
    return ""


def with_numbers(
    text: str, experiment: Experiment, given: verdicts.Tables, profile: str = PROFILES[0]
) -> str:
    """The text with the numbers of an experiment's tables, `(not run)` for those not there."""

    def number(found: re.Match[str]) -> str:
        try:
            return Quantity.read(found[1], experiment, profile).text(given, experiment)
        except (NoValueError, UserError):  # not in this profile, or with other seeds per scheme
            return NOTHING

    return PLACEHOLDER.sub(number, text).strip()


def without_numbers(text: str) -> str:
    """The text of what has no tables."""
    return PLACEHOLDER.sub(NOTHING, text)
