"""Does a judge find the same units in the same text again? Self-agreement unit by unit on identical items.

A pyramid score is a sum of weights, so that equal scores may come from different units: a judge can look consistent by
score and not be so by content (Owczarzak, Rankel, Dang, Conroy 2012, footnote 2). Every unit of every identical item is
a yes or no of its judge; alpha over these is what `quorate judges` calls self-consistency.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from quorate.document.blocks import Block, Chart, Table, Text, columns, with_notes
from quorate.document.pivot import interval_column
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.inference.answer import answer
from quorate.inference.estimate import Estimate
from quorate.inference.results import Options
from quorate.panel.base import many
from quorate.panel.kinds import Scores
from quorate.summaries.leaderboard import dots
from quorate.summaries.units.model import OUTSIDE, ContentUnits
from quorate.summaries.units.pyramid import pyramids, scores
from quorate.table import parse

NEAR = 1e-9  # scores that differ by rounding alone
Groups = dict[tuple[int, Hashable, str], list[int]]  # by judge, task and text: items


@dataclass(frozen=True, slots=True)
class Pair:
    """Two identical items of one judge and task: their scores, and the units that only one of them was given."""

    judge: Hashable
    task: Hashable
    first: Hashable
    second: Hashable
    score_first: float
    score_second: float
    shared: int  # units found in both
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether the scores are."""
        return abs(self.score_first - self.score_second) <= NEAR

    @property
    def same(self) -> bool:
        """Whether the units are."""
        return not self.only_first and not self.only_second

    @property
    def overlap(self) -> float:
        """Units found in both, of those found in either; 1 where there are none."""
        either = self.shared + len(self.only_first) + len(self.only_second)
        return self.shared / either if either else 1.0


@dataclass(frozen=True)
class SelfAgreement(Result):
    """Alpha of each judge with himself over units, and every pair of identical items; by :func:`self_agreement`."""

    pairs: tuple[Pair, ...]
    judges: tuple[Estimate, ...]  # alpha over units, lowest first
    notes: tuple[str, ...] = ()

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every pair."""
        return [{**asdict(p), "equal": p.equal, "same_units": p.same, "overlap": p.overlap} for p in self.pairs]

    def by_judge(self) -> list[dict[str, Any]]:
        """Each judge's alpha, how many pairs there are, and how many have equal scores, from the same units or not."""
        out = []
        for e in self.judges:
            mine = [p for p in self.pairs if p.judge == e.labels["judge"]]
            equal = [p for p in mine if p.equal]
            counted = {"pairs": len(mine), "equal_scores": len(equal), "other_units": sum(not p.same for p in equal)}
            mean = sum(p.overlap for p in mine) / len(mine) if mine else math.nan
            row = {"judge": e.labels["judge"], "alpha": e.value, "interval": e.interval, **counted}
            out.append({**row, "overlap": mean, "flag": bool(e.labels.get("flag"))})
        return out

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Judges, then every pair."""
        judges = [{**r, "interval": r["interval"].ends if r["interval"] else None} for r in self.by_judge()]
        return {"judges": judges, "pairs": self.rows(), "notes": list(self.notes)}

    def picture(self, **how: Any) -> Chart:
        """Every judge's alpha with himself, lowest first."""
        said = "Alpha over the units of identical items, found or not; 1 is the same units every time."
        judges = {e.labels["judge"]: e for e in self.judges}
        return dots("self-agreement", "judge", "alpha", "Alpha of each judge with himself", said, judges)

    def blocks(self, **how: Any) -> list[Block]:
        """How many equal scores come from other units in a sentence, every judge, and those pairs."""
        equal = [p for p in self.pairs if p.equal]
        hidden = [p for p in equal if not p.same]
        said = f"Of {many(len(self.pairs), 'pair')} of identical items {len(equal):,} have equal scores, "
        said += f"{len(hidden):,} of these from different units."
        counts = ("pairs:count", "equal_scores:count", "other_units:count")
        heads = columns("judge", "alpha:figure", interval_column(self.judges), *counts, "overlap:figure")
        rows = tuple(tuple(r[c.key] for c in heads) for r in self.by_judge())
        note = "alpha: units found or not. other units: of equal scores. overlap: units of both, of those of either."
        out: list[Block] = [Text((said,), "lead"), Table("Self-agreement on units, lowest first", heads, rows, note)]
        if hidden:
            heads = columns("judge", "task", "first", "second", "score:figure", "only_first:names", "only_second:names")
            cells = tuple(
                (p.judge, p.task, p.first, p.second, p.score_first, p.only_first, p.only_second) for p in hidden
            )
            out.append(Table("Equal scores from different units", heads, cells, keys=4))
        return with_notes(out, self.notes)


