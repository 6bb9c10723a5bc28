"""How often would labels be right? Of so many judges an item, by the label that most give, and by a model of judges.

Assumed are judges who give the right label with one chance, else any other, and some who give any label at random. The
majority counts all alike. A model of the judges leaves out those who label at random, as soon as it knows who they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter

Array = NDArray[np.float64]
ITEMS = 20_000  # simulated for every number of judges
CELLS = 1 << 21  # votes for labels at a time


@dataclass(frozen=True)
class Labelling:
    """What is assumed: so many labels, how often a careful judge is right, and the share of judges who guess."""

    labels: int = 2
    right: float = 0.8
    careless: float = 0.1

    def __post_init__(self) -> None:
        if self.labels < 2:
            raise BadParameter(f"points={self.labels} labels are too few.", "two labels at least.")
        if not 1 / self.labels < self.right <= 1:
            fact = f"right={self.right} is out of range."
            raise BadParameter(fact, f"above {1 / self.labels:.2g}, which is guessing one of {self.labels}, up to 1.")
        if not 0 <= self.careless < 1:
            raise BadParameter(
                f"careless={self.careless} is out of range.", "a share of the judges, from 0 to below 1."
            )

    @classmethod
    def agreeing(cls, alpha: float, labels: int, careless: float) -> Labelling:
        """The judges of whom two agree by so large an alpha.

        >>> round(Labelling.agreeing(0.36, 2, 0.0).right, 3), round(Labelling.agreeing(0.25, 3, 0.2).right, 3)
        (0.8, 0.75)
        """
        beyond = alpha**0.5 / (1 - careless)  # chance, of a careful judge
        if beyond > 1:
            fact = f"alpha {alpha:g} is not reached where {careless:.0%} of judges guess."
            raise BadParameter(fact, f"{(1 - careless) ** 2:.2g} is, where all others are always right.")
        return cls(labels, (1 + (labels - 1) * beyond) / labels, careless)

    @property
    def alpha(self) -> float:
        """The agreement of two judges, where all labels are as frequent."""
        return float(((1 - self.careless) * (self.right - 1 / self.labels) / (1 - 1 / self.labels)) ** 2)

    def forecast(self, judges: int, rng: np.random.Generator) -> tuple[float, float]:
        """Of so many judges: how often more of them give the right label than any other, and how often a model that
        knows who guesses finds it. Where the model has a tie it takes one of the labels; a majority has none."""
        size = min(ITEMS, max(CELLS // self.labels, 1))
        careful = rng.binomial(judges, 1 - self.careless, size)
        wrong = (1 - self.right) / (self.labels - 1)
        known = rng.multinomial(careful, [self.right, *[wrong] * (self.labels - 1)])
        every = known + rng.multinomial(judges - careful, [1 / self.labels] * self.labels)
        most = known.max(axis=1)
        tied = (known == most[:, None]).sum(axis=1)
        majority = every[:, 0] > every[:, 1:].max(axis=1)
        return float(majority.mean()), float(((known[:, 0] == most) / tied).mean())
