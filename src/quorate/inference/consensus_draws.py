"""The consensus of resampled panels, task by task: orders or groups, of which it follows how certain each place is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import batch
from quorate.inference.engine import LEAST, budget_of, draws_of
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.kernels.ranks import marks
from quorate.panel.design import Design
from quorate.table import Method

Array = NDArray[Any]
LONG = 10**5  # items, beyond which orders of drawn panels are held in half the room


@dataclass(frozen=True, slots=True)
class Panels:
    """How many panels of judges are drawn on a task, on how many tasks, the first ones, and how many at a time."""

    number: int
    tasks: int
    step: int

    def on(self, task: int) -> int:
        """How many are drawn on the task of a number."""
        return self.number if task < self.tasks else 0


def consensus_panels(method: Method, design: Design, options: Options) -> Panels:
    """How many panels of judges to draw: as the budget has it."""
    tasks = len(design.tasks)
    each = design.work_of(method) / max(tasks, 1)
    number = draws_of(method, design, options, each * tasks)
    return Panels(number, budget_of(options).tasks(each * number), panels_at_once(method, design))


def panels_at_once(method: Method, design: Design) -> int:
    """How many panels of a task's judges are looked at in one go."""
    return batch(design.room_of(method) / max(len(design.tasks), 1))


def consensus_drawn(
    method: Method, design: Design, part: Any, t: int, number: int, options: Options, step: int = 0, **begin: Array
) -> Array | None:
    """The consensus of resampled panels from one task's judges, ``[draw, item]``; None of too few judges.

    ``step`` is how many are looked at in one go; ``begin`` may say where a search starts: at the consensus of all of
    them.
    """
    counts = part.counts[t]
    if int(counts.sum()) < LEAST["judges"] or not number:
        return None
    rng = stream(options.seed, "consensus", method, int(part.tasks[t]))
    drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), size=number)
    _, first, which = np.unique(marks(drawn), return_index=True, return_inverse=True)
    weights = drawn[first]  # of few judges the same panels come again
    step, found = step or panels_at_once(method, design), []
    for a in range(0, len(weights), step):
        block = weights[a : a + step]
        same = [np.broadcast_to(x[t : t + 1], (len(block), *x.shape[1:])) for x in part.given]
        known = {"alike": design.counted} if "alike" in method.declaration.keywords else {}
        agreed = method(*same, block, brief=True, **known, **begin)
        found += [one.array if len(one.array) <= LONG else one.array.astype(np.int32) for one in agreed]
    return np.stack(found)[which.ravel()]
