"""Camps by slow plain code: a Mallows likelihood over all orders, and the best split of judges by trying."""

from __future__ import annotations

import math
from itertools import combinations, permutations


def contradictions(order, centre):
    """Pairs that two orders of the same items, best first, put the other way round."""
    place = {item: k for k, item in enumerate(centre)}
    return sum(place[a] > place[b] for a, b in combinations(order, 2))


def log_likelihood(order, centre, phi):
    """That of an order, with the weights of all orders added up one by one."""
    total = sum(phi ** contradictions(other, centre) for other in permutations(centre))
    return contradictions(order, centre) * math.log(phi) - math.log(total)


def best_centre(orders, weights):
    """The order that weighed judges contradict least, and how much they do."""
    items = sorted(orders[0])
    cost = {c: sum(w * contradictions(o, c) for o, w in zip(orders, weights, strict=True)) for c in permutations(items)}
    centre = min(cost, key=lambda c: cost[c])
    return centre, cost[centre]


def widest_gap(square, least):
    """Over all splits in two, how much more the less united side agrees within than across, at most."""
    judges = range(len(square))
    best = -math.inf
    for size in range(least, len(square) // 2 + 1):
        for side in combinations(judges, size):
            other = [j for j in judges if j not in side]
            if len(other) >= least:
                within = (_mean([square[a][b] for a, b in combinations(s, 2)]) for s in (side, other))
                across = _mean([square[a][b] for a in side for b in other])
                best = max(best, min(within) - across)
    return best


def in_common(square, side):
    """How much more judges have in common with the mean of the nearer side of a split than with that of all: the sum
    of squares of correlations, those below 0 being nothing."""
    judges = range(len(square))

    def common(j, some):
        own = sum(1.0 if j == i else square[j][i] for i in some)
        spread = sum(1.0 if a == b else square[a][b] for a in some for b in some)
        return min(max(own / math.sqrt(spread), 0.0), 1.0) ** 2

    one, two = ([j for j in judges if bool(side[j]) is which] for which in (True, False))
    return sum(max(common(j, one), common(j, two)) - common(j, list(judges)) for j in judges)


def _mean(values):
    return sum(values) / len(values)


def votes_alike(votes):
    """Of every two judges, over every two of their votes on the same two systems that are no ties, how many go the
    same way and how many there are; from (task, judge, first, second, outcome of the first)."""
    chosen = [(j, {a, b}, a if o == 1 else b) for _, j, a, b, o in votes if o != 0.5]
    out = {}
    for k, (one, pair, choice) in enumerate(chosen):
        for m, (two, other, answer) in enumerate(chosen):
            if k != m and pair == other:
                same, number = out.get((one, two), (0, 0))
                out[one, two] = same + (choice == answer), number + 1
    return out
