"""Ratings beside the model, for comparison: Elo's, which depends on the order of votes, and the eigenvector of wins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels.group_sums import group_sums
from quorate.kernels.streams import stream
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_counts import Often

Array = NDArray[Any]
BEGIN, SCALE = 1000.0, 400.0  # of Elo's ratings
ORDERS = 20  # orders of the votes that ratings are the mean of
MOST = 1_000_000  # votes that are gone through one by one
STEPS, CLOSE = 1000, 1e-12


def elo(v: VoteDesign, often: Often, k: float) -> tuple[Array, float]:
    """Elo's ratings, ``[draw, system]``, as the mean over shuffled orders; and how far apart orders put a system.

    Of resampled panels one order is taken, the same for all: a vote that is drawn twice moves ratings twice as far.
    """
    if len(v.judge) > MOST:
        fact = f"elo goes through {len(v.judge):,} votes one by one, which would take too long."
        raise LimitReached(fact, f"at most {MOST:,} votes; bradley_terry takes any number.")
    weight = often.votes * often.of(v.task)
    rng = stream(v.seed, "elo")
    if often.drawn:
        return in_order(v, np.broadcast_to(rng.permutation(len(v.judge)), weight.shape), weight, k), 0.0
    orders = np.stack([rng.permutation(len(v.judge)) for _ in range(ORDERS)])
    found = in_order(v, orders, np.broadcast_to(weight, orders.shape), k)
    return found.mean(axis=0, keepdims=True), float(np.ptp(found, axis=0).max(initial=0.0))


def in_order(v: VoteDesign, orders: Array, weight: Array, k: float) -> Array:
    """Ratings after votes in these orders, ``[draw, system]``, from ``orders`` and ``weight[draw, vote]``."""
    rating, rows = np.full((len(orders), len(v.systems)), BEGIN), np.arange(len(orders))
    outcome = v.outcome[0]
    for votes in orders.T:
        first, second = v.first[votes], v.second[votes]
        expected = 1 / (1 + 10 ** ((rating[rows, second] - rating[rows, first]) / SCALE))
        moved = k * weight[rows, votes] * (outcome[votes] - expected)
        rating[rows, first] += moved
        rating[rows, second] -= moved
    return rating


def eigenvector(v: VoteDesign, often: Often) -> Array:
    """The leading eigenvector of the square of wins, a tie half a win each, summing to 1, ``[draw, system]``.

    By power iteration of the square plus the unit matrix, which has the same eigenvectors and does not go in circles.
    """
    size = len(v.systems)
    weight = often.votes * often.of(v.task)
    out = np.empty((len(weight), size))
    for row, own in enumerate(weight):
        won = group_sums(np.stack([own * v.outcome[0], own * (1 - v.outcome[0])]), v.first * size + v.second, size**2)
        square = won[0].reshape(size, size) + won[1].reshape(size, size).T
        out[row] = _leading(square / max(float(square.sum()), 1e-300) * size)
    return out


def _leading(square: Array) -> Array:
    found = np.full(len(square), 1 / len(square))
    for _ in range(STEPS):
        after = square @ found + found
        after /= after.sum()
        if np.abs(after - found).max() < CLOSE:
            return np.asarray(after)
        found = after
    return found if not math.isnan(found.sum()) else np.full(len(square), math.nan)


def fewest_and_most(v: VoteDesign) -> tuple[int, int]:
    """Of the system with the fewest votes and of that with the most, how many there are."""
    first, second = (np.bincount(side, v.count, len(v.systems)) for side in (v.first, v.second))
    votes = first + second
    return int(votes.min()), int(votes.max())
