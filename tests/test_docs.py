# SPDX-License-Identifier: GPL-2.0-only
"""The reference of the documents' site is made of what programs and metrics say."""

from pathlib import Path

import pytest

from reproduce import docs
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
