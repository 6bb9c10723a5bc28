"""How far can the result be trusted? Which measures to trust, and whether others would say the same.

Measures along random splits and merges are in :mod:`~quorate.groupings.sensitivity`; here is whether the agreement
would be the same with other judges, tasks or items like these. Judges and tasks are drawn with replacement; of the
items of each task half are drawn without, because an item drawn twice would be with its copy in every grouping. Whether
a leaderboard of systems would stay the same is told with their quality.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.needed import judges_needed
from quorate.groupings.nested import MEASURE, measuring, reach, settled
from quorate.groupings.sensitivity import Sensitivity, made_up, sensitivity
from quorate.kernels.correlations import correlate, levelled
from quorate.panel.design import Trusted
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.partitions import LEFT_OUT
from quorate.panel.task_design import VOTERS
from quorate.table import Note, bind, find, method

__all__ = ["Sensitivity", "agreement_stability", "judges_needed", "made_up", "sensitivity"]

Array = NDArray[Any]


@method(
    "groupings",
    "trust",
    "agreement_stability",
    range=(-1, math.inf),
    higher="more agreement, unless the measure is a distance",
    default=True,
    parameters={"measure": MEASURE, "left_out": LEFT_OUT},
    relabelling=True,
    note=Note(
        "Would other judges, tasks or items give the same agreement and the same order of judges?",
        "Half of the items change cluster sizes, so values shift a little by themselves.",
        "the mean agreement on panels with judges, tasks or items resampled",
    ),
)
def agreement_stability(
    design: GroupingDesign, core: Any, *, measure: str = "v_beta", left_out: str = "bucket"
) -> Trusted:
    """The mean agreement of two judges with judges, tasks or half of the items resampled, and the order of the judges.

    A judge drawn twice counts twice with the others but is never compared with itself, so agreement is not pushed up.
    ``over`` names one of the three, or tasks and judges crossed.
    """
    apart = design.voters_apart() if design.voters.sum() <= VOTERS else design
    peers = bind(find("peer_agreement", "groupings", "judges"), {"measure": measure, "left_out": left_out})
    asked = [apart.canonical(m) for m in (measuring(measure).with_(left_out=left_out), peers)]
    apart = apart.for_methods(asked)
    both = [core.figures(m, apart) for m in asked]
    seen, order = float(both[0].value[0]), both[1].value
    sign, items = settled(measure)[0].sign, sum(p.shape[0] * p.shape[2] for p in design.parts)
    units = {"judges": int(design.voters.sum()), "tasks": int(both[0].number[0]), "items": items}
    names = ("low", "high", "judge_order_tau", "same_lowest", "resamples")
    keys, details, found = {"by": list[str]()}, {n: list[Any]() for n in names}, []
    over = core.over(design, *units, "tasksxjudges") if core.options.over else None
    for by in [over] if over else units:
        number = min(units[unit] for unit in by.split("x"))
        means, each = core.drawn_together(both, by, measure, left_out)
        if not len(means):
            continue
        taus = correlate(order, each, "kendall")
        known = taus[~np.isnan(taus)]
        tau = float(known.mean()) if len(known) else math.nan
        lowest = float(_same_lowest(sign * order, sign * each).mean())
        interval = core.interval(seen, means[:, 0], by, number, reach(measure))
        ends = (interval.low, interval.high) if interval else (math.nan, math.nan)
        keys["by"].append(by)
        for name, cell in zip(names, (*ends, tau, lowest, len(means)), strict=True):
            details[name].append(cell)
        labels = {"by": by, "judge_order_tau": None if math.isnan(tau) else tau}
        labels |= {"same_lowest": lowest, "resamples": len(means)}
        found.append(core.figure(seen, labels, interval))
    about = {"sign": sign, "left_out": not design.complete, "items": max(p.shape[2] for p in design.parts)}
    return Trusted(keys, [seen] * len(found), found, details, about=about)


def _same_lowest(order: Array, each: Array) -> Array:
    """Whether the judge with the least agreement is again (alone or tied, but for rounding) the lowest of those drawn,
    ``[draw]``."""
    order, each = levelled(order), levelled(each)
    drawn = ~np.isnan(each)
    among = np.where(drawn & ~np.isnan(order), order, np.inf)
    first = np.take_along_axis(each, among.argmin(axis=1)[:, None], axis=1)[:, 0]
    return np.asarray(np.isfinite(among).any(axis=1) & (first <= np.where(drawn, each, np.inf).min(axis=1)))
