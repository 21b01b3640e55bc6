# SPDX-License-Identifier: GPL-2.0-only
"""The reference of the documents' site is made of what programs and metrics say; links lead on."""

import subprocess
from pathlib import Path

import pytest

from reproduce import docs, links
from reproduce.errors import UserError
from reproduce.metrics import METRICS
from reproduce.programs import Description

NUMBER = {"kind": "number", "allowed": "a number above 0", "help": "Rate of *each* link"}
KNOWN = Description(
    options={"load": NUMBER | {"default": "0.5"}},
    globals={},
    names={"ns3::Scheme": {"tcp": {"class": "ns3::TcpScheme"}}},
    classes={
        "ns3::Scheme": {"attributes": {"Queue": NUMBER | {"help": "", "default": ""}}},
        "ns3::TcpScheme": {
            "parent": "ns3::Scheme",
            "attributes": {"Rate": NUMBER | {"default": "10Gbps"}},
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
    names = {path.stem for path in pages.iterdir()}
    assert names == {"programs", "metrics", "schemes"}  # no topology is known
    programs = (pages / "programs.rst").read_text()
    assert "``load``" in programs and "absent" not in programs
    assert all(f"\n{name}\n---" in (pages / "metrics.rst").read_text() for name in METRICS)


def test_attributes_have_help_range_and_default(pages: Path) -> None:
    text = (pages / "schemes.rst").read_text()
    said = r"Rate of \*each\* link Allowed: a number above 0. Default: ``10Gbps``."
    assert f"``Rate``\n    {said}" in text
    # Inherited ones, too; and what says nothing of itself or is empty by default.
    assert "``Queue``\n    No description. Allowed: a number above 0. Default: empty." in text


def test_dead_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "other.txt").write_text("not HTML")
    (tmp_path.parent / "outside.html").write_text("<p>")
    (tmp_path / "sub" / "b.html").write_text('<p id="here">')
    fine = ["sub/b.html", "sub/b.html#here", "#top", "other.txt", "https://ns.org/x#y", "mailto:x"]
    dead = ["absent.html", "sub/b.html#gone", "#gone", "sub", "../outside.html"]
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

    for name in ("_install", "write_reference"):
        monkeypatch.setattr(docs, name, lambda: None)
    monkeypatch.setattr(docs, "doxygen", lambda folder: None)
    monkeypatch.setattr(docs.build, "build", lambda names: None)
    monkeypatch.setattr(docs.subprocess, "run", sphinx)
    if link == "page.html":
        assert docs.run(tmp_path) == 0
        return
    with pytest.raises(UserError, match="links of the site that lead nowhere: 1; see above"):
        docs.run(tmp_path)
    assert "page.html: absent.html\n" in capsys.readouterr().err
