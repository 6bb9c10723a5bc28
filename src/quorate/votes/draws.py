"""Votes of panels drawn anew, for figures that are none of a method's own: by the core's means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.group_sums import CELLS
from quorate.panel.pairs import Often, VoteDesign

Array = NDArray[Any]


class Draws:
    """Panels drawn anew from one design, and what a figure of some of its votes rests on."""

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
        v = self.design
        cluster = v.task if v.question is None else v.question[v.task]
        unit = {"tasks": cluster, "judges": v.judge, "items": np.arange(len(v.judge))}
        units = min(len(np.unique(unit[name][votes])) for name in self.over.split("x"))
        called = self.over.replace("items", v.units_called)
        return self.core.interval(value, drawn, called, units, inside) if units > 1 else None
