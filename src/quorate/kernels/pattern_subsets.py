"""Frequent patterns of short lists, all of them: a pattern in a list is a subset of its places.

Who holds it is the AND, over neighbours in the subset, of who puts one before the other, as bits. All subsets of many
lists go through together, in the order of their numbers: a subset with highest place j and next highest i is one with
highest place i, AND one pair. Weights are whole numbers, so that sums are exact in any order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pattern_states import Rule

Array = NDArray[Any]
CELLS = 1 << 18  # subsets of places x lists at a time, as many as stay in the cache
ITEMS = 10  # places up to which going through all subsets is quicker than counting chains


def fits(seats: Array, rule: Rule) -> bool:
    """Whether lists are short and weights whole."""
    return 2 <= seats.shape[2] <= ITEMS and float(rule.w_len).is_integer() and float(rule.w_sup).is_integer()


@lru_cache(maxsize=16)
def _pairs(items: int) -> tuple[Array, Array]:
    """Later and earlier place of every pair of places, sorted by the later one."""
    return np.tril_indices(items, -1)


@lru_cache(maxsize=16)
def _top_pairs(items: int) -> Array:
    """Of every subset of places the number of the pair of its two highest."""
    places = [[k for k in range(items) if n >> k & 1][-2:] for n in range(1 << items)]
    return np.array([high[1] * (high[1] - 1) // 2 + high[0] if len(high) == 2 else 0 for high in places])


@lru_cache(maxsize=64)
def _lengths(items: int, rule: Rule) -> Array:
    """What the length of every subset weighs; 0 where it is too short or too long."""
    size = np.bitwise_count(np.arange(1 << items)).astype(np.int64)
    most = items if rule.max_len is None else rule.max_len
    return np.where((size >= max(rule.min_len, 1)) & (size <= most), rule.by_length(size), 0.0)


def along(before: Array, lists: Array, task: Array) -> tuple[Array, Array]:
    """Who puts the earlier of two places of a list before the later, ``[pair of places, list]``, and who holds each.

    From ``before[task, i, j]`` as bits, and ``lists[list, item]`` of these tasks.
    """
    items = lists.shape[1]
    late, early = _pairs(items)
    order = np.argsort(np.where(lists > 0, lists, np.iinfo(lists.dtype).max), axis=1, kind="stable")
    seat = np.sort(lists, axis=1) if lists.all() else np.take_along_axis(lists, order, axis=1)
    row, column = (order * items).T + task * items**2, order.T
    flat = before.ravel()
    bits, own = flat.take(row.take(early, axis=0) + column.take(late, axis=0)), flat.take(row + column)
    seat = seat.T
    if (seat[1:] == seat[:-1]).any() or not seat.all():
        bits[(seat[early] == seat[late]) | (seat[late] == 0)] = 0  # tied in the list, or absent from it
        own[seat == 0] = 0
    return bits, own


def _holders(pairs: Array, own: Array) -> Array:
    """Who holds the pattern of every subset of places, ``[subset, list]``, from ``[pair of places, list]`` and
    ``[place, list]``."""
    out = pairs.take(_top_pairs(len(own)), axis=0)
    out[0] = 0
    for j in range(len(own)):
        out[1 << j] = own[j]
        out[(1 << j) + 1 : 2 << j] &= out[1 : 1 << j]
    return np.asarray(out)


@dataclass(frozen=True, eq=False)
class Frequent:
    """Patterns that enough judges hold, in some lists: which subset of the places of which list, and who holds it."""

    lists: slice
    subset: Array  # [pattern]
    order: Array  # [pattern] number of the list, counted from the first of them
    holders: Array  # [pattern] as bits

    def sums(self, values: Array) -> Array:
        """Sums of ``values[pattern]`` by list."""
        return np.bincount(self.order, values, self.lists.stop - self.lists.start)


def frequent(before: Array, lists: Array, quorum: int) -> Iterator[Frequent]:
    """The frequent patterns in ``lists[task, list, item]``, some lists at a time."""
    flat = lists.reshape(-1, lists.shape[2])
    step = max(1, CELLS >> lists.shape[2])
    for a in range(0, len(flat), step):
        some = slice(a, min(a + step, len(flat)))
        held = _holders(*along(before, flat[some], np.arange(some.start, some.stop) // lists.shape[1]))
        hit = np.flatnonzero(np.bitwise_count(held) >= quorum)
        subset = hit // held.shape[1]
        yield Frequent(some, subset, hit - subset * held.shape[1], held.take(hit))


def _once(found: Frequent, judges: int) -> Array:
    """Whether the judge whose order it is is the first who holds a pattern: so that it counts once."""
    judge = (found.order + found.lists.start) % judges
    return np.asarray(found.holders & ((1 << judge) - 1) == 0)


def without_own(before: Array, seats: Array, reverse: Array, quorum: int, rule: Rule) -> tuple[Array, Array]:
    """The scores of the judges' own orders, and of their reverses, by the others alone, ``[task, judge]`` each.

    Without a judge, that judge's patterns have one holder less, and all others as many.
    """
    judges, items = seats.shape[1:]
    length, support = _lengths(items, rule), rule.by_support(np.arange(judges + 1.0))
    fewer = np.concatenate([np.zeros(quorum + 1), support[quorum:-1]])
    own, kept, once, back = np.empty((4, *seats.shape[:2]))
    for found in frequent(before, seats, quorum):
        weight, many = length[found.subset], np.bitwise_count(found.holders)
        with_all = weight * support[many]
        own.flat[found.lists] = found.sums(weight * fewer[many])
        kept.flat[found.lists] = found.sums(with_all)
        once.flat[found.lists] = found.sums(with_all * _once(found, judges))
    for found in frequent(before, reverse, quorum):
        back.flat[found.lists] = found.sums(length[found.subset] * support[np.bitwise_count(found.holders)])
    total = once.sum(axis=1, keepdims=True) - kept + own
    of = np.where(total > 0, total, 1.0)  # without a pattern every order scores 0
    return own / of, back / of


# -- patterns that are found once and looked for in many lists ---------------------------------------------------------


@lru_cache(maxsize=16)
def _steps(items: int) -> Array:
    """Of every subset of places the pairs of neighbours in it, as bits by the numbers of the pairs."""
    out = np.zeros(1 << items, np.uint64)
    for n in range(1, 1 << items):
        high = n.bit_length() - 1
        rest = n ^ (1 << high)
        if rest:
            out[n] = int(out[rest]) | 1 << (high * (high - 1) // 2 + rest.bit_length() - 1)
    return out


def _kept(seats: Array, lists: Array) -> Array:
    """Which pairs of places of judges' orders lists keep, as bits, ``[task, judge, list]``."""
    tasks, judges, items = seats.shape
    order = np.argsort(np.where(seats > 0, seats, np.iinfo(seats.dtype).max), axis=2, kind="stable")
    small = np.int8 if int(lists.max(initial=0)) < np.iinfo(np.int8).max else lists.dtype
    at = np.ascontiguousarray(lists.transpose(0, 2, 1)).astype(small)  # [task, item, list]
    early = np.where(at > 0, at, np.iinfo(small).max)
    task = np.arange(tasks)[:, None]
    out = np.zeros((tasks, judges, lists.shape[1]), np.uint64)
    for pair, (late, first) in enumerate(zip(*_pairs(items), strict=True)):
        both = early[task, order[:, :, first]] < at[task, order[:, :, late]]
        out |= both.astype(np.uint64) << np.uint64(pair)
    return out


