"""Scores of items from a table of units, with a leaderboard of systems; and which rule gave published scores.

Pyramid scores where models are known, else shares. Tools round the contributors of an average model differently, with
four models on up to three tasks in four: :func:`calibrate` tells which rule reproduces published scores.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np

from quorate.document.blocks import Block, Table, Text, columns
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.formats.files import File, PathLike
from quorate.panel.base import many
from quorate.summaries.declarations import ROUNDINGS, RULES
from quorate.summaries.leaderboard import Scored
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import model_scores, scores, stray
from quorate.summaries.units.reading import WIDTHS
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
    """The models, each against the pyramid of the others; its own contributors are its annotation.

    >>> raw = {"unit": ["a", "b"], "item": ["x", "x"], "support": [1, 0], "models": ["P Q", "P"]}
    >>> [(row["item"], row["modified"]) for row in scored_models(ContentUnits.build(raw))]
    [('P', 1.0), ('Q', 0.5)]
    """
    rows = model_scores(table, rounding=rounding, weight=weight, cap=cap)
    if not rows:
        raise InputError("no models are known.", "a table of units names them in the column models.")
    return Scored(tuple({"task": r.pop("task"), "item": r.pop("model"), **r} for r in rows), "modified", table.notes)


# -- rules that reproduce published scores ----------------------------------------------------------------------------

Published = Mapping[tuple[Hashable, Hashable], tuple[float, float]]  # (task, item) -> score, half its last digit


@dataclass(frozen=True, slots=True)
class Rule:
    """How well one rule reproduces published scores."""

    rounding: str
    weight: str
    cap: bool
    reproduced: int  # scores equal as far as they were printed
    of: int
    largest: float  # greatest difference
    mean: float  # mean absolute difference

    @property
    def share(self) -> float:
        """Share of the scores that the rule reproduces."""
        return self.reproduced / self.of


@dataclass(frozen=True)
class Calibration(Result):
    """Which rule reproduces published scores; built by :func:`calibrate`."""

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


def calibrate(table: ContentUnits, published: Published) -> Calibration:
    """Every rule, the one that reproduces most first; rules that give the same on these data stay together.

    Published may be scores of items, and of models against the other models.

    >>> raw = {"unit": ["a", "b", "c"], "item": ["x"] * 3, "support": [1, 0, 0], "models": ["P Q", "P", "Q"]}
    >>> calibrate(ContentUnits.build(raw), {("all", "x"): (0.67, 0.005)}).rules[0].reproduced
    1
    """
    out = []
    for rounding, weight, cap in product(ROUNDINGS, RULES["weight"].choices, (False, True)):
        how: dict[str, Any] = {"rounding": rounding, "weight": weight, "cap": cap}
        found = [((s.task, s.item), s.modified) for s in scores(table, **how)]
        found += [((m["task"], m["model"]), m["modified"]) for m in model_scores(table, **how)]
        pairs = [(value, *published[key]) for key, value in found if key in published]
        if not pairs:
            ours, theirs = table.items[0], next(iter(published), ("-", "-"))
            hint = f"annotated is task {ours.task} item {ours.id}, published task {theirs[0]} item {theirs[1]}."
            raise InputError("no annotated item has a published score.", hint)
        value, printed, half = np.array(pairs, float).T
        apart = np.where(np.isnan(value), np.inf, np.abs(value - printed))
        good = int((apart <= half + 1e-9).sum())
        mean = float(apart[np.isfinite(apart)].mean()) if np.isfinite(apart).any() else math.nan
        out.append(Rule(rounding, weight, cap, good, len(pairs), float(apart.max()), mean))
    return Calibration(tuple(sorted(out, key=lambda r: (-r.reproduced, r.mean))))


def read_published(path: PathLike) -> dict[tuple[Hashable, Hashable], tuple[float, float]]:
    """Published modified scores: lines of task, item, score, with anything after that; between blanks or commas.

    NIST's ``manual.peer`` begins so. The last digit printed tells how exact a score is.
    """
    out: dict[tuple[Hashable, Hashable], tuple[float, float]] = {}
    bad: list[tuple[int | None, str]] = []
    with File(path).text() as stream:
        for number, line in enumerate(stream, 1):
            fields = line.replace(",", " ").split()
            if len(fields) < 3 or fields[:3] == ["task", "item", "score"]:
                if fields and len(fields) < 3:
                    bad.append((number, line.strip()[:60]))
                continue
            try:
                place = WIDTHS.get(len(fields), {}).get("pyramid", 2)  # in manual.model the score comes later
                score = Decimal(fields[place])
                exponent: Any = score.as_tuple().exponent
                out[fields[0], fields[1]] = float(score), 0.5 * 10.0 ** int(exponent)
            except (ArithmeticError, ValueError):
                bad.append((number, line.strip()[:60]))
    if bad:
        raise InputError("not published scores", "task, item, score.", source=File(path).name, problems=bad)
    return out
