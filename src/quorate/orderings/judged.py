"""What a method says of every judge: on each task, and over the tasks the judge did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Judged:
    """A value per task and judge of a stack, and what else is worth telling of it; a lower value is a worse judge."""

    values: Array  # [task, judge]
    details: Mapping[str, Any] = field(default_factory=dict)  # [task, judge] each, arrays or lists of lists


@dataclass(frozen=True, eq=False)
class Rows:
    """The same for a whole panel, a row per task and judge, in the panel's order."""

    task: Array  # codes
    judge: Array  # codes
    values: Array
    details: Mapping[str, Array]

    @classmethod
    def of(cls, parts: Sequence[Stack], judged: Sequence[Judged]) -> Rows:
        """The rows of all stacks."""
        task = np.concatenate([np.repeat(p.tasks, p.shape[1]) for p in parts])
        judge = np.concatenate([p.judges.ravel() for p in parts])
        order = np.lexsort((judge, task))
        details = {n: np.concatenate([_flat(j.details[n]) for j in judged])[order] for n in judged[0].details}
        return cls(task[order], judge[order], np.concatenate([j.values.ravel() for j in judged])[order], details)

    def judges(self) -> Iterator[tuple[int, Array]]:
        """Each judge's code with the numbers of the judge's rows."""
        order = np.argsort(self.judge, kind="stable")
        codes, first = np.unique(self.judge[order], return_index=True)
        yield from zip(codes.tolist(), np.split(order, first[1:]), strict=True)

    def keys(self, panel: Orderings) -> dict[str, list[Any]]:
        """Task and judge of every row by their ids."""
        return {
            "task": [panel.tasks[t] for t in self.task.tolist()],
            "judge": [panel.judges[j] for j in self.judge.tolist()],
        }


def _flat(values: Any) -> Array:
    """``[task][judge]`` as one row; entries that are lists or long integers stay as they are."""
    if isinstance(values, np.ndarray):
        return values.ravel()
    flat = [v for row in values for v in row]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out


def mean(values: Array) -> float:
    """The mean of what is defined; NaN when nothing is."""
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else float("nan")
