# SPDX-License-Identifier: GPL-2.0-only
"""uFAB's metrics on tables small enough to compute by hand."""

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reproduce.metrics import RunOutput
from reproduce.papers import mufab, mufab_beyond, mufab_scale

PORTS = "port,rate_bps,max_queue_bytes"


def run_of(folder: Path, files: dict[str, list[str]], **manifest: object) -> RunOutput:
    """A run with these tables and this manifest."""
    for name, rows in files.items():
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    (folder / "run.json").write_text(json.dumps(manifest))
    return RunOutput(folder)


def test_dissatisfaction_is_what_is_missing_over_what_is_delivered(tmp_path: Path) -> None:
    rows = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for bin_ in range(10):
        rows += [f"{bin_ / 1000},A,0,0,2,throughput,1e9", f"{bin_ / 1000},B,1,1,2,throughput,3e9"]
    tenants = {name: {"hose_bps": 2e9, "joins_s": 0.0} for name in "AB"}
    ports = [PORTS, "switch0:2,10000000000,50000"]
    run = run_of(tmp_path, {"pairs": rows, "ports": ports}, settings={"tenants": tenants})
    # 1 Gbit/s is missing for 10 ms, 1.25 MB, of 5 MB that come.
    numbers = mufab.guarantees(run)
    assert numbers["dissatisfaction_percent"] == pytest.approx(25)
    assert numbers["satisfied"] == 1
    assert numbers["worst_vf_share"] == pytest.approx(0.5)
    assert mufab.missing(run).to_numpy().sum() * 1e6 * 1e-3 / 8 == pytest.approx(1.25e6)


def test_fluctuation_at_the_start_is_that_of_the_first_20_ms(tmp_path: Path) -> None:
    rows = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for bin_ in range(50):
        rate = (1 if bin_ % 2 else 3) if bin_ < 20 else 2
        rows.append(f"{bin_ / 1000},A,0,0,2,throughput,{rate}e9")
    tenants = {"A": {"hose_bps": 2e9, "joins_s": 0.0}}
    ports = [PORTS, "switch0:2,10000000000,50000"]
    run = run_of(tmp_path, {"pairs": rows, "ports": ports}, settings={"tenants": tenants})
    numbers = mufab.guarantees(run)
    # 1 and 3 Gbit/s in turn: 1 off the mean of 2, with 20 values (20 / 19) ** 0.5 times as much.
    assert numbers["rate_cov_start"] == pytest.approx(0.5 * (20 / 19) ** 0.5)
    assert numbers["rate_cov"] == pytest.approx(0)


def test_a_steady_rate_is_a_share_of_the_link_for_ten_bins(tmp_path: Path) -> None:
    rows = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for bin_ in range(40):
        # A has its half of 9.5 Gbit/s from 5 ms on, but for 8 ms; B never comes within a tenth.
        rate = 4.5 if bin_ >= 5 and bin_ != 8 else 1
        rows += [f"{bin_ / 1000},A,0,0,7,throughput,{rate}e9"]
        rows += [f"{bin_ / 1000},B,1,1,7,throughput,3.5e9"]
    tenants = {name: {"hose_bps": 2e9, "joins_s": 0.0} for name in "AB"}
    ports = [PORTS, "host7:0,10000000000,0", "switch0:2,10000000000,50000"]
    run = run_of(tmp_path, {"pairs": rows, "ports": ports}, settings={"tenants": tenants})
    numbers = mufab.steady(run)
    # The ten bins of A end with the one that begins at 18 ms; B counts with the whole run, or, by
    # the rate at which it stays, with its first ten bins.
    assert numbers["share_after_ms"] == pytest.approx((19 + 40) / 2)
    assert numbers["own_rate_after_ms"] == pytest.approx((19 + 10) / 2)


def test_the_longest_round_trip_in_base_rtts(tmp_path: Path) -> None:
    ports = [PORTS, "host0:0,10000000000,999999", "switch0:1,10000000000,57000"]
    results = {"mufab_largest_base_rtt_us": 24.0, "mufab_rtt_max_us": 120, "mufab_rtt_p99_us": 48}
    numbers = mufab_beyond.longest(run_of(tmp_path, {"ports": ports}, results=results))
    assert numbers == pytest.approx(
        {"rtt_over_base": 5, "rtt_p99_over_base": 2, "queue_bdps": 57000 / 28500}
    )


