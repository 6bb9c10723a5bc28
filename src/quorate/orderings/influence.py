"""What changes without a judge: agreement and the consensus order of all the others, exact and in one pass."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import chains
from quorate.kernels.concordance import concordance_without
from quorate.kernels.defined import mean_of_known
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each
from quorate.kernels.ranks import fill_below, rank_order_without, rank_orders
from quorate.orderings.pairwise import rho as correlation
from quorate.orderings.pairwise import tau_b
from quorate.orderings.peer_correlation import ABSENT
from quorate.orderings.rankings import Rankings, one_task
from quorate.panel.design import Measured
from quorate.panel.plain import tie_groups
from quorate.table import Method, Note, method

Array = NDArray[Any]
RANGE = (-2.0, 2.0)
ITEMS = 10_000  # up to which it is told what the others have in common: each two items are looked at


def _over_tasks(columns: Mapping[str, Sequence[Any]], chosen: Method) -> dict[str, Any]:
    """A judge over all tasks. Influence flags nobody: someone is always lowest."""
    kappa = columns["kappa"]
    return {
        "tau_b": mean_of_known(columns["tau_b"]),
        "kendall_w": mean_of_known(columns["kendall_w"]),
        "kappa": kappa[0] if len(kappa) == 1 else float(np.mean([_float(k) for k in kappa])),
        "consensus_changed": sum(tau < 1 - 1e-9 for tau in columns["consensus_tau_b"]),
    }


def _float(count: int | None) -> float:
    # Counts of patterns may be too long for a double; their mean is then told as infinite.
    return math.nan if count is None else float(count) if count.bit_length() < 1024 else math.inf


@method(
    "orderings",
    "judges",
    "influence",
    range=RANGE,
    higher="more agreement thanks to the judge",
    default=True,
    relabelling=True,
    parameters={"missing": ABSENT},
    summary=_over_tasks,
    looks_once=lambda judges, items: True,
    orders=("consensus",),
    note=Note(
        "What would change if this judge had not been asked: agreement and the consensus itself.",
        "With few judges anybody moves the consensus; look at how far, not whether.",
        "mean tau-b of all pairs - mean tau-b of the pairs without the judge",
    ),
)
def measure(
    positions: Array, counts: Array, *, alike: bool = True, brief: bool = False, missing: str = "unknown"
) -> Measured:
    """What a judge adds to the mean tau-b of all pairs; kappa, W, tau-b and the consensus order without the judge."""
    given = positions  # kappa is of what judges listed
    if missing == "below":
        positions = fill_below(positions)
    square = tau_b.once(positions)
    tau = mean_without_each(square, counts, alike)
    added = mean_of_pairs(square, counts, alike)[:, None] - tau
    if brief:
        return Measured(np.where(counts > 0, added, math.nan))  # who is not on the panel has no influence
    order = rank_order_without(positions, counts)
    details = {
        "tau_b": tau,
        "kendall_w": _w_without(positions, counts),
        "kappa": _kappa_without(given),
        "consensus_tau_b": _moved(positions, counts, order),
        "consensus": [[row.tolist() for row in task] for task in order],
    }
    return Measured(added, details)


def _w_without(positions: Array, counts: Array) -> Array:
    w, whole = concordance_without(positions, counts)
    if whole.all():
        return w
    judges = counts.sum(axis=1, keepdims=True) - counts
    rho = mean_without_each(correlation.square(positions), counts, counted=True)
    apart = np.maximum((1 + (judges - 1) * rho) / np.maximum(judges, 1), 0.0)
    return np.where(judges < 2, math.nan, np.where(whole, w, apart))


def _kappa_without(positions: Array) -> list[list[Any]]:
    if positions.shape[1] < 2 or positions.shape[2] > ITEMS:  # nobody is left, or there are too many pairs of items
        return [[None] * positions.shape[1] for _ in positions]
    return chains.without_each(positions)


def _moved(positions: Array, counts: Array, order: Array) -> Array:
    """Tau-b of the consensus without the judge with the consensus of all; 1 when the order stays."""
    tasks, judges, items = order.shape
    whole = np.broadcast_to(rank_orders(positions, counts[None])[0][:, None], order.shape)
    two = np.stack([whole.reshape(-1, items), order.reshape(-1, items)], axis=1)
    return tau_b.square(two)[:, 0, 1].reshape(tasks, judges)


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
        order = tie_groups(d["consensus"][0][k], task.items)
        w, tau = float(d["kendall_w"][0, k]), float(d["tau_b"][0, k])
        out[judge] = Without(d["kappa"][0][k], w, tau, order, float(found.values[0, k]))
    return out
