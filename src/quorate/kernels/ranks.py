"""Ranks: positions with ties shared out, and scores that stress the top.

Works on complete rankings ``positions[task, judge, item]``; ``fill_below`` makes incomplete ones complete. Rank sums
are of incomplete ones too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.defined import quotient

Array = NDArray[Any]
BLOCK = 1 << 13  # numbers put in order together: they stay near the processor
PAIRED = 12  # items up to which ranks are told by comparing every two


def repeated(rankings: Array) -> bool:
    """Whether all rows are one task, as where draws of its judges differ in what each counts."""
    return len(rankings) > 1 and rankings.strides[0] == 0


def once(rankings: Array) -> Array:
    """The one task that all rows are; else all."""
    return rankings[:1] if repeated(rankings) else rankings


def complete(positions: Array) -> Array:
    """Which tasks are ranked in full by every judge, ``[task]``."""
    return np.asarray((positions > 0).all(axis=(1, 2)))


def strict(positions: Array) -> bool:
    """Whether every ranking is complete and without ties."""
    items = positions.shape[2]
    return bool((positions > 0).all() and (positions.max(axis=2, initial=0) == items).all())


def dense(positions: Array) -> Array:
    """Positions numbered 1, 2, 3, ... without gaps, ties kept."""
    short = positions.dtype.itemsize < 4  # equal ones get one number, in whatever order they come
    order = np.argsort(positions, axis=2, kind="stable" if short else None)
    ranked = np.take_along_axis(positions, order, axis=2)
    step = np.ones(positions.shape, np.int64)
    step[:, :, 1:] = ranked[:, :, 1:] != ranked[:, :, :-1]
    out = np.empty(positions.shape, np.int64)
    np.put_along_axis(out, order, step.cumsum(axis=2), axis=2)
    return out


def fill_below(positions: Array) -> Array:
    """Absent items tied in one place below all that the judge ranked."""
    if len(positions) > 1 and positions.strides[0] == 0:  # draws of one task hold the same rankings
        return np.broadcast_to(fill_below(positions[:1]), positions.shape)
    last = positions.max(axis=2, keepdims=True, initial=0) + 1
    return np.where(positions > 0, positions, last)


def group_sizes(positions: Array) -> Array:
    """How many items stand at each position: ``[task, judge, position]``, position 0 counting the absent."""
    tasks, judges, items = positions.shape
    row = np.arange(tasks * judges)[:, None] * (items + 1)
    flat = (row + positions.reshape(tasks * judges, items)).ravel()
    return np.bincount(flat, minlength=tasks * judges * (items + 1)).reshape(tasks, judges, items + 1)


def mid_ranks(positions: Array) -> Array:
    """Ranks in which tied items share the mean of their places; absent items get 0."""
    size = group_sizes(positions)
    if not size[..., 0].any() and size.max(initial=0) == 1:  # complete and without ties
        return positions.astype(float)
    size[..., 0] = 0
    upto = size.cumsum(axis=2)
    return at(np.where(size > 0, upto - (size - 1) / 2, 0.0), positions)


def at(values: Array, number: Array) -> Array:
    """Of every row along the last axis the values of these numbers; quicker than numpy's ``take_along_axis``."""
    return np.asarray(values.take(flat(number, values.shape[-1])))


def flat(number: Array, width: int) -> Array:
    """Where the numbers in rows of so many are in all the rows side by side."""
    begin = np.arange(0, width * math.prod(number.shape[:-1]), width)
    return np.asarray(number + begin.reshape(*number.shape[:-1], 1))


def worth_of_places(gaps: Array) -> tuple[Array, Array]:
    """What the places of every row are worth, ranks less their mean: gaps have the last ones, and 0; and how many a row
    has that are none, ``[row, 1]``."""
    items = gaps.shape[-1]
    size = items - np.add.reduce(gaps.view(np.int8), axis=-1, dtype=np.int64, keepdims=True)
    worth = np.arange(1.0, items + 1) - (size + 1) / 2
    return np.where(worth < size / 2, worth, 0.0), size


