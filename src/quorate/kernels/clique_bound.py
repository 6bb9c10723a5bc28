"""What no partition of items is worth more than, on arrays: a bound without solving a program.

``weights[i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, diagonal 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ROUNDS = 200_000  # of pairs looked at, of all items together: about two seconds


def bound(weights: Array, rounds: int = ROUNDS) -> float:
    """All positive weights, less what triples must lose in which two pairs want to be together and the third apart.

    Every partition loses one of the three: at least the smallest weight. Triples share what the weights hold, item by
    item and greedily, so the bound is not the best of its kind; any number of ``rounds`` gives a bound.

    >>> bound(np.array([[0, 3, -1], [3, 0, 2], [-1, 2, 0]]))
    4.0
    """
    plus, minus = np.maximum(weights, 0).astype(float), np.maximum(-weights, 0).astype(float)
    total, lost = float(np.triu(plus).sum()), 0.0
    for middle in np.argsort(-(plus > 0).sum(axis=1), kind="stable").tolist():
        near = np.flatnonzero(plus[middle] > 0)
        place = np.ix_(near, near)
        pull, push = plus[middle, near], minus[place]
        if not push.any():
            continue
        for a, b in _pairings(len(near)):
            if not rounds:
                break
            rounds -= 1
            much = np.minimum(np.minimum(pull[a], pull[b]), push[a, b])
            pull[a] -= much
            pull[b] -= much
            push[a, b] -= much
            push[b, a] -= much
            lost += float(much.sum())
        plus[middle, near] = plus[near, middle] = pull
        minus[place] = push
    return total - lost


def _pairings(size: int) -> Iterator[tuple[Array, Array]]:
    """Every two of so many, in rounds in which nobody comes twice: all but one sit in a circle that turns."""
    circle = size - 1 + size % 2
    step = np.arange(1, (circle + 1) // 2)
    for turn in range(circle):
        a, b = (turn + step) % circle, (turn - step) % circle
        yield (a, b) if size % 2 else (np.append(a, turn), np.append(b, circle))
