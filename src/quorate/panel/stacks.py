"""Stacks: tasks of the same shape as one array, which is what the kernels work on.

A stack of orderings is ``positions[task, judge, item]``: dense positions from 1, and 0 where the judge left the item
out. Every item is ranked by some judge of its task and every judge ranks something, so nothing is padding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.ranks import dense, fill_below, flat, mid_ranks
from quorate.panel.base import remembered
from quorate.panel.columns import ranges, small
from quorate.panel.design import Weights
from quorate.panel.kinds import Orderings
from quorate.panel.residuals import Errors
from quorate.panel.rows import RowDesign
from quorate.panel.task_design import TaskDesign, part_weights
from quorate.table import Method

CELLS = 1 << 22  # cells of a stack at most; more tasks make another stack
TOGETHER = 1 << 19  # cells of several stacks that are shuffled at once
EVERY_TWO = 500_000  # items x pairs of judges, twice, that are compared over and over
MOST_ITEMS, FEWEST_ITEMS = 5000, 1000  # of these, of few judges and of many


@dataclass(frozen=True, eq=False)
class Stack:
    """Tasks with equally many judges and items."""

    answers: ClassVar[str] = "positions"

    tasks: NDArray[np.int64]  # (T,) codes of the panel's tasks
    judges: NDArray[np.int64]  # (T, N) codes of the panel's judges
    items: NDArray[np.int64]  # (T, n) codes of the panel's items
    positions: NDArray[Any]  # (T, N, n)
    counts: NDArray[np.int64]  # (T, N) how many judges each row stands for

    @property
    def shape(self) -> tuple[int, int, int]:
        """Tasks, judges, items."""
        tasks, judges, items = self.positions.shape
        return tasks, judges, items

    @property
    def given(self) -> tuple[NDArray[Any], ...]:
        """What formulas are given."""
        return (self.positions,)

    def codes(self, axis: str) -> NDArray[Any]:
        """Numbers of the judges or items along an axis of values."""
        return self.judges if axis == "judge" else self.items


def stacks(panel: Orderings) -> Sequence[Stack]:
    """The panel's tasks as stacks, made once; of a judge's repeats the first."""
    return remembered(panel, "_stacks", lambda panel: tuple(_stacks(panel)))


def _stacks(panel: Orderings) -> Iterator[Stack]:
    begin, length = panel.starts[:-1], np.diff(panel.starts)
    chosen = _first(panel, begin)
    if not chosen.any():
        return
    item, value = panel.item.codes, panel.value
    if not chosen.all():
        kept = np.repeat(chosen, length)
        item, value, begin, length = item[kept], value[kept], begin[chosen], length[chosen]
    task_of = panel.task.codes[begin].astype(np.int64)
    first = np.flatnonzero(np.diff(task_of, prepend=-1))  # ordering with which each task begins
    tasks, judges_in = task_of[first], np.diff(np.append(first, len(task_of)))
    row_start = np.append(np.cumsum(length)[first] - length[first], len(item))  # row with which each task begins
    # Items of a task, numbered within it.
    used, number = _numbered(np.diff(row_start), item, len(panel.items))  # by the place of the item in its task
    items_in = np.bincount(used // len(panel.items), minlength=len(tasks))
    item_start = np.concatenate([[0], np.cumsum(items_in)])
    counts = panel.count[begin].astype(np.int64)
    judge_of = panel.judge.codes[begin].astype(np.int64)
    item_of = (used % len(panel.items)).astype(np.int64)
    rows: Any
    for members in _shapes(judges_in, items_in):
        n_judges, n_items = int(judges_in[members[0]]), int(items_in[members[0]])
        size = len(members)
        if members[-1] - members[0] == size - 1:  # neighbours, in a row
            rows = slice(row_start[members[0]], row_start[members[-1] + 1])
        else:
            rows = ranges(row_start[members], row_start[members + 1] - row_start[members])
        per_judge = first[members][:, None] + np.arange(n_judges)
        per_item = item_start[members][:, None] + np.arange(n_items)
        cell = np.repeat(np.arange(0, size * n_judges * n_items, n_items), length[per_judge.ravel()])
        cell += number[rows]
        positions = np.zeros((size, n_judges, n_items), np.int32 if n_items > 32000 else np.int16)
        positions.ravel()[cell] = value[rows]
        yield Stack(tasks[members], judge_of[per_judge], item_of[per_item], positions, counts[per_judge])


def padded(parts: Sequence[Stack]) -> list[Stack]:
    """Stacks of equally many judges made one, with absent items added (item code -1) where tasks have fewer.

    For methods to which an item that nobody ranks makes no difference: many tasks of many sizes then cost one call.
    """
    out: list[Stack] = []
    for judges in dict.fromkeys(p.shape[1] for p in parts):
        same = [p for p in parts if p.shape[1] == judges]
        tasks, items = sum(p.shape[0] for p in same), max(p.shape[2] for p in same)
        cells = sum(p.positions.size for p in same)
        if len(same) == 1 or tasks * judges * items > min(CELLS, 4 * cells):
            out += same
            continue
        positions = np.zeros((tasks, judges, items), same[0].positions.dtype)
        names = np.full((tasks, items), -1, np.int64)
        start = 0
        for p in same:
            positions[start : start + p.shape[0], :, : p.shape[2]] = p.positions
            names[start : start + p.shape[0], : p.shape[2]] = p.items
            start += p.shape[0]
        joined = (np.concatenate([getattr(p, n) for p in same]) for n in ("tasks", "judges", "counts"))
        numbers, who, counts = joined
        out.append(Stack(numbers, who, names, positions, counts))
    return out


def together(parts: Sequence[Stack]) -> list[Stack]:
    """Stacks in which no task is complete :func:`padded`; an absent item more would make complete ones incomplete."""
    gaps = [not (p.positions > 0).all(axis=(1, 2)).any() for p in parts]
    whole = [p for p, lacking in zip(parts, gaps, strict=True) if not lacking]
    return [*whole, *padded([p for p, lacking in zip(parts, gaps, strict=True) if lacking])]


def _numbered(rows_in: NDArray[Any], item: NDArray[Any], items: int) -> tuple[Any, Any]:
    """Distinct keys ``place of the task * items + item`` in order, and the number of each row's key among those of its
    task; ``rows_in`` are the rows of each task. Sorts as little as it can."""
    tasks = len(rows_in)
    if tasks * items <= 4 * len(item):
        key = np.repeat(np.arange(0, tasks * items, items), rows_in)
        key += item
        seen = np.zeros((tasks, items), bool)
        seen.ravel()[key] = True
        if seen.all():
            return np.arange(tasks * items), item
        return np.flatnonzero(seen), (np.cumsum(seen, axis=1, dtype=small(items)) - 1).ravel()[key]
    place = np.repeat(np.arange(tasks), rows_in)
    home = np.zeros(items, np.int64)
    home[item] = place
    if not (home[item] == place).all():
        used, number = np.unique(place * items + item, return_inverse=True)
        return used, number.ravel() - np.searchsorted(used, np.arange(tasks) * items)[place]
    used = np.unique(home * items + np.arange(items))  # every item belongs to one task: only the items need sorting
    number = np.empty(items, np.int64)
    number[used % items] = np.arange(items) - np.searchsorted(used, used // items * items)
    return used, number[item]


def _first(panel: Orderings, begin: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of the orderings that begin in these rows, those that are their judge's first on their task."""
    task, judge = panel.task.codes[begin], panel.judge.codes[begin]
    new = np.ones(len(begin), bool)
    new[1:] = (task[1:] != task[:-1]) | (judge[1:] != judge[:-1])
    return new


