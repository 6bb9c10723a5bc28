"""The weight of all frequent patterns, and of those that a list contains, without listing one.

Patterns that every judge of a set U holds are the chains of a partial order, and chains are quickly counted. How many
judges hold a pattern *exactly* follows by inclusion and exclusion, so that the sum over the frequent patterns of

    (1 + w_len (length - 1)) (1 + w_sup (support - 1))

is a sum over the sets U that are large enough: of a number c(U), which depends on the counts alone, times the weight of
the chains of U. With 10 judges and a quorum of 8 there are 56 such sets, whatever the rankings say; many tasks and
lists go through together. The list to be scored is one more order that a chain must follow. Where there are too many
sets, :mod:`~quorate.kernels.pattern_states` takes over.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import pattern_states
from quorate.kernels.supported import only, supported

Array = NDArray[Any]
LATTICE = 12  # judges up to which all their sets are looked at
SETS = 4096  # sets of judges at most
CANCELLING = 1e6  # how much larger than the sum its terms may be: a double keeps ten digits then
CELLS = 1 << 19  # pairs of items held at a time, as many as stay in the cache
LARGE = 1 << 22  # of them for one list at most
TABLE = 1 << 18  # cells of a table from bitsets to sets
EXACT_SINGLE = 20  # items up to which counts and sums of lengths are whole numbers below 2**24


@dataclass(frozen=True, slots=True)
class Rule:
    """Which patterns count, and what they weigh."""

    min_len: int = 2
    max_len: int | None = None
    w_len: float = 1.0
    w_sup: float = 1.0

    def by_length(self, length: Any) -> Any:
        """The part of the weight that the length gives."""
        return 1 + self.w_len * (length - 1)

    def by_support(self, support: Any) -> Any:
        """The part of the weight that the support gives."""
        return 1 + self.w_sup * (support - 1)


@dataclass(frozen=True, eq=False)
class Weights:
    """What the patterns weigh in every task, and the part that each list contains."""

    total: Array  # [task]
    inside: Array  # [task, list]
    patterns: Array  # [task] how many there are; NaN if it was not asked for
    error: Array  # [task, list] standard error of inside / total; 0 where it is exact


def weights(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool = False, seed: int = 0
) -> Weights:
    """Weights for ``positions[task, judge, item]``, ``lists[task, list, item]``; ``brief``: without their number."""
    tasks, size = len(counts), lists.shape[1]
    kept = supported(positions, counts, need, least=1)
    positions, lists = only(positions, kept), only(lists, kept)
    out = Weights(np.zeros(tasks), np.zeros((tasks, size)), np.full(tasks, np.nan), np.zeros((tasks, size)))
    order = np.argsort(counts == 0, axis=1, kind="stable") if (counts == 0).any() else None
    local = counts if order is None else np.take_along_axis(counts, order, axis=1)
    with np.errstate(over="ignore", invalid="ignore"):  # more patterns than a double can count: not finite
        _fill(out, positions, local, order, need, lists, rule, brief, seed)
    return out


def _fill(
    out: Weights,
    positions: Array,
    local: Array,
    order: Array | None,
    need: Array,
    lists: Array,
    rule: Rule,
    brief: bool,
    seed: int,
) -> None:
    """Fill in the weights, tasks with the same counts together; ``order`` puts the judges that count first."""
    step = max(1, LARGE * 4 // max(positions.shape[1] * positions.shape[2] ** 2, 1))
    for members, family in _families(local, need, rule, brief):
        for a in range(0, len(members), step):
            rows = members[a : a + step]
            seats = positions[rows]
            if order is not None:
                seats = np.take_along_axis(seats, order[rows][:, :, None], axis=1)
            if family is None:
                _by_states(out, rows, seats, local[rows], need[rows], lists[rows], rule, seed)
            elif len(family.sets):
                _by_sets(out, rows, seats[:, : family.judges], lists[rows], family, rule, brief)


# -- the sets of judges and what each counts for -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Family:
    """Sets of judges with the factor of their chains: for the weight, and for the plain number of patterns."""

    judges: int
    sets: Array  # bitsets
    weight: Array
    number: Array


def _families(counts: Array, need: Array, rule: Rule, brief: bool) -> Iterator[tuple[Array, Family | None]]:
    """Tasks with the same counts, and the family of sets that they share; None where there are too many sets."""
    both = np.concatenate([counts, need[:, None]], axis=1)
    if (both == both[:1]).all():
        yield np.arange(len(both)), _family(tuple(counts[0].tolist()), int(need[0]), rule, brief)
        return
    kinds, member = np.unique(both, axis=0, return_inverse=True)
    order = np.argsort(member.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(member.ravel()))
    for kind, rows in zip(kinds, np.split(order, ends[:-1]), strict=True):
        yield rows, _family(tuple(kind[:-1].tolist()), int(kind[-1]), rule, brief)


@lru_cache(maxsize=64)
def _family(given: tuple[int, ...], need: int, rule: Rule, brief: bool) -> Family | None:
    counts = np.array([c for c in given if c > 0], np.int64)
    judges, votes = len(counts), int(counts.sum())
    if votes < need:
        return Family(judges, np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    if judges <= LATTICE:
        family = _lattice(counts, need, rule, brief)
    elif (counts == counts[0]).all():
        least = -(-need // int(counts[0]))
        if sum(math.comb(judges, u) for u in range(least, judges + 1)) > SETS:
            return None
        family = _equal(judges, int(counts[0]), least, rule, brief)
    else:
        return None
    largest = float(np.abs(family.weight).sum()) / max(abs(rule.by_support(votes)), 1e-300)
    return family if largest <= CANCELLING else None


def _lattice(counts: Array, need: int, rule: Rule, brief: bool) -> Family:
    """All sets of few judges, whatever their counts."""
    votes = np.zeros(1, np.int64)
    for c in counts:
        votes = np.concatenate([votes, votes + c])
    enough = votes >= need
    weight = _moebius(np.where(enough, rule.by_support(votes), 0.0))
    number = np.zeros(len(votes)) if brief else _moebius(enough.astype(float))
    used = np.flatnonzero((weight != 0) | (number != 0))
    return Family(len(counts), used, weight[used], number[used])


def _moebius(values: Array) -> Array:
    """From values of sets to what each set adds beyond its subsets."""
    step = 1
    while step < len(values):
        halves = values.reshape(-1, 2, step)
        halves[:, 1] -= halves[:, 0]
        step *= 2
    return values


def _equal(judges: int, count: int, least: int, rule: Rule, brief: bool) -> Family:
    """Judges who count alike: what a set counts for depends on its size."""
    sets, weight, number = [], [], []
    for u in range(least, judges + 1):
        signs = [((-1) ** (u - t) * math.comb(u, t), t) for t in range(least, u + 1)]
        w = sum(s * rule.by_support(count * t) for s, t in signs)
        n = 0 if brief else sum(s for s, _ in signs)
        if w or n:
            here = [sum(1 << k for k in c) for c in itertools.combinations(range(judges), u)]
            sets += here
            weight += [float(w)] * len(here)
            number += [float(n)] * len(here)
    return Family(judges, np.array(sets, np.int64), np.array(weight), np.array(number))


# -- chains of sets of judges ------------------------------------------------------------------------------------------


def _by_sets(out: Weights, rows: Array, seats: Array, lists: Array, family: Family, rule: Rule, brief: bool) -> None:
    """Fill in the weights of these tasks. All patterns: each set follows the order of the first of its judges."""
    first = np.bitwise_count((family.sets & -family.sets) - 1)
    before = _relation(seats)
    number = np.zeros(len(seats))
    for k in range(seats.shape[1]):
        own = first == k
        if own.any():
            out.total[rows] += _sum(before, seats[:, k : k + 1], family.sets[own], family.weight[own], rule)[:, 0]
            if not brief:
                plain = Rule(rule.min_len, rule.max_len, 0.0)
                number += _sum(before, seats[:, k : k + 1], family.sets[own], family.number[own], plain)[:, 0]
    out.patterns[rows] = np.nan if brief else number
    used = family.weight != 0
    out.inside[rows] = _sum(before, lists, family.sets[used], family.weight[used], rule)


def _relation(seats: Array) -> Array:
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


def _sum(before: Array, lists: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """Sum over sets of factor x weight of the chains that the set and the list share, ``[task, list]``."""
    tasks, size, items = lists.shape
    fit = max(1, LARGE // max(items * items // 2, 1))
    if len(sets) > fit:  # with many items a few sets at a time
        pieces = range(0, len(sets), fit)
        return np.asarray(sum(_sum(before, lists, sets[a : a + fit], factor[a : a + fit], rule) for a in pieces))
    out = np.zeros(tasks * size)
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
            part += rule.by_length(1) * (_edges(own, sets, table).sum(axis=0, dtype=np.float64) @ factor)
        if items > 1:
            part += _chains(_edges(bits, sets, table), items, factor, rule)
    return out.reshape(tasks, size)


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
    out = np.zeros(edge.shape[1])
    ends = np.ones((items, *edge.shape[1:]), edge.dtype)
    for length in range(2, last + 1):
        after = np.zeros_like(ends)
        for j in range(1, items):
            np.einsum("iqu,iqu->qu", edge[j * (j - 1) // 2 : j * (j + 1) // 2], ends[:j], out=after[j])
        ends = after
        if length >= rule.min_len:
            out += rule.by_length(length) * (ends.sum(axis=0, dtype=np.float64) @ factor)
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
    out = np.zeros(edge.shape[1])
    if rule.w_len != 1:
        out += (1 - rule.w_len) * ((number.sum(axis=0) - items) @ factor)
    if rule.w_len:
        out += rule.w_len * ((spread.sum(axis=0) - items) @ factor)
    return out


# -- many judges -------------------------------------------------------------------------------------------------------


def _by_states(
    out: Weights, rows: Array, seats: Array, counts: Array, need: Array, lists: Array, rule: Rule, seed: int
) -> None:
    """Fill in the weights of these tasks one by one, by states."""
    for t, row in enumerate(rows.tolist()):
        found = pattern_states.weights(seats[t], counts[t], int(need[t]), lists[t], rule, seed=seed)
        out.total[row], out.inside[row], out.patterns[row], out.error[row] = found
