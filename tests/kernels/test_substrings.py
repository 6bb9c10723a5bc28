"""Many strings in one text, against looking for each at every place."""

from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels.substrings import occurrences
from tests import strategies
from tests.reference.pyramid import places

TEXT = st.text("ab ", max_size=60) | st.text("abé\u20ac\U0001f600\n", max_size=40)


@strategies.examples(40)
@given(text=TEXT, data=st.data())
def test_it_finds_what_looking_at_every_place_finds(text, data):
    inside = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(lambda ab: text[min(ab) : max(ab)])
    strings = data.draw(st.lists(inside | st.text("ab ", max_size=12), max_size=8))
    number, at = occurrences(text, strings)
    expected = [(k, p) for k, s in enumerate(strings) for p in places(text, s)]
    assert list(zip(number.tolist(), at.tolist(), strict=True)) == expected


def test_nothing_is_found_in_nothing():
    assert occurrences("", ["abc", ""])[0].tolist() == []
    assert occurrences("abc", [])[0].tolist() == []


def test_strings_that_share_their_beginning_are_told_apart():
    number, at = occurrences("the dam broke on Monday", ["the dam broke", "the dam broke on", "the dam failed"])
    assert (number.tolist(), at.tolist()) == ([0, 1], [0, 0])
