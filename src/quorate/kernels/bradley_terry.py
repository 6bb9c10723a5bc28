"""Bradley and Terry's strengths from wins: many tables of wins at once, by Newton's method."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
STEPS, CLOSE = 100, 1e-10


def strengths(wins: Array, prior: float) -> Array:
    """Log strengths ``[..., player]`` that add up to 0, from ``wins[..., winner, loser]``.

    ``prior`` wins are added each way between every two players, so that one who never lost stays finite. The likelihood
    is concave: Newton's steps, halved while they overshoot, lead to its one maximum.
    """
    wins = np.asarray(wins, float)
    size = wins.shape[-1]
    away = ~np.eye(size, dtype=bool)
    wins = (wins + prior) * away
    games = wins + np.swapaxes(wins, -1, -2)
    won = wins.sum(axis=-1)
    theta = np.zeros(wins.shape[:-1])
    before = _likelihood(theta, wins)
    for _ in range(STEPS):
        p = _chance(theta)
        slope = won - (games * p).sum(axis=-1)
        bend = games * p * (1 - p)
        hessian = np.eye(size) * bend.sum(axis=-1)[..., None] - bend
        # Singular along "all stronger by the same"; the ones settle it.
        step = np.linalg.solve(hessian + np.ones((size, size)) / size, slope[..., None])[..., 0]
        theta, before, moved = _climb(theta, step, before, wins)
        if moved < CLOSE:
            break
    return np.asarray(theta - theta.mean(axis=-1, keepdims=True))


def _climb(theta: Array, step: Array, before: Array, wins: Array) -> tuple[Array, Array, float]:
    """As far along the step as the likelihood does not fall, each table on its own."""
    share = np.ones((*theta.shape[:-1], 1))
    for _ in range(40):
        after = _likelihood(theta + share * step, wins)
        worse = after < before - 1e-12 * np.abs(before)
        if not worse.any():
            break
        share = np.where(worse[..., None], share / 2, share)
    moved = share * step
    return theta + moved, after, float(np.abs(moved).max(initial=0.0))


def _chance(theta: Array) -> Array:
    """The probability that row beats column."""
    gap = theta[..., :, None] - theta[..., None, :]
    return np.asarray(0.5 * (1 + np.tanh(gap / 2)))


def _likelihood(theta: Array, wins: Array) -> Array:
    gap = theta[..., :, None] - theta[..., None, :]
    return np.asarray(-(wins * np.logaddexp(0.0, -gap)).sum(axis=(-1, -2)))
