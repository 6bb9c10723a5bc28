"""Which judges put one item before another, as bits, and how many pairs of items have the same bits.

Frequent patterns grow by these bits. Of one task the numbers of pairs say all there is to know about shared pairs: what
any panel drawn from the same judges shares follows from them, without looking at the items again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import LONG, agreeing
from quorate.kernels.ranks import dense, strict

Array = NDArray[Any]
JUDGES = 12  # up to which sets of judges are few
MANY = 100  # items from which on this is quicker than counting for every panel
CELLS = 1 << 18  # pairs looked at in one step: as many as stay near the processor


def fits(positions: Array) -> bool:
    """Whether all of ``positions[panel, judge, item]`` are the rankings of one long task by few judges."""
    panels, judges, items = positions.shape
    return panels > 0 and (panels == 1 or positions.strides[0] == 0) and 0 < judges <= JUDGES and items >= MANY


def relation(seats: Array, first: slice = slice(None)) -> Array:
    """Judges who put i before j, for i in ``first``, as bits, ``[task, i, j, word]``; those who hold i for j = i.

    >>> relation(np.array([[[1, 2, 0], [2, 1, 3]]]))[0, :, :, 0].tolist()
    [[3, 1, 2], [2, 3, 2], [0, 0, 2]]
    """
    tasks, judges, items = seats.shape
    if int(seats.max(initial=0)) < np.iinfo(np.int16).max:
        seats = seats.astype(np.int16)
    early, own = np.where(seats > 0, seats, np.iinfo(seats.dtype).max)[:, :, first], np.arange(items)[first]
    kind: Any = next((k for k in (np.uint8, np.uint16, np.uint32) if judges <= np.iinfo(k).bits), np.uint64)
    out = np.zeros((-(-judges // 64) or 1, tasks, len(own), items), kind)
    step = 64 if min(judges, 64) * out[0].size <= CELLS else 1  # judges compared together
    for k in range(0, judges, step):
        less = early[:, k : k + step, :, None] < seats[:, k : k + step, None]
        less[:, :, np.arange(len(own)), own] = seats[:, k : k + step, first] > 0
        bit = kind(1) << np.arange(k % 64, k % 64 + less.shape[1], dtype=kind)
        some = np.multiply(less.view(np.uint8), bit[:, None, None], dtype=kind)
        out[k // 64] |= some[:, 0] if step == 1 else np.bitwise_or.reduce(some, axis=1)
    return np.moveaxis(out, 0, -1)


def histogram(ranking: Array) -> Array:
    """How many ordered pairs of items each set of judges, and no other judge, puts in that order: ``[bitset]``.

    From ``ranking[judge, item]``, 0 where an item is absent. The empty set is not counted.

    >>> histogram(np.array([[1, 2, 3], [1, 3, 2]])).tolist()
    [0, 1, 1, 2]
    """
    judges, items = ranking.shape
    if judges == 2 and items >= LONG:
        return _of_two(ranking)
    out = np.zeros(1 << judges, np.int64)
    step, whole = max(1, CELLS // max(items, 1)), strict(ranking[None])
    for a in range(0, items, step):
        skipped = a if whole else 0
        bits = relation(ranking[None, :, skipped:], slice(a - skipped, a - skipped + step))[0, :, :, 0]
        np.fill_diagonal(bits[:, a - skipped :], 0)
        own = len(bits) if whole else items
        out += np.bincount(bits[:, :own].ravel(), minlength=len(out))
        beyond = np.bincount(bits[:, own:].ravel(), minlength=len(out))
        out += beyond + beyond[::-1]  # without ties, whoever does not put i before j puts j before i
    out[0] = 0
    return out


def _of_two(ranking: Array) -> Array:
    """The same of two judges, whose rankings are sorted: n log n where pairs are n squared."""
    own = [_ordered(row[row > 0]) for row in ranking]
    one, other = dense(ranking[None, :, (ranking > 0).all(axis=0)])[0]
    alike = 0
    if len(one):
        difference, both, left, right = (int(x) for x in map(np.squeeze, agreeing(one, other[None])))
        untied = left + right + both - len(one) * (len(one) - 1) // 2  # pairs that both order
        alike = (untied + difference) // 2
    return np.array([0, own[0] - alike, own[1] - alike, alike])


def _ordered(row: Array) -> int:
    """Pairs of items that a ranking does not tie."""
    size = np.bincount(row)
    return int((len(row) ** 2 - (size**2).sum()) // 2)


def counted_sets(member: Array) -> tuple[Array, Array]:
    """The different sets of judges of ``member[thing, judge]``, ``[set, judge]``, and how many things have each; of
    more than JUDGES judges every thing has a set of its own."""
    things, judges = member.shape
    if judges > JUDGES:
        return member, np.ones(things, np.int64)
    number = np.bincount(member @ (1 << np.arange(judges)), minlength=1 << judges)
    sets = np.flatnonzero(number)
    return (sets[:, None] >> np.arange(judges)) & 1, number[sets]


def support(ranking: Array, counts: Array, need: Array) -> tuple[Array, Array]:
    """Shares of each judge's items and ordered pairs that at least ``need[panel]`` judges share, ``[panel, judge]``.

    ``counts[panel, judge]`` says how many judges of a panel each row of ``ranking[judge, item]`` stands for.
    """
    size = (ranking > 0).sum(axis=1)
    alone, alike = counted_sets((ranking > 0).T)  # which judges hold an item, and how many such items
    items = shared(alone.astype(float), alike, counts, need)
    number = histogram(ranking)
    sets = np.flatnonzero(number)
    pairs = shared(((sets[:, None] >> np.arange(len(ranking))) & 1).astype(float), number[sets], counts, need)
    return _ratio(items, size), _ratio(pairs, size * (size - 1) / 2)


def shared(member: Array, number: Array, counts: Array, need: Array) -> Array:
    """How many of each judge's patterns are shared; so many are held by just the judges of ``member[set, judge]``."""
    out = np.empty(counts.shape)
    step = max(1, CELLS // max(len(member), 1))
    for a in range(0, len(counts), step):
        enough = counts[a : a + step].astype(float) @ member.T >= need[a : a + step, None]
        out[a : a + step] = np.where(enough, number, 0.0) @ member
    return out


def _ratio(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.zeros(top.shape), where=np.broadcast_to(bottom > 0, top.shape))
