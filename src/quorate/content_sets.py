"""Content by frequent sets of units, beside pyramid scores: what the FreSPA paper names as future work.

The models of a task are judges who each hold a set of content units, and a summary is as good as the sets that enough
models hold and it says too (``frequent_sets``). How well that tells a model's own set from one drawn at random is its
discriminativeness; with tuning the settings are first chosen by it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quorate import table
from quorate.document.blocks import Block, Column, Table, Text, with_notes
from quorate.document.result import Result
from quorate.inference.estimate import Estimate
from quorate.inference.results import Answer, clean, estimate_dict
from quorate.kernels.rank_correlation import tau_b
from quorate.orderings.method_parameters import alternatives
from quorate.panel.kinds import Orderings
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.panels import as_sets
from quorate.summaries.units.scored import scored
from quorate.table import Method
from quorate.verbs import quality, trust
from quorate.words.content_sets import content_facts

METHOD = "frequent_sets"


@dataclass(frozen=True)
class ContentSets(Result):
    """Systems by frequent sets of units and by pyramid scores, side by side."""

    called: ClassVar[str] = "content sets"
    all_rows: ClassVar[bool] = True

    judges: Orderings  # the models, and the units each holds
    systems: Orderings  # the annotated items
    answer: Answer  # quality by frequent sets
    ed: Estimate  # discriminativeness of the method, nested where it was tuned
    tuned: bool
    score: str  # which pyramid score
    pyramid: dict[Hashable, float]  # of each system, mean over tasks
    tau: float  # tau-b of the two orders of systems
    notes: tuple[str, ...] = ()

    @property
    def method(self) -> Method:
        """The method with its settings."""
        return self.answer.findings[0].method

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Systems by both, how far they agree, and the method's discriminativeness."""
        head = {"method": str(self.method), "tuned": self.tuned, "ed": estimate_dict(self.ed, self.method)}
        both = {"pyramid": self.score, "tau_b": clean(self.tau)}
        return {**head, **both, "systems": self.rows(), "notes": list(self.notes)}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per system, best by sets first."""
        out = []
        for e in self.answer.findings[0].overall:
            name, ends = e.labels["system"], e.interval
            row = {"system": name, "sets": clean(e.value), "low": ends and ends.low, "high": ends and ends.high}
            out.append({**row, "tasks": e.n, self.score: clean(self.pyramid.get(name, float("nan")))})
        return out

    def blocks(self, **how: Any) -> Iterator[Block]:
        """What it says, then systems by both."""
        columns = (
            Column("system", "system"),
            Column("tasks", "tasks", "count"),
            Column("value", "frequent sets", "figure"),
            Column("interval", "CI", "interval"),
            Column("pyramid", f"{self.score} pyramid score", "figure"),
        )
        rows = tuple(
            (e.labels["system"], e.n, e.value, e.interval, self.pyramid.get(e.labels["system"]))
            for e in self.answer.findings[0].overall
        )
        board = Table(f"Systems by {self.method}, best first", columns, rows, name="content_sets")
        facts = Text(tuple(map(str, content_facts(self))), "lead")
        yield from with_notes([facts, board], self.notes)


def content_sets(
    units: ContentUnits,
    method: str | Method = METHOD,
    *,
    tune: bool = False,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
) -> ContentSets:
    """Items scored by the sets of units that enough models hold, beside their pyramid scores.

    With ``tune`` the method's settings are chosen on the models; values to try stand between bars.
    """
    judges, systems = as_sets(units)
    base = method if isinstance(method, Method) else alternatives(method)[0]
    table.as_method(base, "orderings", "quality")
    how: dict[str, Any] = {"seed": seed, "level": level, "resamples": resamples}
    answer = quality(judges, systems, method, tune=tune, permutations=0, **how)
    chosen = answer.findings[0].method
    text = str(method).replace(", ", "; ")
    asked = f"tune(of={text})" if tune else f"discriminativeness(of={str(chosen).replace(', ', '; ')})"
    ed = trust(judges, asked, permutations=0, **how).findings[0].overall[0]
    found = scored(units)
    sums: dict[Hashable, list[float]] = {}
    for row in found.figures:
        if row[found.main] == row[found.main]:
            sums.setdefault(row["item"], []).append(float(row[found.main]))
    means = {name: sum(values) / len(values) for name, values in sums.items()}
    return ContentSets(
        judges, systems, answer, ed, tune, found.main, means, _alike(answer, means), (*found.notes, *answer.notes)
    )


def _alike(answer: Answer, means: dict[Hashable, float]) -> float:
    """Tau-b of the systems' order by sets and by pyramid scores."""
    named = [(e.labels["system"], float(e.value)) for e in answer.findings[0].overall]
    both = [(value, means[name]) for name, value in named if name in means]
    if len(both) < 2:
        return float("nan")
    ranks = [np.unique(-np.round(column, 12), return_inverse=True)[1].ravel() + 1 for column in np.array(both).T]
    return float(tau_b(np.stack(ranks)[None])[0, 0, 1])
