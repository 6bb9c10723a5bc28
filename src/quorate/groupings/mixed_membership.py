"""Items that belong to two groups: how surely, and by how much to each, from where judges put them.

A judge puts an item into the group most of whose other items are with it. Items of one group all go there equally
often, as far as judges err; one of two groups goes to either of them by shares of its own. How many items are of two,
how often judges err, and what each item is are told together (EM): where people are few or err much, an item that goes
here and there is nothing unusual, and is taken for one of two groups only as often as items of the panel seem to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.card_agreement import LEAST, placed

Array = NDArray[Any]
SHARES = np.arange(0.5, 10) / 10  # of an item of two groups that the second may have
ROUNDS = 12  # of EM
BEFOREHAND = (1.0, 5.0)  # items of two groups, and of one
EVENLY = 0.25  # share of the lesser of two groups, from which on an item is as good as of both
SURELY = 2 / 3  # how likely that is of items that are named
SURE = 1e-9


@dataclass(frozen=True, eq=False)
class Memberships:
    """What items may be, ``kinds[kind, group]`` with shares that add up to 1, the first of one group each; and how
    likely each item is of each kind, ``likely[item, kind]``."""

    kinds: Array
    likely: Array

    @property
    def of_two(self) -> Array:
        """Items that are rather surely of two groups, and nearly as much of one as of the other, ``[item]``."""
        lesser = self.kinds.sum(axis=1) - self.kinds.max(axis=1)
        return np.asarray(self.likely[:, lesser > EVENLY].sum(axis=1) > SURELY)

    def together(self) -> tuple[Array, Array]:
        """How often two items go to one group if nobody errs, ``[pair]``, and the mean square of that."""
        first, second = np.triu_indices(len(self.likely), 1)
        mean = self.likely @ self.kinds
        square = self.likely @ (self.kinds[:, :, None] * self.kinds[:, None, :]).reshape(len(self.kinds), -1)
        return (mean @ mean.T)[first, second], (square @ square.T)[first, second]

    def drawn(self, number: int, rng: np.random.Generator) -> Array:
        """The same of items whose kinds are drawn, ``[draw, pair]``."""
        first, second = np.triu_indices(len(self.likely), 1)
        own = self._shares(number, rng)
        return np.asarray((own @ own.transpose(0, 2, 1))[:, first, second])

    def sorted(self, size: tuple[int, int], rng: np.random.Generator) -> Array:
        """The groups into which judges put items, if nobody errs, ``[panel, judge, item]``; kinds are resampled in
        every panel."""
        upto = np.cumsum(self._shares(size[0], rng), axis=2)[:, None]
        return np.asarray((rng.random((*size, len(self.likely), 1)) > upto[..., :-1]).sum(axis=3))

    def _shares(self, number: int, rng: np.random.Generator) -> Array:
        """What items may be, ``[draw, item, group]``."""
        upto = np.cumsum(self.likely, axis=1)[:, :-1]
        return np.asarray(self.kinds[(rng.random((number, len(upto), 1)) > upto).sum(axis=2)])


def memberships(labels: Array, counts: Array, partition: Array) -> Memberships:
    """From ``labels[judge, item]``, below 0 where an item is not used, and the group of every item from 0.

    >>> sorts = np.array([[0, 0, 0, 1, 1, 1]] * 5 + [[0, 0, 1, 1, 1, 1]] * 5)
    >>> found = memberships(sorts, np.ones(10), np.arange(6) // 3)
    >>> np.flatnonzero(found.of_two).tolist()
    [2]
    """
    return memberships_of_each([labels], counts, [partition])[0]


def memberships_of_each(labels: Sequence[Array], counts: Array, partitions: Sequence[Array]) -> list[Memberships]:
    """The same of several panels of as many judges and items, those with as many large groups together."""
    out: list[Memberships] = []
    alike: dict[int, list[tuple[int, Array]]] = {}
    for k, partition in enumerate(partitions):
        size = np.bincount(partition)
        large = np.flatnonzero(size >= LEAST)
        kinds = _kinds(len(size), large)
        out.append(Memberships(kinds, np.eye(len(kinds))[partition]))  # an item alone stays alone
        if len(large) > 1:
            alike.setdefault(len(large), []).append((k, large))
    for number, panels in alike.items():
        mine = np.stack([np.isin(partitions[k], large) for k, large in panels])
        count = np.stack([placed(labels[k], counts, partitions[k])[:, large] for k, large in panels])
        home = np.stack([partitions[k][:, None] == large for k, large in panels])
        own = _likely(count * mine[:, :, None], home, mine, number)
        for (k, large), there, found in zip(panels, mine, own, strict=True):
            likely, groups = out[k].likely, int(partitions[k].max()) + 1
            likely[there] = 0.0
            likely[np.ix_(there, np.append(large, np.arange(groups, likely.shape[1])))] = found[there]
    return out


def _likely(count: Array, home: Array, mine: Array, groups: int) -> Array:
    """How likely items are of each kind, ``[panel, item, kind]``, by how many judges put them where, ``count[panel,
    item, group]``; which is their group, and which items are asked about."""
    share = _kinds(groups, np.arange(groups))
    even = 1 - (share**2).sum(axis=1)  # the more evenly an item is of two groups, the likelier beforehand
    one = even < SURE
    usual = np.log(np.where(one, 1 / groups, even / even[~one].sum()))
    total, asked = count.sum(axis=2), mine.sum(axis=1)
    there = np.maximum(total.sum(axis=1), 1e-300)
    right = np.where(total.any(axis=1), (count * home).sum(axis=(1, 2)) / there, 1.0)
    two = np.full(len(count), BEFOREHAND[0] / sum(BEFOREHAND))
    for _ in range(ROUNDS):
        right = np.clip(right, 1 / groups + SURE, 1 - SURE)
        wrong = (1 - right) / (groups - 1)
        own = count @ np.log(wrong[:, None, None] + (right - wrong)[:, None, None] * share.T)
        own += (usual + np.where(one, np.log(1 - two)[:, None], np.log(two)[:, None]))[:, None]
        own -= own.max(axis=2, keepdims=True)
        np.exp(own, out=own)
        own /= own.sum(axis=2, keepdims=True)
        firm = own[:, :, :groups]  # the kinds of one group are the first, one per group
        sure = firm.sum(axis=2)
        two = (asked - (sure * mine).sum(axis=1) + BEFOREHAND[0]) / (asked + sum(BEFOREHAND))
        known = (sure * total).sum(axis=1)
        right = np.where(known > 0, (firm * count).sum(axis=(1, 2)) / np.where(known > 0, known, 1.0), right)
    return own


def _kinds(groups: int, large: Array) -> Array:
    """Items of one group each, then of every two large ones in equal steps, ``[kind, group]``."""
    one = np.eye(groups)
    first, second = (large[k] for k in np.triu_indices(len(large), 1))
    mixed = one[first, None] * (1 - SHARES)[:, None] + one[second, None] * SHARES[:, None]
    return np.concatenate([one, mixed.reshape(-1, groups)])
