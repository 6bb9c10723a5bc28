"""A first look at the files: who and what is in them, and pieces of whole tasks.

Where the rows of each task are neighbours, pieces are ranges of rows; else polars' streaming engine writes them anew,
parted by a hash of the task.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.base import listed
from quorate.panel.by_name import MANY
from quorate.panel.columns import small
from quorate.panel.many_names import ManyNames
from quorate.scale.jobs import NAMED, Look, look, read_through, texts
from quorate.scale.pool import Job
from quorate.scale.source import (
    PART,
    STRAIGHT,
    Damaged,
    Piece,
    Source,
    lazy,
    length_of,
    part_of,
    polars,
    reading,
    rows_of,
    tidied,
)

Array = NDArray[Any]
T = TypeVar("T")
Run = Callable[[str, Sequence[Job], Sequence[int]], list[Any]]  # a stage's jobs and their rows; None of those skipped
HASHED = "quorate_part"  # the column that says which part a row goes to


@dataclass(frozen=True, eq=False)
class Survey:
    """What is in the files."""

    source: Source  # to read: as given, or as rewritten
    pieces: tuple[Piece, ...]  # of whole tasks
    tasks: Sequence[Hashable]  # in the order of the files
    piece_of: Array  # [task] number of its piece
    first: Array | None  # [task] its first row in all files, where rows of a task are neighbours
    lengths: tuple[tuple[str, int], ...]  # rows of every file
    judges: tuple[Hashable, ...]
    rows: int
    many_items: bool  # so many that their letters alone decide how they are sorted
    systems: frozenset[Hashable]  # that are voted on
    notes: tuple[str, ...] = ()


def chunks(lengths: Sequence[tuple[str, int]], size: int) -> list[Piece]:
    """Ranges of at most so many rows."""
    ranges = [(f, a, min(size, n - a)) for f, n in lengths for a in range(0, n, size)]
    return [Piece(k, (r,)) for k, r in enumerate(ranges)]


def survey(source: Source, rows: int, run: Run, folder: Path, *, skip_bad: bool, straight: bool = True) -> Survey:
    """What is in the files, in pieces of about so many rows; ``folder`` is where rows are rewritten, if need be."""
    lengths, notes = lengths_of(source, skip_bad)
    source, total = replace(source, files=tuple(f for f, _ in lengths)), sum(n for _, n in lengths)
    if source.column("task") is None:
        raise InputError(f"{source.files[0]}: no column 'task'.", "read it with quorate.read: one task is one piece.")
    if source.format in STRAIGHT and straight:
        pieces, read = chunks(lengths, rows), partial(look, whole=skip_bad)
        jobs, sizes = [Job(read, (source, p), str(p)) for p in pieces], [p.rows for p in pieces]
        looks = run("look", jobs[:1], sizes[:1])  # most files that are not in order show it here
        if all(one.whole for one in looks if one is not None):
            looks += run("look-rest", jobs[1:], sizes[1:])
        if all(one.whole for one in looks if one is not None):
            found = _neighbours(source, lengths, pieces, looks, total)
            if found is not None:
                return replace(found, notes=(*notes, *found.notes))
    number = max(1, -(-total // rows))
    return of_sound(lambda some: _parted(some, number, folder, tuple(notes)), source, rows, run)


def of_sound(make: Callable[[Source], T], source: Source, rows: int, run: Run) -> T:
    """What is made of all rows, together; where that fails, of the parts of the files that can be read one by one.

    A part that cannot is an error that names it, or is skipped and told, as ``run`` does.
    """
    try:
        return make(source)
    except Damaged:
        if source.format not in STRAIGHT:  # rows of texts are read one after the other
            raise
        pieces = chunks(lengths_of(source, True)[0], rows)
        read = run("read", [Job(read_through, (source, p), str(p)) for p in pieces], [p.rows for p in pieces])
        sound = tuple(r for piece, there in zip(pieces, read, strict=True) if there is not None for r in piece.ranges)
        if not sound or all(there is not None for there in read):
            raise
    return make(replace(source, sound=sound))


def _parted(source: Source, number: int, folder: Path, notes: tuple[str, ...]) -> Survey:
    """The files rewritten, in so many parts at most by a hash of the task; each part is a piece."""
    names = {role: names_in(source, role) for role in ("task", *chain(*NAMED))}
    tasks = tidied(names["task"], source).unique(maintain_order=True)
    anew, pieces = written(source, number, folder, names=names)
    home = np.zeros(number, np.min_scalar_type(number))
    home[[part_of(p) for p in pieces]] = np.arange(len(pieces))
    if anew.coded:
        parts = np.arange(len(tasks)) % number
    else:
        parts = tasks.to_frame("task").select(_part(polars().col("task"), number)).to_series().to_numpy()
    judges, items = ([n for r in roles for n in tidied(names[r], source).to_list()] for roles in NAMED)
    one = Look(None, np.zeros(0, np.int32), False, judges, items[: MANY + 1])
    lengths = [(f, n) for p in pieces for f, _, n in p.ranges]
    return _surveyed(anew, pieces, [one], _named(source, tasks), home[parts], None, lengths, notes)


def _named(source: Source, tasks: Any) -> Sequence[Hashable]:
    """The names of tasks; of very many votes' in a column, as they may be nearly as many as votes."""
    if isinstance(tasks, list):
        return tuple(tasks)
    plain = tasks.dtype == polars().String or tasks.dtype.is_integer()
    many = source.meaning.kind == "votes" and plain and len(tasks) > MANY and not tasks.null_count()
    return ManyNames(tasks) if many else tuple(tasks.to_list())


