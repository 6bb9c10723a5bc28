"""Co-association, small: how many judges put two items together, used both, and were shown both, as a table of pairs.

``labels[task, judge, item]`` are group numbers that mean nothing beyond their judge, -1 where the judge left the item
out, -2 where it was not shown to him. ``weights[draw, task, judge]`` says how often each judge counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 18  # judges x pairs of items, held at a time


def co_association(labels: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Judges who put two items together, who used both, who were shown both, ``[draw, task, item, item]`` each.

    On the diagonal stands how many used the item, or were shown it.

    >>> found = co_association(np.array([[[0, 0, 1], [0, 0, -1]]]), np.array([[[1, 2]]]))
    >>> found[0][0, 0].tolist(), found[1][0, 0].tolist()
    ([[3, 3, 0], [3, 3, 0], [0, 0, 1]], [[3, 3, 1], [3, 3, 1], [1, 1, 1]])
    """
    tasks, judges, items = labels.shape
    total = weights.sum(axis=2)
    often = _exact(weights.transpose(1, 0, 2))
    together = np.empty((len(weights), tasks, items, items), np.int32)
    lines = max(1, min(CELLS // max(judges * items, 1), items))
    step = max(1, CELLS // max(judges * items * lines, 1))
    for t in range(0, tasks, step):
        own, times = labels[t : t + step], often[t : t + step]
        own, named = _narrow(own)
        for i in range(0, items, lines):
            same = own[:, :, i : i + lines, None] == named[:, :, None, :]
            found = times @ same.reshape(*own.shape[:2], -1).astype(times.dtype)
            shape = (*found.shape[:2], -1, items)
            together[:, t : t + step, i : i + lines] = found.reshape(shape).transpose(1, 0, 2, 3)
    return together, _both(labels >= 0, often, total), _both(labels >= -1, often, total)


def _exact(weights: Array) -> Array:
    """Whole numbers as floats whose sums are exact: half as wide where these stay small."""
    return weights.astype(np.float32 if int(weights.sum(axis=-1).max(initial=0)) < 1 << 24 else np.float64)


def _narrow(labels: Array) -> tuple[Array, Array]:
    """The labels in little room, for groups are no more than items; and once more, what is in no group equal to
    nothing."""
    own = labels.astype(np.int16 if labels.shape[-1] < 1 << 15 else np.int64)
    return own, np.where(labels < 0, own.dtype.type(-3), own)


def _both(held: Array, often: Array, total: Array) -> Array:
    """How many judges hold both of two items; where all hold everything a view that takes no room."""
    items = held.shape[2]
    if held.all():
        return np.broadcast_to(total.astype(np.int32)[:, :, None, None], (*total.shape, items, items))
    own = held.astype(often.dtype)
    found = (own[:, None] * often[:, :, :, None]).swapaxes(2, 3) @ own[:, None]
    return np.asarray(np.rint(found).astype(np.int32).swapaxes(0, 1))
