"""Common subsequences of two rankings in O(n log n): sums up to a place in a Fenwick tree, while items arrive."""

from __future__ import annotations

import itertools
import math
import operator
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def common_to_two(first: Array, second: Array, mu: Array, lam: float) -> tuple[int | float, int, float]:
    """The weight of the chains of two and more items, the length of the longest, and log2 of the weight.

    Exact integers, or logarithms when chains are weighted.
    """
    exact = lam == 1
    rate, add = (0.0, operator.add) if exact else (math.log(lam), _log_add)
    none: Any = 0 if exact else -math.inf
    total, tree = none, [none] * (int(second.max()) + 1)  # Fenwick's: sums up to a place while values arrive
    place, centre = second.tolist(), mu.tolist()
    order = np.argsort(first, kind="stable").tolist()
    tails: list[int] = []
    for _, group in itertools.groupby(order, key=first.tolist().__getitem__):
        tied = list(group)  # tied items do not precede one another: all are asked before any is put
        sums = [_upto(tree, place[i] - 1, add) for i in tied]
        for i, s in zip(tied, sums, strict=True):
            s = s if exact else s + rate * centre[i]
            total, at = add(total, s), place[i]
            put = s + 1 if exact else _log_add(0.0, s) - rate * centre[i]
            while at < len(tree):
                tree[at] = add(tree[at], put)
                at += at & -at
        for i in sorted(tied, key=lambda i: -place[i]):  # from the back, so that tied items cannot follow one another
            spot = bisect_left(tails, place[i])
            tails[spot : spot + 1] = [place[i]]
    if exact:
        return total, len(tails), math.log2(total) if total else -math.inf
    return math.exp(total) if total < 709 else math.inf, len(tails), total / math.log(2)


def _upto(tree: list[Any], place: int, add: Callable[[Any, Any], Any]) -> Any:
    """What was put at this place and earlier ones, counted from 1."""
    total = tree[0]  # where nothing is ever put
    while place:
        total = add(total, tree[place])
        place &= place - 1
    return total


def _log_add(a: float, b: float) -> float:
    """The logarithm of the sum of two numbers given by theirs; minus infinity is nothing."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))
