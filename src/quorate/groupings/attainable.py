"""Agreement beyond grain: the adjusted Rand index of the judges as a share of what their groups' sizes allow.

Two honest judges of whom one splits finely and the other coarsely cannot have an adjusted Rand index near 1, even where
the one's groups are all inside the other's. What they could have had is the index of nested groups of these sizes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.measures import adjusted_rand, item_pairs, over
from quorate.groupings.pairwise import once, table_cost
from quorate.kernels.contingency import Sums, pair_sums
from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_of_pairs, mean_without_each
from quorate.panel.design import Measured
from quorate.panel.partitions import LEFT_OUT, WAYS_MATTER, treated
from quorate.table import Note, method

Array = NDArray[Any]


def attainable(s: Sums) -> Array:
    """The adjusted Rand index if every pair that the finer one puts together were together in the coarser one."""
    both, cluster_only, class_only, neither = item_pairs(s)
    fewer = both + np.minimum(cluster_only, class_only)
    one, two = both + cluster_only, both + class_only
    by_chance = one * two / (one + class_only + neither)
    return np.where(np.isnan(both), np.nan, over(fewer - by_chance, (one + two) / 2 - by_chance, 1.0))


def _squares(labels: Array, left_out: str) -> list[Array]:
    """Of every two judges the adjusted Rand index and what it can be at most, ``[task, judge, judge]``."""
    tasks, judges, items = labels.shape
    rows = treated(labels, left_out).reshape(-1, items)
    a, b = np.triu_indices(judges)
    left, right = (((np.arange(tasks) * judges)[:, None] + x).ravel() for x in (a, b))
    found = np.empty((2, len(left)))
    for part, sums in pair_sums(rows, rows, left, right):
        found[:, part] = adjusted_rand.of(sums), attainable(sums)
    out = np.empty((2, tasks, judges, judges))
    out[:, :, a, b] = out[:, :, b, a] = found.reshape(2, tasks, -1)
    return list(out)


def _without_each(labels: Array, counts: Array, *, left_out: str) -> Array:
    """The same without each judge, ``[task, judge]``."""
    return quotient(*(mean_without_each(square, counts, counted=True) for square in _squares(labels, left_out)))


@method(
    "groupings",
    "agreement",
    "attainable_rand",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="random clusterings",
    parameters={"left_out": LEFT_OUT},
    symmetric=True,
    relabelling=True,
    variants={"left_out": ("singletons", "bucket")},
    without=_without_each,
    by_task=True,
    weighs_pairs=True,
    interval="jackknife",
    cost=table_cost,
    note=Note(
        "Judges who differ in how finely they group: do they see the same structure? By it it is told who is off.",
        "A judge who keeps all items apart, or together, has no part in it. " + WAYS_MATTER,
        "sum over pairs of judges of adjusted_rand / sum of what it would be if the finer's groups were all inside the "
        "coarser's",
    ),
)
def attainable_rand(
    labels: Array, counts: Array, *, alike: bool = True, brief: bool = False, left_out: str = "singletons"
) -> Measured:
    """Adjusted Rand index as a share of what the sizes of the judges' groups allow; 1 for groups inside groups."""
    return Measured(quotient(*(mean_of_pairs(square, counts, alike) for square in _squares(once(labels), left_out))))
