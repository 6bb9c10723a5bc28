"""What judges of groupings made: items used, clusters, items per cluster."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from quorate.document.blocks import Column, Table
from quorate.document.columns import column
from quorate.document.pivot import (
    Entry,
    pivot,
)

FEW = 4  # tasks that are told side by side


def description(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Items used, clusters and items per cluster by judge: of a few tasks each, of more their means."""
    means = len({r["task"] for r in rows}) > FEW
    form = "figure" if means else "count"
    columns = [Column("used", "used", form), Column("clusters", "clusters", form)]
    columns += [Column("per_cluster", "per cluster", "figure"), column("left_out")]
    if not means:
        entries: list[Entry] = [((r["judge"],), str(r["task"]), {c: r[c.key] for c in columns}) for r in rows]
        return pivot("What the judges made", [column("judge")], entries, name="description")
    own: dict[Any, list[Mapping[str, Any]]] = {}
    for r in rows:
        own.setdefault(r["judge"], []).append(r)
    entries = [
        ((j,), "", {column("tasks"): len(of)} | {c: _mean([r[c.key] for r in of]) for c in columns})
        for j, of in own.items()
    ]
    return pivot("What the judges made, mean over their tasks", [column("judge")], entries, name="description")


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if v == v]
    return sum(known) / len(known) if known else math.nan
