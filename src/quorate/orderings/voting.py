"""Consensus by points and by majorities: rank sums, reciprocal ranks, Copeland, Schulze. Ties stay ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority, ranks
from quorate.orderings import large_consensus
from quorate.orderings.consensus_method import consensus_method, every_pair, in_a_table
from quorate.orderings.tally import Votes
from quorate.panel.consensus_value import Agreed
from quorate.table import Note, number

Array = NDArray[Any]


@consensus_method(
    "rank_sum",
    additive=True,
    default=True,
    reference="Kim, Zhai, Han: RBA; Borda 1784",
    steady=True,
    note=Note(
        "A fast, transparent default; also as baseline for the others.",
        "Items ranked by few judges and clones of an item move it; one extreme judge pulls a whole item.",
        "items by sum over judges of r, lowest first; tied items share the mean of their ranks",
    ),
)
def rank_sum(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """Items by the sum of their ranks, lowest first; tied items share the mean of their ranks.

    With ``missing=unknown`` the ranks of a shorter list are spread over the whole, r (n + 1) / (m + 1), which is where
    random gaps leave them on average, and judges who lack the item count with the mean of those who have it.
    """
    judges = votes.judges[:, None] / np.where(votes.held > 0, votes.held, 1)
    return _by_score(votes.rank_sums * judges, ascending=True)


@consensus_method(
    "reciprocal_rank",
    missing="below",
    reference="Cormack, Clarke, Buettcher 2009",
    parameters={"k": number("how little the first places stand out", 0)},
    note=Note(
        "Fusing search runs of different depth, where only the top counts.",
        "k is a convention (60), and the score has no meaning beyond the order.",
        "items by sum over judges of 1 / (k + r), highest first",
    ),
)
def reciprocal_rank(votes: Votes, *, brief: bool = False, k: float = 60.0) -> list[Agreed]:
    """Items by the sum of 1 / (k + rank), highest first: fusion of search runs.

    An absent item adds nothing (``below``), or counts with the mean of the judges who have it (``unknown``).
    """
    items = votes.positions.shape[2]
    point = 1 / (k + np.arange(1, items + 1))

    def points(positions: Array) -> Array:
        return np.where(positions > 0, ranks.by_rank(ranks.fill_below(positions), point), 0.0)

    raw = Votes(votes.positions, votes.counts, "unknown")  # absent items must stay absent here
    total = raw.per_judge(points)
    if votes.missing == "unknown":
        total = total / raw.held
    return _by_score(total, ascending=False)


@consensus_method(
    "copeland",
    additive=True,
    default=True,
    looks=every_pair,
    reference="Copeland 1951; Llull 1299",
    steady=True,
    note=Note(
        "Majority decisions that should not depend on how far apart items are.",
        "Ties are frequent with few items, and the size of a majority does not count.",
        "items by (items beaten by a majority) + 1/2 (draws), highest first",
    ),
)
def copeland(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """Items by the number of items they beat by majority, a draw counting half.

    Two items that nobody compared (``missing=unknown``) are a draw.
    """
    if large_consensus.is_long(votes):
        return large_consensus.copeland(votes)
    return _with_winner(_by_score(majority.wins(votes.beaten), ascending=False), votes, brief)


@consensus_method(
    "schulze",
    additive=True,
    looks=in_a_table,
    cost=lambda judges, items: 1 + items / (4 * max(judges, 1)),
    reference="Schulze 2011",
    note=Note(
        "Majorities that go round in a circle, when a rule used in real elections is wanted.",
        "Hard to explain by hand, and wins along long chains may surprise.",
        "strength of a chain = judges behind its weakest majority; a beats b if the strongest chain from a to b is "
        "stronger than that from b to a; items by (items beaten) + 1/2 (draws)",
    ),
)
def schulze(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """Items by the number of items they beat along the strongest chain of majorities, a draw counting half.

    A chain is as strong as its weakest majority, and a majority as the number of judges behind it.
    """
    strength = np.where(votes.beaten, votes.before, 0.0)
    path = majority.strongest_paths(strength)
    further = path - path.transpose(0, 2, 1) > majority.NEAR * votes.judges[:, None, None]
    return _with_winner(_by_score(majority.wins(further), ascending=False), votes, brief)


def _by_score(scores: Array, ascending: bool) -> list[Agreed]:
    places = majority.places(scores if ascending else -scores)
    return [Agreed(p, s) for p, s in zip(places, scores, strict=True)]


def _with_winner(found: list[Agreed], votes: Votes, brief: bool) -> list[Agreed]:
    """Name the item that beats every other by majority, if there is one."""
    if brief:
        return found
    out = []
    for a, beaten in zip(found, votes.beaten, strict=True):
        best = np.flatnonzero(beaten.sum(axis=1) == votes.items - 1)
        out.append(Agreed(a.array, a.scores, about={"condorcet_winner": int(best[0]) if len(best) else None}))
    return out
