"""Correlations and distances of rankings: of every two judges, and tau-b and rho also of each list with each judge.

``positions[task, judge, item]`` give ``[task, judge, judge]``; ``lists[task, list, item]`` with ``judges[task, judge,
item]`` give ``[task, list, judge]``. NaN where two have too little in common. What an absent item means is said as in
:mod:`~quorate.kernels.missing`.

Complete rankings are products of matrices, over the signs of item pairs (Kendall) or over ranks (Spearman); long ones
are sorted (:mod:`~quorate.kernels.inversions`). Lists with gaps are compared two by two, over the items of each two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.inversions import LONG, agreeing, agreeing_square, quicker
from quorate.kernels.missing import absent_items, in_parts, pairs_with_gaps
from quorate.kernels.precedence import blocks, precedence, tasks_last
from quorate.kernels.ranks import (
    by_rank,
    complete,
    dense,
    fill_below,
    group_sizes,
    mid_ranks,
    repeated,
    savage,
    top_ranks,
)

Array = NDArray[Any]
CELLS = 1 << 20  # signs held at a time, which stay in the cache
FLAT = 1e-12  # sum of squares, below which all values are alike
AT_ONCE = 1 << 18  # comparisons of two items, or places, that are made in one step


# -- tau-b and rho -----------------------------------------------------------------------------------------------------


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
    return np.asarray(np.clip(quotient(top, scale), -1, 1))


# -- of complete rankings ----------------------------------------------------------------------------------------------


def _of_complete(measure: str, rows: Array, split: int | None) -> Array:
    if measure == "tau" and quicker(*(_sides(rows, split) if split is not None else (rows,))):
        return np.stack([_sorted_tau(task, split) for task in rows])
    kernel = _tau_of_complete if measure == "tau" else _rho_of_complete
    return in_parts(lambda part: kernel(part, split), rows)


def _tau_of_complete(rows: Array, split: int | None) -> Array:
    if split is None and rows.shape[1] == 2:  # of two there is one pair: no product of matrices
        return _tau_of_twos(rows)
    mine, theirs = _sides(rows, split)
    top = np.zeros((len(rows), mine.shape[1], theirs.shape[1]))
    for sign, _, _ in signs(rows):
        top += times(*_sides(sign, split))
    size = group_sizes(rows)
    left, right = _sides(math.comb(rows.shape[2], 2) - (size * (size - 1) // 2).sum(axis=2), split)
    return _ratio(top, left[:, :, None].astype(float), right[:, None, :])


def _tau_of_twos(rows: Array) -> Array:
    """Tau-b of two rankings of each task, and of each with itself, ``[task, 2, 2]``."""
    tasks, _, items = rows.shape
    first, second = rows.transpose(1, 2, 0).astype(np.int8 if int(rows.max(initial=0)) < 126 else np.int32)
    step, pairs = max(1, AT_ONCE // max(math.comb(items, 2), 1)), [np.zeros(0)]
    for a in range(0, tasks, step):
        some = slice(a, a + step)
        pairs.append(_tau_of_pairs(first[:, some], second[:, some], False))
    out = np.empty((tasks, 2, 2))
    out[:, 0, 1] = out[:, 1, 0] = np.concatenate(pairs)
    untied = rows.max(axis=2, initial=0) > rows.min(axis=2, initial=items)  # who ties all items has none
    out[:, [0, 1], [0, 1]] = np.where(untied, 1.0, np.nan)
    return out


def _rho_of_complete(rows: Array, split: int | None) -> Array:
    return _pearson(mid_ranks(rows) - (rows.shape[2] + 1) / 2, split)


def _pearson(centred: Array, split: int | None = None) -> Array:
    """Pearson's r of rows of values less their mean; NaN where one of them is constant but for rounding."""
    square = (centred**2).sum(axis=2)
    left, right = _sides(np.where(square > FLAT, square, 0.0), split)
    return _ratio(times(*_sides(centred, split)), left[:, :, None], right[:, None, :])


def _sorted_tau(ranking: Array, split: int | None) -> Array:
    """Tau-b of one task ``[row, item]`` of long rankings: every one is sorted by every other."""
    if split is None:
        top, _, apart = agreeing_square(ranking)
        return _ratio(top, apart[:, None], apart)
    found = [agreeing(row, ranking[split:]) for row in ranking[:split]]
    return np.stack([_ratio(top, left, right) for top, _, left, right in found])


