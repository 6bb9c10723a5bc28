"""Average linkage of very many items, most of which no judge put together: those are at distance 1.

Only sums of shares between groups that some judge put together are held, as whole numbers, which add up to the same in
any order. The chains of nearest neighbours are those of :mod:`~quorate.kernels.linkage`.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.sparse_pairs import alike, both, rows
from quorate.kernels.linkage import Tree, in_order

Array = NDArray[Any]
UNIT = 1 << 30  # parts of a share, where judges did not all use the same items


def sparse_linkage(labels: Array, counts: Array) -> Tree:
    """The tree of ``labels[judge, item]`` by the share of judges who put two items apart; what nobody judged is far.

    Items that all judges put in the same groups are joined first.

    >>> sparse_linkage(np.array([[0, 0, 1, 1], [0, 1, 1, 1]]), np.array([1, 2])).cut(2).tolist()
    [0, 1, 1, 1]
    """
    items = labels.shape[1]
    kind = alike(labels, (counts[:, None] * (labels >= 0)).sum(axis=0) > 0)
    by_kind = np.argsort(kind, kind="stable")
    joined = np.flatnonzero(np.diff(kind[by_kind]) == 0)
    inside = np.stack([by_kind[joined], by_kind[joined + 1]], axis=1)
    last = np.sort(by_kind[np.append(np.diff(kind[by_kind]) > 0, True)])  # a group goes by its last item
    groups = _Groups(labels[:, last], counts, np.bincount(kind)[kind[last]])
    pairs, heights = groups.joins()
    return in_order(
        items,
        np.concatenate([inside, last[pairs]]).astype(np.int64),
        np.concatenate([np.zeros(len(inside)), heights]),
    )


class _Groups:
    """Groups of items on their way to one tree; the one that two become goes by the later number of the two."""

    def __init__(self, labels: Array, counts: Array, size: Array) -> None:
        self.size, self.items, held = size.astype(np.int64), size.astype(np.int64), labels >= 0
        self.now = np.arange(len(size), dtype=np.int32)  # where a group has gone
        self.first = 0  # the first group that is left
        self.unit = int(counts.sum()) if held.all() else UNIT
        self.near: list[tuple[Array, Array]] = []  # of every group those near it, and the sum of shares
        for begin, found in rows(labels, counts):
            share = found.data
            if self.unit == UNIT:
                row = np.repeat(np.arange(begin, begin + found.shape[0]), np.diff(found.indptr))
                of = both(held, counts, row, found.indices)
                share = np.rint(share / np.maximum(of, 1) * UNIT).astype(np.int32)
            for a, b in itertools.pairwise(found.indptr.tolist()):
                self.near.append((found.indices[a:b].astype(np.int32), share[a:b].astype(np.int32)))

    def joins(self) -> tuple[Array, Array]:
        """Who is joined with whom, ``[step, 2]``, and at what distance; in the order in which they are found."""
        pairs, heights, chain = [], [], list[int]()
        for _ in range(len(self.size) - 1):
            if not chain:
                chain.append(self._lowest())
            while True:
                last = chain[-1]
                near, distance, back = self._nearest(last, chain[-2] if len(chain) > 1 else None)
                if len(chain) > 1 and back <= distance:
                    near, distance = chain[-2], back
                    break
                chain.append(near)
            a, b = sorted((chain.pop(), chain.pop()))
            pairs.append((a, b))
            heights.append(distance)
            self._join(a, b)
        return np.array(pairs, np.int64).reshape(-1, 2), np.array(heights)

    def _lowest(self, but: int = -1) -> int:
        while not self.size[self.first]:
            self.first += 1
        if self.first != but:
            return self.first
        return self.first + 1 + int(np.flatnonzero(self.size[self.first + 1 :])[0])

    def _nearest(self, group: int, before: int | None) -> tuple[int, float, float]:
        """The nearest group, the first of equal ones; how far it is, and how far the one before in the chain."""
        near, total = self._row(group)
        if not len(near):
            return self._lowest(group), 1.0, 1.0
        distance = 1 - total / (self.unit * self.size[group] * self.size[near])
        at = int(distance.argmin())
        back = 1.0
        if before is not None:
            k = int(np.searchsorted(near, before))
            back = float(distance[k]) if k < len(near) and near[k] == before else 1.0
        return int(near[at]), float(distance[at]), back

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

    def _join(self, a: int, b: int) -> None:
        (one, much), (two, more) = self._row(a), self._row(b)
        self.now[a] = b
        self.size[b] += self.size[a]
        self.size[a] = 0
        self.near[a] = one[:0], much[:0]
        self._summed(b, np.concatenate([one, two]), np.concatenate([much, more]))