def test_demands_and_guarantees_of_a_star_are_those_of_the_run(tmp_path: Path) -> None:
    # Demands are high from 1 to 3 ms; 8 Gbit/s are guaranteed, 95 % of it come in the second bin.
    workloads = [{}, {"Start_s": 0.001, "On_s": 0.002, "Period_s": 0.01}]
    tenant = {"hose_bps": 2e9, "hosts": [0, 1, 2, 3, 4], "workloads": workloads}
    settings = {"tenants": {"F": tenant}, "topology": {"name": "single-switch"}, "baseRtt_s": 5e-6}
    gbps = [1, 1, 7, 8, 9, 9, 1, 1]
    rows = [f"{i / 2000},F,throughput,{rate}e9" for i, rate in enumerate(gbps)]
    files = {
        "tenants": ["time_s,tenant,measure,rate_bps", *rows],
        "ports": [PORTS, "switch0:4,10000000000,7000"],
        "network_latency": ["low_ns,high_ns,count", "2000,3000,1"],
    }
    results = {"network_latency_p99_us": 4, "network_latency_max_us": 5}
    numbers = mufab.star(run_of(tmp_path, files, settings=settings, results=results))
    assert numbers["star_rtt_max_us"] == pytest.approx(5 + 5 - 2)
    assert numbers["greedy_gbps"] == pytest.approx(9)
    assert numbers["guarantee_after_ms"] == pytest.approx(1)
    assert numbers["steady_after_ms"] == pytest.approx(1)


def test_guarantees_of_pairs_are_those_of_the_run(tmp_path: Path) -> None:
    # A pair of 4 Gbit/s has them from the second bin on.
    rows = [f"{i / 1e4},T1,0,0,1,throughput,{rate}e9" for i, rate in enumerate((3, 4, 4, 4))]
    files = {
        "pairs": ["time_s,tenant,pair,source,destination,measure,rate_bps", *rows],
        "limiters": ["time_s,tenant,pair,measure,value", "0.0001,T1,0,path,0"],
    }
    run = run_of(tmp_path, files, settings={"tenants": {"T1": {"hose_bps": 4e9}}})
    numbers = mufab_scale.settling(run)
    assert numbers["guarantees_us"] == pytest.approx(100)
    assert numbers["short_pairs"] == 0
    assert mufab_scale.short_pairs(run)["y"].tolist() == [100, 0, 0, 0]


def incast_of(folder: Path, short: set[int]) -> dict[str, float]:
    """Two pairs of 4 Gbit/s join at 0.1 ms; in some of 30 bins of 50 us the second has 3."""
    pairs = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for bin_ in range(32):
        for pair in (0, 1):
            rate = 0 if bin_ < 2 else 3 if pair and bin_ - 2 in short else 4
            pairs.append(f"{bin_ * 50 / 1e6},incast,{pair},{pair},9,throughput,{rate}e9")
    tenants = {"incast": {"hose_bps": 4e9, "joins_s": 1e-4}, "B1": {"hose_bps": 2e9}}
    return mufab_scale.incast_join(run_of(folder, {"pairs": pairs}, settings={"tenants": tenants}))


@pytest.mark.parametrize(
    ("short", "near", "last"),
    [
        (set(), 0, 0),
        ({0, 1}, 100, 100),
        ({0, 29}, 50, 1500),  # one late bin
        ({0, 9, 19}, 1000, 1000),  # nine bins in a row are too few
        ({0, 11}, 50, 600),  # ten are enough
        ({0, 10, 20, 29}, 1500, 1500),
    ],
)
def test_an_incast_has_converged_when_no_pair_is_short_for_ten_bins(
    tmp_path: Path, short: set[int], near: float, last: float
) -> None:
    numbers = incast_of(tmp_path, short)
    assert numbers["incast_near_us"] == pytest.approx(near, abs=1e-6)
    assert numbers["incast_us"] == pytest.approx(last, abs=1e-6)


