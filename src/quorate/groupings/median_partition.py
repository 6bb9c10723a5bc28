"""The median partition and average linkage, small and large: by a chosen loss and for a chosen number of groups.

By pairs, with any number of groups, the median partition is the one that agrees with most pairs: see
:mod:`~quorate.groupings.pair_partition`. By any other loss, or of a given number of groups, it is the best found by
local search from the best of many starts: average linkage cut at every number of groups, and the judges' own
partitions. It needs no table of all pairs of items, so it takes any number of them; of very many, linkage is made of
some, and the rest go to the group that they are with most often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.groupings.association import ITEMS, Association, kept
from quorate.groupings.large_partition import check_stored
from quorate.groupings.linkage_tree import Tree, average_linkage, sparse_linkage
from quorate.kernels.median_partition import NEAR, improved, mean_agreement
from quorate.kernels.partition_labels import dense
from quorate.panel.consensus_value import Agreed
from quorate.panel.partitions import treated

Array = NDArray[Any]
SAMPLE, DRAWN = 1000, 300  # items that linkage is made of, where there are more; and of a drawn panel
CELLS = 1 << 21  # pairs of items held at a time, of drawn panels
PER_GROUP = 5  # items for each group that is asked for, at the least
STARTS = 4  # that the search goes on from
OWN = 60  # judges whose partitions are tried as starts
NUMBERS = 60  # of groups that are tried, evenly of more
FINER = 2  # groups beyond those of the finest judge that are tried


def median_groups(labels: Array, counts: Array) -> int:
    """The median number of groups that judges made, the lower one where two are in the middle; at least one.

    >>> median_groups(np.array([[0, 0, 1], [0, 1, 2], [0, 0, 0]]), np.array([1, 1, 1]))
    2
    """
    made = np.array([len(np.unique(own[own >= 0])) for own in labels])
    order = np.argsort(made, kind="stable")
    half = np.searchsorted(np.cumsum(counts[order]), counts.sum() / 2)
    return max(int(made[order][min(half, len(order) - 1)]), 1)


def solved_median(labels: Array, counts: Array, how: Mapping[str, Any]) -> list[Agreed]:
    """The median partition of every task of ``labels[task, judge, item]``, and the judges' mean for it."""
    given, there = treated(labels, "singletons") if how["left_out"] == "singletons" else labels, kept(labels, counts)
    tasks = [own[:, inside] for own, inside in zip(given, there, strict=True)]
    out = []
    for (found, value), inside in zip(_best(tasks, counts, how["loss"], how["groups"]), there, strict=True):
        array = np.full(len(inside), -1)
        array[inside] = found
        facts = {"loss": how["loss"], "mean": value}
        out.append(Agreed(dense(array), None, facts))
    return out


