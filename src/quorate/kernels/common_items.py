"""Tau-b and rho of two judges over the items that both hold, where lists hold few of a task's many items.

Pairs of judges with equally many items in common go through together: arrays are ``[item, pair]``, from the cells of
the judges' lists, a cell being one item of one list.
"""

from __future__ import annotations

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
CELLS = 1 << 22  # of [item, pair] arrays at a time
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

    def correlate(self, measure: str) -> Array:
        """Tau-b (``tau``) or rho of each pair of judges, ``[task, pair]``.

        NaN with fewer than two items in common or when one ties them all.
        """
        out = np.full(len(self.lists) * self.pairs, np.nan)
        small = np.int8 if self.lists.max(initial=0) < 127 else np.int32
        places = self.lists.ravel().astype(small)
        kernel = _tau if measure == "tau" else _rho
        for mine, yours, number in self.groups:
            step = max(1, CELLS // len(mine))
            for a in range(0, len(number), step):
                x, y = places[mine[:, a : a + step]], places[yours[:, a : a + step]]
                out[number[a : a + step]] = kernel(x, y, self.strict)
        return out.reshape(len(self.lists), self.pairs)


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
    size = len(x)
    pairs = size * (size - 1) // 2
    if size >= LONG:
        return _long_tau(x, y)
    sums = _sums_at_once if pairs * x.shape[1] <= AT_ONCE else _sums
    top, left, right = sums(x, y, strict)
    return np.asarray((2 * top - pairs) / pairs) if strict else _ratio(top.astype(float), left, right)


def _long_tau(x: Array, y: Array) -> Array:
    """The same for many items, without looking at every pair of them."""
    out = np.empty(x.shape[1])
    for k in range(len(out)):
        one, other = dense(np.stack([x[:, k], y[:, k]])[None])[0]
        top, _, left, right = agreeing(one, other[None])
        out[k] = _ratio(top, left, right)[0]
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
    top = np.zeros(x.shape[1:], np.int32)
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
    top = np.einsum("ir,ir->r", mine, yours)
    if strict:
        return np.asarray(top * (3 / (len(x) * (len(x) ** 2 - 1))))
    return _ratio(top, *(np.einsum("ir,ir->r", v, v) for v in (mine, yours)))


def _centred(values: Array) -> Array:
    if len(values) > MANY:
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
    flat = values + np.arange(values.shape[1]) * last
    held = np.bincount(flat.ravel(), minlength=values.shape[1] * last).reshape(-1, last)
    twice = 2 * held.cumsum(axis=1) - held - size  # before and with, less after and with
    return twice.ravel()[flat].astype(float)


def _ratio(top: Array, left: Array, right: Array) -> Array:
    scale = np.sqrt(left.astype(float) * right)
    return np.asarray(np.clip(np.divide(top, scale, out=np.full(top.shape, np.nan), where=scale > 0), -1, 1))
