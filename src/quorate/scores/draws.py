"""Rows drawn with replacement, as often as each comes: the same draws for all that have as many rows.

Judges and methods that share the draws differ by what they say, not by luck; and a million rows are drawn once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import stream

Array = NDArray[Any]
CELLS = 1 << 20  # counts made at a time
WIDE = 1 << 21  # counts given at a time
KEPT = 1 << 25  # counts that are kept for the next to ask, a byte each


def times(seed: int, size: int, number: int) -> Iterator[Array]:
    """How often each of so many rows is drawn, ``[resample, row]``, some resamples at a time: use, do not keep them."""
    if number < 1:
        return
    if number * size > KEPT:
        yield from _made(seed, size, number)
        return
    kept = _kept(seed, size, number)
    step = max(1, WIDE // max(size, 1))
    room = np.empty((min(step, number), size))  # once: new memory costs more than the numbers in it
    for a in range(0, number, step):
        some = room[: min(step, number - a)]
        np.copyto(some, kept[a : a + step])
        yield some


@lru_cache(maxsize=2)
def _kept(seed: int, size: int, number: int) -> Array:
    out = np.concatenate([np.minimum(part, 255).astype(np.uint8) for part in _made(seed, size, number)])
    out.flags.writeable = False
    return out


def _made(seed: int, size: int, number: int) -> Iterator[Array]:
    rng = stream(seed, "rows drawn anew", size)
    step = max(1, CELLS // max(size, 1))
    for a in range(0, number, step):
        rows = min(step, number - a)
        picked = rng.integers(size, size=(rows, size))
        picked += np.arange(rows)[:, None] * size
        yield np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
