"""Cards of a sort one by one: how far judges agree on what goes with a card, which group it could as well be in, and
which categories it was put in."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association
from quorate.groupings.group_names import Named, are_words, normal_name
from quorate.kernels.defined import quotient
from quorate.kernels.partition_labels import dense
from quorate.panel.columns import is_blank
from quorate.panel.kinds import Groupings

Array = NDArray[Any]
TINY = 1e-9
CELLS = 1 << 16  # of judges, items and groups at a time
LEAST = 2  # items of a group into which others are put
NAMES = ("category", "label")  # columns that may hold what a judge calls a group


def companions(labels: Array, counts: Array) -> tuple[Array, Array]:
    """How much two judges who used a card share of what they put with it, ``[item]``, and the same without each judge,
    ``[judge, item]``.

    Overlap over union of the two groups on the cards that both used, the card itself not counted; where both leave it
    alone they agree. From ``labels[judge, item]``, negative where a judge did not use a card; ``counts[judge]``.

    >>> companions(np.array([[0, 0, 0, 1], [0, 0, 1, 1]]), np.array([1, 1]))[0].tolist()
    [0.5, 0.5, 0.0, 0.0]
    """
    judges, items = labels.shape
    used = labels >= 0
    pairs = (counts[:, None] * counts).astype(float)
    np.fill_diagonal(pairs, counts * (counts - 1.0))  # judges behind one row agree with one another
    mean, without = np.full(items, np.nan), np.full((judges, items), np.nan)
    common = used.astype(float) @ used.T.astype(float)
    for i in range(items):
        inside = (labels == labels[:, i : i + 1]) & used & used[:, i : i + 1]
        both = inside.astype(float)
        overlap = both @ both.T - 1  # the card itself
        theirs = both @ used.T.astype(float) - 1  # of a judge's group what the other used
        union = theirs + theirs.T - overlap
        share = np.where(union > 0, overlap / np.maximum(union, 1), 1.0)
        weight = pairs * (used[:, i, None] & used[None, :, i]) * (common > 1)
        total, number = (share * weight).sum(axis=1), weight.sum(axis=1)
        if number.sum():
            mean[i] = total.sum() / number.sum()
            left = number.sum() - 2 * number + np.diag(weight)
            rest = total.sum() - 2 * total + np.diag(share * weight)
            without[:, i] = quotient(rest, left)
    return mean, without


@dataclass(frozen=True, eq=False)
class Fit:
    """How well each card sits in its group of the consensus."""

    own: Array  # [item] mean share of judges who put it with the others of its group; NaN alone or left out
    second: Array  # [item] the group of two cards or more that it would fit best otherwise; -1 where there is none
    other: Array  # [item] mean share of judges who put it with the cards of that group


def fits(votes: Association, labels: Array) -> Fit:
    """From the co-association of one task and a partition ``labels[item]``, -1 where a card is left out."""
    items, groups = len(labels), int(labels.max(initial=-1)) + 1
    share = np.where(np.isnan(votes.share), 0.0, votes.share)
    np.fill_diagonal(share, 0.0)
    member = labels[:, None] == np.arange(groups)
    size = member.sum(axis=0)
    others = size - member
    mean = quotient(share @ member, others)
    if not groups:
        return Fit(np.full(items, np.nan), np.full(items, -1), np.zeros(items))
    every = np.arange(items)
    own = np.where(labels >= 0, mean[every, np.maximum(labels, 0)], np.nan)
    rest = np.where(member | np.isnan(mean) | (size < 2), -1.0, mean)
    second = rest.argmax(axis=1)
    other = rest[every, second]
    return Fit(own, np.where(other >= 0, second, -1), np.maximum(other, 0.0))


def placed(labels: Array, counts: Array, partition: Array) -> Array:
    """How many judges put each item into each group of a partition, ``[item, group]``: that most of whose other items
    they put with it, of several equally; into none where it is with no other, nor into a group of one.

    From ``labels[judge, item]``, negative where a judge did not use an item, ``counts[judge]`` and
    ``partition[item]``, -1 where an item is left out.

    >>> placed(np.array([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1]]), np.array([1, 1]), np.array([0, 0, 0, 1, 1])).tolist()
    [[2.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [0.0, 2.0]]
    """
    member = (partition[:, None] == np.arange(partition.max(initial=-1) + 1)).astype(float)
    groups, large = member.shape[1], member.sum(axis=0) >= LEAST
    out, step = np.zeros(member.shape), max(1, CELLS // max(member.size, 1))
    for a in range(0, len(labels), step):
        own, used = dense(labels[a : a + step]), labels[a : a + step] >= 0
        judge, item = np.nonzero(used & (partition >= 0))
        wide = int(own.max(initial=0)) + 1
        cell = (judge * wide + own[judge, item]) * groups + partition[item]
        with_it = np.bincount(cell, minlength=len(own) * wide * groups).reshape(len(own) * wide, groups)
        inside = with_it[np.arange(len(own))[:, None] * wide + np.maximum(own, 0)]  # [judge, item, group]
        others = (used @ member)[:, None] - member
        share = quotient(inside - member, others, otherwise=0.0) * large
        most = share.max(axis=2, keepdims=True, initial=0.0)
        there = (share == most) & (most > 0) & used[:, :, None]
        chosen = counts[a : a + step, None, None] * quotient(there, there.sum(axis=2, keepdims=True), otherwise=0.0)
        out = np.concatenate([out[None], chosen]).sum(axis=0)  # one judge after the other
    return out


def astray(labels: Array, counts: Array, partition: Array) -> Array:
    """How many times likelier the judges' choices are of an item that belongs nowhere than of one of any group, in
    logarithms, ``[item]``.

    An item of a group is put there, and alone or left out, as often as such items are on average; one that belongs
    nowhere is alone or left out at any rate, or in any group. If an item is of a group, it is k times likelier by a
    chance of 1 / k at most.
    """
    count, shown = placed(labels, counts, partition), counts @ (labels >= -1)
    inside = count.sum(axis=1)
    none, groups = shown - inside, max(int((count.sum(axis=0) > 0).sum()), 2)
    mine = np.flatnonzero(inside > 0)
    home = mine[partition[mine] >= 0]
    right = (count[home, partition[home]].sum() + 1) / (inside[home].sum() + 2)
    right = max(right, 1 / groups + TINY)  # of those that are with some
    rate = (none[home].sum() + 0.5) / (shown[home].sum() + 1)
    most = count.max(axis=1, initial=0.0)
    firm = most * math.log(right) + (inside - most) * math.log((1 - right) / (groups - 1))
    firm += none * math.log(rate) + inside * math.log1p(-rate)
    any_rate = [
        math.lgamma(a + 1) + math.lgamma(b + 1) - math.lgamma(a + b + 2) for a, b in zip(none, inside, strict=True)
    ]
    return np.asarray(np.array(any_rate) - inside * math.log(groups) - firm)


def named_groups(panel: Groupings) -> list[Named]:
    """Every judge's groups with the names that the judge gave them; of a judge without names, none.

    Names are in a column ``category`` or ``label``; where there is none and the groups' own ids are words, they are.
    """
    column = next((n for n in NAMES if n in panel.labels), None)
    if column is None and not are_words(panel.group_ids):
        return [{} for _ in panel.judges]
    group, judge = panel.value.values(), panel.judge.values()
    names: Sequence[Any] = panel.labels[column].values() if column else group
    found: dict[Hashable, dict[Hashable, tuple[str, set[Hashable]]]] = {j: {} for j in panel.judges}
    for who, item, own, name in zip(judge, panel.item.values(), group, names, strict=True):
        if own is not None and not is_blank(own):
            called, inside = found[who].setdefault(own, ("" if is_blank(name) else str(name).strip(), set()))
            found[who][own] = (called or ("" if is_blank(name) else str(name).strip()), inside | {item})
    return [{g: (n, frozenset(inside)) for g, (n, inside) in own.items() if n} for own in found.values()]


def placements(items: Sequence[Hashable], judges: Sequence[Named]) -> list[dict[str, Any]]:
    """Card x category: a row for every card and category that some judge put it in, names that are one together, with
    their spellings.

    >>> placements(["x"], [{1: ("Fruits", frozenset("x"))}, {1: ("fruit", frozenset("x"))}])
    [{'item': 'x', 'category': 'Fruits', 'judges': 2, 'share': 1.0, 'spellings': ['Fruits', 'fruit']}]
    """
    written: dict[str, dict[str, int]] = {}
    count: dict[Hashable, dict[str, int]] = {i: {} for i in items}
    number = dict.fromkeys(items, 0)
    for own in judges:
        for name, inside in own.values():
            key = normal_name(name)
            spelling = written.setdefault(key, {})
            spelling[name] = spelling.get(name, 0) + 1
            for item in inside:
                if item in count:
                    count[item][key] = count[item].get(key, 0) + 1
                    number[item] += 1
    called = {key: sorted(own, key=lambda name: (-own[name], name)) for key, own in written.items()}
    return [
        {"item": i, "category": called[key][0], "judges": n, "share": n / number[i], "spellings": called[key]}
        for i in items
        for key, n in sorted(count[i].items(), key=lambda pair: (-pair[1], called[pair[0]][0]))
    ]
