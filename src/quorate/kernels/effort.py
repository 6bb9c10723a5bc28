"""How much a proof may cost: work that is the same on every machine, or seconds for those who ask for them."""

from __future__ import annotations

import math
import time
from typing import Any


class Effort:
    """What is left for the proof: work, which is steps of the simplex method x rules; or seconds, if those are given.

    >>> effort = Effort(work=1000)
    >>> effort.spend(400)
    >>> effort.work, effort.left
    (600, True)
    """

    def __init__(self, work: float, seconds: float | None = None) -> None:
        self.work = work if seconds is None else math.inf
        self.end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> bool:
        """Whether there is any left."""
        return self.work > 0 and (self.end is None or time.monotonic() < self.end)

    def spend(self, work: float) -> None:
        """Take from what is left."""
        self.work -= work

    def part(self, work: float) -> Effort:
        """As much for a further question, whatever the first has left; the time ends when it ends."""
        out = Effort(work if self.end is None else math.inf)
        out.end = self.end
        return out

    def options(self) -> dict[str, Any]:
        """What HiGHS is told of the time."""
        return {} if self.end is None else {"time_limit": max(self.end - time.monotonic(), 0.01)}
