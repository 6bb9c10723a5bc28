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

from quorate.groupings import support
from quorate.groupings.association import Association
from quorate.groupings.partition_program import Proofs, Solution, quick, solve_many
from quorate.groupings.votes import Votes
from quorate.kernels import clique_partition as kernel
from quorate.kernels.many_partitions import components, dense, worth
from quorate.table import Method, choice, method, number, quorum

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
    left_out: str = "common",
    seconds: float | None = None,
    importance: str = "kemeny",
) -> Grouped:
    """The partition that agrees with the judges on the most pairs of items, proven best within a limited effort.

    A pair counts by the judges who put it together less those who put it apart. Judges who never put more than half of
    any pair together give groups of one item each: lower the bar with ``quorum``.
    """
    return pairs_of(Votes.one(votes), np.array(starts, np.int64).reshape(1, len(starts), -1), left_out, seconds)[0]


def pairs_quick(votes: Votes, start: Array, left_out: str = "common") -> Array:
    """Labels ``[panel, item]`` of resampled panels, from ``start[panel, item]``."""
    return np.where(votes.kept, quick(votes.margins(left_out), closed(start)), -1)


def pairs_of(
    votes: Votes,
    starts: Array,
    left_out: str = "common",
    seconds: float | None = None,
    proofs: Proofs | None = None,
) -> list[Grouped]:
    """Of every task: ``starts[task, start, item]`` are partitions to begin from."""
    weights, kept = votes.margins(left_out), votes.kept
    begin = _worthiest(closed(starts), weights)
    found, value, highest = solve_many(weights, begin, seconds, proofs)
    labels = dense(np.where(kept, found, -1))
    level = _level(weights, labels)
    out = []
    for k, each in enumerate(labels):
        facts = _proof(Solution(each, float(value[k]), float(highest[k])))
        out.append(Grouped(each, facts, {"undecided": np.flatnonzero(level[k]).tolist()}))
    return out


def _level(weights: Array, labels: Array) -> Array:
    """Which items could as well be in another group, or alone, ``[task, item]``."""
    member = labels[:, :, None] == np.arange(int(labels.max(initial=0)) + 1)  # [task, item, group]
    size = member.sum(axis=1)
    pulled = np.matmul(weights.astype(np.float64), member.astype(np.float64))
    own = np.take_along_axis(pulled, np.maximum(labels, 0)[:, :, None], axis=2)
    level = (np.abs(pulled - own) < kernel.NEAR) & (size > 0)[:, None, :] & ~member
    alone = np.take_along_axis(size, np.maximum(labels, 0), axis=1) == 1
    level_alone = (np.abs(own[:, :, 0]) < kernel.NEAR) & ~alone
    return np.asarray((level.any(axis=2) | level_alone) & (labels >= 0))


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
    return quorum_of(Votes.one(votes), q, join, seconds)[0]


def quorum_quick(votes: Votes, q: float, join: str = "components") -> Array:
    """Labels ``[panel, item]`` of resampled panels."""
    supported = _supported(votes, q)
    if join == "components":
        return np.where(votes.kept, dense(components(votes.among_kept(supported) > 0)), -1)
    alone = np.broadcast_to(np.arange(supported.shape[1]), supported.shape[:2])
    return np.where(votes.kept, quick(_as_weights(votes, supported), alone), -1)


def quorum_of(
    votes: Votes, q: float, join: str = "components", seconds: float | None = None, proofs: Proofs | None = None
) -> list[Grouped]:
    """Of every task."""
    supported, kept = _supported(votes, q), votes.kept
    needs = _needs(votes, q).tolist()
    if join == "components":
        found = components(votes.among_kept(supported.copy()) > 0)
        facts: list[dict[str, Any]] = [{"q": need} for need in needs]
    else:
        weights = _as_weights(votes, supported)
        none = np.zeros((len(kept), 0, kept.shape[1]), np.int64)
        found, value, highest = solve_many(weights, none, seconds, proofs)
        proven = (_proof(Solution(x, float(v), float(h))) for x, v, h in zip(found, value, highest, strict=True))
        facts = [{"q": need, **proof} for need, proof in zip(needs, proven, strict=True)]
    labels = dense(np.where(kept, found, -1))
    chains = _chains(labels, supported)
    return [Grouped(each, fact, {"chains": ends}) for each, fact, ends in zip(labels, facts, chains, strict=True)]


