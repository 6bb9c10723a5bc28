"""Average linkage, small and large: the two nearest groups are joined, again and again, until all are in one tree.

Small and large go along the same chains of nearest neighbours, with two ways to look up how far groups are: a table of
all distances, of many tasks or drawn panels at a time; or, of very many items, sums of shares of those that some judge
put together, all others being at distance 1. Tables of more than a hundred items are SciPy's, which goes along the same
chains in a seventh of the time; of fewer, its import takes longer than the tree.

A tree is ``merges[step, 2]``: the numbers of the two that are joined, items from 0, then the joins in order; and the
``height`` of each join, the mean distance of the two.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import alike, both, rows
from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
MANY = 100  # items, beyond which a tree is made by SciPy
UNIT = 1 << 30  # parts of a share, where judges did not all use the same items


@dataclass(frozen=True, eq=False)
class Tree:
    """Who is joined with whom, and at what mean distance."""

    items: int
    merges: Array  # [items - 1, 2]
    heights: Array  # [items - 1]

    def cut(self, groups: int) -> Array:
        """Exactly so many groups, ``[item]``: all joins but the last few.

        >>> average_linkage(np.array([[0.0, 0.1, 0.9], [0.1, 0.0, 0.8], [0.9, 0.8, 0.0]])).cut(2).tolist()
        [0, 0, 1]
        """
        return np.asarray(self.cuts([groups])[0])

    def cuts(self, groups: list[int]) -> Array:
        """The same for several numbers of groups, ``[number, item]``."""
        return dense(np.stack([self._below(self.items - k) for k in groups]))

    def _below(self, joins: int) -> Array:
        """The topmost of the first so many joins that each item is below, or the item itself."""
        top = list(range(self.items + joins))
        for step, (a, b) in zip(range(joins - 1, -1, -1), self.merges[:joins][::-1].tolist(), strict=True):
            top[a] = top[b] = top[self.items + step]  # from the top down
        return np.array(top[: self.items])

    def branches(self) -> list[Array]:
        """The items below each join, ``[step]``, in order of their numbers."""
        inside: list[Array] = [np.array([i]) for i in range(self.items)]
        for a, b in self.merges.tolist():
            inside.append(np.sort(np.concatenate([inside[a], inside[b]])))
        return inside[self.items :]

    def leaves(self, distance: Array | None = None) -> list[int]:
        """The items as they stand below the tree, side by side; with ``distance`` the nearest ends of two joined meet.

        >>> apart = np.array([[0.0, 0.1, 0.9], [0.1, 0.0, 0.8], [0.9, 0.8, 0.0]])
        >>> average_linkage(apart).leaves(apart)
        [2, 1, 0]
        """
        order: list[list[int]] = [[i] for i in range(self.items)]
        for a, b in self.merges.tolist():
            ways = [(order[a], order[b])]
            if distance is not None:
                ways = [(left, right) for left in _turned(order[a]) for right in _turned(order[b])]
                ways.sort(key=lambda way: float(distance[way[0][-1], way[1][0]]))
            order.append(ways[0][0] + ways[0][1])
        return order[-1] if order else []


def _turned(order: list[int]) -> list[list[int]]:
    return [order, order[::-1]]


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees of as many items each."""

    items: int
    merges: Array  # [tree, items - 1, 2]
    heights: Array  # [tree, items - 1]

    @classmethod
    def stacked(cls, trees: Sequence[Tree]) -> Trees:
        """Several trees of as many items."""
        merges, heights = np.stack([tree.merges for tree in trees]), np.stack([tree.heights for tree in trees])
        return cls(trees[0].items, merges, heights)

    def __len__(self) -> int:
        return len(self.merges)

    def __getitem__(self, k: int) -> Tree:
        return Tree(self.items, self.merges[k], self.heights[k])

    def cuts(self, groups: Sequence[int]) -> Array:
        """Exactly so many groups, or so many, of every tree, ``[number, tree, item]``."""
        if self.items > MANY:
            return np.stack([self[k].cuts(list(groups)) for k in range(len(self))], axis=1)
        top = np.tile(np.arange(self.items), (len(self), 1))  # the topmost join that each item is below
        found = {self.items: top}
        for step in range(self.items - min(groups)):
            first, second = self.merges[:, step, :1], self.merges[:, step, 1:]
            top = np.where((top == first) | (top == second), self.items + step, top)
            found[self.items - 1 - step] = top
        return dense(np.stack([found[k] for k in groups]))


def average_linkage(distance: Array) -> Tree:
    """The tree of ``distance[item, item]``, symmetric; what is not known is far."""
    return average_linkages(distance[None])[0]


