"""Leaderboards of figures that are no means over tasks, such as strengths of votes: compared by the error of draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.board import ALPHA, drawn_differences, holm_pairs
from quorate.inference.engine import Figures
from quorate.inference.intervals import drawn_variance

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class PooledBoard:
    """Systems' figures, as they are and as drawn, and what tells every two apart."""

    value: Array  # [system]
    part: Array  # [system] systems of different parts were not compared, not even by way of others
    units: Array  # [system] drawn units that each rests on
    drawn: Array  # [draw, system]
    p: Array  # [system, system] corrected by Holm; NaN where nothing is told
    least: float  # the smallest that any two could have
    alpha: float = ALPHA  # below which two are told apart

    @classmethod
    def of(cls, figures: Figures, sample: tuple[str, Array, Array]) -> PooledBoard:
        """From figures and what was drawn of them.

        No p is below that of a sign test where every unit says the same: few units that agree by luck give draws that
        hardly spread. Of a single task with so few judges that nothing could be significant, nothing is told.
        """
        over, units, drawn = sample
        value, part = figures.value, figures.seen.about.get("part", np.zeros(len(figures.value)))
        floor = 2.0 ** (1.0 - float(units.max(initial=1)))
        p = drawn_differences(value, drawn, units)
        p = holm_pairs(np.where(part[:, None] == part, np.maximum(p, floor), math.nan))
        least = floor * float(np.isfinite(p).sum()) / 2
        if over in ("judges", "items") and least >= ALPHA:
            p, least = np.full(p.shape, math.nan), 0.0
        return cls(value, part, units, drawn, p, least)

    @property
    def open_pairs(self) -> int:
        """How many pairs of systems are not told apart, though they were compared: as many tests are left to pass."""
        open_ = ~(self.p < self.alpha) & (self.part[:, None] == self.part)
        return int(np.triu(open_, 1).sum())

    def variance(self, one: int, two: int) -> float:
        """That of the difference of two systems, by the draws; NaN where there are none."""
        apart = (self.drawn[:, one] - self.drawn[:, two])[:, None]
        return float(drawn_variance(apart, self.units_of(one, two)[None])[0][0]) if len(apart) else math.nan

    def units_of(self, one: int, two: int) -> Array:
        """How many units a comparison of two rests on."""
        return np.asarray(np.minimum(self.units[one], self.units[two]))
