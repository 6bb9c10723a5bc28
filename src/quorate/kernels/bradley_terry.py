"""The one model of votes, by Newton's method: many tables of wins, ties and losses at once, held as cells.

A cell is the votes that show the same two players in the same order (and share their covariates): ``first[cell]``,
``second[cell]``, and how often the first won, tied and lost, ``counts[..., cell, 3]``. Memory goes with the cells,
never with players times players times questions. The log odds of a win are eta = s_first - s_second + x @ beta, where
a column of ones in ``x`` is the advantage of the first place. Ties:

* ``davidson``: P(tie) is exp(tau) times the geometric mean of both ways to win (Davidson 1970; Davidson, Beaver 1977);
* ``rao-kupper``: a win takes a margin: P(win) = 1 / (1 + exp(tau - eta)), and so for a loss (Rao and Kupper 1967);
* ``half``: a tie is half a win each way, and not modelled.

Each of the likelihoods is concave, so Newton's steps, halved while they overshoot, lead to its one maximum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import group_sums

Array = NDArray[Any]
TIES = ("davidson", "rao-kupper", "half")
SYSTEMS = 1000  # that strengths are had of at most
STEPS, CLOSE = 40, 1e-9  # a likelihood without a maximum has not come to rest after so many steps
FAR = 30.0  # parameters that are further off are on their way to infinity
TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Fit:
    """Strengths that add up to 0, effects of covariates, and what ties weigh; of every table."""

    strengths: Array  # [..., player]
    effects: Array  # [..., covariate]
    tau: Array  # [...]; NaN where there is no tie
    settled: Array  # [...] whether the likelihood has a maximum that was found


@dataclass(frozen=True, eq=False)
class Model:
    """The likelihood of tables of the same cells; its parameters are strengths, effects and tau, in a row.

    ``prior`` wins and as many losses of every player against one of strength 0, and as much of every effect, keep what
    never lost finite.
    """

    first: Array  # [cell]
    second: Array
    x: Array  # [cell, covariate]
    players: int
    ties: str = "davidson"
    prior: float = 0.0
    scale: Array | None = None  # [cell] what a difference of strengths counts there; nothing: 1

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.players + int(self.x.shape[1]) + 1

    def table(self, counts: Array) -> Array:
        """Counts as the likelihood takes them: a tie may be half a win each way."""
        return _halved(counts) if self.ties == "half" else np.asarray(counts, float)

    def climb(self, n: Array) -> Fit:
        """Newton's steps, of tables that have not come to rest."""
        tied = told_by_ties(n)
        theta = self._start(n, tied)
        here, settled = self.likelihood(theta, n, tied), np.zeros(len(n), bool)
        for _ in range(STEPS):
            open_ = np.flatnonzero(~settled)
            if not len(open_):
                break
            some, has = n[open_], tied[open_]
            slope, bend = self.derivatives(theta[open_], some, has)
            step = np.linalg.solve(bend, slope[..., None])[..., 0]
            theta[open_], here[open_], moved = self._along(theta[open_], step, here[open_], some, has)
            settled[open_] = np.abs(moved).max(axis=1, initial=0.0) < CLOSE
        settled &= np.abs(theta).max(axis=1) < FAR
        s = theta[:, : self.players]
        tau = np.where(tied, theta[:, -1], math.nan)
        return Fit(s - s.mean(axis=1, keepdims=True), theta[:, self.players : -1], tau, settled)

    def _start(self, n: Array, tied: Array) -> Array:
        """All players level, and as many ties as there are."""
        theta = np.zeros((len(n), self.size))
        share = np.clip(n[..., 1].sum(axis=1) / np.maximum(n.sum(axis=(1, 2)), TINY), TINY, 1 - 1e-6)
        known = np.log(2 * share / (1 - share)) if self.ties == "davidson" else np.log1p(share) - np.log1p(-share)
        theta[:, -1] = np.where(tied, known, 0.0)
        return theta

    def _along(self, theta: Array, step: Array, here: Array, n: Array, tied: Array) -> tuple[Array, Array, Array]:
        """As far along the step as the likelihood does not fall, each table on its own."""
        share = np.ones((len(theta), 1))
        for _ in range(40):
            there = self.likelihood(theta + share * step, n, tied)
            worse = ~(there >= here - TINY * np.abs(here))
            if not worse.any():
                break
            share = np.where(worse[:, None], share / 2, share)
        moved = share * step
        return theta + moved, there, moved

    def eta(self, theta: Array) -> Array:
        """The log odds that the first of every cell wins, ``[draw, cell]``."""
        s = theta[:, : self.players]
        return np.asarray(self.scaled(s[:, self.first] - s[:, self.second]) + theta[:, self.players : -1] @ self.x.T)

    def scaled(self, values: Array) -> Array:
        """Values of cells, ``[..., cell]``, as differences of strengths count there."""
        return values if self.scale is None else values * self.scale

    def likelihood(self, theta: Array, n: Array, tied: Array) -> Array:
        """The log likelihood, ``[draw]``, and the prior's."""
        eta, tau = self.eta(theta), theta[:, -1:]
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.ties == "rao-kupper":
                tau = np.where(tied[:, None], tau, 0.0)
                each = -(n[..., 0] + n[..., 1]) * np.logaddexp(0.0, tau - eta) - n[..., 1] * (eta - tau)
                each -= (n[..., 2] + n[..., 1]) * np.logaddexp(0.0, tau + eta) - n[..., 1] * (eta + tau)
                out = each.sum(axis=1) + np.where(tied, n[..., 1].sum(axis=1) * np.log(-np.expm1(-2 * tau[:, 0])), 0.0)
            else:
                both = np.logaddexp(eta / 2, -eta / 2)
                both = np.where(tied[:, None], np.logaddexp(both, tau), both)
                out = ((n[..., 0] - n[..., 2]) * eta / 2 + n[..., 1] * tau - n.sum(axis=2) * both).sum(axis=1)
        if self.prior:
            held = theta[:, :-1]
            out = out - self.prior * (np.logaddexp(0.0, held) + np.logaddexp(0.0, -held)).sum(axis=1)
        return np.asarray(out)

    def slope(self, theta: Array, n: Array, tied: Array) -> tuple[Array, tuple[Array, ...]]:
        """The first derivatives ``[draw, parameter]``, and the second of every cell by eta, eta and tau, and tau."""
        d, rise, *second = self.by_cell(theta, n, tied)
        out = np.concatenate([self.sides(d), d @ self.x, rise.sum(axis=1)[:, None]], axis=1)
        if self.prior:
            out[:, :-1] -= self.prior * np.tanh(theta[:, :-1] / 2)
        return out, tuple(second)

    def by_cell(self, theta: Array, n: Array, tied: Array) -> tuple[Array, ...]:
        """Of every cell the first derivatives by eta and tau, and minus the second by eta, both, and tau (of all)."""
        of = _rao_kupper if self.ties == "rao-kupper" else _davidson
        return of(self.eta(theta), theta[:, -1:], n, tied[:, None])

    def derivatives(self, theta: Array, n: Array, tied: Array) -> tuple[Array, Array]:
        """The slope, and minus the second derivatives ``[draw, parameter, parameter]``."""
        slope, (dd, both, bend) = self.slope(theta, n, tied)
        draws, size, players, end = len(dd), self.size, self.players, self.size - 1
        out = np.zeros((draws, size, size))
        diagonal = np.arange(size)
        out[:, :players, :players] = self.meetings(self.scaled(self.scaled(dd)))
        for k in range(self.x.shape[1]):
            at, weighed = players + k, dd * self.x[:, k]
            out[:, at, :players] = out[:, :players, at] = self.sides(weighed)
            out[:, at, players:end] = weighed @ self.x
        out[:, end, :players] = out[:, :players, end] = self.sides(both)
        out[:, end, players:end] = out[:, players:end, end] = both @ self.x
        out[:, end, end] = bend
        if self.prior:
            out[:, diagonal[:end], diagonal[:end]] += self.prior / 2 / np.cosh(theta[:, :end] / 2) ** 2
        else:  # singular along "all stronger by the same": the ones settle it
            out[:, :players, :players] += 1 / players
        # What no vote tells of stays where it is.
        still = TINY * np.maximum(np.trace(out, axis1=1, axis2=2), 1.0)
        out[:, diagonal, diagonal] += still[:, None]
        return slope, out

    def meetings(self, weights: Array) -> Array:
        """Half the second derivatives by strengths of cells' weights times squared differences of strengths."""
        players = self.players
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        pair = group_sums(weights, low * players + high, players * players).reshape(-1, players, players)
        pair = pair + pair.swapaxes(1, 2)
        diagonal, out = np.arange(players), -pair
        out[:, diagonal, diagonal] += pair.sum(axis=2)
        return np.asarray(out)

    def sides(self, values: Array) -> Array:
        """Sums of cells by the player who is first, less those by the player who is second."""
        values = self.scaled(values)
        return np.asarray(group_sums(values, self.first, self.players) - group_sums(values, self.second, self.players))


