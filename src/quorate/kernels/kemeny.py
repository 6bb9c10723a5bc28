"""Orders that disagree least with the judges, on arrays: by local search, and exactly by subsets for a few items.

``before[i, j]`` is the weight of the judges who put i before j, in whole numbers. The cost of an order is the weight of
the judges that each of its pairs contradicts.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEW = 13  # items that are solved by subsets, 2 ** FEW of them
MANY = 200  # items from which each takes its own best move in turn, which is quicker than the best move of all


def cost(before: Array, order: Array) -> float:
    """Weight of the judges that the order contradicts, pair by pair."""
    seen = before[np.ix_(order, order)]
    return float(np.tril(seen, -1).sum())


def insertions(against: Array) -> Array:
    """What moving the item at place p to place q changes, ``[p, q]``; ``against`` is the margin in the present order.

    ``against[p, r]`` is what p before r costs more than r before p.
    """
    upto = np.concatenate([np.zeros((len(against), 1)), np.cumsum(against, axis=1)], axis=1)
    own = np.arange(len(against))
    down = upto[own, own + 1][:, None] - upto[:, 1:]  # to the right: those passed now come before
    up = upto[own, own][:, None] - upto[:, :-1]
    return np.where(own[None, :] > own[:, None], down, np.where(own[None, :] < own[:, None], up, 0.0))


def move(order: Array, p: int, q: int) -> Array:
    """The order with the item at place p moved to place q."""
    rest = np.delete(order, p)
    return np.insert(rest, q, order[p])


def descend(margin: Array, order: Array) -> Array:
    """Take the best single move until none helps; ``margin[i, j]`` is what i before j costs more than the reverse."""
    order = order.copy()
    if len(order) >= MANY:
        return _in_turn(margin, order)
    while True:
        change = insertions(margin[np.ix_(order, order)])
        best = int(change.argmin())
        if change.flat[best] >= -1e-9:
            return order
        order = move(order, *divmod(best, len(order)))


def _in_turn(margin: Array, order: Array) -> Array:
    helped = True
    while helped:
        helped = False
        for item in order.copy():
            p = int(np.flatnonzero(order == item)[0])
            upto = np.concatenate([[0.0], np.cumsum(margin[item, order])])
            change = np.where(np.arange(len(order)) > p, upto[p + 1] - upto[1:], upto[p] - upto[:-1])
            best = int(change.argmin())
            if change[best] < -1e-9:
                order, helped = move(order, p, best), True
    return order


def search(before: Array, rounds: int = 30, start: Array | None = None) -> Array:
    """A good order: best moves from the order by wins, or one given, then again from shaken copies of the best."""
    margin = before.T - before
    items = len(margin)
    best = descend(margin, np.argsort(margin.sum(axis=1), kind="stable") if start is None else start)
    lowest = cost(before, best)
    rng = np.random.default_rng(items)  # fixed: the same panel gives the same order
    for _ in range(rounds if items > 3 else 0):
        shaken = best.copy()
        width = int(rng.integers(3, max(4, items // 3) + 1))
        at = int(rng.integers(0, items - min(width, items) + 1))
        rng.shuffle(shaken[at : at + width])
        found = descend(margin, shaken)
        price = cost(before, found)
        if price < lowest - 1e-9:
            best, lowest = found, price
    return best


@cache
def _layers(items: int) -> list[tuple[Array, Array, Array]]:
    """For sets of 1, 2, ... items: the sets, and for each the items it holds and the set without each of them."""
    sets = np.arange(1 << items)
    size = np.bitwise_count(sets)
    out = []
    for s in range(1, items + 1):
        held = sets[size == s]
        member = np.nonzero((held[:, None] >> np.arange(items)) & 1)[1].reshape(len(held), s)
        out.append((held, member, held[:, None] ^ (1 << member)))
    return out


def _cheapest(put_after: Array) -> Array:
    """The cheapest order of every set of items, when putting i after a whole set costs ``put_after[i, set]``."""
    items, sets = put_after.shape
    least = np.zeros(sets)
    for held, member, without in _layers(items):
        least[held] = (least[without] + put_after[member, without]).min(axis=1)
    return least


def by_subsets(before: Array) -> tuple[float, Array, Array]:
    """The least cost, one order that has it, and ``some[i, j]``: whether i is before j in some order that has it.

    Every first part of an order is a set; the cheapest way to order it is the cheapest over its last item.
    """
    items = len(before)
    after, ahead = np.zeros((items, 1)), np.zeros((items, 1))  # [i, set]: cost of i after, or before, the whole set
    for j in range(items):
        after = np.concatenate([after, after + before[:, j : j + 1]], axis=1)
        ahead = np.concatenate([ahead, ahead + before[j][:, None]], axis=1)
    first = _cheapest(after)  # of the set, as the first part of an order
    rest = _cheapest(ahead)  # of the set, as the last part, built from the end
    # Sets that are the first part of some best order: they, the rest, and the pairs between the two cost the least.
    full = (1 << items) - 1
    sets = np.arange(1 << items)
    between = _between(after, items)
    least = float(first[full])
    passed = np.flatnonzero(first + rest[full ^ sets] + between <= least + 1e-6)
    member = (passed[:, None] >> np.arange(items)) & 1
    some = (member.T.astype(np.float32) @ (1 - member).astype(np.float32)) > 0.5
    order, left = [], full
    while left:
        without = [(i, left ^ (1 << i)) for i in range(items) if left >> i & 1]
        i, left = min(without, key=lambda w: (first[w[1]] + after[w[0], w[1]], -w[0]))
        order.append(i)
    return least, np.array(order[::-1]), some


def _between(after: Array, items: int) -> Array:
    """What it costs to put a set before all items outside it."""
    sets = np.arange(1 << items)
    outside = ((sets[None, :] >> np.arange(items)[:, None]) & 1) == 0
    return np.asarray(np.where(outside, after, 0.0).sum(axis=0))


def free_moves(margin: Array, order: Array) -> Array:
    """``[i, j]``: pairs that change places in some move of one item that costs nothing."""
    place = np.arange(len(order))
    free = (
        np.abs(insertions(margin[np.ix_(order, order)])) < 1e-9
    )  # an item that stays is free, so that no row is empty
    low, high = free.argmax(axis=1), len(order) - 1 - free[:, ::-1].argmax(axis=1)
    passed = (low[:, None] <= place) & (place <= high[:, None]) & (place[:, None] != place)
    out = np.zeros(margin.shape, bool)
    out[np.ix_(order, order)] = passed | passed.T
    return out


def tied(margin: Array, order: Array) -> Array:
    """Dense positions along an order: neighbours share a place if however they are put in order, it costs the same.

    That is so where no two of them have a majority over each other.
    """
    apart = np.abs(margin[np.ix_(order, order)]) > 1e-9
    out = np.empty(len(order), np.int64)
    begin, place = 0, 1
    for k in range(len(order)):
        if apart[k, begin:k].any():
            begin, place = k, place + 1
        out[order[k]] = place
    return out


def number_of_best(before: Array) -> int:
    """How many orders have the least cost, by subsets."""
    items = len(before)
    after = np.zeros((items, 1))
    for j in range(items):
        after = np.concatenate([after, after + before[:, j : j + 1]], axis=1)
    least = _cheapest(after)
    ways = np.zeros(1 << items)
    ways[0] = 1
    for held, member, without in _layers(items):
        best = np.abs(least[without] + after[member, without] - least[held][:, None]) < 1e-6
        ways[held] = (ways[without] * best).sum(axis=1)
    return int(ways[-1])  # 13! is far below what a double holds
