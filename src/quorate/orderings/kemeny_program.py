"""Kemeny's order of a circle of majorities as an integer program, by HiGHS, within a limited effort.

A variable says of each majority whether it is broken; of every cycle of majorities one has to be. Of these rules only
those are in the program that its solution broke, found as shortest paths. Pairs that nobody decides cost nothing and
have no part, so that lists with few items in common are small programs.

The effort is counted in steps of the solver, not in seconds: the same panel then gives the same order on every machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import kemeny as kernel
from quorate.kernels import majority
from quorate.kernels.effort import Effort

Array = NDArray[Any]
EXACT = 1e-4  # costs are whole: a bound that rounds up to the cost is the cost
STEP = 1e-5  # added to the length of every majority: of cycles that are broken alike the shortest is taken
ROOT = 10  # what beginning in whole numbers takes, in solutions of the program in fractions


def program(before: Array, start: Array, effort: Effort, kept: Array | None = None) -> tuple[Array, float, Array]:
    """From an order to the best one, how much less than it some order might still cost, and what is surely kept.

    ``[i, j]``: every order that costs no more than the one found has i before j. Reduced costs say it: what breaking a
    majority adds to the least cost of the program in fractions. Majorities that are known to be ``kept`` stay so.
    """
    rules = Rules.of(before, kept)
    against, floor = before.T - before, float(np.minimum(before, before.T).sum()) / 2
    best, cost, lowest = start, kernel.cost(before, start), floor
    broken, whole, last = np.zeros(len(rules.weight)), False, 0.0
    dearer = np.full(len(rules.weight), -np.inf)  # what an order that breaks the majority costs at least
    while cost - lowest > 1 - EXACT and effort.left:
        if not rules.add(broken):
            if not rules.cycles:
                return rules.order(broken), 0.0, rules.reached(np.ones(len(rules.weight), bool))
            if whole:
                break
            whole = True  # all rules hold, but some majorities are broken by half: now in whole numbers
        if whole:
            value, found = _in_whole(rules, effort, last)
        else:
            value, found, reduced, last = _in_fractions(rules, effort)
            dearer = np.maximum(dearer, floor + value + reduced)
        lowest = max(lowest, floor + value)
        if found is None:
            break
        broken = found
        tried = kernel.descend(against, rules.order(broken))
        if kernel.cost(before, tried) < cost:
            best, cost = tried, kernel.cost(before, tried)
    gap = cost - lowest
    return best, gap if gap > 1 - EXACT else 0.0, rules.reached(dearer > cost + EXACT)


@dataclass(eq=False)
class Rules:
    """The majorities between items, by how many judges, and the cycles of them that have to be broken."""

    size: int
    tail: Array
    head: Array
    weight: Array
    number: Array  # [tail, head] of the majority
    kept: Array  # that are not to be broken
    cycles: dict[tuple[int, ...], None] = field(default_factory=dict)

    @classmethod
    def of(cls, before: Array, kept: Array | None = None) -> Rules:
        """Of ``before[i, j]``, without a cycle yet."""
        margin = before - before.T
        tail, head = np.nonzero(margin > 0)
        number = np.zeros(before.shape, np.int64)
        number[tail, head] = np.arange(len(tail))
        known = np.zeros(len(tail), bool) if kept is None else kept[tail, head]
        return cls(len(before), tail, head, margin[tail, head].astype(float), number, known)

    def add(self, broken: Array) -> bool:
        """Add for every majority the shortest cycle through it that is not broken; whether there was one."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        length = np.maximum(broken, 0.0) + STEP
        graph = csr_array((length, (self.tail, self.head)), shape=(self.size, self.size))
        distance, previous = dijkstra(graph, return_predecessors=True)
        around = length + distance[self.head, self.tail]
        known = len(self.cycles)
        for edge in np.flatnonzero(around < 1 - EXACT).tolist():
            cycle, end, at = [edge], int(self.head[edge]), int(self.tail[edge])
            while at != end:
                cycle.append(int(self.number[previous[end, at], at]))
                at = int(previous[end, at])
            self.cycles[tuple(sorted(e for e in cycle if not self.kept[e]))] = None
        return len(self.cycles) > known

    def order(self, broken: Array) -> Array:
        """An order that keeps what is not broken, as far as that can be."""
        return np.argsort(-self.reached(broken < 0.5).sum(axis=1), kind="stable")

    def reached(self, kept: Array) -> Array:
        """``[i, j]``: i comes before j along majorities that are kept."""
        edge = np.zeros((self.size, self.size), bool)
        edge[self.tail, self.head] = kept
        return majority.reach(edge) & ~np.eye(self.size, dtype=bool)

    @property
    def matrix(self) -> Any:
        """The cycles as rows over the majorities."""
        from scipy.sparse import csr_array

        columns = np.fromiter(chain.from_iterable(self.cycles), np.int64)
        begin = np.cumsum([0, *map(len, self.cycles)])
        return csr_array((np.ones(len(columns)), columns, begin), shape=(len(self.cycles), len(self.weight)))


def _in_fractions(rules: Rules, effort: Effort) -> tuple[float, Array | None, Array, float]:
    """The least that majorities broken by parts may cost, how they are broken, reduced costs, and the work it took."""
    from scipy.optimize import linprog

    number, largest = len(rules.cycles), float(rules.weight.max())
    steps = {} if math.isinf(effort.work) else {"maxiter": int(effort.work // number) + 1}
    found = linprog(
        rules.weight / largest,
        A_ub=-rules.matrix,
        b_ub=-np.ones(number),
        method="highs-ds",
        options={"presolve": False} | steps | effort.options(),
    )
    took = float(found.nit * number)
    effort.spend(took)
    if found.status != 0:
        return -np.inf, None, np.zeros(len(rules.weight)), took
    return float(found.fun) * largest, found.x, found.lower.marginals * largest, took


def _in_whole(rules: Rules, effort: Effort, last: float) -> tuple[float, Array | None]:
    """The same, broken wholly or not: a bound, and a solution if there was enough effort left for one."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    nodes = {}
    if not math.isinf(effort.work):
        if effort.work < ROOT * last:
            return -np.inf, None
        nodes = {"node_limit": int((effort.work - ROOT * last) // max(last, 1.0)) + 1}
    largest = float(rules.weight.max())
    found = milp(
        rules.weight / largest,
        integrality=np.ones(len(rules.weight), np.int64),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(rules.matrix, 1, np.inf)],
        options={"mip_rel_gap": 0.0} | nodes | effort.options(),
    )
    effort.spend((ROOT + int(found.get("mip_node_count") or 1)) * last)
    bound = found.get("mip_dual_bound")
    return (-np.inf if bound is None else float(bound) * largest), found.x
