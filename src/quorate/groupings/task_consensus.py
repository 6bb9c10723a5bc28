"""The consensus of tasks of one shape, with its proof: larger groups come first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import check
from quorate.groupings.consensus_partition import CELLS, Grouped, consensus, proven
from quorate.groupings.partition_program import Proofs
from quorate.table import Method

Array = NDArray[Any]


def solved(method: Method, labels: Array, counts: Array, proofs: Proofs | None = None) -> list[Grouped]:
    """The consensus of every task of ``labels[task, judge, item]``, with its proof; its larger groups come first."""
    tasks, _, items = labels.shape
    check(items)
    proofs, step = proofs or Proofs(), max(1, CELLS // max(items**2, 1))
    out = []
    for a in range(0, tasks, step):
        found = proven(method, labels[a : a + step], counts[a : a + step], proofs)
        sizes = by_size(np.stack([f.labels for f in found]))
        out += [Grouped(own, each.facts, each.about) for own, each in zip(sizes, found, strict=True)]
    return out


def gold(method: Method, labels: Array, counts: Array) -> Array:
    """The consensus of every task, ``[task, item]``, equal tasks solved once.

    Of draws of one task, which all hold the same labels, the best that is found from the consensus of them all.
    """
    if len(labels) > 1 and labels.strides[0] == 0:
        start = solved(method, labels[:1], np.ones((1, labels.shape[1]), np.int64))[0].labels
        return consensus(method, labels[:1].astype(np.int64), counts[:, None], start[None])[:, 0]
    place: dict[bytes, int] = {}
    of = np.array(
        [place.setdefault(a.tobytes() + b.tobytes(), len(place)) for a, b in zip(labels, counts, strict=True)]
    )
    first = np.unique(of, return_index=True)[1]
    found = np.stack([f.labels for f in solved(method, labels[first], counts[first])])
    return np.asarray(found[of])


def by_size(rows: Array) -> Array:
    """The groups of each task numbered anew: larger ones first, of equal ones the one with the first item.

    ``rows[task, item]`` are numbered from 0 in order of first member.
    """
    tasks, items = rows.shape
    key = np.where(rows < 0, items, rows) + np.arange(tasks)[:, None] * (items + 1)
    size = np.bincount(key.ravel(), minlength=tasks * (items + 1)).reshape(tasks, items + 1)
    size[:, items] = 0
    name = np.argsort(np.argsort(-size, axis=1, kind="stable"), axis=1)
    return np.where(rows < 0, -1, name.ravel()[key])


def renumbered(labels: Array, order: Array) -> Array:
    """The same groups, the one at ``order[k]`` now numbered k."""
    name = np.empty(len(order) + 1, np.int64)
    name[order] = np.arange(len(order))
    name[-1] = -1
    return name[labels]
