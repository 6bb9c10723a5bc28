"""p-values: never floored silently, sequential, told by a tail where no draw got as far."""

from __future__ import annotations

import numpy as np
import pytest

from quorate.inference.null import ENOUGH, holm, null_of, p_value, sequential


def normal(seed: int):
    rng = np.random.default_rng(seed)
    return lambda k: rng.normal(size=(k, 1))


def test_p_counts_the_value_itself():
    assert p_value(0, 99) == 0.01
    assert null_of(np.array([1.0, 2.0, 3.0]), 2.0).p == 0.75
    assert null_of(np.array([1.0, 2.0, 3.0]), 2.0, sign=-1).p == 0.75
    assert null_of(np.array([np.nan]), 2.0) is None


def test_draws_stop_when_p_is_clear_and_go_on_while_it_may_matter():
    (clear,) = sequential(normal(0), np.array([0.0]), 10_000)
    assert clear.draws == 99
    (rare,) = sequential(normal(0), np.array([3.5]), 10_000)
    assert rare.draws == 10_000
    assert rare.p < 0.002
    (middle,) = sequential(normal(0), np.array([2.0]), 100_000)
    assert middle.draws < 5000
    assert middle.p == pytest.approx(0.0228, abs=4 * 0.0228 / ENOUGH**0.5)


def test_p_of_a_true_null_is_at_most_as_often_below_a_level():
    p = np.array(
        [sequential(normal(k), np.array([np.random.default_rng(9000 + k).normal()]), 999)[0].p for k in range(800)]
    )
    for level in (0.05, 0.2, 0.5):
        assert (p <= level).mean() <= level + 4 * (level * (1 - level) / len(p)) ** 0.5


def test_what_is_far_off_is_clear_after_few_draws_and_has_no_floor():
    (far,) = sequential(normal(1), np.array([9.0]), 10_000)
    assert far.draws == 99
    assert 1e-12 < far.p < 1 / 10_001  # wider than the normal distribution, whose tail is 1e-19
    (short,) = sequential(normal(1), np.array([9.0]), 30)
    assert short.draws == 30
    assert short.p < 1 / 31
    (below,) = sequential(normal(1), np.array([-9.0]), 10_000)
    assert below.p == 1.0
    (tied,) = sequential(lambda k: np.zeros((k, 1)), np.array([1.0]), 999)
    assert (tied.draws, tied.p) == (999, 0.001)  # no spread tells how far 1 is from 0


def test_the_tail_holds_where_chance_is_as_skewed_as_an_exponential_distribution():
    rng = np.random.default_rng(3)
    p = np.array(
        [sequential(lambda k: rng.exponential(size=(k, 1)), rng.exponential(size=1), 49)[0].p for _ in range(2000)]
    )
    for level in (0.01, 0.02, 0.05):
        assert (p <= level).mean() <= level + 4 * (level * (1 - level) / len(p)) ** 0.5


def test_holm_is_never_below_and_keeps_what_is_undefined():
    p = np.array([0.01, np.nan, 0.04, 0.03])
    found = holm(p)
    assert np.isnan(found[1])
    assert (found[[0, 2, 3]] >= p[[0, 2, 3]]).all()
