"""Student's t tests of scores: how often a value as low is met by chance, however far out it lies."""

from __future__ import annotations

import math

NEAR = 1e-9  # of the spread of scores: rounding


def lower_tail(t: float, freedom: int) -> float:
    """The chance of a value at most t; exact far out, where the closed form of intervals has lost its digits.

    >>> round(lower_tail(-2.776445, 4), 4)
    0.025
    """
    from scipy.special import stdtr

    return float(stdtr(freedom, t))


def t_test(mean: float, deviation: float, size: int, freedom: int, spread: float = 1.0) -> float:
    """Two-sided p of a mean of 0, or of a slope, whose values deviate so much; NaN without degrees of freedom.

    ``spread`` is that of all scores: what is tiny beside it is rounding.
    """
    if freedom < 1:
        return math.nan
    if deviation <= NEAR * spread:
        return 1.0 if abs(mean) <= NEAR * spread else 0.0
    return 2 * lower_tail(-abs(mean) / (deviation / math.sqrt(size)), freedom)
