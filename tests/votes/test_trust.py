"""Can a verdict of votes be believed: swaps of places, and how many votes it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.votes.trust import majority_of_judges, majority_share
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import panel, simulated


@given(pairwise_votes())
def test_swaps_are_those_of_the_votes_one_by_one(votes):
    made = panel(votes)
    found = q.trust(made, "swaps", resamples=20)["swaps"]
    of, flips, turned = reference.swapped(votes)
    labels = found.overall[0].labels
    assert (labels["swapped"], labels["changed"], labels["reversed"]) == (of, flips, turned)
    assert found.value == pytest.approx(1 - flips / of if of else math.nan, nan_ok=True)


def test_a_judge_of_places_keeps_no_verdict():
    rows = [(f"t{t}", "j", *shown, 1.0) for t in range(10) for shown in (("x", "y"), ("y", "x"))]
    found = q.trust(panel(rows), "swaps")
    assert found["swaps"].value == 0.0
    assert found.sentences[1].startswith("Swapping the places keeps the verdict 0% of the time (0 of 10")


def test_in_one_order_only_nobody_can_tell():
    found = q.trust(panel([(f"t{t}", "j", "x", "y", 1.0) for t in range(4)]), "swaps")
    assert math.isnan(found["swaps"].value)
    assert "nobody can tell what swapping places would change" in found.sentences[1]


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(1, 8))
def test_the_majority_of_some_votes_is_that_of_all_as_often_as_every_sequence_says(won, tied, lost, votes):
    if won == lost:
        assert math.isnan(majority_share(won, tied, lost, votes)) == (won + tied + lost == 0)
        return
    assert majority_share(won, tied, lost, votes) == pytest.approx(reference.majority_share(won, tied, lost, votes))


@pytest.mark.parametrize(("won", "tied", "lost"), [(55, 0, 45), (60, 20, 20), (9, 0, 1), (52, 10, 38)])
def test_so_many_votes_are_right_about_so_often(won, tied, lost):
    rows = [(f"t{k}", "j", "x", "y", o) for k, o in enumerate([1.0] * won + [0.5] * tied + [0.0] * lost)]
    needed = q.trust(panel(rows), "votes_needed")["votes_needed"].overall[0]
    assert needed.labels == {"systems": "x and y", "wins": won, "ties": tied, "losses": lost}
    assert majority_share(won, tied, lost, needed.value) == pytest.approx(0.95, abs=0.03)
    assert needed.interval.low <= needed.value <= needed.interval.high


def test_a_closer_race_takes_more_votes_and_a_level_one_is_told():
    found = q.trust(simulated(tasks=60, noise=0.3), "votes_needed(leaders=4)")["votes_needed"]
    assert len(found.overall) == 6
    assert list(found.keys) == ["systems", "votes"]
    level = q.trust(panel([("t", "a", "x", "y", 1.0), ("t", "b", "x", "y", 0.0)]), "votes_needed")
    assert math.isinf(level["votes_needed"].value)
    assert level.sentences[-1] == "x and y are level: no number of votes would tell them apart."


def test_leaders_that_nobody_compared_are_told():
    rows = [(f"t{t}", "j", *pair, 1.0) for t in range(3) for pair in (("x", "y"), ("p", "q"))]
    found = q.trust(panel(rows), "votes_needed(leaders=2)")
    assert found.sentences[-1] == "Nobody compared p and x."


def test_intervals_of_needed_votes_hold_the_truth():
    rng = np.random.default_rng(1)
    true, held = 0.6, 0
    wanted = 1.6448536**2 * (1 - (2 * true - 1) ** 2) / (2 * true - 1) ** 2
    for k in range(20):
        wins = rng.random(200) < true
        rows = [(f"t{i}", "j", "x", "y", float(w)) for i, w in enumerate(wins)]
        inside = q.trust(panel(rows), "votes_needed", seed=k, resamples=200)["votes_needed"].interval
        held += inside.low <= wanted <= inside.high
    assert held >= 16


def test_a_lead_that_may_be_none_takes_any_number_of_votes():
    rows = [(f"t{k}", "j", "x", "y", float(k < 11)) for k in range(20)]
    found = q.trust(panel(rows), "votes_needed")
    needed = found["votes_needed"].overall[0]
    assert math.isinf(needed.interval.high)
    assert "how many at most cannot be told from so few" in found.sentences[-1]
    clear = q.trust(panel([(f"t{k}", "j", "x", "y", float(k < 90)) for k in range(100)]), "votes_needed")
    assert math.isfinite(clear["votes_needed"].overall[0].interval.high)


def opinions(rng, pairs, judges, spread):
    """Judges who choose by coins of their pair: the odds of a side are exp of a normal number of this deviation."""
    rows = []
    for t in range(pairs):
        p = 1 / (1 + math.exp(-rng.normal(0, spread)))
        rows += [(f"t{t}", f"j{j}", "x", "y", float(rng.random() < p)) for j in range(judges)]
    return rows


@pytest.mark.parametrize(("spread", "truth"), [(1.0, 39), (2.0, 11), (3.0, 5)])
def test_judges_needed_are_those_whose_majority_is_that_of_all(spread, truth):
    """What 200,000 such pairs take, pair by pair, until 90 % of the majorities are right."""
    rng, found, held = np.random.default_rng(3), [], 0
    for k in range(9):
        needed = q.trust(panel(opinions(rng, 100, 3, spread)), "judges_needed", seed=k, resamples=200)["judges_needed"]
        found.append(needed.value)
        held += needed.interval.low <= truth <= needed.interval.high
    assert truth / 1.6 <= float(np.median(found)) <= truth * 1.6
    assert held >= 7


def test_judges_who_agree_by_chance_only_settle_nothing():
    rows = [(f"t{t}", j, "x", "y", float((t + k) % 2)) for t in range(30) for k, j in enumerate("ab")]
    found = q.trust(panel(rows), "judges_needed")
    assert math.isinf(found["judges_needed"].value)
    assert "no number of judges would settle a pair" in found.sentences[-1]
    single = q.trust(panel([("t", f"j{k}", "x", "y", float(k % 3 > 0)) for k in range(30)]), "judges_needed")
    assert math.isnan(single["judges_needed"].value)  # of a single pair the votes needed tell all


@given(st.floats(0.51, 0.99), st.integers(0, 12))
def test_the_majority_of_judges_is_right_as_often_as_the_beta_binomial_says(same, half):
    stats = pytest.importorskip("scipy.stats")
    a, judges = (1 - same) / (2 * same - 1), 2 * half + 1
    p = np.linspace(0.5, 1, 20001)[:-1] + 1 / 80000
    density = stats.beta.cdf(p + 1 / 80000, a, a) - stats.beta.cdf(p - 1 / 80000, a, a)
    right = stats.binom.cdf(half, judges, 1 - p)
    assert majority_of_judges(same, judges) == pytest.approx(float((right * density).sum() / density.sum()), abs=1e-3)


@pytest.mark.parametrize(("votes", "at_most"), [(1, math.inf), (16, 7)])
def test_votes_that_all_go_one_way_promise_no_more_than_their_number(votes, at_most):
    """Resampled they would all go one way again; the interval is Wilson's, of the share won."""
    found = q.trust(panel([(f"t{k}", "j", "x", "y", 0.0) for k in range(votes)]), "votes_needed").findings[0].overall[0]
    assert (found.value, found.interval.low, found.interval.high) == (1, 1, at_most)
