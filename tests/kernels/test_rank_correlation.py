"""Every index of two rankings against its definition: ties, gaps, one item, and scipy where it has the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from quorate.kernels import missing, rank_correlation, top_lists
from quorate.kernels.ranks import dense
from tests import strategies
from tests.reference import orderings as ref

KERNELS = {
    n: getattr(rank_correlation, n)
    for n in ("tau", "tau_x", "tau_ap", "tau_vigna", "tau_shieh", "tau_b", "rho", "rho_top", "footrule")
}
COMPLETE = ("tau", "tau_b", "tau_x", "tau_vigna", "tau_shieh", "rho", "rho_top", "footrule")
close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}


def squares_agree(square, orders, index):
    for i, a in enumerate(orders):
        for j, b in enumerate(orders):
            assert square[i, j] == pytest.approx(index(a, b), **close), (i, j)


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_two_rankings_of_many_tasks_are_those_beside_a_third(seed, items):
    """Of two rankings the pair is compared, of three all are multiplied."""
    rows = dense(np.random.default_rng(seed).integers(0, 4, (6, 3, items)))
    two, three = rank_correlation.tau_b(rows[:, :2]), rank_correlation.tau_b(rows)[:, :2, :2]
    assert two == pytest.approx(three, **close)


@pytest.mark.parametrize("name", COMPLETE)
@given(orders=strategies.complete())
def test_index_of_complete_rankings_equals_its_definition(name, orders):
    squares_agree(KERNELS[name](strategies.one_stack(orders))[0], orders, getattr(ref, name))


@pytest.mark.parametrize("side", ["both", "first"])
@given(orders=strategies.complete())
def test_tau_ap_equals_its_definition(side, orders):
    squares_agree(
        rank_correlation.tau_ap(strategies.one_stack(orders), side=side)[0], orders, lambda a, b: ref.tau_ap(a, b, side)
    )


@pytest.mark.parametrize("name", [*COMPLETE, "tau_ap"])
@pytest.mark.parametrize("policy", missing.POLICIES)
@given(orders=strategies.orders(judges=(1, 4)))
def test_index_of_rankings_with_gaps_equals_its_definition_on_what_is_compared(name, policy, orders):
    everything = {x for o in orders for x in ref.places(o)}
    square = KERNELS[name](strategies.one_stack(orders), missing=policy)[0]
    squares_agree(square, orders, lambda a, b: getattr(ref, name)(*ref.as_compared(a, b, everything, policy)))


@given(strategies.orders(judges=(1, 4)), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_fagins_tau_equals_its_definition(orders, penalty):
    squares_agree(
        top_lists.fagin_tau(strategies.one_stack(orders), penalty)[0], orders, lambda a, b: ref.fagin_tau(a, b, penalty)
    )


@pytest.mark.parametrize("name", ["fagin_footrule", "fagin_rho"])
@given(orders=strategies.orders(judges=(1, 4)), location=st.sampled_from([None, 0.0, 3.5, 7.0]))
def test_fagins_footrule_and_rho_equal_their_definition(name, orders, location):
    index = getattr(ref, name)
    squares_agree(
        getattr(top_lists, name)(strategies.one_stack(orders), location)[0], orders, lambda a, b: index(a, b, location)
    )


@pytest.mark.parametrize("part", ["ext", "min", "res"])
@given(orders=strategies.orders(judges=(1, 3)), p=st.sampled_from([0.5, 0.9]))
def test_rbo_equals_its_sum_over_depths(part, orders, p):
    squares_agree(top_lists.rbo(strategies.one_stack(orders), p, part)[0], orders, lambda a, b: ref.rbo(a, b, p, part))


def webber_ext(a: str, b: str, p: float) -> float:
    """The extrapolated RBO of two lists as Webber and others print it (their equation 32)."""
    short, long = sorted((a, b), key=len)
    s, n = len(short), len(long)
    shared = [len(set(short[:d]) & set(long[:d])) for d in range(n + 1)]
    total = sum(shared[d] / d * p**d for d in range(1, n + 1))
    total += sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * total + ((shared[n] - shared[s]) / n + shared[s] / s) * p**n


def webber_res(a: str, b: str, p: float) -> float:
    """Their residual (equation 30)."""
    s, n = sorted((len(a), len(b)))
    common = len(set(a) & set(b))
    f = n + s - common
    harmonic = [p**d / d for d in range(1, f + 1)]
    left = common * (math.log(1 / (1 - p)) - sum(harmonic))
    left += s * sum(harmonic[s:]) + n * sum(harmonic[n:])
    return p**s + p**n - p**f - (1 - p) / p * left


@pytest.mark.parametrize(
    ("a", "b"), [("abcd", "abcd"), ("abcd", "bacx"), ("abc", "bdaefc"), ("ab", "xyzab"), ("a", "b")]
)
@pytest.mark.parametrize("p", [0.3, 0.9, 0.98])
def test_rbo_equals_the_printed_formulas(a, b, p):
    positions = strategies.one_stack([[[i] for i in order] for order in (a, b)])
    assert top_lists.rbo(positions, p, "ext")[0, 0, 1] == pytest.approx(webber_ext(a, b, p))
    assert top_lists.rbo(positions, p, "res")[0, 0, 1] == pytest.approx(webber_res(a, b, p), abs=1e-12)


@given(strategies.complete(judges=(2, 3), items=(2, 8)))
def test_scipy_has_the_same_tau_b_rho_and_weighted_taus(orders):
    positions = strategies.one_stack(orders)
    x, y = positions[0, 0], positions[0, 1]
    with np.errstate(invalid="ignore"):
        flat = len(set(x.tolist())) == 1 or len(set(y.tolist())) == 1
        assert rank_correlation.tau_b(positions)[0, 0, 1] == pytest.approx(stats.kendalltau(x, y).statistic, **close)
        if not flat:
            assert rank_correlation.rho(positions)[0, 0, 1] == pytest.approx(stats.spearmanr(x, y).statistic, **close)
            for name, additive in (("tau_vigna", True), ("tau_shieh", False)):
                expected = stats.weightedtau(-x, -y, additive=additive).statistic
                assert KERNELS[name](positions)[0, 0, 1] == pytest.approx(expected, **close)


def test_item_pairs_in_pieces_equal_all_at_once(monkeypatch):
    rng = np.random.default_rng(3)
    positions = rng.integers(1, 5, (2, 3, 6))
    positions = dense(positions)
    gaps = np.where(rng.random(positions.shape) < 0.3, 0, positions)
    gaps[:, :, 0] = 1
    whole = [KERNELS[n](positions) for n in ("tau", "tau_b", "tau_x", "tau_ap")]
    fagin = top_lists.fagin_tau(gaps, 0.2)
    monkeypatch.setattr(rank_correlation, "CELLS", 20)
    for n, expected in zip(("tau", "tau_b", "tau_x", "tau_ap"), whole, strict=True):
        assert KERNELS[n](positions) == pytest.approx(expected)
    assert top_lists.fagin_tau(gaps, 0.2) == pytest.approx(fagin)


@pytest.mark.parametrize("name", ["tau_x", "tau_b", "rho"])
@pytest.mark.parametrize("policy", missing.POLICIES)
def test_tasks_in_parts_equal_all_at_once(monkeypatch, name, policy):
    rng = np.random.default_rng(4)
    positions = rng.permuted(np.tile(np.arange(1, 6), (9, 4, 1)), axis=2)
    positions[2:] = np.where(positions[2:] > 4, 0, positions[2:])
    whole = KERNELS[name](positions, missing=policy)
    monkeypatch.setattr(missing, "CELLS", 60)
    monkeypatch.setattr(missing, "PAIRS", 10)
    monkeypatch.setattr(rank_correlation, "AT_ONCE", 10)
    assert KERNELS[name](positions, missing=policy) == pytest.approx(whole, nan_ok=True)
