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


def minds(rng, sizes, *, systems=5, votes=30, tasks=0, spread=1.0, own=0.0, differ=1.0, ties=0.1) -> q.Votes:
    """Judges of several camps, a0, a1, ... and b0, ..., each camp with strengths of its own that spread so far.

    Every judge has so many votes on pairs drawn at random, each on a task of its own or on one of so many; judges'
    strengths differ by ``own`` from their camp's, and a task's by ``differ`` from all others'.
    """
    rows, by_task = [], differ * rng.normal(size=(max(tasks, 1), systems))
    for camp, size in zip("abcde", sizes, strict=False):
        strengths = spread * rng.normal(size=systems)
        for k in range(size):
            mine = strengths + own * rng.normal(size=systems)
            for v in range(votes):
                x, y = rng.choice(systems, 2, replace=False).tolist()
                task = int(rng.integers(tasks)) if tasks else f"{camp}{k}.{v}"
                on = by_task[task] if tasks > 1 else differ * rng.normal(size=systems) if not tasks else 0 * mine
                first = rng.random() < 1 / (1 + np.exp(mine[y] - mine[x] + on[y] - on[x]))
                rows.append((f"t{task}", f"{camp}{k}", f"s{x}", f"s{y}", 0.5 if rng.random() < ties else float(first)))
    return panel(rows)


STRENGTHS = {"north-1": 0.8, "north-2": 0.2, "south-1": 0.0, "south-2": -0.3, "east": -0.7}
FAMILIES = {"north-1": "north", "north-2": "north", "south-1": "south", "south-2": "south", "east": "east"}
JUDGES = {"north-judge": "north", "south-judge": "south", "ann": "", "bob": ""}
LENGTHS = {"north-1": 240, "north-2": 190, "south-1": 210, "south-2": 330, "east": 170}


def planted(rng, tasks=100, length=0.0, place=0.0, own=0.0, tie=-0.8, pairs=3) -> list[dict]:
    """Votes of which all is known: strengths, what 100 words are worth, the first place, and north-judge's own family.

    Every judge votes on the same pairs of a task, each in an order of its own.
    """
    names, rows = list(STRENGTHS), []
    for t in range(tasks):
        words = {s: max(20, round(rng.normal(LENGTHS[s], 70))) for s in names}
        for _ in range(pairs):
            pair = [names[k] for k in rng.choice(len(names), 2, replace=False)]
            for judge, family in JUDGES.items():
                a, b = pair if rng.random() < 0.5 else pair[::-1]
                mine = (FAMILIES[a] == family) - (FAMILIES[b] == family) if judge == "north-judge" else 0
                eta = STRENGTHS[a] - STRENGTHS[b] + place + length * (words[a] - words[b]) / 100 + own * mine
                ways = np.array([np.exp(eta / 2), np.exp(tie), np.exp(-eta / 2)])
                outcome = (1.0, 0.5, 0.0)[int(rng.choice(3, p=ways / ways.sum()))]
                row = {"task": f"q{t}", "judge": judge, "model_a": a, "model_b": b, "winner": WINNER[outcome]}
                families = {"judge_family": family, "family_a": FAMILIES[a], "family_b": FAMILIES[b]}
                rows.append({**row, "length_a": words[a], "length_b": words[b], **families})
    return rows


def careful(rng, tasks, care, tie=-0.8) -> list[tuple]:
    """Votes of judges j0, j1, ... who follow the planted strengths by ``care``, on three pairs a task each."""
    names, rows = list(STRENGTHS), []
    for t in range(tasks):
        for j, d in enumerate(care):
            for _ in range(3):
                a, b = rng.choice(len(names), 2, replace=False).tolist()
                gap = d * (STRENGTHS[names[a]] - STRENGTHS[names[b]])
                ways = np.exp([gap / 2, tie, -gap / 2])
                outcome = (1.0, 0.5, 0.0)[int(rng.choice(3, p=ways / ways.sum()))]
                rows.append((f"t{t}", f"j{j}", names[a], names[b], outcome))
    return rows


def typical(rows, name="length") -> float:
    """The typical difference of a covariate: what its effect is told in."""
    return float(np.sqrt(np.mean([(r[f"{name}_a"] - r[f"{name}_b"]) ** 2 for r in rows])))
