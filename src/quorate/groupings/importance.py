"""The order of consensus groups by importance, when judges ranked their own groups (column ``importance``, 1 is first).

Each judge's groups are matched to the consensus groups so that as many items as can be are in matching groups; a judge
then ranks the consensus groups that have a match, and the rankings are put together as orderings are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import table
from quorate.errors import InputError
from quorate.groupings.consensus_partition import solved
from quorate.groupings.pair_partition import groups
from quorate.panel.base import Panel
from quorate.panel.group_ranks import RankedDesign
from quorate.panel.kinds import Groupings, Orderings

Array = NDArray[Any]
NAMED = 3  # items that a group is called by


def importance_orders(panel: Panel, method: str = "median_partition") -> Orderings:
    """How judges rank the groups of the consensus, as orderings: every question about orders can be asked of it.

    Each judge's groups are matched to those of the consensus; a judge ranks those that have a match. A group is called
    by its first items.
    """
    if not isinstance(panel, Groupings) or "importance" not in panel.labels:
        hint = "judges rank their groups in a column 'importance', 1 is first."
        raise InputError("there is no importance of groups.", hint)
    design, chosen = RankedDesign.of(panel.by_name), table.parse(method, "groupings", "consensus")
    rows: list[tuple[Any, ...]] = []
    for part in design.parts:
        for t, found in enumerate(solved(chosen, part.labels, part.counts)):
            called = [_called([design.items[part.items[t][i]] for i in g]) for g in groups(found.array)]
            ranks = group_ranks(part.labels[t], part.ranks[t], found.array)
            for judge, own in zip(part.judges[t].tolist(), ranks, strict=True):
                known = np.flatnonzero(~np.isnan(own))
                place = np.unique(own[known], return_inverse=True)[1].ravel() + 1
                rows += [
                    (design.tasks[int(part.tasks[t])], design.judges[judge], called[g], float(k))
                    for g, k in zip(known.tolist(), place.tolist(), strict=True)
                ]
    if not rows:
        raise InputError("nobody ranked a group of the consensus.", "importance is a number, 1 is first.")
    return Orderings.build(dict(zip(("task", "judge", "item", "position"), zip(*rows, strict=True), strict=True)))


def _called(items: list[Any]) -> str:
    more = f" and {len(items) - NAMED} more" if len(items) > NAMED else ""
    return ", ".join(map(str, items[:NAMED])) + more


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
    known = ~np.isnan(ranks)
    judges, groups = known.any(axis=1), known.any(axis=0)
    out = np.full(ranks.shape[1], np.nan)
    if judges.any():
        some = ranks[judges][:, groups]
        positions = np.zeros(some.shape, np.int16)
        for row, own in zip(positions, some, strict=True):
            there = ~np.isnan(own)
            row[there] = np.unique(own[there], return_inverse=True)[1].ravel() + 1
        (agreed,) = table.parse(method, "orderings", "consensus")(positions[None], np.asarray(counts)[judges][None])
        out[groups] = agreed.array
    return out
