"""The value most judges gave: the consensus of labels, and of scores where a mean makes no sense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Interval
from quorate.inference.results import Answer, Finding, Options, Overall
from quorate.kernels import reliability as kernel
from quorate.kernels.binomial import wilson
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion, from_table  # noqa: F401  (from_table: the example)
from quorate.scores.averages import METHODS, Agreed, consensus_method
from quorate.scores.systems import expanded
from quorate.table import Method
from quorate.words.wording import listed

__all__ = ["answer", "majority"]

Array = NDArray[Any]


@consensus_method("majority")
def majority(units: Units, **beside: Any) -> Agreed:
    """The score that most judges gave; undefined where two were given equally often.

    The only consensus of labels, which have no mean. Scores that hardly ever repeat have no majority.

    >>> majority(from_table([[1, 1], [1, 2], [5, None]])).values.tolist()
    [1.0, nan]
    """
    values, _ = most_given(units)
    tied = int(np.isnan(values).sum())
    some = "the only unit has" if units.size == 1 else f"{tied:,} of {units.size:,} units have"
    notes = (f"{some} no value that more judges gave than any other",) if tied else ()
    return Agreed(values, {}, notes)


METHODS["majority"] = majority


def most_given(units: Units) -> tuple[Array, Array]:
    """Of each unit the value given most often, NaN where there are two such, and how often it was given."""
    known, code = kernel.codes(units.value)
    kinds = max(len(known), 1)
    mass = np.ones(len(units)) if units.count is None else units.count
    cell, place = np.unique(units.unit * np.int64(kinds) + code, return_inverse=True)
    held = np.bincount(place.ravel(), mass, len(cell))
    unit = cell // kinds
    top = np.zeros(units.size)
    np.maximum.at(top, unit, held)
    best = held >= top[unit] - 1e-12
    values = np.full(units.size, np.nan)
    values[unit[best]] = known[cell[best] % kinds] if len(known) else np.nan
    values[np.bincount(unit[best], minlength=units.size) != 1] = np.nan
    return values, top


def answer(panel: Scores, methods: Sequence[Method], options: Options, notes: Sequence[str]) -> Answer:
    """The label of every unit of a panel of labels; overall the share of units that have one."""
    parts = [expanded(u) for u in by_criterion(panel) if len(u)]
    findings = tuple(_finding(panel, parts, m, options) for m in methods)
    first = findings[0].overall if findings else ()
    said = [_said(o) for o in first[:6]]
    return Answer(
        "scores",
        "consensus",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        findings,
        tuple(said) or ("There are no scores.",),
        (*panel.notes, *notes),
    )


def _said(o: Overall) -> str:
    """How many units have a label, and which is the most frequent."""
    on = f" on {o.labels['criterion']}" if "criterion" in o.labels else ""
    decided, units, times = o.labels["decided"], o.labels["units"], o.labels["times"]
    some = "The only unit" if units == 1 else f"{decided:,} of {units:,} units"
    if not decided:
        return f"No unit{on} has a label that more judges gave than any other."
    often = [f"'{label}'" for label, number in o.labels["labels"].items() if number == times]
    how = f"{listed(often)} ({times:,}{' each' if len(often) > 1 else ''})"
    has = "has" if decided == 1 else "have"
    return f"{some}{on} {has} a label that more judges gave than any other, most often {how}."


def _finding(panel: Scores, parts: Sequence[Units], method: Method, options: Options) -> Finding:
    keys: dict[str, list[Any]] = {"task": [], "item": []}
    if any(u.criterion is not None for u in parts):
        keys["criterion"] = []
    values: list[Any] = []
    details: dict[str, list[Any]] = {"judges": [], "votes": []}
    overall = []
    for units in parts:
        found, top = most_given(units)
        names = [None if np.isnan(v) else panel.scale[int(v)] for v in found.tolist()]
        values += names
        keys["task"] += [units.tasks[t] for t in units.task.tolist()]
        keys["item"] += [units.items[i] for i in units.item.tolist()]
        if "criterion" in keys:
            keys["criterion"] += [units.criterion] * units.size
        details["judges"] += units.per_unit.tolist()
        details["votes"] += top.astype(int).tolist()
        overall.append(_overall(units, names, options))
    return Finding(method, keys, values, details, tuple(overall))


def _overall(units: Units, names: Sequence[Any], options: Options) -> Overall:
    """The share of units with a majority, and the label that is it most often."""
    given = [n for n in names if n is not None]
    often = {n: given.count(n) for n in sorted(set(given), key=str)}
    top = max(often, key=lambda n: often[n], default=None)
    labels: dict[str, Any] = {} if units.criterion is None else {"criterion": units.criterion}
    labels |= {"units": units.size, "decided": len(given), "most_common": top, "times": often.get(top, 0)}
    labels["labels"] = often
    return Overall(len(given) / units.size, _share(len(given), units.size, options.level), labels=labels)


def _share(hits: int, of: int, level: float) -> Interval | None:
    ends = wilson(hits, of, level)
    return None if ends is None else Interval(*ends, level, "Wilson", 0)
