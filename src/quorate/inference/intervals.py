"""Intervals of figures from what they are in every draw, or from the error that every unit alone makes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.estimate import Interval
from quorate.inference.weights import Draws, drawn
from quorate.kernels.tails import quantile, widening

Array = NDArray[Any]
ROOM = 1 << 18  # drawn figures whose intervals are found together
NEAR = 1e-12  # values that differ by rounding alone
FEW = 4  # units up to which an interval is Student's t


def interval(
    value: float,
    values: Array,
    *,
    level: float,
    over: str,
    units: int,
    range: tuple[float, float] = (-math.inf, math.inf),
    log: bool = False,
) -> Interval | None:
    """Drawn values moved until their mean is the value seen, and widened for few units.

    Always holds the value itself and stays inside ``range``. Moving matters where judges are drawn: one drawn twice
    agrees with himself, which pushes most figures of agreement up. ``log`` is for counts of patterns, which double with
    every item; and since fewer distinct judges never share fewer patterns, draws say nothing of how few others would
    share: the interval reaches as many times below the value as above it. None when fewer than two values are defined,
    or all are the same.
    """
    made, values = len(values), values[np.isfinite(values)]
    if len(values) < 2 or units < 2 or not math.isfinite(value):
        return None
    most = max(float(values.max()), value) if log else math.inf  # no panel drawn has more patterns
    seen = math.log1p(value) if log else value
    values = np.log1p(values) if log else values
    known, low, high = (each[0] for each in _reach(values[None], level, units))
    if not known:
        return None  # where all draws are the same nothing is known of how far others are
    low = min(low, -high) if log else low
    wide = widening(level, units)
    ends = np.array([seen + wide * min(float(low), 0.0), seen + wide * max(float(high), 0.0)])
    with np.errstate(over="ignore"):  # counts of patterns that no double holds
        ends = np.clip(np.expm1(ends) if log else ends, range[0], min(range[1], most))
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value), level, over, made)


def _reach(values: Array, level: float, units: int) -> tuple[Array, Array, Array]:
    """Whether values ``[figure, draw]`` differ from draw to draw, and how far below and above their mean they reach."""
    spread = values.std(axis=1)
    known = spread > NEAR * np.abs(values).max(axis=1)
    if units <= FEW:  # draws of so few take few values, whose ends say little: Student's t, by their spread
        reach = NormalDist().inv_cdf((1 + level) / 2) * spread
        return known, -reach, reach
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1) - values.mean(axis=1)
    return known, low, high


def intervals(
    value: Array,
    drawn: Array | Draws,
    units: Array,
    *,
    level: float,
    over: str,
    range: tuple[float, float],
    log: bool = False,
) -> list[Interval | None]:
    """The interval of every figure, of ``drawn[draw, figure]`` and the units that it rests on.

    As :func:`interval` of one by one, which those are that lack a draw; of the others a few thousand at a time.
    """
    out: list[Interval | None] = [None] * len(value)
    if not len(drawn):
        return out
    made = len(drawn)
    step = max(1, ROOM // made)
    for a in np.arange(0, len(value), step).tolist():
        some = slice(a, a + step)
        held = np.ascontiguousarray((drawn.some(some) if isinstance(drawn, Draws) else drawn[:, some]).T)
        whole = np.isfinite(held).all(axis=1) & np.isfinite(value[a : a + step]) & (made > 1)
        for n in np.unique(units[a : a + step]).tolist():
            mine = np.flatnonzero(units[a : a + step] == n)
            together = mine[whole[mine]] if n >= 2 and not log else mine[:0]
            for k in mine[~np.isin(mine, together)].tolist():
                how: Any = {"level": level, "over": over, "units": int(n), "range": range, "log": log}
                out[a + k] = interval(float(value[a + k]), held[k], **how)
            if len(together):
                known, low, high = _reach(held[together], level, n)
                seen, wide = value[a + together], widening(level, n)
                ends = np.stack([seen + wide * np.minimum(low, 0.0), seen + wide * np.maximum(high, 0.0)])
                ends = np.clip(ends, *range)
                low, high = np.minimum(ends[0], seen)[known].tolist(), np.maximum(ends[1], seen)[known].tolist()
                for k, one, other in zip((a + together[known]).tolist(), low, high, strict=True):
                    out[k] = Interval(one, other, level, over, made)
    return out


def agreeing(between: Interval, value: float, p: float, at: float = 0.0) -> Interval:
    """The interval as a test against the value ``at`` has it: without that value where p is small, else with it.

    >>> agreeing(Interval(-0.1, 0.9, 0.95, "systems", 999), 0.4, 0.03).low
    0.0
    """
    low, high = between.low, between.high
    if p > 1 - between.level + 1e-12:
        return replace(between, low=min(low, at), high=max(high, at))
    return replace(between, low=max(low, at) if value > at else low, high=min(high, at) if value < at else high)


def mean_interval(
    values: Array,
    rng: np.random.Generator,
    level: float,
    resamples: int,
    over: str = "tasks",
    range: tuple[float, float] = (-math.inf, math.inf),
    counts: Array | None = None,
) -> Interval | None:
    """The interval of a mean of units; undefined values are left aside, and of fewer than two there is none.

    ``counts`` say how many units each value stands for.
    """
    if counts is not None and (counts != 1).any():
        total = int(counts.sum())
        means = rng.multinomial(total, counts / total, resamples) @ values / total
        value = float(np.average(values, weights=counts))
        return interval(value, means, level=level, over=over, units=total, range=range) if total > 1 else None
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    means = drawn(len(values), resamples, rng) @ values / len(values)
    return interval(float(values.mean()), means, level=level, over=over, units=len(values), range=range)


def jackknife(
    value: float, without: Array, counts: Array, *, level: float, over: str, range: tuple[float, float]
) -> Interval | None:
    """From what a figure is without each unit, for figures that draws with replacement would flatter.

    ``counts`` says how many units each value stands for.
    """
    size, known = int(counts.sum()), np.isfinite(without)
    values, weight = without[known], counts[known]
    if len(values) < 2 or math.isnan(value):
        return None
    centre = np.average(values, weights=weight)
    error = math.sqrt((size - 1) / size * float((weight * (values - centre) ** 2).sum()))
    reach = quantile(level, size - 1) * error
    return Interval(max(value - reach, range[0]), min(value + reach, range[1]), level, over, len(without))


def jackknife_variance(without: Array) -> Array:
    """The variance of figures from what they are without each unit, ``[unit, figure]``; NaN of fewer than two."""
    known = np.isfinite(without)
    number = known.sum(axis=0)
    left = np.where(known, without - _mean(without), 0.0)
    return np.where(number > 1, (number - 1) / np.maximum(number, 1) * (left**2).sum(axis=0), math.nan)


def drawn_variance(drawn: Array, units: Array) -> tuple[Array, Array]:
    """The variance of figures from draws of so many units, made up for there being few, and the draws' mean."""
    known, mean = np.isfinite(drawn), _mean(drawn)
    number = known.sum(axis=0)
    left = np.where(known, drawn - mean, 0.0)
    found = (left**2).sum(axis=0) / np.maximum(number, 1) * units / np.maximum(units - 1, 1)
    return np.where(number > 1, found, math.nan), mean


