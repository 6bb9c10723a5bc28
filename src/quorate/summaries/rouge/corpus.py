"""ROUGE by tokens (``-t 1``): hits and lengths of all tasks are added up before anything is divided.

Then a long summary counts for more than a short one. The raw counts (``-t 2``) are for those who divide themselves.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.document.blocks import Column, Table, Text, columns, with_notes
from quorate.errors import BadParameter, UnknownId, suggest
from quorate.inference.resample import Interval, centred, stream
from quorate.inference.results import clean
from quorate.panel.base import many
from quorate.summaries.rouge.perl import averages, corpus_figures
from quorate.summaries.rouge.score import LETTERS, Rouge
from quorate.words.numbers import figure

Array = NDArray[Any]
COUNTS = ("reference", "summary", "hits")


@dataclass(frozen=True, eq=False)
class CorpusBoard:
    """Systems by a figure of the whole corpus; built by :func:`corpus_board`."""

    found: Rouge
    by: str
    systems: tuple[Hashable, ...]
    tasks: tuple[int, ...]
    counts: Array  # [system, variant, reference summary hits]
    values: Array  # [system, variant, R P F]
    intervals: dict[tuple[int, int, int], Interval | None]  # by system, variant, letter
    level: float
    resamples: int
    raw: bool = False

    @property
    def order(self) -> list[int]:
        """Systems from best to worst by :attr:`by`."""
        v, c = divmod(self.found.names.index(self.by), len(LETTERS))
        return sorted(range(len(self.systems)), key=lambda s: (-self.values[s, v, c], str(self.systems[s])))

    def to_dict(self) -> dict[str, Any]:
        """Systems from best to worst: figures with intervals, and the counts they are made of."""
        systems = []
        for s in self.order:
            scores = {}
            for v, variant in enumerate(self.found.variants):
                figures: dict[str, Any] = {}
                for c, letter in enumerate(LETTERS):
                    inside = self.intervals[s, v, c]
                    value = float(self.values[s, v, c])
                    figures[letter] = {"value": value, "interval": [inside.low, inside.high] if inside else None}
                scores[str(variant)] = figures | {"counts": dict(zip(COUNTS, self.counts[s, v].tolist(), strict=True))}
            systems.append({"system": self.systems[s], "tasks": self.tasks[s], "scores": scores})
        out = {"score": self.by, "count_by": "token", "options": dict(self.found.options), "systems": systems}
        return {**clean(out), "notes": list(self.found.notes)}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """A line for every system and variant: the counts, and R, P and F."""
        from quorate.summaries.units.scored import lines

        rows = []
        for s in self.order:
            for v, variant in enumerate(self.found.variants):
                row = {"system": self.systems[s], "rouge": str(variant)}
                row |= dict(zip(COUNTS, self.counts[s, v].tolist(), strict=True))
                rows.append(row | dict(zip(LETTERS, self.values[s, v].tolist(), strict=True)))
        return lines(rows)

    def to_perl(self) -> str:
        """What ROUGE-1.5.5 prints with ``-t 1``, or ``-t 2`` for raw counts."""
        from quorate.formats.rouge_files import output_lines

        return output_lines(averages(self.found, self.level, self.resamples, by_tokens=True), self.level, raw=self.raw)

    def text(self, width: int = 80) -> str:
        """The best system in a sentence, then all of them."""
        from quorate.document.terminal import render

        v, c = divmod(self.found.names.index(self.by), len(LETTERS))
        best = self.order[0]
        said = f"{many(len(self.systems), 'system')}, counted by token: the best by {self.by} is {self.systems[best]}"
        said += f" with {figure(float(self.values[best, v, c]))}."
        value = Column("value", self.by.removeprefix("ROUGE-"), "figure")
        inside = Column("interval", f"{self.level:.0%} interval (tasks)", "interval")
        heads = columns("system", value, inside, *(f"{name}:count" for name in (*COUNTS, "tasks")))
        rows = tuple(
            (
                self.systems[s],
                float(self.values[s, v, c]),
                self.intervals[s, v, c],
                *self.counts[s, v].tolist(),
                self.tasks[s],
            )
            for s in self.order
        )
        table = Table(f"{self.by} of the whole corpus, best first", heads, rows)
        return render(with_notes([Text((said,), "lead"), table], self.found.notes), width)


def corpus_board(
    found: Rouge,
    by: str | None = None,
    *,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
    raw: bool = False,
) -> CorpusBoard:
    """Systems by a figure such as ``ROUGE-2_R`` of all their tasks in one, with intervals over tasks.

    >>> from quorate.summaries.rouge import rouge
    >>> found = corpus_board(rouge(["a b c d", "x"], [["a b"], ["x y z w"]], ["1"]))
    >>> found.counts.tolist(), found.values.round(3).tolist()  # 3 of 6, not the mean of 2/2 and 1/4
    ([[[6.0, 5.0, 3.0]]], [[[0.5, 0.6, 0.545]]])
    """
    if found.counts is None or found.options.get("jackknife"):
        raise BadParameter("counting by token cannot be jackknifed.", "leave out one of the two.")
    by = by or ("ROUGE-2_R" if "ROUGE-2_R" in found.names else found.names[0])
    if by not in found.names:
        raise UnknownId(f"no figure '{by}'.", suggest(by, found.names))
    alpha = found.options.get("alpha", 0.5)
    systems = {s: k for k, s in enumerate(dict.fromkeys(found.texts.systems))}
    of = np.array([systems[s] for s in found.texts.systems])
    counts = np.zeros((len(systems), len(found.variants), len(COUNTS)))
    intervals: dict[tuple[int, int, int], Interval | None] = {}
    tasks = []
    values = np.empty((len(systems), len(found.variants), len(LETTERS)))
    for s in range(len(systems)):
        own = found.counts[:, of == s].swapaxes(0, 1)  # [task, variant, count]
        counts[s] = own.sum(axis=0)
        values[s] = corpus_figures(counts[s], alpha)
        tasks.append(len(own))
        # The same draws for every system with as many tasks, so that they can be compared.
        drawn = stream(seed, "bootstrap", "rouge by token").integers(0, len(own), (resamples, len(own)))
        figures = corpus_figures(own[drawn].sum(axis=1), alpha)
        for v in range(len(found.variants)):
            for c in range(len(LETTERS)):
                value = float(values[s, v, c])
                intervals[s, v, c] = centred(value, figures[:, v, c], level, "tasks", len(own), (0.0, 1.0))
    return CorpusBoard(
        *(found, by, tuple(systems), tuple(tasks), counts, values, intervals),
        *(level, resamples, raw),
    )
