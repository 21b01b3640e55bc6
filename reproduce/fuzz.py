# SPDX-License-Identifier: GPL-2.0-only
"""./repro fuzz: random command lines and experiment files, each held to what must always be true.

What can be said is taken from the programs' own descriptions, so that a new scheme, workload or
attribute is tried without a line here. Networks are small and simulated times short. A command
line that fails is made as short as it can be and still fails in the same way.
"""

import json
import math
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reproduce import build, programs
from reproduce.errors import UserError
from reproduce.paths import EXPERIMENTS
from reproduce.programs import Description, Form

MEMORY = 2 << 30  # bytes a run may take
SECONDS = 60  # a run may take, of its processor
DEPTH = 2  # of specifications within specifications
ODD = 0.04  # share of values that are meant to be refused, or are at an edge
OURS = "libsuite-"  # libraries that the suite is made of
NO_NUMBER = re.compile(r"(?:^|,)-?(?:nan|inf)(?:,|$)", re.MULTILINE | re.IGNORECASE)
SAID_NO_NUMBER = re.compile(r"(?<!\w)-?(?:nan|inf)(?!\w)", re.IGNORECASE)
MOST = {"utilisation": 1, "jain_index": 1 + 1e-9}
EVERY_SCHEME = ("fct", "permutation", "tenants")  # scenarios in which each scheme is run as it is
# What is not drawn: where a run writes.
LEFT_ALONE = {"out", "describe", "pcap"}

ODD_VALUES = [
    *("", "0", "-1", "1", "1e30", "1e300", "nan", "inf", "x", "4294967295", "4294967296"),
    *("18446744073709551616", "0.5", "0s", "1ps", "1ns", "-1s", "1e308s", "1e9s", "5", "0bps"),
    *("1bps", "1e30Gbps", "0B", "1B", "1499B", "1500B", "4294967296B", "0p", "1p", "30 kB"),
    *("true", "fct", "help", "a:b", "a:b=c", "{", '"', ";", ",", "ns3::Nope", "/dev/full"),
]
RATES = ["100Mbps", "1Gbps", "10Gbps", "40Gbps"]
LENGTHS = ["1500B", "3kB", "15kB", "100kB", "1MB", "1p", "10p", "1000p"]
TIMES = ["0s", "1us", "10us", "100us", "1ms"]
# What makes a network small, and a run short; other options keep their defaults most of the time.
TOPOLOGIES = [
    *("single-switch:Hosts=4", "single-switch:Hosts=3,HostRate=1Gbps", "dumbbell:Left=2,Right=2"),
    *("leaf-spine:Leaves=2,HostsPerLeaf=2,Spines=2", "fat-tree:K=2", "fat-tree:K=4"),
    "leaf-spine:Leaves=3,HostsPerLeaf=2,Spines=2,HostRate=40Gbps,FabricRate=10Gbps",
    "vl2:HostRate=10Gbps",  # 8 hosts; by itself it has 80
]
SHORT = {
    "warmUp": ["0s", "100us", "200us"],
    "duration": ["1ms", "500us"],
    "drain": ["1ms", "5ms"],
    "limit": ["2ms", "10ms"],
    "interval": ["100us", "1ms"],
    "spacing": ["100us", "200us"],
    "least": ["200us", "1ms"],
    "cycles": ["0", "1"],
    "flows": ["1", "2", "3"],
    "senders": ["1", "2", "3"],
    "sources": ["1", "2"],
    "requests": ["1", "2"],
    "bytes": ["1", "1460", "100000"],
    "load": ["0.1", "0.5", "0.9"],
    "capacity": ["1Gbps", "10Gbps"],
    "outstanding": ["0", "1"],
    "failLinks": ["0", "0", "0", "1"],
    "topology": TOPOLOGIES,
    "shift": ["0", "1"],
    "sizes": ["fixed:Bytes=1000", "fixed:Bytes=100000", "web-search:MaxSize=1e6", "pareto"],
}


ENDS = ("duration", "limit", "drain", "cycles")  # of these, what says when a run ends


@dataclass(frozen=True)
class Case:
    """A command line, its words in an order that does not matter."""

    program: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        quoted = [f"'{word}'" if set(word) & set(" ;\"'{}()") else word for word in self.words]
        return " ".join([self.program, *quoted])


