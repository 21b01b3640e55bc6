# SPDX-License-Identifier: GPL-2.0-only
"""./repro list: the experiments with their claims and last verdicts."""

import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from reproduce.experiments import select
from reproduce.report import last_verdicts

CLAIM_KEYS = ("id", "statement", "paper_value", "unit", "measured", "verdict", "reason")
UNLIMITED = 100_000


def entries(ids: list[str], profile: str | None) -> list[dict[str, Any]]:
    """What --json prints: of the named experiments, or of all."""
    return [
        {
            "id": experiment.id,
            "paper": experiment.paper,
            "title": experiment.title,
            "schemes": list(experiment.schemes),
            "profiles": list(experiment.profiles),
            "claims": [
                {key: row[key] for key in CLAIM_KEYS} for row in last_verdicts(experiment, profile)
            ],
        }
        for experiment in select(ids, every=True)
    ]


def text(listed: list[dict[str, Any]]) -> str:
    """For people."""
    # In a pipe a line is as long as it is: nobody's screen decides.
    console = Console(width=None if sys.stdout.isatty() else UNLIMITED, highlight=False)
    with console.capture() as capture:
        for entry in listed:
            console.print(f"[bold]{entry['id']}[/]  {entry['title']}")
            console.print(f"  {entry['paper']}", soft_wrap=True)
            console.print(f"  schemes: {', '.join(entry['schemes'])}", soft_wrap=True)
            table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
            for claim in entry["claims"]:
                table.add_row("  ", claim["verdict"], claim["statement"])
            console.print(table)
            console.print()
    return "\n".join(line.rstrip() for line in capture.get().rstrip().split("\n"))
