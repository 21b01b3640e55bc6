# SPDX-License-Identifier: GPL-2.0-only
"""./repro docs: the documents as a site, with a reference made from what the programs say.

Sphinx reads the documents where they stand. What a program, a class, a recorder or a metric offers
is written to doc/reference/ at every call, so it cannot be out of date, and the notebook is
executed. With Doxygen on the PATH the C++ classes are there, too. A link within the site that leads
nowhere is an error.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

from reproduce import build, links, programs
from reproduce.errors import UserError
from reproduce.metrics import METRICS
from reproduce.paths import HOME, show

REFERENCE = HOME / "doc" / "reference"
REQUIREMENTS = HOME / "requirements-docs.txt"
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


def run(out: Path) -> int:
    """Builds the site in a folder; every warning of Sphinx and every dead link is an error."""
    _install()
    build.build(build.scenarios())
    write_reference()
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


def _install() -> None:
    """Sphinx and what it needs, if they are absent."""
    if all(find_spec(name) for name in ("sphinx", "breathe", "furo", "myst_nb", "ipykernel")):
        return
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", str(REQUIREMENTS)]).returncode:
        raise UserError(f"pip could not install {show(REQUIREMENTS)}")


def write_reference() -> None:
    """Writes the pages that are made from the programs and from the metrics."""
    shutil.rmtree(REFERENCE, ignore_errors=True)
    REFERENCE.mkdir()
    known = {name: programs.describe(name) for name in build.scenarios()}
    described = {name: each for name, each in known.items() if each}
    pages = {"programs": _programs(described), "metrics": _metrics()}
    everything = programs.Description({}, {}, {}, {})
    for each in described.values():
        for base, names in each.names.items():
            everything.names.setdefault(base, {}).update(names)
        everything.classes.update(each.classes)
    for title, base in KINDS.items():
        if base in everything.names:
            pages[title.lower().replace(" ", "-")] = _kind(title, base, everything)
    for name, lines in pages.items():
        (REFERENCE / f"{name}.rst").write_text("\n".join(lines) + "\n")


def _title(text: str, line: str = "=") -> Iterator[str]:
    yield from (text, line * len(text), "")


def _literal(text: str) -> str:
    """Inline code, or what stands for nothing."""
    return f"``{text}``" if text.strip() else "empty"


def _escaped(text: str) -> str:
    return re.sub(r"([\\*`|_<>])", r"\\\1", " ".join(text.split()))


def _forms(forms: dict[str, programs.Form]) -> Iterator[str]:
    """Options or attributes as a definition list."""
    for name, form in forms.items():
        yield f"{_literal(name)}"
        said = _escaped(form["help"]) or "No description."
        allowed, default = _escaped(form["allowed"]), _literal(form["default"])
        yield f"    {said} Allowed: {allowed}. Default: {default}."
        yield ""


def _programs(described: dict[str, programs.Description]) -> list[str]:
    lines = [*_title("Programs and their options")]
    lines += ["Each is run by ``./repro sim NAME -- --option=value ...``.", ""]
    for name, each in described.items():
        lines += [*_title(name, "-"), *_forms(each.options)]
    return lines


def _kind(title: str, base: str, known: programs.Description) -> list[str]:
    lines = [*_title(title)]
    lines += ["Written ``name:Attribute=value,Attribute=value`` on a command line.", ""]
    for name, entry in sorted(known.names[base].items()):
        lines += [*_title(name, "-"), f"Class ``{entry['class']}``.", ""]
        lines += _forms(known.attributes(entry["class"]))
    return lines


def _metrics() -> list[str]:
    lines = [*_title("Metrics of experiment files")]
    for name, metric in sorted(METRICS.items()):
        said = inspect.getdoc(metric.function) or "No description."
        lines += [*_title(name, "-"), *said.splitlines(), ""]
        lines += [f"Columns: {', '.join(_literal(column) for column in metric.columns)}.", ""]
    return lines


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