def mean_by_pairs(labels: Array, counts: Array, found: Agreed) -> float:
    """The judges' mean for a partition by pairs, of one task, from what it is worth to all of them together.

    That is judges for together less judges for apart, of the pairs in its groups; by pairs a judge also has what is
    together in the judge's own groups and apart in the partition.
    """
    inside = found.array >= 0
    sizes = [np.bincount(own[inside & (own >= 0)]) for own in labels]
    theirs = np.array([(n * (n - 1) // 2).sum() for n in sizes])
    some = np.array([int(n.sum()) > 1 for n in sizes])
    return float((found.facts["worth"] - counts @ theirs) / max(int(counts @ some), NEAR))


def drawn_median(labels: Array, weights: Array, start: Array, how: Mapping[str, Any]) -> Array:
    """The same of panels drawn from the judges, ``[draw, task, item]``: the best found from two starts.

    From ``start[task, item]``, the consensus of all judges, and from the drawn judges' own linkage with as many groups:
    a search that begins at the consensus only would seldom leave it.
    """
    given = treated(labels, "singletons") if how["left_out"] == "singletons" else labels
    draws, tasks, items = len(weights), len(labels), labels.shape[2]
    out = np.empty((draws, tasks, items), np.int64)
    for t in range(tasks):
        same = np.broadcast_to(given[t], (draws, *given[t].shape))
        there, fixed = kept(np.broadcast_to(labels[t], same.shape), weights[:, t]), how["groups"] is not None
        whole = np.maximum(start[t], 0) if fixed else treated(start[t], "singletons")
        begins = [np.broadcast_to(whole, there.shape)]
        some, groups = _some(items, DRAWN), int(whole.max(initial=0)) + 1
        if groups <= len(some):
            trees = zip(trees_of(given[t][:, some], weights[:, t]), weights[:, t], strict=True)
            begins.append(np.stack([_spread(given[t], own, some, tree.cut(groups)) for tree, own in trees]))
        times, begin = len(begins), np.concatenate([np.where(there, b, -1) for b in begins])
        every = np.broadcast_to(given[t], (times * draws, *given[t].shape))
        found, mean = improved(every, np.tile(weights[:, t], (times, 1)), begin, how["loss"], fixed=fixed)
        better = mean[-draws:] > mean[:draws] + NEAR
        out[:, t] = dense(np.where(better[:, None], found[-draws:], found[:draws]))
    return out


def solved_linkage(labels: Array, counts: Array, groups: int | None) -> list[Agreed]:
    """Average linkage of every task, cut at so many groups, or at the median of the judges' numbers."""
    out = []
    for own, weights, inside in zip(labels, counts, kept(labels, counts), strict=True):
        array, cut_at = np.full(len(inside), -1), groups or median_groups(own, weights)
        if inside.any():
            tree = tree_of(own[:, inside], weights)
            array[inside] = tree.cut(_possible(cut_at, tree.items, asked=groups is not None))
        out.append(Agreed(dense(array), None, {"cut": int(array.max(initial=-1)) + 1}))
    return out


def linkage_of(votes: Association, cut: Sequence[int], groups: int | None) -> list[Agreed]:
    """The same from what judges add up to; ``cut`` are the medians of their numbers."""
    out = []
    for share, inside, median in zip(votes.share, votes.kept, cut, strict=True):
        array = np.full(len(inside), -1)
        if inside.any():
            tree = average_linkage(1 - share[np.ix_(inside, inside)])
            array[inside] = tree.cut(_possible(groups or median, tree.items, asked=groups is not None))
        out.append(Agreed(dense(array), None, {"cut": int(array.max(initial=-1)) + 1}))
    return out


def drawn_linkage(labels: Array, weights: Array, groups: int | None) -> Array:
    """The same of panels drawn from the judges, ``[draw, task, item]``."""
    return np.stack([[a.array for a in solved_linkage(labels, own, groups)] for own in weights])


def tree_of(labels: Array, counts: Array) -> Tree:
    """The tree of average linkage, by the share of judges who put two items apart; what nobody judged is far."""
    return trees_of(labels, counts[None])[0]


def trees_of(labels: Array, weights: Array) -> list[Tree]:
    """The trees of panels drawn from the judges, by ``weights[draw, judge]``."""
    items, out = labels.shape[1], list[Tree]()
    if items > ITEMS:
        return [sparse_tree(labels, own) for own in weights]
    step = max(1, CELLS // max(items**2, 1))
    for a in range(0, len(weights), step):
        share = Association.of(labels[None], weights[a : a + step, None]).share[:, 0]
        out += [average_linkage(1 - own) for own in share]
    return out


def sparse_tree(labels: Array, counts: Array) -> Tree:
    """The same of so many items that only pairs that some judge put together have room."""
    labels, counts = labels[counts > 0], counts[counts > 0]
    check_stored(labels)
    return sparse_linkage(labels, counts)


def _possible(groups: int, items: int, asked: bool) -> int:
    if asked and groups > items:
        raise BadParameter(f"groups={groups}: there are {items:,} items.", "no more groups than items can be made.")
    return min(groups, items)


def _best(tasks: Sequence[Array], counts: Array, loss: str, groups: int | None) -> list[tuple[Array, float]]:
    """The best partition found of each task's items, and the judges' mean for it; searches of one size go together."""
    alike: dict[tuple[int, int], list[tuple[int, int, Array]]] = {}
    for t, own in enumerate(tasks):
        for rank, start in enumerate(_promising(own, counts[t], loss, groups)):
            alike.setdefault((own.shape[1], int(start.max())), []).append((t, rank, start))
    found: list[list[tuple[float, int, Array]]] = [[] for _ in tasks]
    for same in alike.values():
        labels, weights = np.stack([tasks[t] for t, _, _ in same]), np.stack([counts[t] for t, _, _ in same])
        starts = np.stack([start for _, _, start in same])
        made, mean = improved(labels, weights, starts, loss, fixed=groups is not None)
        for (t, rank, _), one, value in zip(same, made, mean.tolist(), strict=True):
            found[t].append((-value, rank, one))
    best = [min(some, key=lambda x: x[:2]) if some else None for some in found]
    return [(one[2], -one[0]) if one else (np.zeros(0, np.int64), float("nan")) for one in best]


def _promising(labels: Array, counts: Array, loss: str, groups: int | None) -> list[Array]:
    """The starts of one task that are best as they are, the best first; of very many items, best of some of them."""
    items = labels.shape[1]
    if not items:
        return []
    if groups is not None:
        _possible(groups, items, asked=True)
    some = _some(items, max(SAMPLE, min(items, PER_GROUP * (groups or 0))))
    cuts, own = _starts(labels, counts, some, groups)
    starts = [*cuts, *(row[some] for row in own)]
    if len(some) == items:
        every = {row.tobytes(): row for row in starts}
        starts = list(every.values())
    value = mean_agreement(labels[:, some], counts, dense(np.stack(starts)), loss)
    best = np.argsort(-value, kind="stable")[:STARTS].tolist()
    if len(some) == items:
        return [starts[k] for k in best]
    return [_spread(labels, counts, some, cuts[k]) if k < len(cuts) else own[k - len(cuts)] for k in best]


def _starts(labels: Array, counts: Array, some: Array, groups: int | None) -> tuple[list[Array], list[Array]]:
    """Partitions to begin from: linkage of some items at every number of groups worth trying, and judges' own."""
    tree = tree_of(labels[:, some], counts)
    finest = max(len(np.unique(own[own >= 0])) for own in labels) + FINER
    most = min(finest, tree.items)
    numbers = [groups] if groups is not None else np.linspace(1, most, min(most, NUMBERS)).round().astype(int).tolist()
    cuts = tree.cuts([_possible(k, tree.items, False) for k in numbers])
    alone = dense(treated(np.maximum(labels, -1), "singletons"))
    order = np.lexsort(alone.T[::-1])  # as the rows are, whoever the judges are
    own = [alone[k] for k in order[np.linspace(0, len(order) - 1, min(len(order), OWN)).round().astype(int)]]
    return list(cuts), [row for row in own if groups is None or int(row.max()) + 1 == groups]


def _some(items: int, most: int) -> Array:
    """All items, or so many of them, evenly."""
    return np.linspace(0, items - 1, min(items, most)).round().astype(np.int64)


def _spread(labels: Array, counts: Array, some: Array, cut: Array) -> Array:
    """A partition of some items for all: each of the others goes to the group that it is with most often."""
    items = labels.shape[1]
    if len(some) == items:
        return cut
    groups = int(cut.max()) + 1
    score = np.zeros((groups, items))
    for own, weight in zip(labels[counts > 0], counts[counts > 0].tolist(), strict=True):
        wide = int(own.max(initial=0)) + 2  # what is in no group has the last place, which counts for nothing
        place = np.where(own < 0, wide - 1, own)
        table = np.bincount(cut * wide + place[some], minlength=groups * wide).reshape(groups, wide)
        table[:, -1] = 0
        score += (weight * table / np.maximum(table.sum(axis=1, keepdims=True), 1))[:, place]
    out = score.argmax(axis=0)
    out[some] = cut
    return np.asarray(out)
