# SPDX-License-Identifier: GPL-2.0-only
"""Trinity's metrics on tables small enough to compute by hand."""

import json
from pathlib import Path

import pytest

from reproduce.metrics import RunOutput
from reproduce.papers import trinity

TENANTS = {
    "A": {"hose_bps": 1e8, "workloads": [{"Start_s": 0.0}]},
    "B": {"hose_bps": 7e8, "workloads": [{"Start_s": 0.02}]},
}


def run_of(folder: Path, a: list[float], b: list[float], warm_up: float = 0) -> RunOutput:
    """A run in which A and B receive these Mbit/s in bins of 5 ms, and acknowledgments beside."""
    rows = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for i, rates in enumerate(zip(a, b, strict=True)):
        for tenant, rate in enumerate(rates):
            head = f"{i * 0.005:.3f},{'AB'[tenant]}"
            rows.append(f"{head},{2 * tenant},{tenant},{tenant + 8},throughput,{rate * 1e6:.0f}")
            rows.append(f"{head},{2 * tenant},{tenant},{tenant + 8},goodput,{rate * 9e5:.0f}")
            rows.append(f"{head},{2 * tenant + 1},{tenant + 8},{tenant},throughput,5000000")
    (folder / "pairs.csv").write_text("\n".join(rows) + "\n")
    trunk = {"BottleneckRate_bps": 1_000_000_000}
    manifest = {"settings": {"tenants": TENANTS, "warmUp_s": warm_up, "topology": trunk}}
    (folder / "run.json").write_text(json.dumps(manifest))
    return RunOutput(folder)


def test_rates_count_data_after_the_warm_up(tmp_path: Path) -> None:
    numbers = trinity.rates(run_of(tmp_path, [900, *[200, 400] * 6], [0, *[600] * 12], 0.005))
    assert numbers["a_mbps"] == pytest.approx(300)
    assert numbers["b_mbps"] == pytest.approx(600)
    assert numbers["a_min_mbps"] == pytest.approx(200)
    assert numbers["a_worst_50ms_mbps"] == pytest.approx(300)
    assert numbers["a_falls_per_s"] == pytest.approx(5 / 12 / 0.005)
    assert numbers["b_falls_per_s"] == 0
    assert numbers["a_spare_share"] == pytest.approx((300 - 100) / (480 - 100))
    assert numbers["utilization"] == pytest.approx(900 / (1e6 / 1538 * 1.5))
    assert numbers["worst_tenant_mbps"] == pytest.approx(300)
    assert numbers["apart_percent"] == pytest.approx(100 * 300 / 450)


def test_recovery_counts_from_the_start_of_b(tmp_path: Path) -> None:
    b = [0] * 4 + [100] * 10 + [700] * 40  # short for 50 ms
    numbers = trinity.recovery(run_of(tmp_path, [800] * 14 + [200] * 40, b))
    assert numbers["b_below_ms"] == pytest.approx(50)
    # 100 ms of which one bin is short: 19 of 20 bins at 700 and one at 100 are 670, above 665.
    assert numbers["b_recovery_ms"] == pytest.approx(45)
    assert numbers["a_excess_while_b_short"] == pytest.approx(8)


def limiters_of(folder: Path, a: list[float], b: list[float]) -> None:
    """Limiters of A and B that let these Mbit/s go in each ms, a fifth of it red, and
    acknowledgments beside; B's appears with its first packet."""
    rows = ["time_s,tenant,pair,source,destination,measure,value"]
    sent = [0.0, 0.0]
    for i, rates in enumerate(zip([0, *a], [0, *b], strict=True)):
        for tenant, rate in enumerate(rates):
            sent[tenant] += rate * 125
            head = f"{i * 0.001:.3f},{'AB'[tenant]}"
            if tenant == 0 or sent[tenant] > 0:
                for colour, share in (("green", 0.8), ("red", 0.2)):
                    value = f"{colour}_bytes,{share * sent[tenant]:.0f}"
                    rows.append(f"{head},{2 * tenant},{tenant},{tenant + 8},{value}")
                rows.append(f"{head},{2 * tenant},{tenant},{tenant + 8},rate_bps,960000000")
            rows.append(f"{head},{2 * tenant + 1},{tenant + 8},{tenant},green_bytes,{i * 9000}")
    (folder / "limiters.csv").write_text("\n".join(rows) + "\n")


