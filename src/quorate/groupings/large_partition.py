"""The partition that agrees with most pairs, and the groups of a quorum: large, without a table of all pairs.

What holds items together are pairs that some judges put together. So pairs that no judge put together are never looked
at (:mod:`~quorate.groupings.association`); items that all judges put in the same groups are looked at once; and parts
that no worthwhile pair connects are solved one by one, as those of smaller tasks are. A part that is too large for that
is searched by how many of each judge's groups are in each of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.groupings.association import ITEMS, Association, Pairs, alike, effort, kept, members, pairs, parts
from quorate.groupings.pair_partition import STARTS, alone, chains_of, clique_weights, groups, supported_pairs
from quorate.groupings.partition_program import Part, Proofs, Solution, search_parts, solve_parts
from quorate.kernels.pair_support import quorum
from quorate.kernels.partition_labels import dense
from quorate.kernels.partition_search import NEAR, joins
from quorate.panel.consensus_value import Agreed

Array = NDArray[Any]
EFFORT = 3e10  # pairs of items looked at, those of several judges several times: some minutes
STORED = 2.5e8  # pairs that linkage holds, each from both sides, 8 to 12 bytes
SEEN = 500  # items of which pairs are counted, before all are
ANY = "median_partition takes any number of items"
CELLS = 1 << 22  # items x groups looked at in one go
ROUNDS = 400_000  # of pairs looked at for bounds, of all parts together: some seconds
BEGUN = 2  # judges' partitions that the search of a part without a table of pairs begins from
SWEEPS = 20  # over all its items, at most


@dataclass(frozen=True, eq=False)
class Items:
    """The items of one task that a consensus has, and which of them hang together by pairs that are worth having."""

    labels: Array  # [judge, item]
    counts: Array  # [judge]
    held: Array  # [judge, item] who has a say on what
    worthwhile: Callable[[Array, Array], Array]  # of judges who put two together, and judges who have a say on both
    hint: str = ""  # what takes more items; nothing: a part of any size is searched

    @cached_property
    def own(self) -> tuple[Array, Array]:
        """How many judges used every item, and how many have a say on it."""
        return (self.counts @ (self.labels >= 0)), (self.counts @ self.held)

    @cached_property
    def kind(self) -> Array:
        """Items that all judges put in the same groups, and that are worth having together, are of one kind."""
        return alike(self.labels, self.worthwhile(*self.own))

    @cached_property
    def first(self) -> Array:
        """The first item of every kind."""
        return np.unique(self.kind, return_index=True)[1]

    @cached_property
    def part(self) -> Array:
        """Items that worthwhile pairs connect, ``[item]``, numbered in order of their first item."""
        return self._connected[0]

    @cached_property
    def _connected(self) -> tuple[Array, Array]:
        """These parts, and what the worthwhile pairs of each with later kinds of items are worth, ``[kind]``."""
        own, hope, many = self.labels[:, self.first], np.zeros(len(self.first)), np.bincount(self.kind)
        check_effort(own, self.hint or ANY)

        def linked(some: Pairs) -> Array:
            there = self.worthwhile(some.together, some.voters)
            first, second = some.first[there], some.second[there]
            value = (2 * some.together[there] - some.voters[there]) * many[first] * many[second]
            hope[:] += np.bincount(first, value, len(hope))
            return there

        found = parts(len(self.first), pairs(own, self.counts, self.held[:, self.first]), linked)
        return found[self.kind], hope

    def hope(self, inside: Array) -> float:
        """What some leading items are worth at the most, where all that wants to be together is."""
        many, twice = np.bincount(self.kind), 2 * self.own[0] - self.own[1]
        kind = self.kind[inside]
        return float(self._connected[1][kind].sum() + (twice[inside] * many[kind] * (many[kind] - 1) / 2).sum())

    @cached_property
    def leads(self) -> Array:
        """The item that goes with every item: itself, or the first of its kind where a part is too large for all."""
        large = np.bincount(self.part)[self.part] > ITEMS
        return np.where(large, self.first[self.kind], np.arange(len(self.kind)))

    def inside(self) -> list[Array]:
        """The leading items of every part of two and more, those of fewer first."""
        lead = np.unique(self.leads)
        order = lead[np.argsort(self.part[lead], kind="stable")]
        found = np.split(order, np.flatnonzero(np.diff(self.part[order])) + 1)
        most = max(map(len, found), default=0)
        if most > ITEMS and self.hint:
            raise LimitReached(
                f"{most:,} different items hang together by pairs that enough judges put together.",
                f"at most {ITEMS:,}; {self.hint}.",
            )
        return sorted((own for own in found if len(own) > 1), key=len)

    def parts(self, weigh: Callable[[Association], Array], starts: Array) -> Iterator[Part]:
        """Those that have a table of pairs, with what their pairs are worth, and where to begin, ``starts[start,
        item]``."""
        alike = np.bincount(self.leads, minlength=len(self.leads))  # items that each leads
        for own in self.inside():
            if len(own) <= ITEMS:
                weights = weigh(Association.of(self.labels[:, own], self.counts)).astype(float)
                weights *= alike[own][:, None] * alike[own]
                yield Part(np.zeros(1, np.int64), own[None], weights[None], starts[None, :, own])

    def some(self, which: Array) -> Items:
        """The same of some items."""
        return Items(self.labels[:, which], self.counts, self.held[:, which], self.worthwhile)

    def led(self, worth: Array) -> float:
        """What pairs of items are worth of which one leads the other; ``worth[item]`` of an item with one like it."""
        alike = np.bincount(self.leads, minlength=len(self.leads))
        return float((worth * alike * (alike - 1) / 2).sum())


def check_effort(labels: Array, hint: str) -> None:
    """Whether pairs that some judge put together are few enough to be looked at."""
    if (much := float(effort(labels).sum())) > EFFORT:
        raise LimitReached(
            f"groups of {labels.shape[1]:,} different items are so large that they hold {much:,.0f} pairs.",
            f"at most {EFFORT:,.0f}; {hint}.",
        )


def evenly(items: Array, most: int = ITEMS) -> Array:
    """All items, or as many as have room in a table of all pairs."""
    return items[np.linspace(0, len(items) - 1, min(len(items), most)).astype(np.int64)]


def check_stored(labels: Array) -> None:
    """Whether pairs that some judge put together have room, as linkage needs them: counted of some items."""
    check_effort(labels, ANY)
    kinds = labels[:, np.unique(alike(labels, np.ones(labels.shape[1], bool)), return_index=True)[1]]
    number = kinds.shape[1]
    some = evenly(np.arange(number), SEEN)
    each = (members(kinds)[some] @ members(kinds).T.tocsr()).nnz / max(len(some), 1)
    if number * each > STORED:
        raise LimitReached(
            f"judges put {number:,} different items together in about {number * each / 2:,.0f} pairs.",
            f"linkage has room for {STORED / 2:,.0f}; {ANY}.",
        )


def worth_of(items: Items, partition: Array) -> float:
    """Judges for together less judges for apart, of all pairs that are in one group of ``partition[item]``."""
    together = members(partition[None]).T.tocsr() @ members(items.labels)
    times = np.repeat(items.counts, items.labels.max(axis=1, initial=-1) + 1)
    cells = together.tocoo()
    both = (times[cells.col] * cells.data * (cells.data - 1.0)).sum()  # twice
    size = [np.bincount(partition[own]).astype(float) for own in items.held]
    return float(both - sum(c * (n * (n - 1)).sum() / 2 for c, n in zip(items.counts.tolist(), size, strict=True)))


def level(items: Items, partition: Array) -> Array:
    """Which items could as well be in another group, or alone, ``[item]``."""
    if items.held.all():
        return _level_of_held(items, partition)
    return level_by_table(items, partition)


def level_by_table(items: Items, partition: Array) -> Array:
    """The same from what every item is worth with every group."""
    size, every = np.bincount(partition), np.arange(len(partition))
    out = np.zeros(len(partition), bool)
    for some, pulled in _pulled(items, partition, np.arange(len(size))):
        place = (every[: len(pulled)], partition[some])
        own = pulled[place].copy()
        as_well = np.abs(pulled - own[:, None]) < NEAR
        as_well[place] = False
        out[some] = as_well.any(axis=1) | ((np.abs(own) < NEAR) & (size[partition[some]] > 1))
    return out


def _level_of_held(items: Items, partition: Array) -> Array:
    """The same where all judges hold all items: only groups in which some judge put the item together with another are
    looked at, for those without such a pair are worth less than to be alone."""
    size, self_ = np.bincount(partition), 2 * items.own[0] - items.own[1]
    mine, table = _tables(items, partition, np.arange(len(size)))
    apart = size * float(items.counts.sum())
    out = np.zeros(len(partition), bool)
    for a in range(0, len(partition), step := max(1, CELLS // max(len(size), 1))):
        some = slice(a, a + step)
        pairs, group = (mine[some] @ table).tocsr(), partition[some]
        row = np.repeat(np.arange(len(group)), np.diff(pairs.indptr))
        at_home = pairs.indices == group[row]
        both = np.bincount(row[at_home], pairs.data[at_home], len(group))
        own = 2 * both - apart[group] - self_[some]
        pulled = 2 * pairs.data - apart[pairs.indices]
        as_well = (np.abs(pulled - own[row]) < NEAR) & ~at_home
        found = (np.bincount(row[as_well], minlength=len(group)) > 0) | ((np.abs(own) < NEAR) & (size[group] > 1))
        for k in np.flatnonzero(own < -NEAR).tolist():  # better alone: groups without a pair may be as bad
            every = 2 * pairs[[k]].toarray()[0] - apart
            every[group[k]] = math.inf
            found[k] = (np.abs(every - own[k]) < NEAR).any()
        out[some] = found
    return out


def _tables(items: Items, partition: Array, to: Array) -> tuple[Any, Any]:
    """Judges' groups that items are in, ``[item, judge's group]``, and how often these meet some groups, ``[judge's
    group, group]``, each as many times as its judge counts."""
    theirs, mine = members(partition[None])[:, to], members(items.labels)
    counts = np.repeat(items.counts, items.labels.max(axis=1, initial=-1) + 1)
    return mine, (mine.T.tocsr() @ theirs).multiply(counts[:, None]).tocsr()


def _pulled(items: Items, partition: Array, to: Array) -> Iterator[tuple[slice, Array]]:
    """Some items at a time, and what it is worth to have each of them with some groups, ``[some, group]``: judges for
    together less judges for apart, of its pairs with the others there."""
    (mine, table), held = _tables(items, partition, to), items.counts[:, None] * items.held
    voters = np.stack([np.bincount(partition[own], minlength=int(partition.max()) + 1)[to] for own in items.held])
    place, self_ = np.full(int(partition.max(initial=0)) + 1, -1), 2 * items.own[0] - items.own[1]
    place[to] = np.arange(len(to))
    for a in range(0, len(partition), step := max(1, CELLS // max(len(to), 1))):
        some = slice(a, a + step)
        pulled = 2 * (mine[some] @ table).toarray() - held[:, some].T @ voters
        own = place[partition[some]]
        there = np.flatnonzero(own >= 0)
        pulled[there, own[there]] -= self_[some][there]
        yield some, pulled


def searched(items: Items, weigh: Callable[[Association], Array], start: Array) -> Array:
    """A good partition of items that are too many for a table of pairs, ``[item]``: those that gain are moved one by
    one, and groups joined; then what is left alone is put together, as far as it falls apart into smaller parts."""
    found = _moved(items, start)
    left = np.flatnonzero(np.bincount(found)[found] == 1)
    if len(left) < 2:
        return found
    rest = items.some(left)
    small = search_parts(rest.parts(weigh, np.zeros((0, len(left)), np.int64)), 1, len(left))[0]
    found[left] = len(found) + small[rest.leads]
    return _moved(items, found)


def _moved(items: Items, partition: Array) -> Array:
    """Items moved, each to where it is worth most, and groups joined, until nothing helps."""
    found = dense(partition)
    for _ in range(SWEEPS):
        several = np.flatnonzero(np.bincount(found) > 1)
        if not len(several):
            break
        moved = False
        for item, to in _restless(items, found, several):
            own = _worth_with(items, item, np.flatnonzero(found == found[item]))
            if (_worth_with(items, item, np.flatnonzero(found == to)) if to >= 0 else 0) > own + NEAR:
                found[item], moved = to if to >= 0 else int(found.max()) + 1, True
        joined = _joined(items, found)
        if not moved and int(joined.max()) == int(found.max()):
            break
        found = dense(joined)
    return found


def _restless(items: Items, partition: Array, several: Array) -> list[tuple[int, int]]:
    """Which items gain by going to another group of several, or to none (-1), the others staying where they are."""
    place = np.full(int(partition.max()) + 1, -1)
    place[several] = np.arange(len(several))
    out = list[tuple[int, int]]()
    for some, pulled in _pulled(items, partition, several):
        at = place[partition[some]]
        there = np.flatnonzero(at >= 0)
        own = np.zeros(len(pulled))
        own[there] = pulled[there, at[there]]
        pulled[there, at[there]] = -1
        best = pulled.argmax(axis=1)
        value = pulled[np.arange(len(best)), best]
        gains = np.flatnonzero(np.maximum(value, 0) > own + NEAR)
        to = np.where(value > 0, several[best], -1)
        out += zip((gains + some.start).tolist(), to[gains].tolist(), strict=True)
    return out


def _worth_with(items: Items, item: int, others: Array) -> float:
    """What it is worth to have an item with some items."""
    others = others[others != item]
    own, held = items.labels[:, item, None], items.held[:, item, None]
    same = (items.labels[:, others] == own) & (own >= 0)
    return float(items.counts @ (2 * same.sum(axis=1) - (items.held[:, others] & held).sum(axis=1)))


def _joined(items: Items, partition: Array) -> Array:
    """Groups joined, the two that gain most first, until none do."""
    several = np.flatnonzero(np.bincount(partition) > 1)
    if len(several) > ITEMS:
        return partition
    counts = np.repeat(items.counts, items.labels.max(axis=1, initial=-1) + 1)
    table = (members(items.labels).T.tocsr() @ members(partition[None])[:, several]).astype(float)
    voters = np.stack([np.bincount(partition[own], minlength=len(partition))[several] for own in items.held])
    gain = 2 * (table.T @ table.multiply(counts[:, None])).toarray() - voters.T @ (items.counts[:, None] * voters)
    name = np.arange(int(partition.max()) + 1)
    name[several] = several[joins(gain[None])[0]]
    return name[partition]


def whole(found: Array, there: Array) -> Array:
    """The partition of all items of the task, ``[item]``, from that of those ``there``; the others are left out."""
    out = np.full(len(there), -1)
    out[there] = found
    return dense(out)


def items_of(labels: Array, counts: Array, how: Mapping[str, Any]) -> tuple[Items, Array]:
    """Of very many items of one task, ``labels[judge, item]``, those that a consensus has; and which of all these are.

    They hang together by pairs that a quorum q puts together, or by those that most put together.
    """
    labels, counts = labels[counts > 0], counts[counts > 0]
    there = kept(labels[None], counts[None])[0]
    own = labels[:, there]
    if "q" in how:
        hint = "join=components takes more" if how["join"] == "cliques" else ANY
        return Items(own, counts, own >= -1, lambda same, of: same >= quorum(how["q"], of), hint), there
    held = own >= 0 if how["left_out"] == "common" else own >= -1
    return Items(own, counts, held, lambda same, of: 2 * same > of), there


def _weighed(how: Mapping[str, Any]) -> Callable[[Association], Array]:
    """What pairs of items of one task are worth."""
    if "q" in how:
        return lambda votes: clique_weights(votes, supported_pairs(votes, how["q"]))
    return lambda votes: votes.margins(how["left_out"])


def pairs_of_many(labels: Array, counts: Array, proofs: Proofs, how: Mapping[str, Any]) -> Agreed:
    """The partition of very many items of one task that agrees with most pairs, with its proof."""
    items, there = items_of(labels, counts, how)
    scale = int(np.gcd.reduce(counts))
    scale *= 1 + bool(items.held.all() and int(counts.sum()) // scale % 2 == 0)  # then all margins are even
    starts = alone(items.labels)
    best = sorted(range(len(starts)), key=lambda k: (-worth_of(items, starts[k]), *starts[k].tolist()))
    starts = starts[best[:STARTS]]
    weigh, inside = _weighed(how), items.inside()
    every = items.parts(lambda votes: weigh(votes) / scale, starts)
    looks = ROUNDS / max(sum(map(len, inside)), 1)
    found = solve_parts(every, 1, len(items.part), how["seconds"], proofs, looks)
    gap = scale * float(found.bound[0] - found.worth[0])
    own, most = _with_large_parts(items, weigh, found.labels[0][items.leads], starts[:BEGUN])
    value = worth_of(items, own)
    facts = Solution(own[None], np.array([value]), np.array([value + gap + most])).facts[0]
    undecided = np.flatnonzero(there)[level(items, own)].tolist()
    return Agreed(whole(own, there), None, facts, {"undecided": undecided})


def _with_large_parts(
    items: Items, weigh: Callable[[Association], Array], found: Array, starts: Array
) -> tuple[Array, float]:
    """The partition, with the parts that have no table of pairs searched; and how much more these might be worth."""
    found, more = found.copy(), 0.0
    for lead in items.inside():
        if len(lead) > ITEMS:
            own = np.flatnonzero(items.part == items.part[lead[0]])
            some = items.some(own)
            tried = [searched(some, weigh, start[own]) for start in starts]
            value = [worth_of(some, one) for one in tried]
            best = int(np.argmax(value))
            found[own] = int(found.max()) + 1 + tried[best]
            more += items.hope(lead) - value[best]
    return dense(found), more


def quorum_of_many(labels: Array, counts: Array, proofs: Proofs, how: Mapping[str, Any]) -> Agreed:
    """The groups of very many items of one task that a quorum supports."""
    items, there = items_of(labels, counts, how)
    found, facts = items.part, {"q": int(quorum(how["q"], counts.sum()))}
    if how["join"] == "cliques":
        none = np.zeros((0, len(found)), np.int64)
        solution = solve_parts(items.parts(_weighed(how), none), 1, len(found), how["seconds"], proofs)
        found, facts = solution.labels[0], facts | _proof(solution, 1, items.led(items.own[0]))
    own = whole(found[items.leads], there)
    return Agreed(own, None, facts, {"chains": list(_chains(labels, counts, own, how["q"]))})


def _proof(found: Solution, scale: int, more: float) -> dict[str, Any]:
    """What the partition of one task is worth: what was found, so many times, and what goes together anyway."""
    return Solution(found.labels, found.worth * scale + more, found.bound * scale + more).facts[0]


def _chains(labels: Array, counts: Array, own: Array, q: float) -> Iterator[list[int]]:
    """Two items at the ends of each group with pairs that lack support; of a very large group, some items' ends."""
    for inside in groups(own):
        some = evenly(np.array(inside))
        if len(some) > 2:
            votes = Association.of(labels[None][:, :, some], counts[None])
            for ends in chains_of(np.zeros((1, len(some)), np.int64), supported_pairs(votes, q))[0]:
                yield some[ends].tolist()


def drawn_of_many(labels: Array, counts: Array, start: Array, how: Mapping[str, Any]) -> Array:
    """The best found of a panel drawn from the judges of such a task, ``[item]``, from where to begin."""
    items, there = items_of(labels, counts, how)
    if how.get("join") == "components":
        return whole(items.part, there)
    begin = (np.arange(len(start)) if "q" in how else alone(start))[None, there]
    found = search_parts(items.parts(_weighed(how), begin), 1, len(items.part))[0][items.leads]
    return whole(_with_large_parts(items, _weighed(how), found, begin)[0], there)


def check_room_for_pairs(labels: Array, counts: Array, how: Mapping[str, Any]) -> None:
    """Whether one task has so many items that pairs that enough judges put together have no room."""
    items, _ = items_of(labels, counts, how)
    check_effort(items.labels[:, items.first], ANY)
    if how.get("join") == "cliques":
        items.inside()
