"""Orders that disagree least with the judges, on arrays: exactly by subsets for a few items, by local search for more.

``before[i, j]`` is the weight of the judges who put i before j, in whole numbers. The cost of an order is the weight of
the judges that each of its pairs contradicts. Panels drawn from one task are solved together, ``before[panel, i, j]``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
FEW = 13  # items that are solved by subsets, 2 ** FEW of them
SMALL = 8  # items of a block that are solved by subsets in panels drawn
ALONE = 3  # panels drawn, up to which each is solved for itself
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


def _after_sets(before: Array) -> Array:
    """What it costs to put an item after a whole set, ``[panel, item, set]``."""
    out = np.zeros((*before.shape[:2], 1))
    for j in range(before.shape[1]):
        out = np.concatenate([out, out + before[:, :, j : j + 1]], axis=2)
    return out


def _cheapest(put_after: Array) -> Array:
    """The cheapest order of every set, ``[panel, set]``, when putting i after it costs ``put_after[panel, i, set]``."""
    panels, items, sets = put_after.shape
    least = np.zeros((panels, sets))
    for held, member, without in _layers(items):
        least[:, held] = (least[:, without] + put_after[:, member, without]).min(axis=2)
    return least


def best_orders(before: Array) -> Array:
    """An order of least cost for each of many panels of a few items, ``[panel, place]``.

    Every first part of an order is a set; the cheapest way to order it is the cheapest over its last item.
    """
    after = _after_sets(before)
    return _built(_cheapest(after), after)


def _built(least: Array, after: Array) -> Array:
    """The orders behind the least costs of sets, from the last item to the first; of equals the one named last."""
    panels, items, sets = after.shape
    order = np.empty((panels, items), np.int64)
    panel, item, left = np.arange(panels)[:, None], np.arange(items), np.full(panels, sets - 1)
    for place in range(items - 1, -1, -1):
        without = left[:, None] ^ (1 << item)
        inside = (left[:, None] >> item) & 1 == 1
        price = np.where(inside, least[panel, without] + after[panel, item, without], np.inf)
        last = items - 1 - price[:, ::-1].argmin(axis=1)
        order[:, place], left = last, left ^ (1 << last)
    return order


def by_subsets(before: Array) -> tuple[float, Array, Array]:
    """The least cost, one order that has it, and ``some[i, j]``: whether i is before j in some order that has it."""
    after = _after_sets(before[None])
    first = _cheapest(after)  # of the set as the first part of an order
    return float(first[0, -1]), _built(first, after)[0], _before_in_some(before, first[0], after[0])


def before_in_some(before: Array) -> Array:
    """The last of the three alone."""
    after = _after_sets(before[None])
    return _before_in_some(before, _cheapest(after)[0], after[0])


def _before_in_some(before: Array, first: Array, after: Array) -> Array:
    items = len(before)
    rest = _cheapest(_after_sets(before.T[None]))[0]  # of the set as the last part of an order
    # Sets that are the first part of some best order: they, the rest, and the pairs between the two cost the least.
    between = (after * _outside(items)).sum(axis=0)  # a set before all items outside it
    passed = np.flatnonzero(first + rest[::-1] + between <= first[-1] + 1e-6)
    member = (passed[:, None] >> np.arange(items)) & 1
    return np.asarray((member.T.astype(np.float32) @ (1 - member).astype(np.float32)) > 0.5)


@cache
def _outside(items: int) -> Array:
    """Whether an item is outside of a set, ``[item, set]``."""
    return np.asarray(((np.arange(1 << items) >> np.arange(items)[:, None]) & 1) == 0)


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
    return np.asarray(tied_places(margin[None], order[None])[0])


def tied_places(margin: Array, order: Array) -> Array:
    """The same of the orders of many panels, ``[panel, item]``."""
    panels, items = order.shape
    panel, place = np.arange(panels)[:, None, None], np.arange(items)
    apart = np.abs(margin[panel, order[:, :, None], order[:, None, :]]) > 1e-9
    last = np.where(apart & (place[:, None] > place), place, -1).max(axis=2)  # before it that cannot share its place
    begin, seats = np.zeros(panels, np.int64), np.ones((panels, items), np.int64)
    for k in range(1, items):
        moves = last[:, k] >= begin
        begin[moves] = k
        seats[:, k] = seats[:, k - 1] + moves
    out = np.empty((panels, items), np.int64)
    np.put_along_axis(out, order, seats, axis=1)
    return out


def number_of_best(before: Array) -> int:
    """How many orders have the least cost, by subsets."""
    items = len(before)
    after = _after_sets(before[None])
    least = _cheapest(after)[0]
    ways = np.zeros(1 << items)
    ways[0] = 1
    for held, member, without in _layers(items):
        best = np.abs(least[without] + after[0][member, without] - least[held][:, None]) < 1e-6
        ways[held] = (ways[without] * best).sum(axis=1)
    return int(ways[-1])  # 13! is far below what a double holds


# -- panels drawn from one task ----------------------------------------------------------------------------------------


def drawn_places(before: Array) -> Array:
    """Dense positions for each of many panels, ``[panel, item]``: exact in small blocks, local search in larger ones.

    A block beats all later ones outright (:func:`~quorate.kernels.majority.blocks_in_line`); most are single items.
    """
    margin = before - before.transpose(0, 2, 1)
    net = np.sign(margin).sum(axis=2)
    order = np.argsort(-net, axis=1, kind="stable")
    items = order.shape[1]
    inside = np.arange(1, items + 1)
    ends = np.cumsum(np.take_along_axis(net, order, axis=1), axis=1) == inside * (items - inside)
    panel, end = np.nonzero(ends)
    start = np.where(np.diff(panel, prepend=-1) > 0, 0, np.roll(end, 1) + 1)
    size = end - start + 1
    large = np.unique(panel[size > SMALL])
    if len(large):
        order[large] = descend_together(-margin[large], order[large])
    for s in np.unique(size[(size > 1) & (size <= SMALL)]).tolist():
        at, places = panel[size == s][:, None], start[size == s][:, None] + np.arange(s)
        block = np.sort(order[at, places], axis=1)
        best = best_orders(before[at[:, :, None], block[:, :, None], block[:, None, :]])
        order[at, places] = np.take_along_axis(block, best, axis=1)
    return tied_places(margin, order)


def descend_together(margin: Array, order: Array) -> Array:
    """Every item of every panel in turn takes its best place, until no move helps; ``margin`` as in :func:`descend`."""
    order, items = order.copy(), order.shape[1]
    place, left = np.arange(items), np.arange(len(order))
    while len(left):
        if len(left) <= ALONE:
            for k in left.tolist():
                _one_by_one(margin[k], order[k])
            return order
        helped = np.zeros(len(left), bool)
        now, cost = order[left], margin[left]
        for item in range(items):
            own = (now == item).argmax(axis=1)[:, None]
            upto = np.cumsum(np.take_along_axis(cost[:, item], now, axis=1), axis=1)
            passed = np.where(place >= own, upto, np.concatenate([np.zeros((len(now), 1)), upto[:, :-1]], axis=1))
            to = passed.argmax(axis=1)[:, None]
            rows = np.flatnonzero(passed[np.arange(len(now)), to[:, 0]] > np.take_along_axis(upto, own, 1)[:, 0] + 1e-9)
            if len(rows):
                a, b = own[rows], to[rows]
                source = place + ((place >= a) & (place < b)) - ((place <= a) & (place > b))
                np.put_along_axis(source, b, a, axis=1)
                now[rows] = np.take_along_axis(now[rows], source, axis=1)
                helped[rows] = True
        order[left], left = now, left[helped]
    return order


def _one_by_one(margin: Array, order: Array) -> None:
    """The same of one panel, whose order is changed in place."""
    helped, place = True, np.argsort(order)
    while helped:
        helped = False
        for item in range(len(order)):
            own = int(place[item])
            upto = margin[item].take(order).cumsum()
            stays = upto[own] + 1e-9
            upto[1:own], upto[: min(own, 1)] = upto[: max(own - 1, 0)].copy(), 0.0  # to a place before its own
            to = int(upto.argmax())
            if upto[to] > stays:
                low, high = min(own, to), max(own, to)
                order[low : high + 1] = np.roll(order[low : high + 1], -1 if to > own else 1)
                place[order[low : high + 1]] = np.arange(low, high + 1)
                helped = True
