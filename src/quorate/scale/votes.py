"""Votes in files: every piece gives its votes in small integers, about ten bytes each, and these are kept on disk.

A task of an arena has one or two votes, so a table of wins for every task would be larger than the votes themselves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import Options
from quorate.panel.array_shelf import DiskShelf, Shelf
from quorate.panel.by_name import MANY, in_name_order, ordered_ids
from quorate.panel.columns import narrow, small
from quorate.panel.design import Design
from quorate.panel.many_names import some_names
from quorate.panel.packed_votes import PackedVotes
from quorate.panel.vote_cells import CHUNK
from quorate.panel.votes import CHANGED, Votes, left_aside, said_changed
from quorate.scale.jobs import Ask, Facts, named, numbers
from quorate.scale.source import Piece, Source
from quorate.scale.survey import ELSEWHERE, Survey, room
from quorate.table import Method

Array = NDArray[Any]
CODES = ("task", "judge", "first", "second", "halves")
DISK = 40  # bytes of a vote on disk, with what is made of it, about


@dataclass(frozen=True, eq=False)
class SomeVotes:
    """The votes of a piece in small integers, and the names behind them."""

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    systems: tuple[Hashable, ...]
    codes: dict[str, Array]  # of CODES
    changed: Array  # [vote] whether the verdict changed with the order
    aside: int  # votes without a winner


def votes_of(source: Source, piece: Piece, ask: Ask) -> SomeVotes:
    """The votes of a piece."""
    whole = source.panel([source.part(piece)])
    panel = cast(Votes, named(whole, ask))
    place, systems = {s: k for k, s in enumerate(panel.systems)}, len(panel.systems)
    codes = {"task": panel.task.codes, "judge": panel.judge.codes, "halves": narrow(np.rint(2 * panel.value), 3)}
    for role, label in (("first", "model_a"), ("second", "model_b")):
        column = panel.labels[label]
        codes[role] = narrow(numbers(column.ids, place)[column.codes], systems)
    changed = np.zeros(len(panel), bool)
    if "swapped" in panel.labels:
        said = panel.labels["swapped"]
        changed = np.array([word == CHANGED for word in said.ids])[said.codes]
    return SomeVotes(panel.tasks, panel.judges, panel.systems, codes, changed, piece.rows - len(whole))


class Gathered:
    """The votes of all pieces in the order of tasks, on disk: first shelved by ranges of tasks as pieces come, then
    range by range put in order. What a range takes is all that is held at a time."""

    def __init__(self, survey: Survey, judges: Sequence[Hashable], folder: Path | None) -> None:
        self.survey, self.judges, self.folder = survey, judges, folder
        order = in_name_order(survey.tasks)
        self._names = some_names(survey.tasks, order)
        self.tasks_as_given = survey.tasks  # those that have votes, in the order of the files
        self._rank = np.empty(len(order), small(len(order)))  # [task as given] its number by name
        self._rank[order] = np.arange(len(order))
        self._by_piece = np.argsort(survey.piece_of, kind="stable").astype(np.uint32)
        self._bounds = np.searchsorted(survey.piece_of[self._by_piece], np.arange(len(survey.pieces) + 1))
        self._wide = max(1, -(-len(order) // max(1, -(-survey.rows // CHUNK))))  # tasks of a range
        self._who = {j: k for k, j in enumerate(judges)}
        self._shelf: Shelf = DiskShelf(folder)
        self._ranges: dict[int, list[tuple[int, list[int]]]] = {}  # of each its pieces and their places on the shelf
        self._systems: dict[int, tuple[Hashable, ...]] = {}
        self._aside = self._votes = self._changed = 0
        self._numbered = 0  # tasks that have votes, so far in their order
        self._both = np.zeros(len(judges), bool)  # judges who give one verdict on both orders

    def add(self, number: int, one: SomeVotes) -> None:
        """The votes of a piece."""
        mine = self._by_piece[self._bounds[number] : self._bounds[number + 1]]
        place = dict(zip(some_names(self.survey.tasks, mine), self._rank[mine].tolist(), strict=True))
        codes = {**one.codes, "task": numbers(one.tasks, place)[one.codes["task"]].astype(self._rank.dtype)}
        codes["judge"] = narrow(numbers(one.judges, self._who)[codes["judge"]], len(self.judges))
        codes["changed"] = one.changed
        if (codes["task"][1:] < codes["task"][:-1]).any():
            order = np.argsort(codes["task"], kind="stable")
            codes = {n: column[order] for n, column in codes.items()}
        within = codes["task"] // self._wide
        cuts = np.flatnonzero(np.diff(within, prepend=-1))
        for a, b in pairwise([*cuts.tolist(), len(within)]):
            kept = [self._shelf.put(codes[n][a:b]) for n in (*CODES, "changed")]
            self._ranges.setdefault(int(within[a]), []).append((number, kept))
        self._systems[number] = one.systems
        self._aside += one.aside
        self._votes += len(within)
        self._changed += int(one.changed.sum())
        self._both[codes["judge"][codes["changed"]]] = True

    def close(self) -> None:
        """Put all votes in order."""
        systems = ordered_ids([s for own in self._systems.values() for s in own])
        place = {s: k for k, s in enumerate(systems)}
        self._own = {k: narrow(numbers(own, place), len(systems)) for k, own in self._systems.items()}
        columns = {n: DiskShelf(self.folder) for n in ("task", "judge", "first", "second", "outcome", "changed")}
        size = np.zeros(len(self._names), np.int32)
        for k in sorted(self._ranges):
            for name, column in self._range(k, size).items():
                columns[name].put(column)
        self._shelf, self._ranges = Shelf(), {}
        votes = {n: column.joined() for n, column in columns.items() if n != "changed"}
        none = np.broadcast_to(np.int8(-1), self._votes)
        votes["changed"] = columns["changed"].joined() if self._changed else none
        there = size > 0
        names = self._names if there.all() else some_names(self._names, np.flatnonzero(there))
        if not there.all():
            self.tasks_as_given = some_names(self.survey.tasks, np.flatnonzero(there[self._rank]))
        self._rank, self._by_piece, self._bounds = self._rank[:0], self._by_piece[:0], self._bounds[:0]
        told = {"tasks": names, "judges": self.judges, "systems": systems}
        begin = np.zeros(len(names) + 1, np.int64)
        np.cumsum(size[there], out=begin[1:])
        self.votes = PackedVotes.of_arrays(told, votes, begin, self.folder)

    def _range(self, number: int, size: Array) -> dict[str, Array]:
        """The votes of a range of tasks in order; how many each task has is added to ``size``."""
        parts: dict[str, list[Array]] = {n: [] for n in (*CODES, "changed")}
        for piece, kept in sorted(self._ranges[number]):
            for n, at in zip(parts, kept, strict=True):
                column = self._shelf.piece(at)
                parts[n].append(self._own[piece][column] if n in ("first", "second") else column)
        votes = {n: np.concatenate(each) for n, each in parts.items()}
        if (votes["task"][1:] < votes["task"][:-1]).any():
            order = np.argsort(votes["task"], kind="stable")
            votes = {n: column[order] for n, column in votes.items()}
        task = votes["task"]
        known, place, often = np.unique(task, return_inverse=True, return_counts=True)
        begin, size[known] = self._numbered, often
        self._numbered += len(known)  # tasks whose votes were all left aside have no number
        votes["task"] = (begin + place.ravel()).astype(task.dtype)
        votes["outcome"] = np.array([0, 0.5, 1], np.float16)[votes.pop("halves")]
        changed = votes.pop("changed")
        if self._changed:
            votes["changed"] = np.where(self._both[votes["judge"]], changed.astype(np.int8), np.int8(-1))
        return votes

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left aside, or taken for a tie."""
        said = [left_aside(self._aside)] if self._aside else []
        return (*said, *([said_changed(self._changed, self._votes)] if self._changed else []))


