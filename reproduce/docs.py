# SPDX-License-Identifier: GPL-2.0-only
"""./repro docs: the documents as a site, with a reference made from what the programs say.

Sphinx reads the documents where they stand. What a program, a class, a recorder or a metric offers
is written to doc/reference/ at every call, so it cannot be out of date, as are the figures that no
experiment draws, and the notebook is executed. With Doxygen on the PATH the C++ classes are there,
too. A link within the site that leads nowhere is an error.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from reproduce import build, drawing, illustrations, links, packages, programs, report
from reproduce.curves import CURVES
from reproduce.errors import UserError
from reproduce.experiments import PROFILES
from reproduce.metrics import METRICS, unit
from reproduce.paths import HOME, show

REFERENCE = HOME / "doc" / "reference"
# What a user names on the command line, by the class that all of a kind derive from.
KINDS = {
    "Schemes": "ns3::Scheme",
    "Topologies": "ns3::Topology",
    "Transports": "ns3::Transport",
    "Workloads": "ns3::Workload",
    "Recorders": "ns3::Recorder",
    "Queue disciplines": "ns3::FabricQueueDisc",
    "Path selectors": "ns3::PathSelector",
}
TRACING = """\
Connect a function of the stated form by
``object->TraceConnectWithoutContext("Name", MakeCallback(&Function))``; the chapter
:doc:`/src/fabric/doc/fabric` tells how it gets the packet of a ``FabricItem``. What derives from a
class of ns-3 has its trace sources, too: in stock programs a discipline has those of
``ns3::QueueDisc``, and a sender of :doc:`/src/transport/doc/lean-tcp` has a state with those of
``ns3::TcpSocketState``, such as its window.
"""
METRICS_TEXT = """\
An experiment names metrics under ``metrics``. Their columns are those of its table; a plot names
one as its ``metric``. In a column, ``*`` stands for anything and ``[0-9]`` for a digit. The
columns of ``results`` are what a program wrote into ``run.json`` itself: ``./repro sim`` shows
them, and ``./repro compare --metrics`` takes their names.

The unit of a column, in parentheses, is the last word of its name; one without is a number of
something or a ratio. A KB has 1000 bytes, an MB as many KB, unless the metric says otherwise.
"""
CURVES_TEXT = """\
A plot of the kind ``curve`` names one as its ``curve``. A curve is taken from the files of each
run, not from the table of an experiment.
"""


def run(out: Path) -> int:
    """Builds the site in a folder; every warning of Sphinx and every dead link is an error."""
    packages.install("docs")
    build.build(build.scenarios())
    write_reference()
    illustrations.draw(REFERENCE / "figures")
    draw_results()
    xml = doxygen(out / "doxygen")
    environment = os.environ | {"PYTHONPATH": str(HOME)}  # for the notebook
    environment |= {"SUITE_DOXYGEN_XML": str(xml)} if xml else {}
    html = out / "html"
    shutil.rmtree(html, ignore_errors=True)  # pages that are no more, sidebars that Sphinx keeps
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
    command += ["-c", HOME / "doc", "-d", out / "doctrees", "-b", "html", HOME, html]
    if subprocess.run([str(word) for word in command], env=environment).returncode:
        raise UserError("the documents have errors; see above")
    if dead := list(links.dead(html)):
        print(*dead, sep="\n", file=sys.stderr)
        raise UserError(f"links of the site that lead nowhere: {len(dead)}; see above")
    start = '<meta http-equiv="refresh" content="0; url=doc/index.html">\n'
    (html / "index.html").write_text(start)
    if xml is None:
        print("without the C++ classes: doxygen is not installed", file=sys.stderr)
    print(show(html / "index.html"))
    return 0


def draw_results() -> None:
    """Draws the figures that are absent or out of date, and writes the report."""
    for profile in PROFILES:
        if names := drawing.outdated(profile):
            drawing.draw(names, profile, "png", None)
    report.write_report()


def write_reference() -> None:
    """Writes the pages that are made from the programs and from the metrics."""
    shutil.rmtree(REFERENCE, ignore_errors=True)
    (REFERENCE / "rooms").mkdir(parents=True)
    described = {name: each for name in build.scenarios() if (each := programs.describe(name))}
    known = _merge(described.values())
    rooms = _rooms(known)
    pages = {"programs": _programs(described), "metrics": _metrics(), "curves": _curves()}
    pages["trace-sources"] = _trace_sources(rooms, known)
    for title, base in KINDS.items():
        if base in known.names:
            pages[title.lower().replace(" ", "-")] = _kind(title, base, known)
    for room, classes in rooms.items():
        pages[f"rooms/{room}"] = _room(room, classes, known)
    for name, lines in pages.items():
        (REFERENCE / f"{name}.rst").write_text("\n".join(lines) + "\n")


def _merge(described: Iterable[programs.Description]) -> programs.Description:
    """Merges what the programs know; options are each program's own."""
    everything = programs.Description({}, {}, {}, {})
    for each in described:
        for base, names in each.names.items():
            everything.names.setdefault(base, {}).update(names)
        everything.classes.update(each.classes)
    return everything


