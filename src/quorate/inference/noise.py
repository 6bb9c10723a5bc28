"""How much noise judges who are all alike must have to agree as much as those of a panel do."""

from __future__ import annotations

import math
from collections.abc import Callable

STEPS, TRIALS = 12, 15  # of the search, and panels in each


def fitted_noise(agreement: Callable[[float], float], target: float, most: float) -> float:
    """The noise at which agreement, which falls with it, is the target; undefined: so alike that all agree.

    Steps are equal in the logarithm: a little noise matters as much as a lot.

    >>> round(fitted_noise(lambda noise: 1 - noise / 10, 0.6, 30.0), 2)
    4.0
    """
    low, high = 0.0, most
    for _ in range(STEPS):
        middle = math.expm1((math.log1p(low) + math.log1p(high)) / 2)
        found = agreement(middle)
        low, high = (middle, high) if math.isnan(found) or found > target else (low, middle)
    return (low + high) / 2
