"""Designs whose tasks are in files: what a method says of them comes from pieces, chance from a sample of tasks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.kernels.streams import sample
from quorate.panel.clusterings import ClusteringDesign
from quorate.panel.design import ONCE, Values, Weights
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.lists import ListDesign
from quorate.panel.one_by_one import OneByOne
from quorate.panel.stacks import OrderingDesign
from quorate.panel.task_design import TaskDesign, merged
from quorate.scale.jobs import Found, numbers
from quorate.table import Method

Array = NDArray[Any]
NOT_THERE = {"lists": 0, "clusters": -1, "done": False}  # what arrays of systems hold where one did not do the task


@dataclass(frozen=True, eq=False)
class Scanned(OneByOne, TaskDesign):
    """Tasks in pieces of files: rows of values are computed there, and put together in the order of names."""

    details_named: ClassVar[bool] = True

    elsewhere: Any = None

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
        found: Self = self.elsewhere.sample_design(self, sample(rng, len(self.tasks), tasks))
        return found

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
class ScannedGroupings(Scanned, GroupingDesign):
    """Groupings in pieces of files."""

    @property
    def work(self) -> int:
        """Every two judges' items."""
        return sum(t * judges * (judges + 1) // 2 * items for (judges, items, _), t in self.shapes.items())

    @cached_property
    def complete(self) -> bool:
        """Whether nobody left an item out."""
        return bool(self.elsewhere.complete)


@dataclass(frozen=True, eq=False)
class ScannedClusterings(Scanned, ClusteringDesign):
    """Groupings in pieces of files, with systems' clusterings beside them."""

    @property
    def work(self) -> int:
        """Every system's and judge's items."""
        return sum(t * judges * items * len(self.systems) for (judges, items, _), t in self.shapes.items())

    @cached_property
    def complete(self) -> bool:
        """Whether nobody left an item out, neither judge nor system."""
        return bool(self.elsewhere.complete and self.elsewhere.lists.complete)


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
    found = [f for f in found if method in f.values]
    own = [{"task": f.listed, "judge": f.judges, "system": f.systems} for f in found]
    seen = [f.values.pop(method) for f in found]  # once: what is put together takes its place
    keys = {
        n: np.concatenate([numbers(o[n], place[n]).astype(np.int32)[s.keys[n]] for o, s in zip(own, seen, strict=True)])
        for n in seen[0].keys
    }
    order = np.lexsort(tuple(keys.values())[::-1])
    in_order = bool((np.diff(order) == 1).all())

    def sorted_rows(columns: Sequence[Any]) -> Any:
        if all(isinstance(c, np.ndarray) for c in columns):
            whole = np.concatenate(columns, axis=-1)
            return whole if in_order else whole[..., order]
        every = [v for c in columns for v in (c.tolist() if isinstance(c, np.ndarray) else c)]
        return every if in_order else [every[k] for k in order.tolist()]

    names = dict.fromkeys(n for s in seen for n in s.details)
    details = {n: sorted_rows([s.details.get(n, [None] * s.array.shape[1]) for s in seen]) for n in names}
    exact = None
    if any(s.exact is not None for s in seen):
        exact = sorted_rows([s.array[0].tolist() if s.exact is None else list(s.exact) for s in seen])
    masses = [s.mass for s in seen if s.mass is not None]
    array = sorted_rows([s.array for s in seen])
    keys = {n: column if in_order else column[order] for n, column in keys.items()}
    return Values(array, keys, details, exact, sorted_rows(masses) if masses else None)


def renumbered(design: Any, judges: Sequence[Hashable], systems: Sequence[Hashable] = ()) -> Any:
    """A design of some tasks with its judges and systems numbered as among all."""
    number = numbers(design.judges, {name: k for k, name in enumerate(judges)})
    own = numbers(design.systems, {name: k for k, name in enumerate(systems)})
    parts = []
    for p in design.parts:
        theirs = {}
        for name in NOT_THERE.keys() & p.__dict__.keys():
            array = getattr(p, name)
            theirs[name] = np.full((len(array), len(systems), *array.shape[2:]), NOT_THERE[name], array.dtype)
            theirs[name][:, own] = array
        parts.append(replace(p, judges=number[p.judges], **theirs))
    return replace(design, judges=tuple(judges), systems=tuple(systems), parts=merged(parts))
