# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of Nimble's figures on tables small enough to compute by hand."""

import json
import math
from collections.abc import Iterable
from pathlib import Path

import pytest

from reproduce.metrics import RunOutput
from reproduce.papers import nimble

FLOWS = "group,bytes,start_ns,fct_ns,finished"
SHORT = 16384


def write(folder: Path, name: str, header: str, rows: Iterable[tuple]) -> None:
    lines = [header, *(",".join(str(cell) for cell in row) for row in rows)]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def manifest(folder: Path, simulated: float = 1, **settings: object) -> RunOutput:
    """The run with what was in force."""
    content = {"simulated_s": simulated, "rng_run": 1, "settings": settings}
    (folder / "run.json").write_text(json.dumps(content))
    return RunOutput(folder)


def write_rates(folder: Path, *groups: list[float]) -> None:
    """Goodput of groups in Gbit/s, in bins of 1 ms."""
    rows = [
        (f"{i * 1e-3:.3f}", group, gbps * 1e9)
        for group, rates in enumerate(groups)
        for i, gbps in enumerate(rates)
    ]
    write(folder, "rates", "time_s,group,rate_bps", rows)


def test_goodput_counts_all_groups_after_the_warm_up(tmp_path: Path) -> None:
    write_rates(tmp_path, [50, 1, 2, 6], [50, 3, 4, 4])
    numbers = nimble.class_goodput(manifest(tmp_path, warmUp_s=1e-3))
    assert numbers == {
        "goodput_mean_gbps": pytest.approx(20 / 3),
        "goodput_min_gbps": pytest.approx(4),
        "goodput_max_gbps": pytest.approx(10),
        "goodput_sd_gbps": pytest.approx(math.sqrt(56 / 9)),
    }
    drawn = nimble.goodput_time(RunOutput(tmp_path))
    assert drawn["x"].tolist() == pytest.approx([0, 1, 2, 3])
    assert drawn["y"].tolist() == pytest.approx([100, 4, 6, 10])


@pytest.mark.parametrize(
    ("gbps", "error", "sd"), [((10, 10), 0, 0), ((9, 9), -10, 0), ((13, 9), 10, 20)]
)
def test_the_error_of_a_limit_is_that_of_what_leaves_its_port(
    tmp_path: Path, gbps: tuple[float, ...], error: float, sd: float
) -> None:
    """An ideal shaper has none, although what it lets through comes in order in heaps."""
    heaps = [0, 2 * 9.733333]
    rows = [
        (f"{i * 0.02:.2f}", "A", pair, *ends, measure, rate * 1e9)
        for i, arrived in enumerate(gbps)
        for pair, ends, measure, rate in (
            (0, (0, 1), "throughput", arrived),
            (0, (0, 1), "goodput", heaps[i]),
            (1, (1, 0), "throughput", arrived / 40),  # acknowledgments
        )
    ]
    write(tmp_path, "pairs", "time_s,tenant,pair,source,destination,measure,rate_bps", rows)
    policy = {"classes": [{"name": "A"}], "local": [{"class": "A", "rate_bps": 10**10}]}
    numbers = nimble.limit_error(manifest(tmp_path, policy=policy))
    assert numbers["limited_payload_gbps"] == pytest.approx(9.733333 * (1 + error / 100))
    assert numbers["limit_error_percent"] == pytest.approx(error)
    assert numbers["limit_inaccuracy_percent"] == pytest.approx(abs(error))
    assert numbers["limit_sd_percent"] == pytest.approx(sd)


def test_an_ideal_shaper_is_steady_and_follows_a_change_within_a_bin(tmp_path: Path) -> None:
    """Limits of 10 Gbit/s, halved at 4 ms, when a second group leaves; nothing ever waits."""
    write_rates(tmp_path, [5] * 4 + [5] * 4, [5] * 4 + [0] * 4)
    write(tmp_path, "events", "time_s,event,details", [(0.004, "leave", "")])
    rows = [(f"{i * 0.25e-3:.5f}", "switch0:4", 0) for i in range(32)]
    write(tmp_path, "queues", "time_s,port,bytes", rows)
    run = manifest(tmp_path, simulated=0.008, warmUp_s=4e-3)
    steady = nimble.class_goodput(run)
    assert [steady[f"goodput_{of}_gbps"] for of in ("mean", "min", "max", "sd")] == [5, 5, 5, 0]
    phases = nimble.phase_numbers(run)
    assert [phases["phase1_gbps"], phases["phase2_gbps"]] == [10, 5]
    assert phases["phase1_settling_ms"] == pytest.approx(1)
    assert phases["phase2_settling_ms"] == pytest.approx(1)
    change = nimble.change(run)
    assert [change["lowest_gbps"], change["share0_gbps"], change["share1_gbps"]] == [5, 5, 0]
    assert change["queue_before_kb"] == change["queue_empty_after_ms"] == 0


