"""Consensus by common patterns, which the Kappa paper leaves to the future: an objective, and a model.

``elastic`` is the order that shares most with the judges by their common patterns, ``pattern_model`` a model of which
item comes before which, fitted to the patterns that enough judges share. How they do on judges who were left out,
beside the others, is what the trust method ``held_out`` tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import elastic as kernel
from quorate.kernels import majority
from quorate.kernels.bradley_terry import Model, fit
from quorate.orderings import large_consensus
from quorate.orderings.consensus_method import consensus_method
from quorate.orderings.tally import Votes
from quorate.orderings.voting import rank_sum
from quorate.panel.consensus_value import Agreed
from quorate.table import Note, number, quorum, share, whole

Array = NDArray[Any]
WIDE = 100  # items above which patterns of three take too much room
SAME = 1e-6  # log strengths nearer than this are equal
SEARCHED = 200.0  # looks at all pairs that a search takes, about


@consensus_method(
    "elastic",
    missing="below",
    reference="Lin, Li, Guo: consensus of rankings by common subsequences, section VI",
    parameters={
        "gamma": share("discount of an item per place that its seats in order and ranking lie off their mean"),
        "lam": share("discount of a pattern per place of the mean gap it spans"),
        "max_len": whole("items of a pattern, at most; 2 and no discounts: Kemeny's order", 1),
    },
    cost=lambda judges, items: SEARCHED,
    slow=True,
    note=Note(
        "An order that keeps long stretches of what judges have in common, not pairs alone; lam tightens them.",
        "Long patterns favour judges who agree already: with a large max_len the order nears that of the largest "
        "clique. Of more than 7 items it is the best order found by a search.",
        "argmax over orders c of the sum over judges of kappa({judge, c}), patterns of up to max_len items",
    ),
)
def elastic(
    votes: Votes, *, brief: bool = False, gamma: float = 1.0, lam: float = 1.0, max_len: int = 3
) -> list[Agreed]:
    """The order that shares most with the judges by the weighted common patterns of order and judge.

    Where several orders share as much, items are placed by their mean place in all of them, equal ones tied.
    """
    sums = np.stack([a.array for a in rank_sum(votes, brief=True)])
    if large_consensus.is_long(votes):
        return [Agreed(places, None, {} if brief else {"shared": None, "optima": None}) for places in sums]
    out = []
    for ranking, counts, start in zip(votes.complete, votes.counts, sums, strict=True):
        use = counts > 0
        rankings = kernel.Rankings(ranking[use].astype(np.int64), counts[use].astype(float), gamma, lam, max_len)
        places, shared, optima = kernel.best(rankings, start)
        facts = {} if brief else {"shared": shared, "optima": optima}
        out.append(Agreed(majority.places(places[None])[0], -places, facts))
    return out


@consensus_method(
    "pattern_model",
    reference="Lin, Li, Guo: consensus of rankings by common subsequences, section VI",
    parameters={
        "q": quorum("judges who must share a pattern: a count (6) or a share of the judges (0.5)"),
        "max_len": whole("items of a pattern, at most: 2 or 3", 2, 3),
        "prior": number("contests that each item has won and lost against an average one beforehand", 0, open_low=True),
    },
    cost=lambda judges, items: 20.0 + items,
    slow=True,
    note=Note(
        "Strengths, and chances that one item comes before another, from what many judges share; strays do not count.",
        "With a high q few patterns are left and the prior makes strengths alike; of more than 100 items only pairs "
        "count.",
        "P(a before b) = 1 / (1 + exp(s_b - s_a)); s of greatest likelihood, a pattern of L items that k >= q judges "
        "share counting L k times for each of its ordered pairs, and prior wins and losses against an average item",
    ),
)
def pattern_model(
    votes: Votes, *, brief: bool = False, q: float | int = 0.5, max_len: int = 3, prior: float = 1.0
) -> list[Agreed]:
    """Items by strength in a model of pairs that is fitted to the patterns which at least q judges share."""
    if large_consensus.is_long(votes):
        return [Agreed(a.array, None, {} if brief else {"converged": False}) for a in rank_sum(votes, brief=True)]
    out = []
    for ranking, counts in zip(votes.complete, votes.counts, strict=True):
        wins = pattern_wins(ranking, counts, q, max_len)
        strength, settled = strengths(wins, prior)
        places = majority.places(np.round(-strength / SAME)[None])[0]
        chance = np.exp(strength - strength.max(initial=0.0))
        facts = {} if brief else {"converged": settled, "patterns": int((wins > 0).sum())}
        out.append(Agreed(places, chance / chance.sum(), facts))
    return out


def pattern_wins(ranking: Array, counts: Array, q: float | int, max_len: int) -> Array:
    """What the frequent patterns of two and three items say of every ordered pair, ``[first, second]``."""
    total = float(counts.sum())
    least = (float(q) if isinstance(q, int) else q * total) - 1e-9 * max(total, 1.0)
    held = ranking > 0
    before = (ranking[:, :, None] < ranking[:, None, :]) & held[:, :, None] & held[:, None, :]
    support = np.tensordot(counts, before, axes=1)
    wins = np.where((support >= least) & (support > 0), 2 * support, 0.0)
    if max_len > 2 and ranking.shape[1] <= WIDE:
        weighed = counts[:, None, None] * before
        for b in range(ranking.shape[1]):  # the item in the middle
            three = np.einsum("ka,kc->ac", weighed[:, :, b], before[:, b].astype(float))
            three = np.where((three >= least) & (three > 0), 3 * three, 0.0)
            wins += three
            wins[:, b] += three.sum(axis=1)
            wins[b] += three.sum(axis=0)
    return wins


def strengths(wins: Array, prior: float) -> tuple[Array, bool]:
    """Log strengths of greatest likelihood, and whether they settled: the one model of votes, of wins alone."""
    first, second = np.triu_indices(len(wins), 1)
    counts = np.stack([wins[first, second], np.zeros(len(first)), wins[second, first]], axis=-1)
    found = fit(Model(first, second, np.zeros((len(first), 0)), len(wins), "half", prior), counts[None])
    return found.strengths[0], bool(found.settled[0])
