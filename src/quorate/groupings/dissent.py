"""What a judge holds that most do not: pairs of items put together or apart that most of the others treat otherwise."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from quorate.panel.kinds import Groupings
from quorate.panel.partitions import partitions

UNSEEN = -2  # an item that the judge was not shown
MOST = 3000  # items of a task beyond which pairs take too much room


def compared(panel: Groupings, judge: Hashable) -> int:
    """How many pairs of items the judge was shown together with somebody else."""
    return sum(int(np.count_nonzero(np.triu(same + other, 1))) for *_, same, other in _tasks(panel, judge))


def dissent(panel: Groupings, judge: Hashable) -> list[dict[str, Any]]:
    """The pairs on which more of the others say otherwise than say the same, those with the largest majority first."""
    out = []
    for task, items, together, same, other in _tasks(panel, judge):
        for i, j in np.argwhere(np.triu(other > same, 1)).tolist():
            row = {"task": task, "item": items[i], "with": items[j], "own": "together" if together[i, j] else "apart"}
            yes, no = int(same[i, j]), int(other[i, j])
            out.append({**row, "same": yes, "other": no, "share": no / (yes + no)})
    return sorted(out, key=lambda r: (-r["share"], -r["other"], r["own"] == "apart", str(r["item"]), str(r["with"])))


def _tasks(panel: Groupings, judge: Hashable) -> Iterator[tuple[Any, ...]]:
    """Of every task of the judge: name, items, what the judge puts together, how many others say so and do not."""
    code = panel.judges.index(judge)
    for part in partitions(panel):
        if len(part.items) > MOST:
            continue
        for row in np.flatnonzero(part.judges == code).tolist():
            counts = part.counts.copy()
            counts[row] -= 1
            own = part.labels[row]
            together, seen = _together(own), _seen(own)
            same, other = np.zeros((2, len(own), len(own)), np.int64)
            for labels, count in zip(part.labels, counts.tolist(), strict=True):
                alike = _together(labels) == together
                both = seen & _seen(labels)
                same += count * (alike & both)
                other += count * (~alike & both)
            yield panel.tasks[part.task], [panel.items[k] for k in part.items], together, same, other


def _together(labels: Any) -> Any:
    return (labels[:, None] == labels[None, :]) & (labels[:, None] >= 0)


def _seen(labels: Any) -> Any:
    return (labels[:, None] > UNSEEN) & (labels[None, :] > UNSEEN)
