# SPDX-License-Identifier: GPL-2.0-only
"""Metrics on tables small enough to compute by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduce import metrics, tables
from reproduce.errors import UserError
from reproduce.metrics import RunOutput

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


def test_completion_of_a_request(tmp_path: Path) -> None:
    flows = [FLOWS, "0,0,1,0,9,0,5000,1000000,1,1,1", "1,0,2,0,9,0,1000,999000,1,1,1"]
    numbers = metrics.completion(output(tmp_path, flows="\n".join(flows)))
    assert numbers == {"completion_ms": pytest.approx((1005000 - 1000) / 1e6), "unfinished": 0}


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


def test_rate_fairness_counts_active_groups_only(tmp_path: Path) -> None:
    # Group 1 is there from 1 s to 2 s, group 0 always; rates 1:3, then 2:2. The bin in which
    # group 1 joins (9:1) is within the time to settle.
    rows = ["time_s,group,rate_bps", "0,0,4", "1,0,9", "1,1,1", "1.02,0,1", "1.02,1,3"]
    rows += ["2,0,2", "2,1,2", "3,0,4"]
    numbers = metrics.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["rate_cov"] == pytest.approx((0.5 + 0) / 2)
    assert numbers["jain"] == pytest.approx((16 / 20 + 1) / 2)
    assert numbers["jain_min"] == pytest.approx(0.8)


def test_rate_fairness_at_real_rates(tmp_path: Path) -> None:
    rows = ["time_s,group,rate_bps", "0,0,9000000000", "0,1,9000000000", "1,0,8", "1,1,8"]
    numbers = metrics.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["jain_min"] == pytest.approx(1)


def test_a_starved_group_stays_active_between_its_first_and_last_bin(tmp_path: Path) -> None:
    rows = ["time_s,group,rate_bps", "0,0,2", "0,1,2", "1,0,4", "2,0,2", "2,1,2"]
    numbers = metrics.rate_fairness(output(tmp_path, rates="\n".join(rows)))
    assert numbers["jain_min"] == pytest.approx(0.5)


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
