# SPDX-License-Identifier: GPL-2.0-only
"""Carries runs out: Snakemake on this machine's cores, or on a cluster through its executors.

Which runs are needed is decided here (Run.fresh); Snakemake gets only those, so it starts only when
there is something to do. A killed sweep resumes because a finished run is fresh and an unfinished
one is not.
"""

import hashlib
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from reproduce import locks, origin, pins
from reproduce.errors import UserError
from reproduce.paths import RUNS, show
from reproduce.runs import Run, estimates

POLL_S = 1
SIGNALLED = 128  # a shell's exit status of a killed program, less the signal
PLAIN_LINE_S = 15  # between lines of progress when the output is not a terminal


@contextmanager
def _only_one() -> Iterator[IO[str]]:
    """Lets one sweep at a time write into runs/.

    Snakemake inherits the lock: it stays held while Snakemake lives, even if we were killed.
    """
    RUNS.mkdir(parents=True, exist_ok=True)
    path = RUNS / ".lock"
    with path.open("a+") as lock:
        if not locks.take(lock):
            who = locks.holder(path)
            raise UserError(f"another ./repro is running simulations in {show(RUNS)}: {who}")
        yield lock


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Clock:
    """Estimates the time left, correcting the estimates by how they fared so far."""

    def __init__(self, cost: dict[str, float], jobs: int) -> None:
        self.cost = cost
        self.jobs = jobs
        self.start = time.monotonic()

    def left(self, finished: set[str]) -> float:
        """Seconds until all runs are finished."""
        done = sum(self.cost[name] for name in finished)
        rest = sum(self.cost.values()) - done
        expected = rest / min(self.jobs, max(1, len(self.cost) - len(finished)))
        if not done:
            return expected
        pace = (time.monotonic() - self.start) / (done / self.jobs)
        return expected * pace


