"""Kemeny's order of a circle of majorities as an integer program over pairs, by HiGHS, within a limited effort.

The effort is counted in steps of the solver, not in seconds: the same panel then gives the same order on every machine.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel
from quorate.kernels.effort import Effort

Array = NDArray[Any]
RULES = 5000  # added at a time, the most broken first
EXACT = 1e-4  # costs are whole: a bound that rounds up to the cost is the cost
ROOT = 10  # what beginning in whole numbers takes, in solutions of the program in fractions


def program(before: Array, start: Array, effort: Effort) -> tuple[Array, float]:
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
    whole, last = False, 0.0
    while -lowest - saved > 1 - EXACT and effort.left:
        matrix = _matrix(rules, size)
        if whole:
            value, turned = _in_whole(turn, matrix, effort, last)
        else:
            value, turned, last = _in_fractions(turn, matrix, effort)
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


def _matrix(rules: list[Array], size: int) -> Any:
    """The rules as rows over the pairs: a before b and b before c less a before c is 0 or 1."""
    from scipy.sparse import csr_array

    three = np.concatenate(rules) if rules else np.zeros((0, 3), np.int64)
    number = np.zeros((size, size), np.int64)
    number[np.triu_indices(size, 1)] = np.arange(size * (size - 1) // 2)
    a, b, c = three.T
    columns = np.stack([number[a, b], number[b, c], number[a, c]], axis=1).ravel()
    values = np.tile([1.0, 1.0, -1.0], len(three))
    rows = np.arange(0, len(columns) + 1, 3)
    return csr_array((values, columns, rows), shape=(len(three), size * (size - 1) // 2))


def _in_fractions(turn: Array, matrix: Any, effort: Effort) -> tuple[float, Array | None, float]:
    """The least that pairs turned by parts may cost under these rules, how they are turned, and the work it took."""
    from scipy.optimize import linprog
    from scipy.sparse import vstack

    rules = matrix.shape[0]
    if not rules:
        return float(np.minimum(turn, 0).sum()), (turn < 0).astype(float), 0.0
    largest = float(np.abs(turn).max()) or 1.0
    steps = {} if math.isinf(effort.work) else {"maxiter": int(effort.work // rules) + 1}
    found = linprog(
        turn / largest,
        A_ub=vstack([matrix, -matrix]),
        b_ub=np.repeat([1.0, 0.0], rules),
        bounds=(0, 1),
        method="highs-ds",
        options=steps | effort.options(),
    )
    took = float(found.nit * rules)
    effort.spend(took)
    if found.status != 0:
        return -np.inf, None, took
    return float(found.fun) * largest, found.x, took


def _in_whole(turn: Array, matrix: Any, effort: Effort, last: float) -> tuple[float, Array | None]:
    """The same with pairs turned wholly or not: a bound, and a solution if there was enough effort left for one."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    nodes = {}
    if not math.isinf(effort.work):
        if effort.work < ROOT * last:
            return -np.inf, None
        nodes = {"node_limit": int((effort.work - ROOT * last) // max(last, 1.0)) + 1}
    largest = float(np.abs(turn).max()) or 1.0
    found = milp(
        turn / largest,
        integrality=np.ones(len(turn), np.int64),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(matrix, 0, 1)] if matrix.shape[0] else [],
        options={"mip_rel_gap": 0.0} | nodes | effort.options(),
    )
    effort.spend((ROOT + int(found.get("mip_node_count") or 1)) * last)
    bound = found.get("mip_dual_bound")
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