@dataclass
class Drawer:
    """Draws command lines of a program."""

    random: random.Random
    program: str
    description: Description

    def case(self) -> Case:
        """A command line."""
        options = self.description.options
        words = []
        for name, form in options.items():
            always = name in SHORT or name == "scheme"
            if name in LEFT_ALONE or not (always or self.random.random() < 0.15):
                continue
            # A default may be long: what keeps a run short is never left empty.
            value = self.value(form, SHORT.get(name)) or SHORT.get(name, [""])[0]
            if value:
                words.append(f"--{name}={value}")
        words = _recording_links(words)
        if self.random.random() < 0.3:
            words.append(f"--RngRun={self.random.randint(1, 99)}")
        if self.random.random() < 0.2:
            words.append(self.default_of_a_class())
        return Case(self.program, tuple(words))

    def default_of_a_class(self) -> str:
        """--ns3::CLASS::ATTRIBUTE=VALUE of a class of the suite."""
        ours = [
            (name, attribute, form)
            for name, known in self.description.classes.items()
            if known.get("library", "").startswith(OURS)
            for attribute, form in known.get("attributes", {}).items()
        ]
        name, attribute, form = self.random.choice(ours)
        return f"--{name}::{attribute}={self.value(form)}"

    def value(self, form: Form, good: list[str] | None = None, depth: int = 0) -> str:
        """A value for an option or an attribute."""
        if self.random.random() < ODD:
            return self.random.choice(ODD_VALUES)
        if good:
            return self.random.choice(good)
        kind = form["kind"]
        if kind in ("integer", "number"):
            return self.number(form, kind == "integer")
        if kind == "spec":
            return self.spec(form, depth)
        if kind == "class":
            derived = [n for n in self.description.classes if self._derives(n, form["base"])]
            return self.random.choice(derived) if derived else form["default"]
        choices = {
            "bool": ["true", "false"],
            "time": TIMES,
            "rate": RATES,
            "length": LENGTHS,
            "size": [*LENGTHS, "24us", "1ms", "never"],
            "choice": form.get("choices", [""]),
        }
        return self.random.choice(choices.get(kind, [form["default"]]))

    def _derives(self, name: str, base: str) -> bool:
        """True if there is such a class, derived from another."""
        parent = self.description.classes.get(name, {}).get("parent")
        return parent is not None and (parent == base or self._derives(parent, base))

    def number(self, form: Form, whole: bool) -> str:
        """A number near the default, or near a bound."""
        least, most = form.get("least"), form.get("most")
        try:
            usual = float(form["default"])
        except ValueError:
            usual = 1.0
        near = [usual, usual, usual / 2, min(usual * 2, usual + 1000), 1.0, 2.0]
        if least is not None and abs(least) < 1e6:
            near.append(least)
        if most is not None and most < 1e4:
            near.append(most)
        drawn = self.random.choice(near)
        drawn = drawn if least is None else max(drawn, least)
        drawn = drawn if most is None else min(drawn, most)
        return str(round(drawn)) if whole else f"{drawn:.6g}"

    def spec(self, form: Form, depth: int) -> str:
        """A specification, with some of its attributes."""
        known = self.description.names.get(form["base"], {})
        if not known or depth > DEPTH:
            return form["default"]
        name = self.random.choice(sorted(known))
        attributes = self.description.attributes(known[name]["class"])
        settings = []
        for attribute in self.random.sample(sorted(attributes), min(2, len(attributes))):
            inner = attributes[attribute]
            good = self._small(name, attribute, form["base"])
            value = self.value(inner, good, depth + 1)
            if set(value) & set(",:;"):
                value = f"({value})" if depth else f'"{value}"'
            settings.append(f"{attribute}={value}")
        drawn = settings if self.random.random() < 0.6 else []
        written = ":".join([name, ",".join(drawn)] if drawn else [name])
        if form.get("several") and self.random.random() < 0.2:
            written += ";" + self.random.choice(sorted(known))
        return written

    @staticmethod
    def _small(name: str, attribute: str, base: str) -> list[str] | None:
        if attribute in ("Sizes", "RequestSizes"):
            return SHORT["sizes"]
        if base == "ns3::Recorder" and attribute in ("Interval", "Bin"):
            return ["10us", "100us"]
        return None


