# SPDX-License-Identifier: GPL-2.0-only
"""Mistakes that only programs can judge are found before anything runs."""

import re
import shutil
from pathlib import Path

import pytest
from conftest import EXPERIMENT, ROOT, Project

from reproduce import rehearsal
from reproduce.experiments import PRESETS, Experiment, load_all
from reproduce.runs import expand

BUILT = pytest.mark.skipif(
    not (ROOT / "build/bin/fct").exists(), reason="needs the build: ./repro setup"
)


def simulated(project: Project) -> list[Path]:
    """The folders below runs/, in which a check leaves nothing."""
    return list((project.home / "runs").glob("*"))


def refused(project: Project, *words: str) -> list[str]:
    """The lines of a command that refuses, before it runs anything."""
    done = project.repro(*words)
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("./repro: ")
    assert not project.executions()
    assert not simulated(project)
    return done.stderr.removeprefix("./repro: ").splitlines()


def line(project: Project, name: str, text: str) -> int:
    """The line of an experiment's file that begins with a text."""
    lines = (project.home / "experiments" / f"{name}.yaml").read_text().splitlines()
    return next(i for i, one in enumerate(lines, 1) if one.strip().startswith(text))


# ---- What is asked, and what becomes of the answers ----


@pytest.mark.parametrize("words", [["run"], ["run", "--dry-run"], ["check"]])
def test_a_refused_scheme_is_one_line_for_all_its_points(
    project: Project, words: list[str]
) -> None:
    project.write(EXPERIMENT | {"arguments": {"refuse": "slow"}})
    at = line(project, "tiny", "slow: slow")
    assert refused(project, *words, *([] if "--dry-run" in words else ["--no-build"])) == [
        f"experiments/tiny.yaml:{at}: scheme slow, load=0.3 and 1 more: 'slow' is not possible"
    ]


def test_an_option_that_is_named_is_where_it_stands(project: Project) -> None:
    """Messages that differ between points are lines of their own."""
    project.write(EXPERIMENT | {"arguments": {"events": "10ms join tenant=zz"}})
    at = line(project, "tiny", "events:")
    assert refused(project, "run", "--no-build") == [
        f"experiments/tiny.yaml:{at}: scheme slow, load={load} and 1 more: "
        f"--events: 'zz' at load {load}: tenants are A, B"
        for load in (0.3, 0.7)
    ]
    quick = {"seeds": 2, "cost": 0.1, "sweep": {"events": ["", "1s zz"]}}
    profiles = EXPERIMENT["profiles"] | {"quick": quick}
    project.write(EXPERIMENT | {"profiles": profiles, "claims": {}})
    at = line(project, "tiny", "events:")
    found = refused(project, "run", "--no-build")
    assert len(found) == 2
    assert all(one.startswith(f"experiments/tiny.yaml:{at}: ") for one in found)
    assert "scheme slow, load=0.3, events=1s zz and 1 more: --events: " in found[0]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("killed", "fake --check ended by signal 9 (Killed), perhaps by the system, for memory"),
        ("lost", "fake --check ended with exit status 3: lost"),
    ],
)
def test_programs_that_die_of_a_check_are_named(project: Project, how: str, said: str) -> None:
    project.write(EXPERIMENT | {"arguments": {"refuse": how}})
    (found,) = refused(project, "run", "--no-build")
    assert found.endswith(f": scheme slow, load=0.3 and 3 more: {said}")


def test_points_are_asked_once_and_only_those_that_run(finished: Project) -> None:
    project = finished
    asked = project.checks()
    assert len(asked) == len(set(asked)) == 4  # 2 schemes x 2 loads
    assert not any("--out" in words for words in asked)
    assert project.repro("run", "--no-build").returncode == 0
    assert project.checks() == asked  # all is fresh
    project.write(EXPERIMENT | {"sweep": {"load": [0.3, 0.5, 0.7]}})
    done = project.repro("run", "--no-build", "--schemes", "odd,fast", "--seeds", "1")
    assert done.returncode == 0
    new = project.checks()[len(asked) :]
    assert sorted(re.sub(r".*(--scheme=\w+).*(--load=\S+).*", r"\1 \2", one) for one in new) == [
        "--scheme=fast --load=0.5",
        "--scheme=odd --load=0.3",
        "--scheme=odd --load=0.5",
        "--scheme=odd --load=0.7",
    ]


def test_experiments_that_share_runs_ask_once_and_both_are_named(project: Project) -> None:
    shared = {"arguments": {"refuse": "fast"}, "claims": {}, "plots": []}
    for name in ("tiny", "tiny-too"):
        project.write(EXPERIMENT | shared | {"id": name})
    found = refused(project, "run", "--no-build")
    assert [one.split(":")[0] for one in found] == [
        "experiments/tiny-too.yaml",
        "experiments/tiny.yaml",
    ]
    assert len(project.checks()) == 4


