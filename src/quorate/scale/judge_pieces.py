"""Few tasks of very many judges: pieces of whole judges in place of whole tasks, with a number for every judge's name.

Names of judges are not kept: ten million of them take 0.4 GB as numbers while they are looked at, and more as texts.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.panel.base import ONE_TASK
from quorate.scale.pool import Job
from quorate.scale.source import STRAIGHT, Piece, Source, polars, rows_of, tidied
from quorate.scale.survey import Run, chunks, lengths_of, of_sound, ranges, task_order, written

Array = NDArray[Any]
STEP = np.uint64(0x9E3779B97F4A7C15)  # makes numbers of a task and a judge one number of both


@dataclass(frozen=True, eq=False)
class JudgeLook:
    """What a range of rows holds: the judges in a row, by numbers, and the items of every task."""

    tasks: list[Hashable]  # in the order of the file
    items: list[list[Hashable]]  # of each of them
    rows: Array  # [task]
    starts: tuple[int, ...]  # first rows of the first two judges', within the range
    judge: Array  # [run] a number of the judge's name
    task: Array  # [run] number of the task among these


@dataclass(frozen=True, eq=False)
class JudgeSurvey:
    """What is in the files, in pieces of whole judges."""

    source: Source
    pieces: tuple[Piece, ...]
    tasks: tuple[Hashable, ...]  # in the order of the files
    items: dict[Hashable, tuple[Hashable, ...]]  # of every task, in the order of the files
    judges_of: dict[Hashable, int]
    rows_of: dict[Hashable, int]
    judges: range  # as many as there are
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(self.rows_of.values())

    def gaps(self, task: Hashable) -> bool:
        """Whether some judge of the task lacks some item."""
        return self.rows_of[task] < self.judges_of[task] * len(self.items[task])


def look_at_judges(source: Source, piece: Piece) -> JudgeLook:
    """The judges and items in a range of rows."""
    pl = polars()
    roles = {role: source.column(role) for role in ("task", "judge", "item")}
    frame = rows_of(piece, list(dict.fromkeys(c for c in roles.values() if c is not None)))
    named = [_names(pl, source, frame, role, roles[role]) for role in roles]
    task, judge, item = named
    tasks = task.unique(maintain_order=True)
    if len(tasks) == 1:
        number, each = np.zeros(len(task), np.int64), [item.unique(maintain_order=True).to_list()]
    else:
        places = {name: k for k, name in enumerate(tasks.to_list())}
        number = task.replace_strict(places, return_dtype=pl.Int64).to_numpy()
        pairs = pl.DataFrame({"task": number, "item": item}).unique(maintain_order=True)
        each = pairs.group_by("task").agg("item").sort("task").get_column("item").to_list()
    who = judge.hash(0).to_numpy()
    new = np.ones(len(who), bool)
    new[1:] = (who[1:] != who[:-1]) | (number[1:] != number[:-1])
    starts, rows = np.flatnonzero(new), np.bincount(number, minlength=len(tasks))
    first = tuple(starts[:2].tolist())
    return JudgeLook(tasks.to_list(), each, rows, first, who[starts], number[starts].astype(np.int32))


def _names(pl: Any, source: Source, frame: Any, role: str, column: str | None) -> Any:
    """The names of a role as a panel has them; the one task, where there is no column of tasks."""
    if column is None:
        return pl.Series(role, [ONE_TASK]).new_from_index(0, frame.height)
    series = frame.get_column(column)
    plain = isinstance(series.dtype, pl.Categorical | pl.Enum) or series.dtype == pl.Boolean
    return tidied(series.cast(pl.String) if plain else series, source).alias(role)


def judge_survey(source: Source, rows: int, run: Run, folder: Path, *, skip_bad: bool) -> JudgeSurvey:
    """What is in the files, in pieces of about so many rows of whole judges; rewritten where these are scattered."""
    lengths, notes = lengths_of(source, skip_bad)
    source = replace(source, files=tuple(f for f, _ in lengths))
    if source.format in STRAIGHT:
        pieces = chunks(lengths, rows)
        looks = run("judges", [Job(look_at_judges, (source, p), str(p)) for p in pieces], [p.rows for p in pieces])
        begin, first = _begins(lengths, pieces, looks)
        found = _surveyed(source, _whole(lengths, begin), looks, first, notes)
        if found is not None:
            return found
    total = sum(n for _, n in lengths)
    number = max(1, -(-total // rows))
    anew, pieces, sound = of_sound(lambda some: (*written(some, number, folder, "judge"), some), source, rows, run)
    looks = run("judges-parts", [Job(look_at_judges, (anew, p), str(p)) for p in pieces], [p.rows for p in pieces])
    kept = [p for p, one in zip(pieces, looks, strict=True) if one is not None]
    found = cast(JudgeSurvey, _surveyed(anew, kept, looks, [0] * len(looks), notes, scattered=True))
    if len(found.tasks) == 1:
        return found
    return replace(found, tasks=tuple(name for name in task_order(sound) if name in found.judges_of))


def _begins(
    lengths: Sequence[tuple[str, int]], pieces: Sequence[Piece], looks: Sequence[JudgeLook | None]
) -> tuple[list[tuple[int, bool]], list[int]]:
    """The rows of all files at which pieces begin, and whether each can be read; of every range its first run that
    does not go on with the last one of the range before."""
    row = dict(zip((f for f, _ in lengths), np.cumsum([0, *(n for _, n in lengths)]).tolist(), strict=False))
    begin, first, last = list[tuple[int, bool]](), list[int](), None
    for piece, one in zip(pieces, looks, strict=True):
        file, start, _ = piece.ranges[0]
        at, here = 0, row[file] + start
        if one is None:  # skipped: no piece reaches over it
            begin.append((here, False))
            last = None
        else:
            at = int(last == (one.tasks[int(one.task[0])], int(one.judge[0])))
            if at < len(one.starts):
                begin.append((here + one.starts[at], True))
            last = one.tasks[int(one.task[-1])], int(one.judge[-1])
        first.append(at)
    return begin, first


def _whole(lengths: Sequence[tuple[str, int]], begin: Sequence[tuple[int, bool]]) -> list[Piece]:
    ends = [a for a, _ in begin[1:]] + [sum(n for _, n in lengths)]
    kept = [(a, b) for (a, there), b in zip(begin, ends, strict=True) if there]
    return [Piece(k, ranges(lengths, a, b)) for k, (a, b) in enumerate(kept)]


def _surveyed(
    source: Source,
    pieces: Sequence[Piece],
    looks: Sequence[JudgeLook | None],
    first: Sequence[int],
    notes: Sequence[str],
    *,
    scattered: bool = False,
) -> JudgeSurvey | None:
    """The looks put together; None where a judge's rows are not neighbours, unless they may be scattered in a part."""
    items: dict[Hashable, dict[Hashable, None]] = {}
    rows: dict[Hashable, int] = {}
    judge, task = [np.zeros(0, np.uint64)], [np.zeros(0, np.int32)]
    for one, at in zip(looks, first, strict=True):
        if one is not None:
            for name, own, number in zip(one.tasks, one.items, one.rows.tolist(), strict=True):
                items.setdefault(name, {}).update(dict.fromkeys(own))
                rows[name] = rows.get(name, 0) + number
            number = {name: k for k, name in enumerate(items)}
            judge.append(one.judge[at:])
            task.append(np.array([number[name] for name in one.tasks], np.int32)[one.task[at:]])
    who, of = np.concatenate(judge), np.concatenate(task)
    key = who * STEP + of.astype(np.uint64) if len(items) > 1 else who
    number_of_keys = _distinct(key)
    if number_of_keys < len(key):
        if not scattered:
            return None
        of = of[np.unique(key, return_index=True)[1]]
    judges = np.bincount(of, minlength=len(items)).tolist()
    names = tuple(items)
    every = range(_distinct(who) if len(names) > 1 else number_of_keys)
    listed = {name: tuple(own) for name, own in items.items()}
    return JudgeSurvey(
        source, tuple(pieces), names, listed, dict(zip(names, judges, strict=True)), rows, every, tuple(notes)
    )


def _distinct(numbers: Array) -> int:
    """How many there are."""
    ordered = np.sort(numbers)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + bool(len(ordered))
