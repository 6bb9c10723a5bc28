"""Numbers that add up over the scores of a judge on a task, and what they all together tell before.

A figure of a judge that is made of such sums (:class:`AdditiveByJudge`) needs a row for every judge and task, as often
as the task was drawn; the scores themselves may be in files. Some need to know first what all scores together tell: how
strict each judge is, which is found from sums as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import additive
from quorate.kernels.group_sums import used
from quorate.panel.coefficient import Coefficient
from quorate.panel.units import Units, rows_of
from quorate.table import Method

Array = NDArray[Any]
FIRST = 4  # numbers of a cell that are known first


@dataclass(frozen=True)
class AdditiveByJudge:
    """Numbers of scores that add up to those of a judge, and what a method makes of their sums.

    The first number is positive where there is anything to tell. ``of`` is given the sums of draws, and those of the
    panel as it is; ``told`` what is told beside each judge's value.
    """

    sums: Callable[[Units, Known], tuple[Array, Array]]  # rows of the units, and [row, number] of them
    of: Callable[[Array, Array], Array]  # ([draw, number], [number]) -> values[draw]
    told: Callable[[Array, Array, Known], Mapping[str, Sequence[Any]]]  # of values[judge] and sums[judge, number]
    width: int  # how many numbers there are
    count: int = 0  # which of the numbers counts scores
    least: int = 1  # scores, of fewer there is no value
    first: bool = False  # whether it must be known first how all scores spread
    effects: bool = False  # and how strict each judge is
    values: bool = False  # whether it must be known how often each judge gave every value
    about: Callable[[Known], Mapping[str, Any]] = lambda known: {}


@dataclass(frozen=True, eq=False)
class Known:
    """What all scores together tell: sums over cells, and of every judge."""

    judges: int
    centre: float
    behind: Array  # [judge] how many each name stands for
    sums: Array = field(default_factory=lambda: np.zeros((0, FIRST)))  # [judge, number]
    both: Mapping[float, Array] = field(default_factory=dict)
    given: tuple[Array, Array, Array] | None = None  # judge, value, and how often the judge gave it, in this order
    fitted: tuple[Array, Array] | None = None  # effects and parts, where they are known already

    @cached_property
    def _fit(self) -> tuple[Array, Array]:
        if self.fitted is not None:
            return self.fitted
        effect, part = additive.solved(self.sums[:, 0], self.sums[:, 1], self.both, self.behind)
        several = sum((np.diag(times) for number, times in self.both.items() if number > 1), np.zeros(self.judges))
        return np.where(several > 0, effect, math.nan), part

    @property
    def effects(self) -> Array:
        """How much higher each judge scores, units held equal; NaN for judges who share no unit."""
        return self._fit[0]

    @property
    def part(self) -> Array:
        """The part of judges who are linked by units, ``[judge]``."""
        return self._fit[1]

    @property
    def spread(self) -> float:
        """The standard deviation of all values; 1 where they do not vary."""
        n, _, x, xx = self.sums.sum(axis=0).tolist()
        return math.sqrt(max(xx / n - (x / n) ** 2, 0.0)) or 1.0 if n else 1.0


@dataclass(frozen=True, eq=False)
class JudgeCells:
    """Sums of every judge on every task that the judge did, ``[cell, number]``, by judge and task: those of a judge are
    neighbours, so that no draw copies them."""

    task: Array  # [cell]
    begin: Array  # [judge] the first cell, and how many there are at the end
    sums: Array

    @classmethod
    def of(cls, task: Array, judge: Array, sums: Array, judges: int) -> JudgeCells:
        """From cells by task and judge."""
        order = np.argsort(judge, kind="stable")
        begin = np.append(0, np.cumsum(np.bincount(judge, minlength=judges)))
        return cls(task[order], begin, sums[order])

    @cached_property
    def whole(self) -> Array:
        """Of every judge, ``[judge, number]``."""
        judges = len(self.begin) - 1
        return summed(np.repeat(np.arange(judges), np.diff(self.begin)), self.sums, judges)

    def values(self, adds: AdditiveByJudge, tasks: Array | None) -> Array:
        """What a method makes of the sums, ``[draw, judge]``, as often as tasks were drawn."""
        out = np.full((1 if tasks is None else len(tasks), len(self.begin) - 1), math.nan)
        for j, whole in enumerate(self.whole):
            if whole[adds.count] < adds.least:
                continue
            mine = slice(self.begin[j], self.begin[j + 1])
            total = whole[None] if tasks is None else tasks[:, self.task[mine]] @ self.sums[mine]
            out[:, j] = np.where(total[:, 0] > 0, adds.of(total, whole), math.nan)
        return out


def summed(judge: Array, sums: Array, judges: int) -> Array:
    """Numbers of cells added up over judges, ``[judge, number]``, in the order of tasks."""
    return np.stack([np.bincount(judge, column, judges) for column in sums.T], axis=1)


def places(units: Units) -> tuple[Array, Array]:
    """The cells there are, as task * judges + judge, and that of every row."""
    code = units.task[units.unit] * np.int64(max(len(units.judges), 1)) + units.judge
    cell = used(code)
    return cell, np.searchsorted(cell, code)


def cell_sums(units: Units, rows: Array, each: Array) -> Array:
    """Numbers of rows added up over cells, ``[cell, number]``."""
    cell, place = places(units)
    return np.stack([np.bincount(place[rows], column, len(cell)) for column in each.T], axis=1)


def first_sums(units: Units, centre: float) -> tuple[Array, Array]:
    """What must be known of each row first: 1, how far it is from its unit's mean, and the value and its square."""
    held, x = units.held, units.value - centre
    mean = np.bincount(units.unit, units.mass * units.value, units.size) / np.maximum(held, 1)
    each = np.stack([np.ones(len(x)), units.value - mean[units.unit], x, x * x], axis=1)
    return np.arange(len(x)), each * units.mass[:, None]


