# SPDX-License-Identifier: GPL-2.0-only
"""One scheme, one style: over all experiments, and within each figure."""

from collections import defaultdict

from reproduce.experiments import load_all
from reproduce.styles import COLOURS, TABLE, Style, styles


def shipped() -> dict[str, dict[str, Style]]:
    """The styles of the schemes of every experiment, by their names in figures."""
    return {e.id: styles(e.labels.get(name, name) for name in e.schemes) for e in load_all()}


def test_a_scheme_looks_the_same_in_all_figures() -> None:
    looks = defaultdict(lambda: defaultdict(list))
    for name, found in shipped().items():
        for label, look in found.items():
            looks[label][look].append(name)
    torn = {label: list(places.values()) for label, places in looks.items() if len(places) > 1}
    assert not torn, f"add these to TABLE in reproduce/styles.py: {torn}"


def test_no_two_schemes_of_a_figure_look_alike() -> None:
    for name, found in shipped().items():
        for parts in (("colour", "marker"), ("colour", "hatch"), ("colour", "dash")):
            looks = [tuple(getattr(look, part) for part in parts) for look in found.values()]
            if len(looks) <= 12:  # more are not told apart by eye, but by their place (dots)
                assert len(set(looks)) == len(looks), (name, parts)


def test_the_table_names_each_scheme_once() -> None:
    labels = [label for _, some in TABLE for label in some]
    assert len(set(labels)) == len(labels)


def test_names_of_a_command_line_are_those_of_figures() -> None:
    same = [("AFQ", "afq"), ("Ideal-FQ", "ideal-fq"), ("VQ(ECN)", "vq-ecn"), ("uFAB", "mufab")]
    same += [("TCP CUBIC", "cubic"), ("TCP over drop-tail", "tcp")]
    same += [("ElasticSwitch+Clove", "elastic-switch")]  # a family in two papers
    for label, name in same:
        assert styles([label])[label] == styles([name])[name]


def test_a_scheme_of_ones_own_takes_what_is_free() -> None:
    found = styles(["mine", "TCP", "AFQ"])
    assert found["TCP"] == styles(["TCP"])["TCP"]
    assert found["mine"].colour not in {found["TCP"].colour, found["AFQ"].colour}
    many = styles(["TCP", *(f"mine {i}" for i in range(20))])
    assert len({(look.colour, look.marker) for look in many.values()}) == 21


def test_a_variant_has_the_colour_of_its_scheme() -> None:
    found = styles(["Trinity", "Trinity, with all lights on"])
    assert len({look.colour for look in found.values()}) == 1
    assert len({look.hatch for look in found.values()}) == 2


def test_schemes_of_two_papers_in_one_figure_differ() -> None:
    found = styles(["DRB", "VQ", "PWC"])  # each has the first variant of one colour
    assert len({look.marker for look in found.values()}) == 3
    assert {look.colour for look in found.values()} == {COLOURS[0]}


def test_each_paper_has_a_colour() -> None:
    found = styles(["uFAB", "Trinity", "AFQ", "DRB", "Nimble"])
    assert len({look.colour for look in found.values()}) == 5
