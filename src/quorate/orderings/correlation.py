"""Quality by correlation: a list against every judge (AC, WCA), or against the judges' consensus (RBA).

1 is the judges' order, -1 its reverse, about 0 a random one. ``tau`` is Kendall's tau-a, and tau-b where there are
ties; ``rho`` is Spearman's, tied items sharing their ranks. ``missing`` says what an absent item means: ``unknown``
(only items that both hold are compared), ``below`` or ``top-k`` (it comes last).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import rank_correlation, ranks
from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_with_others
from quorate.orderings.agreement_weights import NEGATIVE, agreement_weights
from quorate.orderings.pairwise import MISSING
from quorate.orderings.rankings import Measured, Rankings, with_list
from quorate.panel.kinds import Order
from quorate.table import Method, Note, Parameter, bind, choice, find, method

Array = NDArray[Any]
MEASURE = choice("the correlation of two orders; tau is tau-b where there are ties", "tau", "rho", shown=True)
REFERENCE = "Kim, Zhai, Han: aggregation of multiple judgments for evaluating ordered lists"
_CORRELATION = {"tau": rank_correlation.tau_b, "rho": rank_correlation.rho}


def _declare(
    name: str, *, note: Note, range: tuple[float, float] = (-1, 1), limits: Any = None, **more: Parameter
) -> Callable[[Callable[..., Measured]], Callable[..., Measured]]:
    return method(
        "orderings",
        "quality",
        name,
        range=range,
        higher="nearer to the judges",
        chance="0",
        default=True,
        reference=REFERENCE,
        parameters={"measure": MEASURE, "missing": MISSING, **more},
        symmetric=True,
        relabelling=True,
        limits=limits,
        note=note,
    )


def _within_one(method: Method, details: Mapping[str, Any]) -> tuple[float, float]:
    """Values leave -1 to 1 only where judges whom the others contradict keep their weights, and there are some."""
    beyond = method["negative"] == "keep" and any(details.get("negative_weights", ()))
    return (-math.inf, math.inf) if beyond else (-1.0, 1.0)


@_declare(
    "average_correlation",
    note=Note(
        "A simple score of a list against judges who mostly agree.",
        "Bad judges count as much as good ones: it loses most when noise joins the panel.",
        "AC = mean over judges of the correlation (tau or rho) of list and judge",
    ),
)
def average(
    positions: Array,
    counts: Array,
    systems: Array,
    *,
    brief: bool = False,
    measure: str = "tau",
    missing: str = "unknown",
) -> Measured:
    """Mean correlation of a system's list with the judges (AC)."""
    each = _each(measure, systems, positions, missing)
    values, judges = _mean(each, counts)
    return Measured(values) if brief else Measured(values, {"judges": judges})


@_declare(
    "weighted_correlation",
    range=(-math.inf, math.inf),  # a negative weight that is kept can carry the mean beyond 1
    limits=_within_one,
    negative=NEGATIVE,
    note=Note(
        "Judges of unequal reliability: those in step with the others count more.",
        "A clique of like minds gives itself weight. With negative=keep a judge whom the others contradict is believed "
        "in reverse: where judges hardly agree the weights nearly cancel out, and values and 95% intervals mislead "
        "(true value held 68 to 98 times in 100; 95 to 98 with negative=clip).",
        "WCA = sum of w_i c_i / sum of w_i; c_i = correlation of the list with judge i, w_i = mean correlation of "
        "judge i with the others, 0 where it is negative (negative=clip)",
    ),
)
def weighted(
    positions: Array,
    counts: Array,
    systems: Array,
    *,
    brief: bool = False,
    measure: str = "tau",
    missing: str = "unknown",
    negative: str = "clip",
) -> Measured:
    """Mean correlation with the judges, each weighted by the mean correlation with the other judges (WCA).

    The paper says nothing of negative weights, which are 0 here (``clip``). By its formula (``keep``) a judge whom the
    others contradict is believed in reverse, and the value can leave -1 to 1; ``mapped`` weighs by (1 + w) / 2. Where
    the weights do not add up to more than 0, all judges count the same.
    """
    each = _each(measure, systems, positions, missing)
    square = _CORRELATION[measure](ranks.once(positions), missing=missing)
    weight, below, fallback = agreement_weights(mean_with_others(square, counts, counted=True), counts, negative)
    values, judges = _mean(each, weight)
    if brief:
        return Measured(values)
    return Measured(values, {"judges": judges, "negative_weights": below, "fallback": fallback})


