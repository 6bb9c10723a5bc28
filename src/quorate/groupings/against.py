"""Systems' clusterings beside the judges': the same items, task by task, and a measure of every system and judge."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.nested import settled
from quorate.groupings.partitions import treated
from quorate.groupings.sheets import Sheet, sheets
from quorate.kernels.contingency import all_sums, dense_labels
from quorate.panels import Groupings

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Beside:
    """One task: the judges' groupings and the systems' on the judges' items, ``systems[system, item]``."""

    sheet: Sheet
    systems: Array  # -1 where left out
    there: Array  # [system] whether the system did the task

    def some_items(self, chosen: Array) -> Beside:
        """The task with these items only."""
        return Beside(self.sheet.some_items(chosen), self.systems[:, chosen], self.there)

    def with_systems(self, labels: Array) -> Beside:
        """The task with other clusterings for the systems'."""
        return replace(self, systems=labels, there=np.ones(len(labels), bool))


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
        labels[np.ix_(other.judge_codes, at[known])] = other.labels[:, known]
        there = np.zeros(len(systems.judges), bool)
        there[other.judge_codes] = True
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
    """The measure of every two, ``[class partition, cluster partition]``; labels as of judges, -1 is left out.

    ``measure`` is a text form: ``v_beta``, ``v(beta=0.5)``.
    """
    chosen, how = settled(measure)
    own, gold = (treated(dense_labels(x), left_out) for x in (clusters, classes))
    right, left = (x.ravel() for x in np.meshgrid(np.arange(len(gold)), np.arange(len(own)), indexing="ij"))
    sums = all_sums(own, gold, left, right, expected=chosen.expected)
    return np.asarray(chosen.of(sums, **how)).reshape(len(gold), len(own))


def weighted_mean(values: Array, weights: Array) -> Array:
    """Means over the first axis of ``values[judge, system]`` by ``weights[..., judge]``; NaN where none is defined."""
    known = ~np.isnan(values)
    total = weights @ np.where(known, values, 0.0)
    of = weights @ known.astype(float)
    return np.asarray(np.divide(total, of, out=np.full(np.shape(total), np.nan), where=of > 0))
