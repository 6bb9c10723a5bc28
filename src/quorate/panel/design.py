"""A design: what was judged, as arrays, and the units that can be drawn, dropped or counted.

A panel has ids, texts and lines of files; a formula needs none of them. Every method of every kind is a function of a
design and of :class:`Weights`, and gives :class:`Values`: weights of 1 give the value, drawn weights its interval, a
weight of 0 leaves a judge out, and the same method on a permuted design gives chance. So this is all that a kind has
to say of itself: its arrays, and how its answers are permuted, exchanged and imitated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.kernels.additive import parts
from quorate.kernels.streams import sample
from quorate.panel.base import plural
from quorate.table import Method

Array = NDArray[Any]
UNITS = ("tasks", "judges", "items", "systems")  # what can be drawn


@dataclass(frozen=True, eq=False)
class Weights:
    """How often each judge, task and unit counts in each of many draws; None: as often as in the panel."""

    draws: int = 1
    judges: Array | None = None  # [draw, judge], beside the panel's own counts
    tasks: Array | None = None  # [draw, task]
    units: Array | None = None  # [draw, unit], where a kind has units below the task
    systems: Array | None = None  # [draw, system], where a kind has systems across tasks

    @property
    def plain(self) -> bool:
        """Whether the panel counts as it is."""
        return all(w is None for w in (self.judges, self.tasks, self.units, self.systems))


def different(weights: Weights) -> tuple[Weights, Array]:
    """The draws of judges alone that differ, of few judges few, and which of them each draw is.

    >>> found, draw = different(Weights(3, np.array([[2, 0], [1, 1], [2, 0]])))
    >>> found.judges.tolist(), draw.tolist()
    ([[1, 1], [2, 0]], [1, 0, 1])
    """
    if weights.judges is None or any(w is not None for w in (weights.tasks, weights.units, weights.systems)):
        return weights, np.arange(weights.draws)
    rows, draw = np.unique(weights.judges, axis=0, return_inverse=True)
    return Weights(len(rows), rows), draw.ravel()


ONCE = Weights()


@dataclass(frozen=True, eq=False)
class Values:
    """What a method says: rows by their keys, a value of each in every draw; of the panel as it is, also details."""

    array: Array  # [draw, row]
    keys: Mapping[str, Array]  # numbers of the row's task, judge, system or item; no task: of all tasks together
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # [row] each
    exact: Sequence[Any] | None = None  # [row] the values, where a double cannot hold them
    mass: Array | None = None  # [draw, row] what each counts in a mean over tasks, where not all count the same
    rests: Mapping[str, Array] = field(default_factory=dict)  # [row] tasks, judges, items behind a row of all tasks
    about: Mapping[str, Any] = field(default_factory=dict)  # of the whole, for words


@dataclass(frozen=True, eq=False)
class Measured:
    """What a formula says of tasks of one shape, ``values[task, ...]``, and what else is worth telling of each row.

    A formula is a function of such arrays and of what each judge counts, ``[task, judge]``. It neither knows nor cares
    whether its first axis runs over tasks, or over draws of one task: then all rows hold the same judgments.
    """

    values: Array  # [task], [task, judge], [task, system] or [task, item]
    details: Mapping[str, Any] = field(default_factory=dict)  # as values, or [task]
    exact: Sequence[Any] | None = None  # the values as Python numbers, where a double cannot hold them
    mass: Array | None = None  # as values: what each counts in a mean over tasks, where not all count the same
    rests: Mapping[str, Array] = field(default_factory=dict)  # tasks, judges, items behind a figure of all tasks
    about: Mapping[str, Any] = field(default_factory=dict)  # of the whole, for words

    @property
    def told(self) -> Sequence[Any]:
        """The values as they are shown."""
        return self.exact if self.exact is not None else self.values.tolist()


@dataclass(frozen=True, eq=False)
class Trusted:
    """What a trust method says: rows by their keys, estimates, and notes; sentences are made of them elsewhere.

    Such a method is a function of a design and of the core (:class:`quorate.inference.core.Core`), which is handed in.
    """

    keys: Mapping[str, Sequence[Any]]
    values: Sequence[Any]
    estimates: Sequence[Any]  # as core.figure makes them
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)  # what else is known of the design, for words


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """The arrays of one kind, and the names behind their numbers."""

    kind: ClassVar[str]
    units_called: ClassVar[str] = "items"  # what the units below the tasks are
    details_named: ClassVar[bool] = False  # whether details of values have names in place of numbers already

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    parts: tuple[Any, ...]
    labels: Mapping[str, Hashable] = field(default_factory=dict)  # the criterion, where there are several
    systems: tuple[Hashable, ...] = ()  # whose answers are held against the judges'
    seed: int = 0  # for formulas that have to sample
    brief: bool = False  # whether only values are asked for, as of a permuted design
    nesting: Mapping[Hashable, tuple[Hashable, ...]] = field(default_factory=dict)  # the units of each task
    nested_by: tuple[str, ...] = ()  # what these units are called, the outermost first
    methods: tuple[Method, ...] = ()  # all methods that are asked of it, which may share what is permuted

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
    def drawn_systems(self) -> int:
        """How many systems there are that can be drawn, each with all that it did; 0 where a kind draws none."""
        return 0

    @property
    def strata(self) -> Array | None:
        """What each unit is drawn within, where units are not drawn all together: the judge that it belongs to."""
        return None

    @property
    def unit_counts(self) -> Array | None:
        """How many units of those to draw each stands for; None where each is one."""
        return None

    @property
    def clusters(self) -> Array | None:
        """What each task is drawn together with, ``[task]``: its outermost unit; None: each task alone."""
        return self.units_of_task[0] if self.nesting else None

    @cached_property
    def units_of_task(self) -> Array:
        """The number of the unit of each task at every level of nesting, ``[level, task]``; those inside of a unit have
        numbers of their own."""
        paths = [self.nesting[task] for task in self.tasks] if self.nesting else []
        out = []
        for level in range(len(self.nested_by)):
            known: dict[tuple[Hashable, ...], int] = {}
            out.append([known.setdefault(path[: level + 1], len(known)) for path in paths])
        return np.array(out, np.int64).reshape(len(self.nested_by), len(self.tasks))

    @property
    def tasks_called(self) -> str:
        """What is drawn where tasks are: the outermost units, where they are nested."""
        return plural(self.nested_by[0]) if self.nesting else "tasks"

    @property
    def over(self) -> str:
        """What figures generalise to unless told otherwise: other tasks where there are several, else other judges."""
        return "tasks" if len(self.tasks) > 1 else "judges"

    @property
    def drawable(self) -> tuple[str, ...]:
        """What can be drawn."""
        return UNITS if self.drawn_systems else UNITS[:-1]

    def drawn_as(self, over: str) -> str:
        """What is drawn where this is asked for; BadParameter where there is no such thing."""
        for unit in over.split("x"):
            if unit not in UNITS:
                raise BadParameter(
                    f"over={over} is not known.", f"over is one of {', '.join(UNITS)}, or some with x between."
                )
            if unit not in self.drawable:
                raise BadParameter(f"over={over}: no {unit} to draw.", f"there are {', '.join(self.drawable)}.")
        return over

    @property
    def work(self) -> int:
        """Numbers that a method looks at, about."""
        return sum(int(p.counts.size) for p in self.parts)

    def work_of(self, method: Method) -> float:
        """Numbers that this method looks at, about; more where it declares what it costs by judges and items."""
        return self._by_shape(method.declaration.properties.get("cost"))

    def room_of(self, method: Method) -> float:
        """Numbers that this method holds for a draw, about: all that it looks at, unless it declares its ``room``."""
        room = method.declaration.properties.get("room")
        return self._by_shape(room) if room else self.work_of(method)

    def _by_shape(self, each: Callable[[int, int], float] | None) -> float:
        """The design's work, as often as a function of its judges and items says."""
        each = each or (lambda judges, items: 1.0)
        return self.work * max((each(p.counts.shape[1], p.shape[2]) for p in self.parts), default=1.0)

    def prepared(self, method: Method) -> Design:
        """The design that a method looks at: of other units, where it declares how to make them."""
        return self

    def by_task(self, method: Method) -> Values | None:
        """Rows task by task of a method whose figure is of all units together; None where its values are by task."""
        return None

    def null_work(self, method: Method) -> float:
        """The same of a permuted design."""
        return self.work_of(method)

    def alike_by_chance(self) -> tuple[Self, NDArray[Any] | None]:
        """The design with one of all systems whose answers permuted are alike, and which of its systems stands for
        each; the design itself and None where no two are."""
        return self, None

    def sampled(self, tasks: int, rng: np.random.Generator) -> Self | None:
        """Some of so very many tasks, from which chance is known well enough; None where there are not so many."""
        if len(self.tasks) <= tasks:
            return None
        return self.some_tasks(sample(rng, len(self.tasks), tasks))

    def sampled_items(self, rng: np.random.Generator) -> Self | None:
        """Some of so very many items of a task, from which it is known well enough who is off; None where there are not
        so many, or where some say something else than all."""
        return None

    def canonical(self, method: Method) -> Method:
        """The method that is computed in place of one that says the same of this design."""
        return method

    def for_methods(self, methods: Sequence[Method]) -> Self:
        """The same design, which knows the methods that will be asked of it."""
        return replace(self, methods=tuple(dict.fromkeys(map(self.canonical, methods))))

    def shared_permutations(self, method: Method, seed: int, own: bool) -> Callable[[int], Values] | None:
        """What a method says of so many copies of all tasks permuted, and then of so many more, where methods of its
        family share them; None where each is permuted for itself. ``own``: each judge's answers in turn."""
        return None

    def one_each(self) -> Self:
        """The design with a row for every single judgment that is drawn by chance."""
        return self

    # -- what a kind has to say of itself ---------------------------------------------------------------------------

    @abstractmethod
    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says, in every draw."""

    @abstractmethod
    def permuted(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Chance: every judge's answers permuted among the items judged; so many copies of all tasks in a row."""

    @abstractmethod
    def some_tasks(self, keep: Array) -> Self:
        """The design of some tasks, by their numbers, renumbered."""


