"""How likely labels are right, put right: a model that weighs judges is surer than it is right.

What judges are like is itself learnt from their labels, which the model's own probabilities leave out of account. So
panels like this one are made, with judges as they were found to be and truths that are known; the same method labels
them; and how often it is right there, at each certainty, is what its certainty means here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.weights import stream
from quorate.kernels import latent_labels as kernel
from quorate.kernels import reliability
from quorate.panel.units import Units
from quorate.table import Method

Array = NDArray[Any]
LABELS = 1000  # labels of panels made, at least
PANELS = (2, 10)  # at least, if labels are not very many, and at most
MANY = 100_000  # labels given, from which on one panel tells
PRIOR = 10.0  # answers that what is usual among judges counts as, where their like is made
SURE = 8.0  # log odds beyond which nothing is told apart
FIRM = 4.0  # labels that count for the certainty's meaning what it says


def calibrated(method: Method, units: Units, certainty: Array, belief: Array, seed: int) -> Array:
    """How often labels of such a certainty are right, ``[unit]``; never less often than a label taken at random."""
    known, code = reliability.codes(units.value)
    if len(known) < 2 or units.size < 2:
        return certainty
    answers = kernel.Answers(units.unit, units.judge, code, units.mass, units.size, len(units.judges), len(known))
    usual = method.declaration.properties.get("usual")
    least, most = PANELS
    panels = 1 if len(units) > MANY else int(np.clip(-(-LABELS // units.size), least, most))
    said, right = [], []
    rng = stream(seed, "certainty", method)
    for _ in range(panels):
        weight = rng.exponential(size=units.size)  # judges as they may be: what they are like is known from few units
        share = weight @ belief / (weight @ belief).sum()
        confusion = kernel.shrunk_confusion(
            replace(answers, mass=units.mass * weight[units.unit]), belief, PRIOR, usual
        )
        truth = rng.choice(len(known), units.size, p=share)
        reach = confusion[units.judge, truth[units.unit]].cumsum(axis=1)[:, :-1]
        given = (rng.random(len(units))[:, None] > reach).sum(axis=1)
        found = method(replace(units, value=known[given]))
        said.append(found.facts["belief"].max(axis=1) if "belief" in found.facts else np.ones(units.size))
        right.append(found.array == known[truth])
    level, slope = fitted(log_odds(np.concatenate(said)), np.concatenate(right).astype(float))
    return np.maximum(1 / (1 + np.exp(-(level + slope * log_odds(certainty)))), 1 / len(known))


def log_odds(share: Array) -> Array:
    """Log odds, of shares kept off 0 and 1."""
    return np.asarray(np.clip(kernel.odds_of(share), -SURE, SURE))


def fitted(x: Array, right: Array) -> tuple[float, float]:
    """Level and slope of the log odds of being right, by Newton's steps; drawn a little towards 0 and 1.

    >>> level, slope = fitted(np.repeat([0.0, 2.0], 500), np.repeat([1.0, 0.0, 1.0, 0.0], [250, 250, 440, 60]))
    >>> abs(round(level, 1)), round(slope, 1)
    (0.0, 1.0)
    """
    found = np.array([0.0, 1.0])
    features = np.stack([np.ones(len(x)), x], axis=1)
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(features @ found, -30, 30)))
        slope = features.T @ (right - p) - FIRM * (found - [0.0, 1.0])
        bend = (features * (p * (1 - p))[:, None]).T @ features + FIRM * np.eye(2)
        step = np.linalg.solve(bend, slope)
        found = found + step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-12))
        if float(np.abs(step).max()) < 1e-9:
            break
    return float(found[0]), max(float(found[1]), 0.0)
