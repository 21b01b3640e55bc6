# SPDX-License-Identifier: GPL-2.0-only
"""The built scenario programs: what a user gets for good input and for bad.

They need the build (./repro setup); ./repro test builds before it starts these tests.
"""

import csv
import json
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")
SHORT = ("--topology=leaf-spine:Leaves=2,HostsPerLeaf=4", "--duration=1ms", "--warmUp=0ms")


def scenario(name: str, *words: str, folder: Path) -> subprocess.CompletedProcess:
    """Runs a scenario in a folder."""
    return subprocess.run(
        [BIN / name, *words], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    ("name", "words", "named"),
    [
        ("fct", ["--scheme=bogus"], ["--scheme", "bogus", "dctcp", "tcp"]),
        ("fct", ["--scheme=tcp:Bogus=1"], ["--scheme", "Bogus", "EdgeBuffer"]),
        ("fct", ["--bogus=1"], ["--bogus", "--load"]),
        ("fct", ["--load=-0.5"], ["--load", "-0.5", "from"]),
        ("fct", ["--load=much"], ["--load", "much"]),
        ("fct", ["--duration=10"], ["--duration", "10", "unit"]),
        ("fct", ["--topology=bogus"], ["--topology", "bogus", "fat-tree"]),
        ("fct", ["--topology=fat-tree:K=5"], ["K", "5", "even"]),
        ("fct", ["--topology=leaf-spine:HostRate=-10Gbps"], ["HostRate", "-10Gbps"]),
        ("fct", ["--topology=leaf-spine:HostRate=10"], ["HostRate", "10", "unit"]),
        ("fct", ["--failLinks=100000"], ["--failLinks", "100000"]),
        ("fct", ["--sizes=falls.cdf"], ["falls.cdf"]),
        ("fct", ["--sizes=ends-early.cdf"], ["ends-early.cdf", "1"]),
        ("fct", ["--sizes=absent.cdf"], ["--sizes", "absent.cdf"]),
        ("fct", ["--out=file/run"], ["--out", "file/run"]),
        ("fct", ["--ns3::TcpSocket::Bogus=1"], ["--ns3::TcpSocket::Bogus"]),
        ("incast", ["--senders=0"], ["--senders", "0"]),
        ("convergence", ["--spacing=-1s"], ["--spacing", "-1s"]),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, name: str, words: list[str], named: list[str]
) -> None:
    (tmp_path / "falls.cdf").write_text("1000 0\n2000 0.7\n3000 0.5\n4000 1\n")
    (tmp_path / "ends-early.cdf").write_text("1000 0\n2000 0.9\n")
    (tmp_path / "file").write_text("a file where a folder should be")
    before = sorted(tmp_path.rglob("*"))
    if not any(word.startswith("--out") for word in words):
        words = [*words, "--out=result"]
    done = scenario(name, *words, folder=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert all(part in done.stderr for part in named), done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_repro_passes_the_exit_status_on() -> None:
    done = subprocess.run(
        [ROOT / "repro", "sim", "fct", "--", "--scheme=bogus"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "'bogus'" in done.stderr


def test_a_simulation_prints_a_summary_and_writes_its_files(tmp_path: Path) -> None:
    done = scenario("fct", "--scheme=dctcp", "--load=0.7", "--out=a/b", *SHORT, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "DCTCP" in done.stdout
    assert "mean slowdown" in done.stdout
    manifest = json.loads((tmp_path / "a/b/run.json").read_text())
    assert manifest["scenario"] == "fct"
    assert manifest["rng_run"] == 1
    with (tmp_path / "a/b/flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    assert flows
    assert all(float(f["slowdown"]) >= 0.999 for f in flows if f["finished"] == "1")
    assert not list(tmp_path.rglob("*.tmp"))


def test_kernels_and_schedulers_give_equal_files(tmp_path: Path) -> None:
    kernels = {
        "own": [],
        "map": [
            "--SimulatorImplementationType=ns3::DefaultSimulatorImpl",
            "--SchedulerType=ns3::MapScheduler",
        ],
        "again": [],
        "other-seed": ["--RngRun=2"],
    }
    flows = {}
    for name, words in kernels.items():
        out = f"--out={name}"
        done = scenario("fct", "--scheme=dctcp", out, *SHORT, *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        files = sorted((tmp_path / name).glob("*.csv"))
        flows[name] = {path.name: path.read_bytes() for path in files}
    assert flows["own"] == flows["map"] == flows["again"]
    assert flows["own"] != flows["other-seed"]
