"""Leaderboards: systems by their mean over tasks, with intervals, paired tests, and letters where they do not differ.

Works on ``values[task, system]`` of any kind of judgment, NaN where a system has no value. A system is averaged over
the tasks it has; two systems are compared on the tasks that both have. Everything is seeded.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Interval
from quorate.inference.intervals import interval
from quorate.inference.letters import letters
from quorate.inference.null import holm, p_value
from quorate.inference.weights import blocks, stream
from quorate.inference.weights import drawn as drawn_units
from quorate.kernels.defined import quotient
from quorate.kernels.streams import all_signs, signs
from quorate.kernels.tails import beyond_each, flipped_beyond

Array = NDArray[Any]
ALPHA = 0.05
POWER = 0.8
LEAST, MOST, FEWEST = 2000, 100_000, 1000  # sign flips; and of very many systems
ALL_PAIRS = 25 * 10**7  # of all pairs together: beyond 70 systems each has fewer, and small p are what a bound says
PER_PAIR = 40  # flips for each pair of systems, so that Holm's correction can still find p below 0.05
COMPARED = 3000  # systems up to which every two are compared
SELDOM = 10  # flips that do, of fewer their number is luck: p is at most what a bound says
ENOUGH = 100  # flips that leave two systems as far apart as they are: then they do not differ
IN_TURN = 10_000  # flips after which it is looked for which pairs need no more
CELLS = 1 << 22  # numbers held at a time
GAPS = 1 << 20  # of them differences of pairs, which are looked at once
SIGNS = 1 << 19  # of them signs as numbers, as many as stay in the cache
STEPS = 2 * 10**6  # numbers looked at for a bound
TIMES = 6  # times as long as a flip of two systems a bound takes, for each task
NEAR = 1e-10  # a difference by rounding alone
CLOSE = 1e-8  # share of two systems' variances below which that of their difference may be rounding


@dataclass(frozen=True, eq=False)
class Board:
    """A leaderboard by one method; systems are numbered as in the values."""

    means: Array  # [system]
    tasks: Array  # [system] how many tasks its mean is over
    intervals: tuple[Interval | None, ...]
    p: Array  # [system, system] of the paired tests, corrected by Holm; NaN where there is nothing to compare
    letters: tuple[str, ...]  # systems that share a letter do not differ significantly
    least: float = 0.0  # the smallest corrected p that any two systems could have, whatever their values
    tested: bool = True  # whether systems were compared, two by two

    @property
    def order(self) -> list[int]:
        """Systems from best to worst, those without a value last."""
        return _order(self.means)


def board(
    values: Array,
    *names: object,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
    range: tuple[float, float] = (-math.inf, math.inf),
) -> Board:
    """The leaderboard of ``values[task, system]``: bootstrap over tasks, the same resamples for every system.

    Intervals are widened for few tasks and stay inside ``range``. The tests flip the signs of the differences of two
    systems on each task; p = (as extreme + 1) / (flips + 1), or less where a bound says so.

    >>> b = board(np.array([[1.0, 0.1], [0.9, 0.2]] * 10))
    >>> b.means.round(2).tolist(), b.letters
    ([0.95, 0.15], ('a', 'b'))
    """
    means, tasks, found = mean_intervals(values, *names, seed=seed, level=level, resamples=resamples, range=range)
    if len(means) > COMPARED:  # the corrected p of none could be small
        nothing = np.broadcast_to(np.nan, (len(means),) * 2)
        return Board(means, tasks, found, nothing, ("",) * len(means), 1.0, tested=False)
    p = holm_pairs(differences(values, stream(seed, "flips", *names)))
    return Board(means, tasks, found, p, letters(p < ALPHA, _order(means)), least_p(values))


def mean_intervals(
    values: Array, *names: object, seed: int, level: float, resamples: int, range: tuple[float, float]
) -> tuple[Array, Array, tuple[Interval | None, ...]]:
    """Each system's mean over the tasks it has, how many those are, and the interval of the mean."""
    means, tasks = mean_over_tasks(values)
    drawn = bootstrap(values, stream(seed, "bootstrap", *names), resamples)
    found = tuple(
        interval(float(m), drawn[:, k], level=level, over="tasks", units=int(tasks[k]), range=range)
        for k, m in enumerate(means)
    )
    return means, tasks, found


