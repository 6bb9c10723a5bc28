"""Longest common subsequences by bits and along diagonals, held against the plain table of one pair."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import subsequences
from quorate.kernels.subsequences import on_path


def plain(a: list[int], b: list[int]) -> list[bool]:
    """Which tokens of the first are matched: equal tokens always, else the first is skipped unless that costs one."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    marks, i, j = [False] * len(a), len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            marks[i] = True
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


def marked(pairs: list[tuple[list[int], list[int]]], weight: float = 1.0) -> list[bool]:
    sizes = [len(s) for pair in pairs for s in pair]
    ends = np.cumsum(sizes)
    tokens = np.array([t for pair in pairs for s in pair for t in s], np.int64)
    begin = ends - sizes
    return on_path(tokens, (begin[::2], ends[::2]), (begin[1::2], ends[1::2]), weight).tolist()


sentences = st.lists(st.integers(0, 3), max_size=70)


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_many_pairs_at_once_are_matched_as_the_plain_table_does(pairs):
    assert marked(pairs) == [m for pair in pairs for m in plain(*pair)]


def test_sentences_of_several_words_of_bits():
    rng = np.random.default_rng(3)
    pairs = [
        (rng.integers(0, kinds, m).tolist(), rng.integers(0, kinds, n).tolist())
        for m, n in ((63, 64), (64, 65), (65, 1), (128, 129), (200, 150), (1, 300))
        for kinds in (1, 2, 5, 40)
    ]
    assert marked(pairs) == [m for pair in pairs for m in plain(*pair)]


def test_a_block_may_hold_one_pair(monkeypatch):
    monkeypatch.setattr(subsequences, "CELLS", 1)
    monkeypatch.setattr(subsequences, "BLOCK", 1)
    pairs = [([1, 2, 3], [2, 3]), ([], [1]), ([4], []), ([5, 5], [5])]
    assert marked(pairs) == [m for pair in pairs for m in plain(*pair)]


def test_a_weight_prefers_matches_in_a_row():
    assert marked([([1, 2, 9, 3], [1, 2, 3])], 1.2) == [True, True, False, True]