def test_ideally_shaped_tenants_and_their_flows_have_the_limit(tmp_path: Path) -> None:
    """A sends a long flow at 8 Gbit/s; ten short ones and ten requests take the same time each."""
    rows = [(f"{i * 1e-3:.3f}", "A", "goodput", 8e9) for i in range(4)]
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    write(tmp_path, "ports", "port,role", [("host0:0", "host-edge")])
    long, short = (0, 2**30, 0, "", 0), [(1, SHORT, i * 10, 20_000, 1) for i in range(10)]
    write(tmp_path, "flows", FLOWS, [long, *short])
    run = manifest(tmp_path, simulated=4e-3)
    goodput = nimble.tenant_goodput(run)
    assert goodput == {"A_gbps": 8, "A_max_gbps": 8, "A_sd_gbps": 0, "A_per_server_gbps": 8}
    assert nimble.long_flows(run)["long_flow_gbps"] == pytest.approx(8)
    times = nimble.short_flows(run)
    assert [times[f"probe_p{p}_ms"] for p in nimble.PROBE_PERCENTILES] == [0.02] * 3
    assert times["probes_unfinished"] == 0
    write(tmp_path, "tasks", "start_ns,duration_ns", [(i, 500_000) for i in range(10)])
    write(tmp_path, "flows", FLOWS, [(0, 1024, i, 500_000, 1) for i in range(10)])
    requests = nimble.request_latency(run)
    assert (requests["unanswered"], requests["requests"]) == (0, 10)
    assert requests["request_p50_ms"] == requests["request_p99_ms"] == pytest.approx(0.5)


def test_classes_that_are_shaped_ideally_are_alike(tmp_path: Path) -> None:
    frame = (nimble.JUMBO_FRAME - 28) * 8 / 0.1  # bit/s of one in a bin of 100 ms
    rows = [(f"{i * 0.1:.1f}", group, frame) for i in range(3) for group in range(4)]
    write(tmp_path, "rates", "time_s,group,rate_bps", rows)
    numbers = nimble.class_frames(manifest(tmp_path, warmUp_s=0))
    assert numbers["frames1_share"] == 1
    for name in ("class_mean", "class_max", "window_max", "class1", "class4"):
        assert numbers[f"{name}_mbps"] == pytest.approx(0.72)


def test_the_limited_queue_is_in_megabytes_of_the_paper(tmp_path: Path) -> None:
    rows = [(0, "a", 9e9), (0.001, "a", 2**20), (0.001, "b", 2**20), (0.002, "a", 2**22)]
    write(tmp_path, "queues", "time_s,port,bytes", rows)
    write(tmp_path, "ports", "port,rate_bps", [("a", 1e11), ("b", 5e10)])
    numbers = nimble.limited_queue(manifest(tmp_path, warmUp_s=1e-3))
    assert numbers["queue_mean_mb"] == pytest.approx(3)
    assert (numbers["queue_min_mb"], numbers["queue_max_mb"]) == (2, 4)
    assert numbers["backlog_us"] == pytest.approx(335.5, abs=0.1)  # 4 MB at 100 Gbit/s
    assert nimble.queue_time(RunOutput(tmp_path))["y"].tolist()[1:] == pytest.approx([2, 4])


def test_phases_lie_between_events(tmp_path: Path) -> None:
    # Settled at 10 in the first bin, at 5 in the third one after the event.
    write_rates(tmp_path, [10] * 4 + [10, 8, 5.2, 5, 5, 5])
    write(tmp_path, "events", "time_s,event,details", [(0.004, "rate", ""), (0.004, "rate", "")])
    numbers = nimble.phase_numbers(manifest(tmp_path, simulated=0.010))
    assert numbers["phase1_gbps"] == pytest.approx(10)
    assert numbers["phase2_gbps"] == pytest.approx(5)
    assert numbers["phase1_settling_ms"] == pytest.approx(1)
    assert numbers["phase2_settling_ms"] == pytest.approx(3)
    assert len(numbers) == 4


