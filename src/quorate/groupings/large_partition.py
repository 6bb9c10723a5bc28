"""Consensus partitions of one task of so many items that a table of all their pairs has no room.

What holds items together are pairs that some judges put together. So pairs that no judge put together are never looked
at (:mod:`~quorate.groupings.sparse_pairs`); items that all judges put in the same groups are looked at once; and parts
that no worthwhile pair connects are solved one by one, as those of smaller tasks are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.groupings.association import ITEMS, Association
from quorate.groupings.partition_program import Part
from quorate.groupings.sparse_pairs import Pairs, alike, effort, members, pairs, parts
from quorate.kernels.partition_search import NEAR
from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
EFFORT = 3e10  # pairs of items looked at, those of several judges several times: some minutes
STORED = 2.5e8  # pairs that linkage holds, each from both sides, 8 to 12 bytes
SEEN = 500  # items of which pairs are counted, before all are
ANY = "median_partition takes any number of items"
CELLS = 1 << 22  # items x groups looked at in one go


@dataclass(frozen=True, eq=False)
class Items:
    """The items of one task that a consensus has, and which of them hang together by pairs that are worth having."""

    labels: Array  # [judge, item]
    counts: Array  # [judge]
    held: Array  # [judge, item] who has a say on what
    worthwhile: Callable[[Array, Array], Array]  # of judges who put two together, and judges who have a say on both
    hint: str  # what takes more items

    @cached_property
    def own(self) -> tuple[Array, Array]:
        """How many judges used every item, and how many have a say on it."""
        return (self.counts @ (self.labels >= 0)), (self.counts @ self.held)

    @cached_property
    def kind(self) -> Array:
        """Items that all judges put in the same groups, and that are worth having together, are of one kind."""
        return alike(self.labels, self.worthwhile(*self.own))

    @cached_property
    def first(self) -> Array:
        """The first item of every kind."""
        return np.unique(self.kind, return_index=True)[1]

    @cached_property
    def part(self) -> Array:
        """Items that worthwhile pairs connect, ``[item]``, numbered in order of their first item."""
        own = self.labels[:, self.first]
        check_effort(own, self.hint)
        found = pairs(own, self.counts, self.held[:, self.first])

        def linked(some: Pairs) -> Array:
            return self.worthwhile(some.together, some.voters)

        return parts(len(self.first), found, linked)[self.kind]

    @cached_property
    def leads(self) -> Array:
        """The item that goes with every item: itself, or the first of its kind where a part is too large for all."""
        large = np.bincount(self.part)[self.part] > ITEMS
        return np.where(large, self.first[self.kind], np.arange(len(self.kind)))

    def inside(self) -> list[Array]:
        """The leading items of every part of two and more, those of fewer first."""
        lead = np.unique(self.leads)
        order = lead[np.argsort(self.part[lead], kind="stable")]
        found = np.split(order, np.flatnonzero(np.diff(self.part[order])) + 1)
        most = max(map(len, found), default=0)
        if most > ITEMS:
            raise LimitReached(
                f"{most:,} different items hang together by pairs that enough judges put together.",
                f"at most {ITEMS:,}; {self.hint}.",
            )
        return sorted((own for own in found if len(own) > 1), key=len)

    def parts(self, weigh: Callable[[Association], Array], starts: Array, task: int = 0) -> Iterator[Part]:
        """These parts, with what their pairs are worth, and where to begin, ``starts[start, item]``."""
        alike = np.bincount(self.leads, minlength=len(self.leads))  # items that each leads
        for own in self.inside():
            weights = weigh(Association.of(self.labels[:, own], self.counts)).astype(float)
            weights *= alike[own][:, None] * alike[own]
            yield Part(np.array([task]), own[None], weights[None], starts[None, :, own])

    def led(self, worth: Array) -> float:
        """What pairs of items are worth of which one leads the other; ``worth[item]`` of an item with one like it."""
        alike = np.bincount(self.leads, minlength=len(self.leads))
        return float((worth * alike * (alike - 1) / 2).sum())


def check_effort(labels: Array, hint: str) -> None:
    """Whether pairs that some judge put together are few enough to be looked at."""
    if (much := float(effort(labels).sum())) > EFFORT:
        raise LimitReached(
            f"groups of {labels.shape[1]:,} different items are so large that they hold {much:,.0f} pairs.",
            f"at most {EFFORT:,.0f}; {hint}.",
        )


def evenly(items: Array, most: int = ITEMS) -> Array:
    """All items, or as many as have room in a table of all pairs."""
    return items[np.linspace(0, len(items) - 1, min(len(items), most)).astype(np.int64)]


def check_stored(labels: Array) -> None:
    """Whether pairs that some judge put together have room, as linkage needs them: counted of some items."""
    check_effort(labels, ANY)
    kinds = labels[:, np.unique(alike(labels, np.ones(labels.shape[1], bool)), return_index=True)[1]]
    number = kinds.shape[1]
    some = evenly(np.arange(number), SEEN)
    each = (members(kinds)[some] @ members(kinds).T.tocsr()).nnz / max(len(some), 1)
    if number * each > STORED:
        raise LimitReached(
            f"judges put {number:,} different items together in about {number * each / 2:,.0f} pairs.",
            f"linkage has room for {STORED / 2:,.0f}; {ANY}.",
        )


def worth_of(items: Items, partition: Array) -> float:
    """Judges for together less judges for apart, of all pairs that are in one group of ``partition[item]``."""
    together = members(partition[None]).T.tocsr() @ members(items.labels)
    times = np.repeat(items.counts, items.labels.max(axis=1, initial=-1) + 1)
    cells = together.tocoo()
    both = (times[cells.col] * cells.data * (cells.data - 1.0)).sum()  # twice
    size = [np.bincount(partition[own]).astype(float) for own in items.held]
    return float(both - sum(c * (n * (n - 1)).sum() / 2 for c, n in zip(items.counts.tolist(), size, strict=True)))


def level(items: Items, partition: Array) -> Array:
    """Which items could as well be in another group, or alone, ``[item]``."""
    groups, every = int(partition.max(initial=-1)) + 1, np.arange(len(partition))
    theirs = members(partition[None])
    mine, held = members(items.labels), items.counts[:, None] * items.held
    counts = np.repeat(items.counts, items.labels.max(axis=1, initial=-1) + 1)
    table = (mine.T.tocsr() @ theirs).multiply(counts[:, None]).tocsr()  # [judge's group, group]
    voters = np.stack([np.bincount(partition[own], minlength=groups) for own in items.held])  # [judge, group]
    self_, size = 2 * items.own[0] - items.own[1], np.bincount(partition, minlength=groups)
    out = np.zeros(len(partition), bool)
    for a in range(0, len(partition), step := max(1, CELLS // max(groups, 1))):
        some = slice(a, a + step)
        pulled = 2 * (mine[some] @ table).toarray() - held[:, some].T @ voters
        place = (every[: len(pulled)], partition[some])
        own = pulled[place] - self_[some]
        as_well = np.abs(pulled - own[:, None]) < NEAR
        as_well[place] = False
        out[some] = as_well.any(axis=1) | ((np.abs(own) < NEAR) & (size[partition[some]] > 1))
    return out


def whole(found: Array, items: Items, there: Array) -> Array:
    """The partition of all items of the task, ``[item]``, from that of those ``there``, each with the one it goes with;
    the others are left out."""
    out = np.full(len(there), -1)
    out[there] = found[items.leads]
    return dense(out)
