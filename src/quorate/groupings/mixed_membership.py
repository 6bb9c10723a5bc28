"""Items that belong to two groups: how surely, and by how much to each, from where judges put them.

A judge puts an item into the group most of whose other items are with it. Items of one group all go there equally
often, as far as judges err; one of two groups goes to either of them by shares of its own. How many items are of two,
how often judges err, and what each item is are told together (EM): where people are few or err much, an item that goes
here and there is nothing unusual, and is taken for one of two groups only as often as items of the panel seem to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.card_agreement import LEAST, placed
from quorate.kernels.defined import quotient

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
        square = np.einsum("ik,kg,kh->igh", self.likely, self.kinds, self.kinds, optimize=True)
        flat = square.reshape(len(mean), -1)
        return (mean @ mean.T)[first, second], (flat @ flat.T)[first, second]

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
    groups = int(partition.max()) + 1
    large = np.flatnonzero(np.bincount(partition, minlength=groups) >= LEAST)
    kinds = _kinds(groups, large)
    likely = np.eye(len(kinds))[partition]  # an item alone stays alone
    mine = np.flatnonzero(np.isin(partition, large))
    if len(large) < 2:
        return Memberships(kinds, likely)
    count = placed(labels, counts, partition)[mine][:, large]  # [item, large group]
    one, share = kinds.sum(axis=1) == kinds.max(axis=1), kinds[:, large]
    possible = share.sum(axis=1) > 0
    even = 1 - (kinds**2).sum(axis=1)  # the more evenly an item is of two groups, the likelier beforehand
    home = partition[mine][:, None] == large
    right = float(quotient((count * home).sum(), count.sum(), otherwise=1.0))
    two = BEFOREHAND[0] / sum(BEFOREHAND)
    for _ in range(ROUNDS):
        right = min(max(right, 1 / len(large) + SURE), 1 - SURE)
        wrong = (1 - right) / (len(large) - 1)
        prior = np.where(one, (1 - two) / len(large), two * even / even.sum()) * possible
        log = count @ np.log(wrong + (right - wrong) * share).T + np.log(np.maximum(prior, 1e-300))
        own = np.exp(log - log.max(axis=1, keepdims=True))
        own /= own.sum(axis=1, keepdims=True)
        firm = own[:, large]  # the kinds of one group are the first, one per group
        two = (float(own[:, ~one].sum()) + BEFOREHAND[0]) / (len(mine) + sum(BEFOREHAND))
        right = float(quotient((firm * count).sum(), (firm.sum(axis=1) * count.sum(axis=1)).sum(), otherwise=right))
    likely[mine] = own
    return Memberships(kinds, likely)


def _kinds(groups: int, large: Array) -> Array:
    """Items of one group each, then of every two large ones in equal steps, ``[kind, group]``."""
    one = np.eye(groups)
    first, second = (large[k] for k in np.triu_indices(len(large), 1))
    mixed = one[first, None] * (1 - SHARES)[:, None] + one[second, None] * SHARES[:, None]
    return np.concatenate([one, mixed.reshape(-1, groups)])