def shares_of(folder: Path, rates: tuple[float, float, float]) -> dict[str, float]:
    """Two pairs to host 2 with 1 and 3 Gbit/s, and one of 16 Gbit/s from host 0 to host 3."""
    pairs = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for time in (0, 0.001):
        for pair, (name, source, destination) in enumerate([("A", 0, 2), ("B", 1, 2), ("C", 0, 3)]):
            head = f"{time},{name},{pair},{source},{destination},throughput"
            pairs.append(f"{head},{rates[pair] * 1e9 if time else 0}")
    vms = ["group,tenant,vm,host,send_bps,receive_bps"]
    vms += [
        f"{i},{name},{i},0,{hose}e9,0"
        for i, (name, hose) in enumerate(zip("ABC", (1, 3, 16), strict=True))
    ]
    ports = [PORTS, "host0:0,100e9,0"]
    return mufab_beyond.token_shares(run_of(folder, {"pairs": pairs, "vms": vms, "ports": ports}))


def test_shares_are_those_of_water_filling(tmp_path: Path) -> None:
    # Host 0's own link: 100 / 17 per token; then B has what is left of 95 to host 2.
    first = 100 / 17
    numbers = shares_of(tmp_path, (first, 95 - first, 16 * first))
    assert numbers["share_least"] == pytest.approx(1)
    assert numbers["share_gap_percent"] == pytest.approx(0, abs=1e-9)
    assert numbers["bound_least"] == pytest.approx(1)
    assert numbers["guarantee_least"] == pytest.approx(first)


def test_a_pair_below_its_share_may_be_at_its_bound(tmp_path: Path) -> None:
    # Host 0's own link is full to 96 %. B has most per token on its last link, full to 91 %.
    numbers = shares_of(tmp_path, (100 / 16, 80, 90))
    assert numbers["bound_least"] == pytest.approx((80 + 100 / 16) / 95)
    assert numbers["share_least"] == pytest.approx(80 / (95 - 100 / 17))


def test_a_failure_is_when_the_run_says_it_happened(tmp_path: Path) -> None:
    # A VF of 1 Gbit/s has half of it in the first two bins of 1 ms, and in one after the failure.
    pairs = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    for bin_, mbps in enumerate([500, 500, 1000, 1000, 250, 1000, 1000]):
        pairs.append(f"{bin_ / 1000},F1,0,0,1,throughput,{mbps}e6")
    files = {
        "pairs": pairs,
        "ports": [PORTS, "switch0:1,10000000000,7000"],
        "events": ["time_s,event,details", "0.001,join,tenant=F2", "0.004,fail-switch,core0"],
        "network_latency": ["low_ns,high_ns,count", "2000,3000,1"],
    }
    run = run_of(
        tmp_path,
        files,
        settings={"tenants": {"F1": {"hose_bps": 1e9, "joins_s": 0.0}}},
        results={"network_latency_p99_us": 4, "network_latency_max_us": 5},
    )
    numbers = mufab.failure(run)
    assert numbers["joins_converged_ms"] == pytest.approx(2)
    assert numbers["before_gbps"] == pytest.approx(1)
    assert numbers["regained_ms"] == pytest.approx(1)
    assert numbers["worst_after_share"] == pytest.approx(0.25)


def test_a_pair_has_its_tokens_share_of_its_hosts_own_link(tmp_path: Path) -> None:
    # C has half as much per token as A on host 0's own link, which is full, and 0.84 of its last.
    numbers = shares_of(tmp_path, (10, 80, 80))
    assert numbers["bound_least"] == pytest.approx(80 / 95)


def test_a_slowdown_is_time_over_that_at_the_guarantee(tmp_path: Path) -> None:
    # A VM of 4 Gbit/s sends 1 MB, 2 ms at the guarantee: one flow in 1 ms, one in 8 ms, and one
    # that is under way at the end of the run, after 32 ms.
    flows = ["group,source,destination,start_ns,fct_ns,finished,bytes"]
    flows += [f"0,0,1,0,{time},{int(time > 0)},1000000" for time in (1e6, 8e6, 0)]
    pairs = ["time_s,tenant,pair,source,destination,measure,rate_bps"]
    pairs += [f"{ms / 1000},A,0,0,1,goodput,1e9" for ms in range(32)]
    vms = ["group,tenant,vm,host,send_bps,receive_bps", "0,A,0,0,4e9,4e9", "0,A,1,1,4e9,4e9"]
    tables = {"flows": flows, "pairs": pairs, "vms": vms}
    settings = {"warmUp_s": 0.0, "duration_s": 0.032, "transports": {"lean": {"SegmentSize": 960}}}
    numbers = mufab_scale.tenants(run_of(tmp_path, tables, settings=settings))
    assert numbers["slowdown_mean"] == pytest.approx((0.5 + 4 + 16) / 3)
    assert numbers["slowdown_more"] == pytest.approx((0.5 + 4 + 16) / 3)
    assert numbers["unfinished_percent"] == pytest.approx(100 / 3)


