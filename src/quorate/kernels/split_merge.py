"""A partition taken apart and put together at random, on arrays: ``labels[item]`` are group numbers from 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def splits(labels: Array, rng: np.random.Generator) -> Array:
    """The partition, then one random group of two items or more split in two at random, until all are alone.

    ``[step, item]``; the group is drawn from those that can be split, each of its items goes either way, none empty.
    """
    current = labels.astype(np.int64)
    out = [current.copy()]
    groups = int(current.max()) + 1
    while groups < len(current):
        size = np.bincount(current, minlength=groups)
        group = rng.choice(np.flatnonzero(size > 1))
        members = np.flatnonzero(current == group)
        away = rng.random(len(members)) < 0.5
        while away.all() or not away.any():
            away = rng.random(len(members)) < 0.5
        current[members[away]] = groups
        groups += 1
        out.append(current.copy())
    return np.stack(out)


def merges(labels: Array, rng: np.random.Generator) -> Array:
    """The partition, then two random groups made one, until all items are together, ``[step, item]``."""
    current = labels.astype(np.int64)
    out = [current.copy()]
    for groups in range(int(current.max()) + 1, 1, -1):
        a, b = np.sort(rng.choice(groups, 2, replace=False))
        current[current == b] = a
        current[current == groups - 1] = b if b < groups - 1 else a  # numbers stay dense
        out.append(current.copy())
    return np.stack(out)
