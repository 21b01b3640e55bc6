# SPDX-License-Identifier: GPL-2.0-only
"""Numbers on pages that come from tables: a comment under the text names the source of each.

A comment has one line per number, `{{EXPERIMENT: METRIC of SCHEME at ARGUMENT=VALUE as .2f}}`, with
what reproduce/findings.py allows after the colon. The text above it has the number.
"""

import re
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import findings, verdicts

GIVEN = verdicts.Tables(ROOT / "results")
COMMENT = re.compile(r"^( *)\.\.\n((?:\1 +\{\{.*\}\}\n)+)", re.M)
SOURCE = re.compile(r"\{\{[\w-]+: ")
PAGES = [page for page in sorted(ROOT.glob("src/*/doc/*.rst")) if SOURCE.search(page.read_text())]


def text_above(page: str, end: int) -> str:
    """The paragraph, bullet or cell of a table that ends where a comment begins."""
    lines = page[:end].rstrip().split("\n")
    begin = len(lines)
    while begin and lines[begin - 1].strip():
        begin -= 1
        if re.match(r" *[*-] ", lines[begin]):
            break
    return " ".join(" ".join(lines[begin:]).split())


def missing(page: str) -> list[str]:
    """The numbers that comments name and the text above them has not, with that text."""
    found = []
    for comment in COMMENT.finditer(page):
        text = text_above(page, comment.start())
        for source in findings.PLACEHOLDER.findall(comment[2]):
            name, _, wanted = source.partition(": ")
            experiment = GIVEN.experiments[name]
            quantity = findings.Quantity.read(wanted, experiment, "quick")
            number = quantity.text(GIVEN, experiment)
            if not re.search(rf"(?<![\d.,]){re.escape(number)}(?![.,]?\d)", text):
                found.append(f"{source} is {number}, not in: {text}")
    return found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_numbers_of_pages_are_those_of_tables(path: Path) -> None:
    page = path.read_text()
    read = sum(len(findings.PLACEHOLDER.findall(one[2])) for one in COMMENT.finditer(page))
    assert read == len(SOURCE.findall(page)), (
        "a source that is not on a line of a comment by itself"
    )
    assert not missing(page)


def test_a_number_that_is_not_that_of_its_table_is_told() -> None:
    source = "{{afq-readings: short_mean of afq over afq at load=0.9 as .2f}}"
    page = "The mean is 7.00.\n\n* It is %s here\n  and 7.0 there.\n\n  ..\n     " + source + "\n"
    assert missing(page % "1.00") == []
    assert missing(page % "11.00") == [
        f"{source[2:-2]} is 1.00, not in: * It is 11.00 here and 7.0 there."
    ]
