"""Kendall's tau and its kin, for every two judges who rank the same items: ``[task, judge, judge]``.

Mostly one matrix product over the signs of all item pairs; of long rankings inversions are counted instead. Tau-b,
which also compares lists with judges, is in :mod:`~quorate.kernels.rank_correlation`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import agreeing_square, quicker
from quorate.kernels.missing import absent_items
from quorate.kernels.pair_means import ratio
from quorate.kernels.precedence import blocks, precedence, tasks_last
from quorate.kernels.ranks import top_ranks

Array = NDArray[Any]
CELLS = 1 << 23  # signs held at a time


def signs(positions: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Signs ``[task, judge, pair]`` (+1 where i is before j), with the numbers i < j of the pairs, in pieces."""
    tasks, judges, items = positions.shape
    number = math.comb(items, 2)
    begin = np.concatenate([[0], np.cumsum(np.arange(items - 1, 1, -1))])  # of each i, among the pairs in order
    step = max(1, CELLS // max(tasks * judges, 1))
    for a in range(0, number, step):  # the pairs of a piece only: all of them fill the memory first
        pair = np.arange(a, min(a + step, number))
        i = np.searchsorted(begin, pair, side="right") - 1
        j = pair - begin[i] + i + 1
        yield np.sign(positions[:, :, j] - positions[:, :, i]).astype(np.float32), i, j


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
    return ratio((margin - own * len(first)).astype(float), pairs)


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
    if (positions.max(axis=2) == items).all():  # no ties: the weights depend on one ranking, so one product will do
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
