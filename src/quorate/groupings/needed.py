"""How many judges does it take until another panel would make the same groups?

A pair of items is together by the share of the judges who put it together, so the consensus of a panel is the partition
that agrees with most pairs of these shares. Two panels agree as far as their partitions do, by the adjusted Rand index.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.nested import measuring
from quorate.groupings.pairwise import pair_values
from quorate.groupings.partition_program import LOCAL, search
from quorate.panel.design import Trusted
from quorate.panel.partitions import GroupingDesign
from quorate.table import Note, method, number

Array = NDArray[Any]
TASKS = 10  # at most, drawn at random
JUDGES = 3  # with fewer an interval says nothing
WHOLE = 10_000  # shares are searched as whole numbers
CURVE = 60  # judges that the curve is told for, at the most


@method(
    "groupings",
    "trust",
    "judges_needed",
    range=(1, math.inf),
    higher="more judges are needed",
    default=True,
    parameters={
        "target": number("adjusted Rand index of two panels' consensus that is wanted", 0, 0.999, open_low=True)
    },
    relabelling=True,
    note=Note(
        "Planning: how many judges until another panel would make the same groups?",
        "Beyond half of the judges at hand it is an extrapolation: with few of them believe the interval only.",
        "smallest k for which the consensus partitions of two panels of k judges have an adjusted Rand index of target "
        "or more on average; panels drawn without replacement for 2k <= N; beyond, from shares shrunk to their true "
        "spread plus residuals; two partitions without a group agree by 0",
    ),
)
def judges_needed(design: GroupingDesign, core: Any, *, target: float = 0.9) -> Trusted:
    """Judges it takes until another panel's consensus partition is as much the same as wanted, by adjusted Rand.

    Judges are always drawn; with ``over=tasks`` tasks are drawn, too.
    """
    over = core.over(design, "judges", "tasks", "tasksxjudges")
    labels: dict[str, Any] = {"target": target, "one_judge": math.nan, "judges": int(np.median(design.judges_of_task))}
    small = np.flatnonzero(_items(design) <= LOCAL)
    some = core.some_tasks(design.some_tasks(small), TASKS, "needed") if len(small) else None
    by_size: dict[int, list[tuple[Array, Array, Array]]] = {}
    for p in some.parts if some is not None else ():
        by_size.setdefault(p.shape[2], []).append((together_or_not(p.labels), p.counts, p.judges))
    keys: dict[str, list[int]] = {"judges": []}
    every = [part for parts in by_size.values() for part in parts]
    found = core.repeatability(every, agreement, "judges_needed") if every else None
    if not found:
        return Trusted(keys, [], [core.figure(math.nan, labels)], about=labels)
    needed, labels["one_judge"] = found.needed(target), found.at(1)
    ends = None
    if found.judges >= JUDGES and core.options.resamples:
        ends = core.ends(needed.low, needed.high, "tasksxjudges" if "tasks" in over else "judges")
    most = int(min(max(needed.value if math.isfinite(needed.value) else 0, labels["judges"], 2), CURVE))
    keys["judges"] = sorted({min(round(1.5**k), most) for k in range(12)})
    values = [found.at(k) for k in keys["judges"]]
    return Trusted(keys, values, [core.figure(needed.value, labels, ends)], about=labels)


def _items(design: GroupingDesign) -> Array:
    """How many items each task has."""
    return np.array([len(design.items_of_task[t]) for t in range(len(design.tasks))])


def together_or_not(labels: Array) -> Array:
    """1 for every two items that a judge puts together, 0 if apart, NaN unless both are used; then the same of apart.

    ``[task, judge, 2 pair]`` from ``labels[task, judge, item]``. With both the mean is one half, whatever the judges
    say: it can be taken away, and the difference of the two is still the majority for together.
    """
    first, second = np.triu_indices(labels.shape[2], 1)
    a, b = labels[:, :, first], labels[:, :, second]
    same = np.where((a >= 0) & (b >= 0), (a == b).astype(float), np.nan)
    return np.concatenate([same, 1 - same], axis=2)


def agreement(first: Array, second: Array) -> Array:
    """The adjusted Rand index of the partitions of shares ``[draw, 2 pair]``; 0 where both leave every item alone."""
    one, two = (_partitions(x) for x in (first, second))
    every = np.arange(len(one))
    (found,) = pair_values([measuring("adjusted_rand")], one, two, every, every)
    items = one.shape[1]
    return np.where((one.max(axis=1) == items - 1) & (two.max(axis=1) == items - 1), 0.0, found.forward)


def _partitions(shares: Array) -> Array:
    """The partition that agrees with most, ``[draw, item]``; pairs of which nothing is known do not count."""
    pairs = shares.shape[1] // 2
    items = round((1 + math.sqrt(1 + 8 * pairs)) / 2)
    margin = np.nan_to_num(shares[:, :pairs] - shares[:, pairs:])
    weights = np.zeros((len(shares), items, items), np.float32)
    first, second = np.triu_indices(items, 1)
    weights[:, first, second] = weights[:, second, first] = np.rint(WHOLE * margin)
    return search(weights, np.zeros((len(shares), 0, items), np.int64))
