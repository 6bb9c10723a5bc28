"""Somebody is always the worst; who is clearly so is told by shuffling what judges did."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.inference import worst_judge_test as module
from quorate.inference.worst_judge_test import clearly_worse, mean_of_sums
from tests.reference import worst_judge_test as plain


def asked(judge, value, judges, seed=0, level=0.05):
    parts = np.stack([np.ones(len(value)), np.asarray(value, float)], axis=1)
    return clearly_worse(parts, np.asarray(judge, np.int64), judges, mean_of_sums, np.random.default_rng(seed), level)


CELLS = st.lists(st.tuples(st.integers(0, 4), st.integers(-8, 8)), min_size=1, max_size=24)


@given(CELLS, st.integers(0, 99))
def test_it_does_what_its_slow_twin_does(cells, seed):
    judge, value = (list(column) for column in zip(*cells, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SHUFFLES", 60)
        patch.setattr(module, "FEWEST_SHUFFLES", 60)
        p, named = asked(judge, value, 5, seed)
    expected, order = plain.clearly_worse(cells, 5, np.random.default_rng(seed), 60)
    assert {j: v for j, v in enumerate(p.tolist()) if not np.isnan(v)} == pytest.approx(expected)
    assert set(np.flatnonzero(named).tolist()) == set(order)


def test_two_bad_judges_are_both_named_and_the_good_ones_are_not():
    rng = np.random.default_rng(1)
    judge = np.repeat(np.arange(8), 6)
    value = 0.1 * rng.normal(size=48) - 0.5 * (judge == 2) - 0.3 * (judge == 5)
    assert np.flatnonzero(asked(judge, value, 8)[1]).tolist() == [2, 5]


def test_among_judges_who_are_alike_somebody_is_named_in_about_five_of_a_hundred_panels(monkeypatch):
    monkeypatch.setattr(module, "SHUFFLES", 400)
    rng = np.random.default_rng(2)
    sizes = [2, 2, 3, 4, 5, 6]  # judges of many tasks and of few
    judge = np.repeat(np.arange(6), sizes)
    number = sum(asked(judge, rng.standard_t(3, size=22), 6, seed)[1].any() for seed in range(120))
    assert number <= 12  # 6 are expected, and more than 12 in one of 150 such tests


def test_where_everything_is_equal_or_there_are_two_judges_nobody_is_named():
    p, named = asked([0, 0, 1, 1, 2, 2], [1.0] * 6, 3)
    assert p.tolist() == [1, 1, 1]
    assert not named.any()
    p, named = asked([0] * 6 + [1] * 6, [0.0] * 6 + [9.0] * 6, 2)
    assert np.isnan(p).all()
    assert not named.any()
    assert np.isnan(asked([], [], 3)[0]).all()


def test_a_judge_with_one_cell_can_hardly_be_named():
    p, named = asked([0, *[1] * 6, *[2] * 6], [-9.0, *[0.0] * 12], 3)
    assert p[0] > 0.05
    assert not named.any()


def test_the_same_seed_gives_the_same():
    judge, value = np.repeat(np.arange(4), 5), np.random.default_rng(3).normal(size=20)
    assert asked(judge, value, 4, 7)[0].tolist() == asked(judge, value, 4, 7)[0].tolist()