def test_convergence_and_gaps(tmp_path: Path) -> None:
    a = [900] * 4 + [900, 0, 0, 450] + [480] * 30
    run = run_of(tmp_path, a, [0] * 4 + [90, 450, 450, 450] + [490] * 30)
    # At the receivers both have half at once; their senders let 960 go for 5 ms, then part once.
    a = [960] * 23 + [960] * 5 + [480] * 5 + [400] * 5 + [440] * 10
    limiters_of(tmp_path, a, [0] * 23 + [960] * 5 + [500] * 5 + [600] * 5 + [500] * 10)
    numbers = trinity.convergence(run)
    assert numbers["a_before_mbps"] == pytest.approx(900)
    assert numbers["a_sent_mbps"] == pytest.approx((400 + 440 + 440) / 3)
    assert numbers["b_sent_mbps"] == pytest.approx((600 + 500 + 500) / 3)
    assert numbers["settled_after_ms"] == 15
    assert numbers["settled_percent"] == pytest.approx(75)
    assert numbers["agreed_after_ms"] == 25  # 440 and 500 are 12 % apart: never
    assert trinity.join(run)["a_longest_gap_ms"] == pytest.approx(10)
    assert trinity.join(run)["b_after_mbps"] == pytest.approx(490)


def test_rates_that_settle_at_once(tmp_path: Path) -> None:
    run = run_of(tmp_path, [900] * 12, [0] * 4 + [450] * 8)
    limiters_of(tmp_path, [960] * 20 + [490] * 20, [0] * 20 + [480] * 20)
    numbers = trinity.convergence(run)
    assert numbers["settled_after_ms"] == 0
    assert numbers["agreed_after_ms"] == 0
    curve = trinity.sending_over_time(run)
    assert set(curve["series"]) == {"A1", "B1"}
    assert list(curve[curve["series"] == "B1"]["y"]) == pytest.approx([0] * 4 + [480] * 4)


def test_copies_that_receive_nothing_count(tmp_path: Path) -> None:
    rows = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for time in ("0.001", "0.002"):
        rows += [
            f"{time},A-0,0,9,3,throughput,90000000",  # of 100: short
            f"{time},A-0,1,3,9,throughput,2000000",  # acknowledgments
            f"{time},A-1,4,3,9,throughput,100000000",
            f"{time},B-0,2,5,6,throughput,1400000000",
        ]
    rows.append("0.002,B-1,6,5,7,throughput,700000000")  # half of the time: 350 of 700
    (tmp_path / "pairs.csv").write_text("\n".join(rows) + "\n")
    tenants = {
        f"{name}-{copy}": {"hose_bps": hose}
        for copy in range(3)
        for name, hose in (("A", 1e8), ("B", 7e8))
    }
    manifest = {"settings": {"tenants": tenants, "warmUp_s": 0.0}}
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    run = RunOutput(tmp_path)
    numbers = trinity.copies(run)
    assert numbers["a_pair_mbps"] == pytest.approx(190 / 3)
    assert numbers["b_pair_mbps"] == pytest.approx(1750 / 3)
    assert numbers["pair_mbps"] == pytest.approx(1940 / 6)
    assert numbers["a_below_percent"] == pytest.approx(200 / 3)
    assert numbers["b_below_percent"] == pytest.approx(200 / 3)
    assert numbers["worst_share"] == 0
    curve = trinity.copies_cdf(run)
    assert set(curve["series"]) == {"A", "B"}
    assert curve["y"].max() == 1
    assert curve[curve["series"] == "A"]["y"].min() == pytest.approx(1 / 3)


def test_jobs_of_copies(tmp_path: Path) -> None:
    rows = ["task,step,group,starter,start_ns,duration_ns,flows,bytes,lost_bytes"]
    for group, end in ((0, 50), (1, 20), (2, 70)):  # MapReduce of copy 1 does not end
        rows.append(f"{group},task,{group},0,0.000,{end * 1e6},64,1000,0")
    (tmp_path / "tasks.csv").write_text("\n".join(rows) + "\n")
    tenants = {
        f"{job}-{copy}": {
            "workloads": [{"name": "shuffle", "Sizes": {"name": "fixed", "Bytes": size}}],
            "pairs": [{"from": 0, "to": 8, "pipe_bps": pipe}],
        }
        for copy in range(2)
        for job, size, pipe in (("FileStore", 6e5, 1e8), ("MapReduce", 5e5, 3e8))
    }
    manifest = {"settings": {"tenants": tenants}, "simulated_s": 0.1}
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    numbers = trinity.copied_jobs(RunOutput(tmp_path))
    assert numbers["filestore_ms"] == pytest.approx(60)
    assert numbers["mapreduce_ms"] == pytest.approx(60)
    assert numbers["both_ms"] == pytest.approx((50 + 100) / 2)
    assert numbers["filestore_over_reserved"] == pytest.approx(60 / 48)
    assert numbers["mapreduce_worst_ms"] == pytest.approx(100)
    assert numbers["jobs"] == 3
