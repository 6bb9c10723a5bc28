"""Partitions that gather the most weight inside groups, by local search: small and large, wherever pairs have a table.

``weights[problem, i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric,
diagonal 0. Many small problems of one size are searched at once, a large one is one problem: items move one by one, in
all problems in which they gain, each at the cost of its row. By adjusted Rand index or VI a move changes what all
others are worth: that, and what has no table of pairs, is searched in :mod:`~quorate.kernels.median_partition`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
NEAR = 1e-3  # weights are whole numbers
SPARE = 16  # empty groups to begin with
FEW = 64  # items, up to which groups are first joined two by two
SHAKEN = 0.15  # share of the items that a shake moves


def worth(weights: Array, labels: Array) -> Array:
    """Weight of all pairs that are in one group, ``[problem]``."""
    same = labels[:, :, None] == labels[:, None, :]
    return np.asarray((weights * same).sum(axis=(1, 2), dtype=np.float64) / 2)


def searched(weights: Array, starts: Array, shakes: int = 0) -> Array:
    """The best that local search reaches from items alone, from one of ``starts[problem, start, item]``, or from so
    many shaken copies of the best one."""
    easy, best = _whole_groups(weights)
    if easy.any():
        hard = np.flatnonzero(~easy)
        best[hard] = searched(weights[hard], starts[hard], shakes) if len(hard) else best[hard]
        return best
    best = from_alone(weights)
    if not starts.shape[1] and not shakes:
        return best
    most = worth(weights, best)
    for k in range(starts.shape[1]):
        _keep_better(weights, descend(weights, starts[:, k]), best, most)
    rng = np.random.default_rng(weights.shape[1])  # fixed: the same votes give the same partition
    for _ in range(shakes if weights.shape[1] > 2 else 0):
        _keep_better(weights, descend(weights, _shaken(best, rng)), best, most)
    return best


def _keep_better(weights: Array, tried: Array, best: Array, most: Array) -> None:
    value = worth(weights, tried)
    better = value > most + NEAR
    best[better], most[better] = tried[better], value[better]


def _shaken(labels: Array, rng: np.random.Generator) -> Array:
    """The partitions, with some items put anywhere."""
    out, items = dense(labels), labels.shape[1]
    for row in out:
        moved = rng.random(items) < max(SHAKEN, 2 / items)
        row[moved] = rng.integers(int(row.max()) + 2, size=int(moved.sum()))
    return out


def _whole_groups(weights: Array) -> tuple[Array, Array]:
    """Where the items that are worth having together are whole groups, so that nothing can be better, ``[problem]``;
    and of every item the first that is worth having with it, which then names its group, ``[problem, item]``."""
    wanted = (weights > NEAR) | np.eye(weights.shape[1], dtype=bool)
    first = wanted.argmax(axis=2) if weights.shape[1] else np.zeros(weights.shape[:2], np.int64)
    return (wanted == (first[:, :, None] == first[:, None, :])).all(axis=(1, 2)), first


def from_alone(weights: Array) -> Array:
    """From items alone: of few, join groups while that gains; then :func:`descend`."""
    alone = np.broadcast_to(np.arange(weights.shape[1]), weights.shape[:2])
    if weights.shape[1] > FEW:
        return descend(weights, alone)
    into = _joins(weights.astype(np.result_type(weights, np.float32)))
    return descend(weights, into, joined=True)


def descend(weights: Array, labels: Array, joined: bool = False) -> Array:
    """Move single items and join groups until nothing helps, ``[problem, item]``.

    ``joined``: no two groups gain by being joined, so that where no item moves there is nothing to do.
    """
    out = dense(labels)
    left, now = np.arange(len(out)), _Groups(weights, out)
    while True:
        moved = now.move() | (not joined)
        if not moved.all():
            out[left] = now.labels
            left, now = left[moved], now.only(moved)
        changed = now.join() if len(left) else moved[moved]
        out[left] = now.labels
        if not changed.any():
            return out
        if not changed.all():
            left, now = left[changed], now.only(changed)
        joined = True


def pulls(weights: Array, labels: Array, groups: int) -> Array:
    """Weight of each group with each item, ``[problem, group, item]``; groups are numbered from 0.

    >>> pulls(np.array([[[0.0, 3.0, -1.0], [3.0, 0.0, 2.0], [-1.0, 2.0, 0.0]]]), np.array([[0, 1, 0]]), 2).tolist()
    [[[-1.0, 5.0, -1.0], [3.0, 0.0, 2.0]]]
    """
    problems, items, wide = weights.shape
    if problems != 1:
        member = (labels[:, None, :] == np.arange(groups)[:, None]).astype(np.result_type(weights, np.float32))
        return np.asarray(np.matmul(member, weights))
    order = np.argsort(labels[0], kind="stable")
    first = np.flatnonzero(np.diff(labels[0, order], prepend=-1))
    rows = weights[0].take(order, axis=0).astype(np.result_type(weights, np.float32), copy=False)
    out = np.zeros((1, groups, wide), rows.dtype)
    out[0, labels[0, order[first]]] = rows if len(first) == items else np.add.reduceat(rows, first, axis=0)
    return out


class _Groups:
    """Partitions on their way, and the weight of each of their groups with each item."""

    def __init__(self, weights: Array, labels: Array, pull: Array | None = None) -> None:
        groups = int(labels.max(initial=0)) + 1
        self.weights, self.labels = weights, labels.copy()
        self.pull = self._with_room(pulls(weights, labels, groups)) if pull is None else pull
        self.size = np.zeros(0, np.int64)  # [problem, group], known while items move

    def only(self, some: Array) -> _Groups:
        """The same of some problems."""
        return _Groups(self.weights[some], self.labels[some], self.pull[some])

    def _with_room(self, pull: Array) -> Array:
        """With more empty groups; there are never more groups than items."""
        more = min(SPARE, pull.shape[2] - pull.shape[1])
        return np.concatenate([pull, np.zeros((len(pull), more, pull.shape[2]), pull.dtype)], axis=1)

    def move(self) -> Array:
        """Move items one by one to the group that they are worth most in, a new one included, until none moves; in
        which problems any did."""
        problems, groups = self.pull.shape[:2]
        ever, left = np.zeros(problems, bool), np.arange(problems)
        place = self.labels + left[:, None] * groups
        self.size = np.bincount(place.ravel(), minlength=problems * groups).reshape(problems, groups)
        while len(left):
            here = self.pull if len(left) == problems else self.pull[left]
            own = np.take_along_axis(here, self.labels[left][:, None], axis=1)[:, 0]
            item, which = np.nonzero((here.max(axis=1) > own + NEAR).T)
            moved = np.zeros(problems, bool)
            if problems == 1:
                moved[:] = self._move_each(item.tolist())
            else:
                first = np.flatnonzero(np.diff(item, prepend=-1))
                for i, some in zip(item[first].tolist(), np.split(left[which], first[1:]), strict=False):
                    moved[self._move_in(some, i)] = True
            ever |= moved
            left = np.flatnonzero(moved)
        return ever

    def _move_in(self, some: Array, item: int) -> Array:
        """The item, in some problems, to the group that it is worth most in; in which it moved."""
        column = self.pull[some, :, item]
        every, own, group = np.arange(len(some)), self.labels[some, item], column.argmax(axis=1)
        gains = column[every, group] > column[every, own] + NEAR
        some, own, group = some[gains], own[gains], group[gains]
        row = self.weights[some, item]
        self.pull[some, own] -= row
        self.pull[some, group] += row
        self.labels[some, item] = group
        self.size[some, own] -= 1
        self.size[some, group] += 1
        if self.size[some].all(axis=1).any():
            self._make_room()
        return some

    def _move_each(self, items: list[int]) -> bool:
        """The same of some items of a single problem, one after the other, without lists of problems: half the time."""
        weights, labels, pull, size, moved = self.weights[0], self.labels[0], self.pull[0], self.size[0], False
        for item in items:
            column = pull[:, item]
            own, group = int(labels[item]), int(column.argmax())
            if column[group] <= column[own] + NEAR:
                continue
            row = weights[item]
            pull[own] -= row
            pull[group] += row
            labels[item] = group
            size[own] -= 1
            size[group] += 1
            moved = True
            if size[group] == 1 and size.all():
                self._make_room()
                pull, size = self.pull[0], self.size[0]
        return moved

    def _make_room(self) -> None:
        """There must be an empty group to go to, where one has two items."""
        self.pull = self._with_room(self.pull)
        self.size = np.pad(self.size, ((0, 0), (0, self.pull.shape[1] - self.size.shape[1])))

    def join(self) -> Array:
        """Join the two groups that gain most until none do; in which problems any were joined."""
        if len(self.labels) == 1:
            self._number()
        groups = self.pull.shape[1]
        into = _joins(pulls(self.pull.transpose(0, 2, 1), self.labels, groups))
        joined = np.asarray((into != np.arange(groups)).any(axis=1))
        if joined.any():
            self.labels = np.take_along_axis(into, self.labels, axis=1)
            some = joined if not joined.all() else slice(None)
            self.pull[some] = pulls(self.pull[some], into[some], groups)
        if len(self.labels) == 1 and joined.any():
            self._number()
            self.pull = self._with_room(self.pull)
        return joined

    def _number(self) -> None:
        """The groups of a single problem numbered anew, without empty ones."""
        found = dense(self.labels)
        groups = int(found.max(initial=0)) + 1
        place = np.zeros(groups, np.int64)
        place[found[0]] = self.labels[0]
        self.labels, self.pull = found, self.pull[:, place]


def _joins(gain: Array) -> Array:
    """The group that each group is joined to, ``[problem, group]``: the two that gain most, again and again, until none
    do. ``gain[problem, group, group]`` is the weight between two groups, and is used up."""
    problems, groups = gain.shape[:2]
    every = np.arange(groups)
    gain[:, every, every] = -np.inf
    into = np.broadcast_to(every, (problems, groups)).copy()
    left, each = np.arange(problems), np.arange(problems)
    while groups > 1 and len(left):
        at = gain.reshape(len(left), -1).argmax(axis=1)
        a, b = at // groups, at % groups  # a < b: the first of the two places of the highest
        gains = gain[each, a, b] > NEAR
        if not gains.all():
            left, a, b, gain = left[gains], a[gains], b[gains], gain[gains]
            each = np.arange(len(left))
        both = gain[each, a] + gain[each, b]
        both[each, a] = both[each, b] = -np.inf
        gain[each, a] = gain[each, :, a] = both
        gain[each, b] = gain[each, :, b] = -np.inf
        into[left, b] = a
    while True:  # a group may have been joined to one that was joined itself
        farther = np.take_along_axis(into, into, axis=1)
        if (farther == into).all():
            return into
        into = farther
