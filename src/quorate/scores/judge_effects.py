"""What is off about a judge: level (bias, severity), noise, and whether scores move with those of the others."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import centred, holm, stream
from quorate.inference.results import Options
from quorate.kernels import reliability as kernel
from quorate.kernels.additive import judge_effects
from quorate.panel.kinds import Scores
from quorate.panel.units import Units
from quorate.scores.alpha import LEVEL, coefficient, without_each
from quorate.scores.judged import (
    ENOUGH,
    Judged,
    beside,
    correlation,
    mean_of,
    moments,
    ones,
    others_median,
    resampled,
    surely_below,
)
from quorate.table import method

Array = NDArray[Any]
SHIFT = 0.5  # a flagged shift is at least so many standard deviations of the scores
WORTH = 0.02  # a flagged judge costs the panel at least so much alpha
TIMES = 1.5  # flagged noise is so many times the median of the other judges


@method(
    "scores",
    "judges",
    "bias",
    range=(-math.inf, math.inf),
    higher="higher scores than the others give",
    chance="0",
    default=True,
)
def bias(panel: Scores, units: Units, options: Options) -> Judged:
    """Mean shift of a judge's scores from the mean of the others on the same units; positive is lenient."""
    have = beside(units)
    shift = have.value - have.others
    spread = _deviation_of(have.value, have.mass)
    values, ends, p, reach = _nan(units), [], _nan(units), _reach(units)
    for j, rows in enumerate(have.by_judge(len(values))):
        mine = shift[rows]
        if len(mine):
            values[j] = mine.mean()
        ends.append(resampled(ones(mine), mean_of, options, len(units), value=float(values[j]), range=reach))
        p[j] = t_test(mine)
    corrected = holm(p, units.behind)
    several = units.behind[np.isfinite(values)].sum() > 2  # of two judges nobody can tell which one is off
    flags = (np.abs(values) >= SHIFT * spread) & (corrected <= 0.05) & several
    count = np.bincount(have.judge, minlength=len(values))
    details = {"units": count.tolist(), "p_holm": corrected.tolist()}
    return Judged(values, np.abs(values), ends, details, flags)


@method(
    "scores",
    "judges",
    "severity",
    range=(-math.inf, math.inf),
    higher="harsher than the mean judge",
    chance="0",
)
def severity(panel: Scores, units: Units, options: Options) -> Judged:
    """How far below the mean judge a judge scores, units held equal by least squares; positive is harsh.

    Unlike bias it is fair where judges scored different units: a judge of poor work is not harsh for that.
    """
    effect, part, _ = _fit(units)
    left, reach = _left(units, effect), _reach(units)
    ends = []
    for j, rows in enumerate(units.by_judge()):
        mine = -effect[j] - left[rows]  # of each value how harsh it is
        ends.append(resampled(ones(mine), mean_of, options, len(units), value=-float(effect[j]), range=reach))
    notes = []
    if len(np.unique(part[~np.isnan(effect)])) > 1:
        notes.append("severity: some judges share no unit with the rest, so they are compared among themselves only")
    count = np.bincount(units.judge, minlength=len(effect)).tolist()
    return Judged(-effect, np.abs(effect), ends, {"units": count}, None, None, notes)


def _deviation_of(values: Array, mass: Array) -> float:
    """Standard deviation of values, each of so many judges."""
    if not len(values):
        return math.nan
    return math.sqrt(float(np.average((values - np.average(values, weights=mass)) ** 2, weights=mass)))


def _reach(units: Units) -> tuple[float, float]:
    """How far a judge can be from others on the part of the scale that was used."""
    span = float(np.ptp(units.value)) if len(units) else 0.0
    return -span, span


@method(
    "scores",
    "judges",
    "noise",
    range=(0, math.inf),
    higher="less predictable scores",
    default=True,
)
def noise(panel: Scores, units: Units, options: Options) -> Judged:
    """Standard deviation of a judge's scores after the unit's level and the judge's own shift are taken out."""
    effect, _, n = _fit(units)
    left = _left(units, effect)
    room = 1 - 1 / np.maximum(n[units.unit], 1)
    values, ends = _nan(units), []
    count = np.bincount(units.judge, weights=n[units.unit] > 1, minlength=len(values))
    for j, rows in enumerate(units.by_judge()):
        mine = rows[n[units.unit[rows]] > 1]
        features = np.stack([left[mine] ** 2, room[mine]], axis=1)
        if len(mine) > 1:
            values[j] = _deviation(features.sum(axis=0)[None], len(mine))[0]
            of = partial(_deviation, size=len(mine))
            ends.append(resampled(features, of, options, len(units), value=float(values[j]), range=(0, math.inf)))
        else:
            ends.append(None)
    usual = others_median(values, units.behind)
    several = units.behind[np.isfinite(values)].sum() > 2  # of two judges nobody knows whose the noise is
    flags = (values > TIMES * usual) & (count >= ENOUGH) & several
    return Judged(values, values, ends, {"units": count.astype(int).tolist(), "others": usual.tolist()}, flags)


