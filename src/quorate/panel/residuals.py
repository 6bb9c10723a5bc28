"""Errors of alike judges: what is left of answers beside what is expected of them, resampled among those that are
expected nearly alike. At an end of a scale, or of an order, errors are others than in its middle; and a slip, of which
any judge may make one, is as large and as rare as it was."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
NEARBY = 2.0  # times the root of how many answers there are: those whose errors may be exchanged


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors in standard deviations, and of every answer which of them may be its own."""

    sorted: Array | None  # in the order of what is expected; None where there are none
    first: Array  # [answer] the first of those that may be its own
    near: int  # how many they are

    @classmethod
    def of(cls, expected: Array, left: Array) -> Errors:
        """What is left of every answer beside what is expected."""
        size = len(left)
        deviation = float(left.std()) if size else 0.0
        order = np.argsort(expected, kind="stable")
        near = min(max(int(NEARBY * math.sqrt(size)), 1), max(size, 1))
        first = np.clip(np.argsort(order, kind="stable") - near // 2, 0, max(size - near, 0))
        return cls(left[order] / deviation if deviation > 0 else None, first, near)

    def drawn(self, rng: np.random.Generator, copies: int = 1) -> Array:
        """One for every answer, ``[copy, answer]``; normal ones where there are none to draw."""
        size = (copies, len(self.first))
        if self.sorted is None:
            return rng.normal(size=size)
        return np.asarray(self.sorted[self.first + rng.integers(self.near, size=size)])
