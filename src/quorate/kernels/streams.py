"""Random streams: one for every purpose, made from the seed and what is asked."""

from __future__ import annotations

import zlib

import numpy as np


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random generator for this purpose alone."""
    return np.random.default_rng([seed, *(zlib.crc32(str(n).encode()) for n in names)])
