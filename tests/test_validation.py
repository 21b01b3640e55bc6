# SPDX-License-Identifier: GPL-2.0-only
"""Wrong experiment files: a line for each error, with its place and what is allowed."""

from pathlib import Path

import pytest
from conftest import Project

from reproduce import findings
from reproduce.claim_tables import of_experiment
from reproduce.document import refuse
from reproduce.errors import UserError
from reproduce.experiments import load_file
from reproduce.paths import EXPERIMENTS

GOOD = """\
id: good
paper: A paper
title: A title
scenario: fct
presets:
  hosts: {Host: {lean: {Window: 2, MinRto: 1ms}}}
  narrow: {Window: 1}
arguments:
  load: 0.5
  topology: {fat-tree: {K: 4}}
  ns3::LeanTransport::Sack: false
  events: [1s limit edge0, 2s limit core1 rate=1Gbps]
  transport: [web=lean, {bulk=lean: {Rate: 10Mbps}}, "{kind}"]
schemes:
  fast: fast
  slow:
    slow:
      Delay: "{delay}"
      preset: hosts
      Host: {lean: {Rate: 10Gbps, Ecn: On, Ops: ns3::Reno}}
labels: {slow: SLOW}
sweep:
  delay: [1, 2]
  sleep: {short: 0.1, long: 2e1}
  kind: [lean, udp]
metrics: [flow-completion, loss]
profiles:
  quick:
    seeds: 2
    cost: 1
  paper:
    arguments: {load: 0.9}
    sweep: {delay: [1, 2, 3]}
    seeds: 3
    cost: 1
uncompared: [all_mean]
plots:
  - name: mean
    kind: lines
    title: Mean
    x: delay
    y: all_mean
    series: sleep
    over: fast
  - name: sizes
    kind: curve
    curve: fct-by-size
    at: {delay: 2}
    title: Sizes
    paper: [{scheme: slow, metric: all_mean, x: 1000}]
  - name: groups
    kind: bars
    title: Groups
    marklabel: 99th percentile
    bars:
      - {label: short, metric: short_mean, mark: short_p99, at: {sleep: long}}
findings: Slow takes {{all_mean of slow over fast at delay=1,sleep=short,kind=lean}} times as long.
claims:
  good-c1:
    sentence: fast is faster
    at: {delay: [1, 3], sleep: short, kind: lean}
    metric: all_mean
    order: [fast, slow]
"""

# What is replaced, by what, what is said, and of which line (else of the first that is new).
# Seven lists within each other, each ten times what is in it.
MANY = "1"
for name in "abcdefg":
    MANY = f"[&{name} {MANY}{f', *{name}' * 9}]"

# A hundred lists, each with the one before.
DEEP = "[&a0 [1]" + "".join(f", &a{i + 1} [*a{i}]" for i in range(100)) + "]"

