"""How good is a system, according to the votes? Leaderboards by strength and by share of votes won.

No second file is needed: the votes are between systems. Higher is better.
"""

from __future__ import annotations

import math

import numpy as np

from quorate.kernels.group_sums import group_sums, shares
from quorate.panel.design import Measured
from quorate.panel.pairs import Often, VoteDesign
from quorate.table import Note, method
from quorate.votes.bradley_terry import PRIOR, cost, strengths

__all__ = ["bradley_terry", "win_rate"]


@method(
    "votes",
    "quality",
    "bradley_terry",
    range=(-math.inf, math.inf),
    higher="wins more often",
    chance="0",
    default=True,
    parameters={"prior": PRIOR},
    reference="Bradley and Terry 1952",
    symmetric=True,
    relabelling=True,
    cost=cost,
    note=Note(
        "A leaderboard of systems that did not all meet one another equally often.",
        "One number per system cannot hold a circle of preferences; ties are counted as half wins, not modelled.",
        "theta that maximise sum over i, j of (wins_ij + prior) log(1 / (1 + exp(theta_j - theta_i))), summing to 0",
    ),
)
def bradley_terry(v: VoteDesign, often: Often, prior: float = 0.01) -> Measured:
    """Bradley and Terry's log strengths; ties are half a win each way.

    Strengths add up to 0; the odds that one system beats another are exp of their difference. Without the prior a
    system that never lost has no finite strength.
    """
    return strengths(v, often, prior)


@method(
    "votes",
    "quality",
    "win_rate",
    range=(0, 1),
    higher="wins more often",
    chance="0.5",
    default=True,
    symmetric=True,
    relabelling=True,
    note=Note(
        "A leaderboard in a unit that everybody knows.",
        "Depends on whom a system was up against.",
        "(wins + ties / 2) / votes",
    ),
)
def win_rate(v: VoteDesign, often: Often) -> Measured:
    """The share of its votes that a system won, a tie counting half; whom it was up against makes no difference."""
    size = len(v.systems)
    weight = often.votes * often.of(v.task)
    won = group_sums(weight * v.outcome, v.first, size) + group_sums(weight * (1 - v.outcome), v.second, size)
    of = sum(group_sums(weight, s, size) for s in (v.first, v.second))
    return Measured(shares(won, np.asarray(of)))
