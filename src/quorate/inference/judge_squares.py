"""Judge x judge: how much every two judges agree, task by task, of a panel or of many copies of it.

Of orderings tau-b, of groupings a measure of two partitions, of scores the product of the two judges' standard scores
(so that the mean over units that all judges scored is Pearson's correlation), of labels whether the two are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import used
from quorate.kernels.row_pairs import few_meet, met, row_pairs
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.pairs import VoteDesign
from quorate.panel.score_design import ScoreDesign
from quorate.panel.stacks import OrderingDesign
from quorate.panel.units import Units
from quorate.table import Method

Array = NDArray[Any]
Compared = OrderingDesign | GroupingDesign | ScoreDesign | VoteDesign  # kinds whose judges are compared two by two
LABELS = 50  # different ones; of more no two judges are compared


@dataclass(frozen=True, eq=False)
class JudgeSquares:
    """Sums of agreement of every two judges, and of how much: ``[copy, task, judge, judge]``; 0 with oneself."""

    total: Array
    number: Array

    @property
    def mean(self) -> Array:
        """The mean over all that two judges both did, ``[copy, judge, judge]``; NaN where that is nothing."""
        return quotient(self.total.sum(axis=1), self.number.sum(axis=1))

    def exchanged(self, rng: np.random.Generator) -> Array:
        """The same of the first copy with judges' names exchanged among those who did a task, ``[1, judge, judge]``.

        What two judges agree on a task stays; who they are on the next one does not.
        """
        there, judges = self._there, self.total.shape[2]
        order = np.argsort(rng.random(there.shape) if self._everywhere else self._keys(rng), axis=1)
        if not self._everywhere:  # judges who did a task change places with one another, the others stay
            other, order = order, np.empty_like(order)
            np.put_along_axis(order, np.argsort(~there, axis=1, kind="stable"), other, axis=1)
        first, second = np.triu_indices(judges, 1)  # what two agree is the same both ways
        row = (np.arange(len(order))[:, None] * judges + order) * judges
        place = row.take(first, axis=1) + order.take(second, axis=1)
        total = _sum(self.total[0], place)
        number = len(there) if self._everywhere else _sum(self.number[0], place)
        out = np.full((1, judges, judges), np.nan)
        out[0, first, second] = out[0, second, first] = quotient(total, number)
        return out

    def _keys(self, rng: np.random.Generator) -> Array:
        """What puts the judges of a task in any order, those who did not do it last."""
        return np.where(self._there, rng.random(self._there.shape), 2.0)

    @cached_property
    def _everywhere(self) -> bool:
        """Whether every two judges of the first copy are compared once on every task."""
        return bool((self.number[0] == 1 - np.eye(self.number.shape[2])).all())

    @cached_property
    def _there(self) -> Array:
        """Which judges did which tasks of the first copy, ``[task, judge]``."""
        return np.asarray(self.number[0].any(axis=2))


def _sum(each: Array, place: Array) -> Array:
    return np.asarray(each.ravel().take(place).sum(axis=0))


def judge_squares(method: Method, design: Compared, copies: int = 1) -> JudgeSquares:
    """The agreement of every two judges of a design that holds so many copies of a panel."""
    judges, tasks = len(design.judges), len(design.tasks)
    if isinstance(design, ScoreDesign):
        pairs = None if design.measured or tasks > 1 else _meetings(design.parts)
        there = used(np.concatenate([p.task for p in design.parts]))  # few, where units were drawn of very many
        found = [_of_labels(p, *pairs) if pairs else _of_scores(p, there, design.measured) for p in design.parts]
        return JudgeSquares(*(np.stack(x) for x in zip(*found, strict=True)))
    if isinstance(design, VoteDesign):
        from quorate.votes.camp_model import alike

        return JudgeSquares(*(each[:, None] * ~np.eye(judges, dtype=bool) for each in alike(design)))
    total = np.zeros((tasks, judges, judges))
    number = np.zeros((tasks, judges, judges))
    for at, who, square in _parts(method, design):
        known = np.isfinite(square) & ~np.eye(square.shape[1], dtype=bool)
        cells = at[:, None, None], who[:, :, None], who[:, None, :]
        total[cells] = np.where(known, square, 0.0)
        number[cells] = known
    shape = (copies, tasks // copies, judges, judges)
    return JudgeSquares(total.reshape(shape), number.reshape(shape))


def _parts(method: Method, design: OrderingDesign | GroupingDesign) -> Iterator[tuple[Array, Array, Array]]:
    """Tasks, judges of each, and the agreement of every two of these."""
    if isinstance(design, OrderingDesign):
        from quorate.orderings.pairwise import PAIRWISE

        for part in design.compared.parts:
            yield part.tasks, part.judges, PAIRWISE["tau_b"].square(part.positions)
    else:
        from quorate.groupings.pairwise import mean_square

        for group in design.parts:
            yield group.tasks, group.judges, mean_square(method, group.labels)


def _meetings(parts: Sequence[Units]) -> tuple[Array, Array] | None:
    """Every two answers to one unit, the same in all copies of a panel; None where nearly all judges did every unit."""
    units = parts[0]
    same = all(p.unit is units.unit and p.judge is units.judge for p in parts)
    return row_pairs(units.unit) if same and few_meet(units.unit, len(units.judges)) else None


def _of_labels(units: Units, first: Array, second: Array) -> tuple[Array, Array]:
    """The same of labels of one task, from every two answers to one unit, ``[1, judge, judge]``."""
    one, two, judges = units.judge[first], units.judge[second], len(units.judges)
    alike = (units.value[first] == units.value[second]).astype(float)
    return met(one, two, judges, alike)[None], met(one, two, judges)[None]


def _of_scores(units: Units, tasks: Array, measured: bool) -> tuple[Array, Array]:
    """Sums and numbers of units of these tasks, ``[task, judge, judge]``."""
    judges = len(units.judges)
    x = units.matrix()
    there = (~np.isnan(x)).astype(float)
    off = 1.0 - np.eye(judges)
    sides = [_standard(x, there)] if measured else [(x == v).astype(float) for v in np.unique(units.value)[:LABELS]]
    total, number = (np.zeros((len(tasks), judges, judges)) for _ in range(2))
    for k, t in enumerate(tasks.tolist()):
        mine = units.task == t
        total[k] = sum(side[mine].T @ side[mine] for side in sides) * off
        number[k] = there[mine].T @ there[mine] * off
    return total, number


def _standard(x: Array, there: Array) -> Array:
    """Every judge's scores less their mean, divided by their spread; 0 where there is none, or no spread."""
    number = np.maximum(there.sum(axis=0), 1.0)
    filled = np.where(there > 0, x, 0.0)
    apart = np.where(there > 0, x - filled.sum(axis=0) / number, 0.0)
    spread = np.sqrt((apart**2).sum(axis=0) / number)
    return np.asarray(np.divide(apart, spread, out=np.zeros(x.shape), where=spread > 1e-12))
