"""Can a verdict of votes be believed: swaps of places, and how many votes it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.votes.trust import majority_of_judges
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


def met(results, first="x", second="y", start=0):
    """Votes of one judge between two systems, each on a task of its own."""
    return [(f"t{start + k}", "j", first, second, o) for k, o in enumerate(results)]


def test_a_race_that_is_told_takes_no_votes_a_level_one_any_number_and_a_close_one_some():
    wide, close, level = ([1.0] * won + [0.0] * lost for won, lost in ((70, 30), (55, 45), (50, 50)))
    told = q.trust(panel(met(wide)), "votes_needed")
    assert told["votes_needed"].value == 0
    assert told.sentences[-1] == "x and y are told apart by the votes there are."
    found = q.trust(panel(met(close)), "votes_needed")
    needed = found["votes_needed"].overall[0]
    assert 500 < needed.value < 800  # of a share of 0.55 it takes 784 votes in all, and 100 are there
    assert (needed.labels["wins"], needed.labels["ties"], needed.labels["losses"]) == (55, 0, 45)
    assert needed.interval is None
    assert "more votes on the two, each on a task of its own, would tell them apart (80% power)" in found.sentences[-1]
    even = q.trust(panel(met(level)), "votes_needed")
    assert math.isinf(even["votes_needed"].value)
    assert even.sentences[-1] == "x and y are level: no number of votes would tell them apart."


def test_votes_between_others_count():
    """Two systems that never met are told apart by a third; fewer votes are needed where it met them more often."""

    def between(times):
        rows = met([1.0, 1.0, 1.0, 0.0] * times, "x", "z") + met([1.0, 1.0, 0.0] * times, "y", "z", 10_000)
        return q.trust(panel(rows), "votes_needed(leaders=2)")["votes_needed"].overall[0]

    few, more = between(5), between(20)
    assert few.labels["systems"] == more.labels["systems"] == "x and y"
    assert (few.labels["wins"], few.labels["losses"]) == (0, 0)
    assert 0 < more.value < few.value < math.inf


def test_votes_that_are_clustered_take_more():
    rng = np.random.default_rng(4)
    result = [float(rng.random() < 0.6) for _ in range(60)]
    alone = met([o for o in result for _ in range(4)])
    together = [(f"t{k // 4}", f"j{k % 4}", *row[2:]) for k, row in enumerate(alone)]
    one, four = (q.trust(panel(rows), "votes_needed")["votes_needed"].overall[0] for rows in (alone, together))
    assert one.labels["apart"] == pytest.approx(four.labels["apart"])
    assert four.labels["error"] == pytest.approx(2 * one.labels["error"], rel=0.1)
    assert four.value > one.value


def test_the_table_tells_the_power_of_so_many_votes_more():
    found = q.trust(simulated(tasks=20, noise=0.4), "votes_needed(leaders=4)")["votes_needed"]
    assert len(found.overall) == 6
    assert list(found.keys) == ["systems", "more"]
    for e in found.overall:
        own = [v for v, s in zip(found.values, found.keys["systems"], strict=True) if s == e.labels["systems"]]
        assert own == sorted(own)
        assert own[-1] > 0.8 or e.value > 3000


def test_what_next_the_page_and_a_plan_say_of_two_systems_is_one_figure():
    rng = np.random.default_rng(2)
    shown = [sorted(rng.permutation(list("abc"))[:2].tolist()) for _ in range(200)]
    votes = panel([(f"t{k}", "j", *pair, float(rng.random() < 0.56)) for k, pair in enumerate(shown)])
    first = q.trust(votes)["votes_needed"].overall[0]
    one, two = first.labels["systems"].split(" and ")
    next_ = q.trust(votes, f"next_pairs(between={one}+{two})")["next_pairs"]
    assert next_.details["to_separate"] == [first.value]
    (said,) = (s for s in q.trust(votes, "votes_needed").sentences if s.startswith(f"If {first.labels['systems']}"))
    assert said in [str(f) for f in q.plan(votes).facts]
    number = said.partition("about ")[2].partition(" on the two")[0]
    assert f"about {number} on {first.labels['systems']}" in " ".join(q.report(votes).text().split())


def test_leaders_that_nobody_compared_are_told():
    rows = [(f"t{t}", "j", *pair, 1.0) for t in range(3) for pair in (("x", "y"), ("p", "q"))]
    found = q.trust(panel(rows), "votes_needed(leaders=2)")
    assert found.sentences[-1] == "Nobody compared p and x, not even by way of other systems."


@pytest.mark.parametrize(("votes", "more"), [(1, 5), (4, 2), (16, 0)])
def test_votes_that_all_go_one_way_are_enough_from_six_on(votes, more):
    """By a sign test of two systems: p is 2^-5 where six say the same, each on a task of its own."""
    found = q.trust(panel(met([0.0] * votes)), "votes_needed").findings[0].overall[0]
    assert found.value >= more
    assert (found.value == 0) == (more == 0)


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
