"""An answer with its rows of tasks in the order of the file: every answer is computed in the order of names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import repeat

import numpy as np

from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel


def in_order(answer: Answer, panel: Panel) -> Answer:
    """The answer with its rows of tasks in the panel's own order: that of the file."""
    number = {task: k for k, task in enumerate(panel.tasks)}
    return replace(answer, findings=tuple(_rows_in_order(f, number) for f in answer.findings))


def _rows_in_order(found: Finding, number: Mapping[Hashable, int]) -> Finding:
    named = found.keys.get("task", ())
    tasks = np.fromiter(map(number.get, named, repeat(len(number))), np.int64, len(named))
    if len(tasks) != len(found.values) or (tasks[1:] >= tasks[:-1]).all():
        return found
    order = np.argsort(tasks, kind="stable").tolist()
    values, *columns = (
        [column[i] for i in order] for column in (found.values, *found.keys.values(), *found.details.values())
    )
    keys = dict(zip(found.keys, columns, strict=False))
    details = dict(zip(found.details, columns[len(keys) :], strict=True))
    return replace(found, keys=keys, values=values, details=details)