def test_many_command_lines_are_said(project: Project) -> None:
    loads = [i / 1000 for i in range(rehearsal.MANY + 1)]
    project.write(
        EXPERIMENT
        | {"schemes": {"fast": "fast"}, "sweep": {"load": loads}}
        | {"claims": {}, "plots": []}
    )
    done = project.repro("run", "--dry-run")
    assert done.returncode == 0
    assert done.stderr == f"checking {rehearsal.MANY + 1} command lines\n"


def test_a_program_that_is_not_built_is_not_asked(project: Project) -> None:
    (project.home / "build/bin/fake").unlink()
    assert project.repro("run", "--dry-run").returncode == 0
    assert not project.checks()


# ---- The programs ----


@pytest.fixture
def real(tmp_path: Path) -> Project:
    """A project with the built programs and a copy of the experiments that tests change."""
    for name in ("build", "examples", "src"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "experiments").mkdir()
    for path in (PRESETS, *{f"{case[0]}.yaml" for case in JUDGED}):
        shutil.copy(ROOT / "experiments" / path, tmp_path / "experiments")
    return Project(tmp_path)


# The experiment, what is replaced, by what, at which line that is found, and what is said.
JUDGED = [
    ("nimble-fig7", "cubic workload=on-off", "cubic workload=on-of", "tenants:", "'on-of'"),
    ("nimble-fig7", "Sizes=fixed", "Sizes=fixd", "tenants:", "'fixd:Bytes=1e12'"),
    ("nimble-fig7", "tenant cubic", "tennant cubic", "tenants:", "tennant cubic"),
    ("nimble-fig7", "transport=cubic", "transport=nope", "tenants:", "'nope'"),
    (
        "nimble-fig7",
        "type=hard}",
        "typ=hard}",
        "Policy:",
        "burst=81920 and 3 more: --scheme Policy ",
    ),
    ("nimble-fig16", "40ms leave tenant=A2", "10ms join tenant=zz", "quick:", "'zz'"),
    ("nimble-fig16", "40ms leave", "40ms leve", "quick:", "'leve'"),
    ("nimble-fig16", "leave tenant=", "leave tennant=", "quick:", "'leave:Tennant=A2'"),
    ("afq-fig11", "afq: {EdgeBuffer: 300kB", "afq: {EdgeBufer: 300kB", "afq: {afq", "'EdgeBufer'"),
    ("afq-fig11", "tcp: {EdgeBuffer: 300kB", "tcp: {EdgeBuffer: 300", "tcp: {tcp", "'300'"),
    ("afq-fig11", "  bytes: 1500000", "  bites: 1500000", "bites:", "did you mean '--bytes'"),
    ("afq-fig11", "  bytes: 1500000", "  bytes: 15 km", "bytes:", "'15 km': not a number"),
    ("afq-fig11", "senders: [4, 16, 64", "senders: [0, 16, 64", "sweep: {senders: [0", "'0'"),
    ("afq-fig11", "Interval: 10us", "Interval: 10", "record:", "'10': not a time"),
    ("afq-fig11", "Interval: 10us", "Intervall: 10us", "record:", "'Intervall'"),
    ("drb-fig12", "events: 3s fail", "events: 3 fail", "events: 3 ", "'3'"),
    ("drb-fig12", "events: 3s fail-switch core0", "events: 3s fail-switch c0", "events:", "'c0'"),
]


@BUILT
@pytest.mark.parametrize("case", JUDGED, ids=lambda case: f"{case[0]} {case[2]}")
def test_what_only_a_program_can_judge(real: Project, case: tuple[str, ...]) -> None:
    name, old, new, at, said = case
    path = real.home / "experiments" / f"{name}.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    (found,) = refused(real, "run", name, "--no-build")
    where = line(real, name, at) + (at == "quick:")  # the arguments stand below
    assert found.startswith(f"experiments/{name}.yaml:{where}: scheme ")
    assert said in found


@BUILT
@pytest.mark.parametrize(
    ("scheme", "said"), [("tcp:EdgeBufer=30kB", "'EdgeBufer'"), ("tcp:EdgeBuffer=30", "'30'")]
)
def test_a_scheme_of_the_command_line(real: Project, scheme: str, said: str) -> None:
    (found,) = refused(real, "run", "afq-fig11", "--no-build", "--schemes", f"afq,{scheme}")
    at = line(real, "afq-fig11", "schemes:")
    assert found.startswith(f"experiments/afq-fig11.yaml:{at}: scheme {scheme}, ")
    assert said in found


@BUILT
@pytest.mark.slow
@pytest.mark.parametrize("experiment", load_all(), ids=lambda experiment: experiment.id)
def test_programs_take_the_command_lines_of_experiments(experiment: Experiment) -> None:
    """All of the quick profile; of the paper's, which has large networks, a point per scheme."""
    paper = {run.scheme: run for run in reversed(expand(experiment, "paper"))}
    runs = [*expand(experiment, "quick"), *paper.values()]
    assert [str(one) for one in rehearsal.problems([experiment], runs, 1)] == []
