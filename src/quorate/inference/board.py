"""Leaderboards: systems by their mean over tasks, with intervals, paired tests, and letters where they do not differ.

Works on ``values[task, system]`` of any kind of judgment, NaN where a system has no value. A system is averaged over
the tasks it has; two systems are compared on the tasks that both have. Everything is seeded.
"""

from __future__ import annotations

import math
import string
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.drawn_differences import drawn_differences
from quorate.inference.resample import Interval, centred, holm, stream

Array = NDArray[Any]
ALPHA = 0.05
LEAST, MOST = 2000, 100_000  # sign flips
PER_PAIR = 40  # flips for each pair of systems, so that Holm's correction can still find p below 0.05
COMPARED = 3000  # systems up to which every two are compared
ENOUGH = 100  # flips that leave two systems as far apart as they are: then they do not differ
CELLS = 1 << 22  # numbers held at a time


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
    range: tuple[float, float] | None = None,
) -> Board:
    """The leaderboard of ``values[task, system]``: bootstrap over tasks, the same resamples for every system.

    Intervals are widened for few tasks and stay inside ``range``, or inside what was seen where that is not told. The
    tests flip the signs of the differences of two systems on each task; p = (as extreme + 1) / (flips + 1).

    >>> b = board(np.array([[1.0, 0.1], [0.9, 0.2]] * 10))
    >>> b.means.round(2).tolist(), b.letters
    ([0.95, 0.15], ('a', 'b'))
    """
    means, tasks = mean_over_tasks(values)
    drawn = bootstrap(values, stream(seed, "bootstrap", *names), resamples)
    inside = _seen(values) if range is None else range
    found = tuple(centred(float(means[s]), drawn[:, s], level, "tasks", int(tasks[s]), inside) for s in _all(means))
    if len(means) > COMPARED:
        return _untested(means, tasks, found)
    p = holm_pairs(differences(values, stream(seed, "flips", *names)))
    return Board(means, tasks, found, p, letters(p < ALPHA, _order(means)), least_p(values))


def _seen(values: Array) -> tuple[float, float]:
    """The lowest and the highest value: a scale whose ends nobody told."""
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (-math.inf, math.inf)


def drawn_board(
    values: Array,
    drawn: Array,
    level: float,
    by: str,
    range: tuple[float, float] | None = None,
    units: int | Array = 0,
) -> Board:
    """The leaderboard of one task, ``values[system]``, from values drawn with other judges, ``[resample, system]``.

    ``units`` is the number of judges, or that of each system; of fewer than two nothing is told. Intervals are put
    around the values and widened, since a judge drawn twice agrees with himself and few judges show too little of their
    spread; two systems are compared by Student's t, with the error that the draws show.
    """
    inside = (-math.inf, math.inf) if range is None else range
    judges = np.broadcast_to(np.asarray(units, np.int64), values.shape)
    found = tuple(centred(float(values[s]), drawn[:, s], level, by, int(judges[s]), inside) for s in _all(values))
    tasks = (~np.isnan(values)).astype(np.int64)
    if len(values) > COMPARED:
        return _untested(values, tasks, found)
    p = holm_pairs(drawn_differences(values, drawn, judges))
    return Board(values, tasks, found, p, letters(p < ALPHA, _order(values)))


def _untested(means: Array, tasks: Array, intervals: tuple[Interval | None, ...]) -> Board:
    """A leaderboard of so many systems that no two are compared: the corrected p of none could be small."""
    nothing = np.broadcast_to(np.nan, (len(means),) * 2)
    return Board(means, tasks, intervals, nothing, ("",) * len(means), 1.0, tested=False)


def _all(values: Array) -> Sequence[int]:
    return np.arange(len(values)).tolist()


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
    found = np.divide(total, number, out=np.full(size, np.nan), where=number > 0)
    return found.reshape(len(row), len(column)), tuple(column)


def mean_over_tasks(values: Array) -> tuple[Array, Array]:
    """Each system's mean over the tasks it has, and how many those are."""
    there = ~np.isnan(values)
    tasks = there.sum(axis=0)
    total = np.where(there, values, 0.0).sum(axis=0)
    return np.divide(total, tasks, out=np.full(tasks.shape, np.nan), where=tasks > 0), tasks


