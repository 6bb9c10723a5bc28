"""Frequent patterns of few items: every order of every subset of the items may be one.

Who holds each is a table, made once for all draws of the judges; what a pattern's judges count for is then a product of
matrices, and so is what the patterns in a list weigh.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.pattern_states import Rule
from quorate.kernels.ranks import repeated

Array = NDArray[Any]
ITEMS = 5  # up to which there are few orders: 325 of five items and fewer, 1,956 of six
CELLS = 1 << 20  # of tables at a time, as many as stay in the cache


@lru_cache(maxsize=8)
def _orders(items: int) -> tuple[Array, tuple[tuple[Array, Array], ...]]:
    """The length of every order, and of those of each length, two and more, which shorter order each one goes on from
    and with which pair of items, all numbered."""
    known = [list(itertools.permutations(range(items), length)) for length in range(1, items + 1)]
    steps = []
    for shorter, longer in itertools.pairwise(known):
        number = {order: k for k, order in enumerate(shorter)}
        pairs = np.array([order[-2] * items + order[-1] for order in longer])
        steps.append((np.array([number[order[:-1]] for order in longer]), pairs))
    return np.repeat(np.arange(1, items + 1), [len(orders) for orders in known]), tuple(steps)


def held(rankings: Array) -> Array:
    """Which orders of items rankings ``[..., item]`` hold, ``[..., order]`` as 0 and 1."""
    items = rankings.shape[-1]
    there = rankings > 0
    before = there[..., :, None] & (rankings[..., :, None] < rankings[..., None, :])
    before = before.reshape(*rankings.shape[:-1], items * items)
    found = [there]
    for shorter, pairs in _orders(items)[1]:
        found.append(found[-1].take(shorter, axis=-1) & before.take(pairs, axis=-1))
    return np.concatenate(found, axis=-1, dtype=float)


def weights(positions: Array, counts: Array, need: Array, lists: Array, rule: Rule) -> tuple[Array, Array, Array]:
    """What all frequent patterns weigh ``[draw, task]``, those in each list ``[draw, task, list]``, and their number.

    Of ``positions[task, judge, item]``, ``counts[draw, task, judge]``, ``need[draw, task]`` and
    ``lists[task, list, item]``.
    """
    draws, tasks, judges = counts.shape
    length = _orders(positions.shape[2])[0]
    meant = (length >= rule.min_len) & (length <= (rule.max_len or length[-1:]))
    total, inside, number = (np.zeros((tasks, draws, *more)) for more in ((), lists.shape[1:2], ()))
    same = repeated(positions)
    step = max(1, CELLS // max(len(length) * max(judges * (not same), draws), 1))
    table = held(positions[:1]) if same else None
    for a in range(0, tasks, step):
        some = slice(a, a + step)
        often = counts[:, some].transpose(1, 0, 2).astype(float)
        support = np.matmul(often, held(positions[some]) if table is None else table)
        enough = meant & (support >= need[:, some].T[:, :, None])
        weight = np.where(enough, rule.by_length(length) * rule.by_support(support), 0.0)
        total[some], number[some] = weight.sum(axis=2), enough.sum(axis=2)
        inside[some] = np.matmul(weight, held(lists[some]).transpose(0, 2, 1))
    return total.T, inside.transpose(1, 0, 2), number.T
