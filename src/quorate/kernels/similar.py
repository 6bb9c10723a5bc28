"""How alike two rankings are, for every two judges at once: ``[task, judge, judge]``.

The first part works on complete rankings (ties allowed) and is mostly one matrix product over the signs of all item
pairs. The second part is for top-k lists, where what a list leaves out is part of the measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.inversions import agreeing, quicker
from quorate.kernels.pairs import blocks, precedence, tasks_last
from quorate.kernels.ranks import by_rank, correlations, mid_ranks, savage, top_ranks

Array = NDArray[Any]
CELLS = 1 << 23  # signs held at a time


def _signs(positions: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Signs ``[task, judge, pair]`` (+1 where i is before j), with the numbers i < j of the pairs, in pieces."""
    tasks, judges, items = positions.shape
    number = math.comb(items, 2)
    begin = np.concatenate([[0], np.cumsum(np.arange(items - 1, 1, -1))])  # of each i, among the pairs in order
    step = max(1, CELLS // max(tasks * judges, 1))
    for a in range(0, number, step):  # the pairs of a piece only: all of them fill the memory first
        pair = np.arange(a, min(a + step, number))
        i = np.searchsorted(begin, pair, side="right") - 1
        j = pair - begin[i] + i + 1
        yield np.sign(positions[:, :, j] - positions[:, :, i]).astype(np.float32), i, j


def _times(left: Array, right: Array) -> Array:
    return np.asarray(np.matmul(left, right.transpose(0, 2, 1)), np.float64)


def _square(positions: Array) -> Array:
    return np.zeros((positions.shape[0], positions.shape[1], positions.shape[1]))


def _pairs(positions: Array) -> float:
    return math.comb(positions.shape[2], 2) or math.nan


def _ratio(top: Array, bottom: Array) -> Array:
    return np.asarray(np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0))


def tau(positions: Array) -> Array:
    """Kendall's tau-a: concordant less discordant pairs, over all pairs."""
    if quicker(positions):
        return np.stack([agreeing(task)[0] for task in positions]) / _pairs(positions)
    out = _square(positions)
    for s, _, _ in _signs(positions):
        out += _times(s, s)
    return out / _pairs(positions)


def strict(positions: Array) -> bool:
    """Whether every ranking is complete and without ties."""
    items = positions.shape[2]
    return bool((positions > 0).all() and (positions.max(axis=2, initial=0) == items).all())


def mean_tau(positions: Array, counts: Array, alike: bool) -> Array:
    """Mean tau over pairs of judges, ``[task]``, for complete rankings without ties, from precedence counts alone.

    For an item pair the products of the judges' signs add up to the square of (before - after), less each judge's own.
    """
    items = positions.shape[2]
    total = counts.sum(axis=1)
    own = total if alike else (counts**2).sum(axis=1)
    pairs = (total**2 - own) * math.comb(items, 2)
    first, second = np.triu_indices(items, 1)
    margin = np.empty(len(positions), np.int64)
    last = tasks_last(positions)
    for part in blocks(len(positions), items):
        before = precedence(last[:, :, part], counts.T[:, part])
        lead = 2 * before[first, second] - total[part]
        margin[part] = np.einsum("pt,pt->t", lead, lead, dtype=np.int64)
    return _ratio((margin - own * len(first)).astype(float), pairs)


def mean_rho(positions: Array, counts: Array, alike: bool) -> Array:
    """Mean rho over pairs of judges, ``[task]``, for complete rankings without ties, from the rank sums alone.

    The products of any two judges' ranks, less their mean, add up to the square of their sums, less each judge's own.
    """
    items = positions.shape[2]
    total = counts.sum(axis=1)
    own = total if alike else (counts**2).sum(axis=1)
    once = len(positions) > 1 and positions.strides[0] == 0  # the same rankings with other counts
    sums = (
        counts @ positions[0].astype(np.int64) if once else np.einsum("tji,tj->ti", positions, counts, dtype=np.int64)
    )
    twice = (2 * sums - (total * (items + 1))[:, None]).astype(float)  # squares of many judges pass whole numbers
    each = items * (items**2 - 1) / 3  # a ranking with itself
    return _ratio(np.einsum("ti,ti->t", twice, twice) - own * each, (total**2 - own) * each)


