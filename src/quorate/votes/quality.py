"""How good is a system, according to the votes? Leaderboards by strength and by share of votes won.

No second file is needed: the votes are between systems. Higher is better.
"""

from __future__ import annotations

import math

from quorate.panel.design import Measured
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_counts import Often
from quorate.table import Note, method, number
from quorate.votes import ratings
from quorate.votes.bradley_terry import PARAMETERS, cost, plain_pairs, strengths, win_rates

__all__ = ["bradley_terry", "eigenvector", "elo", "win_rate"]


@method(
    "votes",
    "quality",
    "bradley_terry",
    range=(-math.inf, math.inf),
    higher="wins more often",
    chance="0",
    default=True,
    parameters=PARAMETERS,
    reference="Bradley and Terry 1952; Davidson 1970; Rao and Kupper 1967",
    symmetric=True,
    relabelling=True,
    cost=cost,
    null=False,
    ranks=True,
    packed=plain_pairs,
    note=Note(
        "A leaderboard of systems that did not all meet equally often, were shown in either place, and tied.",
        "One number per system cannot hold a circle of preferences. Where pairs are shown one way only, an advantage "
        "of the first place is part of the strengths.",
        "s of greatest likelihood, summing to 0; log odds that a, shown first, beats b = s_a - s_b + place + "
        "x @ effects; davidson: P(tie) = v sqrt(P(a) P(b)); rao-kupper: P(a) = 1 / (1 + exp(t - log odds)); "
        "half: half a win each; discrimination=judge: d_judge (s_a - s_b), the mean of d being 1",
    ),
)
def bradley_terry(
    v: VoteDesign,
    often: Often,
    ties: str = "davidson",
    place: str = "auto",
    prior: float = 0.5,
    covariates: str | None = None,
    discrimination: str = "same",
) -> Measured:
    """Log strengths by the one model of votes: Bradley and Terry's, with ties and an advantage of the first place.

    Strengths add up to 0; the odds that one system beats another, ties aside, are exp of their difference. Where votes
    alone set no limit, as to a system that never lost, every system is given half a win and half a loss more.
    """
    return strengths(v, often, ties, place, prior, covariates, discrimination)


@method(
    "votes",
    "quality",
    "win_rate",
    range=(0, 1),
    higher="wins more often",
    chance="0.5",
    symmetric=True,
    relabelling=True,
    null=False,
    ranks=True,
    packed=lambda method: True,
    note=Note(
        "A leaderboard in a unit that everybody knows.",
        "Depends on whom a system was up against.",
        "(wins + ties / 2) / votes",
    ),
)
def win_rate(v: VoteDesign, often: Often) -> Measured:
    """The share of its votes that a system won, a tie counting half; whom it was up against makes no difference."""
    return Measured(win_rates(v, often))


@method(
    "votes",
    "quality",
    "elo",
    range=(-math.inf, math.inf),
    higher="wins more often",
    chance="1000",
    parameters={"k": number("points that one vote moves a rating by at most", 0.0, open_low=True)},
    reference="Elo: The Rating of Chessplayers, Past and Present (1978)",
    relabelling=True,
    null=False,
    ranks=True,
    note=Note(
        "To compare with leaderboards that use it, or where systems change over time.",
        "Depends on the order of votes, and a panel has none: it is the mean over 20 shuffled orders. With a small k "
        "ratings have not come to rest after few votes, with a large one they follow the last of them.",
        "r = 1000; after each vote r_a += k (outcome - 1 / (1 + 10^((r_b - r_a) / 400))), and r_b as much less",
    ),
)
def elo(v: VoteDesign, often: Often, k: float = 4.0) -> Measured:
    """Elo's ratings, the mean over shuffled orders of the votes; they add up to 1000 a system."""
    found, apart = ratings.elo(v, often, k)
    return Measured(found, about={"orders": ratings.ORDERS, "apart": apart})


@method(
    "votes",
    "quality",
    "eigenvector",
    range=(0, 1),
    higher="wins more often",
    chance="1 / systems",
    reference="Keener 1993: The Perron-Frobenius Theorem and the Ranking of Football Teams",
    symmetric=True,
    relabelling=True,
    null=False,
    ranks=True,
    note=Note(
        "Another way to weigh wins by whom they were won against, without a model.",
        "Counts wins, not shares of them: a system that met others more often comes out higher. One that never won "
        "has 0.",
        "x of A x = lambda x, lambda the largest; A_ab = how often a won against b, a tie half; x sums to 1",
    ),
)
def eigenvector(v: VoteDesign, often: Often) -> Measured:
    """The leading eigenvector of the square of wins: a win against a strong system counts more."""
    return Measured(ratings.eigenvector(v, often), about={"votes": ratings.fewest_and_most(v)})
