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
from quorate.kernels.effort import Effort
from quorate.orderings import long_orders
from quorate.orderings.agreed import Agreed, Votes, consensus_method
from quorate.orderings.program import program
from quorate.orderings.voting import rank_sum
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.table import Note, number

Array = NDArray[Any]
FINE = 1 << 24  # steps that the sum of the weights is divided into when they are not whole
MOST = 300  # items of a circle above which no program is written: only local search and a plain bound
TASKS, WIDE, SETS = 500, 200, 1 << 19  # tasks, items, and sets of items in all, that are soon proven
WORK, MORE = 4e7, 1e6  # for the proof of a task, and to choose between equally good orders; 4e7 is about a second
BEGIN, AFTER = 10, 30  # rounds of local search before the proof, and after one that failed
SECONDS = number(
    "time for the proof, per task; none: an effort that is the same on every machine", 0, open_low=True, optional=True
)
QUICK = 8  # items solved by subsets while resampling; more are left to local search


@dataclass(frozen=True, eq=False)
class Solution:
    """An order, its cost, what every order costs at least, and dense positions that tie what is left open."""

    order: Array
    cost: float
    bound: float
    positions: Array
    several: bool | None  # None: not known at the limit

    @property
    def optimal(self) -> bool:
        """Whether no order costs less."""
        return self.cost - self.bound < 0.5


@consensus_method(
    "kemeny",
    default=True,
    reference="Kemeny 1959; Young 1988",
    parameters={"seconds": SECONDS},
    slow=True,
    note=Note(
        "The best compromise in the sense of fewest contradicted pairs; the reference for the others.",
        "Several orders may be equally good (the answer says so), and large tasks may end without proof; see the gap.",
        "argmin over orders of the sum over judges of pairs ordered the other way",
    ),
)
def kemeny(votes: Votes, *, brief: bool = False, seconds: float | None = None) -> list[Agreed]:
    """The order that contradicts the judges' pairs least, proven; of equally good orders the one nearest the rank sums.

    A pair that a judge tied or did not compare contradicts nothing. What the rank sums leave open too is tied. If the
    proof takes too long, the best order found, a bound that no order can go below, and the gap between them.
    """
    if long_orders.is_long(votes):
        return long_orders.kemeny(votes, np.stack([a.positions for a in rank_sum(votes, brief=True)]))
    out = []
    for (before, scale), then in zip(whole(votes), by_rank_sum(votes), strict=True):
        if brief:
            out.append(Agreed(quick(before, then)))
            continue
        found = solve(before, seconds, then)
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
        if (counts == np.rint(counts)).all():
            yield before, 1.0
            continue
        scale = FINE / max(float(counts.sum()), 1e-300)  # the sum: the same whether judges are counted or repeated
        yield np.rint(before * scale), scale


def by_rank_sum(votes: Votes) -> Array:
    """Which items have a lower rank sum than which, ``[task, i, j]``: to choose between equally good orders."""
    places = np.stack([a.positions for a in rank_sum(votes, brief=True)])
    return np.asarray(places[:, :, None] < places[:, None, :])


def solve(before: Array, seconds: float | None = None, then: Array | None = None) -> Solution:
    """The best order of one task, block by block, each with the effort left; ``then`` decides between equal ones."""
    effort = Effort(WORK, seconds)
    then = np.zeros(before.shape, bool) if then is None else then
    margin = before - before.T
    blocks = majority.blocks_in_line(margin)
    order = np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
    positions, lacking, place, at = np.empty(len(before), np.int64), 0.0, 0, 0
    others: list[bool | None] = []
    for block in blocks:
        if len(block) == 1:
            positions[block] = place + 1
        else:
            inner, gap, tied, more = _block(before[np.ix_(block, block)], then[np.ix_(block, block)], effort)
            order[at : at + len(block)] = block[inner]
            positions[block] = place + tied
            lacking += gap
            others.append(more)
        place = int(positions[block].max())
        at += len(block)
    cost = kernel.cost(before, order)
    several = True if any(others) else None if None in others else False
    return Solution(order, cost, cost - lacking, positions, several)


def _block(before: Array, then: Array, effort: Effort) -> tuple[Array, float, Array, bool | None]:
    """A block's order, how far it may be from the best, its dense positions, and whether other orders are as good."""
    both = before * float(before.size) + then  # first the judges' pairs, then the others: they cannot outweigh one
    if len(before) <= kernel.FEW:
        _, order, some = kernel.by_subsets(both)
        open_ = some & some.T
        return order, 0.0, kernel.groups_in_order(order, open_), _differ(some) or _differ(kernel.by_subsets(before)[2])
    order, gap = _best(before, effort)
    if gap:
        return order, gap, one_by_one(order), None
    several = _another(before, order, effort.part(WORK))
    if several:
        order, _ = _best_of_all(both, kernel.descend(both.T - both, order), effort.part(MORE))
    # Ties that only several moves at once would show are not looked for in large blocks.
    return order, 0.0, kernel.groups_in_order(order, kernel.free_moves(both.T - both, order)), several


