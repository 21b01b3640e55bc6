# SPDX-License-Identifier: GPL-2.0-only
"""The commands' help, and what bad input gets: one line, exit status 1, nothing written."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import EXPERIMENT, ROOT, Project
from jsonschema import validate

from reproduce import cli
from reproduce.statements import Basis, Cause, Conclusion, NumberVerdict

VERBS = (
    *("run", "test", "list", "sim", "plot", "scratch", "check", "judge", "fuzz", "bench"),
    *("claims", "compare", "setup", "clean", "completion"),
)

NUMBER = {"type": ["number", "null"]}
ENDS = {"type": ["array", "null"], "items": NUMBER, "minItems": 2, "maxItems": 2}
CLAIM = {
    "paper": {"type": "string"},
    "id": {"type": "string"},
    "sentence": {"type": "string"},
    "experiment": {"type": "string"},
    "profile": {"enum": ["quick", "paper", ""]},
    "conclusion": {"enum": list(Conclusion)},
    "number": {"enum": list(NumberVerdict)},
    "factor": NUMBER,
    "within": {"type": "string", "pattern": "^[0-9]+ of [0-9]+$"},
    "basis": {"enum": list(Basis)},
    "cause": {"enum": [*Cause, None]},
    "n": {"type": ["integer", "null"]},
    "compared": {"type": "string"},
    "effect": NUMBER,
    "interval": ENDS,
    "scale": {"enum": ["ratio", "difference", None]},
    "smallest_effect": NUMBER,
    "must_fail": {"enum": [*Conclusion, None]},
    "comparisons": {
        "type": "array",
        "items": {"type": "object", "required": ["name", "conclusion", "interval", "points"]},
    },
    "numbers": {
        "type": "array",
        "items": {"type": "object", "required": ["name", "ours", "interval", "printed", "within"]},
    },
    "hash": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "stale": {"type": "boolean"},
    "before": {"type": "array", "items": {"required": ["hash", "conclusion", "number"]}},
}
EXPERIMENTS = {
    "id": {"type": "string"},
    "paper": {"type": "string"},
    "title": {"type": "string"},
    "schemes": {"type": "array", "items": {"type": "string"}},
    "profiles": {"type": "array", "items": {"enum": ["quick", "paper"]}},
}


def objects(properties: dict[str, object]) -> dict[str, object]:
    """A list of objects that have all of these."""
    item = {"type": "object", "required": list(properties), "properties": properties}
    return {"type": "array", "minItems": 1, "items": item}


LISTING = {
    "type": "object",
    "required": ["experiments", "claims"],
    "properties": {"experiments": objects(EXPERIMENTS), "claims": objects(CLAIM)},
}


def test_help_names_every_verb(project: Project) -> None:
    text = project.repro("--help").stdout
    assert all(re.search(rf"^ +{verb}\b", text, re.MULTILINE) for verb in VERBS)


def test_no_message_has_what_a_terminal_obeys(project: Project) -> None:
    done = project.repro("list", "a\x1b[31mb\rc")
    assert done.returncode == 1
    assert "unknown experiment 'a [31mb c'" in done.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(project: Project, verb: str) -> None:
    done = project.repro(verb, "--help")
    assert done.returncode == 0
    assert f"./repro {verb}" in done.stdout


def test_help_needs_no_set_up() -> None:
    done = subprocess.run([ROOT / "repro", "run", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "--dry-run" in done.stdout


def test_list_json_of_this_project(project: Project) -> None:
    here = project.environment | {"REPRO_HOME": str(ROOT)}
    done = subprocess.run(
        project.command("list", "--json"), env=here, capture_output=True, text=True, check=True
    )
    entries = json.loads(done.stdout)
    validate(entries, LISTING)
    assert {"afq-fig9", "afq-fig11", "afq-fig14"} <= {
        entry["id"] for entry in entries["experiments"]
    }
    assert {"afq", "own/afq"} <= {claim["paper"] for claim in entries["claims"]}


def test_list_json_before_and_after_a_run(project: Project, run_once: Project) -> None:
    before = json.loads(project.repro("list", "--json").stdout)
    validate(before, LISTING)
    assert {(c["conclusion"], c["number"], c["why"]) for c in before["claims"]} == {
        ("-", "-", "not run")
    }
    after = json.loads(run_once.repro("list", "--json").stdout)
    validate(after, LISTING)
    order, ratio, area = after["claims"]
    assert (order["conclusion"], order["number"], order["must_fail"]) == ("yes", "-", "no")
    assert order["effect"] == pytest.approx(3) and order["n"] == 2
    assert (ratio["conclusion"], ratio["number"], ratio["cause"]) == ("-", "off", None)
    assert ratio["factor"] == pytest.approx(2)
    assert (area["conclusion"], area["basis"]) == ("-", "not testable")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["bogus"], ["'bogus'", "run, test, list"]),
        (["run", "--bogus"], ["'--bogus'", "--profile"]),
        (["list", "--jso"], ["unknown argument '--jso'", "(did you mean '--json'?)"]),
        (["run", "bogus"], ["experiment 'bogus'", "tiny"]),
        (["run", "--profile", "huge"], ["--profile", "'huge'", "quick"]),
        (["run", "--jobs", "0"], ["--jobs", "'0'", "from 1"]),
        (["run", "--seeds", "-3"], ["--seeds"]),
        (["run", "--seeds", "9" * 5000], ["--seeds", "from 1 to 999999999"]),
        (["run", "--no-build", "--seeds", "9" * 9], ["tiny", "runs", "allowed"]),
        (["run", "--name", "../up"], ["--name", "'../up'", "letters"]),
        (["run", "--no-build", "--schemes", "bogus"], ["scheme 'bogus'", "fast", "slow", "odd"]),
        (["run", "--no-build", "--schemes", ","], ["--schemes", "','"]),
        (["run", "--all", "tiny"], ["--all", "'tiny'"]),
        (["run", "--", "--cores=2"], ["'--cores=2'", "--executor"]),
        (["sim", "bogus"], ["scenario 'bogus'", "fake"]),
        (["scratch", "bogus"], ["scratch program 'bogus'"]),
        (["check", "bogus"], ["experiment 'bogus'", "tiny"]),
        (["list", "--", "x"], ["'x'"]),
    ],
)
def test_bad_command_line(project: Project, words: list[str], named: list[str]) -> None:
    done = project.repro(*words)
    assert done.returncode == 1
    assert done.stderr.startswith("./repro")
    assert len(done.stderr.splitlines()) == 1
    assert all(part in done.stderr for part in named), done.stderr
    assert not project.executions()
    assert not list(project.home.glob("results/*/*"))


def test_output_folder_that_cannot_be_written(project: Project) -> None:
    (project.home / "results").write_text("a file where a folder should be")
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot write results" in done.stderr
    assert not project.executions()


def test_failed_simulation_is_named_and_the_rest_reported(project: Project) -> None:
    project.write(EXPERIMENT | {"arguments": {"fail": "fast"}})
    done = project.repro("run", "--no-build")
    assert done.returncode == 1
    assert "4 of the simulations failed" in done.stderr
    assert "tiny/quick/fast/load=0.3/seed-1: --fail: 'fast' is not allowed" in done.stderr
    assert (project.home / "out/results/unfinished/quick/tiny/runs.csv").read_text().count(
        "\nslow,"
    ) == 4
    verdicts = json.loads((project.home / "out/results/unfinished/claims.json").read_text())
    assert (verdicts[0]["conclusion"], verdicts[0]["why"]) == (
        "undecided",
        "no run of fast (load 0.3)",
    )


def test_no_machine_paths_in_the_project() -> None:
    """Files that git knows name no folder of one machine."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    home = str(Path.home())
    forbidden = re.compile(rf"(?<![\w.])/(?:home|Users|work)/|{re.escape(home)}/")
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        if path.suffix == ".png" or not path.is_file() or path == Path(__file__):
            continue
        found = forbidden.search(path.read_text(errors="replace"))
        assert not found, f"{name}: {found}"


