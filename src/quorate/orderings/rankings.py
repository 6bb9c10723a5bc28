"""What a method of this kind computes, and how rankings come in as arrays."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.design import Measured as Measured
from quorate.panel.kinds import Order, Orderings
from quorate.panel.stacks import Stack, stacks

Array = NDArray[Any]
Rankings = Orderings | Mapping[Any, Any] | Sequence[Any]


@dataclass(frozen=True, eq=False)
class OneTask:
    """The rankings of one task as arrays, with the names of judges and items."""

    positions: Array  # (1, N, n)
    counts: Array  # (1, N)
    judges: tuple[Hashable, ...]
    items: tuple[Hashable, ...]


def one_task(rankings: Rankings) -> OneTask:
    """Rankings of one task, however they are given."""
    panel = rankings if isinstance(rankings, Orderings) else Orderings.from_orders(rankings)
    found: list[Stack] = list(stacks(panel))
    if len(panel.tasks) != 1:
        raise InputError(f"one task is needed, the panel has {len(panel.tasks)}.", "panel.select(tasks=[...])")
    stack = found[0]
    return OneTask(
        stack.positions,
        stack.counts,
        tuple(panel.judges[j] for j in stack.judges[0]),
        tuple(panel.items[i] for i in stack.items[0]),
    )


def with_list(target: Order, rankings: Rankings) -> tuple[OneTask, Array]:
    """The judges' rankings of one task with a list beside them, ``[1, 1, item]``; items of the list alone come last."""
    task = one_task(rankings)
    panel = Orderings.from_orders([target])
    known = {item: k for k, item in enumerate(task.items)}
    for item in panel.items:
        known.setdefault(item, len(known))
    spare = len(known) - len(task.items)
    positions = np.pad(task.positions, ((0, 0), (0, 0), (0, spare)))
    listed = np.zeros((1, 1, len(known)), np.int64)
    listed[0, 0, [known[i] for i in panel.item.values()]] = panel.value
    return OneTask(positions, task.counts, task.judges, tuple(known)), listed


def need(q: float | int, counts: Array) -> Array:
    """How many judges make the quorum in each task: a count as it is, a share rounded up."""
    if isinstance(q, int):
        return np.full(len(counts), max(q, 1), np.int64)
    return np.asarray(np.maximum(np.ceil(q * counts.sum(axis=1) - 1e-9), 1), np.int64)
