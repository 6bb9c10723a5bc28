"""Consensus by patterns: an order made of the pairs that most judges share, and one made of the pairs that all share.

Where the pairs leave two items open, the one that comes before more and after fewer others is first; equal ones tie.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import majority
from quorate.orderings import large_consensus
from quorate.orderings.consensus_method import consensus_method, every_pair, in_a_table
from quorate.orderings.tally import Votes
from quorate.orderings.voting import rank_sum
from quorate.panel.consensus_value import Agreed
from quorate.table import Note, quorum

Array = NDArray[Any]


@consensus_method(
    "supported_order",
    additive=True,
    default=True,
    reference="Xue, Lin, Wang, McClean: q-support",
    parameters={"q": quorum("judges who must share a pair: a count (6) or a share of the judges (0.5)")},
    slow=True,
    steady=True,
    looks=every_pair,
    note=Note(
        "An order of what at least q judges share, with what is left open known.",
        "With a high q little is settled and the rest is filled by rank sums; with a low q circles have to be broken.",
        "an order that keeps every pair (a before b) with at least q judges; of a circle the pair with fewest "
        "judges goes",
    ),
)
def supported_order(votes: Votes, *, brief: bool = False, q: float | int = 0.5) -> list[Agreed]:
    """An order of the items that keeps every pair at least q judges share.

    Where q is so low that these pairs go round in a circle, the least supported pairs of the circle are given up first,
    and named. With over 3,000 items the order rests on the supported pairs alone, not on what follows from them, which
    would take too long: some may then be broken. With ``missing=unknown`` a judge supports only pairs of ranked items.
    """
    total, fractions = votes.judges, votes.fractions
    need = np.full(len(total), float(q)) if isinstance(q, int) else q * total
    need = need - 1e-9 * np.maximum(total, 1)
    if large_consensus.is_long(votes):
        return [
            replace(a, facts={"q": _plain(least if fractions else np.ceil(least)), **a.facts})
            for a, least in zip(large_consensus.supported(votes, need), need, strict=True)
        ]
    support = votes.before
    edge = (support >= need[:, None, None]) & (support > 0)
    reached, broken = acyclic(edge, support)
    net = reached.sum(axis=2) - reached.sum(axis=1).astype(float)
    positions = majority.places(-net)
    if brief:
        return [Agreed(p, n) for p, n in zip(positions, net, strict=True)]
    least = need if fractions else np.ceil(need)
    told = [_told(*task) for task in zip(edge, support, broken, least.tolist(), strict=True)]
    return [Agreed(p, n, *what) for p, n, what in zip(positions, net, told, strict=True)]


def _told(edge: Array, support: Array, broken: list[list[int]], least: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts of an order of supported pairs, and what they are about."""
    facts = {"q": _plain(least), "pairs": int(edge.sum()), "broken_support": [_plain(support[i, j]) for i, j in broken]}
    circles = [c.tolist() for c in majority.circles(edge)] if broken else []
    return facts, {"supported_cycles": circles, "broken": broken}


@consensus_method(
    "common_extension",
    missing="below",
    reference="Lin, Li, Guo: the order behind kappa",
    slow=True,
    looks=in_a_table,
    note=Note(
        "Nothing that all judges agree on may be contradicted.",
        "With many judges nothing is common and it falls back on the rank sums.",
        "an order that keeps every pair (a before b) that all N judges share; the rest by rank sums",
    ),
)
def common_extension(votes: Votes, *, brief: bool = False) -> list[Agreed]:
    """An order of the items that keeps every pair all judges share, so that adding it leaves kappa as it is.

    Among the orders that do, items that come before more and after fewer others in the common order stand first; what
    is still open is decided by the rank sums. With ``missing=unknown`` only items that all judges ranked have a place
    in the common order; the others follow, by rank sum.
    """
    sums = np.stack([a.array for a in rank_sum(votes, brief=True)])
    judging = votes.counts > 0
    out = []
    for t, places in enumerate(sums):
        rankings = votes.complete[t][judging[t]]
        common = (rankings > 0).all(axis=0)
        shared = np.ones((len(places), len(places)), bool)
        for row in rankings:
            shared &= row[:, None] < row[None, :]
        shared &= common[:, None] & common[None, :]
        net = shared.sum(axis=1) - shared.sum(axis=0).astype(float)
        net[~common] = -len(places)
        order = majority.places((-net * (len(places) + 1) + places)[None])[0]
        facts = {"pairs": int(shared.sum()), "common_items": int(common.sum())}
        out.append(Agreed(order, net, {} if brief else facts))
    return out


def acyclic(edge: Array, support: Array) -> tuple[Array, list[list[list[int]]]]:
    """What is reached along the edges without circles, ``[task, item, item]``, and of every task the edges given up.

    Equally supported edges of a circle go together, so that the result does not depend on the order of the items.
    """
    edge, reached = edge.copy(), majority.reach(edge)
    broken: list[list[list[int]]] = [[] for _ in edge]
    left = np.arange(len(edge))
    while len(left):
        inside = edge[left] & reached[left].transpose(0, 2, 1)  # edges of circles: one can come back along them
        round_about = inside.any(axis=(1, 2))
        left, inside = left[round_about], inside[round_about]
        least = np.where(inside, support[left], np.inf).min(axis=(1, 2), keepdims=True, initial=np.inf)
        given_up = inside & (support[left] <= least)
        for task, gone in zip(left.tolist(), given_up, strict=True):
            broken[task] += np.argwhere(gone).tolist()
        edge[left] &= ~given_up
        reached[left] = majority.reach(edge[left])
    return reached, broken


def _plain(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)
