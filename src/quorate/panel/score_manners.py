"""How strictly each judge scores, how much of the scale each uses, and how far each drifts in the course of time:
manners in which honest judges differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.panel.design import Manner
from quorate.panel.units import Units

Array = NDArray[Any]
SWEEPS, NEAR = 30, 1e-6  # of units and judges by turns, and what no longer matters beside the spread of scores
ROWS = 1 << 16  # scores of several copies that are looked at in one pass
STRETCHES = 4  # rounds of putting spreads right
ENOUGH = 5  # scores from which on a judge's spread says something
STEADY = 4  # judges without a drift that are known beforehand
FLAT = 0.02  # of the usual spread: a judge who uses as little of the scale uses none
WILD = 4.0  # usual errors, beyond which an answer is wild and no farther off
CLEARLY = 2.0  # times the variance that luck makes of levels, up to which they may be luck alone
NORMAL = 1.4826  # standard deviations in the median error, where errors are normal


@dataclass(frozen=True, eq=False)
class ScoreManners:
    """The level and the spread of every judge beside the others on the same units, and the scores without them."""

    units: Units  # as they were scored
    level: Array  # [judge]
    stretch: Array  # [judge] logarithm of the spread beside that of all
    levelled: Units  # every judge at the same level, with the same spread

    @classmethod
    def of(cls, units: Units) -> ScoreManners:
        """What can be told from units that several judges scored."""
        level, stretch, even = _evened([units])
        return cls(units, level[0], stretch[0], replace(units, value=even[0], even=True))

    def of_luck(self) -> Units:
        """The scores with levels taken out, but as much of them as few answers make by luck: who gets others' answers
        has levels of luck again, and would have too little to take out where theirs is gone. Where all of it may be
        luck, scores stay as they are; so do spreads, and a rating stays on its scale: that a judge gives one of two
        values only is luck, too."""
        level = self.manners[0]
        known = np.isfinite(level.value)
        apart = float(np.var(level.value[known])) if known.any() else 0.0
        luck = float(level.luck[known].mean()) if known.any() else 0.0
        share = 1.0 if apart <= CLEARLY * luck else math.sqrt(luck / apart)
        own = np.where(known, (1 - share) * self.level, 0.0)
        value = self.units.value - own[self.units.judge]
        return replace(self.units, value=self.units.on_scale(value) if self.units.rated else value)

    @property
    def manners(self) -> tuple[Manner, ...]:
        """How strictly every judge scores, how much of the scale each uses, how far each drifts."""
        units, level, even = self.units, self.level, self.levelled
        shared = units.per_unit[units.unit] > 1
        number = np.bincount(units.judge[shared], minlength=len(level))
        known = number > 0
        left = (even.value - even.means()[even.unit])[shared]
        noise = float(left @ left) / max(len(left) - len(np.unique(units.unit[shared])), 1)
        whole = float(even.value[shared].var()) if shared.any() else 0.0
        part = min(noise / whole, 1.0) if whole > 0 else 0.0
        often = np.where(known, 1 / np.maximum(number, 1), math.nan)
        cut = _cut(units, (units.value - level[units.judge])[shared], level)
        own = np.where(number >= ENOUGH, self.stretch - cut, math.nan)
        luck = (max(part - part**2 / 2, 0.0) + part**2 * _excess(left) / 4) * often
        found = [
            Manner(np.where(known, level, math.nan), noise * often, ("shifted", "shifted")),
            Manner(own, luck, ("compressed", "stretched")),
        ]
        if (when := units.times()) is not None:
            found.append(_drift(units.judge[shared], len(number), when[shared], left, noise))
        return tuple(found)


def _excess(left: Array) -> float:
    """How much heavier the tails of errors are than normal ones', as their kurtosis has it: wild answers, of which any
    judge may give one, widen a spread; 0 where they are not."""
    square = left**2
    return max(float((square @ square) * len(left) / square.sum() ** 2) - 3, 0.0) if square.sum() > 0 else 0.0


def levelled(copies: Sequence[Units]) -> Iterator[Units]:
    """Every copy of a panel with all judges at the same level, with the same spread; many in one pass."""
    step = max(1, ROWS // max(len(copies[0]), 1)) if copies else 1
    for some in (copies[k : k + step] for k in range(0, len(copies), step)):
        yield from (replace(copy, value=value, even=True) for copy, value in zip(some, _evened(some)[2], strict=True))


def _evened(copies: Sequence[Units]) -> tuple[Array, Array, Array]:
    """Levels and logarithms of spreads ``[copy, judge]``, and scores without them ``[copy, row]``.

    Copies have the same units with as many scores each; the scores or the judges' names are other ones. Where scores
    have no ends, a wild one, of which any judge may give one, says nothing of a manner, and is brought in.
    """
    first = copies[0]
    value, judge = np.stack([c.value for c in copies]), np.stack([c.judge for c in copies])
    shared = np.flatnonzero(first.per_unit[first.unit] > 1)
    if len(shared) and not (first.rated or first.even):
        value[:, shared] = _tamed(value[:, shared], first.unit[shared], judge[:, shared], len(first.judges))
    told = _Shared(first.unit[shared], np.take(judge, shared, axis=1), first.size, len(first.judges))
    level = told.levels(np.take(value, shared, axis=1), _spreads(value))
    flat = value - np.take_along_axis(level, judge, axis=1)
    stretch, middle, tells = told.stretches(np.take(flat, shared, axis=1))
    sure = stretch * told.certain(np.take(flat, shared, axis=1), stretch, tells)
    even = middle + (flat - middle) / np.take_along_axis(np.exp(sure), judge, axis=1)
    again = told.levels(np.take(even, shared, axis=1), _spreads(even))
    return level, stretch, even - np.take_along_axis(again, judge, axis=1)


def _tamed(value: Array, unit: Array, judge: Array, judges: int) -> Array:
    """The scores, none farther than so many usual errors from what its unit and its judge let expect."""
    usual = medians(value, np.broadcast_to(unit, value.shape), int(unit.max()) + 1)[:, unit]
    usual += np.take_along_axis(medians(value - usual, judge, judges), judge, axis=1)
    error = value - usual
    far = WILD * NORMAL * np.median(np.abs(error), axis=1, keepdims=True)
    return np.where(far > 0, usual + np.clip(error, -far, far), value)


def medians(value: Array, place: Array, size: int) -> Array:
    """The median of every copy's values by place, ``[copy, place]``; 0 where there are none.

    >>> medians(np.array([[3.0, 9.0, 4.0, 1.0]]), np.array([[0, 2, 2, 0]]), 3).tolist()
    [[2.0, 0.0, 6.5]]
    """
    every = (place + np.arange(len(value))[:, None] * size).ravel()
    ordered = value.ravel()[np.lexsort((value.ravel(), every))]
    number = np.bincount(every, minlength=len(value) * size)
    first = np.cumsum(number) - number
    most = len(ordered) - 1
    middle = [np.minimum(first + np.maximum(k, 0) // 2, most) for k in (number - 1, number)]
    found = (ordered[middle[0]] + ordered[middle[1]]) / 2
    return np.where(number > 0, found, 0.0).reshape(len(value), size)


def _spreads(value: Array) -> Array:
    """The standard deviation of every copy's scores, ``[copy]``; 1 where they do not vary."""
    found = value.std(axis=1) if value.shape[1] else np.zeros(len(value))
    return np.where(found > 0, found, 1.0)