def lengths_of(source: Source, skip_bad: bool) -> tuple[list[tuple[str, int]], list[str]]:
    """The rows of every file; damaged ones are an error, or skipped and told."""
    out, bad = [], []
    for file in source.files:
        try:
            out.append((file, length_of(file)))
        except Damaged:
            if not skip_bad:
                raise
            bad.append(file)
    if not out:
        raise InputError(f"none of the {len(bad)} files can be read.", "fetch or write them again.")
    return out, [f"skipped, for damaged: {listed(bad, 10)}"] if bad else []


def _neighbours(
    source: Source,
    lengths: Sequence[tuple[str, int]],
    chunks: Sequence[Piece],
    looks: Sequence[Look | None],
    total: int,
) -> Survey | None:
    """Pieces of whole tasks as ranges of rows; None where a task comes back after another."""
    first = dict(zip((f for f, _ in lengths), np.cumsum([0, *(n for _, n in lengths)]).tolist(), strict=False))
    begin, tasks, home, rows = list[int](), list[Any](), list[Array](), list[Array]()
    last: Hashable = object()
    for chunk, one in zip(chunks, looks, strict=True):
        (file, row, _), at = chunk.ranges[0], 0
        if one is None:  # skipped: a piece must not reach over it
            begin.append(first[file] + row)
            begin.append(first[file] + row + chunk.rows)
            last = object()
            continue
        at = int(one.tasks[0] == last)
        if at < len(one.tasks):
            begin.append(first[file] + row + int(one.starts[at]))
            tasks.append(one.tasks.slice(at))
            rows.append(one.starts[at:].astype(small(total)) + (first[file] + row))
            home.append(np.full(len(one.tasks) - at, len(begin) - 1, np.min_scalar_type(2 * len(chunks))))
        last = one.tasks[-1]
    names = _joined(tasks)
    if not _all_differ(names):
        return None
    ends = [*begin[1:], total]
    pieces = [Piece(k, ranges(lengths, a, b)) for k, (a, b) in enumerate(zip(begin, ends, strict=True))]
    there = [int(own[0]) for own in home]
    number = np.zeros(len(pieces), np.min_scalar_type(len(pieces)))
    number[there] = np.arange(len(there))
    kept = [Piece(int(number[k]), pieces[k].ranges) for k in there]
    homes, firsts = (np.concatenate([np.zeros(0, np.uint8), *each]) for each in (home, rows))
    return _surveyed(source, kept, looks, _named(source, names), number[homes], firsts, lengths, ())


def _joined(columns: Sequence[Any]) -> Any:
    """Names in one column; in a list where files have them of several types."""
    pl, types = polars(), {column.dtype for column in columns}
    if not types or not (len(types) == 1 or all(t.is_integer() for t in types)):
        return [name for column in columns for name in column.to_list()]
    return pl.concat(columns if len(types) == 1 else [column.cast(pl.Int64) for column in columns])


def _all_differ(names: Any) -> bool:
    """Whether no name comes twice."""
    if isinstance(names, list):
        return len(set(names)) == len(names)
    if names.is_sorted() and not names.null_count():
        return bool((names.slice(1) != names.slice(0, max(len(names) - 1, 0))).all())
    return bool(names.n_unique() == len(names))


