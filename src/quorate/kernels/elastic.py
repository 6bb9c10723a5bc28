"""Orders that share most with rankings, by common patterns: scored many at a time, and searched.

An order shares with a ranking every item, and every pattern of up to so many items that both have in this order;
weights are those of kappa of the two: gamma ^ (half the places between an item's seats), lam ^ (the mean gap between
neighbours).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 21  # order x ranking x item x item at a time
EXACT = 7  # items up to which every order is tried
SAME = 1e-9  # shares that differ by less, relatively, are the same
SWEEPS = 50  # rounds of search, at most
WORK = 3e8  # numbers looked at in a search, at most


@dataclass(frozen=True, eq=False)
class Rankings:
    """Rankings as pairs of items that each has in order, with what such a pair weighs."""

    places: Array  # [ranking, item], 0 is absent
    counts: Array  # [ranking]
    gamma: float
    lam: float
    longest: int

    def pairs(self) -> Array:
        """What neighbours of a pattern weigh by their gap in each ranking, ``[ranking, first, second]``."""
        gap = self.places[:, None, :] - self.places[:, :, None]
        there = (self.places > 0)[:, :, None] & (self.places > 0)[:, None, :]
        return np.where((gap > 0) & there, self.lam ** (np.maximum(gap, 0) / 2), 0.0)

    def shared(self, orders: Array) -> Array:
        """What each of ``orders[order, place]`` (numbers of items) shares with all rankings, weighted."""
        items = orders.shape[1]
        pairs, out = self.pairs(), np.empty(len(orders))
        gap = np.arange(items)[None, :] - np.arange(items)[:, None]
        own = np.where(gap > 0, self.lam ** (np.maximum(gap, 0) / 2), 0.0)
        step = max(1, CELLS // max(len(self.places) * items * items, 1))
        for a in range(0, len(orders), step):
            some = orders[a : a + step]
            weight = pairs[:, some[:, :, None], some[:, None, :]] * own
            ends = np.ones(weight.shape[:3])
            total = self._singles(some)
            for _ in range(1, min(self.longest, items)):
                ends = np.einsum("koab,koa->kob", weight, ends)
                total = total + ends.sum(axis=2)
            out[a : a + step] = self.counts @ total
        return out

    def _singles(self, orders: Array) -> Array:
        """What the items weigh, ``[ranking, order]``."""
        seat = np.take_along_axis(
            np.broadcast_to(self.places[:, None], (len(self.places), *orders.shape)), orders[None], 2
        )
        apart = np.abs(seat - np.arange(1, orders.shape[1] + 1)) / 2
        return np.asarray(((seat > 0) * self.gamma**apart).sum(axis=2))


@cache
def every_order(items: int) -> Array:
    """All orders of so many items."""
    return np.array(list(itertools.permutations(range(items))), np.int64).reshape(math.factorial(items), items)


def best(rankings: Rankings, start: Array) -> tuple[Array, float, int | None]:
    """Mean places of the items in the best orders found, what these share, and how many there are, where it is known.

    Of few items every order is tried; of more a search moves one item at a time from ``start`` (mean ranks).
    """
    items = len(start)
    if items <= EXACT:
        orders = every_order(items)
        shared = rankings.shared(orders)
        top = float(shared.max(initial=0.0))
        optimal = orders[shared >= top - SAME * max(abs(top), 1.0)]
        return _mean_places(optimal), top, len(optimal)
    order, value = _climb(rankings, np.argsort(start, kind="stable"))
    places = np.empty(items)
    places[order] = np.arange(1, items + 1)
    for a in np.flatnonzero(np.diff(start[order]) == 0).tolist():  # neighbours that start alike and may change places
        swapped = order.copy()
        swapped[[a, a + 1]] = order[[a + 1, a]]
        if abs(float(rankings.shared(swapped[None])[0]) - value) <= SAME * max(abs(value), 1.0):
            places[order[a + 1]] = places[order[a]]
    return places, value, None


def _mean_places(orders: Array) -> Array:
    places = np.argsort(orders, axis=1)
    return np.asarray(places.mean(axis=0) + 1)


def _climb(rankings: Rankings, order: Array) -> tuple[Array, float]:
    """Move one item at a time to where the order shares most, as long as it shares more."""
    value, spent = float(rankings.shared(order[None])[0]), 0.0
    items, each = len(order), rankings.places.size * len(order)
    for _ in range(SWEEPS):
        moves = _moves(items, max(1, int((WORK / SWEEPS) // max(items * each, 1))))
        spent += len(moves) * each
        tried = order[moves]
        shared = rankings.shared(tried)
        at = int(np.argmax(shared))
        if shared[at] <= value + SAME * max(abs(value), 1.0) or spent > WORK:
            break
        order, value = tried[at], float(shared[at])
    return order, value


@cache
def _moves(items: int, reach: int) -> Array:
    """Every way to move one item by at most so many places, as orders of places."""
    out = []
    for a in range(items):
        rest = [k for k in range(items) if k != a]
        for b in range(max(0, a - reach), min(items - 1, a + reach) + 1):
            if b not in (a, a - 1):  # moving an item up by one is moving its neighbour down
                out.append([*rest[:b], a, *rest[b:]])
    return np.array(out or [list(range(items))], np.int64)
