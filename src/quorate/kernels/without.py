"""Figures without each judge in turn, in one pass over the judges: a total less the judge's own share.

Works on ``positions[task, judge, item]`` in which every judge counts; results are ``[task, judge]``: what is left when
that judge is taken out, with whatever number of judges the row stands for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import chains
from quorate.kernels.missing import dense
from quorate.kernels.pair_means import ratio
from quorate.kernels.pairs import BLOCK, tasks_last
from quorate.kernels.ranks import mid_ranks

Array = NDArray[Any]
LONG = 500  # items above which judges are taken out one by one
EXACT = 2.0**53  # below it a double counts without error


# -- kappa: common subsequences ---------------------------------------------------------------------------------------


def chains_without(positions: Array) -> list[list[int]]:
    """How many subsequences all the other judges share, ``[task][judge]``, exact.

    It matters who is taken out only for what exactly one judge breaks. So the breaks of every ordered pair are counted
    once, and the subsequences anew only for judges who are alone in breaking some pair.
    """
    tasks, _, items = positions.shape
    out: list[list[int]] = []
    if items > LONG:
        return [_one_by_one(task) for task in positions]
    step = max(1, BLOCK // max(items * items, 1))
    for start in range(0, tasks, step):
        out += _block(positions[start : start + step])
    return out


def _one_by_one(ranking: Array) -> list[int]:
    """The same for one long task ``[judge, item]``: a table of all pairs would fill the memory."""
    out = []
    for k in range(len(ranking)):
        others = np.delete(ranking, k, axis=0)
        common = np.flatnonzero((others > 0).all(axis=0))
        order = np.argsort(others[:, common].sum(axis=0, dtype=np.int64), kind="stable")
        out.append(chains.number(np.ascontiguousarray(others[:, common[order]])) if len(others) else 0)
    return out


def _block(positions: Array) -> list[list[int]]:
    tasks, judges, items = positions.shape
    if judges < 2:
        return [[0] * judges for _ in range(tasks)]
    last = tasks_last(positions)
    places = last.sum(axis=0, dtype=np.int64)
    lacking = (last == 0).sum(axis=0)  # [item, task]
    broken = np.zeros((items, items, tasks), np.int32)
    for k in range(judges):
        broken += ~_before(last[k])
    shared, once = broken == 0, broken == 1
    base = _count(shared, lacking == 0, places)
    counts = [[b] * judges for b in base]
    for k in range(judges):
        own = once & ~_before(last[k])
        gained = (lacking == 1) & (last[k] == 0)
        changed = np.flatnonzero(own.any(axis=(0, 1)) | gained.any(axis=0))
        if len(changed):
            edge, there = (shared | own)[:, :, changed], ((lacking == 0) | gained)[:, changed]
            found = _count(edge, there, (places - last[k])[:, changed])
            for t, value in zip(changed.tolist(), found, strict=True):
                counts[t][k] = value
    return counts


def _before(last: Array) -> Array:
    """Where the judge puts i before j, ``[i, j, task]``."""
    early = np.where(last > 0, last, np.iinfo(last.dtype).max)
    return np.asarray(early[:, None] < last[None])


def _count(edge: Array, there: Array, places: Array) -> list[int]:
    """Chains of one and more items of the order ``edge[i, j, task]``; items by rising sum of places are in order."""
    items, tasks = there.shape
    order = np.argsort(np.where(there, places, np.iinfo(np.int64).max), axis=0, kind="stable")
    ends = np.zeros((items, tasks))
    every = np.arange(tasks)
    with np.errstate(over="ignore"):
        for j in order:
            earlier = edge[:, j, every]
            ends[j, every] = np.where(there[j, every], 1 + np.where(earlier, ends, 0.0).sum(axis=0), 0.0)
    total = ends.sum(axis=0)
    return [
        int(total[t]) if total[t] < EXACT else _count_exactly(edge[:, :, t], order[: int(there[:, t].sum()), t])
        for t in range(tasks)
    ]


def _count_exactly(edge: Array, order: Array) -> int:
    ends = [0] * len(edge)
    for j in order.tolist():
        ends[j] = 1 + sum(ends[i] for i in np.flatnonzero(edge[:, j]).tolist())
    return sum(ends)


# -- Kendall's W ------------------------------------------------------------------------------------


def concordance_without(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Kendall's W of the other judges, and whether it is defined as such: they rank the same items in full."""
    there = positions > 0
    judges = positions.shape[1]
    holders = there.sum(axis=1)[:, None] - there
    whole = ((holders == 0) | (holders == judges - 1)).all(axis=2)
    centre = (there.sum(axis=2, keepdims=True) + 1) / 2
    off = np.where(there, mid_ranks(positions) - centre, 0.0)
    weight = counts[:, :, None]
    sums = (off * weight).sum(axis=1)[:, None] - off * weight
    own = (off**2).sum(axis=2) * counts
    number = counts.sum(axis=1, keepdims=True) - counts
    largest = number * (own.sum(axis=1, keepdims=True) - own)
    # What is left of a sum of squares after subtraction is zero or at least one half; less is rounding.
    w = ratio((sums**2).sum(axis=2), np.where(largest > 0.25, largest, 0))
    return np.where(number < 2, np.nan, w), whole


# -- the order by rank sums -------------------------------------------------------------------------------------------


def rank_order(positions: Array, counts: Array) -> Array:
    """The order of the items by their rank sums over all judges, as dense positions ``[task, item]``.

    Ranks of a shorter list are spread over the whole; judges who lack an item count with the mean of those who have it.
    """
    spread, held = _spread(positions, counts)
    return _by_sum(spread.sum(axis=1) / np.maximum(held.sum(axis=1), 1))


def rank_order_without(positions: Array, counts: Array) -> Array:
    """The order by the rank sums of the other judges, ``[task, judge, item]``; 0 for an item that none of them has."""
    spread, held = _spread(positions, counts)
    left = held.sum(axis=1)[:, None] - held
    sums = spread.sum(axis=1)[:, None] - spread
    means = np.divide(sums, left, out=np.full(sums.shape, np.inf), where=left > 0)
    return np.where(left > 0, _by_sum(means.reshape(-1, positions.shape[2])).reshape(positions.shape), 0)


def rank_orders(positions: Array, counts: Array) -> Array:
    """The order by rank sums of each of many panels, ``counts[panel, task, judge]``: ``[panel, task, item]``."""
    spread, held = _spread(positions, np.ones(positions.shape[:2]))
    panels = counts.transpose(1, 0, 2).astype(float)
    sums, left = np.matmul(panels, spread), np.matmul(panels, held)
    means = np.where(left > 0, ratio(sums, left), np.inf)
    places = np.where(left > 0, _by_sum(means.reshape(-1, positions.shape[2])).reshape(means.shape), 0)
    return places.transpose(1, 0, 2)


def _spread(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Each judge's share of the rank sums and of the number of judges who hold an item."""
    there = positions > 0
    size = there.sum(axis=2, keepdims=True)
    rank = mid_ranks(positions) * ((positions.shape[2] + 1) / (size + 1))
    return rank * counts[:, :, None], there * counts[:, :, None]


def _by_sum(sums: Array) -> Array:
    # Rounded, because spread ranks that are equal on paper differ in their last digits.
    return dense(np.round(sums, 9)[:, None])[:, 0]
