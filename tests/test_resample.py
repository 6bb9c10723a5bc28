"""Resampling: seeded, one stream a purpose, and true to what is resampled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import resample
from quorate.stacks import one
from tests import strategies


def draws(*names, seed=0):
    return resample.stream(seed, *names).random(4).tolist()


def test_streams_are_told_apart_by_seed_and_name():
    assert draws("interval", "tau") == draws("interval", "tau")
    assert draws("interval", "tau") != draws("interval", "rho")
    assert draws("interval", "tau") != draws("chance", "tau")
    assert draws("interval", "tau", seed=1) != draws("interval", "tau", seed=2)


def test_percentiles_are_the_middle_of_the_values():
    found = resample.percentiles(np.arange(101.0), 0.9, "tasks")
    assert (found.low, found.high) == pytest.approx((5, 95))
    assert (found.level, found.by, found.resamples) == (0.9, "tasks", 101)


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, np.nan], [np.nan, 1.0], [np.inf, 2.0]])
def test_fewer_than_two_defined_values_have_no_interval(values):
    assert resample.percentiles(np.array(values), 0.95, "judges") is None
    assert resample.mean_interval(np.array(values), resample.stream(0), 0.95, 100) is None


def test_undefined_values_are_left_aside():
    rng = resample.stream(0, "x")
    found = resample.mean_interval(np.array([1.0, np.nan, 3.0, 2.0]), rng, 0.95, 200)
    assert 1 <= found.low <= found.high <= 3


def test_the_interval_of_a_mean_is_about_two_standard_errors_wide():
    values = np.random.default_rng(5).normal(10, 2, 400)
    found = resample.mean_interval(values, resample.stream(1), 0.95, 2000)
    assert found.low < values.mean() < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


def test_equal_values_have_an_interval_of_no_width():
    found = resample.mean_interval(np.full(5, 0.25), resample.stream(0), 0.95, 100)
    assert (found.low, found.high) == (0.25, 0.25)


def test_very_many_values_are_resampled_fewer_times(monkeypatch):
    monkeypatch.setattr(resample, "DRAWS", 3000)
    found = resample.mean_interval(np.arange(10.0), resample.stream(0), 0.95, 1000)
    assert found.resamples == 300
    assert resample.mean_interval(np.arange(100.0), resample.stream(0), 0.95, 1000).resamples == 200


def test_reflecting_takes_out_the_shift_of_judges_drawn_twice():
    values = np.linspace(10, 12, 101)
    found = resample.reflected(8.0, values, 0.9, "judges", (0, np.inf))
    assert found.low < found.high < 8.0
    ends = np.log1p([found.low, found.high])
    assert ends == pytest.approx(2 * np.log1p(8.0) - np.quantile(np.log1p(values), [0.95, 0.05]))


def test_reflected_intervals_stay_in_the_range():
    found = resample.reflected(0.1, np.linspace(0.5, 0.9, 50), 0.95, "judges", (0, 1))
    assert found.low == 0
    assert resample.reflected(np.nan, np.linspace(0, 1, 9), 0.95, "judges", (0, 1)) is None


def test_resampled_counts_draw_as_many_judges_as_there_are():
    counts = resample.resampled_counts(np.array([1, 1, 8]), resample.stream(0), 500)
    assert counts.shape == (500, 3)
    assert (counts.sum(axis=1) == 10).all()
    assert counts.mean(axis=0) == pytest.approx([1, 1, 8], abs=0.3)


@settings(max_examples=40, deadline=None)
@given(strategies.orders(), st.integers(0, 1000))
def test_shuffled_rankings_hold_the_same_items_and_the_same_places(orders, seed):
    positions = one(orders)
    dealt = resample.shuffled(positions, np.random.default_rng(seed))
    assert ((dealt > 0) == (positions > 0)).all()
    assert (np.sort(dealt, axis=2) == np.sort(positions, axis=2)).all()


def test_shuffled_rankings_are_any_order_with_equal_odds():
    positions = np.tile(np.array([1, 0, 2, 3]), (6000, 1, 1))
    dealt = resample.shuffled(positions, np.random.default_rng(0))[:, 0]
    _, times = np.unique(dealt, axis=0, return_counts=True)
    assert len(times) == 6
    assert times == pytest.approx([1000] * 6, rel=0.15)
