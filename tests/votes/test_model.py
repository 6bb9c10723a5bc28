"""The one model of votes: against a search without derivatives, errors by clusters, places, priors, and its size."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.inference import findings
from quorate.inference.engine import Figures
from quorate.inference.intervals import interval
from quorate.inference.results import Options
from quorate.inference.weights import drawn
from quorate.kernels.bradley_terry import TIES, Model, Step, fit
from quorate.panel.pairs import VoteDesign
from quorate.table import parse
from tests.reference import votes as reference
from tests.votes.made import figures, panel

BRIEF = {"resamples": 200}


def one_step(found, model, counts, drawn):
    """Fits of tables resampled, ``drawn[draw, cell, 3]``, by one step from that of ``counts[1, ...]``."""
    step = Step.of(found, model, counts)
    d, rise = ((drawn * pull).sum(axis=2) for pull in (step.pull, step.tie))
    return step.fit(np.concatenate([model.sides(d), d @ model.x, rise.sum(axis=1)[:, None]], axis=1))


def contests(rng, tasks, judges, strength, place=0.0, tie=-0.5, spread=0.5, pairs=3):
    """Votes of judges on some pairs of every task; what a task asks for favours systems by ``spread``."""
    names, rows = "abcdefghij"[: len(strength)], []
    for t in range(tasks):
        s = strength + rng.normal(0, spread, len(strength))
        for _ in range(pairs):
            one, two = rng.choice(len(strength), 2, replace=False).tolist()
            for j in range(judges):
                a, b = (one, two) if rng.random() < 0.5 else (two, one)
                eta = s[a] - s[b] + place
                ways = np.array([math.exp(eta / 2), math.exp(tie), math.exp(-eta / 2)])
                outcome = (1.0, 0.5, 0.0)[int(rng.choice(3, p=ways / ways.sum()))]
                rows.append((f"t{t}", f"j{j}", names[a], names[b], outcome))
    return rows


def cells_of(rows, systems):
    """The cells of votes, and their wins, ties and losses by task."""
    number = {s: k for k, s in enumerate(systems)}
    key = np.array([number[a] * len(systems) + number[b] for _, _, a, b, _ in rows])
    known, cell = np.unique(key, return_inverse=True)
    task = np.unique([r[0] for r in rows], return_inverse=True)[1]
    place = (task * len(known) + cell) * 3 + np.rint([2 - 2 * r[4] for r in rows]).astype(int)
    table = np.bincount(place, minlength=(task.max() + 1) * len(known) * 3).reshape(task.max() + 1, -1)
    return Model(known // len(systems), known % len(systems), np.ones((len(known), 1)), len(systems)), table.astype(
        float
    )


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("place", [True, False])
@given(outcomes=st.lists(st.sampled_from([1.0, 0.5, 0.0]), min_size=6, max_size=6), prior=st.sampled_from([0.3, 1.0]))
@settings(max_examples=6, deadline=None)
def test_strengths_are_those_of_a_search_without_derivatives(ties, place, outcomes, prior):
    assume(set(outcomes) != {0.5} or ties != "rao-kupper")  # of ties alone the likelihood has no highest point
    pairs = [(a, b) for a in "abc" for b in "abc" if a != b]
    votes = [("t", "j", *pair, o) for pair, o in zip(pairs, outcomes, strict=True)]
    model, table = cells_of(votes, "abc")
    model = Model(model.first, model.second, model.x if place else model.x[:, :0], 3, ties, prior)
    found = fit(model, table.sum(axis=0).reshape(1, -1, 3))
    strengths, effect, tau = reference.bradley_terry(votes, ties, place, prior)
    np.testing.assert_allclose(found.strengths[0], [strengths[s] for s in "abc"], atol=1e-6)
    if place:
        assert found.effects[0, 0] == pytest.approx(effect, abs=1e-6)
    if {1.0, 0.0} & set(outcomes) and 0.5 in outcomes:
        assert found.tau[0] == pytest.approx(tau, abs=1e-5, nan_ok=True)


@pytest.mark.parametrize("ties", TIES)
def test_a_leaderboard_is_that_of_a_search_without_derivatives(ties):
    votes = contests(np.random.default_rng(3), 12, 2, np.array([0.8, 0.2, -0.2, -0.8]), place=0.4)
    found = q.quality(panel(votes), f"bradley_terry(ties={ties})", resamples=0)["bradley_terry"]
    strengths, place, _ = reference.bradley_terry(votes, ties, place=True)
    assert {o.labels["system"]: o.value for o in found.overall} == pytest.approx(strengths, abs=1e-6)
    assert found.about[0]["place"] == pytest.approx(place, abs=1e-6)
    assert found.about[0]["prior"] == 0.0


@pytest.mark.parametrize("ties", TIES)
def test_draws_by_one_step_spread_as_full_fits_do(ties):
    rng = np.random.default_rng(1)
    model, table = cells_of(contests(rng, 150, 2, np.array([0.6, 0.0, -0.6])), "abc")
    model = Model(model.first, model.second, model.x, 3, ties)
    own = table.sum(axis=0).reshape(1, -1, 3)
    draws = (drawn(150, 400, rng) @ table).reshape(400, -1, 3)
    quick, full = one_step(fit(model, own), model, own, draws), fit(model, draws)
    assert full.settled.all()
    np.testing.assert_allclose(quick.strengths.std(axis=0), full.strengths.std(axis=0), rtol=0.06)
    assert quick.effects.std() == pytest.approx(full.effects.std(), rel=0.06)


@pytest.mark.long
def test_intervals_hold_the_truth_although_judges_share_their_tasks():
    rng, true = np.random.default_rng(2), np.array([0.8, 0.0, -0.8])
    model, table = cells_of(contests(rng, 4000, 1, true, place=0.3, spread=0.8), "abc")
    wanted = fit(model, table.sum(axis=0).reshape(1, -1, 3)).strengths[0]  # what many tasks say
    held = np.zeros(3)
    for k in range(60):
        rows = contests(rng, 15, 4, true, place=0.3, spread=0.8)
        found = q.quality(panel(rows), "bradley_terry", seed=k, **BRIEF)["bradley_terry"].overall
        for o in found:
            system = "abc".index(o.labels["system"])
            held[system] += o.interval.low <= wanted[system] <= o.interval.high
    assert held.min() >= 51  # of 60 at 95 %: one in a thousand has fewer
    assert held.mean() <= 60


def test_four_judges_who_say_the_same_on_a_task_are_one_cluster():
    rows = contests(np.random.default_rng(4), 30, 1, np.array([0.5, 0.0, -0.5]))
    four = [(t, j, *rest) for t, _, *rest in rows for j in "klmn"]
    method, options = parse("bradley_terry", "votes", "quality"), Options(**BRIEF)
    one, many = (Figures.of(method, VoteDesign.of(panel(r).by_name)) for r in (rows, four))
    np.testing.assert_allclose(many.value, one.value, atol=1e-9)
    for a, b in zip(one.intervals(options), many.intervals(options), strict=True):
        assert b.high - b.low == pytest.approx(a.high - a.low, rel=1e-6)


def test_votes_without_question_ids_draw_voters():
    rng = np.random.default_rng(5)
    rows = []
    for j in range(60):
        for a, b in ("xy", "yz", "xz"):
            shown = (a, b) if rng.random() < 0.5 else (b, a)
            rows.append((f"j{j}", *shown, min(a, b) if rng.random() < 0.7 else max(a, b)))
    found = q.quality(q.Votes.from_votes(rows), "win_rate", **BRIEF)
    best = found["win_rate"].overall[0]
    assert best.labels["system"] == "x"
    assert best.interval.over == "judges"
    assert best.interval.low > 0.6
    assert best.interval.high < 0.8
    assert not any("it takes at least" in s for s in (*found.sentences, *found.notes))


def test_a_vote_each_are_the_units():
    rng = np.random.default_rng(6)
    rows = [(f"j{k}", "x", "y", "x" if rng.random() < 0.6 else "y") for k in range(400)]
    found = q.quality(q.Votes.from_votes(rows), "win_rate", **BRIEF)["win_rate"].overall[0]
    error = 1.96 * math.sqrt(found.value * (1 - found.value) / 400)
    assert found.interval.high - found.interval.low == pytest.approx(2 * error, rel=0.15)


def test_the_votes_of_one_judge_without_question_ids_are_drawn_and_that_is_said():
    rng = np.random.default_rng(7)
    rows = [("llm", *pair, pair[int(rng.random() < 0.3)]) for _ in range(50) for pair in (("x", "y"), ("y", "x"))]
    found = q.quality(q.Votes.from_votes(rows), **BRIEF)
    assert {o.interval.over for o in found["bradley_terry"].overall} == {"votes"}
    assert any("votes are drawn as if each stood for itself" in note for note in found.notes)


def test_turns_of_a_question_are_drawn_together(tmp_path):
    lines = ["judge,question_id,turn,model_a,model_b,winner"]
    rng = np.random.default_rng(8)
    for k in range(40):
        winner = "model_a" if rng.random() < 0.6 else "model_b"
        lines += [f"ann,{k},{turn},x,y,{winner}" for turn in (1, 2)]
    (tmp_path / "v.csv").write_text("\n".join(lines))
    votes = q.read(tmp_path / "v.csv")
    assert len(votes.tasks) == 80
    one = votes.select(tasks=[t for t in votes.tasks if str(t).endswith("-1")])
    wide, same = (q.quality(p, "win_rate", resamples=1000)["win_rate"].overall[0].interval for p in (votes, one))
    assert wide.high - wide.low == pytest.approx(same.high - same.low, rel=0.1)


# -- places ------------------------------------------------------------------------------------------------------------


def test_the_place_is_told_apart_from_systems():
    rng = np.random.default_rng(9)
    votes = panel(contests(rng, 300, 1, np.array([0.5, -0.5]), place=1.0, spread=0.0, pairs=1))
    found = q.quality(votes, "bradley_terry", **BRIEF)
    assert found["bradley_terry"].about[0]["place"] == pytest.approx(1.0, abs=0.5)
    assert any("free of what the first place is worth" in note for note in found.notes)
    trusted = q.trust(votes, "place")
    assert trusted["place"].interval.low > 0.5
    assert "the first place is favoured" in trusted.sentences[1]


def test_in_one_order_only_a_place_is_never_a_number():
    """As in PandaLM's test set: every pair is shown one way, and the second happens to be better."""
    rng = np.random.default_rng(10)
    rows = [(f"t{t}", j, "a", "b", float(rng.random() < 0.3)) for t in range(60) for j in ("ann", "bob", "cid", "llm")]
    votes = panel(rows)
    trusted = q.trust(votes)
    assert math.isnan(trusted["place"].value)
    assert any("every pair is shown in one order only" in s for s in trusted.sentences)
    judged = q.judges(votes, **BRIEF)
    assert all(math.isnan(v) for v in figures(judged, "place").values())
    everything = " ".join([*trusted.sentences, *judged.sentences, *judged.notes, str(trusted), str(judged)])
    assert "favoured" not in everything.replace("Whether a place is favoured cannot be told", "")
    board = q.quality(votes, **BRIEF)
    assert any("what the first place is worth is in the strengths" in note for note in board.notes)
    assert not board["bradley_terry"].about[0]["placed"]


