"""Weight of the chains that all judges of a set share, for many sets, lists and tasks at once.

A chain is a row of items each of which every judge of the set puts before the next, and so does the list that it is
looked for in. Their number and their lengths follow item by item along the list.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pattern_rule import Rule

Array = NDArray[Any]
CELLS = 1 << 19  # pairs of items held at a time, as many as stay in the cache
LARGE = 1 << 22  # of them for one list at most
TABLE = 1 << 18  # cells of a table from bitsets to sets
EXACT_SINGLE = 20  # items up to which counts and sums of lengths are whole numbers below 2**24


def relation(seats: Array) -> Array:
    """Judges who put i before j as bits, ``[task, i, j]``; on the diagonal those who hold i."""
    tasks, judges, items = seats.shape
    early = np.where(seats > 0, seats, np.iinfo(seats.dtype).max)
    less = early[:, :, :, None] < seats[:, :, None, :]
    own = np.arange(items)
    less[:, :, own, own] = seats > 0
    octets = np.packbits(less, axis=1, bitorder="little")
    out = np.zeros((tasks, items, items), np.uint16 if judges <= 16 else np.uint32 if judges <= 32 else np.uint64)
    for k in range(octets.shape[1]):
        out |= octets[:, k].astype(out.dtype) << out.dtype.type(8 * k)
    return out


def weigh(before: Array, lists: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """Sum over sets of ``factor[set, draw]`` x weight of the chains that set and list share, ``[task, list, draw]``."""
    tasks, size, items = lists.shape
    fit = max(1, LARGE // max(items * items // 2, 1))
    if len(sets) > fit:  # with many items a few sets at a time
        pieces = range(0, len(sets), fit)
        return np.asarray(sum(weigh(before, lists, sets[a : a + fit], factor[a : a + fit], rule) for a in pieces))
    out = np.zeros((tasks * size, *factor.shape[1:]))
    table = _table(sets, np.float32 if items <= EXACT_SINGLE else np.float64)
    late, early = _pairs(items)
    step = max(1, CELLS // max(len(sets) * len(late), 1))
    rows, flat = before.reshape(tasks, -1), lists.reshape(-1, items)
    for a in range(0, len(out) if items and len(sets) else 0, step):
        seat = flat[a : a + step].T
        order = np.argsort(np.where(seat > 0, seat, np.iinfo(seat.dtype).max), axis=0, kind="stable")
        seat = np.take_along_axis(seat, order, axis=0)
        task = np.arange(a, a + seat.shape[1]) // size
        bits = rows[task, order[early] * items + order[late]]
        bits[(seat[early] == seat[late]) | (seat[late] == 0)] = 0  # tied in the list, or absent from it
        part = out[a : a + step]
        if rule.min_len == 1:
            own = np.where(seat > 0, rows[task, order * (items + 1)], 0)
            part += rule.by_length(1) * _times(_edges(own, sets, table).sum(axis=0, dtype=np.float64), factor)
        if items > 1:
            part += _chains(_edges(bits, sets, table), items, factor, rule)
    return out.reshape(tasks, size, *factor.shape[1:])


@lru_cache(maxsize=16)
def _pairs(items: int) -> tuple[Array, Array]:
    """Later and earlier place of every pair of places, sorted by the later one."""
    return np.tril_indices(items, -1)


def _table(sets: Array, kind: Any) -> Array:
    """For every bitset which of the sets it holds, as 0 and 1; where that is too much, one row that tells the type."""
    size = 1 << int(sets.max(initial=0)).bit_length()
    if size * len(sets) > TABLE:
        return np.zeros((1, 0), kind)
    return np.asarray((np.arange(size)[:, None] & sets) == sets, kind)


def _edges(bits: Array, sets: Array, table: Array) -> Array:
    """Which pairs all judges of a set hold, ``[pair, list, set]`` as 0 and 1."""
    if len(table) > 1:
        known = bits & bits.dtype.type(len(table) - 1)  # without judges who are in no set
        return np.asarray(np.take(table, known, axis=0, mode="clip"))
    return np.asarray((bits[:, :, None] & sets.astype(bits.dtype)) == sets, table.dtype)


def _chains(edge: Array, items: int, factor: Array, rule: Rule) -> Array:
    """Sum over sets of factor x weight of their chains of two and more items, per list."""
    last = items if rule.max_len is None else min(rule.max_len, items)
    if rule.min_len <= 2 and last == items:
        return _all_lengths(edge, items, factor, rule)
    out = np.zeros((edge.shape[1], *factor.shape[1:]))
    ends = np.ones((items, *edge.shape[1:]), edge.dtype)
    for length in range(2, last + 1):
        after = np.zeros_like(ends)
        for j in range(1, items):
            np.einsum("iqu,iqu->qu", edge[j * (j - 1) // 2 : j * (j + 1) // 2], ends[:j], out=after[j])
        ends = after
        if length >= rule.min_len:
            out += rule.by_length(length) * _times(ends.sum(axis=0, dtype=np.float64), factor)
    return out


def _all_lengths(edge: Array, items: int, factor: Array, rule: Rule) -> Array:
    """Chains of all lengths together: their number and the sum of their lengths say what they weigh."""
    number = np.empty((items, *edge.shape[1:]), edge.dtype)  # of chains that end in each item
    spread = np.empty_like(number)  # sum of their lengths
    number[0] = spread[0] = 1
    for j in range(1, items):
        e = edge[j * (j - 1) // 2 : j * (j + 1) // 2]
        np.einsum("iqu,iqu->qu", e, number[:j], out=number[j])
        if rule.w_len:
            np.einsum("iqu,iqu->qu", e, spread[:j], out=spread[j])
            spread[j] += number[j]
            spread[j] += 1
        number[j] += 1
    # Every item alone is a chain too, of number 1 and length 1; it is taken out again.
    out = np.zeros((edge.shape[1], *factor.shape[1:]))
    if rule.w_len != 1:
        out += (1 - rule.w_len) * _times(number.sum(axis=0) - items, factor)
    if rule.w_len:
        out += rule.w_len * _times(spread.sum(axis=0) - items, factor)
    return out


def _times(chains: Array, factor: Array) -> Array:
    """Sum over sets of ``chains[list, set]`` x factor; sets with factor 0 have no part, were their chains countless."""
    countless = ~np.isfinite(chains)
    if not countless.any():
        return np.asarray(chains @ factor)
    found = np.where(countless, 0, chains) @ factor
    return np.where(countless.astype(float) @ (factor != 0), np.nan, found)
