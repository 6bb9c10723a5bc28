"""Scores as a design: what weights of judges, tasks and units mean, and what is permuted, exchanged and imitated."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate import Scores, table
from quorate.inference.weights import leave_one_out
from quorate.panel.design import Weights
from quorate.panel.score_design import ScoreDesign
from quorate.panel.score_manners import ScoreManners
from quorate.panel.units import from_table
from quorate.scores import alpha

METHODS = table.methods("scores", "agreement")
every = pytest.mark.parametrize("method", METHODS, ids=str)


def scores(seed=0, gaps=0.0, judges=4, items=12):
    rng = np.random.default_rng(seed)
    found = np.clip(np.rint(3 + rng.normal(size=items) + 0.8 * rng.normal(size=(judges, items))), 1, 5)
    found[rng.random(found.shape) < gaps] = np.nan
    return found


def panel(seed=0, gaps=0.2, tasks=7):
    """Tasks of three items, four judges, some of whom left items out."""
    values = scores(seed, gaps, items=3 * tasks)
    judge, item = np.nonzero(~np.isnan(values))
    columns = {"judge": [f"j{j}" for j in judge], "item": item, "task": item // 3, "score": values[judge, item]}
    return Scores.build({**columns, "judge_kind": np.where(judge > 1, "llm", "human").tolist()})


def design(table_or_panel, kinds=None):
    if isinstance(table_or_panel, Scores):
        return ScoreDesign.of(table_or_panel)[0]
    values = np.asarray(table_or_panel, float)
    if kinds is None:
        return ScoreDesign.around(from_table(values))
    judge, item = np.nonzero(~np.isnan(values))
    columns = {"judge": judge, "item": item, "score": values[judge, item], "judge_kind": np.array(kinds)[judge]}
    return ScoreDesign.of(Scores.build({n: column.tolist() for n, column in columns.items()}))[0]


def value(found, method, **weights):
    weights = {n: np.asarray(w, float)[None] for n, w in weights.items()}
    return float(found.values(method, Weights(1, **weights)).array[0, 0])


@every
def test_a_judge_of_weight_0_is_left_out(method):
    kinds = ["human", "human", "llm", "llm"]
    table_, d = scores(1), design(scores(1), kinds)
    for j in range(4):
        alone = design(np.delete(table_, j, axis=0), np.delete(kinds, j).tolist())
        assert value(d, method, judges=np.arange(4) != j) == pytest.approx(value(alone, method), rel=1e-9)


@every
def test_without_each_judge_is_the_weighting_that_leaves_one_out(method):
    d = design(scores(2, 0.2))
    drawn = d.values(method, leave_one_out(d)).array[:, 0]
    assert d.without_each(method)[0] == pytest.approx(drawn, rel=1e-9, nan_ok=True)


@every
def test_a_judge_of_weight_2_is_two_judges_who_agree(method):
    if method.name == "alpha":
        pytest.skip("alpha knows weights: a judge is no pair with himself")
    table_ = scores(3)
    kinds = ["human", "human", "llm", "llm"]
    twice = design(np.concatenate([table_, table_[:1]]), [*kinds, "human"])
    assert value(design(table_, kinds), method, judges=[2, 1, 1, 1]) == pytest.approx(value(twice, method), rel=1e-9)


def test_alpha_takes_weights_of_judges():
    weights = [2.0, 1.0, 0.0, 3.0]
    for level in ("interval", "ordinal", "nominal", "ratio"):
        method = table.parse(f"alpha(level={level})", "scores", "agreement")
        expected = alpha(scores(4, 0.2).tolist(), level, judge_weights=weights)
        assert value(design(scores(4, 0.2)), method, judges=weights) == pytest.approx(expected, rel=1e-9)


@every
def test_units_are_drawn_with_their_task(method):
    d, often = design(panel(5, 0.0)), np.array([0, 2, 1, 1, 0, 3, 0.0])
    by_unit = often[d.scores.task]
    assert value(d, method, tasks=often) == pytest.approx(value(d, method, units=by_unit), rel=1e-12)
    kept = np.repeat(np.arange(d.scores.size), by_unit.astype(int))
    whole = design(d.scores.matrix().T[:, kept], ["human", "human", "llm", "llm"])
    assert value(d, method, tasks=often) == pytest.approx(value(whole, method), rel=1e-9)


def test_counted_judges_apart_say_the_same():
    rows = {"judge": list("aabb"), "item": list("xyxy"), "score": [1, 4, 2, 5], "count": [2, 2, 1, 1]}
    d = design(Scores.build(rows))
    apart = d.voters_apart()
    assert (apart.judges, d.voters.tolist()) == (("a", "a", "b"), [2, 1])
    for method in METHODS:
        if method.name in ("alpha", "percent", "fleiss", "gwet"):
            assert value(apart, method) == pytest.approx(value(d, method))


def test_permuted_values_stay_with_their_judge_and_exchanged_ones_with_their_task():
    d, rng = design(panel(6)), np.random.default_rng(0)
    for permuted in d.permuted(rng, 3).parts:
        for rows in d.scores.by_judge():
            assert sorted(permuted.value[rows]) == sorted(d.scores.value[rows])
    level = ScoreManners.of(d.scores).of_luck()
    for other in d.exchanged(rng, 3).parts:
        assert np.array_equal(other.unit, d.scores.unit)
        for task in range(len(d.tasks)):
            here = d.scores.task[d.scores.unit] == task
            old, new = ({(j, v) for j, v in zip(u.judge[here], u.value[here], strict=True)} for u in (level, other))
            assert sorted(v for _, v in old) == sorted(v for _, v in new)
            assert {j for j, _ in old} == {j for j, _ in new}


def test_names_exchanged_within_cells_leave_every_unit_its_scores_and_its_judges():
    d, rng = design(panel(6)), np.random.default_rng(0)
    level = ScoreManners.of(d.scores).of_luck()
    others = d.exchanged(rng, 5, cells=True).parts
    for unit in range(d.scores.size):
        mine = d.scores.unit == unit
        for other in others:
            assert sorted(other.value[mine]) == sorted(level.value[mine])
            assert sorted(other.judge[mine]) == sorted(d.scores.judge[mine])
    assert any(not np.array_equal(other.value, level.value) for other in others)


def test_one_judge_permuted_leaves_the_others_as_they_are():
    d = design(panel(7))
    (permuted,) = d.permuted_by(1, np.random.default_rng(0)).parts
    same = permuted.value == d.scores.value
    assert same[d.scores.judge != 1].all()
    assert not same[d.scores.judge == 1].all()


def test_alike_judges_answer_on_the_scale_and_agree_less_with_more_noise():
    d, method = design(panel(8)), METHODS[0]
    rng = np.random.default_rng(0)
    little, much = (d.alike(noise, rng, 30) for noise in (0.1, 5.0))
    assert {v for part in much.parts for v in part.value} <= set(d.scores.value)
    assert little.values(method).array.mean() > 0.8 > 0.3 > much.values(method).array.mean()


@every
def test_some_judges_and_some_tasks_are_the_panel_of_these(method):
    whole = panel(9, 0.0)
    d = design(whole)
    some = design(whole.select(judges=["j0", "j2", "j3"]))
    assert value(d.some_judges(np.array([0, 2, 3])), method) == pytest.approx(value(some, method), rel=1e-9)
    few = design(whole.select(tasks=[1, 4]))
    assert value(d.some_tasks(np.array([1, 4])), method) == pytest.approx(value(few, method), rel=1e-9)


@pytest.mark.parametrize("over", ["tasks", "judges", "items", "tasksxjudges"])
@pytest.mark.parametrize("method", ["alpha", "icc", "cohen"])
def test_intervals_are_over_what_is_asked_for(method, over):
    found = q.agreement(panel(10, 0.0), method, over=over, resamples=200).findings[0].overall[0]
    assert found.interval.over == over
    assert found.interval.low < found.value < found.interval.high


def test_judges_too_have_intervals_over_tasks():
    for o in q.judges(panel(11, 0.0), "bias", over="tasks", resamples=200).findings[0].overall:
        assert o.interval.over == "tasks"
        assert o.interval.low <= o.value <= o.interval.high
