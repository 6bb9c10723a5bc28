"""Systems' lists beside the judges' orders: the same tasks, the same items, as stacks."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel.columns import keys
from quorate.panel.kinds import Orderings, Panel
from quorate.panel.stacks import OrderingDesign, Stack, renumbered, shuffled, sort_of, stacks
from quorate.panel.task_design import TaskDesign

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Part:
    """Tasks with equally many judges and items, and the systems' lists on them; a list of zeros is not there."""

    answers: ClassVar[str] = "positions"

    tasks: Array  # (T,) codes of the panel's tasks
    judges: Array  # (T, N) codes of the panel's judges
    positions: Array  # (T, N, n)
    counts: Array  # (T, N)
    lists: Array  # (T, S, n)
    items: Array  # (T, n) numbers of ids

    @property
    def there(self) -> Array:
        """Which systems have a list, ``[task, system]``."""
        return np.asarray(self.lists.any(axis=2))

    @property
    def given(self) -> tuple[Array, ...]:
        """What formulas are given: the judges' positions and the systems'."""
        return self.positions, self.lists

    def codes(self, axis: str) -> Array:
        """Numbers of the judges, items, or systems along an axis of values."""
        if axis == "system":
            return np.where(self.there, np.arange(self.lists.shape[1]), -1)
        return self.judges if axis == "judge" else self.items

    @property
    def shape(self) -> tuple[int, ...]:
        """Tasks, judges, items."""
        return self.positions.shape


@dataclass(frozen=True, eq=False)
class Lists:
    """All systems' lists beside the judges', and what did not fit."""

    parts: list[Part]
    items: tuple[Hashable, ...]  # ids, the panel's first
    undone: list[Hashable]  # tasks that no system has
    unjudged: list[Hashable]  # tasks that no judge has
    unknown: int  # rows of lists whose item no judge of the task has ranked
    rows: int  # rows of lists on judged tasks

    @property
    def judged(self) -> int:
        """Tasks that have both judges and systems."""
        return sum(len(p.tasks) for p in self.parts)

    @property
    def done(self) -> Array:
        """On how many tasks each system has a list, ``[system]``."""
        return np.asarray(np.concatenate([p.there for p in self.parts]).sum(axis=0))


def beside(panel: Orderings, systems: Orderings) -> Lists:
    """Put the systems' lists beside the judges' orders, once for all that ask; of a system's repeats on a task the
    first."""
    known: tuple[Orderings, Lists] | None = systems.__dict__.get("_beside")
    if known is None or known[0] is not panel:
        known = systems.__dict__["_beside"] = panel, _beside(panel, systems)
    return known[1]


def _beside(panel: Orderings, systems: Orderings) -> Lists:
    task = _codes(systems.tasks, panel.tasks)
    number = {item: k for k, item in enumerate(panel.items)}
    item = np.array([number.setdefault(i, len(number)) for i in systems.items], np.int64)
    begin = systems.starts[:-1]
    _, first = np.unique(keys(systems.task, systems.judge)[begin], return_index=True)
    chosen = np.zeros(len(begin), bool)
    chosen[first] = True
    use = np.repeat(chosen, np.diff(systems.starts)) & (task[systems.task.codes] >= 0)
    rows = _Rows(
        task[systems.task.codes[use]],
        systems.judge.codes[use].astype(np.int64),
        item[systems.item.codes[use]],
        systems.value[use].astype(np.int64),
        len(number),
        item,
    )
    unjudged = [t for t, code in zip(systems.tasks, task.tolist(), strict=True) if code < 0]
    listed = np.unique(rows.task)
    if not len(listed):
        some = ", ".join(map(str, panel.tasks[:5]))
        raise InputError("the judgments and the systems have no task in common.", f"tasks that were judged: {some}.")
    parts, unranked = [], 0
    for stack in stacks(panel):
        for part, extra in rows.parts(stack, len(systems.judges), listed):
            parts.append(part)
            unranked += extra
    if unranked == len(rows.task):
        some = ", ".join(map(str, panel.items[:5]))
        raise InputError("no item of the systems' lists was ranked by a judge.", f"the judges ranked {some}, ...")
    unlisted = [panel.tasks[t] for t in np.setdiff1d(np.arange(len(panel.tasks)), listed).tolist()]
    return Lists(parts, tuple(number), unlisted, unjudged, unranked, len(rows.task))


