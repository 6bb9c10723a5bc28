"""What is off about a judge: level (bias, severity), noise, and whether scores move with those of the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import reliability as kernel
from quorate.panel import judge_cells as cells
from quorate.panel.coefficient import Coefficient
from quorate.panel.judge_cells import AdditiveByJudge, Known
from quorate.panel.units import Units
from quorate.scores.alpha import LEVEL, coefficient, drawn_without_each, without_each
from quorate.scores.judge_sums import beside, correlation, mean_of, ones, others_median
from quorate.scores.t_test import t_test
from quorate.table import Note, method

Array = NDArray[Any]


# -- sums over a judge's scores ----------------------------------------------------------------------------------------


def _shifts(units: Units, known: Known) -> tuple[Array, Array]:
    have = beside(units)
    shift = have.value - have.others
    return have.rows, np.stack([np.ones(len(shift)), shift, shift * shift], axis=1)


def _shift_tests(values: Array, sums: Array, known: Known) -> dict[str, list[Any]]:
    """p of every judge's mean shift being 0."""
    out, spread = [], known.spread
    for n, x, xx in sums.tolist():
        left = xx - x * x / max(n, 1)  # what is tiny beside the squares is rounding
        deviation = math.sqrt(left / (n - 1)) if n > 1 and left > 1e-12 * xx else 0.0
        out.append(t_test(x / n, deviation, int(n), int(n) - 1, spread) if n > 1 else math.nan)
    return {"p": out}


def _others(values: Array, sums: Array, known: Known) -> dict[str, list[Any]]:
    """What is usual among the other judges."""
    return {"others": others_median(values, known.behind).tolist()}


def _left(units: Units, known: Known) -> Array:
    """What the levels of unit and judge leave of each value."""
    flat = units.value - np.nan_to_num(known.effects)[units.judge]
    mean = np.bincount(units.unit, units.mass * flat, units.size) / np.maximum(units.held, 1)
    return np.asarray(flat - mean[units.unit])


def _harshness(units: Units, known: Known) -> tuple[Array, Array]:
    left = _left(units, known)
    harsh = -known.effects[units.judge] - left
    return np.arange(len(units)), np.stack([np.ones(len(left)), harsh, left], axis=1)


def _mean_harshness(totals: Array, whole: Array) -> Array:
    """Of all scores it is the judge's effect."""
    return np.asarray(mean_of(totals) + whole[2] / whole[0])


def _apart(known: Known) -> dict[str, bool]:
    return {"apart": len(np.unique(known.part[~np.isnan(known.effects)])) > 1}


def _squares_left(units: Units, known: Known) -> tuple[Array, Array]:
    n = units.held[units.unit]
    rows = np.flatnonzero(n > 1)
    square = _left(units, known)[rows] ** 2
    return rows, np.stack([1 - 1 / n[rows], square, np.ones(len(rows))], axis=1)


def _root_mean(totals: Array, whole: Array) -> Array:
    """Made up for the judge's shift, which is known from the same scores."""
    return np.asarray(np.sqrt(mean_of(totals) * (whole[2] / max(whole[2] - 1, 1))))


def _beside_others(units: Units, known: Known) -> tuple[Array, Array]:
    have = beside(units)
    x, y = have.value - known.centre, have.others - known.centre
    return have.rows, np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def _equal(units: Units, known: Known) -> tuple[Array, Array]:
    values, code = kernel.codes(units.value)
    n = units.held[units.unit]
    _, cell = np.unique(units.unit * np.int64(max(len(values), 1)) + code, return_inverse=True)
    times = np.bincount(cell.ravel(), units.mass)
    rows = np.flatnonzero(n > 1)
    return rows, ones((times[cell.ravel()] - 1)[rows] / (n[rows] - 1))


def _nothing(values: Array, sums: Array, known: Known) -> dict[str, list[Any]]:
    return {}


BIAS = AdditiveByJudge(_shifts, lambda totals, whole: mean_of(totals), _shift_tests, 3, first=True)
SEVERITY = AdditiveByJudge(_harshness, _mean_harshness, _nothing, 3, effects=True, about=_apart)
NOISE = AdditiveByJudge(_squares_left, _root_mean, _others, 3, count=2, least=2, effects=True)
PEER_CORRELATION = AdditiveByJudge(_beside_others, lambda totals, whole: correlation(totals), _others, 6)
PEER_AGREEMENT = AdditiveByJudge(_equal, lambda totals, whole: mean_of(totals), _others, 2)


# -- the methods ------------------------------------------------------------------------------------------------------


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
    by_judge=BIAS,
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
    return cells.coefficient(units, BIAS)


@method(
    "scores",
    "judges",
    "severity",
    range=(-math.inf, math.inf),
    higher="harsher than the mean judge",
    chance="0",
    sign=0,
    by_judge=SEVERITY,
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
    return cells.coefficient(units, SEVERITY)


@method(
    "scores",
    "judges",
    "noise",
    range=(0, math.inf),
    higher="less predictable scores",
    default=True,
    sign=-1,
    by_judge=NOISE,
    people=True,
    note=Note(
        "Who is unpredictable once the level of units and the judge's shift are taken out?",
        "A judge who uses the scale more widely looks noisy; see scale_use.",
        "standard deviation of x_ju - a_u - b_j, a and b by least squares, made up for a_u being a mean of few scores",
    ),
)
def noise(units: Units) -> Coefficient:
    """Standard deviation of a judge's scores after the unit's level and the judge's own shift are taken out."""
    return cells.coefficient(units, NOISE)


@method(
    "scores",
    "judges",
    "peer_correlation",
    range=(-1, 1),
    higher="more in step with the others",
    chance="0",
    default=True,
    by_judge=PEER_CORRELATION,
    people=True,
    note=Note(
        "Who goes with the others, whatever their level and range?",
        "Blind to shift and stretch, and undefined for one value throughout.",
        "Pearson's r of x_ju and the mean of the other judges",
    ),
)
def peer_correlation(units: Units) -> Coefficient:
    """Pearson correlation of a judge's scores with the mean of the others on the same units."""
    return cells.coefficient(units, PEER_CORRELATION)


@method(
    "scores",
    "judges",
    "peer_agreement",
    range=(0, 1),
    higher="more often the same score as another judge",
    by_judge=PEER_AGREEMENT,
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
    return cells.coefficient(units, PEER_AGREEMENT)


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
