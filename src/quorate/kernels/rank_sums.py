"""The order of the items by their rank sums: of all judges, without each of them, and of many panels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pair_means import ratio
from quorate.kernels.ranks import dense, mid_ranks

Array = NDArray[Any]


def rank_order(positions: Array, counts: Array) -> Array:
    """The order of the items by their rank sums over all judges, as dense positions ``[task, item]``.

    Ranks of a shorter list are spread over the whole; judges who lack an item count with the mean of those who have it.
    """
    spread, held = _spread(positions, counts)
    return _by_sum(spread.sum(axis=1) / np.maximum(held.sum(axis=1), 1))


def rank_order_without(positions: Array, counts: Array) -> Array:
    """The order by the rank sums of the other judges, ``[task, judge, item]``; 0 for an item that none of them has."""
    spread, held = _spread(positions, counts)
    left = held.sum(axis=1)[:, None] - held
    sums = spread.sum(axis=1)[:, None] - spread
    means = np.divide(sums, left, out=np.full(sums.shape, np.inf), where=left > 0)
    return np.where(left > 0, _by_sum(means.reshape(-1, positions.shape[2])).reshape(positions.shape), 0)


def rank_orders(positions: Array, counts: Array) -> Array:
    """The order by rank sums of each of many panels, ``counts[panel, task, judge]``: ``[panel, task, item]``."""
    spread, held = _spread(positions, np.ones(positions.shape[:2]))
    panels = counts.transpose(1, 0, 2).astype(float)
    sums, left = np.matmul(panels, spread), np.matmul(panels, held)
    means = np.where(left > 0, ratio(sums, left), np.inf)
    places = np.where(left > 0, _by_sum(means.reshape(-1, positions.shape[2])).reshape(means.shape), 0)
    return places.transpose(1, 0, 2)


def _spread(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Each judge's share of the rank sums and of the number of judges who hold an item."""
    rank = ranks_of(positions)
    return np.nan_to_num(rank) * counts[:, :, None], ~np.isnan(rank) * counts[:, :, None]


def ranks_of(positions: Array) -> Array:
    """Each judge's ranks, those of a shorter list spread over all items; NaN where an item is absent."""
    there = positions > 0
    size = there.sum(axis=2, keepdims=True)
    return np.where(there, mid_ranks(positions) * ((positions.shape[2] + 1) / (size + 1)), np.nan)


def _by_sum(sums: Array) -> Array:
    # Rounded, because spread ranks that are equal on paper differ in their last digits.
    return dense(np.round(sums, 9)[:, None])[:, 0]
