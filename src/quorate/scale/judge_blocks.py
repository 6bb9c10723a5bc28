"""What is done with blocks of very many judges of few tasks: marks of what each answered, sums, and some judges' rows.

Marks say which judges answer alike, and so which group each comes into and who is drawn
(:mod:`~quorate.kernels.row_marks`), whatever the blocks and the names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import InputError
from quorate.formats.file_parts import Part
from quorate.groupings import additive_counts as grouped
from quorate.kernels.row_marks import first_of_marks, marks
from quorate.orderings import additive_counts as orders
from quorate.panel.by_name import by_name, name_order
from quorate.panel.coefficient import ByCounts, by_counts
from quorate.panel.columns import Coded
from quorate.panel.grouping_design import told_apart
from quorate.panel.kinds import Groupings, Orderings, Panel
from quorate.panel.partitions import LEFT, NOWHERE, UNSHOWN, partitions
from quorate.panel.sections import Sections
from quorate.panel.stacks import OrderingDesign, stacks
from quorate.scale.jobs import Ask, named
from quorate.scale.source import Damaged, Piece, Source

Array = NDArray[Any]
SUMS = {"orderings": orders.sums, "groupings": grouped.sums}  # what judges of a kind add up to
Summed = tuple[str, tuple[str, ...]]  # what an absent item means, and the sections that are counted


@dataclass(frozen=True)
class BlockAsk(Ask):
    """What is asked of every block: also every task's items, in the order of names, and whether judges lack some."""

    items: tuple[tuple[Hashable, tuple[Hashable, ...]], ...] = ()
    gaps: tuple[bool, ...] = ()
    summed: tuple[Summed, ...] = ()


@dataclass(frozen=True, eq=False)
class Marked:
    """What blocks of judges hold, without their names: of every piece and task a mark for each judge, of groupings one
    where an item without a row is left out, and one where it was not shown."""

    marks: Mapping[tuple[int, Hashable], Array] = field(default_factory=dict)
    sheets: Mapping[tuple[int, Hashable], Array] = field(default_factory=dict)  # of groupings [judge, number]
    used: Mapping[Hashable, Array] = field(default_factory=dict)  # of groupings how many judges used each item
    tied: bool = False
    deepest: int = 0
    notes: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()  # pieces that cannot be read, and why


def panels(
    source: Source, pieces: Sequence[Piece], ask: BlockAsk, skip_bad: bool, skipped: list[tuple[str, str]]
) -> Iterator[tuple[Piece, Panel]]:
    """The panel of every piece that can be read."""
    for piece in pieces:
        try:
            yield piece, named(source.panel([source.part(piece)]), ask)
        except Damaged as error:
            if not skip_bad:
                raise
            skipped.append((str(piece), error.fact))


def answers_in(piece: Piece, panel: Panel, ask: BlockAsk, absent: str = "") -> Iterator[tuple[Hashable, Array, Array]]:
    """Of every task of a piece the numbers of its judges, and what they answered, ``[judge, item]``, of all items."""
    gaps = {task: own for (task, _), own in zip(ask.items, ask.gaps, strict=True)}
    items = {task: {name: k for k, name in enumerate(names)} for task, names in ask.items}
    for task, judges, codes, own in _by_task(panel, absent):
        name, nothing = panel.tasks[task], 0 if isinstance(panel, Orderings) else -1 if absent == LEFT else NOWHERE
        place = items[name]
        answers = np.full((len(judges), len(place)), nothing, own.dtype)
        answers[:, [place[panel.items[k]] for k in codes.tolist()]] = own
        answers = answers if isinstance(panel, Orderings) else told_apart(answers)
        if not gaps[name] and isinstance(panel, Orderings) and not answers.all():
            raise InputError(f"{piece}: a judge repeats an item, or leaves one out.", "one row for each.")
        yield name, judges, answers


def _by_task(panel: Panel, absent: str) -> Iterator[tuple[int, Array, Array, Array]]:
    if isinstance(panel, Orderings):
        for part in stacks(panel):
            for t, task in enumerate(part.tasks.tolist()):
                yield task, part.judges[t], part.items[t], part.positions[t]
        return
    for one in partitions(cast(Groupings, panel), absent):
        yield one.task, one.judges, one.items, one.labels


