"""Ranks: positions with ties shared out, and scores that stress the top.

Works on complete rankings ``positions[task, judge, item]``; ``fill_below`` makes incomplete ones complete.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def repeated(rankings: Array) -> bool:
    """Whether all rows are one task, as where draws of its judges differ in what each counts."""
    return len(rankings) > 1 and rankings.strides[0] == 0


def once(rankings: Array) -> Array:
    """The one task that all rows are; else all."""
    return rankings[:1] if repeated(rankings) else rankings


def complete(positions: Array) -> Array:
    """Which tasks are ranked in full by every judge, ``[task]``."""
    return np.asarray((positions > 0).all(axis=(1, 2)))


def strict(positions: Array) -> bool:
    """Whether every ranking is complete and without ties."""
    items = positions.shape[2]
    return bool((positions > 0).all() and (positions.max(axis=2, initial=0) == items).all())


def dense(positions: Array) -> Array:
    """Positions numbered 1, 2, 3, ... without gaps, ties kept."""
    short = positions.dtype.itemsize < 4  # equal ones get one number, in whatever order they come
    order = np.argsort(positions, axis=2, kind="stable" if short else None)
    ranked = np.take_along_axis(positions, order, axis=2)
    step = np.ones(positions.shape, np.int64)
    step[:, :, 1:] = ranked[:, :, 1:] != ranked[:, :, :-1]
    out = np.empty(positions.shape, np.int64)
    np.put_along_axis(out, order, step.cumsum(axis=2), axis=2)
    return out


def fill_below(positions: Array) -> Array:
    """Absent items tied in one place below all that the judge ranked."""
    if len(positions) > 1 and positions.strides[0] == 0:  # draws of one task hold the same rankings
        return np.broadcast_to(fill_below(positions[:1]), positions.shape)
    last = positions.max(axis=2, keepdims=True, initial=0) + 1
    return np.where(positions > 0, positions, last)


def group_sizes(positions: Array) -> Array:
    """How many items stand at each position: ``[task, judge, position]``, position 0 counting the absent."""
    tasks, judges, items = positions.shape
    row = np.arange(tasks * judges)[:, None] * (items + 1)
    flat = (row + positions.reshape(tasks * judges, items)).ravel()
    return np.bincount(flat, minlength=tasks * judges * (items + 1)).reshape(tasks, judges, items + 1)


def mid_ranks(positions: Array) -> Array:
    """Ranks in which tied items share the mean of their places; absent items get 0."""
    size = group_sizes(positions)
    size[..., 0] = 0
    upto = size.cumsum(axis=2)
    rank = np.where(size > 0, upto - (size - 1) / 2, 0.0)
    return np.take_along_axis(rank, positions.astype(np.int64), axis=2)


def top_ranks(positions: Array) -> Array:
    """Ranks in which tied items all get the best of their places (1, 1, 3); absent items get 0."""
    size = group_sizes(positions)
    size[..., 0] = 0
    rank = np.where(size > 0, size.cumsum(axis=2) - size + 1, 0)
    return np.take_along_axis(rank, positions.astype(np.int64), axis=2)


def by_rank(positions: Array, score: Array) -> Array:
    """Scores by place (``score[0]`` for the first), tied items sharing the mean of theirs; for complete rankings."""
    size = group_sizes(positions)[..., 1:]
    upto = np.concatenate([[0.0], np.cumsum(score)])
    end = size.cumsum(axis=2)
    mean = (upto[end] - upto[end - size]) / np.maximum(size, 1)
    return np.take_along_axis(mean, positions.astype(np.int64) - 1, axis=2)


def marks(rows: Array) -> Array:
    """A number of every row of whole numbers along the last axis: equal rows share it, others hardly ever (2^-60)."""
    salt = np.arange(1, rows.shape[-1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64: far from a straight line
        salt = (salt ^ (salt >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray((rows * (salt ^ (salt >> np.uint64(31))).view(np.int64)).sum(axis=-1))


def savage(items: int) -> Array:
    """Savage scores: the place i is worth 1/i + 1/(i+1) + ... + 1/n."""
    return np.cumsum(1.0 / np.arange(items, 0, -1))[::-1].copy()
