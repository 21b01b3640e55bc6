# SPDX-License-Identifier: GPL-2.0-only
"""Numbers that cannot be: a slowdown below 1, goodput above a link's rate, what is no number."""

import csv
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")


def run(folder: Path, program: str, *words: str, status: int = 0) -> str:
    """Runs a program, whose files are in out, and returns what it says."""
    done = subprocess.run(
        [BIN / program, *words, "--out=out"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == status, done.stderr
    return done.stderr if status else done.stdout


def rows(path: Path) -> list[dict[str, str]]:
    """A file's rows."""
    with path.open() as file:
        return list(csv.DictReader(file))


# sw0 and sw1 have a link of their own, and a detour of 300 us over sw2 and sw3.
DETOUR = """what,from,to,rate,delay
tier,sw
link,host0,sw0,10Gbps,1us
link,host1,sw1,10Gbps,1us
link,sw0,sw1,10Gbps,1us
link,sw0,sw2,10Gbps,100us
link,sw2,sw3,10Gbps,100us
link,sw3,sw1,10Gbps,100us
"""
FAIL = "500us fail-link sw0:sw1"
REPAIR = "repair-link sw0:sw1"


@pytest.mark.parametrize(
    ("events", "best"),
    [
        (FAIL, False),
        (f"{FAIL}; 1050us {REPAIR}", True),  # while its handshake is on the detour
        (f"{FAIL}; 1010us {REPAIR}; 1020us fail-link sw0:sw1; 5ms {REPAIR}", True),
    ],
)
def test_a_flow_is_held_to_the_best_network_that_it_has_met(
    tmp_path: Path, events: str, best: bool
) -> None:
    (tmp_path / "detour.csv").write_text(DETOUR)
    (tmp_path / "trace.csv").write_text("start,source,destination,bytes\n1ms,0,1,1000\n")
    run(
        tmp_path,
        "fct",
        "--topology=file:File=detour.csv",
        "--scheme=tcp",
        "--workload=trace:File=trace.csv",
        f"--events={events}",
    )
    (flow,) = rows(tmp_path / "out" / "flows.csv")
    assert float(flow["slowdown"]) >= 1
    assert (float(flow["ideal_ns"]) < 600_000) == best


def test_goodput_is_of_its_time(tmp_path: Path) -> None:
    screen = run(
        tmp_path,
        "permutation",
        "--scheme=afq-tcp",
        "--topology=single-switch:Hosts=6",
        "--RngRun=98",
        "--jitter=50us",
        "--warmUp=200us",
        "--duration=100us",
    )
    mean = float(re.search(r"goodput_mean_bps = (\S+)", screen)[1])
    assert 5e9 < mean <= 10e9 * 1460 / 1500
    assert all(float(row["rate_bps"]) <= 10e9 for row in rows(tmp_path / "out" / "rates.csv"))


def test_goodput_of_a_bin_is_no_more_than_its_link_carries(tmp_path: Path) -> None:
    """A late packet releases ten bins' payload at once; none of it is lost, none is too fast."""
    run(
        tmp_path,
        "tenants",
        "--scheme=afq-tcp",
        "--hosts=ideal",
        "--topology=single-switch:Hosts=6",
        '--tenants=random:Tenants=3,Vms=4,Guarantees=1Gbps,Workload="permutation:Jitter=100us"',
        "--record=pairs:Bin=20us,From=0s;tenants:Bin=20us,From=0s",
        "--warmUp=100us",
        "--duration=3ms",
    )
    pairs = pd.read_csv(tmp_path / "out" / "pairs.csv").query("measure == 'goodput'")
    tenants = pd.read_csv(tmp_path / "out" / "tenants.csv").query("measure == 'goodput'")
    at_hosts = pairs.groupby(["time_s", "destination"])["rate_bps"].sum()
    assert 9e9 < at_hosts.max() <= 10e9 * (1 + 1e-9)
    together = [table.groupby("time_s")["rate_bps"].sum() for table in (pairs, tenants)]
    assert together[0].to_numpy() == pytest.approx(together[1].to_numpy())
    # All of it is there, some a few bins late. rates.csv has ten whole bins of 300 us.
    delivered = pd.read_csv(tmp_path / "out" / "rates.csv")["rate_bps"].sum() * 300e-6
    counted = together[0][together[0].index < 3e-3 - 1e-9].sum() * 20e-6
    assert counted == pytest.approx(delivered, rel=0.02)


@pytest.mark.parametrize("what", ["queues", "delays", "pairs", "limiters"])
def test_a_window_that_ends_before_it_begins_is_refused(tmp_path: Path, what: str) -> None:
    said = run(tmp_path, "tenants", f"--record={what}:From=3ms,To=2ms", status=1)
    assert said == f"tenants: --record {what}:To = '0.002s': after From, which is 0.003s\n"


def test_nothing_is_said_of_delays_that_nobody_had(tmp_path: Path) -> None:
    words = ["--record=delays:From=1s,To=2s;queues:From=1s,To=2s", "--scheme=tcp"]
    screen = run(tmp_path, "permutation", "--duration=1ms", *words)
    for name in ("network_latency_p99_us", "round_trip_max_us", "queue_max_bytes_edge-host"):
        assert f"{name} = none" in screen


def test_a_mean_over_nothing_is_none(tmp_path: Path) -> None:
    screen = run(
        tmp_path,
        "permutation",
        "--shift=8",
        "--topology=leaf-spine:Leaves=2,HostsPerLeaf=8,LinkDelay=20us,FabricRate=1Gbps",
        "--transport=lean:Handshake=false",
        "--warmUp=0s",
        "--duration=60us",  # packets wait at the first switch, and none is past the last
        "--record=delays",
    )
    assert "queueing_mean_us = none" in screen
    means = [r["value"] for r in rows(tmp_path / "out" / "results.csv") if "mean_us" in r["name"]]
    assert "" in means
    assert "inf" not in means
    assert not re.search(r"\b(nan|inf)\b", screen)


@pytest.mark.parametrize("scheme", ["hpcc", "swift", "dcqcn"])
def test_every_flow_ends_once_an_overload_is_over(tmp_path: Path, scheme: str) -> None:
    """Also if the last packet to leave a host is not the first that awaits its acknowledgment."""
    network = "--topology=single-switch:Hosts=4"
    words = ["--load=1.3", "--sizes=fixed:Bytes=3000", "--duration=10ms", "--drain=20s"]
    said = run(tmp_path, "fct", f"--scheme={scheme}", network, *words)
    assert re.search(r"flows: \d+ started, \d+ finished, 0 unfinished", said), said
