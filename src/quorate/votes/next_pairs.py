"""Which pairs to ask about next: those whose votes tell most, by the information that the one model expects of them."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, suggest
from quorate.panel.design import Trusted
from quorate.panel.pairs import VoteDesign
from quorate.votes.bradley_terry import Fitted, fitted

Array = NDArray[Any]
PRIOR = 0.5
POWER = 0.8  # with which two systems are to be told apart


class Asked:
    """What is known of strengths, and what a vote on a pair would add."""

    def __init__(self, found: Fitted) -> None:
        size = found.model.players
        self.strength = found.found.strengths[0]
        self.covariance = found.step.inverse[:size, :size].copy()
        gap = self.strength[:, None] - self.strength
        tau = float(np.nan_to_num(found.found.tau[0], nan=-np.inf)) if found.model.ties == "davidson" else -math.inf
        self.each = information(gap, tau)  # of one vote, [system, system]
        self.first, self.second = np.triu_indices(size, 1)

    def variances(self) -> Array:
        """The variance of every difference of two strengths, ``[pair]``."""
        own, c = np.diag(self.covariance), self.covariance
        return np.asarray(own[self.first] + own[self.second] - 2 * c[self.first, self.second])

    def gains(self) -> Array:
        """What one vote on each pair is expected to add to the information on all strengths together, ``[pair]``."""
        return np.asarray(np.log1p(self.each[self.first, self.second] * self.variances()))

    def ask(self, pair: int, votes: float = 1.0) -> None:
        """A vote more on a pair: the covariance that is left."""
        a, b = self.first[pair], self.second[pair]
        side = self.covariance[:, a] - self.covariance[:, b]
        left = 1 / (votes * self.each[a, b]) + side[a] - side[b]
        self.covariance -= np.outer(side, side) / left


def information(gap: Array, tau: float) -> Array:
    """Of one vote between systems so far apart, of their difference: by Davidson's ties, or none.

    >>> float(information(np.zeros(1), -np.inf)[0])
    0.25
    """
    win, lose, tie = np.exp(gap / 2), np.exp(-gap / 2), math.exp(tau)
    total = win + lose + tie
    return np.asarray(((win + lose) / total - ((win - lose) / total) ** 2) / 4)


def separating(gap: Array, variance: Array, each: Array, level: float) -> Array:
    """Votes more on two systems until their difference is told from none, with a power of 80%; inf where level."""
    reach = NormalDist().inv_cdf((1 + level) / 2) + NormalDist().inv_cdf(POWER)
    with np.errstate(divide="ignore"):
        wanted = (reach / gap) ** 2
    return np.ceil(np.maximum(wanted - 1 / np.maximum(variance, 1e-300), 0.0) / each)


def next_pairs(v: VoteDesign, core: Any, votes: int, between: str | None) -> Trusted:
    """The pairs of the next votes, most first: each vote goes where it is expected to tell most, given those before."""
    asked = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    evenly = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    before, gains = asked.variances(), asked.gains()
    needed = separating(
        np.abs(asked.strength[asked.first] - asked.strength[asked.second]),
        before,
        asked.each[asked.first, asked.second],
        core.options.level,
    )
    chosen = np.zeros(len(before), np.int64)
    for _ in range(votes if len(before) else 0):
        pair = int(np.argmax(asked.gains().round(12)))
        chosen[pair] += 1
        asked.ask(pair)
    for pair in range(len(before)):
        evenly.ask(pair, votes / len(before))
    rows = np.flatnonzero(chosen) if between is None else _between(v, asked, between)
    rows = rows[np.lexsort((-gains[rows], -chosen[rows]))]
    names = [f"{v.systems[a]} and {v.systems[b]}" for a, b in zip(asked.first[rows], asked.second[rows], strict=True)]
    met = np.bincount(v.pair, v.count, len(v.systems) ** 2)[asked.first[rows] * len(v.systems) + asked.second[rows]]
    details = {
        "ask": chosen[rows].tolist(),
        "there": np.rint(met).astype(np.int64).tolist(),
        "apart": np.abs(asked.strength[asked.first] - asked.strength[asked.second])[rows].tolist(),
        "error": np.sqrt(before)[rows].tolist(),
        "to_separate": needed[rows].tolist(),
    }
    narrower, even = (1 - _mean_error(after.variances()) / _mean_error(before) for after in (asked, evenly))
    told = core.figure(narrower, {"votes": votes, "evenly": even})
    return Trusted({"systems": names}, gains[rows].tolist(), [told], details, about={"level": core.options.level})


def _mean_error(variances: Array) -> float:
    return float(np.sqrt(np.maximum(variances, 0.0)).mean()) if len(variances) else math.nan


def _between(v: VoteDesign, asked: Asked, between: str) -> Array:
    """The pair of two systems that a text names, with + between."""
    known = {str(s): k for k, s in enumerate(v.systems)}
    names = [name.strip() for name in between.split("+")]
    for name in names:
        if name not in known:
            raise BadParameter(f"no system '{name}'.", suggest(name, known, "The panel's systems"))
    if len(set(names)) != 2:
        raise BadParameter(f"between={between} are not two systems.", "write two names with + between.")
    low, high = sorted(known[name] for name in names)
    return np.flatnonzero((asked.first == low) & (asked.second == high))
