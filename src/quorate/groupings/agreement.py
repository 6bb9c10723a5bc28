"""How much do the judges agree on their groupings?

Every two judges by the measures of :mod:`~quorate.groupings.measures`, against random clusterings, and all of them at
once by what most put together (:mod:`~quorate.groupings.q_support`). Judges who leave items out are compared in two
ways unless one is named: left-out items as singletons and in one bucket. Of a judge's repeats on a task the first is
compared with the other judges, and all of them with one another in a figure of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.groupings import attainable, measures, q_support  # noqa: F401  (they declare their methods)
from quorate.groupings.pairwise import MEASURES, mean_square
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import UNSHOWN, absence, repeats, sheets
from quorate.table import Method

__all__ = ["description", "more", "self_agreement"]


def more(panel: Groupings, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """What the judges made, and how much they agree with themselves where they did a task again."""
    absent = core.options.absent
    again = self_agreement(panel, methods, absent)
    return {"description": description(panel, absent), **({"self_agreement": again} if again else {})}


def description(panel: Groupings, absent: str | None = None) -> list[dict[str, Any]]:
    """Of every task and judge: items used, clusters made, items in a cluster on average, share of items left out.

    Where judges were shown some of the items only, how many as well.
    """
    found, some = sheets(panel), absence(panel, absent) == UNSHOWN
    shown = found.shown(some)
    gaps = np.bincount(found.task, shown < found.items)[found.task] > 0 if len(shown) else shown
    columns = (found.task, found.judge, found.used, found.clusters, shown, gaps)
    return [
        {
            "task": panel.tasks[task],
            "judge": panel.judges[judge],
            "used": used,
            "clusters": clusters,
            **({"shown": offered} if told else {}),
            "per_cluster": used / clusters if clusters else math.nan,
            "left_out": 1 - used / offered,
        }
        for task, judge, used, clusters, offered, told in zip(*(c.tolist() for c in columns), strict=True)
    ]


def self_agreement(panel: Groupings, methods: Sequence[Method], absent: str | None = None) -> list[dict[str, Any]]:
    """How much judges agree with themselves on repeats: the measures asked for, judge by judge."""
    if not panel.repeats:
        return []
    out = []
    for m in (m for m in methods if m.name in MEASURES):
        found: dict[int, list[float]] = {}
        for p in repeats(panel, absent):
            square = mean_square(m, p.labels[None])[0]
            found.setdefault(int(p.judges[0]), []).extend(square[np.triu_indices(len(square), 1)].tolist())
        for judge, values in found.items():
            known = [v for v in values if not math.isnan(v)]
            mean = sum(known) / len(known) if known else math.nan
            out.append({"judge": panel.judges[judge], "method": str(m), "value": mean, "pairs": len(values)})
    return out
