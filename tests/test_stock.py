# SPDX-License-Identifier: GPL-2.0-only
"""The suite's disciplines in stock ns-3 programs: TCP beside UDP that heeds nothing."""

import csv
import signal
import subprocess
from dataclasses import dataclass

import pytest

from reproduce import build

PROGRAMS = ["bottleneck", "drr", "nimble", "trinity"]
pytestmark = pytest.mark.skipif(
    not all(build.program(f"stock-{name}").exists() for name in PROGRAMS),
    reason="needs the build: ./repro test",
)
LINK_MBPS = 100
PAYLOAD = 1448 / 1500  # share of an IP packet of TCP


@dataclass
class Outcome:
    """A program's two tables."""

    mbps: dict[str, float]
    counts: dict[str, float]

    def of(self, kind: str) -> list[float]:
        """The goodput of flows of a kind, in Mbit/s."""
        return [mbps for flow, mbps in self.mbps.items() if flow.startswith(kind)]


def run(name: str, *words: str) -> Outcome:
    command = [build.program(f"stock-{name}"), *words]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    flows, counts = (
        {name: float(value) for name, value in list(csv.reader(table.splitlines()))[1:]}
        for table in text.split("\n\n")
    )
    return Outcome(flows, counts)


def test_drop_tail_leaves_the_link_to_udp() -> None:
    assert run("bottleneck", "--discipline=ns3::PfifoFastQueueDisc").of("udp")[0] > 95


@pytest.mark.parametrize("discipline", ["AfqQueueDisc", "DrrQueueDisc", "FqCoDelQueueDisc"])
def test_fair_queueing_gives_each_flow_its_share(discipline: str) -> None:
    found = run("bottleneck", f"--discipline=ns3::{discipline}")
    assert len(found.of("tcp")) == 4
    assert len(found.of("udp")) == 1
    # Headers take 3 to 4 % of the link.
    assert sum(found.mbps.values()) == pytest.approx(0.965 * LINK_MBPS, rel=0.01)
    assert found.counts["jain_index"] > 0.999


MANY = ["--flows=16", "--floods=4", "--tcp=ns3::TcpCubic", "--ns3::TcpSocketBase::UseEcn=Off"]


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        (["--buffer=256kB"], 0.3, 0.8),
        (["--buffer=1MB"], 0.999, 1),
        (["--discipline=ns3::FqCoDelQueueDisc"], 0.998, 1),
    ],
)
def test_afq_needs_room_for_the_horizons_of_all_flows(
    words: list[str], least: float, most: float
) -> None:
    assert least < run("bottleneck", *MANY, *words).counts["jain_index"] <= most


def test_weights_divide_the_link_between_tcp_and_udp() -> None:
    found = run("drr")
    assert sum(found.of("tcp")) == pytest.approx(0.75 * LINK_MBPS * PAYLOAD, rel=0.02)
    assert found.of("udp") == pytest.approx([0.25 * LINK_MBPS * 0.98], rel=0.02)
    assert found.counts["marked_packets"] > 1000
    equal = run("drr", "--weights=1,1", "--flows=8")
    assert sum(equal.of("tcp")) == pytest.approx(0.5 * LINK_MBPS * PAYLOAD, rel=0.02)


def test_fq_codel_knows_no_weights() -> None:
    found = run("drr", "--discipline=fq-co-del")
    assert list(found.mbps.values()) == pytest.approx([LINK_MBPS * 0.97 / 3] * 3, rel=0.02)


@pytest.mark.parametrize(("limiter", "tcp_mbps"), [("meters", 44.3), ("virtual-queues", 48.3)])
def test_limits_hold_tcp_by_marks_and_udp_by_drops(limiter: str, tcp_mbps: float) -> None:
    found = run("nimble", f"--limiter={limiter}")
    assert found.of("tcp") == pytest.approx([tcp_mbps], rel=0.02)
    assert found.of("tcp")[0] <= 50 * PAYLOAD
    assert found.of("udp") == pytest.approx([40 * 0.98], rel=0.01)
    assert found.counts["marked_packets"] > 1000


def test_fq_codel_knows_no_limits() -> None:
    found = run("nimble", "--limiter=none")
    assert found.of("udp") == pytest.approx([49], rel=0.02)


@pytest.mark.parametrize("tcp", ["TcpDctcp", "TcpCubic"])
def test_tcp_with_a_dscp_is_dropped_where_it_could_be_marked(tcp: str) -> None:
    words = ["--flood=0bps", f"--tcp=ns3::{tcp}"]
    by_port = run("nimble", *words)
    assert by_port.of("tcp")[0] > 30
    assert by_port.counts["marked_packets"] > 500
    assert by_port.counts["dropped_packets"] == 0
    by_dscp = run("nimble", "--by=dscp", *words)
    assert by_dscp.of("tcp")[0] < 20
    assert by_dscp.counts["marked_packets"] == 0
    assert by_dscp.counts["dropped_packets"] > 50


