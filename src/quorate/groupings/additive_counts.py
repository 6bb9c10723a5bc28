"""What the groupings of groups of judges add up to: whole numbers, in sections, of which a method names those it needs.

============  ===========  ============================================================================================
section       numbers      what
============  ===========  ============================================================================================
``judges``    1            judges
``together``  n x n        judges who put two items together; who used the item, on the diagonal
``both``      n x n        judges who used both
``shown``     n x n        judges who were shown both
``made``      n + 1        judges who made so many groups
``shares``    n x n + n    judges who put two items together, and who used the item, each by one over the judge's pairs
              + 2          and items; judges who have any pairs, and any items
============  ===========  ============================================================================================

All are whole numbers (what is not is cut to 2^-36), so that judges may be added up in whatever blocks, and these in
whatever order, to the same sums. Labels are numbered from 0, -1 where an item was left out, -2 where it was not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import Association
from quorate.kernels.defined import quotient
from quorate.panel.partitions import treated
from quorate.panel.sections import UNIT, Sections, blocks, members

Array = NDArray[Any]


class Counts(Sections):
    """The sections of groupings."""

    sizes = {  # noqa: RUF012
        "judges": lambda n: 1,
        "together": lambda n: n * n,
        "both": lambda n: n * n,
        "shown": lambda n: n * n,
        "made": lambda n: n + 1,
        "shares": lambda n: n * n + n + 2,
    }
    always = ("judges", "together")
    cut = ("shares",)

    def spread(self, seen: Array, every: Array, between: Array) -> Array:
        """What all judges would add up to, by chance: as much of each as some of them do."""
        return np.asarray(seen * (every[0] / seen[0]))


def votes_of(numbers: Array, where: Counts) -> Association:
    """How many judges put two items together, used both and were shown both, ``[draw, item, item]``."""
    judges = np.rint(numbers[:, 0]).astype(np.int64)
    every = np.broadcast_to(judges[:, None, None], (len(numbers), where.items, where.items))

    def table(name: str) -> Array:
        there = name in where.every
        return np.rint(where.square(numbers, name)).astype(np.int64) if there else every

    return Association(tuple(range(where.items)), judges, table("together"), table("both"), table("shown"))


def sums(
    labels: Array,
    group: Array,
    groups: int,
    names: Sequence[str] = (),
    out: Array | None = None,
    *,
    missing: str = "",
) -> Array:
    """What the judges of every group add up to, ``[group, number]``; added to ``out``, where others' are there.

    Of ``labels[judge, item]`` and ``group[judge]``; with ``missing=bucket`` left-out items are in one group.
    """
    where = Counts(labels.shape[1], tuple(names))
    out = where.none(groups, len(labels)) if out is None else out
    for g, own in members(group, groups):
        out[g, 0] += len(own)
        for part in blocks(len(own), labels.shape[1]):
            mine = labels[own[part]]
            with_ = treated(mine, "bucket") if missing == "bucket" else mine
            same = (with_[:, :, None] == with_[:, None, :]) & (with_ >= 0)[:, :, None]
            where.of(out, "together")[g] += same.sum(axis=0).ravel().astype(out.dtype)
            for name in where.names:
                where.of(out, name)[g] += ADDED[name](mine, same).astype(out.dtype, copy=False)
    return out


def _both(labels: Array, same: Array) -> Array:
    used = (labels >= 0).astype(np.float32)
    return np.asarray(np.rint(used.T @ used).ravel())


def _shown(labels: Array, same: Array) -> Array:
    there = (labels > -2).astype(np.float32)
    return np.asarray(np.rint(there.T @ there).ravel())


def _made(labels: Array, same: Array) -> Array:
    return np.bincount(labels.max(axis=1, initial=-1) + 1, minlength=labels.shape[1] + 1)


def _shares(labels: Array, same: Array) -> Array:
    used, items = labels >= 0, labels.shape[1]
    apart = same.reshape(len(labels), -1).copy()
    apart[:, :: items + 1] = False
    own, size = apart.sum(axis=1), used.sum(axis=1)
    by_pair, by_item = (np.rint(quotient(UNIT, of / times, otherwise=0.0)) for of, times in ((own, 2), (size, 1)))
    pairs, single = by_pair @ apart.astype(float), by_item @ used.astype(float)
    return np.concatenate([pairs, single, [np.count_nonzero(own), np.count_nonzero(size)]]).astype(np.int64)


ADDED = {"both": _both, "shown": _shown, "made": _made, "shares": _shares}
