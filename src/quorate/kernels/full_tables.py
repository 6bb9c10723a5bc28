"""Contingency tables of few clusters with all their cells, empty ones too: many pairs are counted in one pass.

For partitions that leave no item out: the sizes of clusters are then those of a partition, whatever it is held against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.bit_tables import logs

Array = NDArray[Any]
CELLS = 1 << 10  # of a table, or twice the items
LABELS = 1 << 17  # of a chunk of pairs, as many as stay in the cache


@dataclass(frozen=True, eq=False)
class Sized:
    """Partitions ``labels[partition, item]`` and the sizes of their clusters, ``[partition, cluster]``."""

    labels: Array
    sizes: Array

    @classmethod
    def of(cls, labels: Array) -> Sized:
        """Of labels from 0, none of them missing."""
        wide = int(labels.max(initial=0)) + 1
        key = labels + (np.arange(len(labels)) * wide)[:, None]
        return cls(labels.astype(np.intp), np.bincount(key.ravel(), minlength=len(labels) * wide).reshape(-1, wide))


def fits(first: Array, second: Array) -> bool:
    """Whether nothing is left out and tables are small."""
    if min(first.min(initial=0), second.min(initial=0)) < 0:
        return False
    cells = (int(first.max(initial=0)) + 1) * (int(second.max(initial=0)) + 1)
    return cells <= max(CELLS, 2 * int(first.shape[1]))


def fields(first: Sized, second: Sized, left: Array, right: Array) -> dict[str, Array]:
    """The sums of ``first[left]`` with ``second[right]``, by their names in :mod:`~quorate.kernels.contingency`."""
    items = first.labels.shape[1]
    log = logs(items)
    out = {"items": np.full(len(left), items)}
    for name, lines, own, at in (("cluster", "clusters", first, left), ("class", "classes", second, right)):
        out[lines] = (own.sizes > 0).sum(axis=1)[at]
        out[f"{name}_logs"] = log[own.sizes].sum(axis=1)[at]
        out[f"{name}_squares"] = (own.sizes.astype(float) ** 2).sum(axis=1)[at]
    of_cells = {n: np.empty(len(left)) for n in ("cell_logs", "cell_squares", "cluster_best", "class_best")}
    height, width = first.sizes.shape[1], second.sizes.shape[1]
    step = max(1, min(LABELS // max(items, 1), len(left)))
    apart = step | 1  # pairs run along the last axis; odd, as powers of two share lines of the cache
    rows, columns = first.labels * (width * apart), second.labels * apart
    for a in range(0, len(left), step):
        some = slice(a, min(a + step, len(left)))
        key = rows[left[some]]
        key += columns[right[some]]
        key += np.arange(len(key))[:, None]
        every = np.bincount(key.ravel(), minlength=height * width * apart)
        table = every.reshape(height, width, apart)[:, :, : len(key)]
        of_cells["cell_logs"][some] = log.take(table).sum(axis=(0, 1))
        of_cells["cell_squares"][some] = (table * table).sum(axis=(0, 1))
        of_cells["cluster_best"][some] = table.max(axis=1).sum(axis=0)
        of_cells["class_best"][some] = table.max(axis=0).sum(axis=0)
    return out | of_cells
