"""Would the leaderboard be the same with other judges, other tasks, other items like these?

Judges and tasks are drawn anew with putting back; of the items of each task half are drawn without, because an item
drawn twice would be with its copy in every clustering.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.against import Beside, lots
from quorate.inference.resample import stream
from quorate.inference.results import Options
from quorate.table import Method

Array = NDArray[Any]
DRAWS = 200
ITEM_DRAWS = 20  # every measure is computed anew for each
SOLVED = 20  # when each draw needs consensus partitions of its own
WORK = 10**8  # labels compared for one row, about
PANELS = 4000  # consensus partitions of draws for one row, about
PAIRS = 4 * 10**8  # judges x pairs of items that they count, about
FEWEST = 10


def stability(tasks: Sequence[Beside], by: Method, values: Array, sign: int, options: Options) -> list[dict[str, Any]]:
    """A row each for judges, tasks and items: mean tau-b of the drawn leaderboards with this one, and how often the
    best system stays best. Empty with fewer than two systems.

    ``by(lot, times)`` gives values of systems, ``values[task, system]`` are those of all judges, tasks and items.
    """
    if values.shape[1] < 2 or not options.resamples:
        return []
    out = []
    for what, draw in (("judges", _judges), ("tasks", _tasks), ("items", _items)):
        drawn = draw(tasks, by, values, options)
        if len(drawn):
            seen = sign * mean_over(values)
            taus = np.array([tau_b(seen, sign * row) for row in drawn])
            same = [same_best(seen, sign * row) for row in drawn]
            known = taus[~np.isnan(taus)]
            tau = float(known.mean()) if len(known) else math.nan
            row = {"method": str(by), "by": what, "tau": tau, "same_best": sum(same) / len(same)}
            out.append({**row, "resamples": len(drawn)})
    return out


def mean_over(values: Array) -> Array:
    """Means over tasks of ``values[task, system]``, of what is defined."""
    known = ~np.isnan(values)
    of = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, of, out=np.full(values.shape[1], np.nan), where=of > 0))


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


def solvable(tasks: Sequence[Beside]) -> int:
    """How many times there is time for a consensus partition of every task."""
    pairs = sum(len(t.sheet.labels) * len(t.sheet.items) ** 2 for t in tasks)
    return int(min(PANELS // max(len(tasks), 1), PAIRS // max(pairs, 1)))


def too_long(tasks: Sequence[Beside], by: Method, options: Options) -> str:
    """What is not drawn anew because it would take too long, in words; '' where all is."""
    if not options.resamples or len(tasks[0].there) < 2 or _number(tasks, by, options):
        return ""
    if by.declaration.properties.get("solves"):
        return f"{by}: too many tasks or items to find the consensus of resampled judges and items anew"
    return f"{by}: too many judges, systems and items to draw half of the items anew"


def _number(tasks: Sequence[Beside], by: Method, options: Options) -> int:
    """How many draws there is time for; 0 when too few."""
    solves = by.declaration.properties.get("solves")
    most = min(options.resamples, SOLVED if solves else DRAWS)
    size = sum(t.sheet.labels.size * len(t.systems) for t in tasks)
    number = min(most, WORK // max(size, 1), solvable(tasks) if solves else most)
    return number if number >= min(FEWEST, options.resamples) else 0


def _judges(tasks: Sequence[Beside], by: Method, values: Array, options: Options) -> Array:
    codes = np.unique(np.concatenate([t.sheet.judges for t in tasks]))
    solves = by.declaration.properties.get("solves")
    number = _number(tasks, by, options) if solves else min(options.resamples, DRAWS)
    if len(codes) < 3 or not number:
        return np.zeros((0, values.shape[1]))
    rng = stream(options.seed, "stability", "judges", by)
    times = rng.multinomial(len(codes), np.full(len(codes), 1 / len(codes)), size=number)
    drawn = np.full((number, len(tasks), values.shape[1]), np.nan)
    for lot in lots(tasks, number):
        own = np.searchsorted(codes, np.stack([sheet.judges for sheet in lot.sheets]))  # [task, judge]
        counts = times.T[own].transpose(0, 2, 1) * lot.counts[:, None]
        there = lot.there[:, None] & (counts.sum(axis=2) > 0)[:, :, None]
        drawn[:, lot.tasks] = np.where(there, by(lot, counts), np.nan).transpose(1, 0, 2)
    return np.stack([mean_over(table) for table in drawn])


def _tasks(tasks: Sequence[Beside], by: Method, values: Array, options: Options) -> Array:
    if len(tasks) < 2:
        return np.zeros((0, values.shape[1]))
    rng = stream(options.seed, "stability", "tasks", by)
    return np.stack(
        [mean_over(values[rng.integers(len(tasks), size=len(tasks))]) for _ in range(min(options.resamples, DRAWS))]
    )


def _items(tasks: Sequence[Beside], by: Method, values: Array, options: Options) -> Array:
    number = min(_number(tasks, by, options), ITEM_DRAWS)
    if not number or max(len(t.sheet.items) for t in tasks) < 4:
        return np.zeros((0, values.shape[1]))
    rng = stream(options.seed, "stability", "items", by)
    drawn = np.empty((number, *values.shape))
    for lot in lots(tasks, values.shape[1]):
        _, _, size = lot.labels.shape
        for table in drawn:
            order = np.argsort(rng.random((len(lot.tasks), size)), axis=1)
            some = lot.some_items(np.sort(order[:, : max(size // 2, 1)], axis=1))
            table[lot.tasks] = np.where(lot.there, by(some)[:, 0], np.nan)
    return np.stack([mean_over(table) for table in drawn])