def _recording_links(words: list[str]) -> list[str]:
    """The same, with what is on the links at the end recorded: packets can be counted exactly."""
    record = next((word for word in words if word.startswith("--record=")), "--record=")
    more = record if "links" in record else f"{record.rstrip(';')};links".replace("=;", "=")
    return [*(word for word in words if word != record), more]


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command line."""

    status: int | str  # the exit status, or "endless"
    output: str
    errors: str
    wrong: str = ""  # what must not be; empty: all is well


def execute(case: Case, program: Path | None = None) -> Outcome:
    """Runs a command line in a folder of its own, and judges what came of it."""
    path = program or build.program(case.program)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        try:
            done = subprocess.run(
                [path.resolve(), *case.words, "--out=result"],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=20 * SECONDS,
                preexec_fn=_bounded,
            )
        except subprocess.TimeoutExpired:
            return Outcome("endless", "", "", "no end")
        wrong = next(_complaints(case, done, folder), "")
        return Outcome(done.returncode, done.stdout, done.stderr, wrong)


def _bounded() -> None:
    """A run of its own: little memory, little time, no core dump."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _complaints(case: Case, done: subprocess.CompletedProcess, folder: Path) -> Iterator[str]:
    if done.returncode < 0:
        signalled = -done.returncode
        yield "no end" if signalled in (9, 24) else f"signal {signalled}"
    if done.returncode not in (0, 1):
        yield f"exit status {done.returncode}"
    if done.returncode == 1:
        lines = done.stderr.splitlines()
        if len(lines) != 1:
            yield f"{len(lines)} lines on standard error instead of one"
        if not lines[0].startswith(f"{case.program}: "):
            yield "the line does not begin with the program's name"
        if "does not fit into memory" in lines[0]:
            yield "memory"
        if any(folder.iterdir()):
            yield "something is left behind"
        return
    if said := SAID_NO_NUMBER.search(done.stdout):
        yield f"{said.group()} on the screen"
    if (folder / "result" / "run.json").exists():
        yield from _untrue(folder / "result")


def _untrue(result: Path) -> Iterator[str]:
    """Yields what should be true of every run's files and is not."""
    results = json.loads((result / "run.json").read_text())["results"]
    for name, value in results.items():
        if isinstance(value, float) and not math.isfinite(value):
            yield f"{name} is {value}"
        if (most := MOST.get(name)) and value is not None and value > most:
            yield f"{name} is {value}, above 1"
    for path in sorted(result.glob("*.csv")):
        if NO_NUMBER.search(path.read_text(errors="replace")):
            yield f"{path.name} has what is no number"
    ports = pd.read_csv(result / "ports.csv") if (result / "ports.csv").exists() else None
    if (result / "flows.csv").exists():
        flows = pd.read_csv(result / "flows.csv")
        yield from _untrue_flows(flows, results)
        if ports is not None:
            yield from _undelivered(flows, ports)
    if ports is not None and (result / "links.csv").exists():
        yield from _unconserved(result, ports, results)
    if ports is not None and (result / "rates.csv").exists():
        yield from _too_fast(pd.read_csv(result / "rates.csv"), ports, results)
    if ports is not None and (result / "pairs.csv").exists():
        yield from _pairs_too_fast(pd.read_csv(result / "pairs.csv"), ports)


def _untrue_flows(flows: pd.DataFrame, results: dict) -> Iterator[str]:
    done = flows[(flows["finished"] == 1) & (flows["bytes"] > 0)]
    if (done["lost_bytes"] > 0).any():
        yield "a finished flow lost bytes"
    if (done["slowdown"] < 1 - 1e-9).any():
        yield f"slowdown {done['slowdown'].min()}, below 1"
    if (done["fct_ns"] <= 0).any():
        yield "a finished flow took no time"
    if (flows["lost_bytes"] > flows["bytes"]).any():
        yield "a flow lost more bytes than it has"
    if results["flows_finished"] != (flows["finished"] == 1).sum():
        yield "flows_finished is not the number of finished flows"


