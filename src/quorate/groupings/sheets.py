"""The tasks of a panel by name: partitions with the ids of judges and items, the items in an order of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.kinds import Groupings
from quorate.panel.partitions import Partitions, partitions, remembered

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Sheet:
    """The groupings of one task: ``labels[judge, item]`` dense from 0, -1 where left out."""

    task: Hashable
    code: int  # of the panel's task
    judge_names: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    judges: Array  # codes
    item_codes: Array
    labels: Array
    counts: Array  # how many judges each row stands for
    solved: dict[Hashable, Any] = field(default_factory=dict)  # consensus partitions found so far, by method


def sheets(panel: Groupings) -> tuple[Sheet, ...]:
    """The panel's tasks; of a judge's repeats on a task only the first. Items are sorted, whoever came first."""
    return remembered(panel, "_sheets", lambda p: tuple(_sheet(p, part, order) for part, order in _with_order(p)))


def _with_order(panel: Groupings) -> Iterator[tuple[Partitions, Array]]:
    """The tasks, and in which order their items stand: all sorted at once, if they compare with one another."""
    try:
        order = sorted(range(len(panel.items)), key=panel.items.__getitem__)  # type: ignore[arg-type]
    except TypeError:
        for p in partitions(panel):
            yield p, np.array(in_order([panel.items[c] for c in p.items.tolist()]), np.int64)
        return
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    for p in partitions(panel):
        yield p, np.argsort(place[p.items])


def _sheet(panel: Groupings, p: Partitions, order: Array) -> Sheet:
    codes = p.items[order]
    return Sheet(
        panel.tasks[p.task],
        p.task,
        tuple(panel.judges[c] for c in p.judges.tolist()),
        tuple(panel.items[c] for c in codes.tolist()),
        p.judges,
        codes,
        p.labels[:, order].astype(np.int64),
        p.counts,
    )


def in_order(ids: Sequence[Any]) -> list[int]:
    """The places of ids sorted as they are, or where they do not compare by type and text.

    >>> in_order([10, 9, 1]), in_order(["b", "a", 3])
    ([2, 1, 0], [2, 1, 0])
    """
    try:
        return sorted(range(len(ids)), key=lambda k: ids[k])
    except TypeError:
        return sorted(range(len(ids)), key=lambda k: (type(ids[k]).__name__, str(ids[k])))
