# SPDX-License-Identifier: GPL-2.0-only
"""The schemes' defaults at links from 1 to 800 Gbit/s, as bare runs have them.

One flow, and eight into one port: the link is used, marks and drops come, as at 10 Gbit/s. What a
scheme does not do at a rate is listed, and the page "Comparing schemes fairly" has the reason.
"""

import functools
import re
import subprocess
from dataclasses import dataclass

import pytest

from reproduce import build
from reproduce.paths import HOME

PAGE = HOME / "doc" / "comparing-schemes-fairly.md"
BUILT = build.program("bottleneck").exists()
pytestmark = pytest.mark.skipif(not BUILT, reason="needs the build: ./repro setup")

# Warm-up and duration by rate in Gbit/s.
TIMES = {
    1: ("60ms", "20ms"),
    10: ("20ms", "5ms"),
    100: ("20ms", "1ms"),
    400: ("2ms", "1ms"),
    800: ("2ms", "500us"),
}
# Rates at which a scheme is not as at 10 Gbit/s.
EXCEPTIONS = {
    "afq": {400, 800},
    "detail": {800},
    "elastic-switch": {1, 400, 800},
    "elastic-switch-aggressive": {1, 100},
    "elastic-switch-clove": {800},
    "elastic-switch-conservative": {1, 400, 800},
    "hpcc": {1, 400, 800},
    "ideal-fq": {400, 800},
    "local-policies": {400, 800},
    "mufab": {1},
    "mufab-prime": {1},
    "nimble": {400, 800},
    "nimble-nm": {100, 400, 800},
    "policing": {100, 400, 800},
}


@dataclass
class Outcome:
    """A port after a run."""

    utilisation: float
    dropped: int  # packets
    marked: int  # packets


def schemes() -> list[str]:
    """The suite's own."""
    command = [build.program("bottleneck"), "--scheme=help"]
    listed = subprocess.run(command, capture_output=True, text=True).stdout if BUILT else ""
    names = re.findall(r"^  ([a-z0-9-]+)  ", listed, re.M)
    return [name for name in names if not name.startswith("my-")]


@functools.cache
def run(scheme: str, rate: int, flows: int) -> Outcome | None:
    """The numbers at a rate in Gbit/s; nothing if the scheme refuses it."""
    warm_up, duration = TIMES[rate]
    command = [
        build.program("bottleneck"),
        f"--scheme={scheme}",
        f"--flows={flows}",
        f"--topology=single-switch:Hosts={flows + 1},HostRate={rate}Gbps",
        f"--warmUp={warm_up}",
        f"--duration={duration}",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    used = re.search(r"utilisation = ([\d.]+)", done.stdout)
    counts = re.search(r"packets dropped: (\d+), marked: (\d+)", done.stdout)
    return Outcome(float(used[1]), int(counts[1]), int(counts[2])) if used and counts else None


def is_alike(seen: Outcome | None, usual: Outcome | None) -> bool:
    """Drops are compared by number: what slow start drops does not grow with the rate."""
    return (
        seen is not None
        and usual is not None
        and seen.utilisation >= usual.utilisation - 0.05
        and seen.dropped <= 3 * usual.dropped + 200
        and (seen.marked > 0) >= (usual.marked > 0)
    )


@pytest.mark.parametrize("scheme", schemes())
def test_defaults_work_at_every_rate(scheme: str) -> None:
    unlike = {
        rate
        for rate in TIMES
        for flows in (1, 8)
        if not is_alike(run(scheme, rate, flows), run(scheme, 10, flows))
    }
    assert unlike == EXCEPTIONS.get(scheme, set())


@pytest.mark.parametrize("words", ["CongestionOps=ns3::TcpBbr", "Pacing=true"])
def test_pacing_keeps_up(words: str) -> None:
    command = [
        build.program("bottleneck"),
        "--scheme=tcp",
        f"--transport=lean:{words}",
        "--flows=1",
        "--topology=single-switch:Hosts=2,HostRate=800Gbps",
        "--warmUp=4ms",
        "--duration=500us",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "utilisation = 1\n" in done.stdout, done.stderr


def test_the_page_has_a_reason_for_each() -> None:
    told = set(re.findall(r"`([a-z0-9-]+)`", PAGE.read_text().split("## From 1 to 800 Gbit/s")[1]))
    assert set(EXCEPTIONS) <= told
