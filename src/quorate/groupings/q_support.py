"""What most judges put together: the q-support of Xue and others, on groups instead of orders.

A pair of items is supported when at least q judges put both into one group; an item when at least q judges used it. A
judge's score is the share of the judge's own pairs (kappa_2) or used items (kappa_1) that are supported; the panel's is
the mean over judges. Pairs of judges cannot tell whether it is always the same items that they share; this can.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.groupings.additive_counts import Counts, sums, votes_of
from quorate.groupings.pairwise import once
from quorate.kernels.co_association import co_association
from quorate.kernels.defined import quotient
from quorate.kernels.pair_support import quorum, supported_pairs
from quorate.panel.coefficient import Additive
from quorate.panel.design import Measured
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import LEFT_OUT, WAYS_MATTER, names, partitions, treated
from quorate.panel.sections import DIGITS, UNIT, blocks
from quorate.table import Method, Note, checked, method
from quorate.table import quorum as quorum_parameter

Array = NDArray[Any]
ITEMS = 1000  # beyond which a judge's pairs are sampled
SAMPLE, FEWEST = 5000, 200  # pairs of a judge: of few judges, of very many
CELLS = 5 * 10**6  # sampled pairs x judges, about


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


def _mean_kappa1(columns: Mapping[str, Sequence[Any]], _: Method) -> dict[str, Any]:
    """Of the items in use: the mean over tasks."""
    known = [v for v in columns["kappa1"] if v == v]
    return {"kappa1": sum(known) / len(known) if known else float("nan")}


def _counted(numbers: Array, where: Counts, own: Array, *, q: float | int, **parameters: Any) -> Measured:
    """The mean over judges of the share of their pairs that at least q put together."""
    votes, size = votes_of(numbers, where), where.items**2
    shares = where.of(numbers, "shares")
    pairs, single = shares[:, :size].reshape(votes.together.shape) / UNIT, shares[:, size : size + where.items] / UNIT
    of_pairs, of_items = shares[:, -2], shares[:, -1]
    pair, item = supported(numbers, where, q)
    kappa2 = quotient(np.where(pair, pairs, 0.0).sum(axis=(1, 2)) / 2, of_pairs).round(DIGITS)
    kappa1 = quotient(np.where(item, single, 0.0).sum(axis=1), of_items).round(DIGITS)
    details = {"kappa1": kappa1.tolist(), "kappa2": kappa2.tolist(), "q": quorum(q, votes.judges).tolist()}
    return Measured(kappa2, details)


def supported(numbers: Array, where: Counts, q: float | int) -> tuple[Array, Array]:
    """Which pairs at least q put together of those who were shown both, and which items at least q used, by draw."""
    votes = votes_of(numbers, where)
    used = np.diagonal(votes.both if "both" in where.every else votes.together, axis1=1, axis2=2)
    shown = np.diagonal(votes.shown, axis1=1, axis2=2)
    return votes.together >= quorum(q, votes.shown), used >= quorum(q, shown)


def shares_of_judges(
    labels: Array, numbers: Array, where: Counts, *, q: float | int, left_out: str, **parameters: Any
) -> Array:
    """Each judge's kappa_1, kappa_2 and covered, ``[judge, 3]``, as :func:`scores` has them, from counts of all."""
    pair, item = (of[0] for of in supported(numbers[None], where, q))
    upper = np.triu(pair, 1)
    out = np.empty((len(labels), 3))
    for part in blocks(*labels.shape):
        mine = labels[part]
        kept = _kept(mine, left_out) if left_out == "bucket" else mine
        same = np.triu((kept[:, :, None] == kept[:, None, :]) & (kept >= 0)[:, :, None], 1)
        used, shared = mine >= 0, (same & upper).sum(axis=(1, 2))
        out[part, 0] = quotient((used & item).sum(axis=1), used.sum(axis=1))
        out[part, 1] = quotient(shared, same.sum(axis=(1, 2)))
        out[part, 2] = quotient(shared, np.full(len(mine), np.count_nonzero(upper)))
    return out


