# SPDX-License-Identifier: GPL-2.0-only
"""Specs: what an experiment writes, and what the program gets."""

import pytest

from reproduce.specs import Context, Spec, placeholders, write

PRESETS = {
    "hosts": {"Transport": {"lean": {"InitialCwnd": 2, "Sack": False}}},
    "marking": {"preset": "hosts", "MarkThreshold": "{mark}"},
    "queues-8": {"NumQueues": 8, "EcnRounds": 2},
    "queues-32": {"NumQueues": 32, "EcnRounds": 8},
}


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("afq", "afq"),
        ({"afq": None}, "afq"),
        ({"afq": {}}, "afq"),
        ({"afq": {"NumQueues": 8, "Exact": True}}, "afq:NumQueues=8,Exact=true"),
        ({"afq": {"Shadows": ""}}, "afq:Shadows="),
        ({"udp": {"Ops": "ns3::Ops"}}, "udp:Ops=ns3::Ops"),  # no spec: no quotes
        ({"tcp": {"Shadows": "1x2,1x4"}}, 'tcp:Shadows="1x2,1x4"'),
        ({"tcp": {"Transport": {"lean": None}}}, "tcp:Transport=lean"),
        ({"tcp": {"Transport": {"lean": {"A": 1}}, "B": 2}}, 'tcp:Transport="lean:A=1",B=2'),
        ({"tcp": {"Q": {"m": {"In": {"s": {"A": 1, "B": 2}}}}}}, 'tcp:Q="m:In=(s:A=1,B=2)"'),
        # What comes later overrides; objects of one kind come together, another kind replaces.
        (
            {"tcp": {"preset": "hosts", "Transport": {"lean": {"Sack": True, "Ecn": "On"}}}},
            'tcp:Transport="lean:InitialCwnd=2,Sack=true,Ecn=On"',
        ),
        ({"tcp": {"preset": "hosts", "Transport": {"ns3": {"A": 1}}}}, 'tcp:Transport="ns3:A=1"'),
        ({"tcp": {"preset": "hosts", "Transport": "ns3"}}, "tcp:Transport=ns3"),
        ({"tcp": {"Transport": "ns3", "preset": "hosts"}}, write({"tcp": PRESETS["hosts"]})),
        (
            {"tcp": {"A": 1, "preset": "queues-8", "EcnRounds": 3}},
            "tcp:A=1,NumQueues=8,EcnRounds=3",
        ),
        ({"tcp": {"preset": ["queues-8", "queues-32"]}}, "tcp:NumQueues=32,EcnRounds=8"),
        (
            {"tcp": {"preset": "marking"}},
            'tcp:Transport="lean:InitialCwnd=2,Sack=false",MarkThreshold=20',
        ),
        # Placeholders stand in values and in names of presets, and may stand for a whole spec.
        ({"afq": {"preset": "queues-{queues}"}}, "afq:NumQueues=32,EcnRounds=8"),
        ({"tcp": {"Sizes": "{mark}kB,{mark}MB"}}, 'tcp:Sizes="20kB,20MB"'),
        ({"tcp": {"Queue": "{queue}"}}, 'tcp:Queue="afq:NumQueues=32"'),
        ("{queue}", "afq:NumQueues=32"),
        # Several.
        (["ports", {"queues": {"Interval": "{mark}us"}}], "ports;queues:Interval=20us"),
        (
            {"tcp": {"Transport": [{"web=lean": {"A": 1}}, "udp"]}},
            'tcp:Transport="web=lean:A=1;udp"',
        ),
    ],
)
def test_text(spec: Spec, text: str) -> None:
    values = {"mark": 20, "queues": 32, "queue": {"afq": {"NumQueues": "{queues}"}}}
    assert write(Context(PRESETS, values).spec(spec)) == text


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
