"""The chi-square distribution for whole degrees of freedom, in closed form: nothing to import for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


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
