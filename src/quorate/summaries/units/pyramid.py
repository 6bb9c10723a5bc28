"""Pyramid scores: how much of what the models say an item says, against the best that as many units could reach.

The *original* score compares with the best for as many units as the item itself has (it rewards short items with heavy
units), the *modified* one with the best for as many as a model has on average. Higher is better, 1 is the best; the
modified score of a long item can lie above 1.

The number of contributors of an average model is seldom whole, and tools round it differently; with four models the
rules differ on up to three tasks in four.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.summaries.declarations import RULES
from quorate.summaries.units.model import OUTSIDE, ContentUnits, Unit

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Score:
    """The pyramid scores of one item by one judge."""

    task: Hashable
    item: Hashable
    judge: Hashable
    observed: float  # weight of the units that the item says, each once
    found: int  # units
    repetitions: int
    outside: int  # mentions that fit no unit
    original: float
    modified: float
    jackknife: float  # mean of the modified scores without each model in turn
    comprehensive: float  # harmonic mean of the two, as DUCView 1.5 has it
    comprehensive_mean: float  # arithmetic mean, as PyrEval has it


@dataclass(frozen=True, eq=False)
class Ideal:
    """The heaviest units first: the best weight that any number of them can reach."""

    sums: Array  # [number of units] greatest weight of so many

    @classmethod
    def of(cls, weights: Sequence[float] | Array) -> Ideal:
        """From the units' weights, in any order; units that weigh nothing reach nothing."""
        falling = np.sort(np.asarray(weights, float))[::-1]
        return cls(np.concatenate([[0.0], np.cumsum(falling)]))

    def best(self, size: float) -> float:
        """Weight of the ``size`` heaviest units; between two whole numbers on the line between them.

        >>> [Ideal.of([1, 2, 2, 2]).best(x) for x in (0, 3, 3.5, 4, 9)]
        [0.0, 6.0, 6.5, 7.0, 7.0]
        """
        low = math.floor(size)
        last = len(self.sums) - 1
        a, b = float(self.sums[min(low, last)]), float(self.sums[min(low + 1, last)])
        return a + (size - low) * (b - a)

    def average(self, models: int, rounding: str) -> float:
        """Contributors of an average model, rounded; NaN without models."""
        return rounded(float(self.sums[-1]) / models, rounding) if models else math.nan


def rounded(size: float, rounding: str) -> float:
    """A number of units by a rounding rule; ``interpolate`` leaves it as it is.

    >>> [rounded(3.5, rule) for rule in RULES["rounding"].choices]
    [4, 3, 4, 3.5]
    """
    RULES["rounding"].check(rounding)
    if rounding == "interpolate":
        return size
    return {"half_up": math.floor(size + 0.5), "floor": math.floor(size), "ceil": math.ceil(size)}[rounding]


def original(observed: float, ideal: Ideal, size: int) -> float:
    """Observed weight over the best for as many units as the item has; 0 for an item that says nothing.

    Missing (NaN) when the pyramid itself is empty.
    """
    if not ideal.sums[-1] > 0:
        return math.nan
    return observed / ideal.best(size) if size else 0.0


def modified(observed: float, ideal: Ideal, models: int, rounding: str = "half_up", *, cap: bool = False) -> float:
    """Observed weight over the best for as many units as an average model has; NaN when that is nothing.

    >>> [round(modified(4, Ideal.of([2, 2, 2, 1]), 2, rule), 4) for rule in RULES["rounding"].choices]
    [0.5714, 0.6667, 0.5714, 0.6154]
    """
    if not models:
        return math.nan
    best = ideal.best(ideal.average(models, rounding))
    value = observed / best if best > 0 else math.nan
    return min(value, 1.0) if cap else value


def comprehensive(quality: float, coverage: float) -> tuple[float, float]:
    """Original and modified score in one, both capped at 1: the harmonic mean (DUCView) and the mean (PyrEval)."""
    a, b = min(quality, 1.0), min(coverage, 1.0)
    if math.isnan(a) or math.isnan(b):
        return math.nan, math.nan
    return (2 / (1 / a + 1 / b) if a and b else 0.0), (a + b) / 2


def without_model(units: Sequence[Unit], model: str) -> list[Unit]:
    """The pyramid of the other models: the model's contributors are gone, and units that nobody else has."""
    out = []
    for u in units:
        left = tuple(m for m in u.models if m != model)
        if left:
            out.append(Unit(u.task, u.id, u.text, float(len(left)), left))
    return out