def test_a_column_that_does_not_apply_has_a_dash():
    rows = [(f"t{t}", "sees both", *shown, 1.0) for t in range(6) for shown in (("x", "y"), ("y", "x"))]
    rows += [(f"t{t}", "sees one", "x", "y", 1.0) for t in range(6)]
    said = str(q.judges(panel(rows), **BRIEF))
    line = next(line for line in said.splitlines() if line.startswith("sees one"))
    assert "undefined" not in line
    assert " - " in line


def test_a_lone_judge_with_a_lucky_streak_does_not_favour_a_place():
    rng = np.random.default_rng(11)
    claims = 0
    for k in range(30):
        rows = []
        for t in range(8):
            for j in range(20):
                a, b = ("x", "y") if rng.random() < 0.5 else ("y", "x")
                rows.append((f"t{t}", f"j{j}", a, b, float(rng.random() < 0.5)))
        found = findings.judges(parse("place", "votes", "judges"), VoteDesign.of(panel(rows).by_name), Options(seed=k))
        claims += any(o.labels["p_holm"] < 0.05 for o in found.overall)
    assert claims <= 4  # of 30 panels of 20 judges who do not look at places: 1.5 are expected


# -- priors and parts --------------------------------------------------------------------------------------------------


def test_strengths_without_a_limit_are_held_by_a_prior_and_that_is_said():
    votes = panel([(f"t{t}", "j", "x", "y", 1.0) for t in range(6)])
    found = q.quality(votes, **BRIEF)
    assert any("the votes alone set no limit" in note for note in found.notes)
    # Half a win and half a loss more against an average system: 6 votes of which x won all.
    expected, _, _ = reference.bradley_terry([("t", "j", "x", "y", 1.0)] * 6, prior=0.5)
    assert figures(found, "bradley_terry", "system") == pytest.approx(expected, abs=1e-6)
    linked = panel([(f"t{t}", "j", "x", "y", float(t > 0)) for t in range(6)])
    assert not any("no limit" in note for note in q.quality(linked, **BRIEF).notes)


def test_a_million_votes_of_a_hundred_systems_take_seconds():
    rng, number, systems = np.random.default_rng(0), 1_000_000, 100
    first = rng.integers(systems, size=number)
    second = (first + rng.integers(1, systems, size=number)) % systems
    chance = 1 / (1 + np.exp((first - second) / 20))
    outcome = np.where(rng.random(number) < 0.1, 1, np.where(rng.random(number) < chance, 0, 2))
    begun = time.process_time()
    used, cell = np.unique(first * systems + second, return_inverse=True)
    counts = np.bincount(cell * 3 + outcome, minlength=3 * len(used)).reshape(1, -1, 3)
    model = Model(used // systems, used % systems, np.ones((len(used), 1)), systems)
    found = fit(model, counts)
    many = one_step(found, model, counts, rng.poisson(counts, size=(100, *counts.shape[1:])))
    assert time.process_time() - begun < 8
    assert found.settled.all()
    assert np.corrcoef(found.strengths[0], np.arange(systems))[0, 1] < -0.99
    assert many.strengths.shape == (100, systems)
    assert interval(0.0, many.strengths[:, 0] - found.strengths[0, 0], level=0.95, over="votes", units=number)
