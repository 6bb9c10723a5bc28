"""Tau-b and rho of two judges over the items that both hold, where lists hold few of a task's many items.

What two judges have in common does not change when their places are dealt anew. So it is looked up once, and then any
number of dealt copies go through together: arrays are ``[cell, copy]``, a cell being one item of one judge's list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import LONG, agreeing
from quorate.kernels.ranks import dense

Array = NDArray[Any]
MANY = 16  # items in common, from which on places are counted instead of compared
CELLS = 1 << 22  # of [item, pair, copy] arrays at a time
AT_ONCE = 1 << 18  # comparisons of two items that are made in one step


@dataclass(frozen=True, eq=False)
class Common:
    """The lists of a stack without the items they lack, and for every two judges of a task the cells of both."""

    lists: Array  # (task, judge, place in the list), 0 beyond its end
    pairs: int  # of judges in a task
    groups: tuple[tuple[Array, Array, Array], ...]  # cells of one and the other [item, pair]; number of the pair

    @classmethod
    def of(cls, positions: Array, pairs: tuple[Array, Array] | None = None) -> Common:
        """Look up what judges of ``positions[task, judge, item]`` have in common: those of ``pairs``, or every two."""
        tasks, judges, items = positions.shape
        a, b = np.triu_indices(judges, 1) if pairs is None else pairs
        there = np.flatnonzero(positions > 0)
        row, item = np.divmod(there, max(items, 1))  # a row for every judge of a task
        length = np.bincount(row, minlength=tasks * judges)
        longest = int(length.max(initial=0))
        seat = np.arange(len(there)) + np.repeat(np.arange(len(length)) * longest - length.cumsum() + length, length)
        lists, named = np.zeros(len(length) * longest, positions.dtype), np.full(len(length) * longest, items)
        lists[seat], named[seat] = positions.ravel()[there], item
        cell = np.full((len(length), items + 1), -1)  # the last column for seats beyond the end of a list
        cell[row, item] = seat
        found: dict[int, list[tuple[Array, Array, Array]]] = {}
        step = max(1, CELLS // max(len(a) * longest, 1))
        for t in range(0, tasks, step):
            first, second = ((np.arange(t, min(t + step, tasks))[:, None] * judges + k).ravel() for k in (a, b))
            for size, group in _groups(cell, named.reshape(len(length), longest), first, second, t * len(a)):
                found.setdefault(size, []).append(group)
        groups = tuple(
            tuple(np.concatenate(part, axis=-1) for part in zip(*pieces, strict=True))
            for _, pieces in sorted(found.items())
        )
        return cls(lists.reshape(tasks, judges, longest), len(a), groups)  # type: ignore[arg-type]

    @cached_property
    def strict(self) -> bool:
        """Whether no list has ties."""
        return bool((self.lists.max(axis=2, initial=0) == (self.lists > 0).sum(axis=2)).all())

    @property
    def work(self) -> int:
        """Pairs of items to be compared for one copy."""
        return sum(int(mine.size * len(mine)) for mine, _, _ in self.groups) // 2

    def dealt(self, rng: np.random.Generator, copies: int) -> Array:
        """Places dealt anew among the items of each list, ``[cell, copy]``; only their order means something."""
        if self.strict:
            return rng.random((self.lists.size, copies), dtype=np.float32)
        key = rng.random((copies, *self.lists.shape), dtype=np.float32)
        key[:, self.lists == 0] = 2
        seats = np.broadcast_to(self.lists, key.shape)
        mixed = np.take_along_axis(seats, np.argsort(key, axis=3), axis=3)
        return _cells(mixed.reshape(copies, -1).T)

    @property
    def own(self) -> Array:
        """The lists as they are: one copy."""
        return _cells(self.lists.reshape(-1, 1))

    def correlate(self, measure: str, first: Array, second: Array) -> Array:
        """Tau-b (``tau``) or rho of the first judge's ``first`` and the other's ``second``, ``[task, pair, copy]``.

        Pairs of judges are (1, 2), (1, 3), ...; NaN with fewer than two items in common or when one ties them all.
        """
        copies = max(first.shape[1], second.shape[1])
        out = np.full((len(self.lists) * self.pairs, copies), np.nan)
        kernel = _tau if measure == "tau" else _rho
        for mine, yours, number in self.groups:
            step = max(1, CELLS // (len(mine) * copies))
            for a in range(0, len(number), step):
                x, y = first[mine[:, a : a + step]], second[yours[:, a : a + step]]
                out[number[a : a + step]] = kernel(x, y, self.strict)
        return out.reshape(len(self.lists), self.pairs, copies)

    def means(self, values: Array, counts: Array) -> Array:
        """Mean over pairs of judges of what :meth:`correlate` gives, ``[task, copy]``; undefined pairs are left out."""
        judges = counts.shape[1]
        a, b = np.triu_indices(judges, 1)
        weight = (counts[:, a] * counts[:, b]).astype(float)[:, :, None]
        known = ~np.isnan(values)
        # A row that stands for many judges has pairs of its own, who agree.
        own = np.where(self.lists.max(axis=2, initial=0) > 1, counts * (counts - 1) / 2, 0.0).sum(axis=1)[:, None]
        total = (np.where(known, values, 0.0) * weight).sum(axis=1) + own
        of = (known * weight).sum(axis=1) + own
        return np.asarray(np.divide(total, of, out=np.full(total.shape, np.nan), where=of > 0))

    def others(self, first: Array, second: Array, counts: Array) -> Array:
        """Mean over the other judges, ``[task, judge, copy]``, where every judge counts once or not at all.

        ``first`` has the correlations of a pair's first judge with the other, ``second`` those of the second.
        """
        tasks, judges = counts.shape
        a, b = np.triu_indices(judges, 1)
        total, of = np.zeros((2, tasks, judges, first.shape[2]))
        for values, mine, yours in ((first, a, b), (second, b, a)):
            known = ~np.isnan(values)
            plain = np.where(known, values, 0.0)
            for p, (j, k) in enumerate(zip(mine.tolist(), yours.tolist(), strict=True)):
                weight = counts[:, k, None]
                total[:, j] += plain[:, p] * weight
                of[:, j] += known[:, p] * weight
        return np.asarray(np.divide(total, of, out=np.full(total.shape, np.nan), where=of > 0))


def _groups(
    cell: Array, named: Array, first: Array, second: Array, start: int
) -> Iterator[tuple[int, tuple[Array, Array, Array]]]:
    """Pairs of rows by how many items they share, from two on; of ``cell[row, item]`` and the items of each seat."""
    seats = named.shape[1]
    theirs = cell.ravel().take(named[first] + second[:, None] * cell.shape[1]).ravel()
    held = np.flatnonzero(theirs >= 0)
    pair, seat = np.divmod(held, max(seats, 1))
    mine, yours = first[pair] * seats + seat, theirs[held]
    sizes = np.bincount(pair, minlength=len(first))
    begin = sizes.cumsum() - sizes
    order = np.argsort(sizes, kind="stable")
    ends = np.searchsorted(sizes[order], np.arange(2, int(sizes.max(initial=0)) + 2)).tolist()
    for size, (low, high) in enumerate(pairwise(ends), 2):
        if low < high:
            some = order[low:high]
            at = begin[some] + np.arange(size)[:, None]  # [item, pair]
            yield size, (mine[at], yours[at], some + start)


def _cells(places: Array) -> Array:
    small = np.int8 if places.max(initial=0) < 127 else np.int32
    return np.ascontiguousarray(places.astype(small))


def _signs(values: Array) -> Iterator[Array]:
    """For each item but the last: whether the later ones come after it (1), with it (0) or before it (-1)."""
    for i in range(len(values) - 1):
        rest = values[i + 1 :]
        yield (rest > values[i]).view(np.int8) - (rest < values[i]).view(np.int8)


@lru_cache(maxsize=256)
def _triangle(size: int) -> tuple[Array, Array]:
    """Every two of so many items."""
    first, second = np.triu_indices(size, 1)
    return first, second


def _tau(x: Array, y: Array, strict: bool) -> Array:
    shape, size = np.broadcast_shapes(x.shape[1:], y.shape[1:]), len(x)
    pairs = size * (size - 1) // 2
    if size >= LONG:
        return _long_tau(*np.broadcast_arrays(x, y))
    sums = _sums_at_once if pairs * math.prod(shape) <= AT_ONCE else _sums
    top, left, right = sums(x, y, strict)
    return np.asarray((2 * top - pairs) / pairs) if strict else _ratio(top.astype(float), left, right)


def _long_tau(x: Array, y: Array) -> Array:
    """The same for many items, without looking at every pair of them."""
    out = np.empty(x.shape[1:])
    for at in np.ndindex(out.shape):
        one, other = dense(np.stack([x[:, *at], y[:, *at]])[None])[0]
        top, _, left, right = agreeing(one, other[None])
        out[at] = _ratio(top, left, right)[0]
    return out


def _sums_at_once(x: Array, y: Array, strict: bool) -> tuple[Array, Array, Array]:
    """Little work: all pairs of items in one comparison."""
    first, second = _triangle(len(x))
    a, b, c, d = (v.take(items, axis=0) for v in (x, y) for items in (first, second))
    if strict:
        alike = np.add.reduce(((b > a) == (d > c)).view(np.int8), axis=0, dtype=np.int32)
        return alike, alike, alike
    mine = (b > a).view(np.int8) - (b < a).view(np.int8)
    yours = (d > c).view(np.int8) - (d < c).view(np.int8)
    top, left, right = (np.add.reduce(v, axis=0, dtype=np.int32) for v in (mine * yours, mine & 1, yours & 1))
    return top, left, right


def _sums(x: Array, y: Array, strict: bool) -> tuple[Array, Array, Array]:
    """Pairs ordered alike, of strict lists; else those alike less those reversed, and those that each does not tie."""
    size = len(x)
    top = np.zeros(np.broadcast_shapes(x.shape[1:], y.shape[1:]), np.int32)
    small = np.int16 if size < 2**15 else np.int32
    if strict:
        for i in range(size - 1):
            alike = (x[i + 1 :] > x[i]) == (y[i + 1 :] > y[i])
            top += np.add.reduce(alike.view(np.int8), axis=0, dtype=small)
        return top, top, top
    left, right = np.zeros(x.shape[1:], np.int32), np.zeros(y.shape[1:], np.int32)
    for mine, yours in zip(_signs(x), _signs(y), strict=True):
        top += np.add.reduce(mine * yours, axis=0, dtype=small)
        left += np.add.reduce(mine & 1, axis=0, dtype=small)
        right += np.add.reduce(yours & 1, axis=0, dtype=small)
    return top, left, right


def _rho(x: Array, y: Array, strict: bool) -> Array:
    """Twice an item's rank less the mean is how many come before it less how many after."""
    mine, yours = _centred(x), _centred(y)
    top = np.einsum("irc,irc->rc", *np.broadcast_arrays(mine, yours))
    if strict:
        return np.asarray(top * (3 / (len(x) * (len(x) ** 2 - 1))))
    return _ratio(top, *(np.einsum("irc,irc->rc", v, v) for v in (mine, yours)))


