"""Who is off? Each judge's groupings against the others': how much they agree, who splits and who generalises.

Asked without a measure, ``peer_agreement`` comes for the three measures of the Clusters paper. For two judges,
:func:`~quorate.groupings.two_judges.compare` shows where they differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.additive_counts import Counts, sums
from quorate.groupings.agreement import description
from quorate.groupings.nested import MEASURE, measuring, reach, settled
from quorate.groupings.pairwise import (
    PairValues,
    crossed,
    every_two,
    mean_squares,
    once,
    squares,
    table_cost,
    with_others,
)
from quorate.groupings.q_support import mean_of, of_tasks, sections_of_pairs, shares_of_judges
from quorate.groupings.two_judges import compare
from quorate.kernels.defined import quotient
from quorate.kernels.pair_means import mean_with_others
from quorate.panel.coefficient import ByCounts
from quorate.panel.design import Measured
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import LEFT_OUT
from quorate.table import Method, Note, method, number, quorum

__all__ = ["compare", "leaning", "more", "peer_agreement", "together_outliers"]

Array = NDArray[Any]
PAPER = ("v_beta", "v_half", "nvi")  # the measures that the Clusters paper recommends
WAYS = ("singletons", "bucket")  # of treating left-out items, unless one is named
WORTH = 0.05  # of leaning, to be named: about two of ten clusters cut in halves


def _measured(chosen: Method) -> Method:
    """The measure by which a method compares two judges."""
    return measuring(str(chosen["measure"])).with_(left_out=chosen["left_out"])


def _compared(methods: Sequence[Method], labels: Array) -> list[PairValues]:
    """Every two judges by the measures that these methods have."""
    return every_two([_measured(m) for m in methods], labels)


def _with_others(
    measures: Sequence[Method], labels: Array, counts: Array, alike: bool, instead: Array | None = None
) -> list[Measured]:
    """Each judge's mean agreement with the others by several measures of the same pairs of groupings."""
    if instead is not None and (counts == 1).all() and labels.shape[1] > 1:
        return [Measured(mean) for mean in with_others(measures, instead, labels)]
    if instead is None:
        found = mean_squares(measures, labels)
    else:
        found = [both.mean.transpose(0, 2, 1) for both in crossed(measures, instead, labels)]  # [task, own, other]
    return [Measured(mean_with_others(square, counts, alike)) for square in found]


def _together(methods: Sequence[Method], labels: Array, counts: Array, alike: bool, **instead: Array) -> list[Measured]:
    """The same by the measures that these methods have."""
    return _with_others([_measured(m) for m in methods], labels, counts, alike, **instead)


@method(
    "groupings",
    "judges",
    "peer_agreement",
    range=(-math.inf, math.inf),
    higher="as the measure has it",
    chance="the judge's grouping with its items shuffled",
    default=True,
    reference="Geiss: inter-judge agreement",
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    relabelling=True,
    variants={"measure": PAPER, "left_out": WAYS},
    instead=True,
    weighs_pairs=True,
    pairs=_compared,
    together=_together,
    ranked=True,
    sign=lambda chosen: settled(str(chosen["measure"]))[0].sign,
    limits=lambda chosen, details: reach(str(chosen["measure"])),
    cost=lambda judges, items: 2 * table_cost(judges, items),  # with answers permuted both ways
    note=Note(
        "A plain ranking of judges by agreement with each of the others; chance: the judge's own clusters, shuffled.",
        "A judge who clusters more finely than the rest is last without being careless: see leaning.",
        "mean over the other judges and both ways of the measure",
    ),
)
def peer_agreement(
    labels: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    instead: Array | None = None,
    measure: str = "v_beta",
    left_out: str = "singletons",
) -> Measured:
    """A judge's mean agreement with each of the others, both ways, by a measure of two groupings."""
    return _with_others([measuring(measure).with_(left_out=left_out)], labels, counts, alike, instead)[0]


def _leans(value: float, interval: Any) -> dict[str, Any]:
    """Which way a judge leans, if that is both sure and worth telling: with many items the least leaning is sure."""
    if interval is None or interval.low <= 0 <= interval.high or abs(value) < WORTH:
        return {"leans": ""}
    return {"leans": "splitter" if interval.low > 0 else "generaliser"}


