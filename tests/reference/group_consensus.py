"""Slow plain twins of the consensus of groupings: judges are dicts item -> group, None or absent means left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

Judges = list[dict[object, object]]


def partitions(items: list[object]) -> Iterator[list[list[object]]]:
    """Every way to put the items in groups."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for k in range(len(smaller)):
            yield [*smaller[:k], [first, *smaller[k]], *smaller[k + 1 :]]


def counts(judges: Judges, a: object, b: object) -> tuple[int, int]:
    """How many put a and b together, and how many used both."""
    used = [j for j in judges if j.get(a) is not None and j.get(b) is not None]
    return sum(j[a] == j[b] for j in used), len(used)


def left_out(judges: Judges, items: list[object]) -> list[object]:
    return [i for i in items if 2 * sum(j.get(i) is None for j in judges) > len(judges)]


def worth(judges: Judges, groups: list[list[object]], singletons: bool) -> int:
    """Votes for together less votes for apart, over the pairs inside groups."""
    total = 0
    for group in groups:
        for a, b in itertools.combinations(group, 2):
            together, both = counts(judges, a, b)
            total += 2 * together - (len(judges) if singletons else both)
    return total


def best_worth(judges: Judges, items: list[object], singletons: bool = False) -> int:
    """The most that any partition of the items that are not left out is worth."""
    kept = [i for i in items if i not in left_out(judges, items)]
    return max(worth(judges, p, singletons) for p in partitions(kept))


def components(judges: Judges, items: list[object], need: int) -> set[frozenset[object]]:
    """What pairs that enough judges put together connect."""
    kept = [i for i in items if i not in left_out(judges, items)]
    groups = [{i} for i in kept]
    for a, b in itertools.combinations(kept, 2):
        if counts(judges, a, b)[0] >= need:
            one = next(g for g in groups if a in g)
            other = next(g for g in groups if b in g)
            if one is not other:
                groups.remove(other)
                one |= other
    return {frozenset(g) for g in groups}


def best_cliques(judges: Judges, items: list[object], need: int) -> int:
    """The most support inside groups whose every pair has enough of it."""
    kept = [i for i in items if i not in left_out(judges, items)]
    best = 0
    for groups in partitions(kept):
        support = [counts(judges, a, b)[0] for g in groups for a, b in itertools.combinations(g, 2)]
        if all(s >= need for s in support):
            best = max(best, sum(support))
    return best


def judge_agreement(judge: dict[object, object], groups: list[list[object]]) -> float | None:
    """Share of the pairs that both have, on which they agree."""
    name = {i: k for k, g in enumerate(groups) for i in g}
    pairs = list(itertools.combinations([i for i in name if judge.get(i) is not None], 2))
    same = [(judge[a] == judge[b]) == (name[a] == name[b]) for a, b in pairs]
    return sum(same) / len(same) if same else None


def stays(groups: list[list[object]], drawn: list[list[list[object]]], item: object) -> float:
    """Mean overlap over union of the item's group with its group in each drawn partition; left out both times is 1."""

    def of(some: list[list[object]]) -> set[object]:
        return next((set(g) for g in some if item in g), set())

    total = 0.0
    for one in drawn:
        a, b = of(groups), of(one)
        total += 1.0 if not a and not b else len(a & b) / len(a | b) if a and b else 0.0
    return total / len(drawn)


def mean_adjusted_rand(judges: Judges, groups: list[list[object]]) -> float:
    """The mean over judges of the adjusted Rand index, each on the items that the judge used; of two or more."""
    name = {i: k for k, g in enumerate(groups) for i in g}
    found = []
    for judge in judges:
        items = [i for i in name if judge.get(i) is not None]
        pairs = list(itertools.combinations(items, 2))
        if not pairs:
            continue
        ours = sum(name[a] == name[b] for a, b in pairs)
        theirs = sum(judge[a] == judge[b] for a, b in pairs)
        both = sum(name[a] == name[b] and judge[a] == judge[b] for a, b in pairs)
        expected, most = ours * theirs / len(pairs), (ours + theirs) / 2
        found.append(1.0 if most == expected else (both - expected) / (most - expected))
    return sum(found) / len(found) if found else 0.0


def mean_variation(judges: Judges, groups: list[list[object]]) -> float:
    """The mean over judges of the variation of information, in nats, likewise."""
    name = {i: k for k, g in enumerate(groups) for i in g}
    found = []
    for judge in judges:
        items = [i for i in name if judge.get(i) is not None]
        if len(items) < 2:
            continue
        total = 0.0
        for i in items:
            ours = sum(name[i] == name[k] for k in items)
            theirs = sum(judge[i] == judge[k] for k in items)
            both = sum(name[i] == name[k] and judge[i] == judge[k] for k in items)
            total += math.log(ours / both) + math.log(theirs / both)
        found.append(total / len(items))
    return sum(found) / len(found) if found else 0.0
