"""The median partition and average linkage, small and large: by a chosen loss and for a chosen number of groups.

By pairs, with any number of groups, the median partition is the one that agrees with most pairs: see
:mod:`~quorate.groupings.pair_partition`. By any other loss, or of a given number of groups, it is the best found by
local search from the best of many starts: average linkage cut at every number of groups, and the judges' own
partitions. It needs no table of all pairs of items, so it takes any number of them; of very many, linkage is made of
some, and the rest go to the group that they are with most often.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter
from quorate.groupings.association import ITEMS, Association, kept
from quorate.groupings.large_partition import check_stored
from quorate.groupings.linkage_tree import Tree, Trees, average_linkage, average_linkages, sparse_linkage
from quorate.kernels.median_partition import NEAR, improved, mean_agreement
from quorate.kernels.partition_labels import dense
from quorate.panel.consensus_value import Agreed
from quorate.panel.partitions import treated

Array = NDArray[Any]
SAMPLE, DRAWN = 1000, 300  # items that linkage is made of, where there are more; and of a drawn panel
CELLS = 1 << 21  # pairs of items held at a time, of drawn panels
SPREAD = 1 << 18  # items x groups looked at together, as many as stay in the cache
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
            cuts = trees_of(given[t : t + 1, :, some], weights[:, t : t + 1]).cuts([groups])[0]
            begins.append(
                np.stack([_spread(given[t], *one) for one in zip(weights[:, t], [some] * draws, cuts, strict=True)])
            )
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
    return trees_of(labels[None], counts[None, None])[0]


def trees_of(labels: Array, weights: Array) -> Trees:
    """The trees of many tasks, ``labels[task, judge, item]``, and of panels drawn from their judges, by
    ``weights[draw, task, judge]``: those of a draw one after the other."""
    (draws, tasks, _), items = weights.shape, labels.shape[2]
    if items > ITEMS:
        return Trees.stacked([sparse_tree(own, w) for each in weights for own, w in zip(labels, each, strict=True)])
    room = max(1, CELLS // max(items**2, 1))
    some, each = min(room, draws), max(room // draws, 1)
    merges, heights = np.empty((draws, tasks, items - 1, 2), np.int64), np.empty((draws, tasks, items - 1))
    for d, t in itertools.product(range(0, draws, some), range(0, tasks, each)):
        at = slice(d, d + some), slice(t, t + each)
        share = Association.of(labels[at[1]], weights[at]).share
        found = average_linkages(1 - share.reshape(-1, items, items))
        merges[at] = found.merges.reshape(merges[at].shape)
        heights[at] = found.heights.reshape(heights[at].shape)
    return Trees(items, merges.reshape(draws * tasks, items - 1, 2), heights.reshape(draws * tasks, items - 1))


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
    sizes: dict[int, list[int]] = {}
    for t, own in enumerate(tasks):
        sizes.setdefault(own.shape[1], []).append(t)
    alike: dict[tuple[int, int], list[tuple[int, int, Array]]] = {}
    for items, same in sizes.items():
        for t, starts in zip(
            same, _promising(np.stack([tasks[t] for t in same]), counts[same], loss, groups), strict=True
        ):
            for rank, start in enumerate(starts):
                alike.setdefault((items, int(start.max())), []).append((t, rank, start))
    found: list[list[tuple[float, int, Array]]] = [[] for _ in tasks]
    for searches in alike.values():
        searches.sort(key=lambda search: search[:2])
        labels, weights = np.stack([tasks[t] for t, _, _ in searches]), np.stack([counts[t] for t, _, _ in searches])
        begin = np.stack([start for _, _, start in searches])
        made, mean = improved(labels, weights, begin, loss, fixed=groups is not None)
        for (t, rank, _), one, value in zip(searches, made, mean.tolist(), strict=True):
            found[t].append((-value, rank, one))
    best = [min(some, key=lambda x: x[:2]) if some else None for some in found]
    return [(one[2], -one[0]) if one else (np.zeros(0, np.int64), float("nan")) for one in best]


def _promising(labels: Array, counts: Array, loss: str, groups: int | None) -> list[list[Array]]:
    """The starts of each of ``labels[task, judge, item]`` that are best as they are, the best first; of very many
    items, best of some of them."""
    tasks, _, items = labels.shape
    if not items:
        return [[] for _ in range(tasks)]
    if groups is not None:
        _possible(groups, items, asked=True)
    some = _some(items, max(SAMPLE, min(items, PER_GROUP * (groups or 0))))
    trees = trees_of(labels[:, :, some], counts[None])
    every = list(zip(_cuts(trees, labels, groups), _own(labels, groups), strict=True))
    if len(some) == items:
        starts = [list({row.tobytes(): row for row in (*cuts, *own)}.values()) for cuts, own in every]
        tried = np.concatenate(starts)
    else:
        starts = [[*cuts, *(row[some] for row in own)] for cuts, own in every]
        tried = dense(np.concatenate(starts))
    of = np.repeat(np.arange(tasks), [len(own) for own in starts])
    value = mean_agreement(labels[:, :, some], counts, tried, loss, of)
    best = [np.argsort(-value[of == t], kind="stable")[:STARTS].tolist() for t in range(tasks)]
    if len(some) == items:
        return [[own[k] for k in ranks] for own, ranks in zip(starts, best, strict=True)]
    return [
        [_spread(labels[t], counts[t], some, cuts[k]) if k < len(cuts) else own[k - len(cuts)] for k in best[t]]
        for t, (cuts, own) in enumerate(every)
    ]


def _cuts(trees: Trees, labels: Array, groups: int | None) -> list[list[Array]]:
    """Partitions of each task to begin from: its tree at every number of groups worth trying."""
    if groups is not None:
        return [[cut] for cut in trees.cuts([_possible(groups, trees.items, asked=False)])[0]]
    made = dense(np.maximum(labels, -1)).max(axis=2) + 1  # groups of each judge
    finest = np.minimum(made.max(axis=1) + FINER, trees.items).tolist()
    numbers = {most: np.linspace(1, most, min(most, NUMBERS)).round().astype(int).tolist() for most in set(finest)}
    known = sorted({k for every in numbers.values() for k in every})
    cuts = dict(zip(known, trees.cuts(known), strict=True))
    return [[cuts[k][t] for k in numbers[most]] for t, most in enumerate(finest)]


def _own(labels: Array, groups: int | None) -> list[list[Array]]:
    """The judges' own partitions of each task, some of very many; of so many groups, where that is asked for."""
    tasks, judges, items = labels.shape
    alone = dense(treated(np.maximum(labels, -1), "singletons"))
    rows = alone.reshape(-1, items)
    task = np.repeat(np.arange(tasks), judges)
    order = np.lexsort(np.vstack([rows.T[::-1], task]))  # as the rows are, whoever the judges are
    some = order.reshape(tasks, judges)[:, np.linspace(0, judges - 1, min(judges, OWN)).round().astype(int)]
    own = [list(rows[mine]) for mine in some]
    return [[row for row in each if groups is None or int(row.max()) + 1 == groups] for each in own]


