"""Tau-b and rho: of every two judges, or of each list with each judge.

``lists[task, list, item]`` with ``judges[task, judge, item]`` give ``[task, list, judge]``; without ``judges`` every
two of the lists are compared. NaN where two have too little in common. What an absent item means is said as in
:mod:`~quorate.kernels.missing`.

Complete rankings are products of matrices, over the signs of item pairs (tau-b) or over ranks (rho); long ones are
sorted (:mod:`~quorate.kernels.inversions`). Lists with gaps are compared two by two, over the items of each two.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import LONG, agreeing, agreeing_square, quicker
from quorate.kernels.kendall import signs, times
from quorate.kernels.missing import in_parts, pairs_with_gaps
from quorate.kernels.pair_means import ratio
from quorate.kernels.ranks import complete, dense, fill_below, mid_ranks

Array = NDArray[Any]
AT_ONCE = 1 << 18  # comparisons of two items, or places, that are made in one step


def tau_b(lists: Array, judges: Array | None = None, missing: str = "unknown") -> Array:
    """Kendall's tau-b: over the pairs that neither ranking ties, as a geometric mean."""
    return _compared("tau", lists, judges, missing)


def rho(lists: Array, judges: Array | None = None, missing: str = "unknown") -> Array:
    """Spearman's rho: Pearson's r of the ranks, tied items sharing theirs."""
    return _compared("rho", lists, judges, missing)


def _compared(measure: str, lists: Array, judges: Array | None, missing: str) -> Array:
    """Complete tasks by one product, the others by what an absent item means."""
    rows = lists if judges is None else np.concatenate([lists, judges], axis=1)
    if missing == "below":
        rows = fill_below(rows)
    split = None if judges is None else lists.shape[1]
    mine, theirs = _sides(rows, split)
    out = np.empty((len(rows), mine.shape[1], theirs.shape[1]))
    whole = complete(rows)
    if whole.any():
        out[whole] = _of_complete(measure, rows if whole.all() else rows[whole], split)
    if not whole.all():
        out[~whole] = _with_gaps(measure, rows[~whole], split, missing)
    return out


def _sides(rows: Array, split: int | None) -> tuple[Array, Array]:
    """What is compared with what: the first so many rows with the others; all with all without a ``split``."""
    return (rows, rows) if split is None else (rows[:, :split], rows[:, split:])


def _ratio(top: Array, left: Array, right: Array) -> Array:
    scale = np.sqrt(np.maximum(left, 0.0) * np.maximum(right, 0.0))
    return np.asarray(np.clip(ratio(top, scale), -1, 1))


# -- complete rankings -------------------------------------------------------------------------------------------------


def _of_complete(measure: str, rows: Array, split: int | None) -> Array:
    if measure == "tau" and quicker(*(_sides(rows, split) if split is not None else (rows,))):
        return np.stack([_sorted_tau(task, split) for task in rows])
    kernel = _tau_of_complete if measure == "tau" else _rho_of_complete
    return in_parts(lambda part: kernel(part, split), rows)


def _tau_of_complete(rows: Array, split: int | None) -> Array:
    mine, theirs = _sides(rows, split)
    top, apart = np.zeros((len(rows), mine.shape[1], theirs.shape[1])), np.zeros(rows.shape[:2])
    for sign, _, _ in signs(rows):
        top += times(*_sides(sign, split))
        apart += np.abs(sign).sum(axis=2, dtype=np.float64)
    left, right = _sides(apart, split)
    return _ratio(top, left[:, :, None], right[:, None, :])


def _rho_of_complete(rows: Array, split: int | None) -> Array:
    rank = mid_ranks(rows) - (rows.shape[2] + 1) / 2
    left, right = _sides((rank**2).sum(axis=2), split)
    return _ratio(times(*_sides(rank, split)), left[:, :, None], right[:, None, :])


