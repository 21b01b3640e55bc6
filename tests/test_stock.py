# SPDX-License-Identifier: GPL-2.0-only
"""The suite's disciplines in a stock ns-3 program: TCP beside UDP that heeds nothing."""

import csv
import signal
import subprocess

import pytest

from reproduce import build

PROGRAM = build.program("stock-bottleneck")
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="needs the build: ./repro test")
LINK_MBPS = 100


def rates(*words: str) -> dict[str, float]:
    """Flow -> Mbit/s that its application received."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True)
    rows = csv.DictReader(done.stdout.splitlines())
    return {row["flow"]: float(row["mbps"]) for row in rows}


def test_drop_tail_leaves_the_link_to_udp() -> None:
    found = rates("--discipline=ns3::PfifoFastQueueDisc")
    assert found["udp"] > 0.95 * LINK_MBPS


@pytest.mark.parametrize("discipline", ["AfqQueueDisc", "DrrQueueDisc"])
def test_fair_queueing_gives_each_flow_its_share(discipline: str) -> None:
    found = rates(f"--discipline=ns3::{discipline}")
    assert len(found) == 5
    # Headers take 3 to 4 % of the link.
    assert sum(found.values()) == pytest.approx(0.965 * LINK_MBPS, rel=0.02)
    assert list(found.values()) == pytest.approx(
        [sum(found.values()) / len(found)] * len(found), rel=0.05
    )


@pytest.mark.parametrize(
    "words", ["--discipline=ns3::Bogus", "--discipline=ns3::Node", "--flows=0", "--duration=0s"]
)
def test_what_is_refused_is_one_line(words: str) -> None:
    assert refusal(words).startswith(words.split("=")[0])


def refusal(*words: str) -> str:
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    return line


def test_a_discipline_says_what_it_lacks() -> None:
    assert "ns3::IdealFqQueueDisc::LinkRate" in refusal("--discipline=ns3::IdealFqQueueDisc")


def test_an_attribute_that_names_nothing_is_refused_where_it_is_used() -> None:
    words = "--discipline=ns3::MeteredQueueDisc", "--ns3::MeteredQueueDisc::Inner=bogus"
    assert refusal(*words).startswith("ns3::MeteredQueueDisc::Inner = 'bogus': no fabric-queue-")


def test_errors_of_ns3_end_as_ever() -> None:
    done = subprocess.run([PROGRAM, "--ns3::DrrQueueDisc::Quantum=abc"], capture_output=True)
    assert done.returncode == -signal.SIGABRT


def test_it_is_no_scenario() -> None:
    assert PROGRAM.name not in build.scenarios()
