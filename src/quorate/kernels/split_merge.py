"""A partition taken apart and put together at random, on arrays: ``labels[item]`` are group numbers from 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def splits(labels: Array, rng: np.random.Generator, at: Array | None = None) -> Array:
    """The partition, then one random group of two items or more split in two at random, until all are alone.

    ``[step, item]``; the group is drawn from those that can be split, each of its items goes either way, none empty.
    With ``at`` only these steps are kept.
    """
    current = labels.astype(np.int64)
    groups = int(current.max()) + 1
    keep = _kept(len(current) - groups + 1, at)
    out = [current.copy()]
    members = [np.flatnonzero(current == group) for group in range(groups)]
    large = [group for group in range(groups) if len(members[group]) > 1]
    for step in range(1, len(keep)):
        group = large[int(rng.integers(len(large)))]
        held = members[group]
        away = rng.random(len(held)) < 0.5
        while not 0 < np.count_nonzero(away) < len(held):
            away = rng.random(len(held)) < 0.5
        members[group] = held[~away]
        members.append(held[away])
        if len(members[group]) < 2:
            large.remove(group)
        if len(members[groups]) > 1:
            large.append(groups)
        current[members[groups]] = groups
        groups += 1
        if keep[step]:
            out.append(current.copy())
    return np.stack(out)


def merges(labels: Array, rng: np.random.Generator, at: Array | None = None) -> Array:
    """The partition, then two random groups made one, until all items are together, ``[step, item]``."""
    current = labels.astype(np.int64)
    all_groups = int(current.max()) + 1
    keep = _kept(all_groups, at)
    out = [current.copy()]
    for groups in range(all_groups, 1, -1):
        a, b = np.sort(rng.choice(groups, 2, replace=False))
        current[current == b] = a
        current[current == groups - 1] = b if b < groups - 1 else a  # numbers stay dense
        if keep[all_groups - groups + 1]:
            out.append(current.copy())
    return np.stack(out)


def _kept(steps: int, at: Array | None) -> Array:
    """Whether each step is kept; the first always is."""
    keep = np.ones(steps, bool)
    if at is not None:
        keep[1:] = False
        keep[at] = True
    return keep
