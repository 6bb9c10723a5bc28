"""q-support of the 66 CLEF eHealth queries, 12 teams, top 20: plain Python from the definition, and ours."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from bench import data
from bench.clock import Row, cpu

Q, GAMMA, LAM = 6, 0.9, 0.9
NAME = "CLEF, 66 queries, q-support"


def run(quick: bool) -> list[Row]:
    from quorate import Orderings
    from quorate.panel.stacks import padded, stacks
    from quorate.table import parse

    folder = data.public("consensus-papers", "top20_CLEFeHealth_data")
    if folder is None:
        return [Row(NAME, target=100, note="skipped: no public data; set QUORATE_DATA to their folder")]
    runs = {file.stem: file.read_text().splitlines() for file in sorted(folder.glob("TOP20_*.dat"))}
    queries = {k: {team: lines[k].split() for team, lines in runs.items()} for k in range(66)}
    method = parse(f"support(q={Q}, gamma={GAMMA}, lam={LAM})", "orderings", "agreement")
    panel = Orderings.from_orders(queries)
    parts = padded(list(stacks(panel)))

    def ask(parts: Any) -> Any:
        measured = [method(part.positions, part.counts) for part in parts]
        order = np.argsort(np.concatenate([part.tasks for part in parts]))
        return [np.concatenate([m.details[k] for m in measured])[order] for k in ("kappa1", "kappa2")]

    ours, mine = cpu(lambda: ask(parts), 5)
    whole, _ = cpu(lambda: ask(padded(list(stacks(Orderings.from_orders(queries))))))
    rows = []
    for name, plain, target in (
        ("plain Python", by_definition, 100),
        ("Python with counts in dicts", with_counts, None),
    ):
        peer, theirs = cpu(lambda plain=plain: [plain(list(q.values())) for q in queries.values()], 2)
        off = float(np.abs(np.array(mine).T - theirs).max())
        note = f"q={Q}, gamma=lam={LAM}; ours from stacks ({len(parts)} of them); largest difference {off:.0e}"
        rows.append(Row(f"{NAME}, {name}", ours, peer, target, note=note))
    rows.append(Row(f"{NAME}, from lists, plain Python", whole, rows[0].peer, note="ours with panel and stacks built"))
    return rows


def by_definition(rankings: list[list[str]]) -> tuple[float, float]:
    """Overall kappa_1 and kappa_2, straight from the definition: for each pattern, look at who holds it."""
    places = [{item: place for place, item in enumerate(r, 1)} for r in rankings]
    items = {item for r in rankings for item in r}
    held = {x: [p for p in places if x in p] for x in items}
    ordered = {(x, y): [p for p in places if x in p and y in p and p[x] < p[y]] for x in items for y in items if x != y}
    first, second = [], []
    for mine in places:
        one = two = 0.0
        for x in mine:
            if len(held[x]) >= Q:
                one += GAMMA ** abs(mine[x] - sum(p[x] for p in held[x]) / len(held[x]))
        for x, y in combinations(mine, 2):
            who = ordered[x, y]
            if len(who) >= Q:
                two += LAM ** abs(mine[y] - mine[x] - sum(p[y] - p[x] for p in who) / len(who))
        m = len(mine)
        first.append(one / m)
        second.append(two / (m * (m - 1) / 2))
    return sum(first) / len(first), sum(second) / len(second)


def with_counts(rankings: list[list[str]]) -> tuple[float, float]:
    """The same in two passes: count patterns and add up positions and gaps, then score every ranking."""
    held: dict[str, list[int]] = {}
    ordered: dict[tuple[str, str], list[int]] = {}
    for r in rankings:
        for place, x in enumerate(r, 1):
            entry = held.setdefault(x, [0, 0])
            entry[0] += 1
            entry[1] += place
        for (i, x), (j, y) in combinations(enumerate(r), 2):
            entry = ordered.setdefault((x, y), [0, 0])
            entry[0] += 1
            entry[1] += j - i
    first, second = [], []
    for r in rankings:
        one = two = 0.0
        for place, x in enumerate(r, 1):
            n, total = held[x]
            if n >= Q:
                one += GAMMA ** abs(place - total / n)
        for (i, x), (j, y) in combinations(enumerate(r), 2):
            n, total = ordered[x, y]
            if n >= Q:
                two += LAM ** abs(j - i - total / n)
        first.append(one / len(r))
        second.append(two / (len(r) * (len(r) - 1) / 2))
    return sum(first) / len(first), sum(second) / len(second)
