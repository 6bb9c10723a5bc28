"""Who is off among voters: places, swaps, the others; planted judges, and what cannot be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

import quorate as q
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import figures, panel, simulated

BRIEF = {"resamples": 20, "permutations": 19}


@given(pairwise_votes())
@settings(max_examples=60, deadline=None)
def test_figures_are_those_of_plain_loops(votes):
    found = q.judges(panel(votes), **BRIEF)
    for name in ("place", "consistency", "with_others"):
        wanted = getattr(reference, name)(votes)
        assert figures(found, name) == pytest.approx(wanted, abs=1e-12, nan_ok=True), name


def test_a_judge_who_takes_the_first_is_found_and_one_who_looks_is_not():
    rows = []
    for t in range(20):
        for shown in (("x", "y"), ("y", "x")):
            rows += [(f"t{t}", "first", *shown, 1.0), (f"t{t}", "looks", *shown, float(shown[0] == "x"))]
    found = q.judges(panel(rows), seed=1)
    assert figures(found, "place") == {"first": 1.0, "looks": 0.5}
    assert figures(found, "consistency") == {"first": 0.0, "looks": 1.0}
    assert found["place"].overall[0].labels["judge"] == "first"  # furthest from even comes first
    labels = {"judge": "first", "stayed": 0, "swapped": 20, "p_holm": 1.0}
    assert found["consistency"].overall[0].labels == labels
    assert "chosen unevenly by first (100%)" in " ".join(found.sentences)


def test_a_better_system_shown_first_more_often_is_no_preference():
    rows = [(f"t{t}", "j", *(("x", "y") if t % 10 else ("y", "x")), 1.0 if t % 10 else 0.0) for t in range(100)]
    votes = panel(rows)  # x always wins, and is mostly shown first
    assert figures(q.judges(votes, **BRIEF), "place") == {"j": 0.5}


def test_in_one_order_only_a_preference_is_not_identified():
    found = q.judges(panel([(f"t{t}", j, "x", "y", 1.0) for t in range(5) for j in "ab"]), **BRIEF)
    assert all(math.isnan(v) for v in figures(found, "place").values())
    assert any("a preference for a place is not identified" in note for note in found.notes)


def test_a_verdict_on_both_orders_is_taken_at_its_word():
    votes = [("t1", "m", "x", "y", "tie (inconsistent)"), ("t2", "m", "x", "y", "x"), ("t3", "m", "x", "y", "tie")]
    found = q.judges(q.Votes.from_votes(votes), **BRIEF)
    assert figures(found, "consistency") == {"m": pytest.approx(2 / 3)}
    assert math.isnan(figures(found, "place")["m"])


def test_planted_judges_are_flagged_and_told_apart():
    found = q.judges(simulated(tasks=40, random=1, reversed_=1, seed=3), seed=0)
    flagged = {f["judge"]: f["diagnosis"] for f in found.more["flagged"]}
    assert flagged == {"j4": "reversed", "j5": "random"}
    assert any(s.startswith("j4's choices are mostly the opposite of the others'") for s in found.sentences)


def test_alike_judges_are_hardly_ever_flagged():
    flagged = sum(
        bool(q.judges(simulated(tasks=12, seed=s), "with_others", **BRIEF).more["flagged"]) for s in range(30)
    )
    assert flagged <= 4  # of 30 at a level of 5 %


def test_without_tasks_a_planted_judge_is_found_too():
    rng = np.random.default_rng(5)
    pairs = [(a, b) for a in "abcdefgh" for b in "abcdefgh" if a < b]
    rows = []
    for j in range(7):
        for a, b in pairs:
            wrong = rng.random() < (0.9 if j == 6 else 0.1)
            rows.append(("all", f"j{j}", a, b, float(not wrong)))
    assert [f["judge"] for f in q.judges(panel(rows), "with_others", seed=1).more["flagged"]] == ["j6"]


def test_one_judge_is_compared_with_nobody():
    found = q.judges(q.Votes.from_votes([("j", "x", "y", "x"), ("j", "y", "x", "x")]), **BRIEF)
    assert found.sentences[0] == "There is one judge only: nobody to compare with."
    assert figures(found, "consistency") == {"j": 1.0}
