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
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.partition_labels import dense
from quorate.kernels.streams import stream
from quorate.panel.base import remembered
from quorate.panel.columns import distinct, keys
from quorate.panel.design import Manner
from quorate.panel.kinds import Groupings
from quorate.panel.rows import RowDesign
from quorate.panel.sheets import Sheets
from quorate.table import Method, choice

Array = NDArray[Any]
NOWHERE = -2  # label of what is no item of the task, or was not shown to the judge
CELLS = 1 << 22  # labels of a block at most
BESIDE = 1 << 13  # labels permuted in one go
MANY, NARROW = 1 << 18, 1 << 16  # labels that are permuted by sorting, and how many different ones at most
ITEMS = 3000  # of a task, up to which every two are looked at
FINER = 4  # times as often
WAYS = ("singletons", "bucket", "common")
LEFT, UNSHOWN = "left-out", "not-shown"  # what an item without a row is
ABSENCE = {"below": LEFT, LEFT: LEFT, UNSHOWN: UNSHOWN, "unknown": UNSHOWN}  # of what can be said of any kind
USUAL_JUDGES = 4  # judges of whom it is known as if they were on the panel
OTHERS = 4  # judges beside an outlier in grain: of fewer, one who differs may as well be of another school
USUAL = 0.3  # spread of the logarithm of how many groups people make, as in four published sortings
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


def _together(labels: Array) -> Array:
    """Which two items are in one group, ``[item, item]``."""
    return np.asarray((labels[:, None] == labels) & (labels >= 0))


def _shown(labels: Array) -> Array:
    """Which two items a judge was shown both of, ``[item, item]``."""
    there = labels > NOWHERE
    return np.asarray(there[:, None] & there & ~np.eye(len(labels), dtype=bool))


