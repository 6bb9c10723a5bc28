"""Student's t in closed form is scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from quorate.inference.intervals import student_of_mean
from quorate.kernels import tails

FREEDOM = [1, 2, 3, 4, 7, 10, 65, 199, 1999]


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_quantiles_are_those_of_scipy(freedom, level):
    assert tails.quantile(level, freedom) == pytest.approx(t.ppf((1 + level) / 2, freedom), rel=1e-9)


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("value", [0.0, 0.3, 1.0, 4.0])
def test_p_values_are_those_of_scipy(freedom, value):
    assert tails.beyond(value, freedom) == pytest.approx(2 * t.sf(value, freedom), abs=1e-12)
    assert tails.beyond(-value, freedom) == tails.beyond(value, freedom)


def test_with_very_many_degrees_of_freedom_it_is_the_normal_distribution():
    assert tails.quantile(0.95, 10**6) == pytest.approx(norm.ppf(0.975))
    assert tails.beyond(1.96, 10**6) == pytest.approx(2 * norm.sf(1.96))


@pytest.mark.parametrize("size", [2, 3, 12])
def test_the_interval_of_a_mean_is_that_of_scipy(size):
    values = np.random.default_rng(size).normal(1.0, 2.0, size)
    found = student_of_mean(np.append(values, np.nan), level=0.9, over="collections")
    low, high = t.interval(0.9, size - 1, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(size))
    assert found.ends == pytest.approx([low, high])
    assert student_of_mean(values[:1], level=0.9, over="collections") is None