def met(units: Units) -> dict[float, Array]:
    """Over units with so many scores, how often those of two judges meet."""
    return additive.shared(units.unit, units.judge, units.held, len(units.judges), units.mass)


def values_given(units: Units) -> tuple[Array, Array, Array]:
    """Judge, value, and how often the judge gave it, by judge and then by value."""
    order = np.lexsort((units.value, units.judge))
    judge, value = units.judge[order], units.value[order]
    new = np.ones(len(order), bool)
    new[1:] = (judge[1:] != judge[:-1]) | (value[1:] != value[:-1])
    begin = np.flatnonzero(new)
    return judge[begin], value[begin], np.diff(np.append(begin, len(order)))


def known_of(units: Units, centre: float, adds: AdditiveByJudge) -> Known:
    """What all these scores tell, as far as it must be known."""
    judges, sums = len(units.judges), np.zeros((0, FIRST))
    if adds.first or adds.effects:
        cell, _ = places(units)
        each = cell_sums(units, *first_sums(units, centre))
        sums = summed(cell % max(judges, 1), each, judges)
    given = values_given(units) if adds.values else None
    known = Known(judges, centre, units.behind, sums, given=given)
    if not adds.effects:
        return known
    if judges <= additive.DENSE:
        return replace(known, both=met(units))
    where = (units.unit, units.judge, units.value, units.size, judges)
    effect, part = additive.judge_effects(*where, units.mass, units.behind)
    several = np.bincount(units.judge, units.held[units.unit] > 1, judges) > 0
    return replace(known, fitted=(np.where(several, effect, math.nan), part))


def by_judge(method: Method) -> AdditiveByJudge | None:
    """How a method's numbers add up over the scores of a judge; None where they do not."""
    found: AdditiveByJudge | None = method.declaration.properties.get("by_judge")
    return found


def coefficient(units: Units, adds: AdditiveByJudge) -> Coefficient:
    """What a method says of every judge, of units drawn each for itself."""
    known, judges = known_of(units, float(units.value[0]) if len(units) else 0.0, adds), len(units.judges)
    rows, each = adds.sums(units, known)
    mine, unit = rows_of(units.judge[rows], judges), units.unit[rows]
    whole = np.stack([np.bincount(units.judge[rows], column, judges) for column in each.T], axis=1)

    def values(weights: Array) -> Array:
        out = np.full((len(weights), judges), math.nan)
        for j, some in enumerate(mine):
            if len(some) >= adds.least:
                total = weights[:, unit[some]] @ each[some]
                out[:, j] = np.where(total[:, 0] > 0, adds.of(total, whole[j]), math.nan)
        return out

    return told(adds, values(np.ones((1, units.size)))[0], whole, known, values, units.size)


def told(
    adds: AdditiveByJudge, values: Array, whole: Array, known: Known, of: Callable[[Array], Array], size: int
) -> Coefficient:
    """Values of the judges with what is told beside them."""
    count = np.rint(whole[:, adds.count]).astype(np.int64)
    details = {"units": count.tolist(), **adds.told(values, whole, known)}
    return Coefficient(of, size, details, rests={"items": count}, about=adds.about(known))


def cells_of(units: Units, known: Known, adds: AdditiveByJudge) -> JudgeCells:
    """The sums of these scores."""
    cell, _ = places(units)
    judges = max(known.judges, 1)
    return JudgeCells.of(cell // judges, cell % judges, cell_sums(units, *adds.sums(units, known)), known.judges)
