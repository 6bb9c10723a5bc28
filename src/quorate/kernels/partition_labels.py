"""Partitions as rows of labels, small and large: group numbers from 0, along the last axis.

What is negative is in no group: -1 where it was left out, -2 where it is no item of the task or was not shown.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MANY = 200  # items, from which on parts are walked through one by one


def dense(labels: Array) -> Array:
    """Each row's groups numbered 0, 1, 2, ... in order of first member; what is negative stays.

    >>> dense(np.array([[7, 3, 7, -1], [5, 5, 0, -2]])).tolist()
    [[0, 1, 0, -1], [0, 0, 1, -2]]
    """
    items = labels.shape[-1]
    if labels.size == items > 0 and labels.min() >= 0 and labels.max() <= 4 * items:  # one row, as most are
        row, back = labels.ravel().astype(np.int64), np.arange(items - 1, -1, -1)
        first = np.full(int(row.max()) + 1, items)
        first[row[::-1]] = back  # the last that is written stays
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first, kind="stable")] = np.arange(len(first))
        return rank[row].reshape(labels.shape)
    rows = labels.reshape(math.prod(labels.shape[:-1]), items).astype(np.int64)
    inside = rows >= 0
    width = int(rows.max(initial=-1)) + 1
    if width > 4 * items + 16:  # few of the numbers are in use
        rows, width = _by_number(rows, inside), items
    place = np.where(inside, rows, width)
    flat = (place + np.arange(len(rows))[:, None] * (width + 1))[:, ::-1].ravel()
    first = np.full((len(rows), width + 1), items)
    first.ravel()[flat] = np.tile(np.arange(items)[::-1], len(rows))  # the last that is written stays
    first[:, width] = items
    rank = np.argsort(np.argsort(first, axis=1, kind="stable"), axis=1)
    return np.where(inside, np.take_along_axis(rank, place, axis=1), rows).reshape(labels.shape)


def _by_number(rows: Array, inside: Array) -> Array:
    """Each row's labels as 0, 1, 2, ... in order of label."""
    out, row, width = rows.copy(), np.nonzero(inside)[0], int(rows.max()) + 1
    known, code = np.unique(row * width + rows[inside], return_inverse=True)
    out[inside] = code.ravel() - np.searchsorted(known, row * width)
    return out


def components(linked: Array) -> Array:
    """Connected parts of ``linked[problem, item, item]``, symmetric, as labels ``[problem, item]``.

    >>> components(np.array([[[0, 0, 1], [0, 0, 0], [1, 0, 0]]], bool)).tolist()
    [[0, 1, 0]]
    """
    problems, items = linked.shape[:2]
    if not linked.size:
        return np.zeros((problems, items), np.int64)
    if items > MANY:
        return dense(np.stack([_walked(own) for own in linked]))
    own = np.arange(items, dtype=np.int16)
    near = linked.argmax(axis=2)  # the first that it is linked with, or 0
    there = np.take_along_axis(linked, near[:, :, None], axis=2)[:, :, 0]
    part = _followed(np.where(there, np.minimum(own, near), own).astype(np.int16))  # its first item, so far known
    active = np.arange(problems)
    while len(active):
        mine, some = part[active], linked if len(active) == problems else linked[active]
        near = np.where(some, mine[:, None, :], np.int16(items)).min(axis=2, initial=items)
        found = _followed(np.minimum(mine, near))
        moved = (found != mine).any(axis=1)
        part[active] = found
        active = active[moved]
    return dense(part)


def _walked(linked: Array) -> Array:
    """The same of one problem of many items: from item to item, each looked at once."""
    part, unseen = np.arange(len(linked)), np.asarray(linked.any(axis=1))
    while unseen.any():
        first = int(unseen.argmax())
        here = np.array([first])
        while len(here):
            part[here] = first
            unseen[here] = False
            here = np.flatnonzero(linked[here].any(axis=0) & unseen)
    return part


def _followed(part: Array) -> Array:
    """Every item's part is that of the item which its part is named after, and so on."""
    while True:
        further = np.take_along_axis(part, part.astype(np.int64), axis=1)
        if (further == part).all():
            return part
        part = further


def permuted_again(labels: Array) -> Array:
    """How likely a row's labels, permuted among its items, are the same groups again, ``[task, judge]``.

    Of groups of sizes a, b, ... that is a! b! ... / n!, times the ways to exchange groups of one size; what is left out
    (-1) is no group. 0 where some items were not shown (-2): then it takes more than that.

    >>> permuted_again(np.array([[[0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5], [0, 0, 0, 1, 1, -2]]])).round(3).tolist()
    [[0.1, 1.0, 0.0]]
    """
    items, width = labels.shape[-1], int(labels.max(initial=0)) + 2
    rows = labels.reshape(-1, items)
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, items + 1)))])  # logarithms

    def counts(codes: Array, wide: int) -> Array:
        flat = codes + np.arange(len(codes))[:, None] * wide
        return np.bincount(flat.ravel(), minlength=len(codes) * wide).reshape(len(codes), wide)

    size = counts(np.where(rows < 0, width - 1, rows), width)
    alike = counts(size[:, :-1], items + 1)[:, 1:]  # groups of each size
    ways = factorial[size].sum(axis=1) + factorial[np.minimum(alike, items)].sum(axis=1) - factorial[items]
    return np.where((rows < -1).any(axis=1), 0.0, np.exp(np.minimum(ways, 0.0))).reshape(labels.shape[:-1])
