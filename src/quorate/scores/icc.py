"""Intraclass correlations: how much of the variance of scores lies between units, with Shrout and Fleiss' six forms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import anova
from quorate.scores.coefficient import Coefficient, inside, share
from quorate.scores.units import Units, from_table
from quorate.table import checked, choice, method, whole

Array = NDArray[Any]


@method(
    "scores",
    "agreement",
    "icc",
    range=(-math.inf, 1),
    higher="more agreement",
    chance="0",
    default=True,
    reference="Shrout and Fleiss 1979; McGraw and Wong 1996",
    parameters={
        "model": whole(
            "1: other judges on every item; 2: judges stand for others; 3: these judges only", 1, 3, shown=True
        ),
        "unit": choice("reliability of one judge's score, or of the mean of all", "single", "mean", shown=True),
    },
    symmetric=True,
)
def measure(units: Units, *, model: int = 2, unit: str = "single") -> Coefficient:
    """Intraclass correlation: the share of the variance of scores that lies between units."""
    if model == 1:
        found = units.of_judges(np.arange(len(units.judges)))
        n = np.bincount(found.unit, minlength=found.size)
        sums = found.sums()
        keep = n > 1
        n1, s1, q1 = (np.where(keep, a, 0.0) for a in (n, sums.s, sums.q))
        squares = anova.one_way(n1, s1, q1, np.ones((1, units.size)))

        def of(weights: Array) -> Array:
            return _icc(anova.one_way(n1, s1, q1, weights), model, unit)

        rows = int(keep.sum())
        freedom = int(n[keep].sum()) - rows
    else:
        place, table = complete(units)
        rows = len(table)
        squares = anova.two_way(table, np.ones((1, rows)))
        freedom = (rows - 1) * (table.shape[1] - 1)

        def of(weights: Array) -> Array:
            return _icc(anova.two_way(table, weights[:, place]), model, unit)

    details = {**inside(units), "complete_units": rows, **_test(squares, rows, freedom, model, unit)}
    return Coefficient(of, units.size, details, 3 + len(units.judges))


def complete(units: Units) -> tuple[Array, Array]:
    """Numbers of the units that every judge scored (of those who scored any), and their values ``[unit, judge]``."""
    there = np.flatnonzero(np.bincount(units.judge, minlength=len(units.judges)))
    n = units.per_unit
    place = np.flatnonzero(n == len(there)) if len(there) > 1 else np.zeros(0, np.int64)
    rows = np.isin(units.unit, place)
    # Rows are sorted by unit and judge, so a complete unit's values lie in the order of the judges.
    return place, units.value[rows].reshape(len(place), max(len(there), 1))


def _icc(m: anova.MeanSquares, model: int, unit: str) -> Array:
    error = m.within if model == 1 else m.residual
    above = m.units - error
    many = (m.k - 1) * error if unit == "single" else 0.0
    shift = np.zeros_like(m.n)
    if model == 2:
        times = m.k if unit == "single" else 1.0
        shift = times * np.divide(m.judges - error, m.n, out=np.zeros_like(m.n), where=m.n > 0)
    return share(above, m.units + many + shift) if np.ndim(above) else above


def _test(m: anova.MeanSquares, n: int, freedom: int, model: int, unit: str) -> dict[str, Any]:
    """F test against 0 and the interval that goes with it, 95 %, for normal scores."""
    none = dict.fromkeys(("f", "p"), math.nan) | {"df": [max(n - 1, 0), max(freedom, 0)], "f_interval": None}
    error = float((m.within if model == 1 else m.residual)[0])
    if n < 2 or freedom < 1 or not error > 0:
        return none
    from scipy.special import fdtrc

    f = float(m.units[0]) / error
    low, high = _ends(m, n, freedom, model, f, error)
    k = float(m.k[0])
    if unit == "mean":
        low, high = (r * k / (1 + r * (k - 1)) if 1 + r * (k - 1) > 0 else math.nan for r in (low, high))
    return {"f": f, "p": float(fdtrc(n - 1, freedom, f)), "df": [n - 1, freedom], "f_interval": [low, high]}


def _ends(m: anova.MeanSquares, n: int, freedom: int, model: int, f: float, error: float) -> tuple[float, float]:
    from scipy.special import fdtri

    k, units, judges = float(m.k[0]), float(m.units[0]), float(m.judges[0])
    if model != 2:
        low, high = f / float(fdtri(n - 1, freedom, 0.975)), f * float(fdtri(freedom, n - 1, 0.975))
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
    r = float(_icc(m, 2, "single")[0])
    if not r < 1:
        return math.nan, math.nan
    a, b = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    below = (a * judges) ** 2 / (k - 1) + (b * error) ** 2 / freedom
    if a * judges + b * error <= 0 or below <= 0:  # agreement so far below 0 that the approximation has no freedom left
        return math.nan, math.nan
    v = (a * judges + b * error) ** 2 / below
    f_low, f_high = float(fdtri(n - 1, v, 0.975)), float(fdtri(v, n - 1, 0.975))
    rest = k * judges + (k * n - k - n) * error
    if min(f_low * rest + n * units, rest + n * f_high * units) <= 0:
        return math.nan, math.nan
    low = n * (units - f_low * error) / (f_low * rest + n * units)
    return low, n * (f_high * units - error) / (rest + n * f_high * units)


@dataclass(frozen=True, slots=True)
class IntraClass:
    """An intraclass correlation with its F test and the 95 % interval for normal scores."""

    value: float
    f: float
    df: tuple[int, int]
    p: float
    interval: tuple[float, float] | None
    units: int


def icc(scores: Any, model: int = 2, unit: str = "single") -> IntraClass:
    """Intraclass correlation of a table of judges x items.

    1 when the judges' scores of an item are equal (model 3: equal but for a shift of the judge), 0 when items differ
    no more than a judge's error; can fall below 0. ``model=1`` takes any pattern of missing values; 2 and 3 use the
    items that every judge scored.

    >>> found = icc([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]])
    >>> round(found.value, 2), [round(icc([[1, 2, 3], [2, 3, 4]], m).value, 2) for m in (1, 2, 3)]
    (0.29, [0.6, 0.67, 1.0])
    """
    how = checked("icc", "scores", "agreement", model=model, unit=unit)
    found = measure(from_table(scores), **how)
    d = found.details
    ends = None if d["f_interval"] is None else (d["f_interval"][0], d["f_interval"][1])
    return IntraClass(found.value, d["f"], (d["df"][0], d["df"][1]), d["p"], ends, d["complete_units"])
