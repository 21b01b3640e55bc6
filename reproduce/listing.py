# SPDX-License-Identifier: GPL-2.0-only
"""./repro list: the experiments, and the claims with their last verdicts."""

import sys
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reproduce import claim_tables, report, verdicts
from reproduce.experiments import select
from reproduce.paths import RESULTS

UNLIMITED = 100_000


def entries(ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    """What --json prints: the named experiments with their claims, or all."""
    experiments = select(ids, every=True)
    wanted = {experiment.id for experiment in experiments}
    known = {(row["paper"], row["id"]): row for row in verdicts.read(RESULTS)}
    claims = [
        claim for claim in claim_tables.every_claim() if claim.experiment in wanted or not ids
    ]
    return {
        "experiments": [
            {
                "id": experiment.id,
                "paper": experiment.paper,
                "title": experiment.title,
                "schemes": list(experiment.schemes),
                "profiles": list(experiment.profiles),
            }
            for experiment in experiments
        ],
        "claims": [
            known.get((claim.paper, claim.id)) or verdicts.not_judged(claim) for claim in claims
        ],
    }


def text(listed: dict[str, list[dict[str, Any]]]) -> str:
    """For people."""
    # In a pipe a line is as long as it is: nobody's screen decides.
    console = Console(width=None if sys.stdout.isatty() else UNLIMITED, highlight=False)
    with console.capture() as capture:
        for entry in listed["experiments"]:
            console.print(f"[bold]{entry['id']}[/]  {entry['title']}")
            console.print(f"  {entry['paper']}", soft_wrap=True)
            console.print(f"  schemes: {', '.join(entry['schemes'])}", soft_wrap=True)
            table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
            for claim in (one for one in listed["claims"] if one["experiment"] == entry["id"]):
                outcome = "" if claim["number"] == "-" else report.outcome(claim)
                table.add_row("  ", report.counted(claim), outcome, escape(claim["sentence"]))
            console.print(table)
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))
