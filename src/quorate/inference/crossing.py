"""The smallest number of judges at which a rising curve, known at some numbers with some error, reaches a target."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

MOST = 100_000  # judges; who wants more is told that no number is enough


def sizes(most: float = math.inf) -> Iterator[int]:
    """Some numbers of judges, close at first, then in larger steps, up to the largest.

    >>> list(sizes(20))
    [1, 2, 3, 4, 6, 8, 11, 15, 20]
    """
    k = 1
    while k < most:
        yield k
        k = max(k + 1, round(k * 1.4))
    if most < math.inf and most >= 1:
        yield int(most)


def smallest(curve: Callable[[int], float], target: float) -> float:
    """The smallest k at which a rising curve, known with some error, reaches the target; infinite if it never does."""
    ks: list[int] = []
    values: list[float] = []
    for k in sizes(MOST):
        ks.append(k)
        values.append(curve(k))
        if math.isnan(values[-1]) and len(ks) > 1:
            return math.nan
        if len(values) > 1 and min(values[-2:]) >= target:
            break
    return crossing(ks, rising(values), target)


def crossing(ks: Sequence[int], rising: Sequence[float], target: float) -> float:
    """Where a curve that never falls reaches the target; infinite if it never does. Undefined points are left aside."""
    known = [(k, v) for k, v in zip(ks, rising, strict=True) if not math.isnan(v)]
    if not known or known[-1][1] < target:
        return math.inf
    if known[0][1] >= target:
        return 1.0
    (a, low), (b, high) = next(two for two in pairwise(known) if two[1][1] >= target)
    return float(math.ceil(a * (b / a) ** ((target - low) / (high - low)) - 1e-6))


def rising(values: Sequence[float]) -> list[float]:
    """The nearest values that never fall: neighbours that do are replaced by their mean.

    >>> rising([0.1, 0.4, 0.2, 0.5])
    [0.1, 0.30000000000000004, 0.30000000000000004, 0.5]
    """
    blocks: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        blocks.append((mean, size))
    return [mean for mean, size in blocks for _ in range(size)]
