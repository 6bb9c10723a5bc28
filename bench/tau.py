"""Kendall's tau of every two of 1000 rankings of 100 items: scipy in a loop, pandas' corr, ours."""

from __future__ import annotations

import time

import numpy as np

from bench import data
from bench.clock import Row, cpu

SECONDS = 120  # the most that pandas may take in full


def run(quick: bool) -> list[Row]:
    import pandas
    from scipy.stats import kendalltau

    from quorate import Orderings
    from quorate.orderings import tau

    judges, items = (200, 50) if quick else (1000, 100)
    ranks = data.random(judges, items)
    pairs = judges * (judges - 1) // 2
    name = f"tau, all pairs of {judges} x {items}"
    ours, square = cpu(lambda: tau.square(ranks[None]))
    built, _ = cpu(lambda: tau.matrix(Orderings.from_ranks(ranks)), 2)

    rng = np.random.default_rng(1)
    first = rng.integers(judges, size=500 if quick else 2000)
    second = (first + rng.integers(1, judges, size=len(first))) % judges
    loop, seen = cpu(lambda: [kendalltau(ranks[a], ranks[b]).statistic for a, b in zip(first, second, strict=True)], 2)
    off = float(np.abs(square[0, first, second] - seen).max())

    columns = _columns(ranks)
    frame = pandas.DataFrame(ranks[:columns].T)
    peer, table = cpu(lambda: frame.corr(method="kendall"), 1)
    off_pandas = float(np.abs(square[0, :columns, :columns] - table.to_numpy()).max())
    scale = pairs / (columns * (columns - 1) // 2)
    how = "in full" if columns == judges else f"{columns} columns, scaled by pairs"
    pandas_note = f"pandas {pandas.__version__} {how}; largest difference {off_pandas:.1e}"
    scipy_note = f"scipy on {len(first)} pairs, scaled to {pairs:,}; largest difference {off:.1e}"
    return [
        Row(f"{name}, scipy loop", ours, loop * pairs / len(first), 500, note=scipy_note),
        Row(f"{name}, pandas corr", ours, peer * scale, 10, note=pandas_note),
        Row(
            f"{name}, from a table, pandas", built, peer * scale, note="ours with the panel built from a table of ranks"
        ),
    ]


def _columns(ranks: np.ndarray) -> int:
    """All judges if pandas is done with them in time, else as many as it is."""
    import pandas

    some = min(60, len(ranks))
    start = time.process_time()
    pandas.DataFrame(ranks[:some].T).corr(method="kendall")
    each = (time.process_time() - start) / (some * (some - 1) / 2)
    return int(min(len(ranks), np.sqrt(2 * SECONDS / each)))
