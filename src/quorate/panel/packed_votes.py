"""Very many votes in small integers, about ten bytes each on disk: what formulas need is made in blocks of tasks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.panel.array_shelf import DiskShelf, Shelf, let_go
from quorate.panel.design import ONCE, Values, Weights
from quorate.panel.many_names import some_names
from quorate.panel.one_by_one import OneByOne
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_cells import CHUNK, tasks_of_judges
from quorate.table import Method

Array = NDArray[Any]
HERE = "judges or votes of a scan cannot be drawn."


@dataclass(frozen=True, eq=False)
class PackedVotes(OneByOne, VoteDesign):
    """Votes by task, in small integers; ``outcome`` in small floats. Arrays of all votes may be mapped from a disk."""

    begin: Array = field(kw_only=True)  # [task] its first vote, and the number of votes at the end
    folder: Path | None = None  # where numbers of every vote are kept; in that of all temporary files

    @classmethod
    def of_arrays(
        cls, names: dict[str, Sequence[Hashable]], votes: dict[str, Array], begin: Array, folder: Path | None = None
    ) -> PackedVotes:
        """From codes of tasks, judges and systems, outcomes and verdicts that changed."""
        given: dict[str, Any] = {n: votes[n] for n in ("judge", "task", "first", "second", "changed")}
        given |= {"outcome": votes["outcome"][None], "count": np.broadcast_to(np.float64(1.0), len(votes["judge"]))}
        tasks, judges, systems = (cast(tuple[Hashable, ...], names[n]) for n in ("tasks", "judges", "systems"))
        return cls(tasks, judges, (), (), systems=systems, **given, begin=begin, folder=folder)

    def shelf(self) -> Shelf:
        """On disk."""
        return DiskShelf(self.folder)

    def blocks(self) -> Iterator[VoteDesign]:
        """The votes of some tasks after those of others, as formulas know them."""
        a, tasks = 0, len(self.tasks)
        while a < tasks:
            b = max(a + 1, int(np.searchsorted(self.begin, self.begin[a] + CHUNK, side="right")) - 1)
            yield self._plain(slice(int(self.begin[a]), int(self.begin[b])), self.tasks[a:b], a)
            self._let_go()
            a = b

    def _let_go(self) -> None:
        """What was read of the votes need not stay in memory."""
        let_go(self.task, self.judge, self.first, self.second, self.outcome, self.changed)

    def _plain(self, rows: Any, names: Any, begin: int = 0, task: Array | None = None) -> VoteDesign:
        """Some votes in memory, of some tasks, whose numbers begin there or are given."""
        task = self.task[rows].astype(np.int64) - begin if task is None else task
        columns: dict[str, Any] = {n: getattr(self, n)[rows].astype(np.int64) for n in ("judge", "first", "second")}
        outcome, changed = self.outcome[:, rows].astype(np.float64), np.asarray(self.changed[rows])
        count = np.broadcast_to(1.0, len(task))
        more: dict[str, Any] = {"outcome": outcome, "changed": changed, "count": count, "systems": self.systems}
        return VoteDesign(names, self.judges, self.items, (), task=task, **columns, **more, seed=self.seed)

    def some_tasks(self, keep: Array) -> Any:
        """The design of some tasks, as formulas know them."""
        number = np.full(len(self.tasks), -1, np.int32)
        number[keep] = np.arange(len(keep))
        found = []
        for a in range(0, self.units, CHUNK):
            found.append(a + np.flatnonzero(number[self.task[a : a + CHUNK]] >= 0))
            let_go(self.task)
        rows = np.concatenate(found)
        task = number[self.task[rows]].astype(np.int64)
        some = self._plain(rows, tuple(some_names(self.tasks, keep)), task=task)
        self._let_go()
        return some

    def by_tasks(self, name: Hashable, make: Callable[[VoteDesign], Sequence[Array]]) -> list[Array]:
        """Numbers of every task, ``[task]`` or ``[1, task]`` each, on disk; made once."""

        def made() -> list[Array]:
            shelves: list[tuple[Shelf, int]] = []
            for some in self.blocks():
                found = make(some)
                shelves = shelves or [(self.shelf(), x.ndim) for x in found]
                for (shelf, _), x in zip(shelves, found, strict=True):
                    shelf.put(x.ravel())
            return [shelf.joined().reshape((1,) * (ndim - 1) + (-1,)) for shelf, ndim in shelves]

        found: list[Array] = self.once(name, made)
        return found

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says, as often as tasks were drawn."""
        if weights.judges is not None or weights.units is not None:
            raise BadParameter(HERE, "over=tasks, or read it into memory.")
        return super().values(method, weights)

    # -- what is inside, without numbers of every vote ----------------------------------------------------------------

    @property
    def own_family(self) -> Array | None:
        """Nobody votes on a system of the own name or family."""
        return None

    @cached_property
    def side(self) -> Array:
        """Who is chosen, ``[1, vote]``: 1 the system of the lower number, -1 the other, 0 neither."""
        out = self.shelf()
        for a in range(0, self.units, CHUNK):
            some = slice(a, a + CHUNK)
            gets = 2 * self.outcome[0, some] - 1
            out.put(np.where(self.first[some] < self.second[some], gets, -gets).astype(np.int8))
            let_go(self.first, self.second, self.outcome)
        return out.joined()[None]

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges voted on each task."""
        return np.concatenate([some.judges_of_task.astype(np.int32) for some in self.blocks()])

    @cached_property
    def repeats(self) -> int:
        """Votes beyond a judge's first on the same pair of a task."""
        return self.units - sum(int(some.opening.sum()) for some in self.blocks())

    @property
    def pairs(self) -> int:
        """How many pairs of systems are voted on, whichever is shown first."""
        return int(np.count_nonzero(self._ways.sum(axis=1)))

    @cached_property
    def ties(self) -> int:
        """How many votes are ties."""
        found = sum(int((self.outcome[0, a : a + CHUNK] == 0.5).sum()) for a in range(0, self.units, CHUNK))
        let_go(self.outcome)
        return found

    @cached_property
    def _ways(self) -> Array:
        """How many votes show a pair one way, the other, or both, ``[pair, 3]``."""
        size = 3 * len(self.systems) ** 2
        found = (s.pair * 3 + np.where(s.changed < 0, s.first > s.second, 2) for s in self.blocks())
        total: Array = np.sum([np.bincount(way, minlength=size) for way in found], axis=0)
        return total.reshape(-1, 3)

    @cached_property
    def both_ways(self) -> float:
        """Votes on pairs that are shown both ways, of the rarer way."""
        return float(self._ways[:, :2].min(axis=1).sum())

    def rests_on(self, by: str) -> dict[str, Array]:
        """How many tasks, judges and votes each figure rests on: of all, of every judge, or of every system."""
        size = {"judge": len(self.judges), "system": len(self.systems)}.get(by, 1)
        found = {"tasks": np.zeros(size, np.int64), "items": np.zeros(size, np.int64)}
        for some in self.blocks():
            own = some.rests_on(by)
            found = {n: found[n] + own[n] for n in found}
        return {**found, "judges": np.full(size, len(self.judges) - (by == "judge"))}

    def tasks_behind(self, votes: Array) -> dict[str, Array]:
        """On how many tasks each judge has some of these votes, numbers or marks."""
        votes = votes if votes.dtype == bool else np.sort(votes)
        return {"tasks": tasks_of_judges(self.task, self.judge, len(self.judges), votes)}
