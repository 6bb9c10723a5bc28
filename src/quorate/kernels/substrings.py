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
    found: list[int] = []  # number of the string times the text's length, plus the place
    long = len(text)
    by_size: dict[int, dict[str, list[int]]] = {SEED: {}, SEED // 2: {}}
    for number, string in enumerate(strings):
        if len(string) < SEED // 2:
            found += (number * long + at for at in every(text, string))
        elif len(string) <= long:
            size = SEED if len(string) >= SEED else SEED // 2
            by_size[size].setdefault(string[:size], []).append(number)
    folded = fold(text)
    begins = text.startswith
    for size, seeds in by_size.items():
        if seeds:
            for at in _candidates(folded, size, seeds).tolist():
                for number in seeds.get(text[at : at + size], ()):
                    if begins(strings[number], at):
                        found.append(number * long + at)
    keys = np.sort(np.array(found, np.int64))
    return np.divmod(keys, max(long, 1))


def every(text: str, string: str) -> list[int]:
    """Every place where one string occurs, overlaps included."""
    out: list[int] = []
    at = text.find(string) if string else -1
    while at >= 0:
        out.append(at)
        at = text.find(string, at + 1)
    return out


def _candidates(folded: bytes, size: int, seeds: dict[str, list[int]]) -> Array:
    """Places whose next ``size`` characters have the hash of a seed."""
    marked = np.zeros(1 << BITS, bool)
    marked[_hashes(fold("".join(seeds)), size)[::size]] = True
    return np.flatnonzero(marked.take(_hashes(folded, size)))


def fold(text: str) -> bytes:
    """A byte for each character: the character itself in Latin-1 texts, else one that equal characters share."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        return (points ^ (points >> np.uint32(8))).astype(np.uint8).tobytes()


def _hashes(folded: bytes, size: int) -> Array:
    """A number below 2**BITS for every window of ``size`` bytes (4 or 8): the window as an integer, multiplied."""
    windows = np.ndarray((len(folded) - size + 1,), f"<u{size}", folded, strides=(1,))
    return np.asarray((windows * PRIME) >> np.uint64(64 - BITS)).astype(np.intp)
