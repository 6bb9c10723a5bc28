"""Bradley and Terry: strengths of systems from the judges' comparisons of two, ties counted as half a win each way.

A comparison is two systems scored by one judge on one input: a vote, or two scores of which the higher wins. Votes on
the same question about other pairs are comparisons of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.columns import Coded, keys
from quorate.kernels.bradley_terry import strengths
from quorate.panels import Scores
from quorate.resample import Interval, centred, stream
from quorate.results import Options
from quorate.scores.systems import Outputs

Array = NDArray[Any]
BLOCK = 1 << 20  # numbers held at a time


def comparisons(panel: Scores, made: Outputs) -> tuple[Array, Array, Array, Array]:
    """Every comparison: input, the two systems, and 1, 0.5 or 0 for the first."""
    units = made.units
    unit = units.unit
    place = made.input[unit] if made.by == "items" or not _votes(made) else units.item[unit]
    group = keys(
        Coded(panel.tasks, units.task[unit].astype(np.uint64)),
        Coded(tuple(range(int(place.max(initial=0)) + 1)), place.astype(np.uint64)),
        Coded(units.judges, units.judge.astype(np.uint64)),
    )
    order = np.argsort(group, kind="stable")
    first, second = _pairs(group[order])
    a, b = order[first], order[second]
    one, two = made.system[unit[a]], made.system[unit[b]]
    gap = units.value[a] - units.value[b]
    apart = one != two
    score = (1 + np.sign(gap)) / 2
    return made.input[unit[a]][apart], one[apart], two[apart], score[apart]


def _votes(made: Outputs) -> bool:
    """Whether items are shared by systems within tasks, as the two sides of a vote are."""
    pair = np.unique(np.stack([made.units.task, made.units.item, made.system]), axis=1)
    return made.named and pair.shape[1] > np.unique(pair[:2], axis=1).shape[1]


def _pairs(group: Array) -> tuple[Array, Array]:
    """Rows of every two members of a group, in rows sorted by group."""
    firsts, seconds = [], []
    for far in range(1, len(group)):
        same = np.flatnonzero(group[far:] == group[:-far])
        if not len(same):
            break
        firsts.append(same)
        seconds.append(same + far)
    none = np.zeros(0, np.int64)
    return np.concatenate([none, *firsts]), np.concatenate([none, *seconds])


def table_of_wins(one: Array, two: Array, score: Array, systems: int) -> Array:
    """``wins[winner, loser]``, ties half a win each way."""
    size = systems * systems
    wins = np.bincount(one * systems + two, score, size) + np.bincount(two * systems + one, 1 - score, size)
    return wins.reshape(systems, systems)


def rated(
    panel: Scores, made: Outputs, prior: float, options: Options
) -> tuple[Array, tuple[Interval | None, ...], Array, Array]:
    """Log strengths, their intervals, draws ``[resample, system]`` over inputs (or votes), and games per system."""
    place, one, two, score = comparisons(panel, made)
    size = len(made.systems)
    wins = table_of_wins(one, two, score, size)
    games = wins.sum(axis=1) + wins.sum(axis=0)
    values = np.where(games > 0, strengths(wins, prior), np.nan)
    rng = stream(options.seed, "bradley_terry", made.units.criterion)
    drawn = _redrawn(place, one, two, score, size, rng, options.resamples, prior)
    drawn[:, games == 0] = np.nan
    by = made.by if len(np.unique(place)) > 1 else "votes"
    units = len(np.unique(place)) if by != "votes" else len(score)
    inside = tuple(
        centred(float(values[s]), drawn[:, s], options.level, by, units) if games[s] and len(score) > 1 else None
        for s in range(size)
    )
    return values, inside, drawn, games


def _redrawn(
    place: Array, one: Array, two: Array, score: Array, size: int, rng: Any, resamples: int, prior: float
) -> Array:
    """Strengths when inputs are drawn with replacement; votes, where there is one input only."""
    _, group = np.unique(place, return_inverse=True)
    group = group.ravel()
    if len(group) and group.max() == 0:
        group = np.arange(len(score))
    number = int(group.max(initial=-1)) + 1
    if not number or not resamples:
        return np.full((1, size), np.nan)
    cell = np.concatenate([one * size + two, two * size + one])
    used, place = np.unique(cell, return_inverse=True)
    wins = np.bincount(
        np.concatenate([group, group]) * len(used) + place.ravel(),
        np.concatenate([score, 1 - score]),
        number * len(used),
    ).reshape(number, len(used))
    step = max(1, BLOCK // max(size * size, number))
    out = []
    for a in range(0, resamples, step):
        drawn = rng.multinomial(number, np.full(number, 1 / number), size=min(step, resamples - a))
        table = np.zeros((len(drawn), size * size))
        table[:, used] = drawn @ wins
        out.append(strengths(table.reshape(-1, size, size), prior))
    return np.concatenate(out)
