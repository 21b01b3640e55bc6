# SPDX-License-Identifier: GPL-2.0-only
"""Metrics and curves of one paper each: a file here is found by itself."""

import importlib
import pkgutil


def load() -> None:
    """Imports every file here, so that what they register is known."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
