"""Each judge's place among the judges, averaged over methods: 1 is the best.

The interval is over tasks; places are taken among the judges as they stand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.inference.engine import budget_of
from quorate.inference.intervals import interval
from quorate.inference.results import Finding, Options
from quorate.inference.weights import blocks, drawn, stream
from quorate.kernels.correlations import levelled
from quorate.kernels.defined import quotient
from quorate.panel.design import Design

Array = NDArray[Any]


def mean_ranks(
    findings: Sequence[Finding], design: Design, options: Options, beside: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """A row per judge, the last one first, by the methods that declare to be ranked by.

    ``beside`` are rows of judges and tasks; the mean of what they say is left out is told too.
    """
    used = [f for f in findings if f.method.declaration.properties.get("ranked")]
    if not used:
        return []
    table = _table(used, design)
    there = ~np.isnan(table)
    seen = _mean_places(*_sums(table, np.ones((1, len(table)))))[0]
    places = None
    number = budget_of(options).draws(table.size)
    if len(table) > 1 and number:
        times = drawn(len(table), number, stream(options.seed, "ranks"))
        parts = [_mean_places(*_sums(table, times[some])) for some in blocks(number, table[0].size * table.shape[2])]
        places = np.concatenate(parts)
    left: dict[Any, list[float]] = {}
    for row in beside:
        left.setdefault(row["judge"], []).append(row["left_out"])
    out = []
    for j, judge in enumerate(design.judges):
        tasks, between = int(there[:, :, j].any(axis=1).sum()), None
        if places is not None:
            ends = (1.0, float(len(design.judges)))
            how = {"level": options.level, "over": "tasks", "units": tasks, "range": ends}
            between = interval(float(seen[j]), places[:, j], **how)  # type: ignore[arg-type]
        row = {"judge": judge, "mean_rank": float(seen[j]), "tasks": tasks}
        row |= {"left_out": sum(left[judge]) / len(left[judge])} if judge in left else {}
        out.append({**row, "interval": between.ends if between else None})
    return sorted(out, key=lambda r: math.inf if math.isnan(r["mean_rank"]) else -r["mean_rank"])


def _table(used: Sequence[Finding], design: Design) -> Array:
    """Values ``[task, method, judge]``, higher ones the better throughout; NaN where there is none."""
    tasks, judges = ({name: k for k, name in enumerate(names)} for names in (design.tasks, design.judges))
    out = np.full((len(tasks), len(used), len(judges)), np.nan)
    for m, f in enumerate(used):
        at = [tasks[t] for t in f.keys["task"]], m, [judges[j] for j in f.keys["judge"]]
        out[at] = f.method.sign * np.array(f.values, float)
    return out


def _sums(table: Array, times: Array) -> tuple[Array, Array]:
    """Sums over tasks as often as drawn, and of how many, ``[draw, method, judge]``."""
    known = ~np.isnan(table)
    flat = (np.where(known, table, 0.0).reshape(len(table), -1), known.astype(float).reshape(len(table), -1))
    return tuple((times @ x).reshape(-1, *table.shape[1:]) for x in flat)  # type: ignore[return-value]


def _mean_places(total: Array, number: Array) -> Array:
    """Places of the judges by each method, averaged over methods, ``[draw, judge]``; those equal but for rounding share
    theirs."""
    values = levelled(quotient(total, number))
    above = (values[..., None, :] > values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    places = np.where(np.isnan(values), np.nan, above + (equal + 1) / 2)
    there = ~np.isnan(places)
    of = there.sum(axis=1)
    total = np.where(there, places, 0).sum(axis=1)
    return quotient(total, of)