def marked(source: Source, pieces: Sequence[Piece], ask: BlockAsk, skip_bad: bool) -> Marked:
    """What the judges of some pieces answered, as marks."""
    found: dict[tuple[int, Hashable], Array] = {}
    sheets: dict[tuple[int, Hashable], Array] = {}
    used: dict[Hashable, Array] = {}
    tied, deepest, notes, skipped = False, 0, dict[str, None](), list[tuple[str, str]]()
    for piece, panel in panels(source, pieces, ask, skip_bad, skipped):
        notes.update(dict.fromkeys(panel.notes))
        if isinstance(panel, Orderings):
            deepest = max(deepest, int(panel.value.max(initial=0)))
            for task, _, answers in answers_in(piece, panel, ask):
                found[piece.number, task] = marks(answers)
                tied = tied or OrderingDesign.uneven(answers)[1]
            continue
        for task, _, answers in answers_in(piece, panel, ask, UNSHOWN):
            left = np.where(answers == NOWHERE, -1, answers)  # what an item without a row is, is settled later
            found[piece.number, task] = np.stack([marks(left), marks(answers)])
            clusters = answers.max(axis=1, initial=-1) + 1
            own = [(answers >= 0).sum(axis=1), (answers > NOWHERE).sum(axis=1), clusters]
            sheets[piece.number, task] = np.stack(own, axis=1).astype(np.int32)
            used[task] = used.get(task, 0) + (answers >= 0).sum(axis=0)
    return Marked(found, sheets, used, tied, deepest, tuple(notes), tuple(skipped))


def tallied(
    source: Source,
    pieces: Sequence[Piece],
    ask: BlockAsk,
    groups: Mapping[tuple[int, Hashable], Array] | None,
    numbers: Mapping[Hashable, int],
    skip_bad: bool,
) -> dict[tuple[Summed, Hashable], Array]:
    """What the judges of some pieces add up to, of each task ``[group, number]``; ``groups`` are those of the judges,
    ``numbers`` how many there are. Without them all judges are of one."""
    sums: dict[tuple[Summed, Hashable], Array] = {}
    for piece, panel in panels(source, pieces, ask, skip_bad, []):
        for task, _, answers in answers_in(piece, panel, ask, ask.absent or ""):
            group = np.zeros(len(answers), np.int64) if groups is None else groups[piece.number, task].astype(np.int64)
            for key in ask.summed:
                missing, names = key
                so_far = sums.get((key, task))
                added = SUMS[ask.kind](answers, group, numbers[task], names, so_far, missing=missing)
                sums[key, task] = added.astype(np.int64, copy=False)
    return sums


def told_one_by_one(
    source: Source, pieces: Sequence[Piece], ask: BlockAsk, every: Sequence[tuple[str, Sections, Array]], skip_bad: bool
) -> tuple[list[Hashable], list[Array]]:
    """The names of the judges of some pieces, and what each method says of each judge, ``[judge, number]``; ``every``
    has the methods with the sums of all judges."""
    methods = [(table.parse(text, ask.kind, "judges"), where, sums) for text, where, sums in every]
    names, each = list[Hashable](), list[list[Array]]([] for _ in methods)
    for piece, panel in panels(source, pieces, ask, skip_bad, []):
        for _, judges, answers in answers_in(piece, panel, ask, ask.absent or ""):
            names += [panel.judges[k] for k in judges.tolist()]
            for own, (method, where, sums) in zip(each, methods, strict=True):
                own.append(cast(ByCounts, by_counts(method)).each(answers, sums, where, **method.parameters))
    return names, [np.concatenate(own) for own in each]


def rows_of_judges(source: Source, piece: Piece, ask: BlockAsk, wanted: Mapping[int, int]) -> Part:
    """The rows of some judges of a piece: of every mark so many, the first by name."""
    whole = source.part(piece)
    panel = by_name(source.panel([whole]), ask.plain)
    chosen: set[Hashable] = set()
    for _, judges, answers in answers_in(piece, panel, ask, ask.absent or ""):
        chosen.update(panel.judges[k] for k in judges[first_of_marks(marks(answers), wanted)].tolist())
    return some_judges(whole, chosen)


def some_judges(part: Part, judges: set[Hashable]) -> Part:
    """The rows of some judges."""
    column = part.raw["judge"]
    wanted = np.fromiter((i in judges for i in column.ids), bool, len(column.ids))
    rows = np.flatnonzero(wanted[column.codes])
    return replace(part, raw={n: c.take(rows) if isinstance(c, Coded) else c[rows] for n, c in part.raw.items()})


def first_by_name(names: Sequence[Hashable], mark: Array, wanted: Mapping[int, int], plain: bool) -> list[Hashable]:
    """Of judges of several pieces the first by name of every mark, as many as are wanted."""
    order = name_order(names, plain)
    return [names[order[k]] for k in first_of_marks(mark[order], wanted)]