def centred_ranks(values: Array, gaps: Array, worth: Array) -> Array:
    """Ranks of every row's values less their mean, the smallest first: those that are equal to nine digits share the
    mean of their places, which are :func:`worth_of_places`. Gaps are no values, and 0.

    >>> gaps = np.array([[False, False, False, True]])
    >>> centred_ranks(np.array([[0.3, 0.1, 0.3, 9.0]]), gaps, worth_of_places(gaps)[0]).tolist()
    [[0.5, -1.0, 0.5, 0.0]]
    """
    number = _whole(values, gaps)
    if values.shape[-1] > PAIRED:
        return _ranks_in_order(number, worth)
    return np.where(gaps, 0.0, _ranks_by_pairs(number) + (worth[:, :1] - 1))


def _whole(values: Array, gaps: Array) -> Array:
    """Values to nine digits as whole numbers, in rows where gaps come last, each for itself."""
    number, far = np.rint(values * 1e9), 2.0 ** (61 - values.size.bit_length())
    if np.fmax.reduce(np.abs(number), axis=None) >= far:
        number = np.unique(number, return_inverse=True)[1].reshape(number.shape)
    return np.where(gaps, far + np.arange(values.shape[-1]), number) if gaps.any() else number


def _in_order(number: Array) -> tuple[Array, Array]:
    """Where whole numbers stand that are put in order row by row, and the numbers in order: they are sorted with where
    they stand behind their bits, which is quicker."""
    bits = number.size.bit_length()
    key = number.astype(np.int64) << bits
    key |= np.arange(number.size).reshape(number.shape)
    key.sort(axis=-1)
    order = key & ((1 << bits) - 1)
    key >>= bits
    return order, key


