"""How good is a system, according to the judges? A leaderboard of systems' lists on the judges' tasks.

By correlation with the judges or with their consensus (:mod:`~quorate.orderings.correlation`), or by the frequent
patterns of the judges that a list keeps (:mod:`~quorate.orderings.frespa`). Higher is better throughout. The systems
come as a panel of their own, whose judges are the systems.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from quorate.errors import InputError, UnknownId, suggest
from quorate.orderings.correlation import average_correlation, rank_based, weighted_correlation
from quorate.orderings.frespa import Explanation, explain, explained, frequent_patterns, frequent_sets, frespa
from quorate.orderings.rankings import OneTask
from quorate.panel.kinds import Orderings
from quorate.panel.lists import beside
from quorate.table import Method

__all__ = [
    "average_correlation",
    "explain",
    "explanations",
    "frequent_patterns",
    "frequent_sets",
    "frespa",
    "rank_based",
    "weighted_correlation",
]


def explanations(
    panel: Orderings, systems: Orderings, system: Hashable, method: Method, most: int = 10, seed: int = 0
) -> dict[Hashable, Explanation]:
    """Why a system's lists score as they do, task by task."""
    known = {str(s): k for k, s in enumerate(systems.judges)}
    if str(system) not in known:
        raise UnknownId(f"no system '{system}'.", suggest(str(system), known, "Systems"))
    lists, k = beside(panel, systems), known[str(system)]
    out = {}
    for part in lists.parts:
        for t in np.flatnonzero(part.there[:, k]).tolist():
            names = tuple(lists.items[i] for i in part.items[t])
            judges = tuple(panel.judges[j] for j in part.judges[t])
            task = OneTask(part.positions[t : t + 1], part.counts[t : t + 1], judges, names)
            out[int(part.tasks[t])] = explained(task, part.lists[t : t + 1, k : k + 1], method, most, seed)
    if not out:
        raise InputError(f"system '{system}' has no list on these tasks.")
    return {panel.tasks[t]: out[t] for t in sorted(out)}
