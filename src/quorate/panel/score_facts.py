"""What figures of scores rest on: units that several judges scored, judges, values; of all, and of every task."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import renumbered, used
from quorate.panel.base import Panel, remembered
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion

Array = NDArray[Any]
SORTED = 10  # units on which judges differ, of fewer labels may be in order by luck
RARE, RARE_SHARE = 20, 0.25  # units with another label than the usual one, of fewer of which intervals rest on them
WAYS = 3  # in which they differ, at least: a strict and a lenient judge differ in one


@dataclass(frozen=True)
class ScoreFacts:
    """What sentences need to know of the scores of a criterion."""

    criterion: Hashable | None
    size: int  # units
    single: int  # units that one judge scored
    shared: int  # units that several did
    values: int
    same: float | None = None  # the score that all have, where they have one
    apart: int | None = None  # units on which somebody gives another score than the usual one; None where not counted
    counted: bool = False  # whether some rows stand for several judges

    @classmethod
    def of(cls, units: Units) -> Self:
        """The facts of some units."""
        held, value = units.held, units.value
        same = float(value[0]) if len(units) and (value == value[0]).all() else None
        number = int((held == 1).sum()), int((held > 1).sum()), len(units)
        return cls(units.criterion, units.size, *number, same, apart(units), units.count is not None)


def score_facts(panel: Scores) -> list[ScoreFacts]:
    """The facts of every criterion."""
    if panel.elsewhere is not None:
        found: list[ScoreFacts] = panel.elsewhere.score_facts
        return found
    return [ScoreFacts.of(units) for units in by_criterion(panel)]


def labels_sorted(panel: Panel) -> bool:
    """Whether the labels of every unit stand in order across the judges: they were sorted, and who said what is lost.

    Judges who differ do not do so: of labels without an order, which differ on many units and in several ways, the
    earlier one of two comes from the same judge as often as not. Textbooks print such tables (Fleiss 1971).
    """
    if not isinstance(panel, Scores) or not panel.scale or panel.ordered or panel.elsewhere is not None:
        return False
    return remembered(panel, "_labels_sorted", lambda p: all(_in_order(units) for units in by_criterion(p)))


def _in_order(units: Units) -> bool:
    """Whether one order of the judges puts the labels of all units in order, on units enough to tell."""
    number = np.maximum(np.bincount(units.judge, minlength=len(units.judges)), 1)
    mean = np.bincount(units.judge, units.value, len(units.judges)) / number
    rows = np.lexsort((mean[units.judge], units.unit))
    unit, value = units.unit[rows], units.value[rows]
    step = np.flatnonzero(unit[1:] == unit[:-1])
    before, after = value[step], value[step + 1]
    differ = before != after
    ways = np.unique(np.stack([before, after])[:, differ], axis=1).shape[1]
    several = len(np.unique(unit[step][differ])) >= SORTED and ways >= WAYS
    return bool(several and len(used(units.judge)) > 2 and (before <= after).all())


def inside(units: Units) -> dict[str, Any]:
    """What a value rests on: units that at least two judges scored, judges, values; all those behind counts."""
    held = units.held
    return {
        "units": int((held > 1).sum()),
        "single": int((held == 1).sum()),
        "judges": int(units.behind.sum()),
        "values": int(held.sum()),
    }


def apart(units: Units) -> int:
    """The units, of those with several judges, on which somebody gives another score than the one most often given."""
    several = units.held[units.unit] > 1
    value, code = np.unique(units.value[several], return_inverse=True)
    usual = np.bincount(code.ravel(), units.mass[several], len(value))
    return len(used(units.unit[several][code.ravel() != usual.argmax()])) if len(value) else 0


def resting(units: Units) -> dict[str, Array]:
    """The units that an interval of labels rests on where nearly all judges give nearly all units the same one: what
    others add does not vary."""
    number = apart(units)
    return {"items": np.array([number])} if rare(number, int((units.held > 1).sum())) else {}


def rare(number: int, of: int) -> bool:
    """Whether so few of the units hold another label than the usual one that intervals rest on these few."""
    return number < RARE and number <= RARE_SHARE * of


def inside_by_task(units: Units) -> dict[str, list[int]]:
    """The same of every task, in the order of the tasks' codes."""
    group, held = renumbered(units.task), units.held
    size, every = int(group.max(initial=-1)) + 1, group[units.unit] * np.int64(len(units.judges)) + units.judge
    cell = used(every)
    behind = np.ones(len(cell))
    if units.count is not None:
        np.maximum.at(behind, np.searchsorted(cell, every), units.count)
    columns = {
        "units": np.bincount(group, held > 1, size),
        "single": np.bincount(group, held == 1, size),
        "judges": np.bincount(cell // max(len(units.judges), 1), behind, size),
        "values": np.bincount(group, held, size),
    }
    return {n: column.astype(np.int64).tolist() for n, column in columns.items()}