def self_agreement(
    table: ContentUnits,
    *,
    limit: int | None = None,
    rounding: str = "half_up",
    weight: str = "contributors",
    seed: int = 0,
    level: float = 0.95,
    resamples: int = 1000,
) -> SelfAgreement:
    """Units of identical items that one judge annotated on one task; ``limit``: the words that judges saw of a text.

    >>> raw = {"unit": ["a", "b"] * 2, "item": ["x", "x", "y", "y"], "support": [1, 0, 0, 1], "models": ["P"] * 4}
    >>> found = self_agreement(ContentUnits.build(raw, texts={"x": "A dam.", "y": "A  dam."}))
    >>> found.pairs[0].equal, found.pairs[0].same, found.pairs[0].overlap
    (True, False, 0.0)
    """
    groups: Groups = {}
    for i, j in zip(*(a.tolist() for a in table.judged), strict=True):
        item = table.items[i]
        if item.text is None:
            raise InputError("identical items are told by their texts, and some have none.", "--texts FILE.")
        groups.setdefault((j, item.task, " ".join(item.text.split()[:limit])), []).append(i)
    groups = {key: items for key, items in groups.items() if len(items) > 1}
    if not groups:
        raise InputError("no judge annotated two identical items of one task.", "plant some: quorate assign --copies.")
    found: dict[tuple[int, int], set[int]] = {}
    for u, i, j, support, _ in table.rows():
        if support > 0 and table.units[u].id != OUTSIDE:
            found.setdefault((i, j), set()).add(u)
    value = {(s.task, s.item, s.judge): s for s in scores(table, rounding=rounding, weight=weight)}
    pairs = []
    for (j, task, _), items in groups.items():
        for a, b in combinations(items, 2):
            judge, (first, second) = table.judges[j], (table.items[k].id for k in (a, b))
            scored = (value[task, name, judge] for name in (first, second))
            one_score, two_score = (s.original if math.isnan(s.modified) else s.modified for s in scored)
            one, two = (found.get((k, j), set()) for k in (a, b))
            only_one, only_two = (tuple(str(table.units[u].id) for u in sorted(s)) for s in (one - two, two - one))
            both = len(one & two)
            pairs.append(Pair(judge, task, first, second, one_score, two_score, both, only_one, only_two))
    method = parse("self_consistency", "scores", "judges")
    options = Options(seed=seed, level=level, resamples=resamples)
    judges = answer("judges", decisions(table, groups, found), [method], options).findings[0].overall
    return SelfAgreement(tuple(pairs), tuple(judges), table.notes)


def decisions(table: ContentUnits, groups: Groups, found: dict[tuple[int, int], set[int]]) -> Scores:
    """A yes or no for every unit of every identical item, those of one unit and text being identical outputs."""
    known = pyramids(table)
    place = {(u.task, u.id): k for k, u in enumerate(table.units)}
    rows: dict[str, list[Any]] = {n: [] for n in ("task", "item", "judge", "score", "text")}
    for (j, task, text), items in groups.items():
        for i in items:
            for unit in known[task].whole:
                said = place[task, unit.id] in found.get((i, j), set())
                row = (task, f"{table.items[i].id} / {unit.id}", table.judges[j], float(said), f"{unit.id} {text}")
                for column, cell in zip(rows.values(), row, strict=True):
                    column.append(cell)
    return Scores.build(rows)
