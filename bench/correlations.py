"""Metrics against human scores at 58 systems x 48 topics: bootstrap of input-level correlations, soft accuracy."""

from __future__ import annotations

import numpy as np

from bench import peers
from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    from quorate.inference.weights import crossed
    from quorate.scores import spa
    from quorate.scores.metric_correlations import correlation, resampled

    systems, topics, resamples = (20, 12, 100) if quick else (58, 48, 1000)
    rng = np.random.default_rng(0)
    quality = rng.normal(size=systems)
    human = np.round(quality + rng.normal(size=(topics, systems)), 1)  # ties, as five-point scales have
    metric = quality + rng.normal(size=(topics, systems))
    rows, ours = [], 0.0
    for coefficient in ("pearson", "spearman", "kendall"):
        row = Row(f"{resamples:,} resamples, input-level {coefficient}, {systems} x {topics}, nlpstats", target=100)

        def bootstrap(c: str = coefficient) -> np.ndarray:
            crossed.cache_clear()
            return resampled(metric, human, "input", c, *crossed(0, "both", topics, systems, resamples))

        row.ours, drawn = cpu(bootstrap)
        ours = ours or row.ours
        few = resamples if quick else 50
        given = {
            "x": metric.T.tolist(),
            "z": human.T.tolist(),
            "coefficient": coefficient,
            "by": "both",
            "resamples": few,
        }
        try:
            found = peers.run("peer_nlpstats.py", given, "nlpstats")
        except peers.NotAvailable as why:
            row.note = f"peer not available: {why}"
        else:
            row.peer = found["seconds"] * resamples / few
            row.figure = row.peer / row.ours
            off = abs(found["value"] - correlation(metric, human, "input", coefficient))
            ends = np.quantile(drawn, [0.025, 0.975])
            row.note = (
                f"nlpstats {found['version']} on {few} resamples, scaled; values differ by {off:.0e}; "
                f"intervals {ends[0]:.3f} to {ends[1]:.3f} and {found['low']:.3f} to {found['high']:.3f}"
            )
        rows.append(row)
    row = Row(
        f"soft pairwise accuracy, 1,000 flips, {systems} x {topics}", unit="of a nlpstats bootstrap", at_most=True
    )
    row.ours, _ = cpu(lambda: spa(metric, human))
    if rows[0].peer:
        row.peer, row.target, row.figure = rows[0].peer, 0.1, row.ours / rows[0].peer
    row.note = f"one bootstrap of ours (pearson) takes {ours:.3f} s"
    return [*rows, row]
