# SPDX-License-Identifier: GPL-2.0-only
"""Specs: what an experiment writes, and what the program gets."""

import pytest

from reproduce.specs import Context, Spec, named, parse, placeholders, several, short, write

PRESETS = {
    "hosts": {"Transport": {"lean": {"InitialCwnd": 2, "Sack": False}}},
    "marking": {"preset": "hosts", "MarkThreshold": "{mark}"},
    "queues-8": {"NumQueues": 8, "EcnRounds": 2},
    "queues-32": {"NumQueues": 32, "EcnRounds": 8},
}


@pytest.mark.parametrize(
    ("spec", "meant"),
    [
        ("afq", "afq"),
        ({"afq": None}, {"afq": {}}),
        ({"afq": {"Queues": 8, "Exact": True}}, {"afq": {"Queues": 8, "Exact": True}}),
        ({"tcp": {"Transport": {"lean": None}}}, {"tcp": {"Transport": {"lean": {}}}}),
        # What comes later overrides; objects of one kind come together, another kind replaces.
        (
            {"tcp": {"preset": "hosts", "Transport": {"lean": {"Sack": True, "Ecn": "On"}}}},
            {"tcp": {"Transport": {"lean": {"InitialCwnd": 2, "Sack": True, "Ecn": "On"}}}},
        ),
        (
            {"tcp": {"preset": "hosts", "Transport": {"ns3": {"A": 1}}}},
            {"tcp": {"Transport": {"ns3": {"A": 1}}}},
        ),
        ({"tcp": {"preset": "hosts", "Transport": "ns3"}}, {"tcp": {"Transport": "ns3"}}),
        ({"tcp": {"Transport": "ns3", "preset": "hosts"}}, {"tcp": PRESETS["hosts"]}),
        (
            {"tcp": {"A": 1, "preset": "queues-8", "EcnRounds": 3}},
            {"tcp": {"A": 1, "NumQueues": 8, "EcnRounds": 3}},
        ),
        ({"tcp": {"preset": ["queues-8", "queues-32"]}}, {"tcp": PRESETS["queues-32"]}),
        ({"tcp": {"preset": "marking"}}, {"tcp": PRESETS["hosts"] | {"MarkThreshold": 20}}),
        # Placeholders stand in values and in names of presets, and may stand for a whole spec.
        ({"afq": {"preset": "queues-{queues}"}}, {"afq": PRESETS["queues-32"]}),
        ({"tcp": {"Sizes": "{mark}kB,{mark}MB"}}, {"tcp": {"Sizes": "20kB,20MB"}}),
        ({"tcp": {"Queue": "{queue}"}}, {"tcp": {"Queue": {"afq": {"NumQueues": 32}}}}),
        ("{queue}", {"afq": {"NumQueues": 32}}),
        # Several.
        (
            ["ports", {"queues": {"Interval": "{mark}us"}}],
            ["ports", {"queues": {"Interval": "20us"}}],
        ),
        (
            {"tcp": {"Transport": [{"web=lean": {"A": "{mark}"}}, "udp"]}},
            {"tcp": {"Transport": [{"web=lean": {"A": 20}}, "udp"]}},
        ),
    ],
)
def test_presets_and_placeholders(spec: Spec, meant: Spec) -> None:
    values = {"mark": 20, "queues": 32, "queue": {"afq": {"NumQueues": "{queues}"}}}
    assert Context(PRESETS, values).spec(spec) == meant


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("tcp:A=1", "tcp:A=1"),
        (0.7, "0.7"),
        (True, "true"),
        (
            {"tcp": {"A": True, "Inner": {"fifo": {}}}},
            '{"tcp": {"A": true, "Inner": {"fifo": {}}}}',
        ),
        (["flows", {"rates": None}], '["flows", {"rates": null}]'),
        ([{"rates": {}}], '[{"rates": {}}]'),
    ],
)
def test_what_a_program_reads(spec: Spec, written: str) -> None:
    assert write(spec) == written
    assert parse(written) == (spec if isinstance(spec, dict | list) else written)


def test_the_name_and_the_settings_of_a_spec() -> None:
    assert named({"tcp": {"A": 1}}) == ("tcp", {"A": 1})
    assert named({"tcp": None}) == ("tcp", {})
    assert named('tcp:A="x:B=1,C=2",D=(e)') == ("tcp", {"A": "x:B=1,C=2", "D": "e"})
    assert named("tcp") == ("tcp", {})


def test_specs_side_by_side() -> None:
    assert several("flows; queues:Ports=(a;b)") == ["flows", "queues:Ports=(a;b)"]
    assert several(["flows", {"queues": {}}]) == ["flows", {"queues": {}}]
    assert several({"queues": {}}) == [{"queues": {}}]


def test_placeholders_are_found_in_presets_too() -> None:
    assert placeholders({"tcp": {"preset": "marking", "A": "{x}-{y}"}}, PRESETS) == {
        "mark",
        "x",
        "y",
    }
    assert placeholders({"tcp": {"preset": "queues-{queues}"}}, PRESETS) == {"queues"}
    assert placeholders("tcp:A={x}", PRESETS) == {"x"}
    assert placeholders(["a", {"b": {"C": "{x}"}}], PRESETS) == {"x"}
    assert placeholders(None, PRESETS) == set()


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("afq", "afq"),
        ({"afq": None}, "afq"),
        (["afq", {"tcp": {"EdgeBuffer": "300kB"}}], "afq;tcp:EdgeBuffer=300kB"),
        ({"tcp": {"Sack": True, "Transport": {"lean": None}}}, "tcp:Sack=true,Transport=lean"),
        ({"tcp": {"Transport": {"lean": {"A": 1, "B": 2}}}}, "tcp:Transport=(lean:A=1,B=2)"),
    ],
)
def test_a_spec_in_short(spec: Spec, written: str) -> None:
    assert short(spec) == written
