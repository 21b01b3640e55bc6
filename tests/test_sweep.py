# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: kept, resumed, rerun when they must be, and equal whatever the number of jobs."""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from operator import itemgetter
from pathlib import Path

import pandas as pd
import psutil
import pytest
import yaml
from conftest import EXPERIMENT, Project

from reproduce import experiments, report, running
from reproduce.errors import UserError

ALL_RUNS = 8  # 2 schemes x 2 loads x 2 seeds


def content(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_second_run_simulates_nothing_and_changes_nothing(finished: Project) -> None:
    project = finished
    assert len(project.executions()) == ALL_RUNS
    first = content(project.home / "results")
    assert "report/index.html" in first
    assert "report/README.md" in first
    assert "quick/tiny/mean.png" in first
    assert date.today().isoformat().encode() not in b"".join(first.values())  # nor tomorrow
    assert project.repro("run", "--no-build").returncode == 0
    assert len(project.executions()) == ALL_RUNS
    assert content(project.home / "results") == first


# A file of a run, its content after the damage (none: it is gone), and what is said of it.
DAMAGES: list[tuple[str, Callable[[bytes], bytes | None], str]] = [
    ("flows.csv", lambda old: old[: len(old) // 2], "flows.csv was changed"),
    ("flows.csv", lambda _: None, "flows.csv is missing"),
    ("run.json", lambda _: b'{"results": {}}', "run.json was changed"),
    ("run.json", lambda _: b"", "run.json was changed"),
    ("run.key", lambda old: old.splitlines(keepends=True)[0], "run.key is cut"),
    ("run.key", lambda old: old[:-12], "run.key is cut"),
    ("run.key", lambda old: old[: old.index(b"  ./")], "run.key is cut"),
    ("run.key", lambda _: os.urandom(64), ""),
]


def test_damaged_runs_are_run_again(finished: Project) -> None:
    """Eight runs have a damage each; the others are kept."""
    finished.write(EXPERIMENT | {"sweep": {"load": [0.3, 0.5, 0.7]}})
    assert finished.repro("run", "--no-build").returncode == 0
    folders = sorted((finished.home / "runs" / "tiny").rglob("seed-?"))
    first = len(finished.executions())
    before = [(folder / "run.json").read_bytes() for folder in folders]
    wanted = []
    for folder, (name, damage, said) in zip(folders, DAMAGES, strict=False):
        file = folder / name
        if (content := damage(file.read_bytes())) is None:
            file.unlink()
        else:
            file.write_bytes(content)
        if said:
            wanted.append(f"{folder.relative_to(finished.home)} is run again: {said}")
    done = finished.repro("run", "--no-build")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if " is run again: " in line]
    assert sorted(told) == wanted
    again = [str(one.relative_to(finished.home / "runs")) for one in folders[: len(DAMAGES)]]
    assert len(again) == len(DAMAGES) < len(folders)
    assert sorted(finished.executions()[first:]) == again
    assert [(folder / "run.json").read_bytes() for folder in folders] == before


def test_results_do_not_depend_on_the_number_of_jobs(project: Project, run_once: Project) -> None:
    assert project.repro("run", "--no-build", "--jobs", "1").returncode == 0
    assert content(project.home / "results") == content(run_once.home / "results")  # by two


def test_changed_arguments_or_program_run_again(finished: Project) -> None:
    project = finished
    project.write(EXPERIMENT | {"sweep": {"load": [0.3, 0.5, 0.7]}})
    project.repro("run", "--no-build")
    assert len(project.executions()) == ALL_RUNS + 4  # the others are kept
    program = project.home / "build" / "bin" / "fake"
    program.write_text(program.read_text() + "# changed\n")
    project.repro("run", "--no-build")
    assert len(project.executions()) == 2 * (ALL_RUNS + 4)


def test_dry_run_counts_and_runs_nothing(project: Project) -> None:
    done = project.repro("run", "--no-build", "--dry-run", "--seeds", "3")
    assert "12 runs to do, 0 finished before" in done.stdout
    assert done.stdout.count("tiny/quick/") == 12
    assert not project.executions()


def test_runs_without_bound_are_refused_at_once(project: Project) -> None:
    done = project.repro("run", "--no-build", "--dry-run", "--seeds", "100000000")
    assert done.returncode == 1
    assert done.stderr == "./repro: tiny: 400,000,000 runs; allowed: 1,000,000\n"


def test_schemes_and_seeds_choose_and_results_keep_the_rest(project: Project) -> None:
    project.repro("run", "--no-build", "--schemes", "fast", "--seeds", "1")
    assert len(project.executions()) == 2
    project.repro("run", "--no-build", "--schemes", "odd,slow")
    assert len(project.executions()) == 10
    table = (project.home / "out/results/mine/quick/tiny/runs.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in table] == ["slow"] * 4 + ["fast"] * 2 + ["odd"] * 4


def test_results_of_ones_own_leave_the_shipped_ones(finished: Project) -> None:
    project = finished
    shipped = content(project.home / "results")
    project.repro("run", "--no-build", "--seeds", "3")
    assert (
        project.repro("run", "--no-build", "--name", "odd-one", "--schemes", "odd").returncode == 0
    )
    project.write(EXPERIMENT | {"arguments": {"fail": "fast"}})
    assert project.repro("run", "--no-build").returncode == 1
    assert content(project.home / "results") == shipped
    own = project.home / "out" / "results"
    assert sorted(path.name for path in own.iterdir()) == ["mine", "odd-one", "unfinished"]
    assert "3 seeds per point" in (own / "mine/report/others.md").read_text()


def test_ones_own_experiments_leave_no_trace_in_what_is_shipped(finished: Project) -> None:
    project = finished
    shipped = content(project.home / "results")
    project.write(EXPERIMENT | {"id": "mine"}, "scratch/experiments")
    done = project.repro("run", "mine", "--no-build")
    assert done.returncode == 0, done.stderr
    assert len(project.executions()) == ALL_RUNS  # simulated before, for the shipped one
    own = project.home / "out/results/mine"
    claims = json.loads((own / "claims.json").read_text())
    assert {row["experiment"] for row in claims} == {"mine"}
    page = (own / "report/others.md").read_text()
    assert "](../../../../scratch/experiments/mine.yaml)" in page
    assert "mine  " in project.repro("list").stdout
    for words in (["judge", "mine"], ["judge", "--check", "mine"], ["check", "mine", "--no-build"]):
        done = project.repro(*words)
        assert done.returncode == 0, done.stdout + done.stderr
    assert project.repro("judge").returncode == 0
    assert "out/results/mine/quick/mine/mean.png" in project.repro("draw", "mine").stdout.split()
    assert content(project.home / "results") == shipped
    verdicts = (own / "claims.json").read_text()
    good = yaml.safe_dump(EXPERIMENT | {"id": "mine"})
    for old, new, said in (
        ("- slow\n", "- slew\n", "unknown scheme 'slew'"),
        ("metric: all_mean\n    must", "metric: all_men\n    must", "unknown metric 'all_men'"),
    ):
        assert old in good
        path = project.home / "scratch/experiments/mine.yaml"
        path.write_text(good.replace(old, new))
        done = project.repro("judge", "mine")
        assert done.returncode == 1
        assert said in done.stderr
        assert (own / "claims.json").read_text() == verdicts


def test_ones_own_experiments_stop_no_other(finished: Project) -> None:
    project = finished
    own = project.home / "scratch/experiments"
    own.mkdir(parents=True)
    (own / "tiny.yaml").write_text("")
    (own / "broken.yaml").write_text("id: [")
    done = project.repro("list")
    assert done.returncode == 0
    left_out = [line for line in done.stderr.splitlines() if " is left out: " in line]
    assert [line.split()[0] for line in left_out] == [
        "scratch/experiments/broken.yaml",
        "scratch/experiments/tiny.yaml",
    ]
    assert "experiments/tiny.yaml has that name; allowed: another" in left_out[1]
    for name, said in (("broken", "broken.yaml:2: not YAML"), ("tiny", "tiny.yaml: experiments/")):
        done = project.repro("run", name, "--no-build")
        assert done.returncode == 1
        assert done.stderr.startswith(f"./repro: scratch/experiments/{said}")


def test_a_table_of_other_runs_is_told(finished: Project) -> None:
    path = finished.home / "results/quick/tiny/runs.csv"
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for content, said in (
        (b"".join(lines[:-1]), "has no row of scheme=fast load=0.7 seed=2"),
        (whole + lines[-1], "has two rows of scheme=fast load=0.7 seed=2"),
        (whole + lines[-1].replace(b",2,", b",3,", 1), "has a row of scheme=fast load=0.7 seed=3"),
        (whole[:-3], "is damaged: its last line has no end"),
        (None, "is missing"),
    ):
        path.write_bytes(content) if content else path.unlink()
        done = finished.repro("judge", "--check")
        assert done.returncode == 1
        assert f"results/quick/tiny/runs.csv {said}" in done.stdout
        assert "./repro run tiny makes it" in done.stdout
    path.write_bytes(whole)
    assert finished.repro("judge", "--check").returncode == 0


def test_a_damaged_table_keeps_the_verdicts(finished: Project) -> None:
    verdicts = finished.home / "results/claims.json"
    table = finished.home / "results/quick/tiny/runs.csv"
    before = verdicts.read_text()
    whole = table.read_bytes()
    shorter = b"".join(whole.splitlines(keepends=True)[:-1])  # what is left has no damage
    strange = (b"", whole[:-5], b"\xff\xfe,\xc8\n", b"scheme,load,seed\nfast,x\xff,1\n")
    for content in (*strange, shorter):
        table.write_bytes(content)
        done = finished.repro("judge")
        assert done.returncode == 1
        said = "has no row" if content == shorter else "is "
        assert f"results/quick/tiny/runs.csv {said}" in done.stderr
        assert "./repro run tiny makes it" in done.stderr
        assert verdicts.read_text() == before


def test_an_experiment_without_numbers_stops_no_other(project: Project) -> None:
    project.write(
        EXPERIMENT | {"id": "absent", "metrics": ["rate-fairness"], "plots": [], "claims": {}}
    )
    project.write(EXPERIMENT | {"id": "whole"})
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert re.fullmatch(
        r"./repro: runs/absent\S+/rates.csv is missing: the scenario did not write it\n",
        done.stderr[done.stderr.rindex("./repro: ") :],
    )
    assert (project.home / "results/quick/whole/mean.png").exists()
    with pytest.raises(UserError, match=r"^afq-fig14: no run has a number of rate-fairness$"):
        report.write_results(*experiments.select(["afq-fig14"]), "quick", [], project.home)


def test_bad_experiments_stop_no_other(finished: Project) -> None:
    project = finished
    bad = {"bad-form": b"id: [", "bad-letters": b"\xff\xfe", "bad-name": b"id: other\n"}
    for name in bad:
        project.write(EXPERIMENT | {"id": name, "headline": False})
    assert project.repro("run", *bad, "--no-build").returncode == 0
    before = json.loads((project.home / "results/claims.json").read_text())
    for name, content in bad.items():
        (project.home / "experiments" / f"{name}.yaml").write_bytes(content)
    for words in (
        ["run", "tiny", "--no-build"],
        ["check", "tiny", "--no-build"],
        ["judge", "tiny"],
        ["list", "tiny"],
        ["draw", "tiny"],
    ):
        done = project.repro(*words)
        assert done.returncode == 0, done.stderr
        left_out = [line for line in done.stderr.splitlines() if " is left out: " in line]
        assert [line.split()[0] for line in left_out] == [f"experiments/{one}.yaml" for one in bad]
    after = json.loads((project.home / "results/claims.json").read_text())
    key = itemgetter("paper", "id")
    assert sorted(after, key=key) == sorted(before, key=key)
    by_name = [["run", name] for name in bad]
    for words in (["list"], *by_name, ["run", "--all"], ["judge"], ["check", "--all"]):
        done = project.repro(*words)
        assert done.returncode == 1
        assert re.search(r"\./repro: .*bad-\w+\.yaml", done.stderr)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("tcp,afq", ["tcp", "afq"]),
        ("tcp,,afq,", ["tcp", "afq"]),
        ('afq:Queue="afq:A=1,B=2",tcp', ['afq:Queue="afq:A=1,B=2"', "tcp"]),
        ("afq:A=1,B=2,tcp:C=3,D=(x:E=4,F=5)", ["afq:A=1,B=2", "tcp:C=3,D=(x:E=4,F=5)"]),
    ],
)
def test_lists_of_schemes_keep_settings_together(text: str, names: list[str]) -> None:
    assert running._scheme_names(text) == names


@pytest.mark.slow
@pytest.mark.parametrize("whom", ["everything", "only the front end"])
def test_killed_sweep_resumes(project: Project, whom: str) -> None:
    project.write(EXPERIMENT | {"arguments": {"sleep": 0.7}})
    command = project.command("run", "--no-build", "--jobs", "1")
    process = subprocess.Popen(
        command, env=project.environment, cwd=project.home, start_new_session=True
    )
    runs = project.home / "runs" / "tiny"
    deadline = time.monotonic() + 60
    while len(list(runs.rglob("run.key"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    if whom == "everything":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
        os.killpg(process.pid, signal.SIGSTOP)  # Snakemake lives, and is not done before we look
    process.wait()
    finished = {str(path.parent.relative_to(runs.parent)) for path in runs.rglob("run.key")}
    assert 2 <= len(finished) < ALL_RUNS
    done = project.repro("run", "--no-build")
    if whom == "only the front end":  # Snakemake is still at work and must not be disturbed
        assert done.returncode == 1
        assert "another ./repro is running simulations" in done.stderr
        assert re.search(r": process \d+ \(.*snakemake", done.stderr), done.stderr
        os.killpg(process.pid, signal.SIGKILL)
        done = project.repro("run", "--no-build")
    assert done.returncode == 0, done.stderr
    started = project.executions()
    assert len(set(started)) == ALL_RUNS
    assert all(started.count(name) == 1 for name in finished)
    assert len(list(runs.rglob("run.key"))) == ALL_RUNS


def alive_in_group(group: int) -> list[str]:
    """The processes of a group, without those that have ended and only wait to be noticed."""
    alive = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                alive.append(str(process))
    return alive


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "background", "stubborn"),
    [
        ("kill", False, "no"),
        ("kill", True, "no"),
        ("hang up", False, "no"),
        ("kill", False, "yes"),
        ("timeout", False, "no"),
        ("timeout", True, "yes"),
    ],
)
def test_terminated_sweep_ends_with_all_its_processes(
    project: Project, how: str, background: bool, stubborn: str
) -> None:
    """As by `kill`, which reaches the front end alone, `timeout`, or a terminal that is closed."""
    project.write(EXPERIMENT | {"arguments": {"sleep": 25, "stubborn": stubborn}})
    process = subprocess.Popen(
        project.command("run", "--no-build", "--jobs", "2"),
        env=project.environment,
        cwd=project.home,
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
        # As a shell does with what it starts in the background.
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if background else None,
    )
    deadline = time.monotonic() + 60
    while len(project.executions()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGHUP if how == "hang up" else signal.SIGTERM)
    if how == "timeout":  # tells the program, then all of its group
        os.killpg(process.pid, signal.SIGTERM)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "terminated; the same command goes on from here" in told
    assert alive_in_group(process.pid) == []
    assert len(project.executions()) == 2


@pytest.mark.slow
def test_a_run_that_somebody_is_still_at_is_waited_for(finished: Project) -> None:
    """As a job that a cluster runs for a sweep whose head was killed."""
    project = finished
    folder = project.home / "runs/tiny/quick/slow/load=0.3/seed-1"
    ours = folder.with_name("aside")
    folder.rename(ours)
    with folder.with_name("seed-1.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(
            project.command("run", "--no-build"), env=project.environment, cwd=project.home
        )
        plans = project.home / "runs/.plans"
        before = 1  # the log of the first sweep
        deadline = time.monotonic() + 120
        while sum("rule simulate" in p.read_text() for p in plans.glob("*.log")) <= before:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        time.sleep(1)  # the shell comes to the lock
        ours.rename(folder)  # finished by the other
    assert process.wait(timeout=120) == 0
    assert len(project.executions()) == ALL_RUNS


@pytest.mark.slow
def test_a_build_meanwhile_does_not_change_a_sweep(project: Project) -> None:
    project.write(EXPERIMENT | {"arguments": {"sleep": 0.3}})
    process = subprocess.Popen(
        project.command("run", "--no-build", "--jobs", "1"),
        env=project.environment,
        cwd=project.home,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    runs = project.home / "runs" / "tiny"
    deadline = time.monotonic() + 60
    while not list(runs.rglob("run.key")) and time.monotonic() < deadline:
        time.sleep(0.05)
    program = project.home / "build/bin/fake"
    built = program.read_text()
    program.write_text("#!/bin/sh\nexit 1\n")
    assert process.wait(timeout=120) == 0
    assert len(list(runs.rglob("run.json"))) == ALL_RUNS
    # What is left of a sweep's programs goes with the next sweep.
    program.write_text(built + "# another\n")
    assert project.repro("run", "--no-build").returncode == 0
    (kept,) = (project.home / "runs/.programs").iterdir()
    assert (kept / "bin/fake").read_text() == program.read_text()
    assert project.executions().count("tiny/quick/fast/load=0.7/seed-2") == 2


def test_check_tells_each_number_that_drifted(finished: Project) -> None:
    project = finished
    assert project.repro("check", "--no-build").returncode == 0
    table = project.home / "results/quick/tiny/runs.csv"
    rows = pd.read_csv(table)
    chosen = (rows["scheme"] == "slow") & (rows["load"] == 0.3) & (rows["seed"] == 2)
    rows.loc[chosen, "all_mean"] *= 1.0001
    rows.to_csv(table, index=False, float_format="%.6g")
    drifted = project.repro("check", "--no-build")
    assert drifted.returncode == 1
    assert "1 numbers drifted" in drifted.stdout
    assert re.search(r"scheme=slow load=0.3 seed=2 +all_mean +3.978\d+ +3.978", drifted.stdout)
    assert project.repro("check", "--no-build", "--seeds", "1").returncode == 0
    told = project.repro("check", "--no-build", "--json", "--junit", "new/numbers.xml", "tiny")
    assert told.returncode == 1
    (one,) = json.loads(told.stdout)
    assert (one["id"], one["passed"], len(one["drifted"])) == ("tiny", False, 1)
    suite = ET.parse(project.home / "new/numbers.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert "all_mean" in suite.findtext("testcase/failure")


def test_check_tells_seeds_too_few_and_too_many(finished: Project) -> None:
    project = finished
    table = project.home / "results/quick/tiny/runs.csv"
    rows = table.read_text().splitlines()
    table.write_text("\n".join([*rows[:-1], rows[1].replace("slow,0.3,1,", "slow,0.3,3,")]) + "\n")
    done = project.repro("check", "--no-build", "tiny")
    assert done.returncode == 1
    assert "has no row of scheme=fast load=0.7 seed=2" in done.stdout
    assert "has a row of scheme=slow load=0.3 seed=3, which the experiment has not" in done.stdout
    assert "drifted" not in done.stdout


def test_check_tells_which_rooms_changed(finished: Project) -> None:
    project = finished
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for name in ("src/fabric/a.cc", "src/afq/b.cc"):
        (project.home / name).parent.mkdir(parents=True)
        (project.home / name).write_text("1")
    subprocess.run([*git, "init", "-q"], cwd=project.home, check=True)
    subprocess.run([*git, "add", "src", "results"], cwd=project.home, check=True)
    subprocess.run([*git, "commit", "-qm", "x"], cwd=project.home, check=True)
    (project.home / "src/afq/b.cc").write_text("2")
    program = project.home / "build/bin/fake"
    program.write_text(program.read_text().replace('"slow": 3', '"slow": 4'))
    done = project.repro("check", "--no-build", "tiny")
    assert done.returncode == 1
    assert "changed since that table was made: afq\n" in done.stdout


def test_check_leaves_out_what_the_experiment_says(finished: Project) -> None:
    project = finished
    table = project.home / "results/quick/tiny/runs.csv"
    rows = pd.read_csv(table).assign(all_mean=1)
    rows.to_csv(table, index=False, float_format="%.6g")
    assert project.repro("check", "--no-build", "tiny").returncode == 1
    project.write(EXPERIMENT | {"uncompared": ["all_mean"]})
    assert project.repro("check", "--no-build", "tiny").returncode == 0
    project.write(EXPERIMENT | {"uncompared": ["all_man"]})
    assert "'all_man' is no column" in project.repro("check", "--no-build", "tiny").stdout


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "is damaged"),
        ('scheme,"load', "is damaged"),
        ("scheme,load,seed,all_mean\nslow,0.3,1,abc\n", "is damaged"),
        ("scheme,load,all_mean\nslow,0.3,1\n", "has no column seed"),
        ("scheme,load,seed,all_mean\nslow,0.3,1,inf\n", "drifted"),
    ],
)
def test_check_tells_what_is_wrong_with_a_table(finished: Project, text: str, wrong: str) -> None:
    (finished.home / "results/quick/tiny/runs.csv").write_text(text)
    done = finished.repro("check", "--no-build", "tiny")
    assert done.returncode == 1
    assert wrong in done.stdout
    assert not done.stderr
    if wrong != "drifted":  # it is told before anything is simulated
        shutil.rmtree(finished.home / "runs")
        before = finished.executions()
        assert wrong in finished.repro("check", "--no-build", "tiny").stdout
        assert finished.executions() == before


def test_check_tells_at_once_that_a_report_cannot_be_written(project: Project) -> None:
    done = project.repro("check", "--no-build", "--junit", "/proc/x.xml", "tiny")
    assert done.returncode == 1
    assert "cannot write /proc/x.xml" in done.stderr
    assert not project.executions()


def test_check_reports_every_missing_table(project: Project) -> None:
    project.write(EXPERIMENT | {"id": "other", "claims": {}})
    done = project.repro("check", "--no-build", "--all", "--json", "--junit", "numbers.xml")
    assert done.returncode == 1
    missing = {one["id"]: one["problems"][0] for one in json.loads(done.stdout)}
    assert set(missing) == {"tiny", "other"}
    assert all(f"./repro run {name} makes it" in what for name, what in missing.items())
    suite = ET.parse(project.home / "numbers.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")


def test_check_of_the_paper_profile_takes_the_tables_there_are(finished: Project) -> None:
    project = finished
    none = project.repro("check", "--no-build", "--all", "--profile", "paper")
    assert none.returncode == 1
    assert "results/paper has no table" in none.stderr
    assert project.repro("run", "--no-build", "tiny", "--profile", "paper").returncode == 0
    project.write(EXPERIMENT | {"id": "other", "claims": {}})
    done = project.repro("check", "--no-build", "--all", "--profile", "paper")
    assert done.returncode == 0
    assert "tiny: 12 runs as in the table" in done.stdout
    assert "other" not in done.stdout


def test_check_says_if_runs_are_of_another_ns3(finished: Project) -> None:
    project = finished
    (project.home / "requirements-ns3.txt").write_text("ns3==3.44.post0\n")
    assert "numbers may differ" not in project.repro("check", "--no-build", "tiny").stdout
    program = project.home / "build/bin/fake"
    versions = 'run["versions"] = {"ns3": "3.41.post1"}'
    text = program.read_text()
    program.write_text(text.replace('run["input"]', f'{versions}\nrun["input"]'))
    done = project.repro("check", "--no-build", "tiny")
    assert "the tables are of ns-3 3.44, these runs of 3.41.post1" in done.stdout


def test_what_ci_checks_has_every_scheme_once(finished: Project) -> None:
    project = finished
    later = EXPERIMENT | {"id": "later", "headline": False, "claims": {}, "plots": []}
    project.write(
        later | {"schemes": {"slow": "slow", "odd": "odd:Delay=1"}, "sweep": {"load": [0.5]}}
    )
    done = project.repro("check", "--no-build")
    assert "9 runs of 2 experiments cover" in done.stdout  # 8 of the headline one
    assert "3 schemes: fast, odd, slow" in done.stdout
    assert "1 scenarios: fake" in done.stdout
    assert "no experiment runs" not in done.stdout
    assert "later/runs.csv is missing" in done.stdout


@pytest.mark.slow
def test_experiments_share_equal_runs(project: Project) -> None:
    # Another experiment, which comes later, with one run more: options may be swept or fixed.
    other = EXPERIMENT | {"id": "tiny-too", "claims": {}, "plots": []}
    other |= {"arguments": {"load": 0.7}, "sweep": {"sleep": [0]}}
    other["profiles"] = {"quick": {"seeds": 3, "cost": 0.1}, "paper": {"seeds": 3, "cost": 0.1}}
    project.write(other)
    plan = project.repro("run", "--no-build", "--dry-run").stdout
    assert f"{ALL_RUNS + 2} runs to do" in plan
    assert project.repro("run", "--no-build").returncode == 0
    assert len(project.executions()) == ALL_RUNS + 2
    again = project.repro("run", "--no-build", "tiny")  # in whatever order arguments were given
    assert again.returncode == 0
    assert len(project.executions()) == ALL_RUNS + 2
    table = (project.home / "results/quick/tiny-too/runs.csv").read_text().splitlines()
    assert len(table) == 1 + 2 * 3
    assert {row.split(",")[1] for row in table[1:]} == {"0"}  # its own swept argument


@pytest.mark.slow
def test_swept_arguments_within_scheme_specs(project: Project) -> None:
    project.write(
        EXPERIMENT
        | {
            "schemes": {"slow": "slow:Delay={delay}", "fast": "fast"},
            "sweep": {"load": {"low": 0.3}, "delay": {"short": 1, "long": 2}},
            "claims": {},
            "plots": [],
        }
    )
    assert project.repro("run", "--no-build").returncode == 0
    # `fast` does not name the delay: one run for both values.
    assert sorted(name.split("/seed")[0] for name in set(project.executions())) == [
        "tiny/quick/fast/load=low/delay=short",
        "tiny/quick/fast/load=low/delay=short",
        "tiny/quick/slow/load=low/delay=long",
        "tiny/quick/slow/load=low/delay=long",
        "tiny/quick/slow/load=low/delay=short",
        "tiny/quick/slow/load=low/delay=short",
    ]
    table = (project.home / "results/quick/tiny/runs.csv").read_text().splitlines()[1:]
    assert sum(row.startswith("fast,low,long,") for row in table) == 2
    assert sum(row.startswith("fast,low,short,") for row in table) == 2
    manifest = project.home / "runs/tiny/quick/slow/load=low/delay=long/seed-1/run.json"
    assert '"scheme": "slow:Delay=2"' in manifest.read_text()
    assert '"delay"' not in manifest.read_text()


@pytest.mark.slow
def test_presets_and_placeholders_in_arguments(project: Project) -> None:
    (project.home / "experiments" / "presets.yaml").write_text("slow-hosts: {Delay: 2, Window: 8}")
    project.write(
        EXPERIMENT
        | {
            "presets": {"own": {"preset": "slow-hosts", "Host": {"lean": {"Window": "{window}"}}}},
            "schemes": {"slow": {"slow": {"preset": "own", "Delay": 1}}},
            "arguments": {"sleep": 0, "topology": {"fat-tree": {"K": "{ports}"}}},
            "sweep": {"load": [0.3], "window": [7], "ports": [4, 6]},
            "claims": {},
            "plots": [],
        }
    )
    assert project.repro("run", "--no-build").returncode == 0
    manifest = project.home / "runs/tiny/quick/slow/load=0.3/window=7/ports=6/seed-1/run.json"
    arguments = json.loads(manifest.read_text())["input"]
    slow = {"slow": {"Delay": 1, "Window": 8, "Host": {"lean": {"Window": 7}}}}
    assert json.loads(arguments["scheme"]) == slow
    assert json.loads(arguments["topology"]) == {"fat-tree": {"K": 6}}
    assert "window" not in arguments
    assert "ports" not in arguments
