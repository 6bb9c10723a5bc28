"""Bradley and Terry: strengths of systems from the judges' comparisons of two, ties counted as half a win each way.

A comparison is two systems scored by one judge on one input: a vote, or two scores of which the higher wins. Votes on
the same question about other pairs are comparisons of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.inference.resample import Interval, centred, stream
from quorate.inference.results import Options
from quorate.kernels.bradley_terry import strengths
from quorate.panel.columns import Coded, keys
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores.systems import Outputs, voters

Array = NDArray[Any]
BLOCK = 1 << 20  # numbers held at a time
FEWEST = 3  # judges on one task; of two nobody can tell what a third would say
SYSTEMS = 1000  # that strengths are had of at most
WORK, DRAWS = 4 * 10**10, 50  # systems cubed x resamples, about; and resamples at least


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Every comparison: its input and judge, the two systems, and 1, 0.5 or 0 for the first."""

    input: Array  # [comparison]
    judge: Array
    one: Array
    two: Array
    score: Array


@dataclass(frozen=True, eq=False)
class Drawn:
    """What is drawn anew: inputs, or on a single one the judges, since one judge's comparisons hang together."""

    by: str
    group: Array  # [comparison]
    size: Array  # [group] how many judges it stands for; 1 for an input
    number: int  # all of them

    @property
    def few(self) -> bool:
        """Whether there are too few judges to tell what others would say."""
        return self.by == "judges" and self.number < FEWEST


def comparisons(panel: Scores, made: Outputs) -> Comparisons:
    """Every two systems that one judge compared on one input; a name that stands for several is each of them apart."""
    if len(made.systems) > SYSTEMS:
        what = "systems" if made.named else "items"
        fact = f"strengths of {len(made.systems):,} {what} would take too long and fill the memory."
        raise LimitReached(fact, f"at most {SYSTEMS:,}; mean_score takes any number.")
    units = made.units
    unit = units.unit
    copy = _copies(units)
    place = made.input[unit] if made.by == "items" or not _votes(made) else units.item[unit]
    group = keys(
        Coded(panel.tasks, units.task[unit].astype(np.uint64)),
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


def units_of(panel: Scores, made: Outputs, found: Comparisons) -> Drawn:
    """What the comparisons are drawn by; votes on one task are by judges, for its items are the pairs themselves."""
    places, place = np.unique(found.input, return_inverse=True)
    if len(places) > 1 and not (made.by == "items" and "shown" in panel.labels):
        return Drawn(made.by, place.ravel(), np.ones(len(places), np.int64), len(places))
    judges, group = np.unique(found.judge, return_inverse=True)
    size = voters(made.units)[1][judges]
    return Drawn("judges", group.ravel(), size, int(size.sum()))


def _copies(units: Units) -> Array:
    """The number, from 0, of each row among those of the same unit and judge, which lie together."""
    new = np.ones(len(units), bool)
    new[1:] = (units.unit[1:] != units.unit[:-1]) | (units.judge[1:] != units.judge[:-1])
    place = np.arange(len(units))
    return place - np.maximum.accumulate(np.where(new, place, 0))


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
    panel: Scores, made: Outputs, found: Comparisons, prior: float, options: Options
) -> tuple[Array, tuple[Interval | None, ...], Array, Array, Drawn]:
    """Log strengths, their intervals, draws ``[resample, system]``, games per system, and what was drawn."""
    size = len(made.systems)
    number = min(options.resamples, max(WORK // size**3, DRAWS))
    wins = table_of_wins(found.one, found.two, found.score, size)
    games = wins.sum(axis=1) + wins.sum(axis=0)
    values = np.where(games > 0, strengths(wins, prior), np.nan)
    rng = stream(options.seed, "bradley_terry", made.units.criterion)
    units = units_of(panel, made, found)
    drawn = _redrawn(found, units, size, rng, 0 if units.few else number, prior)
    drawn[:, games == 0] = np.nan
    inside = tuple(
        centred(float(values[s]), drawn[:, s], options.level, units.by, units.number) if games[s] else None
        for s in range(size)
    )
    return values, inside, drawn, games, units


def _redrawn(found: Comparisons, units: Drawn, size: int, rng: Any, resamples: int, prior: float) -> Array:
    """Strengths when inputs are drawn with replacement, or judges."""
    number = len(units.size)
    if not number or not resamples:
        return np.full((1, size), np.nan)
    one, two, score = found.one, found.two, found.score
    cell = np.concatenate([one * size + two, two * size + one])
    used, place = np.unique(cell, return_inverse=True)
    wins = np.bincount(
        np.tile(units.group, 2) * len(used) + place.ravel(),
        np.concatenate([score, 1 - score]),
        number * len(used),
    ).reshape(number, len(used))
    wins = np.asarray(wins / units.size[:, None])  # of one judge, where a row stands for several
    step = max(1, BLOCK // max(size * size, number))
    out = []
    for a in range(0, resamples, step):
        drawn = rng.multinomial(units.number, units.size / units.number, size=min(step, resamples - a))
        table = np.zeros((len(drawn), size * size))
        table[:, used] = drawn @ wins
        out.append(strengths(table.reshape(-1, size, size), prior))
    return np.concatenate(out)
