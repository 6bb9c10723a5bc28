"""The partition that agrees with most pairs of items, and the groups that a quorum supports: small.

From :class:`~quorate.groupings.association.Association`, counts of tasks of one shape and of panels drawn from their
judges, at once. Of so many items that such a table has no room, :mod:`~quorate.groupings.large_partition`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association, off_diagonal
from quorate.groupings.partition_program import Proofs, search, solve
from quorate.kernels.pair_support import quorum
from quorate.kernels.partition_labels import components, dense
from quorate.kernels.partition_search import NEAR, pulls, worth
from quorate.panel.consensus_value import Agreed
from quorate.panel.partitions import treated

Array = NDArray[Any]
STARTS = 10  # judges' partitions that local search begins from


def pairs_of(
    votes: Association, proofs: Proofs, left_out: str, seconds: float | None, starts: Array | None = None
) -> list[Agreed]:
    """The partition of every task that agrees with most pairs, with its proof; local search begins at ``starts``."""
    weights = votes.among_kept(votes.margins(left_out))
    found = solve(weights, None if starts is None else worthiest(starts, weights), seconds, proofs)
    own = dense(np.where(votes.kept, found.labels, -1))
    level = _level(weights, own)
    return [
        Agreed(each, None, facts, {"undecided": np.flatnonzero(open_).tolist()})
        for each, facts, open_ in zip(own, found.facts, level, strict=True)
    ]


def _level(weights: Array, labels: Array) -> Array:
    """Which items could as well be in another group, or alone, ``[task, item]``."""
    groups, group = int(labels.max(initial=0)) + 1, np.maximum(labels, 0)
    member = labels[:, None, :] == np.arange(groups)[:, None]  # [task, group, item]
    size, pulled = member.sum(axis=2), pulls(weights, group, groups)
    own = np.take_along_axis(pulled, group[:, None, :], axis=1)
    level = (np.abs(pulled - own) < NEAR) & (size > 0)[:, :, None] & ~member
    alone = np.take_along_axis(size, group, axis=1) == 1
    level_alone = (np.abs(own[:, 0]) < NEAR) & ~alone
    return np.asarray((level.any(axis=1) | level_alone) & (labels >= 0))


def pairs_drawn(votes: Association, start: Array, left_out: str) -> Array:
    """The same of drawn panels, ``[..., item]``: the best found from ``start[..., item]``, not proven."""
    weights, items = votes.among_kept(votes.margins(left_out)), start.shape[-1]
    begin = np.broadcast_to(alone(start), votes.kept.shape)
    found = search(weights.reshape(-1, items, items), begin.reshape(-1, 1, items))
    return np.where(votes.kept, found.reshape(votes.kept.shape), -1)


def quorum_of(votes: Association, proofs: Proofs, q: float, join: str, seconds: float | None) -> list[Agreed]:
    """The groups of every task that a quorum supports."""
    supported, kept = supported_pairs(votes, q), votes.kept
    facts: list[dict[str, Any]] = [{"q": n} for n in quorum(q, votes.judges).tolist()]
    if join == "components":
        found = _connected(votes, supported)
    else:
        solution = solve(clique_weights(votes, supported), None, seconds, proofs)
        found = solution.labels
        facts = [fact | proof for fact, proof in zip(facts, solution.facts, strict=True)]
    own = dense(np.where(kept, found, -1))
    chains = chains_of(own, supported)
    return [Agreed(each, None, fact, {"chains": ends}) for each, fact, ends in zip(own, facts, chains, strict=True)]


def quorum_drawn(votes: Association, q: float, join: str) -> Array:
    """The groups of supported pairs, without a proof."""
    supported = supported_pairs(votes, q)
    if join == "components":
        return np.where(votes.kept, _connected(votes, supported), -1)
    alone = np.broadcast_to(np.arange(votes.kept.shape[-1]), votes.kept.shape)
    weights, size = clique_weights(votes, supported), votes.kept.shape[-1]
    found = search(weights.reshape(-1, size, size), alone.reshape(-1, 1, size))
    return np.where(votes.kept, found.reshape(votes.kept.shape), -1)


def supported_pairs(votes: Association, q: float) -> Array:
    """Which pairs at least q judges, or that share of those who were shown both, put together."""
    shown = votes.shown if votes.shown.strides[-1] else votes.shown[..., :1, :1]  # all were shown everything
    return off_diagonal(votes.together >= quorum(q, shown))


def _connected(votes: Association, supported: Array) -> Array:
    """The groups that supported pairs of kept items connect."""
    linked = votes.among_kept(supported.copy())
    return components(linked.reshape(-1, *linked.shape[-2:])).reshape(linked.shape[:-1])


def clique_weights(votes: Association, supported: Array) -> Array:
    """Support where there is enough; where there is not, less than everything else can bring."""
    inside = votes.among_kept(np.where(supported, votes.together, 0))
    never = -(inside.sum(axis=(-2, -1)) // 2 + 1)
    return votes.among_kept(np.where(supported, votes.together, never[..., None, None]))


def alone(labels: Array) -> Array:
    """Groups as partitions, along the last axis: what is in no group is alone."""
    return treated(np.maximum(labels, -1), "singletons")


def worthiest(starts: Array, weights: Array) -> Array:
    """Of ``starts[task, start, item]`` the best few of many."""
    if starts.shape[1] <= STARTS:
        return starts
    value = np.stack([worth(weights, starts[:, k]) for k in range(starts.shape[1])], axis=1)
    order = [
        sorted(range(starts.shape[1]), key=lambda k: (-values[k], rows[k]))[:STARTS]
        for values, rows in zip(value.tolist(), starts.tolist(), strict=True)
    ]
    return np.take_along_axis(starts, np.array(order)[:, :, None], axis=1)


def chains_of(labels: Array, supported: Array) -> list[list[list[int]]]:
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


def groups(labels: Array) -> list[list[int]]:
    """Item numbers by group, in the order of the group numbers."""
    out: list[list[int]] = [[] for _ in range(int(labels.max(initial=-1)) + 1)]
    for item, group in enumerate(labels.tolist()):
        if group >= 0:
            out[group].append(item)
    return out
