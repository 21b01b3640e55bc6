# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts, at both sides of every tolerance."""

import pandas as pd
import pytest

from reproduce.claims import Judgement, judge

BASE = {"id": "c", "statement": "s", "source": "here", "metric": "m"}


def table(**schemes: list[float] | dict[int, list[float]]) -> pd.DataFrame:
    """Values by scheme and seed, or by scheme, n and seed."""
    rows = []
    for scheme, values in schemes.items():
        points = values if isinstance(values, dict) else {1: values}
        for n, seeds in points.items():
            for seed, value in enumerate(seeds, 1):
                rows.append({"scheme": scheme, "n": n, "seed": seed, "m": value})
    return pd.DataFrame(rows)


def verdict(claim: dict, data: pd.DataFrame, profile: str = "quick") -> Judgement:
    """The judgement by the data."""
    return judge(BASE | claim, data, profile)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([11.4], "holds"),  # 14 % above
        ([11.6], "differs"),  # 16 % above, and one seed has no interval
        ([11.6, 11.6], "differs"),
        ([8.6], "holds"),
        ([8.4], "differs"),
        ([11.0, 13.0], "holds"),  # mean 12, interval wide enough to cover 10
        ([11.9, 12.1], "differs"),  # mean 12, interval 1.27
    ],
)
def test_value(values: list[float], expected: str) -> None:
    claim = {"kind": "value", "paper_value": 10, "unit": "us", "scheme": "a"}
    assert verdict(claim, table(a=values)).verdict == expected


@pytest.mark.parametrize(("values", "expected"), [([11, 11.8], "holds"), ([11, 13], "differs")])
def test_value_by_its_mean(values: list[float], expected: str) -> None:
    claim = {"kind": "value", "paper_value": 10, "scheme": "a", "by_mean": True}
    assert verdict(claim, table(a=values)).verdict == expected


@pytest.mark.parametrize(
    ("above", "expected"), [(2.4, "holds"), (2.6, "differs"), (1.4, "differs")]
)
def test_ratio(above: float, expected: str) -> None:
    claim = {"kind": "ratio", "paper_value": 2, "scheme": "a", "over": {"scheme": "b"}}
    result = verdict(claim, table(a=[above, above * 10], b=[1, 10]))
    assert result.verdict == expected
    assert result.measured == pytest.approx(above)  # seed by seed


@pytest.mark.parametrize(
    ("above", "expected"), [(1.51, "holds"), (1.49, "differs"), (4.9, "holds"), (5.1, "differs")]
)
def test_ratio_with_a_range(above: float, expected: str) -> None:
    claim = {"kind": "ratio", "paper_value": [2, 4], "scheme": "a", "over": {"scheme": "b"}}
    assert verdict(claim, table(a=[above], b=[1])).verdict == expected


def test_ordering_needs_intervals_apart() -> None:
    claim = {"kind": "ordering", "order": ["a", "b"]}
    assert verdict(claim, table(a=[1, 1.1, 0.9], b=[2, 2.1, 1.9])).verdict == "holds"
    # Interval half-widths 0.25 each: means 0.4 apart overlap, 0.6 apart do not.
    assert verdict(claim, table(a=[1, 1.1, 0.9], b=[1.4, 1.5, 1.3])).verdict == "differs"
    assert verdict(claim, table(a=[1, 1.1, 0.9], b=[1.6, 1.7, 1.5])).verdict == "holds"
    assert verdict(claim, table(a=[2, 2.1, 1.9], b=[1, 1.1, 0.9])).verdict == "differs"


def test_ordering_with_ties_differs() -> None:
    claim = {"kind": "ordering", "order": ["a", "b"]}
    assert verdict(claim, table(a=[1, 1], b=[1, 1])).verdict == "differs"


def test_ordering_with_one_seed_is_not_measured() -> None:
    result = verdict({"kind": "ordering", "order": ["a", "b"]}, table(a=[1], b=[9]))
    assert (result.verdict, result.reason) == (
        "not measured",
        "an ordering needs at least 2 seeds",
    )


@pytest.mark.parametrize(("other", "expected"), [(1.1, "holds"), (1.12, "differs")])
def test_about_equal_is_within_ten_percent(other: float, expected: str) -> None:
    claim = {"kind": "ordering", "order": [["a", "b"], "c"]}
    data = table(a=[1, 1], b=[other, other], c=[5, 5])
    assert verdict(claim, data).verdict == expected


def test_ordering_of_points() -> None:
    claim = {
        "kind": "ordering",
        "scheme": "a",
        "order": [{"at": {"n": 4}}, {"at": {"n": 64}}],
    }
    assert verdict(claim, table(a={4: [1, 1.01], 64: [3, 3.01]})).verdict == "holds"


def test_a_profile_is_judged_at_the_points_that_it_sweeps() -> None:
    claim = {"kind": "bound", "scheme": "a", "at_most": 1.1, "at": {"n": [1, 2]}}
    assert verdict(claim, table(a={1: [1, 1.2], 2: [1, 1]})).verdict == "differs"
    assert verdict(claim, table(a={2: [1, 1]})).verdict == "holds"
    assert verdict(claim, table(a={3: [1, 1]})).verdict == "not measured"
    one = {"kind": "bound", "scheme": "a", "at_most": 1.1, "at": {"n": 1}}
    assert verdict(one, table(a={2: [1, 1]})).verdict == "not measured"