WRONG = [
    # The form.
    ("id: good", "id: other", "id 'other' must equal the file name 'good'"),
    ("paper: A paper\n", "", "needs paper", "id: good"),
    (
        "title: A title",
        "title: A title\nbogus: 1",
        "bogus: unknown key; allowed: id, paper",
        "bogus: 1",
    ),
    (
        "title: A title",
        "title: A title\ntitle: Another",
        "'title' stands twice, first in line 3",
        "title: Another",
    ),
    (
        "    cost: 1\n  paper",
        "    seed: 1\n    cost: 1\n  paper",
        "seed: unknown key; allowed: arg",
    ),
    (
        "  load: 0.5",
        "  load: 0.5\n  load: 0.6",
        "key 'load' stands twice, first in line 9",
        "load: 0.6",
    ),
    ("seeds: 2", "seeds: two", "profiles.quick.seeds: 'two' is not allowed; allowed: a whole"),
    ("seeds: 2", "seeds: 0", "profiles.quick.seeds: 0 is less than the minimum of 1"),
    ("    cost: 1\n  paper", "  paper", "profiles.quick: needs cost", "quick:"),
    ("kind: curve", "kind: pie", "'pie' is not allowed; allowed: lines, bars, curve"),
    ("    y: all_mean\n", "", "plots.0: needs y", "name: mean"),
    ("    curve: fct-by-size\n", "", "plots.1: needs curve", "name: sizes"),
    ("metrics: [flow-completion, loss]", "metrics: []", "metrics"),
    ("labels: {slow: SLOW}", "labels: {slow: 1}", "labels.slow: '1' is not allowed; allowed: a te"),
    ("  fast: fast", "  fast: {fast: {}, slow: {}}", "names 2 things: fast, slow; allowed: one"),
    ("  fast: fast", "  fast: [fast]", "schemes.fast: a list is not allowed; allowed: a text"),
    ("  fast: fast", "  fast: {fast: [1]}", "schemes.fast.fast: a list is not allowed"),
    ("    marklabel: 99th percentile\n", "", "plots.2: needs marklabel", "  - name: groups"),
    ("title: A title", "title: [", "not YAML", "presets:"),
    ("  load: 0.5", "  load: &a {x: *a}", "not YAML: an alias within what it names"),
    ("  load: 0.5", f"  load: {DEEP}", "not YAML: more than 64 mappings or lists within each"),
    ("  load: 0.5", f"  load: {MANY}", "not YAML: more than 1,000,000 parts, with aliases"),
    (
        "  fast: fast\n",
        "  ..: fast\n",
        "'..' is not allowed; allowed: what ^[A-Za-z0-9]",
        "schemes:",
    ),
    ("  fast: fast\n", "  '': fast\n", "'' is not allowed; allowed: what ^[A-Za-z0-9]", "schemes:"),
    ("    seeds: 2\n", "    seeds: 100000000\n", "100000000 is greater than the maximum of 10000"),
    ("title: A title", "title: " + "[" * 20000, "more than 64 mappings or lists within each other"),
    # Names within the file.
    ("scenario: fct", "scenario: fcd", "unknown scenario 'fcd'; allowed: "),
    ("labels: {slow", "labels: {slaw", "unknown scheme 'slaw'; allowed: fast, slow"),
    ("[flow-completion, loss]", "[flow-completion, los]", "unknown metric 'los'; allowed: "),
    ("[flow-completion, loss]", "[loss, flow-completion, loss]", "metric 'loss' stands twice"),
    (
        "uncompared: [all_mean",
        "uncompared: [all_meen",
        "unknown column 'all_meen'; allowed: all_mean, ",
    ),
    ("preset: hosts", "preset: hots", "unknown preset 'hots'; allowed: hosts, narrow"),
    (
        "hosts: {Host: {lean: {Window: 2, MinRto: 1ms}}}",
        "hosts: {preset: naro}",
        "unknown preset in preset hosts 'naro'; allowed: hosts, narrow",
        "preset: hosts",
    ),
    (
        "preset: hosts",
        'preset: "{wait}"',
        "unknown swept argument 'wait'; allowed: delay, sleep, kind",
    ),
    ("preset: hosts", 'preset: "h{delay}"', "unknown preset 'h1'"),
    (
        "lean: {Window: 2",
        'lean: {Window: "{w}"',
        "unknown swept argument in preset hosts",
        "preset: hosts",
    ),
    (
        'Delay: "{delay}"',
        'Delay: "{late}"',
        "unknown swept argument 'late'; allowed: delay, sleep, kind",
    ),
    ("kind: [lean, udp]", 'kind: [lean, "{late}"]', "unknown swept argument 'late'"),
    ("[1, 2, 3]", '[1, 2, 3], kind: [lean, "{late}"]', "unknown swept argument 'late'"),
    ("  load: 0.5", '  load: "{lode}"', "unknown swept argument 'lode'"),
    ("x: delay", "x: load", "unknown swept argument 'load'; allowed: delay, sleep, kind"),
    ("x: delay", "x: sleep", "' is a value of sleep; allowed: numbers"),
    ("y: all_mean", "y: al_mean", "unknown column 'al_mean'; allowed: all_mean"),
    ("series: sleep", "series: slep", "unknown swept argument 'slep'"),
    ("over: fast", "over: fest", "unknown scheme 'fest'; allowed: fast, slow"),
    ("curve: fct-by-size", "curve: fct-by-sizes", "unknown curve 'fct-by-sizes'; allowed: "),
    ("at: {delay: 2}", "at: {dely: 2}", "unknown swept argument 'dely'"),
    ("at: {delay: 2}", "at: {delay: 7}", "unknown value of delay '7'; allowed: 1, 2, 3"),
    ("name: groups", "name: mean", "plot 'mean' stands twice, first in line 38"),
    ("metric: short_mean, mark", "metric: short_men, mark", "unknown column 'short_men'"),
    ("mark: short_p99", "mark: short_p98", "unknown column 'short_p98'"),
    (
        "at: {sleep: long}",
        "at: {sleep: longer}",
        "unknown value of sleep 'longer'; allowed: long, ",
    ),
    ("  load: 0.5", "  RngRun: 2", "'RngRun' is not an argument"),
    (
        "paper: [{scheme: slow",
        "paper: [{scheme: slew",
        "unknown scheme 'slew'; allowed: fast, slow",
    ),
    ("all_mean, x: 1000", "all_meen, x: 1000", "unknown column 'all_meen'"),
    # Findings and claims of its own.
    ("of slow over", "of slew over", "findings: {{", "findings:"),
    ("delay=1,sleep", "delay=9,sleep", "unknown value of delay '9'; allowed: 1, 2", "findings:"),
    (",kind=lean}}", "}}", "does not say kind; allowed: lean, udp", "findings:"),
    ("{{all_mean of", "{{all_mean", "is not allowed; allowed: METRIC of SCHEME", "findings:"),
    ("order: [fast, slow]", "ordre: [fast, slow]", "unknown key; allowed: sentence"),
    ("order: [fast, slow]", "order: [fast, slew]", "good-c1: unknown scheme 'slew'; allowed: fast"),
    ("kind: lean}\n    metric", "kind: lan}\n    metric", "unknown value of kind 'lan'"),
    ("sleep: short, kind: lean}\n", "sleep: short}\n", "good-c1: at does not say kind"),
    ("metric: all_mean\n    order", "metric: al_mean\n    order", "unknown metric 'al_mean'"),
]