def test_guarantees_are_those_of_dividing_all_hoses_at_each_event() -> None:
    """Against a slow model: 200 random flows of 12 pairs between 5 VMs, in 10 bins of 1 ms."""
    draw = np.random.default_rng(1)
    source, destination = draw.integers(0, 5, 12), draw.integers(0, 5, 12)
    send, receive = draw.uniform(1e9, 8e9, 5), draw.uniform(1e9, 8e9, 5)
    edges = np.linspace(0, 0.01, 11)
    pairs = mufab_scale.Pairs(
        source, destination, send, receive, edges, np.zeros((12, 10)), np.zeros((12, 10))
    )
    begin = draw.uniform(0, 0.008, 200)
    flows = pd.DataFrame({"begin": begin, "end": begin + draw.exponential(3e-4, 200)})
    flows["end"] = flows["end"].clip(upper=0.01)
    of_pair = pd.Series(draw.integers(0, 12, 200))
    starts = flows["begin"] + mufab_scale.GRACE
    times = np.unique(np.concatenate([starts, flows["end"], edges]))
    slow = np.zeros((12, 10))
    for now, then in itertools.pairwise(times):
        active = np.unique(of_pair[(starts <= now) & (flows["end"] > now)])
        for pair in active:
            out = send[source[pair]] / (source[active] == source[pair]).sum()
            into = receive[destination[pair]] / (destination[active] == destination[pair]).sum()
            which = np.searchsorted(edges, (now + then) / 2) - 1
            slow[pair, which] += min(out, into) * (then - now) / 8
    assert slow.sum() > 0
    assert mufab_scale.guaranteed(pairs, flows, of_pair) == pytest.approx(slow)


def test_the_overhead_counts_each_probe_once(tmp_path: Path) -> None:
    # 10 probes of 39 bytes, two of them finish probes and three queries, with 14 bytes each.
    ports = ["port,rate_bps,max_queue_bytes,tx_bytes,tx_packets", "host0:0,1e11,0,51200,50"]
    results = {"mufab_probes_sent": 10, "mufab_probe_bytes": 390}
    results |= {"mufab_queries": 3, "mufab_finish_probes": 2}
    run = run_of(tmp_path, {"ports": ports}, results=results)
    assert mufab.overhead(run)["probe_percent"] == pytest.approx(100 * 530 / 51900)


def rounds_of(folder: Path, period: int, phases: tuple[int, ...]) -> dict[str, float]:
    """Senders with a base RTT of 10 us that are answered each period, 40 times, by phase, in us."""
    rows = ["time_s,pair,measure,value"]
    for time in range(period * 41):
        for pair, phase in enumerate(phases):
            number = max(0, (time - phase) // period + 1)
            window = 2000 if number < 4 else 1200 if number == 30 else 1000
            rows.append(f"{time / 1e6},{pair},responses,{number}")
            rows.append(f"{time / 1e6},{pair},window_bytes,{window}")
    results = {"mufab_largest_base_rtt_us": 10.0}
    return mufab_scale.asynchrony(run_of(folder, {"limiters": rows}, results=results))


def test_senders_answered_in_each_round_trip_are_not_asynchronous(tmp_path: Path) -> None:
    numbers = rounds_of(tmp_path, 10, (2, 5, 8))
    assert numbers["age_median_rtts"] == pytest.approx(0.3)  # 3, 0 and 7 us
    assert numbers["age_most_rtts"] < 1
    assert numbers["gap_most_rtts"] == pytest.approx(0.3)


def test_a_sender_acts_on_what_it_heard_last(tmp_path: Path) -> None:
    numbers = rounds_of(tmp_path, 40, (2, 20, 38))
    assert numbers["age_median_rtts"] == pytest.approx(1.8)  # 18, 0 and 22 us
    assert numbers["age_most_rtts"] == pytest.approx(2.2)


def test_a_window_that_swings_again_is_near_before_it_stays(tmp_path: Path) -> None:
    numbers = rounds_of(tmp_path, 10, (2, 5, 8))
    assert numbers["near_rounds"] == 3
    assert numbers["settled_rounds"] == 30
    assert numbers["off_late_percent"] == pytest.approx(
        100 / 22, rel=0.1
    )  # one of the 20th to 41st
