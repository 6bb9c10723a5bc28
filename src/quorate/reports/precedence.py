"""The order that so many judges share as a graph in layers: what comes before what, without edges that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SWEEPS = 4  # how often layers are sorted by where their neighbours stand
CLOSE = 0.02  # how near a line may pass by a node, of the whole width
ASIDE = 0.1  # how far a node is moved away from it at a time, in a layer of its own


@dataclass(frozen=True, eq=False)
class Layered:
    """Nodes (an item, or several that go round in a circle) with places, and the edges between them."""

    nodes: list[tuple[int, ...]]
    layer: list[int]
    across: list[float]  # from -0.5 to 0.5
    edges: list[tuple[int, int]]


def layered(before: Array) -> Layered:
    """Lay out a relation ``before[i, j]``; items with no edge at all are left out.

    Items that come before each other by some round trip share a node, so that the rest is an order; edges that follow
    from others are not drawn. A node stands one layer below the lowest that must come before it.

    >>> found = layered(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], bool))
    >>> found.nodes, found.layer, found.edges
    ([(0,), (1,), (2,)], [0, 1, 2], [(0, 1), (1, 2)])
    """
    reach = closure(before)
    nodes = circles(reach)
    first = [node[0] for node in nodes]
    order = reach[np.ix_(first, first)]
    np.fill_diagonal(order, False)
    joined = order.any(axis=0) | order.any(axis=1) | np.array([len(n) > 1 for n in nodes], bool)
    keep = np.flatnonzero(joined)
    nodes, order = [nodes[k] for k in keep.tolist()], order[np.ix_(keep, keep)]
    implied = (order.astype(np.int64) @ order.astype(np.int64)) > 0
    edges = [(int(i), int(j)) for i, j in np.argwhere(order & ~implied)]
    layer = layers(order)
    return Layered(nodes, layer, across(layer, edges), edges)


def closure(before: Array) -> Array:
    """What comes before what by any path."""
    reach = np.array(before, bool)
    for k in range(len(reach)):
        reach |= reach[:, k, None] & reach[None, k]
    return reach


def circles(reach: Array) -> list[tuple[int, ...]]:
    """Items that reach each other, together; every other alone."""
    both = reach & reach.T
    seen: set[int] = set()
    out = []
    for i in range(len(reach)):
        if i not in seen:
            node = tuple(sorted({i, *np.flatnonzero(both[i]).tolist()}))
            seen.update(node)
            out.append(node)
    return out


def layers(order: Array) -> list[int]:
    """The longest path that leads to each node."""
    depth = [0] * len(order)
    for k in np.argsort(order.sum(axis=0), kind="stable").tolist():  # fewer before it: earlier in any linear extension
        above = np.flatnonzero(order[:, k]).tolist()
        depth[k] = 1 + max((depth[a] for a in above), default=-1)
    return depth


def across(layer: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[float]:
    """Where in its layer each node stands: near the middle of its neighbours, evenly spaced."""
    rows: dict[int, list[int]] = {}
    for node, depth in enumerate(layer):
        rows.setdefault(depth, []).append(node)
    at = [0.0] * len(layer)
    for sweep in range(SWEEPS):
        for depth in sorted(rows, reverse=bool(sweep % 2)):
            near = {n: [at[b if a == n else a] for a, b in edges if n in (a, b)] for n in rows[depth]}
            if sweep:
                rows[depth].sort(key=lambda n: sum(near[n]) / len(near[n]) if near[n] else 0.0)
            for place, node in enumerate(rows[depth]):
                at[node] = (place + 0.5) / len(rows[depth]) - 0.5
    return off_lines(at, layer, edges)


def off_lines(at: Sequence[float], layer: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[float]:
    """Places with nodes moved aside that lie on a line which leads past them: it would look like a line to them.

    >>> off_lines([0.0, 0.0, 0.0], [0, 1, 2], [(0, 2)])
    [0.0, 0.1, 0.0]
    """
    at = list(at)
    long = [(a, b) for a, b in edges if layer[b] - layer[a] > 1]
    for node in range(len(at)) if long else ():
        wide = list(layer).count(layer[node])

        def free(x: float, node: int = node) -> bool:
            return all(
                abs(at[a] + (at[b] - at[a]) * (layer[node] - layer[a]) / (layer[b] - layer[a]) - x) > CLOSE
                for a, b in long
                if layer[a] < layer[node] < layer[b]
            )

        moves = [at[node] + side * step * ASIDE / wide for step in (0, 1, 2, 3) for side in (1, -1)]
        at[node] = next((x for x in moves if abs(x) <= 0.5 and free(x)), at[node])
    return at
