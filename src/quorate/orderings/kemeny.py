"""Kemeny's order: the one that contradicts the judges least, exact, with a proof; and where several orders do.

The items first fall apart into blocks that beat one another outright: most panels need nothing more. Inside a block the
circles of majorities are solved by subsets when they are small, else as an integer program
(:mod:`~quorate.orderings.kemeny_program`), from the order that local search found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel
from quorate.kernels import majority
from quorate.kernels.effort import Effort
from quorate.kernels.ranks import fill_below
from quorate.orderings import large_consensus
from quorate.orderings.consensus_method import consensus_method, every_pair
from quorate.orderings.kemeny_program import program
from quorate.orderings.tally import Votes
from quorate.orderings.voting import rank_sum
from quorate.panel.consensus_value import Agreed
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.table import Note, number

Array = NDArray[Any]
FINE = 1 << 24  # steps that the sum of the weights is divided into when they are not whole
MOST = 300  # items of a circle above which no program is written: only local search and a plain bound
TASKS, WIDE, SETS = 500, 200, 1 << 19  # tasks, items, and sets of items in all, that are soon proven
WORK = 4e7  # for the proof of a task: about a second
BEGIN, AFTER = 10, 30  # rounds of local search before the proof, and after one that failed
SECONDS = number(
    "time for the proof, per task; none: an effort that is the same on every machine", 0, open_low=True, optional=True
)
DRAWN = 40  # numbers looked at for every two items of a panel drawn, about


def drawn_cost(judges: int, items: int) -> float:
    """What a panel drawn costs, in looks of all judges at all pairs of items."""
    return 1 + DRAWN / judges


@dataclass(frozen=True, eq=False)
class Block:
    """Items whose order does not depend on the others': an order, how far it may be from the best, and its ties.

    ``shared[i, j]``: i is before j in every best order. ``complete``: no other pair is.
    """

    order: Array
    gap: float
    positions: Array
    several: bool | None  # whether other orders are as good; None: not known at the limit
    shared: Array
    complete: bool
    number: int | None  # of best orders, where it is known
    least: int = 1  # of best orders there are so many or more


@dataclass(frozen=True, eq=False)
class Solution:
    """An order, its cost, what every order costs at least, dense positions, and what all best orders have in common."""

    order: Array
    cost: float
    bound: float
    positions: Array
    several: bool | None  # None: not known at the limit
    shared: Array  # [i, j]: i is before j in every best order
    complete: bool  # whether that is all that they share
    number: int | None  # of best orders; None: not known
    least: int  # number of best orders there are at least

    @property
    def optimal(self) -> bool:
        """Whether no order costs less."""
        return self.cost - self.bound < 0.5


@consensus_method(
    "kemeny",
    additive=True,
    default=True,
    reference="Kemeny 1959; Young 1988",
    parameters={"seconds": SECONDS},
    cost=drawn_cost,
    looks=every_pair,
    steady=True,
    note=Note(
        "The best compromise in the sense of fewest contradicted pairs; the reference for the others.",
        "Several orders may be equally good (the answer says so), and large tasks may end without proof; see the gap.",
        "argmin over orders of the sum over judges of pairs ordered the other way",
    ),
)
def kemeny(votes: Votes, *, brief: bool = False, seconds: float | None = None) -> list[Agreed]:
    """The order that contradicts the judges' pairs least, proven; of equally good orders the one nearest the rank sums.

    A pair that a judge tied or did not compare contradicts nothing. Items are tied where every way to break the tie is
    as good. Where several orders are equally good, their number and the pairs that all of them order alike are told;
    of more than 13 items in a block the one shown is as near the rank sums as single moves lead. If the proof takes too
    long, the best order found, a bound that no order can go below, and the gap between them.
    """
    if large_consensus.is_long(votes):
        return large_consensus.kemeny(votes, np.stack([a.array for a in rank_sum(votes, brief=True)]))
    if brief:
        return [Agreed(places) for places in drawn_places(votes)]
    out = []
    for (before, scale), then in zip(whole(votes), by_rank_sum(votes), strict=True):
        found = solve(before, seconds, then)
        facts: dict[str, Any] = {
            "distance": _scaled(found.cost, scale),
            "optimal": found.optimal,
            "bound": _scaled(found.cost if found.optimal else found.bound, scale),
            "gap": 0.0 if found.optimal else (found.cost - found.bound) / max(found.cost, 1.0),
            **equally_good(found),
        }
        out.append(Agreed(found.positions, None, facts, {"order": found.order.tolist(), "shared": shared_pairs(found)}))
    return out


def equally_good(found: Solution) -> dict[str, Any]:
    """Whether several orders are equally good, how many at least, and whether it is known what all of them share."""
    known = found.complete if found.optimal else None
    return {"several": found.several, "optima": found.number, "optima_at_least": found.least, "shared_complete": known}


def shared_pairs(found: Solution) -> list[list[int]] | None:
    """What all of several best orders share; None where there is one, or where the items are too many to tell."""
    return covers(found.shared) if found.several and found.optimal and len(found.order) <= MOST else None


def covers(above: Array) -> list[list[int]]:
    """The pairs of a partial order that do not follow from others, ``above[i, j]``: i is before j."""
    through = (above.astype(np.float32) @ above.astype(np.float32)) > 0
    return [[int(i), int(j)] for i, j in np.argwhere(above & ~through)]


def _scaled(value: float, scale: float) -> float | int:
    return round(value) if scale == 1 else value / scale


def whole(votes: Votes) -> Iterator[tuple[Array, float]]:
    """The pair counts of each task in whole numbers, and what they were multiplied by to be so."""
    if not votes.fractions:
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
    places = np.stack([a.array for a in rank_sum(votes, brief=True)])
    return np.asarray(places[:, :, None] < places[:, None, :])


def solve(before: Array, seconds: float | None = None, then: Array | None = None) -> Solution:
    """The best order of one task, block by block, each with the effort left; ``then`` decides between equal ones."""
    effort = Effort(WORK, seconds)
    then = np.zeros(before.shape, bool) if then is None else then
    margin = before - before.T
    blocks = majority.blocks_in_line(margin)
    order = np.concatenate(blocks) if blocks else np.zeros(0, np.int64)
    positions, place, at = np.empty(len(before), np.int64), 0, 0
    number = np.empty(len(before), np.int64)
    number[order] = np.repeat(np.arange(len(blocks)), [len(block) for block in blocks])
    shared = number[:, None] < number  # every item of a block beats all that come after it
    found = []
    for block in blocks:
        if len(block) == 1:
            place, at = place + 1, at + 1
            positions[block] = place
            continue
        here = np.ix_(block, block)
        solved = _block(before[here], then[here], effort)
        order[at : at + len(block)] = block[solved.order]
        positions[block] = place + solved.positions
        shared[here] = solved.shared
        place = int(positions[block].max())
        at += len(block)
        found.append(solved)
    cost = kernel.cost(before, order)
    others = [b.several for b in found]
    several = True if any(others) else None if None in others else False
    numbers = [b.number for b in found if b.number is not None]
    every = math.prod(numbers) if len(numbers) == len(found) else None
    least = math.prod(b.least for b in found)
    bound = cost - sum(b.gap for b in found)
    return Solution(order, cost, bound, positions, several, shared, all(b.complete for b in found), every, least)


def _block(before: Array, then: Array, effort: Effort) -> Block:
    """The best order of a block of two items and more, and what is known of others that are as good."""
    both = before * float(before.size) + then  # first the judges' pairs, then the others: they cannot outweigh one
    if len(before) <= kernel.FEW:
        order = kernel.best_orders(both[None])[0]
        some = kernel.before_in_some(before)
        more = bool((some & some.T).any())
        number = kernel.number_of_best(before) if more else 1
        return Block(order, 0.0, kernel.tied(both - both.T, order), more, some & ~some.T, True, number, number)
    order, gap, sure = _best(before, effort)
    if gap:
        return Block(order, gap, one_by_one(order), None, np.zeros(before.shape, bool), False, None)
    several = _another(before, order, sure, effort.part(WORK))
    if several is False:
        return Block(order, 0.0, one_by_one(order), False, comes_before(order), True, 1)
    if several:
        order = kernel.descend(both.T - both, order)
    positions = kernel.tied(both - both.T, order)
    shared, least = _surely_shared(before)
    least = max(least, math.prod(math.factorial(int(n)) for n in np.bincount(positions)), 2 if several else 1)
    return Block(order, 0.0, positions, several, shared, False, None, least)


def _surely_shared(before: Array) -> tuple[Array, int]:
    """Pairs that every best order of a large block has alike, and how many best orders there are at least.

    Between circles every majority is kept by all best orders, and what follows from them; within a small circle what
    subsets say. Others may be shared too.
    """
    edge = before - before.T > 0
    reached = majority.reach(edge)
    shared = edge & ~reached.T
    least = 1
    for circle in majority.circles(edge):
        if len(circle) <= kernel.FEW:
            inner = before[np.ix_(circle, circle)]
            some = kernel.before_in_some(inner)
            shared[np.ix_(circle, circle)] = some & ~some.T
            least *= kernel.number_of_best(inner)
    return majority.reach(shared) & ~np.eye(len(shared), dtype=bool), least


def one_by_one(order: Array) -> Array:
    """The positions of an order without ties."""
    out = np.empty(len(order), np.int64)
    out[order] = np.arange(1, len(order) + 1)
    return out


def _best(
    before: Array, effort: Effort, near: Array | None = None, kept: Array | None = None
) -> tuple[Array, float, Array]:
    """A best order of a block and its gap: circles of majorities are ordered one by one, the rest follows from them.

    And ``sure[i, j]``: i is surely before j in every best order. An order to begin near, if there is one, saves the
    search for it, and pairs that are known to be ``kept`` much of the proof.
    """
    margin = before - before.T
    edge = margin > 0
    reached = majority.reach(edge)
    order = np.argsort(-reached.sum(axis=1), kind="stable")
    gap, sure = 0.0, edge & ~reached.T  # between circles all majorities are kept
    for circle in majority.circles(edge):
        here = np.ix_(circle, circle)
        start = None if near is None else np.argsort(np.argsort(near)[circle])
        inner, lacking, sure[here] = _circle(before[here], effort, start, None if kept is None else kept[here])
        # Members of a circle reach the same items. Others may too, but nobody between them is in the circle's way.
        order[np.isin(order, circle)] = circle[inner]
        gap += lacking
    return order, gap, sure


def _circle(before: Array, effort: Effort, start: Array | None, kept: Array | None) -> tuple[Array, float, Array]:
    """The same of a circle."""
    if len(before) <= kernel.FEW:
        _, order, some = kernel.by_subsets(before)
        return order, 0.0, some & ~some.T
    if len(before) > MOST:
        order = kernel.search(before, rounds=0, start=start)
        gap = kernel.cost(before, order) - float(np.minimum(before, before.T).sum()) / 2
        return order, gap, np.zeros(before.shape, bool)
    order, gap, sure = program(before, kernel.search(before, BEGIN if start is None else 0, start), effort, kept)
    if not gap or start is not None:
        return order, gap, sure
    better = kernel.search(before, AFTER, order)
    return better, gap - (kernel.cost(before, order) - kernel.cost(before, better)), sure


def _another(before: Array, order: Array, sure: Array, effort: Effort) -> bool | None:
    """Whether another order costs as little: some move is free, or a prize on every turned pair finds one.

    Pairs that are ``sure`` are so in all best orders: a majority against such a pair is turned, which makes orders
    dearer that do not have it, and no other; what is left in doubt are circles of a few items.
    """
    if kernel.free_moves(before.T - before, order).any():
        return True
    kept = comes_before(order)
    prized = before * float(before.size) + kept.T
    against = sure & (prized < prized.T)
    prized = np.where(against | against.T, prized.T, prized)
    found, gap = _best_of_all(prized, order, sure, effort)
    if (found != order).any() and kernel.cost(before, found) <= kernel.cost(before, order):
        return True
    return None if gap else False


def _best_of_all(before: Array, order: Array, kept: Array, effort: Effort) -> tuple[Array, float]:
    """The best order whatever the blocks, never worse than the one given; pairs that are ``kept`` are as in that."""
    out, gap = [], 0.0
    for block in majority.blocks_in_line(before - before.T):
        here = np.ix_(block, block)
        inner, lacking, _ = _best(before[here], effort, np.argsort(np.argsort(order)[block]), kept[here])
        out.append(block[inner])
        gap += lacking
    found = np.concatenate(out)
    return (found, gap) if kernel.cost(before, found) <= kernel.cost(before, order) else (order, gap)


def soon_proven(panel: Orderings) -> bool:
    """Whether the best order of every task is proven in little time: few tasks, and only small circles of majorities.

    >>> soon_proven(Orderings.from_orders(["abcd", "abdc", "bacd"]))
    True
    """
    if len(panel.tasks) > TASKS or _most_items(panel) > WIDE:
        return False
    sets = 0
    for before in _counts(panel):
        largest = max(map(len, majority.blocks_in_line(before - before.T)))
        sets += 1 << largest
        if largest > kernel.FEW or sets > SETS:
            return False
    return True


def _most_items(panel: Orderings) -> int:
    """How many items a task has, at the most."""
    if panel.elsewhere is not None:
        return max(map(len, panel.elsewhere.items.values()))
    return max((part.shape[2] for part in stacks(panel)), default=0)


def _counts(panel: Orderings) -> Iterator[Array]:
    """How many judges put i before j, task by task."""
    if panel.elsewhere is not None:
        yield from panel.elsewhere.before
        return
    for part in stacks(panel):
        positions = fill_below(part.positions) if panel.absent == "below" else part.positions
        yield from majority.before(positions, part.counts)


def comes_before(order: Array) -> Array:
    """``[i, j]``: whether i is before j."""
    place = np.argsort(order)
    return np.asarray(place[:, None] < place[None, :])


def drawn_places(votes: Votes) -> Array:
    """Dense positions without a proof, ``[panel, item]``, for resampled panels."""
    before = np.stack([counted for counted, _ in whole(votes)])
    return kernel.drawn_places(before * float(before[0].size) + by_rank_sum(votes))
