"""The search for features at TAC's size: 4,000 subsets, three fits each, fitted on every summary of a year."""

from __future__ import annotations

from functools import partial
from typing import Any

from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    from quorate.summaries.trained.search import search

    docsets, systems, budget = (10, 20, 300) if quick else (90, 50, 4000)
    first, second = (sheet(docsets, systems, seed) for seed in (1, 2))
    rows = []
    for level in ("summary", "system"):
        seconds, found = cpu(partial(search, first, second, "pyramid", level=level, budget=budget), 1)
        fits = len(found.candidates.fit)
        name = f"search of {budget:,} subsets x 3 fits, {systems} systems x {docsets} doc sets, by {level}"
        rows.append(Row(name, seconds, figure=seconds, target=60, at_most=True, unit="s", note=f"{fits:,} fits"))
    return rows


def sheet(docsets: int, systems: int, seed: int) -> Any:
    """Features with some signal, and scores with heavy tails."""
    import numpy as np

    from quorate.summaries.trained.features import FEATURES
    from quorate.summaries.trained.year import Sheet

    rng = np.random.default_rng(seed)
    names = tuple(FEATURES)
    skill = rng.normal(size=(systems, 3))
    x = rng.normal(size=(docsets, systems, len(names))) + skill @ np.random.default_rng(0).normal(size=(3, len(names)))
    y = skill + rng.standard_t(3, size=(docsets, systems, 3))
    tasks, who = tuple(map(str, range(docsets))), tuple(map(str, range(systems)))
    return Sheet(str(seed), "main", "NoModels", tasks, who, ("A",) * docsets, names, x, y)
