"""What an absent item means when two rankings are compared: three policies, in one place.

* ``unknown``: the judge said nothing; only items that both judges ranked are compared.
* ``below``: the judge put it below all he ranked; every item of the task counts, absent ones tied at the bottom.
* ``top-k``: as ``below``, but only over the items that at least one of the two judges ranked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.ranks import complete, dense, fill_below

Array = NDArray[Any]
POLICIES = ("unknown", "below", "top-k")
CELLS = 1 << 22


def absent_items(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """Give a kernel for complete rankings, of every two judges, the option ``missing``."""

    @wraps(kernel)
    def square(positions: Array, missing: str = "unknown", **parameters: Any) -> Array:
        return compare(lambda complete: kernel(complete, **parameters), positions, missing)

    return square


def compare(kernel: Callable[[Array], Array], positions: Array, missing: str) -> Array:
    """Apply a kernel for complete rankings to rankings with gaps: ``[task, judge, judge]``."""
    whole = complete(positions)
    if whole.all():
        return _in_parts(kernel, positions)
    if missing == "below":
        return _in_parts(kernel, fill_below(positions))
    out = np.full((positions.shape[0], positions.shape[1], positions.shape[1]), np.nan)
    if whole.any():
        out[whole] = _in_parts(kernel, positions[whole])
    out[~whole] = _pair_by_pair(kernel, positions[~whole], missing)
    return out


def _in_parts(kernel: Callable[[Array], Array], positions: Array) -> Array:
    tasks, judges, items = positions.shape
    step = max(1, CELLS // max(judges * max(items * items // 2, judges), 1))
    if step >= tasks:
        return kernel(positions)
    return np.concatenate([kernel(positions[a : a + step]) for a in range(0, tasks, step)])


def _pair_by_pair(kernel: Callable[[Array], Array], positions: Array, missing: str) -> Array:
    """Every two judges over their own items; pairs with equally many items go together, whatever their task."""
    tasks, judges, items = positions.shape
    a, b = np.triu_indices(judges)
    out = np.full((tasks, judges, judges), np.nan)
    step = max(1, CELLS // max(len(a) * items, 1))
    for start in range(0, tasks, step):
        there = positions[start : start + step] > 0
        use = (there[:, a] & there[:, b]) if missing == "unknown" else (there[:, a] | there[:, b])
        sizes = use.sum(axis=2)
        for size in np.unique(sizes[sizes > 1]).tolist():
            t, pair = np.nonzero(sizes == size)
            chosen = np.nonzero(use[t, pair])[1].reshape(len(t), size)
            t, first, second = (t + start)[:, None], a[pair][:, None], b[pair][:, None]
            two = np.stack([positions[t, first, chosen], positions[t, second, chosen]], axis=1)
            value = _in_parts(kernel, dense(fill_below(two)))
            out[t[:, 0], first[:, 0], second[:, 0]] = value[:, 0, 1]
            out[t[:, 0], second[:, 0], first[:, 0]] = value[:, 1, 0]
    return out
