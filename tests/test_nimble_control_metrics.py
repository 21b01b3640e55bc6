# SPDX-License-Identifier: GPL-2.0-only
"""Metrics of Nimble's controller on tables small enough to compute by hand."""

import json
from pathlib import Path

import pandas as pd
import pytest

from reproduce.metrics import RunOutput
from reproduce.papers import nimble_control
from reproduce.paths import RESULTS

LOCAL = nimble_control.LOCAL_TOTALS


def write(folder: Path, name: str, header: str, rows: list[tuple]) -> None:
    lines = [header, *(",".join(str(cell) for cell in row) for row in rows)]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def write_manifest(folder: Path, **settings: float) -> None:
    (folder / "run.json").write_text(json.dumps({"settings": settings, "results": {}}))


def test_classes_are_averaged_interval_by_interval(tmp_path: Path) -> None:
    rows = []
    for interval, total in enumerate(LOCAL):
        for half in range(2):
            time = (interval * 2 + half) * 0.005
            # Tenant 1 in two parts, the rest tenant 3's; all of it a quarter more than local rates.
            for name, rate in (("T1-a1", 30e9), ("T1-b1", 20e9), ("T3-1", 1.25e9 * total - 50e9)):
                rows.append((f"{time:.3f}", name, "goodput", rate * 1460 / 1500))
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    write_manifest(tmp_path, duration_s=0.04)
    numbers = nimble_control.class_intervals(RunOutput(tmp_path))
    assert numbers["t1_interval1_gbps"] == pytest.approx(50 * 1460 / 1500)
    assert numbers["t3_interval4_gbps"] == pytest.approx(200 * 1460 / 1500)
    assert numbers["t1_mean_gbps"] == pytest.approx(50 * 1460 / 1500)
    assert numbers["use_of_local_rates"] == pytest.approx(1.25)
    assert numbers["use_of_local_rates_total"] == pytest.approx(1.25)


def test_local_rates_are_those_that_are_computed() -> None:
    table = pd.read_csv(RESULTS / "quick" / "nimble-fig12-rates" / "runs.csv").iloc[0]
    tenants = [f"t{number}" for number in (1, 2, 3)]
    for interval, total in enumerate(LOCAL, start=1):
        rates = [table[f"fig12_local{interval}_{tenant}_gbps"] for tenant in tenants]
        assert sum(rates) == pytest.approx(total)


def changed_limits(folder: Path, rates: list[list[float]]) -> RunOutput:
    """Two servers of 10 Gbps receive these Gbps in bins of 1 ms; limits are halved at 10 ms and
    restored at 20.
    """
    write(folder, "events", "time_s,event,details", [(0.01, "rate", ""), (0.02, "rate", "")])
    ports = [(f"leaf0:{i}", "leaf-host", 1e10) for i in range(2)]
    ports += [(f"host{i}:0", "host-leaf", 1e10) for i in range(2)]
    write(folder, "ports", "port,role,rate_bps", ports)
    pairs, tenants = [], []
    for i, of_servers in enumerate(rates):
        time = f"{i * 1e-3:.3f}"
        tenants.append((time, "A", "throughput", sum(of_servers) * 1e9))
        for server, rate in enumerate(of_servers):
            pairs.append((time, "A", server, 1 - server, server, "throughput", rate * 1e9))
    write(folder, "tenants", "time_s,tenant,measure,rate_bps", tenants)
    write(folder, "pairs", "time_s,tenant,pair,source,destination,measure,rate_bps", pairs)
    return RunOutput(folder)


def test_convergence_counts_from_the_change_to_the_end_of_a_bin(tmp_path: Path) -> None:
    before, after = [[9, 9]] * 10, [[7, 7], [9, 9]] + [[9, 9]] * 8
    # The second server is held at once, the first one two bins later.
    halved = [[9, 5], [8, 5], [5, 5]] + [[5, 5]] * 7
    run = changed_limits(tmp_path, before + halved + after)
    numbers = nimble_control.utilization_after_changes(run)
    assert numbers["before_percent"] == pytest.approx(90)
    assert numbers["cut_2ms_percent"] == pytest.approx(50)
    assert numbers["cut_settling_ms"] == pytest.approx(3)
    assert numbers["restore_settling_ms"] == pytest.approx(2)
    assert numbers["restore_above_94_ms"] == pytest.approx(10)  # never: all the time
    overrun = nimble_control.limit_overrun(run)
    assert overrun["overrun_max_ms"] == pytest.approx(2)
    assert overrun["overrun_mean_ms"] == pytest.approx(1)
    # 9 and 8 of 5 Gbps for a millisecond each.
    assert overrun["excess_max_ms"] == pytest.approx(0.8 + 0.6)
    assert overrun["excess_mean_ms"] == pytest.approx(0.7)


