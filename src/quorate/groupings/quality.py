"""How good is a system's clustering, according to the judges? Against every judge, or against their consensus.

The systems come as a panel of their own, whose judges are the systems. Any measure of two partitions will do, the
judge's being the gold standard; for distances (vi, nvi, entropy) the lowest is best. Unless a measure is named those
corrected for chance come first: by V_beta or NVI a system that leaves every item alone may well be the best. What to
move so that a clustering agrees with most judges is in :mod:`~quorate.groupings.moves`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.association import ITEMS
from quorate.groupings.consensus_partition import gold, search_cost
from quorate.groupings.moves import Advice, Move, explain
from quorate.groupings.nested import CONSENSUS, MEASURE, measuring, reach, settled, solving
from quorate.groupings.pairwise import crossed, once, table_cost
from quorate.kernels.defined import quotient
from quorate.kernels.partition_labels import dense
from quorate.panel.design import Measured
from quorate.panel.partitions import LEFT_OUT
from quorate.table import Method, Note, method

__all__ = ["Advice", "Move", "against_consensus", "against_judges", "explain"]

Array = NDArray[Any]
SEARCH = 250_000  # numbers, that finding the consensus of the smallest task costs as much as


def against_each_other(labels: Array, counts: Array, chosen: Method) -> Array:
    """What a judge reaches against the others, averaged over judges, ``[task]``: as good as a system may well be."""
    square = measured(labels, labels, str(chosen["measure"]), str(chosen["left_out"]))
    others = counts[:, None] - np.eye(counts.shape[1], dtype=np.int64)  # of a row's judges one is looked at
    weight = counts[:, :, None] * others
    use = (weight > 0) & ~np.isnan(square)
    total, of = (np.where(use, x, 0.0).sum(axis=(1, 2)) for x in (square * weight, weight))
    return quotient(total, of)


MEASURES = ("adjusted_rand", "adjusted_mutual_information", "v_beta", "nvi")  # corrected for chance; of the papers
DECLARED: dict[str, Any] = {
    "range": (-1, math.inf),
    "default": True,
    "symmetric": True,
    "relabelling": True,
    "sign": lambda chosen: settled(str(chosen["measure"]))[0].sign,
    "limits": lambda chosen, details: reach(str(chosen["measure"])),
    "stability": True,
}


@method(
    "groupings",
    "quality",
    "against_judges",
    higher="closer to the judges, unless the measure is a distance",
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    cost=table_cost,
    ceiling=against_each_other,
    weighs_pairs=True,
    variants={"measure": MEASURES},
    **DECLARED,
    note=Note(
        "Systems against every judge: respects that there is more than one good clustering.",
        "No system can reach 1 when judges differ; compare with the judges' own agreement, given beside it. Measures "
        "that are not corrected for chance flatter systems with many small groups: see chance.",
        "mean over judges of measure(system, judge)",
    ),
)
def against_judges(
    labels: Array,
    counts: Array,
    clusters: Array,
    *,
    brief: bool = False,
    measure: str = "adjusted_rand",
    left_out: str = "bucket",
) -> Measured:
    """The measure of a system's clusters with every judge's as the gold standard, averaged over the judges."""
    values = measured(once(clusters), once(labels), measure, left_out)  # [task, judge, system]
    known = ~np.isnan(values)
    weights = counts.astype(float)[:, None]
    total, of = ((weights @ x)[:, 0] for x in (np.where(known, values, 0.0), known.astype(float)))
    return _told(quotient(total, of), clusters, brief)


def _consensus_cost(judges: int, items: int) -> float:
    """A consensus is searched for, from many starts: of few answers that takes as long."""
    return search_cost(judges, items) + SEARCH / max(judges * items, 1)


@method(
    "groupings",
    "quality",
    "against_consensus",
    higher="closer to the consensus, unless the measure is a distance",
    parameters={"measure": MEASURE, "left_out": LEFT_OUT, "consensus": CONSENSUS},
    cost=_consensus_cost,
    draws_up_to=ITEMS,
    room=lambda judges, items: 1.0,
    **DECLARED,
    note=Note(
        "Systems against one gold standard, as shared tasks do.",
        "Hides what judges disagree on, and flatters systems built like the consensus.",
        "measure(system, consensus)",
    ),
)
def against_consensus(
    labels: Array,
    counts: Array,
    clusters: Array,
    *,
    brief: bool = False,
    measure: str = "adjusted_rand",
    left_out: str = "bucket",
    consensus: str = "median_partition",
) -> Measured:
    """The measure of a system's clusters with the consensus of the judges as the gold standard.

    Kinder than the judges one by one to systems in the middle: what judges disagree on is decided once.
    """
    found = gold(solving(consensus), labels, counts)
    return _told(measured(clusters, found[:, None], measure, left_out)[:, 0], clusters, brief)


def _told(values: Array, clusters: Array, brief: bool) -> Measured:
    """The values, with how many items a system used and how many clusters it made."""
    if brief:
        return Measured(values)
    made = dense(clusters).max(axis=2, initial=-1) + 1
    return Measured(values, {"items_used": (clusters >= 0).sum(axis=2), "clusters": np.maximum(made, 0)})


def measured(clusters: Array, classes: Array, measure: str, left_out: str) -> Array:
    """The measure of every two, ``[..., class partition, cluster partition]``, of one task or of each of many.

    From ``[..., partition, item]``, labels as of judges, -1 is left out; ``measure`` is a text form: ``v_beta``,
    ``v(beta=0.5)``.
    """
    (found,) = crossed([measuring(measure).with_(left_out=left_out)], clusters, classes)
    return found.forward
