# SPDX-License-Identifier: GPL-2.0-only
"""The documents: links lead somewhere, and the commands they show work.

Every block marked `sh` in README.md, CONTRIBUTING.md and doc/ is run as it stands, in the project's
folder, unless a comment `<!-- not run: REASON -->` is above it. ./repro must have built (as
./repro test does before it starts these tests).
"""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "doc").glob("*.md"))]
BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\s+)?^ *```sh\n(?P<commands>.*?)^ *```", re.M | re.S
)
# They build and write in this clone, so they do not run beside one another.
pytestmark = pytest.mark.xdist_group("clone")
BUILT = (ROOT / "build" / "bin" / "fct").exists()


def blocks() -> Iterator[pytest.param]:
    """Every block of commands with the reason, if any, why it is not run."""
    for document in DOCUMENTS:
        for number, block in enumerate(BLOCK.finditer(document.read_text()), 1):
            reason, commands = block["reason"], block["commands"]
            yield pytest.param(commands, reason, id=f"{document.name}-{number}")


@pytest.mark.parametrize(("commands", "reason"), list(blocks()))
def test_commands_are_known(commands: str, reason: str | None) -> None:
    """Run or not, each ./repro command is one that the command line accepts."""
    from reproduce import cli

    for line in re.findall(r"^ *\./repro (.*)$", commands, re.M):
        words = line.split("#")[0].split()
        if "--help" not in words:
            cli.parse(words)


@pytest.fixture
def scratch() -> Iterator[None]:
    """Takes away what the commands add to scratch/, and puts back nothing else."""
    folder = ROOT / "scratch"
    before = set(folder.rglob("*"))
    yield
    for path in set(folder.rglob("*")) - before:
        path.unlink()


@pytest.mark.slow
@pytest.mark.skipif(not BUILT, reason="needs the build: ./repro setup")
@pytest.mark.parametrize(
    "commands", [pytest.param(b.values[0], id=b.id) for b in blocks() if not b.values[1]]
)
def test_commands_work(commands: str, scratch: None) -> None:
    outside = {k: v for k, v in os.environ.items() if k not in ("REPRO_HOME", "PYTHONPATH")}
    done = subprocess.run(
        ["sh", "-eu", "-c", commands], cwd=ROOT, env=outside, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.parametrize(
    "document", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=lambda path: path.name
)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_two_commands_are_shown() -> None:
    text = (ROOT / "README.md").read_text()
    assert "./repro run\n" in text
    assert "./repro test\n" in text
