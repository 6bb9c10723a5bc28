"""Contingency tables of small partitions (up to 64 items) by bit sets: a cell is the population count of an AND.

Clusters are rows of bits, partitions run along the last axis, so that a loop over the few cells of a table works on
many tables at once. Clusters of one item need no bits: what they hold are cells of one item, which add nothing to
sums of ``x log x`` and one each to sums of squares.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ITEMS = 64
FEW = 10  # clusters that are kept as they are, singletons among them too
SQUARES = 13  # bits that a sum of squares takes, 64 x 64 at most; the others are the sum of x log x


@lru_cache(maxsize=128)
def logs(most: int) -> Array:
    """x log x of 0 to ``most``, on a grid so fine as sums of it are exact: in any order the same to the last bit."""
    size = np.arange(most + 1, dtype=float)
    size[1:] *= np.log(size[1:])
    grid = _grid(size[-1])
    return np.asarray(np.round(size * grid) / grid)


def _grid(largest: float) -> float:
    return float(2.0 ** (52 - int(np.ceil(np.log2(max(largest, 1.0)))) - 1))


@lru_cache(maxsize=64)
def _of_two(most: int) -> tuple[Array, float]:
    """What two cells add to both sums, ``[one * (most + 1) + other]``: x log x as whole numbers on its grid, above the
    bits of squares, so that one look-up and one sum serve both; and the grid."""
    log = logs(most)
    grid = _grid(log[-1])
    each = (log * grid).astype(np.uint64) << np.uint64(SQUARES) | np.arange(most + 1, dtype=np.uint64) ** 2
    return (each[:, None] + each).ravel(), grid


@dataclass(frozen=True, eq=False)
class Bits:
    """Partitions as bit sets, ``member[cluster, partition]``, with what every measure asks of each alone."""

    member: Array  # clusters of two items or more, and perhaps some of one
    used: Array  # [partition] which items are in it
    clusters: Array  # [partition] how many
    logs: Array  # [partition] sum of x log x of the sizes
    squares: Array  # [partition]
    most: int  # items a partition can hold
    whole: bool  # whether all clusters have bits
    complete: bool  # whether all partitions hold every item

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
        return cls(
            member,
            used,
            clusters,
            logs(most).take(size).sum(axis=0),
            (square**2).sum(axis=0) + alone,
            most,
            inside is not None,
            bool((np.bitwise_count(used) == most).all()),
        )


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
    if whole := first.complete and second.complete:
        items = np.full(len(left), first.most)
    else:
        used, asked = first.used[left], second.used[right]
        shared = used & asked
        items = np.asarray(np.bitwise_count(shared), np.int64)
        whole = bool((shared == used).all() and (shared == asked).all())
    both, grid = _of_two(first.most)
    total = _cells(own, gold, both, first.most + 1)
    squares = (total & np.uint64((1 << SQUARES) - 1)).astype(float)
    if not (first.whole and second.whole):
        squares += items - _held(own, gold)
    out: dict[str, Array] = {"items": items, "cell_squares": squares}
    out["cell_logs"] = (total >> np.uint64(SQUARES)).astype(float) / grid
    for name, plural, part, at in (("cluster", "clusters", first, left), ("class", "classes", second, right)):
        if whole:
            found = part.clusters.take(at), part.logs.take(at), part.squares.take(at).astype(float)
        else:
            found = _margin(own if name == "cluster" else gold, part.used[at], shared, logs(first.most), items)
        out[plural], out[f"{name}_logs"], out[f"{name}_squares"] = found
    return out


def _cells(own: Array, gold: Array, both: Array, sizes: int) -> Array:
    """The sums over all cells of each table, two by two, as :func:`_of_two` has them."""
    total = np.zeros(own.shape[1], np.uint64)
    cells = [(cluster, group) for cluster in own for group in gold]
    for one, other in itertools.zip_longest(cells[::2], cells[1::2]):
        place = np.bitwise_count(np.bitwise_and(*one)).astype(np.uint16)
        if other is not None:
            place *= np.uint16(sizes)
            place += np.bitwise_count(np.bitwise_and(*other))
        total += both.take(place, mode="clip")
    return total


def _held(own: Array, gold: Array) -> Array:
    """How many items are in clusters that have bits in both partitions."""
    inside = np.bitwise_or.reduce(own, axis=0) & np.bitwise_or.reduce(gold, axis=0)
    return np.asarray(np.bitwise_count(inside), np.int64)


def _margin(member: Array, used: Array, shared: Array, lookup: Array, items: Array) -> tuple[Array, Array, Array]:
    """Number, logs and squares of the clusters within the items that both partitions have."""
    size = np.bitwise_count(member & shared)
    alone = items - size.sum(axis=0, dtype=np.int64)  # each a cluster that has no bits
    square = size.astype(np.int64)
    return (size > 0).sum(axis=0) + alone, lookup.take(size).sum(axis=0), (square**2).sum(axis=0).astype(float) + alone
