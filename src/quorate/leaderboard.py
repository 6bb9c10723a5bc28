"""Leaderboards: systems by their mean over tasks, with intervals, paired tests, and letters where they do not differ.

Works on ``values[task, system]`` of any kind of judgment, NaN where a system has no value. A system is averaged over
the tasks it has; two systems are compared on the tasks that both have. Everything is seeded.
"""

from __future__ import annotations

import math
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.resample import Interval, percentiles, stream

Array = NDArray[Any]
ALPHA = 0.05
LEAST, MOST = 2000, 200_000  # sign flips
PER_PAIR = 40  # flips for each pair of systems, so that Holm's correction can still find p below 0.05
WORK = 4 * 10**10  # multiplications spent on sign flips, about
CELLS = 1 << 22  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Board:
    """A leaderboard by one method; systems are numbered as in the values."""

    means: Array  # [system]
    tasks: Array  # [system] how many tasks its mean is over
    intervals: tuple[Interval | None, ...]
    p: Array  # [system, system] of the paired tests, corrected by Holm; NaN where there is nothing to compare
    letters: tuple[str, ...]  # systems that share a letter do not differ significantly

    @property
    def order(self) -> list[int]:
        """Systems from best to worst, those without a value last."""
        return _order(self.means)


def board(values: Array, *names: object, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> Board:
    """The leaderboard of ``values[task, system]``: bootstrap over tasks, the same resamples for every system.

    The tests flip the signs of the differences of two systems on each task; p = (as extreme + 1) / (flips + 1).

    >>> b = board(np.array([[1.0, 0.1], [0.9, 0.2]] * 10))
    >>> b.means.round(2).tolist(), b.letters
    ([0.95, 0.15], ('a', 'b'))
    """
    means, tasks = mean_over_tasks(values)
    drawn = bootstrap(values, stream(seed, "bootstrap", *names), resamples)
    found = tuple(percentiles(drawn[:, s], level, "tasks") if tasks[s] > 1 else None for s in range(len(means)))
    p = holm(differences(values, stream(seed, "flips", *names)))
    return Board(means, tasks, found, p, letters(p < ALPHA, _order(means)))


def drawn_board(values: Array, drawn: Array, level: float, by: str, range: tuple[float, float] | None = None) -> Board:
    """The leaderboard of one task, ``values[system]``, from values drawn with other judges, ``[resample, system]``.

    With ``range`` the draws are reflected around the values: a judge drawn twice agrees with himself, which moves them.
    Two systems differ when the resamples hardly ever reverse or level them.
    """
    if range is not None:
        drawn = np.clip(2 * values - drawn, *range)
    found = tuple(percentiles(drawn[:, s], level, by) if not math.isnan(values[s]) else None for s in _all(values))
    p = np.full((len(values),) * 2, np.nan)
    for a in _all(values):
        gap = drawn[:, a, None] - drawn
        low, high = (gap <= 0).sum(axis=0), (gap >= 0).sum(axis=0)
        p[a] = np.minimum(2 * (np.minimum(low, high) + 1) / (len(drawn) + 1), 1)
    undefined = np.isnan(values)
    p[undefined] = p[:, undefined] = np.nan
    np.fill_diagonal(p, np.nan)
    p = holm(p)
    tasks = (~undefined).astype(np.int64)
    return Board(values, tasks, found, p, letters(p < ALPHA, _order(values)))


def _all(values: Array) -> Sequence[int]:
    return np.arange(len(values)).tolist()


def _order(means: Array) -> list[int]:
    return np.argsort(np.where(np.isnan(means), np.inf, -means), kind="stable").tolist()  # type: ignore[no-any-return]


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
    """p-values of every two systems, ``[system, system]``, before any correction; NaN with no task in common."""
    tasks, systems = values.shape
    p = np.full((systems, systems), np.nan)
    pairs = systems * (systems - 1) // 2
    if not pairs or not tasks:
        return p
    flips = min(max(LEAST, PER_PAIR * pairs), MOST, max(LEAST, WORK // (tasks * systems)))
    groups = list(_gap_groups(values))
    more = np.zeros((systems, systems), np.int64)
    step = max(1, CELLS // max(tasks, pairs))
    for a in range(0, flips, step):
        sign = rng.integers(0, 2, size=(min(step, flips - a), tasks), dtype=np.int8).astype(float) * 2 - 1
        for common, first, second in groups:
            _count_extreme(more, sign[:, common], values[common], first, second)
    for common, first, second in groups:
        if len(common):
            p[np.ix_(first, second)] = (more[np.ix_(first, second)] + 1) / (flips + 1)
            p[np.ix_(second, first)] = p[np.ix_(first, second)].T
    np.fill_diagonal(p, np.nan)
    return p


def _gap_groups(values: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Systems with the same gaps, group against group: the tasks that both have, and the two groups."""
    there = ~np.isnan(values)
    kinds, member = np.unique(there.T, axis=0, return_inverse=True)
    own = [np.flatnonzero(member.ravel() == k) for k in range(len(kinds))]
    for a in range(len(kinds)):
        for b in range(a, len(kinds)):
            yield np.flatnonzero(kinds[a] & kinds[b]), own[a], own[b]


def _count_extreme(more: Array, sign: Array, values: Array, first: Array, second: Array) -> None:
    """Count the flips that leave two systems at least as far apart as they are."""
    if not len(values):
        return
    # A difference's flipped sum is the difference of two flipped sums: one product serves all pairs.
    left, right = sign @ values[:, first], sign @ values[:, second]
    seen = np.abs(values[:, first].sum(axis=0)[:, None] - values[:, second].sum(axis=0)) * (1 - 1e-12) - 1e-12
    step = max(1, CELLS // max(len(sign), 1) // max(len(second), 1))
    for a in range(0, len(first), step):
        part = first[a : a + step]
        gap = np.abs(left[:, a : a + step, None] - right[:, None, :])
        more[np.ix_(part, second)] += (gap >= seen[a : a + step]).sum(axis=0)


def holm(p: Array) -> Array:
    """p-values of pairs, ``[system, system]``, corrected for their number by Holm's steps."""
    first, second = np.triu_indices(len(p), 1)
    listed = p[first, second]
    known = np.flatnonzero(~np.isnan(listed))
    order = known[np.argsort(listed[known], kind="stable")]
    steps = listed[order] * np.arange(len(order), 0, -1)
    corrected = np.full(len(listed), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    out = np.full(p.shape, np.nan)
    out[first, second] = out[second, first] = corrected
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
        for b in range(a, size):
            if rows[a] >> b & 1 and not covered[a] >> b & 1:
                group, left = 1 << a, rows[a] & rows[b]
                group |= 1 << b
                left &= ~group
                while left:  # the best systems first
                    k = (left & -left).bit_length() - 1
                    group |= 1 << k
                    left &= rows[k] & ~group
                members = [k for k in range(size) if group >> k & 1]
                for k in members:
                    covered[k] |= group
                out.append([order[k] for k in members])
    return out


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
