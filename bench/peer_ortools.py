"""Run by the peers' own Python: Kemeny's order as a plain linear program by OR-Tools, triangles added where broken."""

import itertools
import json
import sys
import time
from importlib.metadata import version

from ortools.linear_solver import pywraplp

AT_ONCE = 1000  # triangles added in one round, those that are broken most
NEAR = 1e-6


def solve(orders):
    """CPU time, the cost of the order, and whether the program came out whole, which proves it."""
    items = len(orders[0])
    before = [[0] * items for _ in range(items)]
    for order in orders:
        for i, j in itertools.combinations(order, 2):
            before[i][j] += 1
    begun = time.process_time()
    solver = pywraplp.Solver.CreateSolver("GLOP")
    x = {pair: solver.NumVar(0, 1, "") for pair in itertools.combinations(range(items), 2)}
    base = sum(before[i][j] for i, j in x)
    solver.Minimize(solver.Sum(x[i, j] * (before[j][i] - before[i][j]) for i, j in x) + base)
    while True:
        solver.Solve()
        value = {pair: v.solution_value() for pair, v in x.items()}
        broken = []
        for i, j, k in itertools.combinations(range(items), 3):
            round_ = value[i, j] + value[j, k] - value[i, k]
            if round_ > 1 + NEAR or round_ < -NEAR:
                broken.append((max(round_ - 1, -round_), (i, j, k)))
        if not broken:
            break
        for _, (i, j, k) in sorted(broken, reverse=True)[:AT_ONCE]:
            solver.Add(x[i, j] + x[j, k] - x[i, k] <= 1)
            solver.Add(x[i, j] + x[j, k] - x[i, k] >= 0)
    whole = all(min(v, 1 - v) < NEAR for v in value.values())
    return time.process_time() - begun, solver.Objective().Value(), whole


given = json.load(sys.stdin)
solve([[0, 1, 2], [1, 0, 2], [2, 1, 0]])
found = [solve(orders) for orders in given["panels"]]
seconds, costs, whole = zip(*found, strict=True)
json.dump({"seconds": seconds, "costs": costs, "whole": whole, "version": version("ortools")}, sys.stdout)