@method(
    "groupings",
    "judges",
    "leaning",
    range=(-1, 1),
    higher="splits more than the others do; below 0 generalises more",
    chance="none",
    default=True,
    reference="Geiss: generalisation as a kind of disagreement",
    parameters={"left_out": LEFT_OUT},
    relabelling=True,
    verdict=_leans,
    weighs_pairs=True,
    cost=table_cost,
    note=Note(
        "Why a judge differs: by splitting more finely, or by generalising more.",
        "Says nothing about quality, and near 0 it means the two balance, not that the judges agree.",
        "h - c of the judge's clusters, each other judge as the gold standard",
    ),
)
def leaning(
    labels: Array, counts: Array, *, alike: bool = True, brief: bool = False, left_out: str = "common"
) -> Measured:
    """Homogeneity minus completeness of a judge's clusters, the others' being the gold; below 0 for a generaliser."""
    both = [measuring(name).with_(left_out=left_out) for name in ("homogeneity", "completeness")]
    pure, whole = squares(both, once(labels))
    values = mean_with_others(pure - whole, counts, alike)  # what one judge splits the other merges
    if brief:
        return Measured(values)
    used, clusters = (labels >= 0).sum(axis=2), labels.max(axis=2, initial=-1) + 1
    return Measured(values, {"clusters": np.maximum(clusters, 0), "per_cluster": quotient(used, clusters)})


def _rule(columns: Mapping[str, Sequence[Any]], chosen: Method) -> dict[str, Any]:
    """The means over a judge's tasks, and the paper's rule for outliers on them."""
    known = {n: [v for v in column if v == v] for n, column in columns.items() if n != "outlier"}
    means = {n: sum(column) / len(column) if column else math.nan for n, column in known.items()}
    flag = any(means[v] < -float(str(chosen[eps])) for v, eps in (("v1", "eps1"), ("v2", "eps2")))
    return {"flag": flag, **means}


def _of_shares(each: Array, *, eps1: float, eps2: float, **parameters: Any) -> Measured:
    """The figures of all judges from the shares of each."""
    k1, k2, covered = (each[None, :, k] for k in range(3))
    found = {"kappa1": k1, "kappa2": k2, "covered": covered}
    return _deviations(found | {n: np.array([mean_of(k[0])]) for n, k in (("items", k1), ("value", k2))}, eps1, eps2)


@method(
    "groupings",
    "judges",
    "together_outliers",
    range=(-1, math.inf),
    higher="more in common with the others",
    chance="none",
    default=True,
    reference="Xue, Lin, Wang, McClean: outliers by q-support, carried over to groups",
    parameters={
        "q": quorum("judges who must put a pair together: a count (3) or a share of the judges (0.5)"),
        "eps1": number("a judge is an outlier when v1 is below -eps1", 0, open_low=True),
        "eps2": number("a judge is an outlier when v2 is below -eps2", 0, open_low=True),
        "left_out": LEFT_OUT,
    },
    relabelling=True,
    variants={"left_out": WAYS},
    summary=_rule,
    by_counts=ByCounts(sums, Counts, shares_of_judges, _of_shares, sections_of_pairs),
    cost=lambda judges, items: 2 * items / (judges + 1),
    room=lambda judges, items: 1 / max(items, 1),
    note=Note(
        "Who puts together what hardly anybody does? With many judges.",
        "Relative to the panel: where nobody agrees, nobody is an outlier.",
        "v2 = (share of own pairs that at least q judges put together - mean of all judges) / mean, v1 with used "
        "items; flagged if v1 < -eps1 or v2 < -eps2",
    ),
)
def together_outliers(
    labels: Array,
    counts: Array,
    *,
    alike: bool = True,
    brief: bool = False,
    q: float | int = 0.5,
    eps1: float = 0.7,
    eps2: float = 0.7,
    left_out: str = "singletons",
) -> Measured:
    """How much less of what a judge puts together most judges do (v2) than on average, and of used items (v1)."""
    found = _deviations(of_tasks(labels, counts, q, left_out), eps1, eps2)
    return replace(found, details={}) if brief else found


def _deviations(found: Mapping[str, Array], eps1: float, eps2: float) -> Measured:
    """How far each judge's shares are from the mean of all."""
    v1, v2 = (_deviation(found[own], found[mean]) for own, mean in (("kappa1", "items"), ("kappa2", "value")))
    shares = {n: found[n] for n in ("kappa1", "kappa2", "covered")}
    return Measured(v2, {"v1": v1, "v2": v2, **shares, "outlier": (v1 < -eps1) | (v2 < -eps2)})


def _deviation(own: Array, mean: Array) -> Array:
    """(own - mean) / mean, ``[task, judge]``; undefined where the mean is 0."""
    of = np.broadcast_to(mean[:, None], own.shape)
    return quotient(own - of, of)


def more(panel: Groupings, methods: Sequence[Method], core: Any) -> dict[str, Any]:
    """What the judges made."""
    return {"description": description(panel, core.options.absent)}
