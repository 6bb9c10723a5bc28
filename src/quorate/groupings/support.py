"""What most judges put together: the q-support of Xue and others, on groups instead of orders.

A pair of items is supported when at least q judges put both into one group; an item when at least q judges used it. A
judge's score is the share of the judge's own pairs (kappa_2) or used items (kappa_1) that are supported; the panel's is
the mean over judges. Pairs of judges cannot tell whether it is always the same items that they share; this can.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.partitions import LEFT_OUT, Partitions, blocks, names, partitions, treated
from quorate.kernels.quorum_pairs import ITEMS as SMALL
from quorate.kernels.quorum_pairs import shared_pairs
from quorate.panel.kinds import Groupings
from quorate.table import checked, method, quorum

Array = NDArray[Any]
ITEMS = 1000  # beyond which a judge's pairs are sampled
SAMPLE, FEWEST = 5000, 200  # pairs of a judge: of few judges, of very many
CELLS = 5 * 10**6  # sampled pairs x judges, about


@dataclass(frozen=True, eq=False)
class Members:
    """Which items each judge's groups hold, and which items each judge used."""

    member: Array  # [group of two or more, item] 0 or 1
    owner: Array  # [group] judge
    used: Array  # [judge, item]

    @classmethod
    def of(cls, labels: Array, used: Array) -> Members:
        """From ``labels[judge, item]``, -1 is with nothing."""
        judge, item = np.nonzero(labels >= 0)
        width = int(labels.max(initial=0)) + 1
        groups, row, size = np.unique(judge * width + labels[judge, item], return_inverse=True, return_counts=True)
        member = np.zeros((len(groups), labels.shape[1]), np.float32)
        member[row.ravel(), item] = 1.0
        return cls(member[size > 1], groups[size > 1] // width, used)

    def scores(self, counts: Array, q: float | int) -> tuple[Array, Array, Array]:
        """Each judge's kappa_1, kappa_2, and share of the supported pairs that the judge has; NaN of nothing.

        ``counts`` says how often each judge was drawn.
        """
        need, judges = quorum_of(q, int(counts.sum())), len(self.used)
        together = self.member.T @ (self.member * _numbers(counts)[self.owner, None])
        supported = (together >= need - 0.5).astype(np.float32)
        np.fill_diagonal(supported, 0)
        shared = np.bincount(self.owner, ((self.member @ supported) * self.member).sum(axis=1), judges) / 2
        size = self.member.sum(axis=1, dtype=float)
        pairs = np.bincount(self.owner, size * (size - 1) / 2, judges)
        known = float(supported.sum(dtype=float)) / 2
        return _items(self.used, counts, need), _share(shared, pairs), _share(shared, np.full(judges, known))


def _items(used: Array, counts: Array, need: int) -> Array:
    """kappa_1: of the items a judge used, the share that enough judges used."""
    enough = counts @ used >= need
    return _share((used & enough).sum(axis=1), used.sum(axis=1))


@dataclass(frozen=True, eq=False)
class Sampled:
    """The same from some pairs of each judge, for tasks with so many items that all pairs would not fit."""

    same: Array  # [pair, judge] whether the judge puts the pair together
    owner: Array  # [pair] the judge it was drawn from
    used: Array  # [judge, item]

    @classmethod
    def of(cls, labels: Array, used: Array, rng: np.random.Generator) -> Sampled:
        """From ``labels[judge, item]``, -1 is with nothing."""
        drawn = [_own_pairs(row, sample(len(labels)), rng) for row in labels]
        a, b = (np.concatenate(x) for x in zip(*drawn, strict=True))
        by_item = np.ascontiguousarray(labels.T)
        first = by_item[a]
        same = (first == by_item[b]) & (first >= 0)
        owner = np.repeat(np.arange(len(labels)), [len(x) for x, _ in drawn])
        return cls(same.astype(np.float32), owner, used)

    def scores(self, counts: Array, q: float | int) -> tuple[Array, Array, Array]:
        """Each judge's kappa_1 and kappa_2; what share of the supported pairs a judge has is not known."""
        need, judges = quorum_of(q, int(counts.sum())), len(self.used)
        supported = self.same @ _numbers(counts) >= need - 0.5
        k2 = _share(np.bincount(self.owner, supported, judges), np.bincount(self.owner, minlength=judges))
        return _items(self.used, counts, need), k2, np.full(judges, np.nan)


def sample(judges: int) -> int:
    """How many pairs of each judge are drawn: every one is looked up with all judges.

    >>> sample(10), sample(100), sample(1000)
    (5000, 500, 200)
    """
    return min(max(CELLS // max(judges, 1) ** 2, FEWEST), SAMPLE)


def _own_pairs(row: Array, number: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """So many pairs of items that are in one group, drawn at random with replacement."""
    order = np.argsort(row, kind="stable")[int((row < 0).sum()) :]
    size = np.bincount(row[order]) if len(order) else np.zeros(0, np.int64)
    ends = np.cumsum(size * (size - 1) // 2)
    if not len(ends) or not ends[-1]:
        return np.zeros((2, 0), np.int64)  # type: ignore[return-value]
    group = np.searchsorted(ends, rng.integers(ends[-1], size=number), side="right")
    first = rng.integers(size[group])
    second = rng.integers(size[group] - 1)
    second += second >= first
    start = (np.cumsum(size) - size)[group]
    return order[start + first], order[start + second]


def _numbers(counts: Array) -> Array:
    """Counts to multiply with: in single precision where their sum is exact in it."""
    return counts.astype(np.float32 if int(counts.sum()) < 1 << 24 else np.float64)


def _share(x: Array, y: Array) -> Array:
    return np.asarray(np.divide(x, y, out=np.full(np.shape(x), np.nan), where=y > 0))


def quorum_of(q: float | int, judges: int) -> int:
    """How many judges make the quorum: a count as it is, a share rounded up.

    >>> quorum_of(0.5, 5), quorum_of(2, 5), quorum_of(1.0, 5)
    (3, 2, 5)
    """
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
    reference="Xue, Lin, Wang, McClean: q-support, carried over to groups",
    parameters={
        "q": quorum("judges who must put a pair together: a count (3) or a share of the judges (0.5)"),
        "left_out": LEFT_OUT,
    },
    symmetric=True,
    relabelling=True,
)
def measure(
    labels: Array, q: float | int = 0.5, left_out: str = "singletons", counts: Array | None = None
) -> dict[str, Any]:
    """Share of the item pairs a judge puts together that at least q judges put together, averaged over judges."""
    members = prepared(labels, left_out)
    counts = np.ones(len(labels), np.int64) if counts is None else counts
    k1, k2, covered = members.scores(counts, q)
    individual = {"kappa1": k1, "kappa2": k2, "covered": covered}
    need = quorum_of(q, int(counts.sum()))
    return {**individual, "value": mean(k2, counts), "items": mean(k1, counts), "q": need}


def many(labels: Array, counts: Array, q: float | int, left_out: str) -> dict[str, Array]:
    """The same of many panels of one shape at once, ``labels[panel, judge, item]`` and ``counts[panel, judge]``.

    ``[panel, judge]``: kappa1, kappa2, covered; ``[panel]``: value, items, q. Of at most 64 items.
    """
    used = labels >= 0
    if left_out == "common":
        used = used & used.all(axis=1, keepdims=True)
    seen = (
        treated(labels.reshape(-1, labels.shape[2]), left_out).reshape(labels.shape) if left_out == "bucket" else labels
    )
    total = counts.sum(axis=1)
    need = np.array([quorum_of(q, n) for n in range(int(total.max(initial=0)) + 1)])[total] if len(total) else total
    seen = np.where(used | (left_out == "bucket"), seen, -1)
    shared, own, known = shared_pairs(seen, counts, need)
    enough = np.einsum("pj,pji->pi", counts, used) >= need[:, None]
    k1 = _share((used & enough[:, None]).sum(axis=2), used.sum(axis=2))
    k2, covered = _share(shared, own), _share(shared, np.broadcast_to(known[:, None], shared.shape))
    means = [_means(k, counts) for k in (k2, k1)]
    return {"kappa1": k1, "kappa2": k2, "covered": covered, "value": means[0], "items": means[1], "q": need}


def _means(values: Array, counts: Array) -> Array:
    there = ~np.isnan(values)
    number = (there * counts).sum(axis=1)
    return _share((np.where(there, values, 0.0) * counts).sum(axis=1), number)


def small(labels: Array, counts: Array) -> bool:
    """Whether panels of this shape can go through at once."""
    return labels.shape[-1] <= SMALL and int(counts.sum(axis=-1).max(initial=0)) < 1 << 16


def of_parts(parts: Sequence[Partitions], q: float | int, left_out: str) -> list[dict[str, Any]]:
    """:func:`measure` of every task; those of one shape at once."""
    out: list[dict[str, Any]] = [{} for _ in parts]
    for block in blocks(parts):
        if small(block.labels, block.counts):
            found = many(block.labels, block.counts, q, left_out)
            whole = {n: found[n].tolist() for n in ("value", "items", "q")}
            for k, t in enumerate(block.tasks.tolist()):
                out[t] = {n: found[n][k] for n in ("kappa1", "kappa2", "covered")} | {n: v[k] for n, v in whole.items()}
        else:
            for t in block.tasks.tolist():
                out[t] = measure(parts[t].labels, q, left_out, parts[t].counts)
    return out


def prepared(labels: Array, left_out: str) -> Members | Sampled:
    """The groups of judges whose left-out items are treated so; with ``common`` only items that all judges used."""
    if left_out == "common":
        labels = labels[:, (labels >= 0).all(axis=0)]
    used, labels = labels >= 0, _kept(labels, left_out)
    if labels.shape[1] <= ITEMS:
        return Members.of(labels, used)
    return Sampled.of(labels, used, np.random.default_rng(0))


def _kept(labels: Array, left_out: str) -> Array:
    """The labels as pairs see them: a left-out item is with nothing, unless all of them are in one bucket."""
    if left_out == "common":
        return np.where((labels >= 0).all(axis=0), labels, -1)
    return treated(labels, left_out) if left_out == "bucket" else labels


def cost(labels: Array) -> int:
    """About how many multiplications the scores of a task take."""
    judges, items = labels.shape
    groups = int((labels.max(axis=1, initial=-1) + 1).sum())
    return int(items**2 * groups if items <= ITEMS else judges**2 * sample(judges) + 100 * judges * items)


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
    found = measure(task.labels, **how, counts=task.counts)
    each = zip(found["kappa1"].tolist(), found["kappa2"].tolist(), strict=True)
    return Together(
        found["items"],
        found["value"],
        found["q"],
        dict(zip(names(panel.judges, task.judges), each, strict=True)),
        _supported(_kept(task.labels, left_out), task.counts, found["q"], names(panel.items, task.items)),
    )


def _supported(labels: Array, counts: Array, need: int, items: list[Hashable]) -> dict[tuple[Hashable, Hashable], int]:
    groups = Members.of(labels, labels >= 0)
    weighted = groups.member * counts[groups.owner, None]
    count = np.triu(np.rint(groups.member.T @ weighted).astype(np.int64), 1)
    rows, columns = np.nonzero(count >= need)
    return {(items[i], items[j]): int(count[i, j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}