@dataclass(frozen=True, eq=False)
class _Shared:
    """Who scored which of the units that several judges scored, in every copy of a panel."""

    unit: Array  # [row]
    judge: Array  # [copy, row]
    size: int  # units
    judges: int

    @cached_property
    def often(self) -> Array:
        """How many scores each unit has, ``[unit]``."""
        return np.maximum(np.bincount(self.unit, minlength=self.size), 1)

    @cached_property
    def number(self) -> Array:
        """How many scores each judge gave, ``[copy, judge]``."""
        return np.maximum(_sums(self.judge, None, self.judges), 1)

    def levels(self, value: Array, spread: Array) -> Array:
        """How far each judge scores above the others on the same units, ``[copy, judge]``: units and judges add up.

        By turns the levels of units and of judges are freed of one another, until nothing moves.
        """
        level = np.zeros(self.number.shape)
        moving = np.arange(len(value))
        for _ in range(SWEEPS):
            judge, own = self.judge[moving], value[moving]
            worth = _sums(self.unit, own - np.take_along_axis(level[moving], judge, axis=1), self.size) / self.often
            found = _sums(judge, own - np.take(worth, self.unit, axis=1), self.judges) / self.number[moving]
            moved = np.abs(found - level[moving]).max(axis=1, initial=0.0)
            level[moving] = found
            moving = moving[moved > NEAR * spread[moving]]
            if not len(moving):
                break
        return np.asarray(level - level.mean(axis=1, keepdims=True)) if self.judges else level

    def stretches(self, value: Array) -> tuple[Array, Array, Array]:
        """The logarithm of every judge's spread beside that of all on the same units, ``[copy, judge]``, about what
        point, ``[copy, 1]``, and who tells of spreads, ``[copy, judge]``: not who has none, or gave too few scores."""
        stretch = np.zeros(self.number.shape)
        middle = value.mean(axis=1, keepdims=True) if value.shape[1] else np.zeros((len(value), 1))
        enough = self.number >= ENOUGH
        own = value - middle
        spread = self._variance(own, own * own)
        for _ in range(STRETCHES):
            even = own / np.take_along_axis(np.exp(stretch), self.judge, axis=1)
            each = (_sums(self.unit, column, self.size) / self.often for column in (even, even * even))
            usual = self._variance(*(np.take(column, self.unit, axis=1) for column in each))
            ratio = quotient(spread, usual, otherwise=1.0)
            tells = enough & (ratio > FLAT**2)
            found = np.where(enough, np.log(np.maximum(ratio, FLAT**2)) / 2, 0.0)
            stretch = found - _means(found, tells)
        return stretch, middle, tells

    def certain(self, value: Array, stretch: Array, known: Array) -> Array:
        """Which part of how spreads differ is more than luck, ``[copy, 1]``: what is luck is not put right."""
        left = value - np.take(_sums(self.unit, value, self.size) / self.often, self.unit, axis=1)
        free = max(value.shape[1] - int((np.bincount(self.unit) > 0).sum()), 1)
        whole = value.var(axis=1) if value.shape[1] else np.zeros(len(value))
        part = np.minimum(quotient((left * left).sum(axis=1) / free, whole, otherwise=0.0), 1.0)
        each = part - part**2 / 2 + part**2 * np.array([_excess(x) for x in left]) / 4
        luck = each * _means(1 / self.number, known)[:, 0]
        apart = quotient((known * stretch**2).sum(axis=1), np.maximum(known.sum(axis=1) - 1, 1.0))
        return np.asarray(np.maximum(1 - quotient(luck, apart, otherwise=1.0), 0.0)[:, None])

    def _variance(self, value: Array, square: Array) -> Array:
        """The variance of every judge's values, from them and their squares."""
        mean, squares = (_sums(self.judge, column, self.judges) / self.number for column in (value, square))
        return np.asarray(np.maximum(squares - mean**2, 0.0))


