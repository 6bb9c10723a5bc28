"""Resampling, seeded: bootstrap over tasks or judges, and shuffled rankings for what chance gives.

Every use has a random stream of its own, made from the seed and the names of what is computed, so that asking for one
more method does not change the others.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
DRAWS = 2 * 10**7  # random numbers for one interval at most


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a value would lie on other tasks or judges like these."""

    low: float
    high: float
    level: float
    by: str  # what was resampled: tasks, judges, items
    resamples: int


@dataclass(frozen=True, slots=True)
class Chance:
    """What judges who answer at random give, and how often they reach the value seen."""

    value: float
    p: float
    permutations: int


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random generator for this purpose alone."""
    return np.random.default_rng([seed, *(zlib.crc32(str(n).encode()) for n in names)])


def percentiles(values: Array, level: float, by: str) -> Interval | None:
    """The middle share of resampled values; None when fewer than two are defined."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, by, len(values))


def reflected(value: float, values: Array, level: float, by: str, range: tuple[float, float]) -> Interval | None:
    """The basic bootstrap on a log scale, for values that a judge drawn twice pushes up.

    A resample has fewer different judges than the panel, so its values lie above the panel's; reflecting them around
    the value seen takes that shift out.
    """
    around = percentiles(np.log1p(values[np.isfinite(values)]), level, by)
    if around is None or not np.isfinite(value):
        return None
    centre = 2 * np.log1p(value)
    ends = np.clip(np.expm1([centre - around.high, centre - around.low]), *range)
    return Interval(float(ends[0]), float(ends[1]), level, by, around.resamples)


def mean_interval(
    values: Array, rng: np.random.Generator, level: float, resamples: int, by: str = "tasks"
) -> Interval | None:
    """Percentile bootstrap of a mean; undefined values are left aside."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    number = max(min(resamples, DRAWS // len(values)), 200)
    step = max(1, (1 << 22) // len(values))
    means = [
        values[rng.integers(len(values), size=(min(step, number - a), len(values)))].mean(axis=1)
        for a in range(0, number, step)
    ]
    return percentiles(np.concatenate(means), level, by)


def resampled_counts(counts: Array, rng: np.random.Generator, resamples: int) -> Array:
    """How often each judge is drawn, ``[resample, judge]``; a judge that stands for many is drawn as often."""
    total = int(counts.sum())
    return rng.multinomial(total, counts / total, size=resamples)


def shuffled(positions: Array, rng: np.random.Generator) -> Array:
    """Every ranking with its places dealt anew among the items it holds."""
    absent = positions == 0
    key = rng.random(positions.shape, dtype=np.float32)
    key[absent] = 2
    source = np.argsort(key, axis=2)
    target = np.argsort(absent, axis=2, kind="stable")
    out = np.empty_like(positions)
    np.put_along_axis(out, target, np.take_along_axis(positions, source, axis=2), axis=2)
    return out


def holm(p: Array) -> Array:
    """p-values corrected for their number by Holm's steps; NaN stays.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return out
