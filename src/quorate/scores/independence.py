"""Are the judges independent? Near-duplicates, errors made together, and how many independent judges a panel is worth.

An error is a judge's score less the mean of a reference: the humans where ``judge_kind`` tells them, else the judges
other than the two compared. The reference's own noise, which would pass for a shared error, is taken out. Without
humans an error that all judges share cannot be seen.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import LimitReached
from quorate.inference.resample import Interval, percentiles, stream
from quorate.inference.results import Options
from quorate.kernels import reliability as kernel
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores.alternative import kinds
from quorate.scores.judged import ENOUGH, Judged
from quorate.table import method, share

Array = NDArray[Any]
TYPICAL = 0.8  # where two judges usually agree more often than this, equal scores tell nothing
ALL = 5000  # judges whose scores are compared, two by two
MOST = 200  # judges whose errors are compared, two by two


@method(
    "scores",
    "judges",
    "copies",
    range=(0, 1),
    higher="more like another judge",
    parameters={"least": share("share of equal scores from which two judges are called near-duplicates")},
)
def copies(panel: Scores, units: Units, options: Options, *, least: float = 0.95) -> Judged:
    """Share of equal scores with the judge most alike, on the units that both scored."""
    if len(units.judges) > ALL:
        raise LimitReached(
            f"{len(units.judges):,} judges are too many to compare two by two.", f"at most {ALL:,}: leave some out."
        )
    same, both = equal_scores(units)
    rate = np.divide(same, both, out=np.full(same.shape, math.nan), where=both >= ENOUGH)
    np.fill_diagonal(rate, math.nan)
    known = rate[np.isfinite(rate)]
    usual = float(np.median(known)) if len(known) else math.nan
    values = np.full(len(rate), math.nan)
    nearest: list[Any] = [None] * len(rate)
    shared = [0] * len(rate)
    ends: list[Interval | None] = []
    for j, row in enumerate(rate):
        if not np.isfinite(row).any():
            ends.append(None)
            continue
        k = int(np.nanargmax(row))
        values[j], nearest[j], shared[j] = row[k], units.judges[k], int(both[j, k])
        ends.append(wilson(int(same[j, k]), shared[j], options.level))
    varies = np.array([len(np.unique(units.value[rows])) > 1 for rows in units.by_judge()])
    others = known[known < least]
    flags = (values >= least) & varies & (len(others) == 0 or float(np.median(others)) < TYPICAL)
    if not len(others):
        flags[:] = False  # everybody agrees with everybody: that is agreement, not copying
    details = {"nearest": nearest, "units": shared, "median_pair": [usual] * len(rate)}
    return Judged(values, values, ends, details, flags)


def equal_scores(units: Units) -> tuple[Array, Array]:
    """``[judge, judge]``: units that both gave the same score, and units that both scored."""
    from scipy.sparse import csr_array

    judges = len(units.judges)
    known, code = kernel.codes(units.value)
    _, cell = np.unique(units.unit * np.int64(max(len(known), 1)) + code, return_inverse=True)
    one = np.ones(len(units))
    size = int(cell.max(initial=-1)) + 1
    at_value = csr_array((one, (units.judge, cell.ravel())), shape=(judges, size))
    at_unit = csr_array((one, (units.judge, units.unit)), shape=(judges, max(units.size, 1)))
    return (at_value @ at_value.T).toarray(), (at_unit @ at_unit.T).toarray()


def wilson(hits: int, of: int, level: float = 0.95) -> Interval | None:
    """Wilson's interval of a share; None of nothing.

    >>> found = wilson(8, 10)
    >>> round(found.low, 3), round(found.high, 3)
    (0.49, 0.943)
    """
    if of < 1:
        return None
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    p, room = hits / of, 1 + z * z / of
    middle, half = (p + z * z / (2 * of)) / room, z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / room
    return Interval(max(middle - half, 0.0), min(middle + half, 1.0), level, "Wilson", 0)


@method(
    "scores",
    "judges",
    "independence",
    range=(-1, 1),
    higher="errors shared with the other judges",
    chance="0",
    reference="effective number of judges: Kish 1965",
)
def independence(panel: Scores, units: Units, options: Options) -> Judged:
    """Mean correlation of a judge's errors with those of the other judges; the panel's effective number of judges."""
    humans, of = (None, np.arange(len(panel.judges)))
    if "judge_kind" in panel.labels:
        humans, of = kinds(panel)
    blind = "independence: without human judges, errors that all share cannot be seen, and near-copies count too little"
    notes = [] if humans is not None else [blind]
    if len(of) > MOST:
        of = np.sort(stream(0, "independence").choice(of, MOST, replace=False))
        notes.append(f"independence: {MOST} judges drawn at random")
    pairs = _pairs(units, of, humans)
    if not pairs:
        needs = "two humans beside two models" if humans is not None else "four judges (without humans)"
        notes.append(f"independence: undefined; at least {needs} must have scored three of the same items")
    one = np.ones((1, units.size))
    r = np.full((len(panel.judges),) * 2, math.nan)
    for a, b, unit, features in pairs:
        r[a, b] = r[b, a] = error_correlation(one[:, unit] @ features)[0]
    known = np.isfinite(r)
    count = known.sum(axis=1)
    values = np.divide(np.where(known, r, 0).sum(axis=1), count, out=np.full(len(r), math.nan), where=count > 0)
    effective, around = _effective(pairs, units, len(of), options)
    details: dict[str, list[Any]] = {
        "pairs": count.tolist(),
        "panel": [len(of)] * len(r),
        "against": ["humans" if humans is not None else "other judges"] * len(r),
        "effective_judges": [effective] * len(r),
        "effective_interval": [around and [around.low, around.high]] * len(r),
    }
    return Judged(values, values, [None] * len(r), details, None, None, notes)


def _pairs(units: Units, of: Array, humans: Array | None) -> list[tuple[int, int, Array, Array]]:
    """Of every two judges: shared units with a reference of at least two values, and what their errors add up to."""
    matrix_rows = {int(j): np.flatnonzero(units.judge == j) for j in of.tolist()}
    base = units if humans is None else units.of_judges(humans)
    shift = kernel.centre(base.value)
    x = base.value - shift
    n = np.bincount(base.unit, minlength=units.size).astype(float)
    s, q = np.bincount(base.unit, x, units.size), np.bincount(base.unit, x * x, units.size)
    out = []
    judges = [j for j in matrix_rows if len(matrix_rows[j])]
    for k, a in enumerate(judges):
        for b in judges[k + 1 :]:
            unit, at, bt = np.intersect1d(
                units.unit[matrix_rows[a]], units.unit[matrix_rows[b]], True, return_indices=True
            )
            va, vb = units.value[matrix_rows[a][at]] - shift, units.value[matrix_rows[b][bt]] - shift
            m, t, p = n[unit], s[unit], q[unit]
            if humans is None:
                m, t, p = m - 2, t - va - vb, p - va**2 - vb**2
            keep = np.flatnonzero(m > 1)
            if len(keep) < 3:
                continue
            m, t, p, va, vb = m[keep], t[keep], p[keep], va[keep], vb[keep]
            mean = t / m
            wobble = np.maximum(p - t * mean, 0) / (m - 1) / m
            ea, eb = va - mean, vb - mean
            features = np.stack([np.ones(len(ea)), ea, eb, ea * ea, eb * eb, ea * eb, wobble], axis=1)
            out.append((a, b, unit[keep], features))
    return out


def error_correlation(totals: Array) -> Array:
    """Correlation of errors from their totals, less what the reference's noise adds to both."""
    n = np.maximum(totals[:, 0], 1.0)
    a, b, aa, bb, ab, wobble = (totals[:, 1:] / n[:, None]).T
    va, vb, cov = aa - a * a - wobble, bb - b * b - wobble, ab - a * b - wobble
    ok = (totals[:, 0] > 2) & (va > 1e-12) & (vb > 1e-12)
    return np.where(ok, np.clip(cov / np.sqrt(np.where(ok, va * vb, 1.0)), -1, 1), math.nan)


