"""q-support: the worked example, counts and shares, multiplicities, and counts that add up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import BadParameter, Orderings
from quorate.cli.views import views
from quorate.orderings import Counts, support
from tests import strategies
from tests.reference import orderings as ref

EXAMPLE = ["abcdef", "bcdefa", "bdaghf", "bacdfe"]
weight = st.sampled_from([1.0, 0.9, 0.5])
quorums = st.sampled_from([1, 2, 3, 7, 0.01, 0.34, 0.5, 0.67, 1.0])


def test_the_papers_worked_example():
    found = support(EXAMPLE, q=3)
    assert [round(k2, 2) for _, k2 in found.individual.values()] == [0.67, 0.67, 0.33, 0.73]
    assert round(found.kappa1, 2) == 0.92
    assert round(found.kappa2, 2) == 0.60
    assert found.q == 3


@given(strategies.votes(), quorums, weight, weight)
def test_support_of_votes_equals_its_definition_one_by_one(rows, q, gamma, lam):
    found = support(Orderings.build(strategies.counted(rows)), q, gamma, lam)
    orders = strategies.expanded(rows)
    expected = ref.support(orders, ref.quorum(q, len(orders)), gamma, lam)
    assert found.kappa1 == pytest.approx(sum(k for k, _ in expected) / len(expected))
    assert found.kappa2 == pytest.approx(sum(k for _, k in expected) / len(expected))
    told = [k for k, (_, count) in zip(found.individual.values(), rows, strict=True) for _ in range(count)]
    assert np.array(told) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(("q", "judges"), [(0.5, 4), (0.51, 5), (7 / 8, 7), (8, 8), (1.0, 8), (1, 1), (0.001, 1)])
def test_a_share_is_rounded_up_and_a_count_taken_as_it_is(q, judges):
    assert support(["ab"] * 8, q=q).q == judges


def test_a_ranking_of_one_item_has_no_pairs():
    assert support(["a", "ab"], q=1).individual == {1: (1.0, 0.0), 2: (1.0, 1.0)}


def test_the_quorum_can_be_more_than_there_are():
    found = support(["ab", "ab"], q=3)
    assert (found.kappa1, found.kappa2) == (0.0, 0.0)


@pytest.mark.parametrize("wrong", [{"q": 0}, {"q": 1.5}, {"q": -1}, {"gamma": 0}, {"lam": 1.1}])
def test_parameters_out_of_range_are_refused(wrong):
    with pytest.raises(BadParameter, match="Hint"):
        support(["abc", "acb"], **wrong)


@given(strategies.votes(judges=(2, 5)), st.integers(1, 4))
def test_counts_of_parts_add_up_to_the_counts_of_the_whole(rows, cut):
    cut = min(cut, len(rows) - 1)
    parts = [Counts.of(Orderings.build(strategies.counted(r))) for r in (rows[:cut], rows[cut:])]
    whole = Counts.of(Orderings.build(strategies.counted(rows)))
    both = parts[0] + parts[1]
    assert both.judges == whole.judges
    assert set(both.items) == set(whole.items)
    for q in (1, 2, 0.5):
        assert set(both.supported_items(q)) == set(whole.supported_items(q))
        assert both.supported_pairs(q) == whole.supported_pairs(q)
    at = [both.items.index(i) for i in whole.items]
    assert (both.gaps[np.ix_(at, at)] == whole.gaps).all()
    assert (both.places[at] == whole.places).all()


def test_the_patterns_behind_the_scores():
    counts = support(EXAMPLE, q=3).counts
    assert set(counts.supported_items(4)) == {"a", "b", "d", "f"}
    pairs = counts.supported_pairs(3)
    assert pairs["b", "d"] == 4
    assert ("d", "b") not in pairs
    assert min(pairs.values()) == 3


@given(strategies.orders(judges=(1, 5), items=(1, 6)), quorums)
def test_supported_sets_are_those_of_the_definition(orders, q):
    found = support(orders, q)
    for (items, pairs), own in zip(ref.supported_sets(orders, found.q), found.sets.values(), strict=True):
        assert own.items == items
        assert dict(own.pairs) == pairs
        assert len(own.pairs) == len(pairs)
        assert own.pairs.first(2) == list(own.pairs.items())[:2]
    every = [dict(s.pairs) for s in found.sets.values()]
    assert dict(found.whole.pairs) == {pair: n for pairs in every for pair, n in pairs.items()}


def test_supported_sets_of_many_items_are_named_only_when_asked_for(monkeypatch):
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(600), (5, 1)), axis=1).tolist()
    found = support(orders, 3)
    named = [len(s.pairs) for s in found.sets.values()]
    assert sum(named) == round(sum(k2 for _, k2 in found.individual.values()) * 600 * 599 / 2)
    assert "_all" not in vars(found.whole.pairs)
    monkeypatch.setattr("quorate.cli.views.PAIRS", 600)
    data, _ = views(Orderings.from_orders(orders), "supported", [], None, 20).found[0]
    assert [len(j["pairs"]) for j in data["judges"]] == [100] * 5  # of so many the first of each
    assert [j["number_of_pairs"] for j in data["judges"]] == named
