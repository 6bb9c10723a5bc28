"""What to move in a clustering so that it agrees with most judges: items to leave out, to take in, to put elsewhere."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError, UnknownId, suggest
from quorate.groupings.association import Association
from quorate.groupings.consensus import judge_agreement
from quorate.kernels.partition_search import NEAR
from quorate.panel.clusterings import beside
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import Partitions, names

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Move:
    """One item to move, with what speaks for it."""

    item: Hashable
    do: str  # leave out, take in, move
    mates: tuple[Hashable, ...]  # of its group as it is
    to: tuple[Hashable, ...]  # members of the group it should join; none: a group of its own, or out
    support: float  # share of the judges: who left it out, who used it, or mean share who put it with its new mates
    now: float  # the same as it is
    votes: int  # pair votes won; for leaving out and taking in, judges


@dataclass(frozen=True)
class Advice:
    """The moves that bring a clustering of one task nearest to the judges, one after the other."""

    system: Hashable
    task: Hashable
    moves: tuple[Move, ...]
    agreement: float  # mean share of pairs agreed on with a judge, before
    after: float

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dicts."""
        return {**asdict(self), "moves": [asdict(m) for m in self.moves]}


def explain(panel: Groupings, systems: Groupings, system: Hashable, absent: str | None = None) -> list[Advice]:
    """What to move in a system's clusterings, task by task.

    Each move is the one that then wins most pair votes of the judges who used both items; moves stop when none wins.
    ``absent`` says what an item is that a judge has no row for.

    >>> judges = Groupings.from_groups({j: {"w": 1, "x": 1, "y": 2, "z": 2} for j in ("ann", "bob")})
    >>> system = Groupings.from_groups({"new": {"w": 1, "x": 1, "y": 1, "z": 2}})
    >>> [(m.item, m.to) for m in explain(judges, system, "new")[0].moves]
    [('y', ('z',))]
    """
    known = {str(s): k for k, s in enumerate(systems.judges)}
    if str(system) not in known:
        raise UnknownId(f"no system '{system}'.", suggest(str(system), known, "Systems"))
    k = known[str(system)]
    tasks = [(own, clusters[k]) for own, clusters, done in beside(panel, systems, absent).tasks if done[k]]
    found = [_advice(panel, own, labels.copy(), systems.judges[k]) for own, labels in tasks]
    if not found:
        raise InputError(f"system '{system}' did none of these tasks.")
    return found


def _advice(panel: Groupings, own: Partitions, labels: Array, system: Hashable) -> Advice:
    votes = Association.of(own.labels, own.counts, names(panel.items, own.items))
    before = _agreement(own, labels)
    moves = [*_left_out(votes, labels), *_taken_in(votes, labels), *_moved(votes, labels)]
    return Advice(system, panel.tasks[own.task], tuple(moves), before, _agreement(own, labels))


def _agreement(own: Partitions, labels: Array) -> float:
    values, counts = judge_agreement(own.labels, labels), own.counts
    use = ~np.isnan(values)
    return float(np.average(values[use], weights=counts[use])) if use.any() else math.nan


def _left_out(votes: Association, labels: Array) -> Iterator[Move]:
    """Items that most judges left out; changes the labels."""
    for i in np.flatnonzero((labels >= 0) & (2 * votes.left_out > votes.offered)).tolist():
        share = float(votes.left_out[i] / votes.offered[i])
        gone = Move(votes.items[i], "leave out", _mates(votes, labels, i), (), share, 1 - share, int(votes.left_out[i]))
        labels[i] = -1
        yield gone


def _taken_in(votes: Association, labels: Array) -> Iterator[Move]:
    """Items that most judges used, each into the group that wins most; changes the labels."""
    margins = votes.margins()
    for i in np.flatnonzero((labels < 0) & (2 * votes.used > votes.offered)).tolist():
        group = _best(margins, labels, i)
        share = float(votes.used[i] / votes.offered[i])
        to = _members(votes, labels, group)
        labels[i] = group
        yield Move(votes.items[i], "take in", (), to, share, 1 - share, int(votes.used[i]))


def _moved(votes: Association, labels: Array) -> Iterator[Move]:
    """The move that wins most pair votes, until none does; changes the labels."""
    margins = votes.margins()
    inside = np.flatnonzero(labels >= 0)
    if not len(inside):
        return
    member = labels[:, None] == np.arange(int(labels.max()) + 2)  # [item, group], the last for a group of its own
    pull = margins.astype(float) @ member
    while True:
        there = np.append(np.bincount(labels[inside], minlength=pull.shape[1] - 1) > 0, True)
        worth = np.where(there, pull[inside], -np.inf)
        gain = worth.max(axis=1) - pull[inside, labels[inside]]
        best = int(gain.argmax())
        if gain[best] <= NEAR:
            return
        i, group = int(inside[best]), int(worth[best].argmax())
        mates, to = _mates(votes, labels, i), _members(votes, labels, group)
        now = _mean_share(votes, i, np.flatnonzero(labels == labels[i]))
        then = _mean_share(votes, i, np.flatnonzero(labels == group))
        pull[:, labels[i]] -= margins[i]
        pull[:, group] += margins[i]
        if group == pull.shape[1] - 1:
            pull = np.column_stack([pull, np.zeros(len(pull))])
        labels[i] = group
        yield Move(votes.items[i], "move", mates, to, then, now, round(float(gain[best])))


def _best(margins: Array, labels: Array, item: int) -> int:
    """The group that an item which is in none is worth most in; a new number for a group of its own."""
    groups, used = int(labels.max(initial=-1)) + 1, labels >= 0
    pull = np.zeros(groups + 1)
    np.add.at(pull, labels[used], margins[item, used])
    pull[:groups][np.bincount(labels[used], minlength=groups) == 0] = -np.inf
    return int(pull.argmax())


def _members(votes: Association, labels: Array, group: int) -> tuple[Hashable, ...]:
    return tuple(votes.items[k] for k in np.flatnonzero(labels == group).tolist()) if group >= 0 else ()


def _mates(votes: Association, labels: Array, item: int) -> tuple[Hashable, ...]:
    return tuple(m for m in _members(votes, labels, int(labels[item])) if m != votes.items[item])


def _mean_share(votes: Association, item: int, members: Array) -> float:
    share = votes.share[item, members[members != item]]
    share = share[~np.isnan(share)]
    return float(share.mean()) if len(share) else math.nan
