# SPDX-License-Identifier: GPL-2.0-only
"""Names of functions, as CONTRIBUTING.md has them (Words): verbs and nouns, no adverbs."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DECLARED = re.compile(  # the beginning of a line, a type, and a name before a parenthesis
    r"^[ \t]*((?:(?:static|virtual|inline|explicit|constexpr|\[\[\S+\]\]) )*)"
    r"(?!return\b|new\b|else\b|throw\b)[\w:<>,&*]+[\w:<>,&* ]*?[ \t\n]+[*&]?(?:\w+::)*([A-Z]\w*)\("
    r"([^;{]*)",
    re.M,
)
NO_ADVERBS = {"Apply", "Reassembly", "Only"}
ADVERBS = {"Elsewhere", "Beside", "Aside", "Anew", "Otherwise", "Again", "Together", "Apart"}
ADVERBS |= {"Alone", "Soon", "Always", "Seldom", "Else"}


def sources() -> Iterator[Path]:
    for folder in ("src", "examples", "scratch", "benchmarks"):
        yield from sorted((ROOT / folder).rglob("*.[ch]*"))


def offence(before: str, name: str, behind: str) -> str | None:
    """The rule that a function's name breaks, if any."""
    last = re.findall(r"[A-Z][a-z0-9]*", name)[-1]
    if last in ADVERBS or (last.endswith("ly") and last not in NO_ADVERBS):
        return "ends with an adverb"
    if re.match(r"Note[A-Z]", name):
        return "says Note: Record, Count or Handle"
    if re.match(r"Handle[A-Z]", name) and ("virtual" in before or ") override" in behind):
        return "is a hook: On"
    if re.match(r"On[A-Z]", name) and not ("virtual" in before or "override" in behind):
        return "is no hook: Handle"
    return None


def offences(text: str, is_header: bool = True) -> dict[str, str]:
    """The functions of a C++ file whose names break a rule, with the rule.

    A definition in a source does not say what its declaration says: virtual, override.
    """
    found = ((match[2], offence(*match.groups())) for match in DECLARED.finditer(text))
    hook = None if is_header else "is no hook: Handle"
    return {name: said for name, said in found if said not in (None, hook)}


def test_functions() -> None:
    found = {
        str(path.relative_to(ROOT)): offences(path.read_text(), path.suffix == ".h")
        for path in sources()
    }
    assert len(found) > 500
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("    void SendSpecially(FabricItem* item);", "SendSpecially"),
        ("void\nTimingWheel::InsertElsewhere(uint64_t time)\n{", "InsertElsewhere"),
        ("    static Time RunIdeally();", "RunIdeally"),
        ("    void NoteDrop(const FabricItem* item) const;", "NoteDrop"),
        ("    virtual void HandleLoss(int64_t now)\n    {", "HandleLoss"),
        ("    void HandleLoss(int64_t now) override;", "HandleLoss"),
        ("    void HandleLoss(int64_t now);", None),
        ("    void Apply(const LimiterKey& key);", None),
        ("    bool AcceptOnly(uint32_t size) const;", None),
        ("    virtual void OnLoss(int64_t now)", None),
        ("    void OnLoss(int64_t now) override;", None),
        ("    void OnLoss(int64_t now);", "OnLoss"),
    ],
)
def test_what_is_found(text: str, name: str | None) -> None:
    assert list(offences(text)) == ([name] if name else [])
