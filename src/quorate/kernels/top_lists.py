"""How alike two top-k lists are, for every two judges, ``[task, judge, judge]``: what a list lacks is part of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient
from quorate.kernels.rank_correlation import CELLS, signs, square, times
from quorate.kernels.ranks import mid_ranks, top_ranks

Array = NDArray[Any]
NOTHING = 1e-30  # weight of a depth, below which all further ones together change no digit


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
    for s, i, j in signs(below):
        there = (positions[:, :, i] > 0).astype(np.float32) + (positions[:, :, j] > 0)
        own, none = np.abs(s) * (there == 2), (there == 0).astype(np.float32)
        lacking = times(own, none)
        out += times(s, s) + (1 - 2 * penalty) * (lacking + lacking.transpose(0, 2, 1))
    return quotient(out, union * (union - 1) / 2)


def fagin_footrule(positions: Array, location: float | None = None) -> Array:
    """Fagin's footrule as likeness: absent items stand at ``location`` (by default just after the list's end)."""
    filled, place = _filled(positions, location)
    items = positions.shape[2]
    _, union, _ = _overlap(positions)
    out, apart = square(positions), square(positions)
    for a in range(positions.shape[1]):
        out[:, a] = np.abs(filled - filled[:, a : a + 1]).sum(axis=2)
        own = np.where(positions > 0, filled, place[:, :, None])
        # The largest value: no item in common. Each list against the other's location.
        apart[:, a] = (np.abs(own - place[:, a][:, None, None]) * (positions > 0)).sum(axis=2)
    out -= (items - union) * np.abs(place[:, :, None] - place[:, None, :])
    return 1 - quotient(out, apart + apart.transpose(0, 2, 1))


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
    return np.clip(quotient(joint, np.sqrt(spread * spread.transpose(0, 2, 1))), -1, 1)


def _filled(positions: Array, location: float | None) -> tuple[Array, Array]:
    size = (positions > 0).sum(axis=2)
    place = (size + 1).astype(float) if location is None else np.full(size.shape, float(location))
    return np.where(positions > 0, mid_ranks(positions), place[:, :, None]), place


def rbo(positions: Array, p: float = 0.9, part: str = "ext") -> Array:
    """Rank-biased overlap of Webber and others: extrapolated, the least it can be, or what is left open (res)."""
    size = (positions > 0).sum(axis=2)
    if part == "ext" and _even(positions, size).all():
        return np.minimum(_rbo_even(positions, size[:, 0], p), 1)
    return np.clip(_rbo_by_depth(positions, size, p, part), 0, 1)  # rounding may pass the ends by a hair


def mean_rbo(positions: Array, counts: Array, alike: bool, p: float = 0.9, part: str = "ext") -> tuple[Array, Array]:
    """The mean of :func:`rbo` over pairs of judges, ``[task]``, where lists have one length and no ties; else NaN; and
    of which tasks.

    An item is worth to two judges what the later of its two places is. So judges are put in order by place, item by
    item, and each is one of as many pairs as there are judges before: every two need not be compared. ``counts[task,
    judge]`` says how many judges a row stands for, who if ``alike`` are pairs among themselves.
    """
    size = (positions > 0).sum(axis=2)
    some_there = part == "ext" and positions.shape[1] * positions.shape[2] > 0
    fits, total = _even(positions, size) & some_there, np.full(len(positions), np.nan)
    for k in np.unique(size[fits, :1]).tolist():
        worth, same = _worth(k, p), np.flatnonzero(fits & (size[:, 0] == k))
        for some in np.array_split(same, max(1, len(same) * positions[0].size // (CELLS >> 3))):
            seat, often = np.where(positions[some] > 0, positions[some] - 1, k), counts[some, :, None]
            if (often == 1).all():
                seat.sort(axis=1)
                before = np.arange(seat.shape[1])[:, None]
            else:
                order = np.argsort(seat, axis=1, kind="stable")
                seat, often = np.take_along_axis(seat, order, axis=1), np.take_along_axis(often, order, axis=1)
                before = np.cumsum(often, axis=1) - often
            each = (worth[seat] * (often * before)).cumsum(axis=1)[:, -1]  # one by one: what is absent changes no digit
            total[some] = each.cumsum(axis=1)[:, -1]
        if alike:
            total[same] += min(worth.sum(), 1.0) * (counts[same] * (counts[same] - 1)).sum(axis=1) / 2
    of = counts.sum(axis=1) ** 2 - (counts.sum(axis=1) if alike else (counts**2).sum(axis=1))
    return np.minimum(quotient(2 * total, of), 1), fits


def _even(positions: Array, size: Array) -> Array:
    """Which tasks' lists have one length, and no ties."""
    return np.asarray((positions.max(axis=2, initial=0) == size).all(axis=1) & (size == size[:, :1]).all(axis=1))


def _worth(k: int, p: float) -> Array:
    """What an item at each place of two lists of ``k`` adds to their overlap, all depths together; 0 if absent."""
    depth = np.arange(1, k + 1)
    tail = np.cumsum(((1 - p) * p ** (depth - 1.0) / depth)[::-1])[::-1]
    return np.append(tail + p**k / max(k, 1), 0.0)


def _rbo_even(positions: Array, size: Array, p: float) -> Array:
    """Lists of one length without ties: an item adds what all depths from its later place on are worth.

    Over the items of the first list of each pair, in its order: what is absent from it adds nothing.
    """
    judges = positions.shape[1]
    out = square(positions)
    for k in np.unique(size).tolist():
        worth, same = _worth(k, p), np.flatnonzero(size == k)
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
    ext, low, high, at_short, last = (square(positions) for _ in range(5))
    entered = set(np.unique(rank).tolist())
    for d in range(1, int(size.max(initial=0)) + 1):
        if p ** (d - 1) < NOTHING:
            break
        if d == 1 or d in entered:
            inside = ((rank > 0) & (rank <= d)).astype(np.float32)
            overlap = times(inside, inside)
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
