"""Nouveau-ROUGE: of an update summary, what is new against what readers know already.

``a0 + old * ROUGE(summary, earlier models) + new * ROUGE(summary, update models)``: old content costs (old < 0), new
content pays (new > 0). With the published coefficients the figure is on the scale of the judges' scores, not 0 to 1.
Conroy, Schlesinger and O'Leary, Computational Linguistics 37(1), 2011.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.document.blocks import Block, Column, Text, with_notes
from quorate.document.boards import board_table
from quorate.errors import BadParameter, InputError
from quorate.formats.rouge_files import Evaluation
from quorate.inference.board import mean_over_tasks
from quorate.panel.base import many
from quorate.summaries.leaderboard import Leaderboard
from quorate.summaries.rouge.score import Row, Texts, rouge
from quorate.words.numbers import figure

Array = NDArray[Any]
LEAST = 4  # summaries for three coefficients and an error


@dataclass(frozen=True)
class Nouveau:
    """Coefficients of Nouveau-ROUGE; fitted ones know from how many summaries and how well (R squared).

    >>> float(PUBLISHED[2].score(0.02, 0.10).round(4))
    2.9191
    """

    constant: float
    old: float
    new: float
    summaries: int | None = None
    r_squared: float | None = None

    @property
    def plausible(self) -> bool:
        """Old content costs and new content pays."""
        return self.old < 0 < self.new

    def __str__(self) -> str:
        made = (
            "published"
            if self.r_squared is None
            else f"from {self.summaries:,} summaries, R squared {self.r_squared:.2f}"
        )
        doubt = "" if self.plausible else "; old content does not cost, or new does not pay: do not use it"
        return f"{self.constant:.4f} {self.old:+.4f} old {self.new:+.4f} new ({made}{doubt})."

    def score(self, earlier: ArrayLike, update: ArrayLike) -> Array:
        """The score from ROUGE against the earlier and against the update models."""
        return np.asarray(self.constant + self.old * np.asarray(earlier, float) + self.new * np.asarray(update, float))


PUBLISHED = {1: Nouveau(-0.0271, -7.3550, 13.4227), 2: Nouveau(0.9126, -5.4536, 21.1556)}  # by n of ROUGE-n recall


def fit(earlier: ArrayLike, update: ArrayLike, scores: ArrayLike) -> Nouveau:
    """Coefficients by least squares from judges' scores; rows with a missing figure are left aside.

    Look at ``plausible`` before use: other signs mean that the data do not tell old from new.

    >>> found = fit([0.1, 0.3, 0.2, 0.0], [0.2, 0.1, 0.4, 0.3], [3, 1, 4, 4])
    >>> found.plausible, found.summaries
    (True, 4)
    """
    table = np.column_stack([np.asarray(c, float).ravel() for c in (earlier, update, scores)])
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) < LEAST:
        raise InputError(f"{len(table)} summaries are too few for three coefficients.", f"give at least {LEAST}.")
    design = np.column_stack([np.ones(len(table)), table[:, :2]])
    found, _, rank, _ = np.linalg.lstsq(design, table[:, 2], rcond=None)
    if rank < design.shape[1]:
        raise InputError(
            "the figures do not tell the coefficients apart.", "both kinds of ROUGE must vary, not together."
        )
    spread = float(((table[:, 2] - table[:, 2].mean()) ** 2).sum())
    errors = float(((table[:, 2] - design @ found) ** 2).sum())
    r_squared = 1 - errors / spread if spread > 0 else float("nan")
    constant, old, new = found.tolist()
    return Nouveau(constant, old, new, len(table), r_squared)


def nouveau_rouge(
    summaries: Sequence[str],
    earlier: Sequence[Sequence[str]],
    update: Sequence[Sequence[str]],
    n: int = 2,
    coefficients: Nouveau | None = None,
    **options: Any,
) -> Array:
    """Nouveau-ROUGE-n of update summaries; options are those of :func:`quorate.summaries.rouge.rouge`.

    >>> nouveau_rouge(["new facts"], [["old facts"]], [["new facts"]], n=1).round(3).tolist()
    [9.718]
    """
    if coefficients is None:
        if n not in PUBLISHED:
            raise BadParameter(
                f"no published coefficients for n={n}.", f"n is 1 or 2, or give coefficients (see {fit.__name__})."
            )
        coefficients = PUBLISHED[n]
    old, new = (rouge(summaries, models, [str(n)], **options)[f"{n}_R"] for models in (earlier, update))
    return coefficients.score(old, new)


SIZES = tuple(PUBLISHED)  # n of ROUGE-n
Cell = tuple[Hashable, Hashable]  # task and system


@dataclass(frozen=True, eq=False)
class Updates(Leaderboard):
    """ROUGE-1 and -2 recall of summaries against earlier and against update models, and Nouveau-ROUGE of them."""

    called: ClassVar[str] = "Nouveau-ROUGE"

    cells: tuple[Cell, ...]  # task and system of each summary
    old: Array  # [n, summary]
    new: Array  # [n, summary]
    coefficients: Mapping[int, Nouveau]
    by: int
    notes: tuple[str, ...] = ()

    @property
    def main(self) -> str:  # type: ignore[override]
        """The figure that systems are ordered by."""
        return f"Nouveau-ROUGE-{self.by}"

    @property
    def draws(self) -> tuple[object, ...]:
        """By the size of n-grams."""
        return "nouveau rouge", self.by

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every summary; they can be read as metrics."""
        out: list[dict[str, Any]] = [{"task": task, "system": system} for task, system in self.cells]
        for k, n in enumerate(SIZES):
            columns = (self.coefficients[n].score(self.old[k], self.new[k]), self.old[k], self.new[k])
            names = (f"Nouveau-ROUGE-{n}", f"ROUGE-{n}_R_earlier", f"ROUGE-{n}_R_update")
            for row, *values in zip(out, *(c.tolist() for c in columns), strict=True):
                row.update(zip(names, values, strict=True))
        return out

    def about(self) -> dict[str, Any]:
        """The coefficients."""
        return {"coefficients": {str(n): {**asdict(c), "plausible": c.plausible} for n, c in self.coefficients.items()}}

    def blocks(self, **how: Any) -> list[Block]:
        """The best system in a sentence, the coefficients, then the leaderboard."""
        systems, main = self.board(**how)
        best = main.order[0]
        said = f"{many(len(systems), 'system')} on {many(len({t for t, _ in self.cells}), 'task')}: the best by "
        said += f"{self.main} is {systems[best]} with {figure(float(main.means[best]))}."
        both = {"old": f"ROUGE-{self.by}_R_earlier", "new": f"ROUGE-{self.by}_R_update"}
        more = {Column(n, n, "figure"): mean_over_tasks(self.cross(of)[0])[0].tolist() for n, of in both.items()}
        table = board_table(f"Mean {self.main}, best first", systems, main, "mean", more)
        lines = tuple(f"Nouveau-ROUGE-{n} = {c}" for n, c in self.coefficients.items())
        return with_notes([Text((said,), "lead"), Text(lines), table], self.notes)


