"""What an absent item means when two rankings are compared: three policies, in one place.

* ``unknown``: the judge said nothing; only items that both judges ranked are compared.
* ``below``: the judge put it below all he ranked; every item of the task counts, absent ones tied at the bottom.
* ``top-k``: as ``below``, but only over the items that at least one of the two judges ranked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.ranks import complete, dense, fill_below

Array = NDArray[Any]
POLICIES = ("unknown", "below", "top-k")
CELLS = 1 << 22
PAIRS = 1 << 21  # cells of [pair of rankings, item] at a time


def absent_items(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """Give a kernel for complete rankings, of every two judges, the option ``missing``."""

    @wraps(kernel)
    def square(positions: Array, missing: str = "unknown", **parameters: Any) -> Array:
        return compare(lambda complete: kernel(complete, **parameters), positions, missing)

    return square


def compare(kernel: Callable[[Array], Array], positions: Array, missing: str) -> Array:
    """Apply a kernel for complete rankings to rankings with gaps: ``[task, judge, judge]``."""
    whole = complete(positions)
    if whole.all():
        return in_parts(kernel, positions)
    if missing == "below":
        return in_parts(kernel, fill_below(positions))
    out = np.full((positions.shape[0], positions.shape[1], positions.shape[1]), np.nan)
    if whole.any():
        out[whole] = in_parts(kernel, positions[whole])
    a, b = np.triu_indices(positions.shape[1])
    gaps = np.flatnonzero(~whole)[:, None]
    there, back = pair_by_pair(kernel, positions[~whole], missing, a, b)
    out[gaps, a, b], out[gaps, b, a] = there, back
    return out


def in_parts(kernel: Callable[[Array], Array], positions: Array) -> Array:
    """A few tasks at a time."""
    tasks, judges, items = positions.shape
    step = max(1, CELLS // max(judges * max(items * items // 2, judges), 1))
    if step >= tasks:
        return kernel(positions)
    return np.concatenate([kernel(positions[a : a + step]) for a in range(0, tasks, step)])


def pair_by_pair(kernel: Callable[[Array], Array], positions: Array, missing: str, a: Array, b: Array) -> Array:
    """Rankings ``a`` with rankings ``b``, and ``b`` with ``a``, each pair over its items: ``[2, task, pair]``."""
    out = np.full((2, len(positions), len(a)), np.nan)
    for task, pair, x, y in pairs_with_gaps(positions, missing, a, b):
        value = in_parts(kernel, dense(np.stack([x.T, y.T], axis=1)))
        out[:, task, pair] = value[:, 0, 1], value[:, 1, 0]
    return out


def pairs_with_gaps(positions: Array, missing: str, a: Array, b: Array) -> Iterator[tuple[Array, Array, Array, Array]]:
    """The rankings ``a`` with the rankings ``b`` of every task, each pair over its items, of which it has two at least.

    Numbers of tasks and of pairs, ``[pair]`` each, and the places of both, ``[item, pair]``: pairs with equally many
    items come together, whatever their task.
    """
    tasks = len(positions)
    lists = _Lists.of(positions) if missing == "unknown" else _Filled(positions)
    some = max(1, PAIRS // max(lists.width, 1))
    step = max(1, some // max(len(a), 1))
    for start, left in itertools.product(range(0, tasks, step), range(0, len(a), some)):
        first, second = a[left : left + some], b[left : left + some]
        sizes, x, y = lists.in_common(slice(start, start + step), first, second)
        begin, order = sizes.cumsum() - sizes, np.argsort(sizes.astype(np.min_scalar_type(lists.width)), kind="stable")
        ends = np.searchsorted(sizes[order], np.arange(2, int(sizes.max(initial=0)) + 2)).tolist()
        for size, (low, high) in enumerate(itertools.pairwise(ends), 2):
            if low < high:
                task, pair = np.divmod(order[low:high], len(first))
                at = begin[order[low:high]] + np.arange(size)[:, None]
                yield task + start, pair + left, x.take(at), y.take(at)


@dataclass(frozen=True)
class _Lists:
    """Rankings as lists of the items they hold: two have in common what the one holds and the other, too."""

    positions: Array
    items: Array  # of every list, ``[task, judge, number]``
    places: Array  # and where it has them; 0 behind its end

    @classmethod
    def of(cls, positions: Array) -> _Lists:
        there = positions > 0
        held, cell = np.count_nonzero(there, axis=2), np.flatnonzero(there)
        own = np.arange(held.max(initial=0)) < held[:, :, None]
        items, places = np.zeros(own.shape, np.int64), np.zeros(own.shape, positions.dtype)
        items[own], places[own] = cell, positions.take(cell)
        items -= np.arange(0, positions.size, positions.shape[2]).reshape(*held.shape, 1)
        return cls(positions, np.maximum(items, 0, out=items), places)

    @property
    def width(self) -> int:
        """How many items of a pair are looked at."""
        return int(self.items.shape[2])

    def in_common(self, tasks: slice, first: Array, second: Array) -> tuple[Array, Array, Array]:
        """How many items every two have, and the items' places in both, pair by pair."""
        part = self.positions[tasks]
        item = self.items[tasks].take(first, axis=1)
        item += ((np.arange(len(part))[:, None] * part.shape[1] + second) * part.shape[2])[:, :, None]
        mine, yours = self.places[tasks].take(first, axis=1), part.take(item)
        return _of_both((mine > 0) & (yours > 0), mine, yours)


class _Filled:
    """Rankings of which the absent items are the last: two have in common what one of them holds."""

    def __init__(self, positions: Array) -> None:
        self.there, self.places = positions > 0, fill_below(positions)
        self.width = positions.shape[2]

    def in_common(self, tasks: slice, first: Array, second: Array) -> tuple[Array, Array, Array]:
        """How many items every two have, and the items' places in both, pair by pair."""
        there, places = self.there[tasks], self.places[tasks]
        mine, yours = (places.take(one, axis=1) for one in (first, second))
        return _of_both(there.take(first, axis=1) | there.take(second, axis=1), mine, yours)


def _of_both(there: Array, mine: Array, yours: Array) -> tuple[Array, Array, Array]:
    """How many items are there for every pair, and their places in both."""
    cell, number = np.flatnonzero(there), np.add.reduce(there.view(np.int8), axis=2, dtype=np.int32)
    return number.ravel(), mine.take(cell), yours.take(cell)