def tau_b(positions: Array) -> Array:
    """Kendall's tau-b: over the pairs that neither ranking ties, as a geometric mean."""
    if quicker(positions):
        found = [agreeing(task) for task in positions]
        top, _, apart = (np.stack([f[k] for f in found]).astype(float) for k in range(3))
        return _ratio(top, np.sqrt(apart[:, :, None] * apart[:, None, :]))
    out, strict = _square(positions), np.zeros(positions.shape[:2])
    for s, _, _ in _signs(positions):
        out += _times(s, s)
        strict += np.abs(s).sum(axis=2, dtype=np.float64)
    return _ratio(out, np.sqrt(strict[:, :, None] * strict[:, None, :]))


def tau_x(positions: Array) -> Array:
    """Emond and Mason's tau-x: a tie on both sides agrees, a tie on one side is neither."""
    if quicker(positions):
        return np.stack([top + both for top, both, _ in map(agreeing, positions)]) / _pairs(positions)
    out = _square(positions)
    for s, _, _ in _signs(positions):
        tied = (s == 0).astype(np.float32)
        out += _times(s, s) + _times(tied, tied)
    return out / _pairs(positions)


def tau_ap(positions: Array, side: str = "both") -> Array:
    """AP correlation of the second ranking with the first as truth; with ``both`` the mean of the two ways.

    With ties as in Urbano and Marrero's tau_ap,b: an item is compared with those above its tie group.
    """
    top = top_ranks(positions)
    below = np.maximum((top > 1).sum(axis=2, keepdims=True), 1) * np.maximum(top - 1, 1).astype(float)
    out = _square(positions)
    for s, i, j in _signs(positions):
        lower = np.where(s > 0, 1 / below[:, :, j], 1 / below[:, :, i])
        weight = np.where(s == 0, 0.0, lower)
        # A pair that the truth ties is not concordant: (|s_truth| + s_truth * s) / 2 is 1 only for equal signs.
        out += np.matmul(s.astype(float), (weight * s).transpose(0, 2, 1))
        out += np.matmul(np.abs(s).astype(float), weight.transpose(0, 2, 1))
    out -= 1
    one_group = (positions.max(axis=2) == 1)[:, None, :]
    out = np.where(one_group, np.nan, out)
    return (out + out.transpose(0, 2, 1)) / 2 if side == "both" else out


def tau_vigna(positions: Array) -> Array:
    """Vigna's weighted tau: a pair weighs 1/rank + 1/rank of its items, ranks by either ranking in turn."""
    return _weighted_tau(positions, np.add)


def tau_shieh(positions: Array) -> Array:
    """Shieh's weighted tau: a pair weighs 1/rank times 1/rank of its items, ranks by either ranking in turn."""
    return _weighted_tau(positions, np.multiply)


def _weighted_tau(positions: Array, join: Callable[[Array, Array], Array]) -> Array:
    items = positions.shape[2]
    if items < 2:
        return np.full(_square(positions).shape, np.nan)
    if (positions.max(axis=2) == items).all():  # no ties: the weights depend on one ranking, so one product will do
        rank = 1.0 / positions
        top, bottom = _square(positions), np.zeros(positions.shape[:2])
        for s, i, j in _signs(positions):
            weight = join(rank[:, :, i], rank[:, :, j])
            top += np.matmul(weight * s, s.astype(float).transpose(0, 2, 1))
            bottom += weight.sum(axis=2)
        out = top / bottom[:, :, None]
        return np.asarray((out + out.transpose(0, 2, 1)) / 2)
    out = _square(positions)
    i, j = np.triu_indices(items, 1)
    for t, ranking in enumerate(positions):
        sign = np.sign(ranking[:, j] - ranking[:, i]).astype(float)
        for a in range(len(ranking)):
            for b in range(a, len(ranking)):
                ways = [_one_way(ranking, sign, a, b, join, i, j), _one_way(ranking, sign, b, a, join, i, j)]
                out[t, a, b] = out[t, b, a] = sum(ways) / 2
    return out


