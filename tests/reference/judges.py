"""Judges by definition: every figure without a judge is computed anew from the others' orders."""

from __future__ import annotations

import itertools
import math
from statistics import mean

from tests.reference import orderings as ref

Order = ref.Order
nan = math.nan


def without(orders: list[Order], k: int) -> list[Order]:
    return orders[:k] + orders[k + 1 :]


def kappa(orders: list[Order]) -> int:
    return len(ref.common_subsequences(orders))


def mean_index(orders: list[Order], index) -> float:
    """The mean over all pairs, each over the items both ranked; undefined pairs are left out."""
    told = [index(*ref.as_compared(a, b, set(), "unknown")) for a, b in itertools.combinations(orders, 2)]
    told = [v for v in told if not math.isnan(v)]
    return mean(told) if told else nan


def w(orders: list[Order]) -> float:
    if len(orders) < 2:
        return nan
    everything = {x for o in orders for x in ref.places(o)}
    if all(len(ref.places(o)) == len(everything) for o in orders):
        return ref.kendall_w(orders)
    return ref.incomplete_w(orders, "unknown")


def by_rank_sums(orders: list[Order]) -> list[set[object]]:
    """Tie groups by the mean rank among those who hold an item; ranks of shorter lists are spread over the whole."""
    everything = {x for o in orders for x in ref.places(o)}
    told: dict[object, list[float]] = {x: [] for x in everything}
    for o in orders:
        ranks = ref.mids(o)
        for x, r in ranks.items():
            told[x].append(r * (len(everything) + 1) / (len(ranks) + 1))
    means = {x: round(mean(v), 7) for x, v in told.items()}
    return [{x for x in everything if means[x] == level} for level in sorted(set(means.values()))]


def peers(orders: list[Order], index) -> list[float]:
    """Each judge's mean index with the others."""
    out = []
    for k, own in enumerate(orders):
        told = [index(*ref.as_compared(own, o, set(), "unknown")) for o in without(orders, k)]
        told = [v for v in told if not math.isnan(v)]
        out.append(mean(told) if told else nan)
    return out


def deviations(orders: list[Order], q: int, gamma: float, lam: float) -> list[tuple[float, float]]:
    """Each judge's v1 and v2; one judge alone shares nothing with nobody."""
    if len(orders) < 2:
        return [(nan, nan)] * len(orders)
    told = ref.support(orders, q, gamma, lam)
    first, second = mean(a for a, _ in told), mean(b for _, b in told)
    return [((a - first) / first if first else nan, (b - second) / second if second else nan) for a, b in told]


def holm(p: list[float]) -> list[float]:
    """Holm's corrected p-values: the k-th smallest times how many are left, never falling."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    out, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(p) - rank) * p[i]))
        out[i] = most
    return out
