"""What coefficients of agreement share: quotients, correction for chance, and what a value rests on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.units import Units

Array = NDArray[Any]


def share(above: Array, below: Array) -> Array:
    """``above / below``, NaN where there is nothing below."""
    ok = below > 0
    return np.asarray(np.divide(above, below, out=np.full(np.shape(below), math.nan), where=ok))


def corrected(seen: Array, chance: Array) -> Array:
    """Agreement beyond chance, ``(seen - chance) / (1 - chance)``; NaN where chance agrees always."""
    room = 1 - chance
    ok = room > 1e-12
    return np.asarray(np.divide(seen - chance, room, out=np.full(np.shape(room), math.nan), where=ok))


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
    codes, group = np.unique(units.task, return_inverse=True)
    group, size, held = group.ravel(), len(codes), units.held
    cell, place = np.unique(group[units.unit] * np.int64(len(units.judges)) + units.judge, return_inverse=True)
    behind = np.zeros(len(cell))
    np.maximum.at(behind, place.ravel(), units.mass)
    columns = {
        "units": np.bincount(group, held > 1, size),
        "single": np.bincount(group, held == 1, size),
        "judges": np.bincount(cell // max(len(units.judges), 1), behind, size),
        "values": np.bincount(group, held, size),
    }
    return {n: column.astype(np.int64).tolist() for n, column in columns.items()}
