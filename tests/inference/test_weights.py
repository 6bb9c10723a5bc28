"""Resampling: seeded, one stream a purpose, and true to what is resampled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import table
from quorate.inference import findings, intervals, weights
from quorate.inference.weights import Draws
from quorate.kernels.tails import widening
from quorate.panel.stacks import shuffled
from tests import strategies


def centred(value, drawn, level, over, units, range=(-np.inf, np.inf), log=False):
    return intervals.interval(value, drawn, level=level, over=over, units=units, range=range, log=log)


def draws(*names, seed=0):
    return weights.stream(seed, *names).random(4).tolist()


def test_streams_are_told_apart_by_seed_and_name():
    assert draws("interval", "tau") == draws("interval", "tau")
    assert draws("interval", "tau") != draws("interval", "rho")
    assert draws("interval", "tau") != draws("chance", "tau")
    assert draws("interval", "tau", seed=1) != draws("interval", "tau", seed=2)


def test_units_kept_for_the_next_task_are_those_that_would_be_drawn_anew():
    method = table.parse("percent", "scores", "agreement")
    kept, again = (weights.units_alike(3, method, 7, 5) for _ in range(2))
    assert kept is again
    assert kept.units.tolist() == weights.drawn(7, 5, weights.stream(3, "interval", method)).tolist()


def test_percentiles_are_the_middle_of_the_values():
    found = intervals.percentiles(np.arange(101.0), 0.9, "tasks")
    assert (found.low, found.high) == pytest.approx((5, 95))
    assert (found.level, found.by, found.resamples) == (0.9, "tasks", 101)


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, np.nan], [np.nan, 1.0], [np.inf, 2.0]])
def test_fewer_than_two_defined_values_have_no_interval(values):
    assert intervals.percentiles(np.array(values), 0.95, "judges") is None
    assert intervals.mean_interval(np.array(values), weights.stream(0), 0.95, 100) is None


def test_undefined_values_are_left_aside():
    rng = weights.stream(0, "x")
    found = intervals.mean_interval(np.array([1.0, np.nan, 3.0, 2.0]), rng, 0.95, 200)
    assert found == intervals.mean_interval(np.array([1.0, 3.0, 2.0]), weights.stream(0, "x"), 0.95, 200)
    assert found.low < 2 < found.high


def test_the_interval_of_a_mean_is_about_two_standard_errors_wide():
    values = np.random.default_rng(5).normal(10, 2, 400)
    found = intervals.mean_interval(values, weights.stream(1), 0.95, 2000)
    assert found.low < values.mean() < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


@pytest.mark.parametrize("units", [2, 5, 500])
def test_equal_values_have_no_interval_rather_than_one_of_no_width(units):
    assert intervals.mean_interval(np.full(units, 0.1), weights.stream(0), 0.95, 100) is None
    assert intervals.mean_interval(np.array([0.1] * units + [0.2]), weights.stream(0), 0.95, 100) is not None


def test_an_interval_is_moved_to_the_value_that_judges_drawn_twice_moved_away_from():
    drawn = np.linspace(10, 12, 101)
    found = centred(8.0, drawn, 0.9, "judges", 10**6)
    assert (found.low, found.high) == pytest.approx((7.1, 8.9), abs=1e-3)
    skewed = centred(0.0, np.array([0.0] * 90 + [10.0] * 10), 0.9, "judges", 10**6)
    assert (skewed.low, skewed.high) == pytest.approx((-1, 9), abs=1e-3)


@pytest.mark.parametrize("units", [2, 5, 66, 10**4])
def test_an_interval_is_widened_as_students_t_asks(units):
    from scipy.stats import norm, t

    wide = widening(0.95, units)
    assert wide == pytest.approx(t.ppf(0.975, units - 1) / norm.ppf(0.975) * np.sqrt(units / (units - 1)), rel=1e-3)


@given(
    st.floats(0, 1),
    st.lists(st.floats(0, 1), min_size=2, max_size=30),
    st.integers(5, 40),
    st.sampled_from([0.5, 0.95]),
)
def test_an_interval_holds_its_value_and_stays_in_its_range(value, drawn, units, level):
    found = centred(value, np.array(drawn), level, "judges", units, (0, 1))
    if np.ptp(drawn) <= 1e-9:
        return  # equal values have none
    assert 0 <= found.low <= value <= found.high <= 1
    counted = centred(value * 50, np.array(drawn) * 80, level, "judges", units, (0, np.inf), log=True)
    assert 0 <= counted.low <= value * 50 <= counted.high < np.inf
    assert counted.high <= max(80 * max(drawn), value * 50)


def test_few_units_have_students_t():
    assert centred(0.5, np.array([0.4, 0.6] * 50), 0.95, "tasks", 4).low < 0.4


def test_one_unit_and_undefined_values_have_no_interval():
    assert centred(0.5, np.linspace(0, 1, 9), 0.95, "judges", 1) is None
    assert centred(np.nan, np.linspace(0, 1, 9), 0.95, "judges", 5) is None
    assert centred(0.5, np.array([0.5, np.nan]), 0.95, "judges", 5) is None


def test_an_interval_of_few_units_stays_within_its_range_not_within_what_was_seen():
    values = np.array([0.2, 0.9, 1.0])
    free = intervals.mean_interval(values, weights.stream(0), 0.95, 500)
    told = intervals.mean_interval(values, weights.stream(0), 0.95, 500, range=(0, 1))
    assert free.low < 0.2
    assert free.high > 1.0
    assert (told.low, told.high) == (max(free.low, 0), 1.0)


def test_nine_of_ten_intervals_of_five_values_hold_the_true_mean():
    # The middle of the resampled means alone holds it in about 82 of 100.
    rng = np.random.default_rng(0)
    hits = 0
    for k in range(300):
        found = intervals.mean_interval(rng.uniform(size=5), weights.stream(k), 0.95, 200, range=(0, 1))
        hits += found.low <= 0.5 <= found.high
    assert 0.9 <= hits / 300 <= 0.99


def test_resampled_counts_draw_as_many_judges_as_there_are():
    counts = weights.drawn_rows(np.array([1, 1, 8]), 500, weights.stream(0))
    assert counts.shape == (500, 3)
    assert (counts.sum(axis=1) == 10).all()
    assert counts.mean(axis=0) == pytest.approx([1, 1, 8], abs=0.3)


@given(strategies.orders(), st.integers(0, 1000))
def test_shuffled_rankings_hold_the_same_items_and_the_same_places(orders, seed):
    positions = strategies.one_stack(orders)
    permuted = shuffled(positions, np.random.default_rng(seed))
    assert ((permuted > 0) == (positions > 0)).all()
    assert (np.sort(permuted, axis=2) == np.sort(positions, axis=2)).all()


def test_shuffled_rankings_are_any_order_with_equal_odds():
    positions = np.tile(np.array([1, 0, 2, 3]), (6000, 1, 1))
    permuted = shuffled(positions, np.random.default_rng(0))[:, 0]
    _, times = np.unique(permuted, axis=0, return_counts=True)
    assert len(times) == 6
    assert times == pytest.approx([1000] * 6, rel=0.15)


def test_an_interval_of_a_number_of_patterns_reaches_as_many_times_below_as_above():
    # Judges resampled are fewer distinct ones, who never share fewer patterns: no draw lies below the value.
    drawn = np.array([7.0] * 30 + [15.0] * 15 + [31.0] * 5)
    found = centred(7.0, drawn, 0.95, "judges", 10, (0, np.inf), log=True)
    assert (1 + found.high) / 8 == pytest.approx(8 / (1 + found.low))
    assert (1 + found.low) * 2 < 8


@given(st.integers(0, 999), st.booleans(), st.sampled_from([0, 1, 2, 60]))
def test_intervals_of_many_figures_are_those_of_each(seed, log, draws):
    rng = np.random.default_rng(seed)
    drawn = rng.normal(5, 1, (draws, 9)).clip(0)
    drawn[: draws // 2, 1], drawn[:, 2], drawn[:, 3] = np.nan, np.nan, 0.25
    value, units = rng.normal(5, 1, 9), rng.choice([1, 3, 4, 5, 40], 9)
    value[4] = np.nan
    how = {"level": 0.9, "over": "judges", "range": (0.0, 6.0), "log": log}
    found = intervals.intervals(value, drawn, units, **how)
    assert found == [intervals.interval(float(value[k]), drawn[:, k], units=int(units[k]), **how) for k in range(9)]


@pytest.mark.parametrize("sign", [1, -1])
def test_draws_that_are_held_once_say_what_all_of_them_do(sign):
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(4, 50)).round(1)
    rows[1], rows[2, ::3] = np.nan, np.nan
    alone = [row[None] for row in rows]
    often = rng.integers(4, size=30).tolist()
    held, every = Draws.of([alone[k] for k in often]), rows[often]
    assert len(held.made) == 4
    assert len(held) == 30
    np.testing.assert_array_equal(held.every, every)
    np.testing.assert_array_equal(held.some(slice(5, 9)), every[:, 5:9])
    for some in (held, Draws.of([every[:7], every[7:]])):  # held once, and each by itself
        for there in (np.ones(50, bool), np.arange(50) % 3 > 0):  # systems that a drawn leaderboard has to have
            assert findings._first(sign, some, there).tolist() == findings._first(sign, every, there).tolist()
        how = {"level": 0.95, "over": "judges", "range": (-9.0, 9.0)}
        units = np.full(50, 3)
        assert intervals.intervals(rows[0], some, units, **how) == intervals.intervals(rows[0], every, units, **how)
