"""Which frequent patterns count, and what one weighs: (1 + w_len (length - 1)) (1 + w_sup (support - 1)).

No pattern that enough judges share has an item that too few hold. Lists of the first twenty of thousands of documents
have a hundred items between them, and a handful that most hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.ranks import repeated

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """Lengths from ``min_len`` to ``max_len`` (None: any), and how much more further items and judges weigh.

    >>> Rule().by_length(3) * Rule().by_support(4)
    12.0
    """

    min_len: int = 2
    max_len: int | None = None
    w_len: float = 1.0
    w_sup: float = 1.0

    def by_length(self, length: Any) -> Any:
        """The part of the weight that the length gives."""
        return 1 + self.w_len * (length - 1)

    def by_support(self, support: Any) -> Any:
        """The part of the weight that the support gives."""
        return 1 + self.w_sup * (support - 1)


def supported(positions: Array, counts: Array, need: Array, least: int = 0) -> Array | None:
    """The numbers of the items that enough judges hold, ``[task, kept]``; None where all items are kept.

    Enough in one of the draws, where ``counts[draw, task, judge]`` and ``need[draw, task]`` have that axis. Every task
    keeps as many as the task that is richest in them (at least ``least``), its own first, in their order.
    """
    held = counts @ (positions[0] > 0) if repeated(positions) else np.einsum("tji,...tj->...ti", positions > 0, counts)
    lacking = held < np.asarray(need)[..., None]
    if lacking.ndim == 3:
        lacking = lacking.all(axis=0)
    items = positions.shape[2]
    kept = min(max(int(items - lacking.sum(axis=1).min(initial=items)), least), items)
    return None if kept == items else np.argsort(lacking, axis=1, kind="stable")[:, :kept]


def only(rankings: Array, kept: Array | None) -> Array:
    """Rankings ``[task, ranking, item]`` of the items kept; all of them for None."""
    return rankings if kept is None else np.take_along_axis(rankings, kept[:, None, :], axis=2)
