"""How much each judge's votes follow the strengths: the model of votes with a discrimination of every judge.

The log odds of a win are d_judge (s_first - s_second) + x @ beta: 1 is the average judge, 0 one who votes at random,
and one below 0 votes for the worse. Discriminations have a mean of 1, which sets the scale of strengths, and are drawn
towards it as by a normal distribution of standard deviation :data:`SPREAD`, so that few votes of a judge say little.

Judges have to do with one another by way of strengths alone: the second derivatives by two discriminations are a
diagonal, so that Newton's steps eliminate them, however many judges there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.bradley_terry import CLOSE, FAR, STEPS, TINY, Fit, Model, Step, fit, told_by_ties

Array = NDArray[Any]
SPREAD = 0.5  # of discriminations around 1, beforehand


@dataclass(frozen=True, eq=False)
class Newton:
    """Slopes and second derivatives at a point; discriminations always add up to as much, so one less is free."""

    slope: Array  # [parameter] of strengths, effects and tau
    bend: Array  # [parameter, parameter]
    pull: Array  # [judge] the slope of each discrimination, the prior's too
    spread: Array  # [judge] one over minus its second derivative
    cross: Array  # [judge, parameter]
    unsure: Array  # [cell] information times the variance of its judge's discrimination
    known: Array  # [judge, player] slopes by strengths of half of what tells of a discrimination

    def freed(self, pull: Array) -> Array:
        """How far discriminations move that are pulled at so, ``[..., judge]``, when they must add up to as much."""
        moved = pull * self.spread
        return np.asarray(moved - self.spread * (moved.sum(axis=-1, keepdims=True) / self.spread.sum()))

    @property
    def eliminated(self) -> Array:
        """Minus the second derivatives of parameters when discriminations follow."""
        return np.asarray(self.bend - self.cross.T @ self.freed(self.cross.T).T)

    @property
    def settling(self) -> Array:
        """The same at a fit: where strengths are further apart, discriminations are known better and less is lost.

        Without it what is lost would seem to hold strengths in place, and intervals would be too narrow.
        """
        square, players = self.spread**2, self.known.shape[1]
        moved = np.diag(square * (1 - 2 * self.spread / self.spread.sum()))
        moved += np.outer(square, square) / self.spread.sum() ** 2  # as they must add up to so much
        out = self.eliminated.copy()
        out[:players, :players] -= 2 * self.known.T @ moved @ self.known
        return out if np.linalg.eigvalsh(out)[0] > 0 else self.eliminated

    def step(self) -> tuple[Array, Array]:
        """Newton's step of parameters and of discriminations."""
        moved = np.linalg.solve(self.eliminated, self.slope - self.freed(self.pull) @ self.cross)
        return moved, self.freed(self.pull - self.cross @ moved)


@dataclass(frozen=True, eq=False)
class Judged:
    """The likelihood of a table whose cells are of one judge each, of strengths, effects, tau and discriminations.

    What is not known of a judge's discrimination makes differences of strengths look larger than they are, the more the
    fewer votes a judge has. So the likelihood is that expected over what it may be, to the second order: a cell loses
    half of its information times the variance of its log odds.
    """

    model: Model
    judge: Array  # [cell]
    judges: int

    def at(self, d: Array) -> Model:
        """The model of strengths with these discriminations."""
        return replace(self.model, scale=d[self.judge])

    def likelihood(self, theta: Array, d: Array, n: Array, unsure: Array) -> float:
        """The log likelihood, less what is lost by not knowing discriminations, and that of these beforehand."""
        out = self.at(d).likelihood(theta[None], n, told_by_ties(n))[0]
        return float(out - (unsure * self.gap(theta) ** 2).sum() / 2 - ((d - 1) ** 2).sum() / 2 / SPREAD**2)

    def gap(self, theta: Array) -> Array:
        """How far apart the two of each cell are."""
        return np.asarray(theta[self.model.first] - theta[self.model.second])

    def newton(self, theta: Array, d: Array, n: Array) -> Newton:
        """The derivatives; those across are expected ones where the likelihood is not curved as at a maximum."""
        tied, here, gap, players = told_by_ties(n), self.at(d), self.gap(theta), self.model.players
        (slope,), (bend,) = here.derivatives(theta[None], n, tied)
        (pull,), _, (dd,), (both,), _ = here.by_cell(theta[None], n, tied)
        spread = 1 / (self._sums(dd * gap**2) + 1 / SPREAD**2)
        unsure = dd * (spread * (1 - spread / spread.sum()))[self.judge]  # as they must add up to so much
        slope[:players] -= self.model.sides((unsure * gap)[None])[0]
        bend[:players, :players] += self.model.meetings(unsure[None])[0]
        more, known = [self._sums(dd * gap * x) for x in self.model.x.T], self._sides(dd * gap)
        for curved in (pull, 0.0):
            sides = self._sides(dd * gap * d[self.judge] - curved)
            cross = np.concatenate([sides, np.stack([*more, self._sums(both * gap)], axis=1)], axis=1)
            found = Newton(slope, bend, self._sums(pull * gap) + held(d), spread, cross, unsure, known)
            if np.linalg.eigvalsh(found.eliminated)[0] > 0:
                break
        return found

    def _sums(self, values: Array) -> Array:
        return np.bincount(self.judge, values, self.judges)

    def _sides(self, values: Array) -> Array:
        """Sums of cells by judge and the player who is first, less those by the player who is second."""
        size = self.model.players
        one, two = (
            np.bincount(self.judge * size + side, values, self.judges * size)
            for side in (self.model.first, self.model.second)
        )
        return np.asarray(one - two).reshape(self.judges, size)


