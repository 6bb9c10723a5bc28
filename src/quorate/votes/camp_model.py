"""Camps of votes: a mixture of Bradley-Terry models, each with strengths of its own.

A judge's votes are what of every two systems he chose how often, on whatever tasks; a tie is half a choice of either.
What all judges say counts in every camp as one judge more, so that a camp of few votes is not sure of anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.bradley_terry import Model, fit
from quorate.kernels.defined import quotient
from quorate.panel.pairs import VoteDesign

Array = NDArray[Any]
BEFOREHAND = 1.0  # judges who vote as all do
PRIOR = 0.1  # wins and losses of every system against an average one


@dataclass(frozen=True, eq=False)
class BradleyTerry:
    """How often every judge chose the first of every two systems, ``won[judge, pair]``, and how often he was asked."""

    won: Array
    asked: Array
    low: Array  # [pair] the number of the one system
    high: Array
    systems: int

    @classmethod
    def of(cls, v: VoteDesign) -> BradleyTerry:
        """The votes of a design."""
        size = len(v.systems)
        pairs, place = np.unique(v.pair, return_inverse=True)
        shape = len(v.judges), len(pairs)
        cell = v.judge * shape[1] + place.ravel()
        won, asked = (np.bincount(cell, w, shape[0] * shape[1]) for w in (v.count * (v.side[0] + 1) / 2, v.count))
        return cls(won.reshape(shape), asked.reshape(shape), pairs // size, pairs % size, size)

    def fit(self, weights: Array) -> Array:
        """The log-likelihood of every judge's votes in every camp, ``[camp, judge]``."""
        every = weights.sum(axis=0)[None]
        usual = BEFOREHAND * self.asked.mean(axis=0)
        common = 1 / (1 + np.exp(-self._odds(self._strengths(every))))
        odds = self._odds(self._strengths(weights, usual * common, usual))
        first = -np.logaddexp(0.0, -odds)  # log chance of the first
        return np.asarray(first @ self.won.T + (first - odds) @ (self.asked - self.won).T)

    @cached_property
    def strengths(self) -> Array:
        """Of all judges together, ``[system]``."""
        return np.asarray(self._strengths(np.ones((1, len(self.won))))[0])

    def _strengths(self, weights: Array, won: Array | float = 0.0, asked: Array | float = 0.0) -> Array:
        """Of judges who count so much, ``weights[table, judge]``, and votes beside theirs: ``[table, system]``."""
        model = Model(self.low, self.high, np.zeros((len(self.low), 0)), self.systems, "half", PRIOR)
        first, of = weights @ self.won + won, weights @ self.asked + asked
        return fit(model, np.stack([first, np.zeros(of.shape), of - first], axis=2)).strengths

    def _odds(self, strengths: Array) -> Array:
        """The log odds that the first of every two is chosen, ``[table, pair]``."""
        return np.asarray(strengths[:, self.low] - strengths[:, self.high])


def alike(v: VoteDesign) -> tuple[Array, Array]:
    """Of every two judges how many of every two votes on the same two systems go the same way, on whatever task, and
    how many such votes there are, ``[copy, judge, judge]``; ties are left aside, and so is a vote with itself."""
    pairs, place = np.unique(v.pair, return_inverse=True)
    judges = np.arange(len(v.judges))
    cell, shape = v.judge * len(pairs) + place.ravel(), (len(judges), len(pairs))
    same, number = [], []
    for side in v.side:
        net, of = (np.bincount(cell, w, shape[0] * shape[1]).reshape(shape) for w in (side, side != 0))
        often, all_ = net @ net.T, of @ of.T
        often[judges, judges] -= of.sum(axis=1)
        all_[judges, judges] -= of.sum(axis=1)
        same.append((often + all_) / 2)
        number.append(all_)
    return np.stack(same), np.stack(number)


def steadiness(same: Array, number: Array) -> float:
    """How steadily judges hold on to a choice of their own, from :func:`alike`, ``[judge, judge]``: 1 where each
    repeats himself whenever he is asked about two systems again, or never is; 0 where two votes of one judge are no
    more alike than those of two."""
    own = np.eye(len(same), dtype=bool)
    if not number[own].any():
        return 1.0
    inside, across = (float(quotient(same[who].sum(), number[who].sum(), otherwise=1.0)) for who in (own, ~own))
    return float(np.clip((inside - across) / max(1 - across, 1e-9), 0.0, 1.0))
