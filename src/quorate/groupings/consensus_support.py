"""How well a consensus partition is supported, and how much of it stays with other judges: told task by task.

Rows of pairs are made when they are asked for: thousands of tasks hold millions of pairs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import ITEMS, Association
from quorate.groupings.consensus_partition import CELLS
from quorate.groupings.nested import measuring
from quorate.groupings.pair_partition import groups
from quorate.groupings.pairwise import crossed
from quorate.kernels.defined import quotient
from quorate.kernels.group_sums import renumbered
from quorate.panel.consensus_value import Agreed, named

Array = NDArray[Any]
BLOCK = 1 << 15  # items of drawn panels looked at in one pass
PAIRS = 5000  # pairs of one task listed in the details


class Rows(Sequence[Any]):
    """Rows that are made when they are looked at."""

    def __init__(self, make: Callable[[], list[dict[str, Any]]]) -> None:
        self.tolist = make

    def __len__(self) -> int:
        return len(self.tolist())

    def __getitem__(self, at: Any) -> Any:
        return self.tolist()[at]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class Supported(Agreed):
    """What is behind the consensus of one task."""

    order: Array | None  # [group] place by importance, where judges ranked their groups
    counts: Array  # [judge]
    shares: Array  # [judge] share of pairs on which the judge agrees with it
    together: Array | None  # [item, item] judges who put both together; None of so many items that it has no room
    both: Array | None  # [item, item] judges who used both
    unseen: int | None  # pairs of items that no judge was shown both of
    support: Array  # [item] mean share of judges behind it: with its group, or for leaving it out
    group: Array  # [group, 2] mean share of judges behind its pairs, and that behind the weakest

    def details(self, items: Sequence[Hashable], judges: Sequence[Hashable]) -> dict[str, Any]:
        """Which items are left out, how much judges agree with it, and what the method tells."""
        use = ~np.isnan(self.shares)
        mean = float(np.average(self.shares[use], weights=self.counts[use])) if use.any() else float("nan")
        out: dict[str, Any] = {
            "left_out": [i for i, g in zip(items, self.array.tolist(), strict=True) if g < 0],
            "agreement": mean,
            **self.facts,
            **{name: named(what, items) for name, what in self.about.items()},
            **({"unseen": self.unseen} if self.unseen else {}),
            "judges": dict(zip(map(str, judges), self.shares.tolist(), strict=True)) if judges else {},
        }
        return out if self.order is None else {**out, "importance": self.order.tolist()}

    def pairs(self) -> int:
        """Pairs of items in one group."""
        size = np.bincount(self.array[self.array >= 0])
        return int((size * (size - 1) // 2).sum())

    def items_told(self, items: Sequence[Hashable], kept: Array | None) -> dict[str, Any]:
        """Of each item how many judges are behind it, and how much of its group it keeps."""
        stay: Sequence[float | None] = [None] * len(self.array) if kept is None else kept.tolist()
        each = zip(items, self.support.tolist(), stay, strict=True)
        return {str(item): {"support": support, "stays": own} for item, support, own in each}

    def groups_told(self, kept: Array | None) -> list[dict[str, Any]]:
        """Of each group the same, and the share behind its weakest pair."""
        return [
            {"support": support, "weakest": weakest, "stays": None if kept is None else float(kept[inside].mean())}
            for (support, weakest), inside in zip(self.group.tolist(), groups(self.array), strict=True)
        ]

    def pairs_told(self, items: Sequence[Hashable], drawn: Array | None) -> Rows:
        """Of each pair in one group, those of later groups left out where there are too many."""
        return Rows(partial(self._pairs, items, drawn))

    def _pairs(self, items: Sequence[Hashable], drawn: Array | None) -> list[dict[str, Any]]:
        if self.together is None or self.both is None:
            return []
        pairs: list[tuple[int, int]] = []
        for inside in groups(self.array):
            if len(pairs) + len(inside) * (len(inside) - 1) // 2 <= PAIRS:
                pairs += itertools.combinations(inside, 2)
        first, second = np.array(pairs, np.int64).reshape(-1, 2).T
        stay: Sequence[float | None] = [None] * len(pairs)
        if drawn is not None:
            stay = ((drawn[:, first] == drawn[:, second]) & (drawn[:, first] >= 0)).mean(axis=0).tolist()
        told = (pairs, self.together[first, second].tolist(), self.both[first, second].tolist(), stay)
        return [
            {"pair": [items[i], items[j]], "together": together, "both": both, "stays": own}
            for (i, j), together, both, own in zip(*told, strict=True)
        ]


def supported(labels: Array, counts: Array, found: Sequence[Agreed], orders: Sequence[Array | None]) -> list[Supported]:
    """What is behind the consensus of every task, from ``labels[task, judge, item]`` and ``counts[task, judge]``."""
    tasks, _, items = labels.shape
    if items > ITEMS:
        return [_large(*each) for each in zip(labels, counts, found, orders, strict=True)]
    step, out = max(1, CELLS // max(items**2, 1)), list[Supported]()
    for a in range(0, tasks, step):
        some = slice(a, a + step)
        out += behind(Association.of(labels[some], counts[some]), labels[some], counts[some], found[some], orders[some])
    return out


def behind(
    votes: Association, labels: Array, counts: Array, found: Sequence[Agreed], orders: Sequence[Array | None]
) -> list[Supported]:
    """The same from what judges add up to; ``labels`` and ``counts`` are those of all judges, or of some of them."""
    items = labels.shape[2]
    small = np.int16 if int(votes.judges.max(initial=0)) < 1 << 15 else np.int64
    together, both = votes.together.astype(small), votes.both.astype(small)
    own = np.stack([f.array for f in found])
    support, group = _behind(votes, own)
    shares = agreed(labels, own)
    unseen = (items * (items - 1) - np.count_nonzero(votes.shown, axis=(1, 2)) + (votes.offered > 0).sum(1)) // 2
    return [
        Supported(
            f.array,
            None,
            f.facts,
            f.about,
            order=order,
            counts=counts[n],
            shares=shares[n],
            together=together[n],
            both=both[n],
            unseen=int(unseen[n]),
            support=support[n],
            group=group[n, : int(own[n].max(initial=-1)) + 1],
        )
        for n, (f, order) in enumerate(zip(found, orders, strict=True))
    ]


def _large(labels: Array, counts: Array, found: Agreed, order: Array | None) -> Supported:
    """The same of one task of so many items that a table of all pairs has no room: shares of sums, not sums of shares.

    No pair is told, nor the weakest of a group.
    """
    own, inside = found.array, found.array >= 0
    groups = int(own.max(initial=-1)) + 1
    with_, of = np.zeros((2, len(own)))
    for mine, weight in zip(labels, counts.tolist(), strict=True):
        used = inside & (mine >= 0)
        cell = renumbered(own[used] * np.int64(mine.max(initial=0) + 1) + mine[used])  # most groups have none in common
        with_[used] += weight * (np.bincount(cell)[cell] - 1)
        of[used] += weight * (np.bincount(own[used], minlength=groups)[own[used]] - 1)
    support = quotient(with_, of)
    left, offered = (counts[:, None] * (labels == -1)).sum(axis=0), (counts[:, None] * (labels >= -1)).sum(axis=0)
    member = np.where(inside, own, groups)
    sums, number = (np.bincount(member, x, groups + 1)[:groups] for x in (with_, of))
    mean = quotient(sums, number)
    return Supported(
        own,
        None,
        found.facts,
        found.about,
        order=order,
        counts=counts,
        shares=agreed(labels[None], own[None])[0],
        together=None,
        both=None,
        unseen=None,
        support=np.where(inside, support, left / np.maximum(offered, 1)),
        group=np.stack([mean, np.full(groups, np.nan)], axis=1),
    )


def _behind(votes: Association, labels: Array) -> tuple[Array, Array]:
    """Shares of judges behind items, ``[task, item]``, and groups, mean and least, ``[task, group, 2]``."""
    tasks, items = labels.shape
    same = (labels[:, :, None] == labels[:, None, :]) & (labels >= 0)[:, :, None]
    same[:, np.arange(items), np.arange(items)] = False
    known = same & (votes.both > 0)
    share = np.divide(votes.together, votes.both, out=np.zeros(known.shape), where=known)
    total, number = share.sum(axis=2), known.sum(axis=2)
    least = np.where(known, share, np.inf).min(axis=2, initial=np.inf)
    support = quotient(total, number)
    support = np.where(labels < 0, votes.left_out / np.maximum(votes.offered, 1), support)
    place = (np.arange(tasks)[:, None], np.where(labels < 0, items, labels))
    sums, of, low = (np.zeros((tasks, items + 1)) for _ in range(3))
    low[:] = np.inf
    np.add.at(sums, place, total)
    np.add.at(of, place, number)
    np.minimum.at(low, place, least)
    mean = quotient(sums, of)
    return support, np.stack([mean, np.where(np.isinf(low), np.nan, low)], axis=2)[:, :items]


def agreed(labels: Array, consensus: Array) -> Array:
    """Of the pairs that a judge used and the consensus has, the share on which both agree, ``[task, judge]``; else NaN.

    From ``labels[task, judge, item]`` and ``consensus[task, item]``.
    """
    (found,) = crossed([measuring("rand").with_(left_out="common")], consensus[:, None], labels)
    return found.forward[:, :, 0]


def stays(labels: Array, drawn: Array) -> Array:
    """How much of an item's group it keeps in resampled panels, ``[..., item]``: overlap over union, on average.

    From ``labels[..., item]`` and ``drawn[..., resample, item]``. An item that is left out stays when it is left out
    again.
    """
    items = labels.shape[-1]
    flat, again = labels.reshape(-1, 1, items), drawn.reshape(-1, *drawn.shape[-2:])
    out, left, size = np.zeros((len(flat), items)), flat < 0, _alike(flat)
    step = max(1, BLOCK // max(flat.size, 1))
    for some in (again[:, k : k + step] for k in range(0, again.shape[1], step)):
        width = int(some.max(initial=0)) - int(some.min(initial=0)) + 1
        then, both = _alike(some), _alike(flat * width + some)
        kept = np.where(left | (some < 0), left & (some < 0), both / np.maximum(size + then - both, 1))
        for one in kept.transpose(1, 0, 2):
            out += one
    return np.asarray(out / again.shape[1]).reshape(labels.shape)


def _alike(codes: Array) -> Array:
    """How many items of the row have the same code, ``[..., item]``."""
    shifted = codes - int(codes.min(initial=0))
    row = np.arange(math.prod(codes.shape[:-1])).reshape(*codes.shape[:-1], 1)
    key = shifted + row * (int(shifted.max(initial=0)) + 1)
    _, inverse, count = np.unique(key, return_inverse=True, return_counts=True)
    return np.asarray(count[inverse.reshape(codes.shape)])
