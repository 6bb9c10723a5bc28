"""Frequent patterns counted by last item and judges: exact while they are few, and an estimate where they are many.

How a pattern can go on depends on its last item and on the judges who hold it, and on nothing else; what it weighs, on
its length and their number. So patterns grow item by item, those of many tasks side by side, and each list carries its
own count along; where many end in an item, those with the same last item and the same judges are put together. Where a
length has more such states than the budget, so many of them are drawn, with odds in proportion to what they count and
may lead to, and made up for: sums stay right on average. Several such runs tell the error.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.precedence_bits import relation

if TYPE_CHECKING:
    from quorate.kernels.pattern_weights import Rule

Array = NDArray[Any]
Found = tuple[Array, Array, Array, Array]  # [row] weight of all, [row, list] of those in lists, [row] number, error
STATES = 150_000  # of one length, up to which the count is exact
WORK = 2 * 10**8  # steps from state to state in an exact count, about
RUNS = 16  # of sampling, each with
DRAWN = 4000  # states of a length
LESS = 20  # times fewer states and steps for each of many panels drawn from a task
PANELS = 1 << 10  # drawn from one task that are counted at once
CHUNK = 1 << 20  # steps looked at together
SIDE = 1 << 19  # judges x pairs of items, and lists x items, of tasks that are counted side by side
ROOM = 1 << 23  # words of judges' bits of all steps from one length to the next
ALIKE = 8  # patterns of one length for an item, above which those with the same judges are put together


def weights(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, seed: int = 0, brief: bool = False
) -> Found:
    """Weight of all patterns, of those in each list, their number, and the error of each list's share.

    Of ``positions[task, judge, item]``, ``lists[task, list, item]``, ``counts[task, judge]`` and ``need[task]``; where
    one task has several rows of counts, they are panels drawn from it. ``brief``: values need be about right only.
    """
    rows, (tasks, judges, items) = len(counts), positions.shape
    drawn = tasks < rows
    step = PANELS if drawn else max(1, SIDE // max(items * (judges * items + lists.shape[1]), 1))
    found: list[Found] = []
    for a in range(0, max(rows, 1), step):
        some = slice(a, a + step)
        of = (positions, lists) if drawn else (positions[some], lists[some])
        found += _counted(of[0], counts[some], need[some], of[1], rule, seed, brief)
    total, inside, number, error = (np.concatenate(x) for x in zip(*found, strict=True))
    return total, inside, number, error


def _counted(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, seed: int, brief: bool
) -> list[Found]:
    """The same of rows together, of each by itself if that is too much, and an estimate where one alone is."""
    given = positions, counts, need, lists
    tasks = _Tasks.of(*given)
    try:
        exact = _sums(tasks, rule, _Limits.of(brief and not tasks.panels.drawn))
        return [(exact[:, 0], exact[:, 1:-1], exact[:, -1], np.zeros(exact[:, 1:-1].shape))]
    except _TooMany:
        if len(counts) == 1:
            return [_sampled(tasks, rule, seed, brief)]
    found = []
    for k in range(len(counts)):
        seats, often, enough, listed = (x if len(x) == 1 else x[k : k + 1] for x in given)
        found += _counted(seats, often, enough, listed, rule, seed, brief)
    return found


def _sampled(task: _Tasks, rule: Rule, seed: int, brief: bool) -> Found:
    """An estimate from a few runs in which some of the states go on."""
    rng, runs, size = np.random.default_rng(seed), 2 if brief else RUNS, DRAWN // (2 if brief else 1)
    found = np.array([_sums(task, rule, _Limits(size), rng) for _ in range(runs)])
    total, inside = found[:, :, 0], found[:, :, 1:-1]
    # The share is a ratio of two means: the jackknife over runs gives its error.
    without = (inside.sum(axis=0) - inside) / (total.sum(axis=0) - total)[:, :, None]
    error = np.sqrt((runs - 1) * without.var(axis=0))
    mean = found.mean(axis=0)
    return mean[:, 0], mean[:, 1:-1], mean[:, -1], error


@dataclass(frozen=True, slots=True)
class _Limits:
    """Of what is counted: states of one length, all steps between them, and words of the steps from one length on."""

    states: float = math.inf
    work: float = math.inf
    room: float = math.inf

    @classmethod
    def of(cls, brief: bool) -> _Limits:
        """Those of an exact count."""
        share = LESS if brief else 1
        return cls(STATES // share, WORK // share, ROOM)


class _TooMany(Exception):
    """There are more states, or steps between them, than may be counted."""


# -- who puts which item before which ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Panels:
    """How often judges count and how many make a pattern frequent: in tasks, or in panels drawn from one task."""

    counts: Array  # [row, judge]
    need: Array  # [row]
    drawn: bool  # whether rows are panels drawn from one task

    @cached_property
    def each(self) -> int:
        """What each judge counts for who counts at all; 0 if not all are alike."""
        most = int(self.counts.max(initial=0))
        return most if ((self.counts == most) | (self.counts == 0)).all() else 0

    @cached_property
    def table(self) -> Array:
        """What every 8 judges count for together, by their bits, ``[row, byte, bits]``."""
        rows, judges = self.counts.shape
        size = -(-judges // 8)
        padded = np.zeros((rows, 8 * size), np.int64)
        padded[:, :judges] = self.counts
        out = np.zeros((rows, size, 1), np.int64)
        for bit in range(8):
            out = np.concatenate([out, out + padded[:, bit::8, None]], axis=2)
        return out

    def support(self, row: Array, sets: Array) -> Array:
        """What judges ``sets[pattern, word]`` of a task count for, ``[pattern]``; ``[pattern, draw]`` where rows are
        panels drawn."""
        if self.each and not self.drawn:
            many = np.bitwise_count(sets)
            return (many[:, 0] if many.shape[1] == 1 else many.sum(axis=1)) * np.int64(self.each)
        parts = np.ascontiguousarray(sets).view(np.uint8)
        if self.drawn:
            held = np.unpackbits(parts, axis=1, count=self.counts.shape[1], bitorder="little")
            return np.asarray(held.astype(float) @ self.counts.T.astype(float))
        size = self.table.shape[1]
        start, table = row * (256 * size), self.table.ravel()
        return np.asarray(sum(table.take(start + (256 * k + parts[:, k].astype(np.int64))) for k in range(size)))

    def enough(self, row: Array, support: Array) -> Array:
        """Where that makes a pattern frequent, in one of the panels drawn at least."""
        return np.asarray((support >= self.need).any(axis=1) if self.drawn else support >= self.need[row])


@dataclass(frozen=True, eq=False)
class _Tasks:
    """Tasks side by side: their items are numbered one after the other."""

    panels: _Panels
    items: int  # of each
    row: Array  # [item] its task
    held: Array  # [item, word] judges who hold the item
    listed: Array  # [item, list] whether the list holds the item; the first is all there is
    # Pairs of items that enough judges put in that order, sorted by the first: nothing else goes on.
    first: Array  # [pair]
    to: Array  # [pair] the second item
    before: Array  # [pair, word] judges who put one before the other
    inside: Array  # [pair, list] whether the list does

    @classmethod
    def of(cls, positions: Array, counts: Array, need: Array, lists: Array) -> _Tasks:
        """Of tasks with ``counts[task, judge]``, or of one with ``counts[draw, judge]``."""
        drawn = len(positions) < len(counts)
        there: Array = np.asarray((counts > 0).any(axis=0, keepdims=True) if drawn else counts > 0)
        panels, seats = _Panels(counts, need, drawn), np.where(there[:, :, None], positions, 0)
        tasks, _, items = seats.shape
        row = np.repeat(np.arange(tasks), items)
        place = lists.transpose(0, 2, 1).reshape(tasks * items, lists.shape[1])
        firsts, tos, sets, held = [], [], [], []
        step = max(1, CHUNK // max(seats.size, 1))  # all items where there are several tasks
        for a in range(0, items, step):
            less = relation(seats, slice(a, a + step))
            size, words = less.shape[1], less.shape[3]
            own = np.arange(size)
            held.append(less[:, own, own + a].reshape(-1, words))
            less[:, own, own + a] = 0
            flat = np.ascontiguousarray(less).reshape(-1, words)
            some = np.flatnonzero(flat[:, 0] if words == 1 else flat.max(axis=1))
            task = some // (size * items)
            of = panels.support(task, flat[some])
            some, task = (x[panels.enough(task, of)] for x in (some, task))
            firsts.append(task * items + some // items % size + a)
            tos.append(task * items + some % items)
            sets.append(flat[some])
        first, to = np.concatenate(firsts), np.concatenate(tos)
        early = np.where(place > 0, place, np.iinfo(place.dtype).max)
        inside, listed = (np.ones((n, place.shape[1] + 1), bool) for n in (len(first), len(row)))
        inside[:, 1:], listed[:, 1:] = early[first] < place[to], place > 0
        return cls(panels, items, row, np.concatenate(held), listed, first, to, np.concatenate(sets), inside)

    @cached_property
    def start(self) -> Array:
        """Where the pairs of each item start, ``[item + 1]``."""
        return np.searchsorted(self.first, np.arange(len(self.row) + 1))

    @cached_property
    def row_of_pair(self) -> Array:
        """The task of each pair, ``[pair]``."""
        return self.row[self.first]

    @cached_property
    def future(self) -> Array:
        """A guess at what patterns that end in an item of one task lead to; it touches the error alone."""
        items, judges = len(self.row), int(self.panels.counts.sum())
        follow = self.panels.support(self.row_of_pair, self.before) / (2 * judges)
        out: Array = np.ones(items)
        for _ in range(items):
            after = 1 + np.bincount(self.first, follow * out[self.to], minlength=items)
            if (after == out).all():
                break
            out = after / 1e100 if after.max() > 1e100 else after
        return out


# -- from one length to the next ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _States:
    """Patterns of one length, in the order of their tasks; or of several, one length after the other."""

    item: Array  # the last
    sets: Array  # [state, word] the judges
    support: Array  # what these count for
    count: Array  # [state, list] how many patterns, and how many of them each list holds


def _sums(tasks: _Tasks, rule: Rule, limits: _Limits, rng: np.random.Generator | None = None) -> Array:
    """Weight of all patterns, of those in each list, and the number of patterns, ``[row, ...]``."""
    panels = tasks.panels
    out = np.zeros((len(panels.counts), tasks.inside.shape[1] + 1))
    for length, now in _grown(tasks, rule, limits, rng):
        weight = rule.by_length(length) * rule.by_support(now.support)
        if panels.drawn:
            enough = now.support >= panels.need
            out[:, :-1] += np.where(enough, weight, 0.0).T @ now.count
            out[:, -1] += now.count[:, 0].astype(float) @ enough
        else:
            _add(out[:, :-1], tasks, now, weight[:, None] * now.count)
            _add(out[:, -1:], tasks, now, now.count[:, :1])
    return out


def _add(out: Array, tasks: _Tasks, now: _States, values: Array) -> None:
    """Add ``values[state, ...]`` to those of the tasks."""
    row = tasks.row[now.item]
    new = np.ones(len(row), bool)
    np.not_equal(row[1:], row[:-1], out=new[1:])
    begin = np.flatnonzero(new)
    np.add.at(out, row[begin], np.add.reduceat(values, begin, axis=0, dtype=float))


def without_own(positions: Array, reverse: Array, quorum: int, rule: Rule) -> tuple[Array, Array]:
    """The scores of the judges' own orders, and of their reverses, by the others alone, ``[task, judge]`` each.

    A closed form: without a judge, that judge's patterns have one holder less, and all others as many.
    """
    tasks, judges, items = positions.shape
    own, back = np.empty((2, tasks, judges))
    step = max(1, SIDE // max(judges * items * items, 1))  # all lengths are held at once
    for a in range(0, tasks, step):
        some = slice(a, a + step)
        once = np.ones(positions[some].shape[:2], np.int64)
        task = _Tasks.of(positions[some], once, np.full(len(once), quorum), reverse[some])
        found = list(_grown(task, rule, _Limits()))
        sums = np.zeros((len(once), 3 * judges + 1))
        if found:
            now = _States(*(np.concatenate([getattr(n, x) for _, n in found]) for x in _States.__slots__))
            long = rule.by_length(np.repeat([length for length, _ in found], [len(n.item) for _, n in found]))
            held = np.unpackbits(now.sets.view(np.uint8), axis=1, count=judges, bitorder="little")
            weight, number = long * rule.by_support(now.support), now.count[:, 0]
            fewer = long * rule.by_support(now.support - 1) * (now.support > quorum)
            values = np.empty((len(held), 3 * judges + 1))
            np.multiply(now.count, weight[:, None], out=values[:, : judges + 1])
            np.multiply(held, (number * weight)[:, None], out=values[:, judges + 1 : 2 * judges + 1])
            np.multiply(held, (number * fewer)[:, None], out=values[:, 2 * judges + 1 :])
            _add(sums, task, now, values)
        total, reversed_, kept, left = np.split(sums, [1, judges + 1, 2 * judges + 1], axis=1)
        of = total - kept + left
        of[of <= 0] = 1  # without a pattern every order scores 0
        own[some], back[some] = left / of, reversed_ / of
    return own, back


def _grown(
    tasks: _Tasks, rule: Rule, limits: _Limits, rng: np.random.Generator | None = None
) -> Iterator[tuple[int, _States]]:
    """The patterns of every length that counts: all of them, or with ``rng`` as many states as the limit says."""
    panels, items, work = tasks.panels, tasks.items, limits.work
    last = items if rule.max_len is None else min(rule.max_len, items)
    support = panels.support(tasks.row, tasks.held)
    item = np.flatnonzero(panels.enough(tasks.row, support))
    now = _States(item, tasks.held[item], support[item], tasks.listed[item])
    for length in range(1, last + 1):
        if not len(now.item):
            return
        if length >= rule.min_len:
            yield length, now
        if length == last:
            return
        work -= now.support.size * items
        if work < 0:
            raise _TooMany
        steps, odds = _steps(tasks, now, limits.room), None
        if rng is not None and len(steps.parent) > limits.states:
            mass = now.count[steps.parent, 0] * steps.support * tasks.future[tasks.to[steps.pair]]
            steps, odds = steps.drawn(mass, int(limits.states), rng)
        if rng is None and len(steps.parent) <= ALIKE * len(tasks.row):
            count = now.count[steps.parent] * tasks.inside[steps.pair]
            now = _States(tasks.to[steps.pair], steps.sets, steps.support, count)
        else:
            now = _merged(tasks, steps, now.count, odds)
        if rng is None and len(now.item) > limits.states:
            raise _TooMany


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


def _steps(tasks: _Tasks, now: _States, room: float) -> _Steps:
    """All that enough judges hold."""
    parts, size = [], 0
    begin = tasks.start[now.item]
    number = tasks.start[now.item + 1] - begin
    for a, b in _chunks(number, CHUNK // (len(tasks.panels.need) if tasks.panels.drawn else 1)):
        some = number[a:b]
        parent = np.repeat(np.arange(a, b), some)
        pair = np.arange(len(parent)) + np.repeat(begin[a:b] - np.cumsum(some) + some, some)
        sets, row = now.sets[parent] & tasks.before[pair], tasks.row_of_pair[pair]
        support = tasks.panels.support(row, sets)
        enough = np.flatnonzero(tasks.panels.enough(row, support))
        parts.append((parent[enough], pair[enough], sets[enough], support[enough]))
        size += len(enough) * max(sets.shape[1], support[:1].size)
        if size > room:
            raise _TooMany
    return _Steps(*parts[0] if len(parts) == 1 else (np.concatenate(p) for p in zip(*parts, strict=True)))


def _merged(tasks: _Tasks, steps: _Steps, count: Array, odds: Array | None) -> _States:
    """The states that steps lead to, those of one last item and the same judges put together."""
    to = tasks.to[steps.pair]
    order = np.lexsort((*steps.sets.T, to))
    sorted_to, sorted_sets = to[order], steps.sets[order]
    new = np.ones(len(order), bool)
    new[1:] = (sorted_to[1:] != sorted_to[:-1]) | (sorted_sets[1:] != sorted_sets[:-1]).any(axis=1)
    begin = np.flatnonzero(new)
    first = order[begin]
    parent, pair = steps.parent[order], steps.pair[order]
    out = np.zeros((len(begin), count.shape[1]))
    for k in range(count.shape[1] if len(begin) else 0):
        reached = count[parent, k] * tasks.inside[pair, k]
        out[:, k] = np.add.reduceat(reached if odds is None else reached / odds[order], begin, dtype=float)
    return _States(to[first], steps.sets[first], steps.support[first], out)


def _chunks(number: Array, size: int) -> list[tuple[int, int]]:
    """States to be looked at together, with about so many steps: where each lot begins and ends."""
    if number.sum() <= size:
        return [(0, len(number))]
    cuts = np.flatnonzero(np.diff(np.cumsum(number) // size)) + 1
    return list(itertools.pairwise([0, *cuts.tolist(), len(number)]))


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
