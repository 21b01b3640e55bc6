# SPDX-License-Identifier: GPL-2.0-only
"""Simulations from a script: found again, in parallel, as DataFrames."""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from conftest import Project

from reproduce import api, build
from reproduce.errors import UserError

# The fake project has nothing to build.
START = """
from reproduce import build
build.build = lambda targets: None
from reproduce import sim, sweep
"""


def script(project: Project, text: str, folder: Path | None = None) -> subprocess.CompletedProcess:
    """Runs a script in a project's folder, or another."""
    return subprocess.run(
        [sys.executable, "-c", START + text],
        env=project.environment,
        cwd=folder or project.home,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_simulation_is_run_once_and_gives_tables(project: Project) -> None:
    text = """
for _ in range(2):
    run = sim("fake", scheme="fast", load=0.5, seed=3)
print(run.results["load"], len(run.flows), run.manifest["rng_run"], run.arguments["scheme"])
print(run, run.table("flows")["bytes"].max(), (run.folder / "run.json").exists())
"""
    done = script(project, text)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0.5 4 3 fast\n<run scheme=fast load=0.5 seed=3> 1000000 True\n"
    assert len(project.executions()) == 1


def test_what_an_experiment_ran_is_found_from_any_folder(finished: Project, tmp_path: Path) -> None:
    before = finished.executions()
    grid = "scheme=['fast', 'slow'], load=[0.3, 0.7], sleep=0, seeds=2"
    text = f"print(len(sweep('fake', {grid}).flows))"
    done = script(finished, text, tmp_path)
    assert done.stdout == "32\n", done.stderr
    assert finished.executions() == before


@pytest.mark.parametrize(
    ("number", "all_are_told"),
    [(signal.SIGTERM, False), (signal.SIGINT, False), (signal.SIGINT, True)],
)
def test_a_signal_is_no_error_of_a_simulation(
    project: Project, number: int, all_are_told: bool
) -> None:
    text = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    sim("fake", scheme="fast", load=0.5, sleep=60)
except Exception:
    print("passed over")
print("went on")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", START + text],
        env=project.environment,
        cwd=project.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not project.executions() and time.monotonic() < deadline:
        time.sleep(0.05)
    if all_are_told:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    told, errors = process.communicate(timeout=60)
    assert told == ""
    assert "ed; the same command goes on from here" in errors.splitlines()[-1]
    assert process.returncode in (1, -signal.SIGINT)


@pytest.mark.parametrize("name", ["RngRun", "out", "from"])
def test_what_is_no_argument(project: Project, name: str) -> None:
    done = script(project, f"sim('fake', **{{'{name}': 1}})")
    assert done.returncode == 1
    assert f"UserError: '{name}' is not an argument" in done.stderr


def test_a_grid_is_a_table(project: Project) -> None:
    text = """
spec = {"slow": {"Delay": 2}}
runs = sweep("fake", scheme=["fast", spec], load=[0.3, 0.7], seeds=2, jobs=2)
print(len(runs), list(runs.results.columns)[:3], runs.results["scheme"].unique().tolist())
flows = runs.flows.groupby(["scheme", "load", "seed"])["fct_ns"].mean()
print(len(flows), flows.iloc[-1] > flows.iloc[0], sorted({run.seed for run in runs}))
print(len(sweep("fake", scheme="fast", load=0.3, seeds=[2, 5])))
"""
    done = script(project, text)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "8 ['scheme', 'load', 'seed'] ['fast', 'slow:Delay=2']",
        "8 True [1, 2]",
        "2",
    ]
    assert len(project.executions()) == 8 + 1  # the last sweep had seed 2 already


@pytest.mark.slow
def test_what_was_built_anew_is_run_anew(project: Project) -> None:
    text = """
import pathlib
sim("fake", scheme="fast", load=0.5)
program = pathlib.Path("build/bin/fake")
program.write_text(program.read_text() + "# another\\n")
sim("fake", scheme="fast", load=0.5)
"""
    done = script(project, text)
    assert done.returncode == 0, done.stderr
    assert len(project.executions()) == 2


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("sim('fake', scheme='fast', load=0.5, fail='fast')", "--fail: 'fast' is not allowed"),
        ("sim('fcd')", "unknown scenario 'fcd'; allowed: fake"),
        ("sweep('fake', load=[])", "a list is empty"),
    ],
)
def test_what_is_refused(project: Project, call: str, said: str) -> None:
    done = script(project, call)
    assert "UserError" in done.stderr.splitlines()[-1] or "UserError" in done.stderr
    assert said in done.stderr


def test_runs_of_the_same_arguments_share_a_folder() -> None:
    one = api._run("fct", {"load": 0.5, "scheme": "afq"}, 1)
    other = api._run("fct", {"scheme": "afq", "load": 0.5}, 1)
    assert one.folder == other.folder
    assert one.folder != api._run("fct", {"scheme": "afq", "load": 0.6}, 1).folder
    with pytest.raises(UserError, match="nothing to run"):
        api.sweep("fct", seeds=[])


def test_help_needs_nothing_installed() -> None:
    home = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import reproduce, sys; print('pandas' in sys.modules)"],
        cwd=home,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "False\n", done.stderr


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup")
def test_the_page_works() -> None:
    page = (build.HOME / "doc" / "from-python.md").read_text()
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.M | re.S))
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=build.HOME, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "dctcp" in done.stdout and "tcp:EdgeBuffer=300kB" in done.stdout


@pytest.mark.slow
@pytest.mark.xdist_group("clone")
@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup")
def test_the_notebook_works() -> None:
    """As a script; ./repro docs executes it as a notebook."""
    path = build.HOME / "doc" / "tutorial.ipynb"
    notebook = nbformat.read(path, nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and not any(cell.outputs for cell in cells)  # made when it is executed
    code = "\n".join(cell.source for cell in cells) + "\nprint(slowdown.to_csv())"
    words = [sys.executable, "-c", code]
    environment = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run(words, cwd=build.HOME, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(done.stdout.split("\n\n")[0].splitlines()))
    assert [row["load"] for row in rows] == ["0.3", "0.6"]
    assert all(float(row[scheme]) > 1 for row in rows for scheme in ("tcp", "dctcp", "afq"))
