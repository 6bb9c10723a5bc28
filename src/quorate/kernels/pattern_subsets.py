"""FreSPA's score of each judge's order, and of its reverse, by the other judges, for orders of few items.

A pattern in a judge's order is a subset of its places, and who holds it is the AND, over neighbours in the subset, of
who puts one before the other. All subsets of all judges of all tasks go through together, in the order of their bits:
a subset with highest place j and next highest i is one with highest place i, AND one pair. The judges' patterns are
then not to be told apart: one that c judges hold is met c times, and counts 1 / c each time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
JUDGES, ITEMS = 16, 12  # bits of a word, and places up to which listing subsets is quicker than counting chains
SHARES = 720_720  # all numbers up to 16 divide it: shares of whole weights stay whole, and sums of them exact
CELLS = 1 << 19  # of [subset, order] at a time, as many as stay in the cache


def fits(judges: int, items: int) -> bool:
    """Whether the judges are few enough for a word, and the items for their subsets."""
    return 2 <= judges <= JUDGES and 2 <= items <= ITEMS


def scores(
    positions: Array, need: int, w_len: float, w_sup: float, min_len: int = 2, max_len: int | None = None
) -> tuple[Array, Array]:
    """Scores of the judges' orders and of their reverses by the others, each ``[task, judge]``, from ``positions``.

    Patterns have ``min_len`` items or more (2 at least) and ``need`` of the other judges. 0 where there is no pattern.
    """
    tasks, judges, items = positions.shape
    longest = items if max_len is None else min(max_len, items)
    by_length = _lengths(items, w_len, min_len, longest)
    tables = _supports(judges, need, w_sup)
    forward, backward = np.empty((2, tasks, judges))
    step = max(1, CELLS // (judges << (items + 1)))
    for a in range(0, tasks, step):
        part = positions[a : a + step]
        held = _held(_pairs(part), items)
        many = np.bitwise_count(held).ravel()
        hit = np.flatnonzero(many >= need)
        subset = hit // held.shape[1]
        order = hit - subset * held.shape[1]
        length, holders = by_length.take(subset), many.take(hit)
        own, both, once = (
            np.bincount(order, length * by_support.take(holders), held.shape[1]).reshape(2, -1, judges)
            for by_support in tables
        )
        # Without a judge: that judge's patterns have one holder less.
        total = once[0].sum(axis=1, keepdims=True) / SHARES - both[0] + own[0]
        some = total > 0.5  # a pattern weighs 1 at least
        for out, kept in ((forward, own[0]), (backward, both[1])):
            out[a : a + step] = np.divide(kept, total, out=np.zeros(total.shape), where=some)
    return forward, backward


@lru_cache(maxsize=64)
def _lengths(items: int, w_len: float, min_len: int, max_len: int) -> Array:
    """What the length of every subset weighs; 0 where it is too short or too long."""
    size = np.bitwise_count(np.arange(1 << items)).astype(float)
    return np.where((size >= max(min_len, 2)) & (size <= max_len), 1 + w_len * (size - 1), 0.0)


@lru_cache(maxsize=64)
def _supports(judges: int, need: int, w_sup: float) -> tuple[Array, Array, Array]:
    """By how many hold a pattern: its weight without one of them, with all, and with all shared among them."""
    many = np.arange(judges + 1.0)
    all_of_them = np.where(many >= need, 1 + w_sup * (many - 1), 0.0)
    without_one = np.concatenate([[0.0], all_of_them[:-1]])
    return without_one, all_of_them, all_of_them * (SHARES // np.maximum(many, 1))


def _pairs(positions: Array) -> Array:
    """Judges who put the item at one place of an order before that at a later one, or after it, as bits.

    ``[pair of places, order]``: all judges' orders, then all of them once more with the pairs the other way round.
    Pairs that the order ties or does not hold have no bits.
    """
    tasks, judges, items = positions.shape
    absent = items + 1
    whole = bool(positions.min() > 0)
    seats = positions.astype(np.int8)
    early = seats if whole else np.where(seats > 0, seats, np.int8(absent))
    # The judges last and 16 of them, as the bits of a word; those who are not there put nothing before anything.
    one, other = wide = np.zeros((2, tasks, items, JUDGES), np.int8)
    wide[0, :, :, :judges], wide[1, :, :, :judges] = early.transpose(0, 2, 1), seats.transpose(0, 2, 1)
    relation = np.packbits((one[:, :, None] < other[:, None]).ravel(), bitorder="little").view("<u2")
    order = np.argsort(early if not whole else positions, axis=2, kind="stable").reshape(-1, items).T
    late, first = _places(items)
    row, column = order * items, order + np.repeat(np.arange(tasks) * (items * items), judges)
    at = np.empty((len(first), 2 * order.shape[1]), np.intp)
    np.add(row.take(first, axis=0), column.take(late, axis=0), out=at[:, : order.shape[1]])
    np.add(row.take(late, axis=0), column.take(first, axis=0), out=at[:, order.shape[1] :])
    bits = relation.take(at).astype(np.uint16, copy=False)
    if not whole or not (seats.max(axis=2) == items).all():
        seat = np.take_along_axis(early.reshape(-1, items).T, order, axis=0)
        out = (seat[first] == seat[late]) | (seat[late] == absent)
        bits[np.concatenate([out, out], axis=1)] = 0
    return np.asarray(bits)


@lru_cache(maxsize=16)
def _places(items: int) -> tuple[Array, Array]:
    """Later and earlier place of every pair of places, sorted by the later one."""
    return np.tril_indices(items, -1)


def _held(bits: Array, items: int) -> Array:
    """Who holds the pattern of every subset of places, ``[subset, order]``; nobody where it has fewer than two."""
    singles, top_pair = _subsets(items)
    held = bits.take(top_pair, axis=0)  # of every subset its two highest places, which the rest is then added to
    held[singles] = np.uint16(0xFFFF)
    for j in range(1, items):
        top = held[(1 << j) + 1 : 2 << j]
        np.bitwise_and(held[1 : 1 << j], top, out=top)
    held[singles] = 0
    return np.asarray(held)


@lru_cache(maxsize=16)
def _subsets(items: int) -> tuple[Array, Array]:
    """Subsets of less than two places, and of each subset the number of the pair of its two highest places."""
    number = np.arange(1 << items)
    place = [np.flatnonzero([n >> k & 1 for k in range(items)])[-2:].tolist() for n in number.tolist()]
    pair = [high[1] * (high[1] - 1) // 2 + high[0] if len(high) == 2 else 0 for high in place]
    return number[np.bitwise_count(number) < 2], np.array(pair)