def held(d: Array) -> Array:
    """The slope of discriminations beforehand."""
    return np.asarray((1 - d) / SPREAD**2)


def fit_judged(judged: Judged, counts: Array) -> tuple[Fit, Array]:
    """Where the likelihood of ``counts[1, cell, 3]`` is highest, as Newton's steps find it from judges who are alike;
    and the discrimination of every judge."""
    n, players = judged.model.table(counts), judged.model.players
    theta, d, settled = parameters(fit(judged.model, counts))[0], np.ones(judged.judges), False
    for _ in range(STEPS):
        moved, turned = _shortened(judged, theta, d, n)
        theta, d = theta + moved, d + turned
        if settled := max(np.abs(moved).max(), np.abs(turned).max()) < CLOSE:
            break
    s, tau = theta[:players], np.where(told_by_ties(n), theta[-1], np.nan)
    found = np.array([settled and np.abs(theta).max() < FAR])
    return Fit((s - s.mean())[None], theta[None, players:-1], tau, found), d


def _shortened(judged: Judged, theta: Array, d: Array, n: Array) -> tuple[Array, Array]:
    """Newton's step, halved while the likelihood falls."""
    newton = judged.newton(theta, d, n)
    (moved, turned), share = newton.step(), 1.0
    here = judged.likelihood(theta, d, n, newton.unsure)
    while share > TINY:
        there = judged.likelihood(theta + share * moved, d + share * turned, n, newton.unsure)
        if there >= here - TINY * abs(here):
            break
        share /= 2
    return share * moved, share * turned


@dataclass(frozen=True, eq=False)
class JudgedStep:
    """One of Newton's steps from a fit to that of the same votes counted otherwise, discriminations following."""

    step: Step  # of the parameters
    newton: Newton
    d: Array  # [judge] of the fit
    gap: Array  # [cell]

    @classmethod
    def of(cls, found: Fit, d: Array, judged: Judged, counts: Array) -> JudgedStep:
        """From the fit of ``counts[1, cell, 3]``."""
        theta = parameters(found)[0]
        newton, gap = judged.newton(theta, d, judged.model.table(counts)), judged.gap(theta)
        step = Step.of(found, judged.at(d), counts)
        lost = step.held.copy()
        lost[: judged.model.players] -= judged.model.sides((newton.unsure * gap)[None])[0]
        return cls(replace(step, held=lost, inverse=np.linalg.inv(newton.settling)), newton, d, gap)

    def fit(self, slope: Array, pull: Array, judges: Array | None) -> tuple[Fit, Array]:
        """Fits and discriminations of draws, from the sums of votes' pulls ``slope[draw, parameter]``, and those at
        discriminations ``pull[draw, judge]``.

        Where judges are drawn, ``judges[draw, judge]``, each brings what is known of him beforehand, and strengths are
        on the scale of the average judge drawn.
        """
        often = np.ones((1, len(self.d))) if judges is None else judges
        pull = pull + often * held(self.d)
        found = self.step.fit(slope - self.newton.freed(pull) @ self.newton.cross)
        moved = parameters(found) - self.step.theta
        d = self.d + self.newton.freed(pull - moved @ self.newton.cross.T)
        mean = (often @ self.d / np.maximum(often.sum(axis=1), TINY))[:, None]
        return replace(found, strengths=found.strengths * mean), d


def parameters(found: Fit) -> Array:
    """Strengths, effects and tau in a row, ``[table, parameter]``."""
    return np.concatenate([found.strengths, found.effects, np.nan_to_num(found.tau)[:, None]], axis=1)