def _room_of(described: dict[str, Any]) -> str | None:
    """The room on whose page a class is: those of the suite with attributes or trace sources."""
    library = Path(described.get("library", "")).stem.removeprefix("lib")
    if not library.startswith("suite-") or not (described["attributes"] or described["traces"]):
        return None
    room = library.removeprefix("suite-")
    return "scratch" if room.startswith("own-") else room


def _rooms(known: programs.Description) -> dict[str, list[str]]:
    """Room -> its classes that have a section on the room's page."""
    found: dict[str, list[str]] = {}
    for name, described in sorted(known.classes.items()):
        if room := _room_of(described):
            found.setdefault(room, []).append(name)
    return dict(sorted(found.items()))


def _title(text: str, line: str = "=") -> Iterator[str]:
    yield from (text, line * len(text), "")


def _literal(text: str) -> str:
    """Inline code, or what stands for nothing."""
    return f"``{text}``" if text.strip() else "empty"


def _escaped(text: str) -> str:
    said = re.sub(r"([\\*`|_<>])", r"\\\1", " ".join(text.split()))
    return re.sub(r"\b([a-z]+):(?=[a-z])", r"\1\\:", said)  # name:attribute is no address


def _sentence(text: str) -> str:
    """Help as a sentence of its own."""
    said = _escaped(text) or "No description"
    return said if said.endswith((".", "!", "?")) else f"{said}."


def _forms(forms: dict[str, programs.Form]) -> Iterator[str]:
    """Options or attributes as a definition list: what each is for, then what it can be."""
    for name, form in forms.items():
        yield f"{_literal(name)}"
        yield f"    {_sentence(form['help'])}"
        yield ""
        default = _literal(form["default"])
        yield f"    *Allowed:* {_escaped(form['allowed'])}; *default:* {default}"
        yield ""


def _class(name: str) -> str:
    """A link to the section of a class."""
    return f":ref:`{name.removeprefix('ns3::')} <class {name}>`"


def _sections(name: str, known: programs.Description) -> list[str]:
    """Links to the sections of a class and of those that it derives from, where there is one."""
    described = known.classes.get(name)
    if described is None:
        return []
    own = [_class(name)] if _room_of(described) else []
    return own + _sections(described.get("parent", ""), known)


def _room(room: str, classes: list[str], known: programs.Description) -> list[str]:
    """The classes of a room with their own attributes and trace sources."""
    lines = [*_title(f"Attributes and trace sources: {room}")]
    if (HOME / "src" / room / "doc" / f"{room}.rst").exists():
        lines += [f"They are explained in :doc:`/src/{room}/doc/{room}`.", ""]
    for name in classes:
        each = known.classes[name]
        lines += [f".. _class {name}:", "", *_title(name.removeprefix("ns3::"), "-")]
        if brief := _brief(name):
            lines += [_escaped(brief), ""]
        if parents := _sections(each.get("parent", ""), known):
            lines += [f"It also has those of {', '.join(parents)}.", ""]
        lines += _forms(each["attributes"])
        if each["traces"]:
            lines += [".. rubric:: Trace sources", ""]
        for source, told in each["traces"].items():
            lines += [_literal(source), f"    {_sentence(told['help'])}", ""]
            lines += [f"    *Callback:* {_literal(_signature(told['callback']))}", ""]
    return lines


def _trace_sources(rooms: dict[str, list[str]], known: programs.Description) -> list[str]:
    """All trace sources in one table."""
    lines = [*_title("Trace sources"), *TRACING.splitlines(), ""]
    lines += [".. list-table::", "   :header-rows: 1", "   :widths: 30 40 30", ""]
    rows = [("Class and trace source", "Tells of", "Callback")]
    for name in (name for classes in rooms.values() for name in classes):
        for source, told in known.classes[name]["traces"].items():
            link = f"{_class(name)} {_literal(source)}"
            rows.append((link, _sentence(told["help"]), _literal(_signature(told["callback"]))))
    for row in rows:
        lines += [f"   {'  -' if column else '* -'} {text}" for column, text in enumerate(row)]
    return lines


@cache
def _briefs() -> dict[str, str]:
    """The first sentence of what each class of a header of the suite is documented to be."""
    found = {}
    comment = r"/\*\*((?:(?!\*/).)*?)\*/\s*class (?:alignas\(\d+\) )?(\w+)\b(?!;)"
    for header in HOME.glob("src/*/model/*.h"):
        for text, name in re.findall(comment, header.read_text(), re.S):
            plain = " ".join(re.sub(r"^ *\*", "", text, flags=re.M).split())
            if brief := re.search(r"@brief (.+?\.)(?= |$)", plain):
                found[f"ns3::{name}"] = brief[1]
    return found


