"""What would have to change in one judge's groups to get another's: the disagreement of two judges made visible.

Items that only one of the two used are left out or added, one change each. The rest takes the *fewest changes* there
are when clusters are first split in two, then single items moved to another cluster, then two clusters merged, each of
these being one change. The least number is exact for groupings of any size.

Were merging allowed before splitting, some lists would be shorter, and say nothing: two clusters made into one and cut
anew take two changes, whatever the judges had in mind.

Splits and merges are differences of *generalisation*; moved items are mostly differences of *emphasis* or *inference*:
the three kinds of disagreement that Geiss found in people's clusterings.

The items that lie in one cluster of the first judge and one of the second are a *block*. Blocks that are kept whole are
cut out of their cluster (splits) and put together (merges); the items of the others are moved one by one. With k blocks
kept, of which every cluster has at least one, that takes k - r splits and k - c merges of r and c clusters, and a move
for every other item. So a block of three items or more is always kept: it costs a split and a merge at most. A block of
two costs no more kept than moved, one of a single item a change more, unless a cluster would be left with no block at
all: these are kept as few as can be, which is an edge cover of least weight and solved exactly, whatever the size.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.columns import is_blank

Array = NDArray[Any]
LARGE = 3  # items of a block that is cheaper kept than moved
ACTIONS = ("leave out", "split", "move", "merge", "add")  # in the order in which they are done


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: what to do with which items, from a group of the first judge towards one of the second."""

    action: str  # one of ACTIONS
    items: tuple[Hashable, ...]
    source: Hashable | None  # group of the first judge
    target: Hashable | None  # group of the second judge


@dataclass(frozen=True, slots=True)
class Cut:
    """A group of one judge and the blocks of items that it falls into by the groups of the other."""

    group: Hashable
    parts: tuple[tuple[Hashable, tuple[Hashable, ...]], ...]  # the other's group, the items

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        return {"group": self.group, "parts": [{"group": g, "items": [*items]} for g, items in self.parts]}


