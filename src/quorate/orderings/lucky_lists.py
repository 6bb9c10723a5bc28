"""What systems' lists score when their places are dealt anew among their items: what chance gives a system.

A selection, in which only membership counts, is dealt anew among all items of the task.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Chance, shuffled, stream
from quorate.inference.results import Options
from quorate.kernels.pair_means import ratio
from quorate.orderings.lists import Part
from quorate.table import Method

Array = NDArray[Any]
WORK = 3 * 10**7  # judge x item-pair comparisons, about
LEAST = 20  # deals, below which fewer tasks are looked at instead
CELLS = 1 << 20  # of [task, list, item] arrays at a time


def chance(parts: Sequence[Part], method: Method, options: Options, **more: Any) -> tuple[list[Chance | None], int]:
    """For each system the mean over tasks of dealt lists, and how often it reaches the system's; tasks looked at."""
    systems = parts[0].lists.shape[1]
    if options.permutations < 1:
        return [None] * systems, 0
    rng = stream(options.seed, "chance", method)
    some, number = _affordable(parts, options.permutations, rng)
    seen, of = np.zeros((2, systems))
    total = np.zeros((number, systems))
    for part in some:
        own = method(part.positions, part.counts, part.lists, brief=True, **more).values
        values = np.where(part.there, own, np.nan)
        dealt = _dealt(part, method, number, rng, more)  # [task, deal, system]
        known = ~np.isnan(values) & ~np.isnan(dealt).any(axis=1)
        seen += np.where(known, values, 0.0).sum(axis=0)
        total += np.where(known[:, None], dealt, 0.0).sum(axis=0)
        of += known.sum(axis=0)
    value, drawn = ratio(seen, of), ratio(total, np.broadcast_to(of, total.shape))
    out: list[Chance | None] = []
    for s in range(systems):
        if math.isnan(value[s]):
            out.append(None)
            continue
        reached = int((drawn[:, s] >= value[s] - 1e-12).sum())
        out.append(Chance(float(drawn[:, s].mean()), (reached + 1) / (number + 1), number))
    return out, sum(len(p.tasks) for p in some)


def _affordable(parts: Sequence[Part], wanted: int, rng: np.random.Generator) -> tuple[list[Part], int]:
    """So many tasks, and so many deals, as can be scored in reasonable time."""
    tasks = sum(len(p.tasks) for p in parts)
    each = sum(p.lists.size * p.positions.shape[1] * p.lists.shape[2] for p in parts)
    number = int(min(wanted, max(WORK // max(each, 1), min(wanted, LEAST))))
    most = max(int(tasks * WORK / max(each * number, 1)), 1)
    if most >= tasks:
        return list(parts), number
    keep = np.zeros(tasks, bool)
    keep[rng.choice(tasks, most, replace=False)] = True
    out, at = [], 0
    for p in parts:
        rows = np.flatnonzero(keep[at : at + len(p.tasks)])
        at += len(p.tasks)
        if len(rows):
            names = ("tasks", "judges", "positions", "counts", "lists", "items")
            out.append(replace(p, **{n: getattr(p, n)[rows] for n in names}))
    return out, number


def _dealt(part: Part, method: Method, number: int, rng: np.random.Generator, more: dict[str, Any]) -> Array:
    """Values of dealt lists, ``[task, deal, system]``; lists that are not there stay so."""
    tasks, systems, items = part.lists.shape
    step = max(1, CELLS // max(tasks * systems * items, 1))
    out = []
    for a in range(0, number, step):
        size = min(step, number - a)
        lists = np.tile(part.lists, (1, size, 1))
        lists = rng.permuted(lists, axis=2) if method.name == "frequent_sets" else shuffled(lists, rng)
        values = method(part.positions, part.counts, lists, brief=True, **more).values
        out.append(values.reshape(tasks, size, systems))
    return np.concatenate(out, axis=1)
