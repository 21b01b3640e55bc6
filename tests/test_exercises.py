# SPDX-License-Identifier: GPL-2.0-only
"""Exercises of the modules' pages: their tables of what to expect are what their programs print."""

import re
import subprocess
from typing import NamedTuple

import pytest
from conftest import ROOT

pytestmark = [
    pytest.mark.skipif(not (ROOT / "build/bin/fct").exists(), reason="needs ./repro setup"),
    pytest.mark.xdist_group("scratch"),
]


class Exercise(NamedTuple):
    """A program of scratch/ and the table of its page."""

    options: str
    schemes: dict[str, str]  # the scheme of a row, if the row does not spell it
    columns: dict[str, float]  # results of the table's columns, and what each is multiplied by


EXERCISES = {
    "drb": Exercise(
        "--hosts=ideal --transport=lean:MaxWindow=65535",
        {f"stride {n}": f"drb:Selector=stride:Stride={n}" for n in (5, 7, 13)},
        {
            "queueing_edge-aggregation_mean_us": 1,
            "queueing_aggregation-core_mean_us": 1,
            "queueing_mean_us": 1,
            "displaced_by_3_share": 100,
        },
    ),
    "mufab": Exercise(
        "--transport=udp:Rate=10Gbps;lean",
        {
            "doubling": "mufab:Controller=doubling",
            "doubling:Factor=4": 'mufab:Controller="doubling:Factor=4"',
        },
        {"mufab_rtt_max_us": 1, "mufab_rtt_p99_us": 1},
    ),
    "trinity": Exercise(
        "--hosts=ideal",
        {
            "trinity:Profile=Literal": 'trinity:Controller="trinity:Profile=Literal"',
            "trinity:Profile=Prototype": 'trinity:Controller="trinity:Profile=Prototype"',
            "additive": "trinity:Controller=additive",
            "additive:Step=5Mbps": 'trinity:Controller="additive:Step=5Mbps"',
        },
        {"goodput_A_mbps": 1, "goodput_B_mbps": 1, "link_used_share": 100},
    ),
}


def table(module: str) -> dict[str, list[str]]:
    """The rows of the table under "What to expect" of a module's page."""
    page = (ROOT / f"src/{module}/doc/{module}.rst").read_text()
    rows = page.split("\nWhat to expect", 1)[1].split("\n==")[2].split("\n")[1:]
    cells = (re.split(r"  +", row.replace("``", "").strip()) for row in rows)
    return {name: numbers for name, *numbers in cells}


@pytest.mark.parametrize("module", EXERCISES)
def test_an_exercise_has_the_numbers_of_its_page(module: str) -> None:
    exercise, rows = EXERCISES[module], table(module)
    assert len(rows) > 3
    for name, numbers in rows.items():
        words = [f"--scheme={exercise.schemes.get(name, name)}", *exercise.options.split()]
        run = [ROOT / "repro", "scratch", f"{module}-exercise", "--", *words]
        printed = subprocess.check_output(run, cwd=ROOT, text=True)
        results = dict(re.findall(r"(\S+) = (\S+)", printed))
        for (result, factor), number in zip(exercise.columns.items(), numbers, strict=True):
            digits = len(number.partition(".")[2])
            assert f"{factor * float(results[result]):.{digits}f}" == number, (name, result)
