# SPDX-License-Identifier: GPL-2.0-only
"""From experiments (YAML) to runs, tables, figures, claims and a report. Started by ./repro.

From a script or notebook: `from reproduce import sim, sweep`; see reproduce/api.py.
"""

from typing import Any

API = ("sim", "sweep")


def __getattr__(name: str) -> Any:
    """Loads the interface for scripts when it is asked for: ./repro --help needs no pandas."""
    if name in API:
        from reproduce import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
