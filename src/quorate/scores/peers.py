"""How often a judge gives the label that others give: who is off where there are no distances."""

from __future__ import annotations

import numpy as np

from quorate.inference.results import Options
from quorate.kernels import reliability as kernel
from quorate.panel.kinds import Scores
from quorate.panel.units import Units, rows_of
from quorate.scores.judged import ENOUGH, Judged, mean_of, ones, others_median, resampled, surely_below
from quorate.table import method


@method(
    "scores",
    "judges",
    "peer_agreement",
    range=(0, 1),
    higher="more often the same score as another judge",
)
def peer_agreement(panel: Scores, units: Units, options: Options) -> Judged:
    """Share of the other judges of a unit who gave the same score as this judge, averaged over the judge's units.

    1 when all others always say the same, 0 when nobody ever does. Made for labels; scores that are nearly the same
    count as different.
    """
    known, code = kernel.codes(units.value)
    n = units.held[units.unit]
    _, cell = np.unique(units.unit * np.int64(max(len(known), 1)) + code, return_inverse=True)
    times = np.bincount(cell.ravel(), units.mass)
    shared = np.flatnonzero(n > 1)
    equal = (times[cell.ravel()] - 1)[shared] / (n[shared] - 1)
    judge = units.judge[shared]
    values, ends = np.full(len(units.judges), np.nan), []
    for j, rows in enumerate(rows_of(judge, len(values))):
        mine = equal[rows]
        ends.append(resampled(ones(mine), mean_of, options, len(units)))
        if len(mine):
            values[j] = mine.mean()
    usual = others_median(values, units.behind)
    count = np.bincount(judge, minlength=len(values))
    several = units.behind[np.isfinite(values)].sum() > 2  # of two judges both agree equally often
    flags = (values < 0.75 * usual) & surely_below(values, ends, usual) & (count >= ENOUGH) & several
    return Judged(values, -values, ends, {"units": count.tolist(), "others": usual.tolist()}, flags)
