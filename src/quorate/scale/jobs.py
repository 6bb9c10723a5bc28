"""What is done with one piece of the files: a look at its columns, or what methods say of its tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.formats.file_parts import Part
from quorate.inference.designs import DESIGNS
from quorate.inference.findings import details_named
from quorate.panel import clusterings, lists
from quorate.panel.by_name import MANY, by_name
from quorate.panel.columns import Coded, narrow
from quorate.panel.design import Values
from quorate.panel.kinds import Groupings, Orderings, Panel
from quorate.panel.partitions import sheets
from quorate.panel.sheets import Sheets
from quorate.panel.task_design import TaskDesign
from quorate.scale.source import Piece, Source, polars, rows_of, tidied
from quorate.table import Method

Array = NDArray[Any]


NAMED = ("judge",), ("item", "model_a", "model_b")  # columns of judges, and of what they judge


@dataclass(frozen=True)
class Look:
    """What a piece holds: its tasks with the row where each begins, and who and what is in it."""

    tasks: Any  # a column of polars, in the order of the file
    starts: Array  # [task] first row, within the piece
    whole: bool  # whether the rows of each task are neighbours
    judges: list[Hashable]
    items: list[Hashable]  # at most MANY + 1


def look(source: Source, piece: Piece, *, whole: bool = False) -> Look:
    """The names in a piece; ``whole``: every column is read, so that damage is found before anything is counted."""
    pl = polars()
    columns = {role: source.column(role) for role in ("task", *chain(*NAMED))}
    frame = rows_of(piece, source.names if whole else list(dict.fromkeys(c for c in columns.values() if c is not None)))
    named = {role: texts(pl, frame.get_column(c)) for role, c in columns.items() if c is not None}
    runs = named["task"].rle().struct.unnest()
    length, value = runs.get_column("len").to_numpy().astype(np.int64), runs.get_column("value")
    tasks = tidied(value.unique(maintain_order=True), source).unique(maintain_order=True)  # few, beside the runs
    once = len(tasks) == len(value)
    distinct = {r: tidied(named[r].unique(maintain_order=True), source).to_list() for r in named if r != "task"}
    judges, items = (list(dict.fromkeys(n for r in roles for n in distinct.get(r, ()))) for roles in NAMED)
    starts = (np.cumsum(length) - length).astype(np.int32) if once else np.zeros(0, np.int32)
    return Look(tasks, starts, once, judges, items[: MANY + 1])


def read_through(source: Source, piece: Piece) -> int:
    """Every column of a piece is read, so that damage is found; how many rows it has."""
    return int(rows_of(piece, source.names).height)


def texts(pl: Any, column: Any, dtype: Any = None) -> Any:
    """Ids as they are, or an expression of a type; categories and truth values are texts."""
    dtype = column.dtype if dtype is None else dtype
    plain = isinstance(dtype, pl.Categorical | pl.Enum) or dtype == pl.Boolean
    return column.cast(pl.String) if plain else column


@dataclass(frozen=True)
class Ask:
    """What is asked of every piece."""

    kind: str
    question: str
    methods: tuple[str, ...]  # as texts, which parse back
    absent: str | None = None
    plain: tuple[str, ...] = ()  # columns with so many ids that their letters alone decide
    without: tuple[Hashable, ...] = ()  # judges who are copies of others
    seed: int = 0
    sample: frozenset[Hashable] = frozenset()  # tasks whose rows are wanted themselves


@dataclass(frozen=True, eq=False)
class Facts:
    """What sentences and budgets need to know of a piece, or of all."""

    rows: int
    judges: Array  # [task] how many did it
    items: Array  # marks of the distinct items
    shapes: Mapping[tuple[int, ...], int] = field(default_factory=dict)  # judges, items, systems: how many tasks
    gaps: bool = False
    tied: bool = False
    deepest: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ListFacts:
    """What notes say of systems' lists."""

    rows: int
    unknown: int
    done: Mapping[Hashable, int]  # of each system, on how many tasks
    complete: bool = True  # whether neither judge nor system put an item nowhere


@dataclass(frozen=True, eq=False)
class Found:
    """What a piece gives: the names behind its numbers, what methods say, and the rows of tasks in the sample."""

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    values: dict[str, Values]
    facts: Facts
    systems: tuple[Hashable, ...] = ()
    listed: tuple[Hashable, ...] = ()  # tasks of the values, where not all have any
    sample: tuple[Part, ...] = ()
    sample_beside: tuple[Part, ...] = ()
    lists: ListFacts | None = None


def work(source: Source, piece: Piece, ask: Ask, beside: tuple[Source, Piece] | None = None) -> Found:
    """What methods say of a piece's tasks."""
    whole = source.part(piece)
    panel = named(source.panel([whole]), ask)
    methods = {text: table.parse(text, ask.kind, ask.question) for text in ask.methods}
    design: Any = DESIGNS[ask.kind](panel, ask.absent)[0]
    facts = facts_of(panel, design)
    sample = (some_tasks(whole, tasks),) if (tasks := ask.sample.intersection(panel.tasks)) else ()
    found = Found(panel.tasks, panel.judges, {}, replace(facts, shapes=shapes_of(design)), listed=panel.tasks)
    if beside is not None:
        part = beside[0].part(beside[1])
        other = by_name(beside[0].panel([part]), ask.plain)
        design, told_of = _with_systems(panel, other, ask)
        wanted = (some_tasks(part, ask.sample),) if ask.sample.intersection(other.tasks) else ()
        found = replace(found, systems=other.judges, listed=design.tasks, lists=told_of, sample_beside=wanted)
        found = replace(found, facts=replace(facts, shapes=shapes_of(design)))
    elif ask.question == "quality":  # no system has a list on these tasks
        return replace(found, sample=sample)
    return replace(found, values={text: told(m, design) for text, m in methods.items()}, sample=sample)


