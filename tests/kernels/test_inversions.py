"""Long rankings without looking at every pair: the same whole numbers as pair by pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import inversions, rank_correlation
from quorate.kernels.ranks import dense

rows = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=1, max_size=4)
)


@given(rows)
def test_inversions_are_pairs_whose_larger_value_comes_first(values):
    expected = [sum(a > b for a, b in combinations(row, 2)) for row in values]
    assert inversions.inversions(np.array(values)).tolist() == expected


def test_nothing_has_no_inversions():
    assert inversions.inversions(np.zeros((2, 0), int)).tolist() == [0, 0]


def test_blocks_of_rows_do_not_change_the_inversions(monkeypatch):
    values = np.random.default_rng(0).integers(0, 50, (7, 40))
    whole = inversions.inversions(values).tolist()
    monkeypatch.setattr(inversions, "CELLS", 80)
    assert inversions.inversions(values).tolist() == whole


@given(rows)
def test_agreeing_counts_the_pairs_of_every_two_judges(values):
    ranking = dense(np.array(values)[None])[0]
    top, both, apart = inversions.agreeing_square(ranking)
    pairs = list(combinations(range(ranking.shape[1]), 2))
    sign = np.array([[int(np.sign(r[j] - r[i])) for i, j in pairs] for r in ranking.tolist()]).reshape(len(values), -1)
    assert top.tolist() == (sign @ sign.T).tolist()
    tied = (sign == 0).astype(int)
    assert both.tolist() == (tied @ tied.T).tolist()
    assert apart.tolist() == np.abs(sign).sum(axis=1).tolist()


@pytest.mark.parametrize("kernel", [rank_correlation.tau, rank_correlation.tau_x, rank_correlation.tau_b])
@given(values=rows)
def test_long_rankings_have_the_tau_of_short_ones(kernel, values):
    positions = dense(np.array(values)[None])
    short = kernel(positions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_correlation, "quicker", lambda *_: True)
        assert np.array_equal(kernel(positions), short, equal_nan=True)


@pytest.mark.parametrize("missing", ["unknown", "below", "top-k"])
@pytest.mark.parametrize("square", [True, False])
@given(values=rows)
def test_long_lists_with_gaps_have_the_tau_of_short_ones(missing, square, values):
    raw = np.array(values)[None]
    positions = np.where(raw > 0, dense(np.where(raw > 0, raw, 99)), 0)
    judges = None if square else positions[:, :2]
    short = rank_correlation.tau_b(positions, judges, missing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_correlation, "LONG", 0)
        patch.setattr(rank_correlation, "quicker", lambda *_: True)
        assert np.array_equal(rank_correlation.tau_b(positions, judges, missing), short, equal_nan=True)


def test_many_judges_are_left_to_the_signs_of_all_pairs():
    assert inversions.quicker(np.ones((1, 10, 1000), np.int16))
    assert not inversions.quicker(np.ones((1, 200, 1000), np.int16))
    assert not inversions.quicker(np.ones((1, 2, 100), np.int16))
    assert inversions.quicker(np.ones((1, 5, 1000), np.int16), np.ones((1, 5, 1000), np.int16))
    assert not inversions.quicker(np.ones((1, 100, 1000), np.int16), np.ones((1, 100, 1000), np.int16))