def _too_fast(rates: pd.DataFrame, ports: pd.DataFrame, results: dict) -> Iterator[str]:
    """Goodput that the hosts' links cannot carry: together, or where each group is a host."""
    to_hosts = ports[ports["role"].str.endswith("-host")]["rate_bps"]
    together = rates.groupby("time_s")["rate_bps"].sum()
    if (together > to_hosts.sum() * (1 + 1e-9)).any():
        yield f"goodput of {together.max()} bit/s over links of {to_hosts.sum()}"
    mean = results.get("goodput_mean_bps")
    if mean is not None and mean > to_hosts.max() * (1 + 1e-9):
        yield f"mean goodput of {mean} bit/s over links of {to_hosts.max()}"


def _pairs_too_fast(pairs: pd.DataFrame, ports: pd.DataFrame) -> Iterator[str]:
    """Goodput of all pairs of a host that its link cannot carry."""
    fastest = ports[ports["role"].str.endswith("-host")]["rate_bps"].max()
    goodput = pairs[pairs["measure"] == "goodput"]
    at_hosts = goodput.groupby(["time_s", "destination"])["rate_bps"].sum()
    if (at_hosts > fastest * (1 + 1e-9)).any():
        yield f"pairs' goodput of {at_hosts.max()} bit/s at a host over a link of {fastest}"


def _undelivered(flows: pd.DataFrame, ports: pd.DataFrame) -> Iterator[str]:
    """Yields flows whose bytes did not leave their hosts, or did not arrive."""
    done = flows[(flows["finished"] == 1) & (flows["source"] != flows["destination"])]
    from_hosts = ports[ports["role"].str.startswith("host-")].set_index("port")["tx_bytes"]
    for source, payload in done.groupby("source")["bytes"].sum().items():
        if payload > from_hosts[f"host{source}:0"]:
            yield f"host {source} finished flows of {payload} bytes and sent fewer"
    if done["bytes"].sum() > ports[ports["role"].str.endswith("-host")]["tx_bytes"].sum():
        yield "finished flows have more bytes than hosts were sent"


def _unconserved(result: Path, ports: pd.DataFrame, results: dict) -> Iterator[str]:
    """Each packet that a host sent is on the last link of its way, or past it; was dropped before;
    waits in a switch; or is on another link. Only switches that talk to each other send more."""
    if any("hello" in name or "message" in name for name in results):
        return
    ports = ports.merge(pd.read_csv(result / "links.csv"), on="port", validate="1:1")
    drops = pd.read_csv(result / "drops.csv")
    first, last = ports["role"].str.startswith("host-"), ports["role"].str.endswith("-host")
    sent = ports[first]["tx_packets"].sum()
    delivered = ports[last]["tx_packets"].sum()
    inside = ~drops["port"].isin(ports[first]["port"])
    dropped = drops[(drops["kind"] == "drop") & inside]["packets"].sum()
    waiting = ports[~first]["queue_packets"].sum()
    on_links = ports[~last]["packets"].sum()
    missing = sent - delivered - dropped - waiting - on_links
    if missing < 0:
        yield f"{-missing} packets came from nowhere"
    # What arrives in the moment in which the run ends may or may not be counted there.
    if missing > ports[~last]["arriving_packets"].sum():
        yield f"{missing} packets went nowhere"


def minimise(case: Case, wrong: str, run: Callable[[Case], Outcome] = execute) -> Case:
    """The shortest part of a command line that goes wrong in the same way."""
    kind = wrong.split(" ")[0]

    def fails(words: tuple[str, ...]) -> bool:
        return run(Case(case.program, words)).wrong.split(" ")[0] == kind

    words = case.words
    shrunk = True
    while shrunk:
        shrunk = False
        for i in range(len(words)):
            if words[i].partition("=")[0].removeprefix("--") in ENDS:
                continue  # without it the run may take very long
            for shorter in _shorter(words[i]):
                less = (*words[:i], *shorter, *words[i + 1 :])
                if fails(less):
                    words, shrunk = less, True
                    break
            if shrunk:
                break
    return Case(case.program, words)


def _shorter(word: str) -> Iterator[tuple[str, ...]]:
    """Without the option, then without each of its settings."""
    yield ()
    name, equals, value = word.partition("=")
    head, colon, settings = value.partition(":")
    if equals and colon and '"' not in settings:
        items = settings.split(",")
        for i in range(len(items)):
            rest = ",".join(items[:i] + items[i + 1 :])
            yield (f"{name}={head}:{rest}" if rest else f"{name}={head}",)


