"""Consensus partitions by every method, of tasks and of panels drawn from their judges.

Here are the one that agrees with most pairs of items and the one that a quorum supports; the others are in
:mod:`~quorate.groupings.median_partition`.

From ``labels[task, judge, item]`` and ``weights[draw, task, judge]``: tasks of one shape, and panels drawn from their
judges, at once. An item that more than half of the judges left out is left out. Groups of one item stay groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import ITEMS, Association, off_diagonal
from quorate.groupings.large_partition import (
    ANY,
    Items,
    check_effort,
    check_stored,
    evenly,
    level,
    whole,
    worth_of,
)
from quorate.groupings.median_partition import (
    drawn_linkage,
    drawn_median,
    kept,
    solved_linkage,
    solved_median,
)
from quorate.groupings.partition_program import (
    LOCAL,
    Proofs,
    Solution,
    parts,
    search,
    search_parts,
    solve,
    solve_parts,
)
from quorate.kernels.partition_search import NEAR
from quorate.kernels.pair_support import quorum
from quorate.kernels.partition_labels import components, dense
from quorate.kernels.partition_search import worth
from quorate.panel.consensus_value import Agreed
from quorate.panel.partitions import treated
from quorate.table import Method

Array = NDArray[Any]
CELLS = 1 << 21  # votes held at a time
LARGE = 4  # times as many, of panels drawn from one task of many items
STARTS = 10  # judges' partitions that local search begins from
SPARSE = ("pairs", "quorum")  # of very many items, without a table of all pairs


def search_cost(judges: int, items: int) -> float:
    """What it takes to search for a partition, by judge and item; of very many items, in parts."""
    return 100.0 * items if items <= ITEMS else 5000.0


def groups(labels: Array) -> list[list[int]]:
    """Item numbers by group, in the order of the group numbers."""
    out: list[list[int]] = [[] for _ in range(int(labels.max(initial=-1)) + 1)]
    for item, group in enumerate(labels.tolist()):
        if group >= 0:
            out[group].append(item)
    return out


def _drawn_pairs(labels: Array, weights: Array, start: Array, left_out: str) -> Array:
    """The partitions that agree with most pairs, of drawn panels, from where to begin; of many items, some panels at a
    time."""
    draws, tasks, items = len(weights), *labels.shape[::2]
    there: list[Array] = []

    def margins(some: Array) -> tuple[Array, Array]:
        votes = Association.of(labels, some)
        there.append(votes.kept)
        begin = np.broadcast_to(alone(start), votes.kept.shape)
        pairs = votes.among_kept(votes.margins(left_out))
        return pairs.reshape(-1, items, items), begin.reshape(-1, 1, items)

    if items <= LOCAL:
        found = search(*margins(weights))
    else:
        step = max(LARGE * CELLS // (tasks * items**2), 1)
        every = (part for d in range(0, draws, step) for part in parts(*margins(weights[d : d + step]), d * tasks))
        found = search_parts(every, draws * tasks, items)
    return np.where(np.concatenate(there), found.reshape(draws, tasks, items), -1)


def _proven_pairs(labels: Array, counts: Array, proofs: Proofs, left_out: str, seconds: float | None) -> list[Agreed]:
    return pairs_of(Association.of(labels, counts), proofs, left_out, seconds, alone(labels))


def pairs_of(
    votes: Association, proofs: Proofs, left_out: str, seconds: float | None, starts: Array | None = None
) -> list[Agreed]:
    """The partition of every task that agrees with most pairs, with its proof; local search begins at ``starts``."""
    weights = votes.among_kept(votes.margins(left_out))
    found = solve(weights, None if starts is None else _worthiest(starts, weights), seconds, proofs)
    own = dense(np.where(votes.kept, found.labels, -1))
    level = _level(weights, own)
    return [
        Agreed(each, None, facts, {"undecided": np.flatnonzero(open_).tolist()})
        for each, facts, open_ in zip(own, _proofs(found), level, strict=True)
    ]


def _level(weights: Array, labels: Array) -> Array:
    """Which items could as well be in another group, or alone, ``[task, item]``."""
    member = labels[:, :, None] == np.arange(int(labels.max(initial=0)) + 1)  # [task, item, group]
    size = member.sum(axis=1)
    pulled = np.matmul(weights.astype(np.float64), member.astype(np.float64))
    own = np.take_along_axis(pulled, np.maximum(labels, 0)[:, :, None], axis=2)
    level = (np.abs(pulled - own) < NEAR) & (size > 0)[:, None, :] & ~member
    alone = np.take_along_axis(size, np.maximum(labels, 0), axis=1) == 1
    level_alone = (np.abs(own[:, :, 0]) < NEAR) & ~alone
    return np.asarray((level.any(axis=2) | level_alone) & (labels >= 0))


def _drawn_quorum(labels: Array, weights: Array, q: float, join: str) -> Array:
    """The groups of supported pairs, of drawn panels."""
    return quorum_drawn(Association.of(labels, weights), q, join)


def quorum_drawn(votes: Association, q: float, join: str) -> Array:
    """The groups of supported pairs, without a proof."""
    supported = _supported(votes, q)
    if join == "components":
        return np.where(votes.kept, _connected(votes, supported), -1)
    alone = np.broadcast_to(np.arange(votes.kept.shape[-1]), votes.kept.shape)
    return np.where(votes.kept, _searched(_as_weights(votes, supported), alone), -1)


def _proven_quorum(
    labels: Array, counts: Array, proofs: Proofs, q: float, join: str, seconds: float | None
) -> list[Agreed]:
    return quorum_of(Association.of(labels, counts), proofs, q, join, seconds)


def quorum_of(votes: Association, proofs: Proofs, q: float, join: str, seconds: float | None) -> list[Agreed]:
    """The groups of every task that a quorum supports."""
    supported, kept = _supported(votes, q), votes.kept
    facts: list[dict[str, Any]] = [{"q": n} for n in quorum(q, votes.judges).tolist()]
    if join == "components":
        found = _connected(votes, supported)
    else:
        solution = solve(_as_weights(votes, supported), None, seconds, proofs)
        found = solution.labels
        facts = [fact | proof for fact, proof in zip(facts, _proofs(solution), strict=True)]
    own = dense(np.where(kept, found, -1))
    chains = _chains(own, supported)
    return [Agreed(each, None, fact, {"chains": ends}) for each, fact, ends in zip(own, facts, chains, strict=True)]


def _supported(votes: Association, q: float) -> Array:
    """Which pairs at least q judges, or that share of those who were shown both, put together."""
    shown = votes.shown if votes.shown.strides[-1] else votes.shown[..., :1, :1]  # all were shown everything
    return off_diagonal(votes.together >= quorum(q, shown))


def _connected(votes: Association, supported: Array) -> Array:
    """The groups that supported pairs of kept items connect."""
    linked = votes.among_kept(supported.copy())
    return components(linked.reshape(-1, *linked.shape[-2:])).reshape(linked.shape[:-1])


def _as_weights(votes: Association, supported: Array) -> Array:
    """Support where there is enough; where there is not, less than everything else can bring."""
    inside = votes.among_kept(np.where(supported, votes.together, 0))
    never = -(inside.sum(axis=(-2, -1)) // 2 + 1)
    return votes.among_kept(np.where(supported, votes.together, never[..., None, None]))


def _searched(weights: Array, start: Array) -> Array:
    """The best partitions found of ``weights[..., i, j]`` from ``start[..., item]``."""
    size = weights.shape[-1]
    return search(weights.reshape(-1, size, size), start.reshape(-1, 1, size)).reshape(start.shape)


def _proofs(found: Solution) -> list[dict[str, Any]]:
    """What each partition is worth, and what no partition is worth more than."""
    out = []
    for value, bound, optimal in zip(found.worth.tolist(), found.bound.tolist(), found.optimal.tolist(), strict=True):
        most = math.floor(bound + 1e-4)
        out.append({"worth": round(value), "optimal": optimal, "bound": most, "gap": most - round(value)})
    return out


def alone(labels: Array) -> Array:
    """Groups as partitions, along the last axis: what is in no group is alone."""
    return treated(np.maximum(labels, -1), "singletons")


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


def _items(labels: Array, counts: Array, how: Mapping[str, Any]) -> tuple[Items, Array]:
    """Of very many items of one task, ``labels[judge, item]``, those that a consensus has; and which of all these are.

    They hang together by pairs that a quorum q puts together, or by those that most put together.
    """
    labels, counts = labels[counts > 0], counts[counts > 0]
    there = kept(labels[None], counts[None])[0]
    own = labels[:, there]
    if "q" in how:
        hint = "join=components takes more" if how["join"] == "cliques" else ANY
        return Items(own, counts, own >= -1, lambda same, of: same >= quorum(how["q"], of), hint), there
    held = own >= 0 if how["left_out"] == "common" else own >= -1
    return Items(own, counts, held, lambda same, of: 2 * same > of, "median_partition(loss=pairs) takes more"), there


def check_room(method: Method, labels: Array, counts: Array) -> None:
    """Whether one task, ``labels[judge, item]``, has so many items that the method has no room for it."""
    if labels.shape[1] <= ITEMS or method.name == "median_partition":
        return
    if method.name == "linkage":
        check_stored(labels[:, kept(labels[None], counts[None])[0]])
        return
    items, _ = _items(labels, counts, method.parameters)
    if method.parameters.get("join") == "components":
        check_effort(items.labels[:, items.first], ANY)
    else:
        items.inside()


def _weighed(how: Mapping[str, Any]) -> Callable[[Association], Array]:
    """What pairs of items of one task are worth."""
    if "q" in how:
        return lambda votes: _as_weights(votes, _supported(votes, how["q"]))
    return lambda votes: votes.margins(how["left_out"])


def _large_pairs(labels: Array, counts: Array, proofs: Proofs, how: Mapping[str, Any]) -> Agreed:
    """The partition of very many items of one task that agrees with most pairs, with its proof."""
    items, there = _items(labels, counts, how)
    scale = int(np.gcd.reduce(counts))
    scale *= 1 + bool(items.held.all() and int(counts.sum()) // scale % 2 == 0)  # then all margins are even
    starts = alone(items.labels)
    if len(starts) > STARTS:
        best = sorted(range(len(starts)), key=lambda k: (-worth_of(items, starts[k]), *starts[k].tolist()))
        starts = starts[best[:STARTS]]
    weigh, used_less_voters = _weighed(how), 2 * items.own[0] - items.own[1]
    every = items.parts(lambda votes: weigh(votes) / scale, starts)
    found = solve_parts(every, 1, len(items.part), how["seconds"], proofs)
    own = whole(found.labels[0], items, there)
    undecided = np.flatnonzero(there)[level(items, own[there])].tolist()
    facts = _large_proof(found, scale, items.led(used_less_voters))
    return Agreed(own, None, facts, {"undecided": undecided})


def _large_quorum(labels: Array, counts: Array, proofs: Proofs, how: Mapping[str, Any]) -> Agreed:
    """The groups of very many items of one task that a quorum supports."""
    items, there = _items(labels, counts, how)
    found, facts = items.part, {"q": int(quorum(how["q"], counts.sum()))}
    if how["join"] == "cliques":
        none = np.zeros((0, len(found)), np.int64)
        solution = solve_parts(items.parts(_weighed(how), none), 1, len(found), how["seconds"], proofs)
        found, facts = solution.labels[0], facts | _large_proof(solution, 1, items.led(items.own[0]))
    own = whole(found, items, there)
    return Agreed(own, None, facts, {"chains": list(_large_chains(labels, counts, own, how["q"]))})


def _large_proof(found: Solution, scale: int, more: float) -> dict[str, Any]:
    """What the partition of one task is worth: what was found, so many times, and what goes together anyway."""
    return _proofs(Solution(found.labels, found.worth * scale + more, found.bound * scale + more))[0]


def _large_chains(labels: Array, counts: Array, own: Array, q: float) -> Iterator[list[int]]:
    """Two items at the ends of each group with pairs that lack support; of a very large group, some items' ends."""
    for inside in groups(own):
        some = evenly(np.array(inside))
        if len(some) > 2:
            votes = Association.of(labels[None][:, :, some], counts[None])
            for ends in _chains(np.zeros((1, len(some)), np.int64), _supported(votes, q))[0]:
                yield some[ends].tolist()


