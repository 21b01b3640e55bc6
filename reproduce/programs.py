# SPDX-License-Identifier: GPL-2.0-only
"""Reads a built program's description (--describe), and finds what a run's results depend on.

That is the program, the libraries whose code it calls, those of the objects that its command line
names, what all these are linked to, and files named there. So a change in the module of one paper
leaves the runs of all others valid. Where nothing better is known, everything counts.
"""

import hashlib
import itertools
import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reproduce import binaries, build, specs
from reproduce.errors import UserError
from reproduce.files import replace_content
from reproduce.paths import BUILD, HOME, RUNS
from reproduce.specs import Spec

Form = dict[str, Any]  # kind, allowed, help, default, and what the kind has: see attribute-form.h
WORD = re.compile(r"ns3::\w+|[a-z][a-z0-9-]*")  # what may name a class or an object


@dataclass(frozen=True)
class Description:
    """A program's options, and the classes that they can name."""

    options: dict[str, Form]
    globals: dict[str, Form]
    names: dict[str, dict[str, Form]]  # base class -> name -> class, library, spec of a row
    classes: dict[str, dict[str, Any]]  # parent, library, attributes

    def attributes(self, name: str) -> dict[str, Form]:
        """The attributes of a class, also its parents'."""
        known = self.classes.get(name, {})
        inherited = self.attributes(known["parent"]) if "parent" in known else {}
        return inherited | known.get("attributes", {})

    def libraries(self, words: Iterable[str]) -> set[str]:
        """The libraries of what a command line names, or leaves to defaults."""
        pairs = (word.removeprefix("--").split("=", 1) for word in words)
        given = {name: specs.parse(text) for name, text in pairs}
        named = {name: form["default"] for name, form in self.options.items()} | given
        return {library for name, text in named.items() for library in self._of_option(name, text)}

    def _of_option(self, name: str, value: Spec) -> Iterator[str]:
        cls, _, attribute = name.rpartition("::")
        if cls:
            yield self.classes.get(cls, {}).get("library", "")
        known = self.attributes(cls) if cls else self.options
        yield from self._of_value(known.get(attribute, {}), value)

    def _of_value(self, form: Form, value: Spec) -> Iterator[str]:
        if form.get("kind") == "spec":
            for spec in specs.several(value):
                yield from self._of_spec(form["base"], spec)
            return
        for word in WORD.findall(str(value)):
            yield self.classes.get(word, {}).get("library", "")
            yield from (
                names[word].get("library", "") for names in self.names.values() if word in names
            )

    def _of_row(self, base: str, row: str) -> Iterator[str]:
        """The names in a row, defaults included; it is based on a class or another row."""
        if not row.startswith("ns3::"):
            yield from self._of_spec(base, row)
            return
        name, settings = specs.read(row.removeprefix("ns3::"))
        attributes = self.attributes(f"ns3::{name}")
        for attribute, value in settings.items():
            yield from self._of_value(attributes.get(attribute, {}), value)

    def _of_spec(self, base: str, spec: Spec) -> Iterator[str]:
        name, settings = specs.named(spec)
        if known := self.names.get(base, {}).get(name.rpartition("=")[2]):
            yield known.get("library", "")
            yield from self._of_row(base, known.get("spec", ""))
            for attribute, form in self.attributes(known["class"]).items():
                if attribute in settings:
                    yield from self._of_value(form, settings[attribute])
                elif form["kind"] == "spec":
                    yield from self._of_spec(form["base"], form["default"])


@cache
def describe(name: str) -> Description | None:
    """A built program's description; nothing if it is not built. Kept beside the build."""
    path = build.program(name)
    if not path.exists():
        return None
    kept = BUILD / "descriptions" / f"{name}.json"
    version = _hash([path, *libraries()], content)
    try:
        stored = json.loads(kept.read_text())
    except (OSError, ValueError):
        stored = {}
    if stored.get("version") != version:
        stored = {"version": version} | _ask(path)
        kept.parent.mkdir(exist_ok=True)
        replace_content(kept, json.dumps(stored))
    return Description(*(stored[part] for part in ("options", "globals", "names", "classes")))