def _codes(ids: Sequence[Hashable], known: Sequence[Hashable]) -> Array:
    """The numbers of ids among the known ones, -1 where there is none."""
    code = {k: c for c, k in enumerate(known)}
    return np.array([code.get(i, -1) for i in ids], np.int64)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of the systems' lists, in the panel's codes."""

    task: Array
    system: Array
    item: Array
    value: Array
    items: int
    known: Array  # [item of the systems] its number

    def _by_name(self, spare: Array, spot: Array) -> tuple[Array, Array]:
        """Items that only systems ranked, of each task in the systems' order: it must not depend on other tasks."""
        place = np.zeros(self.items, np.int64)
        place[self.known] = np.arange(len(self.known))
        order = np.lexsort((place[spare % self.items], spare // self.items))
        number = np.empty(len(order), np.int64)
        number[order] = np.arange(len(order))
        return spare[order], number[spot.ravel()]

    def parts(self, stack: Stack, systems: int, listed: Array) -> Iterator[tuple[Part, int]]:
        """The stack's tasks that systems have, with their lists; grouped by how many items only systems ranked."""
        keep = np.flatnonzero(np.isin(stack.tasks, listed))
        if not len(keep):
            return
        tasks, items = stack.tasks[keep], stack.items[keep]
        place = np.full(int(max(tasks.max(), self.task.max())) + 1, -1, np.int64)
        place[tasks] = np.arange(len(tasks))
        mine = np.flatnonzero(place[self.task] >= 0)
        t = place[self.task[mine]]
        known = (np.arange(len(tasks))[:, None] * self.items + items).ravel()  # ascending, task by task
        key = t * self.items + self.item[mine]
        at = np.minimum(np.searchsorted(known, key), len(known) - 1)
        found = known[at] == key
        column = at - t * items.shape[1]
        # Items that only systems ranked get columns after the others.
        spare, spot = self._by_name(*np.unique(key[~found], return_inverse=True))
        spare_of = spare // self.items
        extra = np.bincount(spare_of, minlength=len(tasks))
        column[~found] = items.shape[1] + spot.ravel() - (np.cumsum(extra) - extra)[spare_of][spot.ravel()]
        for size in np.unique(extra).tolist():
            group = np.flatnonzero(extra == size)
            inside = np.isin(t, group)
            row = np.searchsorted(group, t[inside])
            lists = np.zeros((len(group), systems, items.shape[1] + size), np.int32)
            lists[row, self.system[mine][inside], column[inside]] = self.value[mine][inside]
            more = spare[np.isin(spare_of, group)].reshape(len(group), size) % self.items
            yield (
                Part(
                    tasks[group],
                    stack.judges[keep][group],
                    np.pad(stack.positions[keep][group], ((0, 0), (0, 0), (0, size))),
                    stack.counts[keep][group],
                    lists,
                    np.concatenate([items[group], more], axis=1),
                ),
                int((~found[inside]).sum()),
            )


@dataclass(frozen=True, eq=False)
class ListDesign(TaskDesign):
    """Systems' lists beside the judges' orders."""

    kind: ClassVar[str] = "orderings"

    parts: tuple[Part, ...]

    @property
    def work(self) -> int:
        """Every list's and judge's pairs of items."""
        return sum(int(p.lists.size) * p.positions.shape[1] * p.lists.shape[2] for p in self.parts)

    def sort_of(self, part: Any) -> Array:
        """Whether the judges' orders, and the systems' lists, are complete, without ties, and of one length."""
        return np.asarray(8 * sort_of(part.positions) + sort_of(part.lists))

    def some_items(self, part: Any, chosen: Array) -> Any:
        """The part with some items, whose places are renumbered."""
        return renumbered(super().some_items(part, chosen), "positions", "lists")

    def alike_by_chance(self) -> tuple[ListDesign, Array | None]:
        """Lists of the same items at the same places, in whatever order, are alike once they are permuted."""
        known = [hashlib.blake2b() for _ in range(self.parts[0].lists.shape[1])]
        for p in self.parts:
            for mark, lists in zip(known, p.lists.transpose(1, 0, 2), strict=True):
                mark.update(np.packbits(lists > 0).tobytes() + np.sort(lists, axis=1).tobytes())
        number: dict[bytes, int] = {}
        which = np.array([number.setdefault(mark.digest(), len(number)) for mark in known])
        if len(number) == len(known):
            return self, None
        first = np.unique(which, return_index=True)[1]
        parts = tuple(replace(p, lists=p.lists[:, first]) for p in self.parts)
        return replace(self, parts=parts, systems=tuple(self.systems[k] for k in first.tolist())), which

    def permuted(self, rng: np.random.Generator, copies: int = 1) -> ListDesign:
        """Chance: systems' places permuted among the items of their lists; the judges stay as they are."""
        return self.copied(copies, lambda lists: shuffled(lists, rng), "lists")

    def rechosen(self, rng: np.random.Generator, copies: int = 1) -> ListDesign:
        """The same where only membership counts: as many items, any of the task's."""
        return self.copied(copies, lambda lists: rng.permuted(lists, axis=2), "lists")


def list_design(panel: Orderings, systems: Panel, seed: int = 0) -> ListDesign:
    """The design of a panel and of systems' lists on its tasks."""
    if not isinstance(systems, Orderings):
        raise InputError(f"the systems are {systems.kind}.", "judges' orderings need systems' lists: orderings too.")
    return of_lists(panel, systems, beside(panel, systems), seed)


def of_lists(panel: Orderings, systems: Orderings, lists: Lists, seed: int = 0) -> ListDesign:
    """The design of lists that were put beside the judges' orders."""
    listed = np.sort(np.concatenate([p.tasks for p in lists.parts]))
    parts = tuple(replace(p, tasks=np.searchsorted(listed, p.tasks)) for p in lists.parts)
    names = tuple(panel.tasks[t] for t in listed.tolist())
    return ListDesign(names, panel.judges, lists.items, parts, systems=systems.judges, seed=seed)


def with_lists(panel: Orderings, systems: Panel, seed: int = 0, absent: str | None = None) -> OrderingDesign:
    """The design of a panel with that of systems' lists on its tasks beside it."""
    return replace(OrderingDesign.of(panel, absent), beside=list_design(panel, systems, seed))
