"""Correlations of many vectors at once, plain and weighted, against plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.kernels import additive
from quorate.kernels.additive import judge_effects
from quorate.kernels.correlations import COEFFICIENTS, COUNTED, by_column, correlate, weighted
from quorate.kernels.inversions import LONG
from tests.reference import score_trust as plain

values = st.one_of(st.integers(0, 4).map(float), st.sampled_from([0.1, 0.2, 0.30000000000000004, float("nan")]))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(pairs=st.lists(st.tuples(values, values), max_size=9))
def test_correlations_equal_their_plain_twins(coefficient, pairs):
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    expected = plain.CORRELATIONS[coefficient](x, y)
    found = float(correlate(np.array(x), np.array(y), coefficient))
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(rows=st.lists(st.tuples(values, values, st.integers(0, 3)), min_size=1, max_size=8))
def test_weights_are_copies(coefficient, rows):
    x, y, times = map(np.array, zip(*rows, strict=True))
    copies = np.repeat(np.arange(len(rows)), times)
    expected = plain.CORRELATIONS[coefficient](x[copies].tolist(), y[copies].tolist())
    assert float(weighted(x, y, times, coefficient)) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    found = by_column(x[:, None], y[:, None], times[None].astype(float), coefficient)
    assert found[0, 0] == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(seed=st.integers(0, 999), kinds=st.sampled_from([1, 2, 9, 10**6]), gaps=st.booleans())
def test_tau_of_pairs_counted_as_bits_is_the_plain_one(seed, kinds, gaps):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(kinds, size=(2, 3, COUNTED + 3)) / 10
    y[1] = -x[1]
    if gaps:
        x[:, ::5], y[:2, 1::7] = np.nan, np.nan
    found = correlate(x, y, "kendall")
    for k in range(3):
        expected = plain.CORRELATIONS["kendall"](x[k].tolist(), y[k].tolist())
        assert found[k] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(seed=st.integers(0, 999), kinds=st.sampled_from([2, 9, 10**6]), gaps=st.booleans(), copied=st.booleans())
def test_tau_of_long_vectors_is_that_of_all_pairs(seed, kinds, gaps, copied):
    from scipy.stats import kendalltau

    rng = np.random.default_rng(seed)
    x, y = rng.integers(kinds, size=(2, 3, LONG + 20)).astype(float)
    y[1] = x[1]
    if gaps:
        x[:, ::7] = np.nan
    times = rng.integers(0, 3, size=x.shape) if copied else np.ones(x.shape, int)
    found = weighted(x, y, times, "kendall")
    for k in range(3):
        there = np.repeat(np.arange(x.shape[1]), np.where(np.isnan(x[k]), 0, times[k]))
        assert found[k] == pytest.approx(kendalltau(x[k, there], y[k, there]).statistic, abs=1e-12, nan_ok=True)
    assert np.isnan(correlate(np.ones(LONG), np.arange(LONG), "kendall"))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_values_that_are_alike_but_for_rounding_have_no_correlation(coefficient):
    x = np.full(7, 0.1)
    assert np.isnan(correlate(x, np.arange(7.0), coefficient))
    drawn = np.random.default_rng(0).multinomial(7, [1 / 7] * 7, size=5).astype(float)
    assert np.isnan(by_column(x[:, None], np.arange(7.0)[:, None], drawn, coefficient)).all()


@given(data=st.data())
def test_judges_effects_are_least_squares(data):
    units, judges = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    cells = [(u, j) for u in range(units) for j in range(judges)]
    # Judge 0 sees everything, which connects all.
    seen = [c for c in cells if c[1] == 0 or data.draw(st.booleans())]
    rows = [(u, j, float(data.draw(st.integers(0, 5)))) for u, j in seen]
    unit, judge, value = (np.array(c) for c in zip(*rows, strict=True))
    effect, part = judge_effects(unit, judge, value, units, judges)
    assert set(part[np.unique(judge)].tolist()) == {0}
    left = value - effect[judge]
    found = np.bincount(unit, left, units) / np.bincount(unit, minlength=units)
    assert found == pytest.approx(plain.least_squares(rows, units, judges), abs=1e-5)


def test_judges_who_share_nothing_are_parts_of_their_own():
    effect, part = judge_effects(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3]), np.array([1.0, 3, 2, 2]), 2, 5)
    assert part.tolist() == [0, 0, 1, 1, -1]
    assert effect[:4].tolist() == [-1, 1, 0, 0]
    assert np.isnan(effect[4])


@given(data=st.data())
def test_effects_of_very_many_judges_are_those_of_few(data):
    units, judges = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    seen = sorted(data.draw(st.sets(st.tuples(st.integers(0, units - 1), st.integers(0, judges - 1)), min_size=1)))
    unit, judge = (np.array(c) for c in zip(*seen, strict=True))
    value = np.array([data.draw(st.integers(0, 5)) for _ in seen], float)
    behind = np.array([data.draw(st.integers(1, 4)) for _ in range(judges)])
    how = (unit, judge, value, units, judges, behind[judge].astype(float), behind)
    few = judge_effects(*how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(additive, "DENSE", 0)
        many = judge_effects(*how)
    assert many[0] == pytest.approx(few[0], abs=1e-9, nan_ok=True)
    assert many[1].tolist() == few[1].tolist()


def test_effects_that_are_rounding_alone_are_none():
    unit, judge = np.array([0, 0, 1, 1, 2, 3, 3]), np.array([0, 1, 0, 1, 1, 0, 1])
    value, behind = np.array([0.0, 2, 1, 3, 0, 5, 1]), np.array([1, 2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(additive, "DENSE", 0)
        found, _ = judge_effects(unit, judge, value, 4, 2, behind[judge].astype(float), behind)
    assert found == pytest.approx([0.0, 0.0], abs=1e-9)


def test_a_hundred_thousand_judges_have_effects():
    unit = np.repeat(np.arange(50_000), 2)
    judge = np.arange(100_000)
    effect, part = judge_effects(unit, judge, np.tile([0.0, 1.0], 50_000), 50_000, 100_000)
    assert effect.tolist() == [-0.5, 0.5] * 50_000
    assert part.max() == 49_999


@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
def test_single_and_double_precision_give_the_same_figures(coefficient):
    rng = np.random.default_rng(1)
    x, y = np.round(rng.normal(size=(2, 30, 4)), 1)
    times = rng.multinomial(30, np.full(30, 1 / 30), size=20).astype(float)
    assert (by_column(x, y, times, coefficient) == by_column(x, y, times * 2.0**20, coefficient)).all()