@dataclass(frozen=True, eq=False)
class Manner:
    """A number of every judge in which honest judges differ, as in how finely they group or how strictly they score."""

    value: Array  # [judge], NaN where it cannot be told
    luck: Array  # [judge] the variance that few answers make
    diagnosis: tuple[str, str] = ("", "")  # of a judge far below the others, and above; "": as the kind describes it
    usual: int = 0  # judges that what is known of others beforehand counts as many as
    variance: float = 0.0  # theirs, beside luck
    others: int = 3  # that it takes to tell who is unlike them


@dataclass(frozen=True, eq=False)
class PanelDesign(Design):
    """A design whose judges can be told apart from judges who are all alike: what it takes to say who is off."""

    @abstractmethod
    def alike(self, noise: float | NDArray[Any], rng: np.random.Generator, copies: int = 1) -> Self:
        """Panels of the same size whose judges are all alike, with so much noise, or each with his own, ``[judge]``."""

    @abstractmethod
    def permuted_by(self, judge: int, rng: np.random.Generator, copies: int = 1) -> Self:
        """The answers of one judge permuted, the others as they are; so many copies of all tasks in a row."""

    def values_permuted_by(self, method: Method, judge: int, rng: np.random.Generator, copies: int) -> Values:
        """What a method says of these copies."""
        return self.permuted_by(judge, rng, copies).values(method)

    @abstractmethod
    def said(self) -> tuple[Array, Array, Array, Array]:
        """Every answer: the copy of the panel it is in, its judge, what it is about, and a number that equal answers
        share; what is asked in different copies has different numbers."""

    @abstractmethod
    def asked(self) -> tuple[Array, Array]:
        """What answers are about: the numbers of its task and, -1 where there is none, of its item."""

    def opinions(self) -> tuple[Array, Array, Array, Mapping[str, Array]] | None:
        """Numbers in which camps of judges may part: whose, of what and how large each is, and the numbers of the task
        and item, or of the system, that they are of; None where answers are no numbers."""
        if not self.measured:
            return None
        _, judge, cell, value = self.said()
        task, item = self.asked()
        several = {"task": task} if len(self.tasks) > 1 else {}
        return judge, cell, value, {**several, "item": item}

    def one_answer(self) -> Array:
        """Which judges gave one answer to everything, ``[judge]``: that two of them did is no sign of a copy."""
        _, judge, _, value = self.said()
        low, high = np.full(len(self.judges), np.inf), np.full(len(self.judges), -np.inf)
        np.minimum.at(low, judge, value)
        np.maximum.at(high, judge, value)
        return np.asarray(low == high)

    def looked_for(self) -> Sequence[tuple[Self, Array]]:
        """The panels in which it is told who is off, and the numbers of those looked for in each: all, unless some are
        the reference for others."""
        return [(self, np.arange(len(self.judges)))]

    @property
    def measured(self) -> bool:
        """Whether answers are numbers, which can be nearer or farther; else they are the same or not."""
        return False

    def likeness(self, judge: int) -> Array | None:
        """How far others say what a judge says of each thing asked, from 0 to 1, where that is a matter of degree."""
        return None

    def repaired(self, judge: int) -> Mapping[str, Self]:
        """The design with one judge's answers put right in some way, by the name of what would have been wrong."""
        return {}

    def manners(self) -> Sequence[Manner]:
        """In what honest judges differ without being off."""
        return ()

    def manners_of_each(self) -> Iterator[Sequence[Manner]]:
        """The same of every copy, where there are several."""
        yield self.manners()

    def levelled(self) -> Self:
        """The answers freed of manners, so that agreement does not depend on them."""
        return self

    def manner(self, judge: int) -> str:
        """In what way a judge's answers differ from the others', where the kind has a word for it."""
        return ""

    @property
    def most_noise(self) -> float:
        """Noise beyond which alike judges agree no more than by chance."""
        return 30.0

    def voters_apart(self) -> Self:
        """Every judge behind a row as a judge, of the same name; where that cannot be told, the design itself."""
        return self

    @abstractmethod
    def without_each(self, method: Method) -> Array:
        """What a method of agreement says without each judge, ``[task, judge]``; NaN where the judge has no part."""

    @abstractmethod
    def some_judges(self, keep: Array) -> Self:
        """The design of the judges whose numbers are in ``keep``, renumbered."""


