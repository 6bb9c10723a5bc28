"""Frequent patterns, FreSPA and correlations by plain enumeration: slow, and easy to believe.

Rankings are lists of tie groups, best first.
"""

from __future__ import annotations

import itertools
import math


def places(order):
    return {item: p for p, group in enumerate(order, 1) for item in group}


def holds(place, pattern):
    """Every item is there, each strictly before the next."""
    return all(x in place for x in pattern) and all(place[a] < place[b] for a, b in itertools.pairwise(pattern))


def quorum(votes, min_sup):
    total = sum(count for _, count in votes)
    return max(1, math.ceil(min_sup * total - 1e-9))


def frequent(votes, min_sup=0.75, min_len=2, max_len=None):
    """``votes`` are pairs of a ranking and how many judges gave it; every frequent pattern with its support."""
    seats = [(places(order), count) for order, count in votes]
    items = sorted({x for place, _ in seats for x in place}, key=str)
    need = quorum(votes, min_sup)
    out = {}
    for size in range(min_len, (len(items) if max_len is None else min(max_len, len(items))) + 1):
        for pattern in itertools.permutations(items, size):
            support = sum(count for place, count in seats if holds(place, pattern))
            if support >= need:
                out[pattern] = support
    return out


def within(pattern, other):
    """Whether the pattern is a subsequence of the other."""
    rest = iter(other)
    return all(x in rest for x in pattern)


def maximal(found):
    return {p: s for p, s in found.items() if not any(p != q and within(p, q) for q in found)}


def closed(found):
    return {p: s for p, s in found.items() if not any(p != q and s == found[q] and within(p, q) for q in found)}


def weight(pattern, support, w_len=1.0, w_sup=1.0):
    return (1 + w_len * (len(pattern) - 1)) * (1 + w_sup * (support - 1))


def frespa(target, votes, min_sup=0.75, min_len=2, max_len=None, w_len=1.0, w_sup=1.0):
    found = frequent(votes, min_sup, min_len, max_len)
    place = places(target)
    total = sum(weight(p, s, w_len, w_sup) for p, s in found.items())
    inside = sum(weight(p, s, w_len, w_sup) for p, s in found.items() if holds(place, p))
    return inside / total if total else 0.0


def frequent_sets(votes, min_sup=0.75, min_len=1, max_len=None):
    seats = [(set(places(order)), count) for order, count in votes]
    items = sorted(set().union(*(s for s, _ in seats)), key=str)
    need = quorum(votes, min_sup)
    out = {}
    for size in range(min_len, (len(items) if max_len is None else min(max_len, len(items))) + 1):
        for some in itertools.combinations(items, size):
            support = sum(count for held, count in seats if held >= set(some))
            if support >= need:
                out[frozenset(some)] = support
    return out


# -- correlations -----------------------------------------------------------------------------------------------------


def _two(a, b, missing, items):
    """Two lists over the items that count, absent ones last."""
    p, q = places(a), places(b)
    if missing == "unknown":
        use = [x for x in p if x in q]
    else:
        use = [x for x in items if missing == "below" or x in p or x in q]
    return [p.get(x, math.inf) for x in use], [q.get(x, math.inf) for x in use]


def tau_b(a, b, missing="unknown", items=()):
    x, y = _two(a, b, missing, items)
    sign = lambda u, v: (u < v) - (u > v)  # noqa: E731
    pairs = [(sign(x[i], x[j]), sign(y[i], y[j])) for i, j in itertools.combinations(range(len(x)), 2)]
    left, right = sum(s != 0 for s, _ in pairs), sum(t != 0 for _, t in pairs)
    return sum(s * t for s, t in pairs) / math.sqrt(left * right) if left and right else math.nan


def rho(a, b, missing="unknown", items=()):
    x, y = (_mid_ranks(v) for v in _two(a, b, missing, items))
    if not x:
        return math.nan
    mean = (len(x) + 1) / 2
    top = sum((u - mean) * (v - mean) for u, v in zip(x, y, strict=True))
    left, right = (sum((u - mean) ** 2 for u in v) for v in (x, y))
    return top / math.sqrt(left * right) if left and right else math.nan


def _mid_ranks(values):
    return [sum(w < v for w in values) + (1 + sum(w == v for w in values)) / 2 for v in values]


def average(target, votes, index, missing="unknown", items=()):
    pairs = [(index(target, order, missing, items), count) for order, count in votes]
    pairs = [(c, n) for c, n in pairs if not math.isnan(c)]
    return sum(c * n for c, n in pairs) / sum(n for _, n in pairs) if pairs else math.nan


def weighted(target, votes, index, missing="unknown", items=(), negative="clip"):
    """Judges one by one; negative weights 0, as they are, or all mapped to 0 ... 1; no weight left: the plain mean."""
    judges = [order for order, count in votes for _ in range(count)]
    weights = []
    for i, one in enumerate(judges):
        others = [index(one, other, missing, items) for j, other in enumerate(judges) if j != i]
        others = [c for c in others if not math.isnan(c)]
        weight = sum(others) / len(others) if others else 0.0
        weights.append({"clip": max(weight, 0.0), "keep": weight, "mapped": (1 + weight) / 2}[negative])
    if sum(weights) <= 1e-12:
        return average(target, votes, index, missing, items)
    pairs = [(index(target, one, missing, items), w) for one, w in zip(judges, weights, strict=True)]
    pairs = [(c, w) for c, w in pairs if not math.isnan(c)]
    total = sum(w for _, w in pairs)
    return sum(c * w for c, w in pairs) / total if total > 0 else math.nan