def average_linkages(distance: Array) -> Trees:
    """The same of many tables, ``[tree, item, item]``."""
    items = distance.shape[1]
    far = np.maximum(np.fmax.reduce(distance, axis=(1, 2), initial=0.0), 1.0)
    known = np.where(np.isnan(distance), far[:, None, None], distance).astype(float)
    if items <= MANY:
        return _joined(known)
    from scipy.cluster.hierarchy import linkage

    found = np.stack([linkage(own[np.triu_indices(items, 1)], "average") for own in known])
    return Trees(items, found[:, :, :2].astype(np.int64), found[:, :, 2])


def _joined(distance: Array) -> Trees:
    """The trees of small tables, all of them a step at a time, as :func:`_chained` has one."""
    trees, items = distance.shape[:2]
    distance[:, np.arange(items), np.arange(items)] = np.inf
    size, chain = np.ones((trees, items)), np.zeros((trees, items + 1), np.int64)
    length, done = np.zeros((2, trees), np.int64)
    pairs, heights = np.zeros((trees, items - 1, 2), np.int64), np.zeros((trees, items - 1))
    some = np.arange(trees if items > 1 else 0)  # those that are not one yet
    while len(some):
        empty = some[length[some] == 0]
        chain[empty, 0], length[empty] = (size[empty] > 0).argmax(axis=1), 1
        last = length[some] - 1
        row = distance[some, chain[some, last]]
        near, each = row.argmin(axis=1), np.arange(len(some))
        back = np.where(last > 0, row[each, chain[some, last - 1]], np.inf)  # to the one before in the chain
        ends = back <= row[each, near]
        further, meet = some[~ends], some[ends]
        chain[further, last[~ends] + 1] = near[~ends]
        length[further] += 1
        two = np.sort(np.stack([chain[meet, last[ends]], chain[meet, last[ends] - 1]], axis=1), axis=1)
        pairs[meet, done[meet]], heights[meet, done[meet]] = two, back[ends]
        _join(distance, size, meet, two[:, 0], two[:, 1])
        length[meet] -= 2
        done[meet] += 1
        some = some[done[some] < items - 1]
    return _in_order(items, pairs, heights)


def _join(distance: Array, size: Array, trees: Array, a: Array, b: Array) -> None:
    """Two groups of each of some trees become one, the later of the two."""
    one, two = size[trees, a][:, None], size[trees, b][:, None]
    joined = (one * distance[trees, a] + two * distance[trees, b]) / (one + two)
    each = np.arange(len(trees))
    joined[each, a] = joined[each, b] = np.inf
    distance[trees, b] = distance[trees, :, b] = joined
    distance[trees, a] = distance[trees, :, a] = np.inf
    size[trees, b] += size[trees, a]
    size[trees, a] = 0


def sparse_linkage(labels: Array, counts: Array) -> Tree:
    """The tree of ``labels[judge, item]`` by the share of judges who put two items apart; what nobody judged is far.

    Items that all judges put in the same groups are joined first. Sums of shares are whole numbers, which add up to the
    same in any order.

    >>> sparse_linkage(np.array([[0, 0, 1, 1], [0, 1, 1, 1]]), np.array([1, 2])).cut(2).tolist()
    [0, 1, 1, 1]
    """
    items = labels.shape[1]
    kind = alike(labels, (counts[:, None] * (labels >= 0)).sum(axis=0) > 0)
    by_kind = np.argsort(kind, kind="stable")
    joined = np.flatnonzero(np.diff(kind[by_kind]) == 0)
    inside = np.stack([by_kind[joined], by_kind[joined + 1]], axis=1)
    last = np.sort(by_kind[np.append(np.diff(kind[by_kind]) > 0, True)])  # a group goes by its last item
    pairs, heights = _chained(_Near(labels[:, last], counts, np.bincount(kind)[kind[last]]), len(last))
    heights = np.concatenate([np.zeros(len(inside)), heights])
    merges = np.concatenate([inside, last[pairs]]).astype(np.int64)
    return _in_order(items, merges[None], heights[None])[0]


def _chained(groups: _Near, number: int) -> tuple[Array, Array]:
    """Who is joined with whom, ``[step, 2]``, and at what distance; in the order in which they are found.

    By chains of nearest neighbours: each step goes on to the nearest of the last, until two are the nearest of each
    other, which are joined.
    """
    pairs, heights, chain = [], [], list[int]()
    for _ in range(number - 1):
        if not chain:
            chain.append(groups.lowest())
        while True:
            near, distance, back = groups.nearest(chain[-1], chain[-2] if len(chain) > 1 else None)
            if len(chain) > 1 and back <= distance:
                break
            chain.append(near)
        a, b = sorted((chain.pop(), chain.pop()))
        pairs.append((a, b))
        heights.append(back)
        groups.join(a, b)
    return np.array(pairs, np.int64).reshape(-1, 2), np.array(heights)


