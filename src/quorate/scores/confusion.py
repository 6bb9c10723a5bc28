"""Labels: which of them judges agree on, which they confuse, and what each judge says where others say another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units, by_criterion

Array = NDArray[Any]


def meetings(units: Units, labels: int) -> tuple[Array, Array]:
    """How often one judge says the first label where another says the second, ``[label, label]``, and how often each is
    said; every judge of a unit meets the others with a weight of 1 in all."""
    times = _times(units, labels)
    held = times.sum(axis=1)
    scaled = times * np.divide(1.0, held - 1, out=np.zeros(units.size), where=held > 1)[:, None]
    met = scaled.T @ times - np.diag(scaled.sum(axis=0))  # nobody meets himself
    return met, (times * (held > 1)[:, None]).sum(axis=0)


def category_agreement(panel: Scores, core: Any) -> list[dict[str, Any]]:
    """Of every label how often it was said, and how often another judge of the unit says the same (specific agreement).

    With its interval over units, tasks or judges; the least agreed on first.
    """
    out = []
    for design in ScoreDesign.of(panel) if panel.scale else ():
        units, over = design.scores, core.over(design, "tasks", "items", "judges", usual=design.over)
        same, said = _same(units, len(panel.scale))
        total, alike = said.sum(axis=0), same.sum(axis=0)
        drawn = None
        without = _without_each(units, len(panel.scale)) if over == "judges" else None
        if over != "judges":
            draws = core.budget.draws(units.size * (2 * len(panel.scale) + 8))
            often = design.often(core.bootstrap(design, over, draws, core.stream("labels", units.criterion)))
            drawn = quotient(often @ same, often @ said)
        for k in np.argsort(quotient(alike, total), kind="stable").tolist():
            if total[k] > 0:
                value, there = float(alike[k] / total[k]), said[:, k] > 0
                number = len(np.unique(units.task[there])) if over == "tasks" else int(there.sum())
                ends = core.interval_of_share(value, drawn[:, k], over, number) if drawn is not None else None
                if without is not None:
                    ends = core.jackknife(value, without[:, k], np.ones(len(without)), over, (0.0, 1.0))
                row = {**design.labels, "label": panel.scale[k], "said": int(total[k]), "value": value}
                out.append({**row, "interval": ends and ends.ends})
    return out


def _without_each(units: Units, labels: int) -> Array:
    """How often another judge says the same of every label, without each judge who gave one, ``[judge, label]``."""
    same, said = (part.sum(axis=0) for part in _same(units, labels))
    times, out = _times(units, labels), []
    for rows in units.by_judge():
        if len(rows):
            there, place = np.unique(units.unit[rows], return_inverse=True)
            left = times[there]
            np.subtract.at(left, (place.ravel(), units.value[rows].astype(np.int64)), units.mass[rows])
            gone, stays = _meetings(times[there]), _meetings(left)
            parts = (of + (b - a).sum(axis=0) for of, a, b in zip((same, said), gone, stays, strict=True))
            out.append(quotient(*parts))
    return np.array(out)


def _same(units: Units, labels: int) -> tuple[Array, Array]:
    """Of every unit and label how many of its judges give it, where there are two, and meet who gives it too."""
    return _meetings(_times(units, labels))


def _times(units: Units, labels: int) -> Array:
    """How many judges give each label, ``[unit, label]``."""
    cell = units.unit * labels + units.value.astype(np.int64)
    return np.bincount(cell, units.mass, units.size * labels).reshape(units.size, labels)


def _meetings(times: Array) -> tuple[Array, Array]:
    """How many give each label where there are two judges, and meet who gives it too, ``[unit, label]``."""
    held = times.sum(axis=1, keepdims=True)
    return np.where(held > 1, times * (times - 1) / np.maximum(held - 1, 1), 0.0), np.where(held > 1, times, 0.0)


def confused(panel: Scores) -> list[dict[str, Any]]:
    """Every two labels that judges gave to one unit, the most often confused first.

    ``value`` is the share of answers with either label beside which another judge says the other one.
    """
    out = []
    for units in by_criterion(panel) if panel.scale else ():
        met, said = meetings(units, len(panel.scale))
        where = {} if units.criterion is None else {"criterion": units.criterion}
        pairs = [(a, b) for a, b in zip(*np.triu_indices(len(said), 1), strict=True) if met[a, b] > 0]
        rows: list[dict[str, Any]] = [
            {
                **where,
                "label": panel.scale[a],
                "other_label": panel.scale[b],
                "value": float(2 * met[a, b] / (said[a] + said[b])),
                "of_label": float(met[a, b] / said[a]),
                "of_other": float(met[a, b] / said[b]),
            }
            for a, b in pairs
        ]
        out += sorted(rows, key=lambda row: -row["value"])
    return out


def judge_confusion(panel: Scores) -> list[dict[str, Any]]:
    """Of every judge and label: how often it was said, how often others say the same, and what else they say most.

    Of each judge the label first whose answers others share least.
    """
    out = []
    for units in by_criterion(panel) if panel.scale else ():
        labels = len(panel.scale)
        where = {} if units.criterion is None else {"criterion": units.criterion}
        code = units.value.astype(np.int64)
        times = np.bincount(units.unit * labels + code, units.mass, units.size * labels).reshape(units.size, labels)
        others = times[units.unit].astype(float)
        others[np.arange(len(units)), code] -= 1
        held = others.sum(axis=1)
        share = others / np.where(held > 0, held, 1.0)[:, None]
        for judge, mine in enumerate(units.by_judge()):
            rows = []
            for k in np.unique(code[mine]).tolist():
                some = mine[(code[mine] == k) & (held[mine] > 0)]
                if len(some):
                    beside = share[some].mean(axis=0)
                    most = int(np.argmax(np.where(np.arange(labels) == k, -1.0, beside)))
                    row = {"judge": panel.judges[judge], **where, "label": panel.scale[k], "said": len(some)}
                    row |= {"same": float(beside[k]), "others_say": panel.scale[most] if beside[most] > 0 else None}
                    rows.append({**row, "share": float(beside[most]) if labels > 1 else 0.0})
            out += sorted(rows, key=lambda row: row["same"])
    return out
