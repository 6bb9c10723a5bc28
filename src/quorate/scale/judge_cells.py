"""Judges of scores in files: what each judge's scores on every task add up to, from the piece that holds the task.

One pass tells what must be known of all scores first (how strict judges are, which values they give), another gives
every method's numbers (``by_judge=`` of its declaration), which are put at their places as pieces are done.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import LimitReached
from quorate.panel.columns import narrow, small
from quorate.panel.judge_cells import (
    FIRST,
    AdditiveByJudge,
    JudgeCells,
    Known,
    by_judge,
    cell_sums,
    first_sums,
    met,
    places,
    summed,
    values_given,
)
from quorate.panel.kinds import Scores
from quorate.panel.units import by_criterion
from quorate.scale.jobs import Ask, named, numbers
from quorate.scale.source import Piece, Source
from quorate.table import Method

Array = NDArray[Any]
SHARE = 4  # part of the memory that numbers of methods may take which are found in one pass
DISTINCT = 10**6  # values of all judges that are counted one by one


@dataclass(frozen=True)
class CellAsk(Ask):
    """What is asked of every piece: also what is known of all scores; nothing, where it is asked for."""

    centre: float = 0.0
    effects: tuple[tuple[Hashable, float], ...] | None = None  # of every judge
    given: bool = False  # whether it is asked for how often judges gave every value


@dataclass(frozen=True, eq=False)
class SomeCells:
    """The cells of a piece's tasks: numbers of task and judge, and what methods need of each."""

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    task: Array
    judge: Array
    sums: Mapping[str, Array]  # of each method, "" for what is known first, [cell, number]
    both: Mapping[float, Array]
    given: tuple[Array, Array, Array] | None


