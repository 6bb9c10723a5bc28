"""Rows told apart by what they hold, not by their names: a mark of every row, and numbers that depend on marks alone.

Judges who answer alike have one mark. Numbered among themselves, in whatever order, they come into groups, or are
drawn, as if each had been dealt a lot: the same whatever they are called, and in whatever pieces they are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import ranks

Array = NDArray[Any]
CELLS = 1 << 22  # numbers of rows that are looked at in one go
STEP = np.uint64(0x9E3779B97F4A7C15)


def marks(rows: Array) -> Array:
    """A number of every row of whole numbers, ``[row]``: equal rows share it, others hardly ever."""
    step = max(1, CELLS // max(rows.shape[1], 1))
    found = [ranks.marks(rows[a : a + step].astype(np.int64)) for a in range(0, len(rows), step)]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def copy_numbers(marks: Array) -> Array:
    """Rows of the same mark numbered from 0, ``[row]``.

    >>> copy_numbers(np.array([7, 5, 7, 7])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(marks, kind="stable")
    ranked = marks[order]
    new = np.ones(len(marks), bool)
    new[1:] = ranked[1:] != ranked[:-1]
    place = np.arange(len(marks))
    out = np.empty(len(marks), np.int64)
    out[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return out


def lots(marks: Array, number: int) -> Array:
    """One of so many groups for every row, ``[row]``: any row is as likely to come into each, copies of one as well."""
    key = mixed(marks.view(np.uint64) + (copy_numbers(marks).astype(np.uint64) + np.uint64(1)) * STEP)
    return (key % np.uint64(number)).astype(np.int64)


def first_of_marks(mark: Array, wanted: Mapping[int, int]) -> list[int]:
    """The first rows of every mark, as many as are wanted.

    >>> first_of_marks(np.array([7, 5, 7, 7]), {7: 2})
    [0, 2]
    """
    left, out = dict(wanted), []
    there = np.flatnonzero(np.isin(mark, np.fromiter(wanted, np.int64, len(wanted))))
    for k, own in zip(there.tolist(), mark[there].tolist(), strict=True):
        if left[own] > 0:
            left[own] -= 1
            out.append(k)
    return out


def mixed(keys: Array) -> Array:
    """splitmix64: neighbours come to lie far apart."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        keys = (keys ^ (keys >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(keys ^ (keys >> np.uint64(31)))
