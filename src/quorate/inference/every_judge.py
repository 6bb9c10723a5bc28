"""Every one of very many judges of one task: figures from what all add up to and from each judge's own answers.

Of methods that declare so (``by_counts=``); those that hold a judge against every other are told of some judges drawn
at random (:mod:`~quorate.inference.drawn_judges`). One of so many hardly moves what all add up to, so that a figure has
no interval over other judges, and nobody is singled out beyond a method's own rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.drawn_judges import drawn_panel
from quorate.inference.estimate import Estimate
from quorate.inference.findings import summary, worst_first
from quorate.inference.judge_groups import ITEMS, answered, missing_of
from quorate.inference.results import Finding
from quorate.panel.coefficient import ByCounts, by_counts
from quorate.panel.design import Design, Measured
from quorate.panel.kinds import Panel
from quorate.table import Method

Array = NDArray[Any]


def told_of_every_judge(question: str, methods: Sequence[Method]) -> bool:
    """Whether all methods that were asked for tell a judge from counts and the judge's own answers."""
    return question == "judges" and bool(methods) and all(by_counts(m) is not None for m in methods)


def needed_of(method: Method, gaps: bool, tied: bool) -> tuple[str, ...] | None:
    """The sections of numbers that are counted; None where no sum will do, or there is no such method."""
    adds = by_counts(method)
    return None if adds is None else adds.needs(method, gaps, tied)


def of_every_judge(methods: Sequence[Method], panel: Panel, designs: Sequence[Design]) -> bool:
    """Whether a panel has so many judges that these methods are told from counts."""
    if not told_of_every_judge("judges", methods) or len(designs) != 1:
        return False
    (design,) = designs
    if panel.elsewhere is not None:
        return hasattr(panel.elsewhere, "each_judge")
    if drawn_panel(panel, lambda: designs) is None:
        return False
    found = answered(design, design.parts[0], 0)
    few = found.answers.shape[1] <= ITEMS
    return few and all(needed_of(m, found.gaps, found.tied) is not None for m in methods)


def every_judge(method: Method, design: Any) -> Finding:
    """A figure for each judge, the worst first; of judges in files as each block of them tells."""
    elsewhere = getattr(design, "elsewhere", None)
    names, each = elsewhere.each_judge(method) if elsewhere is not None else _in_memory(method, design)
    found: Measured = _declared(method).of(each, **method.parameters)
    return _finding(method, design.tasks[0], names, found)


def _in_memory(method: Method, design: Any) -> tuple[Sequence[Any], Array]:
    """The names of all judges, and what is told of each, ``[judge, number]``."""
    part, adds = design.parts[0], _declared(method)
    found = answered(design, part, 0)
    names = adds.needs(method, found.gaps, found.tied) or ()
    group = np.zeros(len(found.answers), np.int64)
    sums = adds.sums(found.answers, group, 1, names, missing=missing_of(method))[0]
    where = adds.sections(found.answers.shape[1], names)
    each = adds.each(found.answers, sums, where, **method.parameters)
    return [design.judges[k] for k in part.judges[0].tolist()], each


def _declared(method: Method) -> ByCounts:
    found = by_counts(method)
    if found is None:
        raise ValueError(f"{method} is not told from counts.")
    return found


def _finding(method: Method, task: Any, judges: Sequence[Any], found: Measured) -> Finding:
    """The rows and the figures of all judges."""
    values = found.values[0].tolist()
    details = {n: np.asarray(column)[0].tolist() for n, column in found.details.items()}
    overall = []
    for k, (judge, value) in enumerate(zip(judges, values, strict=True)):
        told = summary(method, {n: (column[k],) for n, column in details.items()})
        overall.append(Estimate(value, labels={"judge": judge, "tasks": 1, "flag": None, **told}, n=1))
    overall.sort(key=lambda e: worst_first(method, float(e.value)))
    keys: dict[str, Sequence[Any]] = {"task": [task] * len(judges), "judge": list(judges)}
    return Finding(method, keys, values, details, tuple(overall), about=({"every_judge": len(judges)},))
