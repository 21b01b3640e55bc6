# SPDX-License-Identifier: GPL-2.0-only
"""Coverage of CI's runs: every scheme, scenario and recorder at least once."""

import pytest

from reproduce import build, coverage
from reproduce.experiments import load_all
from reproduce.runs import expand


@pytest.mark.skipif(not build.program("fct").exists(), reason="needs the build: ./repro setup")
def test_every_scheme_scenario_and_recorder_is_in_an_experiment() -> None:
    experiments = load_all()
    chosen = coverage.share(experiments, {e.id: expand(e, "quick") for e in experiments})
    covered = {part for runs in chosen.values() for run in runs for part in coverage.parts(run)}
    assert coverage.everything() - covered == set()
    assert ("scheme", "afq") in covered and ("record", "pcap") in covered
