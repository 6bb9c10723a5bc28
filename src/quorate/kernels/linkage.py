"""Average linkage: the two nearest groups are joined, again and again, until all items are in one tree.

A tree is ``merges[step, 2]``: the numbers of the two that are joined, items from 0, then the joins in order; and the
``height`` of each join, the mean distance of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]


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


def filled(distance: Array) -> Array:
    """The distances, far where they are not known."""
    far = max(float(np.nanmax(distance, initial=0.0)), 1.0)
    return np.where(np.isnan(distance), far, distance).astype(float)


def average_linkage(distance: Array) -> Tree:
    """The tree of ``distance[item, item]``, symmetric; what is not known is far.

    By chains of nearest neighbours: each step goes on to the nearest of the last, until two are the nearest of each
    other, which are joined. The joins are then put in order of height; of equal ones those found first come first.
    """
    items = len(distance)
    d = filled(distance)
    np.fill_diagonal(d, np.inf)
    size, chain = np.ones(items), list[int]()
    pairs, heights = np.zeros((max(items - 1, 0), 2), np.int64), np.zeros(max(items - 1, 0))
    for step in range(items - 1):
        if not chain:
            chain.append(int(np.flatnonzero(size > 0)[0]))
        while True:
            last = chain[-1]
            near = int(d[last].argmin())
            if len(chain) > 1 and d[last, chain[-2]] <= d[last, near]:
                near = chain[-2]
                break
            chain.append(near)
        a, b = sorted((chain.pop(), chain.pop()))
        pairs[step], heights[step] = (a, b), d[a, b]
        joined = (size[a] * d[a] + size[b] * d[b]) / (size[a] + size[b])
        joined[[a, b]] = np.inf
        d[b] = d[:, b] = joined
        d[a] = d[:, a] = np.inf
        size[b] += size[a]
        size[a] = 0
    return in_order(items, pairs, heights)


def in_order(items: int, pairs: Array, heights: Array) -> Tree:
    """The joins by height, their parts named after the joins that made them."""
    order = np.argsort(heights, kind="stable")
    name, head = list(range(items)), list(range(items))  # of each item's group: its number, and its first in a chain

    def root(item: int) -> int:
        while head[item] != item:
            head[item] = head[head[item]]
            item = head[item]
        return item

    merges = np.zeros_like(pairs)
    for step, (a, b) in enumerate(pairs[order].tolist()):
        one, two = root(a), root(b)
        merges[step] = sorted((name[one], name[two]))
        head[one], name[two] = two, items + step
    return Tree(items, merges, heights[order])
