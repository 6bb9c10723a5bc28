"""Krippendorff's alpha of 50 judges x 100,000 items, 80 % missing: the krippendorff package, ours; without a judge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench import peers
from bench.clock import Row, cpu

KINDS = {"five": "5 points", "hundred": "0-100", "real": "real values"}
LEVELS = ("interval", "ordinal")


def run(quick: bool) -> list[Row]:
    from quorate.panel.units import from_table
    from quorate.scores import alpha
    from quorate.scores.alpha import without_each

    judges, items = (20, 5_000) if quick else (50, 100_000)
    size = f"{judges} x {items:,}, 80 % missing"
    theirs = _peer(judges, items)
    rows, five = [], {}
    for kind, name in KINDS.items():
        table = scores(judges, items, kind)
        for level in LEVELS:
            seconds, value = cpu(lambda t=table, lv=level: alpha(t, lv), 5)
            peer = theirs.get((kind, level), {})
            title = f"alpha {level}, {name}, {size}"
            if kind == "five":
                five[level] = seconds
                rows.append(Row(title, seconds, peer.get("seconds"), 1, note=_note(peer, value)))
            else:
                note = f"figure: times our own 5-point time; {_note(peer, value)}"
                rows.append(Row(title, seconds, peer.get("seconds"), 3, True, seconds / five[level], note=note))
            units = from_table(table)
            every, found = cpu(lambda u=units, lv=level: without_each([u], lv)[0], 2)
            off = abs(found[0] - alpha(table[1:], level))
            told = f"all {judges} judges; judge 1 left out: off by {off:.1e}"
            naive = seconds * judges
            rows.append(
                Row(f"without each judge, {level}, {name}", every, naive, note=f"{told}; peer: ours, {judges} times")
            )
    return rows


def scores(judges: int, items: int, kind: str) -> NDArray[np.float64]:
    """Made-up scores; the peer's script makes the same."""
    rng = np.random.default_rng(0)
    seen = rng.standard_normal(items) + 0.7 * rng.standard_normal((judges, items))
    gone = rng.random((judges, items)) < 0.8
    if kind == "five":
        seen = np.clip(np.rint(3 + seen), 1, 5)
    elif kind == "hundred":
        seen = np.clip(np.rint(50 + 15 * seen), 0, 100)
    seen[gone] = np.nan
    return seen


def _peer(judges: int, items: int) -> dict[tuple[str, str], dict]:
    given = {"judges": judges, "items": items, "kinds": list(KINDS), "levels": list(LEVELS)}
    try:
        found = peers.run("peer_krippendorff.py", given, "krippendorff", "numpy")
    except peers.NotAvailable as error:
        return {(k, lv): {"failed": f"not available: {error}"} for k in KINDS for lv in LEVELS}
    return {(r["kind"], r["level"]): {**r, "version": found["version"]} for r in found["rows"]}


def _note(peer: dict, value: float) -> str:
    if peer.get("failed"):
        return f"krippendorff {peer.get('version', '')} fails: {peer['failed']}"
    return f"krippendorff {peer['version']}; difference {abs(peer['value'] - value):.1e}"