def ranges(lengths: Sequence[tuple[str, int]], a: int, b: int) -> tuple[tuple[str, int, int], ...]:
    """The rows from a to b of all files, file by file."""
    out, begin = [], 0
    for file, n in lengths:
        low, high = max(a, begin), min(b, begin + n)
        if low < high:
            out.append((file, low - begin, high - low))
        begin += n
    return tuple(out)


def _surveyed(
    source: Source,
    pieces: Sequence[Piece],
    looks: Sequence[Look | None],
    tasks: Sequence[Hashable],
    piece_of: Array,
    first: Array | None,
    lengths: Sequence[tuple[str, int]],
    notes: tuple[str, ...],
) -> Survey:
    known = [one for one in looks if one is not None]
    judges = tuple(dict.fromkeys(j for one in known for j in one.judges))
    items: set[Hashable] = set()
    for one in known:
        items.update(one.items)
        if len(items) > MANY:
            break
    rows, many = sum(n for _, n in lengths), len(items) > MANY
    systems = frozenset(items) if source.meaning.kind == "votes" else frozenset()
    return Survey(source, tuple(pieces), tasks, piece_of, first, tuple(lengths), judges, rows, many, systems, notes)


def names_of_a_task(found: Survey, role: str = "item") -> float:
    """How many items, or judges, a task has, on average over the first piece."""
    task, name = (str(found.source.column(role)) for role in ("task", role))
    frame = rows_of(found.pieces[0], [task, name])
    return float(frame.n_unique() / max(frame.get_column(task).n_unique(), 1))


SCATTERED = 200  # ranges of rows that a piece of systems' lists may be made of


def beside(own: Survey, other: Survey) -> list[Piece | None]:
    """For every piece the rows of the other files that are about the same tasks; None where there are none."""
    hint = "sort the judgments and the lists by task, both in the same order."
    if own.first is None or other.first is None:
        raise InputError("the judgments or the systems' lists are not sorted by task.", hint)
    ends = np.append(other.first[1:], other.rows)
    place = {t: k for k, t in enumerate(other.tasks)}
    mine: list[list[int]] = [[] for _ in own.pieces]
    for task, piece in zip(own.tasks, own.piece_of.tolist(), strict=True):
        if task in place:
            mine[piece].append(place[task])
    out: list[Piece | None] = []
    for k, found in enumerate(mine):
        at = np.sort(np.array(found, np.int64))
        cut = np.flatnonzero(np.diff(at) != 1) + 1
        runs = [r for r in np.split(at, cut) if len(r)]
        if len(runs) > SCATTERED:
            raise InputError("the systems' lists are in another order of tasks than the judgments.", hint)
        own_rows = [r for run in runs for r in ranges(other.lengths, int(other.first[run[0]]), int(ends[run[-1]]))]
        out.append(Piece(k, tuple(own_rows)) if own_rows else None)
    return out


def begins_with_more(source: Source, tasks: int, rows: int) -> bool:
    """Whether the first rows are of more than so many tasks, which is told by their names alone."""
    column = source.column("task")
    if column is None:
        return False
    try:
        with reading(source.files[0]):
            names = lazy(source.files[0]).select(column).head(rows).collect().to_series().unique()
    except Damaged:  # which is told, or skipped, by whoever needs what is in it
        return False
    return bool(tidied(texts(polars(), names), source).n_unique() > tasks)


def task_order(source: Source) -> list[Hashable]:
    """The tasks in the order in which the files name them first."""
    names: list[Hashable] = tidied(names_in(source, "task"), source).unique(maintain_order=True).to_list()
    return names


def names_in(source: Source, role: str) -> Any:
    """The ids of a column, in the order in which the files name them first; none where there is no such column."""
    pl, column = polars(), source.column(role)
    if column is None:
        return pl.Series(role, [], pl.String)
    every = pl.concat([frame.select(column) for frame in source.frames()], how="vertical_relaxed")
    with reading(listed(source.files), *source.files):
        found = every.select(pl.col(column).unique(maintain_order=True)).collect(engine="streaming").to_series()
    return texts(pl, found)


def _part(name: Any, number: int) -> Any:
    """Which of so many parts a task, or a judge, is in."""
    return (name.hash(0) % number).cast(polars().UInt32).alias(HASHED)