def test_windows_of_one_packet_wait_for_delayed_acknowledgments() -> None:
    words = ["--flood=0bps", "--delay=110us", "--duration=3s"]
    assert run("nimble", *words).of("tcp")[0] > 0.97 * 50 * PAYLOAD
    assert run("nimble", *words, "--ns3::TcpSocket::DelAckCount=2").of("tcp")[0] < 6


def test_what_goes_first_has_its_rate_beside_a_flood() -> None:
    found = run("trinity", "--flood=100Mbps")
    assert found.of("tcp")[0] == pytest.approx(30, rel=0.01)
    assert sum(found.of("tcp")[1:]) < 1
    assert found.of("udp") == pytest.approx([70 * 0.965], rel=0.02)
    fair = run("trinity", "--flood=100Mbps", "--discipline=fq-co-del")
    assert fair.counts["jain_index"] > 0.999
    assert fair.of("tcp")[0] < 25


@pytest.mark.parametrize("tcp", ["TcpDctcp", "TcpCubic"])
def test_the_low_priority_is_marked_unless_it_has_a_dscp(tcp: str) -> None:
    words = ["--duration=0.6s", f"--tcp=ns3::{tcp}"]
    by_port = run("trinity", *words)
    by_best_effort = run("trinity", *words, "--by=dscp")
    by_dscp = run("trinity", *words, "--by=dscp", "--lowDscp=8")
    assert by_port == by_best_effort
    assert by_port.of("tcp")[0] == pytest.approx(30, rel=0.01)
    assert by_port.counts["marked_packets"] > 200
    assert by_port.counts["peak_queue_bytes"] < 60_000
    assert by_dscp.counts["marked_packets"] == 0
    assert by_dscp.counts["peak_queue_bytes"] > 200_000


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("bottleneck", "--discipline=ns3::Bogus"),
        ("bottleneck", "--discipline=ns3::Node"),
        ("bottleneck", "--flows=0"),
        ("bottleneck", "--floods=51"),
        ("bottleneck", "--buffer=much"),
        ("bottleneck", "--duration=0s"),
        ("bottleneck", "--rate=0bps"),
        ("bottleneck", "--delay=-1ms"),
        ("bottleneck", "--discipline=ns3::FabricQueueDisc"),  # abstract
        ("drr", "--tcp=ns3::Node"),
        ("drr", "--discipline=red"),
        ("nimble", "--limiter=meter"),
        ("nimble", "--by=colour"),
        ("trinity", "--lowDscp=9"),
    ],
)
def test_what_is_refused_is_one_line(name: str, word: str) -> None:
    option = word.split("=")[0]
    assert refusal(name, word).startswith(f"{option} = '")


def refusal(name: str, *words: str) -> str:
    """The one line with which a program refuses its command line; none of them has a catch."""
    command = [build.program(f"stock-{name}"), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    return line


def test_a_discipline_says_what_it_lacks() -> None:
    discipline = "--discipline=ns3::IdealFqQueueDisc"
    assert "ns3::IdealFqQueueDisc::LinkRate" in refusal("bottleneck", discipline)


def test_a_discipline_has_room() -> None:
    expected = "ns3::AfqQueueDisc::MaxSize = '0p': room for a packet"
    assert refusal("bottleneck", "--discipline=ns3::AfqQueueDisc", "--buffer=0p") == expected


def test_the_adapter_is_for_the_fabric() -> None:
    adapter = "ns3::StockQueueDiscAdapter"
    told = refusal("bottleneck", f"--discipline={adapter}")
    assert told.startswith(f"queue disc = '{adapter}': the stock queue disc itself")


def test_an_attribute_that_names_nothing_is_refused_where_it_is_used() -> None:
    words = "--discipline=ns3::MeteredQueueDisc", "--ns3::MeteredQueueDisc::Inner=bogus"
    expected = "ns3::MeteredQueueDisc::Inner = 'bogus': no fabric-queue-"
    assert refusal("bottleneck", *words).startswith(expected)


def test_errors_of_ns3_end_as_ever() -> None:
    command = [build.program("stock-bottleneck"), "--ns3::DrrQueueDisc::Quantum=abc"]
    assert subprocess.run(command, capture_output=True).returncode == -signal.SIGABRT


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_no_scenario(name: str) -> None:
    assert f"stock-{name}" not in build.scenarios()
