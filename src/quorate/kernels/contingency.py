"""Contingency tables of two partitions, and the sums of them that every measure is made of.

A partition of items is a row of labels from 0; -1 takes the item out. Many pairs of partitions go through at once:
``first[pair, item]`` and ``second[pair, item]`` give sparse tables, one entry per cell that is not empty. The first
partition is the table's rows (clusters), the second its columns (classes).

Sums of ``x log x`` are taken over how often each size occurs, in order of size: equal tables then give equal sums to
the last bit, and two partitions that are the same give a distance of 0 and not of 1e-17.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.information import expected_information

Array = NDArray[Any]
CELLS = 1 << 21  # labels of a chunk of pairs
LOOKUP = 1 << 16  # items up to which x log x is looked up


@dataclass(frozen=True, eq=False)
class Tables:
    """Contingency tables, sparse, sorted by pair, row and column."""

    pair: Array  # [cell] which table
    row: Array  # [cell]
    column: Array  # [cell]
    count: Array  # [cell] items, at least 1
    rows: Array  # [pair, row] items in the cluster; 0 where there is none of that number
    columns: Array  # [pair, column]
    items: Array  # [pair]
    most: int  # items a table can hold

    def sums(self, *, expected: bool = False) -> Sums:
        """What the measures need; ``expected`` also the mutual information of shuffled partitions, which takes time."""
        pairs, count = len(self.items), self.count
        square = count.astype(float) ** 2  # exact below 2^53, that is up to 94 million items
        own = self.rows[self.pair, self.row].astype(float)
        gold = self.columns[self.pair, self.column].astype(float)
        return Sums(
            items=self.items,
            clusters=(self.rows > 0).sum(axis=1),
            classes=(self.columns > 0).sum(axis=1),
            cell_logs=_log_sums(self.pair, count, pairs, self.most),
            cluster_logs=_margin_logs(self.rows, self.most),
            class_logs=_margin_logs(self.columns, self.most),
            cell_squares=np.bincount(self.pair, square, pairs),
            cluster_squares=(self.rows.astype(float) ** 2).sum(axis=1),
            class_squares=(self.columns.astype(float) ** 2).sum(axis=1),
            cluster_best=_largest(self.pair * self.rows.shape[1] + self.row, count, self.rows.shape),
            class_best=_largest(self.pair * self.columns.shape[1] + self.column, count, self.columns.shape),
            cluster_shares=np.bincount(self.pair, square / own, pairs),
            class_shares=np.bincount(self.pair, square / gold, pairs),
            cluster_means=np.bincount(self.pair, square / own**2, pairs),
            class_means=np.bincount(self.pair, square / gold**2, pairs),
            expected=expected_information(self.rows, self.columns, self.items) if expected else None,
        )


@dataclass(frozen=True, eq=False)
class Sums:
    """Of each table: n are its cells, a the sizes of clusters (rows), b the sizes of classes (columns)."""

    items: Array
    clusters: Array  # how many
    classes: Array
    cell_logs: Array  # sum of n log n
    cluster_logs: Array  # sum of a log a
    class_logs: Array
    cell_squares: Array  # sum of n^2, exact
    cluster_squares: Array
    class_squares: Array
    cluster_best: Array  # sum over clusters of their largest cell
    class_best: Array
    cluster_shares: Array  # sum of n^2 / a
    class_shares: Array
    cluster_means: Array  # sum of (n / a)^2
    class_means: Array
    expected: Array | None = None  # mutual information expected of shuffled partitions, in nats

    def turned(self) -> Sums:
        """The same tables with clusters and classes exchanged."""
        swapped = {name: getattr(self, other) for name, other in _OTHER.items()}
        return replace(self, **swapped)

    def at(self, index: Any) -> Sums:
        """Some of the tables."""
        return replace(self, **{f: v[index] for f, v in vars(self).items() if v is not None})

    @classmethod
    def joined(cls, parts: list[Sums]) -> Sums:
        """Several lots of tables as one."""
        names = [f for f in cls.__dataclass_fields__ if getattr(parts[0], f) is not None]
        return cls(**{f: np.concatenate([getattr(p, f) for p in parts]) for f in names})


_SIDES = ("logs", "squares", "best", "shares", "means")
_OTHER = {f"cluster_{s}": f"class_{s}" for s in _SIDES} | {f"class_{s}": f"cluster_{s}" for s in _SIDES}
_OTHER |= {"clusters": "classes", "classes": "clusters"}


def tables(first: Array, second: Array) -> Tables:
    """The contingency tables of ``first[pair, item]`` with ``second[pair, item]``; labels from 0, -1 is out.

    Labels should be dense: memory grows with the largest one.

    >>> t = tables(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 0, 1]]))
    >>> list(zip(t.row.tolist(), t.column.tolist(), t.count.tolist()))
    [(0, 0, 2), (1, 0, 1), (1, 1, 1)]
    """
    pairs, most = first.shape
    height, width = int(first.max(initial=0)) + 1, int(second.max(initial=0)) + 1
    size = height * width
    out = (first < 0) | (second < 0)
    key = np.multiply(first, width, dtype=np.int32 if size < 2**31 else np.int64)
    key += second
    gaps = bool(out.any())
    if gaps:
        key[out] = size
    dense = size <= max(2 * most, 1 << 10) or (pairs == 1 and size <= 4 * most)
    pair, cell, count = (_dense if dense else _sorted)(key, size + gaps)
    if gaps:
        inside = cell < size
        pair, cell, count = pair[inside], cell[inside], count[inside]
    row = cell // width
    column = cell - row * width
    rows = np.bincount(pair * height + row, count, pairs * height).astype(np.int64).reshape(pairs, height)
    columns = np.bincount(pair * width + column, count, pairs * width).astype(np.int64).reshape(pairs, width)
    return Tables(pair, row, column, count, rows, columns, rows.sum(axis=1), most)


def pair_sums(
    first: Array, second: Array, left: Array, right: Array, *, expected: bool = False
) -> Iterator[tuple[slice, Sums]]:
    """The sums for partitions ``first[left]`` with ``second[right]``, some pairs at a time and which ones."""
    step = max(1, CELLS // max(first.shape[1], 1))
    for a in range(0, len(left), step):
        part = slice(a, min(a + step, len(left)))
        yield part, tables(first[left[part]], second[right[part]]).sums(expected=expected)


def all_sums(first: Array, second: Array, left: Array, right: Array, *, expected: bool = False) -> Sums:
    """The sums for partitions ``first[left]`` with ``second[right]``, all at once."""
    return Sums.joined([s for _, s in pair_sums(first, second, left, right, expected=expected)])


def dense_labels(labels: Array) -> Array:
    """Each row's labels as 0, 1, 2, ... in order of label; what is negative becomes -1.

    >>> dense_labels(np.array([[7, 3, 7, -1], [0, 0, 5, 5]])).tolist()
    [[1, 0, 1, -1], [0, 0, 1, 1]]
    """
    row, item = np.nonzero(labels >= 0)
    out = np.full(labels.shape, -1, np.int32)
    if len(row):
        width = int(labels.max()) + 1
        known, code = np.unique(row * width + labels[row, item], return_inverse=True)
        before = np.searchsorted(known, np.arange(len(labels)) * width)  # labels of the rows above
        out[row, item] = code.ravel() - before[row]
    return out


def _dense(key: Array, size: int) -> tuple[Array, Array, Array]:
    """Cells by counting into a full table: for few clusters."""
    pairs = len(key)
    flat = key if pairs == 1 else key + (np.arange(pairs, dtype=np.int64) * size)[:, None]
    counts = np.bincount(flat.ravel(), minlength=pairs * size)
    at = np.flatnonzero(counts)
    pair = at // size
    return pair, at - pair * size, counts[at]


def _sorted(key: Array, size: int) -> tuple[Array, Array, Array]:
    """Cells by sorting: for many clusters."""
    pairs, items = key.shape
    key.sort(axis=1)
    start = np.ones((pairs, items), bool)
    np.not_equal(key[:, 1:], key[:, :-1], out=start[:, 1:])
    at = np.flatnonzero(start)
    return at // max(items, 1), key.ravel()[at].astype(np.int64), np.diff(at, append=pairs * items)


def _largest(line: Array, count: Array, shape: tuple[int, ...]) -> Array:
    """The sum of the largest cells of each line (row or column), per table."""
    best = np.zeros(shape[0] * shape[1], np.int64)
    np.maximum.at(best, line, count)
    return np.asarray(best.reshape(shape).sum(axis=1))


def _margin_logs(sizes: Array, most: int) -> Array:
    pairs, lines = sizes.shape
    return _log_sums(np.repeat(np.arange(pairs), lines), sizes.ravel(), pairs, most)


def _log_sums(pair: Array, count: Array, pairs: int, most: int) -> Array:
    """Sum of x log x over a table's counts, by how often each count occurs."""
    if most > LOOKUP:
        ends = np.searchsorted(pair, np.arange(pairs + 1))
        return np.array([_log_sum(count[a:b]) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)])
    times = np.bincount(pair * (most + 1) + count, minlength=pairs * (most + 1)).reshape(pairs, most + 1)
    return np.asarray((times * _lookup(most)).sum(axis=1))


def _log_sum(count: Array) -> float:
    times = np.bincount(count)
    size = np.flatnonzero(times[1:]) + 1
    return float((times[size] * (size * np.log(size))).sum())


@lru_cache(maxsize=8)
def _lookup(most: int) -> Array:
    size = np.arange(most + 1, dtype=float)
    size[1:] *= np.log(size[1:])
    return size
