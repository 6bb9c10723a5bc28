"""Letters, ranks and clusters of a leaderboard: which systems can be told apart, from the p-values of every two."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def letters(differ: Array, order: Sequence[int]) -> tuple[str, ...]:
    """A compact letter display: two systems share a letter exactly when they do not differ; best systems first.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool), [0, 1, 2])
    ('a', 'ab', 'b')
    """
    groups = _needed(_cover(differ, order))
    out = [""] * len(order)
    for number, group in enumerate(groups):
        for system in sorted(group):
            out[system] += _letter(number)
    return tuple(out)


def _cover(differ: Array, order: Sequence[int]) -> list[list[int]]:
    """Groups without a difference that hold every two systems that do not differ, each as large as can be."""
    size = len(order)
    same = ~differ[np.ix_(order, order)]
    np.fill_diagonal(same, True)
    rows = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in same]
    covered = [0] * size
    out = []
    for a in range(size):
        while wanted := (rows[a] & ~covered[a]) >> a:  # those with whom it is in no group yet
            b = a + _lowest(wanted)
            group = 1 << a | 1 << b
            left = rows[a] & rows[b] & ~group
            while left:  # the best systems first
                k = _lowest(left)
                group |= 1 << k
                left &= rows[k] & ~group
            members = [k for k in range(size) if group >> k & 1]
            for k in members:
                covered[k] |= group
            out.append([order[k] for k in members])
    return out


def _lowest(bits: int) -> int:
    """The number of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def _needed(groups: list[list[int]]) -> list[list[int]]:
    """The groups without those whose every pair is together in another one."""
    size = 1 + max((s for g in groups for s in g), default=-1)
    together = np.zeros((size, size), np.int64)
    for g in groups:
        together[np.ix_(g, g)] += 1
    out = []
    for g in reversed(groups):  # groups found later are those that only few systems need
        if (together[np.ix_(g, g)] > 1).all():
            together[np.ix_(g, g)] -= 1
        else:
            out.append(g)
    return out[::-1]


def _letter(number: int) -> str:
    """a to z, A to Z, then a2, b2, ..."""
    again, place = divmod(number, 52)
    return string.ascii_letters[place] + (str(again + 1) if again else "")


def rank_ranges(p: Array, order: Sequence[int], level: float = 0.05) -> list[tuple[int, int]]:
    """The first and the last rank that each system may have, by what differs: together they hold as the tests do.

    >>> rank_ranges(np.array([[1, 0.5, 0.01], [0.5, 1, 0.5], [0.01, 0.5, 1]]), [0, 1, 2])
    [(1, 2), (1, 3), (2, 3)]
    """
    out = [(0, 0)] * len(order)
    for k, system in enumerate(order):
        differs = p[system, list(order)] < level
        out[system] = (1 + int(differs[:k].sum()), len(order) - int(differs[k + 1 :].sum()))
    return out


def clusters(p: Array, order: list[int], level: float = 0.05) -> list[int]:
    """Significance clusters, numbered from 1: a new one begins where all above differ from all below.

    >>> p = np.array([[1, 0.5, 0.01], [0.5, 1, 0.01], [0.01, 0.01, 1]])
    >>> clusters(p, [0, 1, 2])
    [1, 1, 2]
    """
    same = ~(p[np.ix_(order, order)] < level)
    np.fill_diagonal(same, True)
    reach = np.maximum.accumulate(len(order) - 1 - np.argmax(same[:, ::-1], axis=1))  # the last one not told apart
    begins = np.append(True, reach[:-1] < np.arange(1, len(order)))
    out = np.empty(len(order), np.int64)
    out[order] = np.cumsum(begins)
    return out.tolist()