@dataclass(frozen=True, slots=True)
class Difference:
    """How to get from one partition to another with the fewest changes."""

    same: int  # groups that both have, item by item
    same_items: int
    moves_only: int  # items to move when nothing may be split or merged: the least possible
    edits: tuple[Edit, ...]
    cuts: tuple[Cut, ...] = ()  # groups of the first that the second splits
    joins: tuple[Cut, ...] = ()  # groups of the second that merge several of the first
    unused: int = 0  # items that both leave out
    items: int = 0  # that both were shown

    def number(self, action: str) -> int:
        """How many: items left out, added or moved; splits in two and merges of two."""
        chosen = [e for e in self.edits if e.action == action]
        return len(chosen) if action in ("split", "merge") else sum(len(e.items) for e in chosen)

    @property
    def total(self) -> int:
        """All changes: items left out, added and moved, splits and merges."""
        return sum(self.number(a) for a in ACTIONS)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists."""
        counts = {a.replace(" ", "_"): self.number(a) for a in ACTIONS}
        plain = {"same": self.same, "same_items": self.same_items, "moves_only": self.moves_only}
        plain |= {"unused": self.unused, "items": self.items}
        clusters = {
            "split_clusters": [c.to_dict() for c in self.cuts],
            "merged_clusters": [c.to_dict() for c in self.joins],
        }
        return {
            **plain,
            **counts,
            "total": self.total,
            **clusters,
            "edits": [{**asdict(e), "items": [*e.items]} for e in self.edits],
        }


def edits(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> Difference:
    """The fewest edits from the first partition, ``{item: group}``, to the second; None is left out.

    Empty when they are the same, whatever the groups are called. A split names the items that are cut off, a merge
    those that join what the second judge's group is made of.

    >>> found = edits({"u": 1, "v": 1, "x": 1, "y": 1, "z": None}, {"u": "a", "v": "a", "x": "b", "y": "b", "z": "b"})
    >>> [(e.action, e.items) for e in found.edits]
    [('split', ('x', 'y')), ('add', ('z',))]
    """
    one = {i: g for i, g in first.items() if not is_blank(g)}
    two = {i: g for i, g in second.items() if not is_blank(g)}
    blocks: dict[tuple[Any, Any], list[Any]] = {}
    for i, g in one.items():
        if i in two:
            blocks.setdefault((g, two[i]), []).append(i)
    cells, items = list(blocks), list(blocks.values())
    row, column = (_numbers([c[k] for c in cells]) for k in (0, 1))
    size = np.array([len(held) for held in items], np.int64)
    kept = kept_blocks(row, column, size)
    inside = _inside(cells, items, kept, _main(row, size, column, kept), _main(column, size, row, kept))
    found = [*_outside(one, two, "leave out"), *inside, *_outside(two, one, "add")]
    size_one, size_two = _sizes(one), _sizes(two)
    equal = [n for (a, b), n in zip(cells, size.tolist(), strict=True) if n == size_one[a] == size_two[b]]
    stay = int(size[matching(row, column, size, size)].sum())
    return Difference(
        len(equal),
        sum(equal),
        int(size.sum()) - stay,
        tuple(sorted(found, key=lambda e: ACTIONS.index(e.action))),
        tuple(_cuts([c for c, k in zip(cells, kept, strict=True) if k], blocks, 0)),
        tuple(_cuts([c for c, k in zip(cells, kept, strict=True) if k], blocks, 1)),
        len({*first, *second} - {*one, *two}),
        len({*first, *second}),
    )


def _numbers(groups: list[Any]) -> Array:
    known = {g: k for k, g in enumerate(dict.fromkeys(groups))}
    return np.array([known[g] for g in groups], np.int64)


def _sizes(partition: Mapping[Any, Any]) -> dict[Any, int]:
    out: dict[Any, int] = {}
    for g in partition.values():
        out[g] = out.get(g, 0) + 1
    return out


def _outside(one: Mapping[Any, Any], two: Mapping[Any, Any], action: str) -> list[Edit]:
    """Items that only ``one`` uses, group by group."""
    groups: dict[Any, list[Any]] = {}
    for i, g in one.items():
        if i not in two:
            groups.setdefault(g, []).append(i)
    ends = (lambda g: (g, None)) if action == "leave out" else (lambda g: (None, g))
    return [Edit(action, tuple(held), *ends(g)) for g, held in groups.items()]


def _main(line: Array, size: Array, across: Array, kept: Array) -> Array:
    """The block that each cluster is taken for, ``[block]`` or not: its largest kept one, then the most alike."""
    union = np.bincount(line, size)[line] + np.bincount(across, size)[across] - size
    order = np.lexsort((np.arange(len(line)), -size / union, -size, ~kept, line)) if len(line) else line
    out = np.zeros(len(line), bool)
    out[order[np.unique(line[order], return_index=True)[1]]] = True
    return out


def _inside(cells: list[Any], items: list[list[Any]], kept: Array, stays: Array, founds: Array) -> list[Edit]:
    """A kept block is cut off unless its cluster is taken for it, and merged unless the new cluster begins with it."""
    out = []
    for (a, b), held, whole, stay, found in zip(cells, items, kept, stays, founds, strict=True):
        actions = ["move"] if not whole else ["split"] * (not stay) + ["merge"] * (not found)
        out += [Edit(action, tuple(held), a, b) for action in actions]
    return out


def _cuts(cells: list[tuple[Any, Any]], blocks: Mapping[Any, list[Any]], side: int) -> list[Cut]:
    """The clusters of one side that have several kept blocks, with these, the largest first."""
    parts: dict[Any, list[tuple[Any, tuple[Any, ...]]]] = {}
    for c in sorted(cells, key=lambda c: -len(blocks[c])):
        parts.setdefault(c[side], []).append((c[1 - side], tuple(blocks[c])))
    order = dict.fromkeys(c[side] for c in cells)
    return [Cut(g, tuple(parts[g])) for g in order if len(parts[g]) > 1]


def kept_blocks(row: Array, column: Array, size: Array) -> Array:
    """Which blocks to keep for the fewest changes, ``[block]``, and of those the choice with the fewest blocks.

    ``row`` and ``column`` are the clusters of each block, numbered from 0 without a gap; ``size`` its items, 1 or more.

    >>> kept_blocks(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([5, 1, 5])).tolist()
    [True, False, True]
    """
    kept = size >= LARGE
    open_row, open_column = _uncovered(row, kept), _uncovered(column, kept)
    weight = np.where(size == 2, 1, int((size == 2).sum()) + 1)  # no number of twos is as bad as a single one
    least_row, least_column = _least(row, weight, open_row), _least(column, weight, open_column)
    gain = np.where(kept, 0, least_row[row] + least_column[column] - weight)
    kept = kept | matching(row, column, gain, size)
    for line in (row, column):
        order = np.lexsort((weight, line))
        lightest = order[np.unique(line[order], return_index=True)[1]]
        kept[lightest[_uncovered(line, kept)]] = True
    return np.asarray(kept)


def matching(row: Array, column: Array, gain: Array, size: Array) -> Array:
    """Blocks of which no two share a row or a column, with the most gain; of equal choices the one with most alike.

    Only blocks with a gain above 0 are chosen.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    out = np.zeros(len(row), bool)
    some = np.flatnonzero(gain > 0)
    if not len(some):
        return out
    rows, a = np.unique(row[some], return_inverse=True)
    columns, b = np.unique(column[some], return_inverse=True)
    union = np.bincount(row, size)[row[some]] + np.bincount(column, size)[column[some]] - size[some]
    alike = size[some] / union / (min(len(rows), len(columns)) + 1)  # all of it together is less than a gain of 1
    # A row may stay alone: it has a column of its own without gain. Weights are above 0, as what is not there is 0.
    own = np.arange(len(rows))
    value = np.concatenate([gain[some] + alike + 1, np.ones(len(rows))])
    places = np.concatenate([a.ravel(), own]), np.concatenate([b.ravel(), len(columns) + own])
    table = coo_array((value, places), shape=(len(rows), len(columns) + len(rows))).tocsr()
    first, second = min_weight_full_bipartite_matching(table, maximize=True)
    partner = np.full(len(rows), -1, np.int64)
    partner[first] = second
    out[some] = partner[a.ravel()] == b.ravel()
    return out


def _uncovered(line: Array, kept: Array) -> Array:
    """Which rows (or columns) have no kept block."""
    return np.asarray(np.bincount(line, kept, int(line.max(initial=-1)) + 1) == 0)


def _least(line: Array, weight: Array, wanted: Array) -> Array:
    """The least weight of a block of each row (or column) that wants one; 0 of the others."""
    out = np.full(len(wanted), np.iinfo(np.int64).max)
    np.minimum.at(out, line, weight)
    return np.where(wanted, out, 0)
