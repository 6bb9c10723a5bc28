"""What votes tell of strengths, and what a vote more on a pair would: the information of the one model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.votes.bradley_terry import Fitted

Array = NDArray[Any]
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

    def best(self) -> int:
        """The pair whose vote adds most."""
        return int(np.argmax(self.gains().round(12)))

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

    def ask_all(self, votes: float) -> None:
        """So many votes more on every pair, which may be parts of one: the covariance that is left."""
        weight = votes * self.each * ~np.eye(len(self.each), dtype=bool)
        told = np.diag(weight.sum(axis=1)) - weight
        self.covariance = np.linalg.solve(np.eye(len(told)) + self.covariance @ told, self.covariance)


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

    def gains(self, some: Any = slice(None)) -> Array:
        """What one vote on each pair of systems, or on some, adds to the information on these differences, ``[pair]``.

        Each counts as its order is open: who is far ahead needs no more votes.
        """
        a, (variance, side) = self.asked, self._known
        shared = side[:, a.first[some]] - side[:, a.second[some]]  # [difference, pair]
        less = shared**2 / (1 / a.each[a.first[some], a.second[some]] + variance[some])
        left = np.maximum(1 - less / np.maximum(variance[self.pairs], 1e-300)[:, None], 1e-12)
        return np.asarray(-self.weights @ np.log(left))

    @property
    def _known(self) -> tuple[Array, Array]:
        """The variance of every difference of two strengths, and what these differences share with all strengths."""
        a = self.asked
        return a.variances(), a.covariance[a.first[self.pairs]] - a.covariance[a.second[self.pairs]]

    def best(self) -> int:
        """The pair whose vote adds most: of very many pairs only those are looked at that may be it.

        As log(1 - x) is at most -x, and x at most that share of the variance of the pair's own difference that a vote
        on it takes away, sums of squares tell between what and what the gain of every pair lies.
        """
        a, (variance, side) = self.asked, self._known
        scaled = side * np.sqrt(self.weights / np.maximum(variance[self.pairs], 1e-300))[:, None]
        square = scaled.T @ scaled
        own, total = np.diag(square), 1 / a.each[a.first, a.second] + variance
        least = (own[a.first] + own[a.second] - 2 * square[a.first, a.second]) / total
        part = np.clip(variance / total, 1e-300, 1 - 1e-12)
        some = np.flatnonzero(least * -np.log1p(-part) / part >= least.max() * (1 - 1e-9))
        return int(some[np.argmax(self.gains(some).round(12))])

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
