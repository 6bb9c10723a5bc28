"""Camps of orderings: a mixture of Mallows models, each with a centre on every task and a dispersion of its own.

P(order) is proportional to phi to the number of pairs that contradict the centre. The centre is Kemeny's order of the
judges of the camp, as they are weighed, by local search; phi is the likeliest, with half a random judge beforehand, so
that a camp of equal orders does not make others impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.kemeny import descend_together
from quorate.orderings.models import expected_distance

Array = NDArray[Any]
BEFOREHAND = 0.5  # judges who order at random
STEPS = 20  # of looking for phi
CELLS = 1 << 22  # pairs of items held at a time


@dataclass(frozen=True, eq=False)
class Mallows:
    """What judges said on tasks, each with numbers of its judges and their positions; 0 is absent."""

    tasks: Sequence[tuple[Array, Array]]  # judges, and positions [judge, item]
    judges: int
    below: bool = False  # an absent item is below all others

    def fit(self, weights: Array) -> Array:
        """The log-likelihood of every judge's orders in every camp, ``[camp, judge]``."""
        distance = np.zeros((len(weights), self.judges))
        for who, positions in self.tasks:
            distance[:, who] += self._distances(weights[:, who], positions)
        lengths, often = self._lengths
        out = np.empty(distance.shape)
        for k, (own, weight) in enumerate(zip(distance, weights, strict=True)):
            phi = _phi(weight @ own, weight @ often, lengths, often.mean(axis=0))
            out[k] = own * np.log(phi) - often @ np.array([_log_sum(phi, *size) for size in lengths])
        return out

    @property
    def _lengths(self) -> tuple[list[tuple[int, int]], Array]:
        """How many of how many items a list ranks, and how many such lists each judge gave, ``[judge, length]``."""
        found: dict[tuple[int, int], Array] = {}
        for who, positions in self.tasks:
            ranked = np.count_nonzero(positions, axis=1)
            for size in np.unique(ranked).tolist():
                of = (size, positions.shape[1] if self.below else size)
                found.setdefault(of, np.zeros(self.judges))[who[ranked == size]] += 1
        return list(found), np.stack(list(found.values()), axis=1)

    def _distances(self, weights: Array, positions: Array) -> Array:
        """How many pairs of every judge contradict the centre of every camp, ``[camp, judge]``; a tie is half one."""
        items = positions.shape[1]
        before = np.zeros((len(weights), items, items))
        for rows, pairs in self._before(positions):
            before += np.tensordot(weights[:, rows], pairs, axes=1)
        margin = before.transpose(0, 2, 1) - before
        order = descend_together(margin, np.argsort(margin.sum(axis=2), axis=1, kind="stable"))
        places = np.argsort(order, axis=1)
        ahead = (places[:, :, None] < places[:, None]).astype(float)
        out = np.empty(weights.shape)
        for rows, pairs in self._before(positions):
            out[:, rows] = np.tensordot(ahead, pairs, axes=([2, 1], [1, 2]))
        return out

    def _before(self, positions: Array) -> Iterator[tuple[slice, Array]]:
        """Some judges at a time: 1 where one puts i before j, 1/2 where they tie, ``[judge, i, j]``."""
        step = max(1, CELLS // positions.shape[1] ** 2)
        for a in range(0, len(positions), step):
            own = positions[a : a + step].astype(np.int32)
            there = own > 0
            late = np.where(there, own, own.max(initial=0) + 1) if self.below else own
            first, second = late[:, :, None], late[:, None]
            both = there[:, :, None] & (there[:, None] | self.below)
            pairs = both * (first < second) + 0.5 * (both & there[:, None] & (first == second))
            pairs[:, np.arange(own.shape[1]), np.arange(own.shape[1])] = 0.0
            yield slice(a, a + len(own)), pairs


def _phi(distance: float, often: Array, lengths: Sequence[tuple[int, int]], usual: Array) -> float:
    """The phi that expects such a distance of so many lists of every length."""
    lists = often + BEFOREHAND * usual
    wanted = distance + BEFOREHAND * float(usual @ [expected_distance(1.0, *size) for size in lengths])
    low, high = 1e-6, 1.0
    for _ in range(STEPS):
        phi = (low + high) / 2
        far = float(lists @ [expected_distance(phi, *size) for size in lengths]) > wanted
        low, high = (low, phi) if far else (phi, high)
    return (low + high) / 2


def _log_sum(phi: float, ranked: int, items: int) -> float:
    """The logarithm of what the weights of all lists of so many items sum up to."""
    left = np.arange(items, items - ranked, -1, dtype=float)
    if phi > 1 - 1e-6:
        return float(np.log(left).sum())
    return float((np.log1p(-(phi**left)) - np.log1p(-phi)).sum())
