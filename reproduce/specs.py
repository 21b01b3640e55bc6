# SPDX-License-Identifier: GPL-2.0-only
"""Specs: how an experiment says what people write as NAME:Attribute=Value,Attribute=Value.

A spec is a name, or a mapping of one name to attributes, whose values may be specs again:

    {tcp: {EdgeBuffer: 300kB, Transport: {lean: {InitialCwnd: 2}}}}

is tcp:EdgeBuffer=300kB,Transport="lean:InitialCwnd=2" on a command line; programs read it as JSON,
too (json-input.h). Wherever attributes stand, `preset: NAME`
(or a list of names) puts in those of a preset, and what comes after it overrides them. {ARGUMENT}
in a value, or in the name of a preset, stands for the value of a swept argument. Where a program
takes several specs, with semicolons between them, an experiment has a list.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Scalar = str | int | float | bool
Spec = Any  # a scalar, {name: attributes}, or a list of these
Attributes = dict[str, Spec]
Presets = dict[str, Attributes]
PRESET = "preset"
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def text(value: Scalar) -> str:
    """A scalar of YAML as a program reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed(value: Any) -> list[Any]:
    """One or several, as a list."""
    return value if isinstance(value, list) else [value]


def write(spec: Spec) -> str:
    """A spec without presets and placeholders as a program reads it: JSON, unless it is a text."""
    return json.dumps(spec) if isinstance(spec, dict | list) else text(spec)


def short(spec: Spec) -> str:
    """A spec as people write it on a command line, for tables and figures."""
    if isinstance(spec, list):
        return ";".join(map(short, spec))
    if not isinstance(spec, dict):
        return text(spec)
    name, attributes = named(spec)
    settings = [f"{key}={_bracketed(value)}" for key, value in attributes.items()]
    return ":".join([name, ",".join(settings)] if settings else [name])


def _bracketed(value: Spec) -> str:
    inner = short(value)
    return f"({inner})" if isinstance(value, dict | list) and re.search("[,:;]", inner) else inner


def parse(written: str) -> Spec:
    """Reads what write() wrote; a text stays a text."""
    return json.loads(written) if written.startswith(('{"', '["', "[{")) else written


def named(spec: Spec) -> tuple[str, Attributes]:
    """The name and the settings of a spec."""
    if not isinstance(spec, dict):
        return read(text(spec).strip())
    ((name, settings),) = spec.items()
    return name, settings or {}


def read(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the settings of a written spec, as a program reads it (object-spec.h)."""
    name, _, rest = spec.partition(":")
    settings = {}
    for item in split(rest):
        attribute, _, value = item.partition("=")
        wrapped = len(value) > 1 and (value[0], value[-1]) in (('"', '"'), ("(", ")"))
        settings[attribute] = value[1:-1] if wrapped else value
    return name, settings if rest else {}


def several(specs: Spec) -> list[Spec]:
    """Specs that stand side by side: a list, or a text with semicolons between them."""
    return [one.strip() for one in split(specs, ";")] if isinstance(specs, str) else listed(specs)


def split(text: str, separator: str = ",") -> list[str]:
    """A list cut at its separators, but not within brackets or quotes."""
    items, closing = [""], ""
    for c in text:
        if c == separator and not closing:
            items.append("")
            continue
        items[-1] += c
        if closing and c == closing[-1]:
            closing = closing[:-1]
        elif c in '[{("' and not closing.endswith('"'):
            closing += ']})"'['[{("'.index(c)]
    return items


@dataclass(frozen=True)
class Context:
    """Values for presets and placeholders."""

    presets: Presets
    values: dict[str, Spec]  # of the swept arguments

    def spec(self, spec: Spec) -> Spec:
        """A spec with presets and placeholders replaced."""
        if isinstance(spec, list):
            return [self.spec(one) for one in spec]
        if isinstance(spec, dict):
            return {name: self.attributes(inside or {}) for name, inside in spec.items()}
        return self.fill(spec) if isinstance(spec, str) else spec

    def attributes(self, attributes: Attributes) -> Attributes:
        """Attributes with presets and placeholders replaced."""
        result: Attributes = {}
        for name, value in attributes.items():
            if name == PRESET:
                for preset in listed(value):
                    result = merged(result, self.attributes(self.presets[self.fill(preset)]))
            else:
                result = merged(result, {name: self.spec(value)})
        return result

    def fill(self, template: str) -> Spec:
        """A text with its placeholders replaced; one that is a placeholder may become a mapping."""
        if whole := PLACEHOLDER.fullmatch(template):
            return self.spec(self.values[whole[1]])
        return PLACEHOLDER.sub(lambda found: text(self.values[found[1]]), template)


def merged(below: Attributes, above: Attributes) -> Attributes:
    """Attributes with others put on top; those of an object that both name come together."""
    return below | {name: _over(below.get(name), value) for name, value in above.items()}


def _over(below: Spec, above: Spec) -> Spec:
    if isinstance(below, dict) and isinstance(above, dict) and list(below) == list(above):
        ((name, inside),) = above.items()
        return {name: merged(below[name], inside)}
    return above


def placeholders(tree: Any, presets: Presets) -> set[str]:
    """The swept arguments that specs or attributes name, also by way of presets."""
    return set(_placeholders(tree, presets, ()))


def _placeholders(tree: Any, presets: Presets, within: tuple[str, ...]) -> Iterator[str]:
    if isinstance(tree, str):
        yield from PLACEHOLDER.findall(tree)
    for one in tree if isinstance(tree, list) else ():
        yield from _placeholders(one, presets, within)
    for name, value in tree.items() if isinstance(tree, dict) else ():
        yield from _placeholders(value, presets, within)
        for preset in matching(value, presets) if name == PRESET else ():
            if preset not in within:
                yield from _placeholders(presets[preset], presets, (*within, preset))


def matching(value: Any, presets: Presets) -> list[str]:
    """The presets that `preset: value` may mean, whatever its placeholders stand for."""
    forms = [
        re.escape(PLACEHOLDER.sub("\0", str(name))).replace("\0", ".+") for name in listed(value)
    ]
    return [name for form in forms for name in presets if re.fullmatch(form, name)]
