"""Intraclass correlations of every task by itself: tasks with as many complete units and judges at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import anova
from quorate.scores.icc import correlation, tested
from quorate.scores.units import Units

Array = NDArray[Any]


def icc_by_task(units: Units, model: int, unit: str) -> tuple[Array, list[dict[str, Any]]]:
    """Model 2 or 3 on each task's complete units, with its F test, in the order of the tasks' codes."""
    size = len(np.unique(units.task))
    values = np.full(size, math.nan)
    told: list[dict[str, Any]] = [{} for _ in range(size)]
    for tasks, table in _tables(units, size):
        squares = anova.two_way_tables(table)
        rows, judges = table.shape[1:]
        values[tasks] = correlation(squares, model, unit)
        test = tested(squares, rows, (rows - 1) * (judges - 1), model, unit)
        for k, each in zip(tasks.tolist(), test, strict=True):
            told[k] = {"complete_units": rows, **each}
    return values, told


def _tables(units: Units, size: int) -> Iterator[tuple[Array, Array]]:
    """Numbers of tasks whose tables have one shape, and the tables, ``[task, unit, judge]``.

    Complete is a unit that every judge scored who scored any of the task.
    """
    group = np.unique(units.task, return_inverse=True)[1].ravel()
    judges = len(units.judges)
    key = np.unique(group[units.unit] * np.int64(judges) + units.judge)
    there = np.bincount(key // max(judges, 1), minlength=size)  # judges of a task
    whole = (units.per_unit == there[group]) & (there[group] > 1)
    number = np.bincount(group, whole, size).astype(np.int64)
    shape = np.where(there > 1, there, 1) * np.int64(units.size + 1) + number
    kept = whole[units.unit]
    value, owner = units.value[kept], group[units.unit[kept]]  # sorted by task, unit and judge
    start = np.searchsorted(owner, np.arange(size))
    for each in np.unique(shape).tolist():
        tasks = np.flatnonzero(shape == each)
        k, n = (int(x) for x in divmod(each, units.size + 1))
        cells = start[tasks][:, None] + np.arange(n * k)
        yield tasks, value[cells].reshape(len(tasks), n, k) if n else np.zeros((len(tasks), 0, k))