class VoteRows:
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` is of other kinds, of votes: see there."""

    scan: Any
    judges: Any
    without: tuple[Hashable, ...]
    _plain: tuple[str, ...]
    _each: Any

    def expect(self, question: str, methods: Sequence[Method], options: Options, systems: Any) -> None:
        """Votes serve all that is asked."""

    @cached_property
    def _gathered(self) -> Gathered:
        """All votes, and what was repaired."""
        ask, found = Ask("votes", "", (), plain=self._plain, without=self.without), self.scan.survey
        room(Path(self._shelves or tempfile.gettempdir()), DISK * found.rows, f"{ELSEWHERE}.")
        gathered = Gathered(found, self.judges, self._shelves)
        for k, one in self._each("votes", votes_of, ask):
            gathered.add(k, one)
        if len(found.tasks) > MANY:
            self.scan.pool.rest()
        gathered.close()
        return gathered

    @property
    def _shelves(self) -> Path | None:
        """The folder of the checkpoint, where there is one, for what is too much for memory."""
        folder: Path | None = self.scan.folder
        return folder

    @property
    def votes(self) -> PackedVotes:
        """All votes."""
        return self._gathered.votes

    @property
    def tasks(self) -> tuple[Hashable, ...]:
        """In the order of their names, those that have a vote."""
        return self.votes.tasks

    @property
    def tasks_as_given(self) -> Sequence[Hashable]:
        """The same in the order of the files."""
        return self._gathered.tasks_as_given

    @cached_property
    def facts(self) -> Facts:
        """What all kinds know of themselves."""
        votes = self.votes
        return Facts(votes.units, votes.judges_of_task, np.arange(votes.pairs), notes=self._gathered.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left aside, of all pieces together."""
        return self.facts.notes

    def designs(self, own: str, absent: str | None, systems: Any = None, seed: int = 0) -> list[Design]:
        """The design of all votes."""
        return [self.votes]