def test_what_a_change_does(tmp_path: Path) -> None:
    # Two groups; at 2 ms the second one stops, and the first has its rate from 4 ms on.
    write_rates(tmp_path, [5, 5, 5, 4, 10, 10], [5, 5, 1, 0, 0, 0])
    write(tmp_path, "events", "time_s,event,details", [(0.002, "leave", "")])
    step = 0.25e-3
    waiting = [10240] * 8 + [4096] * 6 + [0] * 10  # in steps of 250 us: empty from 3.5 ms on
    rows = [(f"{i * step:.5f}", "switch0:4", size) for i, size in enumerate(waiting)]
    write(tmp_path, "queues", "time_s,port,bytes", rows)
    numbers = nimble.change(manifest(tmp_path, simulated=0.006))
    assert numbers["lowest_gbps"] == pytest.approx(4)
    assert numbers["queue_before_kb"] == pytest.approx(10)
    # From 3.25 ms on, 1.25 after the change, a millisecond has a mean of 1024 bytes: no packet.
    assert numbers["queue_empty_after_ms"] == pytest.approx(1.25)
    assert numbers["share0_gbps"] == pytest.approx(10)
    assert numbers["share1_gbps"] == pytest.approx(0)


def test_a_queue_that_never_empties_has_no_time(tmp_path: Path) -> None:
    write_rates(tmp_path, [5] * 6)
    write(tmp_path, "events", "time_s,event,details", [(0.002, "leave", "")])
    rows = [(f"{i * 0.25e-3:.5f}", "switch0:4", 3000) for i in range(24)]
    write(tmp_path, "queues", "time_s,port,bytes", rows)
    assert math.isnan(nimble.change(manifest(tmp_path, simulated=0.006))["queue_empty_after_ms"])


def write_requests(folder: Path, size: int) -> None:
    ms = 10**6
    answered = [
        (0, 2 * ms),
        (10 * ms, 4 * ms),
        (60 * ms, 900 * ms),
    ]  # the last one too late to count
    write(folder, "tasks", "start_ns,duration_ns", answered)
    rows = [(0, size, 0, 1), (0, size, 20 * ms, 0), (1, 10**12, 0, 0)]  # one waits; UDP does
    write(folder, "flows", "group,bytes,start_ns,finished", rows)


def test_requests_without_an_answer_are_the_longest(tmp_path: Path) -> None:
    write_requests(tmp_path, 1024)
    numbers = nimble.request_latency(manifest(tmp_path, simulated=0.1))
    assert numbers["requests"] == 3
    assert numbers["unanswered"] == 1
    assert numbers["request_p50_ms"] == pytest.approx(4)  # of 2, 4, and one without an answer
    assert math.isnan(numbers["request_p99_ms"])  # not the time until the end


def test_no_request_is_answered(tmp_path: Path) -> None:
    write(tmp_path, "tasks", "start_ns,duration_ns", [])
    write(tmp_path, "flows", "group,bytes,start_ns,finished", [(0, 2**20, 0, 0)])
    numbers = nimble.request_latency(manifest(tmp_path, simulated=0.1))
    assert numbers["requests"] == numbers["unanswered"] == 1
    assert math.isnan(numbers["request_p50_ms"])


def test_large_responses_count_as_four_megabytes(tmp_path: Path) -> None:
    write_requests(tmp_path, 2**20)
    numbers = nimble.request_latency(manifest(tmp_path, simulated=0.1))
    assert numbers["request_p50_ms"] == pytest.approx(4 * 4)


