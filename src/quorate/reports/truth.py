"""Judges beside a known truth: how near each one comes, and how many voters come how near.

The q-support paper draws the share of voters with each Spearman's rho to the true order (its Figure 1). Any index of
two rankings will do; a row that stands for many voters counts as many.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from quorate import table
from quorate.document.blocks import Block, Chart, Column, Table, Text
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.inference.budget import BESIDE
from quorate.inference.estimate import Estimate
from quorate.inference.intervals import mean_interval
from quorate.inference.results import clean
from quorate.inference.weights import stream
from quorate.orderings.peer_correlation import SQUARES
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.table import Method
from quorate.words.truth import truth_fact

NEAR = 6  # digits by which values are the same


@dataclass(frozen=True)
class Truth(Result):
    """Every judge's index with a known order, the mean over voters, and how many voters have each value."""

    called: ClassVar[str] = "judges beside a truth"
    all_rows: ClassVar[bool] = True

    method: Method
    judges: tuple[tuple[Hashable, int, float], ...]  # judge, voters, mean index over tasks; best first
    mean: Estimate  # over voters
    values: tuple[tuple[float, int], ...]  # each value of a voter on a task, how often; highest first

    def to_dict(self, **how: Any) -> dict[str, Any]:
        """Judges, the mean, and how often each value occurs."""
        ends = self.mean.interval
        total = sum(n for _, n in self.values) or 1
        return {
            "kind": "orderings",
            "question": "judges",
            "method": str(self.method),
            "mean": {"value": clean(self.mean.value), "interval": ends.ends if ends else None},
            "results": self.rows(),
            "values": [{"value": v, "voters": n, "share": n / total} for v, n in self.values],
        }

    def rows(self, **how: Any) -> list[dict[str, Any]]:
        """A row per judge."""
        return [{"judge": j, "voters": n, "value": clean(v)} for j, n, v in self.judges]

    def blocks(self, **how: Any) -> Iterator[Block]:
        """The mean, how many voters come how near, and the judges."""
        yield Text((str(truth_fact(self.method, self.mean, sum(n for _, n, _ in self.judges))),), "lead")
        total = sum(n for _, n in self.values) or 1
        heads = Column("value", str(self.method), "figure"), Column("voters", "voters", "count")
        rows = tuple((v, n, n / total) for v, n in self.values)
        yield Table("How many come how near", (*heads, Column("share", "share", "share")), rows, name="values")
        columns = Column("judge", "judge"), Column("voters", "voters", "count"), Column("value", "value", "figure")
        yield Table("By judge, nearest first", columns, self.judges, name="judges")

    def picture(self) -> Chart:
        """How many voters have each value."""
        total = sum(n for _, n in self.values) or 1
        rows = tuple({"value": n / total, "index": f"{v:g}"} for v, n in reversed(self.values))
        said = f"The share of voters with each value of {self.method} to the true order."
        return Chart("truth", "judges", "bars", "How near voters come to the truth", said, rows, {"label": "index"})


def against_truth(
    panel: Orderings, truth: Orderings, index: str | Method = "rho", *, seed: int = 0, level: float = 0.95
) -> Truth:
    """Every judge's rankings held against the true ones of their tasks, by any index of two rankings.

    ``truth`` has one ranking a task; of panels of one task each, what the task is called does not matter.

    >>> panel, true = Orderings.from_orders({"ann": "abc", "bob": "acb"}), Orderings.from_orders({"true": "abc"})
    >>> against_truth(panel, true).judges
    (('ann', 1, 1.0), ('bob', 1, 0.5))
    """
    method = table.as_method(index, "orderings", "agreement")
    if method.name not in SQUARES:
        raise InputError(f"{method} is no index of two rankings.", f"one of {', '.join(SQUARES)}.")
    rankings = _rankings(panel, truth)
    values: dict[int, list[float]] = {}
    voters: dict[int, int] = {}
    each: list[tuple[float, int]] = []
    for part in stacks(panel):
        for t, code in enumerate(part.tasks.tolist()):
            own = rankings.get(panel.tasks[code])
            if own is None:
                continue
            items = {panel.items[k]: at for at, k in enumerate(part.items[t].tolist())}
            both = _beside(part.positions[t], items, own)
            found = SQUARES[method.name](both[None], **method.parameters)[0, -1, :-1]
            for judge, value, count in zip(
                part.judges[t].tolist(), found.tolist(), part.counts[t].tolist(), strict=True
            ):
                if count and not math.isnan(value):
                    values.setdefault(judge, []).append(value)
                    voters[judge] = max(voters.get(judge, 0), int(count))
                    each.append((round(value, NEAR), int(count)))
    if not values:
        raise InputError("no judge can be compared with the truth.", "do the items and tasks have the same names?")
    means = {judge: sum(v) / len(v) for judge, v in values.items()}
    order = sorted(means, key=lambda judge: (-means[judge], str(panel.judges[judge])))
    rows = tuple((panel.judges[judge], voters[judge], means[judge]) for judge in order)
    array, counts = np.array([means[j] for j in order]), np.array([voters[j] for j in order])
    limits = method.declaration.range if math.isfinite(sum(method.declaration.range)) else (0.0, 1.0)
    between = mean_interval(array, stream(seed, "truth", method), level, BESIDE, "judges", limits, counts)
    mean = Estimate(float(np.average(array, weights=counts)), between, n=int(counts.sum()))
    often: dict[float, int] = {}
    for value, count in each:
        often[value] = often.get(value, 0) + count
    return Truth(method, rows, mean, tuple(sorted(often.items(), reverse=True)))


def _rankings(panel: Orderings, truth: Orderings) -> dict[Hashable, dict[Hashable, int]]:
    """The true places of the items of every task."""
    out = {}
    for task in truth.tasks:
        orders = truth.orders(task)
        if len(orders) > 1:
            names = ", ".join(map(str, orders))
            raise InputError(f"the truth has {len(orders)} rankings of task '{task}': {names}.", "it takes one a task.")
        (order,) = orders.values()
        out[task] = {item: place for place, group in enumerate(order, 1) for item in group}
    if len(panel.tasks) == len(truth.tasks) == 1:
        return {panel.tasks[0]: out[truth.tasks[0]]}
    return out


def _beside(positions: Any, items: dict[Hashable, int], own: dict[Hashable, int]) -> Any:
    """The judges' places and the true ones below them; items that only the truth has come last."""
    named = {str(item): at for item, at in items.items()}
    at = {item: named.get(str(item)) for item in own}
    extra = [item for item, where in at.items() if where is None]
    both = np.zeros((len(positions) + 1, len(items) + len(extra)), np.int64)
    both[:-1, : len(items)] = positions
    for k, item in enumerate(extra):
        at[item] = len(items) + k
    for item, place in own.items():
        both[-1, at[item]] = place
    return both
