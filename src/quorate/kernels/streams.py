"""Random streams, one for every purpose, made from the seed and what is asked; and what several rooms draw of them."""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray


def stream(seed: int, *names: object) -> np.random.Generator:
    """A random generator for this purpose alone."""
    return np.random.default_rng([seed, *(zlib.crc32(str(n).encode()) for n in names)])


def signs(rng: np.random.Generator, *shape: int) -> NDArray[Any]:
    """1 and -1 as small integers, as often: what ``rng.integers(0, 2, dtype=np.int8)`` draws, of four bytes at a time.

    >>> signs(stream(0), 2, 3).tolist() == (2 * stream(0).integers(0, 2, (2, 3), np.int8) - 1).tolist()
    True
    """
    size = math.prod(shape)
    drawn = rng.integers(0, 1 << 32, -(-size // 4), np.uint32).astype("<u4", copy=False)
    found = ~drawn.view(np.int8)[:size].reshape(shape)  # the first bit of a byte tells
    found >>= 7
    found |= 1
    return found


def all_signs(size: int) -> NDArray[Any]:
    """1 and -1 in all ways, but for those that differ in every sign from one that is there.

    >>> all_signs(3).astype(int).tolist()
    [[1, 1, 1], [1, -1, 1], [1, 1, -1], [1, -1, -1]]
    """
    ways = np.arange(1 << max(size - 1, 0))[:, None] << 1
    return 1.0 - 2.0 * (ways >> np.arange(size) & 1)


def sample(rng: np.random.Generator, size: int, most: int) -> NDArray[Any]:
    """The numbers of some of so many things, in order: all of them, or as many as that drawn without replacement.

    >>> sample(stream(0), 3, 5).tolist()
    [0, 1, 2]
    """
    return np.arange(size) if size <= most else np.sort(rng.choice(size, most, replace=False))


def samples(rng: np.random.Generator, size: int, most: int, draws: int) -> NDArray[Any]:
    """So many samples of ``most`` numbers below ``size`` at once, in order, ``[draw, place]``.

    As Floyd does it: of numbers up to a last one that rises, whoever is drawn again gives way to that last one.

    >>> samples(stream(0), 5, 5, 2).tolist()
    [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]
    """
    last = np.arange(size - most, size)
    found = rng.integers(0, last + 1, (draws, most))
    for k in range(1, most):
        again = (found[:, :k] == found[:, k, None]).any(axis=1)
        found[again, k] = last[k]
    return np.sort(found, axis=1)


def some_rows(rng: np.random.Generator, marks: NDArray[Any], counts: NDArray[Any], most: int) -> NDArray[Any]:
    """How many of the judges behind every row are drawn, without replacement, ``[row]``: whatever the order of rows, as
    these lie by their marks (:mod:`~quorate.kernels.row_marks`)."""
    order, out = np.lexsort((counts, marks)), np.zeros(len(counts), np.int64)
    out[order] = rng.multivariate_hypergeometric(counts[order], most, method="marginals")
    return out


def shuffles(rng: np.random.Generator, size: int, draws: int) -> NDArray[Any]:
    """So many orders of so many things, ``[draw, place]``."""
    return rng.permuted(np.tile(np.arange(size), (draws, 1)), axis=1)
