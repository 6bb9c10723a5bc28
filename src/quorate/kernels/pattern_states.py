"""Which frequent patterns count and what they weigh; and that weight for many judges: counted by last item and judges.

A pattern weighs (1 + w_len (length - 1)) (1 + w_sup (support - 1)). None that enough judges share has an item that too
few hold: lists of the first twenty of thousands of documents have a hundred items between them, and a handful that most
hold.

How a pattern can go on depends on its last item and on the judges who hold it, and on nothing else; what it weighs, on
its length and their number. So patterns are counted per state (last item, judges), length by length, and each list
carries its own count along. Where a length has more states than the budget, so many of them are drawn, with odds
in proportion to what they count and may lead to, and made up for: sums stay right on average. Several such runs tell
the error.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.ranks import repeated

Array = NDArray[Any]
STATES = 150_000  # of one length, up to which the count is exact
WORK = 2 * 10**8  # steps from state to state in an exact count, about
RUNS = 16  # of sampling, each with
DRAWN = 4000  # states of a length
CHUNK = 1 << 20  # steps looked at together
LONG = 50  # items from which on larger tables of judges pay
SIDE = 1 << 19  # judges x pairs of items of tasks that are counted side by side
ROOM = 1 << 23  # words of judges' bits of all steps from one length to the next
LESS = 20  # times fewer states and steps for each of many panels drawn from a task


@dataclass(frozen=True, slots=True)
class Rule:
    """Lengths from ``min_len`` to ``max_len`` (None: any), and how much more further items and judges weigh.

    >>> Rule().by_length(3) * Rule().by_support(4)
    12.0
    """

    min_len: int = 2
    max_len: int | None = None
    w_len: float = 1.0
    w_sup: float = 1.0

    def by_length(self, length: Any) -> Any:
        """The part of the weight that the length gives."""
        return 1 + self.w_len * (length - 1)

    def by_support(self, support: Any) -> Any:
        """The part of the weight that the support gives."""
        return 1 + self.w_sup * (support - 1)


def supported(positions: Array, counts: Array, need: Array, least: int = 0) -> Array | None:
    """The numbers of the items that enough judges hold, ``[task, kept]``; None where all items are kept.

    Enough in one of the draws, where ``counts[draw, task, judge]`` and ``need[draw, task]`` have that axis. Every task
    keeps as many as the task that is richest in them (at least ``least``), its own first, in their order.
    """
    held = counts @ (positions[0] > 0) if repeated(positions) else np.einsum("tji,...tj->...ti", positions > 0, counts)
    lacking = held < np.asarray(need)[..., None]
    if lacking.ndim == 3:
        lacking = lacking.all(axis=0)
    items = positions.shape[2]
    kept = min(max(int(items - lacking.sum(axis=1).min(initial=items)), least), items)
    return None if kept == items else np.argsort(lacking, axis=1, kind="stable")[:, :kept]


def only(rankings: Array, kept: Array | None) -> Array:
    """Rankings ``[task, ranking, item]`` of the items kept; all of them for None."""
    return rankings if kept is None else np.take_along_axis(rankings, kept[:, None, :], axis=2)


# -- counting by state -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Task:
    """A task, or several side by side, whose items are then numbered one after the other."""

    rows: int  # how many
    held: Array  # [item, word] judges who hold the item
    table: Array  # [some bits of a bitset, their value] what these judges count for
    need: Array  # [item] how many judges it takes
    listed: Array  # [item, list] whether the list holds the item
    # Pairs of items that enough judges put in that order, sorted by the first: nothing else goes on.
    start: Array  # [item + 1] where its pairs start
    to: Array  # [pair] the second item
    before: Array  # [pair, word] judges who put one before the other
    inside: Array  # [pair, list] whether the list does
    future: Array  # [item] a guess at what patterns that end there lead to; it touches the error alone


def _support(table: Array, sets: Array) -> Array:
    """What the judges of bitsets ``[..., word]`` count for."""
    if table.shape[1] == 1:  # all the same
        return np.asarray(np.bitwise_count(sets).sum(axis=-1, dtype=np.int64) * table[0, 0])
    parts = np.ascontiguousarray(sets).view("u1" if table.shape[1] == 256 else "<u2")
    out = table[0].take(parts[..., 0])
    for k in range(1, len(table)):
        out += table[k].take(parts[..., k])
    return np.asarray(out)


Found = tuple[float, Array, float, Array]  # weight of all patterns, of those in each list, their number, the errors


def weights(
    seats: Array,
    counts: Array,
    need: int,
    lists: Array,
    rule: Rule,
    states: int | None = None,
    drawn: int | None = None,
    seed: int = 0,
    brief: bool = False,
) -> Found:
    """Of one task: weight of all patterns, of those in each list, their number, and the error of each list's share.

    ``brief``: one of many panels drawn from a task, whose values are to be about right.
    """
    task = _task(seats[counts > 0], counts[counts > 0], need, lists)
    share, runs = (LESS, 2) if brief else (1, RUNS)
    states, drawn = STATES if states is None else states, DRAWN if drawn is None else drawn
    exact = _run(task, rule, states // share, None, WORK // share)
    if exact is not None:
        return _told(exact[0])
    rng = np.random.default_rng(seed)
    found = np.array([_run(task, rule, drawn // (2 if brief else 1), rng) for _ in range(runs)])[:, 0]
    total, inside = found[:, 0], found[:, 1:-1]
    # The share is a ratio of two means: the jackknife over runs gives its error.
    without = (inside.sum(axis=0) - inside) / (total.sum() - total)[:, None]
    error = np.sqrt((runs - 1) * without.var(axis=0))
    return float(total.mean()), inside.mean(axis=0), float(found[:, -1].mean()), error


def _told(exact: Array) -> Found:
    return float(exact[0]), exact[1:-1], float(exact[-1]), np.zeros(len(exact) - 2)


def weights_of_many(
    seats: Array, counts: Array, need: Array, lists: Array, rule: Rule, seed: int = 0, brief: bool = False
) -> list[Found]:
    """The same of many tasks of one size: ``seats[task, judge, item]`` and so on.

    They are counted side by side while all of them together take no more than one may, and else one by one.
    """
    tasks, judges, items = seats.shape
    share = LESS if brief else 1
    step = max(1, SIDE // max(judges * items * items, 1)) if len(np.unique(counts[counts > 0])) == 1 else 1
    out: list[Found] = []
    for a in range(0, tasks, step):
        some = slice(a, a + step)
        exact = None
        if len(seats[some]) > 1:
            task = _side_by_side(seats[some], counts[some], need[some], lists[some])
            exact = _run(task, rule, STATES // share, None, WORK // share)
        if exact is not None:
            out += map(_told, exact)
            continue
        each = zip(seats[some], counts[some], need[some].tolist(), lists[some], strict=True)
        out += [weights(*one, rule, seed=seed, brief=brief) for one in each]
    return out


def _side_by_side(seats: Array, counts: Array, need: Array, lists: Array) -> _Task:
    """Tasks of one size whose judges count alike, as one: what is of different tasks has nothing in common."""
    tasks, _, items = seats.shape
    there = (seats > 0) & (counts > 0)[:, :, None]
    table = counts[counts > 0][:1, None].astype(np.int64)
    early, late = np.where(there, seats, np.iinfo(seats.dtype).max)[:, :, :, None], seats[:, :, None, :]
    less = _words((early < late).transpose(0, 2, 3, 1))
    row, first, to = np.nonzero(_support(table, less) >= need[:, None, None])
    begin, place = row * items, lists.transpose(0, 2, 1)  # [task, item, list]
    start = np.searchsorted(begin + first, np.arange(tasks * items + 1))
    inside = (place[row, first] > 0) & (place[row, first] < place[row, to])
    held = _words(there.transpose(0, 2, 1)).reshape(tasks * items, -1)
    listed, needed = (place > 0).reshape(tasks * items, -1), np.repeat(need, items)
    return _Task(tasks, held, table, needed, listed, start, begin + to, less[row, first, to], inside, np.zeros(0))


def _task(seats: Array, counts: Array, need: int, lists: Array) -> _Task:
    held = _words((seats > 0).T)
    items = len(held)
    table = _table(counts, items)
    firsts, seconds, sets = [], [], []
    step = max(1, CHUNK // max(seats.size, 1))
    for a in range(0, items, step):
        early = seats[:, a : a + step, None]
        less = _words(((early > 0) & (early < seats[:, None, :])).transpose(1, 2, 0))
        first, second = np.nonzero(_support(table, less) >= need)
        firsts.append(first + a)
        seconds.append(second)
        sets.append(less[first, second])
    first, to, before = np.concatenate(firsts), np.concatenate(seconds), np.concatenate(sets)
    start = np.searchsorted(first, np.arange(items + 1))
    inside = ((lists[:, first] > 0) & (lists[:, first] < lists[:, to])).T
    follow = _support(table, before) / (2 * int(counts.sum()))
    future, needed = _future(first, to, follow, items), np.full(items, need)
    return _Task(1, held, table, needed, (lists > 0).T, start, to, before, inside, future)


def _table(counts: Array, items: int) -> Array:
    """What every 8 judges count for together, by their bits (every 16 where that pays); one number if all are alike."""
    if (counts == counts[0]).all():
        return counts[:1, None].astype(np.int64)
    width = 16 if items >= LONG else 8
    padded = np.zeros(-(-len(counts) // width) * width, np.int64)
    padded[: len(counts)] = counts
    out = np.zeros((len(padded) // width, 1), np.int64)
    for bit in padded.reshape(-1, width).T:
        out = np.concatenate([out, out + bit[:, None]], axis=1)
    return out


def _future(first: Array, to: Array, follow: Array, items: int) -> Array:
    out: Array = np.ones(items)
    for _ in range(items):
        after = 1 + np.bincount(first, follow * out[to], minlength=items)
        if (after == out).all():
            break
        out = after / 1e100 if after.max() > 1e100 else after
    return out


def _words(bits: Array) -> Array:
    """Booleans of the last axis as 64-bit words."""
    packed = np.packbits(bits, axis=-1, bitorder="little")
    pad = -packed.shape[-1] % 8
    packed = np.concatenate([packed, np.zeros((*packed.shape[:-1], pad), np.uint8)], axis=-1)
    return np.ascontiguousarray(packed).view(np.uint64)


def _run(task: _Task, rule: Rule, states: int, rng: np.random.Generator | None, work: float = math.inf) -> Array | None:
    """Weight of all patterns, of those in each list, and the number of patterns, ``[task, ...]``.

    Without ``rng`` all states are kept: None if one length has more than ``states``, or steps are more than ``work``.
    """
    items = len(task.held) // task.rows
    last = items if rule.max_len is None else min(rule.max_len, items)
    out = np.zeros((task.rows, task.inside.shape[1] + 2))
    support = _support(task.table, task.held)
    item = np.flatnonzero(support >= task.need)
    sets, support = task.held[item], support[item]
    count = np.concatenate([np.ones((len(item), 1)), task.listed[item]], axis=1)
    for length in range(1, last + 1):
        if length >= rule.min_len:
            weight = rule.by_length(length) * rule.by_support(support)
            row = item // max(items, 1)  # states are in the order of their items
            begin = np.flatnonzero(np.diff(row, prepend=-1))
            if len(begin):
                out[row[begin], :-1] += np.add.reduceat(weight[:, None] * count, begin, axis=0)
                out[row[begin], -1] += np.add.reduceat(count[:, 0], begin)
        if length == last or not len(item):
            break
        work -= len(item) * items
        steps = _steps(task, item, sets, ROOM if rng is None else math.inf) if work >= 0 else None
        if steps is None:
            return None
        odds = None
        if rng is not None and len(steps.parent) > states:
            mass = count[steps.parent, 0] * steps.support * task.future[task.to[steps.pair]]
            steps, odds = steps.drawn(mass, states, rng)
        item, sets, support, count = _merged(task, steps, count, odds)
        if rng is None and len(item) > states:
            return None
    return out


@dataclass(frozen=True, eq=False)
class _Steps:
    """States with one item more, before those that are one and the same are put together."""

    parent: Array  # number of the state
    pair: Array  # its last item and the next, as a number of the pairs
    sets: Array
    support: Array

    def drawn(self, mass: Array, size: int, rng: np.random.Generator) -> tuple[_Steps, Array]:
        """Some of them, and the odds that each had."""
        keep, odds = _draw(mass, size, rng)
        return _Steps(self.parent[keep], self.pair[keep], self.sets[keep], self.support[keep]), odds


def _steps(task: _Task, item: Array, sets: Array, room: float) -> _Steps | None:
    """All that enough judges hold; None if there is no room for them."""
    parts, size = [], 0
    for a, b in _chunks(task.start[item + 1] - task.start[item]):
        some = item[a:b]
        number = task.start[some + 1] - task.start[some]
        parent = np.repeat(np.arange(a, b), number)
        pair = np.arange(len(parent)) + np.repeat(task.start[some] - np.cumsum(number) + number, number)
        further = sets[parent] & task.before[pair]
        support = _support(task.table, further)
        enough = np.flatnonzero(support >= np.repeat(task.need[some], number))
        parts.append((parent[enough], pair[enough], further[enough], support[enough]))
        size += further.shape[1] * len(enough)
        if size > room:
            return None
    parent, pair, further, support = (np.concatenate(p) for p in zip(*parts, strict=True))
    return _Steps(parent, pair, further, support)


def _merged(task: _Task, steps: _Steps, count: Array, odds: Array | None) -> tuple[Array, Array, Array, Array]:
    """The states that steps lead to: last item, judges, what they count for, and how many patterns."""
    to = task.to[steps.pair]
    order = np.lexsort((*steps.sets.T, to))
    sorted_to, sorted_sets = to[order], steps.sets[order]
    new = np.ones(len(order), bool)
    new[1:] = (sorted_to[1:] != sorted_to[:-1]) | (sorted_sets[1:] != sorted_sets[:-1]).any(axis=1)
    begin = np.flatnonzero(new)
    first = order[begin]
    parent, pair = steps.parent[order], steps.pair[order]
    out = np.zeros((len(begin), count.shape[1]))
    for k in range(count.shape[1] if len(begin) else 0):
        reached = count[parent, k]
        if odds is not None:
            reached /= odds[order]
        if k:
            reached *= task.inside[pair, k - 1]
        out[:, k] = np.add.reduceat(reached, begin)
    return to[first], steps.sets[first], steps.support[first], out


def _chunks(number: Array) -> list[tuple[int, int]]:
    """Rows to be looked at together, about as many steps as fit in a chunk: where each lot begins and ends."""
    cuts = np.flatnonzero(np.diff(np.cumsum(number) // CHUNK)) + 1
    ends = [0, *cuts.tolist(), len(number)]
    return list(itertools.pairwise(ends))


def _draw(mass: Array, size: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """So many of these, with odds in proportion to their mass, and the odds: what is drawn stands for what is not."""
    odds = np.minimum(size * mass / mass.sum(), 1)
    for _ in range(20):  # what cannot be more than certain leaves its share to the others
        sure = odds >= 1
        rest, left = mass[~sure].sum(), size - sure.sum()
        if rest <= 0 or left <= 0:
            break
        after = np.where(sure, 1.0, np.minimum(left * mass / rest, 1))
        if (after == odds).all():
            break
        odds = after
    place = np.cumsum(odds) + rng.random()
    keep = np.floor(place) > np.floor(place - odds)
    return keep, odds[keep]
