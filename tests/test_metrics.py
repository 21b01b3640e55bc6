# SPDX-License-Identifier: GPL-2.0-only
"""Metrics on tables small enough to compute by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduce import metrics, summary, tables
from reproduce.errors import UserError
from reproduce.experiments import Experiment, load_all
from reproduce.metrics import RunOutput
from reproduce.papers import afq, drb, theory_loads
from reproduce.paths import RESULTS

FLOWS = (
    "flow,group,source,destination,bytes,start_ns,first_sent_ns,fct_ns,ideal_ns,slowdown,finished"
)


def output(folder: Path, **files: str) -> RunOutput:
    """A run's folder with these CSV files."""
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text + "\n")
    return RunOutput(folder)


def test_flow_completion_by_size(tmp_path: Path) -> None:
    flows = [
        FLOWS,
        "0,0,0,1,1000,0,10,200,100,2,1",
        "1,0,0,1,50000,0,10,1200,300,4,1",
        "2,0,0,1,2000000,0,10,9000,9000,1,1",
        "3,0,0,1,3000,0,10,,100,,0",
    ]
    numbers = metrics.flow_completion(output(tmp_path, flows="\n".join(flows)))
    assert numbers["all_flows"] == 4
    assert numbers["all_unfinished"] == 1
    assert numbers["short_unfinished"] == 1
    assert numbers["all_mean"] == pytest.approx((200 + 1200 + 9000) / (100 + 300 + 9000))
    assert numbers["short_mean"] == pytest.approx(1400 / 400)
    # The 99th percentile of two values lies 99 % of the way from the first to the second.
    assert numbers["short_p99"] == pytest.approx((200 + 0.99 * 1000) / 200)
    assert numbers["short_slowdown"] == pytest.approx(3)
    assert numbers["short_mean_us"] == pytest.approx(0.7)
    assert numbers["below_10KB_mean"] == pytest.approx(2)
    assert numbers["100KB_to_1MB_flows"] == 0
    assert "100KB_to_1MB_mean" not in numbers


def test_stationarity(tmp_path: Path) -> None:
    # One flow per 50 ms: 2, 2, 4, 4 times the idle network's time, after 40 ms.
    flows = [FLOWS] + [
        f"{i},0,0,1,1000,{40e6 + 50e6 * i},0,{fct},100,{fct / 100},1"
        for i, fct in enumerate((200, 200, 400, 400))
    ]
    (tmp_path / "run.json").write_text('{"settings": {"warmUp_s": 0.04, "duration_s": 0.2}}')
    run = output(tmp_path, flows="\n".join(flows))
    numbers = afq.stationarity(run)
    assert numbers["all_mean_first_50ms"] == pytest.approx(2 / 3)
    assert numbers["short_mean_first_100ms"] == pytest.approx(2 / 3)
    assert numbers["all_mean_drift"] == pytest.approx(2)
    assert numbers["short_p99_drift"] == pytest.approx(2)
    curve = afq.fct_by_start(run)
    assert curve["x"].tolist() == [50, 90, 150, 190]
    assert curve["y"].tolist() == [2, 2, 4, 4]


