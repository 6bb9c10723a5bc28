"""A design: what was judged, as arrays, and the units that can be drawn, dropped or counted.

A panel has ids, texts and lines of files; a formula needs none of them. Every method of every kind is a function of a
design and of :class:`Weights`, and gives :class:`Values`: weights of 1 give the value, drawn weights its interval, a
weight of 0 leaves a judge out, and the same method on a design dealt anew gives chance. So this is all that a kind has
to say of itself: its arrays, and how its answers are dealt, exchanged and imitated.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.table import Method

Array = NDArray[Any]
UNITS = ("tasks", "judges", "items", "systems")  # what can be drawn
NEAR = 1e-9  # weights that differ by rounding alone


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


class Part(Protocol):
    """Tasks of the same shape as one array: a dataclass of arrays whose first axis is the task."""

    answers: ClassVar[str]  # the field with the judges' answers, [task, judge, item]

    @property
    def tasks(self) -> Array:
        """(T,) numbers of the design's tasks."""

    @property
    def judges(self) -> Array:
        """(T, N) numbers of the design's judges."""

    @property
    def counts(self) -> Array:
        """(T, N) how many judges each row stands for."""

    @property
    def given(self) -> tuple[Array, ...]:
        """What formulas are given: ``[task, judge, item]``, and of systems ``[task, system, item]``."""

    def codes(self, axis: str) -> Array:
        """(T, k) numbers of the judges, systems or items along an axis of values; -1 where there is none."""


@dataclass(frozen=True, eq=False)
class Design(ABC):
    """The arrays of one kind, and the names behind their numbers."""

    kind: ClassVar[str]
    units_called: ClassVar[str] = "items"  # what the units below the tasks are

    tasks: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    parts: tuple[Any, ...]
    labels: Mapping[str, Hashable] = field(default_factory=dict)  # the criterion, where there are several
    systems: tuple[Hashable, ...] = ()  # whose answers are held against the judges'
    seed: int = 0  # for formulas that have to sample
    brief: bool = False  # whether only values are asked for, as of a design dealt anew
    nesting: Mapping[Hashable, tuple[Hashable, ...]] = field(default_factory=dict)  # the units of each task
    nested_by: tuple[str, ...] = ()  # what these units are called, the outermost first

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
        return f"{self.nested_by[0]}s" if self.nesting else "tasks"

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
        """The same of a design dealt anew."""
        return self.work_of(method)

    def sampled(self, tasks: int, rng: np.random.Generator) -> Self | None:
        """Some of so very many tasks, from which chance is known well enough; None where there are not so many."""
        if len(self.tasks) <= tasks:
            return None
        return self.some_tasks(np.sort(rng.choice(len(self.tasks), tasks, replace=False)))

    def canonical(self, method: Method) -> Method:
        """The method that is computed in place of one that says the same of this design."""
        return method

    # -- what a kind has to say of itself ---------------------------------------------------------------------------

    @abstractmethod
    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says, in every draw."""

    @abstractmethod
    def dealt(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Chance: every judge's answers dealt anew among the items judged; so many copies of all tasks in a row."""

    @abstractmethod
    def some_tasks(self, keep: Array) -> Self:
        """The design of some tasks, by their numbers, numbered anew."""


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
    def alike(self, noise: float, rng: np.random.Generator, copies: int = 1) -> Self:
        """Panels of the same size whose judges are all alike, with so much noise."""

    @abstractmethod
    def dealt_by(self, judge: int, rng: np.random.Generator, copies: int = 1) -> Self:
        """The answers of one judge dealt anew, the others as they are; so many copies of all tasks in a row."""

    @abstractmethod
    def said(self) -> tuple[Array, Array, Array, Array]:
        """Every answer: the copy of the panel it is in, its judge, what it is about, and a number that equal answers
        share; what is asked in different copies has different numbers."""

    @abstractmethod
    def asked(self) -> tuple[Array, Array]:
        """What answers are about: the numbers of its task and, -1 where there is none, of its item."""

    def looked_for(self) -> Sequence[tuple[Self, Array]]:
        """The panels in which it is told who is off, and the numbers of those looked for in each: all, unless some are
        the reference for others."""
        return [(self, np.arange(len(self.judges)))]

    @property
    def measured(self) -> bool:
        """Whether answers are numbers, which can be nearer or farther; else they are the same or not."""
        return False

    def repaired(self, judge: int) -> Mapping[str, Self]:
        """The design with one judge's answers put right in some way, by the name of what would have been wrong."""
        return {}

    def manners(self) -> Sequence[Manner]:
        """In what honest judges differ without being off."""
        return ()

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
        """The design of the judges whose numbers are in ``keep``, numbered anew."""


