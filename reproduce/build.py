# SPDX-License-Identifier: GPL-2.0-only
"""Builds the C++ side with the CMake and Ninja of the virtual environment."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from reproduce import locks, progress
from reproduce.errors import UserError, unknown
from reproduce.paths import BUILD, HOME, show

TAIL = 40  # lines of compiler output shown on failure
# What Ninja does at every call to see whether CMake must run again builds nothing.
STEP = re.compile(r"\[(\d+)/(\d+)\] (?!Re-)")
BIN = Path(sys.executable).parent
TYPE_ID = re.compile(r'\bTypeId\(\s*"([\w:]+)"\s*\)')  # where a class is registered
ROWS = re.compile(r"\bSchemeRows\b.*?\};", re.S)
# The name of a scheme that is a row; attributes within it begin with a capital.
ROW = re.compile(r'\{\s*"([a-z0-9][\w-]*)"\s*,')
OWN_NAME = r"[A-Za-z0-9_-]+"  # of a file in scratch/schemes, as in CMakeLists.txt


def tool(name: str) -> str:
    """A program of the virtual environment, else the one on the PATH."""
    return str(BIN / name) if (BIN / name).exists() else name


def environment() -> dict[str, str]:
    """The environment for builds: the virtual environment's programs come first."""
    return os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}


def scenarios() -> list[str]:
    """The names of the programs, one per file in examples/ and in a paper's src/PAPER/examples."""
    return sorted(
        path.stem
        for folder in ("examples", "src/*/examples")
        for path in HOME.glob(f"{folder}/*.cc")
    )


def scratch_programs() -> list[str]:
    """The names of the programs in scratch/."""
    return sorted(path.stem for path in (HOME / "scratch").glob("*.cc"))


def configure(folder: Path = BUILD, options: Iterable[str] = ()) -> None:
    """Runs CMake once; Ninja re-runs it by itself when a CMakeLists.txt changes.

    The environment variable SUITE_CMAKE_ARGS adds options (for example another ns-3); those of
    the caller come last and prevail.
    """
    wanted = [*shlex.split(os.environ.get("SUITE_CMAKE_ARGS", "")), *options]
    stamp = folder / "repro-options"
    content = shlex.join([f"-S{HOME}", f"-B{folder}", *wanted])
    if stamp.exists() and stamp.read_text() == content:
        return
    command = [tool("cmake"), "-S", str(HOME), "-B", str(folder), "-G", "Ninja", *wanted]
    if not _is_cache_of(folder):
        command.append("--fresh")  # a copied folder would go on building into the original
    command.append(f"-DPython3_EXECUTABLE={sys.executable}")
    done = subprocess.run(command, capture_output=True, text=True, env=environment())
    if done.returncode:
        raise UserError(f"CMake failed in {show(folder)}:\n" + _tail(done.stdout + done.stderr))
    stamp.write_text(content)


def _is_cache_of(folder: Path) -> bool:
    """True if CMake's cache in a folder is of this folder and this clone."""
    cache = folder / "CMakeCache.txt"
    text = cache.read_text(errors="replace") if cache.exists() else ""
    known = dict(
        re.findall(r"^(CMAKE_HOME_DIRECTORY|CMAKE_CACHEFILE_DIR):INTERNAL=(.*)$", text, re.M)
    )
    return known == {"CMAKE_HOME_DIRECTORY": str(HOME), "CMAKE_CACHEFILE_DIR": str(folder)}


def build(targets: Iterable[str], folder: Path = BUILD, options: Iterable[str] = ()) -> None:
    """Builds the targets ("all" for everything), showing progress.

    One ./repro at a time builds in a folder; others wait.
    """
    with locks.waiting(folder / ".repro-lock", f"builds in {show(folder)}"):
        configure(folder, options)
        if done := _ninja(targets, folder):
            raise UserError("the build failed:\n" + _tail(done))
        if folder == BUILD:
            _build_own_schemes(folder)


