"""How much noise judges who are all alike must have to agree as much as those of a panel do."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
STEPS, TRIALS = 12, 15  # of the search, and panels in each
NEAR = 1e-9  # of agreement: rounding
LEVELS, SPAN, NEAREST = 9, 3.0, 3  # of noise around it, how many times more and less, and panels of which one counts


def fitted_noise(agreement: Callable[[float], float], target: float, most: float) -> float:
    """The noise at which agreement, which falls with it, is the target; undefined: so alike that all agree.

    The most noise, where several give the target. Steps are equal in the logarithm: a little noise matters as much as
    a lot.

    >>> round(fitted_noise(lambda noise: 1 - noise / 10, 0.6, 30.0), 2)
    4.0
    """
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = math.expm1((math.log1p(low) + math.log1p(high)) / 2)
        found = agreement(middle)
        low, high = (middle, high) if math.isnan(found) or found >= target - NEAR else (low, middle)
    return (low + high) / 2


def noise_by_agreement(agreement: Callable[[float], float], most: float) -> Callable[[Any], Array]:
    """The noise with which judges who are all alike agree so much, of any agreement: told from some levels of noise.
    Undefined: so alike that all agree."""
    levels = np.expm1(np.linspace(0.0, math.log1p(most), STEPS))
    falling = np.minimum.accumulate(np.nan_to_num([agreement(level) for level in levels.tolist()], nan=1.0))
    return lambda wanted: np.asarray(np.interp(-np.asarray(wanted), -falling, levels))


def noise_levels(noise: float, most: float) -> Sequence[float]:
    """Noise from much less to much more: how much there is, few judges cannot tell."""
    centre = math.log1p(noise)
    ends = math.log1p(math.expm1(centre) / SPAN), math.log1p(min(math.expm1(centre) * SPAN, most))
    return [float(level) for level in np.expm1(np.linspace(*ends, LEVELS))]


def nearest(
    make: Callable[[float, int], tuple[Array, Array]], levels: Sequence[float], seen: float, number: int
) -> Array:
    """The statistics of so many panels, of those drawn at all levels of noise, that agree most nearly as seen.

    ``make(noise, panels)`` gives the agreement and the statistic of each. Of panels that agree alike, as of few items
    many do, those of every noise count alike.
    """
    each = -(-NEAREST * number // LEVELS)
    found = [make(noise, each) for noise in levels]
    mixed = np.arange(LEVELS * each).reshape(LEVELS, each).T.ravel()
    near, statistic = (np.concatenate(column)[mixed] for column in zip(*found, strict=True))
    apart = np.where(np.isfinite(near), np.rint(np.abs(near - seen) / NEAR), math.inf)
    return np.asarray(statistic[np.argsort(apart, kind="stable")[:number]])
