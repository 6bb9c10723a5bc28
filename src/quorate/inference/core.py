"""What a trust method may ask of the core: draws, figures of any method, intervals and nulls.

A trust method is a function of a design and of a :class:`Core`, ``f(design, core, **parameters) -> Trusted``: it
weighs, deals or imitates panels by the core's means and has no random numbers or intervals of its own. The core is
handed in, so that a kind knows nothing of inference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.budget import Budget
from quorate.inference.engine import Figures, budget_of
from quorate.inference.estimate import Estimate, Interval, Null
from quorate.inference.null import null_of
from quorate.inference.results import Options
from quorate.inference.weights import drawn, interval, stream
from quorate.panel.design import Design
from quorate.table import Method

Array = NDArray[Any]
FULL = (-math.inf, math.inf)


@dataclass(frozen=True, eq=False)
class Trusted:
    """What a trust method says: rows by their keys, estimates, and notes; sentences are made of them elsewhere."""

    keys: Mapping[str, Sequence[Any]]
    values: Sequence[Any]
    estimates: Sequence[Estimate]
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Core:
    """The core as one trust method sees it."""

    options: Options

    @property
    def budget(self) -> Budget:
        """How much may be drawn."""
        return budget_of(self.options)

    def stream(self, *names: object) -> np.random.Generator:
        """A random generator for this purpose alone."""
        return stream(self.options.seed, *names)

    def figures(self, method: Method, design: Design) -> Figures:
        """The figures of any method, ready to be drawn."""
        return Figures.of(method, design)

    def interval(
        self, value: float, values: Array, over: str, units: int, range: tuple[float, float] = FULL
    ) -> Interval | None:
        """An interval from drawn values."""
        return interval(value, values, level=self.options.level, over=over, units=units, range=range)

    def null(self, values: Array, seen: float, sign: int = 1) -> Null | None:
        """What chance gives, from drawn values."""
        return null_of(values, seen, sign)

    def mean(
        self, values: Array, *names: object, range: tuple[float, float] = FULL, labels: Mapping[str, Any] | None = None
    ) -> Estimate:
        """The mean over tasks of what is defined, with its interval over tasks."""
        known = np.asarray(values, float)
        known = known[np.isfinite(known)]
        value = float(known.mean()) if len(known) else math.nan
        between = None
        if len(known) > 1:
            weights = drawn(len(known), self.budget.draws(len(known)), self.stream("tasks", *names))
            between = self.interval(value, weights @ known / len(known), "tasks", len(known), range)
        return Estimate(value, between, labels=dict(labels or {}), n=len(known))

    def tell(self, what: str, done: int, of: int) -> None:
        """Report progress to whoever listens."""
        self.options.tell(what, done, of)
