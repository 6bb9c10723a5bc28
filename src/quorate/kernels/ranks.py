"""Ranks: positions with ties shared out, what W is made of, and scores that stress the top.

Works on complete rankings ``positions[task, judge, item]``; ``fill_below`` makes incomplete ones complete.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def complete(positions: Array) -> Array:
    """Which tasks are ranked in full by every judge, ``[task]``."""
    return np.asarray((positions > 0).all(axis=(1, 2)))


def fill_below(positions: Array) -> Array:
    """Absent items tied in one place below all that the judge ranked."""
    last = positions.max(axis=2, keepdims=True) + 1
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


def savage(items: int) -> Array:
    """Savage scores: the place i is worth 1/i + 1/(i+1) + ... + 1/n."""
    return np.cumsum(1.0 / np.arange(items, 0, -1))[::-1].copy()


def correlations(values: Array) -> Array:
    """Pearson's r of every two judges, ``[task, judge, judge]``; NaN where one of them is constant."""
    centred = values - values.mean(axis=2, keepdims=True)
    square = (centred**2).sum(axis=2)
    product = np.matmul(centred, centred.transpose(0, 2, 1))
    scale = np.sqrt(square[:, :, None] * square[:, None, :])
    # A constant ranking has no spread; rounding must not turn that into a number.
    flat = square <= 1e-12 * np.maximum((values**2).sum(axis=2), 1)
    scale[flat[:, :, None] | flat[:, None, :]] = np.nan
    return np.asarray(np.clip(product / scale, -1, 1))


def concordance(ranks: Array, counts: Array) -> tuple[Array, Array]:
    """Kendall's W of complete rankings, corrected for ties, and its chi-square, each ``[task]``; NaN if all is tied.

    W is the spread of the rank sums over the largest these tied ranks allow: N times the sum of each judge's own.
    """
    items = ranks.shape[2]
    judges = counts.sum(axis=1)
    centred = ranks - (items + 1) / 2
    sums = (centred * counts[:, :, None]).sum(axis=1)
    own = ((centred**2).sum(axis=2) * counts).sum(axis=1)
    largest = judges * own
    w = np.divide((sums**2).sum(axis=1), largest, out=np.full(len(ranks), np.nan), where=largest > 0)
    return w, judges * (items - 1) * w


def skillings_mack(positions: Array, counts: Array) -> tuple[float, int]:
    """The Skillings-Mack chi-square and its degrees of freedom for one task, ``positions[judge, item]``, with gaps.

    Friedman's test for rankings in which judges left items out; equal to it when nobody did and nothing is tied.
    """
    there = positions > 0
    size = there.sum(axis=1)
    use = (size > 1) & (counts > 0)
    if not use.any():
        return float("nan"), 0
    positions, there, size, counts = positions[use], there[use], size[use], counts[use]
    rank = mid_ranks(positions[None])[0]
    scaled = np.where(there, np.sqrt(12 / (size + 1))[:, None] * (rank - (size[:, None] + 1) / 2), 0.0)
    total = (scaled * counts[:, None]).sum(axis=0)
    part = _linked((there.T.astype(np.float32) @ there) > 0)
    used = there.any(axis=0)
    df = int(used.sum()) - len(np.unique(part[used]))
    return _quadratic(there[:, used].astype(float), size, counts, total[used], part[used]), df


def _quadratic(there: Array, size: Array, counts: Array, total: Array, part: Array) -> float:
    """total' C^- total, where the covariance C is diagonal but for one product of vectors a judge: solved by judges.

    C is singular within every ``part`` of linked items, where the totals add up to 0; what is added there makes the
    system regular and changes nothing.
    """
    diagonal = (counts * size) @ there
    root = np.sqrt(counts)[:, None] * there
    judge = part[there.argmax(axis=1)]
    null = np.where(judge[:, None] == np.unique(part), (np.sqrt(counts) * size)[:, None], 0.0)
    square = np.eye(len(root)) - (root / diagonal) @ root.T + (null / np.maximum((null**2).sum(axis=0), 1)) @ null.T
    right = root @ (total / diagonal)
    return float(total @ (total / diagonal) + right @ np.linalg.solve(square, right))


def _linked(edge: Array) -> Array:
    """A number for each item, the same for items that are linked directly or through others."""
    number = np.arange(len(edge))
    while True:
        least = np.minimum(number, np.where(edge, number, len(edge)).min(axis=1, initial=len(edge)))
        if (least == number).all():
            return number
        number = least
