"""Do two systems of one task differ? Their difference over the error that judges drawn anew show, by Student's t.

The error of every difference comes from three products of matrices, so that thousands of items are no trouble. Where
next to nothing is left of two systems' errors, as of items that all judges score alike, it is computed draw by draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.student import beyond_each

Array = NDArray[Any]
NEAR = 1e-10  # a difference by rounding alone
CLOSE = 1e-8  # share of two systems' variances below which that of their difference may be rounding
CELLS = 1 << 22  # numbers held at a time


def drawn_differences(values: Array, drawn: Array, judges: Array) -> Array:
    """p-values, ``[system, system]``, from ``drawn[resample, system]``; NaN where two share too few draws or judges.

    A sign test where no draw changes a difference: as if all judges said so.

    >>> float(drawn_differences(np.array([0.0, 1.0]), np.array([[0.0, 1.0]] * 9), np.array([4, 4]))[0, 1])
    0.125
    """
    size = len(values)
    first, second = np.triu_indices(size, 1)
    units = np.minimum(judges[first], judges[second])
    apart = np.abs(values[first] - values[second])
    known, spread = _spread(drawn, first, second)
    spread *= np.sqrt(units / np.maximum(units - 1, 1))  # draws from few judges spread less than the judges do
    p = np.full(len(first), np.nan)
    told = (known > 1) & np.isfinite(apart) & (units > 1)
    still = told & (spread <= NEAR)
    p[still] = np.where(apart[still] <= NEAR, 1.0, np.minimum(2.0 ** (1 - units[still].astype(float)), 1.0))
    moving = np.flatnonzero(told & ~still)
    for freedom in np.unique(units[moving]).tolist():
        some = moving[units[moving] == freedom]
        p[some] = beyond_each(apart[some] / spread[some], int(freedom) - 1)
    out = np.full((size, size), np.nan)
    out[first, second] = out[second, first] = p
    return out


def _spread(drawn: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Of every two systems how many draws have both, and the deviation of their difference over these."""
    there = np.isfinite(drawn)
    number = np.maximum(there.sum(axis=0), 1)
    off = np.where(there, drawn - np.where(there, drawn, 0.0).sum(axis=0) / number, 0.0)
    held = there.astype(float)
    both, total, square, product = held.T @ held, off.T @ held, (off * off).T @ held, off.T @ off
    known = np.maximum(both[first, second], 1.0)
    each = square[first, second] + square[second, first]
    mean = (total[first, second] - total[second, first]) / known
    variance = np.maximum((each - 2 * product[first, second]) / known - mean**2, 0.0)
    unsure = np.flatnonzero(variance <= CLOSE * each / known)
    step = max(1, CELLS // max(len(drawn), 1))
    for a in range(0, len(unsure), step):
        some = unsure[a : a + step]
        one, two = first[some], second[some]
        shared = there[:, one] & there[:, two]
        gap = np.where(shared, np.where(shared, drawn[:, one], 0.0) - np.where(shared, drawn[:, two], 0.0), 0.0)
        gap = np.where(shared, gap - gap.sum(axis=0) / known[some], 0.0)
        variance[some] = (gap**2).sum(axis=0) / known[some]
    return both[first, second], np.sqrt(variance)
