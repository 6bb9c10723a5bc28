"""How many judges are said to be needed, against how many are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

import quorate as q
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import orderings


def needed(seed: int, items: int, noise: float, judges: int, target: float = 0.9) -> dict[str, float]:
    """How many judges are said to be needed over how many are, and whether the interval holds the number."""
    real = _needed(items, noise, target)
    panel = orderings(rng(seed), judges=judges, items=items, noise=noise)
    (o,) = q.trust(panel, f"judges_needed(target={target})", seed=seed).to_dict()["overall"]
    return _against(real, o)


@lru_cache(maxsize=16)
def _needed(items: int, noise: float, target: float) -> int:
    """The smallest number by drawing two panels of so many judges, many times."""
    generator = np.random.default_rng(11)

    def stability(k: int) -> float:
        found = []
        for _ in range(max(20, min(400, 40_000 // k))):
            seen = np.arange(items) + noise * generator.normal(size=(2, k, items))
            sums = seen.argsort(axis=2).argsort(axis=2).sum(axis=1)
            found.append(_rho(sums[0], sums[1]))
        return float(np.mean(found))

    low, high = 0, 1
    while stability(high) < target:
        low, high = high, 2 * high
    while high - low > max(1, high // 20):
        middle = (low + high) // 2
        low, high = (low, middle) if stability(middle) >= target else (middle, high)
    return high


def _rho(a: Any, b: Any) -> float:
    ranks = [((x[None] < x[:, None]).sum(axis=1) + ((x[None] == x[:, None]).sum(axis=1) - 1) / 2) for x in (a, b)]
    if not (ranks[0].std() and ranks[1].std()):
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def reliable(seed: int, items: int, noise: float, judges: int, target: float = 0.9) -> dict[str, float]:
    """The same of scores, whose mean of k judges is as reliable as Spearman and Brown say of these items."""
    generator = rng(seed)
    worth = generator.normal(size=items)
    real = math.ceil(target / (1 - target) * noise**2 / worth.var(ddof=1))
    seen = worth + noise * generator.normal(size=(judges, items))
    (o,) = q.trust(q.Scores.from_matrix(seen), f"judges_needed(target={target})", seed=seed).to_dict()["overall"]
    return _against(real, o)


def _against(real: int, o: Mapping[str, Any]) -> dict[str, float]:
    low, high = o["interval"] or (None, None)
    said = math.inf if o["value"] is None else o["value"]
    inside = (low or 1) <= real <= (math.inf if high is None else high)
    return {"within a factor of 2": real / 2 <= said <= 2 * real + 1, "held": inside}


def judges_needed() -> Iterator[Experiment]:
    """How many judges are needed."""
    for items, noise in ((5, 1.5), (8, 3.0), (10, 6.0)):
        for judges in (20, 200):
            run = partial(needed, items=items, noise=noise, judges=judges)
            setting = f"{items} items, noise {noise:g}, {judges} judges"
            yield Experiment("needed", "orderings", setting, run)
    for items, noise in ((20, 0.7), (60, 1.5)):
        for judges in (5, 20):
            setting = f"{items} items, noise {noise:g}, {judges} judges"
            run = partial(reliable, items=items, noise=noise, judges=judges)
            yield Experiment("needed", "scores", setting, run)
