"""Longest common subsequences of many pairs of sentences at once: by bits, or along the diagonals of their tables.

With a weight above 1 a run of k matches in a row is worth k ** weight. As in ROUGE-1.5.5, equal tokens are always
matched, and of two ways that are worth the same the one that skips a token of the first sentence is taken.

Without a weight, neighbours in a column of the table differ by 0 or 1: a column is a row of bits, and the next one
comes from it by an addition (Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyrö 2004). The way back needs no more:
where two tokens differ, the first one is skipped if the bit is 0 and the second one if it is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CELLS = 1 << 22  # of the tables held at a time
BLOCK = 1 << 18  # of pairs of tokens compared at a time
ONES = np.uint64(2**64 - 1)
SHIFTS = tuple(np.uint64(s) for s in (1, 2, 4, 8, 16, 32))
MATCH, FIRST, SECOND = 1, 2, 3  # where a cell comes from


def on_path(tokens: Array, first: tuple[Array, Array], second: tuple[Array, Array], weight: float = 1.0) -> Array:
    """Which tokens of the first sentences are matched: true or false, sentence after sentence.

    Sentence ``p`` of either side is ``tokens[begin[p]:end[p]]``.
    """
    lengths, others = first[1] - first[0], second[1] - second[0]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    out = np.zeros(int(offsets[-1]), bool)
    for chosen in _alike(lengths, others, _words if weight == 1 else _cells):
        a = _padded(tokens, first[0][chosen], lengths[chosen], -1)
        b = _padded(tokens, second[0][chosen], others[chosen], -2)
        if weight == 1:
            marks = _by_bits(a, b, others[chosen])
        else:
            marks = _traced(_table(a, b, weight), lengths[chosen], others[chosen], a.shape[1])
        place = offsets[chosen][:, None] + np.arange(a.shape[1])
        out[place[marks]] = True
    return out


def powers(most: int, weight: float) -> Array:
    """What runs of 0 to ``most`` matches are worth; one by one, for numpy's powers differ in the last place."""
    return np.array([float(k) ** weight for k in range(most + 1)])


def _cells(length: int, other: int) -> int:
    """Cells of the table of a pair, along its diagonals."""
    return (length + 1) * (length + other + 1)


def _words(length: int, other: int) -> int:
    """Words of bits of a pair, eight bytes each."""
    return 4 * other * (-(-length // 64))


def _alike(lengths: Array, others: Array, size: Callable[[int, int], int]) -> Iterator[Array]:
    """Pairs of about the same size, as many as fit; pairs with an empty sentence match nothing."""
    there = np.flatnonzero((lengths > 0) & (others > 0))
    there = there[np.lexsort((others[there], lengths[there]))]
    at = 0
    while at < len(there):
        step, width = 1 << 14, (1, 1)
        while True:  # fewer, until their tables fit
            part = there[at : at + step]
            width = int(lengths[part].max()), int(others[part].max())
            if step == 1 or len(part) * size(*width) <= CELLS:
                break
            step //= 2
        yield part
        at += step


def _padded(tokens: Array, begin: Array, lengths: Array, filler: int) -> Array:
    place = np.arange(int(lengths.max()))
    inside = place < lengths[:, None]
    return np.where(inside, tokens[np.where(inside, begin[:, None] + place, 0)], filler)


def _by_bits(a: Array, b: Array, others: Array) -> Array:
    """Which tokens of the first sentences are matched, ``[pair, token]``; bit i of a word is the first's token i."""
    same = _same_bits(a, b)
    steps = _steps(same)
    steps[:, :, :] |= np.where(np.arange(len(steps))[:, None] < others, np.uint64(0), ONES)[:, None]  # no token there
    found, below = np.zeros((2, *same.shape[1:]), np.uint64)
    below |= ONES
    for row, step in zip(same[::-1], steps[::-1], strict=True):
        filled = (row | step) & below  # where the way may go on: the highest of these bits, and all below it
        for shift in SHIFTS:
            filled |= filled >> shift
        highest = filled ^ (filled >> SHIFTS[0])
        above = filled[-1] != 0
        for word in range(len(filled) - 2, -1, -1):
            highest[word] *= ~above
            here = filled[word] != 0
            filled[word] |= above * ONES
            above |= here
        hit = highest & row
        found |= hit
        below = filled ^ hit
    bits = np.unpackbits(np.ascontiguousarray(found.T).view(np.uint8), axis=1, bitorder="little")
    return bits[:, : a.shape[1]].astype(bool)


def _same_bits(a: Array, b: Array) -> Array:
    """Which tokens of the first sentence are the same as a token of the second, ``[token of second, word, pair]``."""
    words = -(-a.shape[1] // 64)
    wide = np.full((len(a), 64 * words), -1, np.int32)
    wide[:, : a.shape[1]] = a
    narrow = b.astype(np.int32)
    out = np.empty((b.shape[1], words, len(a)), np.uint64)
    step = max(1, BLOCK // (b.shape[1] * wide.shape[1]))
    for k in range(0, len(a), step):
        equal = narrow[k : k + step, :, None] == wide[k : k + step, None, :]
        bits = np.packbits(equal, axis=2, bitorder="little").view("<u8")
        out[:, :, k : k + step] = bits.transpose(1, 2, 0)
    return out


def _steps(same: Array) -> Array:
    """Where the table goes up by one along the first sentence, below each token of the second."""
    level, out = np.full(same.shape[1:], ONES), np.empty_like(same)
    for row, up in zip(same, out, strict=True):
        both = level & row
        carry = np.zeros(same.shape[2], np.uint64)
        total = level + both
        for word in range(len(total)):
            over = total[word] < both[word]
            total[word] += carry
            carry = (over | (total[word] < carry)).astype(np.uint64)
        level = total | (level & ~row)
        np.invert(level, out=up)
    return out


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