@dataclass(frozen=True, eq=False)
class PooledDesign(PanelDesign):
    """A design whose figures are of all tasks together, no means over tasks."""

    @abstractmethod
    def exchanged(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Judges' names exchanged within each task."""


def part_weights(part: Part, weights: Weights) -> Array:
    """What each judge of a part counts, ``[draw, task, judge]``: whole numbers where they are whole."""
    if weights.judges is None:
        return np.broadcast_to(part.counts, (weights.draws, *part.counts.shape))
    found = weights.judges[:, part.judges] * part.counts
    whole = np.rint(found)  # a row that stands for many, drawn so many times, is off by rounding
    return whole.astype(np.int64) if np.abs(found - whole).max(initial=0.0) < NEAR else found


# -- tasks of the same shape in one array: orderings and groupings ----------------------------------------------------


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


AXIS = {
    "agreement": "",
    "judges": "judge",
    "consensus": "item",
    "quality": "system",
}  # what values have beside the task


@dataclass(frozen=True, eq=False)
class TaskDesign(Design):
    """Tasks as parts of one shape each; a method is computed task by task."""

    parts: tuple[Part, ...]

    def one_by_one(self, most: int) -> Self:
        """A row for every judge, up to about ``most`` rows a task: who said the same is dealt each for himself."""
        return self

    def parts_for(self, method: Method) -> Sequence[Part]:
        """The parts as a method likes them best."""
        return self.parts

    @cached_property
    def items_of_task(self) -> dict[int, Array]:
        """The numbers of each task's items, in the order that formulas know."""
        return {int(t): row for p in self.parts for t, row in zip(p.tasks, p.codes("item"), strict=True)}

    @cached_property
    def judges_by_task(self) -> dict[int, Array]:
        """The numbers of each task's judges, in the order of their rows."""
        return {int(t): row for p in self.parts for t, row in zip(p.tasks, p.judges, strict=True)}

    def some_tasks(self, keep: Array) -> Self:
        """The design of some tasks."""
        number = np.full(len(self.tasks), -1)
        number[keep] = np.arange(len(keep))
        some = [only(p, np.flatnonzero(number[p.tasks] >= 0)) for p in self.parts]
        parts = tuple(replace(p, tasks=number[p.tasks]) for p in some if len(p.tasks))
        return replace(self, tasks=tuple(self.tasks[k] for k in keep.tolist()), parts=parts)

    def copied(self, copies: int, change: Callable[[Array], Array], name: str = "") -> Self:
        """So many copies of all tasks in a row, with the judges' answers changed, or the field of that name."""
        parts: list[Any] = []
        for p in self.parts:
            many, called = only(p, np.tile(np.arange(len(p.tasks)), copies)), name or p.answers
            tasks = many.tasks + np.repeat(np.arange(copies) * len(self.tasks), len(p.tasks))
            parts.append(replace(many, tasks=tasks, **{called: change(getattr(many, called))}))
        return replace(self, tasks=self.tasks * copies, parts=tuple(parts), brief=True)

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of every task, in every draw of the judges."""
        axis = AXIS[method.question]
        drawn = weights.judges is not None
        found = [
            _rows(p, self._drawn(method, p, weights) if drawn else self._asked(method, p.given, p.counts), axis)
            for p in self.parts_for(method)
        ]
        return gathered(found) if axis else _without_lone(gathered(found), self.judges_of_task)

    def _asked(self, method: Method, given: tuple[Array, ...], counts: Array, **more: Any) -> Measured:
        """A formula of the judges' answers, of what each judge counts, and of systems' answers where there are some."""
        more = {"alike": self.counted, "seed": self.seed, "brief": self.brief, **more}
        known = {n: v for n, v in more.items() if n in method.declaration.keywords}
        found: Measured = method(given[0], counts, *given[1:], **known)
        return found

    def values_instead(self, method: Method, dealt: TaskDesign, copies: int) -> Values:
        """What a method says of every judge with the answers of ``dealt`` instead of the judge's own.

        ``dealt`` is of so many copies of all tasks in a row; the other judges stay as they are.
        """
        found = []
        for own, other in zip(self.parts_for(method), dealt.parts_for(method), strict=True):
            given = (np.tile(x, (copies, 1, 1)) for x in own.given)
            measured = self._asked(method, tuple(given), other.counts, brief=True, instead=other.given[0])
            found.append(_rows(other, measured, AXIS[method.question]))
        return gathered(found)

    def without_each(self, method: Method) -> Array:
        """What a method of agreement says without each judge; by its own closed form where it declares one."""
        out = np.full((len(self.tasks), len(self.judges)), np.nan)
        closed = method.declaration.properties.get("without")
        for p in self.parts_for(method):
            if closed:
                out[p.tasks[:, None], p.judges] = closed(*p.given, p.counts, **method.parameters)
                continue
            judges = p.counts.shape[1]
            left = p.counts[:, None, :] * (1 - np.eye(judges, dtype=p.counts.dtype))
            for t in range(len(p.tasks)):
                same = tuple(np.broadcast_to(x[t : t + 1], (judges, *x.shape[1:])) for x in p.given)
                out[p.tasks[t], p.judges[t]] = self._asked(method, same, left[t], brief=True).values
        return out

    def _drawn(self, method: Method, part: Part, weights: Weights) -> Measured:
        """Values ``[draw, task, ...]`` of a part, each task with all its draws at once."""
        judges = part_weights(part, weights)
        found = []
        for t in range(len(part.tasks)):
            same = (np.broadcast_to(x[t : t + 1], (weights.draws, *x.shape[1:])) for x in part.given)
            nobody = np.asarray(
                ~judges[:, t].any(axis=1)
            )  # of whom nothing can be said: the panel's own judges stand in
            counts = np.where(nobody[:, None], part.counts[t], judges[:, t]) if nobody.any() else judges[:, t]
            measured = self._asked(method, tuple(same), counts, brief=True)
            if nobody.any():
                measured = replace(measured, values=measured.values.astype(float))
                measured.values[nobody] = np.nan
            found.append(measured)
        masses = [m.mass for m in found if m.mass is not None]
        mass = np.stack(masses, axis=1) if masses else None
        return Measured(np.stack([m.values for m in found], axis=1), mass=mass)


def only(part: Any, tasks: Array) -> Any:
    """Some tasks of a part, by their places in it or by a mask."""
    return replace(part, **{f.name: getattr(part, f.name)[tasks] for f in fields(part)})


def _rows(part: Part, measured: Measured, axis: str) -> Values:
    """What a formula says of a part as rows; its first axis is the draw, or there is one draw only."""
    dimensions = 2 if axis else 1
    array = measured.values if measured.values.ndim > dimensions else measured.values[None]
    mass = None if measured.mass is None else measured.mass.reshape(array.shape)
    if not axis:
        return Values(array, {"task": part.tasks}, measured.details, measured.exact, mass)
    codes = np.broadcast_to(part.codes(axis), array.shape[1:])
    there = np.flatnonzero(codes.ravel() >= 0)
    keys = {"task": np.repeat(part.tasks, codes.shape[1])[there], axis: codes.ravel()[there]}
    details = {n: _flat(column, codes.shape[1], there) for n, column in measured.details.items()}
    flat = (len(array), codes.size)
    rows = array.reshape(flat)[:, there]
    return Values(rows, keys, details, None, None if mass is None else mass.reshape(flat)[:, there])


def _without_lone(values: Values, judges: Array) -> Values:
    """Agreement without the values of tasks that one judge did alone: they say nothing about it, by any method."""
    lone = np.asarray(judges[values.keys["task"]] < 2)
    if not lone.any():
        return values
    exact = values.exact and [math.nan if alone else v for v, alone in zip(values.exact, lone.tolist(), strict=True)]
    return replace(values, array=np.where(lone, math.nan, values.array), exact=exact)


def _flat(column: Any, width: int, there: Array) -> Sequence[Any]:
    """A detail of every row; one of the task is that of all its rows."""
    if isinstance(column, np.ndarray):
        rows = (column if column.ndim > 1 else np.repeat(column[:, None], width, axis=1)).reshape(-1)
        return rows[there].tolist()  # type: ignore[no-any-return]
    every = [v for row in column for v in row]
    return [every[k] for k in there.tolist()]


def gathered(found: Sequence[Values]) -> Values:
    """The rows of several parts together, by task and then by their other keys."""
    keys = {n: np.concatenate([f.keys[n] for f in found]) for n in found[0].keys}
    order = np.lexsort(tuple(keys.values())[::-1])
    if len(found) == 1 and (order[1:] > order[:-1]).all():
        return found[0]
    names = dict.fromkeys(n for f in found for n in f.details)
    empty = [[None] * f.array.shape[1] for f in found]  # of a part whose tasks have no such detail
    details = {
        n: _ordered([f.details.get(n, none) for f, none in zip(found, empty, strict=True)], order.tolist())
        for n in names
    }
    exact = None
    if any(f.exact is not None for f in found):
        exact = _ordered([f.array[0].tolist() if f.exact is None else f.exact for f in found], order.tolist())
    array = np.concatenate([f.array for f in found], axis=1)[:, order]
    masses = [f.mass for f in found if f.mass is not None]
    mass = np.concatenate(masses, axis=1)[:, order] if masses else None
    return Values(array, {n: column[order] for n, column in keys.items()}, details, exact, mass)


def _ordered(pieces: Sequence[Sequence[Any]], order: Sequence[int]) -> list[Any]:
    flat = [v for piece in pieces for v in piece]
    return [flat[k] for k in order]
