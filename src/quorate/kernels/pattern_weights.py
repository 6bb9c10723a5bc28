"""The weight of all frequent patterns, and of those that a list contains, without listing one.

Patterns that every judge of a set U holds are the chains of a partial order, and chains are quickly counted. How many
judges hold a pattern *exactly* follows by inclusion and exclusion, so that the sum over the frequent patterns of

    (1 + w_len (length - 1)) (1 + w_sup (support - 1))

is a sum over the sets U that are large enough: of a number c(U), which depends on the counts alone, times the weight of
the chains of U. With 10 judges and a quorum of 8 there are 56 such sets,
whatever the rankings say; many tasks and lists go through together. The list to be scored is one more order that a
chain must follow. Draws of judges from the same panel share the chains and differ in c(U) alone. Where there are too
many sets, :mod:`~quorate.kernels.pattern_states` takes over, and :mod:`~quorate.kernels.pattern_orders` where items are
few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import pattern_orders, pattern_states, pattern_subsets
from quorate.kernels.pattern_states import Rule, only, supported
from quorate.kernels.pattern_subsets import along, fits

Array = NDArray[Any]
LATTICE, REDRAWN = 16, 12  # judges up to which all their sets are looked at: in one panel, in many drawn from it
SETS = 4096  # sets of more judges at most
CANCELLING = 1e6  # how much larger than the sum its terms may be: a double keeps ten digits then
LISTS = 64  # that are looked for in the same patterns at a time
CELLS = 1 << 24  # judges x pairs of items held at a time
LISTED, LOOKED = 40, 8  # sets of judges and lists, from which on short lists' patterns are found one by one,
PATTERNS = 5  # unless they are more than so many times the sets
FACTORS = 1 << 22  # draws x sets of judges at a time
EDGES = 1 << 19  # pairs of items x sets held at a time, as many as stay in the cache
LARGE = 1 << 22  # of them for one list at most
TABLE = 1 << 18  # cells of a table from bitsets to sets
EXACT_SINGLE = 20  # items up to which counts and sums of lengths are whole numbers below 2**24


@dataclass(frozen=True, eq=False)
class Weights:
    """What the patterns weigh in every draw and task, and the part that each list contains."""

    total: Array  # [draw, task]
    inside: Array  # [draw, task, list]
    patterns: Array  # [draw, task] how many there are; NaN if it was not asked for
    error: Array  # [draw, task, list] standard error of inside / total; 0 where it is exact

    def at(self, where: Any) -> Weights:
        """Those of some draws and tasks."""
        return Weights(self.total[where], self.inside[where], self.patterns[where], self.error[where])


def weights(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool = False, seed: int = 0
) -> Weights:
    """Weights for ``positions[task, judge, item]``, ``lists[task, list, item]``; ``brief``: without their number.

    ``counts[draw, task, judge]`` say how often each judge counts, and ``need[draw, task]`` how many make a pattern
    frequent. Without the axis of draws the results have none either.
    """
    if counts.ndim == 2:
        if period := _period(positions, counts):
            return _of_copies(period, positions, counts, need, lists, rule, brief, seed)
        return weights(positions, counts[None], need[None], lists, rule, brief, seed).at(0)
    draws, tasks, judges = counts.shape
    shape = (draws, tasks, lists.shape[1])
    out = Weights(np.zeros(shape[:2]), np.zeros(shape), np.full(shape[:2], np.nan if brief else 0.0), np.zeros(shape))
    kept = supported(positions, counts, need, least=1)
    given = only(positions, kept), only(lists, kept)
    if given[0].shape[2] <= pattern_orders.ITEMS:
        total, inside, number = pattern_orders.weights(given[0], counts, need, given[1], rule)
        return Weights(total, inside, out.patterns if brief else number, out.error)
    together = max(1, FACTORS >> judges) if judges <= REDRAWN else 1
    with np.errstate(over="ignore", invalid="ignore"):  # more patterns than a double can count: not finite
        for d in range(0, draws, together):
            some = slice(d, d + together)
            _fill(out.at(some), counts[some], need[some], *given, rule, brief, seed, draws > 1)
    return out


def _period(positions: Array, counts: Array) -> int:
    """After how many tasks the same judgments come again, over and over, as of tasks that were copied; 0 if never."""
    again = (positions[1:] == positions[:1]).all(axis=(1, 2)) & (counts[1:] == counts[:1]).all(axis=1)
    for k in (np.flatnonzero(again) + 1).tolist():
        if len(positions) % k == 0 and all((x[k:] == x[:-k]).all() for x in (positions, counts)):
            return int(k)
    return 0


def _of_copies(
    period: int, positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool, seed: int
) -> Weights:
    """The weights of copies of tasks with other lists: the judges' patterns are counted once for many lists."""
    shape = lists.shape[:2]
    out = Weights(np.zeros(shape[:1]), np.zeros(shape), np.zeros(shape[:1]), np.zeros(shape))
    step, copies = max(1, LISTS // max(shape[1], 1)), np.arange(shape[0]).reshape(-1, period).T  # [task, copy]
    for a in range(0, copies.shape[1], step):
        rows = copies[:, a : a + step]
        one, joined = rows[:, 0], lists[rows].reshape(len(rows), -1, lists.shape[2])
        found = weights(positions[one], counts[one], need[one], joined, rule, brief, seed)
        out.total[rows], out.patterns[rows] = found.total[:, None], found.patterns[:, None]
        out.inside[rows], out.error[rows] = (x.reshape(*rows.shape, -1) for x in (found.inside, found.error))
    return out


def _fill(
    out: Weights,
    counts: Array,
    need: Array,
    positions: Array,
    lists: Array,
    rule: Rule,
    brief: bool,
    seed: int,
    redrawn: bool,
) -> None:
    """Fill in the weights of these draws, tasks with the same counts together."""
    used = (counts > 0).any(axis=0)
    order = None if used.all() else np.argsort(~used, axis=1, kind="stable")  # judges that count first
    local = counts if order is None else np.take_along_axis(counts, order[None], axis=2)
    step = max(1, CELLS // max(positions.shape[1] * positions.shape[2] ** 2, 1))
    for members in _alike(local, need):
        first = members[0]
        family = _family(local[:, first], need[:, first], rule, brief)
        for a in range(0, len(members), step):
            rows = members[a : a + step]
            seats = positions[rows]
            if order is not None:
                seats = np.take_along_axis(seats, order[rows][:, :, None], axis=1)
            if family is not None and len(family.sets):
                _by_sets(out, rows, seats[:, : family.judges], lists[rows], family, rule, brief)
            doubtful = np.arange(len(counts)) if family is None else np.flatnonzero(~family.sure)
            for d in doubtful.tolist():
                what = seats, local[d, rows], need[d, rows], lists[rows], rule
                each = pattern_states.weights_of_many(*what, seed=seed, brief=redrawn)
                for row, found in zip(rows.tolist(), each, strict=True):
                    out.total[d, row], out.inside[d, row], out.patterns[d, row], out.error[d, row] = found


def _alike(counts: Array, need: Array) -> Iterator[Array]:
    """Tasks with the same counts and the same quorum in all draws."""
    both = np.concatenate([counts, need[:, :, None]], axis=2)
    if (both == both[:, :1]).all():
        yield np.arange(both.shape[1])
        return
    _, member = np.unique(both.transpose(1, 0, 2).reshape(both.shape[1], -1), axis=0, return_inverse=True)
    order = np.argsort(member.ravel(), kind="stable")
    yield from np.split(order, np.cumsum(np.bincount(member.ravel()))[:-1])


# -- the sets of judges and what each counts for -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Family:
    """Sets of judges with the factor of their chains: for the weight, and for the plain number of patterns."""

    judges: int
    sets: Array  # bitsets
    weight: Array  # [set, draw]
    number: Array
    sure: Array  # [draw] whether the terms are not too much larger than their sum
    quorum: int  # judges that make a pattern frequent where there is one draw and all count once; else 0


def _family(counts: Array, need: Array, rule: Rule, brief: bool) -> Family | None:
    """The sets of judges that ``counts[draw, judge]`` give a part, those who count first; None if they are too many."""
    counts = counts[:, : int((counts > 0).any(axis=0).sum())]
    judges = counts.shape[1]
    if judges > (LATTICE if len(counts) == 1 else REDRAWN):
        return None
    sets, weight, number = _lattice(counts, need, rule, brief)
    if judges > REDRAWN and len(sets) > SETS:
        return None
    largest = np.abs(rule.by_support(counts.sum(axis=1)))
    sure = np.abs(weight).sum(axis=0) <= CANCELLING * np.maximum(largest, 1e-300)
    quorum = int(need[0]) if len(counts) == 1 and (counts == 1).all() else 0
    return Family(judges, sets, weight, number, sure, quorum) if sure.any() else None


def _lattice(counts: Array, need: Array, rule: Rule, brief: bool) -> tuple[Array, Array, Array]:
    """All sets of few judges, whatever their counts: the sets, and their factors ``[set, draw]``."""
    votes = _votes(counts)
    enough = votes >= need[:, None]
    weight = _moebius(np.where(enough, rule.by_support(votes), 0.0)).T
    number = np.zeros(weight.shape) if brief else _moebius(enough.astype(float)).T
    used = np.flatnonzero(weight.any(axis=1) | number.any(axis=1))
    return used, weight[used], number[used]


def _votes(counts: Array) -> Array:
    """How many judges every set of judges stands for, ``[..., bitset]``."""
    votes = np.zeros((*counts.shape[:-1], 1), np.int64)
    for k in range(counts.shape[-1]):
        votes = np.concatenate([votes, votes + counts[..., k, None]], axis=-1)
    return votes


def _moebius(values: Array) -> Array:
    """From values of sets, ``[..., bitset]``, to what each set adds beyond its subsets."""
    step = 1
    while step < values.shape[-1]:
        halves = values.reshape(*values.shape[:-1], -1, 2, step)
        halves[..., 1, :] -= halves[..., 0, :]
        step *= 2
    return values


# -- chains of sets of judges ------------------------------------------------------------------------------------------


def _by_sets(out: Weights, rows: Array, seats: Array, lists: Array, family: Family, rule: Rule, brief: bool) -> None:
    """Fill in the weights of these tasks in all draws."""
    before = relation(seats)
    used = family.weight.any(axis=1)
    sets, weight = family.sets[used], family.weight[used]
    if family.quorum and len(sets) >= LISTED and lists.shape[1] >= LOOKED and rule.min_len > 1 and fits(seats, rule):
        found = pattern_subsets.weights(before, seats, lists, family.quorum, rule, PATTERNS * len(sets))
        if found is not None:
            out.total[0, rows], out.inside[0, rows], number = found
            out.patterns[0, rows] = np.nan if brief else number
            return
    out.total[:, rows] = _all_chains(before, seats, sets, weight, rule).T
    out.inside[:, rows] = weigh(before, lists, sets, weight, rule).transpose(2, 0, 1)
    if not brief:
        plain = Rule(rule.min_len, rule.max_len, 0.0)
        out.patterns[:, rows] = _all_chains(before, seats, family.sets, family.number, plain).T


def _all_chains(before: Array, seats: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """Sum over sets of factor x weight of all their chains, ``[task]``: each follows the order of its first judge."""
    first = np.bitwise_count((sets & -sets) - 1)
    out = np.zeros((len(seats), *factor.shape[1:]))
    for k in range(seats.shape[1]):
        own = first == k
        if own.any():
            out += weigh(before, seats[:, k : k + 1], sets[own], factor[own], rule)[:, 0]
    return out


# A chain is a row of items each of which every judge of the set puts before the next, and so does the list that it is
# looked for in. Their number and their lengths follow item by item along the list.


def relation(seats: Array) -> Array:
    """Judges who put i before j as bits, ``[task, i, j]``; on the diagonal those who hold i."""
    tasks, judges, items = seats.shape
    if int(seats.max(initial=0)) < np.iinfo(np.int16).max:
        seats = seats.astype(np.int16)
    early, own = np.where(seats > 0, seats, np.iinfo(seats.dtype).max), np.arange(items)
    kind: Any = np.uint16 if judges <= 16 else np.uint32 if judges <= 32 else np.uint64
    out = np.zeros((tasks, items, items), kind)
    for k in range(judges):
        less = (early[:, k, :, None] < seats[:, k, None, :]).astype(kind)
        less[:, own, own] = seats[:, k] > 0
        out |= less << kind(k)
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
    step = max(1, EDGES // max(len(sets) * items * (items - 1) // 2, 1))
    flat = lists.reshape(-1, items)
    for a in range(0, len(out) if items and len(sets) else 0, step):
        part = out[a : a + step]
        bits, own = along(before, flat[a : a + step], np.arange(a, a + len(part)) // size)
        if rule.min_len == 1:
            part += rule.by_length(1) * _times(_edges(own, sets, table).sum(axis=0, dtype=np.float64), factor)
        if items > 1:
            part += _chains(_edges(bits, sets, table), items, factor, rule)
    return out.reshape(tasks, size, *factor.shape[1:])


def _table(sets: Array, kind: Any) -> Array:
    """For every bitset which of the sets it holds, as 0 and 1; where that is too much, one row that tells the type."""
    return _held(sets.tobytes(), kind)


@lru_cache(maxsize=8)
def _held(numbers: bytes, kind: Any) -> Array:
    """The same, made once for the sets that many small tasks have in common."""
    sets = np.frombuffer(numbers, np.int64)
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
