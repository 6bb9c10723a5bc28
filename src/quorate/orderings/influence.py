"""What changes without a judge: agreement and the consensus order of all the others, exact and in one pass."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import Interval, centred, mean_interval, resampled_counts, stream
from quorate.inference.results import Options, Overall
from quorate.kernels.chains_leave_one_out import chains_without
from quorate.kernels.concordance import concordance_without
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each
from quorate.kernels.rank_sums import rank_order, rank_order_without
from quorate.orderings.judged import Judged, Rows, mean
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.pairwise import rho as correlation
from quorate.orderings.pairwise import tau_b
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack
from quorate.table import Method, method

Array = NDArray[Any]
CELLS = 1 << 23  # of [resample, judge, judge] arrays in all
RANGE = (-2.0, 2.0)


@method(
    "orderings",
    "judges",
    "influence",
    range=RANGE,
    higher="more agreement thanks to the judge",
    default=True,
    relabelling=True,
)
def measure(positions: Array, counts: Array) -> Judged:
    """What a judge adds to the mean tau-b of all pairs; kappa, W, tau-b and the consensus order without the judge."""
    square = tau_b.square(positions)
    tau = mean_without_each(square, counts, counted=True)
    added = mean_of_pairs(square, counts, counted=True)[:, None] - tau
    order = rank_order_without(positions, counts)
    details = {
        "tau_b": tau,
        "kendall_w": _w_without(positions, counts),
        "kappa": _kappa_without(positions),
        "consensus_tau_b": _moved(positions, counts, order),
        "consensus": [[row.tolist() for row in task] for task in order],
    }
    return Judged(added, details)


def _w_without(positions: Array, counts: Array) -> Array:
    w, whole = concordance_without(positions, counts)
    if whole.all():
        return w
    judges = counts.sum(axis=1, keepdims=True) - counts
    rho = mean_without_each(correlation.square(positions), counts, counted=True)
    apart = np.maximum((1 + (judges - 1) * rho) / np.maximum(judges, 1), 0.0)
    return np.where(judges < 2, math.nan, np.where(whole, w, apart))


def _kappa_without(positions: Array) -> list[list[Any]]:
    if positions.shape[1] < 2:  # nobody is left
        return [[None] for _ in positions]
    return chains_without(positions)


def _moved(positions: Array, counts: Array, order: Array) -> Array:
    """Tau-b of the consensus without the judge with the consensus of all; 1 when the order stays."""
    tasks, judges, items = order.shape
    whole = np.broadcast_to(rank_order(positions, counts)[:, None], order.shape)
    two = np.stack([whole.reshape(-1, items), order.reshape(-1, items)], axis=1)
    return tau_b.square(two)[:, 0, 1].reshape(tasks, judges)


def overall(panel: Orderings, parts: Sequence[Stack], rows: Rows, chosen: Method, options: Options) -> list[Overall]:
    """A figure per judge: means over the judge's tasks. Influence flags nobody: someone is always lowest."""
    spread = {} if len(panel.tasks) > 1 else _over_judges(parts[0], chosen, options)
    rng = stream(options.seed, "judges", chosen)
    d = rows.details
    out = []
    for code, at in rows.judges():
        values = rows.values[at]
        interval = spread.get(code)
        if len(at) > 1:
            most = min(options.resamples, 10**7 // len(rows.task))
            interval = mean_interval(values, rng, options.level, most, range=RANGE)
        labels = {
            "judge": panel.judges[code],
            "tasks": len(at),
            "flag": None,
            "tau_b": mean(d["tau_b"][at]),
            "kendall_w": mean(d["kendall_w"][at]),
            "kappa": d["kappa"][at[0]] if len(at) == 1 else float(np.mean(_floats(d["kappa"][at]))),
            "consensus_changed": int((d["consensus_tau_b"][at] < 1 - 1e-9).sum()),
        }
        out.append(Overall(mean(values), interval, None, labels))
    return out


def _floats(values: Array) -> Array:
    # Counts of patterns may be too long for a double; their mean is then told as infinite.
    return np.array([math.nan if v is None else float(v) if v.bit_length() < 1024 else math.inf for v in values])


def _over_judges(part: Stack, chosen: Method, options: Options) -> dict[int, Interval | None]:
    """Each judge's interval when the panel is drawn anew; a judge drawn twice is not a pair of its own."""
    judges = part.shape[1]
    if int(part.counts.sum()) < 4:
        return {}
    rng = stream(options.seed, "judges", chosen, "over judges")
    resamples = int(min(options.resamples, max(CELLS // judges**2, 50)))
    counts = resampled_counts(part.counts[0], rng, resamples)
    alike = bool((part.counts > 1).any())
    square = tau_b.square(part.positions)
    values = mean_of_pairs(square, counts, alike)[:, None] - mean_without_each(square, counts, alike)
    seen = mean_of_pairs(square, part.counts, counted=True) - mean_without_each(square, part.counts, counted=True)[0]
    others = int(part.counts.sum()) - 1
    return {
        int(c): centred(float(seen[k]), values[:, k], options.level, "judges", others, RANGE)
        for k, c in enumerate(part.judges[0].tolist())
    }


@dataclass(frozen=True, slots=True)
class Without:
    """The panel without one judge."""

    kappa: int | None
    kendall_w: float
    tau_b: float
    consensus: list[list[Hashable]]  # by rank sums, tie groups, best first
    added: float  # mean tau-b of all judges less that of the others


def influence(rankings: Rankings) -> dict[Hashable, Without]:
    """Kappa, W, mean tau-b and the order by rank sums without each judge, all in one pass.

    ``added`` is below 0 when the others agree more without the judge; in a panel of copies it is 0 for all.

    >>> found = influence(["abcd", "abdc", "bacd", "dcba"])
    >>> found[4].kappa, round(found[4].kendall_w, 2), found[4].consensus, round(found[4].added, 2)
    (8, 0.82, [['a'], ['b'], ['c'], ['d']], -0.67)
    """
    task = one_task(rankings)
    found = measure(task.positions, task.counts)
    d = found.details
    out = {}
    for k, judge in enumerate(task.judges):
        order = named(d["consensus"][0][k], task.items)
        w, tau = float(d["kendall_w"][0, k]), float(d["tau_b"][0, k])
        out[judge] = Without(d["kappa"][0][k], w, tau, order, float(found.values[0, k]))
    return out


def named(places: Sequence[int], items: Sequence[Hashable]) -> list[list[Hashable]]:
    """Positions as tie groups of items, best first; absent items are left out."""
    groups: list[list[Hashable]] = [[] for _ in range(max(places, default=0))]
    for place, item in zip(places, items, strict=True):
        if place:
            groups[place - 1].append(item)
    return groups