def weights(
    before: Array, seats: Array, lists: Array, quorum: int, rule: Rule, most: float = math.inf
) -> tuple[Array, Array, Array] | None:
    """What all frequent patterns of two and more items weigh, ``[task]``, those in each list, ``[task, list]``, and
    their number, where every judge counts once; None if a task has more than ``most`` of them on average.

    A pattern that enough judges hold is held by one of the first of them: it is found there once, and looked for in all
    lists.
    """
    tasks, judges, items = seats.shape
    first = seats[:, : judges - quorum + 1]
    length, support = _lengths(items, rule), rule.by_support(np.arange(judges + 1.0))
    total, inside, number = np.zeros(tasks), np.zeros((tasks, lists.shape[1])), np.zeros(tasks)
    kept = _kept(first, lists).reshape(-1, lists.shape[1])
    for found in frequent(before, first, quorum):
        own = np.flatnonzero(_once(found, first.shape[1]) & (length[found.subset] > 0))
        own = own[np.argsort(found.order[own], kind="stable")]
        order, weight = found.order[own] + found.lists.start, length[found.subset[own]]
        weight = weight * support[np.bitwise_count(found.holders[own])]
        task, steps = order // first.shape[1], _steps(items)[found.subset[own]]
        total += np.bincount(task, weight, tasks)
        number += np.bincount(task, minlength=tasks)
        if number.sum() > most * found.lists.stop / first.shape[1]:
            return None
        for a in range(0, len(own), step := max(1, CELLS // max(lists.shape[1], 1))):
            some = slice(a, a + step)
            broken = steps[some, None] & ~kept[order[some]]
            begin = np.flatnonzero(np.diff(task[some], prepend=-1))
            inside[task[some][begin]] += np.add.reduceat(np.where(broken == 0, weight[some, None], 0.0), begin, axis=0)
    return total, inside, number
