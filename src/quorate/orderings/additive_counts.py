"""What the rankings of groups of judges add up to: whole numbers, in sections, of which a method names those it needs.

===========  =========  ================================================================================================
section      numbers    what
===========  =========  ================================================================================================
``judges``   1          judges
``held``     n          judges who have each item
``before``   n x n      judges who put i before j
``lengths``  n x n      twice the sum of an item's ranks in lists of each length
``shares``   n x n + n  judges who put i before j, and who have i, each by one over the pairs and items of the list
``signs``    n x n + 1  signs of pairs, each judge's by one over the root of the pairs not tied; judges who have any
``ranks``    n + 1      ranks about their mean, each judge's by one over the root of their squares; judges who have any
``squares``  1          twelve times the squares of ranks about their mean
===========  =========  ================================================================================================

All are whole numbers (what is not is cut to 2^-36), so that judges may be added up in whatever blocks, and these in
whatever order, to the same sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels import ranks
from quorate.kernels.defined import quotient
from quorate.kernels.precedence import precedence, tasks_last
from quorate.kernels.ranks import fill_below
from quorate.panel.sections import UNIT, Sections, blocks, members

Array = NDArray[Any]


class Counts(Sections):
    """The sections of rankings."""

    sizes = {  # noqa: RUF012
        "judges": lambda n: 1,
        "held": lambda n: n,
        "before": lambda n: n * n,
        "lengths": lambda n: n * n,
        "shares": lambda n: n * n + n,
        "signs": lambda n: n * n + 1,
        "ranks": lambda n: n + 1,
        "squares": lambda n: 1,
    }
    always = ("judges", "held", "before")
    cut = ("shares", "signs", "ranks")

    def largest(self) -> int:
        """What a judge adds to a number at the most, of those that are not cut."""
        return 2 * self.items if "lengths" in self.names else self.items**3 if "squares" in self.names else 1

    @property
    def steps(self) -> int:
        """How many random numbers :meth:`spread` needs."""
        return math.comb(self.items, 2)

    def spread(self, seen: Array, every: Array, between: Array) -> Array:
        """What all judges would add up to, by chance, from what some of them do whose rankings were permuted.

        Counts of independent judges lie about what is expected, at a distance that grows with the root of their number;
        ``between`` the steps that counts of fewer make, any whole number is as likely. Of complete rankings every pair
        of items has the same share of ties expected, that of all judges' rankings as they are.
        """
        some, judges = float(seen[0]), float(every[0])
        first, second = np.triu_indices(self.items, 1)
        before, all_before = (self.square(of, "before") for of in (seen, every))
        root, out = math.sqrt(judges / some), every.copy()
        untied = (before[first, second] + before[second, first]).astype(float)
        strict = bool((untied == some).all())
        mean = judges if strict else all_before.sum() / max(len(first), 1)
        both = np.full(len(first), judges) if strict else np.rint(mean + root * (untied - untied.mean()))
        away = (before[first, second] - before[second, first]) / 2 + between - 0.5
        square = self.square(out, "before")
        square[first, second] = np.clip(np.rint(both / 2 + root * away), 0, both)
        square[second, first] = both - square[first, second]
        for name in ("signs", "ranks"):  # as likely above nothing as below; the last number counts judges
            if name in self.names:
                self.of(out, name)[:-1] = root * self.of(seen, name)[:-1]
        return out


def sums(
    positions: Array,
    group: Array,
    groups: int,
    names: Sequence[str] = (),
    out: Array | None = None,
    *,
    missing: str = "unknown",
) -> Array:
    """What the judges of every group add up to, ``[group, number]``; added to ``out``, where others' are there.

    Of ``positions[judge, item]`` and ``group[judge]``; with ``missing=below`` absent items are tied below the others.
    """
    if missing == "below":
        positions = fill_below(positions[None])[0]
    where = Counts(positions.shape[1], tuple(names))
    out = where.none(groups, len(positions)) if out is None else out
    last = tasks_last(positions[None])
    for g, own in members(group, groups):
        out[g, 0] += len(own)
        where.of(out, "held")[g] += (positions[own] > 0).sum(axis=0)
        before = precedence(last[own], np.ones((len(own), 1), np.int64))
        where.of(out, "before")[g] += before[:, :, 0].ravel()
        for name in where.names:
            where.of(out, name)[g] += ADDED[name](positions[own]).astype(out.dtype, copy=False)
    return out


def _lengths(positions: Array) -> Array:
    items = positions.shape[1]
    twice, table = 2 * ranks.mid_ranks(positions[None])[0], np.zeros((items + 1, items), np.int64)
    np.add.at(table, (positions > 0).sum(axis=1), np.rint(twice).astype(np.int64))
    return table[1:].ravel()


def _shares(positions: Array) -> Array:
    held = positions > 0
    size = held.sum(axis=1)
    of_pairs, of_items = (np.rint(quotient(UNIT, own, otherwise=0.0)) for own in (size * (size - 1) / 2, size))
    pairs = np.zeros(positions.shape[1] ** 2, np.int64)
    for part in blocks(*positions.shape):
        first, second = positions[part, :, None], positions[part, None, :]
        earlier = ((first > 0) & (first < second)).reshape(len(first), -1)
        pairs += np.rint(of_pairs[part] @ earlier.astype(float)).astype(np.int64)
    return np.concatenate([pairs, np.rint(of_items @ held.astype(float)).astype(np.int64)])


def _signs(positions: Array) -> Array:
    tied = ranks.group_sizes(positions[None])[0].astype(np.int64)
    items = positions.shape[1]
    untied = math.comb(items, 2) - (tied * (tied - 1) // 2).sum(axis=1)
    weight, pairs = np.rint(quotient(UNIT, np.sqrt(untied), otherwise=0.0)), np.zeros(items**2, np.int64)
    for part in blocks(*positions.shape):
        sign = np.sign(positions[part, None, :].astype(np.int16) - positions[part, :, None])
        pairs += np.rint(weight[part] @ sign.reshape(len(sign), -1).astype(float)).astype(np.int64)
    return np.append(pairs, np.count_nonzero(untied))


def _ranks(positions: Array) -> Array:
    away, own = _away(positions)
    scaled = np.rint(quotient(UNIT, np.sqrt(own), otherwise=0.0)[:, None] * away)
    return np.append(scaled.astype(np.int64).sum(axis=0), np.count_nonzero(own))


def _squares(positions: Array) -> Array:
    return np.asarray(np.rint(12 * _away(positions)[1]).sum(keepdims=True))


def _away(positions: Array) -> tuple[Array, Array]:
    """Ranks about their mean, and the sum of their squares, ``[judge]``: of complete rankings."""
    away = ranks.mid_ranks(positions[None])[0] - (positions.shape[1] + 1) / 2
    return away, np.einsum("ji,ji->j", away, away)


ADDED = {"lengths": _lengths, "shares": _shares, "signs": _signs, "ranks": _ranks, "squares": _squares}
