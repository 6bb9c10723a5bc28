"""A design: what was judged, as arrays, and the units that can be drawn, dropped or counted.

A panel has ids, texts and lines of files; a formula needs none of them. Every method of every kind is a function of a
design and of :class:`Weights`, and gives :class:`Values`: weights of 1 give the value, drawn weights its interval, a
weight of 0 leaves a judge out, and the same method on a design dealt anew gives chance. So this is all that a kind has
to say of itself: its arrays, and how its answers are dealt, exchanged and imitated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Weights:
    """How often each judge, task and unit counts in each of many draws; None: as often as in the panel."""

    draws: int = 1
    judges: Array | None = None  # [draw, judge], beside the panel's own counts
    tasks: Array | None = None  # [draw, task]
    units: Array | None = None  # [draw, unit], where a kind has units below the task

    @property
    def plain(self) -> bool:
        """Whether the panel counts as it is."""
        return self.judges is None and self.tasks is None and self.units is None


ONCE = Weights()


@dataclass(frozen=True, eq=False)
class Values:
    """What a method says: rows by their keys, a value of each in every draw; of the panel as it is, also details."""

    array: Array  # [draw, row]
    keys: Mapping[str, Array]  # numbers of the row's task, judge, system or item; no task: of all tasks together
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # [row] each
    exact: Sequence[Any] | None = None  # [row] the values, where a double cannot hold them


class Part(Protocol):
    """Tasks of the same shape as one array."""

    @property
    def tasks(self) -> Array:
        """(T,) numbers of the design's tasks."""

    @property
    def judges(self) -> Array:
        """(T, N) numbers of the design's judges."""

    @property
    def counts(self) -> Array:
        """(T, N) how many judges each row stands for."""


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """The arrays of one kind, and the names behind their numbers."""

    kind: ClassVar[str]

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    parts: tuple[Any, ...]
    labels: Mapping[str, Hashable] = field(default_factory=dict)  # the criterion, where there are several

    @cached_property
    def counted(self) -> bool:
        """Whether some rows stand for several judges."""
        return any(bool((p.counts > 1).any()) for p in self.parts)

    @cached_property
    def voters(self) -> Array:
        """How many judges each name stands for, ``[judge]``, on the task where that is most."""
        most = np.zeros(len(self.judges), np.int64)
        for p in self.parts:
            np.maximum.at(most, p.judges, p.counts.astype(np.int64))
        return most

    @cached_property
    def judges_of_task(self) -> Array:
        """How many judges did each task, ``[task]``."""
        out = np.zeros(len(self.tasks), np.int64)
        for p in self.parts:
            out[p.tasks] = p.counts.sum(axis=1)
        return out

    @property
    def units(self) -> int:
        """How many units there are below the tasks, which can be drawn each for itself; 0 where a kind has none."""
        return 0

    @property
    def work(self) -> int:
        """Numbers that a method looks at, about."""
        return sum(int(p.counts.size) for p in self.parts)

    # -- what a kind has to say of itself ---------------------------------------------------------------------------

    @abstractmethod
    def dealt(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Chance: every judge's answers dealt anew among the items judged; so many copies of all tasks in a row."""

    @abstractmethod
    def exchanged(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Judges' names exchanged within each task; so many copies of all tasks in a row."""

    @abstractmethod
    def alike(self, noise: float, rng: np.random.Generator, copies: int = 1) -> Self:
        """Panels of the same size whose judges are all alike, with so much noise."""

    @abstractmethod
    def some_judges(self, keep: Array) -> Self:
        """The design of the judges whose numbers are in ``keep``, numbered anew."""

    @abstractmethod
    def some_tasks(self, keep: Array) -> Self:
        """The design of some tasks, by their numbers, numbered anew."""


def part_weights(part: Part, weights: Weights) -> Array:
    """What each judge of a part counts, ``[draw, task, judge]``."""
    if weights.judges is None:
        return np.broadcast_to(part.counts, (weights.draws, *part.counts.shape))
    factor = weights.judges[:, part.judges]
    # A row that stands for many and was drawn so many times counts a whole number.
    return np.asarray(np.rint(factor * part.counts) if (part.counts > 1).any() else factor * part.counts)


Formula = Callable[..., Values]


def per_task(formula: Formula) -> Formula:
    """A formula of one part and its judges' weights, as a method of a whole design.

    ``formula(part, weights[draw, task, judge], **parameters)`` gives values whose keys are numbers of the design; the
    method gives the rows of all parts, by task.
    """

    @wraps(formula)
    def method(design: Design, weights: Weights = ONCE, **parameters: Any) -> Values:
        return gathered([formula(p, part_weights(p, weights), **parameters) for p in design.parts])

    return method


def gathered(found: Sequence[Values]) -> Values:
    """The rows of several parts together, by task and then by their other keys."""
    keys = {n: np.concatenate([f.keys[n] for f in found]) for n in found[0].keys}
    order = np.lexsort(tuple(keys.values())[::-1])
    if len(found) == 1 and (order[1:] > order[:-1]).all():
        return found[0]
    names = dict.fromkeys(n for f in found for n in f.details)
    details = {n: _ordered([f.details[n] for f in found], order.tolist()) for n in names}
    exact = None
    if any(f.exact is not None for f in found):
        exact = _ordered([f.array[0].tolist() if f.exact is None else f.exact for f in found], order.tolist())
    array = np.concatenate([f.array for f in found], axis=1)[:, order]
    return Values(array, {n: column[order] for n, column in keys.items()}, details, exact)


def _ordered(pieces: Sequence[Sequence[Any]], order: Sequence[int]) -> list[Any]:
    flat = [v for piece in pieces for v in piece]
    return [flat[k] for k in order]