def _differ(some: Array) -> bool:
    return bool((some & some.T).any())


def one_by_one(order: Array) -> Array:
    """The positions of an order without ties."""
    out = np.empty(len(order), np.int64)
    out[order] = np.arange(1, len(order) + 1)
    return out


def _best(before: Array, effort: Effort, near: Array | None = None) -> tuple[Array, float]:
    """A best order of a block and its gap: circles of majorities are ordered one by one, the rest follows from them.

    An order to begin near, if there is one, saves the search for it.
    """
    margin = before - before.T
    edge = margin > 0
    reached = majority.reach(edge)
    order = np.argsort(-reached.sum(axis=1), kind="stable")
    gap = 0.0
    for circle in majority.circles(edge):
        start = None if near is None else np.argsort(np.argsort(near)[circle])
        inner, lacking = _circle(before[np.ix_(circle, circle)], effort, start)
        # Members of a circle reach the same items. Others may too, but nobody between them is in the circle's way.
        order[np.isin(order, circle)] = circle[inner]
        gap += lacking
    return order, gap


def _circle(before: Array, effort: Effort, start: Array | None) -> tuple[Array, float]:
    if len(before) <= kernel.FEW:
        return kernel.by_subsets(before)[1], 0.0
    if len(before) > MOST:
        order = kernel.search(before, rounds=0, start=start)
        return order, kernel.cost(before, order) - float(np.minimum(before, before.T).sum()) / 2
    order, gap = program(before, kernel.search(before, BEGIN if start is None else 0, start), effort)
    if not gap or start is not None:
        return order, gap
    better = kernel.search(before, AFTER, order)
    return better, gap - (kernel.cost(before, order) - kernel.cost(before, better))


def _another(before: Array, order: Array, effort: Effort) -> bool | None:
    """Whether another order costs as little: some move is free, or a prize on every turned pair finds one."""
    if kernel.free_moves(before.T - before, order).any():
        return True
    kept = comes_before(order)
    prized = before * float(before.size) + kept.T
    found, gap = _best_of_all(prized, order, effort)
    if (found != order).any() and kernel.cost(before, found) <= kernel.cost(before, order):
        return True
    return None if gap else False


def _best_of_all(before: Array, order: Array, effort: Effort) -> tuple[Array, float]:
    """The best order whatever the blocks, never worse than the one given."""
    out, gap = [], 0.0
    for block in majority.blocks_in_line(before - before.T):
        inner, lacking = _best(before[np.ix_(block, block)], effort, np.argsort(np.argsort(order)[block]))
        out.append(block[inner])
        gap += lacking
    found = np.concatenate(out)
    return (found, gap) if kernel.cost(before, found) <= kernel.cost(before, order) else (order, gap)


def soon_proven(panel: Orderings) -> bool:
    """Whether the best order of every task is proven in little time: few tasks, and only small circles of majorities.

    >>> soon_proven(Orderings.from_orders(["abcd", "abdc", "bacd"]))
    True
    """
    if len(panel.tasks) > TASKS:
        return False
    sets = 0
    for part in stacks(panel):
        if part.shape[2] > WIDE:
            return False
        for before in majority.before(part.positions, part.counts):
            largest = max(map(len, majority.blocks_in_line(before - before.T)))
            sets += 1 << largest
            if largest > kernel.FEW or sets > SETS:
                return False
    return True


def comes_before(order: Array) -> Array:
    """``[i, j]``: whether i is before j."""
    place = np.argsort(order)
    return np.asarray(place[:, None] < place[None, :])


def quick(before: Array, then: Array) -> Array:
    """Dense positions without a proof, for resampled panels: exact in small blocks, local search in larger ones."""
    both = before * float(before.size) + then
    positions, place = np.empty(len(both), np.int64), 0
    for block in majority.blocks_in_line(both - both.T):
        if len(block) == 1:
            positions[block] = place + 1
        else:
            inner = both[np.ix_(block, block)]
            if len(block) <= QUICK:
                _, order, some = kernel.by_subsets(inner)
                open_ = some & some.T
            else:
                order = kernel.search(inner, rounds=0)
                open_ = kernel.free_moves(inner.T - inner, order)
            positions[block] = place + kernel.groups_in_order(order, open_)
        place = int(positions[block].max())
    return positions
