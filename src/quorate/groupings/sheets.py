"""The tasks of a panel by name: partitions with the ids of judges and items, the items in an order of their own."""

from __future__ import annotations

from collections.abc import Hashable
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
    return remembered(panel, "_sheets", lambda p: tuple(_sheet(p, part) for part in partitions(p)))


def _sheet(panel: Groupings, p: Partitions) -> Sheet:
    return Sheet(
        panel.tasks[p.task],
        p.task,
        tuple(panel.judges[c] for c in p.judges.tolist()),
        tuple(panel.items[c] for c in p.items.tolist()),
        p.judges,
        p.items,
        p.labels.astype(np.int64),
        p.counts,
    )
