"""Who is off among voters: places, swaps, the others; planted judges, and what cannot be told."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

import quorate as q
from quorate.inference import flags
from quorate.panel.design import Weights
from quorate.panel.pairs import VoteDesign
from quorate.table import parse
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import figures, panel, simulated

BRIEF = {"resamples": 20, "permutations": 19}


@given(pairwise_votes())
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


@pytest.mark.parametrize(
    ("tasks", "judges", "systems"),
    [
        (1, 3, "xyz"),
        pytest.param(1, 10, "vwxyz", marks=pytest.mark.long),
        pytest.param(4, 5, "vwxyz", marks=pytest.mark.long),
        pytest.param(4, 3, "xyz", marks=pytest.mark.long),
        pytest.param(12, 6, "uvwxyz", marks=pytest.mark.long),
    ],
)
def test_alike_judges_are_hardly_ever_flagged(tasks, judges, systems):
    method, found = parse("alpha", "votes", "agreement"), 0
    for seed in range(30):
        votes = simulated(tasks=tasks, judges=judges, systems=systems, seed=seed)
        found += bool(flags.flagged(method, VoteDesign.of(votes.by_name), seed))
    assert found <= 5  # of 30 at a level of 5 %: one run in three hundred has more


def test_of_thousands_of_voters_nobody_is_accused():
    rng = np.random.default_rng(0)
    votes = [(f"v{k}", "x", "y", "xy"[int(rng.random() < 0.4)]) for k in range(2000)]
    found = q.judges(q.Votes.from_votes(votes), **BRIEF)
    assert found.more["flagged"] == []
    assert "The judges choose as most others do" in " ".join(found.sentences)
    assert not any(f"v{k} " in s for k in range(2000) for s in found.sentences)
    assert found.sentences[0] == "With 2,000 judges, nobody is singled out: one of so many hardly moves the result."


def test_a_judge_of_places_is_named_as_one():
    rng, rows = np.random.default_rng(1), []
    for t in range(20):
        for a, b in ("xy", "yz", "xz"):
            for j in range(5):
                shown = (a, b) if rng.random() < 0.5 else (b, a)
                right = float(shown[0] == a) if rng.random() < 0.9 else float(shown[0] != a)
                rows.append((f"t{t}", f"j{j}", *shown, 1.0 if j == 4 else right))
    found = q.judges(panel(rows), seed=1)
    assert {f["judge"]: f["diagnosis"] for f in found.more["flagged"]} == {"j4": "place"}
    assert "The system shown first is chosen unevenly by j4 (100%); 50% is even." in found.sentences
    one_way = panel([(t, j, *sorted((a, b)), o if a < b else 1 - o) for t, j, a, b, o in rows])
    said = {f["diagnosis"] for f in q.judges(one_way, seed=1).more["flagged"]}
    assert "place" not in said  # in one order only nobody can tell


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


@pytest.mark.parametrize("room", [10**6, 0])
@pytest.mark.parametrize("name", ["place", "consistency", "with_others"])
def test_figures_of_drawn_tasks_are_those_of_tasks_left_out_or_there_again(name, room, monkeypatch):
    """By sums of every task, made once, and vote by vote where these have no room."""
    monkeypatch.setattr("quorate.panel.vote_counts.CELLS", room)
    rng = np.random.default_rng(4)
    votes = [
        (t, f"j{rng.integers(4)}", *rng.choice(list("uvw"), 2, replace=False), float(rng.choice([0, 0.5, 1])))
        for t in np.repeat(np.arange(8), 25).tolist()
    ]
    drawn = rng.multinomial(8, np.full(8, 1 / 8), size=3).astype(float)
    design, method = VoteDesign.of(panel(votes)), parse(name, "votes", "judges")
    found = design.values(method, Weights(3, tasks=drawn)).array
    for row, times in zip(found, drawn.astype(int).tolist(), strict=True):
        again = [((t, copy), *rest) for t, *rest in votes for copy in range(times[t])]
        plain = VoteDesign.of(panel(again))
        expected = dict(zip(plain.judges, plain.values(method).array[0].tolist(), strict=True))
        assert row == pytest.approx([expected.get(j, math.nan) for j in design.judges], nan_ok=True)


def test_a_place_that_is_favoured_a_little_is_not_said_to_be_favoured_by_nobody():
    """1,100 of 2,000 votes go to the first place: clearly more than half, and no trifle to hide."""
    rows = [(f"t{k}", j, *("xy" if k % 2 else "yx"), float(k % 20 < 11)) for j in ("ann", "bob") for k in range(1000)]
    found = q.judges(panel(rows), "place", resamples=20, permutations=9)
    assert all(o.labels["p_holm"] < 0.05 for o in found["place"].overall)
    assert any("No judge favours a place by much: ann chooses the first 55% of the time." in s for s in found.sentences)
