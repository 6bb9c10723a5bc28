"""Least squares of judges and units: the additive model with missing cells, and mean squares of complete tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22


@dataclass(frozen=True, eq=False)
class Additive:
    """``value = unit + judge + residual`` by least squares; judge effects have mean 0 over the judges that connect."""

    judge: Array  # [judge] effect; NaN for a judge without a unit shared with others
    unit: Array  # [unit] level with judge effects taken out
    residual: Array  # [row]
    parts: int  # connected parts of the design: only within one are judges comparable


def additive(unit: Array, judge: Array, value: Array, units: int, judges: int) -> Additive:
    """The additive model of judges and units, from the judges' normal equations: a system as large as the judges."""
    n, m = np.bincount(unit, minlength=units), np.bincount(judge, minlength=judges)
    total = np.bincount(unit, value, units)
    mean = np.divide(total, n, out=np.zeros(units), where=n > 0)
    normal = np.diag(m.astype(float)) - together(unit, judge, 1 / np.maximum(n, 1), units, judges)
    right = np.bincount(judge, value - mean[unit], judges)
    part = _components(normal, m > 0)
    shared = np.zeros(judges, bool)
    shared[judge[n[unit] > 1]] = True
    effect = np.zeros(judges)
    for p in range(int(part.max(initial=-1)) + 1):
        mine = np.flatnonzero(part == p)
        found, *_ = np.linalg.lstsq(normal[np.ix_(mine, mine)], right[mine], rcond=None)
        effect[mine] = found - found.mean()
    level = mean - np.divide(np.bincount(unit, effect[judge], units), n, out=np.zeros(units), where=n > 0)
    residual = value - level[unit] - effect[judge]
    comparable = len(np.unique(part[shared])) if shared.any() else 0
    return Additive(np.where(shared, effect, np.nan), np.where(n > 0, level, np.nan), residual, comparable)


def together(unit: Array, judge: Array, weight: Array, units: int, judges: int) -> Array:
    """``[judge, judge]``: the weights of the units that both scored, added up; rows are sorted by unit."""
    out = np.zeros((judges, judges))
    step = max(1, CELLS // max(judges, 1))
    for a in range(0, units, step):
        low, high = np.searchsorted(unit, [a, min(a + step, units)])
        seen = np.zeros((min(step, units - a), judges))
        seen[unit[low:high] - a, judge[low:high]] = 1.0
        out += (seen * weight[a : a + len(seen), None]).T @ seen
    return out


def _components(linked: Array, there: Array) -> Array:
    """The number of the connected part of each judge, -1 for those that are not there."""
    part = np.full(len(linked), -1)
    number = 0
    for start in np.flatnonzero(there).tolist():
        if part[start] >= 0:
            continue
        wave = [start]
        part[start] = number
        while wave:
            near = np.flatnonzero((linked[wave] != 0).any(axis=0) & (part < 0) & there)
            part[near] = number
            wave = near.tolist()
        number += 1
    return part


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
    ss_units = np.maximum(rows / max(k, 1) - correction, 0)
    ss_judges = np.maximum((columns**2).sum(axis=1) / np.maximum(n, 1) - correction, 0)
    ss_all = np.maximum(q - correction, 0)
    return MeanSquares(
        n,
        np.full(len(n), float(k)),
        _per(ss_units, n - 1),
        _per(ss_judges, np.full(len(n), k - 1.0)),
        _per(np.maximum(ss_all - ss_units - ss_judges, 0), (n - 1) * (k - 1)),
        _per(np.maximum(ss_all - ss_units, 0), n * (k - 1)),
    )


def one_way(n: Array, s: Array, q: Array, weights: Array) -> MeanSquares:
    """Mean squares between and within units of any number of values, from their sums."""
    there = (n > 0).astype(float)
    mean_square = np.divide(s * s, n, out=np.zeros(len(n)), where=n > 0)
    total = weights @ np.stack([there, n, n * n, s, q, mean_square], axis=1)
    units, values, squares, all_s, all_q, rows = total.T
    ss_units = np.maximum(rows - all_s**2 / np.maximum(values, 1), 0)
    ss_within = np.maximum(all_q - rows, 0)
    n0 = np.divide(
        values - squares / np.maximum(values, 1), units - 1, out=np.full(len(units), np.nan), where=units > 1
    )
    none = np.full(len(units), np.nan)
    return MeanSquares(units, n0, _per(ss_units, units - 1), none, none, _per(ss_within, values - units))


def _per(total: Array, freedom: Array) -> Array:
    return np.asarray(np.divide(total, freedom, out=np.full(total.shape, np.nan), where=freedom > 0))
