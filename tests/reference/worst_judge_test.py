"""The slow plain twin of the test of who is clearly worse: one loop over shuffles, one over judges."""

from __future__ import annotations

import numpy as np


def clearly_worse(cells, judges, rng, number, level=0.05):
    """``cells`` are (judge, value), a judge's figure is the mean. P values by judge and the judges named, in order."""
    p, named = {}, []
    left = [j for j in range(judges) if any(who == j for who, _ in cells)]
    reached = 0.0
    while len(left) > 2:
        mine = [(who, value) for who, value in cells if who in left]
        found = corrected(mine, left, rng, number)
        reached = max(reached, min(found.values()))
        p.update({j: max(reached, found[j]) for j in left})
        if reached > level:
            break
        worst = min(left, key=lambda j: (found[j], j))
        named.append(worst)
        left.remove(worst)
    return p, named


def corrected(cells, judges, rng, number):
    labels = [judges.index(who) for who, _ in cells]
    values = [value for _, value in cells]
    tried = [labels, *rng.permuted(np.tile(labels, (number, 1)), axis=1).tolist()]
    below = [[excess(some, values, k) for k in range(len(judges))] for some in tried]
    ranks = [[sum(o[k] >= row[k] - 1e-9 for o in below) / len(below) for k in range(len(judges))] for row in below]
    least = [min(row) for row in ranks]
    return {j: sum(one <= ranks[0][k] + 1e-9 for one in least) / len(least) for k, j in enumerate(judges)}


def excess(labels, values, judge):
    mine = [v for j, v in zip(labels, values, strict=True) if j == judge]
    rest = [v for j, v in zip(labels, values, strict=True) if j != judge]
    return sum(rest) / len(rest) - sum(mine) / len(mine)