def _one_way(ranking: Array, sign: Array, a: int, b: int, join: Any, i: Array, j: Array) -> float:
    """Weighted tau-b with ranks by the first ranking, its ties told apart by the second."""
    rank = np.empty(ranking.shape[1])
    rank[np.lexsort((ranking[b], ranking[a]))] = 1.0 / np.arange(1, ranking.shape[1] + 1)
    weight = join(rank[i], rank[j])
    scale = math.sqrt(weight[sign[a] != 0].sum() * weight[sign[b] != 0].sum())
    return float((weight * sign[a] * sign[b]).sum()) / scale if scale else math.nan


def rho(positions: Array) -> Array:
    """Spearman's rho: Pearson's r of the ranks, tied items sharing theirs."""
    return correlations(mid_ranks(positions))


def rho_top(positions: Array) -> Array:
    """Iman and Conover's top-down correlation: Pearson's r of Savage scores, which stress the first places."""
    return correlations(by_rank(positions, savage(positions.shape[2])))


def footrule(positions: Array) -> Array:
    """Spearman's footrule as likeness: 1 less the sum of rank differences over the largest, n*n/2 rounded down."""
    rank = mid_ranks(positions)
    out = _square(positions)
    for a in range(positions.shape[1]):
        out[:, a] = np.abs(rank - rank[:, a : a + 1]).sum(axis=2)
    largest = positions.shape[2] ** 2 // 2
    return 1 - out / largest if largest else np.full(out.shape, np.nan)


# -- top-k lists: absent items are part of the measure -----------------------------------------------------------------


def _overlap(positions: Array) -> tuple[Array, Array, Array]:
    """Per two judges: items in both lists, in at least one, and (per judge) list lengths."""
    there = (positions > 0).astype(np.float64)
    both = np.matmul(there, there.transpose(0, 2, 1))
    size = there.sum(axis=2)
    return both, size[:, :, None] + size[:, None, :] - both, size


def fagin_tau(positions: Array, penalty: float = 0.5) -> Array:
    """Fagin's K with penalty for pairs that one list holds and the other lacks, scaled to [-1, 1] over the union."""
    items = positions.shape[2]
    both, union, _ = _overlap(positions)
    below = np.where(positions > 0, positions, positions.max(axis=2, keepdims=True) + 1)
    out = -both * (items - union)  # items outside the two lists look concordant with those in both
    for s, i, j in _signs(below):
        there = (positions[:, :, i] > 0).astype(np.float32) + (positions[:, :, j] > 0)
        own, none = np.abs(s) * (there == 2), (there == 0).astype(np.float32)
        lacking = _times(own, none)
        out += _times(s, s) + (1 - 2 * penalty) * (lacking + lacking.transpose(0, 2, 1))
    return _ratio(out, union * (union - 1) / 2)


def fagin_footrule(positions: Array, location: float | None = None) -> Array:
    """Fagin's footrule as likeness: absent items stand at ``location`` (by default just after the list's end)."""
    filled, place = _filled(positions, location)
    items = positions.shape[2]
    _, union, _ = _overlap(positions)
    out, apart = _square(positions), _square(positions)
    for a in range(positions.shape[1]):
        out[:, a] = np.abs(filled - filled[:, a : a + 1]).sum(axis=2)
        own = np.where(positions > 0, filled, place[:, :, None])
        # The largest value: no item in common. Each list against the other's location.
        apart[:, a] = (np.abs(own - place[:, a][:, None, None]) * (positions > 0)).sum(axis=2)
    out -= (items - union) * np.abs(place[:, :, None] - place[:, None, :])
    return 1 - _ratio(out, apart + apart.transpose(0, 2, 1))


def fagin_rho(positions: Array, location: float | None = None) -> Array:
    """Pearson's r of positions over the union of two lists, absent items at ``location``."""
    filled, place = _filled(positions, location)
    items = positions.shape[2]
    _, union, _ = _overlap(positions)
    outside = items - union
    mine, yours = place[:, :, None], place[:, None, :]
    total = filled.sum(axis=2)[:, :, None] - outside * mine
    squares = (filled**2).sum(axis=2)[:, :, None] - outside * mine**2
    product = np.matmul(filled, filled.transpose(0, 2, 1)) - outside * mine * yours
    spread = squares - total**2 / union
    spread = np.where(spread < 1e-9 * np.maximum(squares, 1), 0.0, spread)
    joint = product - total * total.transpose(0, 2, 1) / union
    return np.clip(_ratio(joint, np.sqrt(spread * spread.transpose(0, 2, 1))), -1, 1)


