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
            own, weight = labels[some], several[some].astype(kind)
            out = own < 0
            same = own[:, :, :, None] == np.where(out, -2, own)[:, :, None, :]
            together[some] = np.rint(weight @ same.reshape(*own.shape[:2], -1).astype(kind))
            if out.any():
                used = (~out[:, :, :, None] & ~out[:, :, None, :]).reshape(*own.shape[:2], -1)
                both[some] = np.rint(weight @ used.astype(kind))
            else:
                both[some] = total[some][:, :, None]
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

    @property
    def share(self) -> Array:
        """Of the judges who used both items, the share that put them together; NaN where nobody used both."""
        return np.asarray(
            np.divide(self.together, self.both, out=np.full(self.both.shape, np.nan), where=self.both > 0)
        )

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
