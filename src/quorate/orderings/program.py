"""Kemeny's order of a circle of majorities as an integer program over pairs, by HiGHS, within a time limit."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel

Array = NDArray[Any]
RULES = 5000  # added at a time, the most broken first
EXACT = 1e-4  # costs are whole: a bound that rounds up to the cost is the cost


class Clock:
    """How much time is left."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, 0 when the time is over."""
        return max(0.0, self.end - time.monotonic())


def program(before: Array, start: Array, clock: Clock) -> tuple[Array, float]:
    """From an order to the best one, and how much less than it some order might still cost.

    A variable says of each pair whether it is turned round from the start, so that all costs are counted from there.
    Three items cannot go round in a circle; of these rules only those are in the program that its solution broke.
    """
    size = len(start)
    pairs = np.triu_indices(size, 1)
    own = before[np.ix_(start, start)]
    turn = (own - own.T)[pairs]
    against = before.T - before
    begun = kernel.cost(before, start)
    best, saved = start, 0.0
    lowest = float(np.minimum(turn, 0).sum())
    rules: list[Array] = []
    whole = False
    while -lowest - saved > 1 - EXACT and clock.left() > 0:
        value, turned = _solved(turn, rules, size, whole, clock)
        lowest = max(lowest, value)
        if turned is None:
            break
        square = np.zeros((size, size))
        square[pairs] = turned
        later = square.sum(axis=1) - square.sum(axis=0) + np.arange(size)
        tried = kernel.descend(against, start[np.argsort(later, kind="stable")])
        if begun - kernel.cost(before, tried) > saved:
            best, saved = tried, begun - kernel.cost(before, tried)
        broken = _broken(square)
        if len(broken):
            rules.append(broken)
        elif whole:
            break
        whole = whole or not len(broken)  # all rules hold, but some pairs are turned by half: now in whole numbers
    gap = -lowest - saved
    return best, gap if gap > 1 - EXACT else 0.0


def _solved(turn: Array, rules: list[Array], size: int, whole: bool, clock: Clock) -> tuple[float, Array | None]:
    """A bound on the program with these rules, and its solution if there was time for one."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    constraints = []
    if rules:
        three = np.concatenate(rules)
        number = np.zeros((size, size), np.int64)
        number[np.triu_indices(size, 1)] = np.arange(len(turn))
        a, b, c = three.T
        columns = np.stack([number[a, b], number[b, c], number[a, c]], axis=1).ravel()
        values = np.tile([1.0, 1.0, -1.0], len(three))
        matrix = csr_array((values, columns, np.arange(0, len(columns) + 1, 3)), shape=(len(three), len(turn)))
        constraints.append(LinearConstraint(matrix, 0, 1))
    largest = float(np.abs(turn).max()) or 1.0
    found = milp(
        turn / largest,
        integrality=np.full(len(turn), int(whole)),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options={"time_limit": max(clock.left(), 0.01), "mip_rel_gap": 0.0},
    )
    bound = getattr(found, "mip_dual_bound", None) if whole else found.fun if found.status == 0 else None
    return (-np.inf if bound is None else float(bound) * largest), found.x


def _broken(square: Array) -> Array:
    """Three items a < b < c of the start that go round in a circle, ``[rule, 3]``, the most broken ones."""
    found, excess = [], []
    for b in range(1, len(square) - 1):
        total = square[:b, b, None] + square[None, b, b + 1 :] - square[:b, b + 1 :]
        off = np.maximum(total - 1, -total)
        a, c = np.nonzero(off > 1e-6)
        found.append(np.stack([a, np.full(len(a), b), c + b + 1], axis=1))
        excess.append(off[a, c])
    if not found:
        return np.zeros((0, 3), np.int64)
    rules, much = np.concatenate(found), np.concatenate(excess)
    return rules[np.argsort(-much, kind="stable")[:RULES]]