def _needs(votes: Votes, q: float) -> Array:
    """How many judges the quorum of each task is."""
    known, which = np.unique(votes.judges, return_inverse=True)
    return np.array([support.quorum_of(q, n) for n in known.tolist()])[which]


def _supported(votes: Votes, q: float) -> Array:
    """Which pairs at least q judges put together."""
    out = votes.together >= _needs(votes, q)[:, None, None]
    place = np.arange(out.shape[1])
    out[:, place, place] = False
    return np.asarray(out)


def _as_weights(votes: Votes, supported: Array) -> Array:
    """Support where there is enough; where there is not, less than everything else can bring."""
    inside = votes.among_kept(np.where(supported, votes.together, 0))
    never = -(inside.sum(axis=(1, 2)) // 2 + 1)
    return votes.among_kept(np.where(supported, votes.together, never[:, None, None]))


def _proof(found: Solution) -> dict[str, Any]:
    """What the partition is worth, and what no partition is worth more than."""
    worth, most = round(found.worth), math.floor(found.bound + 1e-4)
    return {"worth": worth, "optimal": found.optimal, "bound": most, "gap": most - worth}


def closed(labels: Array) -> Array:
    """Groups as partitions, along the last axis: left-out items alone."""
    out = labels < 0
    own = labels.max(axis=-1, keepdims=True, initial=-1) + 1
    return np.where(out, own + np.cumsum(out, axis=-1) - 1, labels)


def _worthiest(starts: Array, weights: Array) -> Array:
    """Of ``starts[task, start, item]`` the best few of many."""
    if starts.shape[1] <= STARTS:
        return starts
    value = np.stack([worth(weights, starts[:, k]) for k in range(starts.shape[1])], axis=1)
    order = [
        sorted(range(starts.shape[1]), key=lambda k: (-values[k], rows[k]))[:STARTS]
        for values, rows in zip(value.tolist(), starts.tolist(), strict=True)
    ]
    return np.take_along_axis(starts, np.array(order)[:, :, None], axis=1)


def _chains(labels: Array, supported: Array) -> list[list[list[int]]]:
    """Of each group with pairs that lack support, two items at the ends: a pair that the fewest others connect.

    From ``labels[task, item]`` and ``supported[task, item, item]``.
    """
    out: list[list[list[int]]] = [[] for _ in labels]
    same = (labels[:, :, None] == labels[:, None, :]) & (labels >= 0)[:, :, None]
    linked = same & supported
    task, first, second = np.nonzero(np.triu(same & ~supported, 1))
    some = np.unique(task)
    near = linked[some].astype(np.float32)
    common = np.matmul(near, near)[np.searchsorted(some, task), first, second]
    group = labels[task, first]
    order = np.lexsort((common, group, task))  # of equal ones the first pair: the sort is stable
    key = task[order] * labels.shape[1] + group[order]
    for k in order[np.flatnonzero(np.diff(key, prepend=-1))].tolist():
        out[int(task[k])].append([int(first[k]), int(second[k])])
    return out


def every_task(method: Method, votes: Votes, starts: Array, proofs: Proofs) -> list[Grouped]:
    """The consensus of tasks of one shape by a method; ``starts[task, start, item]`` are partitions to begin from."""
    how: Mapping[str, Any] = method.parameters
    if method.name == "pairs":
        return pairs_of(votes, starts, how["left_out"], how["seconds"], proofs)
    return quorum_of(votes, how["q"], how["join"], how["seconds"], proofs)


def every_panel(method: Method, votes: Votes, start: Array) -> Array:
    """Labels of resampled panels, ``[panel, item]``, the best found from ``start[panel, item]``."""
    how: Mapping[str, Any] = method.parameters
    if method.name == "pairs":
        return pairs_quick(votes, start, how["left_out"])
    return quorum_quick(votes, how["q"], how["join"])