def _shapes(judges: NDArray[Any], items: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """Tasks grouped by shape, in groups of at most CELLS cells."""
    shape = judges.astype(np.int64) * (int(items.max()) + 1) + items
    order = np.argsort(shape, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(shape[order])) + 1):
        cells = int(judges[group[0]]) * int(items[group[0]])
        step = max(1, CELLS // max(cells, 1))
        for a in range(0, len(group), step):
            yield group[a : a + step]


@dataclass(frozen=True, eq=False)
class OrderingDesign(RowDesign):
    """Orderings as stacks: positions, 0 where a judge left an item out."""

    kind: ClassVar[str] = "orderings"

    parts: tuple[Stack, ...]
    beside: TaskDesign | None = None  # all tasks with systems' lists beside the judges' orders, where there are some
    absent: str = ""  # what an absent item means, where the panel says so

    @classmethod
    def of(cls, panel: Orderings, absent: str | None = None) -> OrderingDesign:
        """The design of a panel; of a judge's repeats on a task the first."""
        told = absent or panel.absent
        return cls(panel.tasks, panel.judges, panel.items, tuple(stacks(panel)), absent=told)

    @property
    def work(self) -> int:
        """Every judge's pairs of items."""
        return sum(int(np.prod(p.shape)) * p.shape[2] for p in self.parts)

    @cached_property
    def padded(self) -> OrderingDesign:
        """Tasks of several sizes in one array, for methods to which an item that nobody ranks makes no difference."""
        return replace(self, parts=tuple(padded(self.parts)))

    @cached_property
    def joined(self) -> OrderingDesign:
        """The same for tasks that have gaps anyway, for methods that compare what two judges both ranked."""
        return replace(self, parts=tuple(together(self.parts)))

    @cached_property
    def compared(self) -> OrderingDesign:
        """As judges' orders are compared: absent items below the others, where the panel means that."""
        if self.absent != "below":
            return self.joined
        return replace(self, parts=tuple(replace(p, positions=fill_below(p.positions)) for p in self.parts))

    def parts_for(self, method: Method) -> Sequence[Stack]:
        """Padded for methods to which an item that nobody ranks makes no difference."""
        if method.declaration.properties.get("pads"):
            return self.padded.parts
        gaps = method.has("missing") and method["missing"] == "unknown"
        return self.joined.parts if gaps else self.parts

    def sort_of(self, part: Any) -> NDArray[Any]:
        """Whether rankings are complete, without ties, and of one length."""
        return sort_of(part.positions)

    def shuffled(
        self, answers: NDArray[Any], rng: np.random.Generator, some: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Every ranking's places, or those of some, permuted among the items it holds."""
        return shuffled(answers, rng, some)

    def shuffled_parts(
        self, parts: Sequence[NDArray[Any]], rng: np.random.Generator, some: Sequence[NDArray[Any] | None]
    ) -> Sequence[NDArray[Any]]:
        """The same of several stacks: of small ones together."""
        if len(parts) == 1 or sum(p.size for p in parts) > TOGETHER:
            return super().shuffled_parts(parts, rng, some)
        return shuffled_together(parts, rng, some)

    @staticmethod
    def uneven(answers: NDArray[Any]) -> tuple[bool, bool]:
        """Whether judges lack items, and whether some tie any, ``answers[judge, item]``."""
        held = answers > 0
        return not held.all(), bool((answers.max(axis=1, initial=0) < held.sum(axis=1)).any())

    def held(self, answers: NDArray[Any]) -> NDArray[Any]:
        """Which items a judge ranked."""
        return np.asarray(answers > 0)

    @property
    def measured(self) -> bool:
        """Places are nearer or farther."""
        return True

    def alike(self, noise: float | NDArray[Any], rng: np.random.Generator, copies: int = 1) -> OrderingDesign:
        """Judges who see each item's mean place with an error of so many places; each ranks what he ranked, with his
        ties. Errors are what mean places leave of the judges', resampled among items placed nearly alike."""
        each = np.broadcast_to(noise, len(self.judges))
        many = self.copied(copies, lambda positions: positions)
        parts = []
        for p, own, (seen, errors) in zip(many.parts, self.parts, self._errors, strict=True):
            key, held = np.full((copies, *own.positions.shape), np.inf), own.positions > 0
            key[:, held] = seen + each[own.judges][np.nonzero(held)[:2]] * errors.drawn(rng, copies)
            parts.append(replace(p, positions=_in_order_of(p.positions, key.reshape(p.positions.shape))))
        return replace(many, parts=tuple(parts))

    @cached_property
    def _errors(self) -> Sequence[tuple[NDArray[Any], Errors]]:
        """Of every part the mean place of each item that a judge ranked, and errors. A place is how far down an item is
        among those that the judge ranked, as if all were."""
        found = []
        for p in self.parts:
            held = p.positions > 0
            place = (mid_ranks(p.positions) - 0.5) * quotient(held.shape[2], held.sum(axis=2, keepdims=True))
            total = np.where(held, place, 0.0).sum(axis=1, keepdims=True)
            seen = np.broadcast_to(quotient(total, held.sum(axis=1, keepdims=True)), held.shape)[held]
            found.append((seen, Errors.of(seen, place[held] - seen)))
        return found

    def some_items(self, part: Any, chosen: NDArray[Any]) -> Any:
        """The part with some items, whose places are renumbered; a judge who ranked none of them counts for none."""
        return renumbered(super().some_items(part, chosen), "positions")

    def sampled_items(self, rng: np.random.Generator) -> OrderingDesign | None:
        """At most so many items of every task as :func:`items_compared` says, drawn at random."""
        most = [items_compared(p.shape[1]) for p in self.parts]
        if all(p.shape[2] <= number for p, number in zip(self.parts, most, strict=True)):
            return None
        parts = []
        for p, number in zip(self.parts, most, strict=True):
            keys = rng.random((p.shape[0], p.shape[2]))
            some = p if p.shape[2] <= number else self.some_items(p, np.sort(np.argsort(keys)[:, :number]))
            parts.append(replace(some, positions=some.positions.astype(p.positions.dtype)))
        return replace(self, parts=tuple(parts))

    def fewer_judges(self, most: int, rng: np.random.Generator) -> OrderingDesign:
        """At most so many rows a task, drawn at random; those that count for nobody come last."""
        if all(p.shape[1] <= most for p in self.parts):
            return self
        parts = []
        for p in self.parts:
            key = np.where(p.counts > 0, rng.random(p.counts.shape), 2.0)
            keep, at = np.sort(np.argsort(key, axis=1)[:, :most], axis=1), np.arange(len(key))[:, None]
            parts.append(
                replace(p, judges=p.judges[at, keep], positions=p.positions[at, keep], counts=p.counts[at, keep])
            )
        return replace(self, parts=tuple(parts))

    def each_task(self, figure: Callable[[Stack], NDArray[Any]]) -> NDArray[Any]:
        """A figure of every task, in the order of tasks; the task is the last axis."""
        order = np.argsort(np.concatenate([p.tasks for p in self.parts]), kind="stable")
        return np.asarray(np.concatenate([figure(p) for p in self.parts], axis=-1)[..., order])

    def drawn(self, weights: Weights) -> Iterator[OrderingDesign]:
        """The panels that weights stand for, one by one, for methods that need them whole.

        A task that counts twice is two tasks; judges who do not count are gone, and so are tasks without any.
        """
        every = [part_weights(p, weights) for p in self.parts]
        once = np.ones(len(self.tasks), np.int64)
        for k in range(weights.draws):
            times = once if weights.tasks is None else weights.tasks[k].astype(np.int64)
            names: list[Hashable] = []
            parts = []
            for p, counts in zip(self.parts, every, strict=True):
                rows = np.repeat(np.arange(len(p.tasks)), times[p.tasks] * counts[k].any(axis=1))
                if len(rows):
                    there = counts[k][rows].any(axis=0)
                    numbers = np.arange(len(names), len(names) + len(rows))
                    names += [self.tasks[t] for t in p.tasks[rows].tolist()]
                    judges, positions = p.judges[rows][:, there], p.positions[rows][:, there]
                    parts.append(Stack(numbers, judges, p.items[rows], positions, counts[k][rows][:, there]))
            yield replace(self, tasks=tuple(names), parts=tuple(parts))


def items_compared(judges: int) -> int:
    """Of how many items of a task so many judges are compared over and over, where there are very many.

    >>> items_compared(3), items_compared(20), items_compared(50)
    (5000, 1250, 1000)
    """
    return int(min(max(EVERY_TWO // judges**2, FEWEST_ITEMS), MOST_ITEMS))


def renumbered(part: Any, *names: str) -> Any:
    """A part whose places are numbered from 1 without gaps; a judge who ranked nothing counts for nobody."""
    columns = {n: dense(p := getattr(part, n)) - (p == 0).any(axis=2, keepdims=True) for n in names}
    return replace(part, **columns, counts=np.where((part.positions > 0).any(axis=2), part.counts, 0))


def sort_of(positions: NDArray[Any]) -> NDArray[Any]:
    """Of every task whether its rankings are complete, without ties, and of one length, as a number."""
    held, last = np.count_nonzero(positions, axis=2), positions.max(axis=2, initial=0)
    whole, strict = (held == positions.shape[2]).all(axis=1), ((last == held) | (held == 0)).all(axis=1)
    return np.asarray(4 * whole + 2 * strict + (held == held[:, :1]).all(axis=1))


def shuffled(positions: NDArray[Any], rng: np.random.Generator, some: NDArray[Any] | None = None) -> NDArray[Any]:
    """Every ranking, or some of them, with its places permuted among the items it holds."""
    key = rng.random(positions.shape, dtype=np.float32)
    key[positions == 0] = 2
    if some is None:
        return _in_order_of(positions, key)
    out = positions.copy()
    out[some] = _in_order_of(positions[some][:, None], key[some][:, None])[:, 0]
    return out


def shuffled_together(
    parts: Sequence[NDArray[Any]], rng: np.random.Generator, some: Sequence[NDArray[Any] | None]
) -> list[NDArray[Any]]:
    """The same of several stacks, one after the other, by the items that each ranking holds."""
    flat = np.concatenate([p.ravel() for p in parts])
    key = rng.random(flat.size, dtype=np.float32)
    held = [p > 0 if own is None else (p > 0) & own[..., None] for p, own in zip(parts, some, strict=True)]
    cell = np.flatnonzero(np.concatenate([own.ravel() for own in held]))
    number = np.concatenate([np.count_nonzero(own, axis=2).ravel() for own in held])
    there = np.arange(number.max(initial=0)) < number[:, None]
    cells = _in_rows(_marked(key.take(cell), cell), there)  # of every ranking in the order of its random numbers
    out = flat.copy()
    out[cells[there] & 2**32 - 1] = _in_rows(flat.take(cell), there)[there]
    ends = np.cumsum([p.size for p in parts])[:-1]
    return [own.reshape(p.shape) for own, p in zip(np.split(out, ends), parts, strict=True)]


def _in_rows(values: NDArray[Any], there: NDArray[Any]) -> NDArray[Any]:
    """Values side by side in rows, each in ascending order; behind them the largest number."""
    rows = np.full(there.shape, np.iinfo(values.dtype).max, values.dtype)
    rows[there] = values
    rows.sort(axis=1)
    return rows


def _marked(key: NDArray[Any], number: NDArray[Any]) -> NDArray[Any]:
    """Random numbers in single precision, which are not below 0, with whole numbers behind their bits: so they are put
    in order together, which is quicker."""
    return np.asarray(key.view(np.uint32).astype(np.int64) << 32 | number)


def _in_order_of(positions: NDArray[Any], key: NDArray[Any]) -> NDArray[Any]:
    """The places of every ranking given to its items by ascending key, the best first; absent items have the last."""
    last, items = np.iinfo(positions.dtype).max, positions.shape[2]
    most = int(np.count_nonzero(positions, axis=2).max(initial=0))  # of longer tails nothing is asked
    places = np.sort(np.where(positions == 0, last, positions), axis=2)[:, :, :most]
    out = np.zeros(positions.shape, positions.dtype)
    out.reshape(-1)[flat(_first_by(key, most), items)] = np.where(places == last, 0, places)
    return out


def _first_by(key: NDArray[Any], most: int) -> NDArray[Any]:
    """So many items of every ranking by ascending key."""
    if key.dtype != np.float32:
        return np.argsort(key, axis=2)[:, :, :most]
    marked = _marked(key, np.arange(key.shape[2]))
    marked.sort(axis=2)
    return np.asarray(marked[:, :, :most] & 2**32 - 1)
