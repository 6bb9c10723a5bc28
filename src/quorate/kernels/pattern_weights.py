"""What the frequent patterns of judges weigh, all of them and those in a list, without listing one: rule and choice.

There are two ways to count, and both are exact where they say no error. Patterns of short lists are few, and are grown
item by item; so are those of many judges, of which some are drawn where they are too many to count
(:mod:`~quorate.kernels.pattern_states`). Longer lists of few judges may have more patterns than a double can number,
but few sets of judges can share them (:mod:`~quorate.kernels.pattern_chains`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import pattern_chains, pattern_states
from quorate.kernels.ranks import repeated

Array = NDArray[Any]
SHORT = 10  # items up to which growing patterns is quicker than counting chains,
MORE = 2  # and how many more they may be than judges: sets of few judges are few
LISTS = 64  # that are looked for in the same patterns at a time


@dataclass(frozen=True, slots=True)
class Rule:
    """What a pattern weighs: (1 + w_len (length - 1)) (1 + w_sup (support - 1)), of the lengths that count.

    These are from ``min_len`` to ``max_len`` (None: any).

    >>> Rule().by_length(3) * Rule().by_support(4)
    12.0
    """

    min_len: int = 2
    max_len: int | None = None
    w_len: float = 1.0
    w_sup: float = 1.0

    def by_length(self, length: Any) -> Any:
        """The part of the weight that the length gives."""
        return 1 + self.w_len * (length - 1)

    def by_support(self, support: Any) -> Any:
        """The part of the weight that the support gives."""
        return 1 + self.w_sup * (support - 1)


@dataclass(frozen=True, eq=False)
class Weights:
    """What the patterns weigh in every row, a task or a panel drawn from one, and the part that each list contains."""

    total: Array  # [row]
    inside: Array  # [row, list]
    patterns: Array  # [row] how many there are; not to be used if it was not asked for
    error: Array  # [row, list] standard error of inside / total; 0 where it is exact


def weights(
    positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool = False, seed: int = 0
) -> Weights:
    """Weights for ``positions[task, judge, item]``, ``lists[task, list, item]``; ``brief``: without their number.

    ``counts[task, judge]`` say how often each judge counts, and ``need[task]`` how many make a pattern frequent. Of one
    task there may be many rows of them: panels drawn from it.
    """
    if period := _period(positions, counts):
        return _of_copies(period, positions, counts, need, lists, rule, brief, seed)
    kept, drawn = supported(positions, counts, need, least=1), len(positions) < len(counts)
    positions, lists = only(positions, kept), only(lists, kept)
    with np.errstate(over="ignore", invalid="ignore"):  # more patterns than a double can count: not finite
        if _short(positions, counts):
            return Weights(*pattern_states.weights(positions, counts, need, lists, rule, seed=seed, brief=drawn))
        total, inside, number, counted = pattern_chains.weights(positions, counts, need, lists, rule, brief)
        out = Weights(total, inside, number, np.zeros(inside.shape))
        left = np.flatnonzero(~counted)
        if len(left):
            seats, listed = (x if drawn else x[left] for x in (positions, lists))
            found = pattern_states.weights(seats, counts[left], need[left], listed, rule, seed=seed, brief=drawn)
            out.total[left], out.inside[left], out.patterns[left], out.error[left] = found
    return out


def _short(positions: Array, counts: Array) -> bool:
    """Whether growing patterns is quicker than counting chains, once for all tasks whose judges count as often."""
    judges, items = positions.shape[1:]
    alike = len(positions) == 1 or bool((counts == counts[:1]).all())
    return bool(items <= (min(judges + MORE, SHORT) if alike else SHORT))


def _period(positions: Array, counts: Array) -> int:
    """After how many tasks the same judgments come again, over and over, as of tasks that were copied; 0 if never."""
    if len(positions) < len(counts):
        return 0
    again = (positions[1:] == positions[:1]).all(axis=(1, 2)) & (counts[1:] == counts[:1]).all(axis=1)
    for k in (np.flatnonzero(again) + 1).tolist():
        if len(positions) % k == 0 and all((x[k:] == x[:-k]).all() for x in (positions, counts)):
            return int(k)
    return 0


def _of_copies(
    period: int, positions: Array, counts: Array, need: Array, lists: Array, rule: Rule, brief: bool, seed: int
) -> Weights:
    """The weights of copies of tasks with other lists: the judges' patterns are counted once for many lists."""
    shape = lists.shape[:2]
    out = Weights(np.zeros(shape[:1]), np.zeros(shape), np.zeros(shape[:1]), np.zeros(shape))
    step, copies = max(1, LISTS // max(shape[1], 1)), np.arange(shape[0]).reshape(-1, period).T  # [task, copy]
    for a in range(0, copies.shape[1], step):
        rows = copies[:, a : a + step]
        one, joined = rows[:, 0], lists[rows].reshape(len(rows), -1, lists.shape[2])
        found = weights(positions[one], counts[one], need[one], joined, rule, brief, seed)
        out.total[rows], out.patterns[rows] = found.total[:, None], found.patterns[:, None]
        out.inside[rows], out.error[rows] = (x.reshape(*rows.shape, -1) for x in (found.inside, found.error))
    return out


# -- items that can be part of a pattern -------------------------------------------------------------------------------
# None that enough judges share has an item that too few hold: lists of the first twenty of thousands of documents have
# a hundred items between them, and a handful that most hold.


def supported(positions: Array, counts: Array, need: Array, least: int = 0) -> Array | None:
    """The numbers of the items that enough judges hold, ``[task, kept]``; None where all items are kept.

    Of panels drawn from one task, enough in one of them. Every task keeps as many as the task that is richest in them
    (at least ``least``), its own first, in their order.
    """
    if len(positions) == 1 or repeated(positions):
        held = counts @ (positions[0] > 0)
    else:
        held = np.einsum("tji,tj->ti", positions > 0, counts)
    lacking = held < need[:, None]
    if len(positions) == 1:
        lacking = lacking.all(axis=0, keepdims=True)
    items = positions.shape[2]
    kept = min(max(int(items - lacking.sum(axis=1).min(initial=items)), least), items)
    return None if kept == items else np.argsort(lacking, axis=1, kind="stable")[:, :kept]


def only(rankings: Array, kept: Array | None) -> Array:
    """Rankings ``[task, ranking, item]`` of the items kept; all of them for None."""
    return rankings if kept is None else np.take_along_axis(rankings, kept[:, None, :], axis=2)
