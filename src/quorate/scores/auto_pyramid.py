"""What a judge missed: manual scores minus automatic ones in a column ``auto``, as autoPyramid gives them.

``AutoPyramid.panel()`` has that column; any automatic score that a consistent judge should reach will do.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.panel.coefficient import Coefficient
from quorate.panel.columns import number_in
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units
from quorate.scores.judge_sums import from_sums, mean_of, number_of
from quorate.table import Note, method

Array = NDArray[Any]
COLUMN = "auto"


def _missing_more(design: ScoreDesign, core: Any) -> dict[str, list[Any]]:
    """Who clearly misses more than the others: by shuffling who did which task."""
    if not core.options.resamples:
        return {}
    by_task = gaps(design.scores)[1]
    judge, task = np.nonzero(~np.isnan(by_task))
    gap = by_task[judge, task]
    p, named = core.clearly_worse(np.stack([np.ones(len(judge)), gap], axis=1), judge, len(by_task))
    # A gap at or above 0 is no miss, however much higher those of the others are.
    flags = named & (np.bincount(judge, gap, len(by_task)) < 0)
    return {"p": [None if math.isnan(x) else x for x in p.tolist()], "flag": flags.tolist()}


@method(
    "scores",
    "judges",
    "auto_pyramid",
    range=(-math.inf, math.inf),
    higher="the judge misses less of what was accepted elsewhere",
    reference="Owczarzak, Rankel, Dang, Conroy 2012, Figure 1",
    over="tasks",
    more=_missing_more,
    note=Note(
        "Annotators of content: do they miss what was accepted elsewhere, word for word?",
        "Finds only exact strings, so it is a lower bound, and below 0 may also mean strictness.",
        "mean over tasks of the mean over items of (score - automatic score)",
    ),
)
def auto_pyramid(units: Units) -> Coefficient:
    """Score minus the automatic score (column auto), mean over a task's items, then over tasks; below 0 misses."""
    gap = gap_of(units)
    rows = np.flatnonzero(~np.isnan(gap))
    cell, number = _cells(units, rows)
    each = 1 / number[cell]  # every task counts the same, however many items it has
    of = from_sums(units, rows, np.stack([each, each * gap[rows]], axis=1), mean_of)
    by_task = gaps(units)[1]
    details = {"tasks": (~np.isnan(by_task)).sum(axis=1).tolist(), "items": number_of(units, rows).tolist()}
    known = units.panel is not None and COLUMN in units.panel.labels
    about = {"column": known, "without": len(units) - len(rows)}
    rests = {"items": number_of(units, rows), "tasks": np.array(details["tasks"], np.int64)}
    return Coefficient(of, units.size, details, rests=rests, about=about)


def _cells(units: Units, rows: Array) -> tuple[Array, Array]:
    """The judge and task of each of these rows as one number, and how many rows have it."""
    tasks = int(units.task.max(initial=-1)) + 1
    cell = units.judge[rows] * np.int64(tasks) + units.task[units.unit[rows]]
    return cell, np.bincount(cell, minlength=len(units.judges) * tasks)


def gaps(units: Units) -> tuple[Array, Array]:
    """Each judge's mean of task means of score minus ``auto``, and these ``[judge, task]``; NaN where there is none."""
    size = (len(units.judges), int(units.task.max(initial=-1)) + 1)
    gap = gap_of(units)
    rows = np.flatnonzero(~np.isnan(gap))
    cell, number = _cells(units, rows)
    by_task = quotient(np.bincount(cell, gap[rows], len(number)), number).reshape(size)
    seen = ~np.isnan(by_task)
    return quotient(np.where(seen, by_task, 0.0).sum(axis=1), seen.sum(axis=1)), by_task


def gap_of(units: Units) -> Array:
    """Each score minus the automatic one; NaN where there is none."""
    if units.panel is None or COLUMN not in units.panel.labels:
        return np.full(len(units), math.nan)
    label = units.label(COLUMN)
    return np.asarray(units.value - np.array([number_in(i) for i in label.ids])[label.codes])
