"""What coefficients of agreement share: quotients, and correction for chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def share(above: Array, below: Array) -> Array:
    """``above / below``, NaN where there is nothing below."""
    ok = below > 0
    return np.asarray(np.divide(above, below, out=np.full(np.shape(below), math.nan), where=ok))


def corrected(seen: Array, chance: Array) -> Array:
    """Agreement beyond chance, ``(seen - chance) / (1 - chance)``; NaN where chance agrees always."""
    room = 1 - chance
    ok = room > 1e-12
    return np.asarray(np.divide(seen - chance, room, out=np.full(np.shape(room), math.nan), where=ok))
