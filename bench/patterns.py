"""Frequent patterns and FreSPA: the package prefixspan, rankings that no enumeration finishes, a large leaderboard."""

from __future__ import annotations

import resource
import sys
from typing import Any

import numpy as np

from bench import data, peers
from bench.clock import Row, cpu

SHARE = 0.75


def run(quick: bool) -> list[Row]:
    return [*_against_prefixspan(quick), *_long(), *_redrawn(quick), *_leaderboard(quick)]


def _against_prefixspan(quick: bool) -> list[Row]:
    """The same patterns, counted; and listed one by one, since the package lists them."""
    from quorate.kernels import patterns

    judges, items, noise = (10, 12, 0.6) if quick else (10, 20, 0.6)
    positions = data.noisy(1, judges, items, noise)
    need = int(np.ceil(SHARE * judges))
    ours, found = cpu(lambda: _frespa(positions, positions[:, :1]))
    number = int(found.details["patterns"][0])
    bitsets = patterns.bitsets(positions[0], np.ones(judges, int), need)
    listing, listed = cpu(lambda: sum(1 for _ in patterns.walk(bitsets, 2, None, "all")), 1)
    name = f"patterns of {judges} x {items} at {SHARE:.0%}"
    counted = Row(f"{name}, counted and scored, prefixspan", ours, target=30)
    one_by_one = Row(f"{name}, listed, prefixspan", listing)
    given = {"lists": np.argsort(positions[0], axis=1).tolist(), "need": need, "least": 2}
    try:
        peer = peers.run("peer_prefixspan.py", given, "prefixspan")
    except peers.NotAvailable as why:
        counted.note = f"peer not available: {why}"
        return [counted, one_by_one]
    same = number == listed == peer["patterns"]
    note = f"prefixspan {peer['version']}; {number:,} patterns, counts {'agree' if same else 'DIFFER'}"
    for row in (counted, one_by_one):
        row.peer, row.figure, row.note = peer["seconds"], peer["seconds"] / (row.ours or 1), note
    return [counted, one_by_one]


def _long() -> list[Row]:
    rows = []
    for name, noise, items, target in (("noisy", 3.0, 40, 50), ("equal", 0.0, 60, 100)):
        positions = data.noisy(1, 10, items, noise)
        lists = data.noisy(1, 1, items, noise, seed=0)
        seconds, found = cpu(lambda p=positions, s=lists: _frespa(p, s), 20)
        note = f"{float(found.details['patterns'][0]):.3g} patterns"
        row = Row(f"FreSPA of 10 x {items}, {name} judges", seconds, target=target, at_most=True, unit="ms", note=note)
        row.figure = seconds * 1000
        rows.append(row)
    return rows


def _redrawn(quick: bool) -> list[Row]:
    """Long rankings with judges drawn anew, as intervals of one task need it: all panels together, and one by one."""
    items, panels, alone = (60, 100, 10) if quick else (300, 1000, 20)
    positions, lists = data.noisy(1, 10, items, items / 10), data.noisy(1, 5, items, items / 10, seed=1)
    counts = np.random.default_rng(0).multinomial(10, np.full(10, 0.1), size=panels)
    wide = [np.broadcast_to(rows, (panels, *rows.shape[1:])) for rows in (positions, lists)]
    ours, found = cpu(lambda: _values(wide[0], counts, wide[1]), 2)
    each, first = cpu(lambda: np.concatenate([_values(positions, row[None], lists) for row in counts[:alone]]), 1)
    plain = each * panels / alone
    same = np.allclose(found[:alone], first, rtol=1e-9, atol=1e-12)
    note = f"{alone} panels alone, times {panels // alone}; values {'agree' if same else 'DIFFER'}"
    name = f"FreSPA of 10 x {items}, {panels:,} panels of judges drawn anew, one by one"
    return [Row(name, ours, peer=plain, figure=plain / ours, target=10, note=note)]


def _values(positions: Any, counts: Any, lists: Any) -> Any:
    from quorate.table import parse

    return parse("frespa", "orderings", "quality")(positions, counts, lists, brief=True).values


def _leaderboard(quick: bool) -> list[Row]:
    """All of `quality` by FreSPA; twice the tasks and twice the systems should cost about twice as much."""
    tasks, systems = (100, 20) if quick else (1000, 100)
    rows = []
    whole = 0.0
    for t, s, what in (
        (tasks, systems, ""),
        (tasks // 2, systems, "half the tasks"),
        (tasks, systems // 2, "half the systems"),
    ):
        panel, lists = _panel(data.noisy(t, 10, 10, 1.7)), _panel(_systems(t, s))
        before = _memory()
        seconds, _ = cpu(lambda p=panel, y=lists: _quality(p, y), 1)
        whole = whole or seconds
        note = (
            f"peak memory {_memory():,.0f} MB, {before:,.0f} MB before"
            if not what
            else f"{whole / seconds:.1f} x less time"
        )
        rows.append(Row(f"leaderboard of {s} systems x {t} tasks x 10 judges", seconds, note=note))
    return rows


def _quality(panel: Any, systems: Any) -> Any:
    from quorate import quality

    return quality(panel, systems, "frespa")


def _systems(tasks: int, systems: int) -> Any:
    """Lists of growing noise around the judges' common orders."""
    base = data.noisy(tasks, 10, 10, 1.7).mean(axis=1)[:, None, :]
    rng = np.random.default_rng(1)
    noise = (1.5 + 0.15 * np.arange(systems))[:, None] * rng.standard_normal((tasks, systems, 10))
    return (base + noise).argsort(axis=2).argsort(axis=2) + 1


def _panel(positions: Any) -> Any:
    from quorate import Orderings

    task, judge, item = np.nonzero(positions)
    return Orderings.build({"task": task, "judge": judge, "item": item, "position": positions[task, judge, item] * 1.0})


def _frespa(positions: Any, lists: Any) -> Any:
    from quorate.table import parse

    return parse("frespa", "orderings", "quality")(positions, data.ones(positions), lists)


def _memory() -> float:
    """Peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 1024)
