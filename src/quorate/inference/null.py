"""Chance: how often a permuted design gets as far as the value seen. All p-values are made here, but closed forms.

p = (reached + 1) / (draws + 1). Draws are added while p may still matter: a value that chance reaches often is clear
after a hundred (Besag and Clifford 1991), and so is one so far off that all draws of the budget would not get there.
Where no draw got as far, p is told by the tail of a gamma distribution with mean, spread and skewness of the draws
(Pearson's type III, which fits permuted designs: Mielke and Berry 2007).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import FIRST
from quorate.inference.estimate import Null
from quorate.kernels.tails import beyond, beyond_each
from quorate.kernels.tails import p_value as p_value

Array = NDArray[Any]
NEAR = 1e-12  # a value that differs by rounding alone has been reached
LEAST = 1e-12  # p that a tail is believed to
SKEWED = 0.5  # skewness of a tail at least; draws show it by so little only
ENOUGH = 20  # times that chance must reach the value for its p to be clear


def reaches(values: Array, seen: Any, sign: int = 1) -> Array:
    """Whether drawn values are at least as extreme as the one seen."""
    return np.asarray(sign * values >= sign * seen - NEAR * np.maximum(np.abs(seen), 1.0))


def null_of(values: Array, seen: float, sign: int = 1) -> Null | None:
    """The null of values that were all drawn; None where nothing is defined."""
    known = values[np.isfinite(values)]
    if not len(known) or math.isnan(seen):
        return None
    return Null(float(known.mean()), p_value(int(reaches(known, seen, sign).sum()), len(known)), len(known))


def sequential(
    draw: Callable[[int], Array], seen: Array, most: int, sign: int = 1, *, deciding: int | None = None
) -> list[Null | None]:
    """The null of several figures that share their draws: ``draw(k)`` gives k more of each, ``[k, figure]``."""
    mean, p, number = (x.tolist() for x in means_and_p(draw, seen, most, sign, deciding=deciding))
    each = zip(mean, p, number, strict=True)
    return [Null(m, q, int(n)) if n and math.isfinite(m) else None for m, q, n in each]


def means_and_p(
    draw: Callable[[int], Array], seen: Array, most: int, sign: int = 1, *, deciding: int | None = None
) -> tuple[Array, Array, Array]:
    """The same as arrays: what chance gives, p, and how many draws are defined, ``[figure]`` each.

    Draws go on, twice as many each time, until ``most`` were made or p of every figure, or of every one of the first
    ``deciding``, is clear: reached ENOUGH times, or too far off to be reached by so many.
    """
    sums, made, size = np.zeros((5, len(seen))), 0, min(FIRST, most)  # how far, how many, values, squares, cubes
    far = np.ones(len(seen))
    while size > 0:
        values = draw(size)
        known = np.isfinite(values)
        with np.errstate(over="ignore", invalid="ignore"):  # counts of patterns whose squares no double holds
            v = np.where(known, values - np.where(np.isfinite(seen), seen, 0.0), 0.0)  # near 0: squares lose no digits
            each = reaches(values, seen, sign), known, v, v * v, v * v * v
            sums += np.stack([x.sum(axis=0) for x in each])
        made += size
        size = min(made + 1, most - made)
        open_ = (sums[0] < ENOUGH) & np.isfinite(seen) & (sums[1] > 0)
        if size > 0 and (open_ & (sums[0] > 0))[:deciding].any():
            continue  # reached, but not often: no tail is needed to know that more are
        with np.errstate(over="ignore", invalid="ignore"):
            far = tail(sums, sign)
        size = size if (open_ & (far > p_value(0, most)))[:deciding].any() else 0
    p = np.minimum(p_value(sums[0], sums[1]), far)
    return seen + sums[2] / np.maximum(sums[1], 1.0), p, sums[1]


def tail(sums: Array, sign: int) -> Array:
    """p where no draw got as far, told by mean, spread and skewness of the draws; 1 where one did, or none differ.

    The larger of a gamma distribution's, by Wilson and Hilferty's cube roots, and of Student's t's, which knows how few
    draws there were. Its skewness is that of the draws and twice the error of that, at least SKEWED.
    """
    out, some = np.ones(sums.shape[1]), np.flatnonzero((sums[1] > 2) & (sums[0] == 0))
    _, n, total, squares, cubes = sums[:, some]
    mean = total / n
    variance = np.maximum(squares / n - mean**2, 0.0)
    known = variance > NEAR**2
    spread = np.where(known, np.sqrt(variance), 1.0)
    skewness = sign * (cubes / n - 3 * mean * squares / n + 2 * mean**3) / spread**3 + 2 * np.sqrt(6 / n)
    z = np.where(known, -sign * mean / spread * np.sqrt((n - 1) / (n + 1)), 0.0)
    shape = 4 / np.maximum(skewness, SKEWED) ** 2
    root = np.cbrt(1 + z / np.sqrt(shape))
    normal = 3 * np.sqrt(shape) * (root - 1 + 1 / (9 * shape))
    far = known & (z > 0)
    for made in np.unique(n[far]).tolist():
        these = np.flatnonzero(far & (n == made))
        gamma = [0.5 * math.erfc(x) for x in (normal[these] / math.sqrt(2)).tolist()]
        out[some[these]] = np.maximum(np.maximum(gamma, beyond_each(z[these], int(made) - 1) / 2), LEAST)
    return out


def student_p(value: float, variance: float, units: int) -> float:
    """How often a figure of so many units is as far from 0, by Student's t; NaN where its variance is not known.

    >>> round(student_p(2.776445, 1.0, 5), 4)
    0.05
    """
    if not variance > NEAR**2 or units < 2 or not math.isfinite(value):
        return math.nan
    return beyond(value / math.sqrt(variance), units - 1)


def holm(p: Array, times: Array | None = None) -> Array:
    """p-values corrected for their number by Holm's steps; NaN stays. ``times``: of how many tests each one is.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind=None if times is None else "stable")]  # of equals the order is no matter
    left = np.cumsum((np.ones(len(p)) if times is None else times)[order[::-1]])[::-1]
    steps = p[order] * left
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return out
