"""A cell of a paper beside ours, the numbers that papers print, and what is told of a whole paper.

A row says where our figure comes from: ``printed`` (recomputed from rankings or counts that the paper prints), ``data``
(from public data, needs a folder) or ``simulation`` (the paper's data is not at hand: other judges stand in, so the
figures are not expected to be equal).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

SOURCES = {  # what our figure was computed from, in words
    "printed": "from what the paper prints",
    "data": "from public data",
    "simulation": "by simulation: not the paper's judges",
}
NEEDS = "needs --data"
CUT = "the paper cuts, it does not round"


@dataclass(frozen=True)
class Row:
    """One cell: the paper's figure and ours. A figure read off a drawing has no printed number: ``paper`` is None.

    >>> row = Row("Table 1", "A", "0.67", 2 / 3, "printed")
    >>> row.equal, round(row.difference, 4)
    (True, -0.0033)
    """

    table: str
    cell: str
    paper: str | None  # as printed: its digits say how exact it is
    ours: float | str | None
    source: str
    note: str = ""

    @property
    def number(self) -> float | None:
        """The printed figure as a number, if it is one."""
        try:
            return float(self.paper) if self.paper is not None else None
        except ValueError:
            return None

    @property
    def difference(self) -> float | None:
        """Ours less the paper's."""
        if self.number is None or not isinstance(self.ours, (int, float)):
            return None
        return float(self.ours) - self.number

    @property
    def compared(self) -> bool:
        """Whether there is something on both sides."""
        return self.paper is not None and self.ours is not None

    @property
    def equal(self) -> bool:
        """Whether ours has the printed digits, rounded; of words, whether they are the same."""
        if self.difference is None:
            return self.compared and self.paper == self.ours
        return abs(self.difference) <= 0.5 * self._last + 1e-9

    @property
    def cut(self) -> bool:
        """Whether ours has the printed digits when further ones are cut off instead of rounded."""
        d = self.difference
        return d is not None and not self.equal and 0 <= d * math.copysign(1, self.number or 1) < self._last

    @property
    def told(self) -> Row:
        """The row, with a note where the paper cuts digits off."""
        return replace(self, note=CUT) if self.cut else self

    @property
    def _last(self) -> float:
        """One unit of the last printed digit."""
        return float(10.0 ** -len(str(self.paper).partition(".")[2]))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        paper = self.paper if self.number is None else self.number
        ours = None if isinstance(self.ours, float) and math.isnan(self.ours) else self.ours
        difference = self.difference if ours is not None else None
        head = {"table": self.table, "cell": self.cell, "paper": paper, "ours": ours, "difference": difference}
        equal = self.equal if self.compared else None
        return {**head, "equal": equal, "source": self.source, "note": self.note}


def tally(rows: Iterable[Row]) -> dict[str, Any]:
    """Of rows with figures on both sides how many there are, how many are equal, and how far ours are off."""
    both = [r for r in rows if r.compared]
    off = [r.difference for r in both if r.difference is not None and not math.isnan(r.difference)]
    out = {"cells": len(both), "equal": sum(r.equal for r in both), "cut": sum(r.cut for r in both)}
    mean = sum(map(abs, off)) / len(off) if off else None
    return {**out, "mean_difference": mean, "largest": max(off, key=abs, default=None)}


@dataclass(frozen=True)
class Reproduced:
    """What became of one paper: its rows, where it contradicts itself, and what could not be had."""

    name: str
    title: str
    rows: tuple[Row, ...]
    slips: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    fitted: tuple[str, ...] = ()  # what of a simulation was set by looking at the paper's own numbers
    shown: str = ""  # our tables in full, for people
    tables: tuple[Any, ...] = ()  # and for JSON
    basis: str = ""  # what our figures were computed from, if that is not plain from their source
    studied: tuple[str, ...] = ()  # what several simulated studies together say

    def of(self, *sources: str) -> list[Row]:
        """The rows from these sources that have figures on both sides."""
        return [r for r in self.rows if r.source in sources and r.compared]

    def counts(self) -> dict[str, dict[str, Any]]:
        """By source: how many cells were compared, how many are equal, how many are when cut, not rounded, and how far
        ours are off on average.
        """
        every = {source: tally(self.of(source)) for source in SOURCES}
        return {s: {k: v for k, v in found.items() if k != "largest"} for s, found in every.items() if found["cells"]}

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        body = {"paper": self.name, "title": self.title, "counts": self.counts()}
        body |= {"basis": self.basis} if self.basis else {}
        told = {"contradictions": list(self.slips), "not_reproduced": list(self.missing), "fitted": list(self.fitted)}
        told |= {"studied": list(self.studied)} if self.studied else {}
        told |= {"tables": list(self.tables)} if self.tables else {}
        return {**body, **told, "rows": [r.to_dict() for r in self.rows]}


@dataclass(frozen=True)
class How:
    """Where public data is, if anywhere, and how much is simulated."""

    data: Path | None = None
    seed: int = 0
    studies: int = 1
    progress: Callable[[str, int, int], None] | None = None
    budget: int | None = None  # subsets of features tried for a trained metric
    choice: str | Path | None = None  # where trained metrics are written down before the test year is read

    @cached_property
    def dots(self) -> list[Path] | None:
        """The four Dots files."""
        return self._files([f"preflib/00024-dots/00024-0000000{k}.soc" for k in (1, 2, 3, 4)])

    def clef(self, teams: Iterable[str]) -> list[Path] | None:
        """The teams' first twenty documents."""
        return self._files([f"consensus-papers/top20_CLEFeHealth_data/TOP20_{t}_EN.dat" for t in teams])

    def _files(self, names: list[str]) -> list[Path] | None:
        """The files, or None when one is not there."""
        found = [self.data / n for n in names] if self.data is not None else []
        return found if found and all(f.is_file() for f in found) else None


def facts(name: str) -> list[dict[str, str]]:
    """Numbers that a paper prints: ``<name>.csv`` of the package's data, as text."""
    text = (resources.files("quorate") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
