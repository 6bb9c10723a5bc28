"""Consensus and judges of tasks with very many items: as from a table of all pairs, where that can be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.kernels import chains, kemeny, majority
from quorate.orderings import large_consensus, supported_order, voting
from quorate.orderings.consensus_method import Votes


@st.composite
def votes(draw):
    judges, items = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    rows = [draw(st.lists(st.integers(0, items), min_size=items, max_size=items)) for _ in range(judges)]
    dense = [[sorted({x for x in row if x}).index(x) + 1 if x else 0 for x in row] for row in rows]
    counts = draw(st.lists(st.integers(1, 3), min_size=judges, max_size=judges))
    return Votes(np.array(dense)[None], np.array(counts)[None], "unknown")


@given(votes())
def test_copeland_of_many_items_is_copeland(given_votes):
    short = voting.copeland(given_votes)[0]
    long = large_consensus.copeland(given_votes)[0]
    assert long.array.tolist() == short.array.tolist()
    assert long.scores.tolist() == short.scores.tolist()
    assert long.about == short.about


@given(votes())
def test_supported_pairs_of_many_items_are_counted_in_full(given_votes):
    need = np.array([given_votes.counts.sum() / 2])
    before = majority.before(given_votes.positions, given_votes.counts)[0]
    edge = (before >= need) & (before > 0)
    found = large_consensus.supported(given_votes, need)[0]
    assert found.facts["pairs"] == edge.sum() == supported_order.supported_order(given_votes)[0].facts["pairs"]
    assert found.scores.tolist() == (edge.sum(axis=1) - edge.sum(axis=0)).tolist()


@given(votes())
def test_a_kemeny_order_of_many_items_costs_what_it_says(given_votes):
    before = majority.before(given_votes.positions, given_votes.counts)[0]
    start = np.stack([a.array for a in voting.rank_sum(given_votes, brief=True)])
    found = large_consensus.kemeny(given_votes, start)[0]
    order = np.array(found.about["order"])
    assert found.facts["distance"] == kemeny.cost(before, order)
    assert found.facts["bound"] == np.minimum(before, before.T).sum() / 2 <= found.facts["distance"]
    assert found.facts["distance"] <= kemeny.cost(before, np.argsort(start[0], kind="stable"))


@given(votes())
def test_common_subsequences_without_a_judge_are_counted_one_by_one_too(given_votes):
    ranking = given_votes.positions
    found = chains.without_each(ranking)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chains, "SMALL", 0)
        assert chains.without_each(ranking) == found


@pytest.mark.parametrize("lam", [1.0, 0.9])
def test_chains_of_many_items_in_doubles_are_near_the_exact_ones(lam):
    rng = np.random.default_rng(0)
    noisy = np.arange(400) + rng.normal(0, 20, (3, 400))
    positions = (np.argsort(np.argsort(noisy, axis=1), axis=1) + 1)[None]
    counts = np.ones((1, 3), int)
    exact = float(chains.chains(positions, counts, lam)[0].beyond)
    assert chains.totals(positions, counts, lam)[0] == pytest.approx(exact, rel=1e-12)


def test_questions_about_very_long_rankings_are_answered_and_limits_are_said(monkeypatch):
    monkeypatch.setattr(large_consensus, "ITEMS", 500)
    noisy = np.arange(600) + np.random.default_rng(0).normal(0, 60, (3, 600))
    panel = q.Orderings.from_orders({f"j{j}": [f"i{i}" for i in np.argsort(row)] for j, row in enumerate(noisy)})
    found = q.consensus(panel, "copeland", "supported_order", "kemeny", resamples=0)
    assert any("rests on the supported pairs alone" in note for note in found.notes)
    assert any("not proven" in note for note in found.notes)
    monkeypatch.setattr("quorate.inference.budget.SECOND", 1)
    judged = q.judges(panel, "peer_correlation")
    assert all(o.chance.p < 1e-6 for o in judged["peer_correlation"].overall)
