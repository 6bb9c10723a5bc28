"""Scores of systems: which system made each unit, on which input, and tables of input x system.

Without a column ``system`` the items are the systems. An input is a task; where there is one task only and systems
share its items (documents, prompts), an input is an item.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.inference.board import Board, board, drawn_board
from quorate.inference.resample import stream
from quorate.inference.results import Options, Overall
from quorate.panel.kinds import Scores
from quorate.panel.units import Units

Array = NDArray[Any]
DRAWS = 300  # other judges drawn, where there is one input only
CELLS = 5 * 10**7  # scores drawn for them, about
FEWEST = 50  # of them, however many scores there are
ROWS = 2_000_000  # scores that counts may stand for


@dataclass(frozen=True, eq=False)
class Outputs:
    """Units of one criterion, each with the system that made it and the input it was made for."""

    units: Units
    system: Array  # [unit] code into ``systems``
    systems: tuple[Hashable, ...]
    input: Array  # [unit] code into ``inputs``
    inputs: tuple[Hashable, ...]
    by: str  # what inputs are: tasks or items
    named: bool  # whether there is a column of systems

    @property
    def called(self) -> str:
        """What sentences call them: without a column of systems they are items."""
        return "system" if self.named else "item"

    def table(self, values: Array) -> Array:
        """Values of units as means ``[input, system]``, NaN where there is none."""
        return tabled(values, self.input, self.system, (len(self.inputs), len(self.systems)))

    def labels(self) -> dict[str, Any]:
        """The criterion as a label, where there is one."""
        return {} if self.units.criterion is None else {"criterion": self.units.criterion}


def tabled(values: Array, row: Array, column: Array, shape: tuple[int, int]) -> Array:
    """Means of values by row and column, NaN where there is none."""
    there = ~np.isnan(values)
    cell = (row * shape[1] + column)[there]
    number = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(cell, values[there], shape[0] * shape[1]).reshape(shape)
    return divided(total, number)


def divided(total: Array, number: Array) -> Array:
    """A quotient, NaN where there is nothing to divide by."""
    return np.asarray(np.divide(total, number, out=np.full(np.shape(total), np.nan), where=np.asarray(number) > 0))


def outputs(panel: Scores, units: Units) -> Outputs:
    """The units with their systems and inputs."""
    first = cast(Array, units.row)[np.searchsorted(units.unit, np.arange(units.size))]
    label = panel.labels.get("system")
    coded = label if label is not None else panel.item
    system = coded.codes[first].astype(np.int64)
    if label is not None and len(panel.tasks) == 1 and _shared(units.item, system):
        return Outputs(units, system, coded.ids, units.item, panel.items, "items", True)
    return Outputs(units, system, coded.ids, units.task, panel.tasks, "tasks", label is not None)


def _shared(item: Array, system: Array) -> bool:
    """Whether some item was given to several systems."""
    pairs = np.unique(np.stack([item, system]), axis=1)
    return bool(pairs.shape[1] > len(np.unique(item)))


def expanded(units: Units) -> Units:
    """Rows that stand for several judges as so many rows."""
    if units.count is None:
        return units
    if units.count.sum() > ROWS:
        raise LimitReached(
            f"the counts stand for {int(units.count.sum()):,} scores, too many to take one by one.",
            f"at most {ROWS:,}; divide all counts by the same number.",
        )
    times = np.repeat(np.arange(len(units)), units.count.astype(np.int64))
    row = None if units.row is None else units.row[times]
    return replace(
        units, unit=units.unit[times], judge=units.judge[times], value=units.value[times], count=None, row=row
    )


Estimate = Callable[[Units], Array]


def leaderboard(made: Outputs, values: Array, again: Estimate, options: Options, *names: object) -> Board:
    """Systems by their mean over inputs; of a single input, over judges drawn anew (``again`` gives their values).

    Then a system with one judge has no interval and no p: nobody can tell what another judge would say of it.
    """
    table = made.table(values)
    if len(made.inputs) > 1:
        return board(
            table, *names, made.units.criterion, seed=options.seed, level=options.level, resamples=options.resamples
        )
    units, votes = voters(made.units)
    judges = _of_each(made, units, votes)
    lots = np.repeat(np.arange(len(votes)), votes)
    number = min(options.resamples, DRAWS, max(CELLS // max(len(made.units), 1), FEWEST))
    drawn = np.full((1, table.shape[1]), np.nan)
    if len(lots) > 2 and number:
        rng = stream(options.seed, "judges", *names, units.criterion)
        draws = (lots[rng.integers(len(lots), size=len(lots))] for _ in range(number))
        drawn = np.stack([made.table(again(redrawn(units, d)))[0] for d in draws])
    drawn[:, judges < 2] = np.nan
    scale = (float(units.value.min()), float(units.value.max())) if len(units) else None
    return drawn_board(table[0], drawn, options.level, "judges", scale, judges)


def voters(units: Units) -> tuple[Units, Array]:
    """One row for each judge and unit, and how many judges each judge stands for, ``[judge]``.

    Where a judge's rows stand for now more and now fewer judges nobody can tell who they are: each name is one judge.
    """
    size = max(units.size, 1)
    key, first, times = np.unique(units.judge * size + units.unit, return_index=True, return_counts=True)
    votes = np.zeros(len(units.judges), np.int64)
    np.maximum.at(votes, key // size, times)
    if (times == votes[key // size]).all():
        keep = np.zeros(len(units), bool)
        keep[first] = True
        return units.kept(keep), votes
    return units, np.minimum(votes, 1)


def _of_each(made: Outputs, units: Units, votes: Array) -> Array:
    """How many judges scored each system."""
    pairs = np.unique(np.stack([made.system[units.unit], units.judge]), axis=1)
    return np.bincount(pairs[0], votes[pairs[1]], len(made.systems)).astype(np.int64)


def redrawn(units: Units, judges: Array) -> Units:
    """The units as these judges saw them; a judge drawn twice counts as two."""
    order = np.argsort(units.judge, kind="stable")
    begin = np.searchsorted(units.judge[order], np.arange(len(units.judges) + 1))
    size = np.diff(begin)[judges]
    who = np.repeat(np.arange(len(judges)), size)
    within = np.arange(len(who)) - np.repeat(np.cumsum(size) - size, size)
    row = order[np.repeat(begin[judges], size) + within]
    sort = np.lexsort((who, units.unit[row]))
    row = row[sort]
    return replace(
        units,
        unit=units.unit[row],
        judge=who[sort],
        value=units.value[row],
        judges=tuple(judges.tolist()),
        row=None if units.row is None else units.row[row],
    )


def clusters(p: Array, order: list[int], level: float = 0.05) -> list[int]:
    """Significance clusters, numbered from 1: a new one begins where all above differ from all below.

    >>> p = np.array([[1, 0.5, 0.01], [0.5, 1, 0.01], [0.01, 0.01, 1]])
    >>> clusters(p, [0, 1, 2])
    [1, 1, 2]
    """
    same = ~(p[np.ix_(order, order)] < level)
    np.fill_diagonal(same, True)
    reach = np.maximum.accumulate(len(order) - 1 - np.argmax(same[:, ::-1], axis=1))  # the last one not told apart
    begins = np.append(True, reach[:-1] < np.arange(1, len(order)))
    out = np.empty(len(order), np.int64)
    out[order] = np.cumsum(begins)
    return out.tolist()


def overall(made: Outputs, ranking: Board) -> list[Overall]:
    """A row per system, best first, with its group of systems that do not differ significantly."""
    best = ranking.order[0]
    cluster = clusters(ranking.p, ranking.order) if ranking.tested else [1] * len(made.systems)
    rows = []
    for s in ranking.order:
        if ranking.tasks[s]:
            p = float(ranking.p[best, s])
            labels = {"system": made.systems[s], **made.labels(), "group": ranking.letters[s], "cluster": cluster[s]}
            labels |= {"tasks": int(ranking.tasks[s]), "p_best": None if np.isnan(p) else p}
            rows.append(Overall(float(ranking.means[s]), ranking.intervals[s], labels=labels, least=ranking.least))
    return rows
