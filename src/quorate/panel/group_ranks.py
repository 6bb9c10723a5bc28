"""Groupings with the importance that judges gave their groups (column ``importance``, 1 is first)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.panel.columns import number_in
from quorate.panel.grouping_design import GroupingDesign
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import Block

Array = NDArray[Any]


class Ranked:
    """The importance that judges gave their groups, row by row; what is not a number counts as not ranked."""

    def __init__(self, panel: Groupings) -> None:
        column = panel.label("importance")
        number = np.array([number_in(i) for i in column.ids])
        self.rows: dict[tuple[int, int], tuple[Array, Array]] = {}
        for a, b in pairwise(panel.starts.tolist()):
            key = int(panel.task.codes[a]), int(panel.judge.codes[a])
            if key not in self.rows:  # of a judge's repeats the first
                self.rows[key] = panel.item.codes[a:b], number[column.codes[a:b]]

    def on(self, task: int, judges: Array, items: Array) -> Array:
        """The importance of each item's group to each judge, ``[judge, item]``; takes codes of the panel."""
        out = np.full((len(judges), len(items)), np.nan)
        place = {int(i): k for k, i in enumerate(items)}
        for k, judge in enumerate(judges.tolist()):
            codes, number = self.rows.get((task, judge), ((), ()))
            out[k, [place[int(c)] for c in codes]] = number
        return out


@dataclass(frozen=True, eq=False)
class RankedBlock(Block):
    """Tasks of one shape, with the importance of each item's group to each judge; NaN where none was given."""

    ranks: Array  # (T, J, n)

    @property
    def given(self) -> tuple[Array, ...]:
        """What formulas are given: labels and ranks."""
        return self.labels, self.ranks


@dataclass(frozen=True, eq=False)
class RankedDesign(GroupingDesign):
    """Groupings whose groups may be ranked: what a consensus is made of."""

    parts: tuple[RankedBlock, ...]

    @classmethod
    def of(cls, panel: Groupings, absent: str | None = None) -> RankedDesign:
        """The design of a panel; of a judge's repeats on a task the first. ``absent``: what items without a row are."""
        plain = GroupingDesign.of(panel, absent)
        ranked = Ranked(panel) if "importance" in panel.labels else None
        parts = []
        for p in plain.parts:
            ranks = np.broadcast_to(np.nan, p.labels.shape)
            if ranked is not None:
                each = zip(p.tasks.tolist(), p.judges, p.items, strict=True)
                ranks = np.stack([ranked.on(t, judges, items) for t, judges, items in each])
            parts.append(RankedBlock(p.tasks, p.judges, p.items, p.labels, p.counts, ranks))
        return cls(plain.tasks, plain.judges, plain.items, tuple(parts))
