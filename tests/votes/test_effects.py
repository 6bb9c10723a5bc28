"""What else decides votes: covariates in the one model, the own family, what is not identified, and bad columns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter, InputError, LimitReached
from quorate.kernels.bradley_terry import Model, fit
from quorate.panel.pairs import VoteDesign
from quorate.votes import bradley_terry
from tests.calibration.vote_effects import effects_held, self_preference_found
from tests.reference import votes as reference
from tests.votes.made import FAMILIES, JUDGES, planted, typical

BRIEF = {"resamples": 100}


def effects(panel, method="effects", **options):
    found = q.trust(panel, method, **{**BRIEF, **options})["effects"].overall
    return {o.labels["effect"]: o for o in found}


def without(rows, *columns):
    return [{n: v for n, v in row.items() if n not in columns} for row in rows]


@given(
    outcomes=st.lists(st.sampled_from([1.0, 0.5, 0.0]), min_size=6, max_size=6),
    x=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=6, max_size=6),
)
@settings(max_examples=6, deadline=None)
def test_an_effect_is_that_of_a_search_without_derivatives(outcomes, x):
    pairs = [(a, b) for a in range(3) for b in range(3) if a != b]
    votes = [("t", "j", *pair, o) for pair, o in zip(pairs, outcomes, strict=True)]
    first, second = np.array(pairs).T
    counts = (np.array(outcomes)[:, None] == (1.0, 0.5, 0.0)).astype(float)[None]
    found = fit(Model(first, second, np.array(x)[:, None], 3, prior=0.5), counts)
    strengths, effect = reference.with_covariate(votes, x, 0.5)
    np.testing.assert_allclose(found.strengths[0], [strengths[k] for k in range(3)], atol=1e-5)
    assert found.effects[0, 0] == pytest.approx(effect, abs=1e-5)


def test_what_was_planted_is_found_and_the_board_is_put_right():
    rows = planted(np.random.default_rng(1), 150, length=0.6, place=0.3, own=1.0)
    panel = q.Votes.from_votes(rows)
    found = effects(panel, "effects(covariates=length+own_by_judge)", resamples=400)
    true = {"place": 0.3, "length": 0.6 * typical(rows) / 100, "own of north-judge": 1.0, "own of south-judge": 0.0}
    assert set(found) == set(true)
    for name, o in found.items():
        assert o.value == pytest.approx(true[name], abs=0.35)
        assert (o.interval.low > 0) == (true[name] > 0)
    boards = [q.quality(panel, f"bradley_terry{c}", **BRIEF).findings[0] for c in ("", "(covariates=length+own)")]
    order = [[o.labels["system"] for o in f.overall] for f in boards]
    assert order[0].index("south-2") < order[0].index("south-1")  # the longer one, which is worse
    assert order[1] == ["north-1", "north-2", "south-1", "south-2", "east"]
    assert "strengths are free of what these are worth in log odds: length" in " ".join(
        q.quality(panel, "bradley_terry(covariates=length)", **BRIEF).notes
    )


def test_a_judge_who_favours_its_family_is_named_and_an_honest_one_is_not():
    panel = q.Votes.from_votes(planted(np.random.default_rng(2), 100, own=1.0))
    found = q.judges(panel, **BRIEF)
    assert [str(f.method) for f in found.findings][-1] == "self_preference"
    said = [s for s in found.sentences if "own family" in s]
    assert len(said) == 1
    assert said[0].startswith("north-judge favours its own family: its odds of winning are ")
    honest = q.Votes.from_votes(planted(np.random.default_rng(3), 100))
    assert "No judge clearly favours its own family." in q.judges(honest, **BRIEF).sentences


def test_the_page_says_what_bends_the_board_and_who_favours_its_family():
    pytest.importorskip("vl_convert")
    panel = q.Votes.from_votes(planted(np.random.default_rng(1), 60, length=0.6, place=0.3, own=1.0))
    page = q.report(panel, **BRIEF)
    assert any(s.startswith("Take length and the judge's own family out of the leaderboard") for s in page.verdict)
    assert "favours its own family" in page.html()


def test_trust_tells_effects_where_votes_have_covariates_and_not_elsewhere():
    rows = planted(np.random.default_rng(4), 30)
    names = ("judge_family", "family_a", "family_b", "length_a", "length_b")
    with_, without_ = (q.trust(q.Votes.from_votes(r), **BRIEF) for r in (rows, without(rows, *names)))
    assert "effects" in [f.method.name for f in with_.findings]
    assert "effects" not in [f.method.name for f in without_.findings]


def test_an_effect_that_systems_could_explain_is_not_identified():
    rows = [r for r in planted(np.random.default_rng(5), 40) if r["judge"] == "north-judge"]
    found = q.trust(q.Votes.from_votes(rows), "effects(covariates=own)", **BRIEF)
    own = next(o for o in found["effects"].overall if o.labels["effect"] == "own")
    assert math.isnan(own.value)
    assert own.interval is None
    assert any("cannot be told from what the systems are worth" in s for s in found.sentences)
    board = q.quality(q.Votes.from_votes(rows), "bradley_terry(covariates=own)", **BRIEF)
    assert any("not told from the systems, and left out: own" in note for note in board.notes)


def test_a_column_of_differences_is_a_covariate_and_a_constant_changes_nothing():
    rows = planted(np.random.default_rng(6), 40, length=0.6)
    one = [{**r, "gap": r["length_a"] - r["length_b"], "flat_a": 3, "flat_b": 3} for r in rows]
    panel = q.Votes.from_votes(without(one, "length_a", "length_b"))
    both = effects(q.Votes.from_votes(rows), "effects(covariates=length)")["length"]
    assert effects(panel, "effects(covariates=gap)")["gap"].value == pytest.approx(both.value, abs=1e-12)
    assert math.isnan(effects(panel, "effects(covariates=flat)")["flat"].value)


def test_swapping_all_places_and_winners_turns_the_place_and_nothing_else():
    rows = planted(np.random.default_rng(7), 40, length=0.6, place=0.4, own=0.8)
    other = {"model_a": "model_b", "model_b": "model_a"}
    turned = [
        {**r, **{f"{n}_{s}": r[f"{n}_{'ba'['ab'.index(s)]}"] for n in ("model", "length", "family") for s in "ab"}}
        | {"winner": other.get(r["winner"], r["winner"])}
        for r in rows
    ]
    a, b = (effects(q.Votes.from_votes(r)) for r in (rows, turned))
    assert b["place"].value == pytest.approx(-a["place"].value, abs=1e-9)
    for name in ("length", "own"):
        assert b[name].value == pytest.approx(a[name].value, abs=1e-9)


def test_the_order_of_rows_and_of_judges_makes_no_difference():
    rows = planted(np.random.default_rng(8), 15, length=0.5)
    mixed = [rows[k] for k in np.random.default_rng(0).permutation(len(rows))]
    a, b = (q.trust(q.Votes.from_votes(r), "effects", "next_pairs", **BRIEF).to_json() for r in (rows, mixed))
    assert a == b


def test_families_may_be_told_on_reading_and_must_name_somebody(tmp_path):
    rows = planted(np.random.default_rng(9), 20, own=1.0)
    panel = q.Votes.from_votes(rows)
    path, families = tmp_path / "v.csv", tmp_path / "families.csv"
    frame = without(rows, "judge_family", "family_a", "family_b")
    path.write_text("\n".join([",".join(frame[0]), *(",".join(map(str, r.values())) for r in frame)]))
    pairs = {**FAMILIES, **{j: f for j, f in JUDGES.items() if f}}
    families.write_text("\n".join(["name,family", *(f"{n},{f}" for n, f in pairs.items())]))
    for given_ in (str(families), pairs):
        told = q.read(path, families=given_)
        assert effects(told)["own"].value == pytest.approx(effects(panel)["own"].value, abs=1e-9)
    with pytest.raises(InputError, match="families name no judge of the votes"):
        q.read(path, families={"nobody": "x"})
    families.write_text("name,family\nann,x,y\n")
    with pytest.raises(InputError, match="a name and its family are needed"):
        q.read(path, families=str(families))
    with pytest.raises(InputError, match="families are of votes"):
        q.read(q.Orderings.from_orders({"ann": "ab", "bob": "ba"}).to_frame(), families=pairs)


def test_a_system_of_the_judges_name_is_its_own_without_columns():
    votes = [("t", "x", "x", "y", "x"), ("t", "z", "x", "y", "y"), ("t", "y", "x", "y", "tie")]
    v = VoteDesign.of(q.Votes.from_votes(votes).by_name)
    assert v.own_family[np.argsort(v.judge)].tolist() == [1.0, -1.0, 0.0]


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("effects(covariates=lenght)", "no columns 'lenght_a' and 'lenght_b', and no column 'lenght'"),
        ("effects(covariates=length+)", "has an empty name"),
        ("effects(covariates=note)", "the column 'note' has no number on 1 vote: 'long'"),
        ("effects(covariates=own)", "no vote is about a system of the judge's own family"),
    ],
)
def test_bad_covariates_are_answered_with_what_there_is(asked, fact):
    columns = {"judge": ["j"] * 2, "model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["a", "b"]}
    more = {"length_a": [1, 2], "length_b": [2, 2], "note": ["long", 1]}
    with pytest.raises(BadParameter) as caught:
        q.trust(q.Votes.build({**columns, **more}), asked)
    assert fact in caught.value.fact


def test_a_place_of_each_judge_is_found_and_too_many_judges_are_refused(monkeypatch):
    rows = [r | {"place": 0} for r in planted(np.random.default_rng(10), 60)]
    for r in rows:
        r["winner"] = "model_a" if r["judge"] == "ann" else r["winner"]  # ann takes what is shown first
    panel = q.Votes.from_votes(rows)
    about = q.quality(panel, "bradley_terry(place=judge)", resamples=0).findings[0].about[0]
    assert about["effects"]["place of ann"] > 3
    assert abs(about["effects"]["place of bob"]) < 0.5
    monkeypatch.setattr(bradley_terry, "JUDGES", 2)
    with pytest.raises(LimitReached, match="too many for an effect of the place each"):
        q.quality(q.Votes.from_votes(rows), "bradley_terry(place=judge)", resamples=0)


@pytest.mark.parametrize("rows", [1, 2])
def test_one_vote_or_two_have_effects_without_intervals(rows):
    made = planted(np.random.default_rng(11), 1, pairs=1)[:rows]
    found = effects(q.Votes.from_votes(made), "effects(covariates=length)")
    assert all(o.interval is None or math.isfinite(o.value) for o in found.values())


def test_p_of_a_preference_goes_with_its_interval():
    for seed in range(6):
        rows = planted(np.random.default_rng(20 + seed), 15, own=0.6)
        for o in q.judges(q.Votes.from_votes(rows), "self_preference", resamples=1000)["self_preference"].overall:
            if o.interval is not None and o.labels["p_holm"] < 0.03:
                assert not o.interval.low <= 0 <= o.interval.high
            if o.interval is not None and o.labels["p_holm"] > 0.2:
                assert o.interval.low <= 0 <= o.interval.high


def test_intervals_hold_what_was_planted_on_a_few_panels():
    found = [effects_held(seed, 30, 0.5, 0.3, 0.9) for seed in range(12)]
    for name in found[0]:
        assert np.mean([f[name] for f in found]) >= 0.75  # of 12 at 95 %: one in a thousand has fewer
    assert sum(self_preference_found(seed, 30)["p <= 0.05 for some judge"] for seed in range(12)) <= 4


def test_all_may_stand_beside_others():
    v = VoteDesign.of(q.Votes.from_votes(planted(np.random.default_rng(0), 4)))
    assert bradley_terry.named(v, "all") == bradley_terry.named(v, "own+all+own")[::-1] == ("length", "own")
    assert bradley_terry.named(v, "all+own_by_judge") == ("length", "own_by_judge")
    with pytest.raises(BadParameter, match="no column 'lenght'") as error:
        effects(q.Votes.from_votes(planted(np.random.default_rng(0), 4)), "effects(covariates=lenght)")
    assert "length_a" not in str(error.value.hint)


def test_a_board_says_what_else_may_be_in_its_strengths():
    """Whoever asked for the board alone was not told that length may decide it."""
    rows = planted(np.random.default_rng(0), tasks=20, length=0.5)
    panel = q.Votes.build({name: [row[name] for row in rows] for name in rows[0]})
    bare, free = (
        q.quality(panel, m, resamples=0, permutations=0).notes
        for m in ("bradley_terry", "bradley_terry(covariates=all)")
    )
    said = "may be worth is in the strengths; --covariates all takes it out"
    assert any("what length" in note and said in note for note in bare)
    assert not any(said in note for note in free)
    alone = q.Votes.build({name: [r[name] for r in rows] for name in ("task", "judge", "model_a", "model_b", "winner")})
    assert not any(said in note for note in q.quality(alone, resamples=0, permutations=0).notes)
