"""Intraclass correlations: how much of the variance of scores lies between units, with Shrout and Fleiss' six forms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import anova
from quorate.kernels.defined import quotient
from quorate.kernels.variance_components import components_of_copies, variance_components
from quorate.panel.coefficient import Coefficient
from quorate.panel.score_facts import inside, inside_by_task
from quorate.panel.units import Units, from_table
from quorate.table import Note, checked, choice, method, whole

Array = NDArray[Any]
COMPONENTS = 40  # steps that variance components take for every score
TOLD = ("units", "single", "judges", "values")  # what any coefficient tells


def _by_task(units: Units, model: int, unit: str) -> tuple[Array, dict[str, Any]]:
    """Each task's correlation with its F test, in the order of the tasks' codes."""
    if model == 1:
        found = [measure(part, model=model, unit=unit) for _, part in units.by_task()]
        names = found[0].details if found else ()
        return np.array([f.value for f in found]), {n: [f.details[n] for f in found] for n in names}
    values, told = _complete_tasks(units, model, unit)
    for k, (_, part) in enumerate(units.by_task()):
        if not told[k]:  # judges scored different units
            found = measure(part, model=model, unit=unit)
            values[k], told[k] = found.value, {n: v for n, v in found.details.items() if n not in TOLD}
    names = dict.fromkeys(n for t in told for n in t)
    return values, inside_by_task(units) | {n: [t.get(n) for t in told] for n in names}


def _complete_tasks(units: Units, model: int, unit: str) -> tuple[Array, list[dict[str, Any]]]:
    """Model 2 or 3 on each task of which all judges scored all units; tasks of one shape at once. Else it is NaN."""
    size = len(np.unique(units.task))
    values = np.full(size, math.nan)
    told: list[dict[str, Any]] = [{} for _ in range(size)]
    for tasks, table in _tables(units, size):
        squares = anova.two_way_tables(table)
        rows, judges = table.shape[1:]
        values[tasks] = correlation(squares, model, unit)
        test = tested(squares, rows, (rows - 1) * (judges - 1), model, unit)
        for k, each in zip(tasks.tolist(), test, strict=True):
            told[k] = {"complete_units": rows, **each}
    return values, told


def _tables(units: Units, size: int) -> Iterator[tuple[Array, Array]]:
    """Numbers of the complete tasks whose tables have one shape, and the tables, ``[task, unit, judge]``."""
    group = np.unique(units.task, return_inverse=True)[1].ravel()
    judges = len(units.judges)
    key = np.unique(group[units.unit] * np.int64(judges) + units.judge)
    there = np.bincount(key // max(judges, 1), minlength=size)  # judges of a task
    whole = (units.per_unit == there[group]) & (there[group] > 1)
    number = np.bincount(group, whole, size).astype(np.int64)
    every = number == np.bincount(group, units.per_unit > 0, size)
    shape = np.where(there > 1, there, 1) * np.int64(units.size + 1) + number
    kept = whole[units.unit]
    value, owner = units.value[kept], group[units.unit[kept]]  # sorted by task, unit and judge
    start = np.searchsorted(owner, np.arange(size))
    for each in np.unique(shape).tolist():
        tasks = np.flatnonzero((shape == each) & every)
        k, n = (int(x) for x in divmod(each, units.size + 1))
        cells = start[tasks][:, None] + np.arange(n * k)
        yield tasks, value[cells].reshape(len(tasks), n, k) if n else np.zeros((len(tasks), 0, k))


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
    interval="student",
    judges="apart",
    by_task=_by_task,
    at_once=lambda copies, model, unit: _of_copies(copies, model, unit),
    note=Note(
        "Numeric scores and a question like 'how reliable is the mean of our three judges?' (unit=mean).",
        "The models differ much: state which. Low when units hardly differ, even if judges agree to the point. Where "
        "judges scored different units, models 2 and 3 come from variance components of all units, without an F test.",
        "single, by mean squares: model 1 (U - W) / (U + (N - 1) W), model 2 (U - E) / (U + (N - 1) E + N (J - E) / "
        "n), model 3 (U - E) / (U + (N - 1) E); U between units, W within them, J between judges, E what is left; "
        "mean: (U - W) / U, (U - E) / (U + (J - E) / n), (U - E) / U; incomplete designs: s_u / (s_u + s_j + s_e), "
        "model 3 without s_j, mean with (s_j + s_e) / judges, s = variance components (Henderson's method 1)",
    ),
)
def measure(units: Units, *, model: int = 2, unit: str = "single") -> Coefficient:
    """Intraclass correlation: the share of the variance of scores that lies between units."""
    if model == 1:
        sums = units.sums()
        keep = sums.n > 1
        n1, s1, q1 = (np.where(keep, a, 0.0) for a in (sums.n, sums.s, sums.q))
        squares = anova.one_way(n1, s1, q1, np.ones((1, units.size)))

        def of(weights: Array) -> Array:
            return correlation(anova.one_way(n1, s1, q1, weights), model, unit)

        rows = int(keep.sum())
        freedom = int(n1.sum()) - rows
    else:
        place, table = complete(units)
        rows = len(table)
        if rows < int((units.per_unit > 0).sum()):
            return _incomplete(units, model, unit)
        squares = anova.two_way(table, np.ones((1, rows)))
        freedom = (rows - 1) * (table.shape[1] - 1)

        def of(weights: Array) -> Array:
            return correlation(anova.two_way(table, weights[:, place]), model, unit)

    details = {**inside(units), "complete_units": rows, **tested(squares, rows, freedom, model, unit)[0]}
    return Coefficient(of, units.size, details, 3 + len(units.judges))


def _of_copies(copies: Sequence[Units], model: int, unit: str) -> Array:
    """The correlation of every copy of a panel, ``[copy]``; without F tests, and in one pass where judges scored the
    same units in all."""
    units = copies[0]
    if model == 1 or any(copy.unit is not units.unit or copy.judge is not units.judge for copy in copies):
        return np.concatenate([measure(copy, model=model, unit=unit).once for copy in copies])
    values, place = np.stack([copy.value for copy in copies]), complete_units(units)
    if len(place) < int((units.per_unit > 0).sum()):
        parts = components_of_copies(values, (units.unit, units.judge))
        return _of_components(parts, _judges_a_unit(units, unit), model)
    tables = values.reshape(len(values), len(place), -1) if len(place) else values[:, :0, None]
    return correlation(anova.two_way_tables(tables), model, unit)


def _judges_a_unit(units: Units, unit: str) -> float:
    """How many judges score a unit, by their harmonic mean, where the mean of them is asked for; else one."""
    each = units.per_unit[units.per_unit > 0]
    return len(each) / float((1 / each).sum()) if unit == "mean" and len(each) else 1.0


def _incomplete(units: Units, model: int, unit: str) -> Coefficient:
    """Model 2 or 3 where judges scored different units: from the variance components of units, judges and the rest.

    The mean is that of as many judges as score a unit (their harmonic mean). There is no F test.
    """
    judges = _judges_a_unit(units, unit)

    def of(weights: Array) -> Array:
        parts = variance_components(units.value, (units.unit, units.judge), ((units.unit, weights),))
        return _of_components(parts, judges, model)

    parts = variance_components(units.value, (units.unit, units.judge))
    told = dict(zip(("unit", "judge", "residual"), parts[0].tolist(), strict=True))
    test = {"f": math.nan, "p": math.nan, "df": [0, 0], "f_interval": None}
    shared = int((units.per_unit > 1).sum())
    details = {**inside(units), "complete_units": shared, "components": told, **test}
    return Coefficient(of, units.size, details, COMPONENTS * len(units) // max(units.size, 1))


def _of_components(parts: Array, judges: float, model: int) -> Array:
    """The share of units in the variance of a score, or of the mean of so many; model 3 without that of judges."""
    unit, judge, left = parts.T
    rest = left + np.maximum(judge, 0.0) * (model == 2)
    return quotient(unit, np.maximum(unit, 0.0) + np.maximum(rest, 0.0) / judges)


def complete_units(units: Units) -> Array:
    """Numbers of the units that every judge scored (of those who scored any)."""
    there = int((np.bincount(units.judge, minlength=len(units.judges)) > 0).sum())
    return np.flatnonzero(units.per_unit == there) if there > 1 else np.zeros(0, np.int64)


def complete(units: Units) -> tuple[Array, Array]:
    """Numbers of the complete units, and their values ``[unit, judge]``."""
    place = complete_units(units)
    whole = np.zeros(units.size, bool)
    whole[place] = True
    rows = whole[units.unit]
    # Rows are sorted by unit and judge, so a complete unit's values lie in the order of the judges.
    judges = int(rows.sum()) // len(place) if len(place) else 1
    return place, units.value[rows].reshape(len(place), judges)


def correlation(m: anova.MeanSquares, model: int, unit: str) -> Array:
    """The coefficient from mean squares, of every table."""
    error = m.within if model == 1 else m.residual
    above = m.units - error
    many = (m.k - 1) * error if unit == "single" else 0.0
    shift = np.zeros_like(m.n)
    if model == 2:
        times = m.k if unit == "single" else 1.0
        shift = times * quotient(m.judges - error, m.n, otherwise=0.0)
    return quotient(above, m.units + many + shift) if np.ndim(above) else above


def tested(m: anova.MeanSquares, n: int, freedom: int, model: int, unit: str) -> list[dict[str, Any]]:
    """F test against 0 and the interval that goes with it, 95 %, for normal scores; of every table."""
    error = m.within if model == 1 else m.residual
    df = [max(n - 1, 0), max(freedom, 0)]
    ok = (error > 0) & (n > 1) & (freedom > 0)
    if not ok.any():
        return [{"f": math.nan, "p": math.nan, "df": list(df), "f_interval": None} for _ in ok]
    from scipy.special import fdtrc

    with np.errstate(all="ignore"):  # what is not ok is left aside below
        f = np.where(ok, m.units / np.where(ok, error, 1.0), math.nan)
        p = np.where(ok, fdtrc(n - 1, freedom, np.where(ok, f, 1.0)), math.nan)
        low, high = _ends(m, n, freedom, model, f, error)
        if unit == "mean":
            low, high = (np.where(1 + r * (m.k - 1) > 0, r * m.k / (1 + r * (m.k - 1)), math.nan) for r in (low, high))
    columns = zip(f.tolist(), p.tolist(), low.tolist(), high.tolist(), ok.tolist(), strict=True)
    return [{"f": a, "p": b, "df": list(df), "f_interval": [c, d] if known else None} for a, b, c, d, known in columns]


def _ends(m: anova.MeanSquares, n: int, freedom: int, model: int, f: Array, error: Array) -> tuple[Array, Array]:
    from scipy.special import fdtri

    k, units, judges = m.k, m.units, m.judges
    if model != 2:
        low, high = f / float(fdtri(n - 1, freedom, 0.975)), f * float(fdtri(freedom, n - 1, 0.975))
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
    r = correlation(m, 2, "single")
    ok = r < 1
    r = np.where(ok, r, 0.0)
    a, b = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    below = (a * judges) ** 2 / (k - 1) + (b * error) ** 2 / freedom
    # Agreement so far below 0 that the approximation has no freedom left is left open.
    ok &= (a * judges + b * error > 0) & (below > 0)
    v = np.where(ok, (a * judges + b * error) ** 2 / np.where(ok, below, 1.0), 1.0)
    f_low, f_high = fdtri(n - 1, v, 0.975), fdtri(v, n - 1, 0.975)
    rest = k * judges + (k * n - k - n) * error
    ok &= np.minimum(f_low * rest + n * units, rest + n * f_high * units) > 0
    low = np.where(ok, n * (units - f_low * error) / (f_low * rest + n * units), math.nan)
    return low, np.where(ok, n * (f_high * units - error) / (rest + n * f_high * units), math.nan)


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
    no more than a judge's error; can fall below 0. Values may be missing in any pattern: models 2 and 3 then rest on
    variance components of all items, and have no F test.

    >>> found = icc([[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]])
    >>> round(found.value, 2), [round(icc([[1, 2, 3], [2, 3, 4]], m).value, 2) for m in (1, 2, 3)]
    (0.29, [0.6, 0.67, 1.0])
    """
    how = checked("icc", "scores", "agreement", model=model, unit=unit)
    found = measure(from_table(scores), **how)
    d = found.details
    ends = None if d["f_interval"] is None else (d["f_interval"][0], d["f_interval"][1])
    return IntraClass(found.value, d["f"], (d["df"][0], d["df"][1]), d["p"], ends, d["complete_units"])
