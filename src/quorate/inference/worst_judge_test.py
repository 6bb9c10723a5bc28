"""Is the worst judge worse than chance makes one of several equal judges? A permutation test of judges' labels.

Somebody is always the worst. Cells are what a judge did on one task: rows of sums that add up, ``parts[cell, column]``.
If judges were alike, any of them might have done any cell, so that labels are shuffled over cells. Judges have
different numbers of cells, so the excess of each is turned into a rank among the shuffles first, and the smallest of
all judges' ranks is what is compared: the chance to name anybody wrongly is then at most ``level``, however many there
are. Once a judge is named, the test is made again among those who are left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import FEWEST_SHUFFLES, SHUFFLES
from quorate.kernels.defined import quotient

Array = NDArray[Any]
Value = Callable[[Array], Array]  # of sums along the last axis
CELLS = 8 * 10**6  # cells shuffled at most, as long as there are enough shuffles
SAME = 1e-9


def clearly_worse(
    parts: Array, judge: Array, judges: int, of: Value, rng: np.random.Generator, level: float = 0.05
) -> tuple[Array, Array]:
    """A p value of each judge, corrected for their number, and who is named. Higher values of ``of(sums)`` are better.

    NaN where a judge has no value or there are fewer than three judges.

    >>> gaps = np.array([-0.3, -0.2, -0.3, -0.2, 0.1, 0.0, 0.0, 0.1, 0.1, 0.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.1])
    >>> who, ones = np.repeat(range(4), 4), np.ones(16)
    >>> clearly_worse(np.stack([ones, gaps], axis=1), who, 4, mean_of_sums, np.random.default_rng(0))[1].tolist()
    [True, False, False, False]
    """
    p, named = np.full(judges, np.nan), np.zeros(judges, bool)
    left = np.flatnonzero(np.isfinite(of(_totals(parts, judge[None], judges)[0])))
    reached = 0.0
    while len(left) > 2:
        rows = np.flatnonzero(np.isin(judge, left))
        found = _corrected(parts[rows], np.searchsorted(left, judge[rows]), len(left), of, rng)
        reached = max(reached, float(found.min()))  # nobody named later may look surer than those before
        p[left] = np.maximum(found, reached)
        if reached > level:
            break
        worst = int(found.argmin())
        named[left[worst]] = True
        left = np.delete(left, worst)
    return p, named


def mean_of_sums(sums: Array) -> Array:
    """The mean from sums of 1 and of values along the last axis; NaN where there are none."""
    return quotient(sums[..., 1], sums[..., 0])


def _corrected(parts: Array, judge: Array, judges: int, of: Value, rng: np.random.Generator) -> Array:
    """P values of all judges, corrected; the judges as they are count as one of the shuffles."""
    number = int(np.clip(CELLS // max(len(judge), 1), FEWEST_SHUFFLES, SHUFFLES))
    excess = [_excess(parts, judge[None], judges, of)]
    step = max(1, CELLS // (8 * max(len(judge), 1)))
    for a in range(0, number, step):
        labels = rng.permuted(np.tile(judge, (min(step, number - a), 1)), axis=1)
        excess.append(_excess(parts, labels, judges, of))
    rank = _share_above(np.concatenate(excess))
    least = np.sort(rank.min(axis=1))
    return np.asarray(np.searchsorted(least, rank[0] + SAME, side="right") / len(least))


def _excess(parts: Array, labels: Array, judges: int, of: Value) -> Array:
    """How far each judge is below the others together, ``[shuffle, judge]``; lowest where there is no value."""
    mine = _totals(parts, labels, judges)
    below = of(mine.sum(axis=1, keepdims=True) - mine) - of(mine)
    return np.where(np.isfinite(below), below, -np.inf)


def _totals(parts: Array, labels: Array, judges: int) -> Array:
    """Sums of each judge's cells, ``[shuffle, judge, column]``."""
    shuffles = len(labels)
    place = (labels + judges * np.arange(shuffles)[:, None]).ravel()
    size = shuffles * judges
    columns = [np.bincount(place, np.tile(c, shuffles), size) for c in parts.T]
    return np.stack(columns, axis=1).reshape(shuffles, judges, len(columns))


def _share_above(excess: Array) -> Array:
    """For every entry the share of its column that is as high or higher."""
    out = np.empty(excess.shape)
    for j, column in enumerate(excess.T):
        near = SAME * float(np.abs(column[np.isfinite(column)]).max(initial=0.0))
        out[:, j] = len(column) - np.searchsorted(np.sort(column), column - near, side="left")
    return out / len(excess)
