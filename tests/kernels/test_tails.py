"""The chi-square distribution in closed form is scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaincc

from quorate.kernels.tails import chi_square_tail


@given(st.lists(st.tuples(st.floats(0, 3000), st.integers(1, 400)), min_size=1, max_size=5))
def test_tails_are_those_of_scipy(given):
    chi2, df = np.array([x for x, _ in given]), np.array([n for _, n in given])
    assert chi_square_tail(chi2, df) == pytest.approx(gammaincc(df / 2, chi2 / 2), rel=1e-9, abs=1e-300)


def test_many_degrees_of_freedom():
    chi2, df = np.array([9_000.0, 10_001.0, 11_000.0]), np.array([10_000, 10_001, 10_000])
    assert chi_square_tail(chi2, df) == pytest.approx(gammaincc(df / 2, chi2 / 2), rel=1e-9)


def test_without_degrees_of_freedom_or_a_value_there_is_none():
    assert np.isnan(chi_square_tail(np.array([1.0, np.nan, np.nan]), np.array([0, 2, 3]))).all()
