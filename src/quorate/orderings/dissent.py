"""What a judge holds that most do not: ordered pairs that most of the others put the other way round."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from quorate.kernels import majority
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks


def compared(panel: Orderings, judge: Hashable) -> int:
    """How many ordered pairs the judge holds that somebody else ordered too."""
    return sum(int(np.count_nonzero(ordered & (same + other > 0))) for *_, ordered, same, other in _tasks(panel, judge))


def dissent(panel: Orderings, judge: Hashable) -> list[dict[str, Any]]:
    """The judge's pairs that more of the others reverse than hold, those with the largest majority first.

    >>> panel = Orderings.from_orders({"ann": "abc", "bob": "abc", "cat": "acb"})
    >>> dissent(panel, "cat")
    [{'task': 'all', 'before': 'c', 'after': 'b', 'places': 1, 'same': 0, 'other': 2, 'share': 1.0}]
    """
    out = []
    for task, items, own, ordered, same, other in _tasks(panel, judge):
        for i, j in np.argwhere(ordered & (other > same)).tolist():
            held, reversed_ = int(same[i, j]), int(other[i, j])
            row = {"task": task, "before": items[i], "after": items[j], "places": int(own[j] - own[i])}
            out.append({**row, "same": held, "other": reversed_, "share": reversed_ / (held + reversed_)})
    return sorted(out, key=lambda r: (-r["share"], -r["other"], -r["places"], str(r["before"]), str(r["after"])))


def _tasks(panel: Orderings, judge: Hashable) -> Iterator[tuple[Any, ...]]:
    """Of every task of the judge: name, items, the judge's places, pairs, and how many others hold or reverse them."""
    code = panel.judges.index(judge)
    for part in stacks(panel):
        for t, row in np.argwhere(part.judges == code).tolist():
            own, counts = part.positions[t, row], part.counts[t].copy()
            counts[row] -= 1
            before = majority.before(part.positions[t : t + 1], counts[None])[0]
            ordered = (own[:, None] > 0) & (own[None, :] > 0) & (own[:, None] < own[None, :])
            items = [panel.items[k] for k in part.items[t]]
            yield panel.tasks[int(part.tasks[t])], items, own, ordered, before, before.T
