"""Systems' clusterings beside the judges': the same items, task by task, and a measure of every system and judge."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.nested import measuring
from quorate.groupings.pairwise import crossed
from quorate.groupings.sheets import Sheet, sheets
from quorate.groupings.task_consensus import solved_sheets
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import blocks
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 22  # labels or votes of a lot of tasks


@dataclass(frozen=True, eq=False)
class Beside:
    """One task: the judges' groupings and the systems' on the judges' items, ``systems[system, item]``."""

    sheet: Sheet
    systems: Array  # -1 where left out
    there: Array  # [system] whether the system did the task


@dataclass(frozen=True, eq=False)
class Lot:
    """Tasks with as many judges and items each, in one array."""

    tasks: Array  # numbers among all
    sheets: tuple[Sheet, ...]
    labels: Array  # [task, judge, item]
    counts: Array  # [task, judge]
    systems: Array  # [task, system, item]
    there: Array  # [task, system] whether the system did the task
    items: Array | None = None  # [task, item] which of the sheet's items these are; None: all of them

    def consensus(self, by: Method) -> Array:
        """The consensus of all judges and items, as far as the items are here, ``[task, item]``."""
        found = np.stack([solved.labels for solved in solved_sheets(self.sheets, by)])
        return found if self.items is None else np.take_along_axis(found, self.items, axis=1)

    def some_items(self, chosen: Array) -> Lot:
        """The tasks with these items only, ``chosen[task, item]``."""
        labels, systems = (np.take_along_axis(x, chosen[:, None], axis=2) for x in (self.labels, self.systems))
        return replace(self, labels=labels, systems=systems, items=chosen)

    def with_systems(self, labels: Array) -> Lot:
        """The tasks with other clusterings for the systems', ``labels[task, system, item]``."""
        return replace(self, systems=labels, there=np.ones(labels.shape[:2], bool))


def lots(tasks: Sequence[Beside], times: int = 1) -> Iterator[Lot]:
    """Tasks of one shape together, as many as have room when each is compared with, or drawn anew, so many times."""
    every = [t.sheet for t in tasks]
    for block in blocks(every, CELLS, lambda judges, items: items * max(judges, items) * times):
        some = [tasks[k] for k in block.tasks.tolist()]
        yield Lot(
            block.tasks,
            tuple(t.sheet for t in some),
            block.labels,
            block.counts,
            np.stack([t.systems for t in some]),
            np.stack([t.there for t in some]),
        )


@dataclass(frozen=True, eq=False)
class Pairing:
    """All tasks that both judges and systems did, and what was left aside."""

    tasks: tuple[Beside, ...]
    unjudged: tuple[Hashable, ...]  # tasks that only systems did
    undone: tuple[Hashable, ...]  # tasks that no system did
    unknown: int  # systems' rows of items that no judge has
    rows: int  # systems' rows in all


def beside(panel: Groupings, systems: Groupings) -> Pairing:
    """The systems' clusterings on the judges' items; an item that a system has no row for is left out by it."""
    theirs = {sheet.task: sheet for sheet in sheets(systems)}
    tasks, undone, unknown, rows = [], [], 0, 0
    for sheet in sheets(panel):
        other = theirs.pop(sheet.task, None)
        if other is None:
            undone.append(sheet.task)
            continue
        place = {item: k for k, item in enumerate(sheet.items)}
        at = np.array([place.get(item, -1) for item in other.items], np.int64)
        labels = np.full((len(systems.judges), len(sheet.items)), -1, np.int64)
        known = at >= 0
        labels[np.ix_(other.judges, at[known])] = other.labels[:, known]
        there = np.zeros(len(systems.judges), bool)
        there[other.judges] = True
        unknown += int((other.labels[:, ~known] >= 0).sum())
        rows += int((other.labels >= 0).sum())
        tasks.append(Beside(sheet, labels, there))
    if not tasks:
        raise InputError(
            "the systems did none of the judges' tasks.",
            f"the judges' tasks: {_few(panel.tasks)}; the systems': {_few(systems.tasks)}.",
        )
    return Pairing(tuple(tasks), tuple(theirs), tuple(undone), unknown, rows)


def _few(names: Sequence[Hashable]) -> str:
    return ", ".join(map(str, names[:5])) + (", ..." if len(names) > 5 else "")


def measured(clusters: Array, classes: Array, measure: str, left_out: str) -> Array:
    """The measure of every two, ``[..., class partition, cluster partition]``, of one task or of each of many.

    From ``[..., partition, item]``, labels as of judges, -1 is left out; ``measure`` is a text form: ``v_beta``,
    ``v(beta=0.5)``.
    """
    (found,) = crossed([measuring(measure).with_(left_out=left_out)], clusters, classes)
    return found.forward


def weighted_mean(values: Array, weights: Array) -> Array:
    """Means over judges of ``values[task, judge, system]`` by ``weights[task, draw, judge]``, ``[task, draw, system]``.

    NaN where none is defined.
    """
    known = ~np.isnan(values)
    total = weights @ np.where(known, values, 0.0)
    of = weights @ known.astype(float)
    return np.asarray(np.divide(total, of, out=np.full(np.shape(total), np.nan), where=of > 0))
