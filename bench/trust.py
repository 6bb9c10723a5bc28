"""ED of FreSPA against listing the patterns, and figures without each judge against computing them anew N times."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np

from bench import data
from bench.clock import Row, cpu


def run(quick: bool) -> list[Row]:
    return [*_ed(3 if quick else 10), *_influence(30 if quick else 200, 20 if quick else 30)]


def _ed(sets: int) -> list[Row]:
    from quorate.orderings.discriminativeness import by_task, differences
    from quorate.orderings.simulate import mallows
    from quorate.reproduce.frespa import calibrated
    from quorate.table import parse

    positions = mallows((sets, 10, 9), calibrated(), np.random.default_rng(0)).astype(np.int64)
    counts, frespa = data.ones(positions), parse("frespa", "orderings", "quality")
    ours, mine = cpu(lambda: by_task(differences(positions, counts, frespa), counts), 20)
    rows = []
    for name, score, target in (("every subsequence counted", counted, 100), ("depth-first listing", listed, 100)):
        peer, theirs = cpu(lambda score=score: [plain_ed(task.tolist(), score) for task in positions], 3)
        off = float(np.abs(mine - theirs).max())
        rows.append(
            Row(f"ED, FreSPA, {sets} sets of 10 x 9, {name}", ours, peer, target, note=f"largest difference {off:.1e}")
        )
    return rows


def plain_ed(task: list[list[int]], score: Any) -> float:
    """ED of one task by its definition; ``score(patterns of the others, order)``."""
    total = 0.0
    for k, own in enumerate(task):
        others = task[:k] + task[k + 1 :]
        total += score(others, own) - score(others, [len(own) + 1 - p for p in own])
    return total / len(task)


def counted(others: list[list[int]], own: list[int], min_sup: float = 0.75) -> float:
    """Every subsequence of every judge in a counter; the frequent ones are weighed."""
    support: Counter[tuple[int, ...]] = Counter()
    for places in others:
        order = sorted(range(len(places)), key=places.__getitem__)
        for size in range(2, len(order) + 1):
            support.update(itertools.combinations(order, size))
    need = -(-min_sup * len(others) // 1)
    return _share({p: n for p, n in support.items() if n >= need}, own)


def listed(others: list[list[int]], own: list[int], min_sup: float = 0.75) -> float:
    """Frequent patterns depth first, each with the judges who hold it."""
    need = -(-min_sup * len(others) // 1)
    found: dict[tuple[int, ...], int] = {}
    stack: list[tuple[tuple[int, ...], list[list[int]]]] = [((i,), others) for i in range(len(own))]
    while stack:
        pattern, holders = stack.pop()
        last = pattern[-1]
        for j in range(len(own)):
            keep = [p for p in holders if p[last] < p[j]]
            if len(keep) >= need:
                found[(*pattern, j)] = len(keep)
                stack.append(((*pattern, j), keep))
    return _share(found, own)


def _share(found: dict[tuple[int, ...], int], own: list[int]) -> float:
    inside = total = 0
    for pattern, support in found.items():
        weight = len(pattern) * support
        total += weight
        if all(own[a] < own[b] for a, b in itertools.pairwise(pattern)):
            inside += weight
    return inside / total if total else 0.0


def _influence(judges: int, items: int) -> list[Row]:
    from quorate.table import parse

    influence = parse("influence", "orderings", "judges")
    methods = [parse(m, "orderings", "agreement") for m in ("kappa", "kendall_w", "tau_b")]
    rows = []
    for tasks, n, k in ((1, judges, items), (100, 12, 10)):
        positions = data.noisy(tasks, n, k, k / 10)
        counts = data.ones(positions)
        ours, found = cpu(lambda positions=positions, counts=counts: influence(positions, counts))

        def anew(positions: Any = positions, counts: Any = counts, n: int = n) -> Any:
            left = [np.delete(np.arange(n), j) for j in range(n)]
            return [[m(positions[:, at], counts[:, at], brief=True).values for m in methods] for at in left]

        peer, theirs = cpu(anew, 1)
        d = found.details
        mine = [np.array(d["kappa"], float), d["kendall_w"], d["tau_b"]]
        off = max(
            float(np.abs(np.array([t[m] for t in theirs]).T - mine[m]).max() / max(mine[m].max(), 1)) for m in range(3)
        )
        note = f"kappa, W, tau-b by our own kernels {n} times over; largest difference {off:.1e}"
        rows.append(Row(f"without each judge, {tasks} x {n} judges x {k} items", ours, peer, note=note))
    return rows
