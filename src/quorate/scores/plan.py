"""How large must a study of scores be? Duplicates, items and tasks for intervals of a given width, by simulation.

Scores are simulated as ``unit + noise`` on a scale of so many points, with the reliability expected (from a pilot
panel, or a guess); the width is that between the 2.5th and 97.5th percentile of what studies of that size would find.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, InputError
from quorate.kernels import reliability as kernel
from quorate.kernels.streams import stream
from quorate.panel.kinds import Scores
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import by_criterion
from quorate.scores.alpha import coefficient
from quorate.scores.variance_components import from_task_to_task

Array = NDArray[Any]
JUDGES = (2, 3, 4, 5, 7, 10)
LARGEST = 20_000
CELLS = 1 << 22
MORE = 10  # times as many studies for the size that is told


@dataclass(frozen=True, slots=True)
class Need:
    """One line of a plan: so many units give an interval about so wide; None where even LARGEST are too few."""

    what: str
    judges: int
    needed: int | None
    width: float


@dataclass(frozen=True, slots=True)
class Widths:
    """What a study of scores needs for intervals of a width."""

    alpha: float
    width: float
    points: int
    needs: tuple[Need, ...]


def widths(
    alpha: float = 0.7,
    width: float = 0.2,
    *,
    points: int = 5,
    deviation: float | None = None,
    judges: tuple[int, ...] = JUDGES,
    studies: int = 1000,
    seed: int = 0,
) -> Widths:
    """How many duplicates, items and tasks give an interval of this width; ``points=0`` is a continuous scale.

    ``deviation`` is how far a system's score spreads from task to task, by default that of the simulated scores.

    >>> found = widths(0.8, 0.2, studies=300)
    >>> found.needs[0].what, 20 < found.needs[0].needed < 200
    ('duplicates', True)
    """
    if not 0 <= alpha < 1:
        raise BadParameter(f"alpha={alpha} is out of range.", "the reliability expected, from 0 to below 1.")
    if not 0 < width < 2:
        raise BadParameter(f"width={width} is out of range.", "the width of an interval, above 0 and below 2.")
    if points < 0 or points == 1:
        raise BadParameter(f"points={points} is out of range.", "a scale has 2 points or more; 0 is continuous.")
    spread = _latent(alpha, points, seed)

    def of(k: int) -> Callable[[int, int], float]:
        return lambda n, more: _alpha_width(spread, points, k, n, more * studies, seed)

    needs = [_search("duplicates", 2, width, of(2))]
    needs += [_search("items", k, width, of(k)) for k in judges]
    for k in judges:
        needs.append(_tasks(spread, points, k, width, deviation, seed))
    one = needs[0]
    first = Need("duplicates", 1, one.needed, one.width)
    return Widths(alpha, width, points, (first, *needs[1:]))


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a pilot panel says to expect."""

    alpha: float  # the lowest over criteria, 0 at least
    points: int  # of the scale; 0 where it is continuous
    deviation: float | None  # of a system's level from task to task, the judges' noise left out; None of one task


def pilot(panel: Scores) -> Pilot:
    """What a pilot panel says to expect: alpha, the scale, and how far a system's level spreads from task to task.

    The spread comes from the variance components of task and of task x system, the largest over criteria.

    >>> pilot(Scores.from_matrix([[1, 2, 3, 5], [1, 2, 4, 5]])).points
    5
    """
    if not isinstance(panel, Scores):
        raise InputError(f"the pilot panel holds {panel.kind}.", "a plan is for scores; leave out the kind.")
    if panel.scale:
        raise InputError(
            "the pilot panel holds labels.",
            "of labels: quorate trust FILE --method judges_needed says how many judges an item takes.",
        )
    found = [coefficient(units, "interval").value for units in by_criterion(panel)]
    known = [a for a in found if not math.isnan(a)]
    if not known:
        raise InputError("the pilot panel has no alpha.", "at least two judges must score the same items, and vary.")
    values = np.unique(panel.value[~np.isnan(panel.value)])
    whole = bool((values == np.rint(values)).all()) and np.ptp(values) < 20
    spread = [v for made in OutputDesign.every(panel) if not math.isnan(v := from_task_to_task(made))]
    points = int(np.ptp(values)) + 1 if whole else 0
    return Pilot(min(max(min(known), 0.0), 0.99), points, max(spread, default=None))


