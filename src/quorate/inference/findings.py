"""Findings: what one method says, question by question. The engine computes; here figures get their names.

Each question has one shape of finding, the same for every kind: agreement a figure over all tasks and a row per task;
judges a figure per judge and a row per task and judge; quality a leaderboard and a row per task and system; consensus
what is agreed on, task by task; trust rows and figures as its methods give them.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.engine import Figures, estimates
from quorate.inference.estimate import Estimate, Null
from quorate.inference.null import holm
from quorate.inference.results import Finding, Options
from quorate.inference.weights import groups
from quorate.panel.design import Design, TaskDesign
from quorate.panel.plain import tie_groups
from quorate.panel.stacks import VOTERS
from quorate.table import Method

Array = NDArray[Any]
INTERVALS = 200  # tasks up to which each has an interval of its own
ENOUGH = 500  # resamples for that


def rows(figures: Figures) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """Keys and details of a method's rows, with names in place of numbers."""
    design = figures.design
    names: Mapping[str, Sequence[Hashable]] = {"task": design.tasks, "judge": design.judges, "item": design.items}
    keys = {n: [names[n][k] for k in column.tolist()] for n, column in figures.seen.keys.items()}
    size = figures.seen.array.shape[1]
    fixed = {n: [label] * size for n, label in design.labels.items()}
    details = {n: list(column) for n, column in figures.seen.details.items()}
    for n in figures.method.declaration.properties.get("orders", ()):  # positions of the task's items: as tie groups
        tasks = figures.seen.keys["task"].tolist()
        details[n] = [tie_groups(order, _items(design, t)) for order, t in zip(details[n], tasks, strict=True)]
    return {**keys, **fixed}, details


def _items(design: Design, task: int) -> list[Hashable]:
    codes = design.items_of_task[task] if isinstance(design, TaskDesign) else np.arange(len(design.items))
    return [design.items[k] for k in codes.tolist()]


def agreement(method: Method, design: Design, options: Options) -> Finding:
    """A figure over all tasks, with what judges give whose answers are dealt anew; a row per task."""
    figures = Figures.of(method, design)
    by_task = design.by_task(method)
    if by_task is None:
        keys, details = rows(figures)
        found = estimates(figures, options, labels=lambda k: dict(design.labels))
        return Finding(method, keys, figures.told, details, tuple(found))
    keys, details = rows(replace(figures, seen=by_task))
    if 1 < len(design.tasks) <= INTERVALS:
        details["interval"] = _task_intervals(method, design, by_task.keys["task"], options)
    found = estimates(figures, options, labels=lambda k: {**design.labels, **row(figures.seen.details, k)})
    return Finding(method, keys, by_task.array[0].tolist(), details, tuple(found))


def row(details: Mapping[str, Sequence[Any]], k: int) -> dict[str, Any]:
    """The details of one row."""
    return {n: column[k] for n, column in details.items()}


def _task_intervals(method: Method, design: Design, tasks: Array, options: Options) -> list[list[float] | None]:
    """The interval of every task alone, over its units: of figures that are no mean over tasks."""
    brief = replace(options, resamples=min(options.resamples, ENOUGH), over=None)
    found = [Figures.of(method, design.some_tasks(np.array([t]))).intervals(brief)[0] for t in tasks.tolist()]
    return [None if ends is None else [ends.low, ends.high] for ends in found]


@dataclass(frozen=True, slots=True)
class Core:
    """The engine as a cell sees it that has figures of its own: so no kind needs to import it."""

    options: Options

    def estimate(self, method: Method, design: Design) -> Estimate:
        """A method's only figure on a design, with its interval."""
        return estimates(Figures.of(method, design), self.options, null=False)[0]


def joined(found: Sequence[Finding]) -> Finding:
    """What a method says of several designs, such as criteria, one after the other."""
    if len(found) == 1:
        return found[0]
    keys = dict.fromkeys(n for f in found for n in f.keys)
    details = dict.fromkeys(n for f in found for n in f.details)
    return replace(
        found[0],
        keys={n: [v for f in found for v in f.keys.get(n, [None] * len(f.values))] for n in keys},
        values=[v for f in found for v in f.values],
        details={n: [v for f in found for v in f.details.get(n, [None] * len(f.values))] for n in details},
        overall=tuple(o for f in found for o in f.overall),
    )


def judges(method: Method, design: Design, options: Options) -> Finding:
    """A figure per judge, worst first, with what the judge's answers give when they are dealt anew."""
    figures = Figures.of(method, design)
    keys, details = rows(figures)
    between = figures.intervals(options)
    chance = _own_answers_dealt(figures, options)
    corrected = holm(np.array([n.p if n else math.nan for n in chance]))
    group, _ = groups(figures.seen)
    found = []
    for k, judge in enumerate(figures.keys["judge"].tolist()):
        mine = np.flatnonzero(group == k)
        labels: dict[str, Any] = {"judge": design.judges[judge], "tasks": len(mine), "flag": None}
        labels |= summary(method, {n: [column[i] for i in mine] for n, column in details.items()})
        if chance[k] is not None:
            labels["p_holm"] = float(corrected[k])
        found.append(Estimate(float(figures.value[k]), between[k], chance[k], labels, n=len(mine)))
    sign = method.declaration.sign
    order = sorted(found, key=lambda e: (1, 0.0) if math.isnan(e.value) else (0, sign * float(e.value)))
    return Finding(method, keys, figures.told, details, tuple(order))


def summary(method: Method, columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """What a judge's rows say together: as the method declares it, else the means of their numbers."""
    declared = method.declaration.properties.get("summary")
    if declared:
        return dict(declared(columns, method))
    return {n: _mean(column) for n, column in columns.items() if _numbers(column)}


def _numbers(column: Sequence[Any]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in column)


def _mean(column: Sequence[Any]) -> float:
    known = [float(v) for v in column if v is not None and math.isfinite(v)]
    return sum(known) / len(known) if known else math.nan


def _own_answers_dealt(figures: Figures, options: Options) -> list[Null | None]:
    """What each judge's figure is when that judge's answers are dealt anew and the others stay as they are."""
    method, design = figures.method, figures.design
    if not method.declaration.properties.get("instead") or not isinstance(design, TaskDesign):
        return [None] * len(figures.value)
    apart = design.one_by_one(VOTERS)
    return figures.nulls(options, lambda rng, k: apart.values_instead(method, apart.dealt(rng, k), k))
