"""Partitions that gather the most weight inside groups, by local search: small and large, wherever pairs have a table.

``weights[problem, i, j]`` is what it is worth to have i and j in one group, negative where it costs; symmetric,
diagonal 0. Of few items, many problems of one size are searched at once, and the best move of each is taken: that costs
the square of the items. A problem of many items is searched on its own, item by item, each at the cost of its row. By
adjusted Rand index or VI a move changes what all others are worth, and there need not be a table of pairs: that is
searched in :mod:`~quorate.kernels.median_partition`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.partition_labels import dense

Array = NDArray[Any]
NEAR = 1e-3  # weights are whole numbers
SPARE = 16  # empty groups to begin with
FEW = 64  # items, up to which problems are searched together
SHAKEN = 0.15  # share of the items that a shake moves


def worth(weights: Array, labels: Array) -> Array:
    """Weight of all pairs that are in one group, ``[problem]``."""
    same = labels[:, :, None] == labels[:, None, :]
    return np.asarray((weights * same).sum(axis=(1, 2), dtype=np.float64) / 2)


def searched(weights: Array, starts: Array, shakes: int = 0) -> Array:
    """The best that local search reaches from items alone, from one of ``starts[problem, start, item]``, or from so
    many shaken copies of the best one."""
    each = shakes > 0 or weights.shape[1] > FEW
    if each and len(weights) > 1:
        every = (slice(k, k + 1) for k in range(len(weights)))
        return np.concatenate([searched(weights[k], starts[k], shakes) for k in every])
    easy, best = _whole_groups(weights)
    if easy.any():
        hard = np.flatnonzero(~easy)
        best[hard] = searched(weights[hard], starts[hard], shakes) if len(hard) else best[hard]
        return best
    best = from_alone(weights, each)
    if not starts.shape[1] and not shakes:
        return best
    most = worth(weights, best)
    for k in range(starts.shape[1]):
        _keep_better(weights, descend(weights, dense(starts[:, k]), each), best, most)
    rng = np.random.default_rng(weights.shape[1])  # fixed: the same votes give the same partition
    for _ in range(shakes if weights.shape[1] > 2 else 0):
        _keep_better(weights, descend(weights, _shaken(best, rng), each), best, most)
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


def from_alone(weights: Array, each: bool) -> Array:
    """From items alone: unless they go one by one, join groups while that gains; then :func:`descend`."""
    alone = np.broadcast_to(np.arange(weights.shape[1]), weights.shape[:2])
    if each:
        return descend(weights, alone, each)
    into = joins(weights.astype(np.result_type(weights, np.float32)))
    return descend(weights, into, each, joined=True)


def descend(weights: Array, labels: Array, each: bool, joined: bool = False) -> Array:
    """Move single items and join groups until nothing helps, ``[problem, item]``; labels are below the items' number.

    ``each``: of a single problem, items one by one. ``joined``: no two groups gain by being joined, so that where no
    item moves there is nothing to do.
    """
    out = dense(labels) if each else labels.astype(np.int64)
    left, now = np.arange(len(out)), _Groups(weights, out, each)
    while len(left):
        moved = now.move() | (not joined)
        out[left] = now.labels
        if not moved.all():
            left, now = left[moved], now.only(moved)
        changed = now.join()
        out[left] = now.labels
        if not changed.all():
            left, now = left[changed], now.only(changed)
        joined = True
    return out


def pulls(weights: Array, labels: Array, groups: int) -> Array:
    """Weight of each group with each item, ``[problem, group, item]``; groups are numbered from 0.

    >>> pulls(np.array([[[0.0, 3.0, -1.0], [3.0, 0.0, 2.0], [-1.0, 2.0, 0.0]]]), np.array([[0, 1, 0]]), 2).tolist()
    [[[-1.0, 5.0, -1.0], [3.0, 0.0, 2.0]]]
    """
    kind = np.result_type(weights, np.float32)
    if len(weights) != 1:
        return np.asarray(np.matmul((labels[:, None, :] == np.arange(groups)[:, None]).astype(kind), weights))
    order = np.argsort(labels[0], kind="stable")
    first = np.flatnonzero(np.diff(labels[0, order], prepend=-1))
    rows = weights[0].take(order, axis=0).astype(kind, copy=False)
    out = np.zeros((1, groups, rows.shape[1]), kind)
    out[0, labels[0, order[first]]] = rows if len(first) == len(order) else np.add.reduceat(rows, first, axis=0)
    return out


class _Groups:
    """Partitions on their way, and the weight of each of their groups with each item, ``pull[problem, group, item]``.

    There is room for as many groups as items; where items go one by one, for some more than there are.
    """

    def __init__(self, weights: Array, labels: Array, each: bool, pull: Array | None = None) -> None:
        self.weights, self.labels, self.each = weights, labels.copy(), each
        groups = int(labels.max(initial=0)) + 1 if each else labels.shape[1]
        self.pull = pulls(weights, labels, groups) if pull is None else pull

    def only(self, some: Array) -> _Groups:
        """The same of some problems."""
        return _Groups(self.weights[some], self.labels[some], self.each, self.pull[some])

    def move(self) -> Array:
        """Move items to the group that they are worth most in, a new one included, until none moves; in which problems
        any did."""
        return self._move_each() if self.each else self._move_best()

    def _move_best(self) -> Array:
        """In every problem the item that gains most. There is an empty group whenever one has two items."""
        problems, items = self.labels.shape
        left, every, ever = np.arange(problems), np.arange(items), np.zeros(problems, bool)
        while len(left):
            here = self.pull if len(left) == problems else self.pull[left]
            own = np.take_along_axis(here, self.labels[left][:, None, :], axis=1)
            gain = (here - own).reshape(len(left), -1)
            at = gain.argmax(axis=1)
            gains = gain[np.arange(len(at)), at] > NEAR
            left, at = left[gains], at[gains]
            group, item = at // items, at % items
            row = self.weights[left[:, None], item[:, None], every]
            self.pull[left, self.labels[left, item]] -= row
            self.pull[left, group] += row
            self.labels[left, item] = group
            ever[left] = True
        return ever

    def _move_each(self) -> Array:
        """Of a single problem, items one by one."""
        weights, labels, every, ever = self.weights[0], self.labels[0], np.arange(self.labels.shape[1]), False
        pull, empty = self._with_room(self.pull[0]), SPARE
        size = np.bincount(labels, minlength=len(pull)).tolist()
        while len(better := np.flatnonzero(pull.max(axis=0, initial=0.0) > pull[labels, every] + NEAR)):
            for item in better.tolist():
                own, group = int(labels[item]), int(pull[:, item].argmax())
                if pull[group, item] <= pull[own, item] + NEAR:
                    continue
                pull[own] -= weights[item]
                pull[group] += weights[item]
                size[own] -= 1
                empty += (size[own] == 0) - (size[group] == 0)
                size[group] += 1
                labels[item], ever = group, True
                if not empty:  # there must be an empty group to go to
                    pull, size, empty = self._with_room(pull), size + [0] * SPARE, SPARE
        self.pull = pull[None]
        self._number()
        return np.array([ever])

    def _with_room(self, pull: Array) -> Array:
        return np.concatenate([pull, np.zeros((SPARE, pull.shape[1]), pull.dtype)])

    def join(self) -> Array:
        """Join the two groups that gain most until none do; in which problems any were joined."""
        groups = self.pull.shape[1]
        into = joins(pulls(self.pull.transpose(0, 2, 1), self.labels, groups))
        joined = np.asarray((into != np.arange(groups)).any(axis=1))
        if joined.any():
            self.labels = np.take_along_axis(into, self.labels, axis=1)
            self.pull[joined] = pulls(self.pull[joined], into[joined], groups)
            if self.each:
                self._number()
        return joined

    def _number(self) -> None:
        """The groups of a single problem numbered in order of first member, without empty ones."""
        found = dense(self.labels)
        place = np.zeros(int(found.max(initial=0)) + 1, np.int64)
        place[found[0]] = self.labels[0]
        self.labels, self.pull = found, self.pull[:, place]


def joins(gain: Array) -> Array:
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
