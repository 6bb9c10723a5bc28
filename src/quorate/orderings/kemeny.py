"""Kemeny's order: the one that contradicts the judges least, exact, with a proof; and where several orders do.

The items first fall apart into blocks that beat one another outright: most panels need nothing more. Inside a block the
circles of majorities are solved by subsets when they are small, else as an integer program over pairs, whose rules
against three-item circles are added only where they are broken, from the order that local search found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel
from quorate.kernels import majority
from quorate.orderings.agreed import Agreed, Votes, consensus_method
from quorate.orderings.program import Clock, program
from quorate.table import number

Array = NDArray[Any]
FINE = 1 << 20  # steps that a judge's mean weight is divided into when weights are not whole
QUICK = 8  # items solved by subsets while resampling; more are left to local search


@dataclass(frozen=True, eq=False)
class Solution:
    """An order, its cost, what every order costs at least, and dense positions that tie what best orders differ on."""

    order: Array
    cost: float
    bound: float
    positions: Array
    several: bool | None  # None: not known at the time limit

    @property
    def optimal(self) -> bool:
        """Whether no order costs less."""
        return self.cost - self.bound < 0.5


@consensus_method(
    "kemeny",
    default=True,
    reference="Kemeny 1959; Young 1988",
    parameters={"seconds": number("time for the proof, per task", 0, open_low=True)},
    slow=True,
)
def kemeny(votes: Votes, *, brief: bool = False, seconds: float = 10.0) -> list[Agreed]:
    """The order that contradicts the judges' pairs least, proven; what equally good orders put differently is tied.

    A pair that a judge tied or did not compare contradicts nothing. If the time ends first, the best order found, a
    bound that no order can go below, and the gap between them.
    """
    out = []
    for before, scale in whole(votes):
        if brief:
            out.append(Agreed(quick(before)))
            continue
        found = solve(before, seconds)
        facts: dict[str, Any] = {
            "distance": _scaled(found.cost, scale),
            "optimal": found.optimal,
            "bound": _scaled(found.cost if found.optimal else found.bound, scale),
            "gap": 0.0 if found.optimal else (found.cost - found.bound) / max(found.cost, 1.0),
            "several": found.several,
        }
        out.append(Agreed(found.positions, None, facts, {"order": found.order.tolist()}))
    return out


def _scaled(value: float, scale: float) -> float | int:
    return round(value) if scale == 1 else value / scale


def whole(votes: Votes) -> Iterator[tuple[Array, float]]:
    """The pair counts of each task in whole numbers, and what they were multiplied by to be so."""
    if votes.counts.dtype.kind != "f":
        for before in votes.before:
            yield before, 1.0
        return
    for before, counts in zip(votes.before, votes.counts, strict=True):
        scale = FINE / max(float(counts[counts > 0].mean()), 1e-300) if (counts > 0).any() else 1.0
        yield np.rint(before * scale), scale


def solve(before: Array, seconds: float) -> Solution:
    """The best order of one task, block by block, each with what time is left."""
    clock = Clock(seconds)
    margin = before - before.T
    blocks = majority.blocks_in_line(margin)
    order = np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
    positions, lacking, place, at = np.empty(len(before), np.int64), 0.0, 0, 0
    others: list[bool | None] = []
    for block in blocks:
        if len(block) == 1:
            positions[block] = place + 1
        else:
            inner, gap, tied, more = _block(before[np.ix_(block, block)], clock)
            order[at : at + len(block)] = block[inner]
            positions[block] = place + tied
            lacking += gap
            others.append(more)
        place = int(positions[block].max())
        at += len(block)
    cost = kernel.cost(before, order)
    several = True if any(others) else None if None in others else False
    return Solution(order, cost, cost - lacking, positions, several)


def _block(before: Array, clock: Clock) -> tuple[Array, float, Array, bool | None]:
    """A block's order, how far it may be from the best, its dense positions, and whether other orders are as good."""
    if len(before) <= kernel.FEW:
        _, order, some = kernel.by_subsets(before)
        both = some & some.T
        return order, 0.0, kernel.groups_in_order(order, both), bool(both.any())
    order, gap = _best(before, clock)
    if gap >= 0.5:
        return order, gap, one_by_one(order), None
    return order, 0.0, *_others(before, order, clock)


def one_by_one(order: Array) -> Array:
    """The positions of an order without ties."""
    out = np.empty(len(order), np.int64)
    out[order] = np.arange(1, len(order) + 1)
    return out


def _best(before: Array, clock: Clock) -> tuple[Array, float]:
    """A best order of a block and its gap: circles of majorities are ordered one by one, the rest follows from them."""
    margin = before - before.T
    edge = margin > 0
    reached = majority.reach(edge)
    order = np.argsort(-reached.sum(axis=1), kind="stable")
    gap = 0.0
    for circle in majority.circles(edge):
        inner, lacking = _circle(before[np.ix_(circle, circle)], clock)
        # Members of a circle reach the same items. Others may too, but nobody between them is in the circle's way.
        order[np.isin(order, circle)] = circle[inner]
        gap += lacking
    return order, gap


def _circle(before: Array, clock: Clock) -> tuple[Array, float]:
    if len(before) <= kernel.FEW:
        return kernel.by_subsets(before)[1], 0.0
    return program(before, kernel.search(before), clock)


def _others(before: Array, order: Array, clock: Clock) -> tuple[Array, bool | None]:
    """Which items best orders put differently, as dense positions, and whether there are any.

    Moves that cost nothing show most of them. To find the rest, or to prove that there are none, the program is solved
    again with a small prize on every pair of different groups that comes out the other way round.
    """
    linked = kernel.free_moves(before.T - before, order)
    while True:
        places = kernel.groups_in_order(order, linked)
        apart = places[:, None] < places[None, :]
        if not apart.any():
            return places, True
        prized = before * float(apart.sum() + 1)
        prized[apart.T] += 1
        found, gap = _best_of_all(prized, order, clock)
        turned = apart & _comes_before(found).T
        if not turned.any():
            return places, bool(linked.any()) if gap < 0.5 else None
        if kernel.cost(before, found) > kernel.cost(before, order) + 0.5:
            return places, True if linked.any() else None  # the time was over before the program was solved
        linked |= turned | turned.T


def _best_of_all(before: Array, order: Array, clock: Clock) -> tuple[Array, float]:
    """The best order whatever the blocks, never worse than the one given."""
    out, gap = [], 0.0
    for block in majority.blocks_in_line(before - before.T):
        inner, lacking = _best(before[np.ix_(block, block)], clock)
        out.append(block[inner])
        gap += lacking
    found = np.concatenate(out)
    return (found, gap) if kernel.cost(before, found) <= kernel.cost(before, order) else (order, gap)


def _comes_before(order: Array) -> Array:
    place = np.argsort(order)
    return np.asarray(place[:, None] < place[None, :])


def quick(before: Array) -> Array:
    """Dense positions without a proof, for resampled panels: exact in small blocks, local search in larger ones."""
    positions, place = np.empty(len(before), np.int64), 0
    for block in majority.blocks_in_line(before - before.T):
        if len(block) == 1:
            positions[block] = place + 1
        elif len(block) <= QUICK:
            _, order, some = kernel.by_subsets(before[np.ix_(block, block)])
            positions[block] = place + kernel.groups_in_order(order, some & some.T)
        else:
            inner = before[np.ix_(block, block)]
            order = kernel.search(inner, rounds=0)
            positions[block] = place + kernel.groups_in_order(order, kernel.free_moves(inner.T - inner, order))
        place = int(positions[block].max())
    return positions
