"""Leaderboards and orders by votes: against plain loops and today's scores, parts, levels, and 100,000 votes."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given

import quorate as q
from quorate.errors import InputError, LimitReached
from quorate.formats.vote_tables import as_scores
from quorate.votes import bradley_terry
from tests.family import LONG
from tests.reference import votes as reference
from tests.strategies import pairwise_votes
from tests.votes.made import figures, panel, simulated

BRIEF = {"resamples": 20, "permutations": 19}


@given(pairwise_votes())
def test_win_rates_are_those_of_plain_loops(votes):
    found = q.quality(panel(votes), "bradley_terry", "win_rate", **BRIEF)
    assert figures(found, "win_rate", "system") == pytest.approx(reference.win_rate(votes), abs=1e-12)
    beside = {o.labels["system"]: o.labels["win_rate"] for o in found["bradley_terry"].overall}
    assert beside == pytest.approx(reference.win_rate(votes), abs=1e-12)


def test_strengths_and_intervals_are_those_of_scores_where_ties_are_half_a_win():
    columns = simulated(tasks=40, judges=1, noise=0.35).columns()
    once = q.Votes.build({**columns, "task": [f"t{k}" for k in range(120)], "occasion": [1] * 120})
    asked = ("bradley_terry(ties=half, place=no)", "bradley_terry")
    new, old = (
        q.quality(p, m, seed=2)["bradley_terry"].overall for p, m in zip((once, as_scores(once)), asked, strict=True)
    )
    assert [o.labels["system"] for o in new] == [o.labels["system"] for o in old]
    for a, b in zip(new, old, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-6)
        assert a.interval.low == pytest.approx(b.interval.low, abs=0.15)
        assert a.interval.high == pytest.approx(b.interval.high, abs=0.15)


def test_both_votes_of_a_swapped_pair_count():
    votes = q.Votes.from_votes([("j", "x", "y", "x"), ("j", "y", "x", "y")])
    assert figures(q.quality(votes, "win_rate", **BRIEF), "win_rate", "system") == {"x": 0.5, "y": 0.5}


def test_the_better_systems_lead_by_letters():
    found = q.quality(simulated(tasks=80, noise=0.1), "bradley_terry", "win_rate", seed=1)
    for name in ("bradley_terry", "win_rate"):
        rows = found[name].overall
        assert "".join(o.labels["system"] for o in rows)[:2] == "uv"
        assert not set(rows[0].labels["group"]) & set(rows[-1].labels["group"])
        assert rows[0].interval.over == "tasks"
    assert q.consensus(simulated(tasks=80, noise=0.1), resamples=50)["strengths"].values == [[[s] for s in "uvwxyz"]]


def test_systems_that_nobody_compared_are_told_and_not_tested():
    rows = [(f"t{t}", j, *pair, 1.0) for t in range(12) for j in "ab" for pair in (("x", "y"), ("p", "q"))]
    found = q.quality(panel(rows), "bradley_terry", resamples=50)
    said = "the systems fall into 2 parts that nobody compared: their order is known within a part only"
    assert f"bradley_terry: {said}" in found.notes
    assert "p and x are each first in their own by strength in the votes." in found.sentences[1]
    groups = {o.labels["system"]: set(o.labels["group"]) for o in found["bradley_terry"].overall}
    assert groups["x"] & groups["q"]
    agreed = q.consensus(panel(rows), resamples=50)
    assert any(said in note for note in agreed.notes)
    assert all(s.startswith("Though not all systems were compared with one another") for s in agreed.sentences)


def test_level_systems_share_the_first_place():
    votes = [(f"t{t}", "j", *shown, 1.0) for t in range(8) for shown in (("x", "y"), ("y", "x"))]
    found = q.consensus(panel(votes), resamples=50)
    assert found["strengths"].values == [[["x", "y"]]]
    assert found.sentences == ("The votes put all systems level (strengths, win_rate).",)


def test_all_ties_are_level():
    every = panel([(f"t{t}", "j", "x", "y", 0.5) for t in range(6)])
    found = q.quality(every, "bradley_terry", "win_rate", **BRIEF)
    assert figures(found, "bradley_terry", "system") == pytest.approx({"x": 0.0, "y": 0.0}, abs=1e-12)
    assert figures(found, "win_rate", "system") == {"x": 0.5, "y": 0.5}


def test_a_system_that_never_lost_has_a_finite_strength():
    found = q.quality(panel([(f"t{t}", "j", "x", "y", 1.0) for t in range(6)]), **BRIEF)
    assert all(math.isfinite(v) for v in figures(found, "bradley_terry", "system").values())


def test_votes_need_no_second_panel():
    votes = simulated(tasks=2)
    with pytest.raises(InputError, match="between systems already"):
        q.quality(votes, votes)


def test_strengths_of_too_many_systems_are_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(bradley_terry, "SYSTEMS", 3)
    with pytest.raises(LimitReached, match="win_rate takes any number"):
        q.quality(simulated(tasks=2), "bradley_terry")


def test_names_of_systems_make_no_difference():
    votes = simulated(tasks=10)
    other = dict(zip("uvwxyz", ("ü", "文書", "🎲", "x y", "vs", "7"), strict=True))
    columns = {n: [other.get(v, v) if n.startswith("model") else v for v in c] for n, c in votes.columns().items()}
    renamed = q.Votes.build(columns)
    for name in ("bradley_terry", "win_rate"):
        a, b = (figures(q.quality(p, name, **BRIEF), name, "system") for p in (votes, renamed))
        assert {other[s]: v for s, v in a.items()} == pytest.approx(b, abs=1e-9)


def test_very_many_votes_take_seconds():
    rng = np.random.default_rng(0)
    number, systems = 100_000 if LONG else 40_000, 20
    first = rng.integers(systems, size=number)
    second = (first + rng.integers(1, systems, size=number)) % systems
    names = np.array([f"s{k}" for k in range(systems)])
    votes = q.Votes.build(
        {
            "task": rng.integers(5000, size=number),
            "judge": rng.integers(400, size=number),
            "model_a": names[first].tolist(),
            "model_b": names[second].tolist(),
            "winner": np.where(
                rng.random(number) < 1 / (1 + np.exp((first - second) / 5)), "model_a", "model_b"
            ).tolist(),
        }
    )
    begun = time.perf_counter()
    for ask in (q.agreement, q.judges, q.consensus, q.quality, q.trust) if LONG else (q.agreement, q.quality):
        ask(votes, resamples=200)
    assert time.perf_counter() - begun < 120
