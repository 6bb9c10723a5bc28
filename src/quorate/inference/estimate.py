"""An estimate: the only thing that is ever shown, tested against another, or stored.

A value, its interval (what other tasks or judges like these would give), its null (what chance gives, and how often
chance gets as far), how many units it rests on, and the Monte Carlo error of what was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a value would lie on other units like these."""

    low: float
    high: float
    level: float
    over: str  # the units that were drawn: tasks, judges, items, systems, or two of them crossed
    draws: int

    @property
    def ends(self) -> list[float]:
        """Both ends, as in the JSON."""
        return [self.low, self.high]

    @property
    def by(self) -> str:
        """What was drawn."""
        return self.over

    @property
    def resamples(self) -> int:
        """How many draws there were."""
        return self.draws


@dataclass(frozen=True, slots=True)
class Null:
    """What chance gives, and how often it reaches the value seen."""

    value: float
    p: float
    draws: int  # 0 where the distribution is known

    @property
    def permutations(self) -> int:
        """How many draws there were."""
        return self.draws


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval and its null; ``labels`` say whose it is and what belongs to it."""

    value: float | int
    interval: Interval | None = None
    null: Null | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)
    n: int = 0  # units it rests on
    error: float = 0.0  # Monte Carlo error of the interval's ends
    least: float = 0.0  # of a leaderboard: no comparison could have a smaller p

    @property
    def ends(self) -> list[float] | None:
        """Both ends of the interval, as in the JSON."""
        return self.interval.ends if self.interval else None

    @property
    def chance(self) -> Null | None:
        """The null."""
        return self.null