def updates(
    update: Texts,
    earlier: Texts,
    *,
    judged: Mapping[tuple[str, str], float] | None = None,
    by: int = 2,
    **options: Any,
) -> Updates:
    """Nouveau-ROUGE of summaries against update and earlier models; ``judged`` scores make new coefficients.

    ``update`` and ``earlier`` hold the same summaries with other references. Options are those of
    :func:`quorate.summaries.rouge.rouge`.

    >>> texts = [Texts.of(["new facts", "old news"], [[said]] * 2) for said in ("new facts", "old facts")]
    >>> [round(row["Nouveau-ROUGE-1"], 2) for row in updates(*texts)]
    [9.72, -3.7]
    """
    if by not in SIZES:
        raise BadParameter(f"no Nouveau-ROUGE-{by}.", "there are 1 and 2.")
    kinds = [str(n) for n in SIZES]
    both = [rouge(texts, (), kinds, **options) for texts in (earlier, update)]
    places = [{c: k for k, c in enumerate(zip(f.texts.tasks, f.texts.systems, strict=True))} for f in both]
    cells = [c for c in places[1] if c in places[0]]
    if not cells:
        raise InputError("no summary has both earlier and update models.", "tasks must have the same names in both.")
    notes = list(dict.fromkeys(n for f in both for n in f.notes))
    gone = len(places[1]) - len(cells)
    if gone:
        notes.append(f"left aside, without earlier models: {gone:,} summaries")
    old, new = (
        np.stack([f[f"{n}_R"][[at[c] for c in cells]] for n in SIZES]) for f, at in zip(both, places, strict=True)
    )
    used: dict[int, Nouveau] = dict(PUBLISHED)
    if judged is not None:
        scores = np.array([judged.get((str(t), str(s)), math.nan) for t, s in cells])
        for k, n in enumerate(SIZES):
            try:
                used[n] = fit(old[k], new[k], scores)
            except InputError as why:
                if n == by:
                    raise
                notes.append(f"Nouveau-ROUGE-{n} keeps its published coefficients: {why.fact}".rstrip("."))
        notes.append(f"fitted to the scores of {int(np.isfinite(scores).sum()):,} of {len(cells):,} summaries")
    return Updates(tuple(cells), old, new, used, by, tuple(notes))


def earlier_rows(peers: Iterable[Row], models: Iterable[Row]) -> Texts:
    """Update summaries against the models of the earlier tasks: of the same name, or ``X-A`` for ``X-B``."""
    rows, given = list(peers), list(models)
    names = {str(t) for t, _, _ in given}
    wanted = {str(t): name for t, _, _ in rows if (name := _earlier(str(t), names))}
    back: dict[str, list[str]] = {}
    for task, name in wanted.items():
        back.setdefault(name, []).append(task)
    return Texts.of_rows(rows, [(task, m, text) for t, m, text in given for task in back.get(str(t), ())])


def earlier_evaluations(update: Iterable[Evaluation], earlier: Iterable[Evaluation]) -> Texts:
    """The same of set-up files: each update evaluation with the models of the earlier one."""
    known = {e.id: e for e in earlier}
    names = set(known)
    out = [replace(e, models=known[name].models) for e in update if (name := _earlier(e.id, names))]
    return Texts.of_evaluations(out)


def _earlier(task: str, names: set[str]) -> str | None:
    """``D0901-B`` builds on ``D0901-A``; in set-up files the letter may stand before a dot."""
    if task in names:
        return task
    head, mark, rest = task.partition("-B")
    return f"{head}-A{rest}" if mark and f"{head}-A{rest}" in names else None
