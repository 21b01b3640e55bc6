# SPDX-License-Identifier: GPL-2.0-only
"""YAML files whose every part knows its line, so that an error can name it.

Scalars are read as YAML 1.2 has them: `On`, `no` and `12:30` are texts, not truth values and
numbers.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from reproduce.errors import UserError
from reproduce.paths import show

MOST = 1_000_000  # parts of a document
DEEPEST = 64  # mappings and lists within each other; programs read 32
Where = tuple[str | int | float | bool, ...]  # keys and indices from the top of a document


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # libyaml's is ten times as fast
    yaml_implicit_resolvers: dict = {}  # noqa: RUF012


for _tag, _form, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"[-+]?(0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_form})$"), _first)


@dataclass(frozen=True, order=True)
class Problem:
    """A mistake at one place of a file."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{show(self.path)}:{self.line}: {self.text}"


def refuse(problems: Iterable[Problem]) -> None:
    """Raises if there are any problems, with a line for each."""
    if lines := [str(problem) for problem in sorted(set(problems))]:
        raise UserError("\n".join(lines))


def _check_depth(text: str) -> None:
    """Refuses what is nested so deeply that reading it would take the whole stack."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.MarkedYAMLError(
                problem=f"more than {DEEPEST} mappings or lists within each other",
                problem_mark=event.start_mark,
            )


def _check_aliases(top: yaml.Node) -> None:
    """Refuses aliases within what they name, and those that multiply or deepen without bound."""
    known: dict[int, tuple[int, int] | None] = {}  # node -> its parts and depth; None: at work

    def measure(node: yaml.Node) -> tuple[int, int]:
        if id(node) in known:
            found = known[id(node)]
            return found or _refuse_node(node, "an alias within what it names")
        known[id(node)] = None
        inside = node.value if isinstance(node, yaml.SequenceNode) else []
        if isinstance(node, yaml.MappingNode):
            inside = [value for _, value in node.value]
        parts, depths = zip((0, 0), *map(measure, inside), strict=True)
        known[id(node)] = 1 + sum(parts), 1 + max(depths)
        if 1 + sum(parts) > MOST:
            _refuse_node(node, f"more than {MOST:,} parts, with aliases")
        if 1 + max(depths) > DEEPEST + 1:
            _refuse_node(node, f"more than {DEEPEST} mappings or lists within each other")
        return 1 + sum(parts), 1 + max(depths)

    measure(top)


def _refuse_node(node: yaml.Node, why: str) -> NoReturn:
    raise yaml.MarkedYAMLError(problem=why, problem_mark=node.start_mark)


@dataclass
class Document:
    """The content of a YAML file, and where each part of it stands."""

    path: Path
    data: Any = None
    lines: dict[Where, int] = field(default_factory=dict)
    texts: dict[Where, str] = field(default_factory=dict)  # of scalars, as written: 1.50
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path, text: str) -> "Document":
        """Parses a file. Keys that stand twice become problems; raises if it is no YAML."""
        document = cls(path)
        loader = _Loader(text)
        try:
            _check_depth(text)
            node = loader.get_single_node()
            if node is not None:
                _check_aliases(node)
                document.lines[()] = node.start_mark.line + 1
                document.data = document._build(loader, node, ())
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = ", ".join(part for part in (error.context, error.problem) if part)
            refuse([Problem(path, mark.line + 1 if mark else 1, f"not YAML: {what}")])
        except yaml.YAMLError as error:  # such as a control character
            refuse([Problem(path, 1, f"not YAML: {' '.join(str(error).split())}")])
        finally:
            loader.dispose()
        return document

    def problem(self, where: Where, text: str) -> Problem:
        """A problem at a place of this document."""
        return Problem(self.path, self.line(where), text)

    def line(self, where: Where) -> int:
        """The line of a place, or of the nearest around it."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)

    def _build(self, loader: _Loader, node: yaml.Node, where: Where) -> Any:
        if isinstance(node, yaml.ScalarNode):
            self.texts[where] = node.value
            return loader.construct_object(node)
        if isinstance(node, yaml.SequenceNode):
            return [
                self._part(loader, item, item, (*where, i)) for i, item in enumerate(node.value)
            ]
        mapping: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(
                    problem="a key is a word", problem_mark=key_node.start_mark
                )
            key = loader.construct_object(key_node)
            inside = (*where, key)
            if key in mapping:
                line = key_node.start_mark.line + 1
                text = f"key '{key}' stands twice, first in line {self.lines[inside]}"
                self.problems.append(Problem(self.path, line, text))
                continue
            mapping[key] = self._part(loader, key_node, value_node, inside)
        return mapping

    def _part(self, loader: _Loader, first: yaml.Node, value: yaml.Node, where: Where) -> Any:
        self.lines[where] = first.start_mark.line + 1
        return self._build(loader, value, where)
