"""The order of consensus groups by importance, when judges ranked their own groups (column ``importance``, 1 is first).

Each judge's groups are matched to the consensus groups so that as many items as can be are in matching groups; a judge
then ranks the consensus groups that have a match, and the rankings are put together as orderings are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.results import Options
from quorate.panel.kinds import Groupings, Orderings

Array = NDArray[Any]


class Ranked:
    """The importance that judges gave their groups, row by row; what is not a number counts as not ranked."""

    def __init__(self, panel: Groupings) -> None:
        column = panel.label("importance")
        number = np.array([_number(i) for i in column.ids])
        self.rows: dict[tuple[int, int], tuple[Array, Array]] = {}
        for a, b in pairwise(panel.starts.tolist()):
            key = int(panel.task.codes[a]), int(panel.judge.codes[a])
            if key not in self.rows:  # of a judge's repeats the first
                self.rows[key] = panel.item.codes[a:b], number[column.codes[a:b]]

    def on(self, task: int, judges: Array, items: Array) -> Array:
        """The importance of each item's group to each judge, ``[judge, item]``; takes codes of the panel."""
        out = np.full((len(judges), len(items)), np.nan)
        place = {int(i): k for k, i in enumerate(items)}
        for k, judge in enumerate(judges.tolist()):
            codes, number = self.rows.get((task, judge), ((), ()))
            out[k, [place[int(c)] for c in codes]] = number
        return out


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")


def matched(own: Array, consensus: Array) -> dict[int, int]:
    """A judge's group for each consensus group, one to one, with the most items in common; those without one left out.

    >>> matched(np.array([5, 5, 7, 7, -1]), np.array([0, 0, 0, 1, 1]))
    {0: 5, 1: 7}
    """
    from scipy.optimize import linear_sum_assignment

    both = (own >= 0) & (consensus >= 0)
    if not both.any():
        return {}
    groups, row = np.unique(own[both], return_inverse=True)
    overlap = np.zeros((len(groups), int(consensus.max()) + 1))
    np.add.at(overlap, (row.ravel(), consensus[both]), 1)
    a, b = linear_sum_assignment(overlap, maximize=True)
    found = {int(y): int(groups[x]) for x, y in zip(a, b, strict=True) if overlap[x, y] > 0}
    return dict(sorted(found.items()))


def group_ranks(labels: Array, ranks: Array, consensus: Array) -> Array:
    """What each judge's rank of each consensus group is, ``[judge, group]``; NaN where it has no ranked match."""
    out = np.full((len(labels), int(consensus.max(initial=-1)) + 1), np.nan)
    for judge, own in enumerate(labels):
        for group, name in matched(own, consensus).items():
            given = ranks[judge, own == name]
            if not np.isnan(given).all():
                out[judge, group] = np.nanmean(given)
    return out


def places(ranks: Array, counts: Array, method: str) -> Array:
    """The place of each consensus group, equal where tied, from the judges' ranks; NaN where nobody ranked it."""
    from quorate.verbs import ask

    judge, group = np.nonzero(~np.isnan(ranks))
    out = np.full(ranks.shape[1], np.nan)
    if not len(judge):
        return out
    panel = Orderings.build(
        {"judge": judge, "item": group, "position": ranks[judge, group], "count": np.asarray(counts)[judge]}
    )
    found = ask("consensus", panel, (method,), Options(resamples=0, permutations=0)).findings[0].values[0]
    for place, tied in enumerate(found, 1):
        for name in tied:
            out[int(name)] = place
    return out
