"""Who is before whom in lists that hold few of all items: only the pairs that some list holds are looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEW = 16  # times fewer pairs in all lists than judges x pairs of items, from which on looking them up pays


def are_few(ranking: Array) -> bool:
    """Whether lists ``[judge, item]`` hold few of all pairs of items; 0 is an item that a list lacks."""
    held = np.count_nonzero(ranking, axis=1)
    return bool(FEW * (held.astype(float) ** 2).sum() < ranking.shape[0] * float(ranking.shape[1]) ** 2)


def pairs(ranking: Array) -> tuple[Array, Array]:
    """Every pair of items that a list holds, the one before the other: the judge, and the pair as i * items + j."""
    items, judges, cells = ranking.shape[1], [], []
    for j, row in enumerate(ranking):
        own = np.flatnonzero(row)
        first, second = np.nonzero(row[own, None] < row[None, own])
        judges.append(np.full(len(first), j))
        cells.append(own[first] * items + own[second])
    return np.concatenate(judges), np.concatenate(cells)


def before(ranking: Array, counts: Array) -> Array:
    """Weight of the judges who put i before j, under several weights ``[draw, judge]``: ``[draw, i, j]``."""
    items, (judge, cell) = ranking.shape[1], pairs(ranking)
    out = np.empty((len(counts), items, items))
    for own, weight in zip(out, counts, strict=True):
        own[:] = np.bincount(cell, weight[judge], items * items).reshape(items, items)
    return out
