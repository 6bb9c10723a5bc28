"""One task of very many judges in files, told one by one: what all add up to, then each block of judges by that."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.inference.every_judge import needed_of, told_of_every_judge
from quorate.inference.judge_groups import ITEMS, missing_of
from quorate.panel.by_name import name_order
from quorate.panel.coefficient import ByCounts, by_counts
from quorate.panel.sheets import Sheets
from quorate.scale.forecast import Forecast
from quorate.scale.judge_blocks import Summed, tallied, told_one_by_one
from quorate.scale.tallies import TallyRows, added
from quorate.table import Method

Array = NDArray[Any]
TOLD = 1300  # bytes of a judge and a method: the name, the figures and what else is told, as they are put in order
WRITTEN = 3  # times as much as a row takes while it is written, for a judge has a row and a figure


class EveryJudge(TallyRows):
    """The rows of one task of very many judges, with their names."""

    @property
    def judges(self) -> Sequence[Hashable]:  # type: ignore[override]
        """The names of all judges in their order, once it is known what is asked of them."""
        return self._told[0] if self.methods else self.survey.judges

    @property
    def told_from_counts(self) -> bool:
        """Whether counts say all that the methods need of these judges."""
        return all(needed_of(m, *self.uneven(self.tasks[0])) is not None for m in self.methods)

    def each_judge(self, method: Method) -> tuple[Sequence[Hashable], Array]:
        """The names of all judges, and what a method tells of each, ``[judge, number]``."""
        names, _, each = self._told
        return names, each[str(method)]

    @cached_property
    def _told(self) -> tuple[tuple[Hashable, ...], list[int], dict[str, Array]]:
        """Names in their order, that order, and what each method tells of each judge."""
        (task,) = self.tasks
        asked = {str(m): (m, needed_of(m, *self.uneven(task)) or ()) for m in self.methods}
        summed: dict[str, Summed] = {text: (missing_of(m), names) for text, (m, names) in asked.items()}
        sums, items = self._sums_of_all(tuple(dict.fromkeys(summed.values()))), len(self.items[task])
        every = [
            (text, cast(ByCounts, by_counts(m)).sections(items, names), sums[summed[text], task][0])
            for text, (m, names) in asked.items()
        ]
        found = dict(self._jobs("each", self.jobs(told_one_by_one, self.ask, every), self._parts, *asked, self.told))
        parts = [found[k] for k in sorted(found)]
        names = [name for some, _ in parts for name in some]
        order = name_order(names, bool(self.ask.plain))
        each = {text: np.concatenate([own[k] for _, own in parts])[order] for k, text in enumerate(asked)}
        return tuple(names[k] for k in order), order, each

    def _sums_of_all(self, summed: tuple[Summed, ...]) -> dict[tuple[Summed, Hashable], Array]:
        """What all judges add up to, as one group."""
        ask, one = replace(self.ask, summed=summed), dict.fromkeys(self.tasks, 1)
        jobs = self.jobs(tallied, ask, None, one)
        return added(found for _, found in self._jobs("whole", jobs, self._parts, summed, self.told))

    @property
    def sheets(self) -> Sheets:
        """What judges made of their task, in numbers; in the order of names, once it is known what is asked."""
        found = super().sheets
        if not self.methods:
            return found
        order = self._told[1]
        rest = {n: getattr(found, n)[order] for n in ("used", "rows", "clusters", "items", "uneven")}
        return Sheets(found.task, found.judge, **rest)


def may_be_told(scan: Any, question: str, methods: Sequence[Method]) -> bool:
    """Whether judges may be told one by one, by what the methods declare."""
    if not told_of_every_judge(question, methods):
        return False
    return all(len(names) <= ITEMS for names in scan.judge_survey.items.values())


def with_every_judge(told: Forecast, judges: int, methods: int) -> Forecast:
    """The forecast where every judge is told: with a figure for each."""
    rows = judges * methods
    return replace(told, values=WRITTEN * rows, memory=told.memory + TOLD * rows)
