"""Votes of judges on pairs of items, of tasks of one shape at once: the counts that a consensus is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association

Array = NDArray[Any]
CELLS = 1 << 22  # of judges x items x items, held at a time


@dataclass(frozen=True, eq=False)
class Votes:
    """Of each two items of every task, how many judges put them together, and how many used both."""

    together: Array  # [task, item, item]; on the diagonal, how many used the item
    both: Array
    judges: Array  # [task]

    @classmethod
    def of(cls, labels: Array, counts: Array) -> Votes:
        """From ``labels[task, judge, item]`` and ``counts[task, judge]``; with ``counts[task, panel, judge]`` of every
        panel, one task's after the other's."""
        tasks, judges, items = labels.shape
        several = counts if counts.ndim == 3 else counts[:, None]
        panels = several.shape[1]
        total = several.sum(axis=2)
        kind = np.float32 if int(total.max(initial=0)) < 1 << 24 else np.float64
        together, both = (np.empty((tasks, panels, items * items), np.int32) for _ in range(2))
        step = max(1, CELLS // max(judges * items * items, 1))
        for a in range(0, tasks, step):
            some = slice(a, min(a + step, tasks))
            together[some], used = _counted(labels[some], several[some].astype(kind))
            both[some] = total[some][:, :, None] if used is None else used
        shape = (tasks * panels, items, items)
        return cls(together.reshape(shape), both.reshape(shape), total.ravel())

    @classmethod
    def one(cls, votes: Association) -> Votes:
        """Of a single task."""
        return cls(votes.together[None], votes.both[None], np.array([votes.judges]))

    @property
    def left_out(self) -> Array:
        """How many judges left out each item, ``[task, item]``."""
        return np.asarray(self.judges[:, None] - np.diagonal(self.both, axis1=1, axis2=2))

    @property
    def kept(self) -> Array:
        """Which items are in the consensus: all but those that more than half of the judges left out."""
        return np.asarray(2 * self.left_out <= self.judges[:, None])

    def margins(self, left_out: str = "common") -> Array:
        """Judges for together less judges for apart, of items that are kept; 0 on the diagonal and elsewhere."""
        voters = self.both if left_out == "common" else self.judges[:, None, None]
        return self.among_kept(2 * self.together - voters)

    def among_kept(self, values: Array) -> Array:
        """Values of pairs of kept items, 0 on the diagonal and elsewhere."""
        kept = self.kept
        out = values if kept.all() else np.where(kept[:, :, None] & kept[:, None, :], values, 0)
        place = np.arange(out.shape[1])
        out[:, place, place] = 0
        return np.asarray(out)


def _counted(labels: Array, weight: Array) -> tuple[Array, Array | None]:
    """Judges who put each two items together, ``[task, panel, pair]``, and who used both; None where everybody did.

    From ``labels[task, judge, item]`` and ``weight[task, panel, judge]``; of very many items some judges at a time.
    """
    tasks, judges, items = labels.shape
    gone = labels < 0
    named = np.where(gone, -2, labels)  # what is left out equals nothing
    together = np.zeros((tasks, weight.shape[1], items * items), weight.dtype)
    both = np.zeros_like(together) if gone.any() else None
    step = max(1, CELLS // max(items * items, 1))
    for a in range(0, judges, step):
        some = slice(a, a + step)
        flat = (tasks, -1, items * items)
        same = labels[:, some, :, None] == named[:, some, None, :]
        together += weight[:, :, some] @ same.reshape(flat).astype(weight.dtype)
        if both is not None:
            used = ~gone[:, some, :, None] & ~gone[:, some, None, :]
            both += weight[:, :, some] @ used.reshape(flat).astype(weight.dtype)
    return np.rint(together), None if both is None else np.rint(both)
