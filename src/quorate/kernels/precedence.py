"""Which item comes before which: precedence counts, and the q-support scores that read them.

The arrays have the tasks on the last axis, ``[item, item, task]``: with many small tasks the inner loops run over the
tasks, with one large task over the items.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
BLOCK = 1 << 20  # cells of an [item, item, task] array worked on at a time
FEW = 4  # times as many items as tasks, from which on tasks go one by one
BYTES = 1 << 18  # of comparisons held at a time
WORD = 8  # bytes that are added up together, each up to 255 times


def tasks_last(positions: Array) -> Array:
    """``[judge, item, task]`` from ``[task, judge, item]``, in bytes where they will do."""
    small = np.int8 if positions.shape[2] < 127 else positions.dtype
    return np.ascontiguousarray(positions.transpose(1, 2, 0).astype(small))


def blocks(tasks: int, items: int) -> list[slice]:
    """Slices of tasks, each with about BLOCK item pairs."""
    step = max(1, BLOCK // max(items * items, 1))
    return [slice(a, a + step) for a in range(0, tasks, step)]


def parts(tasks: int, items: int) -> list[slice]:
    """The same, but few tasks of many items go one by one: the inner loops are then over the items."""
    return [slice(t, t + 1) for t in range(tasks)] if tasks <= items // FEW else blocks(tasks, items)


def _early_late(last: Array) -> tuple[Array, Array]:
    """Positions such that early[i] < late[j] exactly when i and j are there and i comes before j."""
    return np.where(last > 0, last, np.iinfo(last.dtype).max), last


def precedence(last: Array, counts: Array) -> Array:
    """How many judges put i before j, ``[i, j, task]``; ``counts`` is ``[judge, task]``."""
    early, late = _early_late(last)
    judges, items, tasks = last.shape
    total = np.zeros((items, items, tasks), np.int32 if int(counts.sum(axis=0).max(initial=0)) < 2**31 else np.int64)
    plain = bool((counts == 1).all())
    if plain and tasks == 1 and judges >= items:
        return _of_many_judges(late[:, :, 0])[:, :, None]
    small = np.zeros((items, items, tasks), np.uint8)
    less = np.empty((items, items, tasks), bool)
    for k in range(judges):
        np.less(early[k, :, None], late[k, None], out=less)
        if plain:
            small += less.view(np.uint8)
            if k % 255 == 254:  # before a byte can run over
                total += small
                small[:] = 0
        else:
            total += less * counts[k].astype(total.dtype)
    if plain:
        total += small
    return total


def _of_many_judges(ranking: Array) -> Array:
    """The same of one task ``ranking[judge, item]`` with more judges than items: inner loops are over the judges, whose
    comparisons are added up eight in a word."""
    judges, items = ranking.shape
    late = np.zeros((items, judges + -judges % WORD), ranking.dtype)
    late[:, :judges] = ranking.T
    early, late = _early_late(late)
    total = np.zeros((items, items), np.int64)
    for a in range(0, late.shape[1], 255 * WORD):
        first, second = early[:, a : a + 255 * WORD], late[:, a : a + 255 * WORD]
        step = max(1, BYTES // max(second.size, 1))
        for i in range(0, items, step):
            less = first[i : i + step, None] < second
            words = np.add.reduce(less.view(np.uint64), axis=2)
            total[i : i + step] += words.view(np.uint8).reshape(*words.shape, WORD).sum(axis=2, dtype=np.int64)
    return total


def gap_sums(last: Array, counts: Array) -> Array:
    """Sum over the judges who put i before j of the gap between them, ``[i, j, task]``."""
    late = last.astype(np.int32)
    early = np.where(last > 0, late, np.int32(1 << 30))
    total = np.zeros((last.shape[1], *last.shape[1:]), np.int64)
    for k in range(last.shape[0]):
        total += np.maximum(late[k, None] - early[k, :, None], 0) * counts[k]
    return total


def held(last: Array, counts: Array) -> tuple[Array, Array]:
    """Judges who hold each item and the sum of its positions, both ``[item, task]``."""
    return np.einsum("kit,kt->it", last > 0, counts), np.einsum("kit,kt->it", last, counts)


def support(last: Array, counts: Array, need: Array, gamma: float, lam: float) -> tuple[Array, Array]:
    """Individual kappa_1 and kappa_2, ``[judge, task]``: shares of a ranking that at least ``need`` judges support."""
    k1, k2 = np.zeros(counts.shape), np.zeros(counts.shape)
    for part in parts(last.shape[2], last.shape[1]):
        piece, weight, quorum = last[:, :, part], counts[:, part], need[part]
        size = (piece > 0).sum(axis=1)
        pairs = size * (size - 1) / 2
        piece, there, total = _supported_items(piece, *held(piece, weight), quorum)
        np.divide(_singles(piece, there, total, quorum, gamma), size, out=k1[:, part], where=size > 0)
        np.divide(_ordered_pairs(piece, weight, quorum, lam), pairs, out=k2[:, part], where=pairs > 0)
    return k1, k2


def _supported_items(last: Array, there: Array, total: Array, need: Array) -> tuple[Array, Array, Array]:
    """Only the items that enough judges hold, or as many rows as the task richest in them has.

    A pair is supported only where both its items are; top-k lists have many items that hardly anybody holds.
    """
    supported = there >= need
    if last.shape[2] == 1:
        kept = np.flatnonzero(supported)
        return last[:, kept], there[kept], total[kept]
    most = int(np.count_nonzero(supported, axis=0).max(initial=0))
    if most == len(there):
        return last, there, total
    order = np.argsort(~supported, axis=0, kind="stable")[:most]
    there, total = np.take_along_axis(there, order, axis=0), np.take_along_axis(total, order, axis=0)
    return np.take_along_axis(last, order[None], axis=1), there, total


def _singles(last: Array, there: Array, total: Array, need: Array, gamma: float) -> Array:
    own = (last > 0) & (there >= need)
    if gamma == 1:
        return np.asarray(np.count_nonzero(own, axis=1), float)
    mean = total / np.maximum(there, 1)
    return np.asarray((own * np.exp(math.log(gamma) * np.abs(last - mean))).sum(axis=1))


def _ordered_pairs(last: Array, counts: Array, need: Array, lam: float) -> Array:
    before = precedence(last, counts)
    supported = before >= need
    return _plain_pairs(last, supported) if lam == 1 else _weighted_pairs(last, counts, before, supported, lam)


def _plain_pairs(last: Array, supported: Array) -> Array:
    early, late = _early_late(last)
    out = np.empty((last.shape[0], last.shape[2]))
    less = np.empty(supported.shape, bool)
    for k in range(last.shape[0]):
        np.less(early[k, :, None], late[k, None], out=less)
        np.logical_and(less, supported, out=less)
        # Rows first in small integers: a bool sum over the leading axes is several times slower.
        rows = np.add.reduce(less.view(np.uint8), axis=0, dtype=np.uint16 if last.shape[1] < 65536 else np.uint32)
        out[k] = np.add.reduce(rows, axis=0, dtype=np.int64)
    return out


def _weighted_pairs(last: Array, counts: Array, before: Array, supported: Array, lam: float) -> Array:
    i, j, t = np.nonzero(supported)
    mean = gap_sums(last, counts)[i, j, t] / before[i, j, t]
    out = np.empty((last.shape[0], last.shape[2]))
    for k in range(last.shape[0]):
        first, second = last[k, i, t].astype(np.int64), last[k, j, t].astype(np.int64)
        own = (first > 0) & (second > first)
        weight = lam ** np.abs((second - first)[own] - mean[own])
        out[k] = np.bincount(t[own], weight, minlength=last.shape[2])
    return out
