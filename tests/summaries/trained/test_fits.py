"""The three fits against plain twins, on many subsets at once; and what they do with hard data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.summaries.trained.fits import FITS, canonical, nonnegative, orientation, robust
from tests.reference import trained as plain

UP = np.ones(4)


def made(seed, rows=20, noise=0.5):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 4))
    y = x @ rng.normal(size=(4, 2)) + noise * rng.standard_t(3, size=(rows, 2)) + 1
    return x, y


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_robust_regression_equals_the_plain_one_on_every_subset(seed, size):
    x, y = made(seed)
    subsets = np.array([range(k, k + size) for k in range(5 - size)])
    intercept, line, _ = robust(x, y, 1, subsets, UP)
    for k, some in enumerate(subsets.tolist()):
        expected = plain.bisquare(x[:, some].tolist(), y[:, 1].tolist())
        left = y[:, 1] - intercept[k] - x[:, some] @ line[k]
        other = y[:, 1] - expected[0] - x[:, some] @ np.array(expected[1:])
        assert np.abs(left - other).max() < 1e-3  # both stop after as many rounds


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_nonnegative_least_squares_equals_trying_every_support(seed, size):
    x, y = made(seed)
    subsets = np.array([range(k, k + size) for k in range(5 - size)])
    intercept, line, _ = nonnegative(x, y, 0, subsets, UP)
    assert (line >= 0).all()
    for k, some in enumerate(subsets.tolist()):
        expected = plain.nonnegative(x[:, some].tolist(), y[:, 0].tolist())
        assert [intercept[k], *line[k]] == pytest.approx(expected, abs=1e-7)


@given(st.integers(0, 10**6))
def test_canonical_correlation_is_the_largest_there_is_and_its_sign_fits_the_target(seed):
    x, y = made(seed)
    subsets = np.array([[0, 1, 2]])
    intercept, line, _ = canonical(x, y, 0, subsets, UP)
    mix = x[:, :3] @ line[0]
    assert np.corrcoef(mix, y[:, 0])[0, 1] > 0
    expected = plain.canonical_correlation(x[:, :3].tolist(), y.tolist())
    best = np.array(plain.least_squares(y.tolist(), mix.tolist())[1:])
    assert np.corrcoef(mix, y @ best)[0, 1] == pytest.approx(expected, abs=1e-5)
    assert (intercept + mix).mean() == pytest.approx(y[:, 0].mean())


@given(st.integers(0, 10**6))
def test_canonical_correlation_with_one_response_is_least_squares(seed):
    x, y = made(seed)
    intercept, line, _ = canonical(x, y[:, :1], 0, np.array([[0, 2]]), UP)
    expected = plain.least_squares(x[:, [0, 2]].tolist(), y[:, 0].tolist())
    assert [intercept[0], *line[0]] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_nonnegative_least_squares_and_canonical_correlation_equal_scikit_learns(seed):
    linear = pytest.importorskip("sklearn.linear_model")
    cross = pytest.importorskip("sklearn.cross_decomposition")
    x, y = made(seed, rows=60)
    intercept, line, _ = nonnegative(x, y, 0, np.array([[0, 1, 2, 3]]), UP)
    theirs = linear.LinearRegression(positive=True).fit(x, y[:, 0])
    assert [intercept[0], *line[0]] == pytest.approx([theirs.intercept_, *theirs.coef_], abs=1e-8)
    _, mix, _ = canonical(x, y, 0, np.array([[0, 1, 2, 3]]), UP)
    scores = cross.CCA(n_components=1, max_iter=5000, tol=1e-12).fit(x, y).transform(x)[:, 0]
    assert abs(np.corrcoef(x @ mix[0], scores)[0, 1]) == pytest.approx(1, abs=1e-6)


def test_robust_regression_is_not_moved_by_a_few_wild_rows():
    x, _ = made(1, rows=40)
    y = (2 + 3 * x[:, :1]).repeat(2, axis=1) + 0.01 * made(2, rows=40)[1]
    y[:4] += 1000
    intercept, line, _ = robust(x, y, 0, np.array([[0]]), UP)
    assert [intercept[0], line[0, 0]] == pytest.approx([2, 3], abs=0.1)


def test_features_are_turned_so_that_more_is_better():
    x, _ = made(3)
    y = np.stack([-x[:, 0], x[:, 1]], axis=1)
    better = orientation(x, y[:, 0], np.array([0, 1, -1, 0]))
    assert better[:3].tolist() == [-1, 1, -1]
    _, line, _ = nonnegative(x, y, 0, np.array([[0, 1]]), better)
    assert line[0].tolist() == pytest.approx([-1, 0], abs=1e-9)


@pytest.mark.parametrize("fit", list(FITS))
def test_equal_columns_and_a_perfect_line_give_finite_predictions(fit):
    x, _ = made(4)
    x[:, 1] = x[:, 0]
    y = x[:, :2] * [1, 1]
    intercept, line, _ = FITS[fit](x, y, 0, np.array([[0, 1], [0, 2], [2, 3]]), UP)
    assert np.isfinite(intercept).all()
    assert np.isfinite(line).all()
    assert intercept[0] + x[:, :2] @ line[0] == pytest.approx(y[:, 0], abs=1e-6)


@pytest.mark.parametrize("fit", list(FITS))
def test_a_subset_is_fitted_alike_alone_and_among_others(fit):
    x, y = made(5, rows=300)
    many = np.array([[a, b] for a in range(4) for b in range(a + 1, 4)] * 40)
    intercept, line, _ = FITS[fit](x, y, 0, many, UP)
    alone = FITS[fit](x, y, 0, many[4:5], UP)
    assert intercept[4] == pytest.approx(alone[0][0], abs=1e-6)
    assert line[4] == pytest.approx(alone[1][0], abs=1e-6)


def test_a_fit_that_has_not_converged_says_so(monkeypatch):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(30, 4))
    y = (x[:, 0] + rng.standard_t(1, size=30))[:, None]
    some = np.array([[0, 1], [2, 3]])
    assert robust(x, y, 0, some, UP).settled.all()
    monkeypatch.setattr("quorate.summaries.trained.fits.ROUNDS", 1)
    assert not robust(x, y, 0, some, UP).settled.any()

    def never(a, b):
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr("scipy.optimize.nnls", never)
    found = nonnegative(x, y, 0, some, UP)
    assert (found.settled.any(), found.coefficients.any()) == (False, False)
    assert canonical(x, y, 0, some, UP).settled.all()
