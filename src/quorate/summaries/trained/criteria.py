"""Do criteria rank judges alike? Who is consistent by one need not be so by another.

Each criterion puts the judges in order: by alpha over identical summaries, or by manual minus automatic scores. These
orders are a panel of orderings in which criteria are the judges, so that the usual agreement can be asked of them.
Owczarzak, Rankel, Dang, Conroy 2012, Table 1 against Figure 1.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from quorate.document.blocks import Block, Column, Table, Text, columns, with_notes
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.inference.answer import answer
from quorate.inference.estimate import Estimate
from quorate.inference.results import Options
from quorate.panel.kinds import Orderings, Scores
from quorate.table import parse
from quorate.words.numbers import two

GAP = "mP-aP"
Values = Mapping[str, Mapping[Hashable, float]]  # of each criterion, a figure for each judge


@dataclass(frozen=True)
class CriteriaAlike(Result):
    """How far criteria put judges in the same order, every two and all together; by :func:`criteria_alike`."""

    values: Values
    pairs: tuple[Estimate, ...]  # tau_b, with labels criterion and other
    overall: Estimate
    notes: tuple[str, ...] = ()

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row for every two criteria."""
        return [_row(e) for e in self.pairs]

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Every criterion's figures, every two criteria, and all of them."""
        orders = {name: [[j, v] for j, v in _ordered(found)] for name, found in self.values.items()}
        return {"criteria": orders, "pairs": self.rows(), "overall": _row(self.overall), "notes": list(self.notes)}

    def blocks(self, **how: Any) -> list[Block]:
        """How alike the orders are in a sentence, the orders, and every two criteria."""
        names, found = list(self.values), self.overall
        said = f"{len(names)} criteria put the judges in order with a mean tau_b of "
        said += f"{two(found.value)}; chance gives 0, and 1 is the same order."
        longest = max(len(v) for v in self.values.values())
        orders = [[*(f"{j} {v:.3f}" for j, v in _ordered(self.values[n]))] for n in names]
        ranks = tuple((k + 1, *(o[k] if k < len(o) else "" for o in orders)) for k in range(longest))
        every = Table("Judges from best to worst", (Column("place", "", "count"), *columns(*names)), ranks)
        heads = columns("criterion", "other", "tau_b:figure", "p:p", "judges:count")
        pairs = tuple(tuple(_row(e)[c.key] for c in heads) for e in self.pairs)
        both = Table("Every two criteria", heads, pairs, "p: by chance orders as alike as these, or more.", keys=2)
        return with_notes([Text((said,), "lead"), every, both], self.notes)


def _row(e: Estimate) -> dict[str, Any]:
    return {**e.labels, "tau_b": e.value, "interval": e.ends, "p": e.null.p if e.null else None, "judges": e.n}


def _ordered(found: Mapping[Hashable, float]) -> list[tuple[Hashable, float]]:
    return sorted(found.items(), key=lambda p: (-p[1], str(p[0])))


def criteria_alike(
    panel: Scores, gaps: Scores | None = None, *, seed: int = 0, level: float = 0.95, resamples: int = 1000
) -> CriteriaAlike:
    """How far the criteria of a panel with identical outputs order its judges alike; ``gaps`` adds automatic scores.

    >>> told = {"ann": (1, 1, 5, 5), "bob": (1, 4, 5, 2)}
    >>> rows = [(c, j, i, s) for c in ("pyramid", "readability") for j in told for i, s in zip("wxyz", told[j])]
    >>> raw = dict(zip(("criterion", "judge", "item", "score"), zip(*rows)), text=["a", "a", "b", "b"] * 4)
    >>> [row["tau_b"] for row in criteria_alike(Scores.build(raw), resamples=20)]
    [1.0]
    """
    options = Options(seed=seed, level=level, resamples=resamples)
    values: dict[str, dict[Hashable, float]] = {}
    for method, asked in (("self_consistency", panel), ("auto_pyramid", gaps)):
        if asked is not None:
            told = answer("judges", asked, [parse(method, "scores", "judges")], options).findings[0].overall
            for e in told:
                name = GAP if method == "auto_pyramid" else str(e.labels.get("criterion") or "score")
                if not math.isnan(e.value):
                    values.setdefault(name, {})[e.labels["judge"]] = float(e.value)
    return of_values(values, options)


def of_values(values: Values, options: Options) -> CriteriaAlike:
    """The same of figures that are known: higher is better."""
    values = {name: found for name, found in values.items() if len(found) > 1}
    if len(values) < 2:
        fact = f"{len(values)} criteria by which two judges can be put in order."
        raise InputError(fact, "several criteria, each with identical outputs; or annotated peers beside scores.")
    pairs = []
    for one, other in combinations(values, 2):
        both = [j for j in values[one] if j in values[other]]
        e = _tau({n: {j: values[n][j] for j in both} for n in (one, other)}, options) if len(both) > 1 else None
        kept = e or Estimate(math.nan)
        labels = {"criterion": one, "other": other}
        pairs.append(Estimate(kept.value, kept.interval, kept.null, labels, n=len(both)))
    shared = set.intersection(*(set(v) for v in values.values()))
    if len(shared) < 2:
        raise InputError("no two judges are ordered by all criteria.", "judges need identical outputs on each.")
    every = _tau({n: {j: v[j] for j in v if j in shared} for n, v in values.items()}, options)
    gone = sorted({str(j) for v in values.values() for j in v} - set(map(str, shared)))
    notes = (f"not ordered by every criterion, so not in the mean: {', '.join(gone)}",) if gone else ()
    return CriteriaAlike(values, tuple(pairs), Estimate(every.value, every.interval, every.null, n=len(shared)), notes)


def _tau(values: Values, options: Options) -> Estimate:
    """The mean tau_b of the orders, with what chance gives."""
    cells = [(name, judge) for name, found in values.items() for judge in found]
    raw = {"judge": [name for name, _ in cells], "item": [judge for _, judge in cells], "position": _places(values)}
    found = answer("agreement", Orderings.build(raw), [parse("tau_b", "orderings", "agreement")], options)
    return found.findings[0].overall[0]


def _places(values: Values) -> list[float]:
    """Places by value, the highest first; equal values share a place."""
    out: list[float] = []
    for found in values.values():
        order = sorted(set(found.values()), reverse=True)
        out += [float(order.index(v) + 1) for v in found.values()]
    return out
