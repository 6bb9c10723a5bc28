"""The planner: how much is drawn. Work is counted, never timed, so that output is the same on every machine.

A draw costs what its method looks at; a second of the budget is about so much work on an ordinary machine. As many
draws are made as were asked for, unless they cost more than the budget has; then fewer, but never too few to tell.
"""

from __future__ import annotations

from dataclasses import dataclass

SECOND = 3 * 10**8  # numbers looked at in a second, about
FEWEST = 100  # draws of an interval, however long they take
FEWEST_NULLS = 19  # draws of a null
PATIENCE = 5  # times the budget, beyond which what can be left out is
CELLS = 1 << 25  # numbers looked at in one go
LOOKS, MOST_LOOKS = 10**10, 10**12  # numbers looked at for a value, at most: by a usual method, and by one named

# How often each thing is drawn at the most, whatever the budget has.
NULLS = 999  # permuted designs, unless told otherwise: beyond, their tail is told
FIRST = 99  # of these, before anything is decided
ALIKE = 199  # panels of judges who are all alike, for who is off and who copies
ALIKE_FIRST = 39  # of them, where p is clearly too large
ALIKE_MORE = 999  # where p is near the level
PERMUTED, FEWEST_PERMUTED = 2000, 39  # one judge's answers to a task, in all, and how often at the least
SHUFFLES, FEWEST_SHUFFLES = 2000, 200  # of who did which cell
BY_TASK = 500  # panels for the interval of one task
BRANCHES = 200  # panels for the branches of a tree
BESIDE = 1000  # panels for a figure beside the five questions
CURVE = 300  # for a point of a curve
SURFACE = 100  # for a cell of a surface


@dataclass(frozen=True, slots=True)
class Budget:
    """What one figure may spend, and what was asked for."""

    resamples: int
    permutations: int
    seconds: float = 1.0

    def draws(self, work: float, least: int = FEWEST) -> int:
        """How many draws of an interval, each of so much work."""
        return int(min(self.resamples, max(self.seconds * SECOND / max(work, 1.0), least)))

    def nulls(self, work: float) -> int:
        """How many draws of a null at most, each of so much work."""
        return int(min(self.permutations, max(self.seconds * SECOND / max(work, 1.0), FEWEST_NULLS)))

    def tasks(self, work: float) -> int:
        """How many tasks, each of so much work."""
        return max(1, int(self.seconds * SECOND / max(work, 1.0)))

    def affords(self, work: float, draws: int = FEWEST_NULLS) -> bool:
        """Whether so many draws, of a null the fewest that tell anything, take not much longer than planned."""
        return work * draws <= PATIENCE * self.seconds * SECOND


def batch(work: float) -> int:
    """How many draws at a time, so that memory stays small."""
    return max(1, int(CELLS / max(work, 1.0)))


def split(number: int, step: int) -> list[int]:
    """So many draws, at most so many at a time.

    >>> split(7, 3)
    [3, 3, 1]
    """
    return [min(step, number - a) for a in range(0, number, step)]