def test_completion_times_by_size_are_those_of_sorted_lists() -> None:
    """A size on each side of each boundary, and where it belongs."""
    sizes = [1, 9_999, 10_000, 99_999, 100_000, 999_999, 1_000_000, 9_999_999, 10_000_000]
    members = [range(9), range(4), range(2), [2, 3], [4, 5], [6, 7], [8]]
    random = np.random.default_rng(1)
    which = random.integers(0, len(sizes), 5000)
    flows = pd.DataFrame(
        {
            "bytes": np.array(sizes)[which],
            "fct_ns": random.integers(1, 100_000, 5000).astype(float),
            "ideal_ns": random.integers(1, 1000, 5000),
            "finished": (random.random(5000) < 0.9).astype(int),
        }
    )
    flows.loc[flows["finished"] == 0, "fct_ns"] = np.nan
    flows.loc[len(flows)] = [0, 5.0, 1, 1]  # a flow without a size is in no class
    table = metrics.completion_times(flows)
    assert list(table.index) == list(metrics.SIZE_CLASSES)
    for (_, row), places in zip(table.iterrows(), members, strict=True):
        inside = flows[:5000][np.isin(which, list(places))]
        done = inside[inside["finished"] == 1]
        times = sorted(done["fct_ns"])
        position = 0.99 * (len(times) - 1)
        below = int(position)
        assert (row["flows_started"], row["flows_finished"]) == (len(inside), len(done))
        assert row["fct_mean_ns"] == pytest.approx(sum(times) / len(times))
        assert row["fct_p50_ns"] == pytest.approx(np.median(times))
        assert row["fct_p99_ns"] == pytest.approx(
            times[below] + (position - below) * (times[below + 1] - times[below])
        )
        assert row["slowdown_mean"] == pytest.approx((done["fct_ns"] / done["ideal_ns"]).mean())
        assert row["ideal_mean_ns"] == pytest.approx(done["ideal_ns"].mean())


