# SPDX-License-Identifier: GPL-2.0-only
"""Counts of a run's flows, and its notices about its own numbers: each of them, and none where all
is well."""

import csv
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import ROOT

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")
PAIR = "--topology=single-switch:Hosts=2"


@dataclass(frozen=True)
class Said:
    """The notices and results of a run."""

    folder: Path
    screen: str
    notices: list[str]
    results: dict
    settings: dict

    def rows(self, name: str) -> list[dict[str, str]]:
        """A file's rows."""
        with (self.folder / name).open() as file:
            return list(csv.DictReader(file))


def run(folder: Path, program: str, *words: str) -> Said:
    """Runs a program; its notices are the same lines on standard error and in run.json."""
    done = subprocess.run(
        [BIN / program, *words, "--out=out"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    manifest = json.loads((folder / "out" / "run.json").read_text())
    assert done.stderr.splitlines() == manifest["notices"]
    return Said(
        folder / "out",
        done.stdout,
        manifest["notices"],
        manifest["results"],
        manifest["settings"],
    )


def trace(folder: Path, *flows: tuple[str, int, int, int]) -> str:
    """The option that names a trace of these flows: start, source, destination, bytes."""
    rows = [",".join(map(str, flow)) for flow in flows]
    (folder / "trace.csv").write_text("\n".join(["start,source,destination,bytes", *rows, ""]))
    return "--workload=trace:File=trace.csv"


FLOWS = [("2s", 0, 1, 1000), ("2.5s", 1, 0, 1000), ("2.25s", 0, 1, 2000)]


def test_a_trace_is_measured_from_its_first_flow_to_its_last(tmp_path: Path) -> None:
    said = run(tmp_path, "fct", PAIR, trace(tmp_path, *FLOWS))
    assert "flows: 3 started, 3 finished, 0 unfinished, 0 outside" in said.screen
    assert len(said.rows("flows.csv")) == 3
    assert (said.settings["warmUp_s"], said.settings["duration_s"]) == (2, 0.500000001)
    assert said.notices == []


@pytest.mark.parametrize(
    ("times", "counts", "notice"),
    [
        (["--duration=10ms"], (1, 0, 2), "2 flows of the workload did not start"),
        (["--warmUp=2.1s"], (2, 1, 0), None),
        (["--warmUp=0s", "--duration=2.3s"], (2, 0, 1), "1 flow of the workload did not start"),
        (["--warmUp=3s"], (0, 3, 0), "no flow is measured: 3 flows started"),
        (["--warmUp=0s", "--duration=1s"], (0, 0, 3), "3 flows of the workload did not start"),
    ],
)
def test_no_flow_of_a_trace_goes_uncounted(
    tmp_path: Path, times: list[str], counts: tuple[int, int, int], notice: str | None
) -> None:
    said = run(tmp_path, "fct", PAIR, trace(tmp_path, *FLOWS), *times)
    started, outside, late = counts
    line = f"{started} started, {started} finished, 0 unfinished, {outside} outside the measured"
    assert line in said.screen
    assert (f", {late} due after the end" in said.screen) == (late > 0)
    found = said.notices
    assert len(found) == (notice is not None), found
    assert not notice or found[0].startswith(notice)


def test_requests_that_an_incast_has_no_time_for_are_counted(tmp_path: Path) -> None:
    said = run(tmp_path, "incast", "--senders=4", "--requests=10", "--limit=25ms")
    assert "12 started" in said.screen
    assert "28 due after the end" in said.screen
    assert said.notices == [
        "28 flows of the workload did not start: due after the end, the first at "
        + said.notices[0].split()[-2]
        + " s"
    ]


def test_only_measured_flows_are_in_the_histogram(tmp_path: Path) -> None:
    said = run(
        tmp_path,
        "fct",
        "--topology=leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=2",
        "--duration=3ms",
        "--load=0.5",
    )
    assert said.results["flows_excluded"] > 0
    counted = sum(int(row["count"]) for row in said.rows("latency.csv"))
    assert counted == len(said.rows("flows.csv"))


IDLE = "--topology=fat-tree:K=4,HostRate=10Gbps,FabricRate=10Gbps,CoreRate=10Gbps,LinkDelay=1us"
LONE = ("0", 0, 15, 1_460_000)


@pytest.mark.parametrize(("floor", "needless"), [("200us", True), ("1ms", False)])
def test_retransmissions_in_an_idle_network_are_told(
    tmp_path: Path, floor: str, needless: bool
) -> None:
    words = (
        IDLE,
        "--hosts=ideal",
        "--scheme=mptcp",
        f"--transport=mptcp:MinRto={floor}",
        trace(tmp_path, LONE),
    )
    said = run(tmp_path, "fct", *words)
    again = said.results["retransmissions"]
    assert (again > 0) == needless
    assert said.results["dropped_packets"] == 0
    told = f"{again:.0f} retransmissions (mptcp {again:.0f}) for 0 dropped packets: "
    found = said.notices
    assert len(found) == needless
    assert all(text.startswith(told) for text in found)


@pytest.mark.parametrize("transport", ["lean", "ns3"])
@pytest.mark.parametrize(("floor", "needless"), [("200us", True), ("10ms", False)])
def test_tcp_on_a_slow_link_tells_its_timeouts(
    tmp_path: Path, transport: str, floor: str, needless: bool
) -> None:
    said = run(
        tmp_path,
        "permutation",
        f"{PAIR},HostRate=1Gbps",
        "--hosts=ideal",
        "--scheme=tcp",
        f"--transport={transport}:MinRto={floor}",
        "--warmUp=5ms",
        "--duration=20ms",
    )
    assert [text.split()[1] for text in said.notices] == ["retransmissions"] * needless


def test_retransmissions_after_drops_are_not_needless(tmp_path: Path) -> None:
    said = run(tmp_path, "incast", "--scheme=tcp", "--transport=lean:InitialCwnd=20")
    assert said.results["dropped_packets"] > 0
    assert said.results["retransmissions"] > 0
    assert not [text for text in said.notices if "retransmissions" in text]


def test_flows_that_did_not_finish_are_told(tmp_path: Path) -> None:
    flows = [("0", 0, 1, 1000), ("0", 1, 0, 50_000_000)]
    said = run(tmp_path, "fct", PAIR, trace(tmp_path, *flows), "--drain=1ms")
    assert said.results["flows_unfinished"] == 1
    assert said.notices == [
        "1 of 2 measured flows did not finish: means and percentiles are without them"
    ]


def test_drops_at_a_hosts_own_port_are_told(tmp_path: Path) -> None:
    flows = [("0", 0, 1, 1_000_000), ("0", 1, 0, 100_000)]
    words = (PAIR, "--hosts=ideal", "--scheme=tcp:HostBuffer=15kB", trace(tmp_path, *flows))
    said = run(tmp_path, "fct", *words)
    drops = {row["port"]: int(row["packets"]) for row in said.rows("drops.csv")}
    most = max(drops["host0:0"], drops["host1:0"])
    told = f"{said.results['dropped_packets']:.0f} packets dropped at hosts' own ports, {most} of "
    assert any(text.startswith(told) for text in said.notices)


@pytest.mark.parametrize(("load", "grows"), [(0.1, False), (2, True)])
def test_a_backlog_that_grows_is_told(tmp_path: Path, load: float, grows: bool) -> None:
    said = run(
        tmp_path,
        "fct",
        "--topology=leaf-spine:Leaves=2,HostsPerLeaf=4,Spines=2",
        "--sizes=fixed:Bytes=30000",
        f"--load={load}",
        "--warmUp=0s",
        "--duration=3ms",
    )
    assert any(text.startswith("the backlog still grows") for text in said.notices) == grows


def test_ports_that_have_paused_each_other_for_good_are_named(tmp_path: Path) -> None:
    links = [f"link,host{i},sw{i},10Gbps,1us" for i in range(5)]
    links += [f"link,sw{i},sw{(i + 1) % 5},10Gbps,1us" for i in range(5)]
    (tmp_path / "ring.csv").write_text("\n".join(["what,from,to,rate,delay", "tier,sw", *links]))
    flows = [("0", i, (i + 2) % 5, 20_000_000) for i in range(5) for _ in range(2)]
    said = run(
        tmp_path,
        "fct",
        "--topology=file:File=ring.csv",
        "--scheme=tcp:FlowControl=priority",
        "--drain=10ms",
        trace(tmp_path, *flows),
    )
    assert said.results["flows_finished"] == 0
    found = [text for text in said.notices if text.startswith("deadlock of flow control: ")]
    assert len(found) == 1
    ring = ("sw0:1 since", "sw1:2 since", "sw2:2 since", "sw3:2 since", "sw4:2 since")
    assert all(port in found[0] for port in ring)
    assert found[0].endswith("5 other ports paused by them")


def test_flow_control_under_load_is_no_deadlock(tmp_path: Path) -> None:
    said = run(tmp_path, "incast", "--scheme=tcp:FlowControl=priority", "--limit=500us")
    assert said.results["pfc_pauses"] > 0
    assert said.results["flows_unfinished"] > 0
    assert not [text for text in said.notices if "deadlock" in text]


def test_all_is_well_where_nothing_is_told(tmp_path: Path) -> None:
    said = run(tmp_path, "permutation", "--topology=fat-tree:K=4", "--duration=1ms")
    assert said.notices == []


def test_a_class_of_which_no_packet_came_is_named(tmp_path: Path) -> None:
    policy = "{class A groups=0 rate=5Gbps; class B groups=7; match B sip=10.9.0.0/16}"
    said = run(
        tmp_path,
        "fct",
        PAIR,
        trace(tmp_path, ("0s", 0, 1, 1000)),
        f"--scheme=nimble:Policy={policy}",
    )
    assert said.notices == ["--scheme Policy: no packet was of class B"]
