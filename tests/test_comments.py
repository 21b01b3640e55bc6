# SPDX-License-Identifier: GPL-2.0-only
"""Doc comments say first what a thing is or does: none begins with a question word."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
QUESTION = r"(?:What|Who|Whose|Whom|Whether|How|Where|When|Which|Why)\b"
BEGINNING = re.compile(  # of a comment of doxygen's, or of what it says of a parameter
    rf"(?:@brief|@return|@t?param(?: \[out\])? \w+|//[/!]<)\s+{QUESTION}"
    rf"|^\s*///\s+{QUESTION}",
    re.IGNORECASE,
)


def cxx(text: str) -> Iterator[str]:
    """The lines of a C++ file at which a doc comment begins with a question word."""
    former = ""
    for line in text.splitlines():
        goes_on = former.lstrip().startswith("/// ") and line.lstrip().startswith("/// ")
        if BEGINNING.search(line) and not (goes_on and "@" not in line):
            yield line.strip()
        former = line


def python(text: str) -> Iterator[str]:
    """The docstrings of a Python file that begin with a question word, by their first lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            written = ast.get_docstring(node) or ""
            if re.match(QUESTION, written):
                yield written.splitlines()[0]


@pytest.mark.parametrize("folder", ["src", "examples", "scratch", "benchmarks"])
def test_comments_in_cxx(folder: str) -> None:
    found = {path: list(cxx(path.read_text())) for path in (ROOT / folder).rglob("*.[ch]*")}
    assert {str(path): lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize("folder", ["reproduce", "tests"])
def test_docstrings(folder: str) -> None:
    found = {path: list(python(path.read_text())) for path in (ROOT / folder).rglob("*.py")}
    assert {str(path): lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("/// Whether it waits.\nbool waits;", 1),
        (" * @brief What waits.\n", 1),
        ("int m_a; //!< how many\n", 1),
        (" * @param a what it is\n * @return whether so\n", 2),
        ("/// Bytes that wait. They count\n/// when full.\n", 0),
        (" * The first sentence.\n *\n * What follows.\n", 0),
        ("int m_a; //!< number of packets\n", 0),
    ],
)
def test_what_is_found(text: str, count: int) -> None:
    assert len(list(cxx(text))) == count
