"""The strings that judges accepted for units: what autoPyramid searches for, and who accepted them where."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.summaries.units.model import ContentUnits, Span
from quorate.summaries.units.search import BREAK, Search, words

Array = NDArray[Any]
MODEL = -1  # the judge of what a model says; its item is the number of the contributor


@dataclass(frozen=True, eq=False)
class Accepted:
    """Strings of tasks, and a row for each time one was accepted for a unit, in the order of strings."""

    strings: Sequence[tuple[str, ...]]  # several where a mention is interrupted
    task: Array  # [string] number of the task
    starts: Array  # [string + 1] where its rows begin
    unit: Array  # [row]
    judge: Array  # [row]
    item: Array  # [row]

    def searches(self, table: ContentUnits, items: Sequence[Array], by_words: bool) -> list[tuple[Array, Search]]:
        """For each task its strings' numbers, and where they are in its items."""
        order = np.argsort(self.task, kind="stable")
        ends = np.searchsorted(self.task[order], np.arange(len(items) + 1)).tolist()
        out = []
        for listed, a, b in zip(items, ends, ends[1:], strict=False):
            numbers = order[a:b]
            texts = [table.items[i].text or "" for i in listed.tolist()]
            out.append((numbers, Search(texts, [self.strings[n] for n in numbers.tolist()], by_words)))
        return out


def accepted(
    table: ContentUnits, tasks: Sequence[Hashable], *, peers: bool, models: bool, interrupted: bool, by_words: bool
) -> Accepted:
    """The strings of items (``peers``) and of ``models``; of ``interrupted`` mentions too."""
    number = {t: k for k, t in enumerate(tasks)}
    task = np.array([number.get(u.task, -1) for u in table.units], np.int64)
    rows: list[tuple[int, int, int]] = []
    spans: list[tuple[Span, ...]] = []
    if models:
        for u, unit in enumerate(table.units):
            rows += [(u, MODEL, k) for k in range(len(unit.said))]
            spans += unit.said
    unit_of, judge, item = np.array(rows, np.int64).reshape(-1, 3).T
    if peers:
        said = np.flatnonzero(table.support > 0)
        unit_of, judge, item = (
            np.concatenate([a, b[said]]) for a, b in ((unit_of, table.unit), (judge, table.judge), (item, table.item))
        )
        spans += [table.spans[r] for r in said.tolist()]
    numbers = _Numbers(interrupted, by_words)
    string = np.array(numbers.of(task[unit_of].tolist(), spans), np.int64)
    order = np.argsort(string, kind="stable")
    order = order[np.searchsorted(string[order], 0) :]
    starts = np.searchsorted(string[order], np.arange(len(numbers.known) + 1))
    tasks_of = np.array([t for t, _ in numbers.known], np.int64)
    strings = [s for _, s in numbers.known]
    return Accepted(strings, tasks_of, starts, unit_of[order], judge[order], item[order])


class _Numbers:
    """Numbers of strings by task, in order of first appearance."""

    def __init__(self, interrupted: bool, by_words: bool) -> None:
        self.interrupted, self.by_words = interrupted, by_words
        self.known: dict[tuple[int, tuple[str, ...]], int] = {}

    def of(self, tasks: Sequence[int], spans: Sequence[tuple[Span, ...]]) -> list[int]:
        """The number of what each mention says; -1 of what is not searched for."""
        made: dict[Any, int] = {}
        out = []
        for task, said in zip(tasks, spans, strict=True):
            if len(said) != 1:
                out.append(self._number(task, said))
                continue
            (span,) = said  # nearly all are of one part, and most have been seen before
            key = task, span.text, span.label
            number = made.get(key)
            if number is None:
                number = made[key] = self._number(task, said)
            out.append(number)
        return out

    def _number(self, task: int, spans: Sequence[Span]) -> int:
        """DUCView searched for labels; words are of the text, which has its line ends still."""
        if task < 0 or not spans or (len(spans) > 1 and not self.interrupted):
            return -1
        texts = tuple([words(s.text) if self.by_words else s.noted for s in spans])
        if any(BREAK in t or not t.strip() for t in texts):
            return -1
        return self.known.setdefault((task, texts), len(self.known))
