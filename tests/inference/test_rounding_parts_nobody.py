"""What differs by the rounding of one processor or another is alike: places, the best system, how judges stand."""

from __future__ import annotations

import numpy as np

from quorate.inference.board_stability import same_best
from quorate.inference.mean_ranks import _mean_places
from quorate.reports.squares import block_order

ONE, OTHER = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1  # 0.6000000000000001 and 0.6


def test_judges_equal_but_for_rounding_share_a_place():
    assert ONE != OTHER
    assert _mean_places(np.array([[[ONE, OTHER, 0.2]]]), np.ones((1, 1, 3))).tolist() == [[1.5, 1.5, 3.0]]


def test_systems_equal_but_for_rounding_are_both_best():
    drawn = np.array([[OTHER, ONE, 0.0], [0.1, 0.2, 0.0]])
    assert same_best(np.array([ONE, 0.1, 0.2]), drawn).tolist() == [True, False]


def test_judges_stand_side_by_side_in_one_order_whatever_rounding_did():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2, (3, 20)).astype(float)
    with np.errstate(invalid="ignore"):
        square = np.corrcoef(scores.T)
    order = block_order(square)
    for _ in range(5):
        assert block_order(square * (1 + 1e-15 * rng.standard_normal(square.shape))) == order
