"""Mean squares between units, between judges and of what is left: one-way and two-way tables, resampled by weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Of tables of n units x k judges, one an entry: between units, between judges, residual, within units."""

    n: Array
    k: Array  # judges a unit; where units have different numbers, the n0 of one-way designs
    units: Array
    judges: Array
    residual: Array
    within: Array


def two_way(table: Array, weights: Array) -> MeanSquares:
    """Mean squares of a complete table ``[unit, judge]`` whose units are drawn ``weights[resample, unit]`` times."""
    size, k = table.shape
    x = table - table.mean() if size else table
    row = x.sum(axis=1)
    features = np.concatenate([np.ones((size, 1)), row[:, None], (row**2)[:, None], (x**2).sum(axis=1)[:, None], x], 1)
    total = weights @ features
    n, s, rows, q, columns = total[:, 0], total[:, 1], total[:, 2], total[:, 3], total[:, 4:]
    cells = np.maximum(n * k, 1)
    correction = s * s / cells
    ss_units = _above(rows / max(k, 1) - correction, q)
    ss_judges = _above((columns**2).sum(axis=1) / np.maximum(n, 1) - correction, q)
    ss_all = _above(q - correction, q)
    return _mean_squares(n, k, ss_units, ss_judges, ss_all, q)


def two_way_tables(tables: Array) -> MeanSquares:
    """Mean squares of complete tables ``[table, unit, judge]``."""
    number, size, k = tables.shape
    x = tables - tables.mean(axis=(1, 2), keepdims=True) if size else tables
    n = np.full(number, float(size))
    q = (x**2).sum(axis=(1, 2))
    correction = x.sum(axis=(1, 2)) ** 2 / max(size * k, 1)
    ss_units = _above((x.sum(axis=2) ** 2).sum(axis=1) / max(k, 1) - correction, q)
    ss_judges = _above((x.sum(axis=1) ** 2).sum(axis=1) / max(size, 1) - correction, q)
    return _mean_squares(n, k, ss_units, ss_judges, _above(q - correction, q), q)


def _mean_squares(n: Array, k: int, ss_units: Array, ss_judges: Array, ss_all: Array, q: Array) -> MeanSquares:
    return MeanSquares(
        n,
        np.full(len(n), float(k)),
        quotient(ss_units, n - 1),
        quotient(ss_judges, np.full(len(n), k - 1.0)),
        quotient(_above(ss_all - ss_units - ss_judges, q), (n - 1) * (k - 1)),
        quotient(_above(ss_all - ss_units, q), n * (k - 1)),
    )


def one_way(n: Array, s: Array, q: Array, weights: Array) -> MeanSquares:
    """Mean squares between and within units of any number of values, from their sums."""
    there = (n > 0).astype(float)
    mean_square = quotient(s * s, n, otherwise=0.0)
    total = weights @ np.stack([there, n, n * n, s, q, mean_square], axis=1)
    units, values, squares, all_s, all_q, rows = total.T
    ss_units = _above(rows - all_s**2 / np.maximum(values, 1), all_q)
    ss_within = _above(all_q - rows, all_q)
    n0 = quotient(values - squares / np.maximum(values, 1), units - 1)
    none = np.full(len(units), np.nan)
    return MeanSquares(units, n0, quotient(ss_units, units - 1), none, none, quotient(ss_within, values - units))


def _above(squares: Array, of: Array) -> Array:
    """A sum of squares, 0 where it is no more than the rounding of those it is a difference of."""
    return np.where(squares > 1e-12 * of, squares, 0.0)
