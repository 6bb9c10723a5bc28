"""Every place where any of many strings occurs in a text: one pass over the text by the strings' first characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SEED = 8  # first characters by which a string is looked for, all at once; shorter strings by 4, or one by one
BITS = 16
PRIME = np.uint64(0x9E3779B97F4A7C15)  # any odd number with many bits


def occurrences(text: str, strings: Sequence[str]) -> tuple[Array, Array]:
    """Numbers of strings and where in the text they begin, by string and then by place; they may overlap.

    The same as finding each string by itself, but the text is read once, not once for each string. Empty strings are
    nowhere.

    >>> [a.tolist() for a in occurrences("abcabcd", ["abc", "bcd", "x", "abca"])]
    [[0, 0, 1, 3], [0, 3, 4, 0]]
    """
    long = len(text)
    sizes = np.fromiter(map(len, strings), np.int64, len(strings))
    ends = np.cumsum(sizes)
    (folded, exact), (wanted, plain) = fold(text), fold("".join(strings))
    found = [np.zeros(0, np.int64)]  # number of the string times the text's length, plus the place
    short = np.flatnonzero(sizes < SEED // 2).tolist()
    found += [np.array([n * long + at for n in short for at in every(text, strings[n])], np.int64)]
    for size, chosen in ((SEED, sizes >= SEED), (SEED // 2, (sizes >= SEED // 2) & (sizes < SEED))):
        numbers = np.flatnonzero(chosen & (sizes <= long))
        if len(numbers):
            number, at = _found(_windows(folded, size), _windows(wanted, size), numbers, ends - sizes, sizes, size)
            if not (exact and plain):
                same = [text.startswith(strings[n], a) for n, a in zip(number.tolist(), at.tolist(), strict=True)]
                number, at = number[same], at[same]
            found.append(number * long + at)
    keys = np.sort(np.concatenate(found))
    return np.divmod(keys, max(long, 1))


def every(text: str, string: str) -> list[int]:
    """Every place where one string occurs, overlaps included."""
    out: list[int] = []
    at = text.find(string) if string else -1
    while at >= 0:
        out.append(at)
        at = text.find(string, at + 1)
    return out


def fold(text: str) -> tuple[bytes, bool]:
    """A byte for each character, and whether it is the character itself, as in Latin-1, or one that others share."""
    try:
        return text.encode("latin-1"), True
    except UnicodeEncodeError:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        return (points ^ (points >> np.uint32(8))).astype(np.uint8).tobytes(), False


def _found(text: Array, wanted: Array, numbers: Array, starts: Array, sizes: Array, size: int) -> tuple[Array, Array]:
    """Strings and places at which all their bytes are the text's; bytes are compared a window at a time."""
    seeds = wanted[starts[numbers]]
    order = np.argsort(seeds, kind="stable")
    seeds, numbers = seeds[order], numbers[order]
    marked = np.zeros(1 << BITS, bool)
    marked[_hashes(seeds)] = True
    at = np.flatnonzero(marked.take(_hashes(text)))
    first, last = np.searchsorted(seeds, text[at]), np.searchsorted(seeds, text[at], side="right")
    place, turn = expanded(last - first)
    number, at = numbers[first[place] + turn], at[place]
    there = at + sizes[number] <= len(text) + size - 1
    number, at = number[there], at[there]
    pair, turn = expanded((sizes[number] - 1) // size)  # windows after the first; the last ends with the string
    far = np.minimum((turn + 1) * size, sizes[number][pair] - size)
    other = text[at[pair] + far] != wanted[starts[number][pair] + far]
    good = np.ones(len(number), bool)
    good[pair[other]] = False
    return number[good], at[good]


def expanded(counts: Array) -> tuple[Array, Array]:
    """A row for each of ``counts[k]`` turns of k: k, and the turn from 0."""
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)


def _windows(folded: bytes, size: int) -> Array:
    """Every window of ``size`` bytes (4 or 8) as an integer."""
    return np.ascontiguousarray(np.ndarray((max(len(folded) - size + 1, 0),), f"<u{size}", folded, strides=(1,)))


def _hashes(windows: Array) -> Array:
    """A number below 2**BITS for every window: the window multiplied."""
    return np.asarray((windows * PRIME) >> np.uint64(64 - BITS)).astype(np.intp)