def some_cells(source: Source, piece: Piece, ask: CellAsk) -> SomeCells:
    """What the judges' scores on a piece's tasks add up to."""
    panel = cast(Scores, named(source.panel([source.part(piece)]), ask))
    (units,) = by_criterion(panel)
    judges = max(len(panel.judges), 1)
    cell, _ = places(units)
    at = narrow(cell // judges, len(panel.tasks)), narrow(cell % judges, judges)
    if ask.effects is None:
        sums = {"": cell_sums(units, *first_sums(units, ask.centre))}
        given = values_given(units) if ask.given else None
        return SomeCells(panel.tasks, panel.judges, *at, sums, met(units), given)
    place, values = {name: k for k, (name, _) in enumerate(ask.effects)}, np.array([e for _, e in ask.effects])
    effects = values[numbers(panel.judges, place)]
    known = Known(judges, ask.centre, units.behind, fitted=(effects, np.zeros(judges, np.int64)))
    sums = {}
    for text in ask.methods:
        adds = cast(AdditiveByJudge, by_judge(table.parse(text, "scores", "judges")))
        sums[text] = cell_sums(units, *adds.sums(units, known))
    return SomeCells(panel.tasks, panel.judges, *at, sums, {}, None)


class CellRows:
    """What :class:`~quorate.scale.scanned_panel.Elsewhere` knows of judges of scores: see there."""

    scan: Any
    tasks: Any
    judges: tuple[Hashable, ...]
    number: dict[Hashable, int]
    columns: Any
    centre: Any
    without: tuple[Hashable, ...]
    _plain: tuple[str, ...]
    _each: Any
    judged_by: tuple[str, ...] = ()  # methods of judges that will be asked for

    @cached_property
    def _begin(self) -> Array:
        """Where the cells of every task begin, and how many there are."""
        return np.append(0, np.cumsum(self.columns["judges"]))

    @cached_property
    def _where(self) -> tuple[Array, Array]:
        """The task and judge of every cell; the judges are filled in as pieces are done."""
        task = np.repeat(np.arange(len(self.tasks), dtype=np.int32), self.columns["judges"])
        return task, np.zeros(len(task), np.min_scalar_type(max(len(self.judges) - 1, 0)))

    @cached_property
    def _by_judge(self) -> tuple[Array, Array, Array]:
        """The place of every cell by judge and task, the tasks of cells in that order, and where judges begin."""
        task, judge = self._where
        order = np.argsort(judge, kind="stable").astype(small(len(judge)))
        place = np.empty(len(order), order.dtype)
        place[order] = np.arange(len(order), dtype=order.dtype)
        return place, task[order], np.append(0, np.cumsum(np.bincount(judge, minlength=len(self.judges))))

    def _filled(self, ask: CellAsk, width: Mapping[str, int]) -> tuple[dict[str, Array], list[SomeCells]]:
        """The sums of all cells at their places, and what else pieces told, without these."""
        place = {name: k for k, name in enumerate(self.judges)}
        out = {text: np.zeros((int(self._begin[-1]), size)) for text, size in width.items()}
        rest = []
        for _, found in self._each("cells", some_cells, ask):
            task = found.task.astype(np.int64)
            first = np.searchsorted(task, task)  # of the task's cells, which are neighbours
            at = self._begin[numbers(found.tasks, self.number)[task]] + np.arange(len(task)) - first
            if ask.effects is None:
                self._where[1][at] = numbers(found.judges, place)[found.judge]
            else:
                at = self._by_judge[0][at]
            for text, sums in found.sums.items():
                out[text][at] = sums
            rest.append(replace(found, tasks=(), task=task[:0], judge=task[:0], sums={}))
        return out, rest

    @cached_property
    def _ask(self) -> CellAsk:
        return CellAsk("scores", "judges", (), plain=self._plain, without=self.without, centre=self.centre)

    @cached_property
    def known(self) -> Known:
        """What all scores tell first."""
        place, size = {name: k for k, name in enumerate(self.judges)}, len(self.judges)
        wanted = any(_adds(text).values for text in self.judged_by)
        sums, rest = self._filled(replace(self._ask, given=wanted), {"": FIRST})
        both: dict[float, Array] = {}
        given = list[tuple[Array, Array, Array]]()
        for found in rest:
            own = numbers(found.judges, place)
            for n, times in found.both.items():
                both.setdefault(n, np.zeros((size, size)))[np.ix_(own, own)] += times
            if found.given is not None:
                given = [_counted([*given, (own[found.given[0]], *found.given[1:])])]
        whole = summed(self._where[1], sums[""], size)
        return Known(size, self.centre, np.ones(size, np.int64), whole, both, given[0] if given else None)

    def cells(self, method: Method) -> tuple[Known, JudgeCells]:
        """What each judge's scores on every task add up to, by a method: held with those found in the same pass."""
        text, known = str(method), self.known
        if text not in self._held:
            self._held.clear()
            some = next(own for own in passes(self.judged_by, int(self._begin[-1]), self.scan.memory) if text in own)
            effects = tuple(zip(self.judges, known.effects.tolist(), strict=True))
            ask = replace(self._ask, methods=some, effects=effects)
            sums, _ = self._filled(ask, {own: _adds(own).width for own in some})
            task, begin = self._by_judge[1:]
            self._held |= {own: JudgeCells(task, begin, each) for own, each in sums.items()}
        return known, self._held[text]

    @cached_property
    def _held(self) -> dict[str, JudgeCells]:
        return {}

    @cached_property
    def tasks_of_judge(self) -> Array:
        """How many tasks each judge did."""
        self.known  # noqa: B018  # which fills the judges in
        return np.bincount(self._where[1], minlength=len(self.judges))


def passes(methods: Sequence[str], cells: int, memory: int) -> list[tuple[str, ...]]:
    """The methods whose numbers of so many cells are found in one pass over the files, pass by pass."""
    out, left = list[list[str]](), 0
    for text in methods:
        size = cell_bytes(text) * cells
        if not out or size > left:
            out.append([])
            left = memory // SHARE
        out[-1].append(text)
        left -= size
    return [tuple(some) for some in out]


def cell_bytes(text: str) -> int:
    """What a method's numbers of a cell take."""
    return 8 * _adds(text).width


def _adds(text: str) -> AdditiveByJudge:
    return cast(AdditiveByJudge, by_judge(table.parse(text, "scores", "judges")))


def _counted(given: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """How often judges gave every value, of several pieces together."""
    judge, value, times = (np.concatenate(column) for column in zip(*given, strict=True))
    order = np.lexsort((value, judge))
    judge, value, times = judge[order], value[order], times[order]
    new = np.ones(len(judge), bool)
    new[1:] = (judge[1:] != judge[:-1]) | (value[1:] != value[:-1])
    if int(new.sum()) > DISTINCT:
        fact = f"scores have more than {DISTINCT:,} different values, which scale_use counts one by one."
        raise LimitReached(fact, "name other methods, such as --method peer_correlation.")
    begin = np.flatnonzero(new)
    return judge[begin], value[begin], np.add.reduceat(times, begin)
