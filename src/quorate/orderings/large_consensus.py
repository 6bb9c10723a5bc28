"""Consensus of so many items that a table of all pairs has no room: pairs are looked at a few rows at a time.

Copeland's order comes out as it does from the table. What follows from supported pairs, and the proof of a Kemeny
order, would take too long: there the order rests on the supported pairs themselves, or is the best one found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel
from quorate.kernels import majority
from quorate.kernels.inversions import inversions
from quorate.orderings.tally import Votes
from quorate.panel.consensus_value import Agreed

Array = NDArray[Any]
ITEMS = 3000  # above which a task is long
WINDOW, STEP = 200, 100  # items of an order that are put in order among themselves at a time


def is_long(votes: Votes) -> bool:
    """Whether a table of all pairs of items has no room."""
    return votes.items > ITEMS


def copeland(votes: Votes) -> list[Agreed]:
    """Items by the number of items they beat by majority, a draw counting half."""
    out = []
    for ranking, counts in _tasks(votes):
        near, items = majority.NEAR * counts.sum(), ranking.shape[1]
        won, lost = np.zeros((2, items), np.int64)
        for rows, before, after in majority.in_rows(ranking, counts):
            won[rows] = np.count_nonzero(before - after > near, axis=1)
            lost[rows] = np.count_nonzero(after - before > near, axis=1)
        best = np.flatnonzero(won == items - 1)
        score = won + (items - 1 - won - lost) / 2
        about = {"condorcet_winner": int(best[0]) if len(best) else None}
        out.append(Agreed(majority.places(-score[None])[0], score, about=about))
    return out


def supported(votes: Votes, need: Array) -> list[Agreed]:
    """Items by the supported pairs in which they come first less those in which they come second."""
    out = []
    for (ranking, counts), least in zip(_tasks(votes), need, strict=True):
        net = np.zeros(ranking.shape[1])
        pairs = 0
        for rows, before, after in majority.in_rows(ranking, counts):
            first = np.count_nonzero((before >= least) & (before > 0), axis=1)
            net[rows] = first - np.count_nonzero((after >= least) & (after > 0), axis=1)
            pairs += int(first.sum())
        facts = {"pairs": pairs, "broken_support": None, "closed": False}
        about = {"supported_cycles": None, "broken": None}
        out.append(Agreed(majority.places(-net[None])[0], net, facts, about))
    return out


def kemeny(votes: Votes, start: Array) -> list[Agreed]:
    """The best order found near the rank sums, ``start[task, item]``, what it costs, and what any order costs."""
    out = []
    for (ranking, counts), places in zip(_tasks(votes), start, strict=True):
        order = _improved(ranking, counts, np.argsort(places, kind="stable"))
        cost = _cost(ranking, counts, order)
        bound = sum(float(np.minimum(b, a).sum(dtype=float)) for _, b, a in majority.in_rows(ranking, counts)) / 2
        exact = counts.dtype.kind != "f" or bool((counts == np.rint(counts)).all())
        optimal = cost - bound < (0.5 if exact else 1e-9 * max(cost, 1.0))
        facts: dict[str, Any] = {
            "distance": round(cost) if exact else cost,
            "optimal": optimal,
            "bound": round(bound) if exact else bound,
            "gap": 0.0 if optimal else (cost - bound) / max(cost, 1.0),
            "several": None,
            "optima": None,
            "optima_at_least": 1,
            "shared_complete": None,
        }
        positions = np.empty(len(order), np.int64)
        positions[order] = np.arange(1, len(order) + 1)
        out.append(Agreed(positions, None, facts, {"order": order.tolist(), "shared": None}))
    return out


def _tasks(votes: Votes) -> Iterator[tuple[Array, Array]]:
    for ranking, counts in zip(votes.complete, votes.counts, strict=True):
        yield ranking[counts > 0], counts[counts > 0]


def _improved(ranking: Array, counts: Array, order: Array) -> Array:
    """The order with the items of every window put in a better order, from the first window to the last."""
    order = order.copy()
    for a in range(0, max(len(order) - STEP, 1), STEP):
        window = order[a : a + WINDOW]
        before = majority.before(ranking[None, :, window], counts[None])[0]
        order[a : a + WINDOW] = window[kernel.descend(before.T - before, np.arange(len(window)))]
    return order


def _cost(ranking: Array, counts: Array, order: Array) -> float:
    """The pairs that judges put the other way round."""
    total = 0.0
    for row, times in zip(ranking[:, order].astype(np.int64), counts.tolist(), strict=True):
        total += times * int(inversions(row[row > 0][None])[0])
    return total
