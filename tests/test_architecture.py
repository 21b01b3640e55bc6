# SPDX-License-Identifier: GPL-2.0-only
"""The map (doc/architecture.md) against the house: rooms, classes, files and their lengths."""

import re
from pathlib import Path

from tests.test_rooms import ROOT, room_order

TEXT = (ROOT / "doc/architecture.md").read_text()
QUOTED = re.findall(r"`([^`\n]+)`", TEXT)
CLASS = re.compile(
    r"^(?:template .*\n)?\s*(?:class|struct) (?:alignas\(\d+\) )?(\w+)\b(?!;)", re.MULTILINE
)


def classes() -> set[str]:
    """Names of the library's classes and of those in reproduce/."""
    files = [*ROOT.glob("src/*/*/*.h"), *ROOT.glob("src/*/model/*-recorder.cc")]
    files += ROOT.glob("reproduce/*.py")
    return {name for path in files for name in CLASS.findall(path.read_text())}


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_every_room_has_its_place() -> None:
    rooms = re.findall(r"`src/(\w+)`", TEXT.split("## The way of a packet")[0])
    assert rooms == room_order(ROOT)


def test_classes_that_are_named_exist() -> None:
    named = {word.split("::")[0] for word in QUOTED if re.fullmatch(r"[A-Z][a-z]\w+(::\w+)?", word)}
    assert len(named) > 25
    assert named - classes() == {"SimulatorImpl"}  # that one is ns-3's


def test_files_that_are_named_exist() -> None:
    files = [word for word in QUOTED if "/" in word and "PAPER" not in word and "=" not in word]
    assert [word for word in files if not (ROOT / word).exists()] == []


def test_lengths_are_those_of_the_files() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| (\d+) \|$", TEXT, re.MULTILINE)
    assert len(rows) > 10
    found = {
        row[0]: sum(lines(ROOT / path) for path in re.findall(r"`([^`]+)`", row[0])) for row in rows
    }
    assert [
        (files, told, found[files])
        for files, told in rows
        if abs(int(told) - found[files]) > 0.1 * found[files]
    ] == []


def test_a_way_names_eight_classes_at_most() -> None:
    for way in ("packet", "setting", "number"):
        steps = re.split(rf"## The way of a {way}\n", TEXT)[1].split("\n## ")[0]
        listed = "\n".join(re.findall(r"^\d\..*(?:\n   .*)*", steps, re.MULTILINE))
        assert 1 < len(set(re.findall(r"`([A-Z][a-z]\w+)`", listed))) <= 8, way
