"""Frequent patterns of few judges, however long their lists: counted as chains of what sets of judges agree on.

Patterns that every judge of a set U holds are the chains of a partial order, and chains are quickly counted. How many
judges hold a pattern *exactly* follows by inclusion and exclusion, so that the weight of the frequent patterns is a sum
over the sets U that are large enough: of a number c(U), which depends on the counts alone, times the weight of the
chains of U. With 10 judges and a quorum of 8 there are 56 such sets, whatever the rankings say; many tasks and lists go
through together. The list to be scored is one more order that a chain must follow. Draws of judges from the same panel
share the chains and differ in c(U) alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.precedence_bits import relation

if TYPE_CHECKING:
    from quorate.kernels.pattern_weights import Rule

Array = NDArray[Any]
JUDGES, REDRAWN = 16, 12  # up to whom all their sets are looked at: in one panel, in many drawn from it
SETS = 4096  # sets of more judges at most
CANCELLING = 1e6  # how much larger than the sum its terms may be: a double keeps ten digits then
CELLS = 1 << 24  # judges x pairs of items held at a time
FACTORS = 1 << 22  # draws x sets of judges at a time
EDGES = 1 << 19  # pairs of items x sets held at a time, as many as stay in the cache
LARGE = 1 << 22  # of them for one list at most
KNOWN = 4  # times fewer sets of judges than pairs of places and lists, from which on each is looked up
EXACT_SINGLE = 20  # items up to which counts and sums of lengths are whole numbers below 2**24


def weights(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Weight of all patterns, of those in each list, their number (unless ``brief``), and which rows were counted.

    As :func:`quorate.kernels.pattern_states.weights`, of the rows with few enough sets of judges whose terms are not
    too much larger than their sum.
    """
    total, inside, number = np.zeros(len(counts)), np.zeros((len(counts), lists.shape[1])), np.zeros(len(counts))
    counted = np.zeros(len(counts), bool)
    for rows, seats, often, enough in _alike(positions, counts, need):
        family = _Family.of(often, enough, rule, brief)
        if family is None:
            continue
        before, listed = relation(seats)[..., 0], lists if len(lists) == 1 else lists[rows]
        every, found = (
            _all_chains(before, seats, family.sets, family.factor, rule),
            _shared(before, listed, family.sets, family.factor[:1], rule)[0],
        )
        # One task, or one row of counts: one of these two axes has length 1.
        total[rows], number[rows] = every[0].ravel(), every[-1].ravel()
        inside[rows] = found.transpose(0, 2, 1).reshape(len(rows), -1)
        counted[rows] = family.sure
    return total, inside, number, counted


