"""Means over tasks, of rows that belong together, in every draw: tasks that lack a row count for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.weights import blocks
from quorate.kernels.defined import quotient
from quorate.panel.design import Values

Array = NDArray[Any]
TABLE = 4  # times as many cells of tasks and figures as rows, up to which a table of them pays


def groups(values: Values) -> tuple[Array, dict[str, Array]]:
    """The figure that each row belongs to, and the keys of every figure: rows that differ only in the task are one."""
    others = [n for n in values.keys if n != "task"]
    if not others:
        return np.broadcast_to(np.int64(0), values.array.shape[1]), {}
    code = np.zeros(values.array.shape[1], np.int64)
    for n in others:
        code = code * (int(values.keys[n].max(initial=0)) + 1) + values.keys[n]
    if (code[1:] > code[:-1]).all():  # rows of one task: each is a figure, and they are in order
        return np.arange(len(code)), {n: values.keys[n] for n in others}
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    return group.ravel(), {n: values.keys[n][first] for n in others}


def nested(values: Values, units: Array) -> Values:
    """The values with what each counts in a mean of means: of units, of the units in them, down to the tasks.

    ``units[level, task]`` are numbers of the units that a task belongs to, the outermost first. A unit in which nothing
    is defined does not count; the others count the same, whatever they hold.
    """
    if "task" not in values.keys or not len(units):
        return values
    figure, _ = groups(values)
    task, defined = values.keys["task"], np.isfinite(values.array)
    mass = np.ones(values.array.shape)
    below = np.unique(np.stack([figure, task]), axis=1, return_inverse=True)[1].ravel()  # each row, by itself
    for level in units[::-1]:
        above = np.unique(np.stack([figure, level[task]]), axis=1, return_inverse=True)[1].ravel()
        first = np.unique(below, return_index=True)[1]  # a row for each unit below
        some = np.stack([_summed(own, below) > 0 for own in defined])
        number = np.stack([_summed(own, above[first]) for own in some])
        mass /= np.maximum(number[:, above], 1)
        below = above
    return replace(values, mass=mass if values.mass is None else mass * values.mass)


def _summed(values: Array, group: Array) -> Array:
    return np.bincount(group, values, int(group.max(initial=-1)) + 1)


def over_tasks(values: Values, tasks: Array | None = None, sums: tuple[Array, Array] | None = None) -> Array:
    """Each figure's mean over the tasks where it is defined, ``[draw, figure]``; tasks as often as they were drawn.

    ``sums`` are those of :func:`task_sums`, where they were made before.
    """
    if "task" not in values.keys:
        return values.array
    group, others = groups(values)
    if not len(group):
        return np.zeros((len(values.array), 0))
    if tasks is None and values.mass is None and len(group) == int(group[-1]) + 1 and (group[1:] > group[:-1]).all():
        return values.array.astype(float, copy=False)  # means of one row each
    if tasks is not None and (sums := sums or task_sums(values)) is not None:
        total, of = sums
        tasks = tasks[:, : len(of)]
        below = tasks @ of
        return quotient(tasks @ total, below)
    order: Any = np.argsort(group, kind="stable") if others else slice(None)  # one figure's rows are as they are
    starts = np.flatnonzero(np.diff(group[order], prepend=-1)) if others else np.zeros(1, np.int64)
    task, array = values.keys["task"][order], values.array[:, order]
    mass = None if values.mass is None else values.mass[:, order]
    draws = len(array) if tasks is None else len(tasks)
    out = np.empty((draws, len(starts)))
    for some in blocks(draws, len(group)):
        v = array[some] if len(array) > 1 else array
        there = ~np.isnan(v)
        weight = there.astype(float) if tasks is None else there * tasks[some][:, task]
        if mass is not None:
            weight = weight * (mass[some] if len(mass) > 1 else mass)
        seen = np.where(weight > 0, v, 0.0)
        seen *= weight
        out[some] = quotient(np.add.reduceat(seen, starts, axis=1), np.add.reduceat(weight, starts, axis=1))
    return out


def task_sums(values: Values) -> tuple[Array, Array] | None:
    """What each task adds to every figure, and what it counts, ``[task, figure]``: products with draws are all means.

    None of values that draws change, and where there would be many more cells than rows.
    """
    task, (group, others) = values.keys["task"], groups(values)
    if len(values.array) > 1 or (values.mass is not None and len(values.mass) > 1):
        return None
    figures = int(group.max()) + 1 if others else 1
    if (int(task.max()) + 1) * figures > TABLE * len(group):
        return None
    there = ~np.isnan(values.array[0])
    weight = there.astype(float) if values.mass is None else there * values.mass[0]
    total, of = (np.zeros((int(task.max()) + 1, figures)) for _ in range(2))
    of[task, group] = weight
    seen = np.where(weight > 0, values.array[0], 0.0)
    seen *= weight
    total[task, group] = seen
    return total, of
