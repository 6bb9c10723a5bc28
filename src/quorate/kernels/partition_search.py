"""Partitions that gather the most weight inside groups: local search and a bound, many problems of one size at once.

``weights[problem, i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, whole
numbers, diagonal 0. A step is taken in all problems that still move, and costs the square of the items: for problems of
very many items there is :mod:`~quorate.kernels.clique_partition`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
NEAR = 1e-3  # weights are whole numbers
FEW = 64  # items of problems that are alike enough to be looked at with all their pairs
ROUNDS = 200_000  # of pairs looked at for a bound, of all items together: about two seconds of one large problem


def worth(weights: Array, labels: Array) -> Array:
    """Weight of all pairs that are in one group, ``[problem]``."""
    same = labels[:, :, None] == labels[:, None, :]
    return np.asarray((weights * same).sum(axis=(1, 2), dtype=np.float64) / 2)


def searched(weights: Array, starts: Array) -> Array:
    """The best that local search reaches from items alone, or from one of ``starts[problem, start, item]``."""
    easy, best = _whole_groups(weights)
    if easy.any():
        hard = np.flatnonzero(~easy)
        best[hard] = searched(weights[hard], starts[hard]) if len(hard) else best[hard]
        return best
    best = agglomerate(weights)
    if not starts.shape[1]:
        return best
    most = worth(weights, best)
    for k in range(starts.shape[1]):
        tried = descend(weights, dense(starts[:, k]))
        value = worth(weights, tried)
        better = value > most + NEAR
        best[better], most[better] = tried[better], value[better]
    return best


def _whole_groups(weights: Array) -> tuple[Array, Array]:
    """Where the items that are worth having together are whole groups, so that nothing can be better, ``[problem]``;
    and of every item the first that is worth having with it, which then names its group, ``[problem, item]``."""
    wanted = (weights > NEAR) | np.eye(weights.shape[1], dtype=bool)
    first = wanted.argmax(axis=2) if weights.shape[1] else np.zeros(weights.shape[:2], np.int64)
    return (wanted == (first[:, :, None] == first[:, None, :])).all(axis=(1, 2)), first


def descend(weights: Array, labels: Array, joined: bool = False) -> Array:
    """Move single items and join groups until nothing helps; labels are below the number of items.

    ``joined``: no two groups gain by being joined, so that where no item moves there is nothing to do.
    """
    labels = labels.astype(np.int64)
    active, own = np.arange(len(labels)), weights
    while len(active):
        moved = _move(own, labels[active])
        touched = (moved != labels[active]).any(axis=1) if joined else np.ones(len(active), bool)
        active, own, moved = active[touched], own[touched], moved[touched]
        member = (moved[:, None, :] == np.arange(moved.shape[1])[:, None]).astype(own.dtype)
        labels[active], changed = _join(np.matmul(np.matmul(member, own), member.transpose(0, 2, 1)), moved)
        active, own, joined = active[changed], own[changed], True
    return labels


def agglomerate(weights: Array) -> Array:
    """From items alone: join groups while that gains, then :func:`descend`."""
    alone = np.broadcast_to(np.arange(weights.shape[1]), weights.shape[:2])
    return descend(weights, _join(weights.copy(), alone)[0], joined=True)


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


def _join(gain: Array, labels: Array) -> tuple[Array, Array]:
    """Join the two groups that gain most until none do; also where any were joined. ``gain[problem, group, group]`` is
    the weight between two groups, and is used up."""
    problems, items = labels.shape
    gain[:, np.arange(items), np.arange(items)] = -np.inf
    into = np.broadcast_to(np.arange(items), (problems, items)).copy()  # the group that each one was joined to
    active, every = np.arange(problems), np.arange(problems)
    while len(active):
        each = gain.reshape(len(active), -1)
        at = each.argmax(axis=1)
        gains = each[every, at] > NEAR
        if not gains.all():
            active, at, gain = active[gains], at[gains], gain[gains]
            every = np.arange(len(active))
        a, b = at // items, at % items
        both = gain[every, a] + gain[every, b]
        both[every, a] = both[every, b] = -np.inf
        gain[every, a] = gain[every, :, a] = both
        gain[every, b] = gain[every, :, b] = -np.inf
        into[active, b] = a
    changed = np.asarray((into != np.arange(items)).any(axis=1))
    while True:  # a group may have been joined to one that was joined itself
        farther = np.take_along_axis(into, into, axis=1)
        if (farther == into).all():
            return np.take_along_axis(into, labels, axis=1), changed
        into = farther


def bound(weights: Array, rounds: int = ROUNDS) -> Array:
    """What no partition is worth more than, ``[problem]``: all positive weights, less what triples must lose.

    Of a triple in which two pairs want to be together and the third apart every partition loses one: at least the
    smallest weight. Triples share what the weights hold, item by item and greedily, so the bound is not the best of its
    kind; any number of ``rounds`` gives a bound.

    >>> bound(np.array([[[0, 3, -1], [3, 0, 2], [-1, 2, 0]]])).tolist()
    [4.0]
    """
    problems, items = weights.shape[:2]
    order = np.argsort(-(weights > 0).sum(axis=2), axis=1, kind="stable")  # items with many friends first
    sorted_ = np.take_along_axis(np.take_along_axis(weights, order[:, :, None], 1), order[:, None, :], 2)
    plus, minus = np.maximum(sorted_, 0).transpose(1, 2, 0).copy(), np.maximum(-sorted_, 0).transpose(1, 2, 0).copy()
    total, lost = plus.sum(axis=(0, 1), dtype=np.float64) / 2, np.zeros(problems)
    every = np.arange(items)
    for middle in range(items if rounds else 0):
        near = every if items <= FEW else np.flatnonzero((plus[middle] > 0).any(axis=1))
        place = np.ix_(near, near)
        pull, push = plus[middle, near], minus[place]
        if not push.any():
            continue
        for a, b in _worthwhile(pull, push, rounds):
            much = np.minimum(np.minimum(pull[a], pull[b]), push[a, b])
            if much.any():
                pull[a] -= much
                pull[b] -= much
                push[a, b] -= much
                push[b, a] -= much
                lost += much.sum(axis=0, dtype=np.float64)
        rounds -= len(near) - 1 + len(near) % 2
        if rounds <= 0:
            return np.asarray(total - lost)
        plus[middle, near] = plus[near, middle] = pull
        minus[place] = push
    return np.asarray(total - lost)


def _worthwhile(pull: Array, push: Array, rounds: int) -> Iterator[tuple[Array, Array]]:
    """Of the first so many rounds of pairs those in which something can be lost; of few items, where that is quickly
    seen, for what the weights hold only becomes less."""
    if len(pull) > FEW:
        yield from itertools.islice(pairings(len(pull)), rounds)
        return
    lost = np.asarray(np.minimum(np.minimum(pull[:, None], pull), push).any(axis=2))
    a, b = _pairings(len(pull))
    for k in np.flatnonzero(lost[a, b].any(axis=1)).tolist():
        if k < rounds:
            yield a[k], b[k]


@cache
def _pairings(size: int) -> tuple[Array, Array]:
    """The same of few, made once: ``[round, pair]`` the one and the other."""
    a, b = zip(*pairings(size), strict=True)
    return np.stack(a), np.stack(b)


def pairings(size: int) -> Iterator[tuple[Array, Array]]:
    """Every two of so many, in rounds in which nobody comes twice: all but one sit in a circle that turns."""
    circle = size - 1 + size % 2
    step = np.arange(1, (circle + 1) // 2)
    for turn in range(circle):
        a, b = (turn + step) % circle, (turn - step) % circle
        yield (a, b) if size % 2 else (np.append(a, turn), np.append(b, circle))
