"""Random streams, one for every purpose, made from the seed and what is asked; random signs; p of what was counted."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random generator for this purpose alone."""
    return np.random.default_rng([seed, *(zlib.crc32(str(n).encode()) for n in names)])


def signs(rng: np.random.Generator, *shape: int) -> NDArray[Any]:
    """1 and -1, as often."""
    return rng.integers(0, 2, size=shape, dtype=np.int8).astype(float) * 2 - 1


def p_value(reached: Any, draws: Any) -> Any:
    """How often chance reaches a value, counting the value itself as one draw more."""
    return (reached + 1) / (draws + 1)
