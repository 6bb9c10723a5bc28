"""Panels of alike judges that no rule was made for: slips, counts, rare answers, wild ones, ties, short lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import quorate as q
from tests.calibration.simulated import Rng, columns_of

Array = NDArray[Any]
Size = tuple[int, int, int]  # tasks, judges, items


def _slips(rng: Rng, seen: Array, share: float, anything: Callable[[tuple[int, ...]], Array]) -> Array:
    """Answers of which a share is anything at all, the same of every judge."""
    return np.where(rng.random(seen.shape) < share, anything(seen.shape), seen)


def _rating(rng: Rng, worth: Array, size: Size) -> Array:
    """Scores from 1 to 7, one of twenty at random."""
    seen = np.clip(np.rint(4 + 1.3 * worth + 0.7 * rng.normal(size=size)), 1, 7)
    return _slips(rng, seen, 0.05, lambda shape: rng.integers(1, 8, size=shape))


def _counts(rng: Rng, worth: Array, size: Size) -> Array:
    """Minor errors and major ones, which count five times."""
    mean = np.broadcast_to(np.exp(worth - 0.5), size)
    return rng.poisson(mean) + 5 * rng.poisson(0.3 * mean)


def _rare(rng: Rng, worth: Array, size: Size) -> Array:
    """0, and seldom 1."""
    return (worth + 0.7 * rng.normal(size=size) > 1.5).astype(float)


def _wild(rng: Rng, worth: Array, size: Size) -> Array:
    """Large scores with large errors."""
    return np.exp(worth + 0.8 * rng.normal(size=size))


def _place_slips(rng: Rng, size: Size) -> Array:
    """One of ten items put anywhere."""
    seen = np.arange(size[2]) + rng.normal(size=size)
    return _slips(rng, seen, 0.1, lambda shape: rng.uniform(0, size[2], size=shape)).argsort(2).argsort(2) + 1


def _ties(rng: Rng, size: Size) -> Array:
    """Four places for all items."""
    return np.clip(np.rint((np.arange(size[2]) + 2.5 * rng.normal(size=size)) / 3), 0, 3) + 1


def _top(rng: Rng, size: Size) -> Array:
    """The first four; what is below has no place."""
    place = (np.arange(size[2]) + 2.5 * rng.normal(size=size)).argsort(2).argsort(2) + 1
    return np.where(place <= 4, place, 0)


SCORES = {"slips": _rating, "counts of errors": _counts, "a rare 1": _rare, "lognormal": _wild}
ORDERS = {"slips": _place_slips, "ties": _ties, "first four": _top}


def unseen(rng: Rng, kind: str, how: str, tasks: int, judges: int) -> q.Orderings | q.Scores:
    """A panel of judges who are all alike in one of these ways."""
    if kind == "orderings":
        place = ORDERS[how](rng, (tasks, judges, 10))
        columns, held = columns_of(place, "position"), (place > 0).ravel()
        return q.Orderings.build({n: [v for v, k in zip(c, held, strict=True) if k] for n, c in columns.items()})
    worth = rng.normal(size=(tasks, 1, 20))
    return q.Scores.build(columns_of(SCORES[how](rng, worth, (tasks, judges, 20)), "score"))
