"""The page and command of models as judges, for judgments of every kind."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.panel.as_scores import as_scores
from quorate.panel.judge_kinds import with_models
from tests.scores.test_worth_and_bias import judged
from tests.without import without_flags

pytestmark = pytest.mark.usefixtures("in_small")

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
QUICK = {"resamples": 50, "permutations": 0}
NOISE = {"ann": 0.6, "bob": 0.6, "cat": 0.6, "good": 0.3, "bad": 4.0}


def orders(rng):
    made = {}
    for t in range(40):
        true = rng.normal(size=6)
        made[t] = {j: [f"i{k}" for k in np.argsort(-(true + s * rng.normal(size=6)))] for j, s in NOISE.items()}
    return q.Orderings.from_orders(made)


def votes(rng):
    rows = []
    for t in range(120):
        gap = rng.normal()
        rows += [(t, j, "x", "y", "x" if gap + s * rng.normal() > 0 else "y") for j, s in NOISE.items()]
    return q.Votes.from_votes(rows)


def groups(rng):
    made = {}
    for t in range(35):
        true = rng.integers(0, 3, 7)
        own = {j: np.where(rng.random(7) < min(s / 3, 1), rng.integers(0, 3, 7), true) for j, s in NOISE.items()}
        made[t] = {j: {f"i{k}": int(g) for k, g in enumerate(said)} for j, said in own.items()}
    return q.Groupings.from_groups(made)


def labels(rng):
    true = rng.integers(0, 3, 120)
    own = {j: np.where(rng.random(120) < min(s / 3, 1), rng.integers(0, 3, 120), true) for j, s in NOISE.items()}
    return q.Scores.from_labels({j: {f"i{k:03d}": "abc"[g] for k, g in enumerate(said)} for j, said in own.items()})


@pytest.mark.parametrize("make", [orders, votes, groups, labels])
@without_flags
def test_of_every_kind_the_good_model_may_stand_in_and_the_bad_one_not(make):
    found = q.model_judges(make(np.random.default_rng(0)), models=["good", "bad"], **QUICK)
    assert [(v.judge, v.replaces) for v in found.verdicts] == [("good", True), ("bad", False)]
    assert found.verdicts[0].worth.value > 1 > 0.3 > found.verdicts[1].worth.value
    assert [r["judges"] for r in found.agreement] == ["people", "models", "people and models"]
    assert found.text(80)


def test_what_a_model_is_worth_is_told_with_its_own_figure_and_as_plain_json():
    panel = labels(np.random.default_rng(0))
    found = q.model_judges(panel, models=["good", "bad"], **QUICK)
    told = [f for f in found.facts if f.data.get("method") == "people_worth"]
    assert [f.text.partition(" is worth")[0] for f in told] == [f.data["estimate"].labels["judge"] for f in told]
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    kept = [f["data"]["estimate"] for f in plain["facts"] if f["data"].get("method") == "people_worth"]
    assert [e["judge"] for e in kept] == ["good", "bad"]
    assert [e["value"] for e in kept] == [f.data["estimate"].value for f in told]


def test_a_model_better_than_any_number_of_people_in_all_draws_has_no_interval():
    same = {f"i{k:02d}": "ab"[k % 3 == 0] for k in range(24)}
    own = {j: {**same, f"i{k:02d}": "ab"[k % 3 != 0]} for k, j in enumerate(("ann", "bob"))}
    found = q.model_judges(q.Scores.from_labels({**own, "bot": same, "bit": same}), models=["bot", "bit"], **QUICK)
    assert "any number" not in "\n".join(found.sentences)
    assert "too large to" not in found.text(80)


def test_judgments_as_scores_keep_what_they_say():
    voted = q.Votes.from_votes([("ann", "x", "y", "x"), ("bob", "y", "x", "x"), ("cat", "y", "x", "tie")])
    assert as_scores(voted).value.tolist() == [1.0, 1.0, 0.5]
    grouped = q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}})
    assert as_scores(with_models(grouped, ["ann"])).value.tolist() == [1.0, 0.0, 0.0]


def test_votes_as_scores_tell_both_sides_as_one_difference():
    names = ("judge", "model_a", "model_b", "winner", "length_a", "length_b", "judge_family", "family_a", "family_b")
    rows = [("bot", "x", "y", "x", 30, 10, "f", "f", "g"), ("bot", "y", "x", "x", 10, 30, "f", "g", "f")]
    rows += [("bot", "x", "z", "z", 10, 40, "f", "f", "f")]
    made = as_scores(q.Votes.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))))
    told = {n: np.array(made.labels[n].values(), float) for n in ("length", "own family", "first place")}
    order = np.argsort(made.item.codes, kind="stable")
    assert told["own family"][order].tolist() == [1.0, 1.0, 0.0]
    assert sorted(told["first place"][order][:2].tolist()) == [-0.5, 0.5]
    assert (told["length"][order] > 0).tolist() == [True, True, False]
    assert not {"length_a", "family_b", "model_a"} & set(made.labels)


def test_a_model_s_votes_for_its_own_family_are_told_with_whether_it_may_stand_in():
    panel = q.read(EXAMPLES / "arena.csv", families=EXAMPLES / "families.csv")
    found = q.model_judges(panel, models=["north-judge", "south-judge"], resamples=200, permutations=99)
    told = {str(v.judge): [o.labels["column"] for o in v.biases if o.labels.get("odds")] for v in found.verdicts}
    assert told == {"north-judge": ["own family"], "south-judge": []}
    assert any("north-judge favours its own family: its odds of winning are 2.5" in s for s in found.sentences)
    assert not any("No bias of a model is seen" in s for s in found.sentences)


def test_the_page_says_who_may_stand_in_and_why():
    panel = judged(4, tasks=40, length=0.5, shift=1.5)
    page = q.report(panel, **QUICK)
    assert [p.name for p in page.parts] == ["models"]
    assert page.first_screen.headline.startswith("bot may not stand in for people, because it scores 1.")
    assert "favours long answers" in page.first_screen.sub
    assert [t.asks for t in page.first_screen.tiles] == [
        "May a model stand in?",
        "Do models agree with people?",
        "How many people is it worth?",
        "Does a model favour anything?",
    ]
    assert {c.name for c in page.pictures} >= {"as-near", "favours", "calibration"}


def test_command_and_python_say_the_same(tmp_path):
    panel = judged(4, tasks=40, length=0.5)
    q.write(panel, tmp_path / "judged.csv")
    words = ["models", str(tmp_path / "judged.csv"), "--format", "csv", "--raw", "--resamples", "50"]
    out = CliRunner().invoke(main, words)
    assert out.exit_code == 0, out.output
    (row,) = csv.DictReader(io.StringIO(out.output))
    (own,) = q.model_judges(panel, resamples=50).rows()
    assert float(row["worth"]) == pytest.approx(own["worth"])
    assert row["favours"] == str(own["favours"])


def test_too_few_items_and_nobody_told_apart():
    few = judged(0, tasks=8)
    found = q.model_judges(few, **QUICK)
    assert found.verdicts[0].replaces is None
    assert q.report(few, **QUICK).first_screen.headline.startswith("Too few items")
    with pytest.raises(InputError, match="judge_kind"):
        q.model_judges(q.Orderings.from_orders(["abc", "acb"]))
    one = q.Scores.from_matrix([[1, 2, 3], [2, 1, 3]], judges=["ann", "bot"])
    assert q.model_judges(one, models=["bot"], **QUICK).verdicts[0].replaces is None
    with pytest.raises(InputError, match="labels"):
        q.model_judges(labels(np.random.default_rng(0)), models=["good"], columns=["length"], **QUICK)


def test_a_model_that_few_items_do_not_settle_is_not_said_to_be_less_than_a_person():
    rng = np.random.default_rng(6)
    rows = []
    for item in range(40):
        worth = rng.normal(3, 1)
        rows += [(j, f"i{item}", "human", round(worth + rng.normal(0, 0.7))) for j in ("ann", "bob", "cat")]
        rows.append(("bot", f"i{item}", "model", round(worth + rng.normal(0, 0.75))))
    columns = zip(("judge", "item", "judge_kind", "score"), map(list, zip(*rows, strict=True)), strict=True)
    found = q.model_judges(q.Scores.build(dict(columns)), resamples=100)
    (bot,) = found.verdicts
    assert bot.replaces is False
    assert bot.worth.interval.high >= 1
    assert "not yet shown" in str(found.facts[0])
    assert "less than a person" not in str(found.facts[0])


def scored(scores, kinds):
    rows = [(j, f"i{i}", kind, s) for i, each in enumerate(scores) for (j, kind), s in zip(kinds, each, strict=True)]
    names = ("judge", "item", "judge_kind", "score")
    return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def test_where_people_agree_by_chance_nobody_may_stand_in():
    panel = scored(
        np.random.default_rng(9).integers(1, 6, (50, 4)).tolist(),
        [("p", "human"), ("q", "human"), ("r", "human"), ("bot", "model")],
    )
    found = q.model_judges(panel, resamples=100)
    assert (found.verdicts[0].replaces, found.verdicts[0].untold) == (None, "chance")
    assert found.rows()[0]["stands_in"] is None
    assert "people themselves do not clearly agree" in str(found.facts[0])
    assert not any("is worth" in f.text and " people (" in f.text for f in found.facts)
    assert q.report(panel, resamples=100).first_screen.headline.startswith("People do not clearly agree")


def test_beside_one_person_that_is_the_reason():
    panel = scored([[k % 5 + 1, k % 5 + 1] for k in range(40)], [("p", "human"), ("bot", "model")])
    assert "there is one person only" in str(q.model_judges(panel, **QUICK).facts[0])


def test_of_two_systems_the_one_that_is_favoured_is_named():
    rng, rows = np.random.default_rng(3), []
    for t in range(60):
        good = rng.normal(3, 1)
        for s in "AB":
            rows += [(p, t, f"{t}{s}", "human", s, good + rng.normal(0, 0.5)) for p in "pq"]
            rows.append(("bot", t, f"{t}{s}", "model", s, good + (s == "B") + rng.normal(0, 0.5)))
    names = ("judge", "task", "item", "judge_kind", "system", "score")
    found = q.model_judges(q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), **QUICK)
    (bias,) = (o for o in found.verdicts[0].biases if o.labels["column"] == "system")
    assert (bias.labels["favours"], bias.value > 0.5) == ("B", True)
    assert found.rows()[0]["favours"] == ["system B"]


def test_judgments_too_few_for_a_page_of_models_have_the_usual_page_and_a_note():
    columns = {
        "judge": ["a", "b", "c"],
        "item": ["x"] * 3,
        "group": ["1", "1", "2"],
        "judge_kind": ["human", "llm", "human"],
    }
    panel = q.Groupings.build(columns)
    page = q.report(panel, resamples=10, permutations=10)
    assert "model" not in page.role
    assert any("nothing is said of people and models: no judge was shown two items" in note for note in page.repaired)
    with pytest.raises(InputError, match="no judge was shown two items"):
        q.report(panel, models={})


def test_the_only_model_may_be_a_copy_of_a_person():
    rng = np.random.default_rng(1)
    base = rng.normal(size=60)
    said = {who: np.clip(np.round(3 + base + rng.normal(0, 0.8, 60)), 1, 5) for who in ("Ana", "Bo", "Cy")}
    said["llm"] = said["Ana"]
    rows = [(j, f"i{i}", s, "llm" if j == "llm" else "human") for j, row in said.items() for i, s in enumerate(row)]
    panel = q.Scores.build(
        dict(zip(("judge", "item", "score", "judge_kind"), map(list, zip(*rows, strict=True)), strict=True))
    )
    found = q.judges(panel, "alternative", resamples=20, permutations=0)
    assert [row["copy_of"] for row in found.more["one_voice"]] == ["Ana"]
    assert [o.labels["judge"] for o in found["alternative"].overall if o.value == o.value] == ["llm"]
    assert q.report(panel, resamples=20, permutations=20).role == "model judges beside people"


@pytest.mark.parametrize(("noise", "word"), [(0.8, "Cannot be told"), (9.0, "Less than people do")])
def test_of_few_items_only_what_intervals_tell_apart_is_said(noise, word):
    rng = np.random.default_rng(4)
    base, rows = rng.normal(0, 2, 20), []
    for judge, off in (("ann", 0.3), ("bob", 0.3), ("cat", 0.3), ("llm", noise)):
        kind = "llm" if judge == "llm" else "human"
        rows += [(judge, f"i{k}", s, kind) for k, s in enumerate((base + rng.normal(0, off, 20)).tolist())]
    columns = dict(zip(("judge", "item", "score", "judge_kind"), map(list, zip(*rows, strict=True)), strict=True))
    page = q.report(q.Scores.build(columns), **QUICK)
    (tile,) = (t for t in page.first_screen.tiles if t.asks == "Do models agree with people?")
    assert tile.word == word
    assert "Cannot be told. No model shares 30 items with two people" in " ".join(page.text().split())
