# SPDX-License-Identifier: GPL-2.0-only
"""Styles of schemes: one scheme, one style, in every figure and picture.

A style is a colour and a variant of it: markers and dashes of lines, hatches of bars. The table
gives schemes by the names that figures write; a scheme that it has not (one of your own) gets a
style that nothing else in the figure has.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

# Okabe and Ito's palette without yellow (too faint for lines), and four of Tol's: all can be told
# apart by the colour-blind.
PALETTE = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "pink": "#CC79A7",
    "sky": "#56B4E9",
    "orange": "#E69F00",
    "black": "#000000",
    "wine": "#882255",
    "olive": "#999933",
    "indigo": "#332288",
    "grey": "#808080",
}
COLOURS = list(PALETTE.values())
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", "p", ">", "h", "*"]
HATCHES = ["", "///", "...", "xxx", "\\\\\\", "---", "ooo", "|||", "+++", "OO", "**", "//.."]
DASHES: list[Any] = ["-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2))]
DASHES += [(0, (8, 3)), (0, (3, 1)), (0, (8, 2, 2, 2)), (0, (1, 4)), (0, (4, 4)), (0, (2, 1, 6, 1))]

# A line per colour and kind: the first scheme is plain, each further one a variant of it. Lines of
# one colour are of schemes that no figure has together, or of one scheme by other names.
TABLE = [
    # of all papers
    ("black", ["TCP"]),
    ("black", ["TCP New Reno", "New Reno, RTO from 10 ms"]),
    ("black", ["New Reno, lean", "New Reno, ns-3"]),
    ("black", ["lean TCP"]),
    ("orange", ["ns-3's TCP"]),
    ("blue", ["lean TCP, delayed"]),
    ("pink", ["ns-3's TCP, delayed"]),
    ("sky", ["lean TCP, delayed 5 ms"]),
    ("vermilion", ["lean TCP, Linux's, delayed"]),
    ("wine", ["TCP CUBIC"]),
    ("wine", ["cubic"]),
    ("wine", ["CUBIC, lean", "CUBIC, ns-3"]),
    ("sky", ["DCTCP"]),
    ("sky", ["DCTCP, lean", "DCTCP, ns-3"]),
    ("green", ["ECMP"]),
    ("green", ["ecmp-core"]),
    ("green", ["ECMP at each switch", "ECMP by core"]),
    ("orange", ["MPTCP"]),
    ("olive", ["Swift"]),
    ("olive", ["swift-wcc"]),
    ("grey", ["Clove"]),
    ("wine", ["PicNIC"]),
    (
        "green",
        [
            *("ElasticSwitch", "ElasticSwitch, marks from 60 KB"),
            *("ElasticSwitch, 128 KB of buffer", "ElasticSwitch as published"),
            *("ElasticSwitch, hosts keep step", "ElasticSwitch, 4 MB for a switch"),
        ],
    ),
    # AFQ
    ("green", ["AFQ"]),
    (
        "green",  # readings of AFQ's rules
        [
            *("AFQ, as elsewhere", "AFQ, StartByte", "AFQ, LastByte"),
            *("AFQ, marks by the port, too", "AFQ, least BDP of two packets"),
            *("AFQ, gain 1/8", "AFQ, StartByte, gain 1/8"),
            *("AFQ, no least BDP", "AFQ, a pair in flight"),
            *("AFQ, first timeout 2.5 ms", "AFQ, all as in the public code"),
        ],
    ),
    ("green", ["packet-pair over AFQ"]),
    ("green", ["sketch of 2 x 1024"]),
    ("green", ["RSP", "RSP, packet-pair hosts", "RSP, packet-pair hosts, no marks"]),
    ("orange", ["Ideal-FQ"]),
    ("orange", ["exact bids"]),
    ("orange", ["DRR"]),
    ("vermilion", ["SFQ", "SFQ, marking"]),
    ("black", ["TCP over drop-tail", "TCP over AFQ", "TCP with SACK over drop-tail"]),
    ("sky", ["DCTCP over drop-tail, marking"]),
    ("sky", ["drop-tail, marking"]),
    ("blue", ["DCTCP over AFQ"]),
    ("blue", ["two groups", "two groups, packet-pair hosts"]),
    # DRB
    (
        "blue",
        [
            *("DRB", "DRB without re-sequencing", "DRB with ECN", "DRB with DCTCP"),
            *("DRB, window 256 KB", "DRB, outer header", "DRB, a hello per 300 ms"),
        ],
    ),
    ("vermilion", ["RRB", "RRB without re-sequencing", "RRB with ECN"]),
    ("pink", ["RB", "RB without re-sequencing", "RB with ECN", "RB, outer header"]),
    ("wine", ["DeTail"]),
    ("blue", ["spread evenly (RB, RRB, DRB)"]),
    ("green", ["a switch per pair (ECMP)"]),
    ("blue", ["with the rules"]),
    ("pink", ["flooding"]),
    # Trinity
    (
        "indigo",
        [
            *("Trinity", "Trinity, max-min", "Trinity, max-min, demand 1.3"),
            *("Trinity, max-min, demand 1.3, re-sequencing for 10 ms", "Trinity, equal"),
            *("Trinity, prototype", "Trinity, at interval ends, 128 KB"),
            *("Trinity, alpha 0.02", "Trinity, alpha 0.5", "Trinity, at interval ends"),
            *("Trinity, trapping ignored", "without detection"),
        ],
    ),
    (
        "pink",  # other laws of Trinity's, and its other switches
        [
            *("Literal", "Prototype", "Literal, at reports", "Prototype, at reports"),
            *("Literal, without detection", "Trinity, 4 MB for a switch"),
        ],
    ),
    ("pink", ["Trinity, literal"]),
    (
        "green",
        [
            *("C-ElasticSwitch", "A-ElasticSwitch", "A-ElasticSwitch, at interval ends"),
            *("A-ElasticSwitch, literal", "A-ElasticSwitch, literal, at reports"),
            *("A-ElasticSwitch, prototype", "A-ElasticSwitch, at interval ends, 128 KB"),
        ],
    ),
    ("orange", ["Static reservation"]),
    ("grey", ["No protection"]),
    # uFAB
    ("vermilion", ["uFAB", "uFAB, all paths, least subscribed"]),
    ("vermilion", ["mufab"]),
    ("pink", ["uFAB'"]),
    ("pink", ["mufab-prime"]),
    ("blue", ["PWC", "PWC, unbounded start"]),
    (
        "green",
        [
            *("ElasticSwitch+Clove", "ElasticSwitch+Clove, all paths"),
            *("hoses divided every 1 ms", "steps 100 times as long"),
            "ElasticSwitch+Clove, losses",
        ],
    ),
    ("green", ["elastic-switch-clove"]),
    # Nimble
    ("orange", ["Nimble", "Nimble, random drops"]),
    ("orange", ["Nimble (LM)"]),
    ("orange", ["LM (4 bits)"]),
    ("orange", ["LM, yellow from 80 KB"]),
    ("orange", ["LM, two frames"]),
    ("vermilion", ["Nimble (NM)"]),
    ("vermilion", ["NM"]),
    ("vermilion", ["NM (Occupancy)", "NM (RFC 2697)", "NM (RFC 2698)"]),
    ("vermilion", ["NM, two frames", "NM (RFC 2697), two"]),
    ("blue", ["VQ"]),
    ("blue", ["Virtual queues"]),
    ("blue", ["Virtual"]),
    ("pink", ["VQ(ECN)"]),
    ("grey", ["No limits", "No limits, no marks"]),
    ("grey", ["DCTCP, no limits"]),
    ("wine", ["Policing"]),
    ("wine", ["One frame"]),
    ("green", ["Shaping"]),
    ("green", ["Switch-local"]),
    ("orange", ["Global (Algorithm 2)"]),
    ("pink", ["End-host", "End-host, all at once"]),
    ("orange", ["In-network", "In-network, random delays", "In-network, no delay"]),
    ("pink", ["Static"]),
    ("sky", ["Dynamic (ideal)"]),
    ("orange", ["Dynamic (10 ms late)"]),
]


@dataclass(frozen=True)
class Style:
    """The look of a scheme."""

    colour: str
    marker: str
    dash: Any
    hatch: str


def style(colour: int, variant: int = 0) -> Style:
    """A variant of a colour."""
    return Style(
        colour=COLOURS[colour % len(COLOURS)],
        marker=MARKERS[(colour + variant) % len(MARKERS)],
        dash=DASHES[variant % len(DASHES)],
        hatch=HATCHES[variant % len(HATCHES)],
    )


def next_dash(dash: Any, steps: int = 1) -> Any:
    """Another dash, for one of several lines of a style or for a line that lies on one."""
    return DASHES[(DASHES.index(dash) + steps) % len(DASHES)]


def _key(label: str) -> str:
    """The name that is compared: `Ideal-FQ` in figures is `ideal-fq` on a command line."""
    return re.sub(r"[^a-z0-9+']", "", label.lower())


Place = tuple[int, int]  # of a colour in the palette, of a variant


@cache
def _known() -> dict[str, Place]:
    names = list(PALETTE)
    return {
        _key(label): (names.index(colour), variant)
        for colour, labels in TABLE
        for variant, label in enumerate(labels)
    }


def styles(labels: Iterable[str]) -> dict[str, Style]:
    """The style of each scheme of a figure."""
    labels = list(dict.fromkeys(labels))
    known = _known()
    places: dict[str, Place] = {}
    for label in sorted(labels, key=lambda label: _key(label) not in known):
        place = known.get(_key(label))
        if place is None or place in places.values():
            place = _free(label, set(places.values()))
        places[label] = place
    return {label: style(*places[label]) for label in labels}


def _free(label: str, taken: set[Place]) -> Place:
    """A place for what the table has not: beside its family's, or the first colour left."""
    known, key = _known(), _key(label)
    kin = max((name for name in known if key.startswith(name)), key=len, default="")
    used = {colour for colour, _ in taken}
    every = range(len(COLOURS))
    colours = [known[kin][0]] if kin else [c for c in every if c not in used] or every
    places = ((colour, variant) for variant in itertools.count() for colour in colours)
    return next(place for place in places if place not in taken)
