"""Sums over groups of rows, of many draws at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time
LONG = 1 << 16  # rows from which on draws are not put together
DIGITS = 28  # binary, that numbers are held to whose sums must not depend on their order
COUNTED = 16  # times as many codes as rows, up to which numbering those marked is faster than sorting
MARKED = 32  # the same where it is enough to mark them
MANY = 10**6  # sums that are no longer a list


def group_sums(values: Array, group: Array, size: int) -> Array:
    """``[draw, group]`` from ``values[draw, row]`` and ``group[row]``, or ``[draw, row]`` where draws group otherwise.

    >>> group_sums(np.array([[1.0, 2.0, 4.0]]), np.array([0, 1, 0]), 2).tolist()
    [[5.0, 2.0]]
    """
    values, group = np.atleast_2d(values), np.atleast_2d(group)
    draws, rows = np.broadcast_shapes(values.shape, group.shape)
    out = np.empty((draws, size))
    if rows > LONG:  # of many rows one draw after the other
        for k in range(draws):
            out[k] = np.bincount(group[k % len(group)], values[k % len(values)], size)
        return out
    step = max(1, CELLS // max(rows, size, 1))
    for a in range(0, draws, step):
        number = min(step, draws - a)
        some = [x[a : a + number] if len(x) > 1 else x for x in (values, group)]
        place = some[1] + np.arange(number)[:, None] * size
        weight = np.broadcast_to(some[0], place.shape)
        out[a : a + number] = np.bincount(place.ravel(), weight.ravel(), number * size).reshape(number, size)
    return out


def summable(values: Array) -> Array:
    """The values to 28 binary digits of the largest: sums of up to 2^24 of them are exact, so that no order matters.

    >>> a = summable(np.array([1 / 3, 1e-3, 0.7]))
    >>> bool(a[0] + a[1] + a[2] == a[2] + a[1] + a[0]), float(abs(a[0] - 1 / 3)) < 1e-8
    (True, True)
    """
    most = float(np.abs(values).max(initial=0.0))
    if not 0 < most < math.inf:
        return values
    unit = 2.0 ** (math.ceil(math.log2(most)) - DIGITS)
    return np.asarray(np.rint(values / unit) * unit)


def renumbered(code: Array) -> Array:
    """Codes that are not all used, renumbered from 0 in their order: by marking them, where they are not too many.

    >>> renumbered(np.array([7, 2, 7])).tolist()
    [1, 0, 1]
    """
    size = int(code.max(initial=-1)) + 1
    if size > COUNTED * max(len(code), 1) or code.min(initial=0) < 0:
        return np.unique(code, return_inverse=True)[1].ravel()
    there = np.zeros(size, bool)
    there[code] = True
    place = np.cumsum(there, dtype=np.int32 if len(code) < 2**31 else np.int64)
    return place[code].astype(np.int64) - 1


def first_rows(code: Array) -> Array:
    """The first row of every code, where all from 0 are used.

    >>> first_rows(np.array([1, 0, 1, 0])).tolist()
    [1, 0]
    """
    out = np.empty(int(code.max(initial=-1)) + 1, np.int64)
    out[code[::-1]] = np.arange(len(code))[::-1]  # of several the last that is written stays
    return out


def used(code: Array) -> Array:
    """The codes there are, ascending: marked where they are not too many, else sorted, which is faster than a table.

    >>> used(np.array([10**12, 3, 10**12])).tolist()
    [3, 1000000000000]
    """
    size = int(code.max(initial=-1)) + 1
    if size <= MARKED * len(code) and code.min(initial=0) >= 0:
        there = np.zeros(size, bool)
        there[code] = True
        return np.flatnonzero(there)
    ordered = np.sort(code)
    return np.asarray(ordered[np.concatenate([ordered[:1] == ordered[:1], ordered[1:] != ordered[:-1]])])


def places(code: Array, known: Array) -> Array:
    """The place of every code among those known, which ascend: by a table where it is not too long.

    >>> places(np.array([7, 2, 7]), np.array([2, 5, 7])).tolist()
    [2, 0, 2]
    """
    if not len(known) or known[0] < 0 or int(known[-1]) >= COUNTED * len(code):
        return np.searchsorted(known, code)
    table = np.zeros(int(known[-1]) + 1, np.min_scalar_type(len(known)))
    table[known] = np.arange(len(known))
    return np.asarray(table[code])


def crossed(one: Array, two: Array) -> Array:
    """The cells of two codes, numbered from 0 in the order of the first and then of the second."""
    return renumbered(one.astype(np.int64) * (int(two.max(initial=0)) + 1) + two)


def counts(sums: Array) -> Any:
    """Sums of whole numbers, as such; very many in small integers, which take a tenth of the room."""
    if len(sums) > MANY and np.abs(sums).max() < 2**31:
        return np.rint(sums).astype(np.int32)
    return np.rint(sums).astype(np.int64).tolist()
