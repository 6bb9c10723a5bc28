"""Nested designs: queries in topics, tasks in sets, or each judge's answers to the wordings of one topic.

What a task belongs to is a label column that is the same in all its rows, or told by a map. Means then are means of
means, and what is drawn for an interval is the outermost unit with all that is in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from quorate.errors import InputError, UnknownId, suggest
from quorate.panel.base import Panel
from quorate.panel.columns import Coded, encode
from quorate.panel.design import Design

P = TypeVar("P", bound=Panel)
SHOWN = 5  # tasks named in a message


def nested(panel: P, path: str | Sequence[str], unit_of: Mapping[Any, Any] | None = None) -> P:
    """The panel with its tasks nested: ``path`` names label columns, the outermost first: "topic/query".

    The last name may be the tasks' own (task, query). ``unit_of`` says of each task which unit of the first column it
    belongs to, where the panel has no such column; tasks that it does not name are left aside, which a note says.

    >>> from quorate import Orderings
    >>> orders = {("q1", "ann"): "ab", ("q1", "bob"): "ab", ("q2", "ann"): "ba", ("q2", "bob"): "ab"}
    >>> rows = [(t, j, i, k) for (t, j), order in orders.items() for k, i in enumerate(order, 1)]
    >>> columns = dict(zip(("task", "judge", "item", "position"), zip(*rows), strict=True))
    >>> nested(Orderings.build(columns), "topic", {"q1": "flu", "q2": "flu"}).nesting
    ('topic',)
    """
    names = [n.strip() for n in path.split("/")] if isinstance(path, str) else list(path)
    if unit_of is not None:
        panel = _mapped(panel, names[0], unit_of)
    if len(names) > 1 and names[-1] not in panel.labels:  # what the tasks are called
        names = names[:-1]
    for name in names:
        if name not in panel.labels:
            raise UnknownId(f"no column '{name}' to nest by.", suggest(name, panel.labels, "Columns"))
        units_of(panel, name)
    return replace(panel, nesting=tuple(names))


def _mapped(panel: P, name: str, unit_of: Mapping[Any, Any]) -> P:
    """The panel with a label column made of a map of its tasks; what the map leaves out is left aside."""
    known = {str(t): str(u) for t, u in unit_of.items()}
    there = [t for t in panel.tasks if str(t) in known]
    if not there:
        hint = (
            f"the panel's tasks: {', '.join(map(str, panel.tasks[:SHOWN]))}; the map's: {', '.join(list(known)[:5])}."
        )
        raise InputError("the map names none of the panel's tasks.", hint)
    gone = len(panel.tasks) - len(there)
    kept = panel.select(tasks=there) if gone else panel
    column = encode([known[str(t)] for t in kept.tasks])
    codes = Coded(column.ids, column.codes[kept.task.codes])
    note = (f"{gone:,} of {len(panel.tasks):,} tasks are in no {name} of the map and left aside",) if gone else ()
    return replace(kept, labels={**kept.labels, name: codes}, notes=(*kept.notes, *note))


def units_of(panel: Panel, name: str) -> dict[Hashable, Hashable]:
    """The unit that each task belongs to; a task in two of them is an error."""
    column = panel.labels[name]
    pairs = np.unique(np.stack([panel.task.codes.astype(np.int64), column.codes.astype(np.int64)]), axis=1)
    out: dict[Hashable, Hashable] = {}
    for t, u in pairs.T.tolist():
        task, unit = panel.tasks[t], column.ids[u]
        if unit is None:
            raise InputError(f"task '{task}' has no {name}.", "every row of a nested design says where it belongs.")
        if task in out:
            hint = f"a task belongs to one {name}: give tasks of their own names, or nest by another column."
            raise InputError(f"task '{task}' is in {name} '{out[task]}' and in '{unit}'.", hint)
        out[task] = unit
    return out


def among_tasks(panel: P) -> P:
    """The same answers turned: of each judge, the answers to the tasks of one unit are held against one another.

    Three wordings of one question, given to twelve engines: the wordings become the judges, each engine in each topic a
    task, nested in the topic. So agreement says how steady the engines are, topic by topic, on average over engines.
    """
    if not panel.nesting:
        raise InputError("among=tasks needs a nested design.", "say which tasks belong together: nested='topic/task'.")
    outer = panel.nesting[0]
    unit, judge = panel.labels[outer].values(), panel.judge.values()
    raw = {**panel.columns(), "task": [f"{u} {j}" for u, j in zip(unit, judge, strict=True)]}
    raw["judge"] = panel.task.values()
    raw[_free("judge", raw)] = judge
    turned = f"judges here are the tasks of a {outer}, and a task is what one judge said in one {outer} (among tasks)"
    made = type(panel).build(raw, notes=(*panel.notes, turned))
    return replace(made, absent=panel.absent, reading=panel.reading, nesting=(outer,))


def _free(name: str, columns: Mapping[str, Any]) -> str:
    """A name for a label column that is not in use."""
    name = f"of_{name}"
    while name in columns:
        name += "_"
    return name


D = TypeVar("D", bound=Design)


def with_nesting(design: D, panel: Panel) -> D:
    """The design with the units that its tasks belong to."""
    if not panel.nesting:
        return design
    levels = [units_of(panel, name) for name in panel.nesting]
    paths = {task: tuple(of[task] for of in levels) for task in levels[0]}
    return replace(design, nesting=paths, nested_by=panel.nesting)