def _sums(place: Array, value: Array | None, size: int) -> Array:
    """The sums of every copy's values by place, ``[copy, place]``; without values how many there are."""
    copies = len(place if value is None else value)
    every = (place + np.arange(copies)[:, None] * size).ravel()
    return np.bincount(every, None if value is None else value.ravel(), copies * size).reshape(copies, size)


def _means(value: Array, known: Array) -> Array:
    """The mean of what is known in every copy, ``[copy, 1]``; 0 where nothing is."""
    if known.all() and known.shape[1]:
        return np.asarray(value.mean(axis=1, keepdims=True))
    return np.array([[v[k].mean() if k.any() else 0.0] for v, k in zip(value, known, strict=True)])


def _drift(judge: Array, judges: int, when: Array, left: Array, noise: float) -> Manner:
    """How much each judge's scores rise beside the others' from the first to the last, per unit of time."""
    told = ~np.isnan(when)
    judge, when, left = judge[told], when[told], left[told]
    number = np.maximum(np.bincount(judge, minlength=judges), 1)
    time = when - (np.bincount(judge, when, judges) / number)[judge]
    time = time / (float(np.abs(time).max(initial=0.0)) or 1.0)
    weight = np.bincount(judge, time**2, judges)
    enough = (number >= ENOUGH) & (weight > 0)
    slope = np.where(enough, np.bincount(judge, time * left, judges) / np.where(enough, weight, 1.0), math.nan)
    return Manner(slope, noise / np.where(enough, weight, math.nan), ("drifting", "drifting"), usual=STEADY)


def _cut(units: Units, usual: Array, level: Array) -> Array:
    """What the ends of the scale take of every judge's spread, in logarithms, ``[judge]``: who is strict meets one."""
    if usual.size == 0 or usual.std() <= 0:
        return np.zeros(len(level))
    low, high = float(units.value.min()), float(units.value.max())
    left = np.array([np.clip(usual + own, low, high).std() for own in level.tolist()]) / usual.std()
    return np.asarray(np.log(np.maximum(left, FLAT)))
