"""Weightings: draws of tasks, judges or units, each judge left out, halves, and k of n judges.

A method is a function of weights, so interval, influence, reliability and learning curve are ways to weigh, written
here once; intervals of what comes out are made in :mod:`~quorate.inference.intervals`. Every use has a random stream of
its own, made from the seed and what is asked, never from names of judges or items: asking for one more method, or
renaming a judge, changes no draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.streams import stream as stream
from quorate.panel.columns import frozen
from quorate.panel.design import Design, Weights
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 22  # numbers held at a time
COUNTED = 1 << 16  # cells of which counts are made at a time: they stay near the processor
GROUPS = 200  # of judges that are left out together, where there are more


def drawn(size: int, draws: int, rng: np.random.Generator) -> Array:
    """How often each of so many units is drawn, with replacement, ``[draw, unit]``."""
    out = np.empty((draws, size))
    step = max(1, COUNTED // max(size, 1))
    for a in range(0, draws, step):
        rows = min(step, draws - a)
        picked = rng.integers(size, size=(rows, size))
        picked[1:] += np.arange(1, rows)[:, None] * size
        out[a : a + rows] = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size)
    return out


def counted_at_once(size: int) -> int:
    """How many draws of so many units are made in one go, where nothing but counts is drawn: what memory was just used
    is used again, which is faster than asking for more. A multiple of four, as products of matrices are summed; of
    very many units one."""
    return max(CELLS // max(size, 1) // 4 * 4, 4) if size <= CELLS else 1


def bootstrap(design: Design, over: str, draws: int, rng: np.random.Generator) -> Weights:
    """Panels drawn with replacement: of tasks, judges, systems, units below the task, or of several crossed."""
    tasks = drawn_tasks(design, draws, rng) if "tasks" in over else None
    judges = drawn_judges(design, draws, rng) if "judges" in over else None
    units = drawn_units(design, draws, rng) if "items" in over else None
    systems = drawn(design.drawn_systems, draws, rng) if "systems" in over else None
    return Weights(draws, judges, tasks, units, systems)


def drawn_tasks(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each task is drawn, ``[draw, task]``; those of a cluster together."""
    if design.clusters is None:
        return drawn(len(design.tasks), draws, rng)
    known, cluster = np.unique(design.clusters, return_inverse=True)
    return drawn(len(known), draws, rng)[:, cluster.ravel()]


