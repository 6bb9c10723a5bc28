"""What is off about a judge: level (bias, severity), noise, and whether scores move with those of the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.kernels.additive import judge_effects
from quorate.panel.coefficient import Coefficient
from quorate.panel.units import Units
from quorate.scores.alpha import LEVEL, coefficient, drawn_without_each, without_each
from quorate.scores.judge_sums import (
    beside,
    correlation,
    from_sums,
    mean_of,
    moments,
    number_of,
    ones,
    others_median,
)
from quorate.scores.t_test import t_test
from quorate.table import Note, method

Array = NDArray[Any]


@method(
    "scores",
    "judges",
    "bias",
    range=(-math.inf, math.inf),
    higher="higher scores than the others give",
    chance="0",
    default=True,
    sign=0,
    holm=True,
    people=True,
    note=Note(
        "Everybody scored the same units: who is lenient, who harsh?",
        "Where judges scored different units, a judge of good work looks lenient only if the others of those units "
        "do not; use severity.",
        "mean over the judge's units of x_ju - mean of the other judges",
    ),
)
def bias(units: Units) -> Coefficient:
    """Mean shift of a judge's scores from the mean of the others on the same units; positive is lenient."""
    have = beside(units)
    shift = have.value - have.others
    mine = [shift[units.judge[have.rows] == j] for j in range(len(units.judges))]
    p = [t_test(x.mean(), x.std(ddof=1), len(x), len(x) - 1, units.spread) if len(x) > 1 else math.nan for x in mine]
    count = number_of(units, have.rows)
    of = from_sums(units, have.rows, ones(shift), mean_of)
    return Coefficient(of, units.size, {"units": count.tolist(), "p": p}, rests={"items": count})


@method(
    "scores",
    "judges",
    "severity",
    range=(-math.inf, math.inf),
    higher="harsher than the mean judge",
    chance="0",
    sign=0,
    people=True,
    note=Note(
        "Judges scored different units: who is harsh, units held equal?",
        "Judges must be connected through shared units; positive is harsh, the opposite sign of bias.",
        "-b_j in x_ju = a_u + b_j by least squares, mean of b zero",
    ),
)
def severity(units: Units) -> Coefficient:
    """How far below the mean judge a judge scores, units held equal by least squares; positive is harsh.

    Unlike bias it is fair where judges scored different units: a judge of poor work is not harsh for that.
    """
    effect, part, _ = _fit(units)
    left, rows = _left(units, effect), np.arange(len(units))
    count = number_of(units, rows)
    mean = np.bincount(units.judge, left, len(effect)) / np.maximum(count, 1)
    mine = -effect[units.judge] - (left - mean[units.judge])  # of each value how harsh it is
    apart = len(np.unique(part[~np.isnan(effect)])) > 1
    of = from_sums(units, rows, ones(mine), mean_of)
    return Coefficient(of, units.size, {"units": count.tolist()}, rests={"items": count}, about={"apart": apart})


@method(
    "scores",
    "judges",
    "noise",
    range=(0, math.inf),
    higher="less predictable scores",
    default=True,
    sign=-1,
    people=True,
    note=Note(
        "Who is unpredictable once the level of units and the judge's shift are taken out?",
        "A judge who uses the scale more widely looks noisy; see scale_use.",
        "standard deviation of x_ju - a_u - b_j, a and b by least squares, made up for a_u being a mean of few scores",
    ),
)
def noise(units: Units) -> Coefficient:
    """Standard deviation of a judge's scores after the unit's level and the judge's own shift are taken out."""
    effect, _, n = _fit(units)
    rows = np.flatnonzero(n[units.unit] > 1)
    count = number_of(units, rows)
    of_one = count / np.maximum(count - 1, 1)  # made up for the judge's shift
    square = _left(units, effect)[rows] ** 2 * of_one[units.judge[rows]]
    of = from_sums(units, rows, np.stack([1 - 1 / n[units.unit[rows]], square], axis=1), _root_mean, least=2)
    usual = others_median(of(np.ones((1, units.size)))[0], units.behind)
    return Coefficient(of, units.size, {"units": count.tolist(), "others": usual.tolist()}, rests={"items": count})


def _root_mean(totals: Array) -> Array:
    return np.sqrt(mean_of(totals))


@method(
    "scores",
    "judges",
    "peer_correlation",
    range=(-1, 1),
    higher="more in step with the others",
    chance="0",
    default=True,
    people=True,
    note=Note(
        "Who goes with the others, whatever their level and range?",
        "Blind to shift and stretch, and undefined for one value throughout.",
        "Pearson's r of x_ju and the mean of the other judges",
    ),
)
def peer_correlation(units: Units) -> Coefficient:
    """Pearson correlation of a judge's scores with the mean of the others on the same units."""
    have = beside(units)
    count = number_of(units, have.rows)
    of = from_sums(units, have.rows, moments(units, have.rows, have.value, have.others), correlation)
    usual = others_median(of(np.ones((1, units.size)))[0], units.behind)
    return Coefficient(of, units.size, {"units": count.tolist(), "others": usual.tolist()}, rests={"items": count})


@method(
    "scores",
    "judges",
    "peer_agreement",
    range=(0, 1),
    higher="more often the same score as another judge",
    people=True,
    note=Note(
        "Labels: how often do others say the same as this judge?",
        "Nearly equal numbers count as different; a judge who always says the most frequent label does well.",
        "mean over units of (other judges with the same score) / (other judges)",
    ),
)
def peer_agreement(units: Units) -> Coefficient:
    """Share of the other judges of a unit who gave the same score as this judge, averaged over the judge's units.

    1 when all others always say the same, 0 when nobody ever does. Made for labels; scores that are nearly the same
    count as different.
    """
    known, code = kernel.codes(units.value)
    n = units.held[units.unit]
    _, cell = np.unique(units.unit * np.int64(max(len(known), 1)) + code, return_inverse=True)
    times = np.bincount(cell.ravel(), units.mass)
    rows = np.flatnonzero(n > 1)
    equal = (times[cell.ravel()] - 1)[rows] / (n[rows] - 1)
    count = number_of(units, rows)
    of = from_sums(units, rows, ones(equal), mean_of)
    usual = others_median(of(np.ones((1, units.size)))[0], units.behind)
    return Coefficient(of, units.size, {"units": count.tolist(), "others": usual.tolist()}, rests={"items": count})


@method(
    "scores",
    "judges",
    "influence",
    range=(-math.inf, math.inf),
    higher="alpha needs this judge",
    parameters={"level": LEVEL},
    people=True,
    note=Note(
        "Would agreement rise without this judge?",
        "With three judges, leaving one out changes what alpha is about.",
        "alpha of all - alpha without the judge",
    ),
)
def influence(units: Units, *, level: str = "interval") -> Coefficient:
    """Alpha of all judges less alpha without this one; below 0 the others agree better without the judge.

    Judges who share a row are left out together.
    """
    whole, without = coefficient(units, level), without_each([units], level)[0]
    judges = len(without)
    details = {"alpha": [whole.value] * judges, "alpha_without": without.tolist()}
    of = drawn_without_each(units, level)

    def values(weights: Array) -> Array:
        if len(weights) == 1 and bool((weights == 1).all()):
            return np.asarray(whole.value - without[None])
        every, left = of(weights)
        return np.asarray(every[:, None] - left)

    pairs = int((units.held > 1).sum())  # units with one value say nothing of alpha
    return Coefficient(values, units.size, details, judges * whole.cost, {"items": np.full(judges, pairs)})


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
