"""Scores as unit + judge: the judges' effects by least squares, any pattern of missing cells.

Judges are compared through the units they share. Where the judges fall into parts that share no unit, effects are known
within a part only, and each part's effects add up to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time
DENSE = 1500  # judges up to whom every two of them have a number of their own
STEPS, CLOSE = 2000, 1e-13


def judge_effects(
    unit: Array,
    judge: Array,
    value: Array,
    units: int,
    judges: int,
    mass: Array | None = None,
    behind: Array | None = None,
) -> tuple[Array, Array]:
    """Effects ``[judge]`` (NaN for a judge without scores) and the part each judge belongs to (-1 without scores).

    Rows must be sorted by unit. The units are eliminated first, so the system solved has one row per judge. ``mass``
    tells how many judges gave each value, ``behind`` how many each judge stands for: effects add up to 0 over them all.
    """
    each = np.ones(len(unit)) if mass is None else mass
    number = np.bincount(unit, each, units)
    mean = np.bincount(unit, each * value, units) / np.maximum(number, 1)
    has = np.bincount(judge, each, judges)
    right = np.bincount(judge, each * (value - mean[unit]), judges)
    if judges > DENSE:
        spread = float((each * (value - mean[unit]) ** 2).sum())
        return _of_many(unit, judge, each, number, has, right, behind, spread)
    return solved(has, right, shared(unit, judge, number, judges, each), behind)


def solved(has: Array, right: Array, both: Mapping[float, Array], behind: Array | None = None) -> tuple[Array, Array]:
    """The same from sums: how many scores each judge gave, how far they are from their units' means in all, and how
    often those of two judges meet, of units with so many (:func:`shared`)."""
    judges = len(has)
    met = sum((times / number for number, times in sorted(both.items())), np.zeros((judges, judges)))
    part = parts(met > 0, has > 0)
    effects = np.full(judges, np.nan)
    for k in range(int(part.max(initial=-1)) + 1):
        some = np.flatnonzero(part == k)
        left = np.diag(has[some]) - met[np.ix_(some, some)]
        # Singular along "all judges more severe by the same"; adding a constant settles it: effects sum to 0.
        found = np.linalg.solve(left + has[some].mean(), right[some])
        effects[some] = found - np.average(found, weights=None if behind is None else behind[some])
    return effects, part


def _of_many(
    unit: Array, judge: Array, each: Array, number: Array, has: Array, right: Array, behind: Array | None, spread: float
) -> tuple[Array, Array]:
    """The same by conjugate gradients: each step runs over the rows once, and no two judges have a number.

    ``spread`` is what scores vary by within units, in squares: what is small beside it is rounding.
    """
    judges, units = len(has), len(number)
    safe, diagonal = np.maximum(number, 1), np.maximum(has, 1)
    part = _linked(unit, judge, units, has > 0)
    found, left = np.zeros(judges), right.copy()
    ahead = left / diagonal
    way, size = ahead.copy(), float(left @ ahead)
    enough = CLOSE**2 * max(size, spread, 1e-300)
    for _ in range(STEPS):
        if size <= enough:
            break
        of_unit = np.bincount(unit, each * way[judge], units) / safe
        turned = has * way - np.bincount(judge, each * of_unit[unit], judges)
        along = float(way @ turned)
        if along <= 0:
            break
        found += size / along * way
        left -= size / along * turned
        ahead = left / diagonal
        before, size = size, float(left @ ahead)
        way = ahead + size / before * way
    here = part >= 0
    heavy = np.ones(judges) if behind is None else behind.astype(float)
    middle = np.bincount(part[here], (heavy * found)[here]) / np.bincount(part[here], heavy[here])
    return np.where(here, found - middle[part], np.nan), part


def _linked(unit: Array, judge: Array, units: int, there: Array) -> Array:
    """Numbers of the connected parts of judges through units, in the order of their first judges; -1 without scores."""
    label = np.arange(len(there))
    while True:
        lowest = np.full(units, len(there))
        np.minimum.at(lowest, unit, label[judge])
        new = label.copy()
        np.minimum.at(new, judge, lowest[unit])
        np.minimum.at(new, label, new.copy())  # whoever is named by others goes along
        new = new[new]
        if (new == label).all():
            break
        label = new
    out = np.full(len(there), -1)
    out[there] = np.unique(label[there], return_inverse=True)[1].ravel()
    return out


def shared(unit: Array, judge: Array, number: Array, judges: int, each: Array) -> dict[float, Array]:
    """Over the units with so many scores, how often those of two judges meet there, ``[judge, judge]``: whole numbers,
    which add up to the same in any order."""
    out: dict[float, Array] = {}
    units = len(number)
    step = max(1, CELLS // max(judges, 1))
    for a in range(0, units, step):
        low, high = np.searchsorted(unit, [a, a + step])
        size = min(step, units - a)
        cell = (unit[low:high] - a) * judges + judge[low:high]
        times = np.bincount(cell, each[low:high], size * judges).reshape(size, judges)
        held = number[a : a + size]
        for n in np.unique(held[held > 0]).tolist():
            some = times[held == n]
            out[n] = out.get(n, 0) + some.T @ some
    return out


def parts(linked: Array, there: Array) -> Array:
    """Numbers of the connected parts, -1 for what is not there."""
    part = np.full(len(there), -1)
    for start in np.flatnonzero(there).tolist():
        if part[start] >= 0:
            continue
        number = int(part.max(initial=-1)) + 1
        edge = np.zeros(len(there), bool)
        edge[start] = True
        while edge.any():
            part[edge] = number
            edge = linked[edge].any(axis=0) & (part < 0) & there
    return part
