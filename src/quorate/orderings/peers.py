"""Each judge against the others: the mean correlation with them, or the correlation with their consensus.

The mean correlation is the weight that the weighted correlation of Kim, Zhai and Han gives a judge. The p-value says
how often the judge's places, dealt anew among the judge's items, agree with the others as well.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import against as rectangle
from quorate.kernels import without
from quorate.kernels.without import ratio
from quorate.orderings.measured import Rankings, one_task
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.panel.design import Measured
from quorate.table import checked, choice, method

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"tau": tau_b, "rho": rho}
_RECTANGLE = {"tau": rectangle.tau_b, "rho": rectangle.rho}


@method(
    "orderings",
    "judges",
    "peer_correlation",
    range=(-1.0, 1.0),
    higher="more in common with the others",
    default=True,
    reference="Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists (the weight of WCA)",
    parameters={
        "measure": choice("the correlation of two rankings; tau is tau-b where there are ties", "tau", "rho"),
        "against": choice("the other judges one by one, or their order by rank sums", "each", "consensus"),
    },
    relabelling=True,
    instead=True,
)
def compare(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    instead: Array | None = None,
    measure: str = "tau",
    against: str = "each",
) -> Measured:
    """A judge's mean correlation with the other judges, and the correlation with their order by rank sums."""
    index, own = MEASURES[measure], positions if instead is None else instead
    if against == "consensus":
        return Measured(with_consensus(index, own, positions, counts))
    square = index.once(positions) if instead is None else _RECTANGLE[measure](instead, positions)
    values = weights(square, counts, alike)
    return Measured(values) if brief else Measured(values, {"consensus": with_consensus(index, own, positions, counts)})


def with_consensus(index: Pairwise, own: Array, positions: Array, counts: Array) -> Array:
    """The correlation of each judge's own order with that of the others by rank sums, ``[task, judge]``."""
    others = without.rank_order_without(positions, counts)
    two = np.stack([own.reshape(-1, own.shape[2]), others.reshape(-1, own.shape[2])], axis=1)
    return np.asarray(index.square(two)[:, 0, 1].reshape(own.shape[:2]))


def weights(square: Array, counts: Array, alike: bool = True) -> Array:
    """Each judge's mean correlation with the others who count; a row for many judges has ``alike`` ones beside it."""
    judges = counts.shape[1]
    if len(square) > 1 and square.strides[0] == 0:
        return _of_one_square(square[0], counts, alike)
    weight = np.repeat(counts[:, None, :], judges, axis=1).astype(float)
    diagonal = np.arange(judges)
    weight[:, diagonal, diagonal] = np.maximum(counts - 1, 0) if alike else 0
    weight = np.where(np.isnan(square), 0.0, weight)
    return ratio((np.where(weight > 0, square, 0.0) * weight).sum(axis=2), weight.sum(axis=2))


def _of_one_square(square: Array, counts: Array, alike: bool) -> Array:
    """The same where all panels hold the same rankings and differ in their counts: two matrix products."""
    known = ~np.isnan(square)
    others, value = known.astype(float), np.where(known, square, 0.0)
    own = np.maximum(counts - 1, 0) if alike else np.zeros(counts.shape)
    top, bottom = own * value.diagonal(), own * others.diagonal()
    np.fill_diagonal(others, 0.0)
    np.fill_diagonal(value, 0.0)
    weight = counts.astype(float)
    return ratio(top + weight @ value.T, bottom + weight @ others.T)


@dataclass(frozen=True, slots=True)
class Peer:
    """One judge beside the others."""

    mean: float  # correlation with the others, on average
    consensus: float  # correlation with their order by rank sums


def peer_correlation(rankings: Rankings, measure: str = "tau") -> dict[Hashable, Peer]:
    """Each judge's mean correlation with the others, and the correlation with the others' order by rank sums.

    1 among copies, about 0 for a judge who orders at random, below 0 for one who goes against the rest. The mean stays
    below the correlation with the consensus, because the others' own noise is in it.

    >>> found = peer_correlation(["abcd", "abdc", "bacd", "dcba"])
    >>> {judge: (round(f.mean, 2), round(f.consensus, 2)) for judge, f in found.items()}
    {1: (0.11, 0.33), 2: (0.11, 0.33), 3: (0.11, 0.33), 4: (-0.78, -1.0)}
    """
    task = one_task(rankings)
    given = checked("peer_correlation", "orderings", "judges", measure=measure)
    found = compare(task.positions, task.counts, **given)
    columns = found.values[0].tolist(), found.details["consensus"][0].tolist()
    return {judge: Peer(*row) for judge, row in zip(task.judges, zip(*columns, strict=True), strict=True)}
