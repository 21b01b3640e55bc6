# SPDX-License-Identifier: GPL-2.0-only
"""A small project folder with a fake scenario: fast, and it can be told to fail or to hang."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent


def pytest_collection_finish(session: pytest.Session) -> None:
    """Stops where groups mean nothing, as with pytest 9.2: tests that share this clone would race.

    A worker of pytest-xdist says a test's group in its name.
    """
    if getattr(session.config.option, "loadgroup", False):
        loose = [one for one in session.items if one.get_closest_marker("xdist_group")]
        loose = [one.nodeid for one in loose if "@" not in one.nodeid]
        if loose:
            raise pytest.UsageError(f"not in its group with this pytest and xdist: {loose[0]}")


# Writes what a real scenario writes; every execution leaves a line in executions.log, every --check
# its command line in checks.log. It is the same in every project, and -IS spares it what Python
# looks for at its start.
FAKE = """#!{python} -IS
import json, os, signal, sys, time
home = os.environ["REPRO_HOME"]
if sys.argv[1:] == ["--describe"]:
    print(open(home + "/description.json").read())
    sys.exit()
args = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--check" in sys.argv:
    with open(home + "/checks.log", "a") as log:
        log.write(" ".join(sys.argv[1:]) + "\\n")
    if "zz" in args.get("events", ""):
        sys.exit("fake: --events: 'zz' at load " + args["load"] + ": tenants are A, B")
    if args["scheme"] == "slew":
        sys.exit("fake: --scheme = 'slew': no scheme is called 'slew', only slow, fast, odd")
    if args.get("refuse") == args["scheme"]:
        sys.exit("fake: '" + args["refuse"] + "' is not possible")
    if args.get("refuse") == "killed":
        os.kill(os.getpid(), 9)
    if args.get("refuse") == "lost":
        print("lost", file=sys.stderr)
        sys.exit(3)
    sys.exit()
with open(home + "/executions.log", "a") as log:
    log.write(args["out"] + "\\n")
if args.get("stubborn") == "yes":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if args.get("fail") == args["scheme"]:
    sys.exit("--fail: 'fast' is not allowed")
time.sleep(float(args.get("sleep", 0)))
os.makedirs(args["out"], exist_ok=True)
seed, load = int(args["RngRun"]), float(args["load"])
factor = {{"slow": 3, "fast": 1}}.get(args["scheme"].split(":")[0], 2)
factor *= (1 + load) * (1 + seed / 100)
with open(args["out"] + "/flows.csv.tmp", "w") as f:
    f.write("flow,group,source,destination,bytes,start_ns,first_sent_ns,fct_ns,ideal_ns,slowdown,"
            "finished\\n")
    for i in range(4):
        f.write(f"{{i}},0,0,1,{{10 ** (i + 3)}},0,0,{{1000 * factor}},1000,{{factor}},1\\n")
os.rename(args["out"] + "/flows.csv.tmp", args["out"] + "/flows.csv")
run = {{"scenario": "fake", "rng_run": seed, "wall_s": 0.01, "results": {{"load": load}}}}
run["input"] = args
with open(args["out"] + "/run.json.tmp", "w") as f:
    json.dump(run, f)
