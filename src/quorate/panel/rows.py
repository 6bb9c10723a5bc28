"""Designs with a row of answers for every judge of a task: how they are permuted, taken out and told apart.

A row may stand for several judges. Permuted as a block they would go on agreeing with each other, and chance would look
like agreement; so they are permuted each for himself, as far as there is room.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import PanelDesign, Values
from quorate.panel.task_design import VOTERS, TaskDesign, gathered, only, without_lone
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 21  # of copies of a panel that are looked at together


@dataclass(frozen=True, eq=False)
class VoterDesign(TaskDesign):
    """Tasks whose judges have a row of answers each, which may stand for several of them."""

    def one_by_one(self, most: int) -> Self:
        """A row for every judge, up to about ``most`` rows a task."""
        if not self.counted:
            return self
        out: list[Any] = []
        for part in self.parts:
            for t in range(len(part.tasks)):
                row, counts = lots(part.counts[t], most)
                out.append(replace(_some_rows(only(part, np.array([t])), row), counts=counts[None]))
        return replace(self, parts=tuple(out))

    def voters_apart(self) -> Self:
        """Every judge behind a row of a single task as a judge of its own."""
        if not self.counted or len(self.tasks) > 1:
            return self
        part: Any = self.one_by_one(int(self.voters.sum())).parts[0]
        names = tuple(self.judges[k] for k in part.judges[0].tolist())
        return replace(self, judges=names, parts=(replace(part, judges=np.arange(len(names))[None]),))

    def sampled_judges(self, method: Method, *most: int) -> Self:
        """The judges whom a method compares where it compares only some of very many, on a single task; else all."""
        sampled = method.declaration.properties.get("sampled")
        if not callable(sampled) or len(self.tasks) > 1:
            return self
        part: Any = self.parts[0]
        counts = sampled(part.given[0], part.counts, self.seed, *most)
        if counts is None or (counts == part.counts[0]).all():
            return self
        rows = np.flatnonzero(counts)
        return replace(self, parts=(replace(_some_rows(part, rows), counts=counts[None, rows]),))

    def null_work(self, method: Method) -> float:
        """Of many judges every two are compared anew, item by item."""
        pairs = len(self.tasks) == 1 and callable(method.declaration.properties.get("sampled"))
        _, rows, items = self.parts[0].given[0].shape
        return self.work_of(method) * (rows * items if pairs and rows > VOTERS else 1)


@dataclass(frozen=True, eq=False)
class RowDesign(VoterDesign, PanelDesign):
    """Judges alone: a kind says how a row of answers is shuffled and which answers are there."""

    @abstractmethod
    def shuffled(self, answers: Array, rng: np.random.Generator, some: Array | None = None) -> Array:
        """Every row permuted among the items it is of, ``[task, judge, item]``; or ``some[task, judge]`` of them."""

    @abstractmethod
    def held(self, answers: Array) -> Array:
        """Which answers are there, ``[task, judge, item]``."""

    def comparable(self, answers: Array) -> Array:
        """Numbers of which two judges' are equal where they say the same of an item, ``[task, judge, item]``."""
        return answers

    def told_apart(self, answers: Array) -> Array:
        """Answers of which two judges' are equal where they say the same of all items, ``[judge, item]``."""
        return answers

    def one_answer(self) -> Array:
        """Who says the same of all items of a task, on every task."""
        out, there = np.ones(len(self.judges), bool), np.zeros(len(self.judges), bool)
        for p in self.parts:
            np.logical_and.at(out, p.judges, self.undecided(p.given[0]))
            there[p.judges] = True
        return out & there

    def undecided(self, answers: Array) -> Array:
        """Whose answers to a task are all the same, ``[task, judge]``."""
        held = self.held(answers)
        low, high = np.where(held, answers, answers.max(initial=0)), np.where(held, answers, answers.min(initial=0))
        return np.asarray(low.min(axis=2) >= high.max(axis=2))

    def said(self) -> tuple[Array, Array, Array, Array]:
        """Every answer with its copy, judge, task and item."""
        found, own, begin = [], len(set(self.tasks)), 0
        for p in self.parts:
            t, j, k = np.nonzero(self.held(p.given[0]))
            cell = begin + t * np.int64(p.given[0].shape[2]) + k
            found.append((p.tasks[t] // own, p.judges[t, j], cell, self.comparable(p.given[0])[t, j, k]))
            begin += p.given[0].shape[0] * p.given[0].shape[2]
        copy, judge, cell, value = (np.concatenate(column) for column in zip(*found, strict=True))
        return copy, judge, cell, value

    def asked(self) -> tuple[Array, Array]:
        """The task and item of every answer, in the order of :meth:`said`."""
        task = [np.repeat(p.tasks, p.given[0].shape[2]) for p in self.parts]
        return np.concatenate(task), np.concatenate([p.codes("item").ravel() for p in self.parts])

    def permuted(self, rng: np.random.Generator, copies: int = 1) -> Self:
        """Every row's answers permuted among the items they are of."""
        return self.one_by_one(VOTERS)._permuted(rng, copies)

    def permuted_by(self, judge: int, rng: np.random.Generator, copies: int = 1) -> Self:
        """One judge's answers permuted, the others as they are."""
        return self._permuted(rng, copies, lambda part: part.judges == judge)

    def _permuted(
        self, rng: np.random.Generator, copies: int, some: Callable[[Any], Array | None] = lambda part: None
    ) -> Self:
        """So many copies of all tasks with the answers of judges permuted, of all or of ``some(part)[task, judge]``."""
        many = self.copied(copies, lambda x: x)
        answers = self.shuffled_parts([p.given[0] for p in many.parts], rng, [some(p) for p in many.parts])
        pairs: Any = zip(many.parts, answers, strict=True)
        return replace(many, parts=tuple(replace(p, **{p.answers: own}) for p, own in pairs))

    def shuffled_parts(
        self, parts: Sequence[Array], rng: np.random.Generator, some: Sequence[Array | None]
    ) -> Sequence[Array]:
        """The answers of several parts shuffled, one part after the other."""
        return [self.shuffled(own, rng, rows) for own, rows in zip(parts, some, strict=True)]

    def values_permuted_by(self, method: Method, judge: int, rng: np.random.Generator, copies: int) -> Values:
        """What a method says of so many copies of all tasks in which one judge's answers are permuted.

        By its own closed form where it declares one: two judges who are as they were need be compared only once.
        """
        closed: Any = method.declaration.properties.get("replaced")
        permuted = self.permuted_by(judge, rng, copies)
        if not closed:
            return permuted.values(method)
        found, step = [], max(1, CELLS // sum(p.given[0].size for p in self.parts))
        for a in range(0, copies, step):
            k = min(step, copies - a)
            each = ((p, len(own.tasks)) for p, own in zip(permuted.parts, self.parts, strict=True))
            some = tuple(only(p, slice(a * tasks, (a + k) * tasks)) for p, tasks in each)
            for p in replace(permuted, parts=some).parts_for(method):
                copy_of = np.argsort(p.tasks % len(self.tasks), kind="stable").reshape(-1, k)  # [task, copy]
                row = np.argmax(p.judges[copy_of[:, 0]] == judge, axis=1)
                value = closed(p.given[0][copy_of], p.counts[copy_of[:, 0]], row, self.counted, **method.parameters)
                if value is None:
                    return permuted.values(method)
                found.append(Values(value.reshape(1, -1), {"task": p.tasks[copy_of].ravel()}))
        return without_lone(gathered(found), np.tile(self.judges_of_task, copies))

    def some_judges(self, keep: Array) -> Self:
        """The design of some judges; items of which they hold nothing are gone."""
        number = np.full(len(self.judges), -1)
        number[keep] = np.arange(len(keep))
        found: list[Any] = []
        for p in self.parts:
            mine = number[p.judges]
            for t in range(len(p.tasks)):
                part = _some_rows(only(p, np.array([t])), np.flatnonzero(mine[t] >= 0))
                there = self.held(part.given[0]).any(axis=(0, 1))
                if there.any():
                    answers = part.given[0][:, :, there]
                    part = replace(part, judges=number[part.judges], items=part.items[:, there])
                    found.append(replace(part, **{part.answers: answers}))
        names = tuple(self.judges[k] for k in keep.tolist())
        return replace(self, judges=names, parts=tuple(by_shape(found)))


def _some_rows(part: Any, rows: Array) -> Any:
    """The part with some of its judges' rows, once or several times."""
    return replace(part, **{name: getattr(part, name)[:, rows] for name in ("judges", "counts", part.answers)})


def by_shape(found: Sequence[Any]) -> Iterator[Any]:
    """Parts of one task each, those of the same shape made one."""
    shapes: dict[tuple[int, ...], list[Any]] = {}
    for part in found:
        shapes.setdefault(part.given[0].shape, []).append(part)
    for same in shapes.values():
        columns = {f.name: np.concatenate([getattr(p, f.name) for p in same]) for f in fields(same[0])}
        yield replace(same[0], **columns)


def lots(counts: Array, most: int) -> tuple[Array, Array]:
    """The judges one by one: of each the row, and how many judges it is; 1 unless there are more than ``most``.

    >>> [x.tolist() for x in lots(np.array([1, 3]), 9)], [x.tolist() for x in lots(np.array([1, 9]), most=3)]
    ([[0, 1, 1, 1], [1, 1, 1, 1]], [[0, 1, 1, 1], [1, 3, 3, 3]])
    """
    total = int(counts.sum())
    number = counts if total <= max(most, len(counts)) else -(-counts * most // total)
    row = np.repeat(np.arange(len(counts)), number)
    place = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
    return row, np.asarray(counts[row] // number[row] + (place < counts[row] % number[row]))
