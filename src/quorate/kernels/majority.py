"""Who is before whom by how many judges, and what follows: wins, strongest paths, circles of majorities.

Arrays are ``[task, item, item]``: ``before[t, i, j]`` is the weight of the judges who put i strictly before j.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import listed_pairs
from quorate.kernels.precedence import parts, precedence, tasks_last
from quorate.kernels.product import product

Array = NDArray[Any]
ROWS = 1 << 18  # pairs of items of a long task looked at in one step
CELLS = 1 << 22  # judge x item x item comparisons held at a time
FEW = 200  # items up to which products of matrices are quicker than a look at each,
PRODUCTS = 1 << 17  # and cells of all panels
NEAR = 1e-9  # scores nearer than this share of their spread are the same score


def before(positions: Array, counts: Array) -> Array:
    """Weight of the judges who put i before j; ``counts`` may be whole numbers or weights."""
    tasks, _, items = positions.shape
    if tasks == 0 or items == 0:
        return np.zeros((tasks, items, items))
    once = tasks == 1 or positions.strides[0] == 0  # the same rankings weighed differently
    if once and listed_pairs.are_few(positions[0]):
        return listed_pairs.before(positions[0], counts)
    if tasks > 1 and once:  # one product for all
        return _weighed(positions[0], counts)
    if tasks == 1 and counts.dtype.kind == "f":
        return _weighed(positions[0], counts)
    out = np.empty((tasks, items, items))
    for part in parts(tasks, items):
        last, weight = tasks_last(positions[part]), counts[part].T
        if counts.dtype.kind == "f":
            out[part] = _floating(last, weight).transpose(2, 0, 1)
        else:
            out[part] = precedence(last, weight).transpose(2, 0, 1)
    return out


def in_rows(ranking: Array, counts: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Of one long task ``ranking[judge, item]`` some items at a time: who puts them before and after all, by weight.

    The slice of the items, and two arrays ``[item, item]``; whole counts are counted in short numbers.
    """
    items = ranking.shape[1]
    late: Array = ranking.astype(np.int16 if items < 2**15 - 1 else np.int32)
    early = np.where(late > 0, late, np.iinfo(late.dtype).max)
    kind = np.float64 if counts.dtype.kind == "f" else np.int16 if int(counts.sum()) < 2**15 else np.int64
    step = max(1, ROWS // max(items, 1))
    for a in range(0, items, step):
        rows = slice(a, min(a + step, items))
        before, after = np.zeros((2, rows.stop - a, items), kind)
        for k, times in enumerate(counts.astype(kind)):
            before += (early[k, rows, None] < late[k, None]) * times
            after += (early[k, None] < late[k, rows, None]) * times
        yield rows, before, after


def _weighed(ranking: Array, counts: Array) -> Array:
    """One set of rankings ``[judge, item]`` under many weights ``[task, judge]``."""
    judges, items = ranking.shape
    early = np.where(ranking > 0, ranking, np.iinfo(ranking.dtype).max)
    out = np.zeros((len(counts), items * items))
    step = max(1, CELLS // (items * items))
    for a in range(0, judges, step):
        less = early[a : a + step, :, None] < ranking[a : a + step, None, :]
        out += product(counts[:, a : a + step].astype(float), less.reshape(len(less), -1).astype(float))
    return out.reshape(-1, items, items)


def _floating(last: Array, weight: Array) -> Array:
    early = np.where(last > 0, last, np.iinfo(last.dtype).max)
    total = np.zeros((last.shape[1], *last.shape[1:]))
    for k in range(last.shape[0]):
        total += (early[k, :, None] < last[k, None]) * weight[k]
    return total


def places(scores: Array, near: float = NEAR) -> Array:
    """Dense positions by ascending score, ``[task, item]``; scores that differ by rounding only are tied."""
    order = np.argsort(scores, axis=1)  # how equal scores are ordered makes no difference
    sorted_ = np.take_along_axis(scores, order, axis=1)
    spread = np.maximum(np.abs(sorted_).max(axis=1, keepdims=True, initial=0.0), 1e-300)
    step = np.ones(scores.shape, np.int64)
    step[:, 1:] = np.diff(sorted_, axis=1) > near * spread
    out = np.empty(scores.shape, np.int64)
    np.put_along_axis(out, order, step.cumsum(axis=1), axis=1)
    return out


def wins(beaten: Array) -> Array:
    """Items beaten, and half of those neither beaten nor beating: ``[task, item]`` from ``beaten[task, i, j]``."""
    items = beaten.shape[1]
    won, lost = beaten.sum(axis=2), beaten.sum(axis=1)
    return np.asarray(won + (items - 1 - won - lost) / 2)


def strongest_paths(weight: Array) -> Array:
    """The strength of the strongest path from i to j: a path is as strong as its weakest step."""
    best = np.where(weight > weight.transpose(0, 2, 1), weight, 0.0)
    for k in range(weight.shape[1]):
        np.maximum(best, np.minimum(best[:, :, k, None], best[:, None, k, :]), out=best)
    return best


def reach(edge: Array) -> Array:
    """Which items can be reached from which along edges, ``[..., item, item]``; an item reaches itself.

    Item by item: whoever reaches it reaches all that it reaches. Rows are bits, so that this is cheap. Of few
    panels of few items paths are made twice as long again and again, which are few products of matrices.
    """
    items = edge.shape[-1]
    linked = np.asarray(edge.any(axis=-1) | edge.any(axis=-2))
    some = np.flatnonzero(linked.any(axis=tuple(range(linked.ndim - 1))))
    if len(some) < items:  # the others have no edges
        out = np.broadcast_to(np.eye(items, dtype=bool), edge.shape).copy()
        out[..., some[:, None], some] = reach(edge[..., some[:, None], some])
        return out
    if items <= FEW and edge.size <= PRODUCTS:
        reached = (edge | np.eye(items, dtype=bool)).astype(np.float32)
        while True:
            farther = (reached @ reached > 0).astype(np.float32)
            if (farther == reached).all():
                return np.asarray(farther > 0)
            reached = farther
    rows = np.packbits(edge | np.eye(items, dtype=bool), axis=-1)
    for k in range(items):
        through = (rows[..., k >> 3] >> (7 - (k & 7))) & 1
        rows |= rows[..., k, None, :] * through[..., None]
    return np.unpackbits(rows, axis=-1, count=items).astype(bool)


def circles(edge: Array) -> list[Array]:
    """Items that reach one another along edges: sets of two and more, in the order they come in."""
    step, left = edge.astype(np.float32), np.ones(len(edge), np.float32)
    while True:  # who beats nobody of those left, or is beaten by nobody, is in no circle
        keep = left * (step @ left > 0) * (left @ step > 0)
        if (keep == left).all():
            break
        left = keep
    some = np.flatnonzero(left)
    if not len(some):
        return []
    edge = edge[np.ix_(some, some)]
    reached = reach(edge)
    both = reached & reached.T
    first = both.argmax(axis=1)
    found = [np.flatnonzero(first == f) for f in np.unique(first)]
    later = reached.sum(axis=1)
    return [some[c] for c in sorted((c for c in found if len(c) > 1), key=lambda c: (-later[c[0]], c[0]))]


def blocks_in_line(margin: Array) -> list[Array]:
    """Sets of items such that each set beats all later ones item by item; ``margin[i, j] > 0`` when i beats j.

    A set beats the rest outright just when its wins less its losses add up to (inside) x (outside), so sorting by that
    difference and adding up shows every cut.
    """
    items = len(margin)
    net = np.sign(margin).sum(axis=1)
    order = np.argsort(-net, kind="stable")
    inside = np.arange(1, items + 1)
    cut = np.flatnonzero(np.cumsum(net[order]) == inside * (items - inside))
    return [np.sort(part) for part in np.split(order, cut[:-1] + 1)]
