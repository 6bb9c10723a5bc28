"""A consensus as a panel, to be written in any format."""

from __future__ import annotations

from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.inference.results import Answer
from quorate.panel.kinds import Orderings, Panel, Scores


def as_panel(found: Answer, name: str = "") -> Orderings:
    """The consensus orders as a panel in which every method is a judge, to be written in any format.

    >>> import quorate as q
    >>> panel = q.Orderings.from_orders(["abc", "acb", "bac"])
    >>> as_panel(q.consensus(panel, "copeland")).orders()
    {'copeland': [['a'], ['b'], ['c']]}
    """
    orders: dict[Any, dict[Any, Any]] = {}
    for f in found.findings:
        judge = name or str(f.method).replace(", ", ",")  # search runs have no blanks in names
        for task, ranking in zip(f.keys["task"], f.values, strict=True):
            orders.setdefault(task, {})[judge] = ranking
    return Orderings.from_orders(orders)


def as_grades(found: Answer, judge: str) -> Panel:
    """The consensus of one method as grades, the last place 1: what a qrels file holds."""
    if len(found.findings) != 1:
        raise InputError(f"qrels hold one order, there are {len(found.findings)}.", "name one --method.")
    panel = as_panel(found, judge)
    last = np.repeat(panel.value[panel.starts[1:] - 1].astype(np.int64), np.diff(panel.starts))
    grade = (last - panel.value + 1).astype(float)
    return Scores.build({"task": panel.task, "judge": panel.judge, "item": panel.item, "score": grade})
