# SPDX-License-Identifier: GPL-2.0-only
"""Curves on runs small enough to compute by hand."""

import json
from pathlib import Path

import pandas as pd
import pytest

from reproduce import curves
from reproduce.metrics import RunOutput
from reproduce.papers import drb
from reproduce.tables import mean_curve

FLOWS = "bytes,fct_ns,ideal_ns,finished\n"


def outputs(folder: Path, name: str, *texts: str) -> dict[int, RunOutput]:
    """Runs with seeds 1, 2, ..., each with one CSV file."""
    runs = {}
    for seed, text in enumerate(texts, 1):
        (folder / str(seed)).mkdir()
        (folder / str(seed) / f"{name}.csv").write_text(text)
        runs[seed] = RunOutput(folder / str(seed))
    return runs


def test_completion_by_size_is_the_mean_of_a_bin(tmp_path: Path) -> None:
    text = FLOWS + "1100,1000,1,1\n1200,3000,1,1\n1200,,1,0\n50000,7000,1,1\n"
    table = curves.fct_by_size(outputs(tmp_path, "flows", text)[1])
    assert list(table["y"]) == [2, 7]
    assert list(table["x"]) == pytest.approx([10**3.125, 10**4.625])  # middles of quarter decades


def test_ccdf_over_seeds(tmp_path: Path) -> None:
    head = "role,packets,count\n"
    runs = outputs(
        tmp_path, "occupancy", head + "leaf-spine,1,3\nleaf-spine,3,1\n", head + "leaf-host,1,5\n"
    )
    table = mean_curve("packets-per-flow", runs)
    assert list(table["x"]) == [1, 2, 3]
    assert list(table["mean"]) == [1, 0.125, 0.125]  # the second run has none above 1
    core = mean_curve("core-packets-per-flow", {1: runs[1]})
    assert list(core["mean"]) == [1, 0.25, 0.25]
    assert core["ci95"].isna().all()


def test_misestimation_has_a_line_per_number_of_rows(tmp_path: Path) -> None:
    results = {"misestimated_1x64": 0.5, "misestimated_1x128": 0.25, "misestimated_2x64": 0.125}
    (tmp_path / "run.json").write_text(json.dumps({"results": results}))
    table = mean_curve("misestimation", {1: RunOutput(tmp_path)})
    expected = {("1 row", 64): 50, ("1 row", 128): 25, ("2 rows", 64): 12.5}
    assert (
        dict(zip(zip(table["series"], table["x"], strict=True), table["mean"], strict=True))
        == expected
    )


def test_rates_of_pairs_over_time(tmp_path: Path) -> None:
    text = (
        "time_s,tenant,pair,source,destination,measure,rate_bps\n"
        "0.005,A,0,0,2,goodput,1000000\n0.01,A,0,0,2,goodput,3000000\n"
        "0.01,B,2,1,3,goodput,8000000\n0.01,B,2,1,3,throughput,9000000\n"
    )
    table = mean_curve("pair-goodput", outputs(tmp_path, "pairs", text))
    rows = [(row.series, row.x, row.mean) for row in table.itertuples()]
    assert rows == [("A 0-2", 5, 1), ("A 0-2", 10, 3), ("B 1-3", 10, 8)]


def test_a_cdf_holds_beyond_the_ends_of_a_run(tmp_path: Path) -> None:
    head = "high_ns,count\n"
    runs = outputs(tmp_path, "round_trip", head + "1000,1\n", head + "100000,1\n", head)
    table = mean_curve("round-trip-cdf", runs).set_index("x")["mean"]
    assert table.is_monotonic_increasing
    assert table[(table.index > 2) & (table.index < 90)].eq(0.5).all()
    assert table.iloc[-1] == 1  # the third run counted nothing: it says nothing


def test_a_run_without_the_curve_draws_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    table = mean_curve("misestimation", {1: RunOutput(tmp_path)})
    assert isinstance(table, pd.DataFrame)
    assert table.empty


def test_loads_are_those_of_links_between_switches(tmp_path: Path) -> None:
    text = "link,load,count\n0,1,8\n1,0.5,2\n1,2,2\n2,1,4\n3,0.25,8\n"
    table = drb.fabric_link_loads(outputs(tmp_path, "loads", text)[1])
    shares = dict(zip(table["x"].round(1), table["y"], strict=True))
    assert (shares[0.0], shares[0.5], shares[0.6], shares[2.0], shares[2.1]) == (
        1,
        1,
        0.75,
        0.25,
        0,
    )


def test_delay_until_the_last_server_knows(tmp_path: Path) -> None:
    text = "failure,trial,first_server_ms,last_server_ms\n"
    text += "rack_link,0,1,100\nrack_link,1,1,250\ncore_link,0,1,300\n"
    table = drb.server_delay(outputs(tmp_path, "delays", text)[1])
    shares = table.set_index(["series", "x"])["y"]
    assert [shares["rack link"][x] for x in (98, 100, 248, 250)] == [0, 0.5, 0.5, 1]
    assert [shares["core link"][x] for x in (298, 300)] == [0, 1]
