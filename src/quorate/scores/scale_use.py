"""How judges use the scale, and whether that drifts: a judge who says 4 to everything, a judge who grows harsher."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.panel import judge_cells as cells
from quorate.panel.coefficient import Coefficient
from quorate.panel.judge_cells import AdditiveByJudge, Known
from quorate.panel.units import Units, rows_of
from quorate.scores.judge_sums import from_sums, number_of
from quorate.scores.t_test import t_test
from quorate.table import Note, method

Array = NDArray[Any]


def _spreads(units: Units, known: Known) -> tuple[Array, Array]:
    """Of each value 1, itself and its square; of the others on its unit how many, their sum and squares."""
    x = units.value - known.centre
    n, s, q = (np.bincount(units.unit, units.mass * y, units.size)[units.unit] for y in (np.ones(len(x)), x, x * x))
    return np.arange(len(x)), np.stack([np.ones(len(x)), x, x * x, n - 1, s - x, q - x * x], axis=1)


def _spread(totals: Array, whole: Array) -> Array:
    m, x, xx, n, s, q = np.moveaxis(totals, -1, 0)
    own = np.maximum(xx / np.maximum(m, 1) - (x / np.maximum(m, 1)) ** 2, 0.0)
    rest = np.maximum(q / np.maximum(n, 1) - (s / np.maximum(n, 1)) ** 2, 0.0)
    ok = (n > 0) & (rest > 1e-12 * np.maximum(q / np.maximum(n, 1), 1e-300))
    own = np.where(own > 1e-12 * np.maximum(xx / np.maximum(m, 1), 1e-300), own, 0.0)
    return np.where(ok, np.sqrt(own / np.where(ok, rest, 1.0)), math.nan)


def _used(values: Array, sums: Array, known: Known) -> dict[str, list[Any]]:
    """Which values each judge gave, and the one given most often."""
    judge, value, times = cast(tuple[Array, Array, Array], known.given)
    rows = list[dict[str, Any]]()
    for mine in rows_of(judge, known.judges):
        if not len(mine):
            rows.append({"distinct": 0, "most_common": None, "share": math.nan, "low": None, "high": None})
            continue
        top = mine[int(times[mine].argmax())]
        row = {"distinct": len(mine), "most_common": float(value[top]), "share": float(times[top] / times[mine].sum())}
        rows.append({**row, "low": float(value[mine[0]]), "high": float(value[mine[-1]])})
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


SCALE_USE = AdditiveByJudge(_spreads, _spread, _used, 6, values=True)


@method(
    "scores",
    "judges",
    "scale_use",
    range=(0, math.inf),
    higher="a wider use of the scale than the others make",
    chance="1",
    default=True,
    by_judge=SCALE_USE,
    people=True,
    note=Note(
        "Who crowds the middle or uses one value only?",
        "A wide use is not an error, and a noisy judge has one too.",
        "standard deviation of the judge's scores / that of the others on the same units",
    ),
)
def scale_use(units: Units) -> Coefficient:
    """Spread of a judge's scores over that of the others on the same units; 0 is one value throughout."""
    return cells.coefficient(units, SCALE_USE)


@method(
    "scores",
    "judges",
    "drift",
    range=(-math.inf, math.inf),
    higher="more lenient as time goes on",
    chance="0",
    sign=0,
    holm=True,
    people=True,
    note=Note(
        "Does a judge become milder or harsher with time? Needs a column time.",
        "If work was handed out by quality, the drift is that of the work where nobody else scored it.",
        "slope over time of (x_ju - median of the others) * (time from the judge's first score to the last)",
    ),
)
def drift(units: Units) -> Coefficient:
    """Change of a judge's shift from the median of the others, from the judge's first score in time to the last.

    Needs a column ``time``: numbers or ISO dates. Units that nobody else scored count with their plain score.
    """
    when, shift = units.times(), units.value - others_middle(units)
    if when is None:
        raise InputError(
            "no column 'time': drift cannot be seen.", "rename the column that says when: --rename OLD=time."
        )
    time, p = np.zeros(len(units)), []
    used = np.zeros(len(units), bool)
    for rows in units.by_judge():
        mine = rows[~np.isnan(when[rows])]
        span = float(np.ptp(when[mine])) if len(mine) > 2 else 0.0
        used[mine] = span > 0
        time[mine] = (when[mine] - when[mine].mean()) / span if span else 0.0
        p.append(_slope_test(time[mine], shift[mine], units.spread) if span else math.nan)
    some = np.flatnonzero(used)
    t, y = time[some], shift[some]
    of = from_sums(units, some, np.stack([np.ones(len(t)), t, y, t * t, t * y], axis=1), _slope)
    count = number_of(units, np.arange(len(units))).tolist()
    return Coefficient(of, units.size, {"units": count, "p": p}, rests={"items": number_of(units, some)})


def _slope_test(t: Array, y: Array, spread: float) -> float:
    """Two-sided p of a slope of 0, ``t`` about its mean."""
    tt = float(t @ t)
    slope = float(t @ y) / tt
    left = y - y.mean() - slope * t
    return t_test(slope, math.sqrt(float(left @ left) / max(len(t) - 2, 1) / tt), 1, len(t) - 2, spread)


def others_middle(units: Units) -> Array:
    """The median of the other judges on the unit of each row; the mean of all values where there is nobody else."""
    n = units.per_unit[units.unit]
    order = np.lexsort((units.value, units.unit))
    value, begin = units.value[order], np.searchsorted(units.unit, units.unit)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order)) - begin[order]
    left = np.maximum(n - 1, 1)

    def other(k: Array) -> Array:
        at = begin + np.where(k < place, k, k + 1)
        return np.asarray(value[np.minimum(at, len(value) - 1)])

    middle = float(units.value.mean()) if len(units) else 0.0
    return np.where(n > 1, (other((left - 1) // 2) + other(left // 2)) / 2, middle)


def _slope(totals: Array) -> Array:
    n, t, y, tt, ty = np.moveaxis(totals, -1, 0)
    spread = n * tt - t * t
    ok = spread > 1e-12 * np.maximum(n * tt, 1e-300)
    return np.where(ok, (n * ty - t * y) / np.where(ok, spread, 1.0), math.nan)