def _order(means: Array) -> list[int]:
    return np.argsort(np.where(np.isnan(means), np.inf, -means), kind="stable").tolist()  # type: ignore[no-any-return]


def cross_table(
    tasks: Sequence[Hashable], systems: Sequence[Hashable], values: Array
) -> tuple[Array, tuple[Hashable, ...]]:
    """Values by task and system, ``[task, system]``, and the systems; the mean where there are several, NaN where none.

    >>> found, systems = cross_table(["t", "t", "u"], ["a", "b", "b"], np.array([1.0, 2.0, 3.0]))
    >>> found.tolist(), systems
    ([[1.0, 2.0], [nan, 3.0]], ('a', 'b'))
    """
    row, column = ({name: k for k, name in enumerate(dict.fromkeys(names))} for names in (tasks, systems))
    place = np.array([row[t] * len(column) + column[s] for t, s in zip(tasks, systems, strict=True)], np.int64)
    known = np.isfinite(values)
    size = len(row) * len(column)
    number = np.bincount(place[known], minlength=size)
    total = np.bincount(place[known], values[known], size)
    found = quotient(total, number)
    return found.reshape(len(row), len(column)), tuple(column)


def mean_over_tasks(values: Array) -> tuple[Array, Array]:
    """Each system's mean over the tasks it has, and how many those are."""
    there = ~np.isnan(values)
    tasks = there.sum(axis=0)
    total = np.where(there, values, 0.0).sum(axis=0)
    return quotient(total, tasks), tasks


def bootstrap(values: Array, rng: np.random.Generator, resamples: int) -> Array:
    """Means over tasks drawn with replacement, ``[resample, system]``; every system sees the same draws."""
    there, out = ~np.isnan(values), np.full((resamples, values.shape[1]), np.nan)
    filled = np.where(there, values, 0.0)
    for some in blocks(resamples, len(values)):
        times = drawn_units(len(values), some.stop - some.start, rng)
        of = times @ there
        np.divide(times @ filled, of, out=out[some], where=of > 0)
    return out


# -- paired tests ------------------------------------------------------------------------------------------------------


