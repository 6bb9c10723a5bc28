"""What an absent item means when two rankings are compared: three policies, in one place.

* ``unknown``: the judge said nothing; only items that both judges ranked are compared.
* ``below``: the judge put it below all he ranked; every item of the task counts, absent ones tied at the bottom.
* ``top-k``: as ``below``, but only over the items that at least one of the two judges ranked.
"""

from __future__ import annotations

import itertools
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
    a, b = np.triu_indices(positions.shape[1])
    gaps = np.flatnonzero(~whole)[:, None]
    there, back = pair_by_pair(kernel, positions[~whole], missing, a, b)
    out[gaps, a, b], out[gaps, b, a] = there, back
    return out


def _in_parts(kernel: Callable[[Array], Array], positions: Array) -> Array:
    tasks, judges, items = positions.shape
    step = max(1, CELLS // max(judges * max(items * items // 2, judges), 1))
    if step >= tasks:
        return kernel(positions)
    return np.concatenate([kernel(positions[a : a + step]) for a in range(0, tasks, step)])


def pair_by_pair(kernel: Callable[[Array], Array], positions: Array, missing: str, a: Array, b: Array) -> Array:
    """The rankings ``a`` with the rankings ``b``, and ``b`` with ``a``, each pair over its items: ``[2, task, pair]``.

    Pairs with equally many items go together, whatever their task.
    """
    tasks, _, items = positions.shape
    out = np.full((2, tasks, len(a)), np.nan)
    some = max(1, CELLS // max(items, 1))
    step = max(1, some // max(len(a), 1))
    for start, left in itertools.product(range(0, tasks, step), range(0, len(a), some)):
        first, second = a[left : left + some], b[left : left + some]
        there = positions[start : start + step] > 0
        use = (there[:, first] & there[:, second]) if missing == "unknown" else (there[:, first] | there[:, second])
        sizes = use.sum(axis=2)
        for size in np.unique(sizes[sizes > 1]).tolist():
            t, pair = np.nonzero(sizes == size)
            chosen = np.nonzero(use[t, pair])[1].reshape(len(t), size)
            task = (t + start)[:, None]
            two = np.stack([positions[task, k[pair][:, None], chosen] for k in (first, second)], axis=1)
            value = _in_parts(kernel, dense(fill_below(two)))
            out[:, t + start, pair + left] = value[:, 0, 1], value[:, 1, 0]
    return out
