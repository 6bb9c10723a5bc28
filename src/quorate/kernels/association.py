"""Which items judges put together, on arrays: ``labels[judge, item]`` are group numbers from 0, -1 where left out.

Group numbers mean nothing beyond their judge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def together(labels: Array, counts: Array) -> Array:
    """How many judges put each two items in one group, ``[item, item]``; on the diagonal, how many used the item."""
    items = labels.shape[1]
    out = np.zeros((items, items), np.int64)
    for row, count in zip(labels, counts.tolist(), strict=True):
        if count:
            same = row[:, None] == np.where(row < 0, -2, row)[None, :]  # what is left out equals nothing
            out += same if count == 1 else count * same
    return out


def both(labels: Array, counts: Array) -> Array:
    """How many judges used both of two items, ``[item, item]``; on the diagonal, how many used the item."""
    used = (labels >= 0).astype(float)
    return np.asarray(np.rint(used.T @ (used * counts[:, None])), np.int64)


def components(linked: Array) -> Array:
    """Number of the connected part that each item is in, from 0 in order of first member; ``linked`` is symmetric."""
    part = np.full(len(linked), -1, np.int64)
    number = 0
    for first in range(len(linked)):
        if part[first] >= 0:
            continue
        front = np.zeros(len(linked), bool)
        front[first] = True
        while front.any():
            part[front] = number
            front = linked[front].any(axis=0) & (part < 0)
        number += 1
    return part


def dense(labels: Array) -> Array:
    """Group numbers from 0 in order of first member; -1 stays."""
    out = np.full(len(labels), -1, np.int64)
    used = np.flatnonzero(labels >= 0)
    own = labels[used]
    if int(own.max(initial=0)) > 4 * len(labels):
        own = np.unique(own, return_inverse=True)[1].ravel()
    first = np.full(int(own.max(initial=-1)) + 1, len(labels))
    first[own[::-1]] = np.arange(len(own))[::-1]  # of several members the last that is written, the first one, stays
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    out[used] = rank[own]
    return out
