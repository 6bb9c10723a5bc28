"""Co-association: how many judges put two items together, used both, and were shown both.

Small: a table of all pairs, of many tasks and panels. Large: rows of very many items at a time, without such a table;
pairs that no judge put together are never looked at, so time grows with the squares of groups.

``labels[task, judge, item]`` are group numbers that mean nothing beyond their judge, -1 where the judge left the item
out, -2 where it was not shown to him. ``weights[draw, task, judge]`` says how often each judge counts. Of a large task,
``labels[judge, item]`` and ``counts[judge]``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
CELLS = 1 << 18  # judges x pairs of items, held at a time
LOOKED_AT = 1 << 22  # pairs of a large task, looked at in one go


def co_association(labels: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Judges who put two items together, who used both, who were shown both, ``[draw, task, item, item]`` each.

    On the diagonal stands how many used the item, or were shown it.

    >>> found = co_association(np.array([[[0, 0, 1], [0, 0, -1]]]), np.array([[[1, 2]]]))
    >>> found[0][0, 0].tolist(), found[1][0, 0].tolist()
    ([[3, 3, 0], [3, 3, 0], [0, 0, 1]], [[3, 3, 1], [3, 3, 1], [1, 1, 1]])
    """
    tasks, judges, items = labels.shape
    total = weights.sum(axis=2)
    often = _exact(weights.transpose(1, 0, 2))
    together = np.empty((len(weights), tasks, items, items), np.int32)
    lines = max(1, min(CELLS // max(judges * items, 1), items))
    step = max(1, CELLS // max(judges * items * lines, 1))
    for t in range(0, tasks, step):
        own, times = labels[t : t + step], often[t : t + step]
        own, named = _narrow(own)
        for i in range(0, items, lines):
            same = own[:, :, i : i + lines, None] == named[:, :, None, :]
            found = times @ same.reshape(*own.shape[:2], -1).astype(times.dtype)
            shape = (*found.shape[:2], -1, items)
            together[:, t : t + step, i : i + lines] = found.reshape(shape).transpose(1, 0, 2, 3)
    return together, _both(labels >= 0, often, total), _both(labels >= -1, often, total)


def _exact(weights: Array) -> Array:
    """Whole numbers as floats whose sums are exact: half as wide where these stay small."""
    return weights.astype(np.float32 if int(weights.sum(axis=-1).max(initial=0)) < 1 << 24 else np.float64)


def _narrow(labels: Array) -> tuple[Array, Array]:
    """The labels in little room, for groups are no more than items; and once more, what is in no group equal to
    nothing."""
    own = labels.astype(np.int16 if labels.shape[-1] < 1 << 15 else np.int64)
    return own, np.where(labels < 0, own.dtype.type(-3), own)


def _both(held: Array, often: Array, total: Array) -> Array:
    """How many judges hold both of two items; where all hold everything a view that takes no room."""
    items = held.shape[2]
    if held.all():
        return np.broadcast_to(total.astype(np.int32)[:, :, None, None], (*total.shape, items, items))
    own = held.astype(often.dtype)
    found = (own[:, None] * often[:, :, :, None]).swapaxes(2, 3) @ own[:, None]
    return np.asarray(np.rint(found).astype(np.int32).swapaxes(0, 1))


class Pairs(NamedTuple):
    """Pairs of different items of which some judge put both together, each once, the first item before the second."""

    first: Array
    second: Array
    together: Array  # judges who put both together
    voters: Array  # judges who have a say on both


def alike(labels: Array, firm: Array) -> Array:
    """The kind of every item, ``[item]``: ``firm`` items that all judges put in the same groups are of one kind.

    >>> alike(np.array([[0, 1, 0, 0], [2, 2, 2, 3]]), np.array([True, True, True, True])).tolist()
    [0, 1, 0, 2]
    """
    alone = np.where(firm, -1, np.arange(labels.shape[1]))
    _, kind = np.unique(np.vstack([labels, alone]), axis=1, return_inverse=True)
    return dense(kind.ravel())


def members(labels: Array, counts: Array | None = None) -> Any:
    """Which item is in which judge's group, ``[item, group]``, sparse; what is there is 1, or the judge's count."""
    from scipy.sparse import csr_array

    items = labels.shape[1]
    width = labels.max(axis=1, initial=-1) + 1
    column = (np.cumsum(width) - width)[:, None] + labels
    item, judge = np.nonzero(labels.T >= 0)
    value = np.ones(len(item), np.int32) if counts is None else counts[judge].astype(np.int32)
    begin = np.concatenate([[0], np.cumsum((labels >= 0).sum(axis=0))])
    return csr_array((value, column[judge, item], begin), shape=(items, int(width.sum())))


def effort(labels: Array) -> Array:
    """How many pairs have to be looked at for every item, those of several judges several times, ``[item]``."""
    out = np.zeros(labels.shape[1])
    for own in labels:
        size = np.bincount(own[own >= 0], minlength=1)
        out += np.where(own >= 0, size[np.maximum(own, 0)], 0)
    return out


def rows(labels: Array, counts: Array) -> Iterator[tuple[int, Any]]:
    """Some items at a time, the number of the first, and how many judges put each of them together with any item,
    ``[some, item]``, sparse."""
    own, theirs = members(labels), members(labels, counts).T.tocsr()
    block = (np.cumsum(effort(labels)) // LOOKED_AT).astype(np.int64)
    edges = np.concatenate([[0], np.flatnonzero(np.diff(block)) + 1, [labels.shape[1]]]).tolist()
    for a, b in itertools.pairwise(edges):
        yield a, own[a:b] @ theirs


def pairs(labels: Array, counts: Array, held: Array) -> Iterator[Pairs]:
    """The pairs that some judge put together; ``held[judge, item]`` says who has a say on which item."""
    whole, total = bool(held.all()), int(counts.sum())
    for begin, found in rows(labels, counts):
        entry = found.tocoo()
        first, second, together = entry.row.astype(np.int64) + begin, entry.col.astype(np.int64), entry.data
        once = first < second
        first, second, together = first[once], second[once], together[once]
        yield Pairs(first, second, together, np.full(len(first), total) if whole else both(held, counts, first, second))


def both(held: Array, counts: Array, first: Array, second: Array) -> Array:
    """How many judges have a say on both items of each pair."""
    out = np.zeros(len(first), np.int64)
    for own, times in zip(held, counts.tolist(), strict=True):
        out += times * (own[first] & own[second])
    return out


def parts(items: int, found: Iterator[Pairs], linked: Callable[[Pairs], Array]) -> Array:
    """The groups that linked pairs connect, ``[item]``, numbered in order of their first item."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    part, number = np.arange(items), items
    for some in found:
        there = linked(some)
        a, b = part[some.first[there]], part[some.second[there]]
        apart = a != b
        graph = coo_array((np.ones(int(apart.sum()), np.int8), (a[apart], b[apart])), shape=(number, number))
        number, name = connected_components(graph, directed=False)
        part = name[part]
    return dense(part)