def _with_systems(panel: Panel, other: Panel, ask: Ask) -> tuple[Any, ListFacts]:
    """The design of a piece with what systems made of its tasks, and what does not fit."""
    design: Any
    held: Any
    if isinstance(panel, Groupings) and isinstance(other, Groupings):
        held = clusterings.beside(panel, other, ask.absent)
        design = clusterings.clustering_design(panel, other, ask.seed, ask.absent)
    else:
        both = cast(Orderings, panel), cast(Orderings, other)  # other kinds are refused before
        held = lists.beside(*both)
        design = lists.of_lists(*both, held, ask.seed)
    done = dict(zip(other.judges, held.done.tolist(), strict=True))
    return design, ListFacts(held.rows, held.unknown, done, getattr(design, "complete", True))


@dataclass(frozen=True, eq=False)
class NamedSheets:
    """What judges made of a piece's tasks, and the names behind the numbers."""

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    sheets: Sheets


def sheets_of(source: Source, piece: Piece, ask: Ask) -> NamedSheets:
    """What judges made of a piece's tasks."""
    panel = cast(Groupings, named(source.panel([source.part(piece)]), ask))
    return NamedSheets(panel.tasks, panel.judges, sheets(panel))


def some_tasks(part: Part, tasks: Collection[Hashable]) -> Part:
    """The rows of some tasks."""
    column = part.raw["task"]
    wanted = np.fromiter((i in tasks for i in column.ids), bool, len(column.ids))
    rows = np.flatnonzero(wanted[column.codes])
    return replace(part, raw={n: c.take(rows) if isinstance(c, Coded) else c[rows] for n, c in part.raw.items()})


def rows_of_tasks(source: Source, piece: Piece, tasks: list[Hashable]) -> Part:
    """The rows of some tasks of a piece."""
    return source.part(piece, tasks)


def named(panel: Panel, ask: Ask) -> Panel:
    """The panel in the order of names, without the judges who are left out."""
    gone = [j for j in ask.without if j in panel.judges]
    return by_name(panel.drop_judges(*gone) if gone else panel, ask.plain)


def told(method: Method, design: TaskDesign) -> Values:
    """Values as they are sent: names in place of numbers of items, columns of numbers as arrays."""
    seen = design.values(method)
    details = details_named(method, design, seen)
    keys = {n: narrow(column, int(column.max(initial=0)) + 1) for n, column in seen.keys.items()}
    return replace(seen, keys=keys, details={n: _array(column) for n, column in details.items()})


def _array(column: Sequence[Any]) -> Any:
    kinds = set(map(type, column))
    return np.array(column) if kinds in ({int}, {float}) and len(column) else list(column)


def marks_of(items: Collection[Hashable]) -> Array:
    """A number for every item, by which the distinct ones of all pieces are counted."""
    found: Array = polars().Series([str(i) for i in items]).hash().to_numpy()
    return found


def facts_of(panel: Panel, design: TaskDesign) -> Facts:
    """What is worth knowing of a piece beside the values."""
    facts = Facts(len(panel), design.judges_of_task, marks_of(panel.items), notes=panel.notes)
    if not isinstance(panel, Orderings):
        return facts
    gaps = any(bool((p.given[0] == 0).any()) for p in design.parts)
    return replace(facts, gaps=gaps, tied=panel.tied, deepest=int(panel.value.max(initial=0)))


def shapes_of(design: TaskDesign) -> dict[tuple[int, ...], int]:
    """How many tasks have so many judges, items and systems."""
    shapes: Counter[tuple[int, ...]] = Counter()
    for p in design.parts:
        systems = p.given[1].shape[1] if len(p.given) > 1 else 0
        shapes[p.counts.shape[1], p.given[0].shape[2], systems] += len(p.tasks)
    return dict(shapes)


def together(facts: Sequence[Facts], tasks: Sequence[Array], number: int) -> Facts:
    """The facts of all pieces; ``tasks`` are the numbers of each piece's tasks, of so many in all."""
    judges = np.zeros(number, np.int64)
    shapes: Counter[tuple[int, ...]] = Counter()
    for f, t in zip(facts, tasks, strict=True):
        judges[t] = f.judges
        shapes.update(f.shapes)
    items = np.unique(np.concatenate([f.items for f in facts]))
    notes = tuple(dict.fromkeys(note for f in facts for note in f.notes))
    return Facts(
        sum(f.rows for f in facts),
        judges,
        items,
        dict(shapes),
        any(f.gaps for f in facts),
        any(f.tied for f in facts),
        max((f.deepest for f in facts), default=0),
        notes,
    )


def numbers(names: Collection[Hashable], place: Mapping[Hashable, int]) -> Array:
    """The numbers of names among all."""
    return np.fromiter(map(place.__getitem__, names), np.int64, len(names))