def fit(model: Model, counts: Array) -> Fit:
    """The maximum of the likelihood of every table, ``counts[draw, cell, 3]``: wins, ties and losses of the first."""
    return model.climb(model.table(counts))


@dataclass(frozen=True, eq=False)
class Step:
    """One of Newton's steps from a fit to that of the same votes counted otherwise: what each vote pulls at.

    Linear in how often votes count: over clusters drawn with replacement the spread of such fits is the sandwich
    estimate of error with these clusters. Unlike a full fit of every draw it exists where a draw has no maximum.
    """

    theta: Array  # [parameter] of the fit
    pull: Array  # [cell, 3] of a win, a tie and a loss of the first at its log odds
    tie: Array  # [cell, 3] the same at the weight of ties
    held: Array  # [parameter] the prior's
    inverse: Array  # [parameter, parameter] of minus the second derivatives
    players: int

    @classmethod
    def of(cls, found: Fit, model: Model, counts: Array) -> Step:
        """From the fit of ``counts[1, cell, 3]``."""
        theta = np.concatenate([found.strengths, found.effects, np.nan_to_num(found.tau)[:, None]], axis=1)
        every = np.eye(3)[:, None]  # one win, one tie, one loss
        n, each = (model.table(c) for c in (counts, every))
        tied = told_by_ties(n)
        pull, tie, *_ = model.by_cell(theta, each, tied)
        shape = (len(model.first), 3)
        held = np.zeros(model.size)
        held[:-1] = -model.prior * np.tanh(theta[0, :-1] / 2)
        inverse = np.linalg.inv(model.derivatives(theta, n, tied)[1][0])
        pull, tie = (np.broadcast_to(p.T, shape) for p in (pull, tie))
        return cls(theta[0], pull, tie, held, inverse, model.players)

    def fit(self, slope: Array) -> Fit:
        """The fits of draws, from the sums of their votes' pulls, ``slope[draw, parameter]``."""
        moved = self.theta + (slope + self.held) @ self.inverse
        s, settled = moved[:, : self.players], np.ones(len(moved), bool)
        return Fit(s - s.mean(axis=1, keepdims=True), moved[:, self.players : -1], moved[:, -1], settled)


