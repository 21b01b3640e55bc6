# SPDX-License-Identifier: GPL-2.0-only
"""The reference of the documents' site is made of what programs and metrics say; links lead on."""

import inspect
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from reproduce import build, docs, links, papers, programs
from reproduce.curves import CURVES
from reproduce.errors import UserError
from reproduce.metrics import METRICS, unit
from reproduce.programs import Description

papers.load()
NUMBER = {"kind": "number", "allowed": "a number above 0", "help": "Rate of *each* link"}
TRACE = {"help": "An item is dropped, with the reason"}
CALLBACK = "ns3::FabricQueueDisc::ItemTracedCallback"
KNOWN = Description(
    options={"load": NUMBER | {"default": "0.5"}},
    globals={},
    names={
        "ns3::Scheme": {
            "tcp": {"class": "ns3::TcpScheme", "summary": "TCP over ECMP"},
            "bare": {"class": "ns3::Object"},
        }
    },
    classes={
        "ns3::Object": {"library": "libns3-core.so", "attributes": {}, "traces": {}},
        "ns3::Scheme": {
            "parent": "ns3::Object",
            "library": "libsuite-schemes.so",
            "attributes": {"Queue": NUMBER | {"help": "", "default": ""}},
            "traces": {},
        },
        "ns3::HostScheme": {"parent": "ns3::Scheme", "library": "", "attributes": {}, "traces": {}},
        "ns3::TcpScheme": {
            "parent": "ns3::HostScheme",
            "library": "libsuite-schemes.so",
            "attributes": {"Rate": NUMBER | {"default": "10Gbps"}},
            "traces": {"Lost": TRACE | {"callback": CALLBACK}},
        },
    },
)


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(docs, "REFERENCE", tmp_path / "reference")
    monkeypatch.setattr(docs.build, "scenarios", lambda: ["fct", "absent"])
    monkeypatch.setattr(docs.programs, "describe", {"fct": KNOWN, "absent": None}.get)
    docs.write_reference()
    return tmp_path / "reference"


def test_pages_say_what_there_is(pages: Path) -> None:
    names = {str(path.relative_to(pages)) for path in pages.rglob("*.rst")}
    known = ("programs", "metrics", "curves", "schemes", "trace-sources", "rooms/schemes")
    assert names == {f"{name}.rst" for name in known}  # no topology is known
    programs = (pages / "programs.rst").read_text()
    assert "``load``" in programs and "absent" not in programs
    assert all(f"\n{name}\n---" in (pages / "metrics.rst").read_text() for name in METRICS)
    assert all(f"\n{name}\n---" in (pages / "curves.rst").read_text() for name in CURVES)


def test_columns_of_metrics_have_their_units(pages: Path) -> None:
    text = (pages / "metrics.rst").read_text()
    assert "Columns: ``completion_ms`` (ms), ``unfinished``.\n" in text


@pytest.mark.parametrize("name", sorted(METRICS | CURVES))
def test_every_metric_and_curve_says_what_it_gives(name: str) -> None:
    for known in (METRICS, CURVES):
        if name in known:
            said = inspect.getdoc(known[name].function) or ""
            assert re.match(r"(?!The same)[A-Z`].*\.", said.replace("\n", " ")), f"{name}: {said}"


def test_no_column_of_time_or_rate_lacks_its_unit() -> None:
    """Those that have none are ratios or are listed as such by the metric."""
    measures = re.compile(r"(time|latency|fct|rtt|goodput|throughput|completion|window|queue)_")
    for name, metric in METRICS.items():
        said = inspect.getdoc(metric.function) or ""
        for column in metric.columns:
            if measures.match(column) and "*" not in column and "_over_" not in column:
                assert unit(column) or column in said, f"{name}: {column}"


def test_help_range_and_default_do_not_run_together(pages: Path) -> None:
    text = (pages / "rooms" / "schemes.rst").read_text()
    said = (
        "    Rate of \\*each\\* link.\n\n    *Allowed:* a number above 0; *default:* ``10Gbps``\n"
    )
    assert f"``Rate``\n{said}" in text
    said = "    No description.\n\n    *Allowed:* a number above 0; *default:* empty\n"
    assert f"``Queue``\n{said}" in text


def test_names_lead_to_the_attributes_of_their_classes(pages: Path) -> None:
    text = (pages / "schemes.rst").read_text()
    own, inherited = (f":ref:`{name} <class ns3::{name}>`" for name in ("TcpScheme", "Scheme"))
    assert f"``tcp``\n    TCP over ECMP. Attributes: {own}, {inherited}.\n" in text
    assert "``bare``\n    Attributes: none.\n" in text
    room = (pages / "rooms" / "schemes.rst").read_text()
    assert ".. _class ns3::TcpScheme:\n\nTcpScheme\n---------\n" in room
    assert f"It also has those of {inherited}.\n" in room


