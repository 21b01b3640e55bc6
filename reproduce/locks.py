# SPDX-License-Identifier: GPL-2.0-only
"""Locks between several ./repro in one clone. The system releases them when their holder ends."""

import fcntl
import os
import shlex
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def _command(pid: int) -> str | None:
    """The command line of a process, in one line; nothing if it has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass  # somebody else's
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")[:-1]
    except OSError:
        words = []
    return textwrap.shorten(shlex.join(words), 100, placeholder=" ...")


def write_holders(lock: IO[str], *pids: int) -> None:
    """Writes into a lock which processes hold it."""
    lock.seek(0)
    lock.truncate()
    lock.write("".join(f"{pid}\n" for pid in pids))
    lock.flush()


def holder(path: Path) -> str:
    """The processes that hold a lock, with their command lines."""
    pids = [int(word) for word in path.read_text().split() if word.isdecimal()]
    alive = [(pid, command) for pid in pids if (command := _command(pid)) is not None]
    if not alive:
        return "a process that has not said which"
    pid, command = alive[0]
    return f"process {pid} ({command})" if command else f"process {pid}"


def take(lock: IO[str]) -> bool:
    """Takes the lock if it is free; false if it is not."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    write_holders(lock, os.getpid())
    return True


@contextmanager
def waiting(path: Path, what: str) -> Iterator[None]:
    """Lets one process at a time do something; others wait, and say for whom."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as lock:
        if not take(lock):
            print(f"waiting for {holder(path)}, which {what}", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
            write_holders(lock, os.getpid())
        yield
