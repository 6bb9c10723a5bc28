"""The partition nearest to those of many judges, by pairs, adjusted Rand index or variation of information.

A mean over judges needs no table of all pairs of items: each judge's contingency table with the partition is enough,
and moving an item changes one column of each. So very many items take memory in proportion to items and judges.
Labels are ``[problem, judge, item]``, negative where a judge says nothing of an item; a judge is held against the
partition on the items that the judge used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LOSSES = ("adjusted_rand", "vi", "pairs")
SWEEPS = 50  # over all items, at most
SPARE = 4  # empty groups that items can go to
NEAR = 1e-9
CELLS = 1 << 22  # cells of contingency tables held at a time
BLOCK = 1 << 19  # judges x items x groups that are looked at together, of a single problem
LARGE = 1 << 17  # of a problem, beyond which it is looked at on its own


def improved(
    labels: Array, weights: Array, start: Array, loss: str = "adjusted_rand", *, fixed: bool = False
) -> tuple[Array, Array]:
    """Single items moved while the judges' mean rises, from ``start[problem, item]``; and that mean, ``[problem]``.

    ``weights[problem, judge]`` is what each judge counts. What is negative in ``start`` is in no group and stays so.
    With ``fixed`` no group is emptied or begun.

    >>> judges = np.array([[[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]])
    >>> found, mean = improved(judges, np.ones((1, 3)), np.array([[0, 0, 0, 0]]))
    >>> found.tolist(), mean.round(3).tolist()
    ([[0, 0, 1, 1]], [0.667])
    """
    step = max(1, CELLS // max(_cells(labels, start), 1))
    if labels[0].size * (int(start.max(initial=0)) + 1) > LARGE:
        step = 1  # a large problem is looked at as a whole
    found = []
    for a in range(0, len(labels), step):
        some, there = slice(a, a + step), slice(None) if step > 1 else np.asarray(weights[a] > 0)
        one = _Tables(labels[some][:, there], weights[some][:, there], start[some], loss, fixed)
        block = max(1, BLOCK // max(labels.shape[1] * one.table.shape[2], 1))
        for _ in range(SWEEPS):
            if not one.sweep(block if step == 1 else None):
                break
        found.append((one.partition, one.mean))
    return np.concatenate([p for p, _ in found]), np.concatenate([m for _, m in found])


def mean_agreement(labels: Array, weights: Array, partitions: Array, loss: str = "adjusted_rand") -> Array:
    """The mean of judges ``[judge, item]`` for each of ``partitions[partition, item]``: the higher, the nearer."""
    found = []
    for some in np.array_split(partitions, -(-len(partitions) * labels.size // CELLS)):
        many = (len(some), *labels.shape)
        tables = _Tables(np.broadcast_to(labels, many), np.broadcast_to(weights, many[:2]), some, loss, True)
        found.append(tables.mean)
    return np.concatenate(found)


def _cells(labels: Array, start: Array) -> int:
    groups = int(start.max(initial=0)) + 1 + SPARE
    return int(labels.shape[1]) * groups * (int(labels.max(initial=0)) + 2)


class _Tables:
    """Every judge's contingency table with the partition of every problem, and what follows from them."""

    def __init__(self, labels: Array, weights: Array, start: Array, loss: str, fixed: bool) -> None:
        self.loss, self.fixed, self.weights = loss, fixed, np.asarray(weights, float)
        self.partition = start.astype(np.int64).copy()
        problems, judges, items = labels.shape
        self.used = (labels >= 0) & (start >= 0)[:, None, :]
        self.labels = np.where(self.used, labels, int(labels.max(initial=0)) + 1).astype(np.int64)
        wide = int(self.labels.max(initial=0)) + 1
        groups = int(start.max(initial=0)) + 1 + (0 if fixed else SPARE)
        x = np.arange(items + 2, dtype=float)
        self.h = x * np.log(np.maximum(x, 1)) if loss == "vi" else x * (x - 1) / 2
        self.table = np.zeros((problems, judges, groups, wide), np.int32)
        own = np.broadcast_to(np.maximum(self.partition, 0)[:, None, :], labels.shape)
        p, j = np.arange(problems)[:, None, None], np.arange(judges)[None, :, None]
        np.add.at(self.table, (p, j, own, self.labels), self.used.astype(np.int32))
        self.size = self.table.sum(axis=3)
        self.members = np.zeros((problems, groups), np.int64)
        np.add.at(self.members, (np.arange(problems)[:, None], np.maximum(self.partition, 0)), self.partition >= 0)
        self.number = self.size.sum(axis=2)
        self.inside = self.h[self.size].sum(axis=2)  # of the partition's groups
        self.both = self.h[self.table].sum(axis=(2, 3))
        self.theirs = self.h[self.table.sum(axis=2)].sum(axis=2)
        self.weights = np.where(self.number > 1, self.weights, 0.0)
        self.all_used = bool(self.used.all())
        self.judges = np.arange(judges)[None, :]
        self.open = np.arange(problems)  # problems in which something moved when all items were last looked at
        self.now = self.mean

    def value(self, inside: Array, both: Array, which: Any = slice(None)) -> Array:
        """The mean over judges, along the second axis, of what each says of such sums, of some problems."""
        known = (self.theirs[which], self.number[which], self.weights[which])
        theirs, number, weights = (x.reshape(x.shape + (1,) * (inside.ndim - 2)) for x in known)
        if self.loss == "pairs":
            each = 2 * both - inside - theirs
        elif self.loss == "vi":
            each = -(inside + theirs - 2 * both) / np.maximum(number, 1)
        else:
            expected = inside * theirs / np.maximum(self.h[number], 1)
            most = (inside + theirs) / 2 - expected
            same = most < NEAR  # both have one group, or both have all alone
            if same.any():
                each = np.where(same, 1.0, (both - expected) / np.where(same, 1.0, most))
            else:
                each = (both - expected) / most
        each *= weights
        return np.asarray(each.sum(axis=1) / np.maximum(weights.sum(axis=1), NEAR))

    @property
    def mean(self) -> Array:
        return self.value(self.inside, self.both)

    def sweep(self, block: int | None) -> bool:
        """Every item once, to where the mean is highest; whether any moved. With a ``block``, of a single problem, so
        many are looked at together, and those that would gain then one by one."""
        moved, items = np.zeros(len(self.partition), bool), self.partition.shape[1]
        for a in range(0, items, block or items):
            these = np.arange(a, min(a + (block or items), items))
            for item in (self._restless(these) if block else these).tolist():
                moved[self._move(item)] = True
        self.open = np.flatnonzero(moved)
        return bool(moved.any())

    def _restless(self, block: Array) -> Array:
        """Of some items of a single problem those that would gain by a move, all others staying where they are; or
        that might, where a bound is enough to tell who would not."""
        own = np.maximum(self.partition[0, block], 0)
        whole = self.loss == "adjusted_rand" and self.all_used
        value = self._at_most(block, own) if whole else self._moved(block, own)
        value[np.arange(len(block)), own] = -np.inf
        return np.asarray(block[value.max(axis=1) > float(self.mean[0]) + NEAR])

    def _moved(self, block: Array, own: Array) -> Array:
        """The mean when each of some items goes to each group, ``[item, group]``."""
        label, used, every = self.labels[0][:, block], self.used[0][:, block], np.arange(len(block))
        sizes = np.broadcast_to(self.size[0][:, None, :], (*label.shape, self.size.shape[2]))
        inside, both = (
            total[0][:, None, None] + self._gains(counts, counts[:, every, own], used)
            for total, counts in ((self.inside, sizes), (self.both, self.table[0][self.judges.T, :, label]))
        )
        return np.asarray(self.value(inside[None], both[None])[0])

    def _at_most(self, block: Array, own: Array) -> Array:
        """What the mean is at the most when each of some items goes to each group, ``[item, group]``, by adjusted Rand
        index where every judge used every item.

        What a move does to the partition alone is then the same for all items of a group, and is told exactly. What it
        does to a judge's pairs counts by a number that depends a little on where from and where to: it is told by
        that of no move, and the rest is bounded.
        """
        size = self.size[0, 0].astype(float)
        inside = self.inside[0, 0] + size - np.maximum(size - 1, 0)[:, None]  # [from, to]
        times, chance = self._weighed(inside[None])
        as_is, _ = self._weighed(self.inside[0, :1, None, None])
        if (times > 0)[(as_is == 0)[:, 0, 0]].any():  # of a judge who has one group, as the partition has
            return np.full((len(block), len(size)), np.inf)
        wrong = float((np.abs(times - as_is) / np.where(as_is > 0, as_is, 1.0)).max())
        there = self.both[0] @ times.reshape(len(times), -1)
        base = chance + there.reshape(inside.shape)  # [from, to]
        with_ = np.zeros((len(block), len(size)))
        each, judged = np.empty(with_.shape), as_is[:, 0, 0]
        tables = self.table[0].transpose(0, 2, 1) * judged[:, None, None]  # [judge, label, group]
        for table, label in zip(tables, self.labels[0][:, block], strict=True):
            with_ += np.take(table, label, axis=0, out=each, mode="clip")
        mine = with_[np.arange(len(own)), own][:, None] - judged.sum()
        far = wrong * (with_ + np.abs(mine))
        return np.asarray((base[own] + with_ - mine + far) / max(float(self.weights.sum()), NEAR))

    def _weighed(self, inside: Array) -> tuple[Array, Array]:
        """What one more pair with each judge adds, ``[judge, ...]``, and what all judges' sums are less by chance."""
        weights, theirs = (x[0][:, None, None] for x in (self.weights, self.theirs))
        expected = inside * theirs / max(float(self.h[self.number[0, 0]]), 1)
        most = (inside + theirs) / 2 - expected
        same = most < NEAR  # both have one group, or both have all alone
        times = np.where(same, 0.0, weights / np.where(same, 1.0, most))
        return times, np.where(same, weights, -expected * times).sum(axis=0)

    def _gains(self, counts: Array, mine: Array, used: Array) -> Array:
        """What a sum of h changes by when an item goes to each other group, ``[..., group]``, from counts of the groups
        and of the one that it is in."""
        mine = mine[..., None]
        if self.loss == "vi":
            gains = self.h[counts + 1] - self.h[counts] + (self.h[np.maximum(mine - 1, 0)] - self.h[mine])
        else:
            gains = counts - np.maximum(mine - 1, 0)
        return np.asarray(gains if self.all_used else np.where(used[..., None], gains, 0))

    def _move(self, item: int) -> Array:
        """The item, in every problem that is open, to where the mean is highest; in which problems it moved."""
        which = self.open
        at: Any = which if len(which) < len(self.partition) else slice(None)  # of all, without a copy
        own = self.partition[at, item]
        there, mine = own >= 0, np.maximum(own, 0)
        k, q, j = np.arange(len(which)), which[:, None], self.judges
        label, used = self.labels[at, :, item], self.used[at, :, item]
        judges = slice(0, 1) if self.all_used else slice(None)  # groups are of one size to all of them
        size, counts = self.size[at, judges], self.table[q, j, :, label]
        inside = self.inside[at, judges, None] + self._gains(size, size[k, :, mine], used[:, judges])
        both = self.both[at, :, None] + self._gains(counts, counts[k, :, mine], used)
        value, mean = self.value(inside, both, at), self.now[at]
        if self.fixed:
            members = self.members[which]
            value[members[k, mine] == 1] = -np.inf
            value[members == 0] = -np.inf
        value[k, mine] = mean
        best = value.argmax(axis=1)
        k = np.flatnonzero(there & (value[k, best] > mean + NEAR))
        which, a, b = which[k], mine[k], best[k]
        if not len(which):
            return which
        u, q, label = used[k].astype(np.int32), which[:, None], label[k]
        self.inside[which], self.both[which], self.now[which] = inside[k, :, b], both[k, :, b], value[k, b]
        self.table[q, j, a[:, None], label] -= u  # a judge has one label of an item: no cell comes twice
        self.table[q, j, b[:, None], label] += u
        self.size[q, j, a[:, None]] -= u
        self.size[q, j, b[:, None]] += u
        self.members[which, a] -= 1
        self.members[which, b] += 1
        self.partition[which, item] = b
        return which