def differences(values: Array, rng: np.random.Generator) -> Array:
    """p-values of every two systems, ``[system, system]``, before any correction; NaN with no task in common.

    Signs are flipped in all ways where these are few; otherwise until a pair was as far apart by chance ENOUGH times,
    or as often as Holm's correction needs. Where hardly any flip gets as far, p is at most what Chernoff's bound says.
    Of so many systems that Holm's correction makes 1 of whatever flips could tell, none is tried: p is 1 then.
    """
    tasks, systems = values.shape
    flips = _flips(systems)
    p = np.full((systems, systems), np.nan)
    pairs = _Pairs.of(values, flips)
    if (known := pairs.without_flips(flips)) is not None:
        p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = known
        return p
    if 2 ** (tasks - 1) <= flips:
        pairs.open[:] = True
        pairs.count(all_signs(tasks))
        p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = quotient(pairs.extreme, pairs.flips)
        return p
    step = min(max(1, CELLS // max(tasks, 1)), IN_TURN)
    done = 0
    while done < flips and pairs.open.any():
        size = min(step, flips - done)
        pairs.count(signs(rng, size, tasks))
        done += size
        pairs.open &= pairs.extreme < ENOUGH
    found = p_value(pairs.extreme, np.where(pairs.flips, pairs.flips, flips))
    few = np.flatnonzero(pairs.extreme < SELDOM)
    found[few] = np.minimum(found[few], pairs.bound(few))
    p[pairs.first, pairs.second] = p[pairs.second, pairs.first] = found
    return p


def _flips(systems: int) -> int:
    """How often signs are flipped for so many systems."""
    pairs = systems * (systems - 1) // 2
    return min(max(LEAST, PER_PAIR * pairs), MOST, max(FEWEST, ALL_PAIRS // max(pairs, 1)))


def fewer_flips(systems: int) -> int:
    """How often signs are flipped where that is less than usual, of very many systems; else 0.

    >>> fewer_flips(70), fewer_flips(100), fewer_flips(1000)
    (0, 50505, 1000)
    """
    return flips if (flips := _flips(systems)) < MOST and PER_PAIR * systems * (systems - 1) // 2 > MOST else 0


def least_p(values: Array) -> float:
    """The smallest corrected p that two systems could have by flipped signs, were one better on every task of both.

    Of n tasks two of the 2^n flips are as far apart then; Holm's correction multiplies the smallest p by the number of
    pairs. NaN where no two systems have a task in common.

    >>> least_p(np.ones((5, 2))), least_p(np.ones((12, 40))) > ALPHA, least_p(np.ones((60, 40))) > ALPHA
    (0.0625, True, False)
    """
    there = (~np.isnan(values)).astype(float)
    common = (there.T @ there)[np.triu_indices(there.shape[1], 1)]
    if not (common > 0).any():
        return math.nan
    return float(min(2.0 ** (1 - float(common.max())) * int((common > 0).sum()), 1.0))


def tasks_needed(systems: int) -> int:
    """The fewest tasks on which two of so many systems could differ significantly.

    >>> tasks_needed(2), tasks_needed(40), tasks_needed(500)
    (6, 15, 23)
    """
    pairs = systems * (systems - 1) // 2
    return next(n for n in range(1, 64) if 2.0 ** (1 - n) * pairs < ALPHA)


@dataclass(frozen=True)
class Tie:
    """Two neighbours of a leaderboard that cannot be told apart, and on how many tasks they would be."""

    first: int
    second: int
    tasks: int  # that both have
    needed: int  # for a difference as large as theirs to be significant in POWER of all cases, if it is real


def tie(values: Array, p: Array, order: Sequence[int]) -> Tie | None:
    """That of the leader and the next, or else of the next two; None where neither is one, or nothing can be said.

    >>> values = np.random.default_rng(1).normal(size=(40, 3)) + [9, 0.2, 0]
    >>> found = tie(values, np.array([[1, 0, 0], [0, 1, 0.3], [0, 0.3, 1]]), [0, 1, 2])
    >>> found.first, found.second, found.tasks, found.needed > 40
    (1, 2, 40, True)
    """
    for first, second in pairwise(order[:3]):
        if not p[first, second] < ALPHA:
            gap = values[:, first] - values[:, second]
            gap = gap[~np.isnan(gap)]
            if len(gap) < 2:
                return None
            size, spread = abs(float(gap.mean())), float(gap.std(ddof=1))
            if not size > CLOSE * spread > 0:
                return None
            open_pairs = int((p[np.triu_indices(len(p), 1)] >= ALPHA).sum())
            needed = needed_to_differ(size / spread, max(open_pairs, 1))
            return Tie(first, second, len(gap), needed) if needed > len(gap) else None
    return None


def needed_to_differ(effect: float, pairs: int = 1) -> int:
    """On how many tasks a mean difference of so many standard deviations is significant in POWER of all cases.

    >>> needed_to_differ(0.5), needed_to_differ(0.5, pairs=10)
    (32, 54)
    """
    normal = NormalDist()
    reach = normal.inv_cdf(1 - ALPHA / (2 * pairs)) + normal.inv_cdf(POWER)
    return math.ceil((reach / effect) ** 2)


@dataclass(eq=False)
class _Pairs:
    """Pairs of systems with tasks in common, and how often flipped signs left them as far apart as they are."""

    values: Array  # [task, system], 0 where there is none
    there: Array  # [task, system] whether there is one
    common: list[tuple[Array, Array]]  # tasks, and the pairs that have just these in common, where they are many
    alone: Array  # the other pairs
    first: Array  # [pair]
    second: Array
    seen: Array  # how far apart they are: the sum of their differences
    open: Array  # whether more flips are needed
    extreme: Array
    flips: Array

    @classmethod
    def of(cls, values: Array, flips: int) -> _Pairs:
        there = (~np.isnan(values)).astype(float)
        first, second = np.triu_indices(values.shape[1], 1)
        keep = (there.T @ there)[first, second] > 0
        first, second = first[keep], second[keep]
        filled = np.where(there > 0, values, 0.0)
        # Sums over the tasks of two systems are products: [a, b] is of a's values where b has one.
        total, square, product = filled.T @ there, (filled**2).T @ there, filled.T @ filled
        seen = np.abs(total[first, second] - total[second, first])
        squares = square[first, second] + square[second, first] - 2 * product[first, second]
        # Hoeffding's bound: where it says that not one flip in a million runs gets as far, none is tried.
        hopeless = seen**2 > 2 * np.maximum(squares, 0) * math.log(2e6 * flips)
        groups = list(_common(there > 0, first, second))
        many = [(tasks, pairs) for tasks, pairs in groups if len(pairs) > values.shape[1]]
        few = [pairs for _, pairs in groups if len(pairs) <= values.shape[1]]
        alone = np.concatenate(few) if few else np.zeros(0, np.int64)
        none = np.zeros(len(first), np.int64)
        tolerant = seen * (1 - 1e-9) - 1e-12
        return cls(filled, there, many, alone, first, second, tolerant, ~hopeless, none, none.copy())

    def count(self, sign: Array) -> None:
        """Flip signs, ``[flip, task]``, for the pairs that need it."""
        step = max(1, SIGNS // max(sign.shape[1], 1))
        for k in range(0, len(sign), step):
            self._count(sign[k : k + step].astype(float))

    def _count(self, sign: Array) -> None:
        for tasks, pairs in self.common:
            pairs = pairs[self.open[pairs]]
            if not len(pairs):
                continue
            used, place = np.unique([self.first[pairs], self.second[pairs]], return_inverse=True)
            a, b = place.reshape(2, -1)
            # A difference's flipped sum is the difference of two flipped sums: one product serves all pairs.
            whole = len(tasks) == len(self.values)
            sums = self.values[np.ix_(tasks, used)].T @ (sign if whole else sign[:, tasks]).T  # a row for each system
            gap, far = np.empty(len(sign)), np.empty(len(sign), bool)
            extreme = np.empty(len(pairs), np.int64)
            for k, (one, other, seen) in enumerate(zip(a.tolist(), b.tolist(), self.seen[pairs].tolist(), strict=True)):
                np.abs(np.subtract(sums[one], sums[other], out=gap), out=gap)  # pair by pair: it stays in the cache
                extreme[k] = np.count_nonzero(np.greater_equal(gap, seen, out=far))
            self.extreme[pairs] += extreme
            self.flips[pairs] += len(sign)
        alone, step = self.alone[self.open[self.alone]], max(1, CELLS // max(sign.shape))
        for k in range(0, len(alone), step):
            some = alone[k : k + step]
            a, b = self.first[some], self.second[some]
            held = np.flatnonzero((self.there[:, a] * self.there[:, b]).any(axis=1))  # of votes, few tasks each
            values, there = self.values[held], self.there[held]
            apart = values[:, a] * there[:, b] - values[:, b] * there[:, a]
            self._add(some, apart.T @ (sign if len(held) == len(self.values) else sign[:, held]).T)

    def without_flips(self, flips: int) -> Array | None:
        """p of all pairs where so many flips would add nothing, ``[pair]``; None where they would.

        The smallest p that they can tell, times the number of pairs that Holm's correction has left when those of which
        a bound says less are done, is then 1 and more.
        """
        number, tasks = len(self.first), len(self.values)
        if 2 ** (tasks - 1) <= number:  # whatever the values
            return np.ones(number)
        if number <= flips or tasks * TIMES > flips:
            return None
        out = self.bound(np.arange(number))
        rare = np.flatnonzero(out * flips < 2 * SELDOM)
        found = np.ones(number)
        found[rare] = self.bound(rare)  # of fewer pairs it comes nearer
        return found if number - int((found * (flips + 1) < 1).sum()) > flips else None

    def bound(self, pairs: Array) -> Array:
        """At most how often flipped signs leave pairs as far apart as they are, ``[pair]``."""
        out, tasks = np.ones(len(pairs)), len(self.values)
        steps = int(np.clip(STEPS / max(len(pairs) * tasks, 1), 1, 12))
        for k in range(0, len(pairs), max(1, GAPS // tasks)):
            a, b = (side[pairs[k : k + max(1, GAPS // tasks)]] for side in (self.first, self.second))
            apart = self.values[:, a] * self.there[:, b] - self.values[:, b] * self.there[:, a]
            out[k : k + len(a)] = flipped_beyond(apart.T, np.abs(apart.sum(axis=0)), steps)
        return out

    def _add(self, pairs: Array, gap: Array) -> None:
        """Count the flips, ``gap[pair, flip]``, that left pairs as far apart as they are."""
        self.extreme[pairs] += (np.abs(gap, out=gap) >= self.seen[pairs, None]).sum(axis=1)
        self.flips[pairs] += gap.shape[1]


def _common(there: Array, first: Array, second: Array) -> Iterator[tuple[Array, Array]]:
    """Pairs that have the same tasks in common, with these tasks."""
    kinds, member = np.unique(there.T, axis=0, return_inverse=True)
    member = member.ravel()
    low, high = np.minimum(member[first], member[second]), np.maximum(member[first], member[second])
    group, place = np.unique(low * len(kinds) + high, return_inverse=True)
    order = np.argsort(place.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(place.ravel(), minlength=len(group)))
    for both, pairs in zip(group.tolist(), np.split(order, ends[:-1]) if len(group) else (), strict=True):
        yield np.flatnonzero(kinds[both // len(kinds)] & kinds[both % len(kinds)]), pairs


def holm_pairs(p: Array) -> Array:
    """p-values of pairs, ``[system, system]``, corrected for their number by Holm's steps."""
    first, second = np.triu_indices(len(p), 1)
    out = np.full(p.shape, np.nan)
    out[first, second] = out[second, first] = holm(p[first, second])
    return out


# -- differences by the error that draws show --------------------------------------------------------------------------


def drawn_differences(values: Array, drawn: Array, judges: Array) -> Array:
    """p-values, ``[system, system]``, from ``drawn[resample, system]``; NaN where two share too few draws or judges.

    By Student's t: the difference over the error that the draws show, all from three products of matrices, so that
    thousands of items are no trouble. Where next to nothing is left of two systems' errors, as of items that all judges
    score alike, it is computed draw by draw. A sign test where no draw changes a difference: as if all judges said so.

    >>> float(drawn_differences(np.array([0.0, 1.0]), np.array([[0.0, 1.0]] * 9), np.array([4, 4]))[0, 1])
    0.125
    """
    size = len(values)
    first, second = np.triu_indices(size, 1)
    units = np.minimum(judges[first], judges[second])
    apart = np.abs(values[first] - values[second])
    known, spread = _spread(drawn, first, second)
    spread *= np.sqrt(units / np.maximum(units - 1, 1))  # draws from few judges spread less than the judges do
    p = np.full(len(first), np.nan)
    told = (known > 1) & np.isfinite(apart) & (units > 1)
    still = told & (spread <= NEAR)
    p[still] = np.where(apart[still] <= NEAR, 1.0, np.minimum(2.0 ** (1 - units[still].astype(float)), 1.0))
    moving = np.flatnonzero(told & ~still)
    for freedom in np.unique(units[moving]).tolist():
        some = moving[units[moving] == freedom]
        p[some] = beyond_each(apart[some] / spread[some], int(freedom) - 1)
    out = np.full((size, size), np.nan)
    out[first, second] = out[second, first] = p
    return out


def _spread(drawn: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Of every two systems how many draws have both, and the deviation of their difference over these."""
    there = np.isfinite(drawn)
    number = np.maximum(there.sum(axis=0), 1)
    off = np.where(there, drawn - np.where(there, drawn, 0.0).sum(axis=0) / number, 0.0)
    held = there.astype(float)
    both, total, square, product = held.T @ held, off.T @ held, (off * off).T @ held, off.T @ off
    known = np.maximum(both[first, second], 1.0)
    each = square[first, second] + square[second, first]
    mean = (total[first, second] - total[second, first]) / known
    variance = np.maximum((each - 2 * product[first, second]) / known - mean**2, 0.0)
    unsure = np.flatnonzero(variance <= CLOSE * each / known)
    step = max(1, CELLS // max(len(drawn), 1))
    for a in range(0, len(unsure), step):
        some = unsure[a : a + step]
        one, two = first[some], second[some]
        shared = there[:, one] & there[:, two]
        gap = np.where(shared, np.where(shared, drawn[:, one], 0.0) - np.where(shared, drawn[:, two], 0.0), 0.0)
        gap = np.where(shared, gap - gap.sum(axis=0) / known[some], 0.0)
        variance[some] = (gap**2).sum(axis=0) / known[some]
    return both[first, second], np.sqrt(variance)
