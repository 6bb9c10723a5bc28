"""What a judge missed: manual scores minus automatic ones in a column ``auto``, as autoPyramid gives them.

``AutoPyramid.panel()`` has that column; any automatic score that a consistent judge should reach will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import mean_interval, stream
from quorate.inference.results import Options
from quorate.kernels.clearly_worse import clearly_worse, mean_of_sums
from quorate.panel.columns import Coded
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores.judged import Judged
from quorate.scores.systems import divided
from quorate.table import method

Array = NDArray[Any]
COLUMN = "auto"
MISSING = "auto_pyramid: no column auto, the automatic score of each item (`quorate pyramid auto` computes it)"


@method(
    "scores",
    "judges",
    "auto_pyramid",
    range=(-math.inf, math.inf),
    higher="the judge misses less of what was accepted elsewhere",
    reference="Owczarzak, Rankel, Dang, Conroy 2012, Figure 1",
)
def auto_pyramid(panel: Scores, units: Units, options: Options) -> Judged:
    """Score minus the automatic score (column auto), mean over a task's items, then over tasks; below 0 misses."""
    value, by_task = gaps(panel, units)
    ends, items, tasks = [], [], []
    known = ~np.isnan(_gap(panel, units)) if COLUMN in panel.labels else np.zeros(len(units), bool)
    number = np.bincount(units.judge[known], minlength=len(units.judges)).tolist()
    for j, name in enumerate(units.judges):
        rng = stream(options.seed, "auto pyramid", units.criterion, name)
        ends.append(mean_interval(by_task[j], rng, options.level, options.resamples, "tasks"))
        tasks.append(int((~np.isnan(by_task[j])).sum()))
        items.append(number[j])
    details: dict[str, Sequence[Any]] = {"tasks": tasks, "items": items}
    flags = None
    if options.resamples:
        rng = stream(options.seed, "clearly worse", "auto pyramid", units.criterion)
        p, flags = missing_more(by_task, rng, 1 - options.level)
        details["p"] = [None if math.isnan(x) else x for x in p.tolist()]
    return Judged(value, -value, ends, details, flags, None, _notes(panel, units, known))


def missing_more(by_task: Array, rng: np.random.Generator, level: float = 0.05) -> tuple[Array, Array]:
    """P values, and who clearly misses more than the others: from gaps ``[judge, task]``, by shuffling who did which.

    A gap at or above 0 is no miss, however much higher those of the others are.

    >>> misses = np.where(np.arange(5) == 3, -0.2, 0.1)[:, None] + 0.01 * np.arange(4)
    >>> missing_more(misses, np.random.default_rng(0))[1].tolist()
    [False, False, False, True, False]
    """
    judge, task = np.nonzero(~np.isnan(by_task))
    parts = np.stack([np.ones(len(judge)), by_task[judge, task]], axis=1)
    p, named = clearly_worse(parts, judge, len(by_task), mean_of_sums, rng, level)
    totals = np.stack([np.bincount(judge, column, len(by_task)) for column in parts.T], axis=1)
    return p, named & (mean_of_sums(totals) < 0)


def gaps(panel: Scores, units: Units) -> tuple[Array, Array]:
    """Each judge's mean of task means of score minus ``auto``, and these ``[judge, task]``; NaN where there is none."""
    size = (len(units.judges), int(units.task.max(initial=-1)) + 1)
    if COLUMN not in panel.labels:
        return np.full(size[0], math.nan), np.full(size, math.nan)
    gap = _gap(panel, units)
    there = ~np.isnan(gap)
    cell = (units.judge.astype(np.int64) * size[1] + units.task[units.unit])[there]
    number = np.bincount(cell, minlength=size[0] * size[1]).reshape(size)
    by_task = divided(np.bincount(cell, gap[there], size[0] * size[1]).reshape(size), number)
    seen = ~np.isnan(by_task)
    return divided(np.where(seen, by_task, 0.0).sum(axis=1), seen.sum(axis=1)), by_task


def _gap(panel: Scores, units: Units) -> Array:
    label = panel.labels[COLUMN]
    return np.asarray(units.value - _numbers(label)[label.codes[cast(Array, units.row)]])


def _numbers(label: Coded) -> Array:
    return np.array([_number(i) for i in label.ids])


def _number(cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan


def _notes(panel: Scores, units: Units, known: Array) -> list[str]:
    if COLUMN not in panel.labels:
        return [MISSING]
    gone = int((~known).sum())
    return [f"auto_pyramid: {gone:,} scores have no number in column auto and are left aside"] if gone else []
