# SPDX-License-Identifier: GPL-2.0-only
"""Files as people write them, and files that are complete or absent.

A full disk, or a kill, leaves what was there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproduce.errors import UserError
from reproduce.paths import show


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write, which takes another's place once it is complete, and goes if it is not."""
    part = path.with_name(f".{path.stem}.tmp{path.suffix}")
    try:
        yield part
        part.replace(path)
    except OSError as error:  # of a write it does not say to which file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def replace_content(path: Path, content: str) -> None:
    """A reader sees the old file or the new one, never half of it."""
    with replacing(path) as part:
        part.write_text(content)


def read_yaml(path: Path) -> str:
    """The text of a YAML file, without a byte order mark and CRLF; absent: FileNotFoundError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "no UTF-8"
        raise UserError(f"cannot read {show(path)}: {why}; allowed: YAML in UTF-8") from None
