# SPDX-License-Identifier: GPL-2.0-only
"""The built scenario programs: what a user gets for good input and for bad.

They need the build (./repro setup); ./repro test builds before it starts these tests.
"""

import csv
import json
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import build
from reproduce.metrics import RunOutput, flow_completion, over_time

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")
SHORT = ("--topology=leaf-spine:Leaves=2,HostsPerLeaf=4", "--duration=1ms", "--warmUp=0ms")


def scenario(name: str, *words: str, folder: Path) -> subprocess.CompletedProcess:
    """Runs a scenario in a folder."""
    return subprocess.run(
        [BIN / name, *words], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    ("name", "words", "named"),
    [
        ("fct", ["--scheme=bogus"], ["--scheme", "bogus", "dctcp", "tcp"]),
        ("fct", ["--scheme=tcp:Bogus=1"], ["--scheme", "Bogus", "EdgeBuffer"]),
        ("fct", ["--bogus=1"], ["--bogus", "--load"]),
        ("fct", ["--lod=0.5"], ["--lod", "(did you mean '--load'?)"]),
        ("incast", ["--sender=4"], ["--sender", "(did you mean '--senders'?)"]),
        ("fct", ["--load=-0.5"], ["--load", "-0.5", "from"]),
        ("fct", ["--load=much"], ["--load", "much"]),
        ("fct", ["--load=0.5\n0.7"], ["--load", "0.5 0.7"]),
        ("fct", ["--duration=10"], ["--duration", "10", "unit"]),
        ("fct", ["--topology=bogus"], ["--topology", "bogus", "fat-tree"]),
        ("fct", ["--topology=fat-tree:K=5"], ["K", "5", "even"]),
        ("fct", ["--topology=leaf-spine:HostRate=-10Gbps"], ["HostRate", "-10Gbps"]),
        ("fct", ["--topology=leaf-spine:HostRate=10"], ["HostRate", "10", "unit"]),
        ("fct", ["--failLinks=100000"], ["--failLinks", "100000"]),
        ("fct", ["--hosts=bogus"], ["--hosts", "bogus", "ideal", "linux"]),
        ("fct", ["--hosts=linux-1.0"], ["--hosts", "linux-1.0", "linux-2.6.38"]),
        ("fct", ["--hosts=linux:Kernel=2.6.38"], ["--hosts", "written linux-2.6.38 now"]),
        ("tenants", ["--scheme=mufab:Core=mufab"], ["--scheme", "written Stages=mufab now"]),
        ("tenants", ["--scheme=mufab:Without=a"], ["--scheme", "written StagesExcept=a now"]),
        ("fct", ["--scheme=tcp:SharedBuffer=1000000"], ["written SharedBuffer=1000000B now"]),
        ("fct", ["--scheme=tcp:SharedBuffer=20p"], ["SharedBuffer", "20p", "bytes"]),
        (
            "fct",
            ["--scheme=tcp:FlowControl=priority:Buffer=131072"],
            ["written Buffer=131072B now"],
        ),
        (
            "fct",
            ["--scheme=tcp:FlowControl=priority:Buffer=20p"],
            ["Buffer", "20p", "time at the link's rate"],
        ),
        (
            "fct",
            ["--scheme=tcp:Paths=adaptive:LongQueue=65536"],
            ["written LongQueue=65536B now"],
        ),
        ("fct", ["--scheme=detail:InputBuffer=131072"], ["priority:Buffer=131072B now"]),
        ("fct", ["--scheme=vq:Controller=local"], ["written RateController=local now"]),
        ("fct", ["--scheme=ns3::PairScheme"], ["--scheme", "written ns3::Scheme now"]),
        (
            "fct",
            ["--ns3::TcpHostScheme::MarkThreshold=never"],
            ["written --ns3::Scheme::MarkThreshold now"],
        ),
        ("fct", ["--hosts=linux:SmallQueue=3000"], ["--hosts", "written Backlog=3000B now"]),
        ("fct", ["--hosts=ideal:Backlog=2p", "--transport=ns3"], ["--hosts", "Backlog"]),
        ("fct", ["--hosts=ideal:Queue=drr", "--scheme=mufab"], ["--hosts", "Queue"]),
        ("fct", ["--transport=lean;udp:SendBuffer=1000s"], ["SendBuffer", "4 GiB"]),
        ("fct", ["--hosts=fq:Queue=shaped,Mark=30kB"], ["--hosts", "shaped", "MarkThreshold"]),
        ("fct", ["--hosts=ideal:Mark=9MB,Buffer=8MB"], ["--hosts Mark", "9000000B", "Buffer"]),
        ("fct", ["--hosts=ideal:InitialCwnd=5", "--transport=udp"], ["--hosts", "InitialCwnd"]),
        ("fct", ["--hosts=ideal:SendBuffer=3p"], ["--hosts", "SendBuffer"]),
        ("fct", ["--scheme=nimble:Controller=global"], ["written RateController=global now"]),
        ("fct", ["--scheme=tcp:Agents=bouncing-agent"], ["bouncing-agent", "only clove"]),
        ("fct", ["--scheme=vq-ecn", "--ns3::ShapedQueueDisc::Inner=shaped"], ["within each other"]),
        ("fct", ["--sizes=falls.cdf"], ["falls.cdf"]),
        ("fct", ["--sizes=ends-early.cdf"], ["ends-early.cdf", "1"]),
        ("fct", ["--sizes=absent.cdf"], ["--sizes", "absent.cdf"]),
        ("fct", ["--out=file/run"], ["--out", "file/run"]),
        ("fct", ["--ns3::TcpSocket::Bogus=1"], ["--ns3::TcpSocket::Bogus"]),
        ("incast", ["--senders=0"], ["--senders", "0"]),
        ("convergence", ["--spacing=-1s"], ["--spacing", "-1s"]),
        ("requests", ["--capacity=0bps"], ["--capacity", "0bps"]),
        ("on-off", ["--flows=0"], ["--flows", "1"]),
        ("on-off", ["--bytes=-5"], ["--bytes", "-5"]),
        ("on-off", ["--off=-1"], ["--off", "-1"]),
        ("bottleneck", ["--duration=0s"], ["--duration", "40us"]),
        ("afq-sizing", ["--queues=0"], ["--queues", "0"]),
        ("afq-sizing", ["--counts=1,2"], ["--counts", "1,2", "three"]),
        ("fct", ["--topology=vl2:D1=5"], ["D1", "5", "even"]),
        ("permutation", ["--scheme=drb", "--failLinks=33"], ["--failLinks", "33", "32"]),
        ("failures", ["--events=core0"], ["--events", "core0", "TIME EVENT"]),
        ("failures", ["--events=1 fail-switch core0"], ["--events", "1", "unit"]),
        ("failures", ["--events=1ms fail-switch core4"], ["--events", "core4", "core0 to core3"]),
        ("failures", ["--events=1ms fail-link edge0:core0"], ["--events", "edge0:core0", "a link"]),
        (
            "failures",
            ["--events=1ms repair-switch core0"],
            ["--events", "repair-switch core0", "so already"],
        ),
        (
            "failures",
            ["--events=3s fail-switch core0"],
            ["--events", "3s fail-switch core0", "before the end"],
        ),
        ("fct", ["--topology=file:absent.csv"], ["absent.csv", "cannot be read"]),
        ("fct", ["--topology=file:links.csv"], ["links.csv line 3", "leaf1", "leaf0"]),
        ("fct", ["--topology=three-tier:CoreLinks=3"], ["CoreLinks", "3", "2 cores"]),
        (
            "fct",
            ["--topology=three-tier:Pods=1000,RacksPerPod=1000,HostsPerRack=1000"],
            ["--topology", "more than 1000000 links"],
        ),
        (
            "fct",
            ["--topology=three-tier:Pods=500,RacksPerPod=200,HostsPerRack=1,AggregationsPerPod=1"],
            ["--topology", "more than 65535 racks"],
        ),
        ("fct", ["--topology=file:host-tier.csv"], ["host-tier.csv line 2", "name of the hosts"]),
        (
            "fct",
            ["--transport=w=lean;cu=lean:CongestionOps=cubic"],
            ["transport cu", "CongestionOps", "cubic"],
        ),
        ("fct", ["--pcap=leaf0:0,host0:0,leaf0:0"], ["--pcap", "leaf0:0", "twice"]),
        ("fct", ["--pcap=leaf0:0", "--record=pcap:Ports=host0"], ["--pcap", "--record"]),
        ("fct", ["--record=pcap"], ["pcap", "needs Ports="]),
        ("tenants", ["--tenants="], ["--tenants", "needs tenants"]),
        ("tenants", ["--events=1ms leave"], ["--events leave", "needs tenant="]),
        (
            "permutation",
            ["--scheme=trinity", "--tenants=hosts", "--events=1ms leave tenant=hosts"],
            ["--events", "leave tenant=hosts", "scenario tenants"],
        ),
        (
            "tenants",
            [
                "--tenants=list:Of={tenant A hosts=0,4 workload=permutation:Transport=foo}",
                "--events=3ms join tenant=A",
                "--check",
            ],
            ["workload permutation of tenant A", "Transport", "foo", "lean"],
        ),
        (
            "tenants",
            [
                "--scheme=nimble:Policy=(class A groups=0)",
                "--tenants=list:Of={tenant A hosts=0,4 limit=1Gbps}",
            ],
            ["--tenants limit of", "A", "nimble keeps no limits"],
        ),
        (
            "tenants",
            ["--scheme=static-reservation:Controller=window:Window=0"],
            ["Window", "0", "at least 1"],
        ),
        (
            "tenants",
            ["--tenants=list:Of={tenant A hosts=0-3 workload=shuffle:Sizes=}"],
            ["workload shuffle of tenant A", "Sizes"],
        ),
        (
            "tenants",
            ["--tenants=list:Of={tenant A hosts=0,4 limit=2Gbps}", "--scheme=trinity"],
            ["--tenants", "limit of", "A", "trinity keeps no limits"],
        ),
        (
            "tenants",
            [
                "--tenants=list:Of={tenant A hosts=0,4 hose=1Gbps}",
                "--events=3ms hose tenant=A send=50Gbps receive=50Gbps",
            ],
            ["--events 0.003s hose", "50 Gbps", "host0:0", "at most 10 Gbps"],
        ),
        (
            "fct",
            ["--scheme=dcqcn:Queue=red-mark:MinThreshold=300us"],
            ["MinThreshold", "300us", "40us"],
        ),
        ("fct", ["--scheme=dcqcn:Transport=(dcqcn:Recovery=None)"], ["Recovery", "None"]),
        (
            "fct",
            ["--scheme=dcqcn:Transport=(dcqcn:MinTimeout=1s)"],
            ["MinTimeout", "1s", "MaxTimeout, 100ms"],
        ),
        (
            "fct",
            ["--scheme=swift", "--transport=swift:MinWindow=2,MaxWindow=1"],
            ["MinWindow", "MaxWindow, 1"],
        ),
        ("fct", ["--scheme=tcp:SharedBuffer=1ms"], ["SharedBuffer", "1ms"]),
        ("fct", ["--scheme=tcp:SharedBufferAlpha=-1"], ["SharedBufferAlpha", "-1"]),
        ("fct", ["--scheme=tcp:Paths=flowlet:Gap=5"], ["Gap", "5", "unit"]),
        ("failures", ["--topology=single-switch"], ["--events", "second tier"]),
        ("tenants", ["--tenants=list:Of={tenant A hosts=0,99}"], ["--tenants", "host 99", "15"]),
        ("tenants", ["--tenants=list:Of={vm A hosts=0}"], ["statement 1", "A", "tenant"]),
        (
            "tenants",
            ["--tenants=list:Of={tenant A hosts=0,4 hose=11Gbps}"],
            ["--tenants", "11 Gbps", "host0:0", "at most 10 Gbps"],
        ),
        (
            "tenants",
            [
                "--scheme=mufab",
                "--ns3::TenantSource::Admission=0.95",
                "--tenants=list:Of={tenant A hosts=0,4 hose=5Gbps; tenant B hosts=0,5 hose=3Gbps;"
                "tenant C hosts=0,6 hose=2Gbps}",
            ],
            ["--tenants", "10 Gbps", "host0:0", "at most 9.5 Gbps"],
        ),
        ("tenants", ["--tenants=file:Path=none.txt"], ["none.txt", "read"]),
        (
            "tenants",
            ["--tenants=list:Of={tenant A hosts=0,4 transport=x workload=incast}"],
            ["transport", "x"],
        ),
        (
            "tenants",
            [
                "--scheme=trinity",
                "--tenants=list:Of={tenant A hosts=0,4 hose=6Gbps; tenant B hosts=0,5 hose=5Gbps}",
            ],
            ["--tenants", "11 Gbps", "host0:0", "at most 10 Gbps"],
        ),
        (
            "tenants",
            ["--scheme=trinity", "--tenants=list:Of={tenant A hosts=0,99 hose=1Gbps}"],
            ["--tenants", "host 99", "15"],
        ),
        (
            "tenants",
            ['--scheme=trinity:Controller="trinity:Interval=0s"'],
            ["Interval", "0s", "at least 1ns"],
        ),
        (
            "tenants",
            ['--scheme=trinity:Controller="trinity:ChannelSize=0p"'],
            ["ChannelSize", "0p", "1p or 1500B"],
        ),
        (
            "tenants",
            ['--scheme=trinity:Controller="trinity:GreenBucketDepth=1499"'],
            ["GreenBucketDepth", "1499", "1500"],
        ),
        (
            "tenants",
            [
                '--scheme=trinity:Controller="trinity:RedBucketDepth=3000"',
                "--transport=lean:SegmentSize=4000",
            ],
            ["BucketDepth", "3000", "4040 bytes"],
        ),
        ("fct", ["--events=1ms bogus"], ["--events", "bogus", "fail-link"]),
        ("fct", ["--record=bogus"], ["--record", "bogus", "queues"]),
        ("fct", ["--record=queues:Interval=0s"], ["--record", "Interval", "0s"]),
        ("fct", ["--record=queues:Ports=leaf9:0"], ["--record queues:Ports", "leaf9:0"]),
        ("fct", ["--record=queues;queues:Interval=1ms"], ["--record", "queues:Interval=1ms"]),
        ("fct", ["--pcap=leaf9:0"], ["--pcap", "leaf9:0", "host0:0"]),
        ("fct", ["--pcap=leaf0:0", "--out="], ["--pcap", "leaf0:0", "a folder"]),
        ("failures", ["--record=rates:Bin=4s"], ["--duration", "3s", "Bin of rates.csv, 4s"]),
        ("failures", ["--duration=10ms"], ["--duration", "10ms", "Bin of rates.csv, 20ms"]),
        ("fct", ["--scheme=afq:Transport="], ["--scheme Transport", "''", "lean"]),
        ("fct", ["--scheme=afq:Transport=foo"], ["--scheme Transport", "'foo'", "lean"]),
        ("fct", ["--scheme=mptcp:Transport=lean"], ["--scheme Transport", "lean", "mptcp"]),
        (
            "fct",
            ["--hosts=linux:Backlog=4p"],
            ["Backlog", "4p", "in bytes or as time", "SmallQueueTime, 1.048576ms"],
        ),
        (
            "fct",
            ["--transport=lean:MinRto=1us,ClockGranularity=0.5ms"],
            ["MinRto", "'1us'", "at least ClockGranularity, 500us"],
        ),
        ("failures", ["--tolerance=0"], ["--tolerance", "0"]),
        ("drb-topology-update", ["--scheme=dctcp"], ["--scheme", "dctcp", "drb"]),
        ("drb-topology-update", ["--ports=5"], ["K", "5", "even"]),
        ("drb-topology-update", ["--ports=100"], ["--ports", "100", "48"]),
        ("drb-queue-model", ["--scheme=rbb"], ["--scheme", "rbb", "drb"]),
        ("permutation", ["--scheme=drb:EdgeBuffer=1510B"], ["1510B", "outer header", "1520B"]),
        (
            "permutation",
            ["--scheme=drb:SharedBuffer=1519B"],
            ["SharedBuffer", "1519B", "outer header", "1520B"],
        ),
        (
            "permutation",
            ["--scheme=drb:SharedBuffer=3000B,SharedBufferAlpha=0.5"],
            ["SharedBufferAlpha", "0.5", "1500 of 3000B", "outer header", "1520B"],
        ),
        (
            "permutation",
            ["--scheme=detail:FlowControl=priority:Buffer=4000B"],
            ["Buffer", "4000", "bytes"],
        ),
        ("permutation", ["--scheme=tcp:FlowControl=pfc"], ["FlowControl", "pfc", "priority"]),
        ("permutation", ["--forwardingDelay=-1us"], ["--forwardingDelay", "-1us"]),
        ("drb-queue-model", ["--ports=5"], ["--ports", "5", "even"]),
        ("drb-queue-model", ["--hop=4"], ["--hop", "4"]),
        ("drb-structure", ["--topology=dumbbell"], ["--topology", "dumbbell", "layer"]),
        ("drb-link-loads", ["--scheme=odd"], ["--scheme", "odd", "even"]),
        ("drb-link-loads", ["--traffic=all"], ["--traffic", "all", "mixture"]),
        ("drb-link-loads", ["--matrices=0"], ["--matrices", "0"]),
        ("drb-order", ["--ports=5"], ["--ports", "5", "even"]),
        ("drb-order", ["--uplinks=101"], ["--uplinks", "101"]),
        # Packets that are too large for the network are known before the first of them is sent.
        (
            "fct",
            ["--scheme=dcqcn", "--transport=dcqcn:PayloadSize=9000", "--check"],
            ["MaxPacket", "2000", "9044 bytes"],
        ),
        (
            "fct",
            [
                "--scheme=tcp:FlowControl=priority",
                "--transport=low=lean;w=ns3:SegmentSize=8960",
                "--check",
            ],
            ["transport w", "MaxPacket", "2000", "9000 bytes"],
        ),
        (
            "permutation",
            ['--scheme=drb:FlowControl="priority:MaxPacket=1500"', "--check"],
            ["MaxPacket", "1500", "1520 bytes"],
        ),
        *(
            (
                "tenants",
                [
                    f"--scheme={scheme}:BucketDepth=1500)",
                    "--check",
                    "--transport=lean:SegmentSize=4000",
                ],
                ["BucketDepth", "1500", "4040 bytes"],
            )
            for scheme in (
                "static-reservation:Controller=(static",
                "elastic-switch:Controller=(elastic-switch",
                "elastic-switch-aggressive:Controller=(elastic-switch-aggressive",
                "picnic:Controller=(pwc",
            )
        ),
        (
            "tenants",
            [
                '--scheme=trinity:Controller="trinity:RedBucketDepth=3000"',
                "--check",
                "--transport=lean:SegmentSize=4000",
            ],
            ["BucketDepth", "3000", "4040 bytes"],
        ),
        (
            "incast",
            [
                '--scheme=mufab:Controller="mufab:BaseRtt=1ns"',
                "--topology=vl2:D0=1,D1=2,D2=2",
                "--senders=2",
                "--check",
            ],
            ["BaseRtt", "1.000ns", "at least", "largest base RTT"],
        ),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, name: str, words: list[str], named: list[str]
) -> None:
    (tmp_path / "falls.cdf").write_text("1000 0\n2000 0.7\n3000 0.5\n4000 1\n")
    (tmp_path / "ends-early.cdf").write_text("1000 0\n2000 0.9\n")
    (tmp_path / "links.csv").write_text(
        "what,from,to,rate,delay\ntier,leaf\nlink,host0,leaf1,1Gbps,1us\n"
    )
    (tmp_path / "host-tier.csv").write_text("what,from,to,rate,delay\ntier,host\n")
    (tmp_path / "file").write_text("a file where a folder should be")
    before = sorted(tmp_path.rglob("*"))
    if not any(word.startswith("--out") for word in words):
        words = [*words, "--out=result"]
    done = scenario(name, *words, folder=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert all(part in done.stderr for part in named), done.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", build.scenarios())
def test_programs_describe_themselves(tmp_path: Path, name: str) -> None:
    done = scenario(name, "--scheme=bogus", "--describe", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["program"] == name
    assert found["options"]["out"]["kind"] == "text"
    schemes = found["names"].get("ns3::Scheme", {})
    assert all(known["library"].startswith("libsuite-") for known in schemes.values())
    assert found["classes"]["ns3::AfqQueueDisc"]["library"] == "libsuite-afq.so"
    sack = found["classes"]["ns3::TcpSocketBase"]["attributes"]["Sack"]
    assert (sack["kind"], sack["default"]) == ("bool", "true")


@pytest.mark.parametrize("name", build.scenarios())
def test_programs_check_their_input_without_running(tmp_path: Path, name: str) -> None:
    done = scenario(name, "--check", "--out=result", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_check_builds_the_network(tmp_path: Path) -> None:
    tenants = "--tenants=list:Of={tenant A hosts=0,1 workload=on-of}"
    done = scenario("tenants", tenants, "--check", folder=tmp_path)
    assert done.returncode == 1
    assert "on-of" in done.stderr


@pytest.mark.parametrize(
    "scheme", ["pwc:Stages=mufab", "mufab:Controller=pwc", "nimble:Controller=elastic-switch"]
)
def test_parts_of_schemes_stand_a_failure(tmp_path: Path, scheme: str) -> None:
    words = [f"--scheme={scheme}", "--events=1ms fail-link leaf0:spine0", *SHORT]
    done = scenario("fct", *words, "--duration=3ms", folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.xdist_group("clone")
def test_repro_passes_the_exit_status_on() -> None:
    done = subprocess.run(
        [ROOT / "repro", "sim", "fct", "--", "--scheme=bogus"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "'bogus'" in done.stderr


@pytest.mark.xdist_group("clone")
@pytest.mark.parametrize("files", [True, False])
def test_repro_prints_the_completion_times_that_figures_have(tmp_path: Path, files: bool) -> None:
    words = ["--scheme=dctcp", "--load=0.7", *SHORT]
    scenario("fct", *words, f"--out={tmp_path / 'alone'}", folder=tmp_path)
    numbers = flow_completion(RunOutput(tmp_path / "alone"))
    words += [f"--out={tmp_path / 'out'}"] if files else []
    done = subprocess.run([ROOT / "repro", "sim", "fct", "--", *words], capture_output=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    heading = next(i for i, line in enumerate(lines) if "mean slowdown" in line)
    every = lines[heading + 1].split()
    assert every[0] == "all" and int(every[1]) == numbers["all_flows"] > 10
    assert float(every[2]) == pytest.approx(numbers["all_mean_us"], abs=0.01)
    assert float(every[-1]) == pytest.approx(numbers["all_slowdown"], abs=0.01)


def test_a_simulation_prints_a_summary_and_writes_its_files(tmp_path: Path) -> None:
    done = scenario("fct", "--scheme=dctcp", "--load=0.7", "--out=a/b", *SHORT, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "DCTCP" in done.stdout
    assert "\n  files: a/b\n" in done.stdout
    manifest = json.loads((tmp_path / "a/b/run.json").read_text())
    assert manifest["scenario"] == "fct"
    assert manifest["rng_run"] == 1
    with (tmp_path / "a/b/flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    assert flows
    assert all(float(f["slowdown"]) >= 0.999 for f in flows if f["finished"] == "1")
    assert not list(tmp_path.rglob("*.tmp"))


def test_kernels_and_schedulers_give_equal_files(tmp_path: Path) -> None:
    kernels = {
        "own": [],
        "map": [
            "--SimulatorImplementationType=ns3::DefaultSimulatorImpl",
            "--SchedulerType=ns3::MapScheduler",
        ],
        "again": [],
        "other-seed": ["--RngRun=2"],
    }
    flows = {}
    for name, words in kernels.items():
        out = f"--out={name}"
        done = scenario("fct", "--scheme=dctcp", out, *SHORT, *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        files = sorted((tmp_path / name).glob("*.csv"))
        flows[name] = {path.name: path.read_bytes() for path in files}
    assert flows["own"] == flows["map"] == flows["again"]
    assert flows["own"] != flows["other-seed"]


@pytest.mark.parametrize(
    ("flows", "spacing", "accepted"), [(16384, 0, True), (16385, 0, False), (16385, 1e-6, True)]
)
def test_more_flows_than_tcp_ports_are_refused_at_once(
    tmp_path: Path, flows: int, spacing: float, accepted: bool
) -> None:
    rows = "".join(f"{i * spacing:.6f},0,1,100\n" for i in range(flows))
    (tmp_path / "many.csv").write_text("start,source,destination,bytes\n" + rows)
    words = ("--topology=single-switch:Hosts=2", "--transport=ns3", "--check")
    done = scenario("fct", *words, "--workload=trace:File=many.csv", folder=tmp_path)
    assert done.returncode == (0 if accepted else 1), done.stderr
    if not accepted:
        assert len(done.stderr.splitlines()) == 1
        assert all(part in done.stderr for part in ("host 0", "16384", "ns3")), done.stderr
    # Lean TCP has no ports to run out of.
    words = ("--topology=single-switch:Hosts=2", "--check", "--workload=trace:File=many.csv")
    assert scenario("fct", *words, folder=tmp_path).returncode == 0


def intervals() -> list[str]:
    """Every recorder's time between samples or width of bins, as in `queues:Interval`."""
    described = json.loads(subprocess.check_output([BIN / "fct", "--describe"]))
    found = []
    for name, about in described["names"]["ns3::Recorder"].items():
        kind = about["class"]
        while kind in described["classes"]:
            known = described["classes"][kind]
            found += [
                f"{name}:{each}" for each in ("Bin", "Interval") if each in known["attributes"]
            ]
            kind = known.get("parent", "")
    return found


def test_all_recorders_have_one_least_interval(tmp_path: Path) -> None:
    found = intervals()
    assert {"drops:Bin", "limiters:Interval", "pairs:Bin", "queues:Interval"} <= {*found}
    for setting in found:
        for interval, code in (("99ns", 1), ("1ps", 1), ("100ns", 0)):
            done = scenario("fct", f"--record={setting}={interval}", "--check", folder=tmp_path)
            assert done.returncode == code, (setting, interval, done.stderr)
            assert code == 0 or "at least 100ns" in done.stderr, done.stderr


def numbers(folder: Path, name: str, *words: str) -> dict[str, float]:
    """The results of a program's run."""
    done = scenario(name, *words, f"--out={name}", folder=folder)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / name / "run.json").read_text())["results"]


def test_sizing_is_the_papers_arithmetic(tmp_path: Path) -> None:
    found = numbers(tmp_path, "afq-sizing", "--queues=12", "--columns=1024", "--counts=165,178,190")
    assert found["bytes_per_round"] == pytest.approx(1388.9, abs=0.1)
    assert found["sketch_memory_bytes"] == 8192
    assert found["sketch_epsilon"] == pytest.approx(2.655e-3, rel=1e-3)
    assert found["increase_percent"] == pytest.approx(7.88, abs=0.01)
    assert found["increase_large_percent"] == pytest.approx(15.15, abs=0.01)


# Sec. C.3: the loop is stable below pi / 2, for one flow and for three with RTTs of 0.5, 1 and 2.
STABILITY = [
    ("link", 1.0, 0, 1e-9),
    ("link", 1.4, 0, 1e-6),
    ("link", 1.5, 3e-4, 1e-4),
    ("link", 1.65, 0.73, 0.02),
    ("link", 1.8, 1.3, 0.1),
    ("mix", 1.4, 0, 1e-10),
]


@pytest.mark.parametrize(("network", "kappa", "deviation", "within"), STABILITY)
def test_delayed_rates_are_stable_below_half_of_pi(
    tmp_path: Path, network: str, kappa: float, deviation: float, within: float
) -> None:
    words = (f"--network={network}", f"--kappa={kappa}")
    found = numbers(tmp_path, "mufab-stability", *words)
    assert found["deviation"] == pytest.approx(deviation, abs=within)


@pytest.mark.parametrize(
    ("alpha", "rate"), [(0.5, 0.2), (1, 0.3333), (2, 0.4142), (5, 0.4654), (20, 0.4913)]
)
def test_a_long_flow_has_the_alpha_fair_rate(tmp_path: Path, alpha: float, rate: float) -> None:
    words = ("--network=lot", f"--alpha={alpha}", "--time=21")
    found = numbers(tmp_path, "mufab-stability", *words)
    assert found["long_flow"] == pytest.approx(rate, abs=1e-4)


def test_one_hash_on_two_tiers_leaves_uplinks_idle(tmp_path: Path) -> None:
    for hashes, uplinks in (("same", 6), ("independent", 24)):
        words = (f"--hashes={hashes}", "--flows=100000")
        assert numbers(tmp_path, "mufab-hashing", *words)["uplinks_used"] == uplinks


def test_the_order_of_drb_is_the_papers(tmp_path: Path) -> None:
    found = numbers(tmp_path, "drb-order", "--scheme=drb", "--ports=4")
    assert [found[f"visit{i}"] for i in range(4)] == [0, 2, 1, 3]
    assert found["layer1_distance_least_packets"] == found["layer1_distance_most_packets"] == 2
    vl2 = numbers(tmp_path, "drb-order", "--ports=64", "--uplinks=4")
    assert [vl2[f"visit{i}"] for i in range(4)] == [0, 32, 64, 96]
    assert vl2["layer2_distance_least_packets"] == 128
    assert "aligned_queue_max_packets" not in vl2


def test_a_single_switch_per_pair_overloads_links(tmp_path: Path) -> None:
    even = numbers(tmp_path, "drb-link-loads", "--scheme=even")
    single = numbers(tmp_path, "drb-link-loads", "--scheme=single")
    assert even["load_max"] == pytest.approx(1)
    assert single["load_max_l0"] == pytest.approx(1)
    assert single["load_max_l1"] == 2
    with (tmp_path / "drb-link-loads" / "loads.csv").open() as file:
        links = list(csv.DictReader(file))
    assert sum(int(row["count"]) for row in links) == 20 * 6 * 16  # drawings, links of a path, each


def test_paths_of_a_pair_are_seen_at_the_ports(tmp_path: Path) -> None:
    found = numbers(tmp_path, "drb-paths", "--scheme=drb")
    assert (found["packets"], found["top_switches"], found["uplink_changes"]) == (64, 16, 63)
    with (tmp_path / "drb-paths" / "paths.csv").open() as file:
        ways = list(csv.DictReader(file))
    cores = [int(way["top_switch"]) for way in ways]
    assert cores[16:] == cores[:-16]
    assert all(int(way["uplink"]) == core // 4 for way, core in zip(ways, cores, strict=True))


def test_long_flows_share_a_port(tmp_path: Path) -> None:
    found = numbers(
        tmp_path,
        "bottleneck",
        "--scheme=afq",
        "--flows=4",
        "--record=occupancy:Interval=10us,From=0s",
    )
    assert found["utilisation"] == pytest.approx(1, abs=0.03)
    assert found["jain_index"] > 0.99
    with (tmp_path / "bottleneck" / "occupancy.csv").open() as file:
        rows = list(csv.DictReader(file))
    # At most one full packet in each of 32 rounds (Sec. 3.4).
    assert 1 < max(int(row["packets"]) for row in rows) <= 32


BRIEF = ("--warmUp=1ms", "--duration=1ms")


@pytest.mark.parametrize(
    ("record", "file"),
    [
        ("queues:Interval=10us", "queues.csv"),
        ("occupancy:Interval=10us", "occupancy.csv"),
        ("rates:Bin=100us", "rates.csv"),
        ("delays", "network_latency.csv"),
    ],
)
def test_recorders_run_in_any_scenario(tmp_path: Path, record: str, file: str) -> None:
    for name, words in {"fct": BRIEF, "permutation": (FAT_TREE, *BRIEF)}.items():
        numbers(tmp_path, name, f"--record={record}", *words)
        with (tmp_path / name / file).open() as rows:
            assert len(list(rows)) > 2


def test_the_state_of_chosen_flows_is_sampled(tmp_path: Path) -> None:
    words = ("--scheme=dctcp", "--flows=3", *BRIEF)
    numbers(
        tmp_path, "bottleneck", "--record=flow-states:Interval=20us,From=0s,Flows=(1,3)", *words
    )
    states = RunOutput(tmp_path / "bottleneck").table("flow-states")
    assert set(states["flow"]) == {1, 3} and set(states["subflow"]) == {0}
    one = states[states["flow"] == 1]
    assert len(one) == 100 and one["time_s"].iloc[1] == pytest.approx(20e-6)
    assert (one["in_flight_bytes"] <= one["window_bytes"] + 1460).all()
    assert one["alpha"].iloc[0] == 1 and 0 < one["alpha"].iloc[-1] < 1
    assert states["rate_bps"].isna().all()  # it is not paced
    assert states["threshold_bytes"].notna().any()  # after the first mark


def test_recorders_of_pairs_and_tenants(tmp_path: Path) -> None:
    words = (
        "--record=pairs:Bin=250us,Classes=true;tenants:Bin=500us;limiters:Interval=500us",
        *BRIEF,
    )
    numbers(tmp_path, "permutation", FAT_TREE, "--scheme=static-reservation", *words)
    run = RunOutput(tmp_path / "permutation")
    pairs = over_time(run, "pairs", "throughput")
    assert list(pairs.index) == pytest.approx([1e-3, 1.25e-3, 1.5e-3, 1.75e-3])
    assert len(pairs.columns) == 16 + 16  # data one way, acknowledgments the other
    tenants = over_time(run, "tenants", "throughput")
    halves = pairs.sum(axis="columns").to_numpy().reshape(2, 2).mean(axis=1)
    assert list(tenants["hosts"]) == pytest.approx(list(halves))
    assert over_time(run, "pairs", "class0").equals(pairs)
    goodput = over_time(run, "tenants", "goodput")
    assert (goodput["hosts"] < tenants["hosts"]).all()
    limits = over_time(run, "limiters", "rate_bps")
    assert limits.equals(over_time(run, "limiters", "guarantee_bps"))
    # Half of each host's link, divided by data and acknowledgments until they were measured.
    assert limits.min().min() == pytest.approx(2.5e9)
    assert {*run.table("limiters")["measure"]} == {"waiting_packets", "rate_bps", "guarantee_bps"}


def test_recorders_of_pairs_without_tenants(tmp_path: Path) -> None:
    numbers(tmp_path, "fct", "--record=pairs;tenants;limiters", *BRIEF)
    for name in ("pairs", "tenants", "limiters"):
        assert RunOutput(tmp_path / "fct").table(name).empty


@pytest.mark.parametrize(("scheme", "paths"), [("ecmp-core", 1), ("drb", 2)])
def test_flows_of_ports_are_counted(tmp_path: Path, scheme: str, paths: int) -> None:
    # Of k = 4: DRB sends each flow over both up-links of its rack, and over all four cores.
    words = (f"--scheme={scheme}", FAT_TREE, "--shift=8", "--record=port-flows", *BRIEF)
    numbers(tmp_path, "permutation", *words)
    flows: dict[str, int] = {}
    with (tmp_path / "permutation" / "port-flows.csv").open() as file:
        for row in csv.DictReader(file):
            flows[row["role"]] = flows.get(row["role"], 0) + int(row["flows"])
    assert flows["host-edge"] == flows["edge-host"] == 16
    assert flows["edge-aggregation"] == flows["aggregation-edge"] == 16 * paths
    assert flows["aggregation-core"] == flows["core-aggregation"] == 16 * paths**2


@pytest.mark.parametrize(("window", "times"), [("", [1, 1.5]), (",From=0s,To=500us", [0, 0.5])])
def test_recorders_have_windows(tmp_path: Path, window: str, times: list[float]) -> None:
    record = f"--record=queues:Interval=500us{window}"
    numbers(tmp_path, "fct", record, *BRIEF)
    with (tmp_path / "fct" / "queues.csv").open() as file:
        seen = sorted({1e3 * float(row["time_s"]) for row in csv.DictReader(file)})
    assert seen[:2] == pytest.approx(times)


def test_disciplines_report_under_any_scheme(tmp_path: Path) -> None:
    scheme = '--scheme=tcp:Queue="afq:ShadowSketches=1x8"'
    found = numbers(tmp_path, "fct", scheme, *BRIEF)
    assert 0 < found["misestimated_1x8"] <= found["misestimated_worst_port_1x8"] < 1
    with (tmp_path / "fct" / "results.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["name"] == "misestimated_1x8"]
    assert {row["kind"] for row in rows} == {"switch-port", "host-port"}
    ports = [float(row["value"]) for row in rows if row["kind"] == "switch-port"]
    assert max(ports) == found["misestimated_worst_port_1x8"]


def test_any_part_is_an_attribute(tmp_path: Path) -> None:
    """AFQ's ports, ElasticSwitch's controllers, Clove's agents and uFAB's stages in one scheme."""
    parts = (
        "afq-tcp:Queue=afq:ShadowSketches=1x8,Controller=elastic-switch,DefaultTenants=hosts,"
        "Agents=clove,Stages=mufab"
    )
    words = ["--senders=3", "--limit=20ms", f"--scheme={parts}", "--out=run"]
    done = scenario("incast", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "run" / "results.csv").open() as file:
        told = {row["name"] for row in csv.DictReader(file)}
    assert {"misestimated_1x8", "pair_rate_bps", "clove_moves", "mufab_probes"} <= told


def test_what_happened_is_written(tmp_path: Path) -> None:
    events = "--events=1500us repair-link leaf0:spine1; 500us fail-link spine1:leaf0"
    numbers(tmp_path, "fct", events, *BRIEF)
    assert (tmp_path / "fct" / "events.csv").read_text() == (
        "time_s,event,details\n0.0005,fail-link,spine1:leaf0\n0.0015,repair-link,leaf0:spine1\n"
    )


@pytest.mark.parametrize("scheme", ["dctcp", "afq", "drb"])
def test_captures(tmp_path: Path, scheme: str) -> None:
    words = (FAT_TREE, *BRIEF, "--pcap=edge0:0,host3:0")
    numbers(tmp_path, "permutation", f"--scheme={scheme}", *words)
    for port in ("edge0:0", "host3:0"):
        capture = (tmp_path / "permutation" / f"{port.replace(':', '-')}.pcap").read_bytes()
        assert capture[:4] == b"\x4d\x3c\xb2\xa1"  # little-endian, time stamps in nanoseconds
        assert len(capture) > 1000


def test_on_off_flows_have_one_size(tmp_path: Path) -> None:
    words = ("--flows=4", "--least=5ms", "--cycles=0", "--bytes=20000")
    assert numbers(tmp_path, "on-off", *words)["flows_unfinished"] == 0
    with (tmp_path / "on-off" / "flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    assert {flow["bytes"] for flow in flows} == {"20000"}
    assert {flow["destination"] for flow in flows} == {"4"}
    assert {flow["source"] for flow in flows} == {"0", "1", "2", "3"}


def test_requests_cross_the_testbed(tmp_path: Path) -> None:
    words = ("--load=0.3", "--warmUp=0ms", "--duration=20ms")
    found = numbers(tmp_path, "requests", *words)
    assert found["base_rtt_us"] == pytest.approx(200, rel=0.05)
    with (tmp_path / "requests" / "flows.csv").open() as file:
        flows = list(csv.DictReader(file))
    assert flows
    assert all(flow["source"] >= "4" > flow["destination"] for flow in flows)
    assert all(float(flow["fct_ns"]) > 195e3 for flow in flows if flow["finished"] == "1")
    # 38 bytes more on each of 4 links of 10 Gbit/s, there and back.
    framed = numbers(tmp_path, "requests", *words, "--ns3::Fabric::FrameOverhead=38")
    assert framed["base_rtt_us"] - found["base_rtt_us"] == pytest.approx(8 * 0.0304, abs=1e-3)


def test_goodput_follows_failures(tmp_path: Path) -> None:
    found = numbers(tmp_path, "failures", "--scheme=drb", "--hosts=ideal", "--withinRacks=false")
    assert found["period1_start_s"] == 1
    assert found["period1_goodput_share"] == pytest.approx(3 / 4, abs=0.02)
    assert found["period2_goodput_share"] == pytest.approx(1, abs=0.02)
    assert 0.2 < found["change1_last_server_told_s"] - found["change1_s"] < 0.301
    assert found["period1_settling_s"] < 1


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["tcp", "dctcp", "afq", "rb", "rrb", "ecmp-core", "mptcp"])
def test_every_scheme_meets_failures(tmp_path: Path, scheme: str) -> None:
    events = (
        "--events=20ms fail-switch core3; 30ms fail-link edge1:aggregation0;"
        " 60ms repair-switch core3"
    )
    words = (events, "--duration=100ms", "--record=rates:Bin=5ms")
    found = numbers(tmp_path, "failures", f"--scheme={scheme}", *words)
    assert [found[f"period{i}_start_s"] for i in range(4)] == [0, 0.02, 0.03, 0.06]
    assert all(found[f"period{i}_goodput_bps"] > 0 for i in (0, 3))


def test_every_scheme_gets_the_same_permutation(tmp_path: Path) -> None:
    words = ("--record=flows", "--jitter=1ms", "--warmUp=0ms", "--duration=1100us", "--RngRun=3")
    drawn = set()
    for scheme in ("drb", "rb", "rrb", "ecmp-core", "tcp", "mptcp", "detail"):
        numbers(tmp_path, "permutation", f"--scheme={scheme}", "--withinRacks=false", *words)
        with (tmp_path / "permutation" / "flows.csv").open() as file:
            flows = [
                (flow["source"], flow["destination"], flow["start_ns"])
                for flow in csv.DictReader(file)
            ]
        assert len(flows) == 16
        drawn.add(tuple(sorted(flows)))
    assert len(drawn) == 1


FAT_TREE = "--topology=fat-tree:K=4"
BRIEFLY = {
    "fct": (FAT_TREE, "--warmUp=0ms", "--duration=2ms", "--load=0.4"),
    "incast": (FAT_TREE, "--senders=8", "--bytes=80000"),
    "requests": (FAT_TREE, "--warmUp=0s", "--duration=5ms", "--load=0.3", "--capacity=10Gbps"),
    "on-off": ("--flows=4", "--bytes=20000", "--least=2ms", "--cycles=2"),
    "convergence": ("--flows=2", "--spacing=3ms", "--record=rates:Bin=1ms"),
    "bottleneck": ("--flows=2", "--duration=1ms"),
    "permutation": (FAT_TREE, "--warmUp=1ms", "--duration=1ms"),
    "failures": (FAT_TREE, "--duration=15ms", "--record=rates:Bin=5ms"),
    "probes": (
        *(FAT_TREE, "--warmUp=1ms", "--duration=2ms", "--drain=300ms"),
        *("--loads=0.2,0.2", "--otherLoad=0"),
    ),
    "tenants": (
        "--warmUp=0ms",
        "--duration=200ms",
        "--tenants=list:Of={tenant A hosts=0,5,9 workload=shuffle:Sizes=fixed:Bytes=20000}",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BRIEFLY)
def test_every_scheme_runs_in_every_scenario(tmp_path: Path, name: str) -> None:
    listed = scenario(name, "--scheme=help", folder=tmp_path).stdout
    schemes = [line.split()[0] for line in listed.splitlines() if line.startswith("  ")]
    assert len(schemes) >= 14
    for scheme in schemes:
        words = (f"--scheme={scheme}", f"--out={scheme}", *BRIEFLY[name])
        done = scenario(name, *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        found = json.loads((tmp_path / scheme / "run.json").read_text())["results"]
        if "flows_started" in found:
            assert found["flows_finished"] == found["flows_started"] > 0, scheme
        else:
            with (tmp_path / scheme / "rates.csv").open() as file:
                rates = [float(row["rate_bps"]) for row in csv.DictReader(file)]
            assert max(rates) > 1e8, scheme


def test_bouncing_starts_with_failed_links(tmp_path: Path) -> None:
    found = numbers(tmp_path, "permutation", "--scheme=drb", "--failLinks=2", "--duration=2ms")
    assert found["goodput_mean_bps"] > 0
    assert "hellos_sent" not in found


def test_messages_of_a_failure(tmp_path: Path) -> None:
    found = numbers(tmp_path, "drb-topology-update", "--ports=4", "--trials=3")
    assert found["core_link_messages"] == 28 + 21
    assert found["rack_link_messages"] == 2 + 29
    assert found["round_messages"] == 4 * 28 + 8 * 32 + 8 * 2
    assert 200 < found["core_switch_last_server_mean_ms"] < 300.1
    with (tmp_path / "drb-topology-update" / "delays.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 3 * 3


def test_a_network_from_a_file_with_shared_buffers_and_flowlets(tmp_path: Path) -> None:
    hosts = [f"link,host{i},leaf{i % 2},10Gbps,1us" for i in range(4)]
    spines = [f"link,leaf{i},spine{j},10Gbps,1us" for j in range(2) for i in range(2)]
    rows = ["what,from,to,rate,delay", "tier,leaf", "tier,spine", *hosts, *spines]
    (tmp_path / "links.csv").write_text("\n".join(rows) + "\n")
    drops = {}
    for size in (0, 30000):
        done = scenario(
            "incast",
            "--topology=file:links.csv",
            f"--scheme=tcp:SharedBuffer={size}B,Paths=flowlet:Gap=100us",
            "--senders=3",
            f"--out={size}",
            folder=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        with (tmp_path / f"{size}/drops.csv").open() as file:
            drops[size] = {row["reason"] for row in csv.DictReader(file)}
    assert "Shared buffer exhausted" in drops[30000]
    assert "Shared buffer exhausted" not in drops[0]


@pytest.mark.parametrize("buffer", ["512kB", "4MB"])
def test_ten_connections_take_what_one_loses(buffer: str, tmp_path: Path) -> None:
    """Without protection a tenant with 10 CUBIC connections leaves one with 1 about an eleventh of
    a trunk. (Not so with a small buffer and 38 bytes of framing, c1 of trinity-fig6: a host as fast
    as the trunk then keeps its queue full, and next to nothing of what the other sends finds room.)
    """
    tcp = "lean:SegmentSize=1448,InitialCwnd=3,DelAckCount=2,MaxWindow=262144"
    workload = 'Sizes="fixed:Bytes=1e12",Jitter=5ms'
    run = scenario(
        "tenants",
        f"--scheme=cubic:HostBuffer=1000p,EdgeBuffer={buffer},CoreBuffer={buffer}",
        "--topology=dumbbell:LeftRate=1Gbps,RightRate=1Gbps,BottleneckRate=1Gbps,"
        "LeftDelay=30us,RightDelay=30us,BottleneckDelay=30us",
        "--hosts=linux-2.6.38:CoalesceTime=0us",
        f"--transport={tcp}",
        f"--tenants=list:Of={{tenant A hosts=0,2 workload=on-off:Outstanding=1,{workload};"
        f"tenant B hosts=1,3 workload=on-off:Outstanding=10,{workload}}}",
        "--warmUp=500ms",
        "--duration=20s",
        "--out=run",
        folder=tmp_path,
    )
    assert run.returncode == 0, run.stderr
    results = json.loads((tmp_path / "run" / "run.json").read_text())["results"]
    a, b = (results[f"tenant_{name}_goodput_bps"] for name in "AB")
    assert a + b > 0.93e9
    assert 0.85 <= b / (a + b) <= 0.95


def test_paths_are_those_that_packets_took(tmp_path: Path) -> None:
    words = ["--topology=parking-lot:Switches=3,HostsPerSwitch=1", "--shift=2", "--record=paths"]
    times = ["--warmUp=100us", "--duration=100us", "--out=out"]
    done = scenario("permutation", "--scheme=ideal-fq", *words, *times, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    paths = RunOutput(tmp_path / "out").table("paths")
    assert set(paths["group"]) == {0, 1, 2}
    ports = paths[paths["group"] == 0].groupby("what")["port"].agg(set)
    # Host 0 sends to host 2 over all three switches; the answers come back the same way.
    assert [sorted(port.split(":")[0] for port in ports[what]) for what in ("data", "answer")] == [
        ["host0", "switch0", "switch1", "switch2"],
        ["host2", "switch0", "switch1", "switch2"],
    ]
    assert not ports["data"] & ports["answer"]


@pytest.mark.parametrize(
    ("spec", "edge", "ports", "network"),
    [
        ("Leaves=10,HostsPerLeaf=10,Spines=5", 9900, 200, 400),
        ("Leaves=16,HostsPerLeaf=16,Spines=16", 65280, 768, 1536),
    ],
)
def test_limiters_of_edges_and_of_switches_are_counted(
    tmp_path: Path, spec: str, edge: int, ports: int, network: int
) -> None:
    found = numbers(tmp_path, "nimble-updates", f"--topology=leaf-spine:{spec}")
    assert found["edge_limiters"] == edge
    assert found["switch_ports"] == ports
    assert found["network_limiters"] == network
    assert found["limiters_ratio"] == pytest.approx(edge / network)


@pytest.mark.parametrize(
    ("order", "edge", "network"),
    # Of 100 servers each has 99 peers; leaves have 15 ports, spines 10, with two classes each.
    [("DeviceSerial", 99, 30), ("ControllerSerial", 9900, 400), ("Parallel", 1, 1)],
)
def test_hosts_and_switches_are_programmed_by_the_same_model(
    tmp_path: Path, order: str, edge: int, network: int
) -> None:
    delay = f"--delay=constant:Delay=1ms,Order={order}"
    found = numbers(tmp_path, "nimble-updates", delay)
    assert found["edge_finish_ms"] == pytest.approx(edge)
    assert found["network_finish_ms"] == pytest.approx(network)
