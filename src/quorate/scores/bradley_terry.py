"""Bradley and Terry: strengths of systems from the judges' comparisons of two, ties counted as half a win each way.

A comparison is two systems scored by one judge on one input: a vote, or two scores of which the higher wins. Votes on
the same question about other pairs are comparisons of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.kernels.additive import parts
from quorate.kernels.bradley_terry import strengths
from quorate.panel.columns import Coded, keys
from quorate.panel.design import Weights
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import Units
from quorate.table import Note, method, number

Array = NDArray[Any]
BLOCK = 1 << 20  # numbers held at a time
SYSTEMS = 1000  # that strengths are had of at most


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Every comparison: its input and judge, the two systems, and 1, 0.5 or 0 for the first."""

    input: Array  # [comparison]
    judge: Array
    one: Array
    two: Array
    score: Array


@dataclass(frozen=True, eq=False)
class Strengths:
    """Log strengths of systems as a function of how often inputs and judges count."""

    of: Callable[[Weights], Array]  # -> [draw, system]
    inputs: Array  # [system] inputs that its strength is over; 0 of one that was compared with none
    about: Mapping[str, Any]


@method(
    "scores",
    "quality",
    "bradley_terry",
    range=(-math.inf, math.inf),
    higher="wins more often",
    parameters={"prior": number("wins added each way between every two systems", 0.0)},
    reference="Bradley and Terry 1952",
    symmetric=True,
    relabelling=True,
    pooled=True,
    over=lambda made: "judges" if made.by == "items" and made.is_votes else None,  # the items are the pairs themselves
    null=False,
    clusters=True,
    note=Note(
        "Pairwise votes, or scores from which only 'better than' is trusted.",
        "Assumes one scale for all: circles (rock, paper, scissors) are averaged away. Systems that never lost are "
        "held finite by the prior.",
        "P(a beats b) = 1 / (1 + exp(s_b - s_a)), s of greatest likelihood, with a prior; ties are half a win each way",
    ),
)
def bradley_terry(made: OutputDesign, prior: float = 0.01) -> Strengths:
    """Bradley and Terry's log strengths from every two systems that one judge compared; ties are half a win each way.

    Strengths add up to 0; the odds that one system beats another are exp of their difference. Without the prior a
    system that never lost has no finite strength.
    """
    found, size = comparisons(made), len(made.systems)
    wins = table_of_wins(found.one, found.two, found.score, size)
    games = wins.sum(axis=1) + wins.sum(axis=0)
    about = {
        "comparisons": len(found.score),
        "ties": int((found.score == 0.5).sum()),
        "part": parts(wins + wins.T > 0, games > 0),  # nothing but the prior links two parts
        "never": [made.systems[s] for s in np.flatnonzero(games == 0).tolist()],
    }

    def of(weights: Weights) -> Array:
        if weights.plain:
            return np.where(games > 0, strengths(wins, max(prior, 1e-9)), np.nan)[None]
        out = _redrawn(found, weights, size, max(prior, 1e-9))
        out[:, games == 0] = np.nan
        return out

    return Strengths(of, np.where(games > 0, len(made.tasks), 0), about)


def comparisons(made: OutputDesign) -> Comparisons:
    """Every two systems that one judge compared on one input; a name that stands for several is each of them apart."""
    if len(made.systems) > SYSTEMS:
        what = "systems" if made.named else "items"
        fact = f"strengths of {len(made.systems):,} {what} would take too long and fill the memory."
        raise LimitReached(fact, f"at most {SYSTEMS:,}; mean_score takes any number.")
    units = made.scores
    unit = units.unit
    copy = _copies(units)
    place = made.input[unit] if made.by == "items" or not _votes(made) else units.item[unit]
    group = keys(
        Coded(units.tasks, units.task[unit].astype(np.uint64)),
        Coded(tuple(range(int(place.max(initial=0)) + 1)), place.astype(np.uint64)),
        Coded(units.judges, units.judge.astype(np.uint64)),
        Coded(tuple(range(int(copy.max(initial=0)) + 1)), copy.astype(np.uint64)),
    )
    order = np.argsort(group, kind="stable")
    first, second = _pairs(group[order])
    a, b = order[first], order[second]
    one, two = made.system[unit[a]], made.system[unit[b]]
    gap = units.value[a] - units.value[b]
    apart = one != two
    score = (1 + np.sign(gap)) / 2
    return Comparisons(made.input[unit[a]][apart], units.judge[a][apart], one[apart], two[apart], score[apart])


def _copies(units: Units) -> Array:
    """The number, from 0, of each row among those of the same unit and judge, which lie together."""
    new = np.ones(len(units), bool)
    new[1:] = (units.unit[1:] != units.unit[:-1]) | (units.judge[1:] != units.judge[:-1])
    place = np.arange(len(units))
    return place - np.maximum.accumulate(np.where(new, place, 0))


def _votes(made: OutputDesign) -> bool:
    """Whether items are shared by systems within tasks, as the two sides of a vote are."""
    pair = np.unique(np.stack([made.scores.task, made.scores.item, made.system]), axis=1)
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


def _redrawn(found: Comparisons, weights: Weights, size: int, prior: float) -> Array:
    """Strengths when inputs or judges count so often."""
    cell = np.concatenate([found.one * size + found.two, found.two * size + found.one])
    used, place = np.unique(cell, return_inverse=True)
    score = np.concatenate([found.score, 1 - found.score])
    group, times = _counted(found, weights)
    number = times.shape[1]
    wins = np.bincount(np.tile(group, 2) * len(used) + place.ravel(), score, number * len(used))
    wins = wins.reshape(number, len(used))
    step = max(1, BLOCK // max(size * size, number))
    out = [np.zeros((0, size))]
    for a in range(0, len(times), step):
        table = np.zeros((len(times[a : a + step]), size * size))
        table[:, used] = times[a : a + step] @ wins
        out.append(strengths(table.reshape(-1, size, size), prior))
    return np.concatenate(out)


def _counted(found: Comparisons, weights: Weights) -> tuple[Array, Array]:
    """What comparisons are grouped by, and how often each group counts, ``[draw, group]``."""
    if weights.judges is None:
        return found.input, np.asarray(weights.tasks)
    if weights.tasks is None:
        return found.judge, weights.judges
    pairs, group = np.unique(np.stack([found.input, found.judge]), axis=1, return_inverse=True)
    return group.ravel(), weights.tasks[:, pairs[0]] * weights.judges[:, pairs[1]]