def bootstrap(values: Array, rng: np.random.Generator, resamples: int) -> Array:
    """Means over tasks drawn with replacement, ``[resample, system]``; every system sees the same draws."""
    tasks, systems = values.shape
    there = ~np.isnan(values)
    both = np.concatenate([np.where(there, values, 0.0), there], axis=1)
    out = np.empty((resamples, systems))
    step = max(1, CELLS // max(tasks, 1))
    for a in range(0, resamples, step):
        size = min(step, resamples - a)
        drawn = rng.integers(tasks, size=(size, tasks)) + np.arange(size)[:, None] * tasks
        times = np.bincount(drawn.ravel(), minlength=size * tasks).reshape(size, tasks)
        sums = times.astype(float) @ both
        of = sums[:, systems:]
        out[a : a + size] = np.divide(sums[:, :systems], of, out=np.full(of.shape, np.nan), where=of > 0)
    return out


# -- paired tests ------------------------------------------------------------------------------------------------------


def differences(values: Array, rng: np.random.Generator) -> Array:
    """p-values of every two systems, ``[system, system]``, before any correction; NaN with no task in common.

    Signs are flipped until a pair was as far apart by chance ENOUGH times, or as often as Holm's correction needs.
    """
    tasks, systems = values.shape
    flips = _flips(systems)
    p = np.full((systems, systems), np.nan)
    pairs = _Pairs.of(values, flips)
    step = max(1, CELLS // max(tasks, 1))
    done = 0
    while done < flips and pairs.open.any():
        size = min(step, flips - done)
        pairs.count(rng.integers(0, 2, size=(size, tasks), dtype=np.int8).astype(float) * 2 - 1)
        done += size
        pairs.open &= pairs.extreme < ENOUGH
    p[pairs.first, pairs.second] = (pairs.extreme + 1) / (np.where(pairs.flips, pairs.flips, flips) + 1)
    p[pairs.second, pairs.first] = p[pairs.first, pairs.second]
    return p


def _flips(systems: int) -> int:
    """How often signs are flipped for so many systems."""
    return min(max(LEAST, PER_PAIR * (systems * (systems - 1) // 2)), MOST)


def least_p(values: Array) -> float:
    """The smallest corrected p that two systems could have by flipped signs, were one better on every task of both.

    Of n tasks two of the 2^n flips are as far apart then, and no p is below 1 / (flips + 1); Holm's correction
    multiplies the smallest p by the number of pairs. NaN where no two systems have a task in common.

    >>> least_p(np.ones((5, 2))), least_p(np.ones((12, 40))) > ALPHA, least_p(np.ones((60, 40))) > ALPHA
    (0.0625, True, False)
    """
    there = (~np.isnan(values)).astype(float)
    common = (there.T @ there)[np.triu_indices(there.shape[1], 1)]
    if not (common > 0).any():
        return math.nan
    alone = max(2.0 ** (1 - float(common.max())), 1 / (_flips(there.shape[1]) + 1))
    return float(min(alone * int((common > 0).sum()), 1.0))


def tasks_needed(systems: int) -> int | None:
    """The fewest tasks on which two of so many systems could differ significantly; None where no number would do.

    >>> tasks_needed(2), tasks_needed(40), tasks_needed(500)
    (6, 15, None)
    """
    pairs = systems * (systems - 1) // 2
    if pairs / (_flips(systems) + 1) >= ALPHA:
        return None
    return next(n for n in range(1, 64) if 2.0 ** (1 - n) * pairs < ALPHA)


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
        step = max(1, CELLS // max(sign.shape))
        for tasks, pairs in self.common:
            pairs = pairs[self.open[pairs]]
            if not len(pairs):
                continue
            used, place = np.unique([self.first[pairs], self.second[pairs]], return_inverse=True)
            a, b = place.reshape(2, -1)
            # A difference's flipped sum is the difference of two flipped sums: one product serves all pairs.
            whole = len(tasks) == len(self.values)
            sums = ((sign if whole else sign[:, tasks]) @ self.values[np.ix_(tasks, used)]).T
            for k in range(0, len(pairs), step):
                self._add(pairs[k : k + step], sums[a[k : k + step]] - sums[b[k : k + step]])
        alone = self.alone[self.open[self.alone]]
        for k in range(0, len(alone), step):
            some = alone[k : k + step]
            a, b = self.first[some], self.second[some]
            held = np.flatnonzero((self.there[:, a] * self.there[:, b]).any(axis=1))  # of votes, few tasks each
            values, there = self.values[held], self.there[held]
            apart = values[:, a] * there[:, b] - values[:, b] * there[:, a]
            self._add(some, ((sign if len(held) == len(self.values) else sign[:, held]) @ apart).T)

    def _add(self, pairs: Array, gap: Array) -> None:
        """Count the flips, ``gap[pair, flip]``, that left pairs as far apart as they are."""
        self.extreme[pairs] += (np.abs(gap) >= self.seen[pairs, None]).sum(axis=1)
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


# -- letters -----------------------------------------------------------------------------------------------------------


def letters(differ: Array, order: Sequence[int]) -> tuple[str, ...]:
    """A compact letter display: two systems share a letter exactly when they do not differ; best systems first.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool), [0, 1, 2])
    ('a', 'ab', 'b')
    """
    groups = _needed(_cover(differ, order))
    out = [""] * len(order)
    for number, group in enumerate(groups):
        for system in sorted(group):
            out[system] += _letter(number)
    return tuple(out)


def _cover(differ: Array, order: Sequence[int]) -> list[list[int]]:
    """Groups without a difference that hold every two systems that do not differ, each as large as can be."""
    size = len(order)
    same = ~differ[np.ix_(order, order)]
    np.fill_diagonal(same, True)
    rows = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in same]
    covered = [0] * size
    out = []
    for a in range(size):
        while wanted := (rows[a] & ~covered[a]) >> a:  # those with whom it is in no group yet
            b = a + _lowest(wanted)
            group = 1 << a | 1 << b
            left = rows[a] & rows[b] & ~group
            while left:  # the best systems first
                k = _lowest(left)
                group |= 1 << k
                left &= rows[k] & ~group
            members = [k for k in range(size) if group >> k & 1]
            for k in members:
                covered[k] |= group
            out.append([order[k] for k in members])
    return out


def _lowest(bits: int) -> int:
    """The number of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def _needed(groups: list[list[int]]) -> list[list[int]]:
    """The groups without those whose every pair is together in another one."""
    size = 1 + max((s for g in groups for s in g), default=-1)
    together = np.zeros((size, size), np.int64)
    for g in groups:
        together[np.ix_(g, g)] += 1
    out = []
    for g in reversed(groups):  # groups found later are those that only few systems need
        if (together[np.ix_(g, g)] > 1).all():
            together[np.ix_(g, g)] -= 1
        else:
            out.append(g)
    return out[::-1]


def _letter(number: int) -> str:
    """a to z, A to Z, then a2, b2, ..."""
    again, place = divmod(number, 52)
    return string.ascii_letters[place] + (str(again + 1) if again else "")


def rank_ranges(p: Array, order: Sequence[int], level: float = 0.05) -> list[tuple[int, int]]:
    """The first and the last rank that each system may have, by what differs: together they hold as the tests do.

    >>> rank_ranges(np.array([[1, 0.5, 0.01], [0.5, 1, 0.5], [0.01, 0.5, 1]]), [0, 1, 2])
    [(1, 2), (1, 3), (2, 3)]
    """
    out = [(0, 0)] * len(order)
    for k, system in enumerate(order):
        differs = p[system, list(order)] < level
        out[system] = (1 + int(differs[:k].sum()), len(order) - int(differs[k + 1 :].sum()))
    return out


def clusters(p: Array, order: list[int], level: float = 0.05) -> list[int]:
    """Significance clusters, numbered from 1: a new one begins where all above differ from all below.

    >>> p = np.array([[1, 0.5, 0.01], [0.5, 1, 0.01], [0.01, 0.01, 1]])
    >>> clusters(p, [0, 1, 2])
    [1, 1, 2]
    """
    same = ~(p[np.ix_(order, order)] < level)
    np.fill_diagonal(same, True)
    reach = np.maximum.accumulate(len(order) - 1 - np.argmax(same[:, ::-1], axis=1))  # the last one not told apart
    begins = np.append(True, reach[:-1] < np.arange(1, len(order)))
    out = np.empty(len(order), np.int64)
    out[order] = np.cumsum(begins)
    return out.tolist()