def _brief(name: str) -> str:
    """The brief description of a class in its header; nothing for one of ns-3."""
    return _briefs().get(name, "")


@cache
def _signatures() -> dict[str, str]:
    """The arguments of each type of callback that a header of the suite defines.

    A class can have the type from a base in the same header.
    """
    found = {}
    for header in HOME.glob("src/*/model/*.h"):
        text = header.read_text()
        owners = re.findall(r"^class (?:alignas\(\d+\) )?(\w+)\b(?!;)", text, re.M)
        for name, given in re.findall(r"typedef void \(\*(\w+)\)\(([^;]*)\);", text):
            said = " ".join(given.split())
            found |= {f"ns3::{owner}::{name}": said for owner in owners}
    return found


def _signature(callback: str) -> str:
    """The arguments of a callback; the name of its type if that is ns-3's."""
    known = _signatures()
    return f"void ({known[callback]})" if callback in known else callback


def _programs(described: dict[str, programs.Description]) -> list[str]:
    lines = [*_title("Programs and their options")]
    lines += ["Each is run by ``./repro sim NAME -- --option=value ...``.", ""]
    for name, each in described.items():
        lines += [*_title(name, "-"), *_forms(each.options)]
    return lines


def _kind(title: str, base: str, known: programs.Description) -> list[str]:
    """Lists the names of a kind, with a link to the attributes of each."""
    lines = [*_title(title)]
    lines += ["Written ``name:Attribute=value,Attribute=value`` on a command line.", ""]
    for name, entry in sorted(known.names[base].items()):
        said = [_sentence(entry["summary"])] if "summary" in entry else []
        said += [f"Row: {_literal(entry['spec'])}."] if "spec" in entry else []
        classes = ", ".join(_sections(entry["class"], known)) or "none"
        lines += [_literal(name), f"    {' '.join([*said, f'Attributes: {classes}.'])}", ""]
    return lines


def _metrics() -> list[str]:
    lines = [*_title("Metrics"), *METRICS_TEXT.splitlines(), ""]
    for name, metric in sorted(METRICS.items()):
        lines += [*_title(name, "-"), *_said(metric.function), ""]
        columns = (
            _literal(each) + (f" ({unit(each)})" if unit(each) else "") for each in metric.columns
        )
        lines += [f"Columns: {', '.join(columns)}.", ""]
    return lines


def _curves() -> list[str]:
    lines = [*_title("Curves"), *CURVES_TEXT.splitlines(), ""]
    for name, each in sorted(CURVES.items()):
        lines += [*_title(name, "-"), *_said(each.function), ""]
    return lines


def _said(function: Callable) -> list[str]:
    """The documented return value of a function."""
    return (inspect.getdoc(function) or "No description.").splitlines()


def doxygen(folder: Path) -> Path | None:
    """Doxygen's XML of the rooms' headers and a page per room for Breathe; none without Doxygen."""
    if not shutil.which("doxygen"):
        return None
    headers = [*HOME.glob("src/*/model/*.h"), *HOME.glob("src/*/helper/*.h")]
    folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "PROJECT_NAME": "suite",
        "INPUT": " ".join(f'"{path}"' for path in sorted(headers)),
        "OUTPUT_DIRECTORY": f'"{folder}"',
        "STRIP_FROM_PATH": f'"{HOME}"',
        "GENERATE_HTML": "NO",
        "GENERATE_LATEX": "NO",
        "GENERATE_XML": "YES",
        "QUIET": "YES",
        "WARNINGS": "NO",
        "WARN_IF_UNDOCUMENTED": "NO",
        "WARN_IF_DOC_ERROR": "NO",
        "EXTRACT_ALL": "YES",
        "MACRO_EXPANSION": "YES",
    }
    file = folder / "Doxyfile"
    file.write_text("".join(f"{key} = {value}\n" for key, value in settings.items()))
    if subprocess.run(["doxygen", str(file)]).returncode:
        raise UserError("doxygen failed; see above")
    for room, classes in _classes(folder / "xml").items():
        lines = [*_title(f"C++ classes of {room}")]
        for kind, name in sorted(classes):
            lines += [f".. doxygen{kind}:: {name}", "   :members:", ""]
        (REFERENCE / f"api-{room}.rst").write_text("\n".join(lines) + "\n")
    return folder / "xml"


def _classes(xml: Path) -> dict[str, list[tuple[str, str]]]:
    """Room -> kind and name of each class that is not within another."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in [*xml.glob("class*.xml"), *xml.glob("struct*.xml")]:
        compound = ElementTree.parse(path).getroot().find("compounddef")
        place = compound.find("location") if compound is not None else None
        if compound is None or place is None:
            continue
        name = compound.findtext("compoundname", "")
        if re.fullmatch(r"(ns3::)?\w+", name) and place.get("file", "").startswith("src/"):
            room = place.get("file", "").split("/")[1]
            found.setdefault(room, []).append((compound.get("kind", "class"), name))
    return found
