"""Which parts of two judges' clusters are best kept whole when one judge's clusters are turned into the other's.

The items that lie in one cluster of the first judge and one of the second are a *block*. Blocks that are kept whole are
cut out of their cluster (splits) and put together (merges); the items of the others are moved one by one. With k blocks
kept, of which every cluster has at least one, that takes k - r splits and k - c merges of r and c clusters, and a move
for every other item.

So a block of three items or more is always kept: it costs a split and a merge at most. A block of two costs no more
kept than moved, one of a single item a change more, unless a cluster would be left with no block at all: these are
kept as few as can be, which is an edge cover of least weight and solved exactly, whatever the size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LARGE = 3  # items of a block that is cheaper kept than moved


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