def _some(items: int, most: int) -> Array:
    """All items, or so many of them, evenly."""
    return np.linspace(0, items - 1, min(items, most)).round().astype(np.int64)


def _spread(labels: Array, counts: Array, some: Array, cut: Array) -> Array:
    """A partition of some items for all: each of the others goes to the group that it is with most often."""
    items = labels.shape[1]
    if len(some) == items:
        return cut
    groups = int(cut.max()) + 1
    wide = int(labels.max(initial=0)) + 2  # what is in no group has the last place, which counts for nothing
    place = np.where(labels < 0, wide - 1, labels)[counts > 0]
    shares = []
    for own, weight in zip(place, counts[counts > 0].tolist(), strict=True):
        table = np.bincount(cut * wide + own[some], minlength=groups * wide).reshape(groups, wide)
        table[:, -1] = 0
        shares.append((weight * table / np.maximum(table.sum(axis=1, keepdims=True), 1)).T)
    out, step = np.zeros(items, np.int64), max(1, SPREAD // groups)
    for a in range(0, items, step):
        score = np.zeros((len(out[a : a + step]), groups))
        for own, share in zip(place, shares, strict=True):
            score += share[own[a : a + step]]
        out[a : a + step] = score.argmax(axis=1)
    out[some] = cut
    return np.asarray(out)
