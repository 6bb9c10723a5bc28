"""How firm the branches of a tree of items are: how often resampled judges put the same items below a join."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.linkage_tree import Tree
from quorate.groupings.median_partition import tree_of
from quorate.inference.budget import BRANCHES
from quorate.inference.engine import budget_of
from quorate.inference.results import Options
from quorate.inference.weights import drawn_rows, stream

Array = NDArray[Any]
LEAST = 3  # judges, of fewer nothing is drawn


def branch_stability(tree: Tree, labels: Array, counts: Array, options: Options) -> tuple[Array | None, int]:
    """Of each join the share of resampled panels with a branch of the same items, ``[step]``; and how many were drawn.

    From ``labels[judge, item]`` and ``counts[judge]``; None where judges are too few, or nothing may be drawn.
    """
    items = labels.shape[1]
    number = min(BRANCHES, budget_of(options).draws(100.0 * items**2)) if int(counts.sum()) >= LEAST else 0
    if number < 2:
        return None, 0
    found = {branch.tobytes(): step for step, branch in enumerate(tree.branches())}
    times = np.zeros(len(found))
    for weights in drawn_rows(counts, number, stream(options.seed, "branches")):
        for branch in tree_of(labels, weights).branches():
            step = found.get(branch.tobytes())
            if step is not None:
                times[step] += 1
    return times / number, number
