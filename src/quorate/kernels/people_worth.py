"""How many people a judge is worth: whose mean goes as well with what people share as the judge's answers do.

People's answers to a unit are what people share of it and each one's error; a judge's are what he sees of the former
and an error of his own. The mean of k people has a k-th of a person's error, so an error ``1 / k`` times a person's is
worth k people. Level and spread of the judge do not count: they can be put right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SAME = 1e-12  # variance beside which differences are rounding


def features(unit: Array, x: Array, judge: Array) -> tuple[Array, Array]:
    """Sums of every unit, ``[unit, feature]``, and which units count: the judge's, with two people at least.

    ``x[row, dimension]`` are people's answers to ``unit[row]``, ``judge[unit, dimension]`` the judge's, NaN where he
    gave none. A unit counts as many times as people answered it.
    """
    size, dimensions = judge.shape
    n = np.bincount(unit, minlength=size).astype(float)
    s = np.stack([np.bincount(unit, x[:, d], size) for d in range(dimensions)], axis=1)
    q = np.bincount(unit, (x**2).sum(axis=1), size)
    there = (n > 1) & ~np.isnan(judge[:, 0])
    y = np.where(there[:, None], judge, 0.0)
    pairs = ((s**2).sum(axis=1) - q) / np.maximum(n - 1, 1)
    sums = np.stack([n, q, pairs, (y * s).sum(axis=1), n * (y**2).sum(axis=1)], axis=1)
    return np.concatenate([sums, s, n[:, None] * y], axis=1) * there[:, None], there


def covariances(totals: Array) -> Array:
    """Variance of a person, covariance of two people, of a person and the judge, variance of the judge: ``[4, draw]``.

    ``totals[draw, feature]`` are sums of features over units.
    """
    n = np.maximum(totals[:, 0], SAME)
    q, pairs, across, own = (totals[:, k] / n for k in range(1, 5))
    s, t = np.split(totals[:, 5:] / n[:, None], 2, axis=1)
    level, other = (s**2).sum(axis=1), (t**2).sum(axis=1)
    return np.stack([q - level, pairs - level, across - (s * t).sum(axis=1), own - other])


def share(covariances: Array) -> Array:
    """``k / (1 + k)`` of a judge worth k people, ``[draw]``: 1 or above where no number of people is as good.

    NaN where people share nothing; 0 of a judge who goes with nobody.
    """
    person, shared, across, judge = covariances
    known = (shared > SAME) & (person > shared)
    vary = known & (judge > SAME)
    seen = np.where(vary, across * np.abs(across) / np.where(vary, judge * shared, 1.0), 0.0)  # of what people share
    alike = np.where(known, shared / np.where(known, person, 1.0), 0.5)
    mine, theirs = seen * (1 - alike), alike * (1 - seen)
    below = np.where(known, np.abs(mine) + np.maximum(theirs, 0.0), 1.0)
    part = mine / np.maximum(below, SAME) - np.minimum(theirs, 0.0) / np.maximum(below, SAME)
    return np.where(known, part, np.nan)


def number(part: float) -> float:
    """The number of people of a share, ``k / (1 + k)``.

    >>> number(0.5), number(0.75), number(1.2), number(-0.1)
    (1.0, 3.0, inf, 0.0)
    """
    if part != part:
        return part
    return float("inf") if part >= 1 else max(part, 0.0) / (1 - max(part, 0.0))
