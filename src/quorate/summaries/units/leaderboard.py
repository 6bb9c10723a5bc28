"""Items and systems by a score of units, for people and for programs: the leaderboard first, then every item."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from quorate.document.blocks import Block, Table, Text, columns
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.panel.base import many
from quorate.summaries.leaderboard import Scored
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import Published, Rule, calibrate, model_scores, scores, stray
from quorate.summaries.units.shares import SCHEMES, penalised, shares
from quorate.words.numbers import three


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
    >>> scored(ContentUnits.build(raw)).figures[0]["share"]
    0.5
    """
    if scheme is None and penalty is None and (table.models or (table.models_texts and _weighted(table))):
        found = [asdict(s) for s in scores(table, rounding=rounding, weight=weight, cap=cap)]
        known = any(not math.isnan(row["modified"]) for row in found)
        main = "modified" if known or table.models else "original"
        return Scored(tuple(found), main, (*table.notes, *stray(table)))
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


@dataclass(frozen=True)
class Calibration(Result):
    """Which rule reproduces published scores; built by :func:`calibration`."""

    rules: tuple[Rule, ...]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every rule, the best first."""
        return {"rules": self.rows()}

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every rule."""
        return [asdict(rule) for rule in self.rules]

    def blocks(self, **how: Any) -> list[Block]:
        """The best rule in a sentence, then all of them."""
        best = self.rules[0]
        same = [r for r in self.rules if (r.reproduced, r.mean) == (best.reproduced, best.mean)]
        names = ", ".join(dict.fromkeys(r.rounding for r in same))
        said = f"{names} reproduce{'s' if ',' not in names else ''} {best.reproduced:,} of {best.of:,} published scores"
        if not best.reproduced:
            said = f"No rule reproduces any of {many(best.of, 'published score')}"
        far = f"; the largest difference is {three(best.largest)}." if math.isfinite(best.largest) else ""
        said += "." if best.reproduced == best.of else far or "; some are undefined."
        figures = ("reproduced:count", "share:share", "largest:figure", "mean_difference:figure")
        heads = columns("rounding", "weight", "capped:yes", *figures)
        rows = tuple((r.rounding, r.weight, r.cap, r.reproduced, r.share, r.largest, r.mean) for r in self.rules)
        return [Text((said,), "lead"), Table("Rules, the best first", heads, rows, keys=2)]


def calibration(table: ContentUnits, published: Published) -> Calibration:
    """Every rule for pyramid scores with how well it reproduces those that were published."""
    return Calibration(tuple(calibrate(table, published)))
