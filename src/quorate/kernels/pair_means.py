"""Means over pairs of judges, with weights: of all pairs, of each judge with the others, and without each judge.

``square[task, judge, judge]`` holds an index of every two judges, NaN where it is undefined: such a pair is left out of
the sum and of what it is divided by. ``weights[draw, task, judge]`` say how much every judge counts in every draw;
without the axis of draws the results have none either. Weights of 1 give the plain mean, 0 leaves a judge out. One
square will do for many tasks that differ in their weights alone.

``counted`` says what a weight of 3 means. True: three judges with the same ranking, who are pairs among themselves, so
that the diagonal of ``square`` counts w (w - 1) times. False: one judge drawn three times, who is no pair of his own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
NONE = 1e-12  # share of the whole weight that is rounding, where weights are fractions


def mean_of_pairs(square: Array, weights: Array, counted: bool) -> Array:
    """The mean over all pairs of judges, ``[draw, task]``; NaN where no pair is defined.

    >>> mean_of_pairs(np.array([[[1.0, 0.5], [0.5, 1.0]]]), np.array([[2, 1]]), counted=True).tolist()
    [0.6666666666666666]
    """
    return quotient(*(_all_pairs(table, weights, counted) for table in _tables(square)))


def number_of_pairs(square: Array, weights: Array, counted: bool) -> Array:
    """How many pairs of judges are defined, ``[draw, task]``."""
    return _all_pairs(_tables(square)[1], weights, counted) / 2


def mean_with_others(square: Array, weights: Array, counted: bool) -> Array:
    """The mean of each judge, a row of ``square``, with the others, ``[draw, task, judge]``; weight 0 does not matter.

    >>> mean_with_others(np.array([[[1.0, 0.5], [0.5, 1.0]]]), np.array([[2, 1]]), counted=True).tolist()
    [[0.75, 0.5]]
    """
    sums = []
    for table in _tables(square):
        apart, own = _apart(table)
        fellows = np.maximum(weights - 1, 0) if counted else 0
        sums.append(_times(weights, apart.transpose(0, 2, 1)) + fellows * own)
    return quotient(*sums)


def mean_without_each(square: Array, weights: Array, counted: bool) -> Array:
    """The mean over all pairs of the other judges, ``[draw, task, judge]``: a row of many judges is left out whole.

    >>> mean_without_each(np.array([[[1.0, 0.5], [0.5, 1.0]]]), np.array([[2, 1]]), counted=True).tolist()
    [[nan, 1.0]]
    """
    sums = []
    for table in _tables(square):
        apart, own = _apart(table)
        rows = weights * _times(weights, apart.transpose(0, 2, 1))
        columns = weights * _times(weights, apart)
        alone = _own_pairs(weights, counted) * own
        sums.append(((rows + alone).sum(axis=-1, keepdims=True), rows + columns + alone))
    (total, mine), (whole, of) = sums
    left = whole - of
    if np.asarray(weights).dtype.kind == "f":  # what is left of a difference of fractions may be rounding
        left = np.where(left > NONE * whole, left, 0.0)
    return quotient(total - mine, left)


def _tables(square: Array) -> tuple[Array, Array]:
    """The index with 0 where it is undefined, and 1 where it is defined: arrays of their own."""
    known = ~np.isnan(square)
    return np.where(known, square, 0.0), known.astype(float)


def _apart(table: Array) -> tuple[Array, Array]:
    """The table with its diagonal emptied, and what stood there."""
    own = np.arange(table.shape[1])
    diagonal = table[:, own, own]
    table[:, own, own] = 0.0
    return table, diagonal


def _times(weights: Array, table: Array) -> Array:
    """Sums over judges of weight x row of the table, ``[..., task, judge]``: one product of matrices a task."""
    given = np.asarray(weights, float)
    if len(table) == 1:
        return np.asarray(given @ table[0])
    if given.ndim == 2:
        return np.asarray(np.matmul(given[:, None], table)[:, 0])
    return np.asarray(np.matmul(given.transpose(1, 0, 2), table).transpose(1, 0, 2))


def _own_pairs(weights: Array, counted: bool) -> Array:
    """How often a row is paired with itself, counted both ways."""
    given = np.asarray(weights, float)
    return given * (given - 1) if counted else np.zeros(given.shape)


def _all_pairs(table: Array, weights: Array, counted: bool) -> Array:
    """Sum over all pairs, counted both ways."""
    apart, own = _apart(table)
    return np.asarray((weights * _times(weights, apart) + _own_pairs(weights, counted) * own).sum(axis=-1))
