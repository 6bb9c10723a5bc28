"""Sums of everything before a place, while values still arrive: each costs as many steps as the size has digits.

>>> sums = Fenwick(4, 0, lambda a, b: a + b)
>>> sums.put(3, 10)
>>> sums.put(1, 2)
>>> sums.before(2), sums.before(3)
(2, 12)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


class Fenwick:
    """Prefix sums of values that arrive one by one, for any addition: long integers, or logarithms of doubles."""

    def __init__(self, size: int, zero: Any, add: Callable[[Any, Any], Any]) -> None:
        self.tree = [zero] * (size + 1)
        self.zero, self.add = zero, add

    def before(self, place: int) -> Any:
        """What was put at this place and earlier ones, counted from 1."""
        total, tree, add = self.zero, self.tree, self.add
        while place:
            total = add(total, tree[place])
            place &= place - 1
        return total

    def put(self, place: int, value: Any) -> None:
        """Add a value at a place."""
        tree, add = self.tree, self.add
        while place < len(tree):
            tree[place] = add(tree[place], value)
            place += place & -place


def log_add(a: float, b: float) -> float:
    """The logarithm of the sum of two numbers given by theirs; minus infinity is nothing."""
    if a < b:
        a, b = b, a
    return a if b == -math.inf else a + math.log1p(math.exp(b - a))
