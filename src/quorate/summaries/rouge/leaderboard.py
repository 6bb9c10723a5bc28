"""ROUGE of systems for people and for programs: the best system first, every figure with its interval.

By summary a system's figure is a mean over its summaries. By tokens (``-t 1``) hits and lengths of all tasks are added
up before anything is divided, so that a long summary counts for more than a short one; the raw counts (``-t 2``) are
for those who divide themselves.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.document.blocks import Column, Table, Text, columns, with_notes
from quorate.document.boards import board_table
from quorate.errors import BadParameter, UnknownId, suggest
from quorate.inference.board import Board, board, bootstrap, mean_over_tasks
from quorate.inference.resample import Interval, centred, stream
from quorate.inference.results import clean
from quorate.panel.base import many
from quorate.summaries.rouge.perl import averages, corpus_figures
from quorate.summaries.rouge.score import LETTERS, Rouge
from quorate.summaries.rouge.variants import Variant
from quorate.words.numbers import figure, shown

Array = NDArray[Any]
SHOWN = 20  # systems in a table; all are in JSON
RANGE = (0.0, 1.0)
WORDS = {"R": "recall", "P": "precision", "F": "F"}


@dataclass(frozen=True, eq=False)
class RougeBoard:
    """Systems by a figure of ROUGE, and their means by all others; built by :func:`rouge_board`."""

    found: Rouge
    by: str
    systems: tuple[Hashable, ...]
    main: Board
    means: Array  # [variant, R P F, system]
    intervals: dict[tuple[int, int, int], Interval | None]  # by variant, letter, system
    level: float
    resamples: int

    def to_dict(self) -> dict[str, Any]:
        """Systems from best to worst, then every summary."""
        found = self.found
        systems = []
        for s in self.main.order:
            scores = {
                str(v): {letter: self._figure(k, c, s) for c, letter in enumerate(LETTERS)}
                for k, v in enumerate(found.variants)
            }
            head = {"system": self.systems[s], "tasks": int(self.main.tasks[s]), "group": self.main.letters[s]}
            systems.append({**head, "scores": scores})
        out = {"score": self.by, "options": dict(found.options), "systems": systems, "summaries": list(self.rows())}
        return {**clean(out), "notes": list(found.notes)}

    def _figure(self, variant: int, letter: int, system: int) -> dict[str, Any]:
        inside = self.intervals[variant, letter, system]
        mean = float(self.means[variant, letter, system])
        return {"mean": mean, "interval": [inside.low, inside.high] if inside else None}

    def rows(self) -> Any:
        """A dict for every summary."""
        texts = self.found.texts
        for k, (task, system) in enumerate(zip(texts.tasks, texts.systems, strict=True)):
            figures = self.found.values[:, k].ravel().tolist()
            yield {"task": task, "system": system, **dict(zip(self.found.names, figures, strict=True))}

    def to_json(self) -> str:
        """The dict as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n"

    def to_csv(self) -> str:
        """A line for every summary; `quorate` reads it again as metrics."""
        from quorate.summaries.units.leaderboard import lines

        return lines(list(self.rows()))

    def to_perl(self) -> str:
        """What ROUGE-1.5.5 prints."""
        from quorate.formats.rouge_files import output_lines

        return output_lines(averages(self.found, self.level, self.resamples), self.level)

    def text(self, width: int = 80) -> str:
        """The best system in a sentence, then the leaderboard with all variants."""
        from quorate.document.terminal import render

        order, main = self.main.order, self.main
        variant, letter = _split(self.by)
        best, inside = order[0], main.intervals[order[0]]
        tasks = len(set(self.found.texts.tasks))
        said = (
            f"{many(len(self.systems), 'system')} on {many(tasks, 'task')}: the best by {variant} {WORDS[letter]} is "
        )
        said += f"{self.systems[best]} with {figure(float(main.means[best]))}"
        said += f" ({self.level:.0%} interval {shown(inside, 'interval')})." if inside else "."
        others = [k for k, v in enumerate(self.found.variants) if v != variant]
        others = sorted(others, key=lambda k: self.found.variants[k].n > 2)  # ROUGE-3 and 4 say least
        called = [str(v).removeprefix("ROUGE-") for v in (variant, *(self.found.variants[k] for k in others))]
        more = {
            Column(name, name, "figure"): self.means[k, LETTERS.index(letter)].tolist()
            for name, k in zip(called[1:], others, strict=True)
        }
        table = board_table(f"Mean {WORDS[letter]}, best first", self.systems, main, called[0], more)
        return render(with_notes([Text((said,), "lead"), table], self.found.notes), width)


def rouge_board(
    found: Rouge, by: str | None = None, *, seed: int = 0, level: float = 0.95, resamples: int = 1000
) -> RougeBoard:
    """The leaderboard by a figure such as ``ROUGE-2_R`` (the default where ROUGE-2 was asked for)."""
    two = Variant.parse("2")
    variant, letter = _split(by) if by else (two if two in found.variants else found.variants[0], "R")
    by = f"{variant}_{letter}"
    if variant not in found.variants:
        raise UnknownId(f"no figure '{by}'.", suggest(by, found.names))
    texts = found.texts
    tasks = {t: k for k, t in enumerate(dict.fromkeys(texts.tasks))}
    systems = {s: k for k, s in enumerate(dict.fromkeys(texts.systems))}
    row = [tasks[t] for t in texts.tasks]
    column = [systems[s] for s in texts.systems]
    means = np.empty((len(found.variants), len(LETTERS), len(systems)))
    intervals: dict[tuple[int, int, int], Interval | None] = {}
    values = np.full((len(tasks), len(systems)), np.nan)
    main = None
    for v, one in enumerate(found.variants):
        for c, name in enumerate(LETTERS):
            values[row, column] = found.values[v, :, c]
            means[v, c], number = mean_over_tasks(values)
            # The same draws for every figure, so that they can be compared.
            drawn = bootstrap(values, stream(seed, "bootstrap", "rouge"), resamples)
            for s in range(len(systems)):
                mean = float(means[v, c, s])
                intervals[v, c, s] = centred(mean, drawn[:, s], level, "tasks", int(number[s]), RANGE)
            if one == variant and name == letter:
                main = board(values, "rouge", seed=seed, level=level, resamples=resamples, range=RANGE)
    return RougeBoard(found, by, tuple(systems), cast(Board, main), means, intervals, level, resamples)


def _split(name: str) -> tuple[Variant, str]:
    variant, _, letter = name.rpartition("_")
    if letter not in LETTERS:
        raise UnknownId(f"no figure '{name}'.", "a figure is a ROUGE and R, P or F: ROUGE-2_R.")
    return Variant.parse(variant), letter


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
        from quorate.summaries.units.leaderboard import lines

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
