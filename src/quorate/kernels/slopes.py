"""What a judge's answers owe to something else than what people share, though that is known from a few people only.

A judge's answer is ``a + b t + c z + error``: t is what people share of a unit, z a covariate. The mean of a few
people is t and their errors; a plain regression on it gives part of t to a z that goes with it. Two people's errors are
independent, so the variance of t is the covariance of two people on a unit, and b and c come out right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SAME = 1e-9  # share of the product of two variances, below which two things are one


def features(n: Array, s: Array, q: Array, y: Array, z: Array) -> Array:
    """Sums of every unit, ``[unit, feature]``, from how many people answered (two at least), their sum and that of
    their squares, the judge's answer and the covariate."""
    t = s / n
    shared = (s * s - q) / (n * (n - 1))
    return np.stack([np.ones(len(n)), t, shared, y, z, y * t, y * z, t * z, z * z], axis=1)


def shared_beside(totals: Array) -> Array:
    """The variance of what people share that the covariate leaves, ``[draw]``: what c is told by."""
    number = np.maximum(totals[:, 0], 1.0)
    t, shared, _, z, _, _, tz, zz = (totals[:, k] / number for k in range(1, 9))
    shared, tz, zz = shared - t * t, tz - t * z, zz - z * z
    return np.asarray(shared - tz * tz / np.where(zz > 0, zz, 1.0))


def covariate_slope(totals: Array) -> Array:
    """c of every draw, ``[draw]``, from sums of features, ``[draw, feature]``; NaN where it cannot be told.

    Where people share nothing, or the covariate is what they share.
    """
    number = np.maximum(totals[:, 0], 1.0)
    t, shared, y, z, yt, yz, tz, zz = (totals[:, k] / number for k in range(1, 9))
    shared, yt, yz, tz, zz = shared - t * t, yt - y * t, yz - y * z, tz - t * z, zz - z * z
    below = shared * zz - tz * tz
    ok = (shared > 0) & (zz > 0) & (below > SAME * np.abs(shared * zz))
    return np.where(ok, (yz * shared - yt * tz) / np.where(ok, below, 1.0), np.nan)
