"""Designs whose tasks are not in memory: what a method says of them comes from pieces, chance from a sample of tasks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.panel.design import ONCE, TaskDesign, Values, Weights, gathered, merged
from quorate.panel.lists import ListDesign
from quorate.panel.stacks import OrderingDesign
from quorate.scale.jobs import Found, numbers
from quorate.table import Method

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Scanned(TaskDesign):
    """Tasks in pieces of files: rows of values are computed there, and put together in the order of names."""

    details_named: ClassVar[bool] = True

    elsewhere: Any = None

    @cached_property
    def counted(self) -> bool:
        """Rows that stand for several judges are not scanned."""
        return False

    @cached_property
    def voters(self) -> Array:
        """Every name is one judge."""
        return np.ones(len(self.judges), np.int64)

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges did each task."""
        return np.asarray(self.elsewhere.facts.judges)

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of every task: of the judges as they are."""
        if not weights.plain:
            raise BadParameter("judges or items of a scan cannot be drawn.", "over=tasks, or read it into memory.")
        found: Values = self.elsewhere.values(method)
        return found

    def sampled(self, tasks: int, rng: np.random.Generator) -> Self | None:
        """Some of the tasks, in memory."""
        keep = np.sort(rng.choice(len(self.tasks), tasks, replace=False))
        some: Self = self.elsewhere.sample_design(self, keep)
        return some


    @property
    def shapes(self) -> Mapping[tuple[int, ...], int]:
        """How many tasks have so many judges, items and systems."""
        found: Mapping[tuple[int, ...], int] = self.elsewhere.facts.shapes
        return found

    def _by_shape(self, each: Callable[[int, int], float] | None) -> float:
        each = each or (lambda judges, items: 1.0)
        return self.work * max((each(judges, items) for judges, items, _ in self.shapes), default=1.0)


@dataclass(frozen=True, eq=False)
class ScannedOrderings(Scanned, OrderingDesign):
    """Orderings in pieces of files."""

    @property
    def work(self) -> int:
        """Every judge's pairs of items."""
        return sum(t * judges * items * items for (judges, items, _), t in self.shapes.items())


@dataclass(frozen=True, eq=False)
class ScannedLists(Scanned, ListDesign):
    """Orderings in pieces of files, with systems' lists beside them."""

    @property
    def work(self) -> int:
        """Every list's and judge's pairs of items."""
        own = len(self.systems)
        return sum(t * own * judges * items * items for (judges, items, _), t in self.shapes.items())


def put_together(
    found: Sequence[Found],
    method: str,
    tasks: Mapping[Hashable, int],
    judges: Mapping[Hashable, int],
    systems: Mapping[Hashable, int],
) -> Values:
    """The rows of all pieces, with the numbers that tasks, judges and systems have among all."""
    place = {"task": tasks, "judge": judges, "system": systems}
    every = []
    for one in (f for f in found if method in f.values):
        own = {"task": one.listed, "judge": one.judges, "system": one.systems}
        seen = one.values[method]
        keys = {n: numbers(own[n], place[n])[column] for n, column in seen.keys.items()}
        every.append(replace(seen, keys=keys, details={n: _listed(c) for n, c in seen.details.items()}))
    return gathered(every)


def _listed(column: Any) -> Sequence[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else column  # type: ignore[no-any-return]


def renumbered(design: Any, judges: Sequence[Hashable], systems: Sequence[Hashable] = ()) -> Any:
    """A design of some tasks with its judges and systems numbered as among all."""
    number = numbers(design.judges, {name: k for k, name in enumerate(judges)})
    own = numbers(design.systems, {name: k for k, name in enumerate(systems)})
    parts = []
    for p in design.parts:
        part = replace(p, judges=number[p.judges])
        if systems:
            lists = np.zeros((p.lists.shape[0], len(systems), p.lists.shape[2]), p.lists.dtype)
            lists[:, own] = p.lists
            part = replace(part, lists=lists)
        parts.append(part)
    return replace(design, judges=tuple(judges), systems=tuple(systems), parts=merged(parts))
