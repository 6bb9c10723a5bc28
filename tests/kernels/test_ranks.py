"""Ranks, W and what is made of them, against their definitions and scipy."""

from __future__ import annotations

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from quorate.kernels import concordance, rank_correlation, ranks
from tests import strategies
from tests.reference import orderings as ref


def by_item(orders, of):
    items = list(dict.fromkeys(item for order in orders for group in order for item in group))
    return np.array([[of(o).get(i, 0) for i in items] for o in orders])


@given(strategies.orders())
def test_mid_and_top_ranks_share_places_as_defined(orders):
    positions = strategies.one_stack(orders)
    assert ranks.mid_ranks(positions)[0] == pytest.approx(by_item(orders, ref.mids))
    assert ranks.top_ranks(positions)[0] == pytest.approx(by_item(orders, ref.tops))


@given(st.integers(0, 10**6), st.integers(1, 8), st.sampled_from([1, 1e-9, 1e5, 1e12]))
def test_centred_ranks_are_those_of_scipy_however_they_are_told(seed, items, unit):
    rng = np.random.default_rng(seed)
    values, gaps = rng.integers(-2, 3, (3, items)) * unit, rng.random((3, items)) < 0.3
    known = np.where(gaps, np.nan, values)
    ranks_of = stats.rankdata(known, axis=-1, nan_policy="omit")
    wanted = np.where(gaps, 0, ranks_of - ((~gaps).sum(axis=-1, keepdims=True) + 1) / 2)
    for paired in (0, ranks.PAIRED):
        with mock.patch.object(ranks, "PAIRED", paired):
            assert ranks.centred_ranks(known, gaps, ranks.worth_of_places(gaps)[0]).tolist() == wanted.tolist()
            whole = np.zeros_like(gaps)
            found = ranks.centred_ranks(values, whole, ranks.worth_of_places(whole)[0]) + (items + 1) / 2
            assert found.tolist() == stats.rankdata(values, axis=-1).tolist()


@given(strategies.complete())
def test_savage_scores_are_shared_within_ties(orders):
    positions = strategies.one_stack(orders)
    assert ranks.by_rank(positions, ranks.savage(positions.shape[2]))[0] == pytest.approx(by_item(orders, ref.savage))


def test_savage_scores_of_three_places():
    assert ranks.savage(3).tolist() == pytest.approx([1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3])


@given(strategies.votes(gaps=False))
def test_concordance_is_the_textbook_w_with_votes_one_by_one(rows):
    counts = np.array([[c for _, c in rows]])
    w, chi2 = concordance.concordance(ranks.mid_ranks(strategies.one_stack([o for o, _ in rows])), counts)
    expected = ref.kendall_w(strategies.expanded(rows))
    if counts.sum() > 1:
        assert w[0] == pytest.approx(expected, nan_ok=True)
        items = len(ref.places(rows[0][0]))
        assert chi2[0] == pytest.approx(counts.sum() * (items - 1) * expected, nan_ok=True)


@given(strategies.strict(judges=(3, 5), items=(3, 6)))
def test_skillings_mack_is_friedmans_test_on_complete_strict_rankings(orders):
    positions = strategies.one_stack(orders)[0]
    found, df = concordance.skillings_mack(positions, np.ones(len(orders), int))
    expected = stats.friedmanchisquare(*positions.T)
    assert found == pytest.approx(expected.statistic, abs=1e-9)
    assert df == positions.shape[1] - 1


def test_skillings_mack_leaves_a_judge_of_one_item_aside():
    full = strategies.one_stack([[["a"], ["b"], ["c"]], [["a"], ["c"], ["b"]], [["b"]]])[0]
    with_one, _ = concordance.skillings_mack(full, np.ones(3, int))
    without, _ = concordance.skillings_mack(full[:2], np.ones(2, int))
    assert with_one == pytest.approx(without)
    nothing, df = concordance.skillings_mack(full[2:], np.ones(1, int))
    assert math.isnan(nothing)
    assert df == 0


def test_fill_below_ties_absent_items_at_the_end():
    assert ranks.fill_below(np.array([[[2, 0, 1, 0]]])).tolist() == [[[2, 3, 1, 3]]]


def test_dense_closes_gaps_and_keeps_ties():
    assert ranks.dense(np.array([[[5, 2, 5, 9]]])).tolist() == [[[2, 1, 2, 3]]]


def test_constant_rankings_correlate_with_nothing():
    found = rank_correlation.rho_top(np.array([[[1, 1, 1], [1, 2, 3]]]))[0]
    assert np.isnan(found).tolist() == [[True, True], [True, False]]
