"""A partition of very many items that gathers the most weight inside groups, by local search; and which are twins.

``weights[i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, floats,
diagonal 0.
Items move one by one, each at the cost of its row: many small problems are better off with
:mod:`~quorate.kernels.partition_search`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import first_rows
from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
NEAR = 1e-9
SPARE = 16  # empty groups to begin with
SHAKEN = 0.15  # share of the items that a shake moves


def worth(weights: Array, labels: Array) -> float:
    """Weight of all pairs that are in one group."""
    return float((weights * (labels[:, None] == labels)).sum(dtype=np.float64) / 2)


def pulls(weights: Array, labels: Array) -> Array:
    """Weight of each group with each item, ``[group, item]``; groups are numbered from 0, none is empty.

    >>> pulls(np.array([[0.0, 3.0, -1.0], [3.0, 0.0, 2.0], [-1.0, 2.0, 0.0]]), np.array([0, 1, 0])).tolist()
    [[-1.0, 5.0, -1.0], [3.0, 0.0, 2.0]]
    """
    order = np.argsort(labels, kind="stable")
    first = np.flatnonzero(np.diff(labels[order], prepend=-1))
    rows = np.take(np.ascontiguousarray(weights, np.result_type(weights, np.float32)), order, axis=0)
    return rows if len(first) == len(order) else np.asarray(np.add.reduceat(rows, first, axis=0))


def descend(weights: Array, labels: Array) -> Array:
    """Move single items and join groups until nothing helps."""
    labels = dense(labels)
    pull = pulls(weights, labels)
    while True:
        labels, pull = _move(weights, labels, pull)
        labels, pull, joined = _join(labels, pull)
        if not joined:
            return labels


def _move(weights: Array, labels: Array, pull: Array) -> tuple[Array, Array]:
    """Move items one by one to the group that they are worth most in, a new one included, until none moves.

    ``pull[group, item]`` is the weight of each group with each item, given and returned as :func:`pulls` tells it.
    """
    labels, empty = labels.copy(), SPARE
    size = np.bincount(labels, minlength=len(pull) + empty).tolist()
    pull = np.concatenate([pull, np.zeros((empty, len(labels)), pull.dtype)])
    every = np.arange(len(labels))
    while True:
        better = np.flatnonzero(pull.max(axis=0, initial=0.0) > pull[labels, every] + NEAR)
        if not len(better):
            found = dense(labels)
            return found, pull[labels[first_rows(found)]]
        for item in better.tolist():
            own, group = int(labels[item]), int(pull[:, item].argmax())
            if pull[group, item] <= pull[own, item] + NEAR:
                continue
            pull[own] -= weights[item]
            pull[group] += weights[item]
            size[own] -= 1
            empty += (size[own] == 0) - (size[group] == 0)
            size[group] += 1
            labels[item] = group
            if not empty:  # there must be an empty group to go to
                pull = np.concatenate([pull, np.zeros((SPARE, len(labels)), pull.dtype)])
                size, empty = size + [0] * SPARE, SPARE


def _join(labels: Array, pull: Array) -> tuple[Array, Array, bool]:
    """Join the two groups that gain most until none do; with what the groups then pull, and whether any were joined."""
    groups = len(pull)
    gain = pulls(pull.T, labels)
    np.fill_diagonal(gain, -np.inf)
    name = np.arange(groups)
    joined = False
    while groups > 1:
        a, b = sorted(divmod(int(gain.argmax()), groups))
        if gain[a, b] <= NEAR:
            break
        gain[a] += gain[b]
        gain[:, a] += gain[:, b]
        gain[a, a] = -np.inf
        gain[b] = gain[:, b] = -np.inf
        name[name == b] = a
        joined = True
    if not joined:
        return labels, pull, False
    name = dense(name)  # groups are numbered by their first items, and so are those that are joined
    return name[labels], pulls(pull, name), True


def search(weights: Array, starts: Iterable[Array], rounds: int = 30) -> Array:
    """A good partition: from every start, then again from shaken copies of the best one found."""
    size = len(weights)
    best = descend(weights, np.arange(size))
    most = worth(weights, best)
    for start in starts:
        best, most = _better(weights, descend(weights, start), best, most)
    rng = np.random.default_rng(size)  # fixed: the same votes give the same partition
    for _ in range(rounds if size > 2 else 0):
        shaken = best.copy()
        moved = rng.random(size) < max(SHAKEN, 2 / size)
        shaken[moved] = rng.integers(int(best.max()) + 2, size=int(moved.sum()))
        best, most = _better(weights, descend(weights, shaken), best, most)
    return best


def _better(weights: Array, tried: Array, best: Array, most: float) -> tuple[Array, float]:
    value = worth(weights, tried)
    return (tried, value) if value > most + NEAR else (best, most)


def twins(weights: Array) -> Array:
    """Which items some best partition keeps together: alike towards all others and not apart, numbered from 0.

    Move either of two such items to the other's group: the two changes add up to twice the pair's own weight, so one of
    them loses nothing.
    """
    name = np.full(len(weights), -1, np.int64)
    heads: dict[float, list[int]] = {}  # by the sum of their weights, which twins share
    number = 0
    for item, total in enumerate(weights.sum(axis=1).tolist()):
        alike = heads.setdefault(total, [])
        head = next((h for h in alike if _alike(weights, item, h)), None)
        if head is None:
            alike.append(item)
            name[item] = number
            number += 1
        else:
            name[item] = name[head]
    return name


def _alike(weights: Array, a: int, b: int) -> bool:
    unlike = weights[a] != weights[b]
    unlike[[a, b]] = False
    return bool(weights[a, b] >= 0 and not unlike.any())


def contracted(weights: Array, name: Array) -> Array:
    """The weights between groups of items that stay together."""
    out = pulls(pulls(weights, name).T, name)
    np.fill_diagonal(out, 0.0)
    return out
