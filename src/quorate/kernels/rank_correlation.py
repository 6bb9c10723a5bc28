"""Tau-b and rho: of every two judges, or of each list with each judge.

``lists[task, list, item]`` with ``judges[task, judge, item]`` give ``[task, list, judge]``; without ``judges`` every
two of the lists are compared. NaN where two have too little in common. What an absent item means is said as in
:mod:`~quorate.kernels.missing`.

Complete rankings are products of matrices, over the signs of item pairs (tau-b) or over ranks (rho); long ones are
sorted (:mod:`~quorate.kernels.inversions`). Of lists with gaps the items that two both hold are looked up
(:mod:`~quorate.kernels.common_items`); or those that neither holds are taken out of the products again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.common_items import Common
from quorate.kernels.inversions import LONG, agreeing, agreeing_square, quicker
from quorate.kernels.kendall import signs
from quorate.kernels.missing import pair_by_pair
from quorate.kernels.ranks import complete, fill_below, mid_ranks

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time
COMMON = 1 << 21  # items in common looked up at a time


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
        out[~whole] = (_of_union if missing == "top-k" else _of_common)(measure, rows[~whole], split)
    return out


def _sides(rows: Array, split: int | None) -> tuple[Array, Array]:
    """What is compared with what: the first so many rows with the others; all with all without a ``split``."""
    return (rows, rows) if split is None else (rows[:, :split], rows[:, split:])


def _times(left: Array, right: Array) -> Array:
    return np.asarray(np.matmul(left, right.transpose(0, 2, 1)), np.float64)


def _ratio(top: Array, left: Array, right: Array) -> Array:
    scale = np.sqrt(np.maximum(left, 0.0) * np.maximum(right, 0.0))
    return np.asarray(np.clip(np.divide(top, scale, out=np.full(top.shape, np.nan), where=scale > 0), -1, 1))


def _in_parts(kernel: Callable[[Array, int | None], Array], rows: Array, split: int | None) -> Array:
    """A few tasks at a time."""
    tasks, judges, items = rows.shape
    step = max(1, CELLS // max(judges * max(items * items // 2, judges), 1))
    return np.concatenate([kernel(rows[a : a + step], split) for a in range(0, tasks, step)])


# -- complete rankings -------------------------------------------------------------------------------------------------


def _of_complete(measure: str, rows: Array, split: int | None) -> Array:
    if measure == "tau" and quicker(*(_sides(rows, split) if split is not None else (rows,))):
        return np.stack([_sorted_tau(task, split) for task in rows])
    return _in_parts(_tau_of_complete if measure == "tau" else _rho_of_complete, rows, split)


def _tau_of_complete(rows: Array, split: int | None) -> Array:
    mine, theirs = _sides(rows, split)
    top, apart = np.zeros((len(rows), mine.shape[1], theirs.shape[1])), np.zeros(rows.shape[:2])
    for sign, _, _ in signs(rows):
        top += _times(*_sides(sign, split))
        apart += np.abs(sign).sum(axis=2, dtype=np.float64)
    left, right = _sides(apart, split)
    return _ratio(top, left[:, :, None], right[:, None, :])


def _rho_of_complete(rows: Array, split: int | None) -> Array:
    rank = mid_ranks(rows) - (rows.shape[2] + 1) / 2
    left, right = _sides((rank**2).sum(axis=2), split)
    return _ratio(_times(*_sides(rank, split)), left[:, :, None], right[:, None, :])


def _sorted_tau(ranking: Array, split: int | None) -> Array:
    """Tau-b of one task ``[row, item]`` of long rankings: every one is sorted by every other."""
    if split is None:
        top, _, apart = agreeing_square(ranking)
        return _ratio(top, apart[:, None], apart)
    found = [agreeing(row, ranking[split:]) for row in ranking[:split]]
    return np.stack([_ratio(top, left, right) for top, _, left, right in found])


# -- lists with gaps ---------------------------------------------------------------------------------------------------


def _of_common(measure: str, rows: Array, split: int | None) -> Array:
    """Over the items that both hold."""
    tasks = len(rows)
    first, second = _pairs(rows, split)
    longest = max(int((rows > 0).sum(axis=2).max(initial=0)), 1)
    some, step = max(1, COMMON // longest), max(1, COMMON // max(len(first) * longest, 1))
    value = np.empty((tasks, len(first)))
    for a in range(0, tasks, step):
        for b in range(0, len(first), some):
            common = Common.of(rows[a : a + step], (first[b : b + some], second[b : b + some]))
            value[a : a + step, b : b + some] = common.correlate(measure)
    return _from_pairs(value, rows, split)


def _pairs(rows: Array, split: int | None) -> tuple[Array, Array]:
    """The numbers of the rows that are compared."""
    judges = rows.shape[1]
    if split is None:
        return np.triu_indices(judges, 1)
    return np.repeat(np.arange(split), judges - split), np.tile(np.arange(split, judges), split)


def _from_pairs(value: Array, rows: Array, split: int | None) -> Array:
    """What pairs of rows have, ``[task, pair]``, as a table; who ties all items has none, not even with itself."""
    tasks, judges, _ = rows.shape
    if split is not None:
        return value.reshape(tasks, split, judges - split)
    out = np.empty((tasks, judges, judges))
    first, second = _pairs(rows, split)
    out[:, first, second] = out[:, second, first] = value
    own = np.arange(judges)
    out[:, own, own] = np.where(rows.max(axis=2, initial=0) > 1, 1.0, np.nan)
    return out


def _of_union(measure: str, rows: Array, split: int | None) -> Array:
    """Over the items that at least one of the two holds, what one lacks coming last."""
    if measure == "rho" or not _few_of_many(rows, split):
        return _in_parts(_tau_of_union if measure == "tau" else _rho_of_union, rows, split)
    first, second = _pairs(rows, split)
    value, _ = pair_by_pair(lambda two: _of_complete("tau", two, None), rows, "top-k", first, second)
    return _from_pairs(value, rows, split)


def _few_of_many(rows: Array, split: int | None) -> bool:
    """Whether every two lists hold so few of a task's items that comparing pair by pair takes less."""
    _, judges, items = rows.shape
    pairs = judges**2 / 2 if split is None else split * (judges - split)
    size = min(2 * int((rows > 0).sum(axis=2).max(initial=0)), items)
    each = 6 * size * size.bit_length() if size >= LONG else 3 * size**2
    return bool(pairs * each < judges * items**2)


