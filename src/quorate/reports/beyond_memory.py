"""A report on files that do not fit into memory: figures of all, and what is shown one by one of some.

What a scan can answer is of all tasks, or of all judges of one huge task, with the figures of the question's own
command. What a page shows row by row, and what needs all rows at once, is of some drawn at random, the same as in
memory; notes say so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import table
from quorate.inference.results import Answer, Finding, Options
from quorate.panel.base import is_scan, listed
from quorate.panel.kinds import Panel
from quorate.table import Method

TASK_BY_TASK = ("orderings", "groupings")  # kinds whose consensus is of each task


@dataclass(frozen=True, eq=False)
class Beyond(ABC):
    """A scan, what is held against it, and some of its rows in memory."""

    scan: Any
    systems: Any
    panel: Panel  # whose rows are shown
    lists: Panel | None

    @property
    @abstractmethod
    def some(self) -> str:
        """How much is shown, in words."""

    @property
    def whole(self) -> Panel:
        """What sentences are about."""
        return self.panel

    @abstractmethod
    def answer(self, question: str, methods: Sequence[Method], options: Mapping[str, Any]) -> Answer | None:
        """What the scan says of all; None where what is shown has to do."""

    @abstractmethod
    def notes(self, question: str, answer: Answer) -> tuple[str, ...]:
        """What an answer is of, and what the pictures beside it are of."""

    def _ask(self, question: str, methods: Sequence[Method], options: Mapping[str, Any]) -> Answer:
        from quorate import verbs as ask

        found: Answer = getattr(ask, question)(self.scan, *self._beside(question), *methods, **options)
        return found

    def _beside(self, question: str) -> tuple[Any, ...]:
        return (self.systems,) if question == "quality" and self.systems is not None else ()


@dataclass(frozen=True, eq=False)
class ManyTasks(Beyond):
    """Very many tasks, of which some are in memory."""

    every: int  # tasks

    @classmethod
    def of(cls, scan: Any, systems: Any, seed: int) -> ManyTasks:
        """With as many tasks as chance is estimated on; an error where even these do not fit."""
        panel = scan.some_tasks_in_memory(seed)
        there = set(panel.tasks)
        if is_scan(systems):
            lists = systems.tasks_in_memory([t for t in systems.survey.tasks if t in there])
        else:
            lists = systems and systems.select(tasks=[t for t in systems.tasks if t in there])
        return cls(scan, systems, panel, lists, len(scan.survey.tasks))

    @property
    def some(self) -> str:
        """How many tasks are shown, in words."""
        return f"{len(self.panel.tasks):,} of {self.every:,} tasks, drawn at random"

    def answer(self, question: str, methods: Sequence[Method], options: Mapping[str, Any]) -> Answer | None:
        """What the scan says of all tasks, with the rows of those that are shown; None where it cannot."""
        if question == "trust" or (question == "consensus" and self.scan.kind in TASK_BY_TASK):
            return None
        beside = self._beside(question)
        every, told = methods or table.methods(self.scan.kind, question, default=True), Options(**options)
        chosen = [m for m in every if self.scan.answers(question, [m], told, beside)]
        if not chosen or not self.scan.answers(question, chosen, told, beside):
            return None
        left = [m for m in every if m not in chosen]
        found = self._ask(question, methods if not left and not methods else chosen, options)
        there = set(self.panel.tasks)
        shown = tuple(_some_rows(f, there) for f in found.findings)
        notes = [f"{listed([str(m) for m in left])} left out: all rows are needed for it"] if left else []
        return replace(found, findings=shown, notes=(*found.notes, *notes))

    def notes(self, question: str, answer: Answer) -> tuple[str, ...]:
        """Whether figures are of all tasks."""
        if answer.panel is None or answer.panel.elsewhere is None:
            return (f"{question}: all figures are of {self.some}",)
        return (f"{question}: figures are of all {self.every:,} tasks, rows and pictures of {self.some}",)


@dataclass(frozen=True, eq=False)
class ManyJudges(Beyond):
    """One task of very many judges, of whom some are in memory; answers are those of the questions' own commands."""

    facade: Panel

    @classmethod
    def of(cls, scan: Any, systems: Any, absent: str | None) -> ManyJudges:
        """With as many judges as are drawn where each is held against the others."""
        rows = scan.judge_rows(absent)
        lists = systems.whole("systems' lists are read at once") if is_scan(systems) else systems
        return cls(scan, lists, rows.drawn_panel, lists, rows.panel)

    @property
    def some(self) -> str:
        """How many judges are shown, in words."""
        return f"{len(self.panel.judges):,} of {len(self.facade.judges):,} judges, drawn at random"

    @property
    def whole(self) -> Panel:
        """All judges, without their rows."""
        return self.facade

    def answer(self, question: str, methods: Sequence[Method], options: Mapping[str, Any]) -> Answer | None:
        """What the scan says by those methods that have room; an error where none has."""
        told, beside = Options(**options), self._beside(question)
        every = methods or table.methods(self.scan.kind, question, default=True)
        usual, left = self.scan.usual(question, every, told, beside)
        kept = [m for m in usual if self.scan.answers(question, [m], told, beside)]
        while kept and not self.scan.answers(question, kept, told, beside):
            kept.pop()
        if len(kept) == len(every) or not kept:
            return self._ask(question, methods, options)
        gone = listed([str(m) for m in usual if m not in kept])
        notes = [*([left] if left else []), *([f"{gone}: left out, for want of memory"] if gone else [])]
        found = self._ask(question, kept, options)
        return replace(found, notes=(*found.notes, *notes))

    def notes(self, question: str, answer: Answer) -> tuple[str, ...]:
        """Nothing: an answer says itself what is of some judges, and so do pictures."""
        return ()


def beyond_memory(scan: Any, systems: Any, options: Options) -> Beyond | None:
    """Of a scan that does not fit, where some of its tasks or judges can stand for all; else None."""
    if not is_scan(scan) or scan.fits("report") or not scan.sampled:
        return None
    if scan.of_very_many_judges:
        return ManyJudges.of(scan, systems, options.absent)
    return ManyTasks.of(scan, systems, options.seed)


def _some_rows(finding: Finding, tasks: set[Hashable]) -> Finding:
    """A finding with the rows of some tasks."""
    if "task" not in finding.keys:
        return finding
    keep = np.flatnonzero(np.fromiter((t in tasks for t in finding.keys["task"]), bool, len(finding.keys["task"])))
    if len(keep) == 0:  # one row for all tasks together
        return finding

    def taken(column: Sequence[Any]) -> Sequence[Any]:
        return column[keep].tolist() if isinstance(column, np.ndarray) else [column[k] for k in keep.tolist()]

    keys, details = ({n: taken(c) for n, c in of.items()} for of in (finding.keys, finding.details))
    return replace(finding, keys=keys, values=taken(finding.values), details=details)