def written(
    source: Source, parts: int, folder: Path, role: str = "task", names: Mapping[str, Any] | None = None
) -> tuple[Source, list[Piece]]:
    """The rows in files of whole tasks, or of whole judges, parted by a hash of their names; and a piece for each.

    ``names`` are those of every role as the files have them, where they are known already: where they are tidy texts,
    their numbers are written in their place, and tasks are parted by these.
    """
    pl = polars()
    every = pl.concat(source.frames(), how="vertical_relaxed")
    schema, column = every.collect_schema(), str(source.column(role))
    coded = {} if names is None else _codes(source, schema, names)
    where = folder / f"{'coded' if coded else 'parts'}-{role}-{parts}"
    done = where / "done"
    if not done.exists():
        shutil.rmtree(where, ignore_errors=True)  # what a crash left
        where.mkdir(parents=True)
        if coded and names is not None:
            known = {own: names[r] for r in names if (own := str(source.column(r))) in coded}
            _write_names(known, {own: where / file for own, file in coded.items()}, column, parts)
            number = {own: pl.col(own).cast(pl.Enum(known[own])).to_physical() for own in known}
            key = (number[column].cast(pl.UInt32) % parts).alias(HASHED)
            number[column] = number[column].cast(pl.UInt32) // parts
            every = every.with_columns(key, *number.values())
            key, ending = pl.col(HASHED), "arrow"
        else:
            raw, ending = names_in(source, role) if names is None else names[role], "parquet"
            name = texts(pl, pl.col(column), schema[column])
            tidy = (tidied(raw, source) == raw).all()  # which is found once for a name, not for every row
            key = _part(name if tidy else tidied(name, source), parts)

        def path(given: Any) -> str:
            return f"part-{int(given.partition_keys.get_column(HASHED)[0]):06d}-{given.index_in_partition:04d}.{ending}"

        how = {"include_key": False, "file_path_provider": path, "approximate_bytes_per_file": None}
        into = pl.PartitionBy(where, key={HASHED: key}, **how)
        with reading(listed(source.files), *source.files):
            if coded:
                every.sink_ipc(into, engine="streaming", compression="uncompressed")
            else:
                every.sink_parquet(into, engine="streaming", compression="lz4", statistics=False)
        done.touch()
    files = sorted(str(f) for f in where.glob("part-*"))
    if not files:
        raise InputError(f"{listed(source.files)}: no rows.", "a panel needs at least one judgment.")
    lengths = [(f, length_of(f)) for f in files]
    found = groupby(lengths, key=lambda one: Path(one[0]).name.rpartition("-")[0])
    pieces = [Piece(k, tuple((f, 0, n) for f, n in part)) for k, (_, part) in enumerate(found)]
    behind = {own: str(where / file) for own, file in coded.items()}
    return replace(source, files=tuple(files), format="arrow" if coded else "parquet", coded=behind), pieces


def _codes(source: Source, schema: Any, names: Mapping[str, Any]) -> dict[str, str]:
    """The columns of which numbers are written, and the files of the names behind them, those of tasks part by part;
    none where tasks have no tidy names."""
    pl, out = polars(), dict[str, str]()
    for k, (role, known) in enumerate(names.items()):
        column = source.column(role)
        if column is None or schema[column] != pl.String or known.null_count():
            continue
        if tidied(known, source) is known:
            out[column] = f"names-{k}-{PART}.arrow" if role == "task" else f"names-{k}.arrow"
    return out if source.column("task") in out else {}


def _write_names(names: Mapping[str, Any], files: Mapping[str, Path], of_parts: str, parts: int) -> None:
    """The names behind numbers; of the column by which rows are parted those of each part."""
    for column, file in files.items():
        known = names[column].alias("name").to_frame()
        if column != of_parts:
            known.write_ipc(file)
        for part in range(parts if column == of_parts else 0):
            known.gather_every(parts, part).write_ipc(str(file).replace(PART, str(part)))


ELSEWHERE = "--checkpoint DIR names a folder on another disk"


def room(folder: Path, wanted: int, hint: str = f"{ELSEWHERE}; files sorted by task need none.") -> None:
    """Whether so many bytes fit on the disk; an error before anything is written where they do not."""
    folder.mkdir(parents=True, exist_ok=True)
    found = os.statvfs(folder)
    free = found.f_bavail * found.f_frsize
    if free < wanted:
        raise InputError(
            f"{folder}: about {wanted / 1e9:.1f} GB are needed there and {free / 1e9:.1f} GB are free.",
            hint,
        )
