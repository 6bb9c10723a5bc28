"""The partition nearest to those of many judges, by adjusted Rand index, VI or pairs: small and large, without pairs.

A mean over judges needs no table of all pairs of items: each judge's contingency table with the partition is enough,
and moving an item changes one column of each. So very many items take memory in proportion to items and judges.
Labels are ``[problem, judge, item]``, negative where a judge says nothing of an item; a judge is held against the
partition on the items that the judge used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.contingency import pair_sums

Array = NDArray[Any]
LOSSES = ("adjusted_rand", "vi", "pairs")
SWEEPS = 50  # over all items, at most
SPARE = 4  # empty groups that items can go to; more are made when all have been gone to
NEAR = 1e-9
CELLS = 1 << 22  # cells of contingency tables held at a time
LABELS = 1 << 21  # labels of problems held at a time
BLOCK = 1 << 18  # items x groups of a large problem that are looked at together
MET = 4  # times fewer items that judges have with one than groups, from which on these are gone through
LARGE = 1 << 17  # judges x items x groups of a problem, beyond which it is large


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
    step = min(CELLS // max(_cells(labels, start), 1), LABELS // max(labels[0].size, 1))
    step, found = max(1, step), []
    large = labels[0].size * (int(start.max(initial=0)) + 1) > LARGE
    for a in range(0, len(labels), step):
        some, there = slice(a, a + step), np.asarray((weights[a : a + step] > 0).any(axis=0))
        one = _Tables(labels[some][:, there], weights[some][:, there], start[some], loss, fixed)
        block = max(1, BLOCK // one.table.shape[2]) if large else None
        for _ in range(SWEEPS):
            every = one.open
            one.sweep(block)
            if not fixed and one.members.all(axis=1).any():
                one.make_room()
            elif block:  # where nothing moved, perhaps with an item that is alone
                moved, one.open = one.open, np.setdiff1d(every, one.open)
                one.sweep(block, joins=True)
                one.open = np.union1d(moved, one.open)
            if not len(one.open):
                break
        found.append((one.partition, one.mean))
    return np.concatenate([p for p, _ in found]), np.concatenate([m for _, m in found])


def mean_agreement(
    labels: Array, weights: Array, partitions: Array, loss: str = "adjusted_rand", of: Array | None = None
) -> Array:
    """The mean of judges ``[judge, item]`` for each of ``partitions[partition, item]``: the higher, the nearer.

    ``of[partition]`` is the task of each, where there are several: ``labels[task, judge, item]``.
    """
    many, times = (labels[None], weights[None]) if of is None else (labels, weights)
    judges = many.shape[1]
    task = np.zeros(len(partitions), np.int64) if of is None else of
    right = (task[:, None] * judges + np.arange(judges)).ravel()
    number, inside, both, theirs = np.zeros((4, len(right)))
    for part, sums in pair_sums(
        partitions, many.reshape(-1, many.shape[2]), np.repeat(np.arange(len(task)), judges), right
    ):
        number[part] = n = sums.items
        if loss == "vi":
            inside[part], both[part], theirs[part] = sums.cluster_logs, sums.cell_logs, sums.class_logs
        else:
            found = sums.cluster_squares, sums.cell_squares, sums.class_squares
            inside[part], both[part], theirs[part] = ((x - n) / 2 for x in found)
    shape = (len(task), judges)
    number, inside, both, theirs = (x.reshape(shape) for x in (number, inside, both, theirs))
    counted = np.where(number > 1, times[task], 0.0)
    pairs, total = np.maximum(number * (number - 1) / 2, 1), np.maximum(counted.sum(axis=1), NEAR)
    return _mean(loss, inside, both, theirs, counted, total, number, pairs)


def _mean(
    loss: str, inside: Array, both: Array, theirs: Array, weights: Array, total: Array, number: Array, pairs: Array
) -> Array:
    """The mean over judges, along the second axis: from sums of what is in the groups of the partition, of the judge,
    and of both; from how many items and pairs of them the judge used."""
    if loss == "pairs":
        each = 2 * both - inside - theirs
    elif loss == "vi":
        each = -(inside + theirs - 2 * both) / np.maximum(number, 1)
    else:
        expected = inside * theirs / pairs
        most = (inside + theirs) / 2 - expected
        same = most < NEAR  # both have one group, or both have all alone
        if same.any():
            each = np.where(same, 1.0, (both - expected) / np.where(same, 1.0, most))
        else:
            each = (both - expected) / most
    each *= weights
    summed = each.sum(axis=1) if each.ndim == 2 else np.einsum("pjg->pg", each)  # the same sums, of short rows sooner
    return np.asarray(summed / total)


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
        used = int(start.max(initial=0)) + 1
        groups = used + (0 if fixed else SPARE)
        self.upto = min(used + 1, groups)  # groups that are looked at
        x = np.arange(items + 2, dtype=float)
        self.h = x * np.log(np.maximum(x, 1)) if loss == "vi" else x * (x - 1) / 2
        self.table = np.zeros((problems, judges, groups, wide), np.int32)
        flat, step = self.table.reshape(problems * judges, -1), max(1, CELLS // (groups * wide))
        place = np.maximum(self.partition, 0)[:, None, :] * wide + self.labels
        place, there = place.reshape(len(flat), items), self.used.reshape(len(flat), items)
        for a in range(0, len(flat), step):  # whole numbers of a table are twice as wide while they are counted
            some = slice(a, a + step)
            cells = place[some] + np.arange(len(place[some]))[:, None] * flat.shape[1]
            flat[some] = np.bincount(cells[there[some]], minlength=flat[some].size).reshape(flat[some].shape)
        self.size = self.table.sum(axis=3)
        self.members = np.zeros((problems, groups), np.int64)
        np.add.at(self.members, (np.arange(problems)[:, None], np.maximum(self.partition, 0)), self.partition >= 0)
        self.number = self.size.sum(axis=2)
        self.inside = self.h[self.size].sum(axis=2)  # of the partition's groups
        self.both = self._in_common()
        self.theirs = self.h[self.table.sum(axis=2)].sum(axis=2)
        self.weights = np.where(self.number > 1, self.weights, 0.0)
        self.total = np.maximum(self.weights.sum(axis=1), NEAR)
        self.pairs = np.maximum(self.h[self.number], 1)
        self.all_used = bool(self.used.all())
        self.judges = np.arange(judges)[None, :]
        self.alike: dict[int, list[list[Array]]] = {}  # the items of each judge's groups, of problems where it pays
        self.open = np.arange(problems)  # problems in which something moved when all items were last looked at
        self.now = self.mean

    def _in_common(self) -> Array:
        """The sums of h of all cells, ``[problem, judge]``; where most cells are empty, of the others only."""
        if self.table.shape[2] * self.table.shape[3] <= self.labels.shape[2]:
            return np.asarray(self.h[self.table].sum(axis=(2, 3)))
        flat = self.table.reshape(self.table.shape[0] * self.table.shape[1], -1)
        row, cell = np.nonzero(flat)
        return np.bincount(row, self.h[flat[row, cell]], len(flat)).reshape(self.table.shape[:2])

    def value(self, inside: Array, both: Array, which: Any = slice(None)) -> Array:
        """The mean over judges, along the second axis, of what each says of such sums, of some problems."""
        more: Any = (..., None) if inside.ndim > 2 else ...
        known = (self.theirs, self.weights, self.total, self.number, self.pairs)
        theirs, weights, total, number, pairs = (x[which][more] for x in known)
        return _mean(self.loss, inside, both, theirs, weights, total, number, pairs)

    @property
    def mean(self) -> Array:
        return self.value(self.inside, self.both)

    def sweep(self, block: int | None, joins: bool = False) -> None:
        """Every item once, in every open problem, to where the mean is highest; open are then those in which any moved.

        With a ``block`` so many items are looked at together, and those that might gain then one by one: by going to a
        group of several or to none, or by ``joins``, with an item that is alone.
        """
        moved, items, which = np.zeros(len(self.partition), bool), self.partition.shape[1], self.open
        for a in range(0, items if len(which) else 0, block or items):
            these = np.arange(a, min(a + (block or items), items))
            restless = np.ones((len(which), len(these)), bool)
            if block:
                restless = np.stack([self._restless(k, these, joins) for k in which.tolist()])
            for k in np.flatnonzero(restless.any(axis=0)).tolist():
                moved[self._move(int(these[k]), which[restless[:, k]])] = True
        self.open = np.flatnonzero(moved)

    def make_room(self) -> None:
        """More empty groups; problems that had none are open again."""
        self.open = np.union1d(self.open, np.flatnonzero(self.members.all(axis=1)))
        more = SPARE + self.table.shape[2]
        self.table = np.pad(self.table, ((0, 0), (0, 0), (0, more), (0, 0)))
        self.size, self.members = (
            np.pad(self.size, ((0, 0), (0, 0), (0, more))),
            np.pad(self.members, ((0, 0), (0, more))),
        )
        self.upto += 1

    def _restless(self, k: int, block: Array, joins: bool) -> Array:
        """Which of some items of a problem might gain by a move, all others staying where they are."""
        own, size = np.maximum(self.partition[k, block], 0), self.members[k]
        to = np.flatnonzero(size == 1 if joins else size > 1)
        to = to if joins or self.fixed else np.append(to, np.flatnonzero(size == 0)[:1])
        return self._best(k, block, own, to) > float(self.now[k]) + NEAR

    def _best(self, k: int, block: Array, own: Array, to: Array) -> Array:
        """What the mean of a problem is at most when each of some items goes to one of some other groups, ``[item]``.

        Groups in which no judge has anybody with an item differ for it by size alone: where most are such, one of each
        size stands for them.
        """
        judges = np.flatnonzero(self.weights[k])
        met = self._met(k, judges, block) if self.all_used else None
        slope = self._told(k, judges, self.inside[k, judges])[1]
        sizes = None if met is None else self._by_size(k, judges, slope)
        if met is None or sizes is None:
            value = self._at_most(k, block, own, to)
            value[own[:, None] == to] = -np.inf
            return np.asarray(value.max(axis=1, initial=-np.inf))
        then, place, wrong = sizes
        there = np.zeros(met.shape, bool)  # which groups each item can go to
        there[:, to] = True
        there[np.arange(len(block)), own] = False
        number = np.bincount(place[to], minlength=len(then)) - np.zeros((len(block), 1), np.int64)
        mine = np.flatnonzero(np.isin(own, to))
        number[mine, place[own[mine]]] -= 1
        best = np.where(number > 0, then[place[own]], -np.inf).max(axis=1)
        (item, group), label = np.nonzero(met & there), self.labels[k, judges][:, block]
        with_ = np.zeros(len(item))
        for m, j in enumerate(judges.tolist()):
            with_ += self._step(self.table[k, j, group, label[m, item]]) * slope[m]
        np.maximum.at(best, item, then[place[own[item]], place[group]] + with_ * (1 + wrong))
        best -= (1 - wrong) * self._lost(k, judges, own, label, slope)
        return np.asarray(best / float(self.total[k]))

    def _met(self, k: int, judges: Array, block: Array) -> Array | None:
        """In which groups some judge has somebody with each of some items, ``[item, group]``; None where in many."""
        if k not in self.alike:
            wide = self.table.shape[3]
            self.alike[k] = [
                np.split(np.argsort(own, kind="stable"), np.cumsum(np.bincount(own, minlength=wide))[:-1])
                for own in self.labels[k]
            ]
        groups, label = self.table.shape[2], self.labels[k, judges][:, block]
        rows = [[self.alike[k][j][one] for one in own] for j, own in zip(judges.tolist(), label.tolist(), strict=True)]
        number = [[len(some) for some in each] for each in rows]
        if MET * sum(map(sum, number)) > len(judges) * len(block) * groups or not len(judges):
            return None
        out = np.zeros((len(block), groups), bool)
        for often, each in zip(number, rows, strict=True):
            out[np.repeat(np.arange(len(block)), often), self.partition[k, np.concatenate(each)]] = True
        return out

    def _at_most(self, k: int, block: Array, own: Array, to: Array) -> Array:
        """What the mean of a problem is at most when each of some items goes to each of some groups, ``[item, group]``.

        What a move does to the sizes of groups is told exactly. What it then does to a judge's pairs counts by a number
        that by adjusted Rand index depends a little on those sizes: it is told by that of no move, and the rest is
        bounded. By the other losses nothing is left to be bounded.
        """
        out, each, with_ = (np.zeros((len(block), len(to))) for _ in range(3))
        judges, wrong = np.flatnonzero(self.weights[k]), 0.0
        if not len(judges) or not len(to):
            return out
        label, left = self.labels[k, judges][:, block], ~self.used[k, judges][:, block]
        now, slope = self._told(k, judges, self.inside[k, judges])
        for n in [slice(None)] if self.all_used else [slice(n, n + 1) for n in range(len(judges))]:  # sizes are alike
            sizes = self._by_size(k, judges[n], slope[n])
            if sizes is None:
                return np.full(out.shape, np.inf)
            then, place, far = sizes
            wrong = max(wrong, far)
            np.take(then[place[own]], place[to], axis=1, out=each, mode="clip")
            if not self.all_used:
                each[left[n][0]] = now[n]
            out += each
        for m, j in enumerate(judges.tolist()):
            np.multiply(self._step(self.table[k, j, to[:, None], label[m]]).T, slope[m], out=each)
            if not self.all_used:
                each[left[m]] = 0.0
            with_ += each
        with_ *= 1 + wrong
        out += with_
        out -= (1 - wrong) * self._lost(k, judges, own, label, np.where(left, 0.0, slope[:, None]))[:, None]
        out /= float(self.total[k])
        return out

    def _by_size(self, k: int, judges: Array, slope: Array) -> tuple[Array, Array, float] | None:
        """What judges, to all of whom groups have the same sizes, add to the sum when an item goes from a group of one
        size to one of another, ``[from, to]``; which size each group has; and by what share ``slope`` is off at most.
        None with a judge who has one group, as the partition has."""
        known, place = np.unique(self.size[k, judges[0]], return_inverse=True)
        more = self._step(known) - self._step(np.maximum(known - 1, 0))[:, None]
        then, slopes = self._told(k, judges, self.inside[k, judges, None, None] + more)
        if slopes[slope == 0].any():
            return None
        far = np.abs(slopes / np.where(slope > 0, slope, 1.0)[:, None, None] - (slope > 0)[:, None, None])
        return then.sum(axis=0), place, float(far.max())

    def _lost(self, k: int, judges: Array, own: Array, label: Array, slope: Array) -> Array:
        """What judges have in common with some items' own groups, that counts by ``slope``, ``[item]``."""
        mine = self._step(np.maximum(self.table[k, judges[:, None], own, label] - 1, 0))
        return np.asarray((np.reshape(slope, (len(judges), -1)) * mine).sum(axis=0))

    def _step(self, counts: Array) -> Array:
        """What one more adds to h of counts."""
        return self.h[counts + 1] - self.h[counts] if self.loss == "vi" else counts

    def _told(self, k: int, judges: Array, inside: Array) -> tuple[Array, Array]:
        """What judges of a problem add to the sum over judges when the partition holds so much ``inside[judge,
        ...]``; and what one more in common with each of them does."""
        known = (self.weights, self.theirs, self.both, self.number)
        weight, theirs, both, number = (x[k, judges].reshape(-1, *(1,) * (inside.ndim - 1)) for x in known)
        if self.loss != "adjusted_rand":
            weight = weight / np.maximum(number, 1) if self.loss == "vi" else weight
            return weight * (2 * both - inside - theirs), np.broadcast_to(2 * weight, inside.shape)
        expected = inside * theirs / np.maximum(self.h[number], 1)
        most = (inside + theirs) / 2 - expected
        same = most < NEAR  # both have one group, or both have all alone
        slope = np.where(same, 0.0, weight / np.where(same, 1.0, most))
        return np.where(same, weight, (both - expected) * slope), slope

    def _gains(self, counts: Array, mine: Array, used: Array) -> Array:
        """What a sum of h changes by when an item goes to each other group, ``[..., group]``, from counts of the groups
        and of the one that it is in."""
        mine = mine[..., None]
        if self.loss == "vi":
            gains = self.h[counts + 1] - self.h[counts] + (self.h[np.maximum(mine - 1, 0)] - self.h[mine])
        else:
            gains = counts - np.maximum(mine - 1, 0)
        return np.asarray(gains if self.all_used else np.where(used[..., None], gains, 0))

    def _move(self, item: int, which: Array) -> Array:
        """The item, in some problems, to where the mean is highest; in which problems it moved."""
        at: Any = which if len(which) < len(self.partition) else slice(None)  # of all, without a copy
        own = self.partition[at, item]
        there, mine = own >= 0, np.maximum(own, 0)
        k, q, j = np.arange(len(which)), which[:, None], self.judges
        label, used = self.labels[at, :, item], self.used[at, :, item]
        judges = slice(0, 1) if self.all_used else slice(None)  # groups are of one size to all of them
        upto = self.upto  # empty groups are alike: the first of them stands for all
        size, counts = self.size[at, judges, :upto], self.table[q, j, :upto, label]
        inside = self.inside[at, judges, None] + self._gains(size, size[k, :, mine], used[:, judges])
        both = self.both[at, :, None] + self._gains(counts, counts[k, :, mine], used)
        value, mean = self.value(inside, both, at), self.now[at]
        if self.fixed:
            members = self.members[which, :upto]
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
        self.upto = min(max(self.upto, int(b.max()) + 2), self.table.shape[2])
        return which
