"""Profiles of raters: camps whose judges see the same scores, each with normal errors of its own size.

A camp's score of a unit is the mean of its judges, as they are weighed, with the mean of all judges counted in as one
more judge; its error is what that leaves, and the wider the fewer judges there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
BEFOREHAND = 1.0  # judges at the mean of all, and scores with the spread of all


@dataclass(frozen=True, eq=False)
class Profiles:
    """Scores of every judge, freed of level and spread."""

    scores: Array  # [judge, unit], NaN where there is none

    def fit(self, weights: Array) -> Array:
        """The log-likelihood of every judge's scores in every camp, ``[camp, judge]``."""
        there = (~np.isnan(self.scores)).astype(float)
        x = np.where(there > 0, self.scores, 0.0)
        of, total = weights @ there, weights @ x
        every = quotient(total.sum(axis=0), of.sum(axis=0), otherwise=0.0)
        centre = (total + BEFOREHAND * every) / (of + BEFOREHAND)
        usual = float((there * (x - every) ** 2).sum() / max(there.sum(), 1.0)) or 1.0
        out = np.empty(weights.shape)
        for k, weight in enumerate(weights):
            square = there * (x - centre[k]) ** 2
            freedom = float((of[k] - of[k] / (of[k] + BEFOREHAND)).sum())
            spread = (float(weight @ square.sum(axis=1)) + BEFOREHAND * usual) / (max(freedom, 0.0) + BEFOREHAND)
            error = spread * (1 + 1 / (of[k] + BEFOREHAND))
            out[k] = -0.5 * (there * np.log(2 * np.pi * error) + square / error).sum(axis=1)
        return out
