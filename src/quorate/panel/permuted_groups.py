"""Groupings as chance would have them, or judges who group as finely: labels permuted, and groups inside groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.partitions import NOWHERE

Array = NDArray[Any]
BESIDE = 1 << 13  # labels permuted in one go
MANY, NARROW = 1 << 18, 1 << 16  # labels that are permuted by sorting, and how many different ones at most


def shuffled(labels: Array, rng: np.random.Generator) -> Array:
    """Every row's labels permuted among its items; what is nowhere stays there."""
    gone = labels == NOWHERE
    if not gone.any():
        many = labels.size > MANY and labels.max() < NARROW - 1
        return _permuted(labels, rng) if many else rng.permuted(labels, axis=-1)
    out = np.empty_like(labels)
    order = np.argsort(np.where(gone, 2.0, rng.random(labels.shape)), axis=-1)
    np.put_along_axis(
        out, np.argsort(gone, axis=-1, kind="stable"), np.take_along_axis(labels, order, axis=-1), axis=-1
    )
    return out


def _permuted(labels: Array, rng: np.random.Generator) -> Array:
    """The same of many rows, sooner: random numbers are sorted, with labels in place of their last bits.

    Some rows at a time, which stay near the processor.
    """
    rows = labels.reshape(-1, labels.shape[-1])
    out, step = np.empty_like(rows), max(1, BESIDE // max(rows.shape[1], 1))
    for a in range(0, len(rows), step):
        own = rows[a : a + step] + 1  # what is left out is -1
        marked = rng.integers(1 << 64, size=own.shape, dtype=np.uint64)
        marked &= ~np.uint64(NARROW - 1)
        marked |= own.astype(np.uint64)
        marked.sort(axis=-1)
        marked &= np.uint64(NARROW - 1)
        out[a : a + step] = marked
    return np.asarray((out - 1).reshape(labels.shape))


def typical(labels: Array) -> Array:
    """The grouping of the judge whose groups are neither the finest nor the coarsest, ``[task, item]``.

    What the judge left out is put into the judge's groups in turn.
    """
    tasks, judges, items = labels.shape
    middle = np.argsort(-fineness(labels), axis=1, kind="stable")[:, judges // 2]
    own = labels[np.arange(tasks), middle]
    out = own < 0
    used = items - out.sum(axis=1, keepdims=True)
    turn = (np.cumsum(out, axis=1) - 1) % np.maximum(used, 1)  # of the items in use, which come first when sorted so
    filled = np.take_along_axis(np.take_along_axis(own, np.argsort(out, axis=1, kind="stable"), axis=1), turn, axis=1)
    return np.where(out, np.maximum(filled, 0), own)


def fineness(labels: Array) -> Array:
    """The logarithm of how many groups each judge made, small ones counting little, ``[task, judge]``.

    >>> np.exp(fineness(np.array([[[0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3]]]))).round(6).tolist()
    [[2.0, 1.0, 4.0]]
    """
    tasks, judges, items = labels.shape
    width = int(labels.max(initial=0)) + 1
    row = np.arange(tasks * judges)[:, None] * (width + 1)
    flat = (np.where(labels < 0, width, labels).reshape(-1, items) + row).ravel()
    size = np.bincount(flat, minlength=tasks * judges * (width + 1)).reshape(tasks, judges, width + 1)[..., :width]
    together = (size**2).sum(axis=2) / np.maximum(size.sum(axis=2), 1) ** 2
    return np.asarray(-np.log(np.maximum(together, 1 / max(items, 1) ** 2)))


def nested(one: Array, grain: Array, rng: np.random.Generator) -> Array:
    """Groups inside groups as fine as ``grain[task, judge]``, the logarithm of their number, ``[task, judge, item]``.

    Made of ``one[task, item]``: the items stand in a line, group by group, which is cut in more or fewer places: the
    same ones for all judges, those between groups first.
    """
    tasks, items = one.shape
    place = np.argsort(np.take_along_axis(rng.random(one.shape), one, axis=1) + rng.random(one.shape) / 1e6, axis=1)
    line = np.take_along_axis(one, place, axis=1)
    first = np.argsort(rng.random((tasks, items - 1)) + (line[:, 1:] == line[:, :-1]), axis=1).argsort(axis=1)
    groups = (line[:, 1:] != line[:, :-1]).sum(axis=1, keepdims=True) + 1
    number = np.maximum(np.rint(groups * np.exp(grain - fineness(one[:, None]))), 1 + (grain > 0))  # one stays one
    cut = first[:, None] < number[:, :, None] - 1
    piece = np.concatenate([np.zeros((*number.shape, 1), np.int64), np.cumsum(cut, axis=2)], axis=2)
    out = np.empty_like(piece)
    np.put_along_axis(out, np.broadcast_to(place[:, None], piece.shape), piece, axis=2)
    return out
