"""Correlations and distances of ranks, for every two judges who rank the same items: ``[task, judge, judge]``.

Spearman's rho itself, which also compares lists with judges, is in :mod:`~quorate.kernels.rank_correlation`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.missing import absent_items
from quorate.kernels.pair_means import ratio
from quorate.kernels.ranks import by_rank, mid_ranks, repeated, savage

Array = NDArray[Any]


def mean_rho(positions: Array, counts: Array, alike: bool) -> Array:
    """Mean rho over pairs of judges, ``[task]``, for complete rankings without ties, from the rank sums alone.

    The products of any two judges' ranks, less their mean, add up to the square of their sums, less each judge's own.
    """
    items = positions.shape[2]
    total = counts.sum(axis=1)
    own = total if alike else (counts**2).sum(axis=1)
    if repeated(positions):
        sums = counts @ positions[0].astype(np.int64)
    else:
        sums = np.einsum("tji,tj->ti", positions, counts, dtype=np.int64)
    twice = (2 * sums - (total * (items + 1))[:, None]).astype(float)  # squares of many judges pass whole numbers
    each = items * (items**2 - 1) / 3  # a ranking with itself
    return ratio(np.einsum("ti,ti->t", twice, twice) - own * each, (total**2 - own) * each)


@absent_items
def rho_top(positions: Array) -> Array:
    """Iman and Conover's top-down correlation: Pearson's r of Savage scores, which stress the first places."""
    return correlations(by_rank(positions, savage(positions.shape[2])))


def correlations(values: Array) -> Array:
    """Pearson's r of every two judges, ``[task, judge, judge]``; NaN where one of them is constant."""
    centred = values - values.mean(axis=2, keepdims=True)
    square = (centred**2).sum(axis=2)
    product = np.matmul(centred, centred.transpose(0, 2, 1))
    scale = np.sqrt(square[:, :, None] * square[:, None, :])
    # A constant ranking has no spread; rounding must not turn that into a number.
    flat = square <= 1e-12 * np.maximum((values**2).sum(axis=2), 1)
    scale[flat[:, :, None] | flat[:, None, :]] = np.nan
    return np.asarray(np.clip(product / scale, -1, 1))


@absent_items
def footrule(positions: Array) -> Array:
    """Spearman's footrule as likeness: 1 less the sum of rank differences over the largest, n*n/2 rounded down."""
    rank = mid_ranks(positions)
    out = np.zeros((*positions.shape[:2], positions.shape[1]))
    for a in range(positions.shape[1]):
        out[:, a] = np.abs(rank - rank[:, a : a + 1]).sum(axis=2)
    largest = positions.shape[2] ** 2 // 2
    return 1 - out / largest if largest else np.full(out.shape, np.nan)
