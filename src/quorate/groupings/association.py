"""The co-association matrix: of each two items, how many judges used both, and how many of those put them together.

Everything that a consensus of groupings is made of. Counts of different judges add up, so parts can be counted apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, LimitReached, UnknownId, suggest
from quorate.kernels import association as kernel

Array = NDArray[Any]
ITEMS = 5000  # of one task at most: the matrix has their square


def check(labels: Array) -> None:
    """Whether a table of all pairs of ``labels[judge, item]`` has room."""
    if labels.shape[1] > ITEMS:
        raise LimitReached(
            f"{labels.shape[1]:,} items in one task are too many for a table of all pairs.",
            f"at most {ITEMS:,}; select some items.",
        )


@dataclass(frozen=True, eq=False)
class Association:
    """Counts of one task, ``[item, item]``; on the diagonal of both, how many judges used the item.

    >>> found = Association.of([[0, 0, 1], [0, 0, -1]], items="xyz")
    >>> found.share.tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> found.left_out.tolist()
    [0, 0, 1]
    """

    items: tuple[Hashable, ...]
    judges: int
    together: Array
    both: Array

    @classmethod
    def of(cls, labels: Any, counts: Any = None, items: Sequence[Hashable] | None = None) -> Association:
        """From ``labels[judge, item]``, group numbers from 0 and -1 where left out; ``counts`` of judges like each."""
        square = np.asarray(labels)
        if square.ndim != 2:
            raise InputError(f"labels of judges x items are needed, not {square.ndim} dimensions.")
        check(square)
        weight = np.ones(len(square), np.int64) if counts is None else np.asarray(counts)
        names = tuple(range(square.shape[1])) if items is None else tuple(items)
        return cls(names, int(weight.sum()), kernel.together(square, weight), kernel.both(square, weight))

    def __add__(self, other: Association) -> Association:
        """Counts of other judges on the same items, added."""
        if self.items != other.items:
            raise InputError("the two have different items, or the same in another order.")
        return Association(
            self.items, self.judges + other.judges, self.together + other.together, self.both + other.both
        )

    @property
    def used(self) -> Array:
        """How many judges used each item."""
        return np.asarray(np.diagonal(self.both))

    @property
    def left_out(self) -> Array:
        """How many judges left out each item."""
        return np.asarray(self.judges - self.used)

    @cached_property
    def share(self) -> Array:
        """Of the judges who used both items, the share that put them together; NaN where nobody used both."""
        return np.asarray(
            np.divide(self.together, self.both, out=np.full(self.both.shape, np.nan), where=self.both > 0)
        )

    def pair(self, a: Hashable, b: Hashable) -> tuple[int, int]:
        """How many judges put the two together, and how many used both."""
        place = {item: k for k, item in enumerate(self.items)}
        for item in (a, b):
            if item not in place:
                raise UnknownId(f"no item '{item}'.", suggest(str(item), map(str, self.items), "Items"))
        return int(self.together[place[a], place[b]]), int(self.both[place[a], place[b]])

    def voters(self, left_out: str = "common") -> Array:
        """How many judges have a say on each pair: those who used both, or with ``singletons`` all of them."""
        return self.both if left_out == "common" else np.full(self.both.shape, self.judges)

    def margins(self, left_out: str = "common") -> Array:
        """Judges for together less judges for apart, ``[item, item]``, 0 on the diagonal."""
        out = 2 * self.together - self.voters(left_out)
        np.fill_diagonal(out, 0)
        return np.asarray(out)

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
