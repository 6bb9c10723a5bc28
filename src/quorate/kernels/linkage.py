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
        return self.cuts([groups])[0]

    def cuts(self, groups: list[int]) -> Array:
        """The same for several numbers of groups, ``[number, item]``."""
        name = np.arange(self.items)
        inside: dict[int, Array] = {i: np.array([i]) for i in range(self.items)}
        wanted = {self.items - k for k in groups}  # joins that are made
        made = {0: name.copy()} if 0 in wanted else {}
        for step, (a, b) in enumerate(self.merges.tolist(), 1):
            both = np.concatenate([inside.pop(a), inside.pop(b)])
            inside[self.items + step - 1] = both
            name[both] = both[0]
            if step in wanted:
                made[step] = name.copy()
        return dense(np.stack([made[self.items - k] for k in groups]))

    def branches(self) -> list[Array]:
        """The items below each join, ``[step]``, in order of their numbers."""
        inside: list[Array] = [np.array([i]) for i in range(self.items)]
        for a, b in self.merges.tolist():
            inside.append(np.sort(np.concatenate([inside[a], inside[b]])))
        return inside[self.items :]

    def leaves(self) -> list[int]:
        """The items as they stand below the tree, side by side."""
        order: list[list[int]] = [[i] for i in range(self.items)]
        for a, b in self.merges.tolist():
            order.append(order[a] + order[b])
        return order[-1] if order else []


def average_linkage(distance: Array) -> Tree:
    """The tree of ``distance[item, item]``, symmetric; what is not known is far."""
    items = len(distance)
    if items < 2:
        return Tree(items, np.zeros((0, 2), np.int64), np.zeros(0))
    from scipy.cluster.hierarchy import linkage

    first, second = np.triu_indices(items, 1)
    flat = distance[first, second]
    far = max(float(np.nanmax(flat, initial=0.0)), 1.0)
    found = linkage(np.where(np.isnan(flat), far, flat), "average")
    return Tree(items, found[:, :2].astype(np.int64), found[:, 2])
