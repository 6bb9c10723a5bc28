"""Contingency tables of two partitions, and the sums of them that every measure is made of.

A partition of items is a row of labels from 0; -1 takes the item out. Many pairs of partitions go through at once:
``first[pair, item]`` and ``second[pair, item]`` give sparse tables, one entry per cell that is not empty. The first
partition is the table's rows (clusters), the second its columns (classes).

Sums of ``x log x`` are exact, as they are looked up on a grid: equal tables then give equal sums to the last bit, and
two partitions that are the same give a distance of 0 and not of 1e-17. Of very many items they are taken over how often
each size occurs, in order of size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import bit_tables, full_tables
from quorate.kernels.bit_tables import Bits
from quorate.kernels.full_tables import Sized
from quorate.kernels.information import expected_information

Array = NDArray[Any]
CELLS = 1 << 19  # labels of a chunk of pairs
FEWEST = 64  # pairs for which bit sets are worth making
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
        return Sums(lambda name: self.field(name) if name != "expected" or expected else None)

    def field(self, name: str) -> Array:
        """One of the sums, by name."""
        if name == "items":
            return self.items
        if name == "expected":
            return expected_information(self.rows, self.columns, self.items)
        if name in ("cell_logs", "cell_squares"):
            pairs = len(self.items)
            if name == "cell_logs":
                return _log_sums(self.pair, self.count, pairs, self.most)
            return np.bincount(self.pair, self._square, pairs)
        rows = name.startswith("cluster")
        return self._of_lines(
            name.rpartition("_")[2], self.rows if rows else self.columns, self.row if rows else self.column
        )

    def _of_lines(self, what: str, sizes: Array, line: Array) -> Array:
        """What the rows (or columns) of a table add up to."""
        if what in ("clusters", "classes"):
            return np.asarray((sizes > 0).sum(axis=1))
        if what == "logs":
            return _margin_logs(sizes, self.most)
        if what == "squares":
            return np.asarray((sizes.astype(float) ** 2).sum(axis=1))
        if what == "best":
            return _largest(self.pair * sizes.shape[1] + line, self.count, sizes.shape)
        own = sizes[self.pair, line].astype(float)
        return np.bincount(self.pair, self._square / (own if what == "shares" else own**2), len(self.items))

    @cached_property
    def _square(self) -> Array:
        return self.count.astype(float) ** 2  # exact below 2^53, that is up to 94 million items


class Sums:
    """Of each table: n are its cells, a the sizes of clusters (rows), b the sizes of classes (columns).

    A sum is made when it is first asked for: most measures need few of them.
    """

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
    expected: Array | None  # mutual information expected of shuffled partitions, in nats; None where not wanted

    def __init__(self, make: Callable[[str], Array | None]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name not in FIELDS:
            raise AttributeError(name)
        found = self._make(name)
        setattr(self, name, found)
        return found

    @cached_property
    def entropies(self) -> tuple[Array, Array, Array, Array]:
        """H(L), H(C), H(L|C) and H(C|L) in nats, of clusters L and classes C."""
        n = np.maximum(self.items, 1).astype(float)
        same = len(n) > 0 and bool((n == n[0]).all())
        all_logs = n[0] * np.log(n[:1]) if same else n * np.log(n)  # tables of one task hold as many items
        of_clusters = np.where(self.clusters > 1, (all_logs - self.cluster_logs) / n, 0.0)
        of_classes = np.where(self.classes > 1, (all_logs - self.class_logs) / n, 0.0)
        clusters_left = np.maximum((self.class_logs - self.cell_logs) / n, 0.0)
        classes_left = np.maximum((self.cluster_logs - self.cell_logs) / n, 0.0)
        return of_clusters, of_classes, clusters_left, classes_left

    def turned(self) -> Sums:
        """The same tables with clusters and classes exchanged."""
        other = Sums(lambda name: getattr(self, _OTHER.get(name, name)))
        if "entropies" in self.__dict__:
            of_clusters, of_classes, clusters_left, classes_left = self.entropies
            other.__dict__["entropies"] = of_classes, of_clusters, classes_left, clusters_left
        return other

    @classmethod
    def joined(cls, parts: list[Sums]) -> Sums:
        """Several lots of tables as one, all sums made."""
        made = {f: [getattr(p, f) for p in parts] for f in FIELDS}
        known = {f: None if of[0] is None else np.concatenate(of) for f, of in made.items()}
        return cls(known.__getitem__)


FIELDS = tuple(Sums.__annotations__)
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
    dense = size <= max(2 * most, 1 << 10) or (pairs == 1 and size <= 4 * most)
    # Short numbers are sorted faster; a table is filled by long ones.
    key = np.multiply(first, width, dtype=np.int32 if size < 2**31 and not (dense and pairs == 1) else np.int64)
    key += second
    gaps = bool(min(first.min(initial=0), second.min(initial=0)) < 0)
    if gaps:
        key[(first < 0) | (second < 0)] = size
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
    short = _short_way(first, second, len(left))
    for a in range(0, len(left), step):
        part = slice(a, min(a + step, len(left)))
        yield part, _some_sums(first, second, left[part], right[part], short, expected)


Quick = Callable[[Array, Array], dict[str, Array]]  # some of the sums of partitions left and right, by name


def _short_way(first: Array, second: Array, pairs: int) -> Quick | None:
    """Small partitions as bit sets, partitions of few clusters as full tables, unless that would take longer."""
    if pairs < FEWEST or len(first) + len(second) > 4 * pairs:
        return None
    if first.shape[1] <= bit_tables.ITEMS:
        own = Bits.of(first)
        gold = own if second is first else Bits.of(second)
        small = bit_tables.cells(own, gold) <= max(4 * first.shape[1], 50)
        return partial(bit_tables.fields, own, gold) if small else None
    if first.shape[1] > LOOKUP or not full_tables.fits(first, second):
        return None
    sized = Sized.of(first)
    return partial(full_tables.fields, sized, sized if second is first else Sized.of(second))


def _some_sums(first: Array, second: Array, left: Array, right: Array, short: Quick | None, expected: bool) -> Sums:
    def full() -> Tables:
        return tables(first[left], second[right])

    if short is None:
        return full().sums(expected=expected)
    quick = short(left, right)
    made: list[Tables] = []  # for the sums that are not given so

    def make(name: str) -> Array | None:
        if name in quick:
            return quick[name]
        if name == "expected" and not expected:
            return None
        made[:] = made or [full()]
        return made[0].field(name)

    return Sums(make)


def all_sums(first: Array, second: Array, left: Array, right: Array, *, expected: bool = False) -> Sums:
    """The sums for partitions ``first[left]`` with ``second[right]``, all at once."""
    return Sums.joined([s for _, s in pair_sums(first, second, left, right, expected=expected)])


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
    """Sum of x log x over a table's counts."""
    if most > LOOKUP:
        ends = np.searchsorted(pair, np.arange(pairs + 1))
        return np.array([_log_sum(count[a:b]) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)])
    return np.bincount(pair, bit_tables.logs(most)[count], pairs)


def _log_sum(count: Array) -> float:
    """The same of one table, by how often each count occurs."""
    times = np.bincount(count)
    size = np.flatnonzero(times[1:]) + 1
    return float((times[size] * (size * np.log(size))).sum())
