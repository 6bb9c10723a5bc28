"""The co-association matrix: of each two items, how many judges used both, and how many of those put them together.

Everything that a consensus of groupings is made of. Counts of different judges add up, so parts can be counted apart.
Small: a table of all pairs. Large: rows of very many items of one task, ``labels[judge, item]``, without such a table;
pairs that no judge put together are never looked at, so time grows with the squares of groups.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, LimitReached, UnknownId, suggest
from quorate.kernels.co_association import co_association
from quorate.kernels.defined import quotient
from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
ITEMS = 5000  # of one task at most: the matrix has their square
LOOKED_AT = 1 << 22  # pairs of a large task, looked at in one go


def check(items: int) -> None:
    """Whether a table of all pairs of items has room."""
    if items > ITEMS:
        raise LimitReached(
            f"{items:,} items in one task are too many for a table of all pairs.",
            f"at most {ITEMS:,}.",
        )


@dataclass(frozen=True, eq=False)
class Association:
    """Counts of one task, ``[item, item]``, or of many tasks or panels, ``[..., item, item]``.

    On the diagonal stands how many judges used the item, or were shown it.

    >>> found = Association.of([[0, 0, 1], [0, 0, -1]], items="xyz")
    >>> found.share.tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> found.left_out.tolist()
    [0, 0, 1]
    """

    items: tuple[Hashable, ...]
    judges: Array  # [...] in all
    together: Array
    both: Array  # used both
    shown: Array  # were shown both

    @classmethod
    def of(cls, labels: Any, counts: Any = None, items: Sequence[Hashable] | None = None) -> Association:
        """From ``labels[judge, item]``, group numbers from 0, -1 where left out, -2 where not shown.

        ``counts`` are judges like each. Labels may be of many tasks, ``[task, judge, item]``, with counts of panels
        drawn from their judges, ``[draw, task, judge]``.
        """
        square = np.asarray(labels)
        if square.ndim not in (2, 3):
            raise InputError(f"labels of judges x items are needed, not {square.ndim} dimensions.")
        check(square.shape[-1])
        weight = np.ones(square.shape[:-1], np.int64) if counts is None else np.asarray(counts)
        shape = weight.shape[:-1]
        many = square if square.ndim == 3 else square[None]
        found = co_association(many, weight.reshape(-1, *many.shape[:2]))
        names = tuple(range(square.shape[-1])) if items is None else tuple(items)
        together, both, shown = (x.reshape(*shape, *x.shape[-2:]) for x in found)
        return cls(names, np.asarray(weight.sum(axis=-1)), together, both, shown)

    def __add__(self, other: Association) -> Association:
        """Counts of other judges on the same items, added."""
        if self.items != other.items:
            raise InputError("the two have different items, or the same in another order.")
        names = ("judges", "together", "both", "shown")
        judges, together, both, shown = (getattr(self, name) + getattr(other, name) for name in names)
        return Association(self.items, judges, together, both, shown)

    @property
    def used(self) -> Array:
        """How many judges used each item."""
        return np.diagonal(self.both, axis1=-2, axis2=-1)

    @property
    def offered(self) -> Array:
        """How many judges were shown each item."""
        return np.diagonal(self.shown, axis1=-2, axis2=-1)

    @property
    def left_out(self) -> Array:
        """How many judges left out each item that they were shown."""
        return np.asarray(self.offered - self.used)

    @property
    def kept(self) -> Array:
        """Which items a consensus has: all but those that more than half of the judges who were shown them left out."""
        return np.asarray(2 * self.left_out <= self.offered)

    @cached_property
    def share(self) -> Array:
        """Of the judges who used both items, the share that put them together; NaN where nobody used both."""
        return quotient(self.together, self.both)

    def pair(self, a: Hashable, b: Hashable) -> tuple[int, int]:
        """How many judges put the two together, and how many used both."""
        place = {item: k for k, item in enumerate(self.items)}
        for item in (a, b):
            if item not in place:
                raise UnknownId(f"no item '{item}'.", suggest(str(item), map(str, self.items), "Items"))
        return int(self.together[place[a], place[b]]), int(self.both[place[a], place[b]])

    def voters(self, left_out: str = "common") -> Array:
        """How many judges have a say on each pair: those who used both, with ``singletons`` all who were shown both."""
        return self.both if left_out == "common" else self.shown

    def margins(self, left_out: str = "common") -> Array:
        """Judges for together less judges for apart, ``[..., item, item]``, 0 on the diagonal."""
        out = 2 * self.together
        out -= self.voters(left_out)
        return off_diagonal(out)

    def among_kept(self, values: Array) -> Array:
        """Values of pairs of different kept items, 0 elsewhere."""
        kept = self.kept
        if not kept.all():
            values = np.where(kept[..., :, None] & kept[..., None, :], values, 0)
        return off_diagonal(values)

    def rows(self) -> list[dict[str, Any]]:
        """A row per pair of items: together, both, share."""
        first, second = np.triu_indices(len(self.items), 1)
        return [
            {
                "item_a": self.items[a],
                "item_b": self.items[b],
                "together": int(self.together[a, b]),
                "both": int(self.both[a, b]),
                "share": float(self.share[a, b]),
            }
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ]


def off_diagonal(values: Array) -> Array:
    """The values, 0 on the diagonal of the last two axes; changed in place."""
    place = np.arange(values.shape[-1])
    values[..., place, place] = 0
    return values


def kept(labels: Array, counts: Array) -> Array:
    """Which items a consensus has, ``[task, item]``: all but those that more than half left out who were shown them."""
    offered = (counts[:, :, None] * (labels >= -1)).sum(axis=1)
    used = (counts[:, :, None] * (labels >= 0)).sum(axis=1)
    return np.asarray(2 * (offered - used) <= offered)


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
