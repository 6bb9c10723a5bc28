"""What most judges put together: the q-support of Xue and others, on groups instead of orders.

A pair of items is supported when at least q judges put both into one group; an item when at least q judges used it. A
judge's score is the share of the judge's own pairs (kappa_2) or used items (kappa_1) that are supported; the panel's is
the mean over judges. Pairs of judges cannot tell whether it is always the same items that they share; this can.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.partitions import LEFT_OUT, names, partitions, treated
from quorate.panels import Groupings
from quorate.table import checked, method, quorum

Array = NDArray[Any]
ITEMS = 3000  # of a task with more items, as many are drawn at random


@dataclass(frozen=True, eq=False)
class Members:
    """Which items each judge's groups hold; a judge drawn several times has as large a count."""

    member: Array  # [group, item] 0 or 1
    owner: Array  # [group] judge
    judges: int

    @classmethod
    def of(cls, labels: Array) -> Members:
        """From ``labels[judge, item]``, -1 is left out."""
        judge, item = np.nonzero(labels >= 0)
        width = int(labels.max(initial=0)) + 1
        groups, row = np.unique(judge * width + labels[judge, item], return_inverse=True)
        member = np.zeros((len(groups), labels.shape[1]), np.float32)
        member[row.ravel(), item] = 1.0
        return cls(member, groups // width, len(labels))

    def scores(self, counts: Array, q: float | int) -> tuple[Array, Array, Array]:
        """Each judge's kappa_1, kappa_2, and share of the supported pairs that the judge has; NaN of nothing."""
        need = quorum_of(q, int(counts.sum()))
        together = self.member.T @ (self.member * counts[self.owner, None].astype(np.float32))
        used = np.diagonal(together) >= need - 0.5
        supported = (together >= need - 0.5).astype(np.float32)
        np.fill_diagonal(supported, 0)
        shared = np.bincount(self.owner, ((self.member @ supported) * self.member).sum(axis=1), self.judges) / 2
        size = self.member.sum(axis=1, dtype=float)
        pairs = np.bincount(self.owner, size * (size - 1) / 2, self.judges)
        items = np.bincount(self.owner, size, self.judges)
        kept = np.bincount(self.owner, self.member @ used.astype(np.float32), self.judges)
        known = float(supported.sum(dtype=float)) / 2
        return _share(kept, items), _share(shared, pairs), _share(shared, np.full(self.judges, known))


def _share(x: Array, y: Array) -> Array:
    return np.asarray(np.divide(x, y, out=np.full(len(x), np.nan), where=y > 0))


def quorum_of(q: float | int, judges: int) -> int:
    """How many judges make the quorum: a count as it is, a share rounded up."""
    return q if isinstance(q, int) else max(math.ceil(q * judges - 1e-9), 1)


def mean(values: Array, counts: Array) -> float:
    """The mean over judges, each as often as drawn; undefined values are left aside."""
    there = ~np.isnan(values) & (counts > 0)
    return float(values[there] @ counts[there] / counts[there].sum()) if there.any() else math.nan


@method(
    "groupings",
    "agreement",
    "together",
    range=(0, 1),
    higher="more agreement",
    chance="shuffled groupings",
    default=True,
    reference="after Xue, Lin, Wang, McClean: q-support, carried over to groups",
    parameters={
        "q": quorum("judges who must put a pair together: a count (3) or a share of the judges (0.5)"),
        "left_out": LEFT_OUT,
    },
    symmetric=True,
    relabelling=True,
)
def measure(labels: Array, q: float | int = 0.5, left_out: str = "singletons") -> dict[str, Any]:
    """Share of the item pairs a judge puts together that at least q judges put together, averaged over judges."""
    members = prepared(labels, left_out)
    counts = np.ones(len(labels), np.int64)
    k1, k2, covered = members.scores(counts, q)
    individual = {"kappa1": k1, "kappa2": k2, "covered": covered}
    return {**individual, "value": mean(k2, counts), "items": mean(k1, counts), "q": quorum_of(q, len(labels))}


def prepared(labels: Array, left_out: str) -> Members:
    """The groups of judges whose left-out items are treated so; with ``common`` only items that all judges used."""
    if labels.shape[1] > ITEMS:
        labels = labels[:, np.sort(np.random.default_rng(0).permutation(labels.shape[1])[:ITEMS])]
    if left_out == "common":
        labels = labels[:, (labels >= 0).all(axis=0)]
    return Members.of(treated(labels, left_out))


@dataclass(frozen=True, slots=True)
class Together:
    """How much of what judges put together at least q of them put together."""

    kappa1: float  # of used items
    kappa2: float  # of pairs
    q: int
    individual: dict[Hashable, tuple[float, float]]  # judge -> kappa_1, kappa_2
    pairs: dict[tuple[Hashable, Hashable], int]  # supported pairs, with how many judges put them together


def together(
    groupings: Groupings | Mapping[Any, Mapping[Any, Any]], q: float | int = 0.5, left_out: str = "singletons"
) -> Together:
    """How much of what each judge puts together at least q judges put together, on one task.

    1 when all groupings are the same; a judge who put no two items together has no value. A judge's own vote counts.

    >>> ann, bob, cat = {"x": 1, "y": 1, "z": 2}, {"x": 1, "y": 1, "z": 1}, {"x": 1, "y": 2, "z": 2}
    >>> t = together({"ann": ann, "bob": bob, "cat": cat})
    >>> round(t.kappa2, 4), t.pairs
    (0.8889, {('x', 'y'): 2, ('y', 'z'): 2})
    """
    how = checked("together", "groupings", "agreement", q=q, left_out=left_out)
    panel = groupings if isinstance(groupings, Groupings) else Groupings.from_groups(groupings)
    if len(panel.tasks) != 1:
        raise InputError(f"one task is needed, the panel has {len(panel.tasks)}.", "panel.select(tasks=[...])")
    task = partitions(panel)[0]
    found = measure(task.labels, **how)
    each = zip(found["kappa1"].tolist(), found["kappa2"].tolist(), strict=True)
    return Together(
        found["items"],
        found["value"],
        found["q"],
        dict(zip(names(panel.judges, task.judges), each, strict=True)),
        _supported(treated(task.labels, left_out), found["q"], names(panel.items, task.items)),
    )


def _supported(labels: Array, need: int, items: list[Hashable]) -> dict[tuple[Hashable, Hashable], int]:
    member = Members.of(labels).member
    count = np.triu(np.rint(member.T @ member).astype(np.int64), 1)
    rows, columns = np.nonzero(count >= need)
    return {(items[i], items[j]): int(count[i, j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}
