# SPDX-License-Identifier: GPL-2.0-only
"""The rules of judging, at both sides of every edge, on tables made by hand.

Five seeds with the effects m - 2u, m - u, m, m + u, m + 2u have the standard deviation 1.5811 u, a
95 % interval of m +- 1.963 u (t = 2.776) and a 90 % interval of m +- 1.507 u (t = 2.132). A tie is
within ln 1.05 = 0.0488, about equal within ln 1.1 = 0.0953.
"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reproduce.effects import Effects, Reader, effects
from reproduce.errors import UserError
from reproduce.estimates import EXACT, Estimate, holm, quantile, within
from reproduce.judging import (
    Finding,
    Rule,
    allowed,
    combined,
    conclude,
    few,
    fingerprint,
    judge,
    judge_must_fail,
    judge_number,
    judge_sentence,
    last_digit,
    paper_decides,
)
from reproduce.statements import (
    AboutEqual,
    Across,
    Basis,
    Bound,
    Claim,
    Conclusion,
    Entry,
    Number,
    NumberVerdict,
    Order,
    Predicate,
    Quantity,
    Replacement,
    Side,
    Trend,
)

A, B, C = Side("a"), Side("b"), Side("c")
BELOW = Order(((B,), (A,)))  # b < a
YES, PARTLY, NO = Conclusion.YES, Conclusion.PARTLY, Conclusion.NO
UNDECIDED, NONE = Conclusion.UNDECIDED, Conclusion.NONE


def spread(mean: float, unit: float = 0.01) -> list[float]:
    """The effects of five seeds."""
    return [mean + unit * step for step in (-2, -1, 0, 1, 2)]


def table(**schemes: list[float] | dict[float, list[float]]) -> pd.DataFrame:
    """Values of the metric m by scheme and seed, or by scheme, load and seed."""
    rows = []
    for scheme, values in schemes.items():
        for load, seeds in (values if isinstance(values, dict) else {1: values}).items():
            for seed, value in enumerate(seeds, 1):
                rows.append({"scheme": scheme, "load": load, "seed": seed, "m": value})
    return pd.DataFrame(rows)


def ratios(*points: list[float]) -> pd.DataFrame:
    """Schemes a and b whose logarithms differ by these effects, at the loads 1, 2, ..."""
    above = {load: [7 * math.exp(d) for d in point] for load, point in enumerate(points, 1)}
    return table(a=above, b={load: [7.0] * len(point) for load, point in enumerate(points, 1)})


def claim(*predicates: Predicate, loads: int = 1, **more: object) -> Claim:
    """A claim about the metric m at the loads 1 to `loads`."""
    scope = {"load": tuple(range(1, loads + 1))}
    return Claim("p", "p-c1", "as it says", scope=scope, predicates=predicates, metric="m", **more)


def finding(predicate: Predicate, data: pd.DataFrame, random: bool = True) -> Finding:
    """The outcome of a sentence of one comparison at all loads of the table."""
    outcome = judge_sentence(claim(predicate, loads=data["load"].nunique()), data, random)
    assert len(outcome.findings) == 1
    assert outcome.conclusion is outcome.findings[0].conclusion
    return outcome.findings[0]


# Student's t, estimates, Holm


@pytest.mark.parametrize(
    ("probability", "freedom", "expected"),  # of printed tables
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 4, 2.776),
        (0.975, 9, 2.262),
        (0.975, 30, 2.042),
        (0.975, 120, 1.980),
        (0.95, 2, 2.920),
        (0.95, 4, 2.132),
        (0.8, 4, 0.941),
        (0.8, 2, 1.061),
        (0.995, 3, 5.841),
        (0.9995, 5, 6.869),
    ],
)
def test_quantiles_of_t(probability: float, freedom: int, expected: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(expected, abs=5e-4)
    assert within(quantile(probability, freedom), freedom) == pytest.approx(2 * probability - 1)


def test_intervals() -> None:
    estimate = Estimate.of(np.array(spread(0.5)))
    assert estimate.deviation == pytest.approx(0.015811, rel=1e-4)
    assert estimate.interval() == pytest.approx((0.5 - 0.01963, 0.5 + 0.01963), abs=1e-5)
    assert estimate.interval(0.90) == pytest.approx((0.5 - 0.01507, 0.5 + 0.01507), abs=1e-5)


def test_the_smallest_visible_effect() -> None:
    # (2.776 + 0.941) 0.015811 / sqrt(5)
    assert Estimate.of(np.array(spread(3.0))).smallest_visible == pytest.approx(0.02628, abs=1e-5)


@pytest.mark.parametrize(
    ("chances", "expected"),
    [
        ([0.04], [True]),
        ([0.06], [False]),
        ([0.03, 0.04], [False, False]),  # the smaller must be at most 0.025
        ([0.04, 0.02], [True, True]),  # then the other at most 0.05
        ([0.001, 0.03, 0.04], [True, False, False]),  # 0.03 > 0.05 / 2, and there it ends
        ([], []),
    ],
)
def test_holm(chances: list[float], expected: list[bool]) -> None:
    assert holm(chances) == expected


# A difference


@pytest.mark.parametrize(
    ("points", "expected", "why"),
    [
        ([spread(0.020)], YES, ""),  # 0.0004 to 0.0396
        ([spread(-0.020)], NO, ""),
        ([spread(0.019)], NO, "a tie"),  # holds 0; 90 %: 0.004 to 0.034
        ([spread(0.003, 0.03)], NO, "a tie"),  # holds 0; 90 %: -0.042 to 0.0482
        ([spread(0.005, 0.03)], UNDECIDED, ""),  # 90 %: to 0.0502
        ([spread(-0.005, 0.03)], UNDECIDED, ""),  # 90 %: from -0.0502
    ],
)
def test_a_difference(points: list[list[float]], expected: Conclusion, why: str) -> None:
    found = finding(BELOW, ratios(*points))
    assert (found.conclusion, found.why) == (expected, why)


def test_an_undecided_sentence_says_what_its_seeds_could_have_seen() -> None:
    found = finding(BELOW, ratios(spread(0.005, 0.03)))
    assert found.smallest_visible == pytest.approx(3 * 0.02628, abs=1e-4)


def test_a_seed_s_common_part_cancels() -> None:
    # The seeds differ tenfold, the ratio is always 1.2: unpaired intervals overlap.
    data = table(a=[1.2, 12.0, 120.0], b=[1.0, 10.0, 100.0])
    assert finding(BELOW, data).conclusion is YES


@pytest.mark.parametrize(("mean", "expected"), [(0.019, YES), (-0.019, YES), (-0.020, NO)])
def test_a_tie_is_a_yes_where_the_sentence_allows_it(mean: float, expected: Conclusion) -> None:
    assert finding(replace(BELOW, or_equal=True), ratios(spread(mean))).conclusion is expected


def test_a_point_against_spoils_a_tie_that_the_sentence_allows() -> None:
    # The pool: 0.005, 90 % +- 0.035. The points: 0.03 +- 0.079 and -0.02 +- 0.014.
    data = ratios(spread(0.03, 0.04), spread(-0.02, 0.007))
    assert finding(replace(BELOW, or_equal=True), data).conclusion is PARTLY
    assert finding(BELOW, data).conclusion is NO


# The number of seeds


@pytest.mark.parametrize(
    ("effect", "expected", "why"),
    [
        (math.log(1.0010), YES, ""),
        (math.log(1.0009), NO, "a tie"),
        (-math.log(1.0009), NO, "a tie"),
        (-math.log(1.0010), NO, ""),
    ],
)
@pytest.mark.parametrize("seeds", [1, 2])  # the same again, where nothing is random
def test_without_randomness_the_sign_decides(
    effect: float, seeds: int, expected: Conclusion, why: str
) -> None:
    found = finding(BELOW, ratios([effect] * seeds), random=False)
    assert (found.conclusion, found.why) == (expected, why)


def test_what_is_not_random_has_no_seeds_that_differ() -> None:
    with pytest.raises(UserError, match="p-c1: random: false, but seeds differ in b < a"):
        finding(BELOW, ratios([0.1, 0.2]), random=False)


@pytest.mark.parametrize(("seeds", "why"), [(1, "1 seed, random"), (2, "2 seeds, random")])
def test_one_or_two_seeds_decide_nothing(seeds: int, why: str) -> None:
    for effect in (9.0, -9.0, 0.0):
        found = finding(BELOW, ratios([effect] * seeds))
        assert (found.conclusion, found.why) == (UNDECIDED, why)
        assert found.smallest_visible is None


@pytest.mark.parametrize(("seeds", "marked"), [(2, False), (3, True), (4, True), (5, False)])
def test_three_and_four_seeds_are_marked(seeds: int, marked: bool) -> None:
    found = finding(BELOW, ratios(([1.0, 1.1, 1.2] + [1.1] * 2)[:seeds]))
    assert (found.conclusion is YES, few(seeds, random=True)) == (seeds > 2, marked)
    assert not few(seeds, random=False)


@pytest.mark.parametrize(
    ("effects", "expected", "why"),
    [
        ([math.log(1.001)] * 3, YES, ""),
        ([math.log(1.0009)] * 3, NO, "a tie"),
        ([0.0] * 3, NO, "a tie"),
        ([-math.log(1.001)] * 3, NO, ""),
        ([0.0005, 0.00051, 0.0005], NO, "a tie"),  # of a table with six digits: no spread
        ([0.0005, 0.00052, 0.0005], YES, ""),  # that is a spread: 0.00051 +- 0.00003
    ],
)
def test_without_spread_the_interval_is_the_point(
    effects: list[float], expected: Conclusion, why: str
) -> None:
    found = finding(BELOW, ratios(effects))
    assert (found.conclusion, found.why) == (expected, why)


def test_a_missing_seed_is_named() -> None:
    data = table(a=[1.0, 2.0, 3.0], b=[1.0, 2.0])
    with pytest.raises(UserError) as refused:
        finding(BELOW, data)
    assert str(refused.value) == (
        "claim p-c1: b (load 1) has no seed 3; allowed: the same seeds on every side"
    )


def test_a_seed_that_is_missing_at_one_point_is_named() -> None:
    data = ratios(spread(1.0), spread(1.0)).query("load != 2 or seed not in (2, 4)")
    with pytest.raises(UserError, match=r"b \(load 2\) has no seed 2, 4; allowed"):
        finding(BELOW, data)


def test_seeds_of_others_do_not_matter() -> None:
    data = table(a=[2.0, 2.1, 2.2], b=[1.0, 1.0, 1.0], c=[1.0])
    assert finding(BELOW, data).conclusion is YES


def test_two_runs_of_a_seed_are_refused() -> None:
    data = ratios(spread(1.0), spread(1.0))
    with pytest.raises(UserError, match="b has several runs of seed 1; allowed: one a point"):
        judge_sentence(replace(claim(BELOW), scope={}), data)


# No value


def test_a_side_without_a_value_leaves_it_undecided() -> None:
    found = finding(BELOW, table(a=[2.0, math.nan, 2.0], b=[1.0, 1.0, 1.0]))
    assert (found.conclusion, found.why) == (UNDECIDED, "no value: m of a (load 1)")


@pytest.mark.parametrize(
    ("predicate", "why"),
    [
        (Order(((A,), (C,))), "no run of c (load 1)"),
        (Order(((A,), (Side("b", "other"),))), "no value: other of b (load 1)"),
        (Order(((A,), (Side("b", at={"rate": 3}),))), "no run of b (load 1, rate 3)"),
    ],
)
def test_what_is_missing_is_named(predicate: Order, why: str) -> None:
    found = finding(predicate, ratios(spread(1.0)))
    assert (found.conclusion, found.why) == (UNDECIDED, why)


def test_nothing_is_decided_before_a_run() -> None:
    verdict = judge(replace(claim(BELOW), number=value("1")), None)
    assert verdict.sentence.conclusion is UNDECIDED
    assert verdict.number.verdict is NumberVerdict.NONE


# Zeros


def differences(predicate: Predicate, data: pd.DataFrame) -> np.ndarray:
    """The effects of a predicate at all loads of the table."""
    loads = data["load"].nunique()
    (found,) = effects(predicate, Reader(claim(predicate, loads=loads), data))
    return found.values


def test_with_a_zero_it_is_a_difference_over_the_mean_of_both_sides() -> None:
    data = table(a=[4.0, 6.0, 5.0], b=[0.0, 0.0, 0.0])
    # The mean of |a| and |b| is 2.5: 1.6, 2.4, 2.0, which is 2 +- 0.994.
    assert differences(BELOW, data)[:, 0] == pytest.approx([1.6, 2.4, 2.0])
    assert finding(BELOW, data).conclusion is YES
    assert finding(Order(((A,), (B,))), data).conclusion is NO


def test_one_zero_makes_all_points_differences() -> None:
    data = table(a={1: [3.0] * 3, 2: [5.0] * 3}, b={1: [1.0] * 3, 2: [0.0, 1.0, 2.0]})
    # (3 - 1) / 2; (5 - 0) / 3, (5 - 1) / 3, (5 - 2) / 3
    expected = [[1.0, 5 / 3], [1.0, 4 / 3], [1.0, 1.0]]
    assert differences(BELOW, data) == pytest.approx(np.array(expected))


def test_values_below_zero_are_differences() -> None:
    data = table(a=[1.0, 1.0, 1.0], b=[-3.0, -3.0, -3.0])
    assert differences(BELOW, data)[:, 0] == pytest.approx([2.0] * 3)  # 4 / 2


def test_two_zeros_are_a_tie() -> None:
    data = table(a=[0.0] * 3, b=[0.0] * 3)
    found = finding(BELOW, data)
    assert (found.conclusion, found.why) == (NO, "a tie")
    assert finding(replace(BELOW, or_equal=True), data).conclusion is YES
    assert finding(AboutEqual((A, B)), data).conclusion is YES


def test_a_ratio_over_zero_is_compared_without_dividing() -> None:
    data = table(a=[1.0] * 3, b=[0.0] * 3, c=[2.0] * 3)
    # a / c < a / b: 0.5 against what is beyond all numbers
    order = Order(((replace(A, over=C),), (replace(A, over=B),)))
    assert finding(order, data).conclusion is YES


def test_a_ratio_over_less_than_zero_has_no_value() -> None:
    data = table(a=[1.0] * 3, b=[-1.0] * 3)
    found = finding(Bound(replace(A, over=B), at_most=1), data)
    assert (found.conclusion, found.why) == (
        UNDECIDED,
        "no value: a over b is over a number below 0",
    )


# Several points


def test_points_are_pooled_within_their_seed() -> None:
    # Each is 0.05 +- 0.098, but what a seed gains at one it loses at the other: 0.05 exactly.
    found = finding(BELOW, ratios(spread(0.05, 0.05), spread(0.05, -0.05)))
    assert found.conclusion is YES
    assert [point.side() for _, point in found.points] == [0, 0]
    assert found.pooled.interval() == pytest.approx((0.05, 0.05))


def test_points_do_not_count_as_seeds() -> None:
    # 20 numbers, but five seeds: 0.018 +- 0.01963 (with 20 independent ones it would be +- 0.007).
    assert finding(BELOW, ratios(*[spread(0.018)] * 4)).conclusion is not YES


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([spread(1.0), spread(-0.2)], PARTLY),  # the pool 0.4: on its side, a point against
        # The pool 0.32: on its side, though no point is significantly for it, and one against.
        ([spread(0.5, 0.5), spread(0.5, -0.5), spread(-0.05)], PARTLY),
        ([spread(0.2), spread(-0.2)], PARTLY),  # the pool 0: one for, one against
        ([spread(0.2), spread(-1.0)], PARTLY),  # the pool against: one for, one against
        ([spread(1.0), spread(-0.01)], YES),  # the point is not significantly against
        ([spread(-1.0), spread(0.01)], NO),
        ([spread(-1.0), spread(-0.5)], NO),
        ([spread(0.0, 0.5), spread(-0.1)], UNDECIDED),  # against, but neither pool nor point for
    ],
)
def test_points_against(points: list[list[float]], expected: Conclusion) -> None:
    assert finding(BELOW, ratios(*points)).conclusion is expected


def test_points_against_are_corrected_for_their_number() -> None:
    # p = 0.03 against and 0.04 for, beside one that is clear: Holm asks for 0.025 of the second.
    found = finding(BELOW, ratios(spread(0.5), spread(-0.0233), spread(0.0212)))
    chances = [point.chance for _, point in found.points]
    assert chances == pytest.approx([0, 0.030, 0.040], abs=5e-4)
    assert found.conclusion is YES
    # By itself it would be against.
    assert finding(BELOW, ratios(spread(0.5), spread(-0.0233))).conclusion is PARTLY


def test_without_randomness_points_count_by_their_sign() -> None:
    assert finding(BELOW, ratios([0.5], [-0.1]), random=False).conclusion is PARTLY
    assert finding(BELOW, ratios([0.5], [-0.0009]), random=False).conclusion is YES


@pytest.mark.parametrize(
    ("second", "together", "every"),
    [
        (spread(0.001), YES, YES),
        (spread(-0.001), YES, UNDECIDED),  # the wrong sign, if by little
        (spread(0.0), YES, UNDECIDED),
        (spread(-0.1), PARTLY, PARTLY),
    ],
)
def test_every(second: list[float], together: Conclusion, every: Conclusion) -> None:
    data = ratios(spread(1.0), second)
    assert finding(BELOW, data).conclusion is together
    assert finding(replace(BELOW, across=Across.EVERY), data).conclusion is every


def test_every_allows_a_tie_where_the_sentence_does() -> None:
    order = replace(BELOW, across=Across.EVERY, or_equal=True)
    assert finding(order, ratios(spread(1.0), spread(-0.001))).conclusion is YES
    assert finding(order, ratios(spread(1.0), spread(-0.001, 0.1))).conclusion is UNDECIDED


@pytest.mark.parametrize(
    ("second", "expected"),
    [(spread(0.020), YES), (spread(0.019), UNDECIDED), (spread(-0.02), PARTLY)],
)
def test_a_point_that_is_singled_out(second: list[float], expected: Conclusion) -> None:
    order = replace(BELOW, singled_out=({"load": 2},))
    assert finding(order, ratios(spread(1.0), second)).conclusion is expected


def test_points_that_are_singled_out_are_corrected_for_their_number() -> None:
    # Both have p = 0.03: by itself each is apart, of two the first needs 0.025.
    data = ratios(spread(1.0), spread(0.0233), spread(0.0233))
    one = replace(BELOW, singled_out=({"load": 2},))
    both = replace(BELOW, singled_out=({"load": 2}, {"load": 3}))
    assert finding(one, data).conclusion is YES
    assert finding(both, data).conclusion is UNDECIDED


def test_a_point_that_is_singled_out_is_one_of_the_scope() -> None:
    order = replace(BELOW, singled_out=({"load": 9},))
    with pytest.raises(UserError, match="p-c1: no point of its scope has load 9"):
        finding(order, ratios(spread(1.0)))


@pytest.mark.parametrize(
    ("best", "expected", "why"),
    [
        # Of two points the interval is one of 97.5 %: +- 3.495 x 0.00707 = 0.0247.
        (0.025, YES, ""),
        (0.024, UNDECIDED, ""),  # at 95 % it would be apart, so it is no tie either
        (0.019, NO, "a tie"),
        (-0.025, NO, ""),
    ],
)
def test_up_to(best: float, expected: Conclusion, why: str) -> None:
    order = replace(BELOW, across=Across.UP_TO)
    found = finding(order, ratios(spread(best), spread(-0.5)))
    assert (found.conclusion, found.why) == (expected, why)
    assert found.pooled.mean == pytest.approx(best)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([spread(-1.0), spread(0.1)], YES),
        ([spread(-1.0), spread(-0.1)], NO),
        ([spread(-1.0), spread(0.0)], UNDECIDED),
        ([spread(0.0233), spread(0.0233)], UNDECIDED),  # p = 0.03 each, of two
    ],
)
def test_there_are_cases(points: list[list[float]], expected: Conclusion) -> None:
    order = replace(BELOW, across=Across.SOME)
    assert finding(order, ratios(*points)).conclusion is expected


def test_a_profile_is_judged_where_it_sweeps() -> None:
    data = ratios(spread(1.0), spread(-1.0))
    assert judge_sentence(claim(BELOW, loads=3), data.query("load == 1")).conclusion is YES
    assert judge_sentence(claim(BELOW, loads=3), data).conclusion is PARTLY


# Chains and sentences of several parts


def chain(**schemes: list[float]) -> Conclusion:
    """The conclusion on a < b < c, of effects over the same number."""
    order = Order(((A,), (B,), (C,)))
    data = table(**{name: list(np.exp(values)) for name, values in schemes.items()})
    return judge_sentence(claim(order), data).conclusion


@pytest.mark.parametrize(
    ("b", "c", "expected"),
    [
        (spread(1.0), spread(2.0), YES),
        (spread(1.0), spread(0.5), PARTLY),  # a < b, but c < b
        (spread(-1.0), spread(-2.0), NO),
        (spread(1.0), spread(1.0, 0.06), UNDECIDED),  # b and c: 0 +- 0.098
        (spread(-1.0), spread(-1.0, 0.06), NO),  # one is wrong, whatever the other
    ],
)
def test_a_chain(b: list[float], c: list[float], expected: Conclusion) -> None:
    assert chain(a=[0.0] * 5, b=b, c=c) is expected


def test_each_side_of_a_step_is_below_each_of_the_next() -> None:
    data = table(a=spread(1.0), b=spread(2.0), c=spread(3.0))
    outcome = judge_sentence(claim(Order(((A, B), (C,)))), data)
    assert [found.name for found in outcome.findings] == ["a < c", "b < c"]
    assert outcome.conclusion is YES


def test_parts_of_a_sentence() -> None:
    data = table(a=spread(1.0), b=spread(2.0), c=spread(2.001))
    sentence = claim(Order(((A,), (B,))), AboutEqual((B, C)))
    outcome = judge_sentence(sentence, data)
    assert [found.conclusion for found in outcome.findings] == [YES, YES]
    wrong = judge_sentence(replace(sentence, predicates=(BELOW, AboutEqual((B, C)))), data)
    assert (wrong.conclusion, wrong.decisive.name) == (PARTLY, "b < a")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([YES, YES], YES),
        ([YES, UNDECIDED], UNDECIDED),
        ([NO, UNDECIDED], NO),
        ([YES, UNDECIDED, NO], PARTLY),
        ([PARTLY, NO], PARTLY),
        ([], NONE),
    ],
)
def test_what_parts_come_to(parts: list[Conclusion], expected: Conclusion) -> None:
    assert combined(parts) is expected


def test_a_sentence_that_is_only_a_number_has_no_conclusion() -> None:
    assert judge_sentence(claim(), ratios(spread(0.0))).conclusion is NONE


# About equal


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([spread(0.080)], YES),  # 90 %: to 0.0951
        ([spread(0.081)], UNDECIDED),  # to 0.0961
        ([spread(0.110)], UNDECIDED),  # from 0.0949
        ([spread(0.111)], NO),  # from 0.0959
        ([spread(-0.080)], YES),
        ([spread(-0.111)], NO),
        ([spread(0.02, 0.03)], YES),  # 0.02 +- 0.045, whether or not it holds 0
        ([spread(0.15), spread(-0.15)], NO),  # never pooled
        ([spread(0.0), spread(0.1)], UNDECIDED),
        ([spread(0.0), spread(0.2)], NO),
    ],
)
def test_about_equal(points: list[list[float]], expected: Conclusion) -> None:
    assert finding(AboutEqual((A, B)), ratios(*points)).conclusion is expected


def test_each_pair_is_about_equal() -> None:
    data = table(a=[1.0] * 3, b=[1.08] * 3, c=[1.16] * 3)  # c / a = 1.16
    equal = AboutEqual((A, B, C))
    found = finding(equal, data)
    assert [place for place, _ in found.points] == [
        "a ≈ b, load 1",
        "a ≈ c, load 1",
        "b ≈ c, load 1",
    ]
    assert found.conclusion is NO
    assert finding(AboutEqual((A, B)), data).conclusion is YES


def test_about_equal_needs_seeds_too() -> None:
    assert finding(AboutEqual((A, B)), ratios([0.0, 0.0])).conclusion is UNDECIDED
    assert finding(AboutEqual((A, B)), ratios([0.0]), random=False).conclusion is YES


# Bounds and trends


@pytest.mark.parametrize(
    ("points", "at_most", "at_least"),
    [
        ([spread(-0.020)], YES, NO),
        ([spread(0.020)], NO, YES),
        ([spread(0.010)], UNDECIDED, UNDECIDED),  # near a limit is no tie that keeps it
        ([[0.0] * 3], YES, YES),  # what reaches it keeps it
        ([[0.0009] * 3], YES, YES),
        ([[0.0011] * 3], NO, YES),
        ([spread(-1.0), spread(0.1)], PARTLY, PARTLY),
    ],
)
def test_a_bound(points: list[list[float]], at_most: Conclusion, at_least: Conclusion) -> None:
    data = ratios(*points)
    assert finding(Bound(A, at_most=7), data).conclusion is at_most
    assert finding(Bound(A, at_least=7), data).conclusion is at_least


def test_a_bound_of_zero() -> None:
    bound = Bound(A, at_most=0)
    assert finding(bound, table(a=[0.0] * 3)).conclusion is YES
    # 2, 2.5 and 1.5 times as far from 0 as the mean of 2 and 0
    data = table(a=[2.0, 2.5, 1.5])
    assert differences(bound, data)[:, 0] == pytest.approx([-2.0, -2.5, -1.5])
    assert finding(bound, data).conclusion is NO


def test_a_bound_in_every_point() -> None:
    bound = Bound(A, at_most=7, across=Across.EVERY)
    assert finding(bound, ratios(spread(-1.0), [0.0] * 5)).conclusion is YES  # reached
    assert finding(bound, ratios(spread(-1.0), spread(0.01))).conclusion is UNDECIDED


@pytest.mark.parametrize(
    ("value", "expected"), [(8.0, NO), (9.0, YES), (10.0, YES), (11.0, YES), (12.0, NO)]
)
def test_between_two_limits(value: float, expected: Conclusion) -> None:
    bound = Bound(A, at_least=9, at_most=11)
    found = finding(bound, table(a=[value] * 3))
    assert (found.name, found.conclusion) == ("a at most 11 and at least 9", expected)


def test_of_two_limits_all_seeds_have_the_one_that_their_mean_is_nearer_to() -> None:
    seeds = [8.8, 10.8, 11.2]  # the first is nearer to 9, and beyond it
    values = differences(Bound(A, at_least=9, at_most=11), table(a=seeds))
    assert values[:, 0] == pytest.approx(np.log(11 / np.array(seeds)))
    both = differences(Bound(A, at_least=9, at_most=11), table(a={1: seeds, 2: [9.2, 9.3, 9.4]}))
    assert both[:, 0] == pytest.approx(np.log(11 / np.array(seeds)))
    assert both[:, 1] == pytest.approx(np.log(np.array([9.2, 9.3, 9.4]) / 9))


def test_a_point_that_all_sides_fix_is_judged_once() -> None:
    sides = tuple(replace(side, at={"load": 1}) for side in (A, B))
    data = table(a={1: [1.0, 1.1, 1.2], 2: [1.5] * 3}, b={1: [2.0] * 3, 2: [1.0] * 3})
    found = judge_sentence(claim(Order(((sides[0],), (sides[1],))), loads=2), data)
    assert [place for place, _ in found.findings[0].points] == [""]
    mixed = judge_sentence(claim(Order(((A,), (sides[1],))), loads=2), data)
    assert [place for place, _ in mixed.findings[0].points] == ["load 1", "load 2"]


def test_a_bound_on_a_ratio() -> None:
    data = table(a=[1.0, 2.0, 3.0], b=[6.0, 11.0, 17.0])  # a fifth of b, and less
    assert finding(Bound(replace(A, over=B), at_most=0.2), data).conclusion is YES
    assert finding(Bound(replace(A, over=B), at_least=0.2), data).conclusion is NO


def test_a_trend() -> None:
    data = table(a={1: [1.0, 1.1, 1.2], 2: [9.0] * 3, 3: [2.0, 2.3, 2.5]})
    rises = Trend(A, {"load": 1}, {"load": 3})
    whole = replace(claim(rises), scope={})
    assert judge_sentence(whole, data).conclusion is YES
    falls = replace(whole, predicates=(replace(rises, falls=True),))
    assert judge_sentence(falls, data).conclusion is NO


def test_a_trend_of_a_ratio() -> None:
    # Both fall, a over b grows from 2 to 3.
    data = table(
        a={1: [4.0, 4.4, 5.0], 2: [3.0, 3.3, 3.6]}, b={1: [2.0, 2.2, 2.5], 2: [1.0, 1.1, 1.2]}
    )
    trend = Trend(replace(A, over=B), {"load": 1}, {"load": 2})
    found = judge_sentence(replace(claim(trend), scope={}), data)
    assert found.conclusion is YES
    assert found.findings[0].pooled.mean == pytest.approx(math.log(1.5))
    assert found.findings[0].name == "a over b rises from load 1 to load 2"


def test_a_trend_of_a_ratio_with_zeros() -> None:
    # (4 - 2) / 3 at first, (3 - 0) / 1.5 at last
    data = table(a={1: [4.0] * 3, 2: [3.0] * 3}, b={1: [2.0] * 3, 2: [0.0] * 3})
    trend = Trend(replace(A, over=B), {"load": 1}, {"load": 2})
    (found,) = effects(trend, Reader(replace(claim(trend), scope={}), data))
    assert found.values[:, 0] == pytest.approx([2 - 2 / 3] * 3)


# The profile that decides


@pytest.mark.parametrize(
    ("loads", "seeds", "random", "expected"),
    [
        ((1, 2), 3, True, True),
        ((1, 2), 2, True, False),
        ((1,), 3, True, False),  # quick has the other load, too
        ((1, 2, 3), 3, True, True),
        ((1, 2), 1, False, True),
        ((), 0, True, False),
    ],
)
def test_the_paper_profile_decides(
    loads: tuple[int, ...], seeds: int, random: bool, expected: bool
) -> None:
    quick = ratios(spread(1.0), spread(1.0))
    paper = table(**{name: {load: [1.0] * seeds for load in loads} for name in "ab"})
    if not loads:
        paper = None
    sentence = claim(BELOW, loads=3)
    assert paper_decides(sentence, quick, paper, random) is expected


def test_the_paper_profile_decides_only_with_all_sides() -> None:
    quick = ratios(spread(1.0))
    paper = table(a=[1.0] * 3, b=[1.0] * 3)
    assert paper_decides(claim(BELOW), quick, paper)
    assert not paper_decides(claim(BELOW), quick, paper.query("scheme == 'a'"))
    ratio = claim(Bound(replace(A, over=B), at_most=1))
    assert not paper_decides(ratio, quick, paper.query("scheme == 'a' or seed < 3"))


def test_the_paper_profile_decides_only_with_both_ends_of_a_trend() -> None:
    quick = ratios(spread(1.0), spread(2.0))
    trend = replace(claim(Trend(A, {"load": 1}, {"load": 2})), scope={})
    assert paper_decides(trend, quick, quick)
    assert not paper_decides(trend, quick, quick.query("load == 1"))


def test_the_only_profile_decides() -> None:
    paper = ratios(spread(1.0))
    assert paper_decides(claim(BELOW, loads=3), None, paper)


def test_a_scope_that_only_the_paper_profile_sweeps_is_judged_there() -> None:
    quick, paper = ratios(spread(1.0)), ratios(spread(1.0), spread(2.0))
    there = replace(claim(BELOW), scope={"load": (2,)})
    assert paper_decides(there, quick, paper)
    assert not paper_decides(there, quick, paper.query("seed < 3"))


def test_the_paper_profile_does_not_decide_without_values() -> None:
    quick = ratios(spread(1.0))
    paper = quick.assign(m=quick["m"].where(quick["seed"] < 4))
    assert paper_decides(claim(BELOW), quick, paper)
    assert not paper_decides(claim(BELOW), quick, quick.assign(m=math.nan))


# What a line shows


def test_ratios_with_a_zero_are_compared_as_ratios() -> None:
    # a over b is 0.6, 0, 0.1, 0.1, 0.1: the large denominator of the first seed weighs no more
    data = table(a=[60.0, 0.0, 0.1, 0.1, 0.1], b=[100.0, 1.0, 1.0, 1.0, 1.0])
    bound = finding(Bound(replace(A, over=B), at_most=0.5), data)
    scale = (0.6 + 0.1 * 3 + 0.5 * 5) / 5 / 2
    assert bound.pooled.mean == pytest.approx((0.5 * 5 - 0.9) / 5 / scale)
    assert bound.conclusion is YES


def test_sides_are_named_by_metric_where_a_claim_speaks_of_several() -> None:
    data = table(a=[1.0, 1.1, 1.2]).assign(k=[2.0, 2.1, 2.2])
    order = Order(((Side("a"),), (Side("a", "k"),)))
    assert finding(order, data).name == "m of a < k of a"


def test_of_a_mixed_sentence_what_spoilt_it_decides() -> None:
    data = table(a=spread(7.0), b=spread(5.0), c=spread(9.0))
    outcome = judge_sentence(claim(BELOW, Order(((C,), (A,)))), data)
    assert (outcome.conclusion, outcome.decisive.conclusion) == (PARTLY, NO)


def test_of_what_is_about_equal_the_point_that_decided_is_shown() -> None:
    wide, apart = spread(-0.16, 0.05), spread(0.12, 0.002)
    found = finding(AboutEqual((A, B)), ratios(wide, apart))
    assert (found.conclusion, found.smallest_visible) == (NO, None)
    assert abs(found.pooled.mean) == pytest.approx(0.12)


def test_a_null_with_other_seeds_is_none() -> None:
    data = table(a=[3.0, 3.1, 3.2], b=[1.0, 1.1, 1.2], c=[1.0, 1.1])
    null = claim(BELOW, must_fail=Replacement("a", C))
    assert judge_sentence(null, data).conclusion is YES
    assert judge_must_fail(null, data) is None


def test_a_null_may_be_another_setting_or_metric() -> None:
    data = table(a={1: spread(7.0), 2: spread(4.0)}, b={1: spread(5.0), 2: spread(5.0)})
    data["k"] = 8 - data["m"]
    at = replace(claim(BELOW), must_fail=Replacement("a", Side(at={"load": 2})))
    assert judge_must_fail(at, data) is NO
    metric = replace(claim(BELOW), must_fail=Replacement("a", Side(metric="k")))
    assert judge_must_fail(metric, data) is NO


@pytest.mark.parametrize(
    "other",
    [{"experiment": "two"}, {"basis": Basis.CALIBRATED}, {"must_fail": Replacement("a", C)}],
)
def test_whose_runs_basis_and_null_are_in_the_hash(other: dict[str, object]) -> None:
    assert fingerprint(claim(BELOW, **other)) != fingerprint(claim(BELOW))


# Numbers


def value(printed: str, end: str = "", side: Side = A, **more: object) -> Number:
    """A printed value."""
    return Number(**{"quantity": Quantity.VALUE, "entries": (Entry(side, printed, end),)} | more)


def number(printed: Number, data: pd.DataFrame, random: bool = True) -> str:
    """The outcome of a number at all loads of the table."""
    loads = data["load"].nunique()
    return str(judge_number(replace(claim(loads=loads), number=printed), data, random))


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (11.5, "within"),  # 15 % above
        (11.6, "off by 1.2"),
        (8.5, "within"),
        (8.4, "off by 1.2"),
        (20.0, "off by 2"),
        (5.0, "off by 2"),
        (0.0, "off"),
        (-10.0, "off"),
    ],
)
def test_a_value(ours: float, expected: str) -> None:
    assert number(value("10"), table(a=[ours] * 3)) == expected


@pytest.mark.parametrize(("ours", "expected"), [(0.0, "within"), (0.1, "off")])
def test_a_value_of_zero(ours: float, expected: str) -> None:
    assert number(value("0"), table(a=[ours] * 3)) == expected


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        ([10.0, 10.1, 10.2], "within"),  # 10.1 +- 0.25
        ([10.8, 11.2, 11.3], "imprecise"),  # 11.1 +- 0.66, across 11.5
        ([11.4, 11.6, 11.8], "off by 1.2"),  # 11.6 +- 0.5: an interval never rescues
        ([9.0, 12.0, 15.0], "off by 1.2"),  # 12 +- 7.5, which holds 10
    ],
)
def test_the_mean_decides(ours: list[float], expected: str) -> None:
    assert number(value("10"), table(a=ours)) == expected
    small = table(a=[1e-9 * one for one in ours])  # whatever the unit
    assert number(value("10e-9"), small) == expected


@pytest.mark.parametrize(
    ("ours", "random", "expected"),
    [([10.0], True, "-"), ([10.0] * 2, True, "-"), ([10.0], False, "within")],
)
def test_a_number_needs_seeds(ours: list[float], random: bool, expected: str) -> None:
    assert number(value("10"), table(a=ours), random) == expected


@pytest.mark.parametrize(
    ("loads", "expected"),
    [((10, 11), "within"), ((10, 12), "overlaps"), ((12, 30), "off by 3"), ((5, 12), "off by 2")],
)
def test_a_number_at_several_points(loads: tuple[float, ...], expected: str) -> None:
    data = table(a={load: [ours] * 3 for load, ours in enumerate(loads, 1)})
    assert number(value("10"), data) == expected


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (1.71, "within"),  # 15 % below 2
        (1.69, "off by 1.2"),  # of the nearer end
        (3.0, "within"),
        (4.59, "within"),
        (8.0, "off by 2"),
    ],
)
def test_a_range(ours: float, expected: str) -> None:
    assert number(value("2", "4"), table(a=[ours] * 3)) == expected
    assert number(value("4", "2"), table(a=[ours] * 3)) == expected


RATIO = replace(A, over=B)


@pytest.mark.parametrize(
    ("above", "expected"),
    [(2.49, "within"), (2.51, "off by 1.3"), (1.51, "within"), (1.49, "off by 1.3")],
)
def test_a_ratio(above: float, expected: str) -> None:
    ratio = value("2", side=RATIO, quantity=Quantity.RATIO)
    assert number(ratio, table(a=[above, 10 * above, above], b=[1.0, 10.0, 1.0])) == expected


def test_a_ratio_with_a_zero_on_one_side() -> None:
    ratio = value("2", side=RATIO, quantity=Quantity.RATIO)
    assert number(ratio, table(a=[0.0] * 3, b=[1.0] * 3)) == "off"
    assert number(ratio, table(a=[1.0] * 3, b=[0.0] * 3)) == "off"
    assert number(ratio, table(a=[0.0, 2.0, 4.0], b=[1.0] * 3)) == "within"  # of the means: 2


@pytest.mark.parametrize(
    ("printed", "above", "expected"),
    [
        ("24", 1.30, "within"),  # 24 % within 6 points
        ("24", 1.181, "within"),
        ("24", 1.179, "off by 1.3"),  # 17.9 of 24
        ("24", 1.00, "off"),  # no gain is no factor
        ("24", 0.90, "off"),
        ("-80", 0.20, "within"),
        ("-80", 0.249, "within"),  # a quarter of the ratio 0.2, where a quarter of 80 would do
        ("-80", 0.26, "off by 1.1"),
        ("-80", 0.14, "off by 1.1"),  # 0.15 is a quarter below 0.2
        ("400", 5.99, "within"),  # a quarter of 400 %: to 500 %, a ratio of 6
        ("400", 6.01, "off by 1.3"),
        ("400", 3.99, "off by 1.3"),
    ],
)
def test_a_gain(printed: str, above: float, expected: str) -> None:
    gain = value(printed, side=RATIO, quantity=Quantity.GAIN, unit="%")
    assert number(gain, table(a=[above] * 3, b=[1.0] * 3)) == expected


@pytest.mark.parametrize(
    ("printed", "ours", "expected"),
    [
        ("4.0", 4.9, "within"),  # a quarter
        ("4.0", 5.1, "off by 1.3"),
        ("0.1", 0.149, "within"),  # half of the last digit, 0.05, is more than a quarter
        ("0.1", 0.151, "off by 1.5"),
        ("0.10", 0.149, "off by 1.5"),  # 0.025 is not
    ],
)
def test_an_error(printed: str, ours: float, expected: str) -> None:
    error = value(printed, quantity=Quantity.ERROR)
    assert number(error, table(a=[ours] * 3)) == expected


@pytest.mark.parametrize(
    ("quantity", "printed", "ours", "expected"),
    [
        (Quantity.AT_MOST, "1.5", 1.54, "within"),  # half of 0.1
        (Quantity.AT_MOST, "1.5", 1.56, "off by 1"),
        (Quantity.AT_MOST, "1.5", 0.1, "within"),
        (Quantity.AT_MOST, "1.50", 1.54, "off by 1"),
        (Quantity.AT_LEAST, "895", 894.6, "within"),
        (Quantity.AT_LEAST, "895", 894.4, "off by 1"),
        (Quantity.AT_LEAST, "895", 447.5, "off by 2"),
    ],
)
def test_the_number_of_a_bound(
    quantity: Quantity, printed: str, ours: float, expected: str
) -> None:
    assert number(value(printed, quantity=quantity), table(a=[ours] * 3)) == expected


def test_an_analytic_bound_has_no_tolerance() -> None:
    bound = value("12", quantity=Quantity.AT_MOST, analytic=True)
    assert number(bound, table(a=[12.0] * 3)) == "within"
    assert number(bound, table(a=[12.1] * 3)) == "off by 1"
    assert number(replace(bound, analytic=False), table(a=[12.1] * 3)) == "within"


def test_a_bound_is_imprecise_across_its_edge() -> None:
    bound = value("12", quantity=Quantity.AT_MOST)
    assert number(bound, table(a=[11.0, 12.0, 13.0])) == "imprecise"  # 12 +- 2.5
    assert number(bound, table(a=[1.0, 2.0, 3.0])) == "within"


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((0.10, 0.90, 1.0), "within"),
        ((0.20, 0.90, 1.0), "within"),  # 0.10 away
        ((0.21, 0.90, 1.0), "off"),
        ((0.10, 0.79, 1.0), "off"),
    ],
)
def test_a_distribution(shares: tuple[float, ...], expected: str) -> None:
    data = table(a={load: [share] * 3 for load, share in enumerate(shares, 1)})
    printed = ("0.1", "0.9", "1")
    entries = [Entry(Side("a", at={"load": i}), text) for i, text in enumerate(printed, 1)]
    cumulative = Number(Quantity.DISTRIBUTION, tuple(entries))
    outcome = judge_number(replace(claim(number=cumulative), scope={}), data)
    assert str(outcome) == expected
    percent = [replace(entry, printed=f"{100 * float(entry.printed)}") for entry in entries]
    data["m"] *= 100
    cumulative = Number(Quantity.DISTRIBUTION, tuple(percent), "%")
    assert str(judge_number(replace(claim(number=cumulative), scope={}), data)) == expected


def test_a_bar_chart_is_one_number() -> None:
    data = table(a={1: [10.0] * 3, 2: [20.0] * 3}, b={1: [30.0] * 3, 2: [40.0] * 3})
    bars = [("a", 1, "10"), ("a", 2, "21"), ("b", 1, "28"), ("b", 2, "60")]
    entries = tuple(Entry(Side(name, at={"load": load}), text) for name, load, text in bars)
    outcome = judge_number(claim(number=Number(Quantity.VALUE, entries), loads=2), data)
    assert outcome.verdict is NumberVerdict.OVERLAPS
    assert len(outcome.points) == 4
    assert outcome.worst.name == "m of b (load 2)"


def test_what_a_number_lacks_is_named() -> None:
    lacking = replace(claim(), number=value("10", side=C))
    outcome = judge_number(lacking, table(a=[1.0] * 3))
    assert (outcome.verdict, outcome.why) == (NumberVerdict.NONE, "no run of c (load 1)")


@pytest.mark.parametrize(
    ("text", "weight"), [("1.50", 0.01), ("895", 1), ("0.1", 0.1), ("3e2", 100), ("-2.5", 0.1)]
)
def test_the_last_digit(text: str, weight: float) -> None:
    assert last_digit(text) == pytest.approx(weight)


def test_a_negative_value_has_its_tolerance_around_it() -> None:
    printed = value("-10")
    assert allowed(printed, printed.entries[0]) == pytest.approx((-11.5, -8.5))


# A claim as a whole


def test_both_verdicts_are_apart() -> None:
    ratio = value("2", side=RATIO, quantity=Quantity.RATIO)
    sentence = claim(BELOW, number=ratio)
    verdict = judge(sentence, table(a=[1.3, 1.2, 1.25], b=[1.0] * 3))
    assert verdict.sentence.conclusion is YES
    assert str(verdict.number) == "off by 1.6"


def test_what_cannot_be_tested_has_no_verdict() -> None:
    hardware = claim(BELOW, number=value("10"), basis=Basis.NOT_TESTABLE)
    verdict = judge(hardware, ratios(spread(1.0)))
    assert (verdict.sentence.conclusion, verdict.number.verdict) == (NONE, NumberVerdict.NONE)


def test_a_side_that_must_fail() -> None:
    data = table(a=[3.0, 3.1, 3.2], b=[1.0] * 3, c=[0.5] * 3)
    sentence = claim(BELOW, must_fail=Replacement("a", C))  # b < c
    assert judge_sentence(sentence, data).conclusion is YES
    assert judge_must_fail(sentence, data) is NO
    assert judge_must_fail(replace(sentence, must_fail=None), data) is None
    assert judge_must_fail(sentence, data.query("scheme != 'c'")) is None


def test_what_must_fail_is_complete_or_not_judged() -> None:
    data = table(a=[3.0, 3.1, 3.2], b=[1.0] * 3, c=[0.5] * 3)
    parts = claim(BELOW, Order(((C,), (B,))), must_fail=Replacement("c", Side("d")))
    assert judge_must_fail(parts, data) is None


def test_a_side_that_must_fail_is_one_of_the_sentence() -> None:
    with pytest.raises(UserError, match="p-c1: must_fail changes nothing of the sentence"):
        judge_must_fail(claim(BELOW, must_fail=Replacement("c", A)), ratios(spread(1.0)))


def test_what_decides_has_a_fingerprint() -> None:
    data = ratios(spread(1.0))
    sentence = claim(BELOW, number=value("10"))
    known = judge(sentence, data).hash
    assert (
        judge(replace(sentence, sentence="in other words", sources=("Sec. 5",)), None).hash == known
    )
    others = [
        replace(sentence, predicates=(replace(BELOW, or_equal=True),)),
        replace(sentence, scope={"load": (1, 2)}),
        replace(sentence, number=value("10.0")),
        replace(sentence, metric="n"),
    ]
    assert len({known, *(judge(other, None).hash for other in others)}) == 5


# Chance


def simulated(count: int, seeds: int, points: int, mean: float) -> list[Conclusion]:
    """Conclusions from normal effects of spread 0.1, half of it the seed's and common to points."""
    draws = np.random.default_rng(20131)
    noise = draws.normal(0, 0.1 / math.sqrt(2), (count, seeds, points))
    noise += draws.normal(0, 0.1 / math.sqrt(2), (count, seeds, 1))
    places = tuple(f"load {i}" for i in range(points))
    return [conclude(Effects("", places, mean + one), Rule()).conclusion for one in noise]


@pytest.mark.parametrize("points", [1, 4])
def test_of_ties_at_most_three_in_a_hundred_are_a_yes(points: int) -> None:
    assert simulated(10_000, 5, points, 0.0).count(YES) <= 300


@pytest.mark.parametrize("seeds", [3, 5, 10])
def test_an_effect_of_twice_the_smallest_visible_is_found(seeds: int) -> None:
    visible = Estimate(0.0, 0.1, seeds).smallest_visible
    assert simulated(1_000, seeds, 1, 2 * visible).count(YES) >= 950


def test_the_smallest_visible_effect_is_found_in_four_cases_of_five() -> None:
    visible = Estimate(0.0, 0.1, 5).smallest_visible
    assert simulated(2_000, 5, 1, visible).count(YES) == pytest.approx(1600, abs=60)


def test_without_spread_what_counts_as_an_effect_is_visible() -> None:
    assert Estimate(0.0, 0.0, 3).smallest_visible == EXACT
