"""Rows of very many columns are told apart by their bytes, in the order that a key for every column gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.orderings import discriminativeness


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 4))
def test_both_ways_to_tell_rows_apart_are_one(seed, rows, columns):
    given_rows = np.random.default_rng(seed).integers(0, 300, (rows, columns))
    given_rows = given_rows[np.random.default_rng(seed).integers(0, rows, rows)]  # some of them twice
    with pytest.MonkeyPatch.context() as patch:
        by_key = discriminativeness._distinct(given_rows)
        patch.setattr(discriminativeness, "WIDE", 0)
        by_bytes = discriminativeness._distinct(given_rows)
    assert [a.tolist() for a in by_key] == [b.tolist() for b in by_bytes]
    assert (given_rows[by_key[0]][by_key[1]] == given_rows).all()
