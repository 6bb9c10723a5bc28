"""A report on files that do not fit into memory: figures of all tasks, and what is shown one by one of some.

What a scan can answer is of all tasks. What a page shows task by task, and what needs all rows at once, is of tasks
drawn at random, the same on which chance is estimated; notes say so.
"""

from __future__ import annotations

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
class Beyond:
    """A scan, what is held against it, and some of its tasks in memory."""

    scan: Any
    systems: Any
    panel: Panel
    lists: Panel | None
    every: int  # tasks

    @classmethod
    def needed(cls, scan: Any, systems: Any, seed: int) -> Beyond | None:
        """Of a scan of very many tasks that do not fit; an error where even some of them do not."""
        if not is_scan(scan) or scan.fits("report") or not scan.sampled:
            return None
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
        from quorate import verbs as ask

        beside = (self.systems,) if question == "quality" and self.systems is not None else ()
        every, told = methods or table.methods(self.scan.kind, question, default=True), Options(**options)
        chosen = [m for m in every if self.scan.answers(question, [m], told, beside)]
        if not chosen or not self.scan.answers(question, chosen, told, beside):
            return None
        left = [m for m in every if m not in chosen]
        asked = methods if not left and not methods else chosen
        found: Answer = getattr(ask, question)(self.scan, *beside, *asked, **options)
        there = set(self.panel.tasks)
        shown = tuple(_some_rows(f, there) for f in found.findings)
        notes = [f"{question}: figures are of all {self.every:,} tasks, rows and pictures of {self.some}"]
        notes += [f"{listed([str(m) for m in left])} left out: all rows are needed for it"] if left else []
        return replace(found, findings=shown, notes=(*found.notes, *notes))


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
