"""Consensus partitions by every method, of tasks and of panels drawn from their judges: which method is small or large.

Tasks of up to 5,000 items have a table of all pairs (:mod:`~quorate.groupings.pair_partition`), larger ones have none
(:mod:`~quorate.groupings.large_partition`); the median partition and average linkage take both
(:mod:`~quorate.groupings.median_partition`).

From ``labels[task, judge, item]`` and ``weights[draw, task, judge]``: tasks of one shape, and panels drawn from their
judges, at once. An item that more than half of the judges left out is left out. Groups of one item stay groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.groupings.association import ITEMS, Association, effort, kept
from quorate.groupings.large_partition import (
    check_room_for_pairs,
    check_stored,
    drawn_of_many,
    pairs_of_many,
    quorum_of_many,
)
from quorate.groupings.median_partition import (
    drawn_linkage,
    drawn_median,
    mean_by_pairs,
    solved_linkage,
    solved_median,
)
from quorate.groupings.pair_partition import alone, pairs_drawn, pairs_of, quorum_drawn, quorum_of
from quorate.groupings.partition_program import LOCAL, Proofs
from quorate.panel.consensus_value import Agreed
from quorate.table import Method, bind, find

Array = NDArray[Any]
CELLS = 1 << 21  # votes held at a time
LARGE = 4  # times as many, of panels drawn from one task of many items
TABLES = 3 * 10**8  # judges x groups x groups that have room
MOVES, PAIRS = 5 * 10**7, 10**8  # judges x items x groups, and pairs in judges' groups, that take about a minute
SPARSE = ("pairs", "quorum")  # of very many items, without a table of all pairs


def search_cost(judges: int, items: int) -> float:
    """What it takes to search for a partition, by judge and item; of very many items, in parts."""
    return 100.0 * items if items <= ITEMS else 5000.0


def by_pairs(method: Method) -> Method:
    """The median partition by pairs, of any number of groups, is that of pairs; all other methods are as they are."""
    how = method.parameters
    if method.name != "median_partition" or how["loss"] != "pairs" or how["groups"] is not None:
        return method
    return bind(find("pairs", "groupings", "consensus"), {"left_out": how["left_out"]})


def check_room(method: Method, labels: Array, counts: Array) -> None:
    """Whether one task, ``labels[judge, item]``, has so many items that the method has no room for it."""
    method = by_pairs(method)
    if labels.shape[1] <= ITEMS:
        return
    if method.name == "median_partition":
        groups = int(labels.max(initial=0)) + 1
        if len(labels) * groups**2 > TABLES:
            fact = f"{groups:,} groups of {labels.shape[1]:,} items are too many for tables of them with a partition."
            raise LimitReached(fact, "pairs and quorum need none.")
    elif method.name == "linkage":
        check_stored(labels[:, kept(labels[None], counts[None])[0]])
    else:
        check_room_for_pairs(labels, counts, method.parameters)


def ends_soon(method: Method, labels: Array) -> bool:
    """Whether a method that was not asked for by name takes no more than about a minute, ``labels[judge, item]``."""
    if labels.shape[1] <= ITEMS:
        return True
    if by_pairs(method).name == "median_partition":
        return labels.size * (int(labels.max(initial=0)) + 1) <= MOVES
    return float(effort(labels).sum()) <= PAIRS


def consensus(method: Method, labels: Array, weights: Array, start: Array) -> Array:
    """The consensus of drawn panels, ``[draw, task, item]``: the best found from ``start[task, item]``, not proven.

    From ``labels[task, judge, item]`` and ``weights[draw, task, judge]``, as many panels at a time as have room.
    """
    method, draws, tasks, judges, items = by_pairs(method), len(weights), *labels.shape
    held = judges * items if method.name == "median_partition" else items**2
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
        return np.array([[drawn_of_many(labels[t], own[t], start[t], how) for t in tasks] for own in weights])
    if method.name == "median_partition":
        return drawn_median(labels, weights, start, how)
    if method.name == "linkage":
        return drawn_linkage(labels, weights, how["groups"])
    if method.name == "pairs":
        return pairs_drawn(Association.of(labels, weights), start, how["left_out"])
    return quorum_drawn(Association.of(labels, weights), how["q"], how["join"])


def proven(method: Method, labels: Array, counts: Array, proofs: Proofs) -> list[Agreed]:
    """The consensus of every task of ``labels[task, judge, item]`` and ``counts[task, judge]``, with its proof."""
    how: Mapping[str, Any] = method.parameters
    if (same := by_pairs(method)) is not method:
        return [
            Agreed(one.array, None, {"loss": "pairs", "mean": mean_by_pairs(own, times, one), **one.facts}, one.about)
            for one, own, times in zip(proven(same, labels, counts, proofs), labels, counts, strict=True)
        ]
    if labels.shape[2] > ITEMS and method.name in SPARSE:
        large = pairs_of_many if method.name == "pairs" else quorum_of_many
        return [large(own, times, proofs, how) for own, times in zip(labels, counts, strict=True)]
    if method.name == "median_partition":
        return solved_median(labels, counts, how)
    if method.name == "linkage":
        return solved_linkage(labels, counts, how["groups"])
    votes = Association.of(labels, counts)
    if method.name == "pairs":
        return pairs_of(votes, proofs, how["left_out"], how["seconds"], alone(labels))
    return quorum_of(votes, proofs, how["q"], how["join"], how["seconds"])


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
    """The groups of each task renumbered: larger ones first, of equal ones the one with the first item.

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
