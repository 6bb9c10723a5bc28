"""Scores as unit + judge: the judges' effects by least squares, any pattern of missing cells.

Judges are compared through the units they share. Where the judges fall into parts that share no unit, effects are known
within a part only, and each part's effects add up to 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time


def judge_effects(unit: Array, judge: Array, value: Array, units: int, judges: int) -> tuple[Array, Array]:
    """Effects ``[judge]`` (NaN for a judge without scores) and the part each judge belongs to (-1 without scores).

    Rows must be sorted by unit. The units are eliminated first, so the system solved has one row per judge.
    """
    number = np.bincount(unit, minlength=units)
    mean = np.bincount(unit, value, units) / np.maximum(number, 1)
    has = np.bincount(judge, minlength=judges).astype(float)
    shared = _shared(unit, judge, number, judges)
    right = np.bincount(judge, value - mean[unit], judges)
    part = parts(shared > 0, has > 0)
    effects = np.full(judges, np.nan)
    for k in range(int(part.max(initial=-1)) + 1):
        some = np.flatnonzero(part == k)
        left = np.diag(has[some]) - shared[np.ix_(some, some)]
        # Singular along "all judges more severe by the same"; adding a constant settles it: effects sum to 0.
        found = np.linalg.solve(left + has[some].mean(), right[some])
        effects[some] = found - found.mean()
    return effects, part


def _shared(unit: Array, judge: Array, number: Array, judges: int) -> Array:
    """Over units, what two judges' shares in them multiply to, ``[judge, judge]``."""
    out = np.zeros((judges, judges))
    units = len(number)
    step = max(1, CELLS // max(judges, 1))
    for a in range(0, units, step):
        low, high = np.searchsorted(unit, [a, a + step])
        size = min(step, units - a)
        cell = (unit[low:high] - a) * judges + judge[low:high]
        times = np.bincount(cell, minlength=size * judges).reshape(size, judges).astype(float)
        out += times.T @ (times / np.maximum(number[a : a + size, None], 1))
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