def test_short_flows_without_an_end_are_the_longest(tmp_path: Path) -> None:
    probe = SHORT
    rows = [(1, probe, 0, i * 1000, 1) for i in range(1, 98)]
    rows += [(1, probe, 0, "", 0)] * 3 + [(0, 10**9, 0, 5, 1)]  # a long one does not count
    write(tmp_path, "flows", FLOWS, rows)
    numbers = nimble.short_flows(RunOutput(tmp_path))
    assert numbers["probes"] == 100
    assert numbers["probes_unfinished"] == 3
    assert numbers["probe_p50_ms"] == pytest.approx(0.051)
    assert numbers["probe_p90_ms"] == pytest.approx(0.091)
    assert math.isnan(numbers["probe_p99_ms"])
    drawn = nimble.short_flow_cdf(RunOutput(tmp_path))
    assert drawn["y"].iloc[-1] == pytest.approx(0.97)  # never all of them


def test_long_flows_count_while_they_are_under_way(tmp_path: Path) -> None:
    rows = [(f"{i * 1e-3:.3f}", "A", "goodput", rate) for i, rate in enumerate([8e9, 4e9])]
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    short, long = SHORT, 2**22
    # 1.5 MB in 2 ms, a short flow among them; long ones for 1 ms and for the last 0.5.
    flows = [(0, short, 0, 1000, 1), (0, long, 0, 10**6, 1), (0, long, 1_500_000, "", 0)]
    write(tmp_path, "flows", FLOWS, [*flows, (1, long, 0, "", 0)])
    numbers = nimble.long_flows(RunOutput(tmp_path))
    assert numbers["long_flows"] == 2
    assert numbers["long_flow_gbps"] == pytest.approx((12e6 - 8 * short) / 1.5e-3 / 1e9)


def test_goodput_of_tenants_per_server(tmp_path: Path) -> None:
    rows = [(f"{i * 1e-3:.3f}", "A", "goodput", rate) for i, rate in enumerate([8e9, 4e9])]
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    ports = [("host0:0", "host-edge"), ("host1:0", "host-edge"), ("edge0:0", "edge-host")]
    write(tmp_path, "ports", "port,role", ports)
    assert nimble.tenant_goodput(RunOutput(tmp_path)) == {
        "A_gbps": pytest.approx(6),
        "A_max_gbps": pytest.approx(8),
        "A_sd_gbps": pytest.approx(2),
        "A_per_server_gbps": pytest.approx(3),
    }


def test_what_arrives_of_a_shaped_tenant_is_its_limit(tmp_path: Path) -> None:
    """Limits of 50 Gbit/s at each of two hosts, whatever comes in order in heaps."""
    limit = 2 * 50e9 * (1 + 40 / 1500)  # with acknowledgments, which no limit counts
    rows = [
        (f"{i * 1e-3:.3f}", "A", measure, rate)
        for i, heap in enumerate([0, 2 * limit])
        for measure, rate in (("throughput", limit), ("goodput", heap))
    ]
    write(tmp_path, "tenants", "time_s,tenant,measure,rate_bps", rows)
    write(tmp_path, "ports", "port,role", [("host0:0", "host-edge"), ("host1:0", "host-edge")])
    assert nimble.tenant_arrivals(RunOutput(tmp_path)) == {
        "A_arrived_gbps": pytest.approx(50 * nimble.PAYLOAD),
        "A_arrived_sd_gbps": pytest.approx(0, abs=1e-9),
    }


def test_frames_of_classes(tmp_path: Path) -> None:
    frame = (nimble.JUMBO_FRAME - 28) * 8 / 0.1  # bit/s of one in a bin of 100 ms
    counts = {group: [9, 1, 0] if group == 1 else [9, 1, 1] for group in range(1, 6)}
    rows = [
        (f"{i * 0.1:.1f}", group, count * frame)
        for group, bins in counts.items()
        for i, count in enumerate(bins)
    ]
    write(tmp_path, "rates", "time_s,group,rate_bps", rows)
    run = manifest(tmp_path, warmUp_s=0.1)
    numbers = nimble.class_frames(run)
    assert numbers["classes"] == 5
    assert numbers["frames0_share"] == pytest.approx(0.1)
    assert numbers["frames1_share"] == pytest.approx(0.9)
    assert numbers["window_max_mbps"] == pytest.approx(0.72)
    assert numbers["class_max_mbps"] == pytest.approx(0.72)
    assert numbers["class_mean_mbps"] == pytest.approx(0.72 * 0.9)
    steps = nimble.class_throughput_cdf(run)
    assert steps["y"].tolist()[:3] == pytest.approx([0, 0.1, 0.1])
    assert steps["x"].tolist()[3] == pytest.approx(0.72)
