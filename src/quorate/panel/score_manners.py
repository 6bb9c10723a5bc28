"""How strictly each judge scores, how much of the scale each uses, and how far each drifts in the course of time:
manners in which honest judges differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.design import Manner
from quorate.panel.units import Units

Array = NDArray[Any]
SWEEPS, NEAR = 30, 1e-6  # of units and judges by turns, and what no longer matters beside the spread of scores
STRETCHES = 4  # rounds of putting spreads right
ENOUGH = 5  # scores from which on a judge's spread says something
STEADY = 4  # judges without a drift that are known beforehand
FLAT = 0.02  # of the usual spread: a judge who uses as little of the scale uses none


@dataclass(frozen=True, eq=False)
class ScoreManners:
    """The level and the spread of every judge beside the others on the same units, and the scores without them."""

    units: Units  # as they were scored
    shared: Array  # [row] whether several judges scored its unit
    number: Array  # [judge] such rows
    level: Array  # [judge]
    stretch: Array  # [judge] logarithm of the spread beside that of all
    flat: Units  # every judge at the same level
    levelled: Units  # and with the same spread

    @classmethod
    def of(cls, units: Units) -> ScoreManners:
        """What can be told from units that several judges scored."""
        shared = units.per_unit[units.unit] > 1
        number = np.bincount(units.judge[shared], minlength=len(units.judges))
        level = _levels(units, shared)
        flat = _moved(units, level)
        stretch, middle = _stretches(flat, shared, number)
        even = replace(flat, value=middle + (flat.value - middle) / np.exp(stretch)[flat.judge])
        return cls(units, shared, number, level, stretch, flat, _moved(even, _levels(even, shared)))

    @property
    def manners(self) -> tuple[Manner, ...]:
        """How strictly every judge scores, how much of the scale each uses, how far each drifts."""
        units, shared, number, even = self.units, self.shared, self.number, self.levelled
        known = number > 0
        left = (even.value - even.means()[even.unit])[shared]
        noise = float(left @ left) / max(len(left) - len(np.unique(units.unit[shared])), 1)
        whole = float(even.value[shared].var()) if shared.any() else 0.0
        part = min(noise / whole, 1.0) if whole > 0 else 0.0
        often = np.where(known, 1 / np.maximum(number, 1), math.nan)
        cut = _cut(units, self.flat.value[shared], self.level)
        own = np.where(number >= ENOUGH, self.stretch - cut, math.nan)
        luck = max(part - part**2 / 2, 0.0) * often
        found = [
            Manner(np.where(known, self.level, math.nan), noise * often, ("shifted", "shifted")),
            Manner(own, luck, ("compressed", "stretched")),
        ]
        if (when := units.times()) is not None:
            found.append(_drift(units.judge[shared], len(number), when[shared], left, noise))
        return tuple(found)


def _moved(units: Units, level: Array) -> Units:
    """Every judge's level taken away."""
    return replace(units, value=units.value - level[units.judge])


def _levels(units: Units, shared: Array) -> Array:
    """How far each judge scores above the others on the same units, ``[judge]``: units and judges add up.

    By turns the levels of units and of judges are freed of one another, until nothing moves.
    """
    unit, judge, value, judges = units.unit[shared], units.judge[shared], units.value[shared], len(units.judges)
    often, number = np.maximum(units.per_unit, 1), np.maximum(np.bincount(judge, minlength=judges), 1)
    level = np.zeros(judges)
    for _ in range(SWEEPS):
        worth = np.bincount(unit, value - level[judge], units.size) / often
        found = np.bincount(judge, value - worth[unit], judges) / number
        moved = float(np.abs(found - level).max(initial=0.0))
        level = found
        if moved <= NEAR * units.spread:
            break
    return np.asarray(level - level.mean()) if judges else level


def _stretches(units: Units, shared: Array, number: Array) -> tuple[Array, float]:
    """The logarithm of every judge's spread beside that of all on the same units, ``[judge]``, and about what point."""
    unit, judge, value, judges = units.unit[shared], units.judge[shared], units.value[shared], len(units.judges)
    stretch, middle = np.zeros(judges), float(value.mean()) if len(value) else 0.0
    often, number = np.maximum(units.per_unit, 1), np.maximum(number, 1)
    enough = number >= ENOUGH

    own = value - middle
    spread = _variance(judge, number, own, own * own)
    for _ in range(STRETCHES):
        even = own / np.exp(stretch)[judge]
        mean, square = (np.bincount(unit, column, units.size)[unit] / often[unit] for column in (even, even * even))
        usual = _variance(judge, number, mean, square)
        ratio = np.divide(spread, usual, out=np.ones(judges), where=usual > 0)
        found = np.where(enough, np.log(np.maximum(ratio, FLAT**2)) / 2, 0.0)
        stretch = found - (found[enough].mean() if enough.any() else 0.0)
    return stretch, middle


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


def _variance(judge: Array, number: Array, value: Array, square: Array) -> Array:
    """The variance of every judge's values, from them and their squares."""
    mean, squares = (np.bincount(judge, column, len(number)) / number for column in (value, square))
    return np.asarray(np.maximum(squares - mean**2, 0.0))
