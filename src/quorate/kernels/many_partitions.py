"""Partitions that gather the most weight inside groups, of many small problems of one size at once.

``weights[problem, i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, whole
numbers, diagonal 0. The moves are those of :mod:`~quorate.kernels.clique_partition`, the bound that of
:mod:`~quorate.kernels.clique_bound`; here a step is taken in all problems that still move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NEAR = 1e-3  # weights are whole numbers


def components(linked: Array) -> Array:
    """The first item of the connected part that each item is in, ``[problem, item]``; ``linked`` is symmetric."""
    problems, items = linked.shape[:2]
    part = np.broadcast_to(np.arange(items, dtype=np.int16), (problems, items)).copy()
    active = np.arange(problems)
    while len(active):
        mine = part[active]
        near = np.where(linked[active], mine[:, None, :], np.int16(items)).min(axis=2)
        found = np.minimum(mine, near)
        found = np.minimum(found, np.take_along_axis(found, found.astype(np.int64), axis=1))
        moved = (found != mine).any(axis=1)
        part[active] = found
        active = active[moved]
    return part.astype(np.int64)


def dense(labels: Array) -> Array:
    """Group numbers from 0 in order of first member, ``[problem, item]``; -1 stays."""
    items = labels.shape[1]
    same = labels[:, :, None] == labels[:, None, :]
    head = same.argmax(axis=2)  # the first item of the group
    first = (head == np.arange(items)) & (labels >= 0)
    rank = np.cumsum(first, axis=1) - 1
    return np.where(labels < 0, -1, np.take_along_axis(rank, head, axis=1))


def worth(weights: Array, labels: Array) -> Array:
    """Weight of all pairs that are in one group, ``[problem]``."""
    same = labels[:, :, None] == labels[:, None, :]
    return np.asarray((weights * same).sum(axis=(1, 2), dtype=np.float64) / 2)


def descend(weights: Array, labels: Array) -> Array:
    """Move single items and join groups until nothing helps; labels are below the number of items."""
    labels = labels.astype(np.int64)
    active = np.arange(len(labels))
    while len(active):
        own = weights[active]
        moved = _move(own, labels[active])
        joined, changed = _join(own, moved)
        labels[active] = joined
        active = active[changed]
    return labels


def agglomerate(weights: Array) -> Array:
    """From items alone: join groups while that gains, then :func:`descend`."""
    alone = np.broadcast_to(np.arange(weights.shape[1]), weights.shape[:2])
    return descend(weights, _join(weights, alone)[0])


def _pull(weights: Array, labels: Array) -> Array:
    """Weight of each item with each group, ``[problem, group, item]``; as many groups as items."""
    member = (labels[:, None, :] == np.arange(labels.shape[1])[:, None]).astype(weights.dtype)
    return np.asarray(np.matmul(member, weights))


def _move(weights: Array, labels: Array) -> Array:
    """Move the item that gains most until none gains. There is an empty group whenever one has two items."""
    labels = labels.copy()
    problems, items = labels.shape
    pull = _pull(weights, labels)
    active = np.arange(problems)
    every = np.arange(items)
    while len(active):
        here = pull if len(active) == problems else pull[active]
        own = np.take_along_axis(here, labels[active][:, None, :], axis=1)
        best = (here - own).reshape(len(active), -1)
        at = best.argmax(axis=1)
        gains = best[np.arange(len(at)), at] > NEAR
        active, at = active[gains], at[gains]
        group, item = at // items, at % items
        row = weights[active[:, None], item[:, None], every]
        pull[active, labels[active, item]] -= row
        pull[active, group] += row
        labels[active, item] = group
    return labels


def _join(weights: Array, labels: Array) -> tuple[Array, Array]:
    """Join the two groups that gain most until none do; also where any were joined."""
    problems, items = labels.shape
    member = (labels[:, None, :] == np.arange(items)[:, None]).astype(weights.dtype)
    gain = np.matmul(np.matmul(member, weights), member.transpose(0, 2, 1))
    gain[:, np.arange(items), np.arange(items)] = -np.inf
    name = np.broadcast_to(np.arange(items), (problems, items)).copy()
    active = np.arange(problems)
    changed = np.zeros(problems, bool)
    while len(active):
        here = gain if len(active) == problems else gain[active]
        at = here.reshape(len(active), -1).argmax(axis=1)
        gains = here.reshape(len(active), -1)[np.arange(len(at)), at] > NEAR
        active, at = active[gains], at[gains]
        a, b = at // items, at % items
        changed[active] = True
        gain[active, a] += gain[active, b]
        gain[active, :, a] += gain[active, :, b]
        gain[active, a, a] = -np.inf
        gain[active, b] = gain[active, :, b] = -np.inf
        old = name[active]
        name[active] = np.where(old == b[:, None], a[:, None], old)
    return np.take_along_axis(name, labels, axis=1), changed


def bound(weights: Array) -> Array:
    """What no partition is worth more than, ``[problem]``: positive weights less what triples must lose."""
    problems, items = weights.shape[:2]
    order = np.argsort(-(weights > 0).sum(axis=2), axis=1, kind="stable")  # items with many friends first
    sorted_ = np.take_along_axis(np.take_along_axis(weights, order[:, :, None], 1), order[:, None, :], 2)
    plus, minus = np.maximum(sorted_, 0).transpose(1, 2, 0).copy(), np.maximum(-sorted_, 0).transpose(1, 2, 0).copy()
    total, lost = plus.sum(axis=(0, 1), dtype=np.float64) / 2, np.zeros(problems)
    circle = items - 1 + items % 2
    step = np.arange(1, (circle + 1) // 2)
    for middle in range(items):
        pull = plus[middle]
        for turn in range(circle):
            a, b = (turn + step) % circle, (turn - step) % circle
            if not items % 2:
                a, b = np.append(a, turn), np.append(b, circle)
            much = np.minimum(np.minimum(pull[a], pull[b]), minus[a, b])
            if much.any():
                pull[a] -= much
                pull[b] -= much
                minus[a, b] -= much
                minus[b, a] -= much
                lost += much.sum(axis=0)
        plus[:, middle] = pull
    return np.asarray(total - lost)
