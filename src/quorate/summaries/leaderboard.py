"""Systems by the mean of a figure of their summaries: content units, trained metrics and ROUGE all end in one of these.

A result has a row of figures for every summary; its systems are ordered by the mean of one figure over tasks, with
intervals and letters of :mod:`quorate.inference.board`.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quorate.document.blocks import Block, Chart, Text, with_notes
from quorate.document.boards import board_rows, board_table
from quorate.document.result import Result
from quorate.inference.board import Board, board, cross_table
from quorate.inference.estimate import Estimate
from quorate.panel.base import many
from quorate.words.numbers import figure


class Leaderboard(Result):
    """Base of results that order systems; a subclass has rows, ``main``, ``notes``, and what is below."""

    who: ClassVar[str] = "system"  # the column that names systems
    every: ClassVar[str] = "summaries"  # what its rows are
    range: ClassVar[tuple[float, float]] = (-math.inf, math.inf)  # of the figures

    main: str  # the figure that systems are ordered by
    notes: tuple[str, ...]

    @property
    def draws(self) -> tuple[object, ...]:
        """What the random draws of its intervals and tests are called."""
        return "units", self.main

    def about(self) -> Mapping[str, Any]:
        """What the JSON says before the systems."""
        return {}

    def cross(self, name: str) -> tuple[Any, tuple[Hashable, ...]]:
        """A figure by task and system, the mean where a summary has several, and the systems."""
        tasks, systems, values = ([row[n] for row in self.rows()] for n in ("task", self.who, name))
        return cross_table(tasks, systems, np.array(values, float))

    def board(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> tuple[tuple[Hashable, ...], Board]:
        """The systems, and their leaderboard by :attr:`main`: means over tasks, with intervals and letters."""
        table, names = self.cross(self.main)
        return names, board(table, *self.draws, seed=seed, level=level, resamples=resamples, range=self.range)

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Systems from best to worst, then every summary."""
        systems = board_rows(*self.board(**how))
        told = {"score": self.main, **self.about(), "systems": systems, self.every: self.rows()}
        return {**told, "notes": list(self.notes)}

    def picture(self, **how: Any) -> Chart:
        """The means of systems with their intervals, best first."""
        names, found = self.board(**how)
        return self.drawn({names[s]: Estimate(float(found.means[s]), found.intervals[s]) for s in found.order})

    def drawn(self, means: Mapping[Hashable, Estimate]) -> Chart:
        """Systems with their intervals as a chart."""
        said = "Every system's figure over tasks; the line is its interval over tasks."
        return dots("leaderboard", "system", self.main, f"{self.main}, best first", said, means)


def dots(name: str, label: str, value: str, title: str, said: str, found: Mapping[Hashable, Estimate]) -> Chart:
    """A dot with its interval for each of several estimates; what is undefined is not drawn."""
    rows = []
    for about, e in found.items():
        if math.isnan(e.value):
            continue
        low, high = e.ends or (e.value, e.value)
        rows.append({label: str(about), "value": e.value, "low": low, "high": high})
    return Chart(name, "quality", "dots", title, said, tuple(rows), {"label": label, "value": value})


@dataclass(frozen=True)
class Scored(Leaderboard):
    """A row of figures for every item and judge: scores of content units, or what a trained metric predicts."""

    who: ClassVar[str] = "item"
    every: ClassVar[str] = "items"

    figures: tuple[dict[str, Any], ...]
    main: str
    notes: tuple[str, ...] = ()

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every item and judge."""
        return list(self.figures)

    def blocks(self, **how: Any) -> list[Block]:
        """The best system in a sentence, then the leaderboard."""
        if not self.figures:
            return with_notes([Text(("Nothing was judged.",), "lead")], self.notes)
        names, found = self.board(**how)
        first, what = found.order[0], f"{self.main.replace('_', ' ')} score"
        n_tasks = len({r["task"] for r in self.figures})
        said = f"{many(len(self.figures), 'judged item')} of {many(len(names), 'system')} on {many(n_tasks, 'task')}: "
        said += f"the best system is {names[first]}, mean {what} {figure(float(found.means[first]))}."
        table = board_table(f"Mean {what}, best first", names, found, "mean")
        return with_notes([Text((said,), "lead"), table], self.notes)
