"""Trust by definition: quality methods by enumeration, and ED, noise, splits and tuning one loop at a time."""

from __future__ import annotations

import itertools
import math
from statistics import mean

from tests.reference import judges
from tests.reference import orderings as ref

Order = ref.Order
nan = math.nan


def reverse(order: Order) -> Order:
    return order[::-1]


def has(order: dict[object, int], pattern: tuple[object, ...]) -> bool:
    """Whether the items of a pattern stand in the order, each strictly before the next."""
    return all(x in order for x in pattern) and all(order[x] < order[y] for x, y in itertools.pairwise(pattern))


def frespa(target: Order, orders: list[Order], min_sup=0.75, min_len=2, max_len=None, w_len=1.0, w_sup=1.0) -> float:
    """Every sequence of items is tried: is it frequent, does the list contain it?"""
    seats = [ref.places(o) for o in orders]
    own = ref.places(target)
    items = sorted({x for s in seats for x in s}, key=str)
    need = max(math.ceil(min_sup * len(orders) - 1e-9), 1)
    inside = total = 0.0
    for size in range(min_len, (max_len or len(items)) + 1):
        for pattern in itertools.permutations(items, size):
            support = sum(has(s, pattern) for s in seats)
            if support >= need:
                weight = (1 + w_len * (size - 1)) * (1 + w_sup * (support - 1))
                total += weight
                inside += weight * has(own, pattern)
    return inside / total if total else 0.0


def correlation(a: Order, b: Order, measure: str) -> float:
    return (ref.tau_b if measure == "tau" else ref.rho)(*ref.as_compared(a, b, set(), "unknown"))


def defined(values: list[float]) -> float:
    values = [v for v in values if not math.isnan(v)]
    return mean(values) if values else nan


def average_correlation(target: Order, orders: list[Order], measure="tau") -> float:
    return defined([correlation(target, o, measure) for o in orders])


def rank_based(target: Order, orders: list[Order], measure="tau") -> float:
    consensus = [sorted(group, key=str) for group in judges.by_rank_sums(orders)]
    return correlation(target, consensus, measure)


def ed(orders: list[Order], quality, low: float, high: float) -> float:
    """Mean over judges of the score of the judge's order less that of its reverse, by the others."""
    told = []
    for k, own in enumerate(orders):
        others = judges.without(orders, k)
        if others:
            told.append((quality(own, others) - quality(reverse(own), others)) / (high - low))
    return defined(told)


def spearman_brown(r: float, times: float) -> float:
    return times * r / (1 + (times - 1) * abs(r))


def halves(orders: list[Order], index) -> float:
    """The mean over every way to make two halves."""
    half = len(orders) // 2
    told = []
    for first in itertools.combinations(range(len(orders)), half):
        rest = [k for k in range(len(orders)) if k not in first]
        for second in itertools.combinations(rest, half):
            a, b = (judges.by_rank_sums([orders[k] for k in side]) for side in (first, second))
            listed = [[sorted(g, key=str) for g in side] for side in (a, b)]
            told.append(index(*ref.as_compared(*listed, set(), "unknown")))
    return defined(told) if half else nan


def ed_of_sets(orders: list[Order], min_sup, min_len=1, max_len=None, w_len=1.0, w_sup=1.0) -> float:
    """What a judge's own items score by the others' frequent sets, less the mean of all sets of as many items."""
    held = [set(ref.places(o)) for o in orders]
    items = sorted(set().union(*held), key=str)
    told = []
    for k, own in enumerate(held):
        others = held[:k] + held[k + 1 :]
        if others:
            every = [set(s) for s in itertools.combinations(items, len(own))]
            score = [_by_sets(s, others, min_sup, min_len, max_len, w_len, w_sup) for s in [own, *every]]
            told.append(score[0] - mean(score[1:]))
    return defined(told)


def _by_sets(own, others, min_sup, min_len, max_len, w_len, w_sup) -> float:
    items = sorted(set().union(*others), key=str)
    need = min_sup if isinstance(min_sup, int) else max(math.ceil(min_sup * len(others) - 1e-9), 1)
    inside = total = 0.0
    for size in range(min_len, (max_len or len(items)) + 1):
        for some in itertools.combinations(items, size):
            support = sum(set(some) <= o for o in others)
            if support >= max(need, 1):
                weight = (1 + w_len * (size - 1)) * (1 + w_sup * (support - 1))
                total += weight
                inside += weight * (set(some) <= own)
    return inside / total if total else 0.0
