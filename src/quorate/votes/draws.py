"""Votes of resampled panels, for figures that are none of a method's own: by the core's means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import CELLS, used
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_counts import Often

Array = NDArray[Any]


class Draws:
    """Panels resampled from one design, and what a figure of some of its votes rests on."""

    def __init__(self, v: VoteDesign, core: Any, name: str) -> None:
        self.design, self.core, self.name = v, core, name
        self.over = v.drawn_as(core.options.over or v.over)

    def panels(self) -> Iterator[Often]:
        """How often each vote counts, some draws at a time."""
        v, core = self.design, self.core
        rng, draws = core.stream("drawn", self.name), core.budget.draws(v.work)
        step = max(1, CELLS // max(len(v.judge), 1))
        for a in range(0, draws, step):
            yield v.often(core.bootstrap(v, self.over, min(step, draws - a), rng))

    def figures(self, of: Callable[[Often], Array]) -> Array:
        """A figure, or several, of every draw."""
        found = [of(often) for often in self.panels()]
        return np.concatenate(found) if found else np.zeros(0)

    def interval(self, value: float, drawn: Array, votes: Array, inside: tuple[float, float]) -> Any:
        """The interval of a figure that rests on these votes; None where they are of one unit."""
        called = self.over.replace("items", self.design.units_called)
        units = self._fewest(votes)
        return self.core.interval(value, drawn, called, units, inside) if units > 1 else None

    def of_all(self, votes: Array) -> Any:
        """The interval of a share that is 1 of all units these votes are of: resampled it would be 1 again."""
        units = self._fewest(votes)
        return self.core.share(units, units)

    def _fewest(self, votes: Array) -> int:
        """How many units these votes are of, of two crossed those that are fewer."""
        return min(self._units(name, votes) for name in self.over.split("x"))

    def _units(self, name: str, votes: Array) -> int:
        """How many tasks, judges or votes there are among these, which are numbers of votes or marked."""
        v = self.design
        if name == "items":
            return int(votes.sum()) if votes.dtype == bool else len(votes)
        unit = v.judge[votes] if name == "judges" else v.task[votes]
        return len(used(unit if name == "judges" or v.question is None else v.question[unit]))
