"""Lists that hold few of all items: what is counted of their pairs is what comparing all items gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import listed_pairs, majority


def lists(seed: int, judges: int = 6, items: int = 30, most: int = 4):
    """Lists of a few items with ties, ``[judge, item]``; some hold none."""
    rng = np.random.default_rng(seed)
    found = np.zeros((judges, items), np.int16)
    for row in found:
        own = rng.choice(items, rng.integers(0, most + 1), replace=False)
        row[own] = np.sort(rng.integers(1, 3, len(own)))
    return found


@given(seed=st.integers(0, 999), draws=st.integers(1, 3), whole=st.booleans())
def test_pairs_of_lists_are_those_of_all_items(seed, draws, whole):
    ranking = lists(seed)
    assert listed_pairs.are_few(ranking)
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, (draws, len(ranking))) if whole else rng.random((draws, len(ranking)))
    same = np.broadcast_to(ranking, (draws, *ranking.shape))
    found = majority.before(same, counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listed_pairs, "are_few", lambda ranking: False)
        assert found == pytest.approx(majority.before(same, counts), abs=1e-12)
    plain = sum(
        weight[:, None, None] * ((row > 0)[:, None] & (row[:, None] < row[None]))[None]
        for row, weight in zip(ranking, counts.T, strict=True)
    )
    assert found == pytest.approx(plain, abs=1e-12)


def test_long_lists_are_not_looked_up():
    assert not listed_pairs.are_few(lists(1, most=20) + np.int16(1))
