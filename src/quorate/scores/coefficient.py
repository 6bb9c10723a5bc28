"""What coefficients of agreement share: quotients, and correction for chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def corrected(seen: Array, chance: Array) -> Array:
    """Agreement beyond chance, ``(seen - chance) / (1 - chance)``; NaN where chance agrees always."""
    room = 1 - chance
    ok = room > 1e-12
    return np.asarray(np.divide(seen - chance, room, out=np.full(np.shape(room), math.nan), where=ok))
