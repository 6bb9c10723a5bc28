"""What every coefficient of agreement is here: a function of how often each unit counts.

Once for each unit it is the value; as often as a bootstrap draws it, a resample's value. Most coefficients need only
sums over units, so that a thousand resamples are one product of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.resample import DRAWS, Interval, centred
from quorate.scores.draws import times
from quorate.scores.units import Units

Array = NDArray[Any]
CELLS = 1 << 22  # numbers of a block of resamples
WORK = 4 * 10**8  # steps spent on one interval, about
FEWEST = 100  # resamples, however long they take


@dataclass(frozen=True, eq=False)
class Coefficient:
    """A coefficient on some units."""

    of: Callable[[Array], Array]  # weights[resample, unit] -> value of each resample
    size: int  # units
    details: Mapping[str, Any] = field(default_factory=dict)
    cost: int = 1  # steps per unit and resample, about

    @property
    def value(self) -> float:
        """On the units as they are; NaN where it is undefined."""
        return float(self.of(np.ones((1, self.size)))[0])

    def drawn(
        self, rng: np.random.Generator, resamples: int, blocks: Array | None = None, seed: int | None = None
    ) -> Array:
        """Values on units drawn with replacement; fewer resamples where each takes long, but at least FEWEST.

        ``blocks[unit]`` numbers units that are drawn together: the two sides of a vote. With a ``seed`` the draws are
        those of all coefficients on as many units, so that they can be compared.
        """
        size = self.size if blocks is None else int(blocks.max(initial=-1)) + 1
        work = min(DRAWS // max(self.size, 1), WORK // max(self.size * self.cost, 1))
        number = min(resamples, max(work, FEWEST))
        if seed is not None and blocks is None:
            found = [self.of(part) for part in times(seed, size, number)]
            return np.concatenate(found) if found else np.zeros(0)
        step = max(1, CELLS // max(self.size, 1))
        out = []
        for a in range(0, number, step):
            rows = min(step, number - a)
            picked = rng.integers(size, size=(rows, size)) + np.arange(rows)[:, None] * size
            often = np.bincount(picked.ravel(), minlength=rows * size).reshape(rows, size)
            out.append(self.of((often if blocks is None else often[:, blocks]).astype(float)))
        return np.concatenate(out) if out else np.zeros(0)

    def interval(
        self,
        rng: np.random.Generator,
        level: float,
        resamples: int,
        by: str = "items",
        blocks: Array | None = None,
        seed: int | None = None,
        range: tuple[float, float] = (-math.inf, 1.0),
    ) -> Interval | None:
        """Bootstrap over units, or blocks of them, around the value and widened for few of them.

        None for fewer than two or an undefined value. Few units drawn anew agree less with one another than as many
        other ones would, so that their middle alone lies too low.
        """
        if blocks is not None and len(blocks) != self.size:  # it rests on some of the units
            blocks = None
        size = self.size if blocks is None else int(blocks.max(initial=-1)) + 1
        if size < 2 or math.isnan(self.value):
            return None
        return centred(self.value, self.drawn(rng, resamples, blocks, seed), level, by, size, range)


def share(above: Array, below: Array) -> Array:
    """``above / below``, NaN where there is nothing below."""
    ok = below > 0
    return np.asarray(np.divide(above, below, out=np.full(np.shape(below), math.nan), where=ok))


def corrected(seen: Array, chance: Array) -> Array:
    """Agreement beyond chance, ``(seen - chance) / (1 - chance)``; NaN where chance agrees always."""
    room = 1 - chance
    ok = room > 1e-12
    return np.asarray(np.divide(seen - chance, room, out=np.full(np.shape(room), math.nan), where=ok))


def inside(units: Units) -> dict[str, Any]:
    """What a value rests on: units that at least two judges scored, judges, values; all those behind counts."""
    held = units.held
    return {
        "units": int((held > 1).sum()),
        "single": int((held == 1).sum()),
        "judges": int(units.behind.sum()),
        "values": int(held.sum()),
    }