class _TimeLeft(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{duration(task.fields['left'])} left")


def plan_text(runs: list[Run], jobs: int) -> str:
    """What a dry run prints: each run that is needed and the estimated time."""
    cost = estimates(runs)
    names = {run.name: run.fresh for run in runs}  # experiments may share a run
    stale = {name: cost[name] for name, fresh in names.items() if not fresh}
    lines = [f"{seconds:8.1f} s  {name}" for name, seconds in stale.items()]
    total = Clock(stale, jobs).left(set()) if stale else 0
    lines.append(
        f"{len(stale)} runs to do, {len(names) - len(stale)} finished before; "
        f"about {duration(total)} with {jobs} jobs"
    )
    return "\n".join(lines)


def execute(runs: list[Run], jobs: int, executor: str | None, extra: list[str]) -> list[Run]:
    """Does the runs that are not fresh; returns those that failed."""
    stale = {run.name: run for run in runs if not run.fresh}
    if not stale:
        return []
    with _only_one() as lock:
        everything = estimates(runs)
        cost = {name: everything[name] for name in stale}
        plan = _write_plan(stale, cost, pins.pin(run.scenario for run in stale.values()))
        log = plan.with_suffix(".log")
        with log.open("w") as out:
            process = subprocess.Popen(
                _snakemake(plan, jobs, executor, extra),
                cwd=RUNS,
                stdout=out,
                stderr=subprocess.STDOUT,
                pass_fds=[lock.fileno()],
            )
            locks.note(lock, os.getpid(), process.pid)
            try:
                _follow(process, stale, Clock(cost, jobs))
            except KeyboardInterrupt:  # the terminal has interrupted Snakemake too
                process.wait()
                raise UserError("interrupted; the same command goes on from here") from None
        failed = [run for run in stale.values() if not run.fresh]
        if process.returncode and not any(_ending(run) for run in failed):
            last = [line for line in log.read_text().splitlines() if line.strip()][-1:]
            raise UserError(f"Snakemake failed: {' '.join(last) or 'no message'} ({show(log)})")
        return failed


def _write_plan(stale: dict[str, Run], cost: dict[str, float], programs: Path) -> Path:
    """The Snakefile's input, named after its content: a running sweep's plan never changes."""
    entries = {
        name: {
            "command": _pinned(run, programs),
            "key": run.key,
            "minutes": math.ceil(10 + 5 * cost[name] / 60),  # for cluster time limits
        }
        for name, run in stale.items()
    }
    content = json.dumps({"runs": entries}, indent=1)
    plan = RUNS / ".plans" / f"{hashlib.sha256(content.encode()).hexdigest()[:16]}.json"
    plan.parent.mkdir(exist_ok=True)
    plan.write_text(content)
    return plan


def _pinned(run: Run, programs: Path) -> str:
    """The command of a run for a shell, by the sweep's own programs, under its own name."""
    own = programs.relative_to(RUNS)
    path = f"{own / 'lib'}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"
    settings = origin.environment() | {"LD_LIBRARY_PATH": path}
    words = [f'{name}="{value}"' for name, value in settings.items()]
    name, *arguments = run.command
    program = shlex.join([str(own / "bin" / run.scenario), *arguments])
    return f"export {' '.join(words)}; exec -a {shlex.quote(name)} {program}"


def _snakemake(plan: Path, jobs: int, executor: str | None, extra: list[str]) -> list[str]:
    """The command line. Nobody else runs here (_only_one), so a lock or a mark is a dead one's."""
    snakefile = Path(__file__).with_name("Snakefile")
    base = [sys.executable, "-m", "snakemake", "--snakefile", str(snakefile)]
    base += ["--config", f"plan={plan.relative_to(RUNS)}"]
    locks = RUNS / ".snakemake" / "locks"
    if locks.exists() and any(locks.iterdir()):
        subprocess.run([*base, "--unlock"], cwd=RUNS, capture_output=True)
    where = ["--executor", executor, "--jobs", str(jobs)] if executor else ["--cores", str(jobs)]
    always = ["--rerun-incomplete", "--keep-going", "--rerun-triggers", "mtime", "--nocolor"]
    always += ["--scheduler", "greedy"]  # the other solves a linear program per finished run
    return [*base, *where, *always, "--forceall", *extra]


def _follow(process: subprocess.Popen, stale: dict[str, Run], clock: Clock) -> None:
    """Shows progress until Snakemake ends: a bar on a terminal, else a line now and then."""
    console = Console(stderr=True)
    total = len(stale)
    finished: set[str] = set()
    columns = (TextColumn("{task.completed}/{task.total} runs"), BarColumn(), _TimeLeft())
    last_line = time.monotonic()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total, left=clock.left(finished))
        while process.poll() is None:
            finished |= {n for n, run in stale.items() if n not in finished and run.fresh}
            left = clock.left(finished)
            progress.update(task, completed=len(finished), left=left)
            if progress.disable and time.monotonic() - last_line > PLAIN_LINE_S:
                last_line = time.monotonic()
                print(f"{len(finished)}/{total} runs, {duration(left)} left", file=sys.stderr)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=POLL_S)
        finished = {name for name, run in stale.items() if run.fresh}
        progress.update(task, completed=len(finished), left=0)
    took = duration(time.monotonic() - clock.start)
    print(f"{len(finished)}/{total} runs done in {took}", file=sys.stderr)


def _ending(run: Run) -> str:
    """How a failed simulation ended: the last line it wrote to stderr, else its exit status."""
    lines = _content(run.folder / "errors.txt").splitlines()
    status = _content(run.folder / "status.txt")
    if lines or not status.isdecimal():
        return lines[-1] if lines else ""
    number = int(status)
    if number <= SIGNALLED:
        return f"ended with exit status {number} and no message"
    name = signal.strsignal(number - SIGNALLED) or "unknown"
    hint = ", perhaps by the system, for memory" if number - SIGNALLED == signal.SIGKILL else ""
    return f"ended by signal {number - SIGNALLED} ({name}){hint}"


def _content(path: Path) -> str:
    return path.read_text(errors="replace").strip() if path.exists() else ""


def failure_report(failed: list[Run]) -> str:
    """One line per failed run, the first ten."""
    lines = [f"{run.name}: {_ending(run) or 'was not run to its end'}" for run in failed[:10]]
    lines += [f"... and {len(failed) - 10} more"] if len(failed) > 10 else []
    return f"{len(failed)} of the simulations failed:\n" + "\n".join(lines)


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0))
