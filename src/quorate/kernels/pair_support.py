"""Of the pairs of items that a judge puts together, which ones enough judges do.

``labels[task, judge, item]`` are group numbers, -1 where the item is with nothing, -2 where it was not shown to the
judge; ``weights[draw, task, judge]`` says how often each judge counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 20  # judges or draws x pairs of items, held at a time
BYTES = 1 << 19  # judges x items x tasks, where a byte is held of each
ITEMS = 64  # of a task whose judges' pairs fit in a byte


def quorum(q: float | int, judges: Any) -> Any:
    """How many of so many judges make the quorum: a count as it is, a share rounded up.

    >>> quorum(0.5, np.array([5, 4])).tolist(), quorum(2, np.array([5])).tolist(), quorum(1.0, np.array([5])).tolist()
    ([3, 2], [2], [5])
    """
    if isinstance(q, int):
        return np.full(np.shape(judges), q)
    return np.maximum(np.ceil(q * np.asarray(judges) - 1e-9), 1).astype(np.int64)


def supported_pairs(labels: Array, weights: Array, q: float | int) -> tuple[Array, Array, Array]:
    """Each judge's supported pairs, ``[draw, task, judge]``, all pairs, ``[task, judge]``, and how many are supported.

    A pair is supported when the judges who put it together are a quorum of those who were shown both items; the last
    is ``[draw, task]``. Where every judge counts once, thousands of small tasks are several times quicker in bytes than
    as products, which many draws of one task are for.
    """
    tasks, judges, items = labels.shape
    gone = bool((labels < -1).any())
    if len(weights) == 1 and items <= ITEMS and judges < 255 and not gone and (weights == 1).all():
        return _in_bytes(labels, int(quorum(q, judges)))
    shared, own = np.zeros((len(weights), tasks, judges)), np.zeros((tasks, judges))
    known = np.zeros((len(weights), tasks))
    total = weights.sum(axis=2)
    often = weights.transpose(1, 0, 2).astype(np.float32 if int(total.max(initial=0)) < 1 << 24 else np.float64)
    first, second = np.triu_indices(items, 1)
    step = max(1, CELLS // max(judges * len(first), 1))
    width = max(1, CELLS // (min(step, tasks) * max(judges, len(weights)))) if tasks and judges else 1
    for t in range(0, tasks, step):
        at, times = slice(t, t + step), often[t : t + step]
        for p in range(0, len(first), width):
            a, b = (labels[at][:, :, x[p : p + width]] for x in (first, second))
            same = (a == b) & (a >= 0)
            shown = times @ ((a > -2) & (b > -2)).astype(times.dtype) if gone else total.T[at][:, :, None]
            member = same.astype(times.dtype)
            enough = (times @ member >= quorum(q, shown) - 0.5).astype(times.dtype)  # [task, draw, pair]
            shared[:, at] += (enough @ member.swapaxes(1, 2)).swapaxes(0, 1)
            own[at] += same.sum(axis=2)
            known[:, at] += enough.sum(axis=2).T
    return shared, own, known


def _in_bytes(labels: Array, need: int) -> tuple[Array, Array, Array]:
    """The same where every judge counts once: tasks run along the last axis, a byte of each judge and item."""
    tasks, judges, items = labels.shape
    shared, own, known = np.zeros((judges, tasks)), np.zeros((judges, tasks)), np.zeros(tasks)
    step = max(1, BYTES // max(judges * items, 1))
    for t in range(0, tasks, step):
        at = slice(t, t + step)
        here = np.ascontiguousarray(labels[at].transpose(1, 2, 0), np.int8)
        other = np.where(here < 0, np.int8(-2), here)  # what is with nothing equals nothing
        for i in range(items - 1):
            same = here[:, i, None] == other[:, i + 1 :]  # [judge, item, task]
            enough = _true(same, axis=0) >= min(need, 255)
            own[:, at] += _true(same, axis=1)
            same &= enough
            shared[:, at] += _true(same, axis=1)
            known[at] += _true(enough, axis=0)
    return shared.T[None], own.T, known[None]


def _true(held: Array, axis: int) -> Array:
    """How many are true: fewer than 256, so a byte holds them."""
    return np.asarray(np.add.reduce(held.view(np.uint8), axis=axis, dtype=np.uint8))