def _filled(positions: Array, location: float | None) -> tuple[Array, Array]:
    size = (positions > 0).sum(axis=2)
    place = (size + 1).astype(float) if location is None else np.full(size.shape, float(location))
    return np.where(positions > 0, mid_ranks(positions), place[:, :, None]), place


def rbo(positions: Array, p: float = 0.9, part: str = "ext") -> Array:
    """Rank-biased overlap of Webber and others: extrapolated, the least it can be, or what is left open (res)."""
    size = (positions > 0).sum(axis=2)
    strict = bool((positions.max(axis=2) == size).all())
    if part == "ext" and strict and bool((size == size[:, :1]).all()):
        return np.minimum(_rbo_even(positions, size[:, 0], p), 1)
    return np.clip(_rbo_by_depth(positions, size, p, part), 0, 1)  # rounding may pass the ends by a hair


def _rbo_even(positions: Array, size: Array, p: float) -> Array:
    """Lists of one length without ties: an item adds what all depths from its later place on are worth.

    Over the items of the first list of each pair, in its order: what is absent from it adds nothing.
    """
    judges = positions.shape[1]
    out = _square(positions)
    for k in np.unique(size).tolist():
        depth = np.arange(1, k + 1)
        tail = np.cumsum(((1 - p) * p ** (depth - 1.0) / depth)[::-1])[::-1]
        worth = np.append(tail + p**k / max(k, 1), 0.0)  # the last entry is for absent items
        same = np.flatnonzero(size == k)
        for part in np.array_split(same, max(1, len(same) * judges * k // (CELLS >> 3))):
            held = positions[part]
            order = np.argsort(np.where(held > 0, held, np.iinfo(held.dtype).max), axis=2, kind="stable")[:, :, :k]
            for a in range(judges):
                seat = np.take_along_axis(held[:, a:], order[:, a : a + 1], axis=2) - 1  # of the first list's items
                later = np.maximum(np.where(seat >= 0, seat, k), np.arange(k))
                out[part, a, a:] = out[part, a:, a] = worth[later].sum(axis=2)
    return out


def _rbo_by_depth(positions: Array, size: Array, p: float, part: str) -> Array:
    """Any lists: the overlap of every two at every depth. A tie group is entered as a whole at its first place.

    Beyond the shorter list's end its items agree as before (ext), with nothing (low) or with all they can (high).
    """
    rank = top_ranks(positions)
    mine, yours = size[:, :, None], size[:, None, :]
    short, long = np.minimum(mine, yours), np.maximum(mine, yours)
    ext, low, high, at_short, last = (_square(positions) for _ in range(5))
    for d in range(1, int(size.max(initial=0)) + 1):
        inside = ((rank > 0) & (rank <= d)).astype(np.float32)
        overlap = _times(inside, inside)
        held = np.where(d <= size, inside.sum(axis=2), np.maximum(d, size))
        both = held[:, :, None] + held[:, None, :]
        unseen = np.maximum(d - short, 0)
        at_short = np.where(d <= short, 2 * overlap / both, at_short)
        weight = np.where(d <= long, (1 - p) * p ** (d - 1), 0.0)
        now = 2 * (overlap + at_short * unseen) / both
        last = np.where(d <= long, now, last)
        ext += weight * now
        low += weight * 2 * overlap / both
        high += weight * np.minimum(2 * (overlap + unseen) / both, 1)
    if part == "ext":
        return ext + p ** long.astype(float) * last
    common, _, _ = _overlap(positions)
    full = (short + long - common).astype(np.int64)  # the depth from which the lists may agree in full
    depth = np.arange(1, int(full.max(initial=0)) + 1)
    harmonic = np.concatenate([[0.0], np.cumsum(p**depth / depth)])
    low += (1 - p) * common * ((-math.log1p(-p) - harmonic[long]) / p)
    if part == "min":
        return low
    high += (1 - p) * (common - short - long) * ((harmonic[full] - harmonic[long]) / p)
    high += 2 * (p ** long.astype(float) - p ** full.astype(float)) + p ** full.astype(float)
    return high - low
