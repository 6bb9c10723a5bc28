"""Pairs of very many items that some judge put together: rows of items at a time, without a table of all pairs.

``labels[judge, item]`` are group numbers, negative where the judge put the item nowhere; ``counts[judge]`` is how often
each judge counts. Pairs that no judge put together are never looked at, so time grows with the squares of groups.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
CELLS = 1 << 22  # pairs of items looked at in one go


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
    block = (np.cumsum(effort(labels)) // CELLS).astype(np.int64)
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
