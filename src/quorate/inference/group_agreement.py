"""Two known groups of judges, such as shoppers and cooks: are they of one mind?

How much more two judges of the less united group agree than one of each does, as where camps are looked for
(:mod:`camp_splits`); and how often that much where judges are assigned to the groups at random.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import NULLS, split
from quorate.inference.camp_splits import LEAST, gap_of
from quorate.inference.engine import budget_of
from quorate.inference.estimate import Null
from quorate.inference.judge_squares import Compared, judge_squares
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.table import Method

Array = NDArray[Any]
MOST = 200  # judges who are compared
CELLS = 1 << 22  # of squares at a time


@dataclass(frozen=True)
class GroupAgreement:
    """Mean agreement of two judges of the first group, of two of the second, and of one of each."""

    within: tuple[float, float]
    across: float
    null: Null  # of how much more they agree within


def group_agreement(method: Method, design: Compared, second: Array, options: Options) -> GroupAgreement | None:
    """How two groups agree within themselves and across; ``second[judge]`` says who is of the second one.

    None of fewer than 3 judges a group, of very many judges, or where nothing is to be drawn.
    """
    judges = len(design.judges)
    small = min(int(second.sum()), int((~second).sum())) < LEAST
    most = min(NULLS, budget_of(options).nulls(10.0 * judges**2))
    if small or judges > MOST or not options.permutations or not most:
        return None
    square = np.asarray(judge_squares(method, design).mean[0])
    rng = stream(options.seed, "group agreement", method)

    def gaps(halves: Array) -> Array:
        return gap_of(np.broadcast_to(square, (len(halves), judges, judges)), halves)

    def draw(number: int) -> Array:
        some = split(number, max(1, CELLS // judges**2))
        return np.concatenate([gaps(np.stack([rng.permutation(second) for _ in range(k)])) for k in some])[:, None]

    seen = gaps(second[None])
    if not np.isfinite(seen).all():
        return None
    (null,) = sequential(draw, seen, most)
    return None if null is None else GroupAgreement(*_means(square, second), replace(null, value=0.0))


def _means(square: Array, second: Array) -> tuple[tuple[float, float], float]:
    known = np.isfinite(square) & ~np.eye(len(square), dtype=bool)

    def mean(one: Array, other: Array) -> float:
        return float(square[known & one[:, None] & other].mean())

    return (mean(~second, ~second), mean(second, second)), mean(second, ~second)
