"""Designs of tasks in parts, those of the same shape in one array: orderings, groupings and lists.

A method is computed task by task: a formula is given the arrays of a part and what each judge counts in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pair_means import mean_of_pairs, mean_with_others
from quorate.kernels.streams import stream
from quorate.panel.design import ONCE, Design, Measured, Values, Weights
from quorate.table import Method

Array = NDArray[Any]
Kept = TypeVar("Kept")
VOTERS = 200  # judges behind a task's rows who are permuted each for himself; of more, several together
SMALL = 1 << 21  # cells of copies of a panel that are kept
NEAR = 1e-9  # weights that differ by rounding alone
WEIGHTS = 1 << 17  # of judges in every draw that are looked at together
PAIRS = 1 << 22  # values of every two judges that are kept for all methods
AXIS = {
    "agreement": "",
    "judges": "judge",
    "consensus": "item",
    "quality": "system",
}  # what values have beside the task


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


def part_weights(part: Part, weights: Weights) -> Array:
    """What each judge of a part counts, ``[draw, task, judge]``: whole numbers where they are whole."""
    if weights.judges is None:
        return np.broadcast_to(part.counts, (weights.draws, *part.counts.shape))
    found = weights.judges[:, part.judges] * part.counts
    whole = np.rint(found)  # a row that stands for many, drawn so many times, is off by rounding
    return whole.astype(np.int64) if np.abs(found - whole).max(initial=0.0) < NEAR else found


@dataclass(frozen=True, eq=False)
class TaskDesign(Design):
    """Tasks as parts of one shape each; a method is computed task by task."""

    parts: tuple[Part, ...]

    def one_by_one(self, most: int) -> Self:
        """A row for every judge, up to about ``most`` rows a task: who said the same is permuted each for himself."""
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
        parts = merged([replace(p, tasks=number[p.tasks]) for p in some if len(p.tasks)])
        return replace(self, tasks=tuple(self.tasks[k] for k in keep.tolist()), parts=parts)

    def copied(self, copies: int, change: Callable[[Array], Array], name: str = "") -> Self:
        """So many copies of all tasks in a row, with the judges' answers changed, or the field of that name."""
        parts: list[Any] = []
        p: Any
        for p in self._in_a_row(copies):
            called = name or p.answers
            parts.append(replace(p, **{called: change(getattr(p, called))}))
        return replace(self, tasks=self.tasks * copies, parts=tuple(parts), brief=True)

    def _in_a_row(self, copies: int) -> Sequence[Part]:
        """The parts with so many copies of their tasks in a row: of small panels those last made are kept for the next
        method."""
        known: dict[int, Sequence[Part]] = self.__dict__.setdefault("_copies", {})
        if copies == 1 or copies in known:
            return self.parts if copies == 1 else known[copies]
        known.clear()
        every = [only(p, np.tile(np.arange(len(p.tasks)), copies)) for p in self.parts]
        begin = [np.repeat(np.arange(copies) * len(self.tasks), len(p.tasks)) for p in self.parts]
        made = [replace(p, tasks=p.tasks + b) for p, b in zip(every, begin, strict=True)]
        if sum(p.given[0].size for p in made) <= SMALL:
            known[copies] = made
        return made

    def half_of_items(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Half of the items of each task, drawn without replacement: drawn twice, one would be with its copy.

        So many copies of all tasks in a row, each with a half of its own.
        """
        many = self.copied(copies, lambda x: x)
        parts: list[Any] = []
        for p in many.parts:
            items = p.codes("item")
            size = max(items.shape[1] // 2, 1)
            chosen = np.sort(np.argsort(rng.random(items.shape), axis=1)[:, :size], axis=1)
            parts.append(self.some_items(p, chosen))
        return replace(many, parts=tuple(parts))

    def some_items(self, part: Any, chosen: Array) -> Any:
        """The part with some items of every task, ``chosen[task, item]``."""
        columns = {"items": np.take_along_axis(part.items, chosen, axis=1)}
        for f in fields(part):
            array = getattr(part, f.name)
            if array.ndim == 3:  # answers of judges, or of systems
                columns[f.name] = np.take_along_axis(array, chosen[:, None], axis=2)
        return replace(part, **columns)

    @cached_property
    def items_in_tasks(self) -> int:
        """How many items all tasks have together."""
        return sum(int((p.codes("item") >= 0).sum()) for p in self.parts)

    def values(self, method: Method, weights: Weights = ONCE) -> Values:
        """What a method says of every task, in every draw of the judges."""
        axis, pairs = AXIS[method.question], self.every_two(method)
        if pairs is not None:
            each = zip(self.parts, pairs, strict=True)
            mean = mean_with_others if axis else mean_of_pairs
            found = [_rows(p, self._mean_of(mean, p, both.mean_square, weights), axis) for p, both in each]
        elif weights.judges is not None:
            found = [_rows(p, self._drawn(method, p, weights), axis) for p in self.parts_for(method)]
        else:
            parts = (some for p in self.parts_for(method) for some in self.by_sort(p))
            found = [_rows(p, self._asked(method, p.given, p.counts), axis) for p in parts]
        return gathered(found) if axis else without_lone(gathered(found), self.judges_of_task)

    def sampled(self, tasks: int, rng: np.random.Generator) -> Self | None:
        """Some of so very many tasks, which know the methods, too."""
        found = super().sampled(tasks, rng)
        return found if found is None or "_known_pairs" not in self.__dict__ else found.for_methods(self.methods)

    def for_methods(self, methods: Sequence[Method]) -> Self:
        """The same design, which knows the methods that will be asked of it, and keeps what these have in common."""
        found = super().for_methods(methods)
        found.__dict__["_known_pairs"] = {}
        return found

    def every_two(self, method: Method) -> Sequence[Any] | None:
        """Every two judges by a method that is the mean over them, or of each with the others (``pairs=``), part by
        part: compared once for all such methods that are asked, as long as there is room; None where that is not
        known."""
        known: dict[Method, list[Any]] | None = self.__dict__.get("_known_pairs")
        compare = method.declaration.properties.get("pairs")
        if known is None or compare is None or method not in self.methods:
            return None
        if method not in known:
            family = [m for m in self.methods if m.declaration.properties.get("pairs") is compare]
            if len(family) * sum(p.counts.size * p.counts.shape[1] for p in self.parts) > PAIRS:
                return None
            found = zip(*(compare(family, p.given[0]) for p in self.parts), strict=True)
            known |= {m: list(own) for m, own in zip(family, found, strict=True)}
        return known[method]

    def _mean_of(self, mean: Callable[..., Array], part: Part, square: Array, weights: Weights) -> Measured:
        """The mean of ``square[task, judge, judge]``, of the judges as they are or in every draw."""
        if weights.judges is None:
            return Measured(mean(square, part.counts, self.counted))
        counts = part_weights(part, weights)
        step = max(1, WEIGHTS // max(counts[:, 0].size, 1))  # tasks
        some = (slice(t, t + step) for t in range(0, len(square), step))
        return Measured(np.concatenate([mean(square[t], counts[:, t], self.counted) for t in some], axis=1))

    def shared_permutations(self, method: Method, seed: int, own: bool) -> Callable[[int], Values] | None:
        """Methods that compare the same two rows (``together=``) do so once for all of them that are asked."""
        together, permuted = method.declaration.properties.get("together"), 0
        if together is None:
            return None

        def more(copies: int) -> Values:
            nonlocal permuted
            begin, permuted = permuted, permuted + copies

            def make(methods: Sequence[Method]) -> Sequence[Values]:
                many = self.permuted(stream(seed, "null", self.kind, begin), copies)
                return many.values_together(methods, together, self.one_by_one(VOTERS) if own else None)

            return self.shared(method, ("null", seed, begin, copies), make)

        return more

    def shared(self, method: Method, key: tuple[Any, ...], make: Callable[[Sequence[Method]], Sequence[Kept]]) -> Kept:
        """What is made at once for all methods of a family that are asked, kept until each of them has had its own."""
        found = self._shared.setdefault(key, {})
        if method not in found:
            together = method.declaration.properties["together"]
            family = [m for m in self.methods if m.declaration.properties.get("together") is together]
            family = family if method in family else [method]
            found |= dict(zip(family, make(family), strict=True))
        own: Kept = found.pop(method)
        return own

    @cached_property
    def _shared(self) -> dict[tuple[Any, ...], dict[Method, Any]]:
        return {}

    def values_together(
        self, methods: Sequence[Method], together: Callable[..., Sequence[Measured]], beside: Self | None = None
    ) -> Sequence[Values]:
        """What several methods say that are computed at once; of judges ``beside`` others, whose answers are those of
        that design."""
        found: list[list[Values]] = [[] for _ in methods]
        axis, parts = AXIS[methods[0].question], self.parts_for(methods[0])
        others = parts if beside is None else beside.parts_for(methods[0])
        for p, other in zip(parts, others, strict=True):
            instead = {} if beside is None else {"instead": p.given[0]}
            measured = together(methods, *other.given, p.counts, self.counted, **instead)
            for rows, of in zip(found, measured, strict=True):
                rows.append(_rows(p, of, axis))
        every = [gathered(rows) for rows in found]
        return every if axis else [without_lone(values, self.judges_of_task) for values in every]

    def by_sort(self, part: Part) -> Sequence[Part]:
        """A part's tasks by their sort, such as those without ties: of a part that is all of one sort formulas know
        shorter ways, whose rounding differs, and what a task gives must not depend on the tasks beside it."""
        sort = self.sort_of(part)
        if sort is None or len(sort) < 2 or (sort == sort[0]).all():
            return (part,)
        return [only(part, np.flatnonzero(sort == s)) for s in np.unique(sort)]

    def sort_of(self, part: Part) -> Array | None:
        """The sort of every task, ``[task]``; None where a kind knows no sorts."""
        return None

    def _asked(self, method: Method, given: tuple[Array, ...], counts: Array, **more: Any) -> Measured:
        """A formula of the judges' answers, of what each judge counts, and of systems' answers where there are some."""
        more = {"alike": self.counted, "seed": self.seed, "brief": self.brief, **more}
        known = {n: v for n, v in more.items() if n in method.declaration.keywords}
        found: Measured = method(given[0], counts, *given[1:], **known)
        return found

    def values_instead(self, method: Method, permuted: TaskDesign) -> Values:
        """What a method says of every judge with the answers of ``permuted`` instead of the judge's own.

        ``permuted`` is of so many copies of all tasks in a row; the other judges stay as they are.
        """
        found = []
        for own, other in zip(self.parts_for(method), permuted.parts_for(method), strict=True):
            measured = self._asked(method, own.given, other.counts, brief=True, instead=other.given[0])
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
            nobody = np.asarray(~judges[:, t].any(axis=1))  # nothing can be said: the panel's own judges stand in
            counts = np.where(nobody[:, None], part.counts[t], judges[:, t]) if nobody.any() else judges[:, t]
            measured = self._asked(method, tuple(same), counts, brief=True)
            if nobody.any():
                measured = replace(measured, values=measured.values.astype(float))
                measured.values[nobody] = np.nan
            found.append(measured)
        masses = [m.mass for m in found if m.mass is not None]
        mass = np.stack(masses, axis=1) if masses else None
        return Measured(np.stack([m.values for m in found], axis=1), mass=mass)


def only(part: Any, tasks: Array | slice) -> Any:
    """Some tasks of a part, by their places in it or by a mask."""
    return replace(part, **{f.name: getattr(part, f.name)[tasks] for f in fields(part)})


def merged(parts: Sequence[Any]) -> tuple[Any, ...]:
    """Parts of the same shape made one, in order of their tasks, and so are the parts: what is drawn of some tasks must
    not depend on how many others there were, and so on where parts were cut."""
    shapes: dict[tuple[int, ...], list[Any]] = {}
    for part in parts:
        shapes.setdefault(tuple(x.shape[1:] for x in part.given), []).append(part)
    out = []
    for same in shapes.values():
        whole = {f.name: np.concatenate([getattr(p, f.name) for p in same]) for f in fields(same[0])}
        out.append(only(replace(same[0], **whole), np.argsort(whole["tasks"], kind="stable")))
    return tuple(sorted(out, key=lambda part: int(part.tasks[0])))


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


def without_lone(values: Values, judges: Array) -> Values:
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
