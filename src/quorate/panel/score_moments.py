"""Sums over scores that variance components are solved from: of a panel in memory, or of pieces of files together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import moment_sums as kernel
from quorate.kernels.group_sums import crossed
from quorate.kernels.moment_sums import ROWS, Sums, word

if TYPE_CHECKING:
    from quorate.panel.outputs import OutputDesign

Array = NDArray[Any]
REST = "rest"  # what no crossing explains: the highest one, and noise


@dataclass(frozen=True, eq=False)
class ScoreMoments:
    """What the scores of whole tasks add up to."""

    sums: Sums  # of facets and their crossings
    pairs: Sums  # of units that several judges scored, and of judges
    systems: tuple[Hashable, ...]
    called: str  # what systems are called
    named: bool  # whether there is a column of systems
    units: int
    low: float
    high: float
    most_judges: int  # of a unit

    @classmethod
    def of(cls, made: OutputDesign, low: float, high: float, judges: int, judge: Array) -> ScoreMoments:
        """Those of a design, whose scores lie between these; ``judge[row]`` are numbers among so many."""
        scores, unit = made.scores, made.scores.unit
        codes = {"j": judge, "t": scores.task[unit], "s": made.system[unit]}
        if made.named:
            codes["i"] = crossed(scores.task, scores.item)[unit]
        x, most = scores.value - low, high - low
        block = kernel.Block(x, codes, judges, len(made.systems), most)
        cell = crossed(made.input, made.system)
        per_cell, system = np.bincount(cell), np.zeros(int(cell.max(initial=-1)) + 1, np.int64)
        system[cell] = made.system
        weights = block.weights(1.0 / (per_cell[cell] * np.maximum(scores.per_unit, 1))[unit])
        weights["cells",] = np.bincount(system, minlength=len(made.systems))
        shared = np.flatnonzero(scores.per_unit[unit] > 1)
        number = np.cumsum(scores.per_unit > 1) - 1
        pairs = kernel.pair_sums(x[shared], number[unit[shared]], judge[shared], judges, most)
        told = (made.called, made.named, scores.size, low, high, int(scores.per_unit.max(initial=1)))
        return cls({**block.sums(), **weights}, pairs, made.systems, *told)

    @property
    def scores(self) -> int:
        """How many scores there are."""
        return int(self.sums[ROWS,][0])

    @property
    def judges_per_item(self) -> float:
        """Scores of a unit, on average."""
        return self.scores / self.units

    @property
    def _most(self) -> tuple[float, float]:
        return self.high - self.low, max(abs(self.low), abs(self.high))

    def _levels(self, *facets: str) -> int:
        return kernel.levels(self.sums, word(*facets))

    @property
    def facets(self) -> dict[str, str]:
        """What scores differ by, as far as there are several of each, and its letter: judge, task, system, item.

        Where task and system (or, without systems, task and item) tell units apart, items are no facet of their own.
        """
        found = {"judge": "j", "task": "t", self.called: "s"}
        if self.named and self._levels("t", "s") < self.units:
            found["item"] = "i"
        return {name: letter for name, letter in found.items() if self._levels(letter) > 1}

    @property
    def within_tasks(self) -> bool:
        """Whether items are scored, each of one task: more tasks are more items, and say no more of one."""
        return self.called == "item" and self._levels("t", "s") == self._levels("s")

    @property
    def crossings(self) -> dict[tuple[str, ...], str]:
        """The facets and their crossings that tell rows apart in different ways, by the facets in them.

        Items that lie within tasks are the same with the task as without; a crossing with one row each is what is left.
        """
        of, out = self.facets, dict[tuple[str, ...], str]()
        for size in range(1, len(of) + 1):
            for names in combinations(of, size):
                found = word(*(of[name] for name in names))
                number = self._levels(found)
                alike = (self._levels(w) == number == self._levels(found, w) for w in out.values())
                if number < self.scores and not any(alike):
                    out[names] = found
        return out

    def variances(self) -> Array:
        """The variance of every crossing, then that of what is left; NaN of a single score."""
        names = list(self.crossings.values())
        if self.scores < 2:
            return np.full(len(names) + 1, np.nan)
        return kernel.components(self.sums, names, *self._most)

    def errors(self) -> dict[tuple[str, ...], float]:
        """How much of each component's variance stays in a system's mean, averaged over systems: 1 / number, if
        balanced. Of the components that move systems apart: those with the system in them, and what is left."""
        apart = {n: w for n, w in self.crossings.items() if self.called in n and n != (self.called,)}
        names = {**apart, (REST,): ROWS}
        return dict(zip(names, kernel.errors(self.sums, list(names.values())), strict=True))

    def pair_components(self) -> tuple[Array, int]:
        """Variances of units, judges and what is left, ``[1 + judge, 3]``: of all, and without each judge, whose number
        is told; none of fewer than two judges or units."""
        if self.pairs["units",][0] < 2 or np.count_nonzero(self.pairs["judge", "rows"]) < 2:
            return np.zeros((0, 3)), 0
        found, judges = kernel.pair_components(self.pairs, *self._most)
        return found, len(judges)


def together(found: Sequence[ScoreMoments], systems: tuple[Hashable, ...]) -> ScoreMoments:
    """What pieces add up to, whichever systems each of them has."""
    place = {name: k for k, name in enumerate(systems)}
    sums, pairs = Sums(), Sums()
    for one in found:
        at = np.array([place[name] for name in one.systems], np.int64)
        for key, values in one.sums.items():
            _add(sums, key, _spread(key, values, at, len(systems)))
        for key, values in one.pairs.items():
            _add(pairs, key, values)
    first = found[0]
    units, most = sum(one.units for one in found), max(one.most_judges for one in found)
    return ScoreMoments(sums, pairs, systems, first.called, first.named, units, first.low, first.high, most)


def _add(sums: Sums, key: tuple[str, ...], values: Array) -> None:
    sums[key] = sums[key] + values if key in sums else values


def _spread(key: tuple[str, ...], values: Array, at: Array, systems: int) -> Array:
    """A piece's table at the places of its systems among all."""
    name = "s" if key[0] == "cells" else key[1] if key[0] in ("held", "sum", "left", "weight") and key[1:] else ""
    if key[0] == "weight" and name != "js":
        name = "s"
    if name not in ("s", "js"):
        return values
    rows = values.reshape(*values.shape[:-1], -1, len(at))
    out = np.zeros((*rows.shape[:-1], systems), values.dtype)
    out[..., at] = rows
    return out.reshape(*values.shape[:-1], -1)
