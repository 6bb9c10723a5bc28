"""What do the judges agree on? One order of the items, ties kept, by points, majorities, patterns or models.

Points and majorities are in :mod:`~quorate.orderings.voting`, fusion of search runs in
:mod:`~quorate.orderings.fusion`, the order that contradicts the judges least in :mod:`~quorate.orderings.kemeny`,
patterns in :mod:`~quorate.orderings.supported_order` and :mod:`~quorate.orderings.pattern_consensus`, models of judges
who err in :mod:`~quorate.orderings.models`; what they share is in :mod:`~quorate.orderings.consensus_method`. Where
majorities go round in a circle, every method says so.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.kernels import rank_correlation
from quorate.kernels.order_certainty import order_certainty
from quorate.orderings import fusion, models, pattern_consensus, supported_order, voting  # noqa: F401  (declared there)
from quorate.orderings import kemeny as _kemeny  # noqa: F401
from quorate.orderings.pairwise import tau_b
from quorate.orderings.rankings import Rankings, one_task
from quorate.panel.consensus_value import Agreed, named
from quorate.panel.kinds import Orderings
from quorate.panel.plain import tie_groups

Array = NDArray[Any]
CALLED = "ranking"  # what the answer is


def consensus_order(rankings: Rankings, method: str = "kemeny") -> list[list[Hashable]]:
    """The consensus of some rankings by a method, as tie groups, best first.

    >>> consensus_order(["abc", "acb", "bac"])
    [['a'], ['b'], ['c']]
    >>> consensus_order(["abc", "bca", "cab"])  # majorities go round in a circle: one of three orders equally good
    [['a'], ['b'], ['c']]
    """
    panel = rankings if isinstance(rankings, Orderings) else Orderings.from_orders(rankings)
    task = one_task(panel.by_name)  # of equally good orders the same one, whichever judge comes first
    chosen = table.parse(method, "orderings", "consensus")
    found: list[Agreed] = chosen(task.positions, task.counts)
    return tie_groups(found[0].array.tolist(), task.items)


def told(agreed: Agreed, items: Sequence[Hashable], judges: Sequence[Hashable]) -> tuple[Any, dict[str, Any]]:
    """The order as tie groups, best first, and what else is worth telling, with names."""
    details: dict[str, Any] = dict(agreed.facts)
    if agreed.scores is not None:
        details["scores"] = {str(i): s for i, s in zip(items, agreed.scores.tolist(), strict=True)}
    details |= {name: named(what, items) for name, what in agreed.about.items()}
    details["dropped"] = [judges[j] for j in agreed.dropped]
    return tie_groups(agreed.array.tolist(), items), details


def certainty(agreed: Agreed, drawn: Array | None, items: Sequence[Hashable], level: float) -> dict[str, Any]:
    """Each item's rank, where it lies in resampled panels, and how often each item is first there, alone or tied."""
    return order_certainty(agreed.array, drawn, items, level)


def without_outliers(
    whole: Agreed, less: Agreed, drawn: Sequence[Array | None], positions: Array, counts: Array
) -> list[dict[str, Any]]:
    """Does leaving out the outliers make a better consensus? Both orders against all judges and those kept."""
    kept = counts.copy()
    kept[list(less.dropped)] = 0
    return [
        {
            "judges": int(number.sum()),
            "tau_all": mean_tau(positions, counts, agreed.array),
            "tau_kept": mean_tau(positions, kept, agreed.array),
            "tau_resampled": None if sample is None else _steadiness(agreed.array, sample),
        }
        for agreed, number, sample in ((whole, counts, drawn[0]), (less, kept, drawn[1]))
    ]


def taus(positions: Array, candidate: Array) -> Array:
    """Tau-b of a ranking with every judge, over the items both have; NaN where it is undefined."""
    return np.array([tau_b.square(np.stack([row, candidate])[None])[0, 0, 1] for row in positions])


def mean_tau(positions: Array, counts: Array, candidate: Array) -> float:
    """Mean tau-b of a ranking with the judges, over the items each has ranked."""
    values = taus(positions, candidate)
    use = ~np.isnan(values) & (counts > 0)
    return float(np.average(values[use], weights=counts[use])) if use.any() else float("nan")


def _steadiness(positions: Array, drawn: Array) -> float | None:
    """Mean tau-b of the consensus with those of resampled panels."""
    pairs = np.stack([np.broadcast_to(positions, drawn.shape), drawn], axis=1)
    values = rank_correlation.tau_b(pairs)[:, 0, 1]
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else None