def _ranks_in_order(number: Array, worth: Array) -> Array:
    """What the places of whole numbers in their order are worth, ``worth[row, place]``."""
    order, ranked = _in_order(number)
    again = np.flatnonzero(ranked[:, 1:] == ranked[:, :-1])
    if len(again):
        worth = worth.copy()
        _share(worth.reshape(-1), again + again // (number.shape[1] - 1))
    out = np.empty(number.size)
    out[order] = worth
    return out.reshape(number.shape)


def _share(worth: Array, again: Array) -> None:
    """Gives the places of what is equal their mean, where each of the places ``again`` holds what the next one does."""
    apart = again[1:] - again[:-1] > 1
    if apart.all():  # two by two
        worth[again] = worth[again + 1] = (worth[again] + worth[again + 1]) / 2
        return
    first, last = again[np.append(True, apart)], again[np.append(apart, True)] + 1
    size = last - first + 1
    place = np.arange(int(size.sum())) + np.repeat(first - np.cumsum(size) + size, size)
    worth[place] = np.repeat((worth[first] + worth[last]) / 2, size)


def _ranks_by_pairs(values: Array) -> Array:
    """Ranks of few items: every two are compared in all rows at once, which is quicker than to sort each row."""
    items = values.shape[-1]
    column = np.ascontiguousarray(values.T)
    twice = np.full(column.shape, items + 1, np.int8)  # the mean rank, and 1 more or less for every other item
    for i in range(items - 1):
        later, own = column[i + 1 :], column[i]
        above = (later > own).view(np.int8) - (later < own).view(np.int8)
        twice[i + 1 :] += above
        twice[i] -= above.sum(axis=0, dtype=np.int8)
    return np.asarray(twice.T * 0.5)


def top_ranks(positions: Array) -> Array:
    """Ranks in which tied items all get the best of their places (1, 1, 3); absent items get 0."""
    size = group_sizes(positions)
    size[..., 0] = 0
    rank = np.where(size > 0, size.cumsum(axis=2) - size + 1, 0)
    return np.take_along_axis(rank, positions.astype(np.int64), axis=2)


def by_rank(positions: Array, score: Array) -> Array:
    """Scores by place (``score[0]`` for the first), tied items sharing the mean of theirs; for complete rankings."""
    size = group_sizes(positions)[..., 1:]
    upto = np.concatenate([[0.0], np.cumsum(score)])
    end = size.cumsum(axis=2)
    mean = (upto[end] - upto[end - size]) / np.maximum(size, 1)
    return np.take_along_axis(mean, positions.astype(np.int64) - 1, axis=2)


def marks(rows: Array) -> Array:
    """A number of every row of whole numbers along the last axis: equal rows share it, others hardly ever (2^-60)."""
    salt = np.arange(1, rows.shape[-1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64: far from a straight line
        salt = (salt ^ (salt >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray((rows * (salt ^ (salt >> np.uint64(31))).view(np.int64)).sum(axis=-1))


def savage(items: int) -> Array:
    """Savage scores: the place i is worth 1/i + 1/(i+1) + ... + 1/n."""
    return np.cumsum(1.0 / np.arange(items, 0, -1))[::-1].copy()


# -- the order of the items by their rank sums: of many panels, and without each judge ---------------------------------
# Ranks of a shorter list are spread over the whole; judges who lack an item count with the mean of those who have it.


def rank_orders(positions: Array, counts: Array) -> Array:
    """The order by rank sums of each of many panels, ``counts[panel, task, judge]``, as dense positions ``[panel, task,
    item]``; 0 for an item that nobody has."""
    spread, held = _spread(positions, np.ones(positions.shape[:2]))
    panels = counts.transpose(1, 0, 2).astype(float)
    return _by_mean(np.matmul(panels, spread), np.matmul(panels, held)).transpose(1, 0, 2)


def rank_order_without(positions: Array, counts: Array, one: bool = False) -> Array:
    """The order by the rank sums of the others, ``[task, judge, item]``: without a row's judges, or ``one`` of them."""
    spread, held = _spread(positions, counts)
    own = _spread(positions, np.minimum(counts, 1)) if one else (spread, held)
    return _by_mean(*(x.sum(axis=1)[:, None] - less for x, less in zip((spread, held), own, strict=True)))


def _spread(positions: Array, counts: Array) -> tuple[Array, Array]:
    """Each judge's share of the rank sums and of the number of judges who hold an item."""
    held = positions > 0
    items = held.any(axis=1).sum(axis=1)  # that somebody ranks
    return spread_ranks(positions, items[:, None, None]) * counts[:, :, None], held * counts[:, :, None]


def ranks_of(positions: Array) -> Array:
    """Each judge's ranks, those of a shorter list spread over all items; NaN where an item is absent."""
    return np.where(positions > 0, spread_ranks(positions), np.nan)


def spread_ranks(positions: Array, items: Array | None = None) -> Array:
    """The same with 0 where an item is absent; over so many items, where some are nobody's."""
    size = (positions > 0).sum(axis=2, keepdims=True)
    return np.asarray(mid_ranks(positions) * (((positions.shape[2] if items is None else items) + 1) / (size + 1)))


def _by_mean(sums: Array, number: Array) -> Array:
    """Dense positions by means to nine digits, because spread ranks that are equal on paper differ in their last."""
    items = sums.shape[-1]
    means, gaps = quotient(sums, number, otherwise=0.0).reshape(-1, items), (number <= 0).reshape(-1, items)
    out, rows = np.empty(means.size, np.int64), max(1, BLOCK // max(items, 1))
    step = np.ones((rows, items), np.int64)
    for a in range(0, len(means), rows):
        some = slice(a, a + rows)
        order, ranked = _in_order(_whole(means[some], gaps[some]))
        own = step[: len(order)]
        np.not_equal(ranked[:, 1:], ranked[:, :-1], out=own[:, 1:])
        out[a * items + order] = own.cumsum(axis=1)
    return np.where(gaps, 0, out.reshape(means.shape)).reshape(sums.shape)
