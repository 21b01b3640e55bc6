# SPDX-License-Identifier: GPL-2.0-only
"""NS_LOG: one flow can be followed, and what the log says is what the results say."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import programs

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")

CHAPTER = ROOT / "doc" / "finding-out-why.md"
LEAVES = "--topology=leaf-spine:Leaves=2,Spines=2,HostsPerLeaf=4"
INCAST = (LEAVES, "--senders=6", "--bytes=600000")
# Of the item, as all lines have it: the port, if it is at one, and the flow.
ITEM = (
    r"(?:(?P<port>\S+): )?flow (?P<flow>\d+), (?P<what>opening|data(?: \d+\+\d+)?|answer|control)"
)


def run(folder: Path, *words: str, log: str = "") -> tuple[list[str], dict]:
    """The log of incast, and its results."""
    command = [BIN / "incast", *INCAST, *words, f"--out={folder}"]
    done = subprocess.run(
        command, env=os.environ | {"NS_LOG": log}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines(), json.loads((folder / "run.json").read_text())["results"]


def said(lines: list[str], after: str) -> list[re.Match[str]]:
    """The lines on items that go on in this way."""
    form = re.compile(rf"{ITEM} from host (?P<source>\d+) to host (?P<destination>\d+): {after}")
    return [match for line in lines if (match := form.search(line))]


def test_log_says_what_the_results_say(tmp_path: Path) -> None:
    """Drops, retransmissions and departures of senders that share a small buffer."""
    lines, results = run(tmp_path, "--scheme=tcp:EdgeBuffer=8p", log="*=logic")
    dropped = said(lines, r"dropped, Queue limit exceeded, behind \d+ bytes")
    assert len(dropped) == results["dropped_packets"] > 0
    assert {match["destination"] for match in dropped if match["what"] != "answer"} == {"0"}
    again = [line for line in lines if re.search(r"flow \d+: sends \d+ again", line)]
    assert len(again) == results["retransmissions"] > 0
    left = Counter(match["port"] for match in said(lines, r"leaves, \d+ bytes, arrives in \+"))
    rows = [line.split(",") for line in (tmp_path / "ports.csv").read_text().splitlines()]
    port, packets = rows[0].index("port"), rows[0].index("tx_packets")
    assert left == {row[port]: int(row[packets]) for row in rows[1:] if int(row[packets])}


def test_every_choice_is_the_port_that_the_packet_comes_to(tmp_path: Path) -> None:
    lines, _ = run(
        tmp_path, "--scheme=dctcp:Paths=spray", log="PathSelector=logic:FabricPort=logic"
    )
    chosen = r"chosen among 2 ports by ns3::SprayPathSelector"
    places = [i for i, line in enumerate(lines) if line.endswith(chosen)]
    assert len(places) > 100
    for i in places:
        assert lines[i + 1].startswith(lines[i].removesuffix(chosen) + "comes behind")


def test_a_lost_segment_is_followed_from_its_drop_to_its_arrival(tmp_path: Path) -> None:
    lines, _ = run(tmp_path, "--scheme=tcp:EdgeBuffer=8p", log="*=logic|prefix_time")
    lost = next(m for m in said(lines, "dropped, Queue limit") if "+" in m["what"])
    flow, begin = lost["flow"], lost["what"].removeprefix("data ").split("+")[0]
    at = next(i for i, line in enumerate(lines) if line == lost.string)
    rest = lines[at:]
    repeated = next(i for i, line in enumerate(rest) if f"flow {flow}: sends {begin} again" in line)
    ways = [m["port"] for m in said(rest[repeated:], "leaves") if m["flow"] == flow]
    assert ways[0] == f"host{lost['source']}:0"
    assert lost["port"] in ways
    assert all(re.match(r"\+\d+\.\d+s ", line) for line in rest)


def test_a_timeout_is_that_of_a_flow(tmp_path: Path) -> None:
    """The first byte said to be missing is sent again by that flow."""
    words = ("--scheme=tcp:EdgeBuffer=2p", "--transport=lean:TailLossProbe=false")
    lines, _ = run(tmp_path, *words, log="LeanTcpSender=logic")
    timeouts = [re.fullmatch(r"(flow \d+): timeout, first byte (\d+)", line) for line in lines]
    assert any(timeouts)
    for i, timeout in enumerate(timeouts):
        if timeout:
            own = [line for line in lines[i + 1 :] if line.startswith(f"{timeout[1]}: ")]
            assert own[0] == f"{timeout[1]}: sends {timeout[2]} again"


def test_afq_says_bid_and_round(tmp_path: Path) -> None:
    scheme = "--scheme=afq-dctcp:EdgeBuffer=60kB"
    lines, results = run(tmp_path, scheme, log="AfqQueueDisc=logic:FabricQueueDisc=logic")
    bids = said(
        lines,
        r"bid (?P<bid>\d+), round (?P<round>\d+), current round (?P<now>\d+), FIFO (?P<at>\d+)",
    )
    assert len(bids) > 100
    latest: dict[tuple[str, ...], int] = {}
    for match in bids:
        bid, of = int(match["bid"]), (match["port"], match["flow"], match["source"])
        assert int(match["round"]) == bid // 1500 >= int(match["now"])
        assert int(match["at"]) == int(match["round"]) % 32
        assert bid > latest.get(of, 0)
        latest[of] = bid
    beyond = said(lines, r"round \d+ is beyond \d+")
    dropped = said(lines, "dropped, AFQ horizon")
    assert len(beyond) == len(dropped)
    assert len(said(lines, "dropped, AFQ")) == results["dropped_packets"] > 0


def test_the_chapter_names_every_component_that_logs_packets() -> None:
    named = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ", CHAPTER.read_text(), re.M)
    components = {name for cell in named for name in re.findall(r"\w+", cell)}
    sources = [path.read_text() for path in ROOT.glob("src/*/model/*.cc")]
    logging = [text for text in sources if re.search(r"NS_LOG_(LOGIC|INFO)\(", text)]
    defined = [re.findall(r'NS_LOG_COMPONENT_DEFINE\("(\w+)"\)', text) for text in logging]
    of_workloads = {"PoissonWorkload"}  # its rate, once
    assert components == {name for names in defined for name in names} - of_workloads


@pytest.mark.skipif(not (BIN / "incast").exists(), reason="needs the build: ./repro setup")
def test_the_chapter_names_every_recorder() -> None:
    known = programs.describe("incast").names["ns3::Recorder"]
    table = CHAPTER.read_text().split("| question |")[1].split("\n\n")[0]
    cells = [row.split(" | ")[1] for row in table.splitlines()[2:]]
    assert {name for cell in cells for name in re.findall(r"`([a-z-]+)", cell)} == known.keys()


@pytest.mark.parametrize("scheme", ["dctcp:Paths=spray", "afq-dctcp", "drb", "detail", "swift"])
def test_a_log_changes_nothing(tmp_path: Path, scheme: str) -> None:
    # Those that take another way if they are logged, and one that logs all that they do.
    asked = "FabricPort=logic:PathSelector=logic:AfqQueueDisc=logic:FabricQueueDisc=logic"
    for name, log in (("plain", ""), ("logged", asked)):
        lines, _ = run(tmp_path / name, f"--scheme={scheme}", log=log)
        assert (len(lines) > 100) == (log != "")
    for plain in (tmp_path / "plain").glob("*.csv"):
        assert plain.read_bytes() == (tmp_path / "logged" / plain.name).read_bytes(), plain.name
