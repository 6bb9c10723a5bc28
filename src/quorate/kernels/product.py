"""Matrix products in pieces so small that the library of matrix products stays on one core.

Its threads cost more than they save on products of this size, most of all on a busy machine; and sums are then added up
in the same order everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SMALL = 1 << 18  # multiplications of a matrix product up to which it is done on one core
WIDE = 1 << 12  # columns at a time


def product(a: Array, b: Array) -> Array:
    """``a @ b``, piece by piece."""
    out = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for c in range(0, b.shape[1], WIDE):
        _add(out[:, c : c + WIDE], a, b[:, c : c + WIDE])
    return out


def _add(out: Array, a: Array, b: Array) -> None:
    """Add ``a @ b`` for not too many columns."""
    rows, columns = out.shape
    deep = max(64, SMALL // (columns * min(max(rows, 1), 32)))
    for k in range(0, a.shape[1], deep):
        left, right = a[:, k : k + deep], b[k : k + deep]
        step = max(1, SMALL // max(right.size, 1))
        for r in range(0, rows, step):
            out[r : r + step] += left[r : r + step] @ right
