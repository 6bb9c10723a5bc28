"""RBO of every two of 1000 rankings of 100 items: the package rbo, pair by pair, and ours."""

from __future__ import annotations

import numpy as np

from bench import data, peers
from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    from quorate.orderings import rbo

    judges, items = (200, 50) if quick else (1000, 100)
    ranks = data.random(judges, items)
    pairs = judges * (judges - 1) // 2
    row = Row(f"RBO, all pairs of {judges} x {items}, package rbo", target=100)
    row.ours, square = cpu(lambda: rbo.square(ranks[None], p=0.9))
    rng = np.random.default_rng(1)
    first = rng.integers(judges, size=50 if quick else 400)
    second = (first + rng.integers(1, judges, size=len(first))) % judges
    orders = np.argsort(ranks, axis=1)
    given = {"p": 0.9, "pairs": [[orders[a].tolist(), orders[b].tolist()] for a, b in zip(first, second, strict=True)]}
    try:
        found = peers.run("peer_rbo.py", given, "rbo", "numpy<2")
    except peers.NotAvailable as why:
        row.note = f"peer not available: {why}"
        return [row]
    off = np.abs(square[0, first, second] - found["values"])
    row.peer = found["seconds"] * pairs / len(first)
    row.figure = row.peer / row.ours
    row.note = f"rbo {found['version']} on {len(first)} pairs, scaled to {pairs:,}; p=0.9, rbo_ext; {_verdict(off)}"
    return [row]


def _verdict(off: np.ndarray) -> str:
    wrong = int((off > 1e-9).sum())
    return (
        f"{wrong} values DIFFER, by up to {off.max():.1e}"
        if wrong
        else f"values agree (largest difference {off.max():.0e})"
    )
