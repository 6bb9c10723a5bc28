"""Longest common subsequences of many pairs of sentences at once, along the diagonals of their tables.

With a weight above 1 a run of k matches in a row is worth k ** weight. As in ROUGE-1.5.5, equal tokens are always
matched, and of two ways that are worth the same the one that skips a token of the first sentence is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22  # of the tables held at a time
MATCH, FIRST, SECOND = 1, 2, 3  # where a cell comes from


def on_path(tokens: Array, first: tuple[Array, Array], second: tuple[Array, Array], weight: float = 1.0) -> Array:
    """Which tokens of the first sentences are matched: true or false, sentence after sentence.

    Sentence ``p`` of either side is ``tokens[begin[p]:end[p]]``.
    """
    lengths, others = first[1] - first[0], second[1] - second[0]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    out = np.zeros(int(offsets[-1]), bool)
    for chosen in _alike(lengths, others):
        a = _padded(tokens, first[0][chosen], lengths[chosen], -1)
        b = _padded(tokens, second[0][chosen], others[chosen], -2)
        marks = _traced(_table(a, b, weight), lengths[chosen], others[chosen], a.shape[1])
        place = offsets[chosen][:, None] + np.arange(a.shape[1])
        out[place[marks]] = True
    return out


def powers(most: int, weight: float) -> Array:
    """What runs of 0 to ``most`` matches are worth; one by one, for numpy's powers differ in the last place."""
    return np.array([float(k) ** weight for k in range(most + 1)])


def _alike(lengths: Array, others: Array) -> Iterator[Array]:
    """Pairs of about the same size, as many as fit; pairs with an empty sentence match nothing."""
    there = np.flatnonzero((lengths > 0) & (others > 0))
    there = there[np.lexsort((others[there], lengths[there]))]
    at = 0
    while at < len(there):
        step, width = 1 << 14, (1, 1)
        while True:  # fewer, until their tables fit
            part = there[at : at + step]
            width = int(lengths[part].max()), int(others[part].max())
            if step == 1 or len(part) * (width[0] + 1) * (sum(width) + 1) <= CELLS:
                break
            step //= 2
        yield part
        at += step


def _padded(tokens: Array, begin: Array, lengths: Array, filler: int) -> Array:
    place = np.arange(int(lengths.max()))
    inside = place < lengths[:, None]
    return np.where(inside, tokens[np.where(inside, begin[:, None] + place, 0)], filler)


def _table(a: Array, b: Array, weight: float) -> Array:
    """Where every cell comes from, ``[pair, i + j, i]``, for the first i and j tokens."""
    pairs, m = a.shape
    n = b.shape[1]
    runs = powers(min(m, n) + 1, weight)
    backwards = b[:, ::-1]
    out = np.zeros((pairs, m + n + 1, m + 1), np.uint8)
    worth, run = np.zeros((3, pairs, m + 1)), np.zeros((3, pairs, m + 1), np.int64)  # by i + j modulo 3
    for d in range(2, m + n + 1):
        low, high = max(1, d - n), min(m, d - 1)
        here, before, earlier = d % 3, (d - 1) % 3, (d - 2) % 3
        one, up = slice(low, high + 1), slice(low - 1, high)
        same = a[:, up] == backwards[:, n - d + low : n - d + high + 1]
        length = run[earlier][:, up]
        skip_first, skip_second = worth[before][:, up], worth[before][:, one]
        better = skip_first >= skip_second
        # A run becomes one longer. In this order, as in ROUGE-1.5.5: rounding decides between ways worth the same.
        before_it = worth[earlier][:, up]
        matched = before_it + 1 if weight == 1 else before_it + runs[length + 1] - runs[length]
        # What lies outside the table is 0 and stays so: the arrays of three diagonals before are written over.
        worth[here], run[here] = 0, 0
        worth[here][:, one] = np.where(same, matched, np.where(better, skip_first, skip_second))
        run[here][:, one] = np.where(same, length + 1, 0)
        out[:, d, one] = np.where(same, MATCH, np.where(better, FIRST, SECOND))
    return out


def _traced(table: Array, lengths: Array, others: Array, width: int) -> Array:
    i, j = lengths.copy(), others.copy()
    pairs = np.arange(len(i))
    out = np.zeros((len(i), width), bool)
    while len(pairs):
        came = table[pairs, i[pairs] + j[pairs], i[pairs]]
        hit = pairs[came == MATCH]
        out[hit, i[hit] - 1] = True
        i[pairs] -= came != SECOND
        j[pairs] -= came != FIRST
        pairs = pairs[(i[pairs] > 0) & (j[pairs] > 0)]
    return out
