"""Every two judges of every task, what a measure says of them, and their means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.drawn_judges import Drawn
from quorate.groupings.partitions import Partitions

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every two judges of every task, in order of task and judges; of a row that stands for several, those as well."""

    task: Array  # [pair] number of the task among the panel's parts
    first: Array  # [pair] number of the judge within the task
    second: Array
    starts: Array  # [task + 1] where a task's pairs begin
    weight: Array  # [pair] how many pairs of judges it is

    @classmethod
    def of(cls, parts: Sequence[Partitions]) -> Pairs:
        """All pairs."""
        plain: dict[int, tuple[Array, Array, Array]] = {}  # of tasks in which every row is one judge
        found = [_two(p.counts, plain) for p in parts]
        sizes = np.array([len(a) for a, _, _ in found], np.int64)
        first, second, weight = (np.concatenate(x) for x in zip(*found, strict=True))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return cls(np.repeat(np.arange(len(parts)), sizes), first, second, starts, weight)

    @property
    def copies(self) -> Array:
        """Which pairs are of judges who are told apart by their count only."""
        return np.asarray(self.first == self.second)

    def mean(self, values: Array) -> Array:
        """The mean of a task's pairs, ``[task]``, of those where the value is defined."""
        return mean_by(self.task, values, len(self.starts) - 1, self.weight)


def _two(counts: Array, plain: dict[int, tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """First and second judge of each pair of a task, and how many pairs of judges it is."""
    single = bool((counts == 1).all())
    if single and len(counts) in plain:
        return plain[len(counts)]
    number = _pair_counts(counts)
    first, second = np.nonzero(np.triu(number))
    found = first, second, number[first, second]
    if single:
        plain[len(counts)] = found
    return found


def _pair_counts(counts: Array) -> Array:
    """How many pairs of judges two rows make, ``[row, row]``; on the diagonal, a row's judges among themselves."""
    out = np.outer(counts, counts)
    np.fill_diagonal(out, counts * (counts - 1) // 2)
    return np.asarray(out)


def mean_by(owner: Array, values: Array, tasks: int, weight: Array) -> Array:
    """Weighted means of what is defined, by owner."""
    there = ~np.isnan(values)
    number = np.bincount(owner[there], weight[there], tasks)
    total = np.bincount(owner[there], values[there] * weight[there], tasks)
    return np.asarray(np.divide(total, number, out=np.full(tasks, np.nan), where=number > 0))


@dataclass(frozen=True, eq=False)
class Compared:
    """What one measure says. ``forward``: the first judge's clusters, the second's classes; ``backward``: exchanged."""

    forward: Array  # [pair]
    backward: Array
    items: Array  # [pair] items compared
    chance: Array  # [2, pair] mean of both judges against random clusterings; forward, backward
    p: Array  # [2, pair]
    base: Array  # [task] mean of all judges against random clusterings
    drawn: Array  # [task, random] means over pairs of panels of random clusterings

    @property
    def values(self) -> Array:
        """The mean of both ways."""
        return np.asarray((self.forward + self.backward) / 2)


def judge_means(pairs: Pairs, parts: Sequence[Partitions], first: Array, second: Array) -> list[Array]:
    """Each judge's mean over the others, ``[task][judge]``: what a pair says of its first judge and of its second."""
    sizes = np.array([len(p.judges) for p in parts], np.int64)
    counts = np.concatenate([p.counts for p in parts])
    begin = np.cumsum(sizes) - sizes
    a, b = (begin[pairs.task] + x for x in (pairs.first, pairs.second))
    own = pairs.copies  # of a row that stands for several: one of them with the rest
    at, value = np.concatenate([a, b[~own]]), np.concatenate([first, second[~own]])
    weight = np.concatenate([np.where(own, counts[a] - 1, counts[b]), counts[a[~own]]])
    return np.split(mean_by(at, value, len(counts), weight), begin[1:])


def square(pairs: Pairs, values: Array, task: int, judges: int) -> Array:
    """One task's values as ``[judge, judge]``; on the diagonal NaN, unless the row stands for several judges."""
    out = np.full((judges, judges), np.nan)
    some = slice(int(pairs.starts[task]), int(pairs.starts[task + 1]))
    a, b = pairs.first[some], pairs.second[some]
    out[a, b] = out[b, a] = values[some]
    return out


def resampled_means(matrix: Array, drawn: Drawn) -> Array:
    """Means over pairs of different judges of ``matrix[judge, judge]``, judges as often as they are drawn.

    Of draws of a row that stands for several judges, those of different ones are pairs too.
    """
    there = ~np.isnan(matrix)
    other, value = there.astype(float), np.where(there, matrix, 0.0)
    own, own_value = other.diagonal().copy(), value.diagonal().copy()
    np.fill_diagonal(other, 0.0)
    np.fill_diagonal(value, 0.0)
    weight, within = drawn.times.astype(float), drawn.apart.astype(float)
    total = ((weight @ value) * weight).sum(axis=1) + within @ own_value
    number = ((weight @ other) * weight).sum(axis=1) + within @ own
    return np.asarray(np.divide(total, number, out=np.full(len(weight), np.nan), where=number > 0))