def mean_of(shares: Array) -> float:
    """The mean over judges of a share, of those who have one."""
    return float(_mean(shares[None, None], np.ones((1, 1, len(shares))))[0, 0])


def sections_of_pairs(method: Method, left_out: bool, unshown: bool) -> tuple[str, ...] | None:
    """What is counted to tell which pairs and items are supported; None where no sum will do."""
    if left_out and method["left_out"] == "common":  # which items nobody left out must be known first
        return None
    return (*(("both",) if left_out else ()), *(("shown",) if unshown else ()))


def _sections(method: Method, left_out: bool, unshown: bool) -> tuple[str, ...] | None:
    found = sections_of_pairs(method, left_out, unshown)
    return None if found is None else ("shares", *found)


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
        "q": quorum_parameter("judges who must put a pair together: a count (3) or a share of the judges (0.5)"),
        "left_out": LEFT_OUT,
    },
    symmetric=True,
    relabelling=True,
    variants={"left_out": ("singletons", "bucket")},
    by_task=True,
    individual={"individual": ("kappa1", "kappa2")},
    additive=Additive(sums, _counted, needs=_sections, sections=Counts),
    summary=_mean_kappa1,
    cost=lambda judges, items: 2 * (items if items <= ITEMS else sample(judges)) / (judges + 1),
    room=lambda judges, items: 1 / max(items, 1),  # pairs are looked at some at a time, for all draws
    note=Note(
        "The whole panel at once: how much of what a judge puts together do most judges?",
        "A judge with one huge cluster makes many pairs that nobody shares. " + WAYS_MATTER,
        "mean over judges of (own pairs that at least q judges put together) / (own pairs)",
    ),
)
def measure(
    labels: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    q: float | int = 0.5,
    left_out: str = "singletons",
) -> Measured:
    """Share of the item pairs a judge puts together that at least q judges put together, averaged over judges."""
    found = of_tasks(labels, counts, q, left_out)
    if brief:
        return Measured(found["value"])
    each = np.stack([found["kappa1"], found["kappa2"]], axis=2)
    whole = {"kappa1": found["items"].tolist(), "kappa2": found["value"].tolist(), "q": found["q"].tolist()}
    return Measured(found["value"], {**whole, "individual": list(each)})


def of_tasks(labels: Array, counts: Array, q: float | int, left_out: str) -> dict[str, Array]:
    """:func:`scores` of every task, ``[task, ...]``; of draws of one task, which all hold the same, of every draw."""
    same = once(labels)
    if len(same) == len(labels):
        return {name: found[0] for name, found in scores(labels, counts[None], q, left_out).items()}
    return {name: found[:, 0] for name, found in scores(same, counts[:, None], q, left_out).items()}


def scores(labels: Array, weights: Array, q: float | int, left_out: str) -> dict[str, Array]:
    """What most put together, of ``labels[task, judge, item]`` and ``weights[draw, task, judge]``.

    ``[draw, task, judge]``: kappa1, kappa2, and covered, the share of the supported pairs that a judge has; NaN of
    nothing. ``[draw, task]``: value and items, which are means over judges as often as drawn, and the quorum q.
    """
    used = labels >= 0
    if left_out == "common":
        used &= (labels != -1).all(axis=1, keepdims=True)
    pairs = _kept(labels, left_out)
    shared, own, known = (supported_pairs if labels.shape[2] <= ITEMS else _one_by_one)(pairs, weights, q)
    shown = (labels > -2).astype(np.int64)
    enough = _by_item(weights, used) >= quorum(q, _by_item(weights, shown))  # [draw, task, item]
    if _once_each(weights):
        supported = np.count_nonzero(used & enough[0][:, None], axis=2).astype(float)[None]
    else:
        supported = np.matmul(used.astype(float), enough.astype(float)[..., None])[..., 0]
    k1 = quotient(supported, np.broadcast_to(used.sum(axis=2), supported.shape))
    k2 = quotient(shared, np.broadcast_to(own, shared.shape))
    covered = quotient(shared, np.broadcast_to(known[:, :, None], shared.shape))
    value, items = (_mean(k, weights) for k in (k2, k1))
    total = quorum(q, weights.sum(axis=2))
    return {"kappa1": k1, "kappa2": k2, "covered": covered, "value": value, "items": items, "q": total}


