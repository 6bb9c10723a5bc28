"""ROUGE of systems for people and for programs: the best system first, every figure with its interval.

By summary a system's figure is a mean over its summaries. By tokens (``-t 1``) hits and lengths of all tasks are added
up before anything is divided, so that a long summary counts for more than a short one; the raw counts (``-t 2``) are
for those who divide themselves.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.document.blocks import Block, Column, Table, Text, columns, with_notes
from quorate.document.boards import board_table
from quorate.document.result import Result
from quorate.errors import BadParameter, UnknownId, suggest
from quorate.formats.rouge_files import output_lines
from quorate.inference.board import Board, board, bootstrap, cross_table, mean_over_tasks
from quorate.inference.estimate import Interval
from quorate.inference.weights import drawn, interval, stream
from quorate.panel.base import many
from quorate.summaries.rouge.perl import averages, corpus_figures
from quorate.summaries.rouge.score import LETTERS, Rouge
from quorate.summaries.rouge.variants import Variant
from quorate.words.numbers import figure, shown

Array = NDArray[Any]
RANGE = (0.0, 1.0)
WORDS = {"R": "recall", "P": "precision", "F": "F"}
COUNTS = ("reference", "summary", "hits")


@dataclass(frozen=True, eq=False)
class RougeBoard(Result):
    """Systems by a figure of ROUGE, and their figures by all others; :func:`rouge_board`, :func:`corpus_board`."""

    found: Rouge
    by: str
    systems: tuple[Hashable, ...]
    tasks: tuple[int, ...]  # of each system
    values: Array  # [system, variant, R P F]
    intervals: dict[tuple[int, int, int], Interval | None]  # by system, variant, letter
    level: float
    resamples: int
    main: Board | None = None  # by summary: with letters where systems do not differ
    counts: Array | None = None  # by tokens: [system, variant, reference summary hits]
    raw: bool = False  # the script's lines have counts only

    @property
    def order(self) -> list[int]:
        """Systems from best to worst by :attr:`by`."""
        if self.main is not None:
            return self.main.order
        v, c = self._place
        return sorted(range(len(self.systems)), key=lambda s: (-self.values[s, v, c], str(self.systems[s])))

    @property
    def _place(self) -> tuple[int, int]:
        """Variant and letter of what the leaderboard is by."""
        return divmod(self.found.names.index(self.by), len(LETTERS))

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Systems from best to worst: figures with intervals; by tokens the counts, else every summary."""
        name, told = ("mean", {}) if self.counts is None else ("value", {"count_by": "token"})
        systems = []
        for s in self.order:
            scores: dict[str, dict[str, Any]] = {}
            for v, variant in enumerate(self.found.variants):
                ends = [self.intervals[s, v, c] for c in range(len(LETTERS))]
                scores[str(variant)] = {
                    letter: {name: value, "interval": inside.ends if inside else None}
                    for letter, value, inside in zip(LETTERS, self.values[s, v].tolist(), ends, strict=True)
                }
                if self.counts is not None:
                    scores[str(variant)]["counts"] = dict(zip(COUNTS, self.counts[s, v].tolist(), strict=True))
            group = {"group": self.main.letters[s]} if self.main else {}
            systems.append({"system": self.systems[s], "tasks": self.tasks[s], **group, "scores": scores})
        out: dict[str, Any] = {"score": self.by, **told, "options": dict(self.found.options), "systems": systems}
        every = {"summaries": self.rows()} if self.counts is None else {}
        return {**out, **every, "notes": list(self.found.notes)}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every summary, which can be read as metrics; by tokens for every system and variant."""
        texts, found = self.found.texts, self.found
        if self.counts is None:
            each = found.values.swapaxes(0, 1).reshape(len(texts.tasks), -1).tolist()
            cells = zip(texts.tasks, texts.systems, each, strict=True)
            return [{"task": t, "system": s, **dict(zip(found.names, values, strict=True))} for t, s, values in cells]
        out = []
        for s, (v, variant) in product(self.order, enumerate(found.variants)):
            counts = dict(zip(COUNTS, self.counts[s, v].tolist(), strict=True))
            figures = dict(zip(LETTERS, self.values[s, v].tolist(), strict=True))
            out.append({"system": self.systems[s], "rouge": str(variant), **counts, **figures})
        return out

    def to_perl(self) -> str:
        """What ROUGE-1.5.5 prints; by tokens as with ``-t 1``, or ``-t 2`` for raw counts."""
        found = averages(self.found, self.level, self.resamples, by_tokens=self.counts is not None)
        return output_lines(found, self.level, raw=self.raw)

    def blocks(self, **how: Any) -> list[Block]:
        """The best system in a sentence, then the leaderboard: with all variants, or with the counts."""
        v, c = self._place
        best, letter = self.order[0], LETTERS[c]
        value, inside = figure(float(self.values[best, v, c])), self.intervals[best, v, c]
        said = many(len(self.systems), "system")
        if self.main is not None:
            between = f" ({self.level:.0%} CI {shown(inside, 'interval')})" if inside else ""
            said += f" on {many(len(set(self.found.texts.tasks)), 'task')}: the best by {self.found.variants[v]} "
            said += f"{WORDS[letter]} is {self.systems[best]} with {value}{between}."
            others = [k for k in range(len(self.found.variants)) if k != v]
            others.sort(key=lambda k: self.found.variants[k].n > 2)  # ROUGE-3 and 4 say least
            called = {k: str(variant).removeprefix("ROUGE-") for k, variant in enumerate(self.found.variants)}
            more = {Column(called[k], called[k], "figure"): self.values[:, k, c].tolist() for k in others}
            title = f"Mean {WORDS[letter]}, best first"
            table = board_table(title, self.systems, self.main, called[v], more)
        else:
            said += f", counted by token: the best by {self.by} is {self.systems[best]} with {value}."
            table = self._counted()
        return with_notes([Text((said,), "lead"), table], self.found.notes)

    def _counted(self) -> Table:
        v, c = self._place
        counts = np.zeros(0) if self.counts is None else self.counts
        head = Column("value", self.by.removeprefix("ROUGE-"), "figure")
        inside = Column("interval", f"{self.level:.0%} CI (tasks)", "interval")
        heads = columns("system", head, inside, *(f"{name}:count" for name in (*COUNTS, "tasks")))
        rows = []
        for s in self.order:
            cells = (float(self.values[s, v, c]), self.intervals[s, v, c], *counts[s, v].tolist(), self.tasks[s])
            rows.append((self.systems[s], *cells))
        return Table(f"{self.by} of the whole corpus, best first", heads, tuple(rows))


def rouge_board(
    found: Rouge, by: str | None = None, *, seed: int = 0, level: float = 0.95, resamples: int = 1000
) -> RougeBoard:
    """The leaderboard by a figure such as ``ROUGE-2_R`` (the default where ROUGE-2 was asked for)."""
    by = _figure(found, by)
    names = found.texts.tasks, found.texts.systems
    tables = {(v, c): cross_table(*names, found.values[v, :, c]) for v, c in _places(found)}
    systems = tables[0, 0][1]
    values = np.empty((len(systems), len(found.variants), len(LETTERS)))
    intervals: dict[tuple[int, int, int], Interval | None] = {}
    for (v, c), (table, _) in tables.items():
        values[:, v, c], number = mean_over_tasks(table)
        again = bootstrap(table, stream(seed, "bootstrap", "rouge"), resamples)  # the same draws for every figure
        for s, units in enumerate(number.tolist()):
            how: dict[str, Any] = {"level": level, "over": "tasks", "units": units, "range": RANGE}
            intervals[s, v, c] = interval(float(values[s, v, c]), again[:, s], **how)
    table, _ = tables[divmod(found.names.index(by), len(LETTERS))]
    main = board(table, "rouge", seed=seed, level=level, resamples=resamples, range=RANGE)
    return RougeBoard(found, by, systems, tuple(main.tasks.tolist()), values, intervals, level, resamples, main)


def corpus_board(
    found: Rouge,
    by: str | None = None,
    *,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
    raw: bool = False,
) -> RougeBoard:
    """Systems by a figure such as ``ROUGE-2_R`` of all their tasks in one, with intervals over tasks.

    >>> from quorate.summaries.rouge import rouge
    >>> found = corpus_board(rouge(["a b c d", "x"], [["a b"], ["x y z w"]], ["1"]))
    >>> found.counts.tolist(), found.values.round(3).tolist()  # 3 of 6, not the mean of 2/2 and 1/4
    ([[[6.0, 5.0, 3.0]]], [[[0.5, 0.6, 0.545]]])
    """
    if found.counts is None or found.options.get("jackknife"):
        raise BadParameter("counting by token cannot be jackknifed.", "leave out one of the two.")
    by, alpha = _figure(found, by), found.options.get("alpha", 0.5)
    systems = tuple(dict.fromkeys(found.texts.systems))
    intervals: dict[tuple[int, int, int], Interval | None] = {}
    counts, tasks = [], []
    for s, system in enumerate(systems):
        mine = [k for k, name in enumerate(found.texts.systems) if name == system]
        own = found.counts[:, mine].swapaxes(0, 1)  # [task, variant, count]
        counts.append(own.sum(axis=0))
        tasks.append(len(own))
        # The same draws for every system with as many tasks, so that they can be compared.
        times = drawn(len(own), resamples, stream(seed, "bootstrap", "rouge by token"))
        again = corpus_figures(np.tensordot(times, own, axes=1), alpha)
        for v, c in _places(found):
            value = float(corpus_figures(counts[s], alpha)[v, c])
            how: dict[str, Any] = {"level": level, "over": "tasks", "units": len(own), "range": RANGE}
            intervals[s, v, c] = interval(value, again[:, v, c], **how)
    values = corpus_figures(np.stack(counts), alpha)
    told = (found, by, systems, tuple(tasks), values, intervals, level, resamples)
    return RougeBoard(*told, counts=np.stack(counts), raw=raw)


def _places(found: Rouge) -> list[tuple[int, int]]:
    """Every variant and letter."""
    return list(product(range(len(found.variants)), range(len(LETTERS))))


def _figure(found: Rouge, by: str | None) -> str:
    """The name of the figure that a leaderboard is by; of none told, recall of ROUGE-2 where it is there."""
    if by is None:
        return "ROUGE-2_R" if "ROUGE-2_R" in found.names else found.names[0]
    variant, _, letter = by.rpartition("_")
    if letter not in LETTERS:
        raise UnknownId(f"no figure '{by}'.", "a figure is a ROUGE and R, P or F: ROUGE-2_R.")
    name = f"{Variant.parse(variant)}_{letter}"
    if name not in found.names:
        raise UnknownId(f"no figure '{name}'.", suggest(name, found.names))
    return name
