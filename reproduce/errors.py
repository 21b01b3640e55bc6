# SPDX-License-Identifier: GPL-2.0-only
"""The one exception that reaches the user: a single line on stderr and exit status 1."""

from collections.abc import Iterable


class UserError(Exception):
    """Something the user can mend; the text names the argument, the value and what is allowed."""


def unknown(what: str, value: str, allowed: Iterable[str]) -> UserError:
    """An unknown name: what it was for, the name, and the names that exist."""
    return UserError(f"unknown {what} '{value}'; allowed: {', '.join(allowed)}")
