"""How judges use the scale, and whether that drifts: a judge who says 4 to everything, a judge who grows harsher."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import InputError
from quorate.inference.resample import Interval, holm, stream
from quorate.inference.results import Options
from quorate.panel.columns import Coded
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores.judged import ENOUGH, Judged, others_median, resampled
from quorate.table import method

Array = NDArray[Any]
NARROW = 0.25  # flagged: less than this share of the others' spread
SHUFFLES = 999


@method(
    "scores",
    "judges",
    "scale_use",
    range=(0, math.inf),
    higher="a wider use of the scale than the others make",
    chance="1",
    default=True,
)
def scale_use(panel: Scores, units: Units, options: Options) -> Judged:
    """Spread of a judge's scores over that of the others on the same units; 0 is one value throughout."""
    found = units.sums()
    x = units.value - found.shift
    n, s, q = found.n[units.unit] - 1, found.s[units.unit] - x, found.q[units.unit] - x * x
    features = np.stack([np.ones(len(x)), x, x * x, n, s, q], axis=1)
    values, ends = np.full(len(units.judges), math.nan), []
    details: dict[str, list[Any]] = {name: [] for name in ("units", "distinct", "most_common", "share", "low", "high")}
    flags = np.zeros(len(values), bool)
    for j, mine in enumerate(units.by_judge()):
        values[j] = float(_spread(features[mine].sum(axis=0)[None])[0]) if len(mine) else math.nan
        ends.append(None if math.isnan(values[j]) else resampled(features[mine], _spread, options, len(units)))
        told = _told(units.value[mine])
        for name, v in told.items():
            details[name].append(v)
        flags[j] = len(mine) >= ENOUGH and (told["distinct"] == 1 or values[j] < NARROW)
    if len(units) and (units.value == units.value[0]).all():
        flags[:] = False  # nobody found anything to tell apart
    return Judged(values, -values, ends, details, flags)


def _spread(totals: Array) -> Array:
    m, x, xx, n, s, q = np.moveaxis(totals, -1, 0)
    own = np.maximum(xx / np.maximum(m, 1) - (x / np.maximum(m, 1)) ** 2, 0.0)
    rest = np.maximum(q / np.maximum(n, 1) - (s / np.maximum(n, 1)) ** 2, 0.0)
    ok = (n > 0) & (rest > 1e-12 * np.maximum(q / np.maximum(n, 1), 1e-300))
    own = np.where(own > 1e-12 * np.maximum(xx / np.maximum(m, 1), 1e-300), own, 0.0)
    return np.where(ok, np.sqrt(own / np.where(ok, rest, 1.0)), math.nan)


def _told(values: Array) -> dict[str, Any]:
    if not len(values):
        return {"units": 0, "distinct": 0, "most_common": None, "share": math.nan, "low": None, "high": None}
    known, times = np.unique(values, return_counts=True)
    top = int(times.argmax())
    return {
        "units": len(values),
        "distinct": len(known),
        "most_common": float(known[top]),
        "share": float(times[top] / len(values)),
        "low": float(known[0]),
        "high": float(known[-1]),
    }


@method(
    "scores",
    "judges",
    "drift",
    range=(-math.inf, math.inf),
    higher="more lenient as time goes on",
    chance="0",
)
def drift(panel: Scores, units: Units, options: Options) -> Judged:
    """Change of a judge's shift from the median of the others, from the judge's first score in time to the last.

    Needs a column ``time``: numbers or ISO dates. Units that nobody else scored count with their plain score.
    """
    when = times(panel)[units.row] if units.row is not None else np.full(len(units), math.nan)
    shift = units.value - others_middle(units)
    values, p = np.full(len(units.judges), math.nan), np.full(len(units.judges), math.nan)
    ends: list[Interval | None] = []
    for j, rows in enumerate(units.by_judge()):
        mine = rows[~np.isnan(when[rows])]
        t, y = when[mine], shift[mine]
        span = float(np.ptp(t)) if len(t) else 0.0
        rng = stream(options.seed, "drift", units.criterion, units.judges[j])
        if len(mine) < 3 or span == 0:
            ends.append(None)
            continue
        t = (t - t.mean()) / span
        features = np.stack([np.ones(len(t)), t, y, t * t, t * y], axis=1)
        values[j] = _slope(features.sum(axis=0)[None])[0]
        ends.append(resampled(features, _slope, options, len(units)))
        tt = float((t * t).sum())
        drawn = np.abs([float(t @ rng.permutation(y)) / tt for _ in range(SHUFFLES)])
        p[j] = (int((drawn >= abs(values[j]) - 1e-12).sum()) + 1) / (SHUFFLES + 1)
    corrected = holm(p)
    details = {"units": np.bincount(units.judge, minlength=len(values)).tolist(), "p_holm": corrected.tolist()}
    usual = others_median(np.abs(values))  # a judge who drifts makes the others seem to drift the other way, a little
    flags = (corrected <= 0.05) & ~(np.abs(values) <= 2 * usual)
    return Judged(values, np.abs(values), ends, details, flags)


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


def times(panel: Scores) -> Array:
    """The panel's times as numbers: as they are, or seconds of ISO dates; NaN where there is none."""
    if "time" not in panel.labels:
        raise InputError(
            "no column 'time': drift cannot be seen.", "rename the column that says when: --rename OLD=time."
        )
    coded: Coded = panel.labels["time"]
    return np.array([_number(t) for t in coded.ids])[coded.codes]


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        pass
    try:
        date = datetime.fromisoformat(str(value))
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        raise InputError(f"time {value!r} is neither a number nor an ISO date.", "2024-05-31T14:00 is one.") from None
