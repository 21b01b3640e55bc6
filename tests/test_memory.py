# SPDX-License-Identifier: GPL-2.0-only
"""Flows that are over leave memory: a run of many more short flows takes hardly more of it."""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")
HOSTS, RATE, LOAD, SIZE = 16, 10e9, 0.3, 1000


def most_memory(scheme: str, flows: int) -> int:
    """The most memory in bytes that a run of so many flows has at a time."""
    duration = flows / (HOSTS * RATE * LOAD / 8 / SIZE)
    words = [
        f"--topology=single-switch:Hosts={HOSTS}",
        f"--scheme={scheme}",
        f"--sizes=fixed:Bytes={SIZE}",
        f"--load={LOAD}",
        "--warmUp=0s",
        f"--duration={duration * 1e6:.0f}us",
    ]
    program = str(BIN / "fct")
    output = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    child = os.posix_spawn(program, [program, *words], os.environ, file_actions=[output])
    _, status, used = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return used.ru_maxrss * 1024


@pytest.mark.parametrize(
    "scheme",
    [
        "swift",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("dctcp", "mptcp", "trinity")),
    ],
)
def test_flows_that_are_over_leave_memory(scheme: str) -> None:
    few, many = 100_000, 300_000
    growth = most_memory(scheme, many) - most_memory(scheme, few)
    assert growth / (many - few) < 10, "bytes a flow; 140, and 295 with Trinity, if all are kept"


def test_results_do_not_need_the_file_for_it(tmp_path: Path) -> None:
    words = ["--topology=single-switch:Hosts=4", "--sizes=fixed:Bytes=1000", "--duration=2ms"]
    written = []
    for name, folder in (("a", str(tmp_path)), ("b", str(tmp_path / "absent"))):
        subprocess.run(
            [BIN / "fct", *words, f"--out={name}"],
            cwd=tmp_path,
            env=os.environ | {"TMPDIR": folder},
            check=True,
            capture_output=True,
        )
        written.append((tmp_path / name / "flows.csv").read_bytes())
    assert written[0].count(b"\n") > 1000
    assert written[0] == written[1]