def test_trace_sources_have_help_and_the_form_of_callbacks(pages: Path) -> None:
    form = "``void (const FabricItem* item, const char* reason)``"  # as the header has it
    said = f"    An item is dropped, with the reason.\n\n    *Callback:* {form}\n"
    assert f"``Lost``\n{said}" in (pages / "rooms" / "schemes.rst").read_text()
    row = f"   * - :ref:`TcpScheme <class ns3::TcpScheme>` ``Lost``\n     - {TRACE['help']}.\n"
    assert f"{row}     - {form}\n" in (pages / "trace-sources.rst").read_text()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("such as file:links.csv", r"such as file\:links.csv"),
        ("see https://ns.org/x.html", "see https://ns.org/x.html"),
        ("two: of a kind", "two: of a kind"),
    ],
)
def test_words_with_a_colon_do_not_become_links(text: str, written: str) -> None:
    assert docs._escaped(text) == written


def test_a_class_is_introduced_as_its_header_has_it() -> None:
    said = docs._brief("ns3::DrrQueueDisc")
    assert said.endswith(".") and "*" not in said
    header = (ROOT / "src" / "fabric" / "model" / "drr-queue-disc.h").read_text()
    assert " ".join(said.split()[:4]).rstrip(".") in " ".join(header.replace(" * ", " ").split())
    assert docs._brief("ns3::Object") == ""


@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build")
def test_every_trace_source_names_a_callback_that_there_is() -> None:
    known = programs.describe("fct")
    traces = {
        (name, source): told["callback"]
        for classes in docs._rooms(known).values()
        for name in classes
        for source, told in known.classes[name]["traces"].items()
    }
    assert ("ns3::FabricQueueDisc", "ItemDrop") in traces
    of_ns3 = {"ns3::Packet::TracedCallback", "ns3::Time::TracedCallback"}
    assert {callback for callback in traces.values() if callback not in of_ns3} <= set(
        docs._signatures()
    )
    in_source = [
        match
        for path in ROOT.glob("src/*/model/*.cc")
        for match in re.findall(r'AddTraceSource\("(\w+)"', path.read_text())
    ]
    assert sorted(source for _, source in traces) == sorted(in_source)


def test_every_room_of_the_reference_is_linked_from_its_page() -> None:
    for page in ROOT.glob("src/*/doc/*.rst"):
        if page.stem == page.parent.parent.name and page.stem not in ("support", "kernel"):
            link = f":doc:`/doc/reference/rooms/{page.stem}`"
            assert link in page.read_text(), f"{page.name} does not say where its attributes are"


PAPERS = yaml.safe_load((ROOT / "CITATION.cff").read_text())["references"]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper["notes"])
def test_the_page_of_a_paper_links_to_it_and_has_a_figure(paper: dict[str, str]) -> None:
    module = paper["notes"].lower().replace("ufab", "mufab")
    page = ROOT / "src" / module / "doc" / f"{module}.rst"
    text = page.read_text()
    link = f"https://doi.org/{paper['doi']}" if "doi" in paper else paper["url"]
    assert f"<{link}>`__" in text
    figures = re.findall(r"^\.\. figure:: (\S+)", text, re.M)
    assert figures and all((page.parent / figure).is_file() for figure in figures)


@pytest.mark.parametrize(
    ("transport", "link"),
    [
        ("dcqcn", "https://doi.org/10.1145/2785956.2787484"),
        ("hpcc", "https://doi.org/10.1145/3341302.3342085"),
        ("mptcp", "https://www.rfc-editor.org/rfc/rfc8684"),
        ("swift", "https://doi.org/10.1145/3387514.3406591"),
    ],
)
def test_the_page_of_a_transport_links_to_what_it_implements(transport: str, link: str) -> None:
    page = ROOT / "src" / "transport" / "doc" / f"{transport}.rst"
    assert f"<{link}>`__" in page.read_text().split("Model Description")[0]


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "other.txt").write_text("not HTML")
    (tmp_path.parent / "outside.html").write_text("<p>")
    (tmp_path / "sub" / "b.html").write_text('<p id="here">')
    fine = ["sub/b.html", "sub/b.html#here", "#top", "other.txt", "https://ns.org/x#y", "mailto:x"]
    fine += ["//ns.org/x", "data:image/png;base64,AA=="]
    dead = ["absent.html", "sub/b.html#gone", "#gone", "sub", "../outside.html", "file:links.csv"]
    anchors = "".join(f'<a href="{link}">x</a>' for link in fine + dead)
    (tmp_path / "a.html").write_text(f'<h1 id="top">{anchors}<img src="gone.png">')
    assert list(links.dead(tmp_path)) == [f"a.html: {link}" for link in [*dead, "gone.png"]]


@pytest.mark.parametrize("link", ["page.html", "absent.html"])
def test_a_dead_link_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, link: str
) -> None:
    def sphinx(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess:
        (tmp_path / "html").mkdir()
        (tmp_path / "html" / "page.html").write_text(f'<a href="{link}">')
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(docs.packages, "install", lambda purpose: None)
    for name in ("write_reference", "draw_results"):
        monkeypatch.setattr(docs, name, lambda: None)
    monkeypatch.setattr(docs.illustrations, "draw", lambda folder: None)
    monkeypatch.setattr(docs, "doxygen", lambda folder: None)
    monkeypatch.setattr(docs.build, "build", lambda names: None)
    monkeypatch.setattr(docs.subprocess, "run", sphinx)
    if link == "page.html":
        assert docs.run(tmp_path) == 0
        return
    with pytest.raises(UserError, match="links of the site that lead nowhere: 1; see above"):
        docs.run(tmp_path)
    assert "page.html: absent.html\n" in capsys.readouterr().err
