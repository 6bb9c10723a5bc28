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
from quorate.kernels.co_association import co_association
from quorate.kernels.defined import quotient

Array = NDArray[Any]
ITEMS = 5000  # of one task at most: the matrix has their square


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
