# SPDX-License-Identifier: GPL-2.0-only
"""pandas, imported when it is first used: `list`, and who mistyped, need not wait for it.

Modules that take `pd` from here have their annotations as text (`from __future__`).
"""

import importlib
from typing import TYPE_CHECKING, Any


class _Module:
    """A module whose import waits for the first thing that is asked of it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


if TYPE_CHECKING:
    import pandas as pd
else:
    pd = _Module("pandas")