def _outside(rows: Array, split: int | None) -> tuple[Array, Array, Array, Array]:
    """Of two lists how many items neither holds, how many both, and how many each."""
    mine, theirs = _sides((rows > 0).astype(float), split)
    both, m, k = _times(mine, theirs), mine.sum(axis=2)[:, :, None], theirs.sum(axis=2)[:, None, :]
    return rows.shape[2] - (m + k - both), both, m, k


def _tau_of_union(rows: Array, split: int | None) -> Array:
    outside, both, m, k = _outside(rows, split)  # what neither holds looks as if it came last in both
    top, apart = np.zeros(both.shape), np.zeros(rows.shape[:2])
    for sign, _, _ in signs(fill_below(rows)):
        top += _times(*_sides(sign, split))
        apart += np.abs(sign).sum(axis=2, dtype=np.float64)
    left, right = _sides(apart, split)
    return _ratio(top - both * outside, left[:, :, None] - m * outside, right[:, None, :] - k * outside)


def _rho_of_union(rows: Array, split: int | None) -> Array:
    d, both, m, k = _outside(rows, split)
    rank, held = mid_ranks(fill_below(rows)) - (rows.shape[2] + 1) / 2, (rows > 0).astype(float)
    (x, y), (mine, theirs) = _sides(rank, split), _sides(held, split)
    # Without the d items outside, a listed item's rank is d / 2 higher above the mean, and theirs, at size / 2, go.
    top = _times(x, y) + d / 2 * (_times(x, theirs) + _times(mine, y)) + d**2 / 4 * both - d * m * k / 4
    left, right = (x**2).sum(axis=2)[:, :, None], (y**2).sum(axis=2)[:, None, :]
    left = left + d * (x * mine).sum(axis=2)[:, :, None] + d**2 / 4 * m - d * m**2 / 4
    right = right + d * (y * theirs).sum(axis=2)[:, None, :] + d**2 / 4 * k - d * k**2 / 4
    return _ratio(top, left, right)
