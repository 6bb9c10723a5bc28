"""Would the leaderboard be the same with other judges, other tasks, other items like these?

Judges and tasks are drawn with replacement; of the items of each task half are drawn without.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import FEWEST_NULLS, batch, split
from quorate.inference.engine import LEAST, Figures, budget_of
from quorate.inference.results import Options
from quorate.inference.weights import bootstrap, stream
from quorate.kernels.correlations import correlate, levelled
from quorate.panel.design import Design
from quorate.panel.rows import VoterDesign

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
            taus = correlate(seen, drawn, "kendall")
            same = same_best(sign * seen, sign * drawn)
            known = taus[~np.isnan(taus)]
            tau = float(known.mean()) if len(known) else math.nan
            out.append({"by": by, "tau": tau, "same_best": int(same.sum()) / len(same), "resamples": len(drawn)})
    return out


def _drawn(figures: Figures, by: str, options: Options) -> Array:
    """Leaderboards resampled, ``[draw, system]``; none of too few units."""
    return drawn_together([figures], by, stream(options.seed, "stability", by, figures.method), options)[0]


def drawn_together(several: Sequence[Figures], by: str, rng: np.random.Generator, options: Options) -> list[Array]:
    """The figures of several methods on the same draws of judges, tasks, or half of the items, ``[draw, figure]`` each.

    A judge who is not drawn has no value. None are drawn of too few units, or where each draw takes very long.
    """
    design, work = several[0].design, sum(f.work(by) for f in several)
    every = {"tasks": len(design.tasks), "judges": int(design.voters.sum()), "items": _items(design)}
    short = any(every[unit] < LEAST[unit] for unit in by.split("x"))
    budget = budget_of(options)
    number = budget.draws(work, FEWEST_NULLS)
    if short or not budget.affords(work) or not number:
        return [np.zeros((0, len(f.value))) for f in several]
    if by == "items" and isinstance(design, VoterDesign):
        halves = [(k, design.half_of_items(rng, k)) for k in split(number, batch(work))]
        return [np.concatenate([f.of_copies(half, k) for k, half in halves]) for f in several]
    weights, out = bootstrap(design, by, number, rng), []
    for f in several:
        drawn = f.drawn(weights)
        if "judge" in f.keys and weights.judges is not None:
            drawn = np.where(weights.judges[:, f.keys["judge"]] > 0, drawn, np.nan)
        out.append(drawn)
    return out


def _items(design: Design) -> int:
    """How many items half of a task's are; 0 where items cannot be drawn."""
    return max(p.codes("item").shape[1] for p in design.parts) // 2 if isinstance(design, VoterDesign) else 0


def same_best(seen: Array, drawn: Array) -> Array:
    """Whether the best of a leaderboard is also (alone or tied, but for rounding) best in every draw, ``[draw]``."""
    if np.isnan(seen).all():
        return np.zeros(len(drawn), bool)
    seen, drawn = levelled(seen), levelled(drawn)
    return np.asarray(drawn[:, int(np.nanargmax(seen))] >= np.fmax.reduce(drawn, axis=1))
