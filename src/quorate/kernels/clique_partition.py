"""A partition of very many items that gathers the most weight inside groups, by local search; and which are twins.

``weights[i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, diagonal 0.
Items move one by one, each at the cost of its row: many small problems are better off with
:mod:`~quorate.kernels.partition_search`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
NEAR = 1e-9
SPARE = 16  # empty groups to begin with
SHAKEN = 0.15  # share of the items that a shake moves


def worth(weights: Array, labels: Array) -> float:
    """Weight of all pairs that are in one group."""
    return float((weights * (labels[:, None] == labels)).sum() / 2)


def pulls(weights: Array, labels: Array) -> Array:
    """Weight of each item with each group, ``[item, group]``, and with no group in the last column: 0."""
    groups = int(labels.max(initial=-1)) + 1
    member = np.zeros((len(labels), groups + 1))
    member[np.arange(len(labels)), labels] = 1.0
    return np.asarray(weights @ member)


def descend(weights: Array, labels: Array) -> Array:
    """Move single items and join groups until nothing helps."""
    labels = dense(labels)
    while True:
        labels, joined = _join(weights, _move(weights, labels))
        if not joined:
            return labels


def _move(weights: Array, labels: Array) -> Array:
    """Move items one by one to the group that they are worth most in, a new one included, until none moves."""
    labels = labels.copy()
    pull = np.concatenate([pulls(weights, labels).T, np.zeros((SPARE, len(labels)))])  # [group, item]
    size = np.bincount(labels, minlength=len(pull))
    every = np.arange(len(labels))
    while True:
        better = np.flatnonzero(pull.max(axis=0, initial=0.0) > pull[labels, every] + NEAR)
        if not len(better):
            return dense(labels)
        for item in better.tolist():
            own, group = int(labels[item]), int(pull[:, item].argmax())
            if pull[group, item] <= pull[own, item] + NEAR:
                continue
            pull[own] -= weights[item]
            pull[group] += weights[item]
            size[own] -= 1
            size[group] += 1
            labels[item] = group
            if size.all():  # there must be an empty group to go to
                pull = np.concatenate([pull, np.zeros((SPARE, len(labels)))])
                size = np.concatenate([size, np.zeros(SPARE, size.dtype)])


def _join(weights: Array, labels: Array) -> tuple[Array, bool]:
    """Join the two groups that gain most until none do."""
    groups = int(labels.max(initial=-1)) + 1
    member = np.zeros((len(labels), groups))
    member[np.arange(len(labels)), labels] = 1.0
    gain = member.T @ weights @ member
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
    return dense(name[labels]), joined


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
    member = np.zeros((len(name), int(name.max(initial=-1)) + 1))
    member[np.arange(len(name)), name] = 1.0
    out = member.T @ weights @ member
    np.fill_diagonal(out, 0.0)
    return np.asarray(out)
