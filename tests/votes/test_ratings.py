"""Elo and the eigenvector against plain loops, and what they depend on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import quorate as q
from quorate.errors import LimitReached
from quorate.panel.pairs import VoteDesign
from quorate.votes import ratings
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import figures, panel, simulated

BRIEF = {"resamples": 20}


@given(pairwise_votes())
@settings(max_examples=20, deadline=None)
def test_elo_in_an_order_is_that_of_plain_loops(votes):
    v = VoteDesign.of(panel(votes).by_name)
    listed = [(0, 0, v.systems[a], v.systems[b], o) for a, b, o in zip(v.first, v.second, v.outcome[0], strict=True)]
    orders = np.stack([np.random.default_rng(k).permutation(len(votes)) for k in range(3)])
    found = ratings.in_order(v, orders, np.ones(orders.shape), 16.0)
    for row, order in zip(found, orders, strict=True):
        plain = reference.elo(listed, order.tolist(), 16.0)
        assert row.tolist() == pytest.approx([plain[s] for s in v.systems], abs=1e-9)


@given(pairwise_votes())
@settings(max_examples=15, deadline=None)
def test_the_eigenvector_is_that_of_plain_loops(votes):
    names = sorted({s for v in votes for s in v[2:4]})
    votes = [*votes, *(("t", "j", a, b, 1.0) for a, b in zip(names, names[1:] + names[:1], strict=True))]  # all linked
    v = VoteDesign.of(panel(votes).by_name)
    plain = reference.eigenvector(votes)
    found = ratings.eigenvector(v, v.often())[0]
    assert found.tolist() == pytest.approx([plain[s] for s in v.systems], abs=1e-7)


def test_the_eigenvector_solves_its_equation():
    v = VoteDesign.of(simulated(tasks=30).by_name)
    x = ratings.eigenvector(v, v.often())[0]
    square = np.zeros((len(v.systems),) * 2)
    np.add.at(square, (v.first, v.second), v.outcome[0])
    np.add.at(square, (v.second, v.first), 1 - v.outcome[0])
    image = square @ x
    np.testing.assert_allclose(image / image.sum(), x, atol=1e-9)


def test_elo_says_that_it_depends_on_order_and_all_methods_agree_on_a_clear_board():
    votes = simulated(tasks=60, noise=0.05)
    found = q.quality(votes, "elo", "eigenvector", "bradley_terry", **BRIEF)
    assert any("it depends on the order of votes: it is the mean over 20 shuffled orders" in n for n in found.notes)
    for name in ("elo", "eigenvector", "bradley_terry"):
        assert "".join(o.labels["system"] for o in found[name].overall)[0] == "u"
        assert "".join(o.labels["system"] for o in found[name].overall)[-1] == "z"
        assert found[name].overall[0].interval.over == "tasks"
    assert sum(figures(found, "elo", "system").values()) == pytest.approx(6000)


def test_the_mean_over_orders_is_the_same_however_rows_are_ordered():
    columns = simulated(tasks=4).columns()
    mixed = np.random.default_rng(0).permutation(len(columns["judge"]))
    other = q.Votes.build({n: [c[k] for k in mixed] for n, c in columns.items()})
    a, b = (q.quality(p, "elo", **BRIEF).to_json() for p in (q.Votes.build(columns), other))
    assert a == b


def test_elo_of_too_many_votes_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(ratings, "MOST", 10)
    with pytest.raises(LimitReached, match="bradley_terry takes any number"):
        q.quality(simulated(tasks=2), "elo")


def test_ratings_are_those_of_evalica_s_own_example():
    """Three meals, of which the pizza and the sushi tie: the Elo ratings in evalica's README, with steps of 30."""
    rows = [
        ("t0", "j", "pizza", "burger", 1.0),
        ("t1", "j", "burger", "sushi", 0.0),
        ("t2", "j", "pizza", "sushi", 0.5),
    ]
    design = VoteDesign.of(panel(rows))
    orders, weight = np.arange(3)[None], np.ones((1, 3))
    found = dict(zip(design.systems, ratings.in_order(design, orders, weight, 30.0)[0].tolist(), strict=True))
    assert found == pytest.approx({"pizza": 1014.972058, "burger": 970.647200, "sushi": 1014.380742}, abs=5e-7)


def test_the_eigenvector_says_that_it_counts_wins_where_votes_are_uneven():
    votes = [("t", "j", "a", "b", 1.0), ("t", "j", "b", "c", 1.0), ("t", "k", "a", "b", 0.0), ("t", "k", "b", "c", 0.0)]
    note = "systems with more votes come out higher: they have 2 to 4"
    assert any(note in n for n in q.quality(panel(votes), "eigenvector", **BRIEF).notes)
    even = [*votes, ("t", "j", "c", "a", 1.0), ("t", "k", "c", "a", 0.0)]
    assert not any("more votes" in n for n in q.quality(panel(even), "eigenvector", **BRIEF).notes)
