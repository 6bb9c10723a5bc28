"""The mutual information that shuffled partitions with the same sizes of clusters are expected to share.

A cluster of a items and a class of b items, of n in all, share k items with the hypergeometric chance of k; their part
of the expectation is that of ``k / n * log(n k / (a b))``. It depends on the sizes alone, so it is found once for each
two sizes that occur, and only where k is likely: outside the window all of k together has a chance below 1e-17. The
chances come from the ratios of neighbours and are scaled to sum to 1, which needs no factorials and loses no digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 19  # of a chunk
UNLIKELY = 40.0  # -log of the chance outside the window


def expected_information(rows: Array, columns: Array, items: Array) -> Array:
    """For sizes ``rows[pair, cluster]`` and ``columns[pair, class]`` (0 is none): the expectation in nats, ``[pair]``.

    >>> expected_information(np.array([[2, 2]]), np.array([[2, 2]]), np.array([4])).round(4).tolist()
    [0.231]
    """
    out = np.full(len(items), np.nan)
    for total in np.unique(items).tolist():
        at = np.flatnonzero(items == total)
        if total:
            first, times = _occurring(rows[at])
            second, others = _occurring(columns[at])
            out[at] = ((times @ part(first, second, total)) * others).sum(axis=1)
    return out


def _occurring(sizes: Array) -> tuple[Array, Array]:
    """The sizes that occur, and how often in each row."""
    known = np.unique(sizes)
    known = known[known > 0]
    pair, line = np.nonzero(sizes)
    at = pair * len(known) + np.searchsorted(known, sizes[pair, line])
    return known, np.bincount(at, minlength=len(sizes) * len(known)).reshape(len(sizes), -1).astype(float)


def part(first: Array, second: Array, items: int) -> Array:
    """What a cluster and a class of these sizes add to the expectation, ``[first, second]``."""
    a, b = (x.ravel().astype(float) for x in np.meshgrid(first, second, indexing="ij"))
    mean = a * b / items
    low, high = _window(a, b, mean, items)
    width = high - low
    out = np.empty(len(a))
    order = np.argsort(width, kind="stable")  # pairs with windows of about the same width go together
    start = 0
    while start < len(order):
        wide = np.maximum(width[order[start:]], 1) * np.arange(1, len(order) - start + 1)
        size = max(1, int(np.searchsorted(wide, CELLS)))
        some = order[start : start + size]
        out[some] = _terms(a[some], b[some], mean[some], low[some], int(width[some[-1]]), items)
        start += size
    return out.reshape(len(first), len(second))


def _window(a: Array, b: Array, mean: Array, items: int) -> tuple[Array, Array]:
    """Where k is likely, by Bernstein's bound (drawing without replacement is at most as spread as with)."""
    spread = np.minimum(mean * (1 - b / items), mean * (1 - a / items))
    reach = UNLIKELY / 3 + np.sqrt((UNLIKELY / 3) ** 2 + 2 * UNLIKELY * spread)
    low = np.maximum(np.floor(mean - reach), np.maximum(a + b - items, 0))
    return low, np.minimum(np.ceil(mean + reach), np.minimum(a, b))


def _terms(a: Array, b: Array, mean: Array, low: Array, width: int, items: int) -> Array:
    k = low[:, None] + np.arange(width + 1)
    a, b = a[:, None], b[:, None]
    before = k[:, :-1]
    step = (a - before) * (b - before)
    step /= (before + 1) * (items - a - b + before + 1)
    chance = np.ones(k.shape)
    np.cumprod(step, axis=1, out=chance[:, 1:])
    share = np.log(np.maximum(k, 1)) - np.log(mean)[:, None]
    share *= k
    share *= chance
    return np.asarray(share.sum(axis=1) / chance.sum(axis=1) / items)