os.rename(args["out"] + "/run.json.tmp", args["out"] + "/run.json")
"""


def form(kind: str, default: str, **more: object) -> dict[str, object]:
    """The form in which a program describes an option or attribute."""
    return {"kind": kind, "allowed": f"a {kind}", "help": "", "default": default} | more


# What the fake scenario says of itself.
DESCRIPTION = {
    "program": "fake",
    "summary": "a fake",
    "options": {
        "scheme": form("spec", "fast", base="ns3::Scheme"),
        "topology": form("spec", "fat-tree", base="ns3::Topology"),
        "transport": form("spec", "", base="ns3::Transport", several=True),
        "events": form("timeline", "", base="ns3::Event"),
        "load": form("number", "0.5"),
        "sleep": form("number", "0"),
        "fail": form("text", ""),
        "refuse": form("text", ""),
        "stubborn": form("text", ""),
        "out": form("text", ""),
    },
    "globals": {"RngRun": form("integer", "1", least=0)},
    "names": {
        "ns3::Scheme": {
            name: {"class": f"ns3::{name.title()}Scheme", "library": "libsuite-schemes.so"}
            for name in ("slow", "fast", "odd")
        },
        "ns3::Event": {"limit": {"class": "ns3::LimitEvent", "library": "libsuite-schemes.so"}},
        "ns3::Topology": {
            "fat-tree": {"class": "ns3::FatTreeTopology", "library": "libsuite-fabric.so"}
        },
        "ns3::Transport": {
            "lean": {"class": "ns3::LeanTransport", "library": "libsuite-transport.so"},
            "udp": {"class": "ns3::UdpTransport", "library": "libsuite-transport.so"},
        },
    },
    "classes": {
        "ns3::Scheme": {
            "library": "libsuite-schemes.so",
            "attributes": {
                "Delay": form("integer", "0", least=0, most=9),
                "Window": form("integer", "8"),
                "Host": form("spec", "lean", base="ns3::Transport"),
            },
        },
        **{
            f"ns3::{name}Scheme": {"parent": "ns3::Scheme", "library": "", "attributes": {}}
            for name in ("Slow", "Fast", "Odd")
        },
        "ns3::LeanTransport": {
            "library": "libsuite-transport.so",
            "attributes": {
                "Window": form("integer", "4"),
                "MinRto": form("time", "200ms", least=0.001),
                "Rate": form("rate", "1Gbps"),
                "Buffer": form("length", "1MB"),
                "Sack": form("bool", "true"),
                "Ops": form("class", "ns3::Reno", base="ns3::Ops"),
                "Ecn": form("choice", "Off", choices=["On", "Off"]),
            },
        },
        "ns3::LimitEvent": {
            "library": "libsuite-schemes.so",
            "attributes": {"Target": form("text", ""), "Rate": form("rate", "1Gbps")},
        },
        "ns3::Ops": {"parent": "ns3::Object", "library": "", "attributes": {}},
        "ns3::Reno": {"parent": "ns3::Ops", "library": "", "attributes": {}},
        "ns3::UdpTransport": {"library": "libsuite-transport.so", "attributes": {}},
        "ns3::FatTreeTopology": {
            "library": "libsuite-fabric.so",
            "attributes": {"K": form("integer", "4", least=4)},
        },
    },
}

EXPERIMENT = {
    "id": "tiny",
    "paper": "No paper",
    "title": "A tiny experiment",
    "headline": True,
    "scenario": "fake",
    "arguments": {"sleep": 0},
    "schemes": {"slow": "slow", "fast": "fast"},
    "sweep": {"load": [0.3, 0.7]},
    "metrics": ["flow-completion", "results"],
    "profiles": {"quick": {"seeds": 2, "cost": 0.1}, "paper": {"seeds": 3, "cost": 0.1}},
    "plots": [
        {"name": "mean", "kind": "lines", "title": "Mean", "x": "load", "y": "all_mean"},
        {
            "name": "classes",
            "kind": "bars",
            "title": "By size",
            "at": {"load": 0.7},
            "bars": [{"label": "short", "metric": "short_mean", "mark": "short_p99"}],
            "marklabel": "99th percentile",
        },
    ],
    "random": False,  # a seed has the same part in every number
    "claims": {
        "tiny-c1": {
            "sentence": "fast is faster than slow",
            "source": "nowhere",
            "metric": "all_mean",
            "at": {"load": [0.3, 0.7]},
            "order": ["fast", "slow"],
            "must_fail": {"fast": "slow"},
        },
        "tiny-c2": {
            "sentence": "slow takes six times as long as fast",
            "scheme": "slow",
            "metric": "all_mean",
            "at": {"load": 0.7},
            "number": {"ratio": "6.0 x", "over": "fast"},
        },
        "tiny-c3": {"sentence": "chip area", "source": "nowhere", "basis": "not testable"},
    },
}


class Project:
    """A project folder of its own, and ./repro's commands in it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        if not (home / "build").exists():
            self._fill(home)

    def _fill(self, home: Path) -> None:
        program = home / "build" / "bin" / "fake"
        program.parent.mkdir(parents=True)
        program.write_text(FAKE.format(python=sys.executable))
        program.chmod(0o755)
        (home / "experiments").mkdir()
        (home / "examples").mkdir()
        (home / "examples" / "fake.cc").touch()
        (home / "doc").mkdir()
        (home / "doc" / "how-a-claim-is-judged.md").touch()
        (home / "description.json").write_text(json.dumps(DESCRIPTION))
        self.write(EXPERIMENT)

    def write(self, experiment: dict, folder: str = "experiments") -> None:
        """Stores an experiment."""
        path = self.home / folder / f"{experiment['id']}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(experiment, sort_keys=False))

    def command(self, *words: str) -> list[str]:
        """The command line of ./repro, without its set-up."""
        return [sys.executable, "-P", "-m", "reproduce", *words]

    @property
    def environment(self) -> dict[str, str]:
        """The environment that makes this folder the project."""
        return os.environ | {"REPRO_HOME": str(self.home), "PYTHONPATH": str(ROOT)}

    def repro(self, *words: str) -> subprocess.CompletedProcess:
        """Runs a command to its end."""
        return subprocess.run(
            self.command(*words),
            env=self.environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def executions(self) -> list[str]:
        """The runs that were started, in order."""
        log = self.home / "executions.log"
        return log.read_text().split() if log.exists() else []

    def checks(self) -> list[str]:
        """The command lines that were only to be checked, in no order."""
        log = self.home / "checks.log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A fresh project folder."""
    return Project(tmp_path)


@pytest.fixture(scope="session")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project after its first ./repro run, which takes seconds: not to be changed."""
    project = Project(tmp_path_factory.mktemp("finished"))
    done = project.repro("run", "--no-build", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    return project


@pytest.fixture
def finished(run_once: Project, tmp_path: Path) -> Project:
    """A copy of a project after its first ./repro run."""
    home = tmp_path / "project"
    shutil.copytree(run_once.home, home, symlinks=True)
    return Project(home)
