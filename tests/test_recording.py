# SPDX-License-Identifier: GPL-2.0-only
"""Recording changes nothing: a run writes the same bytes with every recorder and without.

It needs the build (./repro setup); ./repro test builds before it starts these tests.
"""

import csv
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT

BIN = ROOT / "build" / "bin"
pytestmark = pytest.mark.skipif(not (BIN / "fct").exists(), reason="needs the build: ./repro setup")

FAT_TREE = "--topology=fat-tree:K=4"
# Every scenario, briefly and with queues that overflow or mark.
RUNS = {
    "fct": (
        *(FAT_TREE, "--warmUp=0ms", "--duration=200us", "--drain=20ms"),
        *("--load=0.8", "--sizes=fixed:Bytes=60000"),
    ),
    "incast": (FAT_TREE, "--senders=8", "--bytes=60000", "--limit=20ms"),
    "requests": (FAT_TREE, "--warmUp=0s", "--duration=1ms", "--load=0.3", "--capacity=10Gbps"),
    "on-off": ("--flows=4", "--bytes=20000", "--least=300us", "--cycles=2"),
    "convergence": ("--flows=2", "--spacing=300us"),
    "bottleneck": ("--flows=2", "--duration=300us"),
    "permutation": (FAT_TREE, "--warmUp=100us", "--duration=200us"),
    "failures": (
        *(FAT_TREE, "--duration=1ms", "--record=rates:Bin=100us"),
        "--events=300us fail-switch core0; 600us repair-switch core0",
    ),
    "probes": (
        *(FAT_TREE, "--warmUp=1ms", "--duration=500us", "--drain=20ms"),
        *("--loads=0.2,0.2", "--otherLoad=0"),
    ),
    "tenants": (
        *(FAT_TREE, "--warmUp=0ms", "--duration=2ms"),
        "--tenants=list:Of={tenant A hosts=0-3 hose=0.5Gbps workload=permutation:Shift=1;"
        " tenant B hosts=0-3 hose=4.5Gbps workload=shuffle:Sizes=fixed:Bytes=20000},Admission=0.95",
        "--events=1ms hose tenant=A send=1Gbps receive=1Gbps",
    ),
}
# A scheme of each family. Meters whose products are approximate forget what they drained by when
# they were last looked at.
NIMBLE = (
    "--scheme=nimble:Limit=1Gbps,RateController=(global:"
    "LogicalMeter=(logical:SignificantBits=4,YellowBurst=3000,RedBurst=9000))"
)
SCHEMES = {
    **{
        name: (f"--scheme={name}",)
        for name in (
            *("tcp", "afq", "drb", "detail", "clove", "mptcp", "dcqcn", "hpcc", "swift"),
            *("trinity", "elastic-switch", "pwc", "mufab", "shaping", "host-fair-queueing"),
        )
    },
    "nimble": (NIMBLE,),
    "linux": ("--scheme=dctcp:EdgeBuffer=60kB,MarkThreshold=30kB", "--hosts=linux"),
    "sockets": ("--scheme=dctcp:EdgeBuffer=60kB,MarkThreshold=30kB", "--transport=ns3"),
}
# Odd intervals, so that samples fall between the events of the run, and pairs' classes too.
SETTINGS = {
    "drops": "Bin=7us",
    "limiters": "Interval=7us",
    "meters": "Interval=700ns",
    "occupancy": "Interval=7us",
    "pairs": "Bin=70us,Classes=true",
    "queues": "Interval=7us",
    "tenants": "Bin=70us,Classes=true",
}


