"""Every two rows of one group: who meets whom, where each group has few of very many judges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
DENSE = 8  # times as many products of a matrix take as long as one pair of rows, about


def row_pairs(group: Array) -> tuple[Array, Array]:
    """The numbers of every two rows of the same group, the earlier first; rows are sorted by group.

    >>> [each.tolist() for each in row_pairs(np.array([4, 4, 4, 7, 9, 9]))]
    [[4, 0, 0, 1], [5, 1, 2, 2]]
    """
    new = np.flatnonzero(np.diff(group, prepend=group[:1] - 1))
    size = np.diff(new, append=len(group))
    first, second = [], []
    for n in np.unique(size[size > 1]).tolist():
        rows = new[size == n][:, None] + np.arange(n)
        a, b = np.triu_indices(n, 1)
        first.append(rows[:, a].ravel())
        second.append(rows[:, b].ravel())
    nothing = np.zeros(0, np.int64)
    return np.concatenate([nothing, *first]), np.concatenate([nothing, *second])


def few_meet(group: Array, judges: int) -> bool:
    """Whether listing pairs of rows is less work than multiplying matrices of all groups and judges."""
    size = np.bincount(group)
    return DENSE * float((size.astype(float) ** 2).sum()) < float(np.count_nonzero(size)) * judges**2


def met(first: Array, second: Array, size: int, weights: Array | None = None) -> Array:
    """How often every two of so many judges meet, or what their meetings add up to, ``[judge, judge]``; both ways."""
    once = np.bincount(first * np.int64(size) + second, weights, size * size).reshape(size, size)
    return np.asarray(once + once.T, float)
