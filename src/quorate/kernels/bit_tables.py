"""Contingency tables of small partitions (up to 64 items) by bit sets: a cell is the population count of an AND.

Clusters are rows of bits, partitions run along the last axis, so that a loop over the few cells of a table works on
many tables at once. Clusters of one item need no bits: what they hold are cells of one item, which add nothing to
sums of ``x log x`` and one each to sums of squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ITEMS = 64
FEW = 10  # clusters that are kept as they are, singletons among them too


@lru_cache(maxsize=128)
def logs(most: int) -> Array:
    """x log x of 0 to ``most``, on a grid so fine as sums of it are exact: in any order the same to the last bit."""
    size = np.arange(most + 1, dtype=float)
    size[1:] *= np.log(size[1:])
    grid = 2.0 ** (52 - int(np.ceil(np.log2(max(size[-1], 1.0)))) - 1)
    return np.asarray(np.round(size * grid) / grid)


@dataclass(frozen=True, eq=False)
class Bits:
    """Partitions as bit sets, ``member[cluster, partition]``, with what every measure asks of each alone."""

    member: Array  # clusters of two items or more, and perhaps some of one
    used: Array  # [partition] which items are in it
    clusters: Array  # [partition] how many
    logs: Array  # [partition] sum of x log x of the sizes
    squares: Array  # [partition]
    most: int  # items a partition can hold

    @classmethod
    def of(cls, labels: Array) -> Bits:
        """From ``labels[partition, item]``, numbers from 0; what is below is out."""
        most = labels.shape[1]
        width = int(labels.max(initial=-1)) + 1
        clusters = None
        if width > FEW:
            labels, clusters = _larger(labels, width)
            width = int(labels.max(initial=-1)) + 1
        inside = labels >= 0 if clusters is None else None
        member = np.stack([_packed(labels == k) for k in range(width)]) if width else _packed(labels == 0)[None]
        used = _packed(labels != -1) if inside is None else _packed(inside)
        size = np.bitwise_count(member)
        if clusters is None:
            clusters = (size > 0).sum(axis=0)
        alone = np.bitwise_count(used).astype(np.int64) - size.sum(axis=0, dtype=np.int64)
        square = size.astype(np.int64)
        return cls(member, used, clusters, logs(most).take(size).sum(axis=0), (square**2).sum(axis=0) + alone, most)


def _larger(labels: Array, width: int) -> tuple[Array, Array]:
    """Clusters of two items or more renumbered, items alone as -2, what is out as -1; and how many clusters."""
    rows = len(labels)
    inside = labels >= 0
    key = np.arange(rows)[:, None] * (width + 1) + np.where(inside, labels, width)
    size = np.bincount(key.ravel(), minlength=rows * (width + 1)).reshape(rows, width + 1)
    size[:, width] = 0
    name = np.where(size > 1, np.cumsum(size > 1, axis=1) - 1, -2)
    name[:, width] = -1
    return name.ravel()[key], (size > 0).sum(axis=1)


def _packed(held: Array) -> Array:
    """Bits of ``held[partition, item]`` as one number each."""
    rows, items = held.shape
    kind = next(k for k in (np.uint8, np.uint16, np.uint32, np.uint64) if items <= 8 * np.dtype(k).itemsize)
    wide = np.zeros((rows, 8 * np.dtype(kind).itemsize), bool)
    wide[:, :items] = held
    return np.packbits(wide.ravel(), bitorder="little").view(np.dtype(kind).newbyteorder("<")).astype(kind, copy=False)


def cells(first: Bits, second: Bits) -> int:
    """Cells of a table of the two."""
    return len(first.member) * len(second.member)


def fields(first: Bits, second: Bits, left: Array, right: Array) -> dict[str, Array]:
    """The sums of tables of ``first[left]`` with ``second[right]``, by name."""
    own, gold = first.member.take(left, axis=1), second.member.take(right, axis=1)
    shared = first.used[left] & second.used[right]
    items = np.bitwise_count(shared).astype(np.int64)
    whole = bool((shared == first.used[left]).all() and (shared == second.used[right]).all())
    lookup = logs(first.most)
    cell_logs = np.zeros(len(left))
    squares = np.zeros(len(left), np.uint16)  # 64 x 64 at most
    held = np.zeros(len(left), np.uint8)
    for cluster in own:
        for group in gold:
            count = np.bitwise_count(cluster & group)
            cell_logs += lookup.take(count)
            held += count
            square = count.astype(np.uint16)
            square *= square
            squares += square
    out: dict[str, Array] = {"items": items, "cell_logs": cell_logs}
    out["cell_squares"] = squares.astype(float) + (items - held)
    for name, plural, part, at in (("cluster", "clusters", first, left), ("class", "classes", second, right)):
        if whole:
            found = part.clusters[at], part.logs[at], part.squares[at].astype(float)
        else:
            found = _margin(own if name == "cluster" else gold, part.used[at], shared, lookup, items)
        out[plural], out[f"{name}_logs"], out[f"{name}_squares"] = found
    return out


def _margin(member: Array, used: Array, shared: Array, lookup: Array, items: Array) -> tuple[Array, Array, Array]:
    """Number, logs and squares of the clusters within the items that both partitions have."""
    size = np.bitwise_count(member & shared)
    alone = items - size.sum(axis=0, dtype=np.int64)  # each a cluster that has no bits
    square = size.astype(np.int64)
    return (size > 0).sum(axis=0) + alone, lookup.take(size).sum(axis=0), (square**2).sum(axis=0).astype(float) + alone
