"""The one model of votes: strengths of systems, the advantage of the first place, and what ties weigh.

The log odds that a beats b are s_a - s_b + place. Place and systems are told apart only where pairs are shown both
ways; elsewhere there is no such term, and strengths hold whatever the places do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels.additive import parts
from quorate.kernels.bradley_terry import SYSTEMS, TIES, Fit, Model, fit, one_step
from quorate.kernels.group_sums import group_sums, shares
from quorate.panel.design import Measured
from quorate.panel.pairs import Often, VoteDesign
from quorate.table import Parameter, choice, number

Array = NDArray[Any]
LEAST = 1e-6  # prior, without which a system that never lost has no finite strength
BOTH_WAYS = 10  # votes each way on pairs shown both ways, from which the place is part of the model
PARAMETERS: Mapping[str, Parameter] = {
    "ties": choice("what a tie is", *TIES),
    "place": choice("whether the first place has an advantage of its own: auto, where it is identified", "auto", "no"),
    "prior": number("wins and losses against an average system given to each where votes alone set no limit", 0.0),
}


class Votes:
    """A design's votes as the cells of the model."""

    def __init__(self, v: VoteDesign, ties: str, place: str) -> None:
        if len(v.systems) > SYSTEMS:
            fact = f"strengths of {len(v.systems):,} systems would take too long and fill the memory."
            raise LimitReached(fact, f"at most {SYSTEMS:,}; win_rate takes any number.")
        size = len(v.systems)
        key = (v.first * np.int64(size) + v.second) * 2 + (v.changed >= 0)  # of those nobody knows which was first
        known, self.cell = np.unique(key, return_inverse=True)
        one, two = known // 2 // size, known // 2 % size
        self.placed = place == "auto" and v.both_ways >= BOTH_WAYS
        x = (1.0 - known % 2)[:, None] if self.placed else np.zeros((len(known), 0))
        self.design, self.model = v, Model(one, two, x, size, ties)

    def counts(self, often: Often) -> Array:
        """Wins, ties and losses of the first, ``[draw, cell, 3]``."""
        v = self.design
        place = self.cell.ravel() * 3 + np.rint(2 - 2 * v.outcome).astype(np.int64)
        found = group_sums(often.votes * often.of(v.task), place, 3 * len(self.model.first))
        return found.reshape(len(found), -1, 3)

    def fit(self, counts: Array, prior: float) -> tuple[Fit, Model, Array]:
        """The fits, the model with the prior where one was needed, and the part of every system."""
        size, games = self.model.players, counts.sum(axis=(0, 2)) > 0
        linked = np.zeros((size, size), bool)
        linked[self.model.first[games], self.model.second[games]] = True
        linked |= linked.T
        part = parts(linked, np.asarray(linked.any(axis=1)))
        held = replace(self.model, prior=max(prior, LEAST))
        found = fit(self.model, counts)
        loose = ~found.settled if part.max(initial=0) == 0 else np.ones(len(counts), bool)
        if not loose.any():
            return found, self.model, part
        more = fit(held, counts[loose])
        for name in ("strengths", "effects", "tau"):
            getattr(found, name)[loose] = getattr(more, name)
        return found, held, part

    def own(self, prior: float) -> tuple[Fit, Model, Array]:
        """The panel's own fit, its model and votes, from which draws begin."""
        counts = self.counts(self.design.often())
        found, model, _ = self.fit(counts, prior)
        return found, model, counts


def strengths(v: VoteDesign, often: Often, ties: str, place: str, prior: float) -> Measured:
    """Log strengths that add up to 0; where systems fall into parts that nobody compared, the part of each.

    Panels drawn anew are fitted by one step from the fit of the panel itself: their spread is the error by clusters.
    """
    votes: Votes = v.once(("cells", ties, place), lambda: Votes(v, ties, place))
    if often.drawn:
        found, model, counts = v.once(("fit", ties, place, prior), lambda: votes.own(prior))
        return Measured(one_step(found, model, counts, votes.counts(often)).strengths)
    found, model, part = votes.fit(votes.counts(often), prior)
    about: dict[str, Any] = {"part": part, "prior": model.prior, "placed": votes.placed}
    about |= {"place": float(found.effects[0, 0])} if votes.placed else {}
    details = {"win_rate": win_rates(v, often)[0].tolist()}
    return Measured(np.where(part >= 0, found.strengths, np.nan), details, about=about)


def win_rates(v: VoteDesign, often: Often) -> Array:
    """The share of its votes that each system won, a tie counting half, ``[draw, system]``."""
    size = len(v.systems)
    weight = often.votes * often.of(v.task)
    won = group_sums(weight * v.outcome, v.first, size) + group_sums(weight * (1 - v.outcome), v.second, size)
    return shares(won, group_sums(weight, v.first, size) + group_sums(weight, v.second, size))


def cost(systems: int) -> float:
    """What strengths cost, in numbers looked at, about."""
    return float(systems) ** 3 + 100.0 * systems**2