@dataclass(frozen=True, eq=False)
class Pyramid:
    """The units of one task by weight; with its models, the pyramids without each of them."""

    whole: Sequence[Unit]
    names: Sequence[str]  # of the models

    @cached_property
    def units(self) -> Mapping[Hashable, float]:
        """Weight by unit id."""
        return {u.id: u.weight for u in self.whole}

    @cached_property
    def ideal(self) -> Ideal:
        """The best weights of the whole pyramid."""
        return Ideal.of([u.weight for u in self.whole])

    @property
    def models(self) -> int:
        """How many models there are."""
        return len(self.names)

    @cached_property
    def fewer(self) -> tuple[Pyramid, ...]:
        """The pyramids without each model in turn; none where it is not known whose units are.

        A unit that no model is known to say (one of a peer that its pyramid does not have) is in none of them.
        """
        if len(self.names) < 2 or not any(u.models for u in self.whole):
            return ()
        return tuple(Pyramid(without_model(self.whole, m), [n for n in self.names if n != m]) for m in self.names)

    def modified(self, found: Sequence[Hashable], rounding: str) -> float:
        """The modified score of an item that says these units."""
        return modified(sum(self.units.get(u, 0.0) for u in found), self.ideal, self.models, rounding)

    def jackknife(self, found: Sequence[Hashable], rounding: str) -> float:
        """The mean of the modified scores without each model in turn."""
        each = [p.modified(found, rounding) for p in self.fewer]
        return float(np.mean(each)) if each else math.nan


def pyramids(table: ContentUnits, weight: str = "contributors") -> dict[Hashable, Pyramid]:
    """The pyramid of each task. A unit weighs its contributors, or with ``models`` the different models among them."""
    RULES["weight"].check(weight)
    by_task: dict[Hashable, list[Unit]] = {task: [] for task in table.tasks}
    for u in table.units:
        if u.id != OUTSIDE:
            if weight == "models" and u.models:
                apart = tuple(dict.fromkeys(u.models))
                u = Unit(u.task, u.id, u.text, float(len(apart)), apart)
            by_task[u.task].append(u)
    return {task: Pyramid(units, table.models.get(task, ())) for task, units in by_task.items()}


def scores(
    table: ContentUnits, *, rounding: str = "half_up", weight: str = "contributors", cap: bool = False
) -> list[Score]:
    """The scores of every item by every judge, in the table's order.

    >>> from quorate.summaries.units.model import ContentUnits
    >>> raw = {"unit": ["a", "b", "0"], "item": ["x"] * 3, "support": [1, 0, 1], "models": ["P Q", "P", ""]}
    >>> [(s.original, s.outside) for s in scores(ContentUnits.build({**raw, "weight": [2, 1, 0]}))]
    [(0.6666666666666666, 1)]
    """
    rounded(0.0, rounding)
    known = pyramids(table, weight)
    unit, item, judge, support, mentions = table.cells()
    said: dict[tuple[int, int], list[tuple[int, int]]] = {
        p: [] for p in zip(*(a.tolist() for a in table.judged), strict=True)
    }
    there = np.flatnonzero(support > 0)
    for u, i, j, c in zip(*(a[there].tolist() for a in (unit, item, judge, mentions)), strict=True):
        said[i, j].append((u, c))
    return [_score(table, known, i, j, found, rounding, cap) for (i, j), found in said.items()]


def _score(
    table: ContentUnits,
    known: Mapping[Hashable, Pyramid],
    item: int,
    judge: int,
    found: Sequence[tuple[int, int]],
    rounding: str,
    cap: bool,
) -> Score:
    about = table.items[item]
    pyramid = known[about.task]
    inside = [(table.units[u].id, c) for u, c in found if table.units[u].id != OUTSIDE]
    names = [u for u, _ in inside]
    observed = sum(pyramid.units.get(u, 0.0) for u in names)
    outside = sum(c for u, c in found if table.units[u].id == OUTSIDE)
    repetitions = sum(c - 1 for _, c in inside)
    by_size = original(observed, pyramid.ideal, len(inside) + repetitions + outside)
    value = pyramid.modified(names, rounding)
    both = comprehensive(by_size, value)
    shown = min(value, 1.0) if cap else value
    jackknife = pyramid.jackknife(names, rounding)
    head = (about.task, about.id, table.judges[judge], observed, len(inside), repetitions, outside)
    return Score(*head, by_size, shown, jackknife, *both)


def stray(table: ContentUnits) -> list[str]:
    """Notes on units that weigh something though no model is known to say them, of tasks whose models are known."""
    out = []
    for task, pyramid in pyramids(table).items():
        lost = [str(u.id) for u in pyramid.whole if u.weight > 0 and not u.models] if pyramid.fewer else []
        if lost:
            named = f"{', '.join(lost[:3])}{', ...' if len(lost) > 3 else ''}"
            units = "a unit without models is" if len(lost) == 1 else f"{len(lost)} units without models are"
            out.append(f"task {task}: {units} left out of the scores without one model: {named}")
    return out


def model_scores(
    table: ContentUnits, *, rounding: str = "half_up", weight: str = "contributors", cap: bool = False
) -> list[dict[str, Any]]:
    """Each model against the pyramid of the others: its own contributors are its annotation."""
    rounded(0.0, rounding)
    out = []
    for task, pyramid in pyramids(table, weight).items():
        for m in pyramid.names:
            others = Pyramid(without_model(pyramid.whole, m), [n for n in pyramid.names if n != m])
            found = [u.id for u in pyramid.whole if m in u.models and u.id in others.units]
            value = others.modified(found, rounding)
            value = min(value, 1.0) if cap else value
            out.append({"task": task, "model": m, "found": len(found), "modified": value})
    return out
