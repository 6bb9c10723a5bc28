"""Votes as a design: who chose which of two systems on which task, and how often each vote counts.

Units are votes. Figures are of all votes together, so a formula is a function of the design and of :class:`Often`: how
often each vote and each task counts in every draw. A copy of the design is the same votes with other outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.first_place import FirstPlace, first_place
from quorate.kernels.group_sums import MARKED, first_rows, renumbered, used
from quorate.panel.array_shelf import Shelf
from quorate.panel.columns import Coded, small
from quorate.panel.design import ONCE, UNITS, Measured, PooledDesign, Values, Weights, exchanged_names
from quorate.panel.imitated_votes import of_judges_alike, of_one_mind
from quorate.panel.vote_cells import VoteCells, counted_place
from quorate.panel.vote_columns import APART, covariate, own_family, questions
from quorate.panel.vote_counts import Often
from quorate.panel.votes import CHANGED, Votes
from quorate.table import Method

Array = NDArray[Any]
PLACES, ALWAYS = 10, 0.9  # votes, and the share of one place among them, that tell of a preference
STEPS = 15  # numbers looked at for each vote, about, as measured
ALONE = 1 << 20  # votes that are counted, up to which each is permuted for itself
BY = {"agreement": "task", "judges": "judge", "consensus": "system", "quality": "system"}  # what figures are of


@dataclass(frozen=True, eq=False)
class VoteDesign(PooledDesign):
    """Votes as arrays: judge, task, the systems shown first and second, and what the first gets."""

    kind: ClassVar[str] = "votes"
    units_called: ClassVar[str] = "votes"

    judge: Array = field(kw_only=True)  # [vote]
    task: Array = field(kw_only=True)
    first: Array = field(kw_only=True)
    second: Array = field(kw_only=True)
    outcome: Array = field(kw_only=True)  # [copy, vote] 1, 0.5 or 0
    count: Array = field(kw_only=True)  # [vote] judges who voted so
    names: Array | None = None  # [copy, vote] the judges, where their names were exchanged
    changed: Array = field(kw_only=True)  # [vote] of a verdict on both orders: 1 changed, 0 not; else -1
    question: Array | None = None  # [task] the question that tasks are turns of
    columns: Mapping[str, Coded] = field(default_factory=dict)  # [vote] labels, of which some may be covariates
    told: Array | None = None  # [judge] whether a name stands for several, where counts no longer tell
    single: bool = True  # whether votes can be drawn each for itself: not where a judge ordered several systems

    @classmethod
    def of(cls, panel: Votes) -> VoteDesign:
        """The design of a panel, made once."""
        found: VoteDesign = panel.once("design", lambda: cls._of(panel))
        return found

    @classmethod
    def _of(cls, panel: Votes) -> VoteDesign:
        number = {s: k for k, s in enumerate(panel.systems)}

        def codes(name: str) -> Array:
            column = panel.labels[name]
            return np.array([number[s] for s in column.ids], np.int64)[column.codes]

        changed = np.full(len(panel), -1, np.int8)
        if "swapped" in panel.labels:
            said = panel.labels["swapped"]
            changed = np.array([-1 if w is None else int(w == CHANGED) for w in said.ids], np.int8)[said.codes]
        return cls(
            panel.tasks,
            panel.judges,
            panel.items,
            (),
            systems=panel.systems,
            judge=panel.judge.codes.astype(np.int64),
            task=panel.task.codes.astype(np.int64),
            first=codes("model_a"),
            second=codes("model_b"),
            outcome=panel.value[None],
            count=panel.count.astype(np.float64) if (panel.count != 1).any() else np.broadcast_to(1.0, len(panel)),
            changed=changed,
            question=questions(panel),
            columns={n: c for n, c in panel.labels.items() if n not in APART},
        )

    # -- what is inside ---------------------------------------------------------------------------------------------

    @property
    def named(self) -> Array:
        """The judge of every vote, ``[copy, vote]``."""
        return self.judge[None] if self.names is None else self.names

    @property
    def copies(self) -> int:
        """How many copies there are, with outcomes or names of their own."""
        return max(len(self.outcome), len(self.named))

    @property
    def own_tasks(self) -> int:
        """How many tasks a copy has."""
        return len(self.tasks) // self.copies

    @cached_property
    def side(self) -> Array:
        """Who is chosen, ``[copy, vote]``: 1 the system of the lower number, -1 the other, 0 neither."""
        return np.where(self.first < self.second, 2 * self.outcome - 1, 1 - 2 * self.outcome).astype(np.int8)

    @cached_property
    def pair(self) -> Array:
        """The pair that a vote is about, ``[vote]``, whichever was shown first: low * systems + high."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low * len(self.systems) + high

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        size = np.int64(len(self.systems)) ** 2
        code = self.task * size + self.pair
        known = used(code)
        return renumbered(code), known // size

    @property
    def cell(self) -> Array:
        """The task and pair that a vote is about, ``[vote]``, numbered from 0: what judges agree on or not."""
        return self._cells[0]

    @property
    def task_of_cell(self) -> Array:
        """The task of every cell."""
        return self._cells[1]

    @cached_property
    def opening(self) -> Array:
        """Which votes are a judge's first on their cell, ``[vote]``: repeats are no other judges."""
        out = np.zeros(len(self.cell), bool)
        out[first_rows(self.said_by)] = True
        return out

    @cached_property
    def crowd(self) -> Array | None:
        """Whether each name stands for several, ``[judge]``; None where none does."""
        if self.told is not None or not self.counted:
            return self.told
        return np.bincount(self.judge, self.count > 1, len(self.judges)) > 0

    @property
    def heard(self) -> Array:
        """Which votes tell how far judges agree, ``[vote]``: the first of each, and all of a name for several."""
        return self.opening if self.crowd is None else self.opening | self.crowd[self.judge]

    @cached_property
    def said_by(self) -> Array:
        """The cell and judge of a vote, ``[vote]``, numbered from 0 by cell and then by judge."""
        return renumbered(self.cell * np.int64(len(self.judges)) + self.judge)

    @cached_property
    def both_ways(self) -> float:
        """Votes on pairs that are shown both ways, of the rarer way: 0, and nobody can tell a place from a system."""
        known = self.changed < 0  # of a verdict on both orders nobody knows which was shown first
        way = renumbered(self.pair[known]) * 2 + (self.first > self.second)[known]
        ways = np.bincount(way, self.count[known], 2 * (int(way.max(initial=-1)) // 2 + 1)).reshape(-1, 2)
        return float(ways.min(axis=1).sum())

    def blocks(self) -> Iterator[VoteDesign]:
        """The votes in blocks of whole tasks, in the order of these; here all of them, where they are in memory."""
        yield self

    def by_tasks(self, name: Hashable, make: Callable[[VoteDesign], Sequence[Array]]) -> list[Array]:
        """Numbers of every task, ``[..., task]`` each, put together from those of blocks; made once."""

        def made() -> list[Array]:
            return [np.concatenate(each, axis=-1) for each in zip(*map(make, self.blocks()), strict=True)]

        found: list[Array] = self.once(name, made)
        return found

    def in_cells(self, name: Hashable, make: Callable[[VoteDesign], tuple[Array, Array]]) -> VoteCells:
        """Votes by what ``make`` tells of them in blocks: their numbers, and the code of each; made once."""

        found: VoteCells = self.once(name, lambda: VoteCells.of(self, make))
        return found

    def shelf(self) -> Shelf:
        """Where numbers of every vote are kept while they are made."""
        return Shelf()

    def covariate(self, name: str) -> Array:
        """What else may decide a vote, the first less the second, ``[vote]``."""
        found: Array = self.once(("covariate", name), lambda: covariate(self.columns, name, self.count))
        return found

    @cached_property
    def own_family(self) -> Array | None:
        """Which of the two is of the judge's own family, ``[vote]``: 1 the first, -1 the second, 0 both or neither."""
        votes = self.judge, self.first, self.second
        found: Array | None = own_family(self.columns, self.judges, self.systems, votes)
        return found

    @cached_property
    def _found(self) -> dict[Hashable, Any]:
        return {}

    def once(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What a formula needs of these votes however they count, made once."""
        if name not in self._found:
            self._found[name] = make()
        return self._found[name]

    @cached_property
    def counted(self) -> bool:
        """Whether some votes stand for several judges."""
        return bool((self.count > 1).any())

    @cached_property
    def voters(self) -> Array:
        """How many judges each name stands for, ``[judge]``, on the pair of a task where these are most."""
        if self.crowd is None:
            return np.ones(len(self.judges), np.int64)
        on_cell = np.bincount(self.said_by, self.count).astype(np.int64)
        most = np.zeros(len(self.judges), np.int64)
        np.maximum.at(most, self.judge, on_cell[self.said_by])
        return np.where(self.crowd, most, 1)

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges voted on each task."""
        task, judge = self._done
        return np.tile(np.bincount(task, self.voters[judge], self.own_tasks).astype(np.int64), self.copies)

    @cached_property
    def _done(self) -> tuple[Array, Array]:
        """Every task with every judge who voted on it."""
        size = np.int64(max(len(self.judges), 1))
        both = used(self.task * size + self.judge)
        return both // size, both % size

    @property
    def clusters(self) -> Array | None:
        """The turns of a question are drawn together."""
        if self.nesting:
            return super().clusters
        return None if self.question is None else np.tile(self.question, self.copies)

    @property
    def over(self) -> str:
        """Other tasks where there are several; else other judges, of whom there must be some, and not all behind one
        name; else other votes."""
        tasks = self.own_tasks if self.question is None else len(np.unique(self.question))
        judges = len(self.judges) > 1 and self.voters.sum() > 2
        return "tasks" if tasks > 1 else "judges" if judges or not self.single else "items"

    @property
    def drawable(self) -> tuple[str, ...]:
        """Tasks, judges, and votes where they can be drawn each for itself."""
        return UNITS[:3] if self.single else UNITS[:2]

    @property
    def units(self) -> int:
        """Votes, which can be drawn each for itself."""
        return len(self.judge)

    @property
    def unit_counts(self) -> Array | None:
        """How many votes a row stands for."""
        return self.count if self.counted else None

    @property
    def work(self) -> int:
        """Every vote, as often as a formula looks at it."""
        return STEPS * len(self.judge)

    def work_of(self, method: Method) -> float:
        """The same, and what the method declares to cost by systems."""
        cost = method.declaration.properties.get("cost")
        return self.work + (cost(len(self.systems)) if cost else 0.0)

    def rests_on(self, by: str) -> dict[str, Array]:
        """How many tasks, judges and votes each figure rests on: of all, of every judge, or of every system."""
        if by == "judge":
            size = len(self.judges)
            tasks = np.bincount(self._done[1], minlength=size)
            votes = np.bincount(self.judge, self.count, size).astype(np.int64)
        elif by == "system":
            size = len(self.systems)
            tasks = self._tasks_of_systems()
            sides = (np.bincount(s, self.count, size) for s in (self.first, self.second))
            votes = np.sum(list(sides), axis=0).astype(np.int64)
        else:
            size = 1
            tasks, votes = np.array([len(used(self.task))]), np.array([int(self.count.sum())])
        judges = np.full(size, int(self.voters.sum()) - (by == "judge"))
        return {"tasks": tasks, "items": votes, "judges": judges}

    def _tasks_of_systems(self) -> Array:
        """On how many tasks each system is: marked in a table of both where that is not too large."""
        size, sides = len(self.systems), (self.first, self.second)
        cells = int(self.task.max(initial=-1) + 1) * size
        if cells > MARKED * len(self.task):
            both = used(np.concatenate([used(self.task * np.int64(size) + s) for s in sides]))
            return np.bincount(both % size, minlength=size)
        there = np.zeros(cells, bool)
        for side in sides:
            there[self.task * np.int64(size) + side] = True
        return np.asarray(np.count_nonzero(there.reshape(-1, size), axis=0))

    @property
    def drawn_tasks(self) -> dict[str, Array]:
        """How many clusters of tasks there are to draw, where there are fewer of them than tasks."""
        return {} if self.question is None else {"clusters": np.array([len(used(self.question[self.task]))])}

    def tasks_behind(self, votes: Array) -> dict[str, Array]:
        """On how many tasks each judge has some of these votes, numbers or marks: what the judge's figure rests on."""
        both = used(self.task[votes] * np.int64(len(self.judges)) + self.judge[votes])
        return {"tasks": np.bincount(both % len(self.judges), minlength=len(self.judges))}

    # -- values -----------------------------------------------------------------------------------------------------

    def often(self, weights: Weights = ONCE) -> Often:
        """How often each vote counts."""
        votes = self.count[None]
        if weights.judges is not None:
            votes = votes * weights.judges[:, self.judge]
            rounded = np.rint(votes)  # a name that stands for many, drawn so many times, is off by rounding
            votes = np.where(np.abs(votes - rounded) < 1e-9, rounded, votes)
        if weights.units is not None:
            votes = votes * weights.units
        whole = weights.judges is None and weights.units is None
        return Often(votes, weights.tasks, not weights.plain, whole, weights.judges)

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says, in every draw or of every copy."""
        return self._rows(method, method(self, self.often(weights)), weights.plain)

    def values_instead(self, method: Method, permuted: VoteDesign) -> Values:
        """What a method says of every judge with the answers of ``permuted`` instead of the judge's own."""
        return self._rows(method, method(self, self.often(), instead=permuted.side))

    def one_by_one(self, most: int) -> VoteDesign:
        """Votes are permuted one by one as they are."""
        return self

    def _rows(self, method: Method, found: Measured, whole: bool = True) -> Values:
        by = BY[method.question] if found.values.ndim > 1 else ""
        array = found.values if by else found.values[:, None]
        if self.names is not None:  # the same votes by other judges
            array = np.broadcast_to(array, (self.copies, array.shape[1]))
        if by == "task":  # copies in a row
            mass = None if found.mass is None else np.broadcast_to(found.mass, array.shape)
            if self.copies > 1:
                array, mass = array.reshape(1, -1), None if mass is None else mass.reshape(1, -1)
            keys = {"task": np.arange(array.shape[1], dtype=small(array.shape[1]))}
            return Values(array, keys, found.details, mass=mass, rests=self.drawn_tasks)
        keys = {by: np.arange(array.shape[1])} if by else {}
        details = found.details if by else {n: [v] for n, v in found.details.items()}
        if len(array) > 1 or not whole:  # only of the panel as it is anybody asks what a figure rests on
            return Values(array, keys)
        rests = {**self.rests_on(by), **found.rests}
        rests |= {n: np.minimum(most, rests["tasks"]) for n, most in self.drawn_tasks.items()}
        return Values(array, keys, details, rests=rests, about=found.about)

    def by_task(self, method: Method) -> Values | None:
        """Rows task by task of a figure of all votes together, where a method declares how."""
        make = method.declaration.properties.get("by_task")
        tasks = len(self.tasks)
        return None if make is None else Values(make(self)[None], {"task": np.arange(tasks, dtype=small(tasks))})

    def without_each(self, method: Method) -> Array:
        """What a method of agreement says without each judge, ``[copy, judge]``."""
        found: Array = method.declaration.properties["without"](self)
        return found

    def said(self) -> tuple[Array, Array, Array, Array]:
        """Every vote with its copy, judge, task and pair; of repeats the first."""
        first, cells = np.flatnonzero(self.opening), len(self.task_of_cell)
        copy = np.repeat(np.arange(self.copies), len(first))
        judge = np.tile(self.judge[first], self.copies)
        return copy, judge, np.tile(self.cell[first], self.copies) + copy * cells, self.side[:, first].ravel()

    def asked(self) -> tuple[Array, Array]:
        """The task of every cell."""
        return self.task_of_cell, np.full(len(self.task_of_cell), -1)

    def one_answer(self) -> Array:
        """Who called every vote a tie: who always prefers the same system has said something."""
        ties = np.bincount(self.judge, self.outcome[0] == 0.5, len(self.judges))
        return np.asarray((ties == np.bincount(self.judge, minlength=len(self.judges))) & (ties > 0))

    def opinions(self) -> tuple[Array, Array, Array, Mapping[str, Array]]:
        """What each judge thinks of every system: votes won by it, and lost."""
        judge, system = np.tile(self.judge, 2), np.concatenate([self.first, self.second])
        won = np.concatenate([self.outcome[0], 1 - self.outcome[0]])
        return judge, system, won, {"system": np.arange(len(self.systems))}

    def manner(self, judge: int) -> str:
        """Whether a judge chooses the same place nearly always, on pairs that the judge saw both ways."""
        found = self.first_place(self.often())
        share = float(found.share[0, judge])
        return "place" if found.of[judge] >= PLACES and max(share, 1 - share) >= ALWAYS else ""

    def first_place(self, often: Often, *, by_judge: bool = True) -> FirstPlace:
        """How often the first place wins by each judge, or of all votes together; of a verdict on both, nothing."""
        if often.whole and self.copies == 1:
            return counted_place(self, often.tasks, by_judge)
        group, groups = (self.judge, len(self.judges)) if by_judge else (np.zeros(len(self.judge), np.int64), 1)
        weight = often.votes * (self.changed < 0) * often.of(self.task)
        return first_place(group, self.pair, self.first > self.second, self.outcome, weight, groups)

    # -- other panels -----------------------------------------------------------------------------------------------

    def _other(self, outcome: Array) -> VoteDesign:
        """The same votes with other outcomes, ``[copy, vote]``."""
        return replace(self, outcome=outcome, tasks=self.tasks * len(outcome))

    def permuted(self, rng: np.random.Generator, copies: int = 1) -> VoteDesign:
        """Chance: every vote goes to either side alike, or is a tie as often as its judge's are."""
        tied = np.bincount(self.judge, self.outcome[0] == 0.5, len(self.judges))
        tie = (tied / np.maximum(np.bincount(self.judge, minlength=len(self.judges)), 1))[self.judge]
        draw = rng.random((copies, len(self.judge)))
        return self._other(np.where(draw < tie, 0.5, np.where(draw < (1 + tie) / 2, 1.0, 0.0)))

    def permuted_by(self, judge: int, rng: np.random.Generator, copies: int = 1) -> VoteDesign:
        """The votes of one judge go to either side alike, the others stay."""
        permuted = self.permuted(rng, copies)
        return replace(permuted, outcome=np.where(self.judge == judge, permuted.outcome, self.outcome[0]))

    def exchanged(self, rng: np.random.Generator, copies: int = 1, *, cells: bool = False) -> VoteDesign:
        """Judges' names exchanged within each task, or within each pair of a task."""
        names = exchanged_names(self.cell if cells else self.task, self.judge, rng, copies)
        return replace(self, tasks=self.tasks * copies, names=names)

    def alike(self, noise: float | Array, rng: np.random.Generator, copies: int = 1) -> VoteDesign:
        """The votes of judges who see one better system of each pair on a task, and miss it by so much noise."""
        return self._other(of_judges_alike(self, noise, rng, copies))

    def of_one_mind(self, strengths: Array, steady: float, rng: np.random.Generator, copies: int = 1) -> VoteDesign:
        """The votes of judges who each have an order in mind, drawn from common strengths, ``[system]``."""
        return self._other(of_one_mind(self, strengths, steady, rng, copies))

    def some_judges(self, keep: Array) -> VoteDesign:
        """The design of some judges."""
        number = np.full(len(self.judges), -1)
        number[keep] = np.arange(len(keep))
        rows = np.flatnonzero(number[self.judge] >= 0)
        names = tuple(self.judges[k] for k in keep.tolist())
        told = None if self.told is None else self.told[keep]
        return self._some(rows, judges=names, judge=number[self.judge[rows]], told=told)

    def some_tasks(self, keep: Array) -> VoteDesign:
        """The design of some tasks."""
        number = np.full(len(self.tasks), -1)
        number[keep] = np.arange(len(keep))
        rows = np.flatnonzero(number[self.task] >= 0)
        names: tuple[Hashable, ...] = tuple(self.tasks[k] for k in keep.tolist())
        question = None if self.question is None else self.question[keep]
        return self._some(rows, tasks=names, task=number[self.task[rows]], question=question)

    def one_each(self) -> VoteDesign:
        """The design with a row for every single vote, where there are not too many."""
        if not self.counted or self.count.sum() > ALONE:
            return self
        rows = np.repeat(np.arange(len(self.judge)), self.count.astype(np.int64))
        return self._some(rows, count=np.broadcast_to(1.0, len(rows)), told=self.crowd)

    def _some(self, rows: Array, **more: Any) -> VoteDesign:
        kept = {n: getattr(self, n)[rows] for n in ("judge", "task", "first", "second", "count", "changed")}
        columns = {n: c.sorted(rows) for n, c in self.columns.items()}
        return replace(self, **{**kept, "columns": columns, "outcome": self.outcome[:, rows], **more})
