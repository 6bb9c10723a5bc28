"""Kemeny's order, exact and proven: corankco's free solver, a plain program by OR-Tools, ours; and random judges."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench import data, peers
from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    from quorate.table import parse

    method = parse("kemeny(seconds=60)", "orderings", "consensus")
    method(data.noisy(1, 5, 20, 20), np.ones((1, 5), np.int64))  # scipy is loaded on first use: that is not counted
    sizes = [(50, 12, 6.0, None)] if quick else [(1000, 50, 10.0, 100), (1000, 50, 60.0, 100), (50, 40, 20.0, None)]
    panels = [data.noisy(1, judges, items, noise) for judges, items, noise, _ in sizes]
    rows = []
    for positions, (judges, items, noise, target) in zip(panels, sizes, strict=True):
        row = Row(f"Kemeny of {judges} x {items}, noise {noise:g}, corankco", target=target)
        row.ours, found = cpu(lambda positions=positions: method(positions, data.ones(positions))[0])
        row.note = f"ours {_said(found)}"
        rows.append((row, found))
    try:
        theirs = peers.run("peer_corankco.py", {"panels": [_orders(p) for p in panels]}, "corankco", "setuptools<81")
    except peers.NotAvailable as why:
        for row, _ in rows:
            row.note += f"; peer not available: {why}"
    else:
        for (row, found), seconds, cost in zip(rows, theirs["seconds"], theirs["costs"], strict=True):
            row.peer, row.figure = seconds, seconds / (row.ours or 1e-9)
            same = "the same distance" if cost == found.facts["distance"] else f"distance {cost:g}, which DIFFERS"
            row.note += f"; corankco {theirs['version']} {same}"
    linear = _linear(panels, rows)
    usual = [_usual(positions, row) for positions, (row, _) in zip(panels, rows, strict=True)]
    return [*(row for row, _ in rows), *linear, *usual, *_random(method, quick), _limit(quick)]


def _linear(panels: list[Any], beside: list[tuple[Row, Any]]) -> list[Row]:
    """The same panels as linear programs by OR-Tools, with triangles added where they are broken."""
    try:
        theirs = peers.run("peer_ortools.py", {"panels": [_orders(p) for p in panels]}, "ortools")
    except peers.NotAvailable as why:
        return [Row("Kemeny, OR-Tools", note=f"peer not available: {why}")]
    out = []
    for (row, found), seconds, cost, whole in zip(
        beside, theirs["seconds"], theirs["costs"], theirs["whole"], strict=True
    ):
        same = abs(cost - found.facts["distance"]) < 0.5
        said = (
            "the same distance" if same else f"{cost:.1f}, which DIFFERS" if whole else f"a bound of {cost:.1f} alone"
        )
        name = row.name.replace(", corankco", ", OR-Tools")
        out.append(Row(name, row.ours, seconds, 1, note=f"OR-Tools {theirs['version']}: {said}"))
    return out


def _usual(positions: Any, beside: Row) -> Row:
    """The same panel with the default limit of work, not of time; the peer's time is that of the row beside."""
    from quorate.table import parse

    method = parse("kemeny", "orderings", "consensus")
    ours, found = cpu(lambda: method(positions, data.ones(positions))[0])
    name = beside.name.replace(", corankco", ", default effort")
    return Row(name, ours, beside.peer, beside.target, note=_said(found))


def _random(method: Any, quick: bool) -> list[Row]:
    """1000 judges at random: nothing falls apart. Ours only: corankco was stopped after 15 minutes on such a panel."""
    if quick:
        return []
    positions = data.random(1000, 50)[None]
    ours, found = cpu(lambda: method(positions, data.ones(positions))[0], 1)
    return [
        Row(
            "Kemeny of 1000 x 50 at random",
            ours,
            note=f"{_said(found)}; on such a panel corankco was stopped after 15 minutes (wall, busy machine)",
        )
    ]


def _limit(quick: bool) -> Row:
    """100 random items: the answer comes when the time is over, with a bound."""
    import time

    from quorate.table import parse

    seconds = 2 if quick else 10
    positions = data.random(20, 100)[None]
    begun = time.monotonic()
    found = parse(f"kemeny(seconds={seconds})", "orderings", "consensus")(positions, data.ones(positions))[0]
    took = time.monotonic() - begun
    row = Row(
        "Kemeny of 20 x 100 at random, time limit", target=seconds * 1.5, at_most=True, figure=took, unit="s (wall)"
    )
    row.note = f"limit {seconds} s; {_said(found)}"
    return row


def _said(found: Any) -> str:
    facts = found.facts
    if facts["optimal"]:
        return f"{facts['distance']:,}, proven"
    return f"{facts['distance']:,}, bound {facts['bound']:,}, gap {facts['gap']:.3%}"


def _orders(positions: Any) -> list[list[int]]:
    return np.argsort(positions[0], axis=1).tolist()