@dataclass(frozen=True, eq=False)
class PooledDesign(PanelDesign):
    """A design whose figures are of all tasks together, no means over tasks."""

    @abstractmethod
    def exchanged(self, rng: np.random.Generator, copies: int = 1, *, cells: bool = False) -> Self:
        """Judges' names exchanged within each task, or within each cell, which is what a judge gives one answer to."""


def exchanged_names(within: Array, judge: Array, rng: np.random.Generator, copies: int) -> Array:
    """The judges of answers, ``[copy, answer]``, with names exchanged among those who are in the same one of
    ``within[answer]``: all answers that a judge has there go to the same other one.

    Of two judges' answers to the same both are as far from the other, whoever gave which; so such pairs of judges are
    exchanged, too, among pairs that are linked by common judges. A pair that comes several times in a row stays so: it
    may have had a harder batch.
    """
    size = np.int64(judge.max(initial=0) + 1)
    pairs, place = np.unique(within * size + judge, return_inverse=True)
    block, name = pairs // size, pairs % size
    _, first, number = np.unique(block, return_index=True, return_counts=True)
    first = first[number == 2]
    two = np.stack([name[first], name[first + 1]])
    begins = np.diff(two, axis=1, prepend=-1).any(axis=0)  # a row of the same two
    row, those = np.cumsum(begins) - 1, two[:, begins]
    linked = np.zeros((size, size), bool)
    linked[those, those[::-1]] = True
    part = parts(linked, np.asarray(linked.any(axis=1)))[those[0]]
    here = np.argsort(part, kind="stable")

    def exchanged() -> Array:
        own = name.copy()
        if len(here) > 1:
            other = np.empty_like(here)
            other[here] = np.lexsort((rng.random(len(part)), part))
            own[first], own[first + 1] = those[:, other[row]]
        return own[np.lexsort((rng.random(len(pairs)), block))][place.ravel()]

    return np.stack([exchanged() for _ in range(copies)])
