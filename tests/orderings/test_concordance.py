"""Kendall's W: ties, gaps, votes, and its test."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from quorate import BadParameter, Orderings
from quorate.orderings import kendall_w
from tests import strategies
from tests.reference import orderings as ref

close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}


@given(strategies.votes(gaps=False))
def test_w_is_the_textbooks_with_its_correction_for_ties(rows):
    counted = kendall_w(Orderings.build(strategies.counted(rows)))
    assert counted.value == pytest.approx(ref.kendall_w(strategies.expanded(rows)), **close)


@given(strategies.orders(judges=(2, 5), items=(2, 6)), st.sampled_from(["unknown", "top-k"]))
def test_w_with_gaps_is_taken_from_the_mean_rho(orders, missing):
    everything = {x for o in orders for x in ref.places(o)}
    if all(len(ref.places(o)) == len(everything) for o in orders):
        return
    assert kendall_w(orders, missing).value == pytest.approx(ref.incomplete_w(orders, missing), **close)


@given(strategies.orders(judges=(2, 5), items=(2, 6)))
def test_w_with_absent_items_below_is_w_of_the_completed_rankings(orders):
    everything = {x for o in orders for x in ref.places(o)}
    expected = ref.kendall_w([ref.completed(o, everything) for o in orders])
    assert kendall_w(orders, "below").value == pytest.approx(expected, **close)


@given(strategies.strict(judges=(2, 5), items=(2, 6)))
def test_w_by_the_mean_rho_is_w_itself_on_strict_rankings(orders):
    assert ref.incomplete_w(orders) == pytest.approx(kendall_w(orders).value, abs=1e-9)


def test_the_test_is_friedmans():
    orders = ["abcd", "abdc", "bacd", "acbd"]
    found = kendall_w(orders)
    expected = stats.friedmanchisquare(*([o.index(i) for o in orders] for i in "abcd"))
    assert (found.chi2, found.df) == (pytest.approx(expected.statistic), 3)
    assert found.p == pytest.approx(expected.pvalue)


def test_ties_are_corrected_for():
    """Packages without the correction give 4/9, where the rank sums are 5/6 as far apart as ties allow."""
    orders = [[["a"], ["b"], list("cdefghz")]] * 2 + [[["a"], list("bcdefgh"), ["z"]]]
    assert ref.uncorrected_w(orders) == pytest.approx(4 / 9)
    assert kendall_w(orders).value == pytest.approx(5 / 6)


def test_one_judge_agrees_with_nobody():
    assert kendall_w(["abc"]).value != kendall_w(["abc"]).value


def test_w_of_judges_who_reverse_each_other_is_zero():
    assert kendall_w(["abc", "cba"]).value == pytest.approx(0, abs=1e-12)


def test_an_unknown_policy_is_refused():
    with pytest.raises(BadParameter, match="missing=drop is not known"):
        kendall_w(["abc", "ab"], missing="drop")