@_declare(
    "rank_based",
    note=Note(
        "A score against one reference order that many judges made together.",
        "What judges disagree on is decided by the rank sums and then counts as if it were certain.",
        "RBA = correlation (tau or rho) of the list with the judges' order by rank sums",
    ),
)
def ranked(
    positions: Array,
    counts: Array,
    systems: Array,
    *,
    brief: bool = False,
    measure: str = "tau",
    missing: str = "unknown",
) -> Measured:
    """Correlation with the judges' consensus by rank sums, in which ties stay ties (RBA)."""
    order = consensus(positions, counts, missing)
    values = _CORRELATION[measure](systems, order[:, None, :], missing)[:, :, 0]
    if brief:
        return Measured(values)
    held = (order > 0).sum(axis=1)
    return Measured(values, {"consensus_ties": held - order.max(axis=1, initial=0)})


def consensus(positions: Array, counts: Array, missing: str = "unknown") -> Array:
    """Items by their mean rank, as dense positions ``[task, item]``; 0 for items that no judge who counts has ranked.

    As in the consensus by rank sums: the ranks of a shorter list are spread over the whole, r (n + 1) / (m + 1).
    """
    seen = ((positions > 0) & (counts > 0)[:, :, None]).any(axis=1)
    # Items that nobody ranked are tied at the bottom of every list: they change no order.
    given = positions if missing == "unknown" else ranks.fill_below(positions)
    if ranks.repeated(given):
        return np.where(seen, ranks.rank_orders(given[:1], counts[:, None])[:, 0], 0)
    return np.where(seen, ranks.rank_orders(given, counts[None])[0], 0)


def _each(measure: str, systems: Array, positions: Array, missing: str) -> Array:
    """Each list with each judge, ``[task, list, judge]``; for one task where all are the same."""
    one, other = ranks.once(systems), ranks.once(positions)
    return _CORRELATION[measure](*((one, other) if len(one) == len(other) else (systems, positions)), missing)


def _mean(each: Array, weight: Array) -> tuple[Array, Array]:
    """Weighted mean over the judges where the correlation is defined, and how many those are."""
    share = np.where(np.isnan(each), 0.0, weight[:, None, :])
    of = share.sum(axis=2)
    total = (np.nan_to_num(each) * share).sum(axis=2)
    return quotient(total, of), (share != 0).sum(axis=2)


def average_correlation(target: Order, rankings: Rankings, measure: str = "tau", missing: str = "unknown") -> float:
    """Mean correlation of a list with the judges' rankings.

    1 when it is every judge's order, -1 when it is the reverse of all of them. NaN when it shares fewer than two items
    with each judge.

    >>> round(average_correlation("abcd", ["abcd", "abdc", "acdb"]), 4)
    0.6667
    """
    return _plain("average_correlation", target, rankings, measure=measure, missing=missing)


def weighted_correlation(
    target: Order, rankings: Rankings, measure: str = "tau", missing: str = "unknown", negative: str = "clip"
) -> float:
    """Mean correlation with the judges, each weighted by the mean correlation with the others.

    1 when it is every judge's order. Weights below 0 are 0 (``negative="clip"``), stay as they are (``keep``), or all
    are mapped from -1 ... 1 to 0 ... 1; where they do not add up to more than 0, all judges count the same.

    >>> judges = ["abcd", "abdc", "abcd", "dcba"]
    >>> round(average_correlation("abcd", judges), 4), round(weighted_correlation("abcd", judges), 4)
    (0.4167, 0.8889)
    """
    return _plain("weighted_correlation", target, rankings, measure=measure, missing=missing, negative=negative)


def rank_based(target: Order, rankings: Rankings, measure: str = "tau", missing: str = "unknown") -> float:
    """Correlation of a list with the judges' consensus by rank sums; items with equal sums stay tied.

    1 when it is the consensus order, -1 when it is its reverse. NaN when the consensus ties all items.

    >>> rank_based("abcd", ["abcd", "abdc", "bacd"])
    1.0
    """
    return _plain("rank_based", target, rankings, measure=measure, missing=missing)


def _plain(name: str, target: Order, rankings: Rankings, **given: str) -> float:
    chosen = bind(find(name, "orderings", "quality"), given)
    task, listed = with_list(target, rankings)
    return float(chosen(task.positions, task.counts, listed).values[0, 0])
