"""The consensus of every task, and of panels drawn anew from its judges: tasks of one shape at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import check
from quorate.groupings.drawn_judges import drawn_judges
from quorate.groupings.partition_program import LOCAL, Proofs
from quorate.groupings.sheets import Sheet
from quorate.groupings.voted_groups import Grouped, every_panel, every_task
from quorate.groupings.votes import Votes
from quorate.inference.resample import stream
from quorate.inference.results import Options
from quorate.kernels.contingency import pair_sums
from quorate.table import Method

Array = NDArray[Any]
WORK = 4 * 10**8  # judge x item-pair counts spent on resampled panels of a method, about
DRAWS = 200  # resampled panels of a task at most: each is solved anew
SOLVED = 10_000  # resampled panels of all tasks together, about
FEWEST = 10  # resampled panels that say how often an item stays
CELLS = 1 << 21  # votes held at a time


@dataclass(frozen=True, eq=False)
class Shape:
    """Sheets with as many judges and items each."""

    tasks: Array  # numbers among the sheets
    labels: Array  # [task, judge, item]
    counts: Array  # [task, judge]


def _pairs(judges: int, items: int) -> int:
    return items * items


def shapes(
    tasks: Sequence[Sheet], cells: Callable[[int, int], int] = _pairs, most: int | None = None
) -> Iterator[Shape]:
    """The sheets by shape; those of many items one by one, others at most so many cells at a time.

    ``cells(judges, items)`` are those of a task: its pairs of items, unless something else is told.
    """
    found: dict[tuple[int, ...], list[int]] = {}
    for k, sheet in enumerate(tasks):
        found.setdefault(sheet.labels.shape, []).append(k)
    for (judges, items), every in found.items():
        step = 1 if items > LOCAL else len(every) if most is None else max(1, most // max(cells(judges, items), 1))
        for a in range(0, len(every), step):
            some = every[a : a + step]
            arrays = (np.stack([getattr(tasks[k], name) for k in some]) for name in ("labels", "counts"))
            yield Shape(np.array(some), *arrays)


def solved_sheets(tasks: Sequence[Sheet], method: Method) -> list[Grouped]:
    """The consensus of every task, remembered in its sheet."""
    name, proofs = str(method), Proofs()
    left = [s for s in tasks if name not in s.solved]
    for shape in shapes(left, most=CELLS):
        if shape.labels.shape[2] > LOCAL:
            check(left[int(shape.tasks[0])].labels)
        found = every_task(method, Votes.of(shape.labels, shape.counts), shape.labels, proofs)
        for k, labels, each in zip(shape.tasks.tolist(), by_size([f.labels for f in found]), found, strict=True):
            left[k].solved[name] = Grouped(labels, each.facts, each.about)
    return [s.solved[name] for s in tasks]


def by_size(labels: Sequence[Array]) -> Array:
    """The groups of each task numbered anew: larger ones first, of equal ones the one with the first item.

    Labels are numbered from 0 in order of first member, as many items in every task.
    """
    rows = np.stack(labels)
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
    tasks, judges, items = labels.shape
    out = np.full(tasks * judges, np.nan)
    rows = np.arange(tasks * judges)
    for some, sums in pair_sums(labels.reshape(-1, items), consensus, rows, rows // judges):
        pairs = sums.items * (sums.items - 1.0)
        apart = sums.cluster_squares + sums.class_squares - 2 * sums.cell_squares
        out[some] = 1 - np.divide(apart, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)
    return out.reshape(tasks, judges)


def draws(options: Options, tasks: int, judges: int, items: int) -> int:
    """How many resampled panels a task is worth."""
    most = max(int(SOLVED * options.effort) // tasks, FEWEST)
    return min(options.resamples, DRAWS, most, WORK // max(tasks * judges * items * items, 1))


def drawn(tasks: Sequence[Sheet], method: Method, found: Sequence[Array], options: Options) -> list[Array | None]:
    """Consensus partitions of resampled panels, ``[resample, item]`` of each task; None of few judges or much work."""
    out: list[Array | None] = [None] * len(tasks)
    for shape in shapes(tasks, most=max(CELLS // max(draws(options, len(tasks), 1, 1), 1), 1)):
        _, judges, items = shape.labels.shape
        number = draws(options, len(tasks), judges, items)
        enough = shape.counts.sum(axis=1) >= 3
        if number < min(FEWEST, max(options.resamples, 1)) or not enough.any():
            continue
        options.tell(f"consensus by {method}, drawn anew", int(shape.tasks[0]), len(tasks))
        some, labels, counts = shape.tasks[enough], shape.labels[enough], shape.counts[enough]
        rng = stream(options.seed, "consensus", method, tasks[int(some[0])].task)
        if len(some) == 1:
            times = drawn_judges(counts[0], rng, number).times[None]
        else:
            total = counts.sum(axis=1)
            times = rng.multinomial(total[:, None], (counts / total[:, None])[:, None], size=(len(some), number))
        start = np.stack([found[k] for k in some.tolist()])
        for k, each in zip(some.tolist(), solved_panels(method, labels, times, start), strict=True):
            out[k] = each
    return out


def solved_panels(method: Method, labels: Array, times: Array, start: Array) -> Array:
    """The best partitions found, ``[task, panel, item]``, of judges as often as ``times[task, panel, judge]`` says.

    From ``labels[task, judge, item]`` and ``start[task, item]``. Many items take much room: then panel by panel.
    """
    tasks, panels = times.shape[:2]
    if labels.shape[2] <= LOCAL:
        found = every_panel(method, Votes.of(labels, times), np.repeat(start, panels, axis=0))
        return found.reshape(tasks, panels, -1)
    return np.stack(
        [
            [every_panel(method, Votes.of(own[None], one[None, None]), begin[None])[0] for one in each]
            for own, each, begin in zip(labels, times, start, strict=True)
        ]
    )
