# SPDX-License-Identifier: GPL-2.0-only
"""Theory on examples that anyone can work out."""

import json
from pathlib import Path

import numpy as np
import pytest

from reproduce.metrics import RunOutput
from reproduce.papers import theory


def output(folder: Path, manifest: dict, **files: str) -> RunOutput:
    """A run's folder with this manifest and these CSV files."""
    (folder / "run.json").write_text(json.dumps(manifest))
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text + "\n")
    return RunOutput(folder)


def test_waits_of_md1_and_mm1() -> None:
    wait, utilisation = theory.pollaczek_khinchine(0.8, np.ones(10))
    assert (wait, utilisation) == (pytest.approx(2), pytest.approx(0.8))  # rho / (2 (1 - rho))
    # Times of mean 1 and variance 1, as exponential ones: rho / (1 - rho).
    wait, _ = theory.pollaczek_khinchine(0.8, np.array([0.0, 2.0]))
    assert wait == pytest.approx(4)


def test_wait_between_switches(tmp_path: Path) -> None:
    results = {"flow_rate_per_s": 1.6e6, "queueing_switch-switch_mean_us": 2.2}
    run = output(
        tmp_path,
        {"results": results},
        ports="port,role,rate_bps\ns0,switch-switch,8000000000\ns1,switch-switch,8000000000\n"
        "h0,host-switch,1",
        flows="bytes\n972\n972",  # 1000 bytes take 1 us, 0.8 of them come in one
    )
    numbers = theory.queue_theory(run)
    assert numbers["utilisation"] == pytest.approx(0.8)
    assert numbers["wait_theory_us"] == pytest.approx(2)
    assert numbers["wait_over_theory"] == pytest.approx(1.1)


def test_processor_sharing(tmp_path: Path) -> None:
    # At 12 Gbit/s 146,000 bytes and their headers take 100 us, and twice that at a load of a half.
    load = 0.5 * 1460 / 1540
    run = output(
        tmp_path,
        {"settings": {"load": load, "topology": {"name": "dumbbell", "Left": 2}}},
        ports="port,role,rate_bps\na,host-switch,1\nb,switch-switch,12000000000",
        flows="source,destination,bytes,fct_ns,ideal_ns,finished\n"
        "0,2,146000,250000,105000,1\n"
        "3,1,146000,160000,105000,1\n"
        "0,1,146000,9,9,1\n"  # does not cross
        "0,2,1460,9,9,1",  # is not large
    )
    numbers = theory.processor_sharing(run)
    assert numbers["large_flows"] == 2
    assert numbers["utilisation"] == pytest.approx(0.5)
    assert numbers["fct_over_sharing"] == pytest.approx(205 / 205)


def test_water_filling_of_a_parking_lot() -> None:
    # One flow over three links, and one over each: the narrowest link decides for the long flow.
    use = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]], float)
    assert theory.water_filling(use, np.array([10, 8, 4.0])) == pytest.approx([2, 8, 6, 2])


def test_water_filling_where_flows_take_different_parts() -> None:
    use = np.array([[1, 0.5], [0, 1.0]])
    assert theory.water_filling(use, np.array([3.0, 1.0])) == pytest.approx([2.5, 1])


def test_shares_against_goodput(tmp_path: Path) -> None:
    # Two flows share port p; the acknowledgments of the second one meet a flow at q that has the
    # rest of it, and do not hold the second one back.
    share = 10e9 / 2 * 1460 / 1500
    alone = (10e9 - share * 40 / 1460) * 1460 / 1500
    run = output(
        tmp_path,
        {"settings": {"warmUp_s": 0.002}},
        paths="flow,group,what,port\n1,0,data,p\n2,1,data,p\n2,1,answer,q\n3,2,data,q",
        ports="port,rate_bps\np,10000000000\nq,10000000000",
        rates="time_s,group,rate_bps\n0,0,1\n0,1,1\n0,2,1\n"
        f"0.002,0,{share * 0.9}\n0.002,1,{share * 1.02}\n0.002,2,{alone}",
    )
    numbers = theory.max_min(run)
    assert numbers["share_least_mbps"] == pytest.approx(share / 1e6)
    assert numbers["share_most_mbps"] == pytest.approx(alone / 1e6)
    assert numbers["share_error_mean"] == pytest.approx(0.04)
    assert numbers["share_error_max"] == pytest.approx(0.1)
