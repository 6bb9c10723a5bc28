"""Judges drawn with replacement, one by one: also those of a row that stands for several.

A row of ten judges and ten rows of one are then drawn alike, by the same random numbers, so that they have the same
intervals to the last digit. Of very many judges only rows are drawn, and what their judges would give is as expected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import resampled_counts

Array = NDArray[Any]
CELLS = 2 * 10**6  # draws of single judges at most; else rows are drawn


@dataclass(frozen=True, eq=False)
class Drawn:
    """How often each row is drawn, and by how many of its judges."""

    times: Array  # [resample, row]
    first: Array  # [resample, row] how often the row's first judge is
    apart: Array  # [resample, row] pairs of draws, both ways, that are of two different judges of the row


def drawn_judges(counts: Array, rng: np.random.Generator, resamples: int) -> Drawn:
    """As many judges as there are, drawn anew so many times.

    >>> few = drawn_judges(np.array([1, 3]), np.random.default_rng(2), 2)
    >>> few.times.tolist(), few.first.tolist(), few.apart.tolist()
    ([[0, 4], [0, 4]], [[0, 1], [0, 2]], [[0, 10], [0, 10]])
    """
    total = int(counts.sum())
    if total * resamples > CELLS:
        times = resampled_counts(counts, rng, resamples)
        return Drawn(times, times / counts, times * (times - 1) * (1 - 1 / counts))
    each = resampled_counts(np.ones(total, np.int64), rng, resamples)
    begin = np.cumsum(counts) - counts
    times = np.add.reduceat(each, begin, axis=1)
    return Drawn(times, each[:, begin], times**2 - np.add.reduceat(each**2, begin, axis=1))
