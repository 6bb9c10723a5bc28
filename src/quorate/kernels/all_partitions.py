"""The best partition of a few items, by looking at all: of each set of items the best last group, from small to large.

Many problems of one size go through at once. For 12 items 265,720 pairs of a set and a group in it are looked at.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST = 12  # items
CELLS = 1 << 21  # numbers held at a time


def best(weights: Array) -> Array:
    """Group numbers ``[problem, item]`` that gather the most of ``weights[problem, i, j]`` inside groups.

    Of equal ones, that in which the last item's group is smallest, then that of the last of the rest, and so on.

    >>> best(np.array([[[0, 3, -1], [3, 0, 2], [-1, 2, 0]]])).tolist()
    [[0, 0, 0]]
    """
    items = weights.shape[1]
    out = np.empty(weights.shape[:2], np.int64)
    step = max(1, CELLS >> items)
    for a in range(0, len(weights), step):
        out[a : a + step] = _some(np.ascontiguousarray(weights[a : a + step].transpose(1, 2, 0), np.float32))
    return out


def _some(weights: Array) -> Array:
    items, _, problems = weights.shape
    inside = _inside(weights)
    most = np.zeros((1 << items, problems), np.float32)
    chosen = np.zeros((1 << items, problems), np.int16)
    for top in range(items):
        bit = 1 << top
        for rest in range(bit):
            sub = _subsets(rest)
            value = inside[sub | bit]
            value += most[rest ^ sub]
            at = value.argmax(axis=0)
            most[rest | bit] = value[at, np.arange(problems)]
            chosen[rest | bit] = sub[at] | bit
    labels = np.zeros((problems, items), np.int64)
    left = np.full(problems, (1 << items) - 1)
    number = 0
    while left.any():
        group = chosen[left, np.arange(problems)]
        labels[(group[:, None] >> np.arange(items)) & 1 > 0] = number
        left ^= group
        number += 1
    return labels


def _inside(weights: Array) -> Array:
    """Weight inside every set of items, ``[set, problem]``."""
    items, _, problems = weights.shape
    out = np.zeros((1, problems), np.float32)
    for top in range(items):
        added = np.zeros((1, problems), np.float32)  # of the top item with every set of those before
        for other in range(top):
            added = np.concatenate([added, added + weights[top, other]])
        out = np.concatenate([out, out + added])
    return out


@lru_cache(maxsize=1 << MOST)
def _subsets(held: int) -> Array:
    """All subsets of a set, small numbers first."""
    out = np.zeros(1, np.int64)
    for bit in range(held.bit_length()):
        if held >> bit & 1:
            out = np.concatenate([out, out | 1 << bit])
    out.flags.writeable = False
    return out
