"""What a judge holds that most do not: scores that most of the others lie above, or below; labels most do not give."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from quorate.panel.kinds import Scores
from quorate.panel.units import Units, by_criterion


def compared(panel: Scores, judge: Hashable) -> int:
    """How many of the judge's scores are of items that somebody else scored too."""
    code = panel.judges.index(judge)
    return sum(int((u.held[u.unit[u.judge == code]] > 1).sum()) for u in by_criterion(panel))


def dissent(panel: Scores, judge: Hashable) -> list[dict[str, Any]]:
    """The judge's scores with more than half of the others on one side of them, farthest from the others' mean first.

    Labels without an order differ where more than half of the others agree on another one.

    >>> panel = Scores.build({"judge": ["a", "b", "c"], "item": ["x"] * 3, "score": [1, 4, 5]})
    >>> dissent(panel, "a")
    [{'task': 'all', 'item': 'x', 'own': 1.0, 'others': 4.5, 'difference': -3.5, 'above': 2, 'below': 0, 'judges': 2}]
    """
    code, named = panel.judges.index(judge), bool(panel.scale)
    rows = [row for u in by_criterion(panel) for row in (_labels(panel, u, code) if named else _numbers(u, code))]
    return sorted(rows, key=lambda r: (-abs(r.get("difference", r.get("share", 0.0))), str(r["task"]), str(r["item"])))


def _numbers(units: Units, code: int) -> list[dict[str, Any]]:
    out = []
    for own, where, others, counts in _cells(units, code):
        above, below, judges = (int(counts[use].sum()) for use in (others > own, others < own, others == others))
        if 2 * max(above, below) > judges:
            mean = float(np.average(others, weights=counts))
            out.append({**where, "own": own, "others": mean, "difference": own - mean, "above": above, "below": below})
            out[-1]["judges"] = judges
    return out


def _labels(panel: Scores, units: Units, code: int) -> list[dict[str, Any]]:
    out = []
    for own, where, others, counts in _cells(units, code):
        values, place = np.unique(others, return_inverse=True)
        votes = np.bincount(place.ravel(), counts)
        best, judges = int(np.argmax(votes)), int(counts.sum())
        if values[best] != own and 2 * votes[best] > judges:
            row = {"own": panel.scale[int(own)], "others": panel.scale[int(values[best])]}
            out.append({**where, **row, "share": float(votes[best] / judges), "judges": judges})
    return out


def _cells(units: Units, code: int) -> list[tuple[float, dict[str, Any], Any, Any]]:
    """The judge's value of every unit that others scored too, where it is, and the others' values and counts."""
    count = np.ones(len(units)) if units.count is None else units.count
    starts = np.searchsorted(units.unit, np.arange(units.size + 1))
    out = []
    for at in np.flatnonzero(units.judge == code).tolist():
        unit = int(units.unit[at])
        rows = np.arange(starts[unit], starts[unit + 1])
        rest = count[rows] - (rows == at)
        if (rest > 0).any():
            where: dict[str, Any] = {
                "task": units.tasks[int(units.task[unit])],
                "item": units.items[int(units.item[unit])],
            }
            if units.criterion is not None:
                where["criterion"] = units.criterion
            out.append((float(units.value[at]), where, units.value[rows][rest > 0], rest[rest > 0]))
    return out