def _once_each(weights: Array) -> bool:
    """Whether there is one draw, and every judge counts once in it."""
    return len(weights) == 1 and bool((weights == 1).all())


def _by_item(weights: Array, held: Array) -> Array:
    """How many judges hold each item, ``[draw, task, item]``."""
    if _once_each(weights):
        return np.asarray(np.count_nonzero(held, axis=1), float)[None]
    return np.asarray(np.rint(np.matmul(weights[:, :, None].astype(float), held.astype(float))[:, :, 0]))


def _mean(values: Array, weights: Array) -> Array:
    """Means over judges of what is defined, each as often as drawn, ``[draw, task]``."""
    there = ~np.isnan(values) * weights
    return quotient((np.where(there > 0, values, 0.0) * there).sum(axis=2), there.sum(axis=2))


def _one_by_one(labels: Array, weights: Array, q: float | int) -> tuple[Array, Array, Array]:
    """:func:`supported_pairs` of tasks of very many items: from some pairs of each judge, unless few are in a group."""
    shared, known = np.empty(weights.shape), np.empty(weights.shape[:2])
    own = np.empty(weights.shape[1:])
    for t, rows in enumerate(labels):
        grouped = rows[None, :, (rows >= 0).any(axis=0)]
        some = _sampled if grouped.shape[2] > ITEMS else supported_pairs
        shared[:, t : t + 1], own[t : t + 1], known[:, t : t + 1] = some(grouped, weights[:, t : t + 1], q)
    return shared, own, known


def _sampled(labels: Array, weights: Array, q: float | int) -> tuple[Array, Array, Array]:
    """The same of one task from pairs that are drawn; how many pairs are supported in all is not known."""
    rows, times = labels[0], weights[:, 0]
    rng = np.random.default_rng(0)
    drawn = [_own_pairs(row, sample(len(rows)), rng) for row in rows]
    owner = np.repeat(np.arange(len(rows)), [len(a) for a, _ in drawn])
    by_item = np.ascontiguousarray(rows.T)
    first, second = (by_item[np.concatenate(x)] for x in zip(*drawn, strict=True))  # [pair, judge]
    same = ((first == second) & (first >= 0)).astype(np.float32)
    shown = ((first > -2) & (second > -2)).astype(np.float32) if (rows < -1).any() else None
    shared = np.empty(weights.shape)
    for k, often in enumerate(times.astype(np.float32 if int(times.sum(axis=1).max()) < 1 << 24 else np.float64)):
        need = quorum(q, often.sum() if shown is None else np.rint(shown @ often))
        shared[k, 0] = np.bincount(owner, same @ often >= need - 0.5, len(rows))
    own = np.bincount(owner, minlength=len(rows))[None].astype(float)
    return shared, own, np.full((len(weights), 1), np.nan)


def _kept(labels: Array, left_out: str) -> Array:
    """The labels as pairs see them: a left-out item is with nothing, unless all of them are in one bucket."""
    if left_out == "common":
        return np.where((labels != -1).all(axis=-2, keepdims=True), labels, -1)
    return treated(labels, left_out) if left_out == "bucket" else labels


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
    found = {name: each[0] for name, each in of_tasks(task.labels[None], task.counts[None], **how).items()}
    each = zip(found["kappa1"].tolist(), found["kappa2"].tolist(), strict=True)
    return Together(
        float(found["items"]),
        float(found["value"]),
        int(found["q"]),
        dict(zip(names(panel.judges, task.judges), each, strict=True)),
        _supported(_kept(task.labels, left_out), task.counts, int(found["q"]), names(panel.items, task.items)),
    )


def _supported(labels: Array, counts: Array, need: int, items: list[Hashable]) -> dict[tuple[Hashable, Hashable], int]:
    count = np.triu(co_association(labels[None], counts[None, None])[0][0, 0], 1)
    rows, columns = np.nonzero(count >= need)
    return {(items[i], items[j]): int(count[i, j]) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)}
