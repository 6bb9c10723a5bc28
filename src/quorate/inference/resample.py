"""Resampling, seeded: bootstrap over tasks or judges, and shuffled rankings for what chance gives.

Every use has a random stream of its own, made from the seed and the names of what is computed, so that asking for one
more method does not change the others.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.student import quantile

Array = NDArray[Any]
DRAWS = 2 * 10**7  # random numbers for one interval at most
LOTS = 2000  # judges that are told apart where rows stand for very many


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


def widening(level: float, units: int) -> float:
    """How much wider an interval must be that was drawn from so few units: Student's t over the normal distribution.

    Draws from n units spread less than n units do, by (n - 1) / n, and how far the units spread is itself uncertain.

    >>> round(widening(0.95, 5), 2), round(widening(0.95, 66), 2)
    (1.58, 1.03)
    """
    if units < 2:
        return math.inf
    return quantile(level, units - 1) / NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(units / (units - 1))


def centred(
    value: float,
    drawn: Array,
    level: float,
    by: str,
    units: int,
    range: tuple[float, float] = (-math.inf, math.inf),
    *,
    log: bool = False,
) -> Interval | None:
    """The middle share of resampled values, moved until their mean is the value seen, and widened for few units.

    Always holds the value itself and stays inside ``range``. Moving matters where judges are drawn: one drawn twice
    agrees with himself, which pushes most figures of agreement up. ``log`` is for counts of patterns, which double with
    every item; and since fewer distinct judges never share fewer patterns, draws say nothing of how few others would
    share: the interval reaches as many times below the value as above it. None when fewer than two values are defined.
    """
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2 or units < 2 or not math.isfinite(value):
        return None
    most = max(float(drawn.max()), value) if log else math.inf  # no panel drawn has more patterns
    seen = math.log1p(value) if log else value
    drawn = np.log1p(drawn) if log else drawn
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]) - drawn.mean()
    low = min(low, -high) if log else low
    wide = widening(level, units)
    ends = np.array([seen + wide * min(float(low), 0.0), seen + wide * max(float(high), 0.0)])
    ends = np.clip(np.expm1(ends) if log else ends, range[0], min(range[1], most))
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value), level, by, len(drawn))


def mean_interval(
    values: Array,
    rng: np.random.Generator,
    level: float,
    resamples: int,
    by: str = "tasks",
    range: tuple[float, float] = (-math.inf, math.inf),
) -> Interval | None:
    """Bootstrap of a mean, widened for few units, inside ``range``; undefined values are left aside."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    number = max(min(resamples, DRAWS // len(values)), 200)
    step = max(1, (1 << 22) // len(values))
    means = [
        values[rng.integers(len(values), size=(min(step, number - a), len(values)))].mean(axis=1)
        for a in np.arange(0, number, step).tolist()
    ]
    return centred(float(values.mean()), np.concatenate(means), level, by, len(values), range)


def lots(counts: Array, most: int = LOTS) -> tuple[Array, Array]:
    """The judges one by one: of each the row, and how many judges it is; 1 unless there are more than ``most``.

    >>> [x.tolist() for x in lots(np.array([1, 3]))], [x.tolist() for x in lots(np.array([1, 9]), most=3)]
    ([[0, 1, 1, 1], [1, 1, 1, 1]], [[0, 1, 1, 1], [1, 3, 3, 3]])
    """
    total = int(counts.sum())
    number = counts if total <= max(most, len(counts)) else -(-counts * most // total)
    row = np.repeat(np.arange(len(counts)), number)
    place = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
    return row, np.asarray(counts[row] // number[row] + (place < counts[row] % number[row]))


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


def holm(p: Array, times: Array | None = None) -> Array:
    """p-values corrected for their number by Holm's steps; NaN stays. ``times``: of how many tests each one is.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    left = np.cumsum((np.ones(len(p)) if times is None else times)[order[::-1]])[::-1]
    steps = p[order] * left
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return out
