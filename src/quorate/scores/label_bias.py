"""Which judge prefers which label: how often each says it, beside what the others say of the same units."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.panel.coefficient import Coefficient
from quorate.panel.score_design import ScoreDesign
from quorate.panel.units import Units
from quorate.scores.judge_sums import from_sums, mean_of, number_of, ones
from quorate.table import Note, method

Array = NDArray[Any]
LABELS = 200  # values, of more they are no labels


def _beyond(units: Units) -> tuple[Array, Array, Array]:
    """Labels, rows that others' labels stand beside, and how far each says each label beyond them, ``[row, label]``."""
    known, code = kernel.codes(units.value)
    cell = units.unit * len(known) + code
    times = np.bincount(cell, units.mass, units.size * len(known)).reshape(units.size, len(known))
    rows = np.flatnonzero(units.held[units.unit] > 1)
    own = np.zeros((len(rows), len(known)))
    own[np.arange(len(rows)), code[rows]] = 1.0
    others = times[units.unit[rows]] - own
    return known, rows, own - others / others.sum(axis=1, keepdims=True)


def _means(units: Units, rows: Array, beyond: Array) -> Array:
    """The mean of every judge, ``[judge, label]``; NaN of one beside whom nobody stands."""
    judge, number = units.judge[rows], number_of(units, rows)
    sums = np.stack([np.bincount(judge, column, len(number)) for column in beyond.T], axis=1)
    return np.where(number[:, None] > 0, sums / np.maximum(number, 1)[:, None], math.nan)


def _rows(design: ScoreDesign, core: Any) -> list[dict[str, Any]]:
    """Of every judge and label how much more often it is said than by others, with interval and p; the surest first."""
    units = design.scores
    known, rows, beyond = _beyond(units)
    over = core.over(design, "tasks", "items", "judges", usual=design.over)
    mean, names = _means(units, rows, beyond), _names(units, known)
    found = []
    for judge, number in enumerate(number_of(units, rows).tolist()):
        mine = np.flatnonzero(units.judge[rows] == judge)
        place = units.task[units.unit[rows[mine]]] if over == "tasks" else np.arange(number)
        for k in range(len(known) if number and over != "judges" and len(known) <= LABELS else 0):
            parts = np.bincount(place, beyond[mine, k] - mean[judge, k])
            clusters = len(np.unique(place))
            variance = float((parts**2).sum()) / number**2 * clusters / max(clusters - 1, 1)
            between, p = core.student_test(float(mean[judge, k]), variance, clusters, over)
            said = float((units.value[rows[mine]] == known[k]).mean())
            row = {"judge": units.judges[judge], "label": names[k], "value": float(mean[judge, k]), "said": said}
            found.append({**row, "interval": between and between.ends, "p": p})
    corrected = core.holm(np.array([row.pop("p") for row in found])).tolist()
    told = [{**row, "p_holm": p} for row, p in zip(found, corrected, strict=True)]
    return sorted(told, key=lambda r: (math.isnan(r["p_holm"]), r["p_holm"], -abs(r["value"])))


def _names(units: Units, known: Array) -> list[Any]:
    scale = units.panel.scale if units.panel is not None else ()
    return [scale[int(v)] if scale else v for v in known.tolist()]


@method(
    "scores",
    "judges",
    "label_bias",
    range=(-1, 1),
    higher="one label more often than the others say it",
    chance="0",
    sign=-1,
    rows=_rows,
    keys=("label",),
    note=Note(
        "Labels: does a judge say one label more often than the others do of the same units?",
        "Who labels at random says rare labels too often: look at peer_agreement first. Where all share a preference, "
        "nobody has one.",
        "mean over the judge's units of [x_ju = l] - share of the other judges who say l; each judge's largest, and of "
        "every label Student's t over units, corrected for all judges and labels by Holm",
    ),
)
def label_bias(units: Units) -> Coefficient:
    """How much more often a judge says some label than the others of the same units do: the label of which it is most.

    0 where every label is said as often as others say it, 1 where it is said always, and by others never.
    """
    known, rows, beyond = _beyond(units)
    count = number_of(units, rows)
    mean = _means(units, rows, beyond)
    most = np.where(count > 0, np.nan_to_num(mean).argmax(axis=1), 0) if len(known) else np.zeros(len(count), int)
    excess = beyond[np.arange(len(rows)), most[units.judge[rows]]]
    of = from_sums(units, rows, ones(excess), mean_of)
    names = _names(units, known)
    details = {"units": count.tolist(), "label": [names[k] if n else None for k, n in zip(most, count, strict=True)]}
    return Coefficient(of, units.size, details, rests={"items": count})
