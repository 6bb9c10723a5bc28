"""Each judge against the others: the mean correlation with them, or the correlation with their consensus.

The mean correlation is the weight that the weighted correlation of Kim, Zhai and Han gives a judge. The p-value says
how often the judge's places, permuted among the judge's items, agree with the others as well.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_with_others
from quorate.kernels.ranks import fill_below, once, rank_order_without
from quorate.orderings.kappa import similarity
from quorate.orderings.method_parameters import SHORT, Index
from quorate.orderings.pairwise import PAIRWISE, TWO_SIDED
from quorate.orderings.rankings import Rankings, one_task
from quorate.panel.design import Measured
from quorate.table import Note, checked, choice, method, parse

Array = NDArray[Any]
SQUARES: dict[str, Callable[..., Array]] = {**{n: i.square for n, i in PAIRWISE.items()}, "kappa": similarity}
CELLS = 1 << 22  # judges x items of tasks, or of panels drawn, that are ordered at a time
FEW = 300  # judges, of whom every two are compared however often
ABSENT = choice("what an absent item means", "unknown", "below")


@method(
    "orderings",
    "judges",
    "peer_correlation",
    range=(-1.0, 1.0),
    higher="more in common with the others",
    default=True,
    reference="Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists (the weight of WCA)",
    parameters={
        "measure": Index("the index of two rankings; tau is tau-b where there are ties", known=tuple(SQUARES)),
        "against": choice("the other judges one by one, or their order by rank sums", "each", "consensus"),
        "missing": ABSENT,
    },
    relabelling=True,
    instead=True,
    some_items=True,
    looks_once=lambda judges, items: True,
    note=Note(
        "A plain ranking of judges from most to least in step with the others, with a test against random orders.",
        "Being different is not being wrong: an expert among laymen is last.",
        "mean over the other judges of tau-b (or rho, or any other index of two rankings) with the judge",
    ),
)
def compare(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    instead: Array | None = None,
    measure: str = "tau",
    against: str = "each",
    missing: str = "unknown",
) -> Measured:
    """A judge's mean correlation with the other judges, and the correlation with their order by rank sums."""
    if missing == "below":
        positions, instead = fill_below(positions), None if instead is None else fill_below(instead)
    index, own = _index(measure), positions if instead is None else instead
    if instead is not None and (against == "consensus" or SHORT.get(measure, measure) not in TWO_SIDED):
        positions = np.tile(positions, (len(instead) // len(positions), 1, 1))
    if against == "consensus":
        return Measured(with_consensus(index, own, positions, counts))
    if instead is not None and measure in ("tau", "tau_b") and len(counts[0]) > FEW and (positions > 0).all():
        values = tau_with_others(instead, positions, counts, alike)
    else:
        values = mean_with_others(_square(measure, positions, instead), counts, alike)
    return Measured(values) if brief else Measured(values, {"consensus": with_consensus(index, own, positions, counts)})


def _index(measure: str) -> Callable[[Array], Array]:
    """The index of every two rankings, with its parameters."""
    chosen = parse(SHORT.get(measure, measure), "orderings", "agreement")
    return lambda positions: SQUARES[chosen.name](positions, **chosen.parameters)


def _square(measure: str, positions: Array, instead: Array | None) -> Array:
    """The index of every two judges; of ``instead``, copies of all tasks, in a judge's place with every other judge."""
    if instead is None:
        return _index(measure)(once(positions))
    name, (tasks, judges, items) = SHORT.get(measure, measure), positions.shape
    if name in TWO_SIDED:  # the copies of a task as so many lists
        lists = instead.reshape(-1, tasks, judges, items).transpose(1, 0, 2, 3).reshape(tasks, -1, items)
        each = PAIRWISE[name].kernel(lists, positions).reshape(tasks, -1, judges, judges)
        return np.asarray(each.transpose(1, 0, 2, 3).reshape(-1, judges, judges))
    both = _index(measure)(np.concatenate([instead, positions], axis=1))
    return both[:, :judges, judges:]


def tau_with_others(own: Array, positions: Array, counts: Array, alike: bool) -> Array:
    """The mean tau-b of an order with those of the other judges, ``[task, judge]``, without comparing every two.

    tau-b is a product of two vectors of signs, one of each order, of length 1: so its mean is a product with the mean
    of the others' vectors. All orders are of all items.
    """
    first, second = np.triu_indices(positions.shape[2], 1)
    mine, known = _unit_signs(own, first, second)
    copies = len(own) // len(positions), 1, 1
    others, there = (np.tile(x, copies[: x.ndim]) for x in _unit_signs(positions, first, second))
    weight = (
        counts - np.maximum(counts - 1, 0) if alike else counts
    )  # of a row that stands for several, one is left out
    total, number = np.einsum("tj,tjp->tp", counts, others), (counts * there).sum(axis=1, keepdims=True)
    sums = np.einsum("tjp,tp->tj", mine, total) - weight * np.einsum("tjp,tjp->tj", mine, others)
    return quotient(np.where(known, sums, np.nan), number - weight * there)


def _unit_signs(positions: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """Which of every two items comes first, as a vector of length 1, ``[task, judge, pair]``; where there is one."""
    signs = np.sign(positions[:, :, first] - positions[:, :, second])
    length = np.sqrt((signs**2).sum(axis=2))
    return signs / np.maximum(length, 1.0)[:, :, None], length > 0


def with_consensus(index: Callable[[Array], Array], own: Array, positions: Array, counts: Array) -> Array:
    """The index of each judge's own order with that of the others by rank sums, ``[task, judge]``."""
    step, found = max(1, CELLS // max(own[0].size, 1)), []
    for a in range(0, len(own), step):
        mine, others = own[a : a + step], rank_order_without(positions[a : a + step], counts[a : a + step])
        two = np.stack([mine.reshape(-1, own.shape[2]), others.reshape(-1, own.shape[2])], axis=1)
        found.append(index(two)[:, 0, 1].reshape(mine.shape[:2]))
    return np.concatenate(found) if found else np.zeros(own.shape[:2])


@dataclass(frozen=True, slots=True)
class Peer:
    """One judge beside the others."""

    mean: float  # correlation with the others, on average
    consensus: float  # correlation with their order by rank sums


def peer_correlation(rankings: Rankings, measure: str = "tau") -> dict[Hashable, Peer]:
    """Each judge's mean correlation with the others, and the correlation with the others' order by rank sums.

    1 among copies, about 0 for a judge who orders at random, below 0 for one who goes against the rest. The mean stays
    below the correlation with the consensus, because the others' own noise is in it.

    >>> found = peer_correlation(["abcd", "abdc", "bacd", "dcba"])
    >>> {judge: (round(f.mean, 2), round(f.consensus, 2)) for judge, f in found.items()}
    {1: (0.11, 0.33), 2: (0.11, 0.33), 3: (0.11, 0.33), 4: (-0.78, -1.0)}
    """
    task = one_task(rankings)
    given = checked("peer_correlation", "orderings", "judges", measure=measure)
    found = compare(task.positions, task.counts, **given)
    columns = found.values[0].tolist(), found.details["consensus"][0].tolist()
    return {judge: Peer(*row) for judge, row in zip(task.judges, zip(*columns, strict=True), strict=True)}
