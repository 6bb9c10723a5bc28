"""Chance: how often a design dealt anew gets as far as the value seen. All p-values are made here, but closed forms.

p = (reached + 1) / (draws + 1). Draws are added while p may still matter: a value that chance reaches often is clear
after a hundred, one that it hardly ever reaches gets as many as the budget has (Besag and Clifford 1991).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Null
from quorate.inference.student import beyond

Array = NDArray[Any]
NEAR = 1e-12  # a value that differs by rounding alone has been reached
FIRST = 99  # draws before anything is decided
FEW = 999  # draws, of fewer a tail is told by its mean and spread
LEAST = 1e-12  # p that such a tail is believed to
ENOUGH = 20  # times that chance must reach the value for its p to be clear


def p_value(reached: Any, draws: Any) -> Any:
    """How often chance reaches a value, counting the value itself as one draw more."""
    return (reached + 1) / (draws + 1)


def reaches(values: Array, seen: Any, sign: int = 1) -> Array:
    """Whether drawn values are at least as extreme as the one seen."""
    return np.asarray(sign * values >= sign * seen - NEAR * np.maximum(np.abs(seen), 1.0))


def null_of(values: Array, seen: float, sign: int = 1) -> Null | None:
    """The null of values that were all drawn; None where nothing is defined."""
    known = values[np.isfinite(values)]
    if not len(known) or math.isnan(seen):
        return None
    return Null(float(known.mean()), p_value(int(reaches(known, seen, sign).sum()), len(known)), len(known))


def sequential(
    draw: Callable[[int], Array],
    seen: Array,
    most: int,
    sign: int = 1,
    *,
    tail: bool = False,
    deciding: int | None = None,
) -> list[Null | None]:
    """The null of several figures that share their draws: ``draw(k)`` gives k more of each, ``[k, figure]``.

    Draws go on, twice as many each time, until every figure, or every one of the first ``deciding``, was reached
    ENOUGH times or ``most`` were made. With
    ``tail``, where few were made and none got as far, p is told by Student's t: what takes so long is a sum over very
    many judgments, and nearly normal.
    """
    sums, made, size = np.zeros((4, len(seen))), 0, min(FIRST, most)  # values, their squares, how many, how far
    while size > 0:
        values = draw(size)
        known = np.isfinite(values)
        v = np.where(known, values, 0.0)
        sums += np.stack(
            [v.sum(axis=0), (v**2).sum(axis=0), known.sum(axis=0), (reaches(v, seen, sign) & known).sum(0)]
        )
        made += size
        open_ = (sums[3] < ENOUGH) & np.isfinite(seen) & (sums[2] > 0)
        size = min(made + 1, most - made) if open_[:deciding].any() else 0
    return [_null(column, s, sign, tail) for column, s in zip(sums.T.tolist(), seen.tolist(), strict=True)]


def _null(sums: Sequence[float], seen: float, sign: int, tail: bool) -> Null | None:
    """The null from sums over draws: of values, of their squares, how many there were, how many got as far."""
    total, squares, number, reached = sums
    if not number or not math.isfinite(seen):
        return None
    mean = total / number
    p = p_value(reached, number)
    if tail and not reached and 2 < number < FEW:
        deviation = math.sqrt(max(squares / number - mean**2, 0.0) * (number + 1) / (number - 1))
        if deviation > NEAR:
            p = min(p, max(beyond(sign * (seen - mean) / deviation, int(number) - 1) / 2, LEAST))
    return Null(mean, float(p), int(number))


def holm(p: Array, times: Array | None = None) -> Array:
    """p-values corrected for their number by Holm's steps; NaN stays. ``times``: of how many tests each one is.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    out = np.full(len(p), np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    left = np.cumsum((np.ones(len(p)) if times is None else times)[order[::-1]])[::-1]
    steps = p[order] * left
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return out
