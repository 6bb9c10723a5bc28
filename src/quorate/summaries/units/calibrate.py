"""Which rounding rule, and which weight of a unit, gave the pyramid scores that were published?

The number of contributors of an average model is seldom whole, and tools round it differently; with four models the
rules differ on up to three tasks in four. Licensed pyramids and their published scores tell.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from quorate.errors import InputError
from quorate.formats.files import File, PathLike
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import ROUNDINGS, model_scores, scores
from quorate.summaries.units.reading import WIDTHS

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


def calibrate(table: ContentUnits, published: Published) -> list[Rule]:
    """Every rule, the one that reproduces most first; rules that give the same on these data stay together.

    Published may be scores of items, and of models against the other models.
    """
    out = []
    for rounding in ROUNDINGS:
        for weight in ("contributors", "models"):
            for cap in (False, True):
                how: dict[str, Any] = {"rounding": rounding, "weight": weight, "cap": cap}
                found = [((s.task, s.item), s.modified) for s in scores(table, **how)]
                found += [((m["task"], m["model"]), m["modified"]) for m in model_scores(table, **how)]
                pairs = [(value, *published[key]) for key, value in found if key in published]
                if not pairs:
                    raise InputError("no annotated item has a published score.", _both(table, published))
                ours, theirs, half = np.array(pairs, float).T
                apart = np.where(np.isnan(ours), np.inf, np.abs(ours - theirs))
                good = int((apart <= half + 1e-9).sum())
                mean = float(apart[np.isfinite(apart)].mean()) if np.isfinite(apart).any() else float("nan")
                out.append(Rule(rounding, weight, cap, good, len(pairs), float(apart.max()), mean))
    return sorted(out, key=lambda r: (-r.reproduced, r.mean))


def _both(table: ContentUnits, published: Published) -> str:
    ours, theirs = table.items[0], next(iter(published), ("-", "-"))
    return f"annotated is task {ours.task} item {ours.id}, published task {theirs[0]} item {theirs[1]}."


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
