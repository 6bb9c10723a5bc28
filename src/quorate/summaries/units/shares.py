"""Shares of units: LitePyramid and atomic units, nuggets, rubrics. Sums over the one table; higher is better.

All lie between 0 and 1, except a rubric's with negative weights. A unit that a judge did not look for in an item counts
neither for nor against it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, suggest
from quorate.panel.kinds import Scores
from quorate.summaries.units.model import ContentUnits

Array = NDArray[Any]
Sums = Callable[[Array, Array], tuple[Array, Array]]  # of weight and support: what a unit adds, and what it could


def _share(weight: Array, support: Array) -> tuple[Array, Array]:
    return support, np.ones(len(weight))


def _rubric(weight: Array, support: Array) -> tuple[Array, Array]:
    return weight * support, np.maximum(weight, 0.0)


def _strict(of: Sums) -> Sums:
    return lambda weight, support: of(weight, (support >= 1.0).astype(float))


def _vital(weight: Array, support: Array) -> tuple[Array, Array]:
    vital = (weight >= 1.0).astype(float)
    return vital * support, vital


SCHEMES: Mapping[str, Sums] = {
    "share": _share,  # LitePyramid, atomic units: every unit counts the same
    "strict_share": _strict(_share),  # nuggets: only full support counts
    "rubric": _rubric,  # weights; of nuggets vital 1 and okay 0.5
    "strict_rubric": _strict(_rubric),
    "vital": _vital,  # nuggets: the vital ones only
    "vital_strict": _strict(_vital),
}


def shares(table: ContentUnits, scheme: str = "share") -> tuple[Array, Array, Array]:
    """Item, judge and share of every judged item; NaN where the units looked for could add nothing.

    >>> raw = {"unit": ["a", "b", "c"], "item": ["x"] * 3, "support": ["full", "partial", "none"]}
    >>> table = ContentUnits.build({**raw, "weight": ["vital", "vital", "okay"]})
    >>> [float(shares(table, s)[2][0]) for s in ("share", "strict_share", "rubric", "vital", "vital_strict")]
    [0.5, 0.3333333333333333, 0.6, 0.75, 0.5]
    """
    if scheme not in SCHEMES:
        raise BadParameter(f"no scheme '{scheme}'.", suggest(scheme, SCHEMES, "Schemes"))
    unit, item, judge, support, _ = table.cells()
    real = ~table.outside[unit]
    unit, item, judge, support = unit[real], item[real], judge[real], support[real]
    adds, could = SCHEMES[scheme](table.weight[unit], support)
    items, judges = table.judged
    pair, number = items * len(table.judges) + judges, len(items)
    place = np.searchsorted(pair, item * len(table.judges) + judge)
    total = np.bincount(place, adds, number)
    most = np.bincount(place, could, number)
    return items, judges, np.divide(total, most, out=np.full(number, math.nan), where=most > 0)


def to_scores(table: ContentUnits, scheme: str = "share", criterion: Hashable | None = None) -> Scores:
    """The shares as a panel of scores, so that every question can be asked of them; the items are the systems.

    >>> raw = {"unit": ["a", "b"], "item": ["x", "x"], "judge": ["ann", "ann"], "support": [1, 0]}
    >>> to_scores(ContentUnits.build(raw)).value.tolist()
    [0.5]
    """
    item, judge, value = shares(table, scheme)
    listed = [table.items[i] for i in item.tolist()]
    return Scores.build(
        {
            "task": [i.task for i in listed],
            "item": [i.id for i in listed],
            "judge": [table.judges[j] for j in judge.tolist()],
            "criterion": [criterion or scheme] * len(listed),
            "score": value,
        },
        notes=table.notes,
    )
