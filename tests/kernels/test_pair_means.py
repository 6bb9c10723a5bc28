"""Means over pairs of judges by products of matrices, against looking at one pair after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import pair_means
from tests.reference import pair_means as plain


@st.composite
def panels(draw):
    """Squares with gaps, symmetric or not, and weights of some draws."""
    draws, tasks, judges = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    square = rng.uniform(-1, 1, (tasks, judges, judges))
    if draw(st.booleans()):
        square = (square + square.transpose(0, 2, 1)) / 2
    square[rng.random(square.shape) < draw(st.sampled_from([0.0, 0.4, 1.0]))] = np.nan
    return square, rng.integers(0, draw(st.integers(1, 4)), (draws, tasks, judges))


@given(panel=panels(), counted=st.booleans())
def test_means_are_those_of_one_pair_after_the_other(panel, counted):
    square, weights = panel
    every = pair_means.mean_of_pairs(square, weights, counted)
    others = pair_means.mean_with_others(square, weights, counted)
    left = pair_means.mean_without_each(square, weights, counted)
    for d, t, j in np.ndindex(weights.shape):
        given = square[t].tolist(), weights[d, t].tolist(), counted
        assert every[d, t] == pytest.approx(plain.mean_of_pairs(*given), abs=1e-12, nan_ok=True)
        assert others[d, t, j] == pytest.approx(plain.mean_with_others(*given, j), abs=1e-12, nan_ok=True)
        assert left[d, t, j] == pytest.approx(plain.mean_without(*given, j), abs=1e-9, nan_ok=True)


@given(panel=panels(), counted=st.booleans())
def test_without_an_axis_of_draws_the_results_have_none(panel, counted):
    square, weights = panel
    for mean in (pair_means.mean_of_pairs, pair_means.mean_with_others, pair_means.mean_without_each):
        alone = [mean(square, row, counted) for row in weights]
        assert np.stack(alone) == pytest.approx(mean(square, weights, counted), abs=1e-12, nan_ok=True)


@given(panel=panels(), counted=st.booleans())
def test_one_square_for_many_tasks_gives_what_a_square_each_does(panel, counted):
    square, weights = panel[0][:1], panel[1][0]
    wide = np.repeat(square, len(weights), axis=0)
    for mean in (pair_means.mean_of_pairs, pair_means.mean_with_others, pair_means.mean_without_each):
        each = mean(wide, weights, counted)
        assert mean(square, weights, counted) == pytest.approx(each, abs=1e-12, nan_ok=True)


@given(panel=panels(), scale=st.sampled_from([0.1, 0.7, 3.0]))
def test_weights_of_draws_may_be_fractions_and_only_their_ratios_matter(panel, scale):
    square, weights = panel
    for mean in (pair_means.mean_of_pairs, pair_means.mean_with_others, pair_means.mean_without_each):
        scaled = mean(square, weights * scale, False)
        assert scaled == pytest.approx(mean(square, weights, False), abs=1e-9, nan_ok=True)


def test_pairs_are_counted_once():
    square = np.array([[[1.0, 0.2, np.nan], [0.2, 1.0, 0.4], [np.nan, 0.4, np.nan]]])
    assert pair_means.number_of_pairs(square, np.array([[3, 1, 1]]), counted=True).tolist() == [7]  # 3 + 3 + 1
    assert pair_means.number_of_pairs(square, np.array([[3, 1, 1]]), counted=False).tolist() == [4]
