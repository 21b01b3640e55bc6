# SPDX-License-Identifier: GPL-2.0-only
"""The one exception that reaches the user: a single line on stderr and exit status 1."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

MANY = 24  # names, beyond which only the most similar are shown


class UserError(Exception):
    """Something the user can mend; the text names the argument, the value and what is allowed."""


def unknown(what: str, value: object, allowed: Iterable[object]) -> UserError:
    """An unknown name: what it was for, the name, and the names that exist."""
    names = [str(name) for name in dict.fromkeys(allowed)]
    near = get_close_matches(str(value), names, 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return UserError(f"unknown {what} '{value}'; allowed: {choice(value, names)}{hint}")


def choice(value: object, allowed: Iterable[object]) -> str:
    """The names that exist; of very many the most similar."""
    names = [str(name) for name in dict.fromkeys(allowed)]
    if len(names) <= MANY:
        return ", ".join(names) or "none"

    def unlike(name: str) -> float:
        return -SequenceMatcher(None, str(value), name).ratio()

    return f"{', '.join(sorted(names, key=unlike)[:MANY])} and {len(names) - MANY} more"