def _own_schemes() -> tuple[list[str], dict[str, str]]:
    """The files of scratch/schemes to build, by name, and why which others are left out.

    A class that is registered twice would end every program, or be its namesake silently, and so
    would a row.
    """
    known = {
        name: path.relative_to(HOME)
        for path in (HOME / "src").glob("*/*/*.cc")
        for name in _registered(path)
    }
    names, left_out = [], {}
    for path in sorted((HOME / "scratch" / "schemes").glob("*.cc")):
        if not path.exists():
            continue  # a link to nowhere, as editors leave it there
        own = _registered(path)
        if not re.fullmatch(OWN_NAME, path.stem):
            left_out[path.stem] = "a file's name has letters, digits, '_' and '-' only"
        elif taken := next((name for name in own if name in known), None):
            left_out[path.stem] = f"its {taken} is in {known[taken]} already"
        else:
            names.append(path.stem)
            known |= dict.fromkeys(own, path.relative_to(HOME))
    return names, left_out


def _registered(path: Path) -> list[str]:
    """The classes and rows of schemes that a source registers: "class ns3::X", "scheme x"."""
    text = path.read_text(errors="replace")
    rows = [name for rows in ROWS.findall(text) for name in ROW.findall(rows)]
    return [f"class {name}" for name in TYPE_ID.findall(text)] + [f"scheme {name}" for name in rows]


def _build_own_schemes(folder: Path) -> None:
    """Builds the user's own schemes; one that cannot be is told, and no program knows it."""
    names, left_out = _own_schemes()
    output = _ninja(["-k", "0", *(f"own-{name}" for name in names)], folder) if names else ""
    # Ninja says of each file that failed its name, the command and what the compiler said.
    for part in output.split("FAILED: ")[1:]:
        if found := re.match(r"(?:\[code=\d+\] )?\S*?own-([^/]+?)(?:\.dir/|\.so)", part):
            lines = [line for line in part.splitlines()[2:] if "error" in line.lower()]
            said = lines[0].removeprefix(f"{HOME}/") if lines else "the linker failed"
            left_out[found[1]] = said.removeprefix(f"scratch/schemes/{found[1]}.cc").lstrip(":")
    for name, why in left_out.items():
        print(f"scratch/schemes/{name}.cc is left out: {why}", file=sys.stderr)
    for library in (folder / "lib").glob("libsuite-own*.so"):
        name = library.stem.removeprefix("libsuite-own-")
        if name in left_out or name not in names:
            library.unlink()


def _ninja(targets: Iterable[str], folder: Path) -> str:
    """Builds targets; returns what Ninja printed if it failed, else nothing."""
    command = [tool("ninja"), "-C", str(folder), *targets]
    lines: list[str] = []
    moving = sys.stderr.isatty()
    plain = progress.Lines()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment()
    )
    assert process.stdout
    steps = ""
    for line in process.stdout:
        lines.append(line.rstrip())
        if (counter := STEP.match(line)) and int(counter[1]) > 0:
            steps = counter[2]
            said = f"building {counter[1]}/{steps}"
            if moving:
                print(f"\r{said}", end="", flush=True, file=sys.stderr)
            else:
                plain.tell(said)
    if steps:
        print("\r" * moving + f"built {steps} steps in {show(folder)}", file=sys.stderr)
    return "\n".join(lines) if process.wait() else ""


def _tail(text: str) -> str:
    """The end of a compiler's output, from the first error if that is within reach."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if "error" in line.lower()), len(lines) - TAIL)
    return "\n".join(lines[max(0, first - 2) :][:TAIL])


def program(name: str, folder: Path = BUILD) -> Path:
    """The path of a built program."""
    return folder / "bin" / name


def program_name(text: str) -> str:
    """The name of a program, given that or the path of its source, as the shell completes it."""
    return Path(text).name.removesuffix(".cc")


def check_scenario(name: str) -> None:
    """Raises if there is no such scenario."""
    if name not in scenarios():
        raise unknown("scenario", name, scenarios())


def check_scratch(name: str) -> None:
    """Raises if there is no such scratch program."""
    if (HOME / "scratch" / "schemes" / f"{name}.cc").exists():
        raise UserError(
            f"scratch/schemes/{name}.cc is a scheme, which every scenario knows: "
            "./repro sim fct -- --scheme=help"
        )
    if name not in scratch_programs():
        raise unknown("scratch program", name, scratch_programs() or ["(scratch/ is empty)"])
