"""What judges made of their tasks, in numbers: of every judge's grouping of a task its items, rows and groups.

Sentences, descriptions and the guess what an item without a row is need no more than these. They are a few numbers for
each task and judge, so that they can be had of panels that are not in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SHEETS, ITEMS = 4, 8  # judges' groupings and items of a task, of fewer a design is not guessed
LACKING = 0.25  # of a task's items at least, that most judges have no row for
ABOUT = 0.1  # numbers of items that differ by less are about the same
SPREAD = 2.0  # standard errors by which items may be more unequal than chance would have them


@dataclass(frozen=True, eq=False)
class Sheets:
    """One row for every judge's grouping of a task, by task and judge; of a judge's repeats the first."""

    task: Array  # [sheet] codes of the panel's tasks
    judge: Array  # [sheet] codes of the panel's judges
    used: Array  # [sheet] items put in a group
    rows: Array  # [sheet] items that the judge has a row for
    clusters: Array  # [sheet] groups made
    items: Array  # [sheet] of the task, those that any of its judges has a row for
    uneven: Array  # [sheet] of the task, squared deviations of how many judges used each item

    @classmethod
    def of(cls, tasks: Sequence[Any], rows: Array) -> Self:
        """The sheets of the tasks' partitions, and how many rows each has."""
        sizes = [len(p.judges) for p in tasks]

        def each(values: list[float], kind: type = int) -> Array:
            return np.repeat(np.array(values, kind), sizes)

        def joined(arrays: list[Array]) -> Array:
            return np.concatenate([np.zeros(0, np.int64), *arrays])

        return cls(
            each([p.task for p in tasks]),
            joined([p.judges for p in tasks]),
            joined([p.used for p in tasks]),
            rows,
            joined([p.clusters for p in tasks]),
            each([p.labels.shape[1] for p in tasks]),
            each([unevenness((p.labels >= 0).sum(axis=0)) for p in tasks], float),
        )

    def shown(self, unshown: bool) -> Array:
        """Items shown to the judge, ``[sheet]``: those with a row, where the others were not shown; else all."""
        return self.rows if unshown else self.items

    def left_out(self, unshown: bool) -> bool:
        """Whether some judge put an item nowhere."""
        return bool((self.used < self.shown(unshown)).any())

    @property
    def lacking(self) -> bool:
        """Whether some judge has no row for an item of the task."""
        return bool((self.rows < self.items).any())

    @property
    def incomplete(self) -> bool:
        """Whether the design looks as if judges were shown some of the items only.

        Where judges leave items out in rows of their own, they must have about as many rows each.
        """
        first = np.flatnonzero(np.diff(self.task, prepend=-1))
        judges = np.diff(np.append(first, len(self.task)))
        asked = (judges > 1) & (self.items[first] >= ITEMS)
        number = np.repeat(np.arange(len(first)), judges)
        mine = asked[number]
        rows, items, sheets = self.rows[mine], self.items[mine], int(mine.sum())
        lacking = 1 - rows / items >= LACKING
        if sheets < SHEETS or 2 * int(lacking.sum()) <= sheets:
            return False
        usual = _medians(rows, number[mine])
        about = np.abs(rows - usual) <= np.maximum(ABOUT * usual, 1.0)
        if about.sum() >= 0.9 * sheets:
            return True
        if (self.used < self.rows).any():
            return False
        return self._as_chance_has_it(first[asked], number[mine], rows / items)

    def _as_chance_has_it(self, first: Array, number: Array, share: Array) -> bool:
        """Whether items are no more unequal in how many judges have them than items taken at random."""
        variance = np.bincount(number, share * (1 - share))[np.unique(number)]
        items, uneven = self.items[first][variance > 0], self.uneven[first][variance > 0]
        # Cochran's Q: the spread of how many judges have an item, beside that of items taken at random.
        excess = (uneven / variance[variance > 0] * (items - 1) / items - (items - 1)).sum()
        return bool(excess <= SPREAD * (2 * int((items - 1).sum())) ** 0.5)


def unevenness(each: Array) -> float:
    """Squared deviations of how many judges used each item."""
    return float(((each - each.mean()) ** 2).sum())


def _medians(values: Array, group: Array) -> Array:
    """The median of each value's group, ``[value]``; groups are together."""
    order = np.lexsort((values, group))
    known, first, size = np.unique(group, return_index=True, return_counts=True)
    middle = (values[order][first + (size - 1) // 2] + values[order][first + size // 2]) / 2
    return np.asarray(middle[np.searchsorted(known, group)])
