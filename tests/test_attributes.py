# SPDX-License-Identifier: GPL-2.0-only
"""Every attribute of the library is set somewhere, and pages set none that does not exist."""

import re
from pathlib import Path

from tests.test_rooms import ROOT

DECLARED = re.compile(
    r'AddAttribute\(\s*"(\w+)",(?:\s*"(?:[^"\\]|\\.)*")*,?\s*(TypeId::ATTR_GET,)?'
)
FORMER = re.compile(r"^static const FormerSettings .*?^};", re.MULTILINE | re.DOTALL)
# "Name" in C++ and Python, Name=value in a spec, Name: value in YAML.
SET = re.compile(r'"(?:\w+::)*(\w+)"|\b(\w+)(?:=|: )')
USERS = (
    "experiments/**/*.yaml",
    "examples/**/*.*",
    "scratch/**/*.*",
    "benchmarks/**/*.*",
    "src/*/examples/*.cc",
    "src/*/test/*.*",
    "tests/*.py",
    "src/*/model/*-schemes.cc",
)
# Name=value in a spec, "Name": value in JSON, as pages write what to set.
SET_IN_PAGE = re.compile(r'(?<![\w.])([A-Z][a-z]+\w*)=[\w"{]|"([A-Z][a-z]+\w*)": ')
# Global values, and what host models add by a function of their own.
OTHERWISE = re.compile(r'(?:GlobalValue \w+|\badd)\(\s*"(\w+)"')
PAGES = ("*.md", "doc/*.md", "doc/*.rst", "src/*/doc/*.rst")  # doc/reference is made anew
OF_NS3 = {
    "RngRun",
    "SchedulerType",
    "SimulatorImplementationType",
    "DctcpAlphaOnInit",
    "MinTh",
    "MaxTh",
}
OF_NONE = {"Attribute", "Dns3_DIR"}  # the form of a specification, and CMake


def declared(root: Path) -> dict[str, set[str]]:
    """The names of attributes that can be set, with the files that declare them."""
    found: dict[str, set[str]] = {}
    for path in sorted(root.glob("src/*/*/*.cc")):
        for name, readonly in DECLARED.findall(path.read_text()):
            if path.parent.name in ("model", "helper") and not readonly:
                found.setdefault(name, set()).add(path.name)
    return found


def settings(root: Path) -> set[str]:
    """The words that are set to something."""
    words: set[str] = set()
    for pattern in USERS:
        for path in root.glob(pattern):
            text = FORMER.sub("", path.read_text())
            if path.suffix in (".cc", ".h"):
                text = re.sub(r"//.*", "", text)
            words.update(quoted or word for quoted, word in SET.findall(text))
    return words


def unused(root: Path) -> list[str]:
    """The attributes that nothing sets, with their files; events write them in small letters."""
    words = settings(root)
    return [
        f"{name} of {file}"
        for name, files in sorted(declared(root).items())
        for file in sorted(files)
        if name not in words and not (file.endswith("-events.cc") and name.lower() in words)
    ]


def test_every_attribute_is_set_somewhere() -> None:
    assert unused(ROOT) == [], (
        "nothing sets these attributes: let a test or an experiment do so, or make each a constant"
    )


def unknown_in_pages(root: Path) -> list[str]:
    """The attributes that pages set and neither the suite, its exercises nor pages declare."""
    code = [path for pattern in USERS if pattern.endswith("*.*") for path in root.glob(pattern)]
    pages = [path for pattern in PAGES for path in root.glob(pattern)]
    code += root.glob("src/*/model/*.cc")
    known = OF_NS3 | OF_NONE
    for path in code + pages:
        if path.is_file():
            text = path.read_text()
            known.update(name for name, _ in DECLARED.findall(text))
            known.update(OTHERWISE.findall(text))
    return [
        f"{path.relative_to(root)}:{number}: {name}"
        for path in sorted(pages)
        if path.name != "CHANGELOG.md"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for name in map("".join, SET_IN_PAGE.findall(line))
        if name not in known and "NS_LOG" not in line
    ]


def test_pages_set_attributes_that_there_are() -> None:
    assert unknown_in_pages(ROOT) == [], "no class has these attributes"


def test_an_attribute_that_a_page_makes_up_is_found(tmp_path: Path) -> None:
    model = tmp_path / "src/room/model"
    model.mkdir(parents=True)
    (model / "part.cc").write_text('.AddAttribute("Known", "Is there", ...)\n')
    doc = tmp_path / "src/room/doc"
    doc.mkdir()
    (doc / "room.rst").write_text('``part:Known=1,Made=2``\n{"part": {"MadeUp": 3}}\n')
    generated = tmp_path / "doc/reference/rooms"
    generated.mkdir(parents=True)
    (generated / "room.rst").write_text('Of ns-3, in a page made anew: "Theirs": 1\n')
    assert unknown_in_pages(tmp_path) == [
        "src/room/doc/room.rst:1: Made",
        "src/room/doc/room.rst:2: MadeUp",
    ]


def test_an_attribute_that_nothing_sets_is_found(tmp_path: Path) -> None:
    model = tmp_path / "src/room/model"
    model.mkdir(parents=True)
    (model / "part.cc").write_text(
        '.AddAttribute("Idle",\n "Set by "\n "nothing", ...)\n'
        '.AddAttribute("Shown", "Read only", TypeId::ATTR_GET, ...)\n'
        '.AddAttribute("Written", "In a spec", ...).AddAttribute("Keyed", "In YAML", ...)\n'
    )
    (model / "part-events.cc").write_text('.AddAttribute("Rate", "Of an event", ...)\n')
    tests = tmp_path / "src/room/test"
    tests.mkdir()
    (tests / "part.cc").write_text('Make("part:Written=1", "rate=1Gbps"); // Idle=2\n')
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments/one.yaml").write_text("part: {Keyed: 2}\n")
    assert unused(tmp_path) == ["Idle of part.cc"]
