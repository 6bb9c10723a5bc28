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
    found: list[tuple[int, int]] = []
    by_size: dict[int, dict[str, list[int]]] = {SEED: {}, SEED // 2: {}}
    for number, string in enumerate(strings):
        if len(string) < SEED // 2:
            found += ((number, at) for at in every(text, string))
        elif len(string) <= len(text):
            size = SEED if len(string) >= SEED else SEED // 2
            by_size[size].setdefault(string[:size], []).append(number)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    for size, seeds in by_size.items():
        if seeds:
            for at in _candidates(points, size, seeds).tolist():
                found += [(n, at) for n in seeds.get(text[at : at + size], ()) if text.startswith(strings[n], at)]
    if not found:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    pairs = np.array(found, np.int64)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return pairs[:, 0], pairs[:, 1]


def every(text: str, string: str) -> list[int]:
    """Every place where one string occurs, overlaps included."""
    out: list[int] = []
    at = text.find(string) if string else -1
    while at >= 0:
        out.append(at)
        at = text.find(string, at + 1)
    return out


def _candidates(points: Array, size: int, seeds: dict[str, list[int]]) -> Array:
    """Places whose next ``size`` characters have the hash of a seed."""
    wanted = np.frombuffer("".join(seeds).encode("utf-32-le", "surrogatepass"), np.uint32).reshape(len(seeds), size)
    marked = np.zeros(1 << BITS, bool)
    marked[_hashes(wanted.ravel(), size)[::size]] = True
    return np.flatnonzero(marked[_hashes(points, size)])


def _hashes(points: Array, size: int) -> Array:
    """A number below 2**BITS for every window of ``size`` characters (a power of 2), from two halves each time."""
    out, width = points.astype(np.uint64) + np.uint64(1), 1
    while width < size:
        out = (out[:-width] * PRIME) ^ (out[width:] + (out[width:] >> np.uint64(29)))
        width *= 2
    return np.asarray((out * PRIME) >> np.uint64(64 - BITS))