def test_limits_that_hold_at_once_take_no_time(tmp_path: Path) -> None:
    """An ideal shaper: settled and converged at the end of the first bin, beyond no limit."""
    run = changed_limits(tmp_path, [[10, 10]] * 10 + [[5, 5]] * 10 + [[10, 10]] * 10)
    numbers = nimble_control.utilization_after_changes(run)
    assert [numbers[f"{at}_percent"] for at in ("before", "halved", "after")] == [100, 50, 100]
    for name in ("cut_settling", "cut_converged", "restore_settling", "restore_converged"):
        assert numbers[f"{name}_ms"] == pytest.approx(1)
    assert numbers["restore_above_94_ms"] == pytest.approx(1)
    overrun = nimble_control.limit_overrun(run)
    assert [*overrun.values()] == pytest.approx([0] * 4, abs=1e-9)


def test_ports_that_are_used_at_their_own_rates_have_a_use_of_one(tmp_path: Path) -> None:
    rows = [
        (f"{interval * 0.01:.3f}", name, "goodput", share * total * 1e9 * nimble_control.PAYLOAD)
        for interval, total in enumerate(LOCAL)
        for name, share in (("T1-a", 0.5), ("T2-a", 0.3), ("T3-a", 0.2))
    ]
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    write_manifest(tmp_path, duration_s=0.04)
    numbers = nimble_control.class_intervals(RunOutput(tmp_path))
    assert numbers["use_of_local_rates"] == pytest.approx(1)
    assert numbers["use_of_local_rates_total"] == pytest.approx(1)


def test_convergence_lasts_until_what_was_reached_is_kept(tmp_path: Path) -> None:
    # Two servers: a running mean over 13 bins of 1 ms makes 26 server-ms, a point of the figure.
    share = pd.Series([100.0] * 20 + [50.0] * 40, index=range(60))
    plotted = nimble_control.as_plotted(share, servers=2)
    assert plotted.iloc[40] == pytest.approx(50)
    assert plotted.iloc[20] == pytest.approx((6 * 100 + 7 * 50) / 13)
    assert nimble_control.as_plotted(share, servers=26).tolist() == share.tolist()
    # There at once, not in the third bin, then for good.
    there = pd.Series([True, True, False, True, True], index=range(10, 15))
    assert nimble_control.reaching(there, since=10) == pytest.approx(1)
    assert nimble_control.staying(there, since=10) == pytest.approx(4)
    assert nimble_control.staying(~there, since=10) == pytest.approx(5)  # not even at the end


def test_queues_of_all_sampled_ports_are_pooled(tmp_path: Path) -> None:
    # One port's queue grows from 0 to 100 KB, the other is always empty.
    samples = [
        (i, port, i * size)
        for i in range(101)
        for port, size in (("edge0:0", 1024), ("edge0:1", 0))
    ]
    write(tmp_path, "queues", "time_s,port,bytes", samples)
    run = RunOutput(tmp_path)
    numbers = nimble_control.sampled_queue_numbers(run)
    assert numbers["queue_p50_kb"] == 0
    assert numbers["queue_p90_kb"] == pytest.approx(80, abs=1)
    assert numbers["queue_p99_kb"] == pytest.approx(98, abs=1)
    assert numbers["queue_max_kb"] == 100
    cdf = nimble_control.sampled_queue_cdf(run).set_index("x")["y"]
    assert cdf[0] == pytest.approx(102 / 202)
    assert cdf[50] == pytest.approx(152 / 202)
    assert cdf[100] == 1


def test_updates_are_means_over_windows(tmp_path: Path) -> None:
    rows = [
        (0.01, "edge", 100, 500),
        (0.01, "network", 8, 40),
        (0.02, "edge", 140, 700),
        (0.02, "network", 4, 20),
    ]
    write(tmp_path, "updates", "time_s,where,limiters,writes", rows)
    numbers = nimble_control.limiter_churn(RunOutput(tmp_path))
    assert numbers["edge_updates"] == 120
    assert numbers["network_updates"] == 6
    assert numbers["updates_ratio"] == 20
    assert numbers["writes_ratio"] == 20


def test_losses_at_reductions_are_a_share_of_all_but_the_first(tmp_path: Path) -> None:
    drops = [70, 0, 0, 0, 0, 30, 10, *[0] * 8, 40, *[0] * 4]
    rows = [(f"{i * 0.01:.2f}", count, 0) for i, count in enumerate(drops)]
    write(tmp_path, "drops_over_time", "time_s,drops,marks", rows)
    numbers = nimble_control.losses_over_time(RunOutput(tmp_path))
    assert numbers["drops_60ms"] == 30
    assert numbers["drops_160ms"] == 40
    assert numbers["drops_at_reductions_share"] == pytest.approx(70 / 80)
