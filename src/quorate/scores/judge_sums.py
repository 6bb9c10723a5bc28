"""A value of every judge from sums over the judge's rows: what most statistics of judges are made of.

What a row holds (how far a score is from the others', what unit and judge leave of it) is taken as it is; draws weigh
the rows by their units, so that a thousand of them are one product of matrices a judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.units import Units, rows_of

Array = NDArray[Any]


def from_sums(units: Units, rows: Array, features: Array, of: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """``weights[draw, unit] -> values[draw, judge]`` by ``of(totals)`` of the features of each judge's rows.

    ``rows`` are rows of the units, each with a row of features; NaN for a judge of whom none was drawn.
    """
    judges = len(units.judges)
    mine = rows_of(units.judge[rows], judges)
    unit = units.unit[rows]

    def values(weights: Array) -> Array:
        out = np.full((len(weights), judges), math.nan)
        for j, some in enumerate(mine):
            if len(some):
                often = weights[:, unit[some]]
                out[:, j] = np.where(often.any(axis=1), of(often @ features[some]), math.nan)
        return out

    return values


def number_of(units: Units, rows: Array) -> Array:
    """How many of these rows each judge has."""
    return np.bincount(units.judge[rows], minlength=len(units.judges))


@dataclass(frozen=True, eq=False)
class Beside:
    """Each value that others' values of the same unit stand beside."""

    rows: Array  # of the units
    value: Array
    others: Array  # mean of the other judges on the unit


def beside(units: Units) -> Beside:
    """The values with others beside them; of several judges behind a value one is looked at."""
    n = units.held[units.unit]
    rows = np.flatnonzero(n > 1)
    total = np.bincount(units.unit, units.mass * units.value, units.size)[units.unit]
    return Beside(rows, units.value[rows], (total - units.value)[rows] / (n[rows] - 1))


def mean_of(totals: Array) -> Array:
    """The mean from totals of 1 and x."""
    return np.asarray(totals[:, 1] / np.maximum(totals[:, 0], 1e-300))


def ones(x: Array) -> Array:
    """Rows of 1 and x."""
    return np.stack([np.ones(len(x)), x], axis=1)


def correlation(totals: Array) -> Array:
    """Pearson's r from totals of 1, x, y, x^2, y^2, x y along the last axis; NaN where one does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    vx, vy = n * xx - x * x, n * yy - y * y
    ok = (vx > 1e-12 * np.maximum(n * xx, 1e-300)) & (vy > 1e-12 * np.maximum(n * yy, 1e-300))
    root = np.sqrt(np.where(ok, vx, 1.0)) * np.sqrt(np.where(ok, vy, 1.0))
    return np.where(ok, np.clip((n * xy - x * y) / root, -1, 1), math.nan)


def others_median(values: Array, behind: Array | None = None) -> Array:
    """The median of the other judges' values, for each judge, who may be one of several of that name.

    >>> others_median(np.array([1.0, 2, 5, np.nan])).tolist()
    [3.5, 3.0, 1.5, 2.0]
    """
    known = np.isfinite(values)
    order = np.flatnonzero(known)[np.argsort(values[known], kind="stable")]
    if not len(order):
        return np.full(len(values), math.nan)
    each = np.ones(len(order), np.int64) if behind is None else behind[order]
    ends = np.cumsum(each)
    place = np.full(len(values), ends[-1])  # of one judge of the name among all, sorted
    place[order] = ends - each
    left = ends[-1] - known

    def at(k: Array) -> Array:
        found = np.searchsorted(ends, k + (k >= place), side="right")
        return np.asarray(values[order[np.minimum(found, len(order) - 1)]])

    return np.where(left > 0, (at((left - 1) // 2) + at(left // 2)) / 2, math.nan)
