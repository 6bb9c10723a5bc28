"""How many judges must label an item, from assumptions: what is forecast is what such judges reach."""

from __future__ import annotations

import json
import math
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter
from quorate.inference.decision_study import Costs
from quorate.inference.label_forecast import Labelling
from tests.calibration.needed import planned_labels
from tests.family import few


def plain(who, judges):
    """The same of all answers that judges may give, each who guesses or not."""
    wrong, guess = (1 - who.right) / (who.labels - 1), 1 / who.labels
    each = [(label, True, (1 - who.careless) * (wrong if label else who.right)) for label in range(who.labels)]
    each += [(label, False, who.careless * guess) for label in range(who.labels)]
    majority = model = 0.0
    for answers in product(each, repeat=judges):
        chance = math.prod(p for *_, p in answers)
        every = [sum(a == label for a, *_ in answers) for label in range(who.labels)]
        known = [sum(a == label and careful for a, careful, _ in answers) for label in range(who.labels)]
        majority += chance * (every[0] > max(every[1:]))
        model += chance * (known[0] == max(known)) / known.count(max(known))
    return majority, model


@pytest.mark.parametrize("who", [Labelling(2, 0.8, 0.2), Labelling(3, 0.6, 0.1), Labelling(2, 0.7, 0.0)])
def test_the_forecast_is_that_of_all_answers(who):
    for judges in (1, 2, 3):
        assert who.forecast(judges, np.random.default_rng(0)) == pytest.approx(plain(who, judges), abs=0.012)


def test_judges_who_agree_so_are_as_often_right():
    for labels, careless in ((2, 0.0), (4, 0.2)):
        assert Labelling.agreeing(0.3, labels, careless).alpha == pytest.approx(0.3)
    rng, who = np.random.default_rng(0), Labelling(3, 0.8, 0.25)
    truth, guess = rng.integers(3, size=4000), rng.integers(3, size=(2, 4000))
    kept = np.where(rng.random((2, 4000)) < 0.8, truth, (truth + 1 + rng.integers(2, size=(2, 4000))) % 3)
    said = np.where(rng.random((2, 4000)) < 0.25, guess, kept)
    assert 1 - (said[0] != said[1]).mean() / (2 / 3) == pytest.approx(who.alpha, abs=0.05)


def test_as_many_judges_as_planned_find_as_many_right_labels():
    found = [planned_labels(seed, labels=2, right=0.75, careless=0.2) for seed in range(few(2, 12))]
    for goal in ("majority", "model"):
        assert np.mean([f[goal] for f in found]) >= 0.9 - few(0.04, 0.015)


def test_the_smallest_number_of_judges_is_told_with_labels_and_cost():
    found = q.plan(kind="labels", right=0.8, careless=0.2, items=60, costs=Costs(judgment=0.1, task=1), want=["winner"])
    majority, model = found.lines
    assert (majority.goal, model.goal) == ("majority", "model")
    assert majority.judges > model.judges
    assert (majority.tasks, majority.judgments) == (60, 60 * majority.judges)
    assert majority.cost == pytest.approx(60 + 0.1 * majority.judgments)
    curve = {row["judges"]: row for row in found.trade_off}
    assert curve[majority.judges]["majority"] >= 0.9 > curve[majority.judges - 2]["majority"]
    assert f"{majority.judges} judges an item (cost {majority.cost:,.0f})" in found.sentences[0]
    assert found.picture().settings["up"] == "right majorities"
    alike = q.plan(kind="labels", right=0.8, careless=0.0, want=["winner"])
    assert [line.goal for line in alike.lines] == ["majority"]  # nobody guesses: a model has nothing to leave out


def test_the_share_of_a_label_is_known_from_as_many_items_as_told():
    (line,) = q.plan(kind="labels", want=["width"], width=0.1).lines
    share = np.random.default_rng(0).binomial(line.tasks, 0.5, 4000) / line.tasks
    assert 2 * 1.96 * share.std() == pytest.approx(0.1, abs=0.005)


def test_the_command_says_the_same_and_takes_the_number_of_labels_from_a_scale():
    words = ["plan", "--scale", "low,medium,high", "--right", "0.7", "--format", "json"]
    said = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).output)
    assert said["studies"] == q.plan(kind="labels", points=3, right=0.7).to_dict()["studies"]
    assert said["assumed"]["labels"] == 3


def test_labels_are_a_kind_of_plan_on_the_command_line_too_and_of_no_other_command():
    flag, kind = (["plan", *how, "--points", "2", "--format", "json"] for how in (["--labels"], ["--kind", "labels"]))
    told = [CliRunner().invoke(main, words, catch_exceptions=False).output for words in (flag, kind)]
    assert told[0] == told[1]
    assert "not one of" in CliRunner().invoke(main, ["agreement", "--kind", "labels", "x.csv"]).output


def test_none_is_enough_is_said():
    found = q.plan(kind="labels", right=0.51, careless=0.3, certainty=0.99, want=["winner"])
    assert all(line.judges is None for line in found.lines)
    assert "no number of judges looked at is enough" in found.sentences[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"right": 0.5},
        {"right": 1.1},
        {"careless": 1.0},
        {"points": 1},
        {"agreement": 0.7, "careless": 0.3},
        {"want": ["top"]},
        {"want": ["difference"]},
    ],
)
def test_what_cannot_be_assumed_is_refused(wrong):
    with pytest.raises(BadParameter):
        q.plan(kind="labels", **wrong)