def _effective(
    pairs: list[tuple[int, int, Array, Array]], units: Units, judges: int, options: Options
) -> tuple[float, Interval | None]:
    """How many independent judges the panel is worth, judges / (1 + (judges - 1) mean r), from 1 to their number."""
    if not pairs:
        return math.nan, None
    work = sum(len(unit) for _, _, unit, _ in pairs)
    number = int(min(options.resamples, max(5 * 10**7 // max(work, 1), 50)))
    rng = stream(options.seed, "independence", units.criterion)
    size = units.size
    step = max(1, (1 << 21) // size)
    value, drawn = float(_worth(pairs, np.ones((1, size)), judges)[0]), [np.zeros(0)]
    for a in range(0, number, step):
        rows = min(step, number - a)
        picked = rng.integers(size, size=(rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
        drawn.append(_worth(pairs, times, judges))
    return value, percentiles(np.concatenate(drawn), options.level, "items")


def _worth(pairs: list[tuple[int, int, Array, Array]], weights: Array, judges: int) -> Array:
    each = np.array([error_correlation(weights[:, unit] @ features) for _, _, unit, features in pairs])
    known = np.isfinite(each)
    mean = np.where(known, each, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    worth = np.clip(judges / np.maximum(1 + (judges - 1) * mean, 1e-9), 1.0, float(judges))
    return np.where(known.any(axis=0), worth, math.nan)
