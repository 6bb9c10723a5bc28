"""Judge x judge: how much every two judges agree, over all tasks, and an order of judges that shows blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.linkage_tree import average_linkage
from quorate.inference.judge_pairs import Named
from quorate.inference.results import Answer
from quorate.kernels.defined import quotient
from quorate.panel.kinds import Groupings, Orderings, Panel, Scores, Votes

Array = NDArray[Any]
MOST = 60  # judges in a picture
CELLS = 1 << 22  # numbers held at a time
DIGITS = 9  # of how far judges are apart: what differs by rounding alone is alike


def square(panel: Panel, answer: Answer) -> tuple[str, Array]:
    """What is shown, and the mean agreement of every two judges over the tasks that both did; NaN where none."""
    if isinstance(panel, Orderings):
        return "tau-b", _orderings(panel)
    if isinstance(panel, Groupings):
        return _pairs(panel, answer)
    if isinstance(panel, Votes):
        return "share of equal choices", _votes(panel)
    if cast(Scores, panel).scale:
        return "share of equal labels", _labels(cast(Scores, panel))
    return "Pearson's correlation", _scores(cast(Scores, panel))


def diverging(panel: Panel) -> bool:
    """Whether what is shown is a correlation, which may be below 0."""
    return isinstance(panel, Orderings) or (isinstance(panel, Scores) and not panel.scale)


def block_order(square: Array) -> list[int]:
    """Judges in an order that puts those who agree side by side.

    >>> block_order(np.array([[1, 0, 0.9], [0, 1, 0], [0.9, 0, 1]]))
    [1, 0, 2]
    """
    judges = len(square)
    if judges < 3:
        return list(range(judges))
    known = np.where(np.isnan(square), np.nanmean(square) if np.isfinite(square).any() else 0.0, square)
    apart = np.round(np.maximum(1.0 - (known + known.T) / 2, 0.0), DIGITS)
    np.fill_diagonal(apart, 0.0)
    order = average_linkage(apart).leaves(apart)
    return order if order[0] < order[-1] else order[::-1]  # either way round is as good


def _votes(panel: Votes) -> Array:
    """How often every two judges choose alike on the pairs that both voted on."""
    from quorate.panel.pairs import VoteDesign

    v = VoteDesign.of(panel)
    judges, cells = len(v.judges), len(v.task_of_cell)
    alike, both = np.zeros((judges, judges)), np.zeros((judges, judges))
    rows = np.flatnonzero(v.opening)
    step = max(1, CELLS // max(judges, 1))
    for a in range(0, cells, step):
        some = rows[(v.cell[rows] >= a) & (v.cell[rows] < a + step)]
        said = np.zeros((3, judges, min(step, cells - a)), np.float32)
        said[v.side[0, some] + 1, v.judge[some], v.cell[some] - a] = 1
        alike += sum(x @ x.T for x in said)
        there = said.sum(axis=0)
        both += there @ there.T
    return np.where(both > 0, alike / np.maximum(both, 1), np.nan)


def _orderings(panel: Orderings) -> Array:
    from quorate.orderings import PAIRWISE
    from quorate.panel.stacks import stacks, together

    total, number = _empty(len(panel.judges))
    for part in together(list(stacks(panel))):
        for judges, found in zip(part.judges, PAIRWISE["tau_b"].square(part.positions), strict=True):
            _add(total, number, np.ix_(judges, judges), found)
    return _mean(total, number)


def _pairs(panel: Groupings, answer: Answer) -> tuple[str, Array]:
    total, number = _empty(len(panel.judges))
    code = {judge: i for i, judge in enumerate(panel.judges)}
    for finding in answer.findings:
        pairs: Sequence[Any] = finding.keys.get("pair", ())
        if not pairs:
            continue
        value = np.array(finding.values, float)
        known = np.isfinite(value)
        codes = pairs.numbered(code) if isinstance(pairs, Named) else np.array([[code[a], code[b]] for a, b in pairs])
        place = (codes[:, 0] * len(code) + codes[:, 1])[known]
        one_way = (np.bincount(place, w, total.size).reshape(total.shape) for w in (value[known], None))
        total, number = (x + x.T for x in one_way)
        return str(finding.method), _mean(total, number)
    return "agreement", _mean(total, number)


def _scores(panel: Scores) -> Array:
    """Of all criteria together, each measured from its own mean so that criteria do not correlate by themselves."""
    from quorate.panel.units import by_criterion

    x = np.concatenate([units.matrix() - units.value.mean() for units in by_criterion(panel)])
    there = (~np.isnan(x)).astype(float)
    x = np.where(there > 0, x, 0.0)
    n, total, square = there.T @ there, x.T @ there, (x * x).T @ there  # of a judge, where the other has a score too
    room = square * n - total**2
    vary = (n > 1) & (room > 1e-12 * square * n)
    vary &= vary.T
    root = np.sqrt(np.where(vary, room, 1.0)) * np.sqrt(np.where(vary, room, 1.0).T)
    out = np.where(vary, ((x.T @ x) * n - total * total.T) / root, math.nan)
    np.fill_diagonal(out, math.nan)
    return np.asarray(out)


def _labels(panel: Scores) -> Array:
    from quorate.panel.units import by_criterion
    from quorate.scores.independence import equal_scores

    found = [equal_scores(units) for units in by_criterion(panel)]
    return _mean(np.sum([same for same, _ in found], axis=0), np.sum([both for _, both in found], axis=0))


def _empty(judges: int) -> tuple[Array, Array]:
    return np.zeros((judges, judges)), np.zeros((judges, judges))


def _add(total: Array, number: Array, where: Any, found: Array) -> None:
    total[where] += np.where(np.isnan(found), 0.0, found)
    number[where] += ~np.isnan(found)


def _mean(total: Array, number: Array) -> Array:
    out = quotient(total, number)
    np.fill_diagonal(out, math.nan)  # with oneself: nothing to see
    return np.asarray(out)
