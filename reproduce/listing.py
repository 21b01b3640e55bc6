# SPDX-License-Identifier: GPL-2.0-only
"""./repro list: the experiments, and the claims with their last verdicts."""

import sys
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from reproduce import claim_tables, judging, report, verdicts
from reproduce.experiments import load_own, select
from reproduce.statements import Claim

UNLIMITED = 100_000
STALE = f" (changed since: {verdicts.AGAIN})"


def entries(ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The entries of --json: the named experiments with their claims, or all."""
    experiments = select(ids, every=True)
    if not ids:
        experiments += load_own()
    wanted = {experiment.id for experiment in experiments}
    known = {(row["paper"], row["id"]): row for row in verdicts.last(experiments)}
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
        "claims": [_claim(claim, known.get((claim.paper, claim.id))) for claim in claims],
    }


def _claim(claim: Claim, judged: verdicts.Row | None) -> dict[str, Any]:
    """A claim's last verdict; `stale` if the claim was changed since."""
    row = judged or verdicts.not_judged(claim)
    return row | {"stale": row["hash"] != judging.fingerprint(claim)}


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
                sentence = claim["sentence"] + STALE * claim["stale"]
                table.add_row("  ", report.counted(claim), outcome, escape(sentence))
            console.print(table)
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))
