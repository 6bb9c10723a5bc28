"""The weight of frequent patterns of many judges: patterns counted by their last item and their judges.

How a pattern can go on depends on its last item and on the judges who hold it, and on nothing else; what it weighs, on
its length and their number. So patterns are counted per state (last item, judges), length by length, and each list
carries its own count along. Where a length has more states than the budget, so many of them are drawn, with odds
in proportion to what they count and may lead to, and made up for: sums stay right on average. Several such runs tell
the error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
STATES = 150_000  # of one length, up to which the count is exact
WORK = 2 * 10**8  # steps from state to state in an exact count, about
RUNS = 16  # of sampling, each with
DRAWN = 4000  # states of a length
CHUNK = 1 << 20  # steps looked at together


class Rule(Protocol):
    """Which patterns count, and what they weigh."""

    @property
    def min_len(self) -> int: ...  # noqa: D102
    @property
    def max_len(self) -> int | None: ...  # noqa: D102
    def by_length(self, length: Any) -> Any: ...  # noqa: D102
    def by_support(self, support: Any) -> Any: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class _Task:
    held: Array  # [item, word] judges who hold the item
    before: Array  # [item, item, word] judges who put one before the other
    table: Array  # [byte of a bitset, its value] what these judges count for
    need: int
    inside: Array  # [list, item, item] the list has one before the other; on the diagonal: holds it
    future: Array  # [item] a guess at what patterns that end there lead to; it touches the error alone

    def support(self, sets: Array) -> Array:
        octets = np.ascontiguousarray(sets).view(np.uint8).reshape(*sets.shape[:-1], -1)
        out = np.zeros(sets.shape[:-1], np.int64)
        for k in range(len(self.table)):
            out += self.table[k][octets[..., k]]
        return out


def weights(
    seats: Array,
    counts: Array,
    need: int,
    lists: Array,
    rule: Rule,
    states: int | None = None,
    drawn: int | None = None,
    seed: int = 0,
) -> tuple[float, Array, float, Array]:
    """Of one task: weight of all patterns, of those in each list, their number, and the error of each list's share."""
    task = _task(seats[counts > 0], counts[counts > 0], need, lists)
    exact = _run(task, rule, STATES if states is None else states, None)
    if exact is not None:
        return float(exact[0]), exact[1:-1], float(exact[-1]), np.zeros(len(lists))
    rng = np.random.default_rng(seed)
    runs = np.array([_run(task, rule, DRAWN if drawn is None else drawn, rng) for _ in range(RUNS)])
    total, inside = runs[:, 0], runs[:, 1:-1]
    # The share is a ratio of two means: the jackknife over runs gives its error.
    without = (inside.sum(axis=0) - inside) / (total.sum() - total)[:, None]
    error = np.sqrt((RUNS - 1) * without.var(axis=0))
    return float(total.mean()), inside.mean(axis=0), float(runs[:, -1].mean()), error


def _task(seats: Array, counts: Array, need: int, lists: Array) -> _Task:
    judges, items = seats.shape
    held = _words((seats > 0).T)
    less = (seats[:, :, None] > 0) & (seats[:, :, None] < seats[:, None, :])
    before = _words(less.transpose(1, 2, 0))
    octets = held.shape[1] * 8
    padded = np.zeros(octets * 8, np.int64)
    padded[:judges] = counts
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    table = (padded.reshape(octets, 1, 8) * bits).sum(axis=2)[: -(-judges // 8)]
    inside = (lists[:, :, None] > 0) & (lists[:, :, None] < lists[:, None, :])
    own = np.arange(items)
    inside[:, own, own] = lists > 0
    task = _Task(held, before, table, need, inside, np.ones(items))
    return replace(task, future=_future(task, int(counts.sum())))


def _future(task: _Task, votes: int) -> Array:
    support = task.support(task.before)
    follow = np.where(support >= task.need, support / (2 * votes), 0.0)
    out = np.ones(len(follow))
    for _ in range(len(out)):
        out = 1 + follow @ out
        if out.max() > 1e100:
            out /= 1e100
    return out


def _words(bits: Array) -> Array:
    """Booleans of the last axis as 64-bit words."""
    packed = np.packbits(bits, axis=-1, bitorder="little")
    pad = -packed.shape[-1] % 8
    packed = np.concatenate([packed, np.zeros((*packed.shape[:-1], pad), np.uint8)], axis=-1)
    return np.ascontiguousarray(packed).view(np.uint64)


def _run(task: _Task, rule: Rule, states: int, rng: np.random.Generator | None) -> Array | None:
    """Weight of all patterns, of those in each list, and the number of patterns; None if there are too many states."""
    items = len(task.held)
    last = items if rule.max_len is None else min(rule.max_len, items)
    out = np.zeros(len(task.inside) + 2)
    support = task.support(task.held)
    item = np.flatnonzero(support >= task.need)
    sets, support = task.held[item], support[item]
    own = np.arange(items)
    count = np.concatenate([np.ones((len(item), 1)), task.inside[:, own, own].T[item]], axis=1)
    work = 0
    for length in range(1, last + 1):
        if length >= rule.min_len:
            weight = rule.by_length(length) * rule.by_support(support)
            out[:-1] += weight @ count
            out[-1] += count[:, 0].sum()
        if length == last or not len(item):
            break
        work += len(item) * items
        if rng is None and work > WORK:
            return None
        step = _extend(task, item, sets, count)
        item, sets, support, count = step
        if len(item) > states:
            if rng is None:
                return None
            keep, odds = _draw(count[:, 0] * support * task.future[item], states, rng)
            item, sets, support, count = item[keep], sets[keep], support[keep], count[keep] / odds[:, None]
    return out


def _extend(task: _Task, item: Array, sets: Array, count: Array) -> tuple[Array, Array, Array, Array]:
    """The states one item further on."""
    items = len(task.held)
    parts = []
    step = max(1, CHUNK // items)
    for a in range(0, len(item), step):
        further = sets[a : a + step, None] & task.before[item[a : a + step]]
        support = task.support(further)
        parent, to = np.nonzero(support >= task.need)
        parts.append((parent + a, to, further[parent, to], support[parent, to]))
    parent, to, further, support = (np.concatenate(p) for p in zip(*parts, strict=True))
    order = np.lexsort((*further.T, to))
    new = np.ones(len(order), bool)
    sorted_to, sorted_sets = to[order], further[order]
    new[1:] = (sorted_to[1:] != sorted_to[:-1]) | (sorted_sets[1:] != sorted_sets[:-1]).any(axis=1)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new) - 1
    first = order[new]
    out = np.empty((len(first), count.shape[1]))
    out[:, 0] = np.bincount(group, count[parent, 0], minlength=len(first))
    for s, inside in enumerate(task.inside, 1):
        mine = count[parent, s] * inside[item[parent], to]
        out[:, s] = np.bincount(group, mine, minlength=len(first))
    return to[first], further[first], support[first], out


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
