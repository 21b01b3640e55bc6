# SPDX-License-Identifier: GPL-2.0-only
"""Identifies the behaviour of a program or library, whatever its file's name and layout.

A symbol more, or debug information, changes a file and moves its sections, but nothing that a run
does. So what counts is the bytes of code and data, and what the loader writes into them: where, and
the name or the place that it writes.
"""

import hashlib
import struct
from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple

import numpy as np

MAGIC = b"\x7fELF\x02\x01"  # ELF of 64 bits, little endian
BITS, RELOCATIONS, SPACE, SYMBOLS = 1, 4, 8, 11  # types of sections; others only name and place
IN_MEMORY = 2  # a section's flag
PLACES_ONLY = (".interp", ".eh_frame", ".eh_frame_hdr", ".got", ".got.plt")
RELATIVE = (8, 37)  # relocations to a place in this file, not to a symbol
ENTRY = np.dtype([("place", "<u8"), ("kind", "<u4"), ("symbol", "<u4"), ("addend", "<i8")])
SYMBOL = np.dtype([("name", "<u4"), ("rest", "V20")])


class _Section(NamedTuple):
    name: str
    kind: int
    flags: int
    address: int
    content: bytes
    size: int
    link: int


def digest(path: Path) -> bytes:
    """A hash of what a program or library does; of any other file, of its content."""
    data = path.read_bytes()
    total = hashlib.sha256()
    if not data.startswith(MAGIC):
        total.update(data)
        return total.digest()
    sections = _sections(data)
    loaded = sorted((s for s in sections if s.flags & IN_MEMORY), key=lambda s: s.address)
    starts = [section.address for section in loaded]

    def place(address: int) -> str:
        section = loaded[max(0, bisect_right(starts, address) - 1)]
        return f"{section.name}+{address - section.address}"

    for section in loaded:
        if section.kind in (BITS, SPACE) and section.name not in PLACES_ONLY:
            total.update(f"{section.name} {section.size}\0".encode() + section.content)
        elif section.kind == RELOCATIONS:
            names = _symbol_names(sections, section.link)
            for entry in np.sort(np.frombuffer(section.content, ENTRY), order="place").tolist():
                address, kind, symbol, addend = entry
                target = place(addend) if kind in RELATIVE else f"{names[symbol]}+{addend}"
                total.update(f"{place(address)} {kind} {target}\0".encode())
    return total.digest()


def _sections(data: bytes) -> list[_Section]:
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQII", data, start + i * size) for i in range(count)]
    strings = data[rows[names][4] :]
    return [
        _Section(
            _text(strings, name),
            kind,
            flags,
            address,
            b"" if kind == SPACE else data[offset : offset + length],
            length,
            link,
        )
        for name, kind, flags, address, offset, length, link, _ in rows
    ]


def _symbol_names(sections: list[_Section], number: int) -> list[str]:
    """The names in a table of symbols."""
    table = sections[number]
    if table.kind != SYMBOLS:
        return [""]
    strings = sections[table.link].content
    return [_text(strings, at) for at in np.frombuffer(table.content, SYMBOL)["name"].tolist()]


def _text(strings: bytes, at: int) -> str:
    return strings[at : strings.index(b"\0", at)].decode()
