"""One judge's scores put right in some way: what would have been wrong with them shows by how much that helps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.units import Units

Array = NDArray[Any]


def repairs(units: Units, judge: int) -> dict[str, Array]:
    """All scores, with one judge's moved to the level of the others, freed of a drift, or given their spread too.

    Named after what would have been wrong; nothing where the judge shares fewer than three units with others.
    """
    mine = units.judge == judge
    total = np.bincount(units.unit[~mine], units.value[~mine], units.size)
    number = np.bincount(units.unit[~mine], minlength=units.size)
    own = mine & (number[units.unit] > 0)
    if own.sum() < 3:
        return {}
    others, score = (total / np.maximum(number, 1))[units.unit[own]], units.value[own]
    level, spread = score.mean(), float(score.std())
    wide, usual = {"shifted": score - level + others.mean()}, _spread(units, mine)
    if (when := units.times()) is not None and not np.isnan(when[own]).any() and np.ptp(when[own]) > 0:
        time = when[own] - when[own].mean()
        wide["drifting"] = wide["shifted"] - time * float(time @ (score - others)) / float(time @ time)
    if spread > 0:
        wide["compressed" if spread < usual else "stretched"] = (score - level) * usual / spread + others.mean()
    out = {}
    for name, value in wide.items():
        out[name] = units.value.copy()
        out[name][own] = value
    return out


def _spread(units: Units, without: Array) -> float:
    """The usual standard deviation of a judge's scores, of the judges who are not left out."""
    each = [float(units.value[rows].std()) for rows in units.by_judge() if len(rows) > 2 and not without[rows[0]]]
    return float(np.median(each)) if each else 0.0
