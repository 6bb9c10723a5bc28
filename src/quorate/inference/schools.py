"""Schools: are judges of one mind, or of two and more, each with a consensus of its own?

The judges of a task are split in two by the main axis of their agreement, then moved one by one to the school that they
agree with most. The statistic is how much more the less united school agrees within itself than across. Its null are
panels in which all judges are alike, with as much noise as makes them agree as these do: so a few careless judges, or
one who is off, make no school. A school is split further as long as the split of it is significant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import split
from quorate.inference.engine import budget_of
from quorate.inference.estimate import Null
from quorate.inference.noise import TRIALS, fitted_noise
from quorate.inference.null import sequential
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.panel.partitions import GroupingDesign
from quorate.table import Method

Array = NDArray[Any]
LEAST = 3  # judges of a school
JUDGES = 8  # of fewer nothing is looked for
MOST = 300  # judges, of more nothing is looked for
LEVEL = 0.05
SCHOOLS = 5  # at most
ROUNDS = 20  # of moving judges
DRAWS = 999
CELLS = 1 << 23  # pairs of judges x items at a time


@dataclass(frozen=True, eq=False)
class Schools:
    """Which school each judge is of, the larger ones first, and whether there is more than one."""

    school: Array  # [judge] from 0
    within: Array  # [school] mean agreement of two of its judges
    across: float  # mean agreement of two judges of different schools; NaN where there is one school
    gap: float  # of the best split in two: how much more the less united school agrees within than across
    null: Null | None  # of that split; None where it was not looked for

    @property
    def number(self) -> int:
        """How many schools there are."""
        return len(self.within)


def schools(method: Method, design: GroupingDesign, options: Options) -> Schools | None:
    """The schools of the judges of a design with one task; None of so few judges that nothing can be told."""
    judges = len(design.judges)
    if not JUDGES <= judges <= MOST or len(design.tasks) != 1:
        return None
    square = _squares(method, design)[0]
    school, (gap, null) = np.zeros(judges, np.int64), (math.nan, None)
    open_ = [np.arange(judges)]
    first = True
    while open_ and int(school.max()) + 1 < SCHOOLS:
        mine = open_.pop(0)
        if len(mine) < 2 * LEAST or (not first and len(mine) < JUDGES):
            continue
        own = design.some_judges(mine) if len(mine) < judges else design
        half, seen = halved(square[np.ix_(mine, mine)][None])
        tested = _null(
            method, own, float(seen[0]), square[np.ix_(mine, mine)], options, int(mine[0]) if not first else -1
        )
        if first:
            gap, null, first = float(seen[0]), tested, False
        if tested is None or tested.p > LEVEL:
            continue
        school[mine[half[0]]] = int(school.max()) + 1
        open_ += [mine[~half[0]], mine[half[0]]]
    return _told(school, square, gap, null)


def _told(school: Array, square: Array, gap: float, null: Null | None) -> Schools:
    size = np.bincount(school)
    order = np.argsort(-size, kind="stable")
    name = np.empty(len(order), np.int64)
    name[order] = np.arange(len(order))
    school = name[school]
    same, apart = school[:, None] == school, ~np.eye(len(school), dtype=bool)
    within = [
        float(np.nanmean(square[np.ix_(school == k, school == k)][~np.eye(int((school == k).sum()), dtype=bool)]))
        for k in range(len(size))
    ]
    across = float(np.nanmean(square[~same & apart])) if len(size) > 1 else math.nan
    return Schools(school, np.array(within), across, gap, null)


def _squares(method: Method, design: GroupingDesign) -> Array:
    """Agreement of every two judges of each task, ``[task, judge, judge]``."""
    from quorate.groupings.pairwise import mean_square

    return np.concatenate([mean_square(method, part.labels) for part in design.parts])


def halved(squares: Array) -> tuple[Array, Array]:
    """The best split in two of each panel, ``[panel, judge]``, and how much more the less united half agrees within.

    From ``squares[panel, judge, judge]``. -inf where no split leaves LEAST judges on both sides.
    """
    panels, judges, _ = squares.shape
    known = np.isfinite(squares) & ~np.eye(judges, dtype=bool)
    mean = (np.where(known, squares, 0.0).sum(axis=(1, 2)) / np.maximum(known.sum(axis=(1, 2)), 1))[:, None, None]
    value = np.where(known, squares - mean, 0.0)
    side = np.linalg.eigh(value)[1][:, :, -1]  # the axis along which agreement is most of two minds
    centred = value - value.mean(axis=2, keepdims=True) - value.mean(axis=1, keepdims=True)
    centred += value.mean(axis=(1, 2), keepdims=True)
    main = np.linalg.eigh(centred)[1][:, :, -1]
    best, most = np.zeros((panels, judges), bool), np.full(panels, -np.inf)
    for start in (main, side):
        half = _settled(value, start > 0)
        gap = _gap(value, known, half)
        better = gap > most
        best[better], most[better] = half[better], gap[better]
    turn = best[:, 0]  # the first judge is in the first half
    return np.where(turn[:, None], ~best, best), most


def _settled(value: Array, half: Array) -> Array:
    """Judges moved to the half whose judges they agree with more on average, all at once, until none moves."""
    half = half.copy()
    for _ in range(ROUNDS):
        ones, zeros = half.sum(axis=1, keepdims=True), (~half).sum(axis=1, keepdims=True)
        to_ones = np.einsum("pij,pj->pi", value, half.astype(float)) / np.maximum(ones - half, 1)
        to_zeros = np.einsum("pij,pj->pi", value, (~half).astype(float)) / np.maximum(zeros - ~half, 1)
        new = to_ones > to_zeros
        if (new == half).all():
            break
        half = new
    return half


def _gap(value: Array, known: Array, half: Array) -> Array:
    """How much more the less united half agrees within itself than the two across, ``[panel]``."""
    one, two = half.astype(float), (~half).astype(float)

    def mean(a: Array, b: Array) -> Array:
        total = np.einsum("pi,pij,pj->p", a, value, b)
        number = np.einsum("pi,pij,pj->p", a, known.astype(float), b)
        return np.asarray(np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0))

    gap = np.fmin(mean(one, one), mean(two, two)) - mean(one, two)
    small = np.minimum(half.sum(axis=1), (~half).sum(axis=1)) < LEAST
    return np.where(small | np.isnan(gap), -np.inf, gap)


def _null(method: Method, design: GroupingDesign, seen: float, square: Array, options: Options, of: int) -> Null | None:
    """How often panels of alike judges, who agree as these do, are split as far."""
    if not math.isfinite(seen):
        return None
    judges = len(design.judges)
    target = float(np.nanmean(square[~np.eye(judges, dtype=bool)]))
    search, rng = (stream(options.seed, name, method, of) for name in ("schools noise", "schools"))

    def agreement(noise: float) -> float:
        found = _squares(method, design.alike(noise, search, TRIALS))
        return float(np.nanmean(np.where(np.eye(judges, dtype=bool), np.nan, found)))

    noise = fitted_noise(agreement, target, design.most_noise)
    step = max(1, CELLS // max(judges**2 * sum(p.labels.shape[2] for p in design.parts), 1))

    def draw(number: int) -> Array:
        made = [halved(_squares(method, design.alike(noise, rng, k)))[1] for k in split(number, step)]
        return np.where(np.isfinite(gaps := np.concatenate(made)), gaps, -1.0)[:, None]

    most = min(DRAWS, budget_of(options).nulls(judges**2 * 10.0)) if options.permutations else 0
    return sequential(draw, np.array([seen]), most)[0] if most else None
