"""Decision studies: how certain would the result of a study be, for any number of judges, tasks and repeats?

A study compares systems (or items) by their means. What moves these away from the truth is one sum for every kind:

    error = task x system / tasks + judge x system / judges + rest / (judges x tasks)

of which repeats average out a judge's own inconsistency, a part of the rest. A goal, such as that the first system is
the true first one, is reached as soon as the error is small enough; how small is found by drawing truths as they may be
and studies of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.tails import quantile

Array = NDArray[Any]
GRID = 60  # sizes of error at which certainty is drawn
LEVEL = 0.95  # of intervals, and of the test of a difference
LARGEST = 100_000  # tasks or judges; more are none


@dataclass(frozen=True)
class Study:
    """So many judges on every task, each so many times."""

    judges: int
    tasks: int = 1
    repeats: int = 1


@dataclass(frozen=True)
class Costs:
    """What a study costs: each judge, each task, each judgment."""

    judge: float = 0.0
    task: float = 0.0
    judgment: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.judge or self.task or self.judgment)

    def of(self, study: Study, number: int) -> float:
        """Of a study with so many judgments."""
        return study.judges * self.judge + study.tasks * self.task + number * self.judgment


FREE = Costs()


@dataclass(frozen=True, eq=False)
class Population:
    """What studies sample from: systems' levels as they may be, and the variance that every source of error adds."""

    levels: Array  # [truth, system], higher is better
    by_task: float = 0.0
    by_judge: float = 0.0
    rest: float = 0.0
    own: float = 0.0  # share of the rest that is a judge's own inconsistency
    answers: int = 1  # about a system, that a judge gives on a task: votes against every other
    tasks: bool = True  # whether more tasks are more to compare systems on
    judge_ends: tuple[float, float] = (0.0, 0.0)  # of a pilot, between which by_judge may be
    may: Array | None = None  # [draw, 2] by_task and by_judge as a pilot allows them, as likely each; None where known

    def error(self, study: Study) -> float:
        """The variance of a system's mean, beside what moves all systems alike."""
        return float(self._error(study, self.by_task, self.by_judge))

    def errors(self, study: Study) -> Array:
        """The same as it may be, ``[draw]``."""
        may = np.array([[self.by_task, self.by_judge]]) if self.may is None else self.may
        return np.asarray(self._error(study, may[:, 0], may[:, 1]))

    def _error(self, study: Study, by_task: Any, by_judge: Any) -> Any:
        rest = self.rest * (1 - self.own + self.own / study.repeats) / self.answers
        return by_task / study.tasks + by_judge / study.judges + rest / (study.judges * study.tasks)

    def freedom(self, study: Study) -> int:
        """Degrees of freedom of a test: of tasks where there are several, else of judges."""
        return max((study.tasks if study.tasks > 1 else study.judges) - 1, 1)

    @cached_property
    def spread(self) -> float:
        """The variance of the levels of systems."""
        return float(self.levels.var(axis=1).mean())

    def certainty(self, top: int, rng: np.random.Generator) -> Callable[[Any], float]:
        """How often the first ``top`` systems of a study are the true ones, by what the error of their means may be."""
        normal = rng.normal(size=self.levels.shape)
        scale = max(self.spread, 1e-12)
        errors = scale * np.geomspace(1e-6, 1e4, GRID)
        true = _first(self.levels, top)
        seen = [float((_first(self.levels + math.sqrt(e) * normal, top) == true).all(axis=1).mean()) for e in errors]
        falling = np.minimum.accumulate(seen)
        return lambda error: float(np.interp(np.log(np.maximum(error, 1e-300)), np.log(errors), falling).mean())


def _first(levels: Array, top: int) -> Array:
    """Which systems are the first ones, ``[truth, system]``."""
    place = np.argsort(np.argsort(-levels, axis=1, kind="stable"), axis=1, kind="stable")
    return np.asarray(place < top)


@dataclass(frozen=True, eq=False)
class Goal:
    """What a study should reach: a figure of it that is at least, or at most, what is wanted."""

    name: str  # winner, top, difference, width
    wanted: float
    figure: Callable[[Study], float]

    def reached(self, study: Study) -> bool:
        """Whether a study is large enough."""
        found = self.figure(study)
        return found <= self.wanted if self.name == "width" else found >= self.wanted


def goal(
    name: str,
    wanted: float,
    populations: Sequence[Population],
    rng: np.random.Generator,
    *,
    top: int = 1,
    difference: float = math.nan,
) -> Goal:
    """A goal for populations: of several, such as tasks with items of their own, the mean of their figures."""
    each = [
        _figure(name, p, p.certainty(top, rng) if name in ("winner", "top") else None, difference) for p in populations
    ]
    return Goal(name, wanted, lambda study: sum(figure(study) for figure in each) / len(each))


def _figure(
    name: str, population: Population, certainty: Callable[[Any], float] | None, difference: float
) -> Callable[[Study], float]:
    """What a study of a population gives."""
    if certainty is not None:
        return lambda study: certainty(population.errors(study))
    if name == "difference":
        return lambda study: fmean(
            power(difference, error, population.freedom(study)) for error in population.errors(study).tolist()
        )
    return lambda study: width(population.error(study), population.freedom(study))


def power(difference: float, error: float, freedom: int) -> float:
    """How often a test of two systems at 5 % finds a difference, of means that each have such an error.

    >>> round(power(1.0, 0.125, 10_000), 2), power(0.0, 1.0, 10_000) < 0.051
    (0.52, True)
    """
    far, least = abs(difference) / math.sqrt(2 * max(error, 1e-300)), quantile(LEVEL, freedom)
    normal = NormalDist()
    return normal.cdf(far - least) + normal.cdf(-far - least)


def width(error: float, freedom: int) -> float:
    """How wide the 95 % interval of the difference of two systems is."""
    return 2 * quantile(LEVEL, freedom) * math.sqrt(2 * error)


def smallest(enough: Callable[[int], bool], most: int = LARGEST) -> int | None:
    """The smallest number from 1 that is enough; None where even the largest is not.

    >>> smallest(lambda n: n >= 37), smallest(lambda n: False)
    (37, None)
    """
    high = 1
    while not enough(high):
        if high >= most:
            return None
        high = min(2 * high, most)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
