"""What can be proven of partitions that gather the most weight inside groups: small.

Of up to 12 items the best one, by looking at all: of each set of items the best last group, from small to large. Of
more, what no partition is worth more than, and which items some best partition keeps together.
``weights[problem, i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric, whole
numbers, diagonal 0. Many problems of one size go through at once. For 12 items 265,720 pairs of a set and a group in
it are looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_search import pulls

Array = NDArray[Any]
MOST = 12  # items
CELLS = 1 << 21  # numbers held at a time
FEW = 64  # items of problems that are alike enough to be looked at with all their pairs
ROUNDS = 200_000  # of pairs looked at for a bound, of all items together: about two seconds of one large problem


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
    step = np.append(np.arange(1, (circle + 1) // 2), np.zeros(1 - size % 2, np.int64))  # who sits apart comes last
    for turn in range(circle):
        a, b = (turn + step) % circle, (turn - step) % circle
        if not size % 2:
            b[-1] = circle
        yield a, b


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
    groups = int(name.max()) + 1
    rows = pulls(weights[None], name[None], groups)
    out = np.asarray(pulls(rows.transpose(0, 2, 1), name[None], groups)[0])
    np.fill_diagonal(out, 0.0)
    return out