def draw(count: int, seed: int) -> list[Case]:
    """So many command lines, of all scenarios in turn."""
    scenarios = [
        name
        for name in build.scenarios()
        if (known := programs.describe(name)) and "topology" in known.options
        if "record" in known.options
    ]
    if not scenarios:
        raise UserError("fuzz: no scenario is built")
    cases = []
    for number in range(count):
        name = scenarios[number % len(scenarios)]
        description = programs.describe(name)
        assert description
        cases.append(Drawer(random.Random(f"{seed}/{number}"), name, description).case())
    return cases


def plain() -> list[Case]:
    """Each scheme as it is, with flows that end, with flows that do not, and with tenants."""
    cases = []
    for name in EVERY_SCHEME:
        if description := programs.describe(name):
            short = [
                f"--{option}={SHORT[option][0]}"
                for option in description.options
                if option in SHORT
            ]
            for scheme in programs.schemes(name):
                words = [f"--scheme={scheme}", "--record=pairs:Bin=20us", *short]
                cases.append(Case(name, tuple(_recording_links(words))))
    return cases


def run(count: int, seed: int) -> int:
    """The verb fuzz."""
    cases = [*plain(), *draw(count, seed)]
    accepted = failed = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for number, outcome in enumerate(pool.map(execute, cases)):
            accepted += outcome.status == 0
            if outcome.wrong:
                failed += 1
                print(f"{outcome.wrong}: {cases[number]}", flush=True)
                print(f"  shorter: {minimise(cases[number], outcome.wrong)}", flush=True)
            if (number + 1) % 100 == 0:
                print(f"{number + 1}/{len(cases)}, {accepted} ran", file=sys.stderr, flush=True)
    print(f"{len(cases)} command lines with seed {seed}: {accepted} ran, {failed} went wrong")
    files = run_files(count, seed)
    return 1 if failed or files else 0


# ---- Experiment files ----

VALUES = [None, 0, -1, 1.5, 1e300, True, "", "x", "{x}", "1ms", [], [1], {}, {"a": 1}, "fct: {"]


def mutate(tree: object, draw: random.Random) -> object:
    """A tree of YAML with one part changed, gone, twice, or under another name."""
    paths = list(_paths(tree))
    path = draw.choice(paths)
    return _changed(tree, path, draw)


def _paths(tree: object, above: tuple = ()) -> Iterator[tuple]:
    entries = (
        tree.items()
        if isinstance(tree, dict)
        else enumerate(tree)
        if isinstance(tree, list)
        else ()
    )
    for key, value in entries:
        yield (*above, key)
        yield from _paths(value, (*above, key))


def _changed(tree: object, path: tuple, draw: random.Random) -> object:
    key, *rest = path
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    if rest:
        copy[key] = _changed(tree[key], tuple(rest), draw)
        return copy
    way = draw.choice(["value", "value", "gone", "key", "nested"])
    if way == "value":
        copy[key] = draw.choice(VALUES)
    elif way == "nested":
        copy[key] = {"bogus": copy[key]}
    elif way == "gone" or isinstance(copy, list):
        del copy[key]
    else:
        copy["bogus"] = copy.pop(key)
    return copy


def run_files(count: int, seed: int) -> int:
    """Mutated experiment files: each is read, or refused; returns how many were neither."""
    import yaml

    from reproduce.experiments import PRESETS, PROFILES, load_all, load_file
    from reproduce.runs import expand

    good = [(e.id, yaml.safe_load((e.document.path).read_text())) for e in load_all()]
    accepted = failed = 0
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        shutil.copy(EXPERIMENTS / PRESETS, name)
        for number in range(count):
            draw = random.Random(f"{seed}/file/{number}")
            identity, tree = draw.choice(good)
            path = Path(name) / f"{identity}.yaml"
            path.write_text(yaml.safe_dump(mutate(tree, draw), sort_keys=False))
            try:
                experiment = load_file(path)
                for profile in PROFILES:
                    expand(experiment, profile)
                accepted += 1
            except UserError as error:
                if any(f"{path.name}:" not in line for line in str(error).splitlines()):
                    failed += 1
                    print(f"no place is named (file {number}): {error}")
            except Exception as error:  # the very thing that is looked for
                failed += 1
                print(f"{type(error).__name__} (file {number}, {identity}): {error}")
    print(f"{count} experiment files with seed {seed}: {accepted} good, {failed} went wrong")
    return failed
