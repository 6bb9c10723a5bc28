"""How often votes and tasks count in every draw, which is what a formula of votes is a function of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import CELLS, group_sums
from quorate.panel.array_shelf import let_go

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Often:
    """How often votes count, ``[draw, vote]``, as their judges were drawn; and how often tasks, ``[draw, task]``."""

    votes: Array
    tasks: Array | None = None
    drawn: bool = False  # whether units count as often as they were drawn, not as in the panel
    whole: bool = True  # whether every vote counts as in the panel, whatever the tasks do
    judges: Array | None = None  # [draw, judge] how often each was drawn, where they are

    def of(self, task: Array) -> Array:
        """How often each of these tasks counts, ``[draw, ...]``."""
        return np.ones((1, len(task))) if self.tasks is None else self.tasks[:, task]

    def over_tasks(self, values: Array) -> Array:
        """Sums over tasks, ``[draw]`` from ``values[draw, task]``, as often as each task counts."""
        found: Array = ((1.0 if self.tasks is None else self.tasks) * values).sum(axis=1)
        let_go(values)
        return found

    def sums(self, values: Array, task: Array, group: Array, size: int) -> Array:
        """``[draw, group]`` from ``values[draw, row]``, as their votes count; rows count as often as their task."""
        if self.tasks is None:
            return group_sums(values, group, size)
        tasks = self.tasks.shape[1]
        if len(values) > 1 or tasks * size > CELLS:
            return group_sums(values * self.tasks[:, task], group, size)
        return np.asarray(self.tasks @ group_sums(values, task * size + group, tasks * size).reshape(tasks, size))
