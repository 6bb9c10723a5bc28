"""What differs by the rounding of one processor or another is alike: places, the best system, how judges stand."""

from __future__ import annotations

import numpy as np

from quorate.document.blocks import form_of
from quorate.groupings.trust import _same_lowest
from quorate.inference.board_stability import same_best
from quorate.inference.item_means import Answers
from quorate.inference.mean_ranks import _mean_places
from quorate.reports.squares import block_order
from quorate.words.numbers import figure, share

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


def test_judges_equal_but_for_rounding_are_both_lowest():
    drawn = np.array([[ONE, OTHER, 0.7], [0.8, 0.7, 0.9]])
    assert _same_lowest(np.array([0.1, 0.9, 0.8]), drawn).tolist() == [True, False]


def test_errors_of_item_means_have_one_root_whatever_axes_are_chosen():
    values = np.concatenate([np.eye(4), 1 - np.eye(4), np.eye(4)])  # all axes are alike
    found = Answers.of(values)
    (root,) = found.error_root
    (errors,) = found.errors
    assert np.allclose(root, root.T)
    assert np.allclose(root @ root, errors.T @ errors)


def test_half_a_digit_is_told_one_way_and_what_rounding_left_of_a_whole_number_is_whole():
    assert figure(2.3625000000000003) == figure(2.3624999999999998)
    assert share(0.12500000000000003) == share(0.12499999999999997)
    assert form_of([-1.0]) == form_of([-0.9999999999999982]) == "count"
