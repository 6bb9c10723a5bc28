"""CPU time, and the row a benchmark reports. CPU time and not wall time, so that a busy machine does not count."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


def cpu(function: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Least CPU seconds of a few calls (all threads), and what the last call returned."""
    best, result = float("inf"), None
    for _ in range(times):
        start = time.process_time()
        result = function()
        best = min(best, time.process_time() - start)
    return best, result


@dataclass
class Row:
    """One line of the table. ``figure`` is what the target is about; by default how many times faster we are."""

    name: str
    ours: float | None = None  # CPU seconds
    peer: float | None = None  # CPU seconds
    target: float | None = None
    at_most: bool = False  # the figure should lie below the target, not above
    figure: float | None = None
    unit: str = "x"
    note: str = ""

    def __post_init__(self) -> None:
        if self.figure is None and self.ours and self.peer:
            self.figure = self.ours / self.peer if self.at_most else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        if self.target is None or self.figure is None:
            return None
        return self.figure <= self.target if self.at_most else self.figure >= self.target

    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "met": self.met}


def table(rows: list[Row]) -> str:
    """The rows in columns, notes below."""
    head = ["benchmark", "ours (CPU s)", "peer (CPU s)", "figure", "target", "met"]
    lines = [head, *(_cells(r) for r in rows)]
    width = [max(len(line[c]) for line in lines) for c in range(len(head))]

    def show(line: list[str]) -> str:
        first, *rest = (
            cell.ljust(w) if c == 0 else cell.rjust(w) for c, (cell, w) in enumerate(zip(line, width, strict=True))
        )
        return "  ".join([first, *rest])

    out = [show(lines[0]), "  ".join("-" * w for w in width), *(show(line) for line in lines[1:])]
    notes = [f"  {r.name}: {r.note}" for r in rows if r.note]
    return "\n".join([*out, *(["", "notes", *notes] if notes else [])])


def _cells(row: Row) -> list[str]:
    met = {True: "yes", False: "NO", None: ""}[row.met]
    sign = "<=" if row.at_most else ">="
    target = "" if row.target is None else f"{sign} {_number(row.target)} {row.unit}"
    figure = "" if row.figure is None else f"{_number(row.figure)} {row.unit}"
    return [row.name, _seconds(row.ours), _seconds(row.peer), figure, target, met]


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.2e}" if value < 0.001 else f"{value:.4f}" if value < 1 else f"{value:.2f}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
