"""Shares of a ranking that enough judges share, of so many items that pairs of them are drawn at random.

Which pairs are drawn depends on where judges put the items, not on names: items are first put in an order that follows
from their places, the same for all judges who hold the same items.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.precedence_bits import counted_sets, shared
from quorate.kernels.row_marks import mixed

Array = NDArray[Any]
CELLS = 10**7  # pairs x judges x sets of items that judges hold, about
MOST, FEWEST = 10**6, 200  # pairs of items that are drawn


def number_of_pairs(judges: int, lists: int = 1) -> int:
    """How many pairs are drawn from each of so many different sets of items: each is looked up with all judges.

    >>> number_of_pairs(3), number_of_pairs(50), number_of_pairs(50, 50)
    (1000000, 200000, 4000)
    """
    return min(max(CELLS // max(judges * lists, 1), FEWEST), MOST)


def drawn_of(ranking: Array) -> int:
    """How many pairs are drawn from the items of each judge of ``ranking[judge, item]``."""
    return number_of_pairs(len(ranking), int(_groups(ranking > 0).max(initial=0)) + 1)


def support(ranking: Array, counts: Array, need: Array) -> tuple[Array, Array]:
    """Shares of each judge's items and ordered pairs that at least ``need[panel]`` judges share, ``[panel, judge]``.

    ``counts[panel, judge]`` says how many judges of a panel each row of ``ranking[judge, item]`` stands for. Shares of
    items are exact, shares of pairs those of the pairs drawn; they have the error of so many draws.
    """
    there = ranking > 0
    alone, alike = counted_sets(there.T)
    size = there.sum(axis=1)
    single = shared(alone.astype(float), alike, counts, need) / np.maximum(size, 1)
    pairs, order = np.zeros(counts.shape), np.argsort(mixed(ranking.astype(np.uint64)).sum(axis=0), kind="stable")
    for mine, first, second, drawn in _lists(there, order):
        earlier = (ranking[:, first] < ranking[:, second]) & there[:, first] & there[:, second]
        later = (ranking[:, first] > ranking[:, second]) & there[:, first] & there[:, second]
        for held in (earlier.T, later.T):  # a pair is looked at in the order in which a judge has it
            sets, number = counted_sets(held)
            pairs[:, mine] += shared(sets.astype(float), number, counts, need)[:, mine] / drawn
    return single, pairs


def _lists(there: Array, order: Array) -> Iterator[tuple[Array, Array, Array, int]]:
    """The judges who hold the same items, two columns of these drawn at random, and how many pairs these are."""
    group = _groups(there)
    lists = int(group.max(initial=-1)) + 1
    drawn = number_of_pairs(len(there), lists)
    for k in range(lists):
        mine = np.flatnonzero(group == k)
        held = order[there[mine[0], order]]
        if len(held) > 1:
            rng = np.random.default_rng(0)
            first, second = rng.integers(len(held), size=drawn), rng.integers(len(held) - 1, size=drawn)
            yield mine, held[first], held[second + (second >= first)], drawn


def _groups(there: Array) -> Array:
    """A number of every judge, the same of those who hold the same items."""
    return np.asarray(np.unique(np.packbits(there, axis=1), axis=0, return_inverse=True)[1].ravel())
