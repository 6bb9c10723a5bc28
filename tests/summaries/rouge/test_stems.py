"""Stems and limits as ROUGE-1.5.5 shows them with -v; test_against_perl.py asks the script itself."""

from __future__ import annotations

import pytest

from quorate.summaries.rouge import Tokeniser
from quorate.summaries.rouge.tokens import stemmer

# What the script prints for -m -v, with an empty list of exceptions; Porter's stem, where it is another, behind it.
STEMS = """
agreement agreem agreement; statement statem statement; supplement supplem supplement; government govern;
replacement replac; incidental incid incident; professionally profess profession; circumvention circumvent;
crumbly crumbl crumbli; bubbly bubbl bubbli; technology technolog technologi; biology biologi; trekked trek trekk;
chivving chiv chivv; hopping hop; falling fall; hissing hiss; relational relat; entente entent
"""


def test_stems_are_those_of_the_script_where_porters_are_not():
    pytest.importorskip("snowballstemmer")
    ours, porter = stemmer(True), stemmer("porter")
    for line in STEMS.split(";"):
        word, stem, *other = line.split()
        assert (ours(word), porter(word)) == (stem, other[0] if other else stem)


def test_a_blank_before_a_line_is_a_word_of_the_limit():
    assert Tokeniser(limit_words=1).tokens(" aa bb\ncc") == []
    assert Tokeniser(limit_words=5).tokens("aa bb \ncc dd\n ee ff") == ["aa", "bb", "cc", "dd"]
    assert Tokeniser(limit_words=3).tokens("\n \naa\nbb cc") == ["aa", "bb", "cc"]


def test_with_bytes_lines_shorter_than_the_limit_are_seen_whole_by_l_and_w():
    text = "aaa bbb\nccc ddd\neee"
    assert Tokeniser(limit_bytes=8).tokens(text) == ["aaa", "bbb", "c"]
    assert Tokeniser(limit_bytes=8, forgetful=True).tokens(text) == ["aaa", "bbb", "ccc", "ddd", "eee"]
    assert Tokeniser(limit_bytes=7, forgetful=True).tokens(text) == ["aaa", "bbb"]
