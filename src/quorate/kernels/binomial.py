"""Wilson's interval of a share."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(hits: int, of: int, level: float = 0.95) -> tuple[float, float] | None:
    """Where a share lies that was seen so many times of so many; None of nothing.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    if of < 1:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    p, room = hits / of, 1 + z * z / of
    middle, half = (p + z * z / (2 * of)) / room, z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / room
    return max(middle - half, 0.0), min(middle + half, 1.0)
