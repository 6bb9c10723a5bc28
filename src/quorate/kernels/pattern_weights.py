"""The weight of all frequent patterns, and of those that a list contains, without listing one.

Patterns that every judge of a set U holds are the chains of a partial order, and chains are quickly counted. How many
judges hold a pattern *exactly* follows by inclusion and exclusion, so that the sum over the frequent patterns of

    (1 + w_len (length - 1)) (1 + w_sup (support - 1))

is a sum over the sets U that are large enough: of a number c(U), which depends on the counts alone, times the weight of
the chains of U (:mod:`~quorate.kernels.set_chains`). With 10 judges and a quorum of 8 there are 56 such sets, whatever
the rankings say; many tasks and lists go through together. The list to be scored is one more order that a chain must
follow. Panels drawn from the same few judges share the chains and differ in c(U) alone. Where there are too many sets,
:mod:`~quorate.kernels.pattern_states` takes over.
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
from quorate.kernels.pattern_rule import Rule
from quorate.kernels.set_chains import relation, weigh
from quorate.kernels.supported import only, supported

Array = NDArray[Any]
LATTICE = 12  # judges up to which all their sets are looked at
SETS = 4096  # sets of judges at most
CANCELLING = 1e6  # how much larger than the sum its terms may be: a double keeps ten digits then
CELLS = 1 << 24  # judges x pairs of items held at a time
FACTORS = 1 << 22  # panels x sets of judges at a time


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
    out = Weights(np.zeros(tasks), np.zeros((tasks, size)), np.full(tasks, np.nan), np.zeros((tasks, size)))
    with np.errstate(over="ignore", invalid="ignore"):  # more patterns than a double can count: not finite
        if _one_task(positions, lists) and positions.shape[1] <= LATTICE:
            _fill_redrawn(out, positions[0], counts, need, lists[0], rule, brief, seed)
        else:
            _fill(out, np.arange(tasks), positions, counts, need, lists, rule, brief, seed)
    return out


def _one_task(positions: Array, lists: Array) -> bool:
    """Whether all tasks are one and the same but for the counts, as where judges are drawn anew."""
    return len(positions) > 1 and positions.strides[0] == 0 and lists.strides[0] == 0


def _fill(
    out: Weights,
    tasks: Array,
    positions: Array,
    counts: Array,
    need: Array,
    lists: Array,
    rule: Rule,
    brief: bool,
    seed: int,
) -> None:
    """Fill in the weights of these tasks, those with the same counts together."""
    redrawn = _one_task(positions, lists)
    kept = supported(positions, counts, need, least=1)
    positions, lists = only(positions, kept), only(lists, kept)
    order = np.argsort(counts == 0, axis=1, kind="stable") if (counts == 0).any() else None  # judges that count first
    local = counts if order is None else np.take_along_axis(counts, order, axis=1)
    step = max(1, CELLS // max(positions.shape[1] * positions.shape[2] ** 2, 1))
    for members, family in _families(local, need, rule, brief):
        for a in range(0, len(members), step):
            rows = members[a : a + step]
            seats = positions[rows]
            if order is not None:
                seats = np.take_along_axis(seats, order[rows][:, :, None], axis=1)
            if family is None:
                _by_states(out, tasks[rows], seats, local[rows], need[rows], lists[rows], rule, seed, redrawn)
            elif len(family.sets):
                _by_sets(out, tasks[rows], seats[:, : family.judges], lists[rows], family, rule, brief)


# -- panels drawn from the same few judges -----------------------------------------------------------------------------


def _fill_redrawn(
    out: Weights,
    seats: Array,
    counts: Array,
    need: Array,
    lists: Array,
    rule: Rule,
    brief: bool,
    seed: int,
) -> None:
    """Fill in the weights by ``counts[panel, judge]`` of the judges' ``seats[judge, item]``: their chains once."""
    used = np.any(counts @ (seats > 0) >= need[:, None], axis=0)  # no pattern has an item that too few judges hold
    used[:1] |= not used.any()
    seats, lists = seats[None, :, used], lists[None, :, used]
    before = relation(seats)
    step = FACTORS >> counts.shape[1]
    for a in range(0, len(counts), step):
        rows = np.arange(a, min(a + step, len(counts)))
        votes = _votes(counts[rows])
        enough = votes >= need[rows, None]
        family = _moebius(np.where(enough, rule.by_support(votes), 0.0))
        sure = _exact(family, rule.by_support(votes[:, -1]))
        given = [(family, rule, out.total)]
        if not brief:
            given.append((_moebius(enough.astype(float)), Rule(rule.min_len, rule.max_len, 0.0), out.patterns))
        for factor, weighed, into in given:
            sets = np.flatnonzero(factor.any(axis=0))
            into[rows] = _all_chains(before, seats, sets, factor[:, sets].T, weighed)[0]
        sets = np.flatnonzero(family.any(axis=0))
        out.inside[rows] = weigh(before, lists, sets, family[:, sets].T, rule)[0].T
        doubtful = rows[~sure]
        if len(doubtful):
            every = np.broadcast_to(seats, (len(doubtful), *seats.shape[1:]))
            each = np.broadcast_to(lists, (len(doubtful), *lists.shape[1:]))
            _by_states(out, doubtful, every, counts[doubtful], need[doubtful], each, rule, seed, True)


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
    return family if _exact(family.weight, rule.by_support(votes)) else None


def _exact(factor: Array, largest: Array) -> Any:
    """Whether terms with these factors are not too much larger than their sum, which ``largest`` is about."""
    return np.abs(factor).sum(axis=-1) <= CANCELLING * np.maximum(np.abs(largest), 1e-300)


def _lattice(counts: Array, need: int, rule: Rule, brief: bool) -> Family:
    """All sets of few judges, whatever their counts."""
    votes = _votes(counts)
    enough = votes >= need
    weight = _moebius(np.where(enough, rule.by_support(votes), 0.0))
    number = np.zeros(len(votes)) if brief else _moebius(enough.astype(float))
    used = np.flatnonzero((weight != 0) | (number != 0))
    return Family(len(counts), used, weight[used], number[used])


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
    """Fill in the weights of these tasks."""
    before = relation(seats)
    out.total[rows] = _all_chains(before, seats, family.sets, family.weight, rule)
    if not brief:
        plain = Rule(rule.min_len, rule.max_len, 0.0)
        out.patterns[rows] = _all_chains(before, seats, family.sets, family.number, plain)
    used = family.weight != 0
    out.inside[rows] = weigh(before, lists, family.sets[used], family.weight[used], rule)


def _all_chains(before: Array, seats: Array, sets: Array, factor: Array, rule: Rule) -> Array:
    """Sum over sets of factor x weight of all their chains, ``[task]``: each follows the order of its first judge."""
    first = np.bitwise_count((sets & -sets) - 1)
    out = np.zeros((len(seats), *factor.shape[1:]))
    for k in range(seats.shape[1]):
        own = first == k
        if own.any():
            out += weigh(before, seats[:, k : k + 1], sets[own], factor[own], rule)[:, 0]
    return out


# -- many judges -------------------------------------------------------------------------------------------------------


def _by_states(
    out: Weights,
    rows: Array,
    seats: Array,
    counts: Array,
    need: Array,
    lists: Array,
    rule: Rule,
    seed: int,
    redrawn: bool,
) -> None:
    """Fill in the weights of these tasks one by one, by states."""
    for t, row in enumerate(rows.tolist()):
        found = pattern_states.weights(seats[t], counts[t], int(need[t]), lists[t], rule, seed=seed, brief=redrawn)
        out.total[row], out.inside[row], out.patterns[row], out.error[row] = found
