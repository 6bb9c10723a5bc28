"""What correlations say of each judge's own order, by the other judges: all judges of a panel at once.

The correlation of a reversed order is that of the order with the other sign, so the score of the order less that of its
reverse, over the width of -1 ... 1, is the score itself. It follows from the correlations of every two judges (AC, WCA)
or from the rank sums less the judge's own (RBA); nothing need be scored anew for each judge left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority
from quorate.kernels.pair_means import mean_with_others, ratio
from quorate.kernels.ranks import mid_ranks
from quorate.orderings.agreement_weights import agreement_weights
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.table import Method

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"tau": tau_b, "rho": rho}
NAMES = ("average_correlation", "weighted_correlation", "rank_based")
JUDGES = 300  # rows of a task up to which all of them are compared with each other, whatever their length
WORK = 4 * 10**8  # comparisons of two judges' item pairs; beyond, a few judges scored one by one are quicker


@dataclass(frozen=True, eq=False)
class OwnOrders:
    """The rankings of tasks; correlations of every two judges are computed when first asked for."""

    positions: Array
    counts: Array
    squares: dict[str, Array] = field(default_factory=dict)

    def fits(self, method: Method) -> bool:
        """Whether the method is a correlation that changes its sign when an order is reversed."""
        _, judges, items = self.positions.shape
        if method.name not in NAMES or (judges > JUDGES and (judges * items) ** 2 > WORK):
            return False
        return method["missing"] == "unknown" or bool((self.positions > 0).all())

    def by(self, method: Method) -> Array:
        """The score of each judge's order by the others, ``[task, judge]``; NaN where it is undefined."""
        measure = str(method["measure"])
        if method.name == "rank_based":
            values = self._ranked(measure)
        elif method.name == "average_correlation":
            values = mean_with_others(self.square(measure), self.counts, counted=True)
        else:
            values = self._weighted(measure, str(method["negative"]))
        return np.where(self.counts > 0, values, np.nan)

    def square(self, measure: str) -> Array:
        """The correlation of every two judges."""
        if measure not in self.squares:
            self.squares[measure] = MEASURES[measure].square(self.positions)
        return self.squares[measure]

    def _weighted(self, measure: str, negative: str) -> Array:
        """WCA: the weights of the others, ``[task, judge left out, judge]``, are theirs without the one left out."""
        square, counts = self.square(measure), self.counts
        known, value = (~np.isnan(square)).astype(float), np.nan_to_num(square)
        judges = counts.shape[1]
        left = np.maximum(counts[:, None] - np.eye(judges, dtype=np.int64), 0)  # [task, judge left out, judge]
        if judges > JUDGES:
            others = _means_without_each(value, known, counts)
        else:
            others = mean_with_others(square, left.transpose(1, 0, 2), counted=True).transpose(1, 0, 2)
        weight, _, _ = agreement_weights(others, left, negative)
        share = weight * known
        return ratio((share * value).sum(axis=2), share.sum(axis=2))

    def _ranked(self, measure: str) -> Array:
        """RBA: each order with the others' consensus by rank sums."""
        tasks, judges, items = self.positions.shape
        held = (self.positions > 0).astype(float)
        spread = mid_ranks(self.positions) / (held.sum(axis=2, keepdims=True) + 1)
        of = (held * self.counts[:, :, None]).sum(axis=1)[:, None] - held
        total = (spread * self.counts[:, :, None]).sum(axis=1)[:, None] - spread
        mean = np.divide(total, of, out=np.full(total.shape, 2.0), where=of > 0.5)  # a spread rank is below 1
        order = majority.places(mean.reshape(-1, items)).reshape(self.positions.shape)
        two = np.stack([self.positions, np.where(of > 0.5, order, 0)], axis=2)
        return MEASURES[measure].square(two.reshape(-1, 2, items))[:, 0, 1].reshape(tasks, judges)


def _means_without_each(value: Array, known: Array, counts: Array) -> Array:
    """Each judge's mean with the others but one, ``[task, judge left out, judge]``: a sum over all, less that one.

    A judge left out of a row that stands for several leaves the others of that row.
    """

    def sums(table: Array) -> Array:
        own = np.einsum("tjj->tj", table)
        whole = np.matmul(table, counts[:, :, None].astype(float))[:, :, 0] - own  # a judge is no pair of his own
        return np.asarray(whole[:, None, :] - table.transpose(0, 2, 1))

    return ratio(sums(value), sums(known))
