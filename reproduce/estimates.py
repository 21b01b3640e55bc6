# SPDX-License-Identifier: GPL-2.0-only
"""Means over seeds with their t intervals, and which of several are significant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

TIE = math.log(1.05)  # a 90 % interval within this of 0 is a tie
EXACT = math.log(1.001)  # without spread the sign decides from here on
CONSTANT = 1e-5  # a spread that the tables' six digits may make of none
ROUNDING = 1e-9  # of floats, at the edge of a margin
HALVINGS = 60  # of an angle below pi / 2: to the last digit of a float


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds with its spread; a single seed has none."""

    mean: float
    deviation: float  # the standard deviation over seeds
    seeds: int

    @classmethod
    def of(cls, values: np.ndarray) -> Estimate:
        """The estimate from a value per seed."""
        deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return cls(float(values.mean()), deviation, len(values))

    @property
    def exact(self) -> bool:
        """True if the seeds do not differ."""
        return self.deviation <= CONSTANT

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.seeds)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The two-sided t interval; without spread the point."""
        if self.exact:
            return self.mean, self.mean
        half = quantile((1 + level) / 2, self.seeds - 1) * self.error
        return self.mean - half, self.mean + half

    @property
    def sign(self) -> int:
        """The sign of the mean: 1, -1 or 0; without spread it counts from 0.1 % on."""
        if abs(self.mean) < (EXACT - ROUNDING if self.exact else 0):
            return 0
        return (self.mean > 0) - (self.mean < 0)

    def side(self, level: float = 0.95) -> int:
        """The side of 0 on which the interval lies: 1, -1, or 0 if it holds 0."""
        if self.exact:
            return self.sign
        low, high = self.interval(level)
        return (low > 0) - (high < 0)

    @property
    def chance(self) -> float:
        """The two-sided p-value of no effect."""
        if self.exact:
            return 0.0 if self.sign else 1.0
        return 1 - within(self.mean / self.error, self.seeds - 1)

    def lies_within(self, margin: float) -> bool:
        """True if the 90 % interval is nowhere further than the margin from 0."""
        low, high = self.interval(0.90)
        return max(-low, high) <= margin + ROUNDING

    def lies_outside(self, margin: float) -> bool:
        """True if the 90 % interval is everywhere further than the margin from 0."""
        low, high = self.interval(0.90)
        return max(low, -high) > margin + ROUNDING

    def is_tie(self, margin: float = TIE) -> bool:
        """True if the interval holds 0 and what it leaves open is small."""
        return self.side() == 0 and self.lies_within(margin)

    @property
    def smallest_visible(self) -> float:
        """The effect that so many seeds of this spread find in four cases of five."""
        if self.exact:
            return EXACT
        freedom = self.seeds - 1
        return (quantile(0.975, freedom) + quantile(0.8, freedom)) * self.error


def holm(chances: Sequence[float], level: float = 0.05) -> list[bool]:
    """The significant ones of several p-values that are looked at together (Holm's step-down)."""
    significant = [False] * len(chances)
    for rank, i in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        if chances[i] > level / (len(chances) - rank):
            break
        significant[i] = True
    return significant


def within(t: float, freedom: int) -> float:
    """The probability of Student's t between -t and t.

    The finite series for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    return _within(math.atan(abs(t) / math.sqrt(freedom)), freedom)


def _within(angle: float, freedom: int) -> float:
    odd = freedom % 2
    term, total = math.cos(angle) if odd else 1.0, 0.0
    for power in range(odd, freedom - 1, 2):
        if power > odd:
            term *= (power - 1) / power * math.cos(angle) ** 2
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total


@cache
def quantile(probability: float, freedom: int) -> float:
    """The t that stays below with a probability of at least a half."""
    low, high = 0.0, math.pi / 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _within(middle, freedom) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.sqrt(freedom) * math.tan(low)