def lowest(panel: Scores) -> tuple[Hashable | None, int]:
    """Which criterion of a pilot panel has the lowest alpha, and of how many."""
    found = {u.criterion: coefficient(u, "interval").value for u in by_criterion(panel)}
    known = {c: a for c, a in found.items() if not math.isnan(a)}
    return min(known, key=lambda c: known[c], default=None), len(known)


def simulated(share: float, points: int, shape: tuple[int, int, int], rng: np.random.Generator) -> Array:
    """Scores ``[study, unit, judge]`` whose units make up this share of the variance, cut to a scale of points."""
    studies, units, judges = shape
    unit = rng.standard_normal((studies, units, 1)) * math.sqrt(share)
    score = unit + rng.standard_normal((studies, units, judges)) * math.sqrt(1 - share)
    if not points:
        return np.asarray(score)
    middle, step = (points + 1) / 2, (points - 1) / 4  # two deviations either side reach the ends
    return np.asarray(np.clip(np.rint(middle + step * score), 1, points))


def _latent(alpha: float, points: int, seed: int) -> float:
    """The share of variance before scores are cut to points that gives this alpha after it."""
    if not points:
        return alpha
    low, high = 0.0, 0.9999
    for _ in range(20):
        middle = (low + high) / 2
        found = _alphas(simulated(middle, points, (1, 20_000, 2), stream(seed, "latent")))[0]
        low, high = (middle, high) if found < alpha else (low, middle)
    return (low + high) / 2


def _alphas(scores: Array) -> Array:
    """Interval alpha of each study."""
    k = scores.shape[2]
    x = scores - scores.mean(axis=(1, 2), keepdims=True)
    s, q = x.sum(axis=2), (x * x).sum(axis=2)
    inside = (2 * np.maximum(k * q - s * s, 0) / (k - 1)).sum(axis=1)
    n = np.full(len(scores), float(k * scores.shape[1]))
    return kernel.alpha_of(np.stack([inside, n, n, s.sum(axis=1), q.sum(axis=1)], axis=1))


def _alpha_width(share: float, points: int, judges: int, units: int, studies: int, seed: int) -> float:
    rng = stream(seed, "plan", judges, units, studies)
    step = max(1, CELLS // (units * judges))
    number = max(100, min(studies, 10 * CELLS // (units * judges)))
    found = [
        _alphas(simulated(share, points, (min(step, number - a), units, judges), rng)) for a in range(0, number, step)
    ]
    values = np.concatenate(found)
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return math.inf
    low, high = np.quantile(values, [0.025, 0.975])
    return float(high - low)


def _search(what: str, judges: int, width: float, of: Callable[[int, int], float]) -> Need:
    """The smallest size whose width is at most the one wanted; widths fall about as one over the root of the size."""
    size, seen = 20, of(20, 1)
    low = 2
    while seen > width:
        low = size
        if size >= LARGEST:
            return Need(what, judges, None, seen)
        guess = size * (seen / width) ** 2 if math.isfinite(seen) else 2 * size
        size = int(min(max(guess, 1.2 * size), LARGEST))
        seen = of(size, 1)
    while size - low > max(1, size // 50):
        middle = (low + size) // 2
        found = of(middle, 1)
        if found <= width:
            size, seen = middle, found
        else:
            low = middle
    # A width is itself a guess by simulation, and the search likes those that came out small: look once more, closer.
    seen = of(size, MORE)
    needed = max(math.ceil(size * (seen / width) ** 2), 2)
    if needed > LARGEST:
        return Need(what, judges, None, seen)
    return Need(what, judges, needed, seen * math.sqrt(size / needed))


def _tasks(share: float, points: int, judges: int, width: float, deviation: float | None, seed: int) -> Need:
    """Tasks for the mean of a system whose output each judge of a panel scores once a task."""
    scores = simulated(share, points, (1, 20_000, judges), stream(seed, "tasks", judges))[0]
    noise = float(scores.var(axis=1, ddof=1).mean())
    of_task = float(scores.mean(axis=1).var())
    variance = of_task if deviation is None else deviation**2 + noise / judges
    needed = max(2, math.ceil(variance * (2 * 1.959964 / width) ** 2))
    return Need("tasks", judges, needed, 2 * 1.959964 * math.sqrt(variance / needed))
