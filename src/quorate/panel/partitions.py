"""Groupings as arrays: a partition is a row of labels, dense from 0, with -1 for the items that a judge left out.

What is no item of the task, or was not shown to the judge, is -2: two judges are compared on items shown to both.

Judges who left out different items are made comparable in one of three ways:

* ``singletons``: each left-out item is a cluster of its own;
* ``bucket``: one cluster holds all that the judge left out;
* ``common``: only the items that both judges used are compared.

The items of a task are those that any of its judges has a row for. What an item without a row is, left out (-1) or not
shown (-2), says :func:`absence`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.panel.base import remembered
from quorate.panel.columns import distinct, keys
from quorate.panel.kinds import Groupings
from quorate.panel.sheets import Sheets
from quorate.table import choice

Array = NDArray[Any]
NOWHERE = -2  # label of what is no item of the task, or was not shown to the judge
CELLS = 1 << 22  # labels of a block at most
WAYS = ("singletons", "bucket", "common")
LEFT, UNSHOWN = "left-out", "not-shown"  # what an item without a row is
ABSENCE = {"below": LEFT, LEFT: LEFT, UNSHOWN: UNSHOWN, "unknown": UNSHOWN}  # of what can be said of any kind
WAYS_MATTER = "Depends on what a left-out item is: singletons flatter, a bucket punishes."
LEFT_OUT = choice(
    "what a left-out item is: a cluster of its own, in one with the others, or no item", *WAYS, shown=True
)


@dataclass(frozen=True, eq=False)
class Partitions:
    """The groupings of one task."""

    task: int  # code of the panel's task
    judges: Array  # (J,) codes of the panel's judges
    items: Array  # (n,) codes of the panel's items
    labels: Array  # (J, n), -1 is left out, -2 not shown
    counts: Array  # (J,) how many judges each row stands for

    @property
    def item_codes(self) -> Array:
        """(n,) codes of the panel's items."""
        return self.items

    @property
    def used(self) -> Array:
        """How many items each judge put in a group."""
        return np.asarray((self.labels >= 0).sum(axis=1))

    @property
    def shown(self) -> Array:
        """How many items each judge was shown."""
        return np.asarray((self.labels > NOWHERE).sum(axis=1))

    @property
    def clusters(self) -> Array:
        """How many groups each judge made."""
        return np.asarray(self.labels.max(axis=1, initial=-1) + 1)


def partitions(panel: Groupings, absent: str | None = None) -> list[Partitions]:
    """The panel's tasks; of a judge's repeats on a task only the first. Made once for a panel: change nothing in it.

    ``absent`` says what an item without a row is, as :func:`absence` has it.
    """
    meaning = absence(panel, absent)
    return remembered(panel, f"_partitions {meaning}", lambda panel: _first_of_each(panel, meaning))


def _first_of_each(panel: Groupings, meaning: str) -> list[Partitions]:
    return _arrays(panel, _first_of_repeats(panel), panel.task.codes.astype(np.int64), meaning)


def _first_of_repeats(panel: Groupings) -> Array:
    """The judgments that are a judge's first on a task."""
    pair = keys(panel.task, panel.judge)[panel.starts[:-1]]
    first = np.ones(len(pair), bool)
    first[1:] = pair[1:] != pair[:-1]
    return np.flatnonzero(first)


def absence(panel: Groupings, absent: str | None = None) -> str:
    """What an item without a row is: ``left-out`` (seen and put nowhere) or ``not-shown`` (never offered).

    As ``absent`` says, or the format; else as the design looks. Items were not shown where most judges have no row for
    a quarter of the items or more, and either nearly all have rows for about as many items, or nobody left one out with
    a row of its own, and the items are no more unequal in how many judges have them than chance would make them: who
    leaves out what fits nowhere does neither.

    >>> absence(Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": 2}, "bob": {"x": 1, "y": 1}}))
    'left-out'
    """
    if said := absent or panel.absent:
        return ABSENCE[said]
    return remembered(panel, "_absence", lambda panel: UNSHOWN if sheets(panel).incomplete else LEFT)


def sheets(panel: Groupings) -> Sheets:
    """What judges made of their tasks, in numbers."""
    if panel.elsewhere is not None:
        found: Sheets = panel.elsewhere.sheets
        return found
    return remembered(panel, "_sheets", lambda panel: Sheets.of(partitions(panel, LEFT), _rows_of_first(panel)))


def _rows_of_first(panel: Groupings) -> Array:
    return np.diff(panel.starts)[_first_of_repeats(panel)]


@dataclass(frozen=True, eq=False)
class Block:
    """Tasks with as many judges and items each, in one array."""

    answers: ClassVar[str] = "labels"

    tasks: Array  # (T,) numbers of the tasks
    judges: Array  # (T, J) codes
    items: Array  # (T, n) codes
    labels: Array  # (T, J, n)
    counts: Array  # (T, J)

    @property
    def shape(self) -> tuple[int, ...]:
        """Tasks, judges, items."""
        return self.labels.shape

    @property
    def given(self) -> tuple[Array, ...]:
        """What formulas are given."""
        return (self.labels,)

    def codes(self, axis: str) -> Array:
        """Numbers of the judges or items along an axis of values."""
        return self.judges if axis == "judge" else self.items


