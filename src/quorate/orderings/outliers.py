"""Judges who share little of what most judges share: the outliers of Xue and others.

A judge's deviation is how far the share of supported items (v1) or ordered pairs (v2) in the judge's ranking lies from
the mean of all judges, in units of that mean: -1 is nothing shared, 0 the mean, 1 twice the mean.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.orderings.additive_counts import Counts, sums
from quorate.orderings.rankings import Rankings, need, one_task
from quorate.orderings.support import individual, looks_once
from quorate.panel.coefficient import ByCounts
from quorate.panel.design import Measured
from quorate.panel.sections import blocks
from quorate.table import Method, Note, checked, method, number, quorum, share

Array = NDArray[Any]
RANGE = (-1.0, float("inf"))


def _panel_means(columns: Mapping[str, Sequence[Any]], chosen: Method) -> dict[str, Any]:
    """A judge over all tasks: the judge's means set against the panel's on the same tasks, and the paper's rule."""
    k1, k2, m1, m2 = (sum(columns[n]) / len(columns[n]) for n in ("kappa1", "kappa2", "mean1", "mean2"))
    v1, v2 = ((own - mean) / mean if mean else math.nan for own, mean in ((k1, m1), (k2, m2)))
    flag = v1 < -float(str(chosen["eps1"])) or v2 < -float(str(chosen["eps2"]))
    return {"flag": flag, "v1": v1, "v2": v2, "kappa1": k1, "kappa2": k2, "panel_kappa2": m2}


def _shares(positions: Array, numbers: Array, where: Counts, *, q: float | int, **parameters: Any) -> Array:
    """Each judge's kappa_1 and kappa_2, ``[judge, 2]``, from how many judges have each item and put i before j."""
    least = need(q, numbers[:1, None])[0]
    item, pair = where.of(numbers, "held") >= least, where.of(numbers, "before") >= least
    out = np.empty((len(positions), 2))
    for part in blocks(*positions.shape):
        first, second = positions[part, :, None], positions[part, None, :]
        earlier = ((first > 0) & (first < second)).reshape(len(first), -1)
        held = positions[part] > 0
        size = held.sum(axis=1)
        shared = (earlier & pair).sum(axis=1), (held & item).sum(axis=1)
        out[part, 0] = quotient(shared[1], size, otherwise=0.0)
        out[part, 1] = quotient(shared[0], size * (size - 1) / 2, otherwise=0.0)
    return out


def _of_shares(each: Array, *, eps1: float, eps2: float, **parameters: Any) -> Measured:
    """The figures of all judges from the shares of each."""
    return _deviations(each[None, :, 0], each[None, :, 1], np.ones((1, len(each))), eps1, eps2)


@method(
    "orderings",
    "judges",
    "support_outliers",
    range=RANGE,
    higher="more in common with the others",
    default=True,
    reference="Xue, Lin, Wang, McClean: consensus of rankings by q-support patterns, section 5",
    parameters={
        "q": quorum("judges who must share a pattern: a count (6) or a share of the judges (0.5)"),
        "eps1": number("a judge is an outlier when v1 is below -eps1", 0, open_low=True),
        "eps2": number("a judge is an outlier when v2 is below -eps2", 0, open_low=True),
        "gamma": share("discount per place that an item lies off its mean position"),
        "lam": share("discount per place that a pair's gap is off its mean gap"),
    },
    relabelling=True,
    summary=_panel_means,
    looks_once=looks_once,
    by_counts=ByCounts(sums, Counts, _shares, _of_shares, when=lambda method: method["gamma"] == 1 == method["lam"]),
    note=Note(
        "Many judges, partial lists or votes: who shares little of what most share?",
        "Relative to the panel's mean: if most judges are bad, the good one is the outlier. On a panel that agrees "
        "on nothing it is undefined.",
        "v2 = (kappa_2 of the judge - mean of all judges) / mean, v1 with kappa_1; flagged if v1 < -eps1 or v2 < -eps2",
    ),
)
def measure(
    positions: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    gamma: float = 1.0,
    lam: float = 1.0,
) -> Measured:
    """How much less of a judge's ordered pairs most judges share than of the others' (v2), and of the items (v1)."""
    k1, k2 = individual(positions, counts, q, gamma, lam)
    alone = counts.sum(axis=1, keepdims=True) < 2  # who did a task alone shares it with nobody
    k1, k2 = (np.where(alone, math.nan, k) for k in (k1, k2))
    found = _deviations(k1, k2, counts, eps1, eps2)
    return replace(found, details={}) if brief else found


def _deviations(k1: Array, k2: Array, counts: Array, eps1: float, eps2: float) -> Measured:
    """How far each judge's shares are from the mean of all."""
    weight = counts / counts.sum(axis=1, keepdims=True)
    mean1, mean2 = (np.broadcast_to((k * weight).sum(axis=1, keepdims=True), k.shape) for k in (k1, k2))
    v1, v2 = deviation(k1, mean1), deviation(k2, mean2)
    details = {"v1": v1, "v2": v2, "kappa1": k1, "kappa2": k2, "mean1": mean1, "mean2": mean2}
    return Measured(v2, {**details, "outlier": is_outlier(v1, v2, eps1, eps2)}, mass=np.nan_to_num(mean2))


def deviation(own: Any, mean: Any) -> Array:
    """(own - mean) / mean; undefined where the mean is 0."""
    own, mean = np.asarray(own, float), np.asarray(mean, float)
    return quotient(own - mean, mean)


def is_outlier(v1: Array, v2: Array, eps1: float, eps2: float) -> Array:
    """Whether either deviation is below its bound; an undefined one is not."""
    return np.asarray((v1 < -eps1) | (v2 < -eps2))


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far one judge's shares lie from the panel's means."""

    v1: float
    v2: float
    kappa1: float
    kappa2: float
    outlier: bool


def support_outliers(
    rankings: Rankings,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    gamma: float = 1.0,
    lam: float = 1.0,
) -> dict[Hashable, Deviation]:
    """How much less than the mean each judge shares with most judges, in items (v1) and ordered pairs (v2).

    -1 when nothing is shared, 0 at the mean. Nobody is an outlier where the mean is 0: then nothing is shared at all.

    >>> found = support_outliers(["abcd", "abdc", "bacd", "dcba"], eps2=0.5)
    >>> {judge: (round(f.v2, 2), f.outlier) for judge, f in found.items()}
    {1: (0.2, False), 2: (0.2, False), 3: (0.2, False), 4: (-0.6, True)}
    """
    task = one_task(rankings)
    given = checked("support_outliers", "orderings", "judges", q=q, eps1=eps1, eps2=eps2, gamma=gamma, lam=lam)
    found = measure(task.positions, task.counts, **given)
    columns = [found.details[n][0].tolist() for n in ("v1", "v2", "kappa1", "kappa2", "outlier")]
    return {judge: Deviation(*row) for judge, row in zip(task.judges, zip(*columns, strict=True), strict=True)}
