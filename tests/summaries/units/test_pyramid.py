"""Pyramid scores: the worked example, derivation by hand, the definitions, and every edge."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter
from quorate.formats.ducview import read_peer
from quorate.summaries.declarations import ROUNDINGS
from quorate.summaries.units.model import ContentUnits
from quorate.summaries.units.pyramid import (
    Ideal,
    comprehensive,
    model_scores,
    modified,
    original,
    scores,
    without_model,
)
from quorate.summaries.units.reading import from_peers
from tests.formats.test_ducview import PEER
from tests.reference import pyramid as reference


@pytest.fixture
def example(tmp_path):
    path = tmp_path / "D9901-A.M.100.K.7.pan"
    path.write_text(PEER)
    return from_peers([read_peer(path)])


@pytest.mark.parametrize(
    ("rounding", "expected"), [("floor", 0.6667), ("half_up", 0.5714), ("ceil", 0.5714), ("interpolate", 4 / 6.5)]
)
def test_the_worked_example(example, rounding, expected):
    (s,) = scores(example, rounding=rounding)
    assert (s.task, s.item, s.judge) == ("D9901-A", "7", "K")
    assert (s.observed, s.found, s.repetitions, s.outside) == (4, 2, 0, 1)
    assert round(s.original, 4) == 0.6667
    assert s.modified == pytest.approx(expected, abs=5e-5)
    assert s.comprehensive == pytest.approx(2 / (1 / s.original + 1 / s.modified))
    assert s.comprehensive_mean == pytest.approx((s.original + s.modified) / 2)


def four_models(found=(), outside=0):
    """Units a (PQRS), b (PQ), c (S), d (QRS): weights 4, 2, 1, 3; the average model has 10 / 4 = 2.5."""
    models = {"a": "P Q R S", "b": "P Q", "c": "S", "d": "Q R S"}
    rows = [(u, 1.0 if u in found else 0.0) for u in models] + [("0", 1.0)] * outside
    return ContentUnits.build(
        {
            "unit": [u for u, _ in rows],
            "item": ["x"] * len(rows),
            "support": [s for _, s in rows],
            "models": [models.get(u, "") for u, _ in rows],
            "weight": [len(models.get(u, "").split()) for u, _ in rows],
            "mention": [str(k) for k in range(len(rows))],
        }
    )


def test_three_model_pyramids_by_hand():
    # Without S unit c disappears: weights a 3, b 2, d 2, average 7/3 -> 2, best 5. Found are c (gone, 0) and d (2).
    left = {u.id: u.weight for u in without_model(four_models().units, "S")}
    assert left == {"a": 3, "b": 2, "d": 2}
    without_s = 2 / 5
    # Without P: a 3, b 1, c 1, d 3; average 8/3 -> 3, best 7; found 1 + 3.
    # Without Q: a 3, b 1, c 1, d 2; average 7/3 -> 2, best 5; found 1 + 2.
    # Without R: a 3, b 2, c 1, d 2; average 8/3 -> 3, best 7; found 1 + 2.
    by_hand = (4 / 7 + 3 / 5 + 3 / 7 + without_s) / 4
    (s,) = scores(four_models("cd"))
    assert s.jackknife == pytest.approx(by_hand)
    assert s.modified == pytest.approx(4 / (4 + 3 + 2))


def test_a_model_is_scored_against_the_others_by_its_own_contributors():
    rows = {r["model"]: r for r in model_scores(four_models())}
    assert rows["S"]["found"] == 2  # a and d; c is only its own
    assert rows["S"]["modified"] == pytest.approx((3 + 2) / 5)
    assert rows["P"]["modified"] == pytest.approx((3 + 1) / 7)


def test_an_item_that_says_nothing_scores_nothing():
    (s,) = scores(four_models())
    assert (s.original, s.modified, s.comprehensive, s.comprehensive_mean) == (0, 0, 0, 0)


def test_an_empty_pyramid_gives_missing_and_not_nothing():
    assert math.isnan(original(0, Ideal.of([]), 0))
    assert math.isnan(modified(0, Ideal.of([]), 4))
    assert math.isnan(modified(1, Ideal.of([1]), 3, "floor"))  # a third of a contributor is rounded to none
    assert all(map(math.isnan, comprehensive(math.nan, 0.5)))


def test_without_models_there_is_no_modified_score():
    (s,) = scores(ContentUnits.build({"unit": ["a"], "item": ["x"], "support": [1], "weight": [2]}))
    assert s.original == 1
    assert math.isnan(s.modified)
    assert math.isnan(s.jackknife)


def test_a_score_above_one_is_kept_unless_it_is_to_be_capped():
    (raw,), (capped,) = scores(four_models("abcd")), scores(four_models("abcd"), cap=True)
    assert raw.modified == pytest.approx(10 / 9)
    assert capped.modified == 1
    assert raw.comprehensive == capped.comprehensive == 1


def test_repetitions_and_misses_count_against_the_original_score_only():
    (plain,), (more,) = scores(four_models("ab")), scores(four_models("ab", outside=2))
    assert more.outside == 2
    assert more.original < plain.original
    assert more.modified == plain.modified
    twice = ContentUnits.build({"unit": ["a", "a", "b"], "item": ["x"] * 3, "support": [1, 1, 0], "weight": [2, 2, 1]})
    (s,) = scores(twice)
    assert (s.found, s.repetitions, s.original) == (1, 1, 2 / 3)


def test_a_model_that_contributes_twice_counts_once_if_asked():
    raw = {"unit": ["a", "b"], "item": ["x", "x"], "support": [1, 0], "weight": [3, 1], "models": ["P P Q", "Q"]}
    (by_contributors,), (by_models,) = (scores(ContentUnits.build(raw), weight=w) for w in ("contributors", "models"))
    assert (by_contributors.observed, by_models.observed) == (3, 2)


def test_unknown_rules_are_told():
    with pytest.raises(BadParameter, match="half_up"):
        scores(four_models(), rounding="half")
    with pytest.raises(BadParameter, match="contributors, models"):
        scores(four_models(), weight="x")


@given(data=st.data())
def test_scores_are_those_of_the_definitions(data):
    models = data.draw(st.lists(st.sampled_from("PQRST"), min_size=2, max_size=5, unique=True))
    said = data.draw(st.lists(st.lists(st.sampled_from(models), min_size=1, unique=True), min_size=1, max_size=8))
    mentions = data.draw(st.lists(st.integers(0, 3), min_size=len(said), max_size=len(said)))
    outside = data.draw(st.integers(0, 3))
    rounding = data.draw(st.sampled_from(ROUNDINGS))
    rows = [(f"u{k}", s, max(m, 1), m > 0) for k, (s, m) in enumerate(zip(said, mentions, strict=True))]
    flat = [(u, s, there) for u, s, m, there in rows for _ in range(m)] + [("0", [], True)] * outside
    table = ContentUnits.build(
        {
            "unit": [u for u, _, _ in flat],
            "item": ["x"] * len(flat),
            "support": [float(t) for _, _, t in flat],
            "weight": [len(s) for _, s, _ in flat],
            "models": [" ".join(s) for _, s, _ in flat],
        }
    )
    known = table.models["all"]
    weights = [len(s) for s in said]
    found = [k for k, m in enumerate(mentions) if m]
    observed = sum(weights[k] for k in found)
    (s,) = scores(table, rounding=rounding)
    repetitions = sum(mentions[k] - 1 for k in found)
    assert s.modified == pytest.approx(reference.modified(observed, weights, len(known), rounding), nan_ok=True)
    assert s.original == pytest.approx(
        reference.original(observed, weights, len(found), repetitions, outside), nan_ok=True
    )
    if len(known) > 1:
        by_unit = dict(enumerate(said))
        expected = reference.jackknife(found, by_unit, known, rounding)
        assert s.jackknife == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.integers(1, 5), max_size=10), st.integers(0, 12))
def test_the_best_weight_is_that_of_the_tiers(weights, size):
    assert Ideal.of(weights).best(size) == reference.best_by_tiers(weights, size)


def test_one_stray_unit_empties_no_tasks_score_without_one_model(tmp_path):
    """A unit of a peer that its pyramid lacks, or a row of a table without models: the others still have a score."""
    import json

    from click.testing import CliRunner

    from quorate.cli import main

    raw = {"unit": ["a", "b", "c"], "item": ["x"] * 3, "support": [1, 0, 1], "models": ["P Q R", "P Q", "P"]}
    alone = scores(ContentUnits.build(raw))[0].jackknife
    stray = {n: [*v, *more] for (n, v), more in zip(raw.items(), (["s"], ["x"], [1], [""]), strict=True)}
    assert not math.isnan(alone)
    for weight in (0, 2):
        made = ContentUnits.build({**stray, "weight": [3, 2, 1, weight]})
        assert scores(made)[0].jackknife == pytest.approx(alone)
    lines = ["unit,item,support,models,weight", "a,x,1,P Q R,3", "b,x,0,P Q,2", "c,x,1,P,1", "s,x,1,,2"]
    (tmp_path / "u.csv").write_text("\n".join(lines))
    told = CliRunner().invoke(main, ["pyramid", "score", str(tmp_path / "u.csv"), "--format", "json"])
    found = json.loads(told.stdout)
    assert found["items"][0]["jackknife"] == pytest.approx(alone)
    assert found["notes"] == ["task all: a unit without models is left out of the scores without one model: s"]