def unexplained(model: Model, votes: Array) -> Array:
    """The share of every covariate that players and the other covariates leave unexplained, ``[covariate]``.

    By least squares over cells, each as often as it has ``votes``: 0, and nobody can tell the covariate from the rest.
    """
    players, size = model.players, int(model.x.shape[1])
    if not size:
        return np.zeros(0)
    weighed = model.x.T * votes
    own = np.asarray((weighed * model.x.T).sum(axis=1))
    met = np.bincount(model.first * players + model.second, votes, players**2).reshape(players, players)
    met = met + met.T
    square = np.diag(met.sum(axis=1)) - met
    cross = model.sides(weighed)
    left = weighed @ model.x - cross @ np.linalg.pinv(square, rcond=1e-10, hermitian=True) @ cross.T
    scale = np.sqrt(np.where(own > 0, own, 1.0))
    left = left / scale / scale[:, None]
    out = np.zeros(size)
    for k in range(size):
        others = np.delete(np.arange(size), k)
        rest = np.linalg.pinv(left[np.ix_(others, others)], rcond=1e-10, hermitian=True)
        out[k] = left[k, k] - left[k, others] @ rest @ left[others, k]
    return np.where(own > 0, out, 0.0)


def told_by_ties(n: Array) -> Array:
    """Whether ties tell what they weigh: where nothing else occurs they do not."""
    return np.asarray((n[..., 1].sum(axis=1) > 0) & (n[..., ::2].sum(axis=(1, 2)) > 0))


def _halved(counts: Array) -> Array:
    half = counts[..., 1] / 2
    return np.stack([counts[..., 0] + half, np.zeros(half.shape), counts[..., 2] + half], axis=-1)


def _davidson(eta: Array, tau: Array, n: Array, tied: Array) -> tuple[Array, ...]:
    weight = np.where(tied, np.exp(tau), 0.0)
    win, lose = np.exp(eta / 2), np.exp(-eta / 2)
    total, every = win + lose + weight, n.sum(axis=2)
    gap, even = (win - lose) / total, weight / total
    d = (n[..., 0] - n[..., 2] - every * gap) / 2
    dd = every * (1 - even - gap**2) / 4
    rise = np.where(tied, n[..., 1] - every * even, 0.0)
    bend = np.where(tied[:, 0], (every * even * (1 - even)).sum(axis=1), 1.0)
    return d, rise, dd, -every * gap * even / 2, bend


def _rao_kupper(eta: Array, tau: Array, n: Array, tied: Array) -> tuple[Array, ...]:
    """Two coins: a win rather than a tie or a loss, at eta - tau; a win or a tie rather than a loss, at eta + tau."""
    tau = np.where(tied, tau, 0.0)
    a, b = (0.5 * (1 + np.tanh((eta + t) / 2)) for t in (-tau, tau))
    won, even, lost = n[..., 0], n[..., 1], n[..., 2]
    one, two = (won + even) * a * (1 - a), (lost + even) * b * (1 - b)
    upper, lower = won * (1 - a) - even * a, even * (1 - b) - lost * b
    gap = np.where(tied, tau, 1.0)
    rise = np.where(tied, lower - upper + 2 * even / np.expm1(2 * gap), 0.0)
    bend = np.where(tied[:, 0], (one + two + even / np.sinh(gap) ** 2).sum(axis=1), 1.0)
    return upper + lower, rise, one + two, np.where(tied, two - one, 0.0), bend
