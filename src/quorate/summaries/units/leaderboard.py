"""Items and systems by a score of units, for people and for programs: the leaderboard first, then every item."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quorate.document.blocks import Table, Text, columns, with_notes
from quorate.document.boards import board_table
from quorate.errors import InputError
from quorate.inference.board import Board, board
from quorate.inference.results import clean
from quorate.panel.base import many
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import Rule, model_scores, scores
from quorate.summaries.units.shares import SCHEMES, penalised, shares
from quorate.words.numbers import figure

SHOWN = 20


@dataclass(frozen=True)
class Scored:
    """A row of figures for every item and judge; ``main`` is the figure that the leaderboard is by."""

    rows: tuple[dict[str, Any], ...]
    main: str
    notes: tuple[str, ...] = ()

    def board(self, *, seed: int = 0, level: float = 0.95, resamples: int = 1000) -> tuple[list[Hashable], Board]:
        """Items as systems: their means over tasks (of each the mean over judges), with intervals and letters."""
        tasks = {t: k for k, t in enumerate(dict.fromkeys(r["task"] for r in self.rows))}
        items = {i: k for k, i in enumerate(dict.fromkeys(r["item"] for r in self.rows))}
        total, number = np.zeros((2, len(tasks), len(items)))
        for r in self.rows:
            if not math.isnan(r[self.main]):
                total[tasks[r["task"]], items[r["item"]]] += r[self.main]
                number[tasks[r["task"]], items[r["item"]]] += 1
        table = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
        return list(items), board(table, "units", self.main, seed=seed, level=level, resamples=resamples)

    def to_json(self, **how: Any) -> str:
        """Systems, items and notes as JSON text."""
        names, found = self.board(**how)
        systems = []
        for s in found.order:
            inside = found.intervals[s]
            row = {"system": names[s], "mean": float(found.means[s]), "tasks": int(found.tasks[s])}
            systems.append(
                {**row, "interval": [inside.low, inside.high] if inside else None, "group": found.letters[s]}
            )
        out = {"score": self.main, "systems": systems, "items": list(self.rows), "notes": list(self.notes)}
        return json.dumps(clean(out), ensure_ascii=False, indent=1, default=str, allow_nan=False)

    def to_csv(self, **how: Any) -> str:
        """A line for every item and judge."""
        return lines(self.rows)

    def text(self, width: int = 80, **how: Any) -> str:
        """The best system in a sentence, then the leaderboard."""
        from quorate.document.terminal import render

        if not self.rows:
            return render(with_notes([Text(("Nothing was judged.",), "lead")], self.notes), width)
        names, found = self.board(**how)
        first, what = found.order[0], f"{self.main.replace('_', ' ')} score"
        n_tasks = len({r["task"] for r in self.rows})
        said = f"{many(len(self.rows), 'judged item')} of {many(len(names), 'system')} on {many(n_tasks, 'task')}: "
        said += f"the best system is {names[first]}, mean {what} {figure(float(found.means[first]))}."
        table = board_table(f"Mean {what}, best first", names, found, "mean")
        return render(with_notes([Text((said,), "lead"), table], self.notes), width)


def scored(
    table: ContentUnits,
    *,
    scheme: str | None = None,
    rounding: str = "half_up",
    weight: str = "contributors",
    cap: bool = False,
    penalty: float | str | None = None,
) -> Scored:
    """Pyramid scores where models are known, else shares; ``scheme`` asks for shares by that scheme.

    ``penalty`` is the alpha of a penalty for length, or ``auto``: see :mod:`quorate.summaries.units.shares`.

    >>> raw = {"unit": ["a", "b"], "item": ["x", "x"], "support": [1, 0]}
    >>> scored(ContentUnits.build(raw)).rows[0]["share"]
    0.5
    """
    if scheme is None and penalty is None and (table.models or (table.models_texts and _weighted(table))):
        found = [asdict(s) for s in scores(table, rounding=rounding, weight=weight, cap=cap)]
        known = any(not math.isnan(row["modified"]) for row in found)
        return Scored(tuple(found), "modified" if known or table.models else "original", table.notes)
    chosen = scheme or "share"
    every = {name: shares(table, name) for name in dict.fromkeys((chosen, *SCHEMES))}
    item, judge, value = every[chosen]
    main, notes = chosen, table.notes
    if penalty is not None:
        value, alpha = penalised(table, item, value, None if penalty == "auto" else float(penalty))
        main = f"normalised_{chosen}"
        every = {main: (item, judge, value), **every}
        notes = (*notes, f"{main} is {chosen} with a penalty for length, alpha {alpha:.4g}")
    rows = []
    for k, (i, j) in enumerate(zip(item.tolist(), judge.tolist(), strict=True)):
        about = table.items[i]
        head = {"task": about.task, "item": about.id, "judge": table.judges[j]}
        rows.append({**head, **{name: float(value[k]) for name, (_, _, value) in every.items()}})
    return Scored(tuple(rows), main, notes)


def _weighted(table: ContentUnits) -> bool:
    """Whether units have contributors: files of DUCView whose models were not found still have the original score."""
    return any(u.said for u in table.units)


def scored_models(
    table: ContentUnits, *, rounding: str = "half_up", weight: str = "contributors", cap: bool = False
) -> Scored:
    """The models, each against the pyramid of the others; its own contributors are its annotation."""
    rows = model_scores(table, rounding=rounding, weight=weight, cap=cap)
    if not rows:
        raise InputError("no models are known.", "a table of units names them in the column models.")
    return Scored(tuple({"task": r.pop("task"), "item": r.pop("model"), **r} for r in rows), "modified", table.notes)


def rules_text(rules: Sequence[Rule], width: int = 80) -> str:
    """Which rule reproduces published scores, in a sentence and a table."""
    from quorate.document.terminal import render

    best = rules[0]
    same = [r for r in rules if (r.reproduced, r.mean) == (best.reproduced, best.mean)]
    names = ", ".join(dict.fromkeys(r.rounding for r in same))
    said = f"{names} reproduce{'s' if ',' not in names else ''} {best.reproduced:,} of {best.of:,} published scores"
    if not best.reproduced:
        said = f"No rule reproduces any of {many(best.of, 'published score')}"
    far = f"; the largest difference is {best.largest:.3f}." if math.isfinite(best.largest) else "; some are undefined."
    said += "." if best.reproduced == best.of else far
    figures = ("reproduced:count", "share:share", "largest:figure", "mean_difference:figure")
    heads = columns("rounding", "weight", "capped:yes", *figures)
    rows = tuple((r.rounding, r.weight, r.cap, r.reproduced, r.share, r.largest, r.mean) for r in rules)
    return render([Text((said,), "lead"), Table("Rules, the best first", heads, rows, keys=2)], width)


def lines(rows: Sequence[dict[str, Any]]) -> str:
    """Rows as CSV text; an undefined figure is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: clean(v) for k, v in row.items()} for row in rows)
    return out.getvalue()
