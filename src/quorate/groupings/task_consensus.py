"""The consensus of every task of a panel, remembered: tasks of one shape at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import check
from quorate.groupings.consensus_partition import CELLS, Grouped, proven
from quorate.groupings.nested import measuring
from quorate.groupings.pairwise import crossed
from quorate.groupings.partition_program import Proofs
from quorate.groupings.sheets import Sheet
from quorate.panel.partitions import blocks
from quorate.table import Method

Array = NDArray[Any]


def pairs_of_items(judges: int, items: int) -> int:
    """Cells of a task's table of all pairs of items."""
    return items * items


def solved_sheets(tasks: Sequence[Sheet], method: Method) -> list[Grouped]:
    """The consensus of every task, remembered in its sheet."""
    name, proofs = str(method), Proofs()
    left = [s for s in tasks if name not in s.solved]
    for block in blocks(left, CELLS, pairs_of_items):
        check(block.labels.shape[2])
        found = proven(method, block.labels, block.counts, proofs)
        sizes = by_size(np.stack([f.labels for f in found]))
        for k, labels, each in zip(block.tasks.tolist(), sizes, found, strict=True):
            left[k].solved[name] = Grouped(labels, each.facts, each.about)
    return [s.solved[name] for s in tasks]


def by_size(rows: Array) -> Array:
    """The groups of each task numbered anew: larger ones first, of equal ones the one with the first item.

    ``rows[task, item]`` are numbered from 0 in order of first member.
    """
    tasks, items = rows.shape
    key = np.where(rows < 0, items, rows) + np.arange(tasks)[:, None] * (items + 1)
    size = np.bincount(key.ravel(), minlength=tasks * (items + 1)).reshape(tasks, items + 1)
    size[:, items] = 0
    name = np.argsort(np.argsort(-size, axis=1, kind="stable"), axis=1)
    return np.where(rows < 0, -1, name.ravel()[key])


def renumbered(labels: Array, order: Array) -> Array:
    """The same groups, the one at ``order[k]`` now numbered k."""
    name = np.empty(len(order) + 1, np.int64)
    name[order] = np.arange(len(order))
    name[-1] = -1
    return name[labels]


def agreed(labels: Array, consensus: Array) -> Array:
    """Of the pairs that a judge used and the consensus has, the share on which both agree, ``[task, judge]``; else NaN.

    From ``labels[task, judge, item]`` and ``consensus[task, item]``.
    """
    (found,) = crossed([measuring("rand").with_(left_out="common")], consensus[:, None], labels)
    return found.forward[:, :, 0]
