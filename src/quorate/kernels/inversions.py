"""Concordant less discordant pairs of long rankings without looking at every pair: n log n where pairs are n squared.

Items in the order of one ranking (ties in the order of the other) are out of order in the other just where the two
disagree. Such inversions are counted bit by bit, from the highest: among values that agree in all higher bits, every 1
before a 0 is one. The values are then dealt out by that bit, which keeps those that agree so far side by side.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LONG = 500  # items from which on this is quicker than the signs of all pairs
CELLS = 1 << 19  # values worked on at a time


def quicker(positions: Array, others: Array | None = None) -> bool:
    """Whether this is quicker than the signs of all pairs, of which every judge needs them once, not every two.

    Every two of ``positions[task, judge, item]``, or each of them with each of the ``others``, are to be compared.
    """
    tasks, judges, items = positions.shape
    rows, twos = (judges, judges**2 / 2) if others is None else (judges + others.shape[1], judges * others.shape[1])
    return bool(tasks > 0 and items >= LONG and 6 * twos * items.bit_length() <= rows * items)


def inversions(values: Array) -> Array:
    """How many pairs of each row of ``values[row, place]``, whole numbers from 0, have the larger value first.

    >>> inversions(np.array([[2, 0, 1, 1], [0, 1, 2, 3]])).tolist()
    [3, 0]
    """
    rows, size = values.shape
    out = np.zeros(rows, np.int64)
    if not values.size:
        return out
    bits = int(values.max()).bit_length()
    step = max(1, CELLS // size)
    for a in range(0, rows, step):
        out[a : a + step] = _counted(values[a : a + step].astype(np.int32), bits)
    return out


def _counted(values: Array, bits: int) -> Array:
    """One block: all rows after one another, each a group of its own to begin with."""
    rows, size = values.shape
    out = np.zeros(rows, np.int64)
    flat = values.ravel()
    first = np.repeat(np.arange(rows, dtype=np.int32) * size, size)  # where the group of a value starts
    place = np.arange(flat.size, dtype=np.int32)
    for bit in range(bits - 1, -1, -1):
        one = ((flat >> bit) & 1).astype(np.int32)
        upto = np.zeros(flat.size + 1, np.int32)
        np.cumsum(one, out=upto[1:])
        ones = upto[:-1] - upto[first]  # before it in its group
        out += np.where(one, 0, ones).reshape(rows, size).sum(axis=1, dtype=np.int64)
        if not bit:
            break
        last = np.append(np.flatnonzero(first[1:] != first[:-1]) + 1, flat.size)  # ends of the groups
        zeros = np.diff(np.append(0, last)) - np.diff(upto[np.append(0, last)])
        middle = first + np.repeat(zeros, np.diff(np.append(0, last))).astype(np.int32)
        to = np.where(one, middle + ones, place - ones)
        dealt, start = np.empty_like(flat), np.empty_like(first)
        dealt[to], start[to] = flat, np.where(one, middle, first)
        flat, first = dealt, start
    return out


def agreeing_square(positions: Array) -> tuple[Array, Array, Array]:
    """Of complete rankings ``positions[judge, item]`` (ties allowed), exact whole numbers for every two judges.

    Pairs ordered alike less pairs ordered in reverse, and pairs that both tie, ``[judge, judge]``; pairs that a judge
    does not tie, ``[judge]``.
    """
    judges = len(positions)
    top, both = np.zeros((2, judges, judges), np.int64)
    apart = np.zeros(judges, np.int64)
    for a in range(judges):
        top[a, a + 1 :], both[a, a + 1 :], apart[a], _ = agreeing(positions[a], positions[a + 1 :])
        top[a + 1 :, a], both[a + 1 :, a] = top[a, a + 1 :], both[a, a + 1 :]
        top[a, a], both[a, a] = apart[a], math.comb(positions.shape[1], 2) - apart[a]
    return top, both, apart


def agreeing(one: Array, others: Array) -> tuple[Array, Array, Array, Array]:
    """The same of one complete ranking with others, ``[judge, item]``; pairs that the one and the others do not tie."""
    items = len(one)
    every = items * (items - 1) // 2
    different = int(max(one.max(initial=0), others.max(initial=0)))
    short = np.uint16 if different < 1 << 16 else np.int64  # short numbers are sorted by counting
    mine, theirs = one.astype(short), others.astype(short)
    own = np.array(every - _pairs(np.bincount(one)))
    apart = every - np.array([_pairs(np.bincount(row)) for row in others], np.int64).reshape(len(others))
    order = np.argsort(theirs, axis=1, kind="stable")
    order = np.take_along_axis(order, np.argsort(mine[order], axis=1, kind="stable"), axis=1)
    theirs = np.take_along_axis(theirs, order, axis=1).astype(np.int64)
    both = _tied_in_both(mine[order], theirs)
    return own + apart - every + both - 2 * inversions(theirs), both, own, apart


def _tied_in_both(mine: Array, theirs: Array) -> Array:
    """Pairs with equal values in both, of rows sorted by the two."""
    rows, items = mine.shape
    new = np.ones((rows, items + 1), bool)
    new[:, 1:-1] = (mine[:, 1:] != mine[:, :-1]) | (theirs[:, 1:] != theirs[:, :-1])
    out = np.zeros(rows, np.int64)
    for r in range(rows):
        out[r] = _pairs(np.diff(np.flatnonzero(new[r])))
    return out


def _pairs(sizes: Array) -> int:
    return int((sizes.astype(np.int64) * (sizes - 1) // 2).sum())
