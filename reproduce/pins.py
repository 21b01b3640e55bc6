# SPDX-License-Identifier: GPL-2.0-only
"""The programs of a sweep, kept as they were when it started: a build meanwhile changes nothing.

Programs and libraries are copied below runs/, in a folder named after their content. The loader
looks for libraries in LD_LIBRARY_PATH before it looks where the program says.
"""

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from reproduce import build, programs
from reproduce.errors import UserError
from reproduce.files import replacing
from reproduce.paths import BUILD, RUNS, show

FOLDER = RUNS / ".programs"


def pin(names: Iterable[str]) -> Path:
    """Copies programs and the libraries they may load; removes what earlier sweeps had.

    Called by the one sweep that there is at a time.
    """
    wanted = [*sorted(build.program(name) for name in set(names)), *programs.libraries()]
    digest = hashlib.sha256()
    for path in wanted:
        digest.update(f"{path.name}\0".encode() + programs.content(path))
    home = FOLDER / digest.hexdigest()[:16]
    if FOLDER.exists():
        for old in FOLDER.iterdir():
            if old != home:
                shutil.rmtree(old)
    for path in wanted:
        copy = home / path.relative_to(BUILD)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.exists():
            with replacing(copy) as part:
                shutil.copy2(path, part)
        if hashlib.sha256(copy.read_bytes()).digest() != programs.content(path):
            shutil.rmtree(home)
            raise UserError(f"{show(path)} was built anew meanwhile; the same command starts again")
    return home
