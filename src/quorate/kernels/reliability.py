"""Krippendorff's alpha from per-unit sums: no coincidence matrix, so that a million different values cost nothing.

Rows are values: ``unit[row]``, ``value[row]``. With n, s, q the count, sum and sum of squares of a unit's values, the
squared differences of all its pairs sum to ``2 (n q - s^2)``; the same formula over all values gives what is expected.
Ordinal differences are interval differences of mid-ranks. A unit with one value pairs with nothing and does not count.
Resampling units is resampling their sums: ``weights[resample, unit]`` says how often each is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
SAME = 1e-13  # spread of values, relative to their size, below which they do not vary


@dataclass(frozen=True, eq=False)
class Sums:
    """Per unit: total weight, weight of values paired with themselves, sum and sum of squares about ``shift``."""

    n: Array
    p: Array
    s: Array
    q: Array
    shift: float = 0.0

    @property
    def pairs(self) -> Array:
        """Which units hold values that can be paired."""
        return np.asarray(self.n * self.n - self.p > 0)

    def parts(self) -> Array:
        """``[unit, 5]``: squared differences of its pairs, n, p, s, q; zeros where there is no pair."""
        pairs = self.pairs
        norm = np.where(pairs, self.n - quotient(self.p, self.n, otherwise=0.0), 1.0)
        inside = 2 * np.maximum(self.n * self.q - self.s * self.s, 0.0) / norm
        return np.stack([inside, self.n, self.p, self.s, self.q], axis=1) * pairs[:, None]


def sums(
    unit: Array,
    value: Array,
    size: int,
    count: Array | None = None,
    weight: Array | None = None,
    shift: float | None = None,
) -> Sums:
    """The sums of every unit. A count says how many judges gave a value, a weight how much its judge matters.

    Sums are about ``shift``, or else the value nearest to the mean.
    """
    shift = centre(value) if shift is None else shift
    x = value - shift
    n = np.bincount(unit, count if weight is None else weight, size).astype(float)
    if weight is None:
        y = x if count is None else x * count
        return Sums(n, n, np.bincount(unit, y, size), np.bincount(unit, y * x, size), shift)
    y = x * weight
    return Sums(
        n, np.bincount(unit, weight**2, size), np.bincount(unit, y, size), np.bincount(unit, y * x, size), shift
    )


def centre(value: Array) -> float:
    """The value nearest to the mean: subtracting it keeps sums of squares exact, and leaves equal values at 0."""
    if not len(value):
        return 0.0
    return float(value[np.argmin(np.abs(value - value.mean()))])


def alpha_of(totals: Array) -> Array:
    """Alpha from totals of :meth:`Sums.parts`, ``[..., 5]``; NaN where nothing varies or nothing pairs."""
    inside, n, p, s, q = np.moveaxis(np.asarray(totals, float), -1, 0)
    spread, pairs = n * q - s * s, n * n - p
    varied = (pairs > 0) & (spread > SAME * n * q)
    expected = np.divide(2 * spread, pairs, out=np.ones_like(n), where=varied)
    observed = quotient(inside, n, otherwise=0.0)
    return np.where(varied, 1 - observed / expected, np.nan)


def grouped(parts: Array, group: Array, groups: int) -> Array:
    """Parts added up over the units of each group, ``[group, 5]``."""
    return np.stack([np.bincount(group, column, groups) for column in parts.T], axis=1)


def mid_ranks(value: Array) -> Array:
    """Rank of every value, equal values sharing the middle of their ranks."""
    _, code, held = np.unique(value, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(held) - held / 2)[code.ravel()])


def codes(value: Array) -> tuple[Array, Array]:
    """The distinct values in ascending order, and which of them each row has."""
    known, code = np.unique(value, return_inverse=True)
    return known, code.ravel()


def same_value(unit: Array, code: Array, size: int, kinds: int, weight: Array | None = None) -> Array:
    """Per unit, the sum over its distinct values of the squared weight that gave them."""
    if size * kinds <= max(1 << 16, 8 * len(unit)):
        cells = np.bincount(unit * kinds + code, weight, size * kinds).reshape(size, kinds)
        return np.asarray((cells * cells).sum(axis=1), float)
    cell, place = np.unique(unit * np.int64(kinds) + code, return_inverse=True)
    heavy = np.bincount(place.ravel(), weight, len(cell))
    return np.bincount(cell // kinds, heavy * heavy, size)


def within(unit: Array, values: Array, difference: Any, weight: Array | None = None) -> Array:
    """Per row, in rows sorted by unit: the sum of ``difference(a, b)`` over the later values of its unit."""
    total = np.zeros(len(unit))
    step = 1
    alive = np.arange(len(unit) - 1) if len(unit) else np.zeros(0, int)
    while len(alive):
        alive = alive[alive + step < len(unit)]
        alive = alive[unit[alive + step] == unit[alive]]
        apart = difference(values[alive], values[alive + step])
        total[alive] += apart if weight is None else apart * weight[alive] * weight[alive + step]
        step += 1
    return total


def without_each(unit: Array, judge: Array, value: Array, size: int, judges: int, copies: int = 1) -> Array:
    """Totals of :meth:`Sums.parts` without each judge in turn, ``[judge, 5]``.

    One pass over the rows: what a judge's rows add to their units is taken out, and a unit left with one value goes.
    ``copies``: of so many panels, the units and judges of one after those of the other.
    """
    found = sums(unit, value, size)
    parts = found.parts()
    x = value - found.shift
    n, s, q = found.n[unit] - 1, found.s[unit] - x, found.q[unit] - x * x
    change = Sums(n, n, s, q).parts() - parts[unit]
    total = parts.reshape(copies, size // copies, 5).sum(axis=1)
    return np.repeat(total, judges // copies, axis=0) + grouped(change, judge, judges)
