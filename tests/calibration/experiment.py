"""An experiment: a function of a seed that gives a few outcomes by name; their means over seeds are measured rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

SEED = 20_000  # of the first panel
PANELS = {"flags": 100, "power": 40, "null": 80, "coverage": 80, "needed": 40}  # of each experiment


@dataclass(frozen=True)
class Experiment:
    """One row of the page: what is promised, and a function of a seed that measures it."""

    section: str  # flags, power, null, coverage, needed
    kind: str
    setting: str
    run: Callable[[int], Mapping[str, float]]
    promise: float | None = None  # the rate that is promised
    cheap: bool = False  # whether a panel takes so little that three times as many are made

    @property
    def panels(self) -> int:
        """How many are made, unless told otherwise."""
        return (3 if self.cheap else 1) * PANELS[self.section]

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells experiments apart."""
        return self.section, self.kind, self.setting


def rng(seed: int) -> np.random.Generator:
    """The random numbers of one panel."""
    return np.random.default_rng(SEED + seed)
