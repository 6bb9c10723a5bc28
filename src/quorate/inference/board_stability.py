"""Would the leaderboard be the same with other judges, other tasks, other items like these?

Judges and tasks are drawn with replacement; of the items of each task half are drawn without.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import FEWEST_NULLS
from quorate.inference.engine import LEAST, Figures, budget_of
from quorate.inference.results import Options
from quorate.inference.weights import bootstrap, over_tasks, stream
from quorate.panel.clusterings import ClusteringDesign
from quorate.panel.design import Design

Array = NDArray[Any]


def stability(figures: Figures, options: Options) -> list[dict[str, Any]]:
    """A row each for judges, tasks and items: mean tau-b of the drawn leaderboards with this one, and how often the
    best system stays best. Empty with fewer than two systems."""
    if len(figures.value) < 2 or not options.resamples:
        return []
    out = []
    for by in ("judges", "tasks", "items"):
        drawn = _drawn(figures, by, options)
        if len(drawn):
            sign, seen = figures.method.sign, figures.value
            taus = np.array([tau_b(sign * seen, sign * row) for row in drawn])
            same = [same_best(sign * seen, sign * row) for row in drawn]
            known = taus[~np.isnan(taus)]
            tau = float(known.mean()) if len(known) else math.nan
            out.append({"by": by, "tau": tau, "same_best": sum(same) / len(same), "resamples": len(drawn)})
    return out


def _drawn(figures: Figures, by: str, options: Options) -> Array:
    """Leaderboards drawn anew, ``[draw, system]``; none of too few units."""
    design, method, budget = figures.design, figures.method, budget_of(options)
    rng, none = stream(options.seed, "stability", by, method), np.zeros((0, len(figures.value)))
    units = {"tasks": len(design.tasks), "judges": len(design.judges), "items": _items(design)}[by]
    if units < LEAST[by] or not budget.affords(figures.work(by)):
        return none
    number = min(options.resamples, int(max(budget.nulls(figures.work(by)), FEWEST_NULLS)))
    if by == "items" and isinstance(design, ClusteringDesign):
        halves = (design.half_of_items(rng).values(method) for _ in range(number))
        return np.concatenate([none, *(over_tasks(values) for values in halves)])
    return figures.drawn(bootstrap(design, by, number, rng))


def _items(design: Design) -> int:
    """How many items half of a task's are; 0 where items cannot be drawn."""
    return max(p.shape[2] for p in design.parts) // 2 if isinstance(design, ClusteringDesign) else 0


def tau_b(a: Array, b: Array) -> float:
    """Kendall's tau-b of two rows of values, over the places where both are defined.

    >>> tau_b(np.array([3.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0]))
    0.3333333333333333
    """
    use = ~np.isnan(a) & ~np.isnan(b)
    first, second = np.triu_indices(int(use.sum()), 1)
    x, y = (np.sign(v[use][first] - v[use][second]) for v in (a, b))
    size = math.sqrt(float((x != 0).sum()) * float((y != 0).sum()))
    return float((x * y).sum()) / size if size else math.nan


def same_best(a: Array, b: Array) -> bool:
    """Whether the best by the first is also (alone or tied) best by the second."""
    if np.isnan(a).all() or np.isnan(b).all():
        return False
    return bool(b[int(np.nanargmax(a))] >= np.nanmax(b))
