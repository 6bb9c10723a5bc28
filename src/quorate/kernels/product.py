"""Matrix products that are too small to share out among threads: waking them costs more than the work."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ALONE = 1 << 18  # multiplications that BLAS does on one thread
LARGE = 1 << 26  # from which on threads pay


def product(left: Array, right: Array) -> Array:
    """``left @ right``, in pieces that stay on one thread unless there is much to do."""
    work = left.size * right.shape[1]
    if work <= ALONE or work >= LARGE or left.size > ALONE:
        return np.asarray(left @ right)
    step = ALONE // left.size
    pieces = [left @ right[:, a : a + step] for a in range(0, right.shape[1], step)]
    return np.concatenate(pieces, axis=1)