def _centred(values: Array) -> Array:
    if len(values) > MANY and values.dtype.kind == "i":
        return _by_counting(values)
    if len(values) * values.size <= AT_ONCE:
        one, other = values[:, None], values[None]
        sign = (one > other).view(np.int8) - (one < other).view(np.int8)
        return np.asarray(np.add.reduce(sign, axis=1, dtype=np.int32), float)
    out = np.zeros(values.shape, np.int16 if len(values) < 2**15 else np.int32)
    for i, sign in enumerate(_signs(values)):
        out[i + 1 :] += sign
        out[i] -= np.add.reduce(sign, axis=0, dtype=out.dtype)
    return out.astype(float)


def _by_counting(values: Array) -> Array:
    """The same for many items: how many of a list stand at each place tells how many come before."""
    size, last = len(values), int(values.max()) + 1
    rows = values.reshape(size, -1)
    flat = rows + np.arange(rows.shape[1]) * last
    held = np.bincount(flat.ravel(), minlength=rows.shape[1] * last).reshape(-1, last)
    twice = 2 * held.cumsum(axis=1) - held - size  # before and with, less after and with
    return twice.ravel()[flat].reshape(values.shape).astype(float)


def _ratio(top: Array, left: Array, right: Array) -> Array:
    scale = np.sqrt(left.astype(float) * right)
    return np.asarray(np.clip(np.divide(top, scale, out=np.full(top.shape, np.nan), where=scale > 0), -1, 1))
