"""How well a consensus partition is supported, and how much of it stays with other judges: told task by task.

What is told of items, groups and pairs is made when it is asked for: thousands of tasks hold millions of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association
from quorate.groupings.consensus_partition import CELLS, Grouped
from quorate.groupings.sheets import Sheet
from quorate.groupings.task_consensus import pairs_of_items
from quorate.panel.partitions import blocks

Array = NDArray[Any]
PAIRS = 5000  # pairs of one task listed in the details


class Lazily(Sequence[Any]):
    """A column whose cells are made when they are looked at."""

    def __init__(self, size: int, make: Callable[[int], Any]) -> None:
        self._size, self._make = size, make

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Any: ...

    @overload
    def __getitem__(self, at: slice) -> list[Any]: ...

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return [self._make(k) for k in range(self._size)[at]]
        return self._make(range(self._size)[at])


@dataclass(frozen=True, eq=False)
class Supported:
    """What is behind the consensus of one task."""

    sheet: Sheet
    labels: Array
    drawn: Array | None  # [resample, item]
    kept: Array | None  # [item] how much of its group it keeps; None where nothing was drawn
    together: Array  # [item, item] judges who put both together
    both: Array  # [item, item] judges who used both
    support: Array  # [item] mean share of judges behind it: with its group, or for leaving it out
    group: Array  # [group, 2] mean share of judges behind its pairs, and that behind the weakest

    def pairs(self) -> int:
        """Pairs of items in one group."""
        size = np.bincount(self.labels[self.labels >= 0])
        return int((size * (size - 1) // 2).sum())

    def groups(self) -> list[list[int]]:
        """Item numbers by group."""
        return Grouped(self.labels).groups()

    def items_told(self) -> dict[str, Any]:
        """Of each item how many judges are behind it, and how often it stays."""
        kept: Sequence[float | None] = [None] * len(self.labels) if self.kept is None else self.kept.tolist()
        each = zip(self.sheet.items, self.support.tolist(), kept, strict=True)
        return {str(item): {"support": support, "stays": stay} for item, support, stay in each}

    def groups_told(self) -> list[dict[str, Any]]:
        """Of each group the same, and the share behind its weakest pair."""
        kept = self.kept
        return [
            {"support": support, "weakest": weakest, "stays": None if kept is None else float(kept[inside].mean())}
            for (support, weakest), inside in zip(self.group.tolist(), self.groups(), strict=True)
        ]

    def pairs_told(self) -> list[dict[str, Any]]:
        """Of each pair in one group, those of later groups left out where there are too many."""
        together, both, items = self.together.tolist(), self.both.tolist(), self.sheet.items
        again = None
        if self.drawn is not None:
            there = self.drawn >= 0
            same = (self.drawn[:, :, None] == self.drawn[:, None, :]) & there[:, :, None]
            again = same.mean(axis=0).tolist()
        out: list[dict[str, Any]] = []
        for inside in self.groups():
            if len(out) + len(inside) * (len(inside) - 1) // 2 > PAIRS:
                continue
            for k, i in enumerate(inside):
                for j in inside[k + 1 :]:
                    row: dict[str, Any] = {"pair": [items[i], items[j]], "together": together[i][j]}
                    out.append({**row, "both": both[i][j], "stays": None if again is None else again[i][j]})
        return out


def supported(
    tasks: Sequence[Sheet], labels: Sequence[Array], drawn: Sequence[Array | None], kept: Sequence[Array | None]
) -> list[Supported]:
    """What is behind the consensus of every task; tasks of one shape at once."""
    out: list[Supported | None] = [None] * len(tasks)
    for block in blocks(tasks, CELLS, pairs_of_items):
        numbers = block.tasks.tolist()
        votes = Association.of(block.labels, block.counts)
        small = np.int16 if int(votes.judges.max(initial=0)) < 1 << 15 else np.int64
        together, both = votes.together.astype(small), votes.both.astype(small)
        found = np.stack([labels[k] for k in numbers])
        support, group = _behind(votes, found)
        for n, k in enumerate(numbers):
            of = group[n, : int(found[n].max(initial=-1)) + 1]
            out[k] = Supported(tasks[k], found[n], drawn[k], kept[k], together[n], both[n], support[n], of)
    return [s for s in out if s is not None]


def _behind(votes: Association, labels: Array) -> tuple[Array, Array]:
    """Shares of judges behind items, ``[task, item]``, and groups, mean and least, ``[task, group, 2]``."""
    tasks, items = labels.shape
    same = (labels[:, :, None] == labels[:, None, :]) & (labels >= 0)[:, :, None]
    same[:, np.arange(items), np.arange(items)] = False
    known = same & (votes.both > 0)
    share = np.divide(votes.together, votes.both, out=np.zeros(known.shape), where=known)
    total, number = share.sum(axis=2), known.sum(axis=2)
    least = np.where(known, share, np.inf).min(axis=2, initial=np.inf)
    support = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
    support = np.where(labels < 0, votes.left_out / np.maximum(votes.offered, 1), support)
    place = (np.arange(tasks)[:, None], np.where(labels < 0, items, labels))
    sums, of, low = (np.zeros((tasks, items + 1)) for _ in range(3))
    low[:] = np.inf
    np.add.at(sums, place, total)
    np.add.at(of, place, number)
    np.minimum.at(low, place, least)
    mean = np.divide(sums, of, out=np.full(sums.shape, np.nan), where=of > 0)
    return support, np.stack([mean, np.where(np.isinf(low), np.nan, low)], axis=2)[:, :items]


def columns(tasks: Sequence[Supported]) -> dict[str, Lazily]:
    """What is told of items, groups and pairs, as columns."""
    return {
        "items": Lazily(len(tasks), lambda k: tasks[k].items_told()),
        "group_support": Lazily(len(tasks), lambda k: tasks[k].groups_told()),
        "pairs": Lazily(len(tasks), lambda k: tasks[k].pairs_told()),
    }