def _deviation(totals: Array, size: int) -> Array:
    return np.asarray(np.sqrt(totals[:, 0] / np.maximum(totals[:, 1], 1e-300) * size / max(size - 1, 1)))


@method(
    "scores",
    "judges",
    "peer_correlation",
    range=(-1, 1),
    higher="more in step with the others",
    chance="0",
    default=True,
)
def peer_correlation(panel: Scores, units: Units, options: Options) -> Judged:
    """Pearson correlation of a judge's scores with the mean of the others on the same units."""
    have = beside(units)
    values, ends = _nan(units), []
    for j, mine in enumerate(have.by_judge(len(values))):
        features = moments(have.value[mine], have.others[mine])
        values[j] = correlation(features.sum(axis=0))
        ends.append(resampled(features, correlation, options, len(units), value=float(values[j]), range=(-1, 1)))
    usual = others_median(values, units.behind)
    count = np.bincount(have.judge, minlength=len(values))
    flags = (values < usual / 2) & surely_below(values, ends, usual) & (count >= ENOUGH)
    return Judged(values, -values, ends, {"units": count.tolist(), "others": usual.tolist()}, flags)


@method(
    "scores",
    "judges",
    "influence",
    range=(-math.inf, math.inf),
    higher="alpha needs this judge",
    parameters={"level": LEVEL},
)
def influence(panel: Scores, units: Units, options: Options, *, level: str = "interval") -> Judged:
    """Alpha of all judges less alpha without this one; below 0 the others agree better without the judge.

    Judges who share a row are left out together.
    """
    whole = coefficient(units, level).value
    without = without_each(units, level)
    values = whole - without
    ends = _influence_intervals(units, values, options) if level == "interval" else [None] * len(values)
    high = np.array([e.high if e else math.nan for e in ends])
    details = {"alpha": [whole] * len(values), "alpha_without": without.tolist()}
    return Judged(values, -values, ends, details, (high < 0) & (values <= -WORTH))


def _influence_intervals(units: Units, values: Array, options: Options) -> list[Any]:
    """One set of resampled units for all judges; of each only what the judge's rows change is added up again."""
    size, judges = units.size, len(units.judges)
    if size < 2 or not options.resamples:
        return [None] * judges
    found, mass = units.sums(), units.mass
    parts, x = found.parts(), units.value - found.shift
    n, s, q = (a[units.unit] - mass * b for a, b in ((found.n, 1.0), (found.s, x), (found.q, x * x)))
    change = kernel.Sums(n, n, s, q).parts() - parts[units.unit]
    mine = units.by_judge()
    rng = stream(options.seed, "influence", units.criterion)
    number = int(min(options.resamples, max(10**8 // max(len(units), 1), 50)))
    step = max(1, (1 << 21) // size)
    drawn = []
    for a in range(0, number, step):
        rows = min(step, number - a)
        picked = rng.integers(size, size=(rows, size)) + np.arange(rows)[:, None] * size
        times = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size).astype(float)
        total = times @ parts
        left = np.stack([total + times[:, units.unit[r]] @ change[r] for r in mine], axis=1)
        drawn.append(kernel.alpha_of(total)[:, None] - kernel.alpha_of(left))
    seen = np.concatenate(drawn)
    pairs = int((units.held > 1).sum())  # units with one value say nothing of alpha
    reach = (-2.0, 2.0)  # of two values between -1 and 1
    return [centred(float(values[j]), seen[:, j], options.level, "items", pairs, reach) for j in range(judges)]


def _nan(units: Units) -> Array:
    return np.full(len(units.judges), math.nan)


def _fit(units: Units) -> tuple[Array, Array, Array]:
    """Judge effects by least squares (NaN for judges who share no unit), connected parts, judges a unit."""
    n, where = units.held, (units.unit, units.judge)
    effect, part = judge_effects(*where, units.value, units.size, len(units.judges), units.mass, units.behind)
    shared = np.bincount(units.judge, weights=n[units.unit] > 1, minlength=len(effect)) > 0
    return np.where(shared, effect, math.nan), part, n


def _left(units: Units, effect: Array) -> Array:
    """What the levels of unit and judge leave of each value."""
    flat = units.value - np.nan_to_num(effect)[units.judge]
    mean = np.bincount(units.unit, units.mass * flat, units.size) / np.maximum(units.held, 1)
    return np.asarray(flat - mean[units.unit])


def t_test(values: Array) -> float:
    """Two-sided p of a mean of 0."""
    size = len(values)
    if size < 2:
        return math.nan
    deviation = float(values.std(ddof=1))
    if deviation < 1e-12:
        return 1.0 if abs(float(values.mean())) < 1e-12 else 0.0
    from scipy.special import stdtr

    return float(2 * stdtr(size - 1, -abs(float(values.mean())) / (deviation / math.sqrt(size))))
