"""Votes in numbered cells, such as pairs of systems, counted a block at a time as often as tasks were drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.first_place import FirstPlace, from_ways
from quorate.kernels.group_sums import group_sums, places, used
from quorate.panel.array_shelf import let_go
from quorate.panel.columns import small

if TYPE_CHECKING:
    from quorate.panel.pairs import VoteDesign

Array = NDArray[Any]
CHUNK = 1 << 20  # votes that are looked at in one go


@dataclass(frozen=True, eq=False)
class VoteCells:
    """Votes in numbered cells, in small integers: sums over them are of whole numbers, exact in any order."""

    task: Array  # [row]
    judge: Array
    cell: Array
    codes: Array  # [cell] what each stands for, ascending
    count: Array | None  # [row] judges who voted so, where some votes stand for several

    @classmethod
    def of(cls, v: VoteDesign, make: Callable[[VoteDesign], tuple[Array, Array]]) -> VoteCells:
        """Votes by what ``make`` tells of them in blocks: their numbers, and the code of each."""
        rows, local, own, begin = v.shelf(), v.shelf(), list[Array](), 0
        for block in v.blocks():
            votes, code = make(block)
            own.append(used(code))
            local.put(places(code, own[-1]).astype(np.min_scalar_type(max(len(own[-1]) - 1, 0))))
            rows.put((votes + begin).astype(small(len(v.judge))))
            begin += len(block.judge)
        known = used(np.concatenate(own) if own else np.zeros(0, np.int64))
        cell, size = v.shelf(), np.min_scalar_type(max(len(known) - 1, 0))
        for mine, place in zip(own, local, strict=True):
            cell.put(places(mine, known).astype(size)[place])
        cells = cell.joined()
        if len(cells) == len(v.judge):
            return cls(v.task, v.judge, cells, known, v.count if v.counted else None)
        task, judge = v.shelf(), v.shelf()
        for row in rows:
            task.put(v.task[row])
            judge.put(v.judge[row])
            let_go(v.task, v.judge)
        count = v.count[np.concatenate(list(rows))] if v.counted else None
        return cls(task.joined(), judge.joined(), cells, known, count)

    def totals(self, tasks: Array | None) -> Array:
        """How many votes each cell has, ``[draw, cell]``, as often as tasks were drawn."""
        out = np.zeros((1 if tasks is None else len(tasks), len(self.codes)))
        for a in range(0, len(self.cell), CHUNK):
            some = slice(a, a + CHUNK)
            weight: Array | float = 1.0 if self.count is None else self.count[some]
            for k in range(len(out)):
                often = weight if tasks is None else weight * tasks[k, self.task[some]]
                whole = None if isinstance(often, float) else often
                out[k] += np.bincount(self.cell[some], whole, len(self.codes))
            let_go(self.cell, self.task)
        return out


def counted_place(v: VoteDesign, tasks: Array | None, by_judge: bool) -> FirstPlace:
    """How often the first place wins by each judge, or of all votes together, as often as tasks were drawn.

    Which votes it is told of is only known where none were drawn.
    """
    groups = len(v.judges) if by_judge else 1
    every = v.in_cells(("place", by_judge), lambda some: _places(some, groups))
    cell = every.codes // 6
    known = used(cell)
    place = np.searchsorted(known, cell) * 6 + every.codes % 6
    found = from_ways(group_sums(every.totals(tasks), place, 6 * len(known)), known, groups)
    told = found.votes[place // 6] & (every.codes % 3 != 1)
    return replace(found, votes=_looked_at(v, every, told) if tasks is None else np.zeros(0, bool))


def _looked_at(v: VoteDesign, every: VoteCells, told: Array) -> Array:
    """Whether each vote is in a cell that something is told of; those on both orders are in none."""
    out, begin = v.shelf(), 0
    for a in range(0, len(v.judge), CHUNK):
        mark = np.asarray(v.changed[a : a + CHUNK] < 0)
        end = begin + int(np.count_nonzero(mark))
        mark[mark] = told[every.cell[begin:end]]
        out.put(mark)
        begin = end
        let_go(v.changed, every.cell)
    return out.joined().view(bool)


def _places(v: VoteDesign, groups: int) -> tuple[Array, Array]:
    """Votes by pair, judge, which of the two was shown first, and what the first got; those on both orders aside."""
    known = np.flatnonzero(v.changed < 0)
    cell = v.pair[known] if groups == 1 else v.pair[known] * np.int64(groups) + v.judge[known]
    way = cell * 2 + (v.first > v.second)[known]
    return known, way * 3 + (2 * v.outcome[0, known]).astype(np.int64)


def tasks_of_judges(task: Array, judge: Array, judges: int, votes: Array | None = None) -> Array:
    """On how many tasks each judge has votes, or some of them by numbers or marks, ``[judge]``; votes are in order of
    tasks."""
    out, last, width = np.zeros(judges, np.int64), np.zeros(0, np.int64), max(judges, 1)
    for a in range(0, len(task) if votes is None else len(votes), CHUNK):
        some: Any = slice(a, a + CHUNK) if votes is None else votes[a : a + CHUNK]
        if votes is not None and votes.dtype == bool:
            some = a + np.flatnonzero(some)
        if votes is not None and not len(some):
            continue
        both = used(task[some].astype(np.int64) * width + judge[some])
        new = both[~np.isin(both, last)]
        out += np.bincount(new % width, minlength=judges)
        seen = np.concatenate([last, new])
        last = seen[seen // width == task[some][-1]]  # a task may reach into the next votes
        let_go(task, judge)
    return out
