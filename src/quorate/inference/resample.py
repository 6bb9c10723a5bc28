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
from quorate.inference.weights import percentiles as percentiles
from quorate.inference.weights import stream as stream
from quorate.panel.rows import lots as every_judge
from quorate.panel.stacks import shuffled as shuffled

Array = NDArray[Any]
DRAWS = 2 * 10**7  # random numbers for one interval at most
LOTS = 2000  # judges that are told apart where rows stand for very many


Chance = Null


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


def resampled_counts(counts: Array, rng: np.random.Generator, resamples: int) -> Array:
    """How often each judge is drawn, ``[resample, judge]``; a judge that stands for many is drawn as often."""
    total = int(counts.sum())
    return rng.multinomial(total, counts / total, size=resamples)


def lots(counts: Array, most: int = LOTS) -> tuple[Array, Array]:
    """The judges one by one, see :func:`quorate.panel.rows.lots`."""
    return every_judge(counts, most)