def test_shell_script_is_executable_and_plain_sh() -> None:
    script = ROOT / "repro"
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith("#!/bin/sh\n")
    assert subprocess.run(["sh", "-n", script]).returncode == 0
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("exec ./repro test")


def test_a_scheme_is_no_program(project: Project) -> None:
    source = project.home / "scratch" / "schemes" / "mine.cc"
    source.parent.mkdir(parents=True)
    source.touch()
    for name in ("mine", "scratch/schemes/mine.cc"):
        done = project.repro("scratch", name)
        assert done.returncode == 1
        assert "scratch/schemes/mine.cc is a scheme" in done.stderr


def test_the_nearest_name_is_offered(project: Project) -> None:
    assert "did you mean 'tiny'?" in project.repro("run", "tniy").stderr
    assert "did you mean 'run'?" in project.repro("rnu").stderr


def test_neither_lists_nor_mistakes_wait_for_pandas(project: Project) -> None:
    asked = "from reproduce import cli; cli.main(['list']); cli.main(['run', 'tniy']); "
    asked += "import sys; print({'pandas', 'matplotlib'} & {*sys.modules})"
    done = subprocess.run(
        [*project.command()[:2], "-c", asked],
        env=project.environment,
        capture_output=True,
        text=True,
    )
    assert "tiny" in done.stdout and "did you mean 'tiny'?" in done.stderr
    assert done.stdout.endswith("\nset()\n")


def test_a_path_names_an_experiment(project: Project) -> None:
    assert "tiny" in project.repro("list", "experiments/tiny.yaml").stdout


def test_list_names_experiments_and_does_not_wrap_in_a_pipe(project: Project) -> None:
    project.write(EXPERIMENT | {"id": "other", "title": "T" * 300})
    assert "T" * 300 in project.repro("list").stdout
    assert "tiny" not in project.repro("list", "other").stdout
    assert project.repro("list", "bogus").returncode == 1


def test_version_is_that_of_the_citation() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == cli.VERSION


def test_completion_in_bash(project: Project) -> None:
    script = project.repro("completion", "bash").stdout
    for words, found in {
        "run ti": "tiny",
        "draw ti": "tiny",
        "sim f": "fake",
        "dr": "draw",
    }.items():
        ask = f"COMP_WORDS=(repro {words}) COMP_CWORD={len(words.split())}; _shtab_repro; "
        ask += 'echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True)
        assert done.stdout.split() == [found], done.stderr
    assert "#compdef repro" in project.repro("completion", "zsh").stdout
