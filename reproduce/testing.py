# SPDX-License-Identifier: GPL-2.0-only
"""./repro test: formatting, builds, C++ suites, figure numbers and the Python tests.

Every step runs even if an earlier one failed. Tests that build come after all that reads results,
which their commands write; they keep one core busy, and the sanitizers' build the others. The
test runners come last, so that a log ends with what they say.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from reproduce import build, cli, fuzz
from reproduce.errors import UserError
from reproduce.paths import HOME, show

# Besides the version in requirements-ns3.txt, one under the address and undefined-behaviour
# sanitizers as C++23: what they find does not depend on the version.
SANITIZED = ("3.43.post9", "-DSUITE_SANITIZE=ON", "-DCMAKE_CXX_STANDARD=23")
OLDEST = ("3.42.post2",)
FUZZ_RUNS, FUZZ_SEED = 200, 1
TESTS_ONLY = ("suite-test-runner",)
WERROR = "-DSUITE_WERROR=ON"
# For builds that nobody edits: what compiles soonest.
QUICK = ["-DSUITE_EXAMPLES=OFF", "-DSUITE_UNITY=20", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]


class StepError(Exception):
    """A step of the test run did not pass; its output has been shown."""


def _call(command: list[str | Path], folder: Path = HOME, **environment: str) -> None:
    """Runs a program with its output shown."""
    words = [str(word) for word in command]
    if subprocess.run(words, cwd=folder, env=build.environment() | environment).returncode:
        raise StepError(" ".join(words[:4]))


def cxx_files() -> list[Path]:
    """Our C++ sources."""
    rooms = ("src", "examples", "benchmarks", "scratch")
    return sorted(
        p for room in rooms for p in (HOME / room).rglob("*") if p.suffix in (".cc", ".h")
    )


def formatting() -> None:
    """clang-format and ruff find nothing to change."""
    if files := cxx_files():
        _call([build.tool("clang-format"), "--dry-run", "-Werror", *files])
    _call([build.tool("ruff"), "check", "-q", "reproduce", "tests"])
    _call([build.tool("ruff"), "format", "-q", "--check", "reproduce", "tests"])


def _cores() -> str:
    return str(len(os.sched_getaffinity(0)))


def _ctest(folder: Path) -> None:
    # The stacks of allocations, useless in a release build of ns-3, take most of a sanitized run.
    environment = build.environment() | {"ASAN_OPTIONS": "malloc_context_size=2"}
    command = [build.tool("ctest"), "--output-on-failure", "-j", _cores()]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="", end="", flush=True)
        raise StepError("ctest")
    print(next(line for line in done.stdout.splitlines() if "tests passed" in line), flush=True)


def other_wheel(version: str, *options: str) -> None:
    """The C++ suites against another ns-3 version."""
    folder = HOME / f"build-ns3-{version}"
    wheel = folder / "wheel"
    if not wheel.exists():
        _unpack_wheel(version, folder)
    (config,) = wheel.glob("ns3/lib*/cmake/ns3")
    build.build(TESTS_ONLY, folder, [f"-Dns3_DIR={config}", WERROR, *options, *QUICK])
    _ctest(folder)


def _unpack_wheel(version: str, folder: Path) -> None:
    """Downloads a wheel and unpacks it to folder/wheel; C++ needs nothing else of it."""
    download = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
    download += ["--no-deps", "--only-binary=:all:", "--python-version", "3.11"]
    download += ["--platform", "manylinux_2_28_x86_64", f"ns3=={version}", "-d", folder]
    _call(download)
    part = folder / "wheel.tmp"
    shutil.rmtree(part, ignore_errors=True)
    (file,) = folder.glob("ns3-*.whl")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(part)
    file.unlink()
    part.rename(folder / "wheel")


def each_source_alone(compiler: str) -> None:
    """Every source passes a compiler by itself, with warnings as errors, as in an ns-3 tree.

    Elsewhere a precompiled header, or a source before it in the same unit, may bring in what a
    source forgot to include. Here ns-3's headers are no system headers, as in its own tree: so a
    comparison of signs in one of its test macros is told.
    """
    folder = HOME / f"build-alone-{compiler}"
    options = ["-DSUITE_PCH=OFF", "-DSUITE_UNITY=1", "-DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON"]
    build.configure(folder, [*options, f"-DCMAKE_CXX_COMPILER={compiler}"])
    commands = json.loads((folder / "compile_commands.json").read_text())
    ours = [each for each in commands if not Path(each["file"]).is_relative_to(folder)]
    with ThreadPoolExecutor(int(_cores())) as workers:
        said = [*filter(None, workers.map(check_source, ours))]
    if said:
        raise StepError(f"{len(said)} of {len(ours)} sources\n" + "\n".join(said))


def check_source(entry: dict[str, str]) -> str:
    """The compiler's complaints about a source of compile_commands.json; nothing is written."""
    words = shlex.split(entry["command"])
    place = words.index("-o")
    del words[place : place + 2]
    # As ns-3's own --enable-werror, which also lets what is deprecated pass.
    words += ["-Wno-extra", "-Wsign-compare", "-Werror", "-Wno-error=deprecated-declarations"]
    words.append("-fsyntax-only")
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr


def clangs() -> list[str]:
    """The clang compilers of this machine by name."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    found = {path.name for folder in folders for path in Path(folder).glob("clang++*")}
    return sorted(name for name in found if re.fullmatch(r"clang\+\+(-\d+)?", name))


def clang_present() -> None:
    """The steps for clang are not left out because there is none."""
    if not clangs():
        raise StepError("no clang++ is installed")


def build_all() -> None:
    """Everything, with the default ns-3."""
    build.build(["all"])
    missing = [name for name in build.scenarios() if not build.program(name).exists()]
    if missing:
        raise StepError(f"not built: {', '.join(missing)}")


def figure_numbers() -> None:
    """CI's share of the runs still gives the numbers of the tables."""
    if cli.main(["check"]):
        raise StepError("repro check")


def fuzzed_input() -> None:
    """Random command lines and experiment files, the same every time."""
    if fuzz.run(FUZZ_RUNS, FUZZ_SEED):
        raise StepError("repro fuzz")


class BackgroundCommands:
    """Python modules with arguments, one after the other, each on a core, beside other steps."""

    def __init__(self, commands: Sequence[Sequence[str]]) -> None:
        self._commands = commands
        self._done: Future[list[subprocess.CompletedProcess]] | None = None

    def start(self) -> None:
        """Begins, and returns at once."""
        self._done = ThreadPoolExecutor(1).submit(lambda: [*map(self._run, self._commands)])

    def __call__(self) -> None:
        """Waits for the end, shows what was said, and raises if a command failed."""
        if not self._done:
            self.start()
        assert self._done
        ended = self._done.result()
        for one in ended:
            print(one.stdout, end="", flush=True)
        if failed := [one for one in ended if one.returncode]:
            raise StepError(" ".join(failed[0].args[2:]))

    @staticmethod
    def _run(words: Sequence[str]) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", *words],
            cwd=HOME,
            env=build.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def tshark_present() -> None:
    """On CI the test of packet captures may not be skipped."""
    if os.environ.get("CI") and not shutil.which("tshark"):
        raise StepError("tshark is not installed")


def cxx_suites() -> None:
    """The C++ suites, through ctest."""
    _ctest(build.BUILD)


def _pytest(which: str, fast: bool) -> list[str]:
    return ["pytest", "-q", "-m", f"{which} and not slow" if fast else which]


def python_tests(fast: bool) -> None:
    """pytest, on all cores, but for the tests that build in this clone."""
    _call([sys.executable, "-m", *_pytest("not xdist_group", fast), "-n", _cores()])


Step = tuple[str, Callable[[], None]]


def steps(fast: bool) -> list[Step]:
    """The steps of a test; `fast` leaves out long ones that seldom find more than the rest."""
    # The figures of results are what the code draws from their tables; the documents make a site.
    checks = [["reproduce", "draw", "--check", "--profile", p] for p in cli.PROFILES]
    documents = BackgroundCommands([*checks, ["reproduce", "docs"]])
    # One after the other: a build replaces the programs that the other tests run.
    builds = BackgroundCommands([_pytest("xdist_group", fast)])

    def unless_fast(*long: Step) -> list[Step]:
        return [] if fast else list(long)

    return [
        ("formatting", formatting),
        ("build", build_all),
        *unless_fast(("figures and documents begin", documents.start)),
        ("figure numbers", figure_numbers),
        *unless_fast(("fuzzed input", fuzzed_input), ("figures and documents", documents)),
        ("tshark", tshark_present),
        ("C++ suites", cxx_suites),
        ("Python tests", partial(python_tests, fast)),
        *unless_fast(
            ("Python tests that build begin", builds.start),
            (f"ns-3 {SANITIZED[0]}, sanitizers, C++23", partial(other_wheel, *SANITIZED)),
        ),
        ("Python tests that build", builds),
    ]


def other_steps() -> list[Step]:
    """Further steps: more than one run of CI has time for."""
    compilers = ["c++", *clangs()]
    alone = [(f"each source alone, {name}", partial(each_source_alone, name)) for name in compilers]
    return [
        ("clang", clang_present),
        *alone,
        (f"ns-3 {OLDEST[0]}", partial(other_wheel, *OLDEST)),
    ]


def run(chosen: Sequence[Step]) -> int:
    """Every step, whatever the others found; exit status 1 if one failed."""
    failed = [name for name, step in chosen if not _passes(name, step)]
    if failed:
        print(f"FAILED: {', '.join(failed)}", flush=True)
    return 1 if failed else 0


def _passes(name: str, step: Callable[[], None]) -> bool:
    print(f"== {name}", flush=True)
    start = time.monotonic()
    try:
        step()
    except (StepError, UserError) as error:
        print(f"== {name} FAILED: {error}", flush=True)
        return False
    if name not in ("C++ suites", "Python tests", "Python tests that build"):
        print(f"== {name} passed in {time.monotonic() - start:.0f} s", flush=True)
    return True


def clean(everything: bool) -> list[str]:
    """Removes builds and run output (with `everything` the virtual environment too)."""
    targets = [p for p in HOME.glob("build*") if (p / "CMakeCache.txt").exists()]
    targets += [HOME / "runs", *([HOME / ".venv"] if everything else [])]
    present = [path for path in targets if path.exists()]
    for path in present:
        shutil.rmtree(path)
    return [show(path) for path in present]