def _drawn_large(labels: Array, counts: Array, start: Array, how: Mapping[str, Any]) -> Array:
    """The best found of a panel drawn from the judges of such a task, ``[item]``, from where to begin."""
    items, there = _items(labels, counts, how)
    if how.get("join") == "components":
        return whole(items.part, items, there)
    begin = np.arange(len(start)) if "q" in how else alone(start)
    found = search_parts(items.parts(_weighed(how), begin[None, there]), 1, len(items.part))
    return whole(found[0], items, there)


def consensus(method: Method, labels: Array, weights: Array, start: Array) -> Array:
    """The consensus of drawn panels, ``[draw, task, item]``: the best found from ``start[task, item]``, not proven.

    From ``labels[task, judge, item]`` and ``weights[draw, task, judge]``, as many panels at a time as have room.
    """
    draws, tasks, judges, items = len(weights), *labels.shape
    by_blocks = items > LOCAL and method.name == "pairs"  # a table of all pairs is made of some panels at a time
    held = judges * items if by_blocks or method.name == "median_partition" else items**2
    room = max((CELLS if items <= LOCAL else LARGE * CELLS) // max(held, 1), 1)  # panels
    some = max(min(room, draws), 1)
    out = np.empty((draws, tasks, items), np.int64)
    for t in range(0, tasks, max(room // some, 1)):
        at = slice(t, t + max(room // some, 1))
        for d in range(0, draws, some):
            out[d : d + some, at] = _drawn(method, labels[at], weights[d : d + some, at], start[at])
    return out


def _drawn(method: Method, labels: Array, weights: Array, start: Array) -> Array:
    how: Mapping[str, Any] = method.parameters
    if labels.shape[2] > ITEMS and method.name in SPARSE:
        tasks = range(len(labels))
        return np.array([[_drawn_large(labels[t], own[t], start[t], how) for t in tasks] for own in weights])
    if method.name == "median_partition":
        return drawn_median(labels, weights, start, how)
    if method.name == "linkage":
        return drawn_linkage(labels, weights, how["groups"])
    if method.name == "pairs":
        return _drawn_pairs(labels, weights, start, how["left_out"])
    return _drawn_quorum(labels, weights, how["q"], how["join"])


def proven(method: Method, labels: Array, counts: Array, proofs: Proofs) -> list[Agreed]:
    """The consensus of every task of ``labels[task, judge, item]`` and ``counts[task, judge]``, with its proof."""
    how: Mapping[str, Any] = method.parameters
    if labels.shape[2] > ITEMS and method.name in SPARSE:
        large = _large_pairs if method.name == "pairs" else _large_quorum
        return [large(own, times, proofs, how) for own, times in zip(labels, counts, strict=True)]
    if method.name == "median_partition":
        return solved_median(labels, counts, how)
    if method.name == "linkage":
        return solved_linkage(labels, counts, how["groups"])
    if method.name == "pairs":
        return _proven_pairs(labels, counts, proofs, how["left_out"], how["seconds"])
    return _proven_quorum(labels, counts, proofs, how["q"], how["join"], how["seconds"])


def solved(method: Method, labels: Array, counts: Array, proofs: Proofs | None = None) -> list[Agreed]:
    """The consensus of every task of ``labels[task, judge, item]``, with its proof; its larger groups come first."""
    tasks, _, items = labels.shape
    proofs, step = proofs or Proofs(), max(1, CELLS // max(items**2, 1))
    out = []
    for a in range(0, tasks, step):
        out += sized(proven(method, labels[a : a + step], counts[a : a + step], proofs))
    return out


def sized(found: Sequence[Agreed]) -> list[Agreed]:
    """The same, larger groups first."""
    sizes = by_size(np.stack([f.array for f in found]))
    return [Agreed(own, None, each.facts, each.about) for own, each in zip(sizes, found, strict=True)]


def gold(method: Method, labels: Array, counts: Array) -> Array:
    """The consensus of every task, ``[task, item]``, equal tasks solved once.

    Of draws of one task, which all hold the same labels, the best that is found from the consensus of them all.
    """
    if len(labels) > 1 and labels.strides[0] == 0:
        start = _of_one(method, labels[0], np.ones(labels.shape[1], np.int64))
        return consensus(method, labels[:1].astype(np.int64), counts[:, None], start[None])[:, 0]
    place: dict[bytes, int] = {}
    of = np.array(
        [place.setdefault(a.tobytes() + b.tobytes(), len(place)) for a, b in zip(labels, counts, strict=True)]
    )
    first = np.unique(of, return_index=True)[1]
    if len(first) == 1:
        return np.tile(_of_one(method, labels[0], counts[0]), (len(labels), 1))
    found = np.stack([f.array for f in solved(method, labels[first], counts[first])])
    return np.asarray(found[of])


def _of_one(method: Method, labels: Array, counts: Array) -> Array:
    """The consensus of one task, ``labels[judge, item]``: a figure, its interval and its chance ask for the same."""
    if labels.size > CELLS:
        return solved(method, labels[None], counts[None])[0].array
    return _known(method, labels.shape, labels.astype(np.int64).tobytes(), counts.dtype.str, counts.tobytes())


@lru_cache(maxsize=2)
def _known(method: Method, shape: tuple[int, int], labels: bytes, kind: str, counts: bytes) -> Array:
    task, often = np.frombuffer(labels, np.int64).reshape(1, *shape), np.frombuffer(counts, kind)[None]
    return solved(method, task, often)[0].array


def by_size(rows: Array) -> Array:
    """The groups of each task numbered anew: larger ones first, of equal ones the one with the first item.

    ``rows[task, item]`` are numbered from 0 in order of first member.
    """
    tasks, items = rows.shape
    key = np.where(rows < 0, items, rows) + np.arange(tasks)[:, None] * (items + 1)
    size = np.bincount(key.ravel(), minlength=tasks * (items + 1)).reshape(tasks, items + 1)
    size[:, items] = 0
    name = np.argsort(np.argsort(-size, axis=1, kind="stable"), axis=1)
    return np.where(rows < 0, -1, name.ravel()[key])


def renumbered(labels: Array, order: Array) -> Array:
    """The same groups, the one at ``order[k]`` now numbered k."""
    name = np.empty(len(order) + 1, np.int64)
    name[order] = np.arange(len(order))
    name[-1] = -1
    return name[labels]
