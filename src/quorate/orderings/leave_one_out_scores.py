"""What correlations say of each judge's own order, by the other judges: all judges of a panel at once.

The correlation of a reversed order is that of the order with the other sign, so the score of the order less that of its
reverse, over the width of -1 ... 1, is the score itself. It follows from the correlations of every two judges (AC, WCA)
or from the rank sums less the judge's own (RBA); nothing need be scored anew for each judge left out. Where what a
judge lacks comes last, it does so in the reversed order too, whose correlations are then computed as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_with_others
from quorate.kernels.ranks import rank_order_without
from quorate.orderings.agreement_weights import agreement_weights
from quorate.orderings.pairwise import Pairwise, rho, tau_b
from quorate.table import Method

Array = NDArray[Any]
MEASURES: dict[str, Pairwise] = {"tau": tau_b, "rho": rho}
NAMES = ("average_correlation", "weighted_correlation", "rank_based")
JUDGES = 300  # rows of a task up to which all of them are compared with each other, whatever their length
WORK = 4 * 10**8  # comparisons of two judges' item pairs; beyond, a few judges scored one by one are quicker


def backwards(positions: Array) -> Array:
    """Every order reversed: ties stay ties, absent items stay absent."""
    return np.where(positions > 0, positions.max(axis=-1, keepdims=True) + 1 - positions, 0)


def _turns(positions: Array, method: Method) -> bool:
    """Whether the correlation of a reversed order is that of the order with the other sign."""
    return method["missing"] == "unknown" or bool((positions > 0).all())


@dataclass(frozen=True, eq=False)
class OwnOrders:
    """The rankings of tasks; correlations of every two judges are computed when first asked for."""

    positions: Array
    counts: Array
    squares: dict[tuple[str, str, bool], Array] = field(default_factory=dict)

    def fits(self, method: Method) -> bool:
        """Whether the method is a correlation of which all judges' scores follow from those of every two of them."""
        _, judges, items = self.positions.shape
        if method.name not in NAMES or (judges > JUDGES and (judges * items) ** 2 > WORK):
            return False
        return method.name != "rank_based" or _turns(self.positions, method)

    def by(self, method: Method) -> Array:
        """Half of what each judge's order scores more than its reverse, by the others, ``[task, judge]``; else NaN."""
        if method.name == "rank_based":
            values = self._ranked(str(method["measure"]))
        else:
            values = self._scored(method)
            if not _turns(self.positions, method):
                values = (values - self._scored(method, turned=True)) / 2
        return np.where(self.counts > 0, values, np.nan)

    def square(self, method: Method, turned: bool = False) -> Array:
        """The correlation of every two judges; with ``turned`` of each judge's reversed order with every judge's."""
        key = str(method["measure"]), str(method["missing"]), turned
        if key not in self.squares:
            given = (backwards(self.positions), self.positions) if turned else (self.positions,)
            self.squares[key] = MEASURES[key[0]].kernel(*given, missing=key[1])
        return self.squares[key]

    def _scored(self, method: Method, turned: bool = False) -> Array:
        """AC or WCA of each judge's order, or of its reverse, by the others."""
        each, square, counts = self.square(method, turned), self.square(method), self.counts
        if method.name == "average_correlation" and not turned:
            return mean_with_others(square, counts, counted=True)
        weight = np.maximum(counts[:, None] - np.eye(counts.shape[1], dtype=np.int64), 0)  # [task, left out, judge]
        if method.name == "weighted_correlation":
            weight, _, _ = agreement_weights(_others(square, counts, weight), weight, str(method["negative"]))
        share = weight * (~np.isnan(each)).astype(float)
        return quotient((share * np.nan_to_num(each)).sum(axis=2), share.sum(axis=2))

    def _ranked(self, measure: str) -> Array:
        """RBA: each order with the others' consensus by rank sums."""
        tasks, judges, items = self.positions.shape
        two = np.stack([self.positions, rank_order_without(self.positions, self.counts, one=True)], axis=2)
        return MEASURES[measure].square(two.reshape(-1, 2, items))[:, 0, 1].reshape(tasks, judges)


def _others(square: Array, counts: Array, left: Array) -> Array:
    """Each judge's mean with the others but one, ``[task, judge left out, judge]``; ``left`` are the judges there are.

    Of very many judges a sum over all, less that one. A judge left out of a row that stands for several leaves the
    others of that row.
    """
    if counts.shape[1] <= JUDGES:
        return mean_with_others(square, left.transpose(1, 0, 2), counted=True).transpose(1, 0, 2)

    def sums(table: Array) -> Array:
        own = np.einsum("tjj->tj", table)
        whole = np.matmul(table, counts[:, :, None].astype(float))[:, :, 0] - own  # a judge is no pair of his own
        return np.asarray(whole[:, None, :] - table.transpose(0, 2, 1))

    return quotient(sums(np.nan_to_num(square)), sums((~np.isnan(square)).astype(float)))
