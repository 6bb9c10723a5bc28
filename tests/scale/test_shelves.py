"""Arrays on disk, and names in a column, are what they are in memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.panel.array_shelf import DiskShelf, Shelf, let_go
from quorate.panel.by_name import in_name_order
from quorate.panel.many_names import ManyNames, some_names


@given(st.lists(st.lists(st.integers(0, 2**16 - 1), max_size=9), max_size=9))
def test_a_shelf_on_disk_gives_what_one_in_memory_gives(pieces):
    memory, disk = Shelf(), DiskShelf()
    for piece in pieces:
        assert memory.put(np.array(piece, np.uint16)) == disk.put(np.array(piece, np.uint16))
    assert [p.tolist() for p in disk] == [p.tolist() for p in memory] == pieces
    for _ in range(2):
        joined = disk.joined()
        assert joined.tolist() == memory.joined().tolist()
        let_go(joined)  # it is read again
        assert joined.tolist() == memory.joined().tolist()


def test_pieces_of_several_types_are_read_as_they_were_put():
    shelf = DiskShelf()
    shelf.put(np.array([1, 2], np.uint8))
    shelf.put(np.array([70_000], np.int32))
    assert [p.dtype for p in shelf] == [np.uint8, np.int32]
    assert [p.tolist() for p in shelf] == [[1, 2], [70_000]]


NAMES = st.one_of(
    st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, unique=True),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, unique=True),
)


@given(names=NAMES, data=st.data())
def test_names_in_a_column_are_a_sequence_like_any_other(names, data):
    many = ManyNames(pl.Series(names))
    assert list(many) == names
    assert len(many) == len(names)
    assert [many[k] for k in range(len(names))] == names
    assert [names[k] for k in in_name_order(many).tolist()] == sorted(names)
    begin = data.draw(st.integers(0, len(names)))
    assert list(many[begin:]) == names[begin:]
    chosen = np.array(data.draw(st.lists(st.integers(0, len(names) - 1))), np.int64)
    assert tuple(some_names(many, chosen)) == some_names(tuple(names), chosen)
    mixed = data.draw(st.permutations(names))
    assert many.places_among(ManyNames(pl.Series(mixed, dtype=many.names.dtype))).tolist() == [*map(mixed.index, names)]


def test_a_name_that_is_not_there():
    with pytest.raises(IndexError):
        ManyNames(pl.Series(["a"]))[1]
