"""Resampling, seeded: bootstrap over tasks or judges, and shuffled rankings for what chance gives.

Every use has a random stream of its own, made from the seed and the names of what is computed, so that asking for one
more method does not change the others.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Interval as Interval
from quorate.inference.estimate import Null
from quorate.inference.null import holm as holm
from quorate.inference.student import widening as widening
from quorate.inference.weights import interval
from quorate.inference.weights import stream as stream

Array = NDArray[Any]
DRAWS = 2 * 10**7  # random numbers for one interval at most
LOTS = 2000  # judges that are told apart where rows stand for very many


Chance = Null


def percentiles(values: Array, level: float, by: str) -> Interval | None:
    """The middle share of resampled values; None when fewer than two are defined."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, by, len(values))


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
    """An interval from drawn values, see :func:`quorate.inference.weights.interval`."""
    return interval(value, drawn, level=level, over=by, units=units, range=range, log=log)


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