class _Near:
    """Of every group those near it, and sums of shares with them; all others are at distance 1."""

    def __init__(self, labels: Array, counts: Array, size: Array) -> None:
        self.size, self.items, held = size.astype(np.int64), size.astype(np.int64), labels >= 0
        self.now = np.arange(len(size), dtype=np.int32)  # where a group has gone
        self.first = 0  # the first group that is left
        self.unit = int(counts.sum()) if held.all() else UNIT
        self.near: list[tuple[Array, Array]] = []
        for begin, found in rows(labels, counts):
            share = found.data
            if self.unit == UNIT:
                row = np.repeat(np.arange(begin, begin + found.shape[0]), np.diff(found.indptr))
                of = both(held, counts, row, found.indices)
                share = np.rint(share / np.maximum(of, 1) * UNIT).astype(np.int32)
            for a, b in itertools.pairwise(found.indptr.tolist()):
                self.near.append((found.indices[a:b].astype(np.int32), share[a:b].astype(np.int32)))

    def lowest(self, but: int = -1) -> int:
        while not self.size[self.first]:
            self.first += 1
        if self.first != but:
            return self.first
        return self.first + 1 + int(np.flatnonzero(self.size[self.first + 1 :])[0])

    def nearest(self, group: int, before: int | None) -> tuple[int, float, float]:
        near, total = self._row(group)
        if not len(near):
            return self.lowest(group), 1.0, 1.0
        distance = 1 - total / (self.unit * self.size[group] * self.size[near])
        at = int(distance.argmin())
        back = 1.0
        if before is not None:
            k = int(np.searchsorted(near, before))
            back = float(distance[k]) if k < len(near) and near[k] == before else 1.0
        return int(near[at]), float(distance[at]), back

    def join(self, a: int, b: int) -> None:
        (one, much), (two, more) = self._row(a), self._row(b)
        self.now[a] = b
        self.size[b] += self.size[a]
        self.size[a] = 0
        self.near[a] = one[:0], much[:0]
        self._summed(b, np.concatenate([one, two]), np.concatenate([much, more]))

    def _row(self, group: int) -> tuple[Array, Array]:
        """Groups near this one as they are now, in order, and the sums of shares."""
        near, total = self.near[group]
        if total.dtype == np.int32:  # shares of one item with another, so far
            total = total.astype(np.int64) * self.items[group] * self.items[near]
            return self._summed(group, near, total)
        now = self._now(near)
        return (near, total) if (now == near).all() else self._summed(group, now, total)

    def _summed(self, group: int, near: Array, total: Array) -> tuple[Array, Array]:
        """What is held of a group from now on: every other group near it once."""
        near = self._now(near)
        other = near != group
        order = np.argsort(near[other], kind="stable")
        near, total = near[other][order], total[other][order]
        first = np.flatnonzero(np.diff(near, prepend=-1))
        self.near[group] = near[first], np.add.reduceat(total, first) if len(first) else total
        return self.near[group]

    def _now(self, near: Array) -> Array:
        """What has become of groups."""
        now = self.now[near]
        while True:
            further = self.now[now]
            if (further == now).all():
                self.now[near] = now
                return np.asarray(now)
            now = further


def _in_order(items: int, pairs: Array, heights: Array) -> Trees:
    """The joins of each tree by height, of equal ones those found first; their parts named after the joins that made
    them."""
    order = np.argsort(heights, axis=1, kind="stable")
    merges = np.stack([_named(items, own[by].tolist()) for own, by in zip(pairs, order, strict=True)])
    return Trees(items, merges.reshape(pairs.shape), np.take_along_axis(heights, order, axis=1))


def _named(items: int, pairs: list[list[int]]) -> Array:
    """The joins of one tree, whose parts are items, by the numbers of the groups that these are in."""
    name, head = list(range(items)), list(range(items))  # of each item's group: its number, and its first in a chain

    def root(item: int) -> int:
        while head[item] != item:
            head[item] = head[head[item]]
            item = head[item]
        return item

    merges = np.zeros((len(pairs), 2), np.int64)
    for step, (a, b) in enumerate(pairs):
        one, two = root(a), root(b)
        merges[step] = sorted((name[one], name[two]))
        head[one], name[two] = two, items + step
    return merges