def found(path: Path) -> list[str]:
    """The mistakes found in a file."""
    try:
        experiment = load_file(path)
        refuse(findings.problems(experiment))
        of_experiment(experiment)
    except UserError as error:
        return str(error).splitlines()
    return []


def test_nothing_is_wrong_with_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD)
    assert found(path) == []


def test_files_of_other_editors_are_read(tmp_path: Path) -> None:
    plain, other = tmp_path / "plain", tmp_path / "other"
    for folder in (plain, other):
        folder.mkdir()
    for name in ("afq-fig8.yaml", "presets.yaml"):
        text = (EXPERIMENTS / name).read_text()
        (plain / name).write_text(text)
        marked = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
        (other / name).write_bytes(marked + b"\r\n\r\n")
    assert load_file(other / "afq-fig8.yaml") == load_file(plain / "afq-fig8.yaml")
    (other / "presets.yaml").write_bytes(b"a: \xff\xfe")
    with pytest.raises(UserError, match=r"^cannot read .*presets.yaml: no UTF-8"):
        load_file(other / "afq-fig8.yaml")


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case[2])
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, case: tuple[str, ...]) -> None:
    old, new, said, *at = case
    assert GOOD.count(old) >= 1
    before, after = GOOD.split(old, 1)
    text = before + new + after
    line = 1 + (text[: text.index(at[0])] if at else before).count("\n")
    path = tmp_path / "good.yaml"
    path.write_text(text)
    problems = found(path)
    assert problems
    assert said in problems[0]
    assert all(f"good.yaml:{line}: " in problem for problem in problems), problems


def test_presets_file(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD.replace("preset: hosts", "preset: shared"))
    presets = tmp_path / "presets.yaml"
    presets.write_text("# For all.\nshared: {Host: {udp: null}}\n")
    assert found(tmp_path / "good.yaml") == []
    presets.write_text("# For all.\nshared: {Host: {udp: null}}\nshared: {}\n")
    (problem,) = found(tmp_path / "good.yaml")
    assert "presets.yaml:3: key 'shared' stands twice, first in line 2" in problem
    presets.write_text("# For all.\nshared: [Host]\n")
    (problem,) = found(tmp_path / "good.yaml")
    assert "presets.yaml:2: shared: a list is not allowed; allowed: a mapping" in problem


def test_commands_say_all_that_is_wrong_and_run_nothing(project: Project) -> None:
    path = project.home / "experiments" / "tiny.yaml"
    good = path.read_text()
    for bad in (
        good.replace("title: A tiny experiment", "titel: A tiny experiment"),
        good.replace("x: load", "x: laod").replace("scenario: fake", "scenario: fale"),
    ):
        path.write_text(bad)
        for words in (["list"], ["run", "--no-build"], ["run", "--dry-run"], ["check"]):
            done = project.repro(*words)
            assert done.returncode == 1
            assert len(done.stderr.splitlines()) == 2, done.stderr
            assert done.stderr.startswith("./repro: experiments/tiny.yaml:")
    path.write_text(good.replace("slow: slow", "slow: slew"))
    for words in (["run", "--no-build"], ["run", "--dry-run"], ["check", "--no-build"]):
        done = project.repro(*words)
        assert done.returncode == 1
        assert done.stderr == (
            "./repro: experiments/tiny.yaml:9: scheme slow, load=0.3 and 1 more: "
            "--scheme = 'slew': no scheme is called 'slew', only slow, fast, odd\n"
        )
    assert not project.executions()


def test_a_column_that_no_program_reports(project: Project) -> None:
    """The metric `results` may give any column: the runs show that this one is not there."""
    path = project.home / "experiments" / "tiny.yaml"
    path.write_text(path.read_text().replace("y: all_mean", "y: all_meen"))
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert "experiments/tiny.yaml:30: unknown column 'all_meen'; allowed: all_mean," in done.stderr
    assert (project.home / "results/quick/tiny/runs.csv").exists()
