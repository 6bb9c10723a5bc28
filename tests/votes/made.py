"""Panels of votes for tests."""

from __future__ import annotations

import numpy as np

import quorate as q

WINNER = {1.0: "model_a", 0.5: "tie", 0.0: "model_b"}


def panel(votes) -> q.Votes:
    """From (task, judge, first, second, outcome of the first)."""
    return q.Votes.from_votes([(t, j, a, b, WINNER[o]) for t, j, a, b, o in votes])


def figures(answer, method, by="judge") -> dict:
    """The values of a method by judge or system."""
    return {o.labels[by]: o.value for o in answer[method].overall}


def simulated(tasks=40, judges=6, systems="uvwxyz", noise=0.2, random=0, reversed_=0, seed=0) -> q.Votes:
    """Every judge votes on three pairs of every task; the earlier letter is better. The last judges are bad ones."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in range(tasks):
        for _ in range(3):
            a, b = sorted(rng.choice(len(systems), 2, replace=False).tolist())
            for j in range(judges):
                wrong = rng.random() < (0.5 if j >= judges - random else noise)
                wrong ^= judges - random - reversed_ <= j < judges - random
                first = int(rng.integers(2))
                shown = (a, b) if first else (b, a)
                rows.append((f"t{t}", f"j{j}", *(systems[s] for s in shown), float(wrong != bool(first))))
    return panel(rows)
