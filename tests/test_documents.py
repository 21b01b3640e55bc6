# SPDX-License-Identifier: GPL-2.0-only
"""The documents: links lead somewhere, and the commands they show work.

Every block marked `sh` in a README.md, CONTRIBUTING.md, doc/ and the modules' doc/ is run as it
stands, in the project's folder, unless a comment `not run: REASON` is above it. Where a block
marked `text` follows, its lines are among what the commands print, in this order; `...` stands for
any. ./repro must have built (as ./repro test does before it starts these tests).
"""

import os
import re
import shlex
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import claim_tables
from reproduce.experiments import PROFILES

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "doc").glob("*.md"))]
PAGES += sorted(ROOT.glob("src/*/README.md"))
TEXTS = [*sorted((ROOT / "doc").glob("*.rst")), *sorted(ROOT.glob("src/*/doc/*.rst"))]
DOCUMENTS = [*PAGES, *TEXTS]
BLOCKS = {
    ".md": re.compile(
        r"(?:<!-- not run: (?P<reason>[^>]+) -->\s+)?^ *```sh\n(?P<commands>.*?)^ *```"
        r"(?:\n+```text\n(?P<output>.*?)^```)?",
        re.M | re.S,
    ),
    ".rst": re.compile(
        r"(?:^\.\. not run: (?P<reason>.+)\n\s*)?"
        r"^\.\. code-block:: sh\n\n(?P<commands>(?:(?: .*)?\n)+)(?P<output>)",
        re.M,
    ),
}
# They build and write in this clone, so they do not run beside one another.
pytestmark = pytest.mark.xdist_group("clone")
BUILT = (ROOT / "build" / "bin" / "fct").exists()


def blocks() -> Iterator[pytest.param]:
    """Every block of commands with the reason, if any, why it is not run, and what it prints."""
    for document in DOCUMENTS:
        module = f"{document.parent.name}-" if document.match("src/*/README.md") else ""
        for number, block in enumerate(BLOCKS[document.suffix].finditer(document.read_text()), 1):
            reason, commands = block["reason"], textwrap.dedent(block["commands"])
            output = (block["output"] or "").splitlines()
            yield pytest.param(commands, reason, output, id=f"{module}{document.name}-{number}")


@pytest.mark.parametrize(("commands", "reason", "output"), list(blocks()))
def test_commands_are_known(commands: str, reason: str | None, output: list[str]) -> None:
    """Run or not, each ./repro command is one that the command line accepts."""
    from reproduce import cli

    for line in re.findall(r"^ *\./repro (.*)$", commands.replace("\\\n", " "), re.M):
        words = shlex.split(line, comments=True)
        if "--help" not in words:
            cli.parse(words)


@pytest.mark.parametrize("document", TEXTS, ids=lambda path: path.name)
def test_no_command_is_in_a_block_that_is_not_run(document: Path) -> None:
    plain = re.compile(r"^(?!\.\. ).*::\n\n((?:(?: .*)?\n)+)", re.M)
    for block in plain.findall(document.read_text()):
        assert "./repro " not in block, f"{document.name}: not in a code-block:: sh:\n{block}"


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
@pytest.mark.parametrize(("commands", "reason", "output"), [b for b in blocks() if not b.values[1]])
def test_commands_work(commands: str, reason: None, output: list[str], scratch: None) -> None:
    outside = {k: v for k, v in os.environ.items() if k not in ("REPRO_HOME", "PYTHONPATH")}
    done = subprocess.run(
        ["sh", "-eu", "-c", commands], cwd=ROOT, env=outside, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    printed = iter(line.strip() for line in done.stdout.splitlines())
    for line in output:
        assert line == "..." or line.strip() in printed, f"{commands}\nlacks:\n{line}"


def test_the_packet_trace_of_the_page_is_the_program() -> None:
    """Line by line: what the page shows is compiled and run with its command."""
    page = (ROOT / "src" / "fabric" / "doc" / "fabric.rst").read_text()
    program = (ROOT / "scratch" / "packet-trace.cc").read_text()
    section = page.split("\nPackets in callbacks\n")[1]
    shown = re.search(r"code-block:: cpp\n\n((?:(?: .*)?\n)+)", section)
    lines = [line.strip() for line in shown[1].splitlines() if line.strip()]
    compiled = [line.strip() for line in program.splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if line not in compiled] == []


@pytest.mark.parametrize(
    ("page", "program"),
    [
        ("writing-a-path-selector", "drill"),
        ("writing-a-queue-discipline", "least-attained-service"),
    ],
)
def test_the_code_of_a_walk_through_is_its_file(page: str, program: str) -> None:
    """Line by line, but for what the page leaves out (...) and says of other programs."""
    file = ROOT / "scratch" / "schemes" / f"{program}.cc"
    compiled = [line.strip() for line in file.read_text().splitlines()]
    shown = re.findall(
        r"^```cpp\n(.*?)^```", (ROOT / "doc" / f"{page}.md").read_text(), re.M | re.S
    )
    lines = [line.strip() for block in shown for line in block.splitlines() if "..." not in line]
    assert len(lines) > 20
    other = ("TrafficControlHelper tc;", "tc.")
    assert [line for line in lines if line not in compiled and not line.startswith(other)] == []


@pytest.mark.slow
@pytest.mark.skipif(not BUILT, reason="needs the build: ./repro setup")
def test_packet_trace_counts_every_drop() -> None:
    words = ["packet-trace", "--", "--scheme=tcp:EdgeBuffer=30kB", "--packets=3"]
    out = subprocess.check_output([ROOT / "repro", "scratch", *words], cwd=ROOT, text=True)
    by_source = re.findall(r"^(\d+) packets of 10\.0\.0\.([2-5]) dropped$", out, re.M)
    total = re.search(r"packets dropped: (\d+)", out)
    assert sum(int(count) for count, _ in by_source) == int(total[1]) > 0
    segment = r"10\.0\.0\.[2-5] > 10\.0\.0\.1\) ns3::TcpHeader \(\d+ > \d+ \[SYN\] Seq=0"
    assert len(re.findall(segment, out)) == 3


@pytest.mark.parametrize(
    "document", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_figures_in_git_are_those_that_documents_show() -> None:
    """And the one of each paper to look at; all others are drawn from the tables beside them."""
    listed = subprocess.run(
        ["git", "ls-files", "results"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    text = "\n".join(document.read_text() for document in DOCUMENTS)
    shown = re.findall(r"results/(?:quick|paper)/[\w./-]+\.png", text)
    tracked = {name for name in listed.stdout.splitlines() if name.endswith(".png")}
    for summary in filter(None, (table.summary for table in claim_tables.load_tables())):
        name = f"{summary.experiment}/{summary.plot}.png"
        shown += sorted({f"results/{size}/{name}" for size in PROFILES} & tracked)[:1] or [name]
    assert tracked == set(shown)
    assert not [name for name in listed.stdout.splitlines() if "/report/" in name]


def test_the_two_commands_are_shown() -> None:
    text = (ROOT / "README.md").read_text()
    assert "./repro run\n" in text
    assert "./repro test\n" in text
