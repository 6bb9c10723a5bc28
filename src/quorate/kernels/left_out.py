"""FreSPA's score of each judge's order, and of its reverse, by the other judges: all judges of a panel at once.

The weight of frequent patterns is a sum over sets of judges: a factor by the size of the set, times the weight of the
chains that all its judges share. Leaving out a judge leaves out the sets with that judge; and a pattern that a set
shares with the judge's own order is one that the set and the judge share. So the chains of every set are weighed once
for the whole panel, and only the reversed orders need chains of their own.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SETS = 600  # sets of judges beyond which counting by states is quicker
ITEMS = 20  # up to here a single-precision number counts chains without error
CELLS = 1 << 21  # [pair, order, set] at a time


def fits(judges: int, items: int, need: int) -> bool:
    """Whether there are few enough sets of at least ``need`` judges, and items."""
    few = sum(math.comb(judges, u) for u in range(need, judges + 1)) <= SETS
    return 2 <= judges <= 16 and 2 <= items <= ITEMS and few


@lru_cache(maxsize=64)
def _sets(judges: int, need: int, w_sup: float) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Sets of judges, the lowest of each, what they add to all patterns and to one's own; sets without each judge."""

    def factor(size: int) -> float:
        if not need <= size < judges:
            return 0.0
        parts = ((-1.0) ** (size - t) * math.comb(size, t) * (1 + w_sup * (t - 1)) for t in range(need, size + 1))
        return float(sum(parts))

    chosen = [c for u in range(need, judges + 1) for c in itertools.combinations(range(judges), u)]
    bits = np.array([sum(1 << k for k in c) for c in chosen], np.uint16)
    inside = (bits[:, None] >> np.arange(judges)) & 1 > 0
    sizes = inside.sum(axis=1).tolist()
    add = np.where(inside, 0.0, np.array([factor(u) for u in sizes])[:, None])
    own = np.where(inside, np.array([factor(u - 1) for u in sizes])[:, None], 0.0)
    without = np.stack([bits[~inside[:, k]] for k in range(judges)])
    weight = np.array([factor(int(u)) for u in np.bitwise_count(without[0])])
    return bits, np.array([c[0] for c in chosen]), add, own, without, weight


def scores(positions: Array, need: int, w_len: float, w_sup: float) -> tuple[Array, Array]:
    """Scores of the judges' orders and of their reverses by the others, each ``[task, judge]``, from ``positions``.

    Patterns have two items or more and at least ``need`` of the other judges. 0 where there is no pattern.
    """
    tasks, judges, items = positions.shape
    bits, lowest, add, own, without, weight = _sets(judges, need, w_sup)
    forward, backward = np.empty((2, tasks, judges))
    step = max(1, CELLS // (items * items // 2 * (len(bits) + without.size)))
    for a in range(0, tasks, step):
        part = positions[a : a + step]
        forth, back = _in_order(part)
        edge = np.empty((*forth.shape[:2], len(bits) + without.size), np.float32)  # chains of all sets in one go
        np.equal(forth[:, :, lowest] & bits, bits, out=edge[:, :, : len(bits)])
        turned = edge[:, :, len(bits) :].reshape(*forth.shape[:2], *without.shape)
        np.equal(back[:, :, :, None] & without, without, out=turned)
        shared, against = np.split(_chains(edge, w_len), [len(bits)], axis=1)
        total = shared @ add
        for out, kept in ((forward, shared @ own), (backward, against.reshape(*part.shape[:2], -1) @ weight)):
            out[a : a + step] = np.divide(kept, total, out=np.zeros(total.shape), where=total > 0)
    return forward, backward


def _in_order(positions: Array) -> tuple[Array, Array]:
    """Which judges put one item before another, as bits: ``[pair of places, task, judge]``.

    The places are those of the judge's own order, then of its reverse. Pairs that the judge ties or does not hold have
    no bits: they are not in that order at all.
    """
    tasks, judges, items = positions.shape
    absent = np.iinfo(positions.dtype).max
    early = np.where(positions > 0, positions, absent)
    less = early[:, :, :, None] < positions[:, :, None, :]
    octets = np.packbits(less, axis=1, bitorder="little")
    relation = octets[:, 0].astype(np.uint16)
    if judges > 8:
        relation |= octets[:, 1].astype(np.uint16) << np.uint16(8)
    order = np.argsort(early, axis=2, kind="stable").transpose(2, 0, 1)
    seat = np.take_along_axis(early.transpose(2, 0, 1), order, axis=0)
    late, first = np.tril_indices(items, -1)
    flat = relation.reshape(tasks, -1)
    task = np.arange(tasks)[:, None]
    out = []
    for at in (slice(None), slice(None, None, -1)):
        where, place = order[at], seat[at]
        bits = flat[task, where[first] * items + where[late]]
        bits[(place[first] == place[late]) | (place[first] == absent) | (place[late] == absent)] = 0
        out.append(bits)
    return out[0], out[1]


def _chains(edge: Array, w_len: float) -> Array:
    """Weight of the chains of two and more items, ``[task, set]``, from edges ``[pair of places, task, set]``."""
    items = (1 + math.isqrt(1 + 8 * len(edge))) // 2
    number = np.ones((items, *edge.shape[1:]), np.float32)  # of chains that end in each item
    spread = np.ones_like(number)  # sum of their lengths
    for j in range(1, items):
        e = edge[j * (j - 1) // 2 : j * (j + 1) // 2]
        number[j] += np.einsum("its,its->ts", e, number[:j])
        if w_len:
            spread[j] = np.einsum("its,its->ts", e, spread[:j]) + number[j]
    # Every item alone is a chain of one item; it is taken out again.
    many = number.sum(axis=0, dtype=np.float64) - items
    return np.asarray((1 - w_len) * many + w_len * (spread.sum(axis=0, dtype=np.float64) - items))