def _sorted_tau(ranking: Array, split: int | None) -> Array:
    """Tau-b of one task ``[row, item]`` of long rankings: every one is sorted by every other."""
    if split is None:
        top, _, apart = agreeing_square(ranking)
        return _ratio(top, apart[:, None], apart)
    found = [agreeing(row, ranking[split:]) for row in ranking[:split]]
    return np.stack([_ratio(top, left, right) for top, _, left, right in found])


# -- lists with gaps ---------------------------------------------------------------------------------------------------


def _with_gaps(measure: str, rows: Array, split: int | None, missing: str) -> Array:
    """Every two over the items that both hold, or that one of them does (``top-k``), what one lacks coming last."""
    tasks, judges, _ = rows.shape
    if split is None:
        first, second = np.triu_indices(judges, 1)
    else:
        first, second = np.repeat(np.arange(split), judges - split), np.tile(np.arange(split, judges), split)
    last = rows.max(axis=2, initial=0)
    strict = missing == "unknown" and bool((last == (rows > 0).sum(axis=2)).all())
    small = rows.astype(np.int8 if int(last.max(initial=0)) < 126 else np.int32)
    value = np.full((tasks, len(first)), np.nan)
    kernel = _tau_of_pairs if measure == "tau" else _rho_of_pairs
    for task, pair, x, y in pairs_with_gaps(small, missing, first, second):
        size = len(x) * (len(x) - 1) // 2 if measure == "tau" else len(x)
        step = max(1, AT_ONCE // size)
        for a in range(0, len(pair), step):
            part = slice(a, a + step)
            value[task[part], pair[part]] = kernel(x[:, part], y[:, part], strict)
    if split is not None:
        return value.reshape(tasks, split, judges - split)
    out = np.empty((tasks, judges, judges))
    out[:, first, second] = out[:, second, first] = value
    own = np.arange(judges)
    out[:, own, own] = np.where(last > 1, 1.0, np.nan)  # who ties all items has none, not even with itself
    return out


@lru_cache(maxsize=256)
def _triangle(size: int) -> tuple[Array, Array]:
    """Every two of so many items."""
    first, second = np.triu_indices(size, 1)
    return first, second


def _tau_of_pairs(x: Array, y: Array, strict: bool) -> Array:
    """Tau-b of rankings ``[item, pair]``."""
    if len(x) >= LONG:
        found = [agreeing(one, other[None]) for one, other in dense(np.stack([x.T, y.T], axis=1))]
        return np.array([_ratio(top, left, right)[0] for top, _, left, right in found])
    first, second = _triangle(len(x))
    a, b, c, d = (v.take(items, axis=0) for v in (x, y) for items in (first, second))
    if strict:
        alike = np.add.reduce(((b > a) == (d > c)).view(np.int8), axis=0, dtype=np.int32)
        return np.asarray((2 * alike - len(first)) / len(first))
    mine = (b > a).view(np.int8) - (b < a).view(np.int8)
    yours = (d > c).view(np.int8) - (d < c).view(np.int8)
    top, left, right = (np.add.reduce(v, axis=0, dtype=np.int32) for v in (mine * yours, mine & 1, yours & 1))
    return _ratio(top.astype(float), left.astype(float), right)


def _rho_of_pairs(x: Array, y: Array, strict: bool) -> Array:
    """Rho of rankings ``[item, pair]``: twice an item's rank less the mean is how many come before it less after."""
    mine, yours = _centred(x), _centred(y)
    top = np.einsum("ir,ir->r", mine, yours)
    if strict:
        return np.asarray(top * (3 / (len(x) * (len(x) ** 2 - 1))))
    return _ratio(top, *(np.einsum("ir,ir->r", v, v) for v in (mine, yours)))


def _centred(values: Array) -> Array:
    """How many items of a list stand at each place tells how many come before an item, less how many after it."""
    last = int(values.max()) + 1
    flat = values + np.arange(values.shape[1]) * last
    held = np.bincount(flat.ravel(), minlength=values.shape[1] * last).reshape(-1, last)
    return (2 * held.cumsum(axis=1) - held - len(values)).ravel()[flat].astype(float)
