# SPDX-License-Identifier: GPL-2.0-only
"""./repro bench: the benchmark program's cases as a table or as its JSON."""

import json
import subprocess
import sys

from rich.console import Console
from rich.table import Table

from reproduce import build
from reproduce.errors import UserError

COLUMNS = {  # JSON key -> heading, format
    "hops_per_s": ("M hops/s", lambda v: f"{v / 1e6:.3g}"),
    "events_per_hop": ("events/hop", lambda v: f"{v:.3g}"),
    "bytes_per_port": ("bytes/port", lambda v: f"{v:,.0f}"),
    "peak_memory_mb": ("peak MB", lambda v: f"{v:.0f}"),
    "ratio": ("times", lambda v: f"{v:.3g}"),
    "must_reach": ("must reach", lambda v: f"{v:g}"),
    "baseline": ("times as fast as", str),
}


def run(as_json: bool, extra: list[str]) -> int:
    """Builds and runs the benchmarks; the numbers depend on the machine, so nothing is asserted."""
    build.build(["bench"])
    command = [str(build.program("bench")), "--json", *extra]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        return done.returncode
    if as_json:
        sys.stdout.write(done.stdout)
        return 0
    try:
        cases = json.loads(done.stdout)["cases"]
    except (ValueError, KeyError) as error:
        raise UserError(f"bench wrote no usable JSON: {error}") from error
    table = Table("case", *(heading for heading, _ in COLUMNS.values()))
    for case in cases:
        cells = (
            form(case[key]) if case.get(key) is not None else ""
            for key, (_, form) in COLUMNS.items()
        )
        table.add_row(case["name"], *cells)
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    return 0
