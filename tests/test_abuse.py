# SPDX-License-Identifier: GPL-2.0-only
"""Odd command lines of the programs: refused in one line, or what they give is true."""

import csv
import json
import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from test_scenarios import BIN, numbers, scenario

from reproduce import pictures

QUICK = ("--duration=500us", "--warmUp=0s", "--topology=leaf-spine:Leaves=2,HostsPerLeaf=2")


def refused(folder: Path, name: str, *words: str) -> str:
    """The one line that a program has for a command line; it must leave nothing, nor take much."""
    before = sorted(folder.rglob("*"))
    done = subprocess.run(
        [BIN / name, *words, "--out=result/below"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )
    assert done.returncode == 1, f"{done.returncode}: {done.stdout}{done.stderr}"
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert sorted(folder.rglob("*")) == before
    return done.stderr


@pytest.mark.parametrize(
    ("command", "named"),
    [
        # Ports that a scheme needs for itself.
        ("incast --scheme=edge-limiters:HostQueue=drop-tail", "HostQueue|drop-tail|limiters"),
        ("incast --scheme=edge-limiters:Controller=static", "Controller|static|none"),
        ("incast --scheme=mufab:HostQueue=drop-tail", "HostQueue|drop-tail|pair"),
        ("incast '--scheme=cubic:HostQueue=\"shaped:Inner=nix\"'", "Inner|nix|drop-tail"),
        # Names of nobody and nothing.
        (
            "tenants --scheme=trinity --warmUp=0s --duration=1ms --record=limiters:Tenants=nobody",
            "limiters:Tenants|nobody|names of tenants",
        ),
        (
            "tenants --scheme=trinity --warmUp=0s --duration=1ms "
            "--record=limiters:Measures=nothing,Interval=100us",
            "limiters:Measures|nothing|what the channels tell",
        ),
        # uFAB: eta outside (0, 1], no such switch, no path or one too long, too large a probe.
        *(
            (f"tenants --scheme=mufab:Controller=mufab:{name}={value}", f"{name}|{value}|{allowed}")
            for name, value, allowed in (
                ("TargetUtilization", "0", "above 0 and at most 1"),
                ("TargetUtilization", "1.1", "above 0 and at most 1"),
                ("ProbeSize", "1501", "20 to 1500 bytes"),
                ("ProbeSize", "70000", "65535"),
                ("PathsPerPair", "0", "from 1"),
            )
        ),
        ("tenants --scheme=mufab:StagesExcept=core9", "StagesExcept|core9|core0"),
        (
            "permutation --scheme=mufab --topology=parking-lot:Switches=16,HostsPerSwitch=1 "
            "--shift=15 --warmUp=0s --duration=100us",
            "--topology|16 switches|at most 15",
        ),
        # HPCC: no room for more switches than eight, whether or not the program runs.
        *(
            (
                f"fct --scheme=hpcc --topology=parking-lot:Switches=9,HostsPerSwitch=1 {check}",
                "--topology|9 switches from host 0 to host 8|at most 8",
            )
            for check in ("--check", "--warmUp=0s --duration=100us")
        ),
        # What a class does not have, or a discipline cannot do.
        (
            "permutation --scheme=policing --ns3::NimbleController::LogicalMeter=two-rate",
            "LogicalMeter|two-rate|attribute Rate",
        ),
        (
            "requests --scheme=mptcp:Queue=stock-queue-disc-adapter --topology=single-switch "
            "--record=occupancy",
            "snapshot|StockQueueDiscAdapter|ForEachWaiting",
        ),
        # Where ns-3 itself would end the program.
        (
            "fct --scheme=tcp:Queue=(stock-queue-disc-adapter:QueueDisc=(red:MaxTh=2))",
            "QueueDisc|red:MaxTh=2|m_minTh <= m_maxTh",
        ),
        # What would never end, or not fit into memory.
        ("fct --warmUp=0s --duration=0s", "--duration|0s|at least 1ns"),
        ("on-off --least=0s --cycles=0", "--least|0s|at least 1us"),
        ("fct --workload=poisson:FlowRate=1e30", "FlowRate|1e30|1000000000"),
        ("fct --sizes=fixed:Bytes=1 --load=10", "Load|flows per second"),
        ("fct --sizes=fixed:Bytes=1e300", "Bytes|1e300|1e+15"),
        ("fct --transport=ns3:SegmentSize=1", "SegmentSize|1|48"),
        ("fct --sizes=fixed:Bytes=1e18", "Bytes|1e18|1e+15"),
        ("convergence --flows=4294967295", "--flows|4294967295|100000"),
        ("probes --outstanding=4294967295", "--outstanding|4294967295|10000"),
        ("fct --workload=task-graph:Outstanding=4294967295", "Outstanding|4294967295|10000"),
        ("fct --scheme=ideal-fq --transport=fixed-window:Timeout=1ns", "Timeout|1ns|at least 1us"),
        ("fct --transport=fixed-window:Window=4294967295", "Window|4294967295|1000000"),
        ("fct --record=queues:Interval=1ns", "Interval|1ns|at least 100ns"),
        ("fct --record=occupancy:Interval=1ps", "Interval|1ps|at least 100ns"),
        ("convergence --record=rates:Bin=0s", "Bin|0s|at least 100ns"),
        ("failures --record=rates:Bin=1ps", "Bin|1ps|at least 100ns"),
        # What does not fit where it goes.
        ("fct --scheme=tcp:EdgeBuffer=4294967296B", "EdgeBuffer|4294967296B|4 GiB"),
        ("fct --scheme=tcp:EdgeBuffer=99999999999999999999B", "EdgeBuffer|99999|4 GiB"),
        ("fct --scheme=tcp:EdgeBuffer=", "EdgeBuffer|''|512kB"),
        ("fct --scheme=tcp:EdgeBuffer=30", "EdgeBuffer|'30'|512kB"),
        ("fct '--scheme=tcp:EdgeBuffer=30 kB'", "EdgeBuffer|30 kB|512kB"),
        ("on-off --bytes=1 --ideal=true", "--bytes|1|1e9 flows per second"),
        ("on-off --bytes=1e30", "--bytes|1e30|1e+15"),
        ("on-off --cycles=1e30", "--cycles|1e30|1000000000"),
        ("on-off --cycles=1e9 --bytes=1e9", "--cycles|longest simulation"),
        ("convergence --spacing=400000s", "Spacing|400000s|longest simulation"),
        ("convergence --spacing=1ms --jitter=1ms", "Jitter|0.001s|below Spacing"),
        ("incast --senders=4294967295", "--senders|4294967295|9999"),
        ("fct --RngSeed=4294967295", "--RngSeed|4294967295|4294944442"),
        ("fct --RngSeed=0", "--RngSeed|0|4294944442"),
        ("fct --warmUp=1e9s", "--warmUp|1e9s|at most 576461s"),
        ("fct --workload=trace", "trace:File|''|trace:PATH"),
        ("fct --scheme=drr:help", "--scheme|drr|no scheme is called|dctcp"),
        ('fct --scheme=afq:Queue="afq:A=1,B=2"', "Queue|afq:A=1,B=2|'A'|NumQueues"),
        # What names nothing.
        ("fct --PrintAttributes=ns3::Nope", "--PrintAttributes|ns3::Nope"),
        ("fct --PrintNothing", "--PrintNothing|--PrintTypeIds"),
        # What is no network, or no longer one.
        (
            "fct --topology=leaf-spine:Leaves=1",
            "fct: --topology = 'leaf-spine:Leaves=1': no flow of this workload crosses its tier "
            "leaf-spine|--tier names another",
        ),
        (
            "fct --topology=leaf-spine:Leaves=1 --tier=leaf-spine",
            "--tier = 'leaf-spine': no flow",
        ),
        ("fct --topology=single-switch:Hosts=1", "--topology|Hosts=1|2 hosts"),
        ("fct --topology=fat-tree:K=2,Pods=1", "--topology|2 hosts"),
        ("fct --failLinks=5", "--failLinks|5|no way is left from host"),
        ("bottleneck --failLinks=1 --topology=dumbbell --flows=3", "--failLinks|1|no way is left"),
        ("bottleneck --topology=single-switch:Hosts=4 --flows=4", "--flows|4|at most 3"),
        (
            "bottleneck --topology=single-switch",
            "--topology = 'single-switch': has 2 hosts, one of them sent to|--flows=4|the default",
        ),
        ("incast --topology=dumbbell", "--topology = 'dumbbell': has|--senders=32|the default"),
        ("incast --topology=single-switch:Hosts=4 --senders=4", "--senders|4|at most 3"),
        ("failures --topology=single-switch", "--topology = 'single-switch'|second tier|--events"),
        ("probes --topology=dumbbell:Right=1,Left=1", "--topology|dumbbell|racks of at least 2"),
        # What a tenant's workload needs, by the names of its settings.
        (
            "tenants '--tenants=list:Of={tenant A hosts=0-3 "
            "workload=poisson:Load=0.5,Sizes=pareto}'",
            "poisson of tenant A|no FlowRate|needs FlowRate=, or Capacity=|Load=",
        ),
        (
            "tenants '--tenants=list:Of={tenant A hosts=0-3 workload=closed-loop}'",
            "closed-loop of tenant A|Sizes = '': is missing: must be one of|web-search",
        ),
        ("fct --workload=task-graph", "task-graph|no steps|needs Of={...} or File=PATH"),
        ("permutation --duration=0s", "--duration|0s|10us"),
        ("permutation --duration=1ns", "--duration|1ns|10us"),
        # Rates that nothing is sent at.
        ("fct --transport=lean:Pacing=true,MaxPacingRate=0bps", "MaxPacingRate|0bps|above 0"),
        ("fct --transport=ns3:MaxPacingRate=0bps", "MaxPacingRate|0bps|above 0"),
        # One rule for all disciplines: a buffer holds a full packet.
        *(
            (f"fct --scheme={scheme}:{buffer}={size}", f"{buffer}|{size}|full packet|1500B")
            for scheme in ("tcp", "dctcp", "afq", "ideal-fq", "sfq", "drb")
            for buffer, size in (
                ("EdgeBuffer", "0B"),
                ("CoreBuffer", "1499B"),
                ("HostBuffer", "0p"),
            )
        ),
        ("fct --scheme=tcp:Queue=drop-tail:MaxSize=100B", "Queue MaxSize|100B|full packet"),
        ("fct --scheme=tcp:SharedBuffer=1000B", "SharedBuffer|1000B|full packet"),
        (
            "fct --scheme=tcp:SharedBuffer=2000B,SharedBufferAlpha=0.5",
            "SharedBufferAlpha|0.5|1000 of 2000B|full packet",
        ),
        (
            "fct --scheme=tcp:SharedBuffer=2000B,SharedBufferAlpha=0",
            "SharedBufferAlpha|0|full packet",
        ),
        ("fct --scheme=tcp:EdgeBuffer=80ns", "EdgeBuffer|80ns|full packet"),
        (
            "fct --scheme=dctcp:EdgeBuffer=1MB,MarkThreshold=2ms",
            "--scheme MarkThreshold|2ms|below EdgeBuffer|never",
        ),
        (
            "fct --scheme=dctcp:HostBuffer=9MB,MarkThreshold=10MB",
            "--scheme MarkThreshold|10000000B|below HostBuffer|9000000B at host",
        ),
        (
            "fct --hosts=fq:Mark=10MB,Buffer=9MB",
            "--hosts Mark|10000000B|below Buffer of --hosts|9000000B at host",
        ),
        # Lengths that are bytes, whatever else a queue may be measured in.
        ("fct --scheme=dcqcn:Queue=red-mark:MinThreshold=5p", "MinThreshold|5p|bytes or time"),
        ("fct --scheme=ideal-fq:Queue=ideal-fq:MarkThreshold=5p", "5p|bytes or time"),
        ("fct --scheme=dcqcn:FlowControl=priority:Headroom=5p", "Headroom|5p|bytes or time"),
        ("fct --scheme=dcqcn:FlowControl=priority:Headroom=never", "Headroom|never|1 GiB"),
        ("fct --scheme=tcp:SharedBuffer=never", "SharedBuffer|never|in bytes"),
        # Numbers that had a meaning before they had a unit.
        ("fct --scheme=dctcp:MarkThreshold=20", "MarkThreshold|20|MarkThreshold=24us now"),
        ("fct --scheme=dctcp:MarkThreshold=65", "MarkThreshold|65|MarkThreshold=78us now"),
        ("fct --scheme=drb:MarkThreshold=0", "MarkThreshold|0|MarkThreshold=never now"),
        ("fct --scheme=drb:MarkThreshold=32768", "MarkThreshold=262144ns now"),
        (
            "fct --scheme=ecmp-core:BufferPerGbps=131072",
            "BufferPerGbps|EdgeBuffer=1048576ns,CoreBuffer=1048576ns now",
        ),
        ("fct --scheme=dcqcn:MinThreshold=5000", "Queue=red-mark:MinThreshold=1000ns now"),
        ("fct --scheme=dcqcn:MaxThreshold=200000", "Queue=red-mark:MaxThreshold=40000ns now"),
        ("fct --scheme=clove:MarkThreshold=30000", "MarkThreshold=29999B now"),
        ("fct --scheme=elastic-switch-clove:MarkThreshold=97500", "MarkThreshold=97499B now"),
        ("fct --scheme=vq:MarkThreshold=81920", "MarkThreshold=81920B now"),
        ("fct --scheme=edge-limiters:MarkThreshold=81920", "MarkThreshold=81920B now"),
        # What would be overwritten, or mean nothing.
        ("fct --workload=poisson:Load=0.9 --load=0.5", "--workload|Load|--load"),
        ("fct --workload=poisson:FlowRate=1000 --load=0.5", "--workload|FlowRate|--load"),
        ("fct --workload=poisson:Sizes=pareto --sizes=pareto", "--workload|Sizes|--sizes"),
        ("fct --workload=poisson:Stop=1ms --duration=2ms", "--workload|Stop|--duration"),
        ("fct --workload=incast --load=0.5", "--load|incast"),
        ("fct --workload=incast --sizes=pareto", "--sizes|incast"),
        ("incast --ns3::IncastWorkload::Senders=5", "IncastWorkload::Senders|5|--senders"),
        (
            "fct --transport=ns3 --ns3::TcpSocket::InitialCwnd=5",
            "default of ns3::TcpSocket::InitialCwnd|5|--transport=ns3:InitialCwnd",
        ),
        (
            "fct --transport=ns3 --ns3::TcpSocketBase::MinRto=500us",
            "TcpSocketBase::MinRto|500us|--transport=ns3:MinRto",
        ),
        (
            "fct --transport=ns3 --ns3::TcpL4Protocol::SocketType=ns3::TcpCubic",
            "TcpL4Protocol::SocketType|ns3::TcpCubic|--transport=ns3:CongestionOps",
        ),
        ("fct --scheme=tcp:StagesExcept=nosuch", "StagesExcept|nosuch|no Stages"),
        ("fct --scheme=tcp:SharedBufferAlpha=0.5", "SharedBufferAlpha|0.5|no SharedBuffer"),
        # Where the scheme says which way packets go, no switch has a path to choose.
        *(
            (f"fct --scheme={scheme}:Paths=spray", f"Paths|spray|flow-hash|{scheme}")
            for scheme in ("drb", "rb", "rrb", "ecmp-core", "mptcp")
        ),
        # A notice and an error are one line.
        ("fct --scheme=drb --topology=single-switch:Hosts=4 --record=bogus", "--record|bogus"),
        ("fct --scheme=mptcp --topology=single-switch:Hosts=4 --events=bogus", "--events|bogus"),
        (
            'requests --scheme=drb:FlowControl="priority:MaxPacket=64" --topology=single-switch '
            "--duration=500us --drain=1ms",
            "MaxPacket|64|at least the size of every packet",
        ),
    ],
)
def test_refused_in_one_line(tmp_path: Path, command: str, named: str) -> None:
    name, _, rest = command.partition(" ")
    words = [rest[1:-1]] if rest.startswith("'") else rest.split()
    error = refused(tmp_path, name, *words)
    assert all(part in error for part in named.split("|")), error


@pytest.mark.parametrize("start", ["1e308", "1e7", "1e9s", "-1", "nan"])
def test_starts_of_a_trace_fit_a_simulation(tmp_path: Path, start: str) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text(f"start,source,destination,bytes,group\n{start},0,1,1000,0\n")
    assert "trace.csv line 2 start" in refused(tmp_path, "fct", "--workload=trace:trace.csv")


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("fct --sizes={}", "bytes,probability|100,0|1000,1"),
        ("fct --workload=trace:{}", "start,source,destination,bytes|0,0,1,1000"),
        (
            "fct --topology=file:{}",
            "what,from,to,rate,delay|tier,leaf|link,host0,leaf0,1.6Tbps,1us"
            "|link,host1,leaf0,0.1Tbps,1us",
        ),
        (
            "tenants --tenants=file:{}",
            "tenant A hosts=0-3 workload=permutation|tenant B hosts=0-3 workload=permutation",
        ),
        ("fct --workload=task-graph:{}", "role a vms=0,1|role b vms=2|step s from=a to=b bytes=9"),
        ("bottleneck --flows=2 --scheme=nimble:Policy={}", "class A groups=0|class B groups=1"),
        ("fct --from={}", '{"load": 0.5,|"RngRun": 1}'),
    ],
)
def test_files_are_read_as_they_come(tmp_path: Path, words: str, lines: str) -> None:
    name, *rest = words.split()
    rows = lines.split("|")
    for text in ("\n".join(rows), "\ufeff" + "\r\n".join([*rows, "", "  ", ""])):
        (tmp_path / "my:file.txt").write_bytes(text.encode())
        done = scenario(
            name, *(word.format("my:file.txt") for word in rest), "--check", folder=tmp_path
        )
        assert (done.returncode, done.stderr) == (0, ""), text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "DCTCP, ECN step marking, flow ECMP"),
        (
            ("--scheme=dctcp:Paths=adaptive,MarkThreshold=30us",),
            "DCTCP, ECN step marking, flow ECMP; but Paths=adaptive, MarkThreshold=30us",
        ),
        (
            ('--scheme={"dctcp": {"Queue": {"afq": {"NumQueues": 8}}}}', "--transport=ns3"),
            "DCTCP, ECN step marking, flow ECMP; but Queue=afq:NumQueues=8, --transport=ns3",
        ),
    ],
)
def test_the_first_line_says_what_is_run(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = scenario("fct", "--scheme=dctcp", *words, *QUICK, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"fct: {said}"


def test_help_on_nothing_is_an_error_alone(tmp_path: Path) -> None:
    done = scenario("fct", "--scheme=drr:help", folder=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""


def test_bounds_stand_in_the_help(tmp_path: Path) -> None:
    text = scenario("convergence", "--help", folder=tmp_path).stdout
    assert "from 1 to 100000" in text
    assert "at least 1ns" in text
    text = scenario("fct", "--transport=fixed-window:help", folder=tmp_path).stdout
    assert "a whole number from 1 to 1000000" in text
    assert "at least 1us" in text
    assert "\n      allowed: a whole number from 1 to 1000000\n" in text  # a line of its own
    text = scenario("fct", "--scheme=tcp:help", folder=tmp_path).stdout
    memory = text.split("  SharedBuffer=")[1].split("\n  ")[2]
    assert memory == "    allowed: a length in bytes, such as 512kB or 64KiB, below 4 GiB"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("--scheme=drb:help", {"  HelloInterval=100ms", "  ResequencingTimeout=10ms"}),
        ("--scheme=dctcp:help", {"  MarkThreshold=24us", "  CongestionOps=ns3::TcpDctcp"}),
        ("--hosts=linux-2.6.38:help", {"  Backlog=never", "  BurstSize=65536", "  MinRto="}),
        ("--record=queues:help", {"  Interval=100us"}),
        ("--transport=udp:help", {"  Rate=1Gbps"}),
    ],
)
def test_values_in_the_help_are_as_people_write_them(
    words: str, lines: set[str], tmp_path: Path
) -> None:
    text = scenario("fct", words, folder=tmp_path).stdout
    assert lines <= set(text.splitlines())
    assert "ps\n" not in text.replace("bps\n", "")
    assert not re.search(r"[0-9]e[+-][0-9]|[ =]\+[0-9]", text)


@pytest.mark.parametrize("words", [["--help"], ["--describe"], ["--scheme=help"], [*QUICK]])
def test_output_that_cannot_be_written(tmp_path: Path, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [BIN / "fct", *words], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "standard output" in done.stderr


def _fill_disk(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # of a file


@pytest.mark.parametrize("size", [100, 2000])
def test_a_full_disk_leaves_nothing_of_a_run(tmp_path: Path, size: int) -> None:
    done = subprocess.run(
        [BIN / "fct", *QUICK, "--out=result"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        preexec_fn=lambda: _fill_disk(size),
    )
    assert done.returncode == 1, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_run_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    out = tmp_path / "my:result"

    def run(*words: str) -> subprocess.CompletedProcess:
        return scenario("fct", *QUICK, f"--out={out}", *words, folder=tmp_path)

    assert run("--record=queues", "--pcap=host0,leaf0:0").returncode == 0
    first = names(out)
    assert {"flows.csv", "queues.csv", "host0.pcap", "leaf0-0.pcap", "run.json"} <= first
    pictures.draw([out], out)
    drawn = names(out) - first
    assert "queues.png" in drawn
    (out / "note.txt").write_text("mine")
    before = (out / "run.json").read_bytes()
    assert run("--load=much").returncode == 1
    assert (out / "run.json").read_bytes() == before
    assert run("--load=0.3").returncode == 0
    assert names(out) == {"note.txt"} | first - {"queues.csv", "host0.pcap", "leaf0-0.pcap"}
    assert json.loads((out / "run.json").read_text())["input"]["load"] == "0.3"


def test_one_run_at_a_time_has_a_folder(tmp_path: Path) -> None:
    words = ("--out=result", "--load=0.3", *QUICK[1:])
    assert scenario("fct", *words, QUICK[0], folder=tmp_path).returncode == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "result").iterdir()}
    with subprocess.Popen(
        [BIN / "fct", *words, "--duration=1000s"], cwd=tmp_path, stdout=subprocess.DEVNULL
    ) as long:
        unfinished = tmp_path / "result/unfinished.tmp"
        while not unfinished.exists():
            assert long.poll() is None
        done = scenario("fct", *words, QUICK[0], folder=tmp_path)
        assert done.returncode == 1
        assert done.stderr.startswith("fct: --out = 'result': another run writes there; ")
        assert len(done.stderr.splitlines()) == 1
        assert unfinished.exists()
        long.kill()
    left = {path.name: path.read_bytes() for path in (tmp_path / "result").glob("*.*[!p]")}
    assert left == before
    assert scenario("fct", *words, QUICK[0], folder=tmp_path).returncode == 0
    assert names(tmp_path / "result") == set(before)


UDP = "--transport=udp:Rate=10Gbps"


@pytest.mark.parametrize(
    "words",
    [
        ("--scheme=afq", UDP, "--senders=32", "--bytes=15000000"),
        ("--scheme=afq", f"{UDP},PacketSize=65535", "--senders=4", "--bytes=400000"),
    ],
)
def test_flows_that_lost_bytes_are_unfinished(tmp_path: Path, words: tuple[str, ...]) -> None:
    found = numbers(tmp_path, "incast", *words)
    assert found["dropped_packets"] > 0
    assert found["flows_unfinished"] > 0
    with (tmp_path / "incast/flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    lossy = [flow for flow in flows if int(flow["lost_bytes"]) > 0]
    assert len(lossy) == found["flows_unfinished"]
    assert all(flow["finished"] == "0" and flow["fct_ns"] == "" for flow in lossy)
    lost = sum(int(flow["lost_bytes"]) for flow in flows)
    assert lost <= found["dropped_bytes"] < 1.05 * lost + 40 * found["dropped_packets"]


def test_requests_whose_responses_were_lost_do_not_count(tmp_path: Path) -> None:
    words = ("--workload=request:Clients=1,FanOut=3,FlowRate=2000", "--sizes=fixed:Bytes=1000000")
    star = "--topology=single-switch:Hosts=4"
    found = numbers(
        tmp_path,
        "fct",
        *words,
        "--scheme=afq",
        UDP,
        star,
        "--record=tasks",
        "--warmUp=0s",
        "--duration=2ms",
        "--drain=100ms",
    )
    assert found["flows_unfinished"] > 0
    assert found["task_incomplete_count"] > 0


@pytest.mark.parametrize(
    ("topology", "goodput"),
    [
        ("single-switch:Hosts=5", 10e9),
        ("single-switch:Hosts=5,HostRate=100Gbps", 100e9),
        ("single-switch:Hosts=9,HostRate=40Gbps", 40e9),
        ("dumbbell:Left=4,Right=1,LeftRate=40Gbps,RightRate=40Gbps", 10e9),
    ],
)
def test_the_bottleneck_is_the_networks(tmp_path: Path, topology: str, goodput: float) -> None:
    words = ("--scheme=afq", "--warmUp=500us", "--duration=1ms", f"--topology={topology}")
    found = numbers(tmp_path, "bottleneck", *words)
    assert found["utilisation"] == pytest.approx(1, abs=0.01)
    assert found["goodput_bps"] == pytest.approx(0.97 * goodput, rel=0.02)


def test_utilisation_counts_frames(tmp_path: Path) -> None:
    words = ("--ns3::Fabric::FrameOverhead=38", "--duration=1ms")
    assert numbers(tmp_path, "bottleneck", *words)["utilisation"] == pytest.approx(1, abs=0.003)


def test_the_cycle_of_on_off_is_the_networks(tmp_path: Path) -> None:
    words = ("--bytes=125000", "--least=1us", "--cycles=4")  # 1 Mbit each
    star = "--topology=single-switch:Hosts=5,HostRate=1Gbps"
    done = scenario("on-off", *words, star, "--out=star", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "star/flows.csv").open() as file:
        starts = [float(flow["start_ns"]) for flow in csv.DictReader(file)]
    assert min(starts) >= 4e6 and max(starts) < 20e6  # a cycle is 4 ms, measured are 4 after 1


LOADED = ("--sizes=fixed:Bytes=1000", "--duration=1ms", "--warmUp=0s")


def test_ideal_starts_count_headers(tmp_path: Path) -> None:
    words = ("--topology=single-switch:Hosts=3,HostRate=1Gbps", "--ideal=true", "--off=0")
    numbers(tmp_path, "on-off", *words, "--bytes=1", "--least=1ms", "--cycles=0", "--rate=40Gbps")
    with (tmp_path / "on-off" / "flows.csv").open() as file:
        flows = sum(1 for _ in csv.DictReader(file))
    assert flows == pytest.approx(1e9 * 1e-3 / 8 / 41, rel=0.01)  # packets of 41 bytes


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        ("poisson:Load=0.9", ("--load=0.9",)),
        ("poisson:Sizes=fixed:Bytes=2000", ("--sizes=fixed:Bytes=2000",)),
    ],
)
def test_what_a_workload_says_counts(tmp_path: Path, spec: str, plain: tuple[str, ...]) -> None:
    others = [word for word in LOADED if not (word.startswith("--sizes") and "Sizes" in spec)]
    own = numbers(tmp_path, "fct", f"--workload={spec}", *others)
    assert own == numbers(tmp_path, "fct", *others, *plain)


def test_what_a_workload_says_of_its_tier_counts(tmp_path: Path) -> None:
    usual = numbers(tmp_path, "fct", *LOADED)["flow_rate_per_s"]
    given = "poisson:Capacity=1Gbps,Crossing=0.5"
    rate = numbers(tmp_path, "fct", f"--workload={given}", *LOADED)["flow_rate_per_s"]
    assert rate == pytest.approx(0.5 * 1e9 / 8000 / 0.5)
    assert rate != pytest.approx(usual)
    stopped = numbers(tmp_path, "fct", "--workload=poisson:Stop=100us", *LOADED[:1])
    assert stopped["flows_excluded"] < usual * 150e-6


def test_requests_load_the_busiest_link(tmp_path: Path) -> None:
    words = ("--workload=request", "--load=0.5", "--sizes=fixed:Bytes=14600", "--warmUp=0s")
    numbers(tmp_path, "fct", *words, "--scheme=ideal-fq", "--duration=5ms")
    with (tmp_path / "fct/ports.csv").open() as file:
        ports = [port for port in csv.DictReader(file) if port["role"] == "leaf-spine"]
    busy = [8 * float(port["tx_bytes"]) / 5e-3 / float(port["rate_bps"]) for port in ports]
    assert 0.45 < max(busy) < 0.65  # headers, acknowledgments and chance on top


@pytest.mark.parametrize("scheme", ["drb", "rb", "mptcp", "detail", "tcp:Paths=spray"])
def test_no_flow_is_faster_than_the_ideal(tmp_path: Path, scheme: str) -> None:
    topology = "--topology=leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=4,HostRate=40Gbps,"
    words = (f"{topology}FabricRate=10Gbps", f"--scheme={scheme}", "--load=0.2", "--warmUp=0s")
    sizes = "--sizes=pareto:Mean=100000"
    numbers(tmp_path, "fct", *words, sizes, "--duration=4ms")
    with (tmp_path / "fct/flows.csv").open() as file:
        flows = [flow for flow in csv.DictReader(file) if flow["finished"] == "1"]
    assert len(flows) > 50
    assert min(float(flow["slowdown"]) for flow in flows) >= 1


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("--scheme=rb",), 0.03),  # packets have an outer header
        (("--scheme=tcp:Paths=spray",), 0.003),  # an acknowledgment may wait for the one before
        (("--scheme=afq:Paths=spray", "--transport=udp:Rate=10Gbps"), 1e-6),
    ],
)
def test_short_packets_that_overtake_are_ideal(
    tmp_path: Path, words: tuple[str, ...], more: float
) -> None:
    topology = "--topology=fat-tree:K=4"  # all links are equal
    sizes = ("--sizes=pareto:Mean=3000,Shape=2", "--load=0.05", "--warmUp=0s", "--duration=2ms")
    numbers(tmp_path, "fct", topology, *words, *sizes)
    with (tmp_path / "fct/flows.csv").open() as file:
        flows = [flow for flow in csv.DictReader(file) if flow["finished"] == "1"]
    assert len(flows) > 200
    assert min(float(flow["slowdown"]) for flow in flows) >= 1 - 1e-9
    overtaken = [float(flow["slowdown"]) for flow in flows if 1460 < int(flow["bytes"]) < 2400]
    assert min(overtaken) == pytest.approx(1, abs=more)  # the bound is reached