def recorders(folder: Path) -> dict[str, str]:
    """The specification of each recorder that there is, by its name."""
    listed = subprocess.run([BIN / "fct", "--record=help"], capture_output=True, text=True)
    names = [line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ")]
    assert len(names) > 15
    with (folder / "ports.csv").open() as file:
        ports = [row["port"] for row in csv.DictReader(file)]
    settings = SETTINGS | {"pcap": f"Ports=(host0,{ports[-1]})"}
    return {name: f"{name}:{settings[name]}" if name in settings else name for name in names}


def run(scenario: str, words: tuple[str, ...], specs: list[str], out: Path) -> Path:
    """Runs a scenario with recorders besides its own."""
    own = [word.removeprefix("--record=") for word in words if word.startswith("--record=")]
    rest = [word for word in words if not word.startswith("--record=")]
    known = {spec.partition(":")[0] for spec in own}
    chosen = own + [spec for spec in specs if spec.partition(":")[0] not in known]
    command = [BIN / scenario, *rest, f"--out={out}"]
    command += [f"--record={';'.join(chosen)}"] if chosen else []
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (command, done.stderr)
    sizes = {path.name: path.stat().st_size for path in out.iterdir() if path.name != "run.json"}
    assert json.loads((out / "run.json").read_text())["output"] == sizes
    return out


def results(folder: Path) -> list[tuple[str, ...]]:
    """The rows of results.csv: kind and name of the source, name, value."""
    with (folder / "results.csv").open() as file:
        return [tuple(row) for row in csv.reader(file)]


def manifest(folder: Path) -> dict:
    """A run's run.json without what a recorder may change."""
    run = json.loads((folder / "run.json").read_text())
    # Notices speak of what is recorded.
    for key in ("input", "output", "events", "notices", "wall_s"):
        del run[key]
    del run["settings"]["record"]
    return run


def differences(plain: Path, recorded: Path) -> list[str]:
    """Files, rows of results and keys of run.json that differ when a run is recorded."""
    changed = [
        path.name
        for path in sorted(plain.iterdir())
        if path.name not in ("results.csv", "run.json")
        and path.read_bytes() != (recorded / path.name).read_bytes()
    ]
    before = results(plain)
    own = {row[1] for row in before if row[0] == "recorder"}
    after = [row for row in results(recorded) if row[0] != "recorder" or row[1] in own]
    changed += [f"results.csv: {row}" for row in sorted({*before} ^ {*after})]
    run, again = manifest(plain), manifest(recorded)
    totals, totals_again = run.pop("results"), again.pop("results")
    changed += [f"run.json: {key}" for key in run if run[key] != again[key]]
    changed += [f"run.json: {name}" for name in totals if totals[name] != totals_again[name]]
    return changed


def compare(name: str, words: tuple[str, ...], folder: Path) -> list[str]:
    """The changes of a run by recorders; of each that makes some, if all together do."""
    plain = run(name, words, [], folder / "plain")
    specs = recorders(plain)
    found = differences(plain, run(name, words, [*specs.values()], folder / "recorded"))
    if not found:
        return []
    return [
        f"{' '.join(words)}: {recorder} changes {changed[:5]}"
        for recorder, spec in specs.items()
        if (changed := differences(plain, run(name, words, [spec], folder / recorder)))
    ] or [f"{' '.join(words)}: recorders together change {found[:5]}"]


@pytest.mark.parametrize("name", RUNS)
def test_recorders_change_nothing_else(tmp_path: Path, name: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(
            lambda scheme: compare(name, (*SCHEMES[scheme], *RUNS[name]), tmp_path / scheme),
            SCHEMES,
        )
        assert [line for lines in found for line in lines] == []


@pytest.mark.parametrize("scheme", ["nimble", "trinity", "mufab"])
def test_each_recorder_changes_nothing_else(tmp_path: Path, scheme: str) -> None:
    words = (*SCHEMES[scheme], *RUNS["tenants"])
    plain = run("tenants", words, [], tmp_path / "plain")
    specs = recorders(plain)
    everything = run("tenants", words, [*specs.values()], tmp_path / "everything")
    files = {path.name for path in plain.iterdir()}
    for recorder, spec in specs.items():
        alone = run("tenants", words, [spec], tmp_path / recorder)
        assert differences(plain, alone) == [], recorder
        for path in alone.iterdir():
            if path.name not in files:  # nor does any other recorder change what this one tells
                assert path.read_bytes() == (everything / path.name).read_bytes(), path.name


def test_tables_without_out_go_where_repro_sim_asks(tmp_path: Path) -> None:
    words = ["--duration=2ms", "--warmUp=0s", "--scheme=tcp", "--topology=single-switch:Hosts=4"]
    alone, rows, beside = (tmp_path / name for name in ("alone", "rows", "beside"))
    specs = recorders(run("fct", tuple(words), [], alone)).values()
    with_all = [f"--record={';'.join(spec for spec in specs if not spec.startswith('pcap'))}"]
    for folder, more in ((rows, with_all), (beside, [f"--out={tmp_path / 'out'}"])):
        folder.mkdir()
        environment = os.environ | {"SUITE_ROWS": str(folder)}
        done = subprocess.run([BIN / "fct", *words, *more], env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr
    assert (rows / "flows.csv").read_bytes() == (alone / "flows.csv").read_bytes()
    assert (rows / "tasks.csv").exists() and not (rows / "run.json").exists()
    assert not list(beside.iterdir())  # not written twice
    capture = [BIN / "fct", *words, "--record=pcap:Ports=host0"]
    done = subprocess.run(capture, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "captures need a folder, --out" in done.stderr


def test_rates_of_meters_begin_with_what_has_passed_so_far(tmp_path: Path) -> None:
    """The first sample comes after the warm-up, and its rates are of all the time before it."""
    words = ("--flows=4", "--warmUp=1ms", "--duration=100us", "--record=meters:Interval=20us")
    scheme = (
        "--scheme=nimble:RateController=static,"
        'Policy="{class A groups=0-3; local A at=switch0:4 rate=5Gbps type=hard}"'
    )
    command = [BIN / "bottleneck", "--hosts=ideal", scheme, *words, f"--out={tmp_path}"]
    subprocess.run(command, check=True, capture_output=True)
    with (tmp_path / "meters.csv").open() as file:
        rates = [
            float(row["value"]) for row in csv.DictReader(file) if row["measure"].endswith("_bps")
        ]
    assert 0 < max(rates) <= 40e9  # what four hosts send at most
