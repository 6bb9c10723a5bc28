"""Where strings are in texts: the searching of autoPyramid, exactly as DUCView did it or by words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.kernels.substrings import occurrences

Array = NDArray[Any]
BREAK = "\0"  # between texts; no XML text and no string has it
WORD = re.compile(r"\w+")
Places = list[tuple[tuple[int, int], ...]]  # where a string is, each time: start and end of its parts


class Search:
    """Where strings are in texts: of one string no two places overlap, those of different strings may.

    ``string`` and ``text`` list what is where; the places themselves are for :meth:`places` to say. A string of several
    parts is there when all its parts are, each where it is first. With ``by_words`` the strings come from
    :func:`words`, and so are the texts searched.

    >>> search = Search(["a dam", "dams"], [("dam",), ("a", "d")])
    >>> list(zip(search.string.tolist(), search.text.tolist()))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    >>> search.places(0, 0), search.places(0, 1)
    ([((2, 5),)], [((0, 1), (2, 3))])
    """

    def __init__(self, texts: Sequence[str], strings: Sequence[tuple[str, ...]], by_words: bool = False) -> None:
        self._texts, self._by_words = texts, by_words
        self._parts = list(dict.fromkeys(chain.from_iterable(strings)))
        searched = [words(t) for t in texts] if by_words else texts
        self._part, self._in, self._at = _hits(searched, self._parts, 1 if by_words else 0)
        self._wanted = None
        if len(self._parts) != len(strings) or max(map(len, strings), default=1) > 1:
            number = {p: k for k, p in enumerate(self._parts)}
            self._wanted = [[number[p] for p in s] for s in strings]
        first = np.ones(len(self._part), bool)
        first[1:] = (self._part[1:] != self._part[:-1]) | (self._in[1:] != self._in[:-1])
        self.string, self.text = self._part[first], self._in[first]
        if self._wanted is not None:
            self.string, self.text = _together(self.string, self.text, self._wanted, len(self._parts))

    def places(self, text: int, string: int) -> Places:
        """Start and end of each part, each time the string is there."""
        parts = [string] if self._wanted is None else self._wanted[string]
        if len(parts) == 1:
            return [(self._ends(text, parts[0], a),) for a in self._begins(text, parts[0])]
        return [tuple(self._ends(text, p, self._begins(text, p)[0]) for p in parts)]

    @cached_property
    def _sorted(self) -> tuple[list[int], list[int]]:
        return (self._part * len(self._texts) + self._in).tolist(), self._at.tolist()

    def _begins(self, text: int, part: int) -> list[int]:
        keys, at = self._sorted
        key = part * len(self._texts) + text
        first = bisect_left(keys, key)
        return at[first : bisect_right(keys, key, first)]

    def _ends(self, text: int, part: int, start: int) -> tuple[int, int]:
        long = len(self._parts[part])
        if not self._by_words:
            return start, start + long
        begins, ends = self._offsets[text]
        return begins[start], ends[start + long - 1]

    @cached_property
    def _offsets(self) -> list[tuple[dict[int, int], dict[int, int]]]:
        return [_word_places(t) for t in self._texts]


def _hits(texts: Sequence[str], strings: Sequence[str], shared: int) -> tuple[Array, Array, Array]:
    """Strings, texts and places, sorted so; ``shared`` characters at the end of a place may begin the next."""
    sizes = np.fromiter(map(len, strings), np.int64, len(strings))
    starts = np.concatenate([[0], np.cumsum([len(t) + 1 for t in texts])]).astype(np.int64)
    number, at = occurrences(BREAK.join(texts), strings)
    inside = np.searchsorted(starts, at, side="right") - 1
    near = (number[1:] == number[:-1]) & (at[1:] < at[:-1] + sizes[number[:-1]] - shared)
    if near.any():
        kept = _apart(number.tolist(), at.tolist(), sizes.tolist(), shared)
        number, inside, at = number[kept], inside[kept], at[kept]
    return number, inside, at - starts[inside]


def _apart(number: Sequence[int], at: Sequence[int], sizes: Sequence[int], shared: int) -> list[int]:
    """Rows that remain when the search goes on at the end of each hit."""
    kept: list[int] = []
    last, free = -1, 0
    for row, (s, a) in enumerate(zip(number, at, strict=True)):
        if s != last or a >= free:
            kept.append(row)
            last, free = s, a + sizes[s] - shared
    return kept


def _together(part: Array, text: Array, wanted: Sequence[Sequence[int]], parts: int) -> tuple[Array, Array]:
    """Strings and texts that have all parts of the string."""
    ends = np.searchsorted(part, np.arange(parts + 1)).tolist()
    there = [text[a:b] for a, b in pairwise(ends)]
    found = []
    for w in wanted:
        inside = there[w[0]]
        for p in w[1:]:
            inside = inside[np.isin(inside, there[p])]
        found.append(inside)
    sizes = [len(f) for f in found]
    return np.repeat(np.arange(len(wanted)), sizes), np.concatenate([np.zeros(0, np.int64), *found])


def words(text: str) -> str:
    """A text in small letters, its words between single blanks.

    >>> words("The dam - it BROKE.")
    ' the dam it broke '
    """
    return " ".join(["", *(w.lower() for w in WORD.findall(text)), ""])


def _word_places(text: str) -> tuple[dict[int, int], dict[int, int]]:
    """For places in :func:`words` of a text where they are in the text itself: of begins, and of ends."""
    begins, ends, at = {}, {}, 1
    for m in WORD.finditer(text):
        begins[at - 1], at = m.start(), at + len(m.group().lower()) + 1
        ends[at - 1] = m.end()
    return begins, ends
