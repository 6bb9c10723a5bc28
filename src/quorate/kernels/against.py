"""How alike each list is to each judge: rectangular, so that many lists against few judges cost what they must.

``lists[task, list, item]`` against ``judges[task, judge, item]`` gives ``[task, list, judge]``; NaN where two have too
little in common. What an absent item means is said as in :mod:`~quorate.kernels.missing`; all three policies come down
to matrix products over the signs of item pairs (tau-b) or over ranks (rho).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import LONG, agreeing
from quorate.kernels.missing import dense
from quorate.kernels.ranks import fill_below, mid_ranks

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time


def tau_b(lists: Array, judges: Array, missing: str = "unknown") -> Array:
    """Kendall's tau-b, which is tau-a where neither of the two has ties."""
    if _alike(lists, judges):
        found = tau_b(lists[:1], judges[:1], missing)
        return np.broadcast_to(found, (len(lists), *found.shape[1:]))
    if lists.shape[2] >= LONG and missing != "top-k":
        return _long_tau_b(lists, judges, missing)
    return _in_parts(_tau_b, lists, judges, missing, lists.shape[2] * (lists.shape[2] - 1) // 2)


def rho(lists: Array, judges: Array, missing: str = "unknown") -> Array:
    """Spearman's rho, tied items sharing the mean of their ranks."""
    if _alike(lists, judges):
        found = rho(lists[:1], judges[:1], missing)
        return np.broadcast_to(found, (len(lists), *found.shape[1:]))
    gaps = missing == "unknown" and not ((lists > 0).all() and (judges > 0).all())
    return _in_parts(_rho_common if gaps else _rho, lists, judges, missing, lists.shape[2] ** (2 if gaps else 1))


def _alike(lists: Array, judges: Array) -> bool:
    """Whether all tasks are one and the same, as where only the counts of judges differ."""
    return len(lists) > 1 and lists.strides[0] == 0 and judges.strides[0] == 0


def _long_tau_b(lists: Array, judges: Array, missing: str) -> Array:
    """The same for long rankings, without looking at every pair of items."""
    if missing == "below":
        lists, judges = fill_below(lists), fill_below(judges)
    out = np.full((lists.shape[0], lists.shape[1], judges.shape[1]), np.nan)
    for t, a, b in np.ndindex(out.shape):
        both = (lists[t, a] > 0) & (judges[t, b] > 0)
        if both.any():
            two = np.stack([lists[t, a][both], judges[t, b][both]])
            top, _, apart = agreeing(dense(two[None])[0])
            out[t, a, b] = _ratio(top[:1, 1].astype(float), *apart.astype(float)[:, None])[0]
    return out


def _in_parts(kernel: Callable[..., Array], lists: Array, judges: Array, missing: str, cells: int) -> Array:
    """A few tasks at a time, and of one large task a few lists."""
    tasks, size, _ = lists.shape
    out = np.empty((tasks, size, judges.shape[1]))
    step = max(1, CELLS // max(cells * (size + judges.shape[1]), 1))
    wide = max(1, CELLS // max(cells, 1)) if step == 1 else size
    for a in range(0, tasks, step):
        for b in range(0, size, max(wide, 1)):
            out[a : a + step, b : b + wide] = kernel(lists[a : a + step, b : b + wide], judges[a : a + step], missing)
    return out


def _times(left: Array, right: Array) -> Array:
    return np.asarray(np.matmul(left, right.transpose(0, 2, 1)), np.float64)


def _ratio(top: Array, left: Array, right: Array) -> Array:
    scale = np.sqrt(np.maximum(left, 0) * np.maximum(right, 0))
    return np.asarray(np.clip(np.divide(top, scale, out=np.full(top.shape, np.nan), where=scale > 0), -1, 1))


def _signs(lists: Array, judges: Array) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Signs of item pairs of lists and judges (0 for tied or absent), and which pairs they hold; in pieces."""
    first, second = np.triu_indices(lists.shape[2], 1)
    step = max(1, CELLS // max(lists.shape[0] * (lists.shape[1] + judges.shape[1]), 1))
    for a in range(0, len(first), step):
        i, j = first[a : a + step], second[a : a + step]
        out = []
        for rows in (lists, judges):
            held = (rows[:, :, i] > 0) & (rows[:, :, j] > 0)
            out += [(np.sign(rows[:, :, j] - rows[:, :, i]) * held).astype(np.float32), held.astype(np.float32)]
        yield out[0], out[1], out[2], out[3]


def _tau_b(lists: Array, judges: Array, missing: str) -> Array:
    outside, both, size = _outside(lists, judges, missing)
    if missing != "unknown":
        lists, judges = fill_below(lists), fill_below(judges)
    shape = (lists.shape[0], lists.shape[1], judges.shape[1])
    top, left, right = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for mine, held, theirs, other in _signs(lists, judges):
        top += _times(mine, theirs)
        left += _times(np.abs(mine), other)
        right += _times(held, np.abs(theirs))
    # Items outside both lists look as if they came last in both.
    return _ratio(top - both * outside, left - size[0] * outside, right - size[1] * outside)


def _outside(lists: Array, judges: Array, missing: str) -> tuple[Array, Array, tuple[Array, Array]]:
    """Items in neither of two (0 unless these do not count), items in both, and how many each holds."""
    mine, theirs = (lists > 0).astype(np.float32), (judges > 0).astype(np.float32)
    both = _times(mine, theirs)
    size = mine.sum(axis=2)[:, :, None], theirs.sum(axis=2)[:, None, :]
    outside = lists.shape[2] - (size[0] + size[1] - both) if missing == "top-k" else np.zeros_like(both)
    return outside, both, size


def _rho(lists: Array, judges: Array, missing: str) -> Array:
    """Ranks over all items; with ``top-k`` what the items outside both add is taken out again."""
    d, both, (m, k) = _outside(lists, judges, missing)
    mine, theirs = (lists > 0).astype(float), (judges > 0).astype(float)
    x, y = (mid_ranks(fill_below(rows)) - (rows.shape[2] + 1) / 2 for rows in (lists, judges))
    top = _times(x, y)
    left, right = (x**2).sum(axis=2)[:, :, None], (y**2).sum(axis=2)[:, None, :]
    if missing == "top-k":
        # Without the d items outside, a listed item's rank is d / 2 higher above the mean, and theirs, at size / 2, go.
        top += d / 2 * (_times(x, theirs) + _times(mine, y)) + d**2 / 4 * both - d * m * k / 4
        left = left + d * (x * mine).sum(axis=2)[:, :, None] + d**2 / 4 * m - d * m**2 / 4
        right = right + d * (y * theirs).sum(axis=2)[:, None, :] + d**2 / 4 * k - d * k**2 / 4
    return _ratio(top, left, right)


def _rho_common(lists: Array, judges: Array, missing: str) -> Array:
    """Ranks over the items that both hold, from the signs of an item against those that the other holds too."""
    x, y = _centred(lists, judges), _centred(judges, lists).transpose(0, 3, 1, 2)
    x = x.transpose(0, 1, 3, 2)
    return _ratio((x * y).sum(axis=3), (x**2).sum(axis=3), (y**2).sum(axis=3))


def _centred(rows: Array, others: Array) -> Array:
    """Ranks less their mean over the items that both hold, ``[task, row, item, other]``; 0 where one lacks the item."""
    held = rows > 0
    sign = np.sign(rows[:, :, :, None] - rows[:, :, None, :]) * (held[:, :, :, None] & held[:, :, None, :])
    there = (others > 0).astype(np.float32).transpose(0, 2, 1)
    out = np.matmul(sign.astype(np.float32), there[:, None]) / 2
    return np.asarray(out.astype(np.float64) * there[:, None])
