"""The planner: how much is drawn. Work is counted, never timed, so that output is the same on every machine.

A draw costs what its method looks at; a second of the budget is about so much work on an ordinary machine. Draws asked
for by number are made; otherwise as many as the budget has, between the fewest that say anything and the most that
change what is printed.
"""

from __future__ import annotations

from dataclasses import dataclass

SECOND = 3 * 10**8  # cells looked at in a second, about
FEWEST, MOST = 100, 1000  # draws of an interval
NULLS = 9999  # draws of a null at most: beyond, p is below what anybody prints
FEWEST_NULLS = 19


@dataclass(frozen=True, slots=True)
class Budget:
    """What a question may spend, and what was asked for by number."""

    seconds: float = 1.0  # for one figure with its draws
    resamples: int | None = None
    permutations: int | None = None

    def draws(self, work: float) -> int:
        """How many draws of an interval, each of so much work."""
        if self.resamples is not None:
            return self.resamples
        return int(min(MOST, max(self.seconds * SECOND / max(work, 1.0), FEWEST)))

    def nulls(self, work: float) -> int:
        """How many draws of a null at most, each of so much work."""
        if self.permutations is not None:
            return self.permutations
        return int(min(NULLS, max(self.seconds * SECOND / max(work, 1.0), FEWEST_NULLS)))

    def batch(self, work: float, cells: int = 1 << 25) -> int:
        """How many draws at a time, so that memory stays small."""
        return max(1, int(cells / max(work, 1.0)))
