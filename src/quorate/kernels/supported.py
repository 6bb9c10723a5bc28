"""Only the items that enough judges hold: no pattern that enough judges share has any other item.

Lists of the first twenty of thousands of documents have a hundred items between them, and a handful that most hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def supported(positions: Array, counts: Array, need: Array, least: int = 0) -> Array | None:
    """The numbers of these items, ``[task, kept]``; None where all items are kept.

    Every task keeps as many as the task that is richest in them (at least ``least``), its own first, in their order.
    """
    once = len(positions) > 1 and positions.strides[0] == 0  # one task but for the counts
    held = counts @ (positions[0] > 0) if once else np.einsum("tji,tj->ti", positions > 0, counts)
    lacking = held < np.asarray(need)[:, None]
    items = positions.shape[2]
    kept = min(max(int(items - lacking.sum(axis=1).min(initial=items)), least), items)
    return None if kept == items else np.argsort(lacking, axis=1, kind="stable")[:, :kept]


def only(rankings: Array, kept: Array | None) -> Array:
    """Rankings ``[task, ranking, item]`` of the items kept; all of them for None."""
    return rankings if kept is None else np.take_along_axis(rankings, kept[:, None, :], axis=2)
