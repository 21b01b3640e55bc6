# SPDX-License-Identifier: GPL-2.0-only
"""Runs that are repeated: from run.json, from JSON by hand, and like a point of a figure."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, Project

from reproduce import repeating
from reproduce.errors import UserError

BIN = ROOT / "build" / "bin"
built = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")
TENANTS = "list:Of={tenant A hosts=0-3 hose=1Gbps workload=on-off:Sizes=(fixed:Bytes=20000);" + (
    "tenant B hosts=4,5 send=2Gbps receive=1Gbps joins=1ms workload=permutation:Bytes=1e5;"
    "pair B from=0 to=1 pipe=500Mbps}"
)


def run(name: str, *words: str, folder: Path) -> subprocess.CompletedProcess:
    """Runs a program to its end."""
    return subprocess.run([BIN / name, *words], cwd=folder, capture_output=True, text=True)


def outcome(folder: Path) -> dict:
    """The results and settings of a run, without the time it took."""
    manifest = json.loads((folder / "run.json").read_text())
    return {key: value for key, value in manifest.items() if key != "wall_s"} | {
        path.name: path.read_text() for path in folder.glob("*.csv")
    }


@built
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "fct",
            [
                '--scheme=afq-dctcp:Queue=afq:NumQueues=8,Transport="lean:InitialCwnd=4"',
                "--topology=leaf-spine:Leaves=2,HostsPerLeaf=4",
                "--duration=2ms",
                "--record=queues:Interval=50us,Ports=(leaf0:0,leaf1:0);rates",
                "--RngRun=3",
                "--ns3::TcpSocketBase::MinRto=2ms",
            ],
        ),
        ("incast", ["--scheme=trinity", "--senders=4", "--bytes=1e5"]),
        ("tenants", ["--scheme=mufab", f"--tenants={TENANTS}", "--duration=4ms"]),
        ("afq-sizing", ["--queues=8"]),
    ],
)
def test_a_run_json_repeats_its_run(tmp_path: Path, name: str, words: list[str]) -> None:
    assert run(name, *words, "--out=first", folder=tmp_path).returncode == 0
    again = run(name, "--from=first/run.json", "--out=again", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert outcome(tmp_path / "again") == outcome(tmp_path / "first")


@built
def test_what_the_environment_says_is_repeated(tmp_path: Path) -> None:
    said = {
        "NS_GLOBAL_VALUE": "RngRun=9",
        "NS_ATTRIBUTE_DEFAULT": "ns3::LeanTransport::InitialCwnd=2;ns3::LeanTransport::MinRto=1ms",
    }
    words = ["--topology=leaf-spine:Leaves=2,HostsPerLeaf=2", "--duration=1ms", "--out=first"]
    subprocess.run([BIN / "fct", *words], cwd=tmp_path, env=os.environ | said, check=True)
    assert run("fct", "--from=first/run.json", "--out=again", folder=tmp_path).returncode == 0
    again, first = outcome(tmp_path / "again"), outcome(tmp_path / "first")
    del again["attributes"], first["attributes"]  # ns-3 takes the environment's for original ones
    assert again == first
    assert again["rng_run"] == 9


@built
def test_the_command_line_goes_before_the_file(tmp_path: Path) -> None:
    said = {"scheme": {"tcp": {"EdgeBuffer": "300kB"}}, "senders": 3, "bytes": 30000, "RngRun": 7}
    (tmp_path / "input.json").write_text(json.dumps(said))
    words = ["--senders=5", "--from=input.json", "--out=out"]
    assert run("incast", *words, folder=tmp_path).returncode == 0
    manifest = json.loads((tmp_path / "out" / "run.json").read_text())
    assert manifest["scheme"] == "tcp:EdgeBuffer=300kB"
    assert manifest["rng_run"] == 7
    assert manifest["settings"]["senders"] == 5
    assert manifest["settings"]["bytes"] == 30000
    assert manifest["settings"]["scheme"]["EdgeBuffer_bytes"] == 300000


@built
@pytest.mark.parametrize("scheme", ['{"tcp": {"EdgeBuffer": "300kB"}}', '["tcp"]', '[{"tcp": {}}]'])
def test_an_option_may_be_json(tmp_path: Path, scheme: str) -> None:
    done = run("incast", f"--scheme={scheme}", "--senders=2", "--out=out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "out" / "run.json").read_text())
    assert manifest["scheme"].startswith("tcp")


@built
@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "line 1"),
        ('{"load": 0.5,\n"x": 1}', "--x"),
        ('{"load": "much"}', "--load"),
        ('{"scheme": {"tcp": {"Bogus": 1}}}', "Bogus"),
        ('{"scheme": {"tcp": {}, "afq": {}}}', "--from scheme"),
        ('{"out": "x"}', "--from out"),
        ('{"scenario": "incast", "input": {"senders": 3}}', "not of fct"),
        ("[1]", "JSON object"),
        ('{"load": "0.5\\u0000"}', "NUL"),
        ('{"load\\u0000": 0.5}', "NUL"),
        ('{"load": "0.5\0"}', "line 1"),
    ],
)
def test_input_that_cannot_be_used_is_one_line(tmp_path: Path, content: str, named: str) -> None:
    (tmp_path / "input.json").write_text(content)
    done = run("fct", "--from=input.json", folder=tmp_path)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


@built
@pytest.mark.parametrize("path", ["fifo", "/dev/zero", "."])
def test_only_regular_files_are_read(tmp_path: Path, path: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    for option in (f"--from={path}", f"--workload=trace:File={path}"):
        done = run("fct", option, folder=tmp_path)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert "not a regular file" in done.stderr
    with pytest.raises(UserError, match="not a regular file"):
        repeating.as_in_file(str(tmp_path / path))


@built
def test_input_of_other_editors_is_read(tmp_path: Path) -> None:
    content = '\ufeff{"scenario": "fct",\r\n "input": {"load": 0.5}}\r\n'
    path = tmp_path / "run:1.json"
    path.write_bytes(content.encode())
    assert repeating.as_in_file(str(path)) == ("fct", [f"--from={path}"])
    done = run("fct", f"--from={path}", "--check", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


TRACE = "start,source,destination,bytes,group\n0,0,1,100000,1\n"


@built
def test_a_run_that_read_a_file_is_repeated_from_anywhere(tmp_path: Path) -> None:
    first = tmp_path / "first"
    other = tmp_path / "other"
    other.mkdir()
    (first / "in").mkdir(parents=True)
    (first / "in" / "trace.csv").write_text(TRACE)
    words = ["--workload=trace:File=in/trace.csv", "--duration=1ms", "--warmUp=0s"]
    assert run("fct", *words, "--out=out/a", folder=first).returncode == 0
    manifest = json.loads((first / "out/a/run.json").read_text())
    assert manifest["files"] == {"in/trace.csv": "../../in/trace.csv"}
    again = run("fct", f"--from={first}/out/a/run.json", "--out=out", folder=other)
    assert again.returncode == 0, again.stderr
    third = run("fct", "--from=other/out/run.json", "--out=out", folder=tmp_path)
    assert third.returncode == 0, third.stderr
    flows = "out/a/flows.csv"
    assert (tmp_path / "out" / "flows.csv").read_text() == (first / flows).read_text()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "trace.csv").write_text(TRACE)  # which of the two is meant?
    refused = run("fct", "--from=other/out/run.json", folder=tmp_path)
    assert refused.returncode == 1
    assert "whole path" in refused.stderr


@built
def test_settings_are_typed_and_in_si_units(tmp_path: Path) -> None:
    words = ["--scheme=mufab", f"--tenants={TENANTS}", "--duration=4ms", "--out=out"]
    assert run("tenants", *words, folder=tmp_path).returncode == 0
    settings = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]
    assert settings["duration_s"] == 0.004
    assert settings["topology"]["name"] == "fat-tree"
    assert settings["topology"]["HostRate_bps"] == 10_000_000_000
    assert settings["topology"]["LinkDelay_s"] == pytest.approx(1e-6, rel=10)
    assert settings["hosts"]["name"] == "small-queues"
    assert settings["scheme"]["name"] == "mufab"
    assert settings["tenants"]["A"]["hose_bps"] == 1_000_000_000
    assert settings["tenants"]["A"]["hosts"] == [0, 1, 2, 3]
    b = settings["tenants"]["B"]
    assert (b["hose_bps"], b["receive_bps"], b["joins_s"]) == (2e9, [1e9, 1e9], 0.001)
    assert b["pairs"] == [{"from": 0, "to": 1, "pipe_bps": 500_000_000}]
    assert b["workloads"][0]["name"] == "permutation"


@built
def test_the_base_rtt_is_that_of_the_farthest_host(tmp_path: Path) -> None:
    # Two links of 5 us at 1 Gbit/s there and back; the fabric counts IP datagrams and frames.
    topology = "--topology=single-switch:Hosts=3,HostRate=1Gbps,LinkDelay=5us"
    words = ["--scheme=tcp", topology, "--duration=1ms", "--warmUp=0s", "--out=out"]
    assert run("fct", *words, folder=tmp_path).returncode == 0
    settings = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]
    assert settings["baseRtt_s"] == pytest.approx(20e-6 + 2 * 8 * 1540 / 1e9, rel=0.04)


@built
@pytest.mark.parametrize("scheme", ["nimble", "edge-limiters"])
def test_a_policy_is_typed(scheme: str, tmp_path: Path) -> None:
    policy = (
        "{class A groups=0 weight=2 rate=3Gbps; class B groups=1; "
        "local B at=switch0:1 rate=1Gbps type=hard}"
    )
    words = [f"--scheme={scheme}:Policy={policy}", "--topology=single-switch:Hosts=4"]
    done = run("fct", *words, "--duration=1ms", "--warmUp=0s", "--out=out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    policy = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]["policy"]
    a, b = policy["classes"]
    assert (a["name"], a["groups"], a["weight"], a["rate_bps"]) == ("A", [0], 2, 3e9)
    assert not a["hard"] and "rate_bps" not in b
    (local,) = policy["local"]
    assert (local["class"], local["at"], local["rate_bps"]) == ("B", "switch0:1", 1e9)
    assert local["hard"]


@built
def test_recorders_are_told_as_they_were(tmp_path: Path) -> None:
    words = ["--record=flow-states:Flows=(1,99);queues:To=3ms", "--duration=1ms", "--warmUp=1ms"]
    done = run("fct", *words, "--out=out", folder=tmp_path)
    assert done.returncode == 0
    assert "flow-states: there is no flow 99: " in done.stderr
    settings = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]
    recorders = {each["name"]: each for each in settings["record"]}
    assert (recorders["flow-states"]["From_s"], recorders["flow-states"]["To_s"]) == (0.001, 0.002)
    assert (recorders["queues"]["From_s"], recorders["queues"]["To_s"]) == (0.001, 0.003)
    assert {"flows", "ports", "drops"} <= recorders.keys()  # the program's own


@built
def test_what_is_changed_of_a_host_model_is_told(tmp_path: Path) -> None:
    words = ["--hosts=linux:MinRto=5ms,Queue=drr", "--duration=1ms", "--out=out"]
    told = run("fct", *words, folder=tmp_path).stdout
    assert "  hosts: segmentation offload, small queues and" in told
    assert ", but with MinRto=5ms,Queue=drr\n" in told
    hosts = json.loads((tmp_path / "out" / "run.json").read_text())["settings"]["hosts"]
    assert (hosts["name"], hosts["Queue"]["name"]) == ("linux", "drr")
    assert (hosts["MinRto_s"], hosts["BurstSize"], hosts["BurstWindowShare"]) == (0.005, 65536, 3)
    assert (hosts["Backlog_bytes"], hosts["SendBuffer_bytes"]) == (131072, 138000)
    assert "InitialCwnd" not in hosts  # the model leaves it open


def test_a_point_of_a_figure() -> None:
    scenario, words = repeating.like_point("afq-fig9", "load=0.7,scheme=dctcp", "quick", 2)
    assert scenario == "fct"
    assert "--load=0.7" in words
    assert "--RngRun=2" in words
    assert any(word.startswith("--scheme=") and "dctcp" in word for word in words)


@pytest.mark.parametrize(
    ("at", "named"),
    [
        ("", ["scheme=tcp|dctcp", "load=0.1|0.3"]),
        ("load=0.7", ["scheme=tcp|dctcp"]),
        ("load=2", ["load of afq-fig9 '2'", "0.3, 0.7"]),
        ("bogus=2", ["'bogus'", "scheme, load"]),
    ],
)
def test_a_point_must_be_one(at: str, named: list[str]) -> None:
    with pytest.raises(UserError) as error:
        repeating.like_point("afq-fig9", at, "quick", 1)
    assert all(part in str(error.value) for part in named)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "one of SCENARIO, --from and --like"),
        (["fake", "--like=example"], "one of SCENARIO, --from and --like"),
        (["fake", "--seed=2"], "--seed goes with --like"),
        (["--from=absent.json"], "absent.json"),
        (["--like=exampl"], "exampl"),
    ],
)
def test_wrong_ways_to_repeat(project: Project, words: list[str], named: str) -> None:
    done = project.repro("sim", *words)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr
