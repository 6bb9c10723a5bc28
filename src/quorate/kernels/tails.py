"""How often chance gets as far: of what was counted in draws, and in closed form where the distribution is known.

The normal, Student's t and chi-square distributions for whole degrees of freedom: nothing to import for them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MANY = 2000  # degrees of freedom from which on it is the normal distribution


def p_value(reached: Any, draws: Any) -> Any:
    """How often chance reaches a value, counting the value itself as one draw more."""
    return (reached + 1) / (draws + 1)


def two_sided(z: float) -> float:
    """How often a normal value is as far from 0.

    >>> round(two_sided(1.96), 3)
    0.05
    """
    return math.nan if math.isnan(z) else math.erfc(abs(z) / math.sqrt(2))


def within(t: float, freedom: int) -> float:
    """The chance of a value between -t and t.

    >>> round(within(1.0, 1), 6), round(within(2.776445, 4), 4)
    (0.5, 0.95)
    """
    if freedom >= MANY:
        return math.erf(t / math.sqrt(2))
    angle = math.atan(t / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    term = cosine if freedom % 2 else 1.0
    total, step = 0.0, 2 if freedom % 2 else 1
    while step < freedom:  # products of (even / odd) or (odd / even) numbers, times powers of the cosine
        total += term
        term *= cosine * cosine * step / (step + 1)
        step += 2
    return 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total


def beyond(t: float, freedom: int) -> float:
    """The chance of a value as far from 0 as t: a two-sided p-value."""
    return max(1 - within(abs(t), freedom), 0.0)


def beyond_each(t: Array, freedom: int) -> Array:
    """:func:`beyond` of many values at once, all of the same freedom.

    >>> beyond_each(np.array([1.0, 2.776445]), 4).round(4).tolist()
    [0.3739, 0.05]
    """
    if freedom >= MANY:
        return np.array([beyond(x, freedom) for x in t.tolist()])
    angle = np.arctan(np.abs(t) / math.sqrt(freedom))
    cosine, sine = np.cos(angle), np.sin(angle)
    term = cosine.copy() if freedom % 2 else np.ones(len(t))
    total, step = np.zeros(len(t)), 2 if freedom % 2 else 1
    while step < freedom:
        total += term
        term *= cosine * cosine * step / (step + 1)
        step += 2
    inside = 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total
    return np.asarray(np.maximum(1 - inside, 0.0))


def flipped_beyond(apart: Array, seen: Array, steps: int = 12) -> Array:
    """At most how often flipped signs make sums of ``apart[pair, task]`` as far from 0 as ``seen``: Chernoff's bound.

    Exact where no flip gets farther, and never too small: any t gives a bound, 2 exp(sum of log cosh(t d) - t seen),
    and Newton's steps come nearer to the best one from below.

    >>> round(float(flipped_beyond(np.ones((1, 14)), np.array([14.0]))[0] * 2**13), 9)
    1.0
    """
    size = np.abs(apart).max(axis=1, initial=0.0)
    scale = np.where(size > 0, size, 1.0)
    d, x = np.abs(apart) / scale[:, None], seen / scale
    t = x / np.maximum((d * d).sum(axis=1), 1e-300)  # the best one were all differences small: Hoeffding's
    for _ in range(steps):
        bend = np.tanh(t[:, None] * d)
        slope = (d * d * (1 - bend * bend)).sum(axis=1)
        t = np.minimum(t + np.maximum(x - (d * bend).sum(axis=1), 0.0) / np.maximum(slope, 1e-12), 700.0)
    y = t[:, None] * d
    log = (y + np.log1p(np.exp(-2 * y)) - math.log(2)).sum(axis=1) - t * x
    log = np.where(x >= d.sum(axis=1) * (1 - 1e-9), -(d > 0).sum(axis=1) * math.log(2), log)
    return np.asarray(np.minimum(2 * np.exp(np.minimum(log, 0.0)), 1.0))


@lru_cache(maxsize=1024)
def quantile(level: float, freedom: int) -> float:
    """The t that a share ``level`` of values stays within, both sides together.

    >>> round(quantile(0.95, 4), 4), round(quantile(0.9, 1), 4)
    (2.7764, 6.3138)
    """
    if freedom >= MANY:
        return NormalDist().inv_cdf((1 + level) / 2)
    low, high = 0.0, 1.0
    while within(high, freedom) < level:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < level else (low, middle)
    return (low + high) / 2


def widening(level: float, units: int) -> float:
    """How much wider an interval must be that was drawn from so few units: Student's t over the normal distribution.

    Draws from n units spread less than n units do, by (n - 1) / n, and how far the units spread is itself uncertain.

    >>> round(widening(0.95, 5), 2), round(widening(0.95, 66), 2)
    (1.58, 1.03)
    """
    if units < 2:
        return math.inf
    return quantile(level, units - 1) / NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(units / (units - 1))


def chi_square_tail(chi2: Array, df: Array) -> Array:
    """The chance of a larger chi-square; NaN where there are no degrees of freedom, or no chi-square.

    Half of the value is the mean of a Poisson distribution, whose first ``df / 2`` probabilities are added up; for odd
    ``df`` they lie halfway between whole numbers, and what is left is the normal distribution's.

    >>> chi_square_tail(np.array([3.841459, 9.487729, 1.0]), np.array([1, 4, 0])).round(4).tolist()
    [0.05, 0.05, nan]
    """
    half = np.maximum(np.asarray(chi2, dtype=float), 0.0) / 2
    odd = np.asarray(df) % 2 == 1
    tail = np.array([math.erfc(math.sqrt(h)) if o else 0.0 for h, o in zip(half.tolist(), odd.tolist(), strict=True)])
    power = np.where(odd, 0.5, 0.0)
    log = np.log(np.maximum(half, 1e-300))
    size = np.where(odd, math.lgamma(1.5), 0.0)  # the logarithm of the factorial below each power
    for _ in range(int(df.max(initial=0)) // 2):
        tail += np.where(power < df / 2, np.exp(power * log - half - size), 0.0)
        power += 1
        size += np.log(power)
    return np.asarray(np.where((df > 0) & ~np.isnan(half), np.minimum(tail, 1.0), math.nan))