def drawn_units(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each unit below the tasks is drawn, ``[draw, unit]``; within strata, where a design has some, and where
    a unit stands for many, by how many of them are."""
    if (behind := design.unit_counts) is not None:
        return rng.multinomial(int(behind.sum()), behind / behind.sum(), size=draws) / behind
    if design.strata is None:
        return drawn(design.units, draws, rng)
    out = np.empty((draws, design.units))
    for stratum in np.unique(design.strata).tolist():
        mine = np.flatnonzero(design.strata == stratum)
        out[:, mine] = drawn(len(mine), draws, rng)
    return out


@lru_cache(maxsize=4)
def units_alike(seed: int, method: Method, units: int, draws: int) -> Weights:
    """The units drawn for an interval by a method: the same for all designs, such as those of single tasks, that have
    as many."""
    return Weights(draws, units=frozen(drawn(units, draws, stream(seed, "interval", method))))


def drawn_judges(design: Design, draws: int, rng: np.random.Generator) -> Array:
    """How often each judge counts when as many are drawn, ``[draw, judge]``; a name for many is drawn as often.

    On one task these are the voters behind the names; on several a name is one judge, who did all of them.
    """
    if len(design.tasks) > 1 or not design.counted:
        return drawn(len(design.judges), draws, rng)
    votes = design.voters
    return rng.multinomial(int(votes.sum()), votes / votes.sum(), size=draws) / np.maximum(votes, 1)


def drawn_rows(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """How often each row is drawn when as many units are as the rows stand for, ``[draw, row]``."""
    return rng.multinomial(int(counts.sum()), counts / counts.sum(), size=draws)


def leave_one_out(design: Design) -> Weights:
    """Each judge left out in turn, or where they are many each of so many groups of them."""
    judges = len(design.judges)
    size = min(judges, GROUPS)
    return Weights(size, (np.arange(judges) % size != np.arange(size)[:, None]).astype(float))


def halves(votes: Array, draws: int, rng: np.random.Generator, k: int | None = None) -> tuple[Array, Array]:
    """Two panels of k judges each (half of them) without a judge in common, ``[draw, judge]`` each.

    ``votes`` says how many judges each name stands for.
    """
    size = int(votes.sum()) // 2 if k is None else k
    both = some_of(np.broadcast_to(votes, (draws, len(votes))), 2 * size, rng)
    first = some_of(both, size, rng)
    return first, both - first


def some_of(votes: Array, k: int, rng: np.random.Generator) -> Array:
    """k judges of each row of votes, drawn without replacement."""
    if int(votes.max(initial=0)) <= 1:
        key = np.where(votes > 0, rng.random(votes.shape), 2.0)
        out = np.zeros(votes.shape)
        chosen = np.argpartition(key, k - 1, axis=1)[:, :k] if 0 < k < key.shape[1] else np.argsort(key, axis=1)[:, :k]
        np.put_along_axis(out, chosen, 1.0, axis=1)
        return out * (votes > 0)
    votes = votes.astype(np.int64)
    if (votes == votes[0]).all():
        return rng.multivariate_hypergeometric(votes[0], k, size=len(votes)).astype(float)
    return np.stack([rng.multivariate_hypergeometric(row, k) for row in votes]).astype(float)


def polled(weights: Array, draws: int, rng: np.random.Generator) -> tuple[Array, Callable[[Any], Array]]:
    """Shares of answers from a Dirichlet distribution of these weights, ``[draw, unit, answer]``; and what so many
    judges (of each unit) answer who are drawn from these shares: how many of them give each answer."""
    found = rng.standard_gamma(weights, size=(draws, *weights.shape))
    shares = found / np.maximum(found.sum(axis=2, keepdims=True), 1e-300)
    return shares, lambda judges: rng.multinomial(judges, shares)


@lru_cache(maxsize=4)
def crossed(seed: int, by: str, inputs: int, systems: int, number: int) -> tuple[Array, Array]:
    """How often each input and each system is drawn, ``[resample, ...]``; what is not resampled is there once.

    The same draws serve every metric, criterion and level, so that differences between them are paired.
    """
    rng = stream(seed, "draws", by, inputs, systems)

    def drawn(size: int, wanted: bool) -> Array:
        if not wanted:
            return frozen(np.ones((number, size)))
        return frozen(rng.multinomial(size, np.full(size, 1 / size), size=number).astype(float))

    return drawn(inputs, by in ("both", "inputs")), drawn(systems, by in ("both", "systems"))


def blocks(draws: int, size: int) -> Iterator[slice]:
    """The draws a few at a time, so that ``[draw, size]`` arrays stay small."""
    step = max(1, CELLS // max(size, 1))
    for a in range(0, draws, step):
        yield slice(a, min(a + step, draws))


@dataclass(frozen=True, eq=False)
class Draws:
    """Figures in every draw, as they were made: very many are nowhere copied, and draws that are the same held once."""

    made: tuple[Array, ...]  # [different draw, figure], some draws each
    row: Array  # [draw] which of the different draws it is

    @classmethod
    def of(cls, found: Sequence[Array], nowhere: Any = False) -> Draws:
        """Of figures ``[draw, figure]`` of some draws each, where those that are the same are the same array; figures
        that are known ``nowhere`` are NaN."""
        different = {id(some): some for some in found}
        start = dict(zip(different, np.cumsum([0, *map(len, different.values())]).tolist(), strict=False))
        row = np.concatenate([np.arange(start[id(some)], start[id(some)] + len(some)) for some in found])
        hidden = np.any(nowhere)
        return cls(tuple(np.where(nowhere, math.nan, some) if hidden else some for some in different.values()), row)

    def __len__(self) -> int:
        return len(self.row)

    @property
    def different(self) -> Iterator[Array]:
        """The draws that are not the same, one by one."""
        return (row for some in self.made for row in some)

    @property
    def every(self) -> Array:
        """All of them, ``[draw, figure]``."""
        return self.some(slice(None))

    def some(self, figures: slice) -> Array:
        """All draws of some figures."""
        found = np.concatenate([some[:, figures] for some in self.made], dtype=float)
        return found if len(found) == len(self.row) else found[self.row]
