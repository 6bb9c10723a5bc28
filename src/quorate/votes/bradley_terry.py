"""Wins of every two systems, and Bradley and Terry's strengths from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels import bradley_terry as kernel
from quorate.kernels.additive import parts
from quorate.kernels.group_sums import group_sums
from quorate.panel.design import Measured
from quorate.panel.pairs import Often, VoteDesign
from quorate.table import number

Array = NDArray[Any]
SYSTEMS = 1000  # that strengths are had of at most
LEAST = 1e-9  # prior, without which a system that never lost has no finite strength
PRIOR = number("wins added each way between every two systems", 0.0)


def wins(v: VoteDesign, often: Often) -> Array:
    """``[draw, winner, loser]``, a tie half a win each way."""
    size = len(v.systems)
    weight = often.votes * often.of(v.task)
    won = group_sums(weight * v.outcome, v.first * size + v.second, size * size)
    lost = group_sums(weight * (1 - v.outcome), v.second * size + v.first, size * size)
    return (won + lost).reshape(-1, size, size)


def strengths(v: VoteDesign, often: Often, prior: float) -> Measured:
    """Log strengths that add up to 0; where systems fall into parts that nobody compared, the part of each."""
    if len(v.systems) > SYSTEMS:
        fact = f"strengths of {len(v.systems):,} systems would take too long and fill the memory."
        raise LimitReached(fact, f"at most {SYSTEMS:,}; win_rate takes any number.")
    table = wins(v, often)
    games = table + table.swapaxes(1, 2)
    values = kernel.strengths(table, max(prior, LEAST))
    values = np.where(games.sum(axis=2) > 0, values, np.nan)
    part = parts(games[0] > 0, games[0].sum(axis=1) > 0)
    return Measured(values, about={"part": part})


def cost(systems: int) -> float:
    """What strengths cost, in numbers looked at, about."""
    return float(systems) ** 3 + 100.0 * systems**2
