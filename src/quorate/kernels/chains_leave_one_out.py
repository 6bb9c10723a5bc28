"""Kappa without each judge in turn: how many subsequences all the others share, in one pass over the judges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import chains
from quorate.kernels.precedence import BLOCK, tasks_last

Array = NDArray[Any]
LONG = 500  # items above which judges are taken out one by one
EXACT = 2.0**53  # below it a double counts without error


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
