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
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

import psutil
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from reproduce import locks, origin, pins, progress
from reproduce.errors import UserError
from reproduce.paths import RUNS, show
from reproduce.runs import Run, estimates

POLL_S = 1
GRACE_S = 5  # for Snakemake to end by itself, with its jobs
SHARE_THAT_TELLS = 0.05  # of a simulation done: from then on its own pace says when it ends
GOES_ON = "the same command goes on from here"
SIGNALLED = 128  # a shell's exit status of a killed program, less the signal


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


class _TerminatedError(Exception):
    """Somebody wants this process to end: SIGTERM, or a terminal that was closed."""


@contextmanager
def _terminable() -> Iterator[None]:
    """Within it, the first SIGTERM or SIGHUP is a _TerminatedError: Snakemake must not outlive us.

    Under nohup SIGHUP stays ignored.
    """
    ending = (signal.SIGTERM, signal.SIGHUP)
    numbers = [number for number in ending if signal.getsignal(number) != signal.SIG_IGN]

    def terminate(number: int, frame: FrameType | None) -> NoReturn:
        for one in numbers:  # `timeout` sends it twice
            signal.signal(one, lambda *_: None)
        raise _TerminatedError

    if threading.current_thread() is not threading.main_thread():
        yield  # Python allows no handler there
        return
    before = {number: signal.signal(number, terminate) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(process: subprocess.Popen) -> None:
    """Ends Snakemake and its simulations: as by a terminal's interrupt, if need be by force."""
    try:
        snakemake = psutil.Process(process.pid)
        family = [snakemake, *snakemake.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # else the family ignores it, too
        family = _send(signal.SIGINT, family, GRACE_S)
    _send(signal.SIGKILL, family, None)


def _send(
    number: int, family: list[psutil.Process], patience: float | None
) -> list[psutil.Process]:
    """Sends a signal, to the first one first; returns those that live on after so many seconds."""
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.send_signal(number)
    return psutil.wait_procs(family, timeout=patience)[1]


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


class Clock:
    """Estimates the time left.

    What is to come takes as long as was thought, times how long what has come took against what was
    thought of it. A run's worth of trust in the estimates keeps that from jumping at the first run.
    """

    def __init__(self, cost: dict[str, float], jobs: int) -> None:
        self.cost = cost
        self.jobs = jobs
        self.start = time.monotonic()

    def left(self, took: dict[str, float], running: dict[str, "Running"]) -> float:
        """Seconds until all runs are finished, by what the finished ones took."""
        late = {n: one.elapsed for n, one in running.items() if one.elapsed > self.cost[n]}
        seen = took | late
        trust = sum(self.cost.values()) / max(1, len(self.cost))
        thought = trust + sum(self.cost[name] for name in seen)
        pace = (trust + sum(seen.values())) / thought if thought else 1
        rest = [
            running[name].left(cost * pace) if name in running else cost * pace
            for name, cost in self.cost.items()
            if name not in took
        ]
        return max(sum(rest) / self.jobs, *rest) if rest else 0


@dataclass(frozen=True)
class Running:
    """A simulation at work."""

    elapsed: float  # s
    share: float  # of what it simulates, as it says; 0 if it says nothing

    def left(self, expected: float) -> float:
        """Seconds until it ends: by what it says once that tells something, else as expected."""
        if self.share > SHARE_THAT_TELLS:
            return self.elapsed * (1 - self.share) / self.share
        return max(expected - self.elapsed, SHARE_THAT_TELLS * expected)

    @classmethod
    def of(cls, run: Run, since: float) -> "Running | None":
        """The progress of a run that was started after a time; nothing if it has not or is over."""
        if (run.folder / "status.txt").exists():
            return None
        try:
            began = min(
                (run.folder / name).stat().st_mtime for name in ("output.txt", "errors.txt")
            )
        except OSError:
            return None
        percent = _content(run.folder / "progress.txt").strip("% ")
        share = float(percent) / 100 if percent.isdecimal() else 0
        return cls(max(0, time.time() - began), share) if began >= since else None


class _TimeLeft(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{duration(task.fields['left'])} left")


def plan_text(runs: list[Run], jobs: int) -> str:
    """The text of a dry run: each run that is needed and the estimated time."""
    cost = estimates(runs)
    names = {run.name: run.fresh for run in runs}  # experiments may share a run
    stale = {name: cost[name] for name, fresh in names.items() if not fresh}
    lines = [f"{seconds:8.1f} s  {name}" for name, seconds in stale.items()]
    total = Clock(stale, jobs).left({}, {})
    lines.append(
        f"{len(stale)} runs to do, {len(names) - len(stale)} finished before; "
        f"about {duration(total)} with {jobs} jobs"
    )
    return "\n".join(lines)


def execute(runs: list[Run], jobs: int, executor: str | None, extra: list[str]) -> list[Run]:
    """Does the runs that are not fresh; returns those that failed.

    Who interrupts or terminates it wants the process to end, a user's Python program, too: what is
    raised then is no Exception.
    """
    stale = {run.name: run for run in runs if not run.fresh}
    if not stale:
        return []
    for run in stale.values():
        if run.damage:
            print(f"{show(run.folder)} is run again: {run.damage}", file=sys.stderr)
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
            with _terminable():
                try:
                    locks.write_holders(lock, os.getpid(), process.pid)
                    _follow(process, stale, Clock(cost, jobs))
                except KeyboardInterrupt:
                    with suppress(subprocess.TimeoutExpired):  # a terminal tells Snakemake, too
                        process.wait(GRACE_S)
                    if process.poll() is None:
                        _end(process)
                    raise KeyboardInterrupt(f"interrupted; {GOES_ON}") from None
                except _TerminatedError:
                    _end(process)
                    raise SystemExit(f"./repro: terminated; {GOES_ON}") from None
        failed = [run for run in stale.values() if not run.fresh]
        if process.returncode and not any(_ending(run) for run in failed):
            raise UserError(f"Snakemake failed: {_complaint(log)} ({show(log)})")
        return failed


def _complaint(log: Path) -> str:
    """The message of a failure: the last error of a cluster's commands, else the last line."""
    lines = [line.strip() for line in log.read_text().splitlines() if line.strip()]
    told = [line for line in lines if re.match(r"\w+: error: ", line)]
    return (told or lines or ["no message"])[-1]


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
    settings["SUITE_PROGRESS"] = f"{run.name}/progress.txt"
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
    always = ["--rerun-incomplete", "--keep-going", "--nocolor"]
    always += ["--scheduler", "greedy"]  # the other solves a linear program per finished run
    return [*base, *where, *always, "--forceall", *extra]


def _follow(process: subprocess.Popen, stale: dict[str, Run], clock: Clock) -> None:
    """Shows progress until Snakemake ends: a bar on a terminal, else a line now and then."""
    console = Console(stderr=True)
    total = len(stale)
    since = time.time() - 1  # file systems round
    took: dict[str, float] = {}
    columns = (
        TextColumn("{task.completed}/{task.total} runs"),
        BarColumn(),
        _TimeLeft(),
        TextColumn("{task.description}", markup=False),
    )
    plain = progress.Lines()
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total, left=clock.left({}, {}))
        while process.poll() is None:
            for name, run in stale.items():
                if name not in took and run.fresh:
                    took[name] = run.measured_seconds() or clock.cost[name]
            seen = {n: Running.of(run, since) for n, run in stale.items() if n not in took}
            running = {name: one for name, one in seen.items() if one}
            left = clock.left(took, running)
            bar.update(task, completed=len(took), left=left, description=describe_running(running))
            if bar.disable:
                words = [
                    f"{len(took)}/{total} runs",
                    f"{duration(left)} left",
                    describe_running(running),
                ]
                plain.tell(", ".join(word for word in words if word))
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=POLL_S)
        finished = [name for name, run in stale.items() if run.fresh]
        bar.update(task, completed=len(finished), left=0, description="")
    spent = duration(time.monotonic() - clock.start)
    print(f"{len(finished)}/{total} runs done in {spent}", file=sys.stderr)


def describe_running(running: dict[str, Running]) -> str:
    """The run that is longest at work, how far it is, and how many there are beside it."""
    if not running:
        return ""
    name, one = max(running.items(), key=lambda item: item[1].elapsed)
    how_far = f"{one.share:.0%} of it, " if one.share else ""
    others = f" and {len(running) - 1} more" if len(running) > 1 else ""
    return f"at {name} ({how_far}{duration(one.elapsed)}){others}"


def _ending(run: Run) -> str:
    """The end of a failed simulation: the last line it wrote to stderr, else its exit status."""
    lines = _content(run.folder / "errors.txt").splitlines()
    status = _content(run.folder / "status.txt")
    if lines or not status.isdecimal():
        return lines[-1] if lines else ""
    number = int(status)
    return ended(number) + (" and no message" if number <= SIGNALLED else "")


def ended(status: int) -> str:
    """The end of a program in words, by its exit status as a shell tells it."""
    if status <= SIGNALLED:
        return f"ended with exit status {status}"
    number = status - SIGNALLED
    name = signal.strsignal(number) or "unknown"
    hint = ", perhaps by the system, for memory" if number == signal.SIGKILL else ""
    return f"ended by signal {number} ({name}){hint}"


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
