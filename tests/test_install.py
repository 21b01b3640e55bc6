# SPDX-License-Identifier: GPL-2.0-only
"""The installed suite in a project outside the clone, as doc/ns-3-versions.md has it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

from reproduce import build

LISTS = re.search(
    r"^```cmake\n(.*?)^```$", (ROOT / "doc" / "ns-3-versions.md").read_text(), re.M | re.S
)[1]
PROGRAM = build.program("stock-bottleneck")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PROGRAM.exists(), reason="needs the build: ./repro test"),
]


def cmake(*words: str | Path) -> str:
    done = subprocess.run(
        [build.tool("cmake"), *map(str, words)],
        capture_output=True,
        text=True,
        env=build.environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_program_outside_the_clone_finds_the_installed_suite(tmp_path: Path) -> None:
    prefix, project = tmp_path / "prefix", tmp_path / "project"
    cmake("--install", build.BUILD, "--prefix", prefix)
    project.mkdir()
    (project / "CMakeLists.txt").write_text(LISTS)
    assert len(LISTS.splitlines()) == 5
    stock = ROOT / "examples" / "stock"
    shutil.copy(stock / "stock-bottleneck.cc", project / "mine.cc")
    shutil.copy(stock / "dumbbell.h", project)
    cmake("-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    cmake("--build", project / "build")

    mine = project / "build" / "mine"
    loaded = subprocess.run(["ldd", mine], capture_output=True, text=True, check=True).stdout
    ours = [line.split()[2] for line in loaded.splitlines() if "libsuite-" in line]
    assert ours and all(path.startswith(f"{prefix}/") for path in ours)
    said = [subprocess.run([each], capture_output=True, check=True) for each in (mine, PROGRAM)]
    assert said[0].stdout == said[1].stdout


BY_NAME = """
#include "ns3/core-module.h"
#include "ns3/traffic-control-module.h"

int main()
{
    ns3::ObjectFactory factory("ns3::AfqQueueDisc");
    return factory.Create<ns3::QueueDisc>() ? 0 : 1;
}
"""


def test_one_module_is_enough_for_a_program_that_names_it_in_a_string(tmp_path: Path) -> None:
    prefix, project = tmp_path / "prefix", tmp_path / "project"
    cmake("--install", build.BUILD, "--prefix", prefix)
    project.mkdir()
    version = re.search(r"^version: (\d+\.\d+)", (ROOT / "CITATION.cff").read_text(), re.M)[1]
    lists = LISTS.replace("ns3-dc-suite REQUIRED", f"ns3-dc-suite {version} REQUIRED")
    one = re.sub(r"ns3-dc-suite::modules.*\)", "ns3-dc-suite::afq ns3::traffic-control)", lists)
    assert one != lists != LISTS
    (project / "CMakeLists.txt").write_text(one)
    (project / "mine.cc").write_text(BY_NAME)
    cmake("-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    cmake("--build", project / "build")
    subprocess.run([project / "build" / "mine"], check=True)
