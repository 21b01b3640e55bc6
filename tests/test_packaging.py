# SPDX-License-Identifier: GPL-2.0-only
"""Releases, and the modules below an ns-3 tree's contrib/.

A whole ns-3 is not built here: its `ns3` and `cmake` are stand-ins that note what they are told.
"""

import os
import re
import shutil
import subprocess
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from reproduce import build, cli

TAG = "SPDX-License-Identifier" + ": GPL-2.0-only"  # in two parts: this is not a file's tag
WITHOUT_COMMENTS = (".cdf", ".csv", ".ipynb", ".j2", ".json", ".png")
INTO = ROOT / "packaging" / "into-ns-3"
STORE = yaml.safe_load((ROOT / "packaging" / "app-store.yaml").read_text())
MODULES = re.search(r"^set\(SUITE_MODULES (.*)\)$", (ROOT / "CMakeLists.txt").read_text(), re.M)[
    1
].split()


@pytest.fixture
def ns3(tmp_path: Path) -> Path:
    """A folder that looks like an ns-3 source tree."""
    tree = tmp_path / "ns-3"
    (tree / "contrib").mkdir(parents=True)
    write_program(tree / "ns3", 'printf "%s\\n" "$@" >arguments')
    boost = tmp_path / "boost" / "boost"
    boost.mkdir(parents=True)
    (boost / "version.hpp").touch()
    return tree