def _alike(positions: Array, counts: Array, need: Array) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Panels drawn from one task, or tasks with the same counts and quorum: which rows, the seats of judges who count,
    and how often they do, ``[1 or row, judge]``."""
    if len(positions) == 1:
        used = counts.any(axis=0)
        step = max(1, FACTORS >> min(int(used.sum()), REDRAWN))
        for a in range(0, len(counts), step):
            rows = np.arange(len(counts))[a : a + step]
            yield rows, positions[:, used], counts[rows][:, used], need[rows]
        return
    order = np.argsort(counts == 0, axis=1, kind="stable")  # judges that count first
    local = np.take_along_axis(counts, order, axis=1)
    _, member = np.unique(np.concatenate([local, need[:, None]], axis=1), axis=0, return_inverse=True)
    step = max(1, CELLS // max(positions.shape[1] * positions.shape[2] ** 2, 1))
    for k in range(member.max(initial=-1) + 1):
        members = np.flatnonzero(member.ravel() == k)
        first, judges = members[:1], int((local[members[0]] > 0).sum())
        for a in range(0, len(members), step):
            rows = members[a : a + step]
            seats = np.take_along_axis(positions[rows], order[rows, :judges, None], axis=1)
            yield rows, seats, local[first, :judges], need[first]


# -- the sets of judges and what each counts for -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Family:
    """Sets of judges with the factors of their chains."""

    sets: Array  # bitsets
    factor: Array  # [1 or 2, set, row] for the weight, and for the plain number of patterns where it is asked for
    sure: Array  # [row] whether the terms are not too much larger than their sum

    @classmethod
    def of(cls, counts: Array, need: Array, rule: Rule, brief: bool) -> _Family | None:
        """The sets that ``counts[row, judge]`` give a part; None if they are too many, or no row is sure."""
        rows, judges = counts.shape
        if judges > (JUDGES if rows == 1 else REDRAWN):
            return None
        votes = np.zeros((rows, 1), np.int64)  # of every set of judges
        for k in range(judges):
            votes = np.concatenate([votes, votes + counts[:, k, None]], axis=1)
        enough = votes >= need[:, None]
        factor = _moebius(np.stack([np.where(enough, rule.by_support(votes), 0.0), enough][: 1 if brief else 2]))
        sets = np.flatnonzero(factor.any(axis=(0, 1)))
        if judges > REDRAWN and len(sets) > SETS:
            return None
        largest = np.abs(rule.by_support(counts.sum(axis=1)))
        sure = np.abs(factor[0]).sum(axis=1) <= CANCELLING * np.maximum(largest, 1e-300)
        return cls(sets, np.ascontiguousarray(factor[:, :, sets].transpose(0, 2, 1)), sure) if sure.any() else None


def _moebius(values: Array) -> Array:
    """From values of sets, ``[..., bitset]``, to what each set adds beyond its subsets."""
    step = 1
    while step < values.shape[-1]:
        halves = values.reshape(*values.shape[:-1], -1, 2, step)
        halves[..., 1, :] -= halves[..., 0, :]
        step *= 2
    return values


# -- chains of sets of judges ------------------------------------------------------------------------------------------
# A chain is a row of items each of which every judge of the set puts before the next, and so does the list that it is
# looked for in. Their number and their lengths follow item by item along the list.


def _all_chains(before: Array, seats: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """The same as below of all chains of the sets, ``[1 or 2, task, row]``: each follows the order of its first
    judge."""
    first = np.bitwise_count((sets & -sets) - 1)
    out = np.zeros((len(factor), len(seats), factor.shape[2]))
    for k in range(seats.shape[1]):
        own = first == k
        if own.any():
            out += _shared(before, seats[:, k : k + 1], sets[own], factor[:, own], rule)[:, :, 0]
    return out


def _shared(before: Array, lists: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """Sum over sets of ``factor[0, set, row]`` x weight of the chains that set and list share, and of ``factor[1]`` x
    their number where there is one, ``[1 or 2, task, list, row]``."""
    tasks, size, items = lists.shape
    fit = max(1, LARGE // max(items * items // 2, 1))
    if len(sets) > fit:  # with many items a few sets at a time
        pieces = range(0, len(sets), fit)
        return np.asarray(sum(_shared(before, lists, sets[a : a + fit], factor[:, a : a + fit], rule) for a in pieces))
    out = np.zeros((len(factor), tasks * size, factor.shape[2]))
    step = max(1, EDGES // max(len(sets) * items * (items - 1) // 2, 1))
    flat, kind = lists.reshape(-1, items), np.float32 if items <= EXACT_SINGLE else np.float64
    for a in range(0, tasks * size if items and len(sets) else 0, step):
        some = slice(a, min(a + step, tasks * size))
        bits, own = _along(before, flat[some], np.arange(some.start, some.stop) // size)
        weight, number = _chains(_held(bits, sets, kind), items, rule)
        if rule.min_len == 1:
            alone = _held(own, sets, kind).sum(axis=0, dtype=np.float64)
            weight, number = weight + rule.by_length(1) * alone, number + alone
        for part, chains, of in zip(out, (weight, number), factor, strict=False):
            part[some] = _times(chains, of)
    return out.reshape(len(factor), tasks, size, factor.shape[2])


@lru_cache(maxsize=16)
def _pairs(items: int) -> tuple[Array, Array]:
    """Later and earlier place of every pair of places, sorted by the later one."""
    return np.tril_indices(items, -1)


def _along(before: Array, lists: Array, task: Array) -> tuple[Array, Array]:
    """Who puts the earlier of two places of a list before the later, ``[pair of places, list]``, and who holds each.

    From ``before[task, i, j]`` as bits, and ``lists[list, item]`` of these tasks.
    """
    items = lists.shape[1]
    late, early = _pairs(items)
    order = np.argsort(np.where(lists > 0, lists, np.iinfo(lists.dtype).max), axis=1, kind="stable")
    seat = np.take_along_axis(lists, order, axis=1).T
    row, column = (order * items).T + task * items**2, order.T
    flat = before.ravel()
    bits, own = flat.take(row.take(early, axis=0) + column.take(late, axis=0)), flat.take(row + column)
    if (seat[1:] == seat[:-1]).any() or not seat.all():
        bits[(seat[early] == seat[late]) | (seat[late] == 0)] = 0  # tied in the list, or absent from it
        own[seat == 0] = 0
    return bits, own


def _held(bits: Array, sets: Array, kind: Any) -> Array:
    """Which pairs of places, or places, all judges of a set hold, ``[pair, list, set]`` as 0 and 1."""
    sets = sets.astype(bits.dtype)
    known = 1 << int(sets.max()).bit_length()
    if KNOWN * known < bits.size:  # of few judges a table pays
        table = ((np.arange(known, dtype=bits.dtype)[:, None] & sets) == sets).astype(kind)
        return np.asarray(np.take(table, bits & bits.dtype.type(known - 1), axis=0, mode="clip"))
    return np.asarray((bits[:, :, None] & sets) == sets, kind)


def _chains(edge: Array, items: int, rule: Rule) -> tuple[Array, Array]:
    """What the chains of two and more items of each set weigh, and how many there are, ``[list, set]``."""
    last = items if rule.max_len is None else min(rule.max_len, items)
    if rule.min_len <= 2 and last == items:
        return _all_lengths(edge, items, rule)
    weight, number = np.zeros((2, *edge.shape[1:]))
    ends = np.ones((items, *edge.shape[1:]), edge.dtype)
    for length in range(2, last + 1):
        after = np.zeros_like(ends)
        for j in range(1, items):
            np.einsum("iqu,iqu->qu", edge[j * (j - 1) // 2 : j * (j + 1) // 2], ends[:j], out=after[j])
        ends = after
        if length >= rule.min_len:
            found = ends.sum(axis=0, dtype=np.float64)
            weight, number = weight + rule.by_length(length) * found, number + found
    return weight, number


def _all_lengths(edge: Array, items: int, rule: Rule) -> tuple[Array, Array]:
    """The same of all lengths: the number of chains and the sum of their lengths say what they weigh."""
    number = np.empty((items, *edge.shape[1:]), edge.dtype)  # of chains that end in each item
    spread = np.empty_like(number)  # sum of their lengths
    number[0] = spread[0] = 1
    for j in range(1, items):
        e = edge[j * (j - 1) // 2 : j * (j + 1) // 2]
        np.einsum("iqu,iqu->qu", e, number[:j], out=number[j])
        np.einsum("iqu,iqu->qu", e, spread[:j], out=spread[j])
        number[j] += 1
        spread[j] += number[j]
    # Every item alone is a chain too, of number 1 and length 1; it is taken out again.
    many, lengths = (x.sum(axis=0).astype(np.float64) - items for x in (number, spread))
    return (1 - rule.w_len) * many + rule.w_len * lengths if rule.w_len else many, many


def _times(chains: Array, factor: Array) -> Array:
    """Sum over sets of ``chains[list, set]`` x factor; sets with factor 0 have no part, were their chains countless."""
    countless = ~np.isfinite(chains)
    if not countless.any():
        return np.asarray(chains @ factor)
    found = np.where(countless, 0, chains) @ factor
    return np.where(countless.astype(float) @ (factor != 0), np.nan, found)
