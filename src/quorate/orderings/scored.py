"""What a quality method computes: a value for each system's list on each task, given the judges' orders."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.orderings.measured import Measured, OneTask, Rankings, one_task
from quorate.panel.kinds import Order, Orderings
from quorate.table import Method

Array = NDArray[Any]


Scored = Measured


def seeded(method: Method, seed: int) -> dict[str, int]:
    """The seed as an argument, for methods that may have to sample; nothing for the others."""
    return {"seed": seed} if method.declaration.properties.get("seeded") else {}


def limits(method: Method, negative: bool = True) -> tuple[float, float]:
    """What the values of a quality method lie between.

    As declared; but a weighted correlation leaves -1 to 1 only where judges whom the others contradict keep their
    weights, and some of them are ``negative``.
    """
    if method.has("negative") and (method["negative"] == "clip" or not negative):
        return -1.0, 1.0
    return method.declaration.range


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
