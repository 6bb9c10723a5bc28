"""Which pairs to ask about next: those whose votes tell most, by the information that the one model expects of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
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
BORDER = 50  # pairs across the border of the first places that are looked at, the most open ones


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

    def border(self, top: int) -> Border:
        """The pairs of one of the first so many systems and one behind them, the most open first."""
        order = np.argsort(-self.strength, kind="stable")
        inside = np.zeros(len(order), bool)
        inside[order[:top]] = True
        across = np.flatnonzero(inside[self.first] != inside[self.second])
        far = farness(self.strength[self.first] - self.strength[self.second], self.variances())[across]
        return Border(self, across[np.argsort(far.round(9), kind="stable")[:BORDER]])

    def ask(self, pair: int, votes: float = 1.0) -> None:
        """A vote more on a pair: the covariance that is left."""
        a, b = self.first[pair], self.second[pair]
        side = self.covariance[:, a] - self.covariance[:, b]
        left = 1 / (votes * self.each[a, b]) + side[a] - side[b]
        self.covariance -= np.outer(side, side) / left


@dataclass(frozen=True, eq=False)
class Border:
    """Differences between those in the first places and those behind them: what decides who is first."""

    asked: Asked
    pairs: Array  # numbers of pairs

    @property
    def gaps(self) -> Array:
        """How far apart the two of each pair are."""
        a = self.asked
        return np.asarray(a.strength[a.first[self.pairs]] - a.strength[a.second[self.pairs]])

    def gains(self) -> Array:
        """What one vote on each pair of systems adds to the information on these differences, ``[pair]``.

        Each counts as its order is open: who is far ahead needs no more votes.
        """
        a = self.asked
        variance = a.variances()
        side = a.covariance[a.first[self.pairs]] - a.covariance[a.second[self.pairs]]  # [difference, system]
        shared = side[:, a.first] - side[:, a.second]  # [difference, pair]
        less = shared**2 / (1 / a.each[a.first, a.second] + variance)
        left = np.maximum(1 - less / np.maximum(variance[self.pairs], 1e-300)[:, None], 1e-12)
        return np.asarray(-self.weights @ np.log(left))

    @property
    def weights(self) -> Array:
        """How open each order is, beside the most open one."""
        far = farness(self.gaps, self.asked.variances()[self.pairs])
        return np.asarray(np.exp(far.min(initial=math.inf) - far))


def farness(gap: Array, variance: Array) -> Array:
    """How far from open the order of two is: 0 where they are level; by exp(-farness) it counts.

    >>> farness(np.array([0.0, 2.0]), np.array([1.0, 1.0])).tolist()
    [0.0, 2.0]
    """
    return np.asarray(gap**2 / np.maximum(2 * variance, 1e-300))


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


def next_pairs(v: VoteDesign, core: Any, votes: int, between: str | None, first: int | None) -> Trusted:
    """The pairs of the next votes, most first: each vote goes where it is expected to tell most, given those before.

    With ``first`` it is what decides who is among the first so many; else all strengths together.
    """
    if first is not None and first >= len(v.systems):
        fact = f"first={first} of {len(v.systems)} systems leaves nobody behind."
        raise BadParameter(fact, f"first is 1 to {max(len(v.systems) - 1, 1)}.")
    asked = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    evenly = Asked(fitted(v, "davidson", "auto", PRIOR, ()))
    sides = [None if first is None else each.border(first) for each in (asked, evenly)]
    before, gains = asked.variances(), (sides[0] or asked).gains()
    weights = sides[0].weights if sides[0] else None
    now = _error(asked, sides[0], weights)
    needed = separating(
        np.abs(asked.strength[asked.first] - asked.strength[asked.second]),
        before,
        asked.each[asked.first, asked.second],
        core.options.level,
    )
    chosen = np.zeros(len(before), np.int64)
    for _ in range(votes if len(before) else 0):
        pair = int(np.argmax((sides[0] or asked).gains().round(12)))
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
    later = [_error(after, side, weights) for after, side in zip((asked, evenly), sides, strict=True)]
    narrower, even = (1 - error / now for error in later)
    told = core.figure(narrower, {"votes": votes, "evenly": even})
    ahead = np.argsort(-asked.strength, kind="stable")[: first or 0].tolist()
    about = {"level": core.options.level, "first": [v.systems[k] for k in ahead]}
    about["settled"] = sides[0] is not None and not needed[sides[0].pairs].any()  # by the votes that there are
    return Trusted({"systems": names}, gains[rows].tolist(), [told], details, about=about)


def _error(asked: Asked, side: Border | None, weights: Array | None) -> float:
    """The mean standard error of differences: of all, or across a border."""
    some = asked.variances() if side is None else asked.variances()[side.pairs]
    return float(np.average(np.sqrt(np.maximum(some, 0.0)), weights=weights)) if len(some) else math.nan


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
