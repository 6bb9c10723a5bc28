"""Which judges put one item before another, as bits, and how many pairs of items have the same bits.

Of one task these numbers say all there is to know about shared pairs: what any panel drawn from the same judges shares
follows from them, without looking at the items again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
JUDGES = 12  # up to which sets of judges are few
MANY = 100  # items from which on this is quicker than counting for every panel
CELLS = 1 << 18  # pairs looked at in one step: as many as stay near the processor


def fits(positions: Array) -> bool:
    """Whether all of ``positions[panel, judge, item]`` are the rankings of one long task by few judges."""
    panels, judges, items = positions.shape
    return panels > 0 and (panels == 1 or positions.strides[0] == 0) and 0 < judges <= JUDGES and items >= MANY


def histogram(ranking: Array) -> Array:
    """How many ordered pairs of items each set of judges, and no other judge, puts in that order: ``[bitset]``.

    From ``ranking[judge, item]``, 0 where an item is absent. The empty set is not counted.

    >>> histogram(np.array([[1, 2, 3], [1, 3, 2]])).tolist()
    [0, 1, 1, 2]
    """
    judges, items = ranking.shape
    kind = np.uint8 if judges <= 8 else np.uint16
    late: Array = ranking.astype(np.int16 if items < 2**15 - 1 else np.int32)
    early = np.where(late > 0, late, np.iinfo(late.dtype).max)
    strict = bool((late > 0).all() and (late.max(axis=1, initial=0) == items).all())
    out = np.zeros(1 << judges, np.int64)
    step = max(1, CELLS // max(items, 1))
    for a in range(0, items, step):
        bits = _bits(early[:, a : a + step], late[:, a if strict else 0 :], kind)
        own = len(bits) if strict else items
        out += np.bincount(bits[:, :own].ravel(), minlength=len(out))
        beyond = np.bincount(bits[:, own:].ravel(), minlength=len(out))
        out += beyond + beyond[::-1]  # without ties, whoever does not put i before j puts j before i
    out[0] = 0
    return out


def _bits(early: Array, late: Array, kind: Any) -> Array:
    """The judges who put an item of ``early`` before one of ``late``, ``[item, item]``."""
    bits = np.zeros((early.shape[1], late.shape[1]), kind)
    less, bit = np.empty(bits.shape, bool), np.empty(bits.shape, kind)
    for k in range(len(early)):
        np.less(early[k, :, None], late[k, None], out=less)
        np.multiply(less.view(np.uint8), kind(1 << k), out=bit, dtype=kind)
        np.bitwise_or(bits, bit, out=bits)
    return bits


def support(ranking: Array, counts: Array, need: Array) -> tuple[Array, Array]:
    """Shares of each judge's items and ordered pairs that at least ``need[panel]`` judges share, ``[panel, judge]``.

    ``counts[panel, judge]`` says how many judges of a panel each row of ``ranking[judge, item]`` stands for.
    """
    there = (ranking > 0).astype(float)
    size = there.sum(axis=1)
    alone, alike = np.unique(there, axis=1, return_counts=True)  # which judges hold an item, and how many such items
    items = _shared(alone.T, alike, counts, need)
    number = histogram(ranking)
    sets = np.flatnonzero(number)
    pairs = _shared(((sets[:, None] >> np.arange(len(ranking))) & 1).astype(float), number[sets], counts, need)
    return _ratio(items, size), _ratio(pairs, size * (size - 1) / 2)


def _shared(member: Array, number: Array, counts: Array, need: Array) -> Array:
    """How many of each judge's patterns are shared; so many are held by just the judges of ``member[set, judge]``."""
    out = np.empty(counts.shape)
    step = max(1, CELLS // max(len(member), 1))
    for a in range(0, len(counts), step):
        enough = counts[a : a + step].astype(float) @ member.T >= need[a : a + step, None]
        out[a : a + step] = np.where(enough, number, 0.0) @ member
    return out


def _ratio(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.zeros(top.shape), where=np.broadcast_to(bottom > 0, top.shape))
