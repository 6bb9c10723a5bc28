"""Camps of orderings: a mixture of Mallows models, each with a centre on every task and a dispersion of its own.

P(order) is proportional to phi to the number of pairs that contradict the centre. The centre is Kemeny's order of the
judges of the camp, as they are weighed, by local search; phi is the likeliest, with half a random judge beforehand, so
that a camp of equal orders does not make others impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.kemeny import descend_together
from quorate.orderings.models import expected_distance

Array = NDArray[Any]
BEFOREHAND = 0.5  # judges who order at random
STEPS = 20  # of looking for phi
CELLS = 1 << 20  # pairs of items looked at at a time
HELD = 1 << 24  # of all tasks, up to which they are kept from one fit to the next


@dataclass(frozen=True, eq=False)
class Mallows:
    """What judges said on tasks, each with numbers of its judges and their positions; 0 is absent."""

    tasks: Sequence[tuple[Array, Array]]  # judges, and positions [judge, item]
    judges: int
    below: bool = False  # an absent item is below all others

    def fit(self, weights: Array) -> Array:
        """The log-likelihood of every judge's orders in every camp, ``[camp, judge]``."""
        distance = np.zeros((len(weights), self.judges))
        for stack in self._stacks:
            found = stack.distances(weights[:, stack.who])
            for own, more in zip(distance, found, strict=True):
                own += np.bincount(stack.who.ravel(), more.ravel(), self.judges)
        lengths, often = self._lengths
        out = np.empty(distance.shape)
        for k, (own, weight) in enumerate(zip(distance, weights, strict=True)):
            phi = _phi(weight @ own, weight @ often, lengths, often.mean(axis=0))
            out[k] = own * np.log(phi) - often @ np.array([_log_sum(phi, *size) for size in lengths])
        return out

    @cached_property
    def _stacks(self) -> list[_Stack]:
        """Tasks of equally many judges and items together, some at a time."""
        alike: dict[tuple[int, ...], list[tuple[Array, Array]]] = {}
        for who, positions in self.tasks:
            alike.setdefault(positions.shape, []).append((who, positions))
        held = sum(p.size * p.shape[1] for _, p in self.tasks) <= HELD
        out = []
        for (judges, items), same in alike.items():
            step = max(1, CELLS // (judges * items**2))
            for a in range(0, len(same), step):
                who, positions = (np.stack(x) for x in zip(*same[a : a + step], strict=True))
                out.append(_Stack(who, positions, self.below, held))
        return out

    @cached_property
    def _lengths(self) -> tuple[list[tuple[int, int]], Array]:
        """How many of how many items a list ranks, and how many such lists each judge gave, ``[judge, length]``."""
        found: dict[tuple[int, int], Array] = {}
        for who, positions in self.tasks:
            ranked = np.count_nonzero(positions, axis=1)
            for size in np.unique(ranked).tolist():
                of = (size, positions.shape[1] if self.below else size)
                found.setdefault(of, np.zeros(self.judges))[who[ranked == size]] += 1
        return list(found), np.stack(list(found.values()), axis=1)


@dataclass(frozen=True, eq=False)
class _Stack:
    """Tasks of equally many judges and items."""

    who: Array  # [task, judge] numbers of the judges
    positions: Array  # [task, judge, item]
    below: bool
    held: bool  # whether pairs are kept for the next fit

    def distances(self, weights: Array) -> Array:
        """How many pairs of every judge contradict the centre of every camp, a tie half; ``[camp, task, judge]``, as
        the weights are that say how much each judge counts."""
        camps, (tasks, judges, items) = len(weights), self.positions.shape
        before = np.zeros((tasks, camps, items**2))
        for rows, pairs in self._before():
            before += weights[:, :, rows].transpose(1, 0, 2) @ pairs
        before = before.reshape(-1, items, items)
        margin = before.transpose(0, 2, 1) - before
        order = descend_together(margin, np.argsort(margin.sum(axis=2), axis=1, kind="stable"))
        places = np.argsort(order, axis=1)
        behind = (places[:, :, None] > places[:, None]).astype(float).reshape(tasks, camps, -1)
        out = np.empty((tasks, judges, camps))
        for rows, pairs in self._before():
            out[:, rows] = pairs @ behind.transpose(0, 2, 1)
        return out.transpose(2, 0, 1)

    def _before(self) -> Iterable[tuple[slice, Array]]:
        """Some judges at a time: 1 where one puts i before j, 1/2 where they tie, ``[task, judge, pair]``."""
        return self._kept if self.held else self._pairs()

    @cached_property
    def _kept(self) -> list[tuple[slice, Array]]:
        return list(self._pairs())

    def _pairs(self) -> Iterator[tuple[slice, Array]]:
        tasks, judges, items = self.positions.shape
        last = self.positions.max(initial=0) + 1
        step = max(1, CELLS // (tasks * items**2))
        for a in range(0, judges, step):
            own = self.positions[:, a : a + step].astype(np.int32)
            there = own > 0
            late = np.where(there, own, last) if self.below else own
            first, second = late[..., :, None], late[..., None, :]
            both = there[..., :, None] & (there[..., None, :] | self.below)
            pairs = both * (first < second) + 0.5 * (both & there[..., None, :] & (first == second))
            pairs[..., np.arange(items), np.arange(items)] = 0.0
            yield slice(a, a + own.shape[1]), pairs.reshape(tasks, own.shape[1], -1)


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