@dataclass(frozen=True, eq=False)
class GroupingDesign(RowDesign):
    """Groupings as blocks: labels, -1 where a judge left an item out, -2 where it was not shown."""

    kind: ClassVar[str] = "groupings"

    parts: tuple[Block, ...]

    @classmethod
    def of(cls, panel: Groupings, absent: str | None = None) -> GroupingDesign:
        """The design of a panel; of a judge's repeats on a task the first. ``absent``: what items without a row are."""
        return cls(panel.tasks, panel.judges, panel.items, tuple(blocks(partitions(panel, absent), CELLS)))

    @property
    def work(self) -> int:
        """Every two judges' items."""
        return sum(p.labels.size * (p.labels.shape[1] + 1) // 2 for p in self.parts)

    @property
    def most_noise(self) -> float:
        """All items moved."""
        return 1.0

    @cached_property
    def complete(self) -> bool:
        """Whether nobody left an item out."""
        return not any((p.labels == -1).any() for p in self.parts)

    def canonical(self, method: Method) -> Method:
        """Where nobody left anything out, what becomes of left-out items makes no difference."""
        return without_treatment(method) if self.complete else method

    @staticmethod
    def uneven(answers: Array) -> tuple[bool, bool]:
        """Whether judges left items out, and whether some were not shown any, ``answers[judge, item]``."""
        return bool((answers == -1).any()), bool((answers == NOWHERE).any())

    def told_apart(self, answers: Array) -> Array:
        """Labels numbered by first member: those who make the same groups have the same."""
        return told_apart(answers)

    def shuffled(self, answers: Array, rng: np.random.Generator, some: Array | None = None) -> Array:
        """Every judge's labels, or those of some, permuted among the items shown to the judge, those left out
        included."""
        permuted = shuffled(answers, rng)
        return permuted if some is None else np.where(some[..., None], permuted, answers)

    def comparable(self, answers: Array) -> Array:
        """A number for every set of items that are together: the sum of large ones drawn for its items."""
        width = int(answers.max(initial=0)) + 2  # what is left out is together, too
        weight = stream(0, "sets of items").integers(1, 1 << 40, size=answers.shape[-1]).astype(float)
        rows = answers.reshape(-1, answers.shape[-1])
        code = np.arange(len(rows))[:, None] * width + np.where(rows < 0, width - 1, rows)
        total = np.bincount(code.ravel(), np.tile(weight, len(rows)), len(rows) * width)
        return total[code].reshape(answers.shape)

    def likeness(self, judge: int) -> Array | None:
        """Of each item how often others, of it and another one, say the same: together, or apart."""
        if max(p.labels.shape[2] for p in self.parts) > ITEMS:
            return None
        out = []
        for p in self.parts:
            alike = np.ones((p.labels.shape[0], p.labels.shape[2]))
            for t, row in zip(*np.nonzero(p.judges == judge), strict=True):
                own, seen = _together(p.labels[t, row]), _shown(p.labels[t, row])
                same, number = np.zeros((2, p.labels.shape[2]))
                for other in np.delete(p.labels[t], row, axis=0):
                    both = seen & _shown(other)
                    same += ((own == _together(other)) & both).sum(axis=1)
                    number += both.sum(axis=1)
                alike[t] = quotient(same, number, otherwise=1.0)
            out.append(alike.ravel())
        return np.concatenate(out)

    def manner(self, judge: int) -> str:
        """Whether a judge splits what the others put together, or merges what they keep apart, FINER times as often."""
        split = merged = 0.0
        for p in self.parts:
            for t, row in zip(*np.nonzero(p.judges == judge), strict=True):
                labels = np.delete(p.labels[t], row, axis=0)
                first, second = np.triu_indices(labels.shape[1], 1)
                there = (labels[:, first] >= 0) & (labels[:, second] >= 0)
                number = np.maximum(there.sum(axis=0), 1)
                others = ((labels[:, first] == labels[:, second]) & there).sum(axis=0) / number
                own = p.labels[t, row]
                known = (own[first] >= 0) & (own[second] >= 0)
                together = own[first] == own[second]
                split += float((known & ~together & (others > 0.5)).sum())
                merged += float((known & together & (others < 0.5)).sum())
        if max(split, merged) < FINER * max(min(split, merged), 1.0):
            return ""
        return "splits" if split > merged else "merges"

    def held(self, answers: Array) -> Array:
        """Which items a judge was shown."""
        return np.asarray(answers > NOWHERE)

    def undecided(self, answers: Array) -> Array:
        """Who puts all items of a task together, or each by itself; who leaves some out has said something."""
        shown, used = (answers > NOWHERE).sum(axis=2), (answers >= 0).sum(axis=2)
        groups = answers.max(axis=2, initial=-1) + 1
        left = shown > used
        return np.asarray((used > 0) & ~left & ((groups == 1) | (groups == used)))

    def alike(self, noise: float | Array, rng: np.random.Generator, copies: int = 1) -> GroupingDesign:
        """Judges who see one structure as finely as they did, each with so large a share of the items moved.

        The structure is that of a typical judge, with groups inside groups; an item that is moved goes to the place of
        another. Everybody leaves out what he left out.
        """
        each = np.broadcast_to(noise, len(self.judges))

        def noisy(labels: Array, share: Array) -> Array:
            one = nested(typical(labels), fineness(labels), rng)
            moved = np.where(rng.random(labels.shape) < share[:, :, None], rng.permuted(one, axis=2), one)
            return np.where(labels < 0, labels, moved)

        many = self.copied(copies, lambda labels: labels)
        return replace(many, parts=tuple(replace(p, labels=noisy(p.labels, each[p.judges])) for p in many.parts))

    def manners(self) -> Sequence[Manner]:
        """How finely judges group beside the median of each task, in logarithms, on average; in usual spreads."""
        total, tasks = np.zeros(len(self.judges)), np.zeros(len(self.judges))
        for p in self.parts:
            found = fineness(p.labels)
            np.add.at(total, p.judges, found - np.median(found, axis=1, keepdims=True))
            np.add.at(tasks, p.judges, 1)
        grain = np.divide(total, USUAL * tasks, out=np.full(len(total), np.nan), where=tasks > 0)
        return [Manner(grain, np.zeros(len(total)), usual=USUAL_JUDGES, variance=1.0, others=OTHERS)]


def without_treatment(method: Method) -> Method:
    """The method with left-out items treated as usual."""
    known = method.declaration.parameters
    return method.with_(left_out=known["left_out"].default) if "left_out" in known else method


def told_apart(labels: Array) -> Array:
    """Groups numbered by first member, ``[judge, item]``, in little room; some judges at a time."""
    small, step = np.int16 if labels.shape[1] < 1 << 15 else np.int32, max(1, CELLS // max(labels.shape[1], 1))
    found = [dense(labels[a : a + step]).astype(small) for a in range(0, len(labels), step)]
    return np.concatenate(found) if found else labels.astype(small)


def shuffled(labels: Array, rng: np.random.Generator) -> Array:
    """Every row's labels permuted among its items; what is nowhere stays there."""
    gone = labels == NOWHERE
    if not gone.any():
        many = labels.size > MANY and labels.max() < NARROW - 1
        return _permuted(labels, rng) if many else rng.permuted(labels, axis=-1)
    out = np.empty_like(labels)
    order = np.argsort(np.where(gone, 2.0, rng.random(labels.shape)), axis=-1)
    np.put_along_axis(
        out, np.argsort(gone, axis=-1, kind="stable"), np.take_along_axis(labels, order, axis=-1), axis=-1
    )
    return out


def _permuted(labels: Array, rng: np.random.Generator) -> Array:
    """The same of many rows, sooner: random numbers are sorted, with labels in place of their last bits.

    Some rows at a time, which stay near the processor.
    """
    rows = labels.reshape(-1, labels.shape[-1])
    out, step = np.empty_like(rows), max(1, BESIDE // max(rows.shape[1], 1))
    for a in range(0, len(rows), step):
        own = rows[a : a + step] + 1  # what is left out is -1
        marked = rng.integers(1 << 64, size=own.shape, dtype=np.uint64)
        marked &= ~np.uint64(NARROW - 1)
        marked |= own.astype(np.uint64)
        marked.sort(axis=-1)
        marked &= np.uint64(NARROW - 1)
        out[a : a + step] = marked
    return np.asarray((out - 1).reshape(labels.shape))


def typical(labels: Array) -> Array:
    """The grouping of the judge whose groups are neither the finest nor the coarsest, ``[task, item]``.

    What the judge left out is put into the judge's groups in turn.
    """
    tasks, judges, items = labels.shape
    middle = np.argsort(-fineness(labels), axis=1, kind="stable")[:, judges // 2]
    own = labels[np.arange(tasks), middle]
    out = own < 0
    used = items - out.sum(axis=1, keepdims=True)
    turn = (np.cumsum(out, axis=1) - 1) % np.maximum(used, 1)  # of the items in use, which come first when sorted so
    filled = np.take_along_axis(np.take_along_axis(own, np.argsort(out, axis=1, kind="stable"), axis=1), turn, axis=1)
    return np.where(out, np.maximum(filled, 0), own)


def fineness(labels: Array) -> Array:
    """The logarithm of how many groups each judge made, small ones counting little, ``[task, judge]``.

    >>> np.exp(fineness(np.array([[[0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3]]]))).round(6).tolist()
    [[2.0, 1.0, 4.0]]
    """
    tasks, judges, items = labels.shape
    width = int(labels.max(initial=0)) + 1
    row = np.arange(tasks * judges)[:, None] * (width + 1)
    flat = (np.where(labels < 0, width, labels).reshape(-1, items) + row).ravel()
    size = np.bincount(flat, minlength=tasks * judges * (width + 1)).reshape(tasks, judges, width + 1)[..., :width]
    together = (size**2).sum(axis=2) / np.maximum(size.sum(axis=2), 1) ** 2
    return np.asarray(-np.log(np.maximum(together, 1 / max(items, 1) ** 2)))


def nested(one: Array, grain: Array, rng: np.random.Generator) -> Array:
    """Groups inside groups as fine as ``grain[task, judge]``, the logarithm of their number, ``[task, judge, item]``.

    Made of ``one[task, item]``: the items stand in a line, group by group, which is cut in more or fewer places: the
    same ones for all judges, those between groups first.
    """
    tasks, items = one.shape
    place = np.argsort(np.take_along_axis(rng.random(one.shape), one, axis=1) + rng.random(one.shape) / 1e6, axis=1)
    line = np.take_along_axis(one, place, axis=1)
    first = np.argsort(rng.random((tasks, items - 1)) + (line[:, 1:] == line[:, :-1]), axis=1).argsort(axis=1)
    groups = (line[:, 1:] != line[:, :-1]).sum(axis=1, keepdims=True) + 1
    number = np.maximum(np.rint(groups * np.exp(grain - fineness(one[:, None]))), 1 + (grain > 0))  # one stays one
    cut = first[:, None] < number[:, :, None] - 1
    piece = np.concatenate([np.zeros((*number.shape, 1), np.int64), np.cumsum(cut, axis=2)], axis=2)
    out = np.empty_like(piece)
    np.put_along_axis(out, np.broadcast_to(place[:, None], piece.shape), piece, axis=2)
    return out


def names(ids: Sequence[Hashable], codes: Array) -> list[Hashable]:
    """The ids of some codes."""
    return [ids[c] for c in codes.tolist()]