def _mean(drawn: Array) -> Array:
    """The mean of what is defined, ``[figure]``."""
    known = np.isfinite(drawn)
    return np.asarray(np.where(known, drawn, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))


def student(
    value: float,
    variances: Sequence[tuple[float, int]],
    centre: float,
    *,
    level: float,
    over: str,
    draws: int,
    range: tuple[float, float],
) -> Interval | None:
    """Student's t about a figure that is no mean, such as a quotient of variances: its draws are skewed the wrong way.

    ``variances`` are those of each unit drawn, and how many units there are. What crossed units add, adds up (Cameron,
    Gelbach and Miller 2011, the safe side), with Satterthwaite's degrees of freedom. ``centre`` is the mean of the
    draws: as far as they lie to one side of the value the interval reaches farther to the other.
    """
    total = sum(v for v, _ in variances)
    if not math.isfinite(value) or not total > 0 or any(n < 2 for _, n in variances):
        return None  # where all draws are the same nothing is known of how far others are
    freedom = max(1, int(1 / sum((v / total) ** 2 / (n - 1) for v, n in variances) + 1e-9))  # of tiny ones, too
    reach, move = quantile(level, freedom) * math.sqrt(total), value - centre
    ends = np.clip([value - reach + min(move, 0.0), value + reach + max(move, 0.0)], *range)
    return Interval(min(float(ends[0]), value), max(float(ends[1]), value), level, over, draws)


def student_of_mean(values: Array, *, level: float, over: str) -> Interval | None:
    """Of a mean: where units are few and nothing is drawn; None of fewer than two."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return None
    mean, error = float(values.mean()), float(values.var(ddof=1)) / len(values)
    full = (-math.inf, math.inf)
    return student(mean, [(error, len(values))], mean, level=level, over=over, draws=0, range=full)


def percentiles(values: Array, level: float, over: str) -> Interval | None:
    """The middle share of drawn values; None when fewer than two are defined."""
    made, values = len(values), values[np.isfinite(values)]
    if len(values) < 2:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, over, made)


def corrected(value: float, drawn: Array, level: float, by: str) -> Interval | None:
    """The bias-corrected percentile interval: ends moved by how far the draws lie to one side of the value."""
    made, drawn = len(drawn), drawn[np.isfinite(drawn)]
    if len(drawn) < 2 or math.isnan(value):
        return None
    below = (np.count_nonzero(drawn < value) + 0.5 * np.count_nonzero(drawn == value)) / len(drawn)
    normal = NormalDist()
    shift = normal.inv_cdf(min(max(below, 0.5 / len(drawn)), 1 - 0.5 / len(drawn)))
    ends = [normal.cdf(2 * shift + normal.inv_cdf(q)) for q in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.quantile(drawn, ends)
    return Interval(float(low), float(high), level, by, made)


def interval_of_kind(
    kind: str, value: float, values: Array, *, level: float, over: str, units: int, range: tuple[float, float]
) -> Interval | None:
    """By percentiles, bias-corrected, or moved to the value and widened for so few units; an undefined value has none.

    The middle of the draws alone is what the literature of metrics reports; it may lie below the value.
    """
    if math.isnan(value):
        return None
    if kind == "centred":
        return interval(value, values, level=level, over=over, units=units, range=range)
    return corrected(value, values, level, over) if kind == "corrected" else percentiles(values, level, over)