def test_results_have_completion_times_where_there_are_flows(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,1,0,20000,0,0,30000,10000,3,1", "1,0,1,0,5000,0,0,,10000,,0"]
    run = output(tmp_path, flows="\n".join(flows))
    (tmp_path / "run.json").write_text('{"results": {"flows_started": 2, "none": null}}')
    found = metrics.results(run)
    assert found["flows_started"] == 2 and "none" not in found
    assert found["fct_mean_ns_all"] == found["fct_p99_ns_short"] == 30000
    assert found["slowdown_mean_10KB_to_100KB"] == 3
    assert found["flows_finished_below_10KB"] == 0 and "fct_mean_ns_below_10KB" not in found
    assert "flows_started_above_10MB" not in found  # there are none


TASKS = "task,step,group,starter,start_ns,duration_ns,flows,bytes,lost_bytes"


def test_times_of_tasks_are_the_same_numbers_everywhere(tmp_path: Path) -> None:
    # 1, 2 and 4 us, and one of 100 us that lost bytes; a step of 8 us.
    rows = [f"{i},task,0,0,0,{time},1,9,0" for i, time in enumerate((4000, 1000, 2000))]
    rows += ["3,task,0,0,0,100000,1,9,5", "4,read,0,0,0,8000,1,9,0"]
    run = output(tmp_path, tasks="\n".join([TASKS, *rows]))
    (tmp_path / "run.json").write_text('{"results": {"task_count": 3, "task_incomplete_count": 1}}')
    p99 = 2 + 0.98 * 2  # 99 % of the way through two steps
    assert metrics.results(run) == pytest.approx(
        {"task_count": 3, "task_incomplete_count": 1}
        | {"task_mean_us": 7 / 3, "task_p99_us": p99, "task_max_us": 4}
        | {"read_mean_us": 8, "read_p99_us": 8, "read_max_us": 8}
    )
    heading, *lines = summary.text(tmp_path).splitlines()
    assert heading.split() == ["step", "number", "mean", "us", "99", "%", "us", "longest", "us"]
    assert sorted(line.split() for line in lines[:2]) == [
        ["read", "1", "8.00", "8.00", "8.00"],
        ["task", "3", "2.33", "3.96", "4.00"],
    ]
    assert lines[2].endswith("finished): task 3, read 1")


def test_a_simulations_summary_says_what_its_percentiles_lack(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,1,0,20000,0,0,30000,10000,3,1", "1,0,1,0,5000,0,0,,10000,,0"]
    output(tmp_path, flows="\n".join(flows))
    heading, every, *rest = summary.text(tmp_path).splitlines()
    assert heading.split()[:2] == ["size", "flows"]
    assert every.split() == ["all", "1", "30.00", "30.00", "30.00", "3.00"]
    assert [line.split()[0] for line in rest[:2]] == ["short", "10KB_to_100KB"]
    assert rest[2:] == [
        "note: 99th percentiles with fewer than ten flows beyond them (size class and its finished "
        "flows): all 1, short 1, 10KB_to_100KB 1",
    ]
    endless = [FLOWS, "0,0,1,0,0,0,0,,,,0"]
    output(tmp_path, flows="\n".join(endless))
    assert summary.text(tmp_path) == ""


def test_completion_of_a_request(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,1,0,9,0,5000,1000000,1,1,1", "1,0,2,0,9,0,1000,999000,1,1,1"]
    numbers = metrics.completion(output(tmp_path, flows="\n".join(flows)))
    assert numbers == {"completion_ms": pytest.approx((1005000 - 1000) / 1e6), "unfinished": 0}


def test_completion_of_many_requests(tmp_path: Path) -> None:
    flows = [
        FLOWS,
        "0,0,1,0,9,0,5000,1000000,1,1,1",
        "1,0,2,0,9,0,1000,999000,1,1,1",
        "2,1,2,1,9,0,7000,1998000,1,1,1",
    ]
    numbers = metrics.requests(output(tmp_path, flows="\n".join(flows)))
    assert numbers == {
        "request_mean_ms": pytest.approx((1.004 + 1.998) / 2),
        "request_max_ms": pytest.approx(1.998),
        "unfinished": 0,
    }


def test_request_with_an_unfinished_flow_has_no_completion(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,1,0,9,0,5000,1000000,1,1,1", "1,0,2,0,9,0,1000,,1,,0"]
    numbers = metrics.completion(output(tmp_path, flows="\n".join(flows)))
    assert math.isnan(numbers["completion_ms"])
    assert numbers["unfinished"] == 1


def test_drops_and_marks(tmp_path: Path) -> None:
    rows = ["port,kind,reason,packets,bytes", "a,drop,full,3,4500", "b,drop,full,2,3000"]
    rows.append("a,mark,ecn,7,10500")
    numbers = metrics.drops(output(tmp_path, drops="\n".join(rows)))
    assert numbers == {"packets_dropped": 5, "packets_marked": 7}


def test_queue_maximum_is_that_of_switches(tmp_path: Path) -> None:
    rows = ["port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,max_queue_packets"]
    rows += ["h,host-leaf,1,1,1,900,9", "l,leaf-spine,1,1,1,300,3", "s,leaf-host,1,1,1,400,2"]
    numbers = metrics.queue_maximum(output(tmp_path, ports="\n".join(rows)))
    assert numbers == {"max_queue_packets": 3, "max_queue_bytes": 400}


def test_completion_on_an_ideally_shared_link() -> None:
    # 100 bytes alone until 50, then two flows share: the first has 50 left and is over at 150, the
    # second has 50 left then, alone again.
    assert afq.processor_sharing_times(
        np.array([0.0, 50.0]), np.array([100.0, 100.0]), 1.0
    ).tolist() == [
        150,
        150,
    ]
    assert afq.processor_sharing_times(
        np.array([0.0, 500.0]), np.array([100.0, 7.0]), 2.0
    ).tolist() == [
        50,
        3.5,
    ]


def test_deviation_from_ideal(tmp_path: Path) -> None:
    ports = ["port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,max_queue_packets"]
    ports += ["host0:0,host-switch,8000000000,1,1,1,1"]
    ideal = 1460 * 1500 / 1460  # of one packet's payload at 1 byte/ns
    for factors, deviation in (((1, 1), 0), ((2, 2), 0), ((1, 3), 1 - (4 / 3) ** 2 / (20 / 9))):
        flows = [FLOWS]
        for i, factor in enumerate(factors):
            start = i * 100_000
            flows.append(f"{i},0,{i},2,1460,{start},{start},{factor * ideal},1,1,1")
        tables = {"ports": ports, "flows": flows}
        run = output(tmp_path, **{name: "\n".join(lines) for name, lines in tables.items()})
        assert afq.deviation_from_ideal(run)["deviation"] == pytest.approx(deviation)
    # Two that begin together and share the link equally: one is over after two, one of twice the
    # size after three packets' times, so that their rates are 1/2 and 2/3.
    flows = [FLOWS, f"0,0,0,2,1460,0,0,{2 * ideal},1,1,1", f"1,0,1,2,2920,0,0,{3 * ideal},1,1,1"]
    run = output(tmp_path, ports="\n".join(ports), flows="\n".join(flows))
    assert afq.deviation_from_ideal(run)["deviation"] == pytest.approx(0)
    assert afq.deviation_from_ideal(run)["rate_unfairness"] == pytest.approx(0.02)


def test_loss_at_switches_by_reason(tmp_path: Path) -> None:
    rows = ["port,kind,reason,packets,bytes", "host0:0,drop,Full,9,9000", "leaf0:1,mark,ECN,7,7000"]
    rows += ["leaf0:1,drop,AFQ horizon,3,4500", "spine0:2,drop,AFQ buffer,1,1500"]
    ports = ["port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,max_queue_packets"]
    ports += ["host0:0,host-leaf,1,800,1,1,1", "leaf0:1,leaf-host,1,999,1,1,1"]
    flows = [FLOWS, "0,0,0,1,9,0,0,1,1,1,1", "1,0,0,1,9,0,0,,1,,0"]
    tables = {"drops": rows, "ports": ports, "flows": flows}
    run = output(tmp_path, **{name: "\n".join(lines) for name, lines in tables.items()})
    (tmp_path / "run.json").write_text('{"results": {"flows_excluded": 1}}')  # of the warm-up
    assert afq.loss(run) == {
        "dropped_bytes_per_flow": 2000,
        "dropped_percent": pytest.approx(0.5),
        "packets_dropped_horizon": 3,
        "packets_dropped_buffer": 1,
    }


def test_drops_at_hosts(tmp_path: Path) -> None:
    rows = ["port,kind,reason,packets,bytes", "host0:0,drop,Full,9,9000", "host1:0,mark,ECN,7,7000"]
    run = output(tmp_path, drops="\n".join([*rows, "leaf0:1,drop,Full,3,4500"]))
    assert metrics.host_drops(run) == {"packets_dropped_hosts": 9}
    assert metrics.drops(run) == {"packets_dropped": 12, "packets_marked": 7}


OCCUPANCY = ["role,packets,count", "leaf-host,1,90", "leaf-spine,1,2", "leaf-spine,6,1"]


def test_packets_per_flow(tmp_path: Path) -> None:
    run = output(tmp_path, occupancy="\n".join([*OCCUPANCY, "spine-leaf,2,1"]))
    (tmp_path / "run.json").write_text(
        json.dumps(
            {"results": {"queue_mean_bytes_leaf-spine": 10, "queue_mean_bytes_leaf-host": 9}}
        )
    )
    numbers = metrics.occupancy(run)
    assert numbers["flow_packets_above_5"] == pytest.approx(1 / 94)
    assert numbers["flow_packets_max"] == 6
    core = metrics.core_occupancy(run)  # 1, 1, 2, 6
    assert core["flow_packets_above_5"] == pytest.approx(0.25)
    assert core["flow_packets_mean"] == pytest.approx(2.5)
    assert core["flow_packets_p99"] == 6
    assert core["flow_packets_p99_to_p50"] == 6
    assert core["queue_mean_bytes_core"] == 10


def test_shares_of_a_buffer_are_of_all_unfinished_flows(tmp_path: Path) -> None:
    # Two flows for 20 us, looked at every 10 us: 3 packets and 1 at first, 2 and none later.
    rows = ["role,packets,count", "switch-host,1,1", "switch-host,2,1", "switch-host,3,1"]
    flows = [FLOWS, *(f"{i},0,0,1,9,0,0,20000,1,1,1" for i in range(2))]
    run = output(tmp_path, occupancy="\n".join(rows), flows="\n".join(flows))
    record = [{"name": "rates", "Bin_s": 1}, {"name": "occupancy", "Interval_s": 1e-05}]
    (tmp_path / "run.json").write_text(json.dumps({"settings": {"record": record}}))
    assert afq.buffer_shares(run) == {"flow_packets_jain": pytest.approx(36 / (4 * 14))}


def test_fairness_is_that_of_finished_flows(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,0,1,100,0,0,100,1,1,1", "1,0,0,1,300,0,0,100,1,1,1", "2,0,0,1,1,0,0,,1,,0"]
    numbers = metrics.fairness(output(tmp_path, flows="\n".join(flows)))
    assert numbers["jain"] == pytest.approx(16 / 20)
    assert numbers["unfairness"] == pytest.approx(0.2)
    assert numbers["flows"] == 2


def test_size_fairness_of_a_straight_line(tmp_path: Path) -> None:
    # FCT = 5 us + size / (1 byte/ns): the intercept is found, and small flows have most of it.
    sizes = [1000, 20_000, 200_000, 2_000_000]
    flows = [FLOWS] + [
        f"{i},0,0,1,{size},0,0,{size + 5000},{size},1,1" for i, size in enumerate(sizes)
    ]
    # One of 20 MB that ended in an emptier network, at twice the rate.
    flows.append("4,0,0,1,20000000,0,0,10000000,20000000,1,1")
    assert afq.size_fairness(output(tmp_path, flows="\n".join(flows)))[
        "us_per_KB_large"
    ] == pytest.approx(1.0025)
    numbers = afq.size_fairness(output(tmp_path, flows="\n".join(flows[:-1])))
    assert numbers["fit_error"] == pytest.approx(0, abs=1e-9)
    assert numbers["fit_intercept_us"] == pytest.approx(5)
    assert numbers["slowdown_small"] == pytest.approx(6)
    assert numbers["slowdown_ratio"] == pytest.approx(6 / 1.0025)
    assert numbers["us_per_KB_small"] == pytest.approx(6)
    assert numbers["us_per_KB_middle"] == pytest.approx(1.025)
    assert numbers["us_per_KB_large"] == pytest.approx(1.0025)


def test_fairness_among_large_flows(tmp_path: Path) -> None:
    flows = [
        FLOWS,
        "0,0,0,1,20000,0,0,90000,20000,1,1",
        "1,0,0,1,2000000,0,0,2000000,2000000,1,1",  # has all of its rate
        "2,0,0,1,3000000,0,0,6000000,3000000,1,1",  # has half of it
    ]
    numbers = afq.size_fairness(output(tmp_path, flows="\n".join(flows)))
    assert numbers["jain_large"] == pytest.approx(1.5**2 / (2 * 1.25))


def test_misestimation_by_sketch(tmp_path: Path) -> None:
    found = {
        "misestimated_2x1024": 0.01,
        "misestimated_bound_2x1024": 0.5,
        "misestimated_sketch": 1,
    }
    (tmp_path / "run.json").write_text(json.dumps({"results": found}))
    run = RunOutput(tmp_path)
    assert afq.misestimation_numbers(run) == {"misestimated_2x1024_percent": pytest.approx(1)}


def test_rate_fairness_counts_active_groups_only(tmp_path: Path) -> None:
    # Group 1 is there from 1 s to 2 s, group 0 always; rates 1:3, then 2:2. The bin in which
    # group 1 joins (9:1) is within the time to settle.
    rows = ["time_s,group,rate_bps", "0,0,4", "1,0,9", "1,1,1", "1.02,0,1", "1.02,1,3"]
    rows += ["2,0,2", "2,1,2", "3,0,4"]
    numbers = afq.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["rate_cov"] == pytest.approx((0.5 + 0) / 2)
    assert numbers["jain"] == pytest.approx((16 / 20 + 1) / 2)
    assert numbers["jain_min"] == pytest.approx(0.8)
    assert numbers["newcomer_share_min"] == pytest.approx(0.2)  # 1 of (9 + 1) / 2


def test_groups_that_begin_together_are_no_newcomers(tmp_path: Path) -> None:
    rows = ["time_s,group,rate_bps", "0,0,3", "0,1,1", "1,0,2", "1,1,2", "2,0,4", "2,1,2", "2,2,6"]
    numbers = afq.rate_fairness(output(tmp_path, rates="\n".join(rows[:5])))
    assert "newcomer_share_min" not in numbers
    numbers = afq.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["newcomer_share_min"] == pytest.approx(1.5)


def test_rate_fairness_at_real_rates(tmp_path: Path) -> None:
    rows = ["time_s,group,rate_bps", "0,0,9000000000", "0,1,9000000000", "1,0,8", "1,1,8"]
    numbers = afq.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["jain_min"] == pytest.approx(1)


def test_a_starved_group_stays_active_between_its_first_and_last_bin(tmp_path: Path) -> None:
    rows = ["time_s,group,rate_bps", "0,0,2", "0,1,2", "1,0,4", "2,0,2", "2,1,2"]
    numbers = afq.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["jain_min"] == pytest.approx(0.5)


PAIRS = (
    "time_s,tenant,pair,source,destination,measure,rate_bps",
    "0,A,0,0,2,goodput,1000000",
    "0,A,0,0,2,throughput,1100000",
    "0,B,2,1,3,goodput,8000000",
    "1,A,0,0,2,goodput,3000000",
    "1,B,2,1,3,goodput,0",
)


def test_rates_of_pairs(tmp_path: Path) -> None:
    numbers = metrics.pair_rates(output(tmp_path, pairs="\n".join(PAIRS)))
    assert numbers["A 0-2 goodput_mean_mbps"] == pytest.approx(2)
    assert numbers["A 0-2 goodput_std_mbps"] == pytest.approx(math.sqrt(2))
    assert numbers["A 0-2 throughput_max_mbps"] == pytest.approx(1.1)
    assert numbers["B 1-3 goodput_min_mbps"] == 0
    assert all(metrics.METRICS["pair-rates"].gives(column) for column in numbers)


def test_pairs_between_the_same_hosts_are_told_apart(tmp_path: Path) -> None:
    rows = [*PAIRS, "0,A,4,0,2,goodput,5000000"]
    rates = metrics.over_time(output(tmp_path, pairs="\n".join(rows)), "pairs", "goodput")
    assert list(rates.columns) == ["A 0-2 #0", "A 0-2 #4", "B 1-3"]
    assert list(rates["A 0-2 #0"]) == [1e6, 3e6]


def test_rates_of_tenants(tmp_path: Path) -> None:
    rows = ["time_s,tenant,measure,rate_bps", "0,A,goodput,2000000", "1,A,goodput,4000000"]
    numbers = metrics.tenant_rates(output(tmp_path, tenants="\n".join(rows)))
    assert numbers["A goodput_mean_mbps"] == pytest.approx(3)


@pytest.mark.parametrize(
    ("values", "unfairness"), [((1, 1, 1, 1), 0), ((1, 0, 0, 0), 0.75), ((1, 2, 3, 4), 0.16667)]
)
def test_jain(values: tuple, unfairness: float) -> None:
    assert 1 - metrics.jain(np.array(values, float)) == pytest.approx(unfairness, abs=1e-5)


def test_results_takes_numbers_only(tmp_path: Path) -> None:
    manifest = {"results": {"timeouts": 3, "mean": 0.5, "note": "text", "none": None}}
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    assert metrics.results(RunOutput(tmp_path)) == {"timeouts": 3, "mean": 0.5}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"flows\.csv is missing"):
        metrics.flow_completion(RunOutput(tmp_path))


def test_interval_is_students() -> None:
    # 1, 2, 3: standard deviation 1, t = 4.303 for 2 degrees of freedom.
    assert tables.interval(pd.Series([1.0, 2.0, 3.0])) == pytest.approx(4.303 / math.sqrt(3))
    assert math.isnan(tables.interval(pd.Series([1.0])))
    wide = pd.Series(np.arange(100.0))
    assert tables.interval(wide) == pytest.approx(1.96 * wide.std() / 10)


def test_summary_is_the_mean_over_seeds() -> None:
    table = pd.DataFrame(
        {"scheme": ["a", "a", "b"], "load": [1, 1, 1], "seed": [1, 2, 1], "x": [1.0, 3.0, 5.0]}
    )
    rows = tables.summary(table, ["scheme", "load"]).to_dict("records")
    assert [(row["scheme"], row["mean"], row["seeds"]) for row in rows] == [
        ("a", 2, 2),
        ("b", 5, 1),
    ]
    assert rows[0]["ci95"] == pytest.approx(12.706 * math.sqrt(2) / math.sqrt(2))


def test_ratios_are_formed_seed_by_seed() -> None:
    rows = [("a", 1, 1, 2.0), ("a", 1, 2, 30.0), ("b", 1, 1, 1.0), ("b", 1, 2, 10.0)]
    rows += [("a", 2, 1, 5.0), ("b", 2, 1, 1.0), ("c", 3, 1, 1.0)]
    table = pd.DataFrame(rows, columns=["scheme", "n", "seed", "m"]).assign(where="here")
    plot = {"x": "n", "y": "m", "over": "b", "at": {"where": "here"}}
    found = tables.ratios(table, plot)
    assert list(found["scheme"]) == ["a", "a"]  # c has no point in common with b
    assert list(found["mean"]) == [2.5, 5]
    assert list(found["seeds"]) == [2, 1]
    assert found["ci95"][0] == pytest.approx(12.706 * 0.5)
    assert tables.ratios(table, plot | {"at": {"where": "there"}}).empty


def test_goodput_between_failures(tmp_path: Path) -> None:
    run = output(
        tmp_path,
        ports="port,role,rate_bps\nhost0:0,host-edge,200000000\nedge0:0,edge-host,200000000",
        rates="time_s,group,rate_bps\n0,0,1e8\n0,1,5e7\n1,0,2e8\n1,1,0",
    )
    found = {
        "period0_goodput_bps": 4e8,
        "period0_goodput_share": 1,
        "period0_lowest_share": 0.9,
        "period0_settling_s": 0,
        "period1_goodput_bps": 3e8,
        "period1_goodput_share": 0.75,
        "period1_lowest_share": 0,
        "period1_settling_s": None,
        "change1_s": 4,
        "change1_last_server_told_s": 4.25,
    }
    (tmp_path / "run.json").write_text(json.dumps({"results": found}))
    numbers = metrics.failure_periods(run)
    assert numbers["period1_goodput_gbps"] == pytest.approx(1.5)  # as if links had 1 Gbit/s
    assert numbers["loss1_gbps"] == pytest.approx(0.5)
    assert numbers["told1_ms"] == pytest.approx(250)
    assert math.isnan(numbers["period1_settling_s"])
    assert list(metrics.aggregate_goodput(run)) == pytest.approx([0.75, 1])


def test_what_a_run_did_not_write_is_named(tmp_path: Path) -> None:
    run = output(tmp_path, flows="bytes,fct_ns\n1,1")
    with pytest.raises(UserError, match="metric 'flow-completion' needs 'finished'"):
        metrics.METRICS["flow-completion"].measure(run)
    with pytest.raises(UserError, match="curve 'fct-by-size' needs 'finished'"):
        tables.mean_curve("fct-by-size", {1: run})


@pytest.mark.parametrize("experiment", load_all(), ids=lambda experiment: experiment.id)
def test_columns_are_declared(experiment: Experiment) -> None:
    """Every number in the tables is one that a metric of the experiment says it gives."""
    found = set()
    for path in RESULTS.glob(f"*/{experiment.id}/runs.csv"):
        keys = {"scheme", "seed", *experiment.swept(path.parent.parent.name)}
        found |= set(pd.read_csv(path, nrows=0)) - keys
    metrics_named = [metrics.METRICS[name] for name in experiment.metrics]
    assert [name for name in sorted(found) if not any(m.gives(name) for m in metrics_named)] == []


PORTS = "port,role,rate_bps,tx_packets,tx_bytes,max_queue_bytes,max_queue_packets,queue_packets"


def test_a_probe_without_an_end_has_waited_until_the_end(tmp_path: Path) -> None:
    flows = [
        FLOWS,
        "0,1,0,1,4096,0,1000,8000,100,2,1",
        "1,1,0,1,4096,500000,501000,,100,,0",
        "2,0,0,1,4096,0,1000,,100,,0",  # not a probe
    ]
    run = output(tmp_path, flows="\n".join(flows))
    results = {"rack0_load": 0.92, "rack1_load": 0.9}
    (tmp_path / "run.json").write_text(json.dumps({"simulated_s": 0.002, "results": results}))
    numbers = drb.probes(run)
    assert numbers["probe_4KB_max_us"] == pytest.approx(9)
    assert numbers["probe_4KB_longest_us"] == pytest.approx(1500)
    assert numbers["probe_4KB_unfinished"] == 1


@pytest.mark.parametrize("payload", [1460, 1440])
def test_payload_that_arrived(tmp_path: Path, payload: int) -> None:
    ports = [PORTS, *(f"host{i}:0,host-edge,1000,1,1,1,1,0" for i in range(2)), "edge0:0,edge-host"]
    latency = "low_ns,high_ns,count\n0,1,30\n1,2,10"
    run = output(tmp_path, ports="\n".join(ports), network_latency=latency)
    settings = {"duration_s": 0.1, "transports": {"mptcp": {"SegmentSize": payload}}}
    (tmp_path / "run.json").write_text(json.dumps({"settings": settings}))
    assert drb.arrivals(run) == {"arrived_mean_mbps": pytest.approx(40 * payload * 8 / 0.1 / 2e6)}


def test_flows_that_share_links(tmp_path: Path) -> None:
    rows = ["port,role,flows", *(f"e{i},edge-aggregation,{n}" for i, n in enumerate([0, 1, 1, 4]))]
    rows += [f"{role},{role},1" for role in theory_loads.LAYERS.values() if "edge-a" not in role]
    found = theory_loads.flows_per_link(output(tmp_path, **{"port-flows": "\n".join(rows)}))
    assert [found[f"rack_up_{count}"] for count in range(4)] == [0.25, 0.5, 0, 0.25]
    assert found["rack_up_mean"] == 1.5
    assert found["rack_up_variance"] == pytest.approx(2.25)


def test_constant_of_the_loss_law(tmp_path: Path) -> None:
    drops = "port,kind,reason,packets,bytes\ns:1,drop,Lost at random,10,1\ns:0,drop,full,5,1"
    ports = f"{PORTS}\ns:0,switch-host,1,500,1,1,1,0\ns:1,switch-host,1,990,1,1,1,0"
    run = output(tmp_path, drops=drops, ports=ports)
    goodput = 100 * 1460 * 8 / 0.02  # 100 segments per round trip
    (tmp_path / "run.json").write_text(
        json.dumps(
            {
                "settings": {"baseRtt_s": 0.02, "transports": {"lean": {"SegmentSize": 1460}}},
                "results": {"goodput_bps": goodput},
            }
        )
    )
    found = theory_loads.loss_law(run)
    assert found["loss_rate"] == 0.01
    assert found["law_constant"] == pytest.approx(10)


def test_setup_times_are_of_pods_and_racks_of_the_runs_fat_tree(tmp_path: Path) -> None:
    # Racks of 4 hosts (2 edges' worth at 2 to 1), pods of 8: within a rack, between racks, pods.
    flows = [FLOWS] + [
        f"{i},0,{source},{destination},1000,0,{setup},9,9,1,1"
        for i, (source, destination, setup) in enumerate([(0, 3, 1000), (0, 4, 5000), (0, 8, 3000)])
    ]
    flows.append("3,0,0,9,1000,2000,,,9,,0")  # counts by what it has waited
    run = output(tmp_path, flows="\n".join(flows))
    topology = {"name": "fat-tree", "K": 4, "EdgeOversubscription": 2.0}
    manifest = {"settings": {"topology": topology}, "simulated_s": 9e-6}
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    numbers = drb.setup_times(run)
    assert (numbers["setup_samples"], numbers["setup_rack_samples"]) == (2, 1)
    assert numbers["setup_unfinished"] == 1
    assert numbers["setup_p50_us"] == pytest.approx((3 + 7) / 2)
    assert numbers["setup_rack_p50_us"] == 1
