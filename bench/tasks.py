"""100,000 tasks of 10 judges and 20 items: kappa, support and tau together, in tasks per CPU-second."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench import data
from bench.clock import Row, cpu

METHODS = ("kappa", "support(q=0.5)", "tau")
UNIT = "tasks/CPU-s"


def run(quick: bool) -> list[Row]:
    from quorate.panel.stacks import stacks
    from quorate.table import parse

    tasks, judges, items = (10_000 if quick else 100_000), 10, 20
    positions = data.noisy(tasks, judges, items, noise=3)
    counts = data.ones(positions)
    methods = [parse(m, "orderings", "agreement") for m in METHODS]
    name = f"{tasks:,} tasks of {judges} x {items}"
    rows = []
    total = 0.0
    for method in methods:
        each, _ = cpu(lambda method=method: method(positions, counts, brief=True).values, 2)
        total += each
        rows.append(Row(f"{name}, {method}", each, figure=tasks / each, unit=UNIT))
    note = "values from a stack, judges off by normal noise of 3 places"
    rows.append(Row(f"{name}, all three", total, target=50_000, figure=tasks / total, unit=UNIT, note=note))

    told, _ = cpu(lambda: [method(positions, counts).told for method in methods], 1)
    rows.append(
        Row(
            f"{name}, with details",
            told,
            figure=tasks / told,
            unit=UNIT,
            note="by length, longest, log2, kappa-hat, ...",
        )
    )

    panel = _panel(positions)
    apart, parts = cpu(lambda: list(stacks(panel)), 2)
    whole = apart + sum(
        cpu(lambda m=m: [m(p.positions, p.counts, brief=True).values for p in parts], 1)[0] for m in methods
    )
    note = f"stacks made from a panel of {len(panel):,} rows, {apart:.2f} s of it"
    rows.append(Row(f"{name}, from a panel", whole, figure=tasks / whole, unit=UNIT, note=note))
    return rows


def _panel(positions: np.ndarray) -> Any:
    """The panel of these rankings; the items of every task have the same names."""
    from quorate import Orderings
    from quorate.panel.columns import Coded, narrow

    task, judge, item = (axis.ravel() for axis in np.indices(positions.shape, np.int32))
    named = {"task": task, "judge": judge, "item": item}
    raw: dict[str, Any] = {}
    for (column, codes), size in zip(named.items(), positions.shape, strict=True):
        raw[column] = Coded(tuple(f"{column}{k}" for k in range(size)), narrow(codes, size))
    return Orderings.build({**raw, "position": positions.ravel().astype(float)})