def write_program(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nset -eu\n{body}\n")
    path.chmod(0o755)


def into(tree: Path, *words: str) -> subprocess.CompletedProcess:
    tools = tree.parent / "bin"
    environment = os.environ | {
        "PROFILE": "debug",
        "BOOST_INCLUDE": str(tree.parent / "boost"),
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
    }
    words = (str(INTO), str(tree), *words)
    return subprocess.run(words, env=environment, capture_output=True, text=True)


def building(tree: Path, made: list[str], failing: str = "none") -> None:
    """A `cmake --build` that makes these modules, and a runner in which one suite fails."""
    libraries = " ".join(f"build/lib/libns3.44-{name}-default.so" for name in made)
    runner = f'[ "$1" != --suite={failing} ]'
    body = f"mkdir -p build/lib build/utils\ntouch {libraries}\n"
    body += f"printf '#!/bin/sh\\n%s\\n' '{runner}' >build/utils/ns3.44-test-runner-default\n"
    write_program(tree.parent / "bin" / "cmake", body + "chmod +x build/utils/*")


def test_modules_are_linked_and_renewed(ns3: Path) -> None:
    assert into(ns3).returncode == 0
    assert into(ns3).returncode == 0  # ours are replaced
    assert sorted(path.name for path in (ns3 / "contrib").iterdir()) == sorted(MODULES)
    for name in MODULES:
        assert (ns3 / "contrib" / name).resolve() == ROOT / "src" / name
    assert into(ns3, "--copy").returncode == 0
    for name in MODULES:
        place = ns3 / "contrib" / name
        assert not place.is_symlink() and (place / "CMakeLists.txt").exists()


STAND_IN = """\
cmake_minimum_required(VERSION 3.25)
project(tree NONE)
set(BUILD_SHARED_LIBS ON)
macro(build_lib)
endmacro()
"""


def test_no_module_asks_for_a_variable_that_ns3_does_not_set(ns3: Path) -> None:
    """ns-3 configures with such warnings on."""
    into(ns3)
    (ns3 / "VERSION").write_text("3.99\n")
    lists = [f"add_subdirectory(contrib/{name})\n" for name in MODULES]
    named = "".join(path.read_text() for path in ROOT.glob("src/*/CMakeLists.txt"))
    known = [f"set(lib{lib} x)\n" for lib in set(re.findall(r"\$\{lib([a-z-]+)\}", named))]
    (ns3 / "CMakeLists.txt").write_text("".join([STAND_IN, *known, *lists]))
    command = [build.tool("cmake"), "--warn-uninitialized", "-S", ns3, "-B", ns3 / "cmake-cache"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "CMake Warning" not in done.stderr, done.stderr


def test_others_modules_are_left_alone(ns3: Path) -> None:
    other = ns3 / "contrib" / "kernel" / "CMakeLists.txt"
    other.parent.mkdir()
    other.write_text("build_lib(LIBNAME kernel)\n")
    done = into(ns3)
    assert done.returncode == 1
    assert "contrib/kernel is there and is not the suite's" in done.stderr
    assert other.exists()


def test_what_is_built_and_with_what(ns3: Path) -> None:
    building(ns3, MODULES)
    done = into(ns3, "--build")
    assert done.returncode == 0, done.stderr
    said = (ns3 / "arguments").read_text().splitlines()
    assert f"-DCMAKE_CXX_FLAGS=-isystem {ns3.parent / 'boost'}" in said
    assert "--build-profile=debug" in said
    enabled = next(word for word in said if word.startswith("--enable-modules="))
    named = set(enabled.split("=")[1].split(";"))
    assert set(MODULES) <= named
    linked = "".join(path.read_text() for path in ROOT.glob("src/**/CMakeLists.txt"))
    assert set(re.findall(r"\$\{lib([a-z-]+)\}", linked)) <= named


def test_a_module_that_ns3_leaves_out_is_named(ns3: Path) -> None:
    building(ns3, [name for name in MODULES if name != "drb"])
    done = into(ns3, "--build")
    assert done.returncode == 1
    assert done.stderr == "into-ns-3: ns-3 has left out drb\n"


def test_suites_run_and_failures_are_named(ns3: Path) -> None:
    building(ns3, MODULES, failing="meters")
    suites = [
        p.name.removesuffix("-test-suite.cc") for p in ROOT.glob("src/*/test/*-test-suite.cc")
    ]
    assert "meters" not in suites
    done = into(ns3, "--test")
    assert done.returncode == 0, done.stderr
    assert sorted(re.findall(r"^PASS (.+)$", done.stdout, re.M)) == sorted(suites)
    building(ns3, MODULES, failing=suites[0])
    done = into(ns3, "--test")
    assert done.returncode == 1
    assert f"failed: {suites[0]}\n" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name the folder"),
        (["nowhere"], "'nowhere' is no ns-3 source tree"),
        (["a", "b"], "one folder"),
        (["--bogus"], "unknown argument '--bogus'; allowed: --copy, --build, --test"),
    ],
)
def test_what_is_refused(words: list[str], said: str) -> None:
    done = subprocess.run([INTO, *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and said in done.stderr


@pytest.mark.parametrize("name", ["into-ns-3", "release", "try-slurm"])
def test_scripts_are_plain_sh_and_say_what_they_do(name: str) -> None:
    script = ROOT / "packaging" / name
    assert os.access(script, os.X_OK)
    assert script.read_text().startswith(f"#!/bin/sh\n# {TAG}\n")
    assert subprocess.run(["sh", "-n", script]).returncode == 0


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The last commit, with the packaging as it is here, in a repository of its own."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    home = tmp_path / "clone"
    for name in listed.stdout.split("\n"):
        wanted = name.startswith(("src/", "packaging/", "reproduce/")) or "/" not in name
        if (ROOT / name).is_file() and wanted:
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, home / name)
    shutil.copytree(ROOT / "packaging", home / "packaging", dirs_exist_ok=True)
    git(home, "init", "-q")
    commit(home)
    return home


def git(home: Path, *words: str) -> str:
    who = ["-c", "user.name=a tester", "-c", "user.email=tester@localhost"]
    done = subprocess.run(["git", *who, *words], cwd=home, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(home: Path) -> None:
    git(home, "add", "-A")
    git(home, "commit", "-qm", "a commit")


def release(home: Path, *words: str) -> subprocess.CompletedProcess:
    who = {"GIT_COMMITTER_NAME": "a tester", "GIT_COMMITTER_EMAIL": "tester@localhost"}
    command = [home / "packaging" / "release", *words]
    return subprocess.run(command, env=os.environ | who, capture_output=True, text=True)


@pytest.mark.slow
def test_a_dry_run_packs_and_tags_nothing(clone: Path) -> None:
    done = release(clone, cli.VERSION, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert git(clone, "tag") == ""
    packed = clone / "out" / "release"
    with tarfile.open(packed / f"dc-suite-contrib-{cli.VERSION}.tar.gz") as archive:
        names = set(archive.getnames())
    assert {name.split("/")[0] for name in names} == set(MODULES)
    assert all(f"{name}/CMakeLists.txt" in names for name in MODULES)
    with tarfile.open(packed / f"dc-suite-{cli.VERSION}.tar.gz") as archive:
        assert {name.split("/")[0] for name in archive.getnames()} == {f"dc-suite-{cli.VERSION}"}


@pytest.mark.slow
def test_a_release_is_tagged_once_its_version_stands_everywhere(clone: Path) -> None:
    changes = clone / "CHANGELOG.md"
    heading = re.compile(r"(?<=^## ).*$", re.M)
    changes.write_text(heading.sub("Unreleased", changes.read_text(), count=1))
    assert "CHANGELOG.md has no line '## " in release(clone, cli.VERSION).stderr
    assert "CITATION.cff has no line" in release(clone, "99.0.0").stderr
    assert "is no version" in release(clone, "one").stderr
    changes.write_text(heading.sub(cli.VERSION, changes.read_text(), count=1))
    citation = clone / "CITATION.cff"
    dated = re.compile(r"(?<=^date-released: ).*$", re.M)
    citation.write_text(dated.sub("2026-01-01", citation.read_text()))
    assert "no line 'date-released: " in release(clone, cli.VERSION).stderr
    citation.write_text(dated.sub(str(datetime.now(UTC).date()), citation.read_text()))
    assert "not committed" in release(clone, cli.VERSION).stderr
    commit(clone)
    done = release(clone, cli.VERSION)
    assert done.returncode == 0, done.stderr
    assert git(clone, "tag").split() == [f"v{cli.VERSION}"]
    assert "there already" in release(clone, cli.VERSION).stderr


def test_the_app_stores_page() -> None:
    assert len(STORE["app"]["abstract"]) <= 255  # the store's limit
    verified = (ROOT / "doc" / "ns-3-versions.md").read_text()
    assert all(name.removeprefix("ns-") in verified for name in STORE["release"]["require"])


def test_every_file_that_can_says_its_licence() -> None:
    """REUSE.toml speaks for all files; a file that has comments says it itself as well."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    silent = [
        name
        for name in listed.stdout.splitlines()
        if (ROOT / name).is_file()
        and (ROOT / name).suffix not in WITHOUT_COMMENTS
        and not re.match(r"LICENSE|.*VERSION|requirements.*\.txt|.*\.gitkeep|results/", name)
        and TAG not in (ROOT / name).read_text()[:1000]
    ]
    assert silent == []


def test_modules_say_only_what_every_ns3_understands() -> None:
    """ns-3 takes a word that its build_lib() does not know for the name of a library."""
    known = {"LIBNAME", "SOURCE_FILES", "HEADER_FILES", "LIBRARIES_TO_LINK", "TEST_SOURCES"}
    for path in ROOT.glob("src/*/CMakeLists.txt"):
        module = re.search(r"^build_lib\(\n(.*?)^\)", path.read_text(), re.M | re.S)
        assert module, path
        words = re.findall(r"^  ([A-Z_]+)\b", module[1], re.M)
        assert set(words) <= known, path