def test_bound_in_every_seed() -> None:
    claim = {"kind": "bound", "scheme": "a", "at_most": 1.3}
    assert verdict(claim, table(a=[1.0, 1.3])).verdict == "holds"
    result = verdict(claim, table(a=[1.0, 1.31]))
    assert (result.verdict, result.measured) == ("differs", 1.31)
    low = {"kind": "bound", "scheme": "a", "at_least": 0.3}
    assert verdict(low, table(a=[0.31, 0.4])).verdict == "holds"
    assert verdict(low, table(a=[0.29, 0.4])).verdict == "differs"


def test_bound_with_two_sides_shows_the_worse_one() -> None:
    claim = {"kind": "bound", "scheme": "a", "at_least": 0.9, "at_most": 1.1}
    assert verdict(claim, table(a=[0.95, 1.0])).measured == 0.95
    low = verdict(claim, table(a=[0.5, 1.09]))
    assert (low.verdict, low.measured) == ("differs", 0.5)
    points = verdict(claim | {"at": {"n": [1, 2]}}, table(a={1: [0.5, 1], 2: [1, 1.12]}))
    assert points.measured == "a (n 1) 0.5 in the worst seed, the worst of 2 points"


def test_bound_relative_to_another_scheme() -> None:
    claim = {"kind": "bound", "scheme": "a", "over": {"scheme": "b"}, "at_most": 1.5}
    assert verdict(claim, table(a=[2.9, 3], b=[2, 2])).verdict == "holds"
    assert verdict(claim, table(a=[2.9, 3.1], b=[2, 2])).verdict == "differs"


def test_ordering_of_ratios() -> None:
    # The gain over b grows from n = 1 to n = 2, though a itself falls.
    data = table(a={1: [4, 4.2], 2: [3, 3.1]}, b={1: [2, 2.1], 2: [1, 1]})
    gain = [{"at": {"n": n}, "over": {"scheme": "b"}} for n in (1, 2)]
    claim = {"kind": "ordering", "scheme": "a"}
    result = verdict(claim | {"order": gain}, data)
    assert result.verdict == "holds"
    assert result.measured.startswith("a (n 1) over b (n 1) 2 ")
    assert verdict(claim | {"order": gain[::-1]}, data).verdict == "differs"
    alone = verdict(claim | {"order": gain}, data[data["scheme"] == "a"])
    assert alone.reason == "no run of b (n 1)"


def test_must_hold_at_every_point() -> None:
    claim = {"kind": "bound", "scheme": "a", "at_most": 2, "at": {"n": [1, 2]}}
    assert verdict(claim, table(a={1: [1], 2: [2], 3: [9]})).verdict == "holds"
    result = verdict(claim, table(a={1: [1], 2: [3]}))
    assert result.verdict == "differs"
    assert result.measured == "a (n 2) 3 in the worst seed, the worst of 2 points"


def test_must_hold_for_every_scheme() -> None:
    claim = {"kind": "bound", "scheme": ["a", "b"], "at_most": 2}
    assert verdict(claim, table(a=[1], b=[2])).verdict == "holds"
    assert verdict(claim, table(a=[1], b=[3])).verdict == "differs"
    assert verdict(claim, table(a=[1])).reason == "no run of b"


def test_own_tolerance_shows_its_reason() -> None:
    claim = {"kind": "value", "paper_value": 10, "scheme": "a", "tolerance": 0.5}
    result = verdict(claim | {"tolerance_reason": "read off a picture"}, table(a=[14]))
    assert (result.verdict, result.reason) == ("holds", "read off a picture")


def test_reason_is_shown_for_the_profile_that_differs_only() -> None:
    claim = {"kind": "value", "paper_value": 10, "scheme": "a", "reason": {"quick": "short"}}
    assert verdict(claim, table(a=[20])).reason == "short"
    assert verdict(claim, table(a=[20]), "paper").reason == ""
    assert verdict(claim, table(a=[10])).reason == ""


def test_what_is_not_there_is_not_measured() -> None:
    value = {"kind": "value", "paper_value": 1, "scheme": "afq"}
    assert verdict(value, table(a=[1])).reason == "no run of afq"
    at = {"kind": "value", "paper_value": 1, "scheme": "a", "at": {"n": 7}}
    assert verdict(at, table(a=[1])).reason == "no run of a (n 7)"
    unfinished = {"kind": "value", "paper_value": 1, "scheme": "a"}
    assert verdict(unfinished, table(a=[1, float("nan")])).verdict == "not measured"


def test_not_testable() -> None:
    claim = {"kind": "value", "testable": False, "reason": "hardware"}
    result = verdict(claim, table(a=[1]))
    assert (result.verdict, result.reason, result.measured) == ("not testable", "hardware", None)


def test_the_papers_own_arithmetic_can_differ_but_not_hold() -> None:
    claim = {"kind": "value", "paper_value": 10, "scheme": "a", "arithmetic": True}
    assert verdict(claim, table(a=[10])).verdict == "arithmetic"
    assert verdict(claim, table(a=[20])).verdict == "differs"


def test_a_number_has_its_interval() -> None:
    claim = {"kind": "value", "paper_value": 10, "scheme": "a"}
    assert verdict(claim, table(a=[9, 11])).interval == pytest.approx(12.706)
    assert verdict(claim, table(a=[10])).interval is None


def test_an_ordering_tells_its_parts() -> None:
    result = verdict({"kind": "ordering", "order": ["a", "b"]}, table(a=[1, 1.1], b=[3, 3.1]))
    assert [part.name for part in result.parts] == ["a", "b"]
    assert [part.mean for part in result.parts] == pytest.approx([1.05, 3.05])
