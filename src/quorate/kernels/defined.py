"""What is defined: quotients with something to divide by, and means of what is there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def quotient(x: Any, y: Any, *, otherwise: float = math.nan) -> Array:
    """x / y where y is above 0, else NaN or another number.

    >>> quotient(np.array([1.0, 2.0]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    there, shape = np.asarray(y) > 0, np.broadcast_shapes(np.shape(x), np.shape(y))
    if there.all():
        return np.asarray(np.divide(x, y, out=np.empty(shape)))
    return np.asarray(np.divide(x, y, out=np.full(shape, otherwise), where=there))


def mean_of_known(values: ArrayLike) -> float:
    """The mean of what is finite; NaN of nothing.

    >>> mean_of_known([1.0, 2.0, math.nan]), mean_of_known([])
    (1.5, nan)
    """
    known = np.asarray(values, float)
    known = known[np.isfinite(known)]
    return float(known.mean()) if len(known) else math.nan


def mean_along(values: Array) -> Array:
    """The mean along the last axis of what is no NaN; NaN of nothing.

    >>> mean_along(np.array([[1.0, 2.0, math.nan], [math.nan] * 3])).tolist()
    [1.5, nan]
    """
    known = ~np.isnan(values)
    if known.all():
        return np.asarray(values.mean(axis=-1))
    return quotient(np.where(known, values, 0.0).sum(axis=-1), known.sum(axis=-1))