def _ask(path: Path) -> dict[str, Any]:
    done = subprocess.run([path, "--describe"], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        message = (done.stderr or "no JSON").strip().splitlines()[-1]
        raise UserError(f"{path.name} --describe failed: {message}") from None


@cache
def libraries() -> tuple[Path, ...]:
    """The libraries of the build."""
    return tuple(sorted((BUILD / "lib").glob("*.so")))


@cache
def content(path: Path) -> bytes:
    """A hash of a file as it was when it was first asked for."""
    return hashlib.sha256(path.read_bytes()).digest()


def _hash(paths: Iterable[Path], of: Callable[[Path], bytes]) -> str:
    """A hash of files: of their names, and of each what a function says."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.name.encode())
        total.update(of(path))
    return total.hexdigest()[:16]


_behaviour = cache(binaries.digest)


@cache
def _linked(path: Path) -> frozenset[Path]:
    """The libraries of ours that a program or library is linked to; all if that is not known."""
    done = _binutils("readelf", "-d", path)
    if done is None:
        return frozenset(libraries())
    names = set(re.findall(r"\(NEEDED\).*\[(.+)\]", done))
    return frozenset(library for library in libraries() if library.name in names)


@cache
def _called(path: Path) -> frozenset[Path]:
    """The libraries of ours whose code a program calls: it is linked to all there are."""
    done = _binutils("nm", "-D", "--undefined-only", "--format=posix", path)
    if done is None:
        return _linked(path)
    wanted = set(re.findall(r"^(\S+?)(?:@\S+)? ", done, re.MULTILINE))
    return frozenset(library for library in _linked(path) if wanted & _defined(library))


@cache
def _defined(library: Path) -> frozenset[str]:
    """The symbols that a library defines, without copies of inline functions, which many have."""
    done = _binutils("nm", "-D", "--defined-only", "--format=posix", library) or ""
    return frozenset(re.findall(r"^(\S+?)(?:@\S+)? [TDBR] ", done, re.MULTILINE))


def _binutils(*command: str | Path) -> str | None:
    """The output of a program of the GNU binary utilities; nothing if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _files(words: Iterable[str]) -> Iterator[Path]:
    """The files that a command line names; it is executed in the folder of runs.

    A path may have colons, which also stand between a name and its settings.
    """
    for word in words:
        for text in re.split(r"[][=,;(){}\"]", word):
            parts = text.split(":")
            for first, end in itertools.combinations(range(len(parts) + 1), 2):
                path = ":".join(parts[first:end])
                if "." in path and (RUNS / path).is_file():
                    yield RUNS / path


def dependencies(name: str, words: Iterable[str]) -> list[Path]:
    """The files that the results of a program depend on, given its command line."""
    words = list(words)
    description = describe(name)
    if description is None:
        return []
    path = build.program(name)
    named = description.libraries(words)
    found = set(_called(path)) | {library for library in libraries() if library.name in named}
    frontier = list(found)
    while frontier:
        more = _linked(frontier.pop()) - found
        found |= more
        frontier += more
    data = [file for library in found for file in _data(library)]
    return [path, *sorted(found), *sorted(data), *_files(words)]


def _data(library: Path) -> Iterator[Path]:
    """The data files of the module that a library is made of."""
    module = library.stem.removeprefix("libsuite-")
    yield from (HOME / "src" / module / "data").glob("*")


def version(name: str, words: Iterable[str]) -> str:
    """A hash of what results depend on besides the command line.

    What the files do, not their time or commit: a rebuilt but equal program does not make results
    stale, nor does one that has other symbols or debug information.
    """
    return _hash(dependencies(name, words), _behaviour)


def forget() -> None:
    """Lets everything be looked at again, after a build within one process."""
    for known in (describe, libraries, content, _behaviour, _linked, _called, _defined):
        known.cache_clear()


def schemes(name: str) -> list[str]:
    """The schemes that a built program knows."""
    description = describe(name)
    form = description.options.get("scheme", {}) if description else {}
    return sorted(description.names.get(form.get("base"), {})) if description else []