# -- of lists with gaps ------------------------------------------------------------------------------------------------


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
def _triangle(size: int, begin: int, end: int) -> tuple[Array, Array]:
    """Every two of so many items, the first of them from ``begin`` to before ``end``."""
    first, second = np.nonzero(np.arange(size) > np.arange(begin, end)[:, None])
    return first + begin, second


def _tau_of_pairs(x: Array, y: Array, strict: bool) -> Array:
    """Tau-b of rankings ``[item, pair]``."""
    if len(x) >= LONG:
        found = [agreeing(one, other[None]) for one, other in dense(np.stack([x.T, y.T], axis=1))]
        return np.array([_ratio(top, left, right)[0] for top, _, left, right in found])
    first, second = _triangle(len(x), 0, len(x))
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


# -- Kendall's kin -----------------------------------------------------------------------------------------------------


def signs(positions: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Signs ``[task, judge, pair]`` (+1 where i is before j), with the numbers i < j of the pairs, in pieces."""
    tasks, judges, items = positions.shape
    last = int(positions.max(initial=0))
    short = np.int8 if last < 127 else np.int16 if last < 2**15 - 1 else np.int64
    places = np.ascontiguousarray(positions.transpose(2, 0, 1), short)  # one item of all rankings side by side
    step = max(1, CELLS // max(tasks * judges * items, 1))
    for a in range(0, items - 1, step):  # the pairs of a piece only: all of them fill the memory first
        i, j = _triangle(items, a, min(a + step, items - 1))
        sign = np.subtract(places.take(j, axis=0), places.take(i, axis=0))
        yield np.clip(sign, -1, 1, out=sign).astype(np.float32).transpose(1, 2, 0), i, j


def times(left: Array, right: Array) -> Array:
    """Sums of products of every row of one side with every row of the other, ``[task, row, row]``."""
    return np.asarray(np.matmul(left, right.transpose(0, 2, 1)), np.float64)


def square(positions: Array) -> Array:
    """Zeros for every two judges."""
    return np.zeros((positions.shape[0], positions.shape[1], positions.shape[1]))


def _pairs(positions: Array) -> float:
    return math.comb(positions.shape[2], 2) or math.nan


@absent_items
def tau(positions: Array) -> Array:
    """Kendall's tau-a: concordant less discordant pairs, over all pairs."""
    if quicker(positions):
        return np.stack([agreeing_square(task)[0] for task in positions]) / _pairs(positions)
    out = square(positions)
    for s, _, _ in signs(positions):
        out += times(s, s)
    return out / _pairs(positions)


def mean_tau(positions: Array, counts: Array, alike: bool) -> Array:
    """Mean tau over pairs of judges, ``[task]``, for complete rankings without ties, from precedence counts alone.

    For an item pair the products of the judges' signs add up to the square of (before - after), less each judge's own.
    """
    items = positions.shape[2]
    total = counts.sum(axis=1)
    own = total if alike else (counts**2).sum(axis=1)
    pairs = (total**2 - own) * math.comb(items, 2)
    first, second = np.triu_indices(items, 1)
    margin = np.empty(len(positions), np.int64)
    last = tasks_last(positions)
    for part in blocks(len(positions), items):
        before = precedence(last[:, :, part], counts.T[:, part])
        lead = 2 * before[first, second] - total[part]
        margin[part] = np.einsum("pt,pt->t", lead, lead, dtype=np.int64)
    return quotient((margin - own * len(first)).astype(float), pairs)


@absent_items
def tau_x(positions: Array) -> Array:
    """Emond and Mason's tau-x: a tie on both sides agrees, a tie on one side is neither."""
    if quicker(positions):
        return np.stack([top + both for top, both, _ in map(agreeing_square, positions)]) / _pairs(positions)
    out = square(positions)
    for s, _, _ in signs(positions):
        tied = (s == 0).astype(np.float32)
        out += times(s, s) + times(tied, tied)
    return out / _pairs(positions)


@absent_items
def tau_ap(positions: Array, side: str = "both") -> Array:
    """AP correlation of the second ranking with the first as truth; with ``both`` the mean of the two ways.

    With ties as in Urbano and Marrero's tau_ap,b: an item is compared with those above its tie group.
    """
    top = top_ranks(positions)
    below = np.maximum((top > 1).sum(axis=2, keepdims=True), 1) * np.maximum(top - 1, 1).astype(float)
    out = square(positions)
    for s, i, j in signs(positions):
        lower = np.where(s > 0, 1 / below[:, :, j], 1 / below[:, :, i])
        weight = np.where(s == 0, 0.0, lower)
        # A pair that the truth ties is not concordant: (|s_truth| + s_truth * s) / 2 is 1 only for equal signs.
        out += np.matmul(s.astype(float), (weight * s).transpose(0, 2, 1))
        out += np.matmul(np.abs(s).astype(float), weight.transpose(0, 2, 1))
    out -= 1
    one_group = (positions.max(axis=2) == 1)[:, None, :]
    out = np.where(one_group, np.nan, out)
    return (out + out.transpose(0, 2, 1)) / 2 if side == "both" else out


@absent_items
def tau_vigna(positions: Array) -> Array:
    """Vigna's weighted tau: a pair weighs 1/rank + 1/rank of its items, ranks by either ranking in turn."""
    return _weighted_tau(positions, np.add)


@absent_items
def tau_shieh(positions: Array) -> Array:
    """Shieh's weighted tau: a pair weighs 1/rank times 1/rank of its items, ranks by either ranking in turn."""
    return _weighted_tau(positions, np.multiply)


def _weighted_tau(positions: Array, join: Callable[[Array, Array], Array]) -> Array:
    items = positions.shape[2]
    if items < 2:
        return np.full(square(positions).shape, np.nan)
    whole = (positions.max(axis=2) == items).all(axis=1)
    if whole.any() and not whole.all():  # each task by its own way, whatever tasks are beside it
        both = np.empty((len(positions), positions.shape[1], positions.shape[1]))
        both[whole], both[~whole] = (_weighted_tau(positions[some], join) for some in (whole, ~whole))
        return both
    if whole.all():  # no ties: the weights depend on one ranking, so one product will do
        rank = 1.0 / positions
        top, bottom = square(positions), np.zeros(positions.shape[:2])
        for s, i, j in signs(positions):
            weight = join(rank[:, :, i], rank[:, :, j])
            top += np.matmul(weight * s, s.astype(float).transpose(0, 2, 1))
            bottom += weight.sum(axis=2)
        out = top / bottom[:, :, None]
        return np.asarray((out + out.transpose(0, 2, 1)) / 2)
    out = square(positions)
    i, j = np.triu_indices(items, 1)
    for t, ranking in enumerate(positions):
        sign = np.sign(ranking[:, j] - ranking[:, i]).astype(float)
        for a in range(len(ranking)):
            for b in range(a, len(ranking)):
                ways = [_one_way(ranking, sign, a, b, join, i, j), _one_way(ranking, sign, b, a, join, i, j)]
                out[t, a, b] = out[t, b, a] = sum(ways) / 2
    return out


def _one_way(ranking: Array, sign: Array, a: int, b: int, join: Any, i: Array, j: Array) -> float:
    """Weighted tau-b with ranks by the first ranking, its ties told apart by the second."""
    rank = np.empty(ranking.shape[1])
    rank[np.lexsort((ranking[b], ranking[a]))] = 1.0 / np.arange(1, ranking.shape[1] + 1)
    weight = join(rank[i], rank[j])
    scale = math.sqrt(weight[sign[a] != 0].sum() * weight[sign[b] != 0].sum())
    return float((weight * sign[a] * sign[b]).sum()) / scale if scale else math.nan


# -- Spearman's kin ----------------------------------------------------------------------------------------------------


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
    return quotient(np.einsum("ti,ti->t", twice, twice) - own * each, (total**2 - own) * each)


@absent_items
def rho_top(positions: Array) -> Array:
    """Iman and Conover's top-down correlation: Pearson's r of Savage scores, which stress the first places."""
    return _pearson(by_rank(positions, savage(positions.shape[2])) - 1)  # their mean, whatever is tied


@absent_items
def footrule(positions: Array) -> Array:
    """Spearman's footrule as likeness: 1 less the sum of rank differences over the largest, n*n/2 rounded down."""
    rank = mid_ranks(positions)
    out = np.zeros((*positions.shape[:2], positions.shape[1]))
    for a in range(positions.shape[1]):
        out[:, a] = np.abs(rank - rank[:, a : a + 1]).sum(axis=2)
    largest = positions.shape[2] ** 2 // 2
    return 1 - out / largest if largest else np.full(out.shape, np.nan)
