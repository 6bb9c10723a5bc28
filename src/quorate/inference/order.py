"""An answer with its rows of tasks in the order of the file: every answer is computed in the order of names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import pairwise

from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel


def in_order(answer: Answer, panel: Panel) -> Answer:
    """The answer with its rows of tasks in the panel's own order: that of the file."""
    number = {task: k for k, task in enumerate(panel.tasks)}
    return replace(answer, findings=tuple(_rows_in_order(f, number) for f in answer.findings))


def _rows_in_order(found: Finding, number: Mapping[Hashable, int]) -> Finding:
    tasks = [number.get(task, len(number)) for task in found.keys.get("task", ())]
    if len(tasks) != len(found.values) or all(a <= b for a, b in pairwise(tasks)):
        return found
    order = sorted(range(len(tasks)), key=tasks.__getitem__)
    values, *columns = (
        [column[i] for i in order] for column in (found.values, *found.keys.values(), *found.details.values())
    )
    keys = dict(zip(found.keys, columns, strict=False))
    details = dict(zip(found.details, columns[len(keys) :], strict=True))
    return replace(found, keys=keys, values=values, details=details)
