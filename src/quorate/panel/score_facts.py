"""What figures of scores rest on: units that several judges scored, judges, values; of all, and of every task."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import renumbered, used
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion

Array = NDArray[Any]


@dataclass(frozen=True)
class ScoreFacts:
    """What sentences need to know of the scores of a criterion."""

    criterion: Hashable | None
    size: int  # units
    single: int  # units that one judge scored
    shared: int  # units that several did
    values: int
    same: float | None = None  # the score that all have, where they have one
    counted: bool = False  # whether some rows stand for several judges

    @classmethod
    def of(cls, units: Units) -> Self:
        """The facts of some units."""
        held, value = units.held, units.value
        same = float(value[0]) if len(units) and (value == value[0]).all() else None
        number = int((held == 1).sum()), int((held > 1).sum()), len(units)
        return cls(units.criterion, units.size, *number, same, units.count is not None)


def score_facts(panel: Scores) -> list[ScoreFacts]:
    """The facts of every criterion."""
    if panel.elsewhere is not None:
        found: list[ScoreFacts] = panel.elsewhere.score_facts
        return found
    return [ScoreFacts.of(units) for units in by_criterion(panel)]


def inside(units: Units) -> dict[str, Any]:
    """What a value rests on: units that at least two judges scored, judges, values; all those behind counts."""
    held = units.held
    return {
        "units": int((held > 1).sum()),
        "single": int((held == 1).sum()),
        "judges": int(units.behind.sum()),
        "values": int(held.sum()),
    }


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