def blocks(
    parts: Sequence[Any], most: int | None = None, cells: Callable[[int, int], int] = operator.mul
) -> Iterator[Block]:
    """The tasks, which have judges, labels and counts, by shape; at most so many cells at a time.

    ``cells(judges, items)`` are those of a task: its labels, unless something else is told.
    """
    shapes: dict[tuple[int, ...], list[int]] = {}
    for t, p in enumerate(parts):
        shapes.setdefault(p.labels.shape, []).append(t)
    for (judges, items), every in shapes.items():
        step = len(every) if most is None else max(1, most // max(cells(judges, items), 1))
        for a in range(0, len(every), step):
            some = every[a : a + step]
            names = ("judges", "item_codes", "labels", "counts")
            yield Block(np.array(some), *(np.stack([getattr(parts[t], name) for t in some]) for name in names))


def repeats(panel: Groupings, absent: str | None = None) -> list[Partitions]:
    """What judges did more than once: for each such task and judge the judge's groupings, one a row."""
    pair = keys(panel.task, panel.judge)
    own = pair[panel.starts[:-1]]
    _, inverse, times = np.unique(own, return_inverse=True, return_counts=True)
    found = _arrays(panel, np.flatnonzero(times[inverse.ravel()] > 1), pair, absence(panel, absent))
    return [replace(p, counts=np.ones_like(p.counts)) for p in found]  # occasions, not judges


def _arrays(panel: Groupings, chosen: Array, apart: Array, meaning: str) -> list[Partitions]:
    """The chosen judgments as arrays, those together whose rows have the same number in ``apart``."""
    length = np.diff(panel.starts)[chosen]
    begin = panel.starts[:-1][chosen]
    offset = np.cumsum(length) - length
    rows = np.arange(int(length.sum())) - np.repeat(offset - begin, length)
    judgment = np.repeat(np.arange(len(chosen)), length)
    group = panel.value.codes[rows].astype(np.int64)
    group[panel.left_out[rows]] = -1
    used = group >= 0
    label = np.full(len(rows), -1, np.int64)
    if used.any():  # numbered within each judgment as they come, so that no name or other judgment matters
        width = len(panel.group_ids)
        key = judgment[used] * width + group[used]
        known, code = distinct(key, len(chosen) * width)
        first = np.empty(len(known), np.int64)
        first[code[::-1]] = np.arange(len(code))[::-1]  # the first of its rows is written last
        place = np.empty(len(known), np.int64)
        place[np.lexsort((first, known // width))] = np.arange(len(known))
        label[used] = place[code] - np.searchsorted(known, judgment[used] * width)
    lot = apart[begin]
    if not len(lot):
        return []
    bounds = np.concatenate([[0], np.flatnonzero(lot[1:] != lot[:-1]) + 1, [len(lot)]])  # of judgments
    which = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))  # [judgment] its lot
    width, order = len(panel.items), np.array(in_order(panel.items), np.int64)
    place = np.empty(width, np.int64)
    place[order] = np.arange(width)
    known, number = distinct(which[judgment] * width + place[panel.item.codes[rows]], (len(bounds) - 1) * width)
    first = np.searchsorted(known, np.arange(len(bounds)) * width)  # where a lot's items begin
    items = np.diff(first)
    cells = np.concatenate([[0], np.cumsum(np.diff(bounds) * items)])
    flat = np.full(int(cells[-1]), -1 if meaning == LEFT else NOWHERE, np.int32)
    at = which[judgment]
    flat[cells[at] + (judgment - bounds[at]) * items[at] + number - first[at]] = label
    task, judge = panel.task.codes[begin].tolist(), panel.judge.codes[begin].astype(np.int64)
    counts, named = panel.count[begin].astype(np.int64), order[known % max(width, 1)]
    out = []
    ends = zip(bounds.tolist(), bounds[1:].tolist(), first.tolist(), first[1:].tolist(), cells.tolist(), strict=False)
    for a, b, i, j, cell in ends:
        labels = flat[cell : cell + (b - a) * (j - i)].reshape(b - a, j - i)
        out.append(Partitions(task[a], judge[a:b], named[i:j], labels, counts[a:b]))
    return out


def in_order(ids: Sequence[Any]) -> list[int]:
    """The places of ids sorted as they are, or where they do not compare by type and text.

    >>> in_order([10, 9, 1]), in_order(["b", "a", 3])
    ([2, 1, 0], [2, 1, 0])
    """
    try:
        return sorted(range(len(ids)), key=lambda k: ids[k])
    except TypeError:
        return sorted(range(len(ids)), key=lambda k: (type(ids[k]).__name__, str(ids[k])))


def treated(labels: Array, left_out: str) -> Array:
    """The labels with left-out items as the treatment has them; with ``common`` they stay -1."""
    if left_out == "common":
        return labels
    out = labels == -1
    if not out.any():
        return labels
    own = labels.max(axis=-1, keepdims=True, initial=-1) + 1  # the first label that is free
    place = np.cumsum(out, axis=-1) - 1 if left_out == "singletons" else 0
    return np.where(out, own + place, labels)


def names(ids: Sequence[Hashable], codes: Array) -> list[Hashable]:
    """The ids of some codes."""
    return [ids[c] for c in codes.tolist()]
