"""What a method says of every judge on one criterion, and the sums it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import DRAWS, Interval, centred
from quorate.inference.results import Options
from quorate.panel.units import Units, rows_of
from quorate.scores.draws import times

Array = NDArray[Any]
ENOUGH = 5  # values below which nobody is flagged


@dataclass(frozen=True, eq=False)
class Judged:
    """A value per judge, with interval, details and whether the judge is flagged; ``bad`` orders them, worst first."""

    values: Array  # [judge]
    bad: Array  # [judge] the higher, the worse
    intervals: Sequence[Interval | None]
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # [judge] each
    flags: Array | None = None  # [judge]; None where the method flags nobody
    rows: Sequence[Mapping[str, Any]] | None = None  # finer rows, such as years: judge, labels, value, details
    notes: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Beside:
    """Each value that others' values of the same unit stand beside."""

    judge: Array
    value: Array
    others: Array  # mean of the other judges on the unit
    mass: Array  # how many judges gave the value

    def by_judge(self, judges: int) -> list[Array]:
        """Rows of each judge."""
        return rows_of(self.judge, judges)


def beside(units: Units) -> Beside:
    """The values with others beside them; of several judges behind a value one is looked at."""
    n, mass = units.held[units.unit], units.mass
    rows = np.flatnonzero(n > 1)
    total = np.bincount(units.unit, mass * units.value, units.size)[units.unit]
    others = (total - units.value)[rows] / (n[rows] - 1)
    return Beside(units.judge[rows], units.value[rows], others, mass[rows])


def surely_below(judged: Array, ends: Sequence[Interval | None], usual: Array) -> Array:
    """Whose interval ends below the others' usual value, widened so that of all judges together few are by chance."""
    normal, judges = NormalDist(), max(int(np.isfinite(judged).sum()), 1)
    out = np.zeros(len(judged), bool)
    for j, e in enumerate(ends):
        if e is not None:
            tail = (1 - e.level) / 2
            wider = normal.inv_cdf(1 - tail / judges) / normal.inv_cdf(1 - tail)
            out[j] = judged[j] + wider * (e.high - judged[j]) < usual[j]
    return out


def resampled(
    features: Array,
    of: Any,
    options: Options,
    total: int = 0,
    *,
    value: float | None = None,
    range: tuple[float, float] | None = None,
) -> Interval | None:
    """Interval of ``of(totals)`` over rows of features drawn with replacement, totals ``[resample, :]``.

    Around the value that all rows give, or around ``value`` where that is told, and as wide as so few rows ask for. It
    stays inside ``range``, or where that is not told, within what was drawn. ``total`` is the number of rows of all
    judges, whose resamples together are kept within bounds.
    """
    size = len(features)
    if size < 2 or (value is not None and math.isnan(value)):
        return None
    number = int(min(options.resamples, max(DRAWS // max(size, total), 100)))
    out = [of(part @ features) for part in times(options.seed, size, number)]
    if not out:
        return None
    drawn, seen = np.concatenate(out), float(of(features.sum(axis=0)[None])[0]) if value is None else value
    known = np.append(drawn[np.isfinite(drawn)], seen)
    inside = (float(known.min()), float(known.max())) if range is None else range
    return centred(seen, drawn, options.level, "items", size, inside)


def mean_of(totals: Array) -> Array:
    """The mean from totals of 1 and x."""
    return np.asarray(totals[:, 1] / np.maximum(totals[:, 0], 1.0))


def ones(x: Array) -> Array:
    """Rows of 1 and x."""
    return np.stack([np.ones(len(x)), x], axis=1)


def correlation(totals: Array) -> Array:
    """Pearson's r from totals of 1, x, y, x^2, y^2, x y along the last axis; NaN where one does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    vx, vy = n * xx - x * x, n * yy - y * y
    ok = (vx > 1e-12 * np.maximum(n * xx, 1e-300)) & (vy > 1e-12 * np.maximum(n * yy, 1e-300))
    root = np.sqrt(np.where(ok, vx, 1.0)) * np.sqrt(np.where(ok, vy, 1.0))
    return np.where(ok, np.clip((n * xy - x * y) / root, -1, 1), math.nan)


def moments(x: Array, y: Array) -> Array:
    """Rows of 1, x, y, x^2, y^2, x y, about the means."""
    x, y = x - (x.mean() if len(x) else 0), y - (y.mean() if len(y) else 0)
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def others_median(values: Array, behind: Array | None = None) -> Array:
    """The median of the other judges' values, for each judge, who may be one of several of that name.

    >>> others_median(np.array([1.0, 2, 5, np.nan])).tolist()
    [3.5, 3.0, 1.5, 2.0]
    """
    known = np.isfinite(values)
    order = np.flatnonzero(known)[np.argsort(values[known], kind="stable")]
    if not len(order):
        return np.full(len(values), math.nan)
    each = np.ones(len(order), np.int64) if behind is None else behind[order]
    ends = np.cumsum(each)
    place = np.full(len(values), ends[-1])  # of one judge of the name among all, sorted
    place[order] = ends - each
    left = ends[-1] - known

    def at(k: Array) -> Array:
        found = np.searchsorted(ends, k + (k >= place), side="right")
        return np.asarray(values[order[np.minimum(found, len(order) - 1)]])

    return np.where(left > 0, (at((left - 1) // 2) + at(left // 2)) / 2, math.nan)
