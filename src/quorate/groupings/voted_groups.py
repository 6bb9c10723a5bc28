"""Consensus partitions of one task: the one that agrees with most pairs of items, and the one that a quorum supports.

An item that more than half of the judges left out is left out. Groups of one item stay groups.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association
from quorate.groupings.partition_program import Solution, quick, solve
from quorate.kernels import clique_partition as kernel
from quorate.kernels.association import components
from quorate.table import choice, method, number, quorum

Array = NDArray[Any]
LEFT_OUT = choice("what a judge who left an item out says of its pairs: nothing, or apart", "common", "singletons")
JOIN = choice("a group is what supported pairs connect, or only items that are all supported", "components", "cliques")
SECONDS = number(
    "time for the proof, per task; none: an effort that is the same on every machine", 0, open_low=True, optional=True
)
STARTS = 10  # judges' partitions that local search begins from
IMPORTANCE = choice(
    "how the judges' ranks of their groups are put together", "kemeny", "rank_sum", "copeland", "supported_order"
)


@dataclass(frozen=True, eq=False)
class Grouped:
    """Group numbers from 0, -1 for left-out items, and what is worth telling of them."""

    labels: Array
    facts: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)  # item numbers, to be replaced by the items' names

    def groups(self) -> list[list[int]]:
        """Item numbers by group, in the order of the group numbers."""
        out: list[list[int]] = [[] for _ in range(int(self.labels.max(initial=-1)) + 1)]
        for item, group in enumerate(self.labels.tolist()):
            if group >= 0:
                out[group].append(item)
        return out


@method(
    "groupings",
    "consensus",
    "pairs",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    default=True,
    reference="Mirkin 1974; Groetschel and Wakabayashi 1989",
    parameters={"left_out": LEFT_OUT, "seconds": SECONDS, "importance": IMPORTANCE},
    symmetric=True,
    relabelling=True,
)
def pairs(
    votes: Association,
    starts: Sequence[Array] = (),
    *,
    brief: bool = False,
    left_out: str = "common",
    seconds: float | None = None,
    importance: str = "kemeny",
) -> Grouped:
    """The partition that agrees with the judges on the most pairs of items, proven best within a limited effort.

    A pair counts by the judges who put it together less those who put it apart. Judges who never put more than half of
    any pair together give groups of one item each: lower the bar with ``quorum``.
    """
    kept = np.flatnonzero(~_dropped(votes))
    weights = votes.margins(left_out)[np.ix_(kept, kept)]
    begin = _worthiest([_closed(s[kept]) for s in starts], weights)
    if brief:
        return Grouped(_spread(quick(weights, begin), kept, len(votes.items)))
    found = solve(weights, begin, seconds)
    pulled = kernel.pulls(weights, found.labels)
    own = np.arange(len(kept))
    level = np.abs(pulled - pulled[own, found.labels][:, None]) < kernel.NEAR
    level[own, found.labels] = False
    level[np.bincount(found.labels, minlength=1)[found.labels] == 1, -1] = False  # alone already
    facts = _proof(found)
    labels = _spread(found.labels, kept, len(votes.items))
    return Grouped(labels, facts, {"undecided": kept[level.any(axis=1)].tolist()})


@method(
    "groupings",
    "consensus",
    "quorum",
    range=(0, 1),
    higher="a consensus that agrees with the judges on more pairs",
    default=True,
    parameters={
        "q": quorum("judges who must put two items together"),
        "join": JOIN,
        "seconds": SECONDS,
        "importance": IMPORTANCE,
    },
    symmetric=True,
    relabelling=True,
)
def quorum_groups(
    votes: Association,
    starts: Sequence[Array] = (),
    *,
    brief: bool = False,
    q: float = 0.5,
    join: str = "components",
    seconds: float | None = None,
    importance: str = "kemeny",
) -> Grouped:
    """The groups made of pairs that at least q judges put together; all other pairs count for nothing.

    By ``components`` a chain of supported pairs makes one group, although its ends may never have been together: such
    chains are named. By ``cliques`` every two items of a group are supported, and the groups hold as much support as
    can be.
    """
    dropped = _dropped(votes)
    need = quorum_count(q, votes.judges)
    supported = votes.together >= need
    np.fill_diagonal(supported, False)
    kept = np.flatnonzero(~dropped)
    inside = supported[np.ix_(kept, kept)]
    facts: dict[str, Any] = {"q": need}
    if join == "components":
        labels = _spread(components(inside), kept, len(votes.items))
    else:
        support = votes.together[np.ix_(kept, kept)]
        never = -(int(np.triu(support * inside, 1).sum()) + 1)
        weights = np.where(inside, support, never)
        np.fill_diagonal(weights, 0)
        if brief:
            return Grouped(_spread(quick(weights, ()), kept, len(votes.items)))
        found = solve(weights, (), seconds)
        labels = _spread(found.labels, kept, len(votes.items))
        facts |= _proof(found)
    if brief:
        return Grouped(labels)
    return Grouped(labels, facts, {"chains": _chains(labels, supported)})


def quorum_count(q: float, judges: int) -> int:
    """How many judges a quorum is: a count as it is, a share rounded up; at least one.

    >>> quorum_count(0.5, 5), quorum_count(2, 5), quorum_count(1.0, 5)
    (3, 2, 5)
    """
    need = q if isinstance(q, int) else math.ceil(q * judges - 1e-9)
    return max(int(need), 1)


def _proof(found: Solution) -> dict[str, Any]:
    """What the partition is worth, and what no partition is worth more than."""
    worth, most = round(found.worth), math.floor(found.bound + 1e-4)
    return {"worth": worth, "optimal": found.optimal, "bound": most, "gap": most - worth}


def _dropped(votes: Association) -> Array:
    return np.asarray(2 * votes.left_out > votes.judges)


def _closed(labels: Array) -> Array:
    """A judge's groups as a partition: left-out items alone."""
    out = labels.copy()
    out[out < 0] = int(labels.max(initial=-1)) + 1 + np.arange(int((labels < 0).sum()))
    return out


def _worthiest(starts: list[Array], weights: Array) -> list[Array]:
    """The best few of many partitions to begin from."""
    if len(starts) <= STARTS:
        return starts
    value = [kernel.worth(weights, s) for s in starts]
    order = sorted(range(len(starts)), key=lambda k: (-value[k], starts[k].tolist()))
    return [starts[k] for k in order[:STARTS]]


def _spread(labels: Array, kept: Array, size: int) -> Array:
    out = np.full(size, -1, np.int64)
    out[kept] = labels
    return out


def _chains(labels: Array, supported: Array) -> list[list[int]]:
    """Of each group with pairs that lack support, two items at the ends: a pair that the fewest others connect."""
    out = []
    for group in range(int(labels.max(initial=-1)) + 1):
        inside = np.flatnonzero(labels == group)
        linked = supported[np.ix_(inside, inside)]
        lacking = ~linked
        np.fill_diagonal(lacking, False)
        if lacking.any():
            common = (linked.astype(np.int64) @ linked)[np.triu_indices(len(inside), 1)]
            first, second = np.triu_indices(len(inside), 1)
            open_pairs = np.flatnonzero(lacking[first, second])
            worst = open_pairs[int(common[open_pairs].argmin())]
            out.append([int(inside[first[worst]]), int(inside[second[worst]])])
    return out
