"""Kappa of 5 rankings of 2000 items, weighted, by length: the paper's Algorithm 1 in plain numpy, and ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench import data
from bench.clock import Row, cpu

GAMMA, LAM = 0.9, 0.9


def run(quick: bool) -> list[Row]:
    from quorate.table import parse

    items = 400 if quick else 2000
    method = parse(f"kappa(gamma={GAMMA}, lam={LAM})", "orderings", "agreement")
    rows = []
    for judges_are, noise in (("noisy", items / 10), ("random", items * 10)):
        positions = data.noisy(1, 5, items, noise)
        ours, found = cpu(lambda positions=positions: method(positions, data.ones(positions)))
        mine = found.details["by_length"][0]
        for name, plain, target in (("Algorithm 1", algorithm_1, 50), ("Algorithm 1 without loops", vectorised, None)):
            peer, theirs = cpu(lambda plain=plain, positions=positions: plain(positions[0], GAMMA, LAM), 1)
            same = len(mine) == len(theirs) and np.allclose(mine, theirs, rtol=1e-9, atol=0)
            note = f"{judges_are} judges, longest pattern {len(mine)}; values {'agree' if same else 'DIFFER'}"
            rows.append(Row(f"kappa of 5 x {items}, {judges_are}, {name}", ours, peer, target, note=note))
    return rows


def algorithm_1(positions: Any, gamma: float, lam: float) -> list[float]:
    """The paper's Algorithm 1, line by line, numpy over the judges; d is the standard deviation, as in its tables."""
    n = positions.shape[1]
    order = np.argsort(positions[0])  # the items as the first ranking has them
    M = positions[:, order].astype(float)
    A = np.zeros((n, n))
    u = M.mean(axis=0)
    d = np.sqrt(((M - u) ** 2).mean(axis=0))
    for i in range(n):
        A[i, i] = gamma ** d[i] * np.prod(M[:, i] > 0)
        for j in range(i):
            gap = M[:, i] - M[:, j]
            A[i, j] = lam ** np.abs(gap).mean() * np.prod(gap > 0) * (A[i, i] > 0) * (A[j, j] > 0)
    return _by_length(A)


def vectorised(positions: Any, gamma: float, lam: float) -> list[float]:
    """The same with the double loop over items done by numpy, judge by judge."""
    order = np.argsort(positions[0])
    M = positions[:, order].astype(float)
    n = M.shape[1]
    d = M.std(axis=0)
    W, edge = np.zeros((n, n)), np.ones((n, n), bool)
    for row in M:
        gap = row[:, None] - row[None, :]
        W += np.abs(gap) / len(M)
        edge &= gap > 0
    A = lam**W * edge
    there = (M > 0).all(axis=0)
    A *= there[:, None] & there[None, :]
    A[np.diag_indices(n)] = gamma**d * there
    return _by_length(A)


def _by_length(A: Any) -> list[float]:
    L, z = np.tril(A, -1), np.ones(len(A))
    out, y = [float(np.trace(A))], z
    while out[-1] > 0:
        y = L @ y
        out.append(float(z @ y))
    return out[:-1]
