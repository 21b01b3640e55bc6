# SPDX-License-Identifier: GPL-2.0-only
"""The order of the rooms: each includes only those above it, and no paper another paper."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAPERS = {"afq", "drb", "trinity", "nimble", "mufab"}


def room_order(root: Path) -> list[str]:
    """The rooms from the ground up, as the top CMakeLists.txt has them."""
    modules = re.search(r"set\(SUITE_MODULES ([^)]+)\)", (root / "CMakeLists.txt").read_text())
    assert modules
    return modules[1].split()


def headers(root: Path) -> dict[str, str]:
    """The room of each header."""
    found: dict[str, str] = {}
    for path in sorted(root.glob("src/*/*/*.h")):
        assert path.name not in found, f"two headers are called {path.name}"
        found[path.name] = path.relative_to(root).parts[1]
    return found


def offences(root: Path) -> list[str]:
    """The includes that go against the order, or from one paper to another.

    Programs in src/ROOM/examples stand above all rooms; those in examples/ know no paper.
    """
    rooms, order = headers(root), room_order(root)
    found = []
    for path in sorted([*root.glob("src/*/*/*.[ch]*"), *root.glob("examples/*.cc")]):
        *_, room, folder, _ = ("", "", *path.relative_to(root).parts)
        for name in re.findall(r'^#include "(?:[^"]*/)?([^"/]+)"', path.read_text(), re.MULTILINE):
            included = rooms.get(name, room)
            foreign = included != room and included in PAPERS and room in {*PAPERS, ""}
            below = folder != "examples" and order.index(included) > order.index(room)
            if foreign or below:
                found.append(f"{path.relative_to(root)} includes {included}")
    return found


def test_rooms_include_only_those_above() -> None:
    assert offences(ROOT) == []


def circles(folder: Path) -> list[str]:
    """The sources of a folder that include one another in a circle, a header and its .cc as one."""
    includes: dict[str, set[str]] = {}
    for path in sorted(folder.glob("*.[ch]*")):
        named = re.findall(r'^#include "(?:ns3/)?([\w-]+)\.h"', path.read_text(), re.MULTILINE)
        includes.setdefault(path.stem, set()).update({*named} - {path.stem})
    known = {name: within & includes.keys() for name, within in includes.items()}
    try:
        TopologicalSorter(known).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("room", ["drb", "mufab", "trinity"])
def test_parts_do_not_know_what_they_are_parts_of(room: str) -> None:
    assert circles(ROOT / "src" / room / "model") == []


UNNAMED = re.compile(r"^namespace\n{\n(.*?)^} // namespace$", re.M | re.S)
DEFINED = re.compile(
    r"^(?:static )?(?:constexpr|const) [^=({;]*?(\w+)(?=\s*[={])|^(?:class|struct) (\w+)\b(?!;)",
    re.M,
)


@pytest.mark.parametrize("folders", [("model", "helper"), ("test",)], ids=["library", "suites"])
def test_sources_of_a_room_name_constants_and_classes_apart(folders: tuple[str, ...]) -> None:
    """A build that takes several sources at once sees their unnamed namespaces as one."""
    places: dict[tuple[str, str], set[str]] = {}
    paths = [path for folder in folders for path in sorted(ROOT.glob(f"src/*/{folder}/*.cc"))]
    for path in paths:
        for inside in UNNAMED.findall(path.read_text()):
            for names in DEFINED.findall(inside):
                room = path.relative_to(ROOT).parts[1]
                places.setdefault((room, "".join(names)), set()).add(path.name)
    assert len(places) > 50
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_suites_name_their_classes_apart() -> None:
    """All suites are linked into one program, where two classes of a name would be one."""
    places: dict[str, list[str]] = {}
    for path in sorted(ROOT.glob("src/*/test/*.[ch]*")):
        text = re.sub(r"^namespace\n{.*?^} // namespace$", "", path.read_text(), flags=re.M | re.S)
        for name in re.findall(r"^(?:class|struct) (\w+)\b(?!;)", text, re.MULTILINE):
            places.setdefault(name, []).append(path.name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_every_room_is_in_the_order() -> None:
    assert {path.parent.name for path in ROOT.glob("src/*/CMakeLists.txt")} <= set(room_order(ROOT))


@pytest.mark.parametrize(
    ("file", "line", "told"),
    [
        ("src/low/model/a.h", '#include "ns3/c.h"', "includes afq"),
        ("src/low/test/a.cc", '#include "../../drb/test/d.h"', "includes drb"),
        ("src/afq/model/c.cc", '#include "ns3/d.h"', "includes drb"),
        ("src/drb/model/d.cc", '#include "ns3/c.h"', "includes afq"),
        ("src/drb/examples/e.cc", '#include "ns3/c.h"', "includes afq"),
        ("src/afq/model/c.cc", '#include "ns3/a.h"', None),
        ("src/afq/model/c.cc", '#include "c.h"', None),
        ("examples/e.cc", '#include "ns3/c.h"', "includes afq"),
        ("examples/e.cc", '#include "ns3/top.h"', None),
        ("src/afq/examples/e.cc", '#include "ns3/top.h"', None),
        ("src/afq/model/c.cc", '#include "ns3/top.h"', "includes scenario"),
        ("src/low/model/a.cc", '#include "ns3/object.h"', None),
    ],
)
def test_arrows_are_found(tmp_path: Path, file: str, line: str, told: str | None) -> None:
    (tmp_path / "CMakeLists.txt").write_text("set(SUITE_MODULES low afq drb scenario)\n")
    for name in (
        "low/model/a.h",
        "afq/model/c.h",
        "drb/test/d.h",
        "scenario/helper/top.h",
        "../" + file,
    ):
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(line + "\n" if name.startswith("..") else "\n")
    found = offences(tmp_path)
    if told is None:
        assert found == []
    else:
        assert len(found) == 1
        assert found[0].startswith(file)
        assert told in found[0]
