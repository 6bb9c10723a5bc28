"""What does a model's score mean? What people say where it says so, and from which score on it means what they mean."""

from __future__ import annotations

import math
from collections.abc import Hashable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import Trusted
from quorate.panel.outputs import OutputDesign
from quorate.panel.units import both_kinds, kinds
from quorate.scores.people_and_models import usual_over
from quorate.scores.trust_method import labelled, trust_method
from quorate.table import Note

if TYPE_CHECKING:
    from quorate.inference.core import Core

Array = NDArray[Any]
VALUES = 7  # different scores of a model, of more they are taken in fifths
LEVELS = 10  # of people's scores, up to which each is a cut
FEW = 5  # units of a score, of fewer nothing is told
FOLDS = 5  # in which a threshold is chosen on the others


def bins(scores: Array) -> tuple[Array, list[str]]:
    """The bin of every score, and what bins are called: each value, or fifths of them where there are many.

    >>> bins(np.array([3.0, 4.0, 3.0]))
    (array([0, 1, 0]), ['3', '4'])
    """
    known = np.unique(scores)
    if len(known) <= VALUES:
        return np.searchsorted(known, scores), [f"{v:g}" for v in known.tolist()]
    edges = np.unique(np.quantile(scores, [0.2, 0.4, 0.6, 0.8]))
    place = np.unique(np.searchsorted(edges, scores, side="left"), return_inverse=True)[1].ravel()
    ends = [(scores[place == k].min(), scores[place == k].max()) for k in range(int(place.max()) + 1)]
    return place, [f"{low:.3g} to {high:.3g}" if low < high else f"{low:.3g}" for low, high in ends]


def cuts(values: Array) -> list[tuple[float, float]]:
    """From which level on people may be said to say yes, and the score between it and the one below it."""
    known = np.unique(values)
    if len(known) > LEVELS:
        known = np.unique(np.quantile(values, [0.0, 0.25, 0.5, 0.75], method="nearest"))
    return [(float(b), float(a + b) / 2) for a, b in pairwise(known.tolist())]


def threshold(scores: Array, wanted: Array, near: float) -> float:
    """The score from which on most units are as wanted; of several as good the one nearest to ``near``."""
    known, code = np.unique(scores, return_inverse=True)
    yes = np.bincount(code.ravel(), wanted, len(known))
    no = np.bincount(code.ravel(), minlength=len(known)) - yes
    right = np.append(np.cumsum(yes[::-1])[::-1], 0.0) + np.insert(np.cumsum(no), 0, 0.0)  # yes from the k-th on
    step = float(np.diff(known).min()) if len(known) > 1 else 1.0
    between = np.concatenate([[known[0] - step / 2], (known[1:] + known[:-1]) / 2, [known[-1] + step / 2]])
    best = np.flatnonzero(right >= right.max() - 1e-9)
    return float(between[best[np.argmin(np.abs(between[best] - near))]])


@trust_method(
    "calibration",
    range=(-math.inf, math.inf),
    higher="scores above people's",
    note=Note(
        "A model's scores are to be used as people's would be: where are they too high, and which score means yes?",
        "Where it was told on few units, thresholds are loose; look at how often they are right where not chosen.",
        "mean of (y - mean of people) where the model says y, Student's t over tasks, Holm; threshold: the score from "
        "which on most units are those of which people say at least so much, held out in five parts",
    ),
)
def calibration(made: OutputDesign, core: Core) -> Trusted:
    """How far a model's scores lie above people's of the same units, score by score.

    Rows are thresholds: from which score of the model on people say at least so much, and how often that is right.
    """
    units = made.scores
    if not both_kinds(units.panel):
        return Trusted({"judge": []}, [], [], notes=("calibration: who is human, who is a model? --models A,B",))
    over = core.over(made, "tasks", "items", usual=usual_over(made))
    people, models = kinds(units.panel)
    humans = units.of_judges(people)
    mean = humans.means()
    found: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for m in models.tolist():
        mine = np.flatnonzero((units.judge == m) & ~np.isnan(mean[units.unit]))
        if len(mine) < 2 * FEW:
            continue
        unit, y = units.unit[mine], units.value[mine]
        cluster = made.place[unit] if over == "tasks" else np.arange(len(unit))
        where = {"judge": made.judges[m]}
        found += [{**where, **row} for row in _levels(y, mean[unit], cluster, core, made.called_over(over))]
        rows += [{**where, **row} for row in _thresholds(y, mean[unit], humans.value, cluster, core, made.judges[m])]
    p = core.holm(np.array([row["p"] for row in found])).tolist()
    estimates = []
    for row, corrected in zip(found, p, strict=True):
        labels = {**made.labels, **{k: row[k] for k in ("judge", "says", "units", "people_say")}, "p_holm": corrected}
        estimates.append(core.figure(row["value"], labels, row["interval"]))
    keys = {n: [row[n] for row in rows] for n in ("judge", "at_least")}
    details = {n: [row[n] for row in rows] for n in ("often", "same_cut", "right")}
    return Trusted({**labelled(made, len(rows)), **keys}, [row["cut"] for row in rows], estimates, details)


def _levels(y: Array, people: Array, cluster: Array, core: Core, over: str) -> list[dict[str, Any]]:
    """Of each of a model's scores how far it lies above what people say there."""
    place, names = bins(y)
    out = []
    for k, name in enumerate(names):
        mine = place == k
        gap, group = (y - people)[mine], np.unique(cluster[mine], return_inverse=True)[1].ravel()
        if len(gap) < FEW:
            continue
        value, clusters = float(gap.mean()), int(group.max()) + 1
        left = np.bincount(group, gap - value, clusters)
        variance = float((left**2).sum()) / len(gap) ** 2 * clusters / max(clusters - 1, 1)
        between, p = core.student_test(value, variance, clusters, over)
        said = {"says": name, "units": len(gap), "people_say": float(people[mine].mean())}
        out.append({**said, "value": value, "interval": between, "p": p})
    return out


def _thresholds(
    y: Array, people: Array, values: Array, cluster: Array, core: Core, judge: Hashable
) -> list[dict[str, Any]]:
    """For every level of people the model's score that means it, and how often it is right where it was not chosen."""
    parts = core.folds(cluster, FOLDS, "thresholds", judge)
    out = []
    for level, cut in cuts(values):
        wanted = people >= cut
        if not FEW <= wanted.sum() <= len(y) - FEW:
            continue
        right = np.zeros(len(y), bool)
        for k in np.unique(parts).tolist():
            rest = parts != k
            own = threshold(y[rest], wanted[rest], cut) if rest.any() else cut
            right[~rest] = (y[~rest] >= own) == wanted[~rest]
        same = float(((y >= cut) == wanted).mean())
        chosen = threshold(y, wanted, cut)
        if not y.min() < chosen <= y.max():  # all scores mean yes, or none does: no threshold
            continue
        row = {"at_least": level, "cut": chosen, "often": float(wanted.mean()), "same_cut": same}
        out.append({**row, "right": float(right.mean())})
    return out
