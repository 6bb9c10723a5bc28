"""Where the variance of scores comes from, and how many judges it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import quorate as q
from quorate.inference.core import Core
from quorate.inference.results import Options
from quorate.kernels.stepped_up import stepped_up
from quorate.panel.outputs import OutputDesign
from quorate.scores.majority import NUMBERS, most_given
from quorate.scores.plan import pilot
from quorate.scores.variance_components import from_task_to_task, one_judge
from tests.reference import score_trust as plain

DEVIATIONS = {"task": 0.5, "judge": 0.4, "judge x task": 0.2, "task x system": 0.5, "judge x system": 0.3, "rest": 0.5}
FIGURES = Core(Options(resamples=0))


def table(rng, tasks, judges, systems, spread=1.0, **deviations):
    """Scores ``[task, judge, system]`` of effects with these deviations."""
    d = {**DEVIATIONS, **deviations}
    out = spread * rng.normal(size=systems) + d["task"] * rng.normal(size=(tasks, 1, 1))
    out = out + d["judge"] * rng.normal(size=(1, judges, 1)) + d["judge x task"] * rng.normal(size=(tasks, judges, 1))
    out = out + d["task x system"] * rng.normal(size=(tasks, 1, systems))
    out = out + d["judge x system"] * rng.normal(size=(1, judges, systems))
    return out + d["rest"] * rng.normal(size=(tasks, judges, systems))


def panel(scores, keep=None):
    """A panel of scores ``[task, judge, system]``, all of them or those kept."""
    t, j, s = (x.ravel() if keep is None else x[keep] for x in np.indices(scores.shape))
    value = scores[t, j, s]
    names = {"task": t, "judge": [f"j{k}" for k in j], "item": [f"{a}-{b}" for a, b in zip(t, s, strict=True)]}
    return q.Scores.build({**names, "system": [f"s{k}" for k in s], "score": value})


def components(scores):
    (f,) = q.trust(panel(scores), "variance_components", resamples=0).findings
    return {o.labels["component"]: o for o in f.overall}, f.about[0]


@pytest.mark.parametrize("seed", range(3))
def test_components_of_a_complete_design_are_those_of_the_analysis_of_variance(seed):
    scores = table(np.random.default_rng(seed), 5, 4, 3)
    found, _ = components(scores)
    want = plain.three_way(scores.tolist())
    assert {n: o.labels["variance"] for n, o in found.items()} == pytest.approx(want)
    held = {n: max(v, 0.0) for n, v in want.items()}
    assert {n: o.value for n, o in found.items()} == pytest.approx({n: v / sum(held.values()) for n, v in held.items()})


def test_scores_moved_or_stretched_have_the_same_shares():
    scores = table(np.random.default_rng(1), 5, 4, 3)
    first, _ = components(scores)
    for other in (scores * 1e-9, scores + 1e6, -3 * scores):
        found, _ = components(other)
        assert {n: o.value for n, o in found.items()} == pytest.approx({n: o.value for n, o in first.items()}, rel=1e-4)


def test_planted_components_are_found_with_a_third_of_the_scores_missing():
    rng = np.random.default_rng(0)
    scores = table(rng, 60, 25, 12)
    keep = rng.random(scores.shape) < 2 / 3
    (f,) = q.trust(panel(scores, keep), "variance_components", resamples=0).findings
    found = {o.labels["component"]: o.labels["variance"] for o in f.overall}
    for name, deviation in DEVIATIONS.items():
        assert found[name] == pytest.approx(deviation**2, rel=0.6, abs=0.02)


@pytest.mark.parametrize(
    ("more", "deviations"),
    [("tasks", {"task x system": 2.0}), ("judges", {"judge x system": 2.0})],
)
def test_what_varies_most_between_systems_is_what_more_of_would_help_most(more, deviations):
    scores = table(np.random.default_rng(2), 12, 12, 5, **deviations)
    _, about = components(scores)
    assert max(about["gains"], key=about["gains"].get) == more
    lines = q.trust(panel(scores), "variance_components", resamples=0).sentences
    assert any(line.startswith(f"More {more} would help most to tell systems apart") for line in lines)


def test_gains_are_what_twice_as_many_give():
    """The error of a system's mean, over panels of so many tasks and judges, and of twice as many."""
    rng = np.random.default_rng(3)
    small, tasks, judges = (np.mean([_error(rng, t, j) for _ in range(300)]) for t, j in ((6, 5), (12, 5), (6, 10)))
    told = [components(table(rng, 6, 5, 30, 1.0))[1]["gains"] for _ in range(8)]
    assert 1 - tasks / small == pytest.approx(np.mean([g["tasks"] for g in told]), abs=0.12)
    assert 1 - judges / small == pytest.approx(np.mean([g["judges"] for g in told]), abs=0.12)


def _error(rng, tasks, judges):
    """The variance over systems, all equally good, of their means."""
    return table(rng, tasks, judges, 30, 0.0).mean(axis=(0, 1)).var(ddof=1)


def test_items_shared_by_systems_within_one_task_are_a_facet():
    rng = np.random.default_rng(4)
    item, judge, system = (x.ravel() for x in np.indices((8, 3, 4)))
    score = rng.normal(size=8)[item] + rng.normal(size=4)[system] + 0.1 * rng.normal(size=len(item))
    made = q.Scores.build({"judge": judge, "item": item, "system": system, "score": score})
    (f,) = q.trust(made, "variance_components", resamples=0).findings
    assert [o.labels["component"] for o in f.overall][:3] == ["judge", "system", "item"]
    assert set(f.about[0]["gains"]) == {"judges", "items"}


@pytest.mark.parametrize("scores", [[[1.0, 2, 3]], [[1.0], [2.0]], [[2.0, 2, 2], [2, 2, 2]], [[1.0]]])
def test_one_judge_one_item_or_equal_scores_are_no_trouble(scores):
    found = q.trust(q.Scores.from_matrix(scores), resamples=20)
    assert found.sentences


# -- judges needed -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("noise", "judges", "items"), [(1.0, 12, 60), (2.0, 30, 60)])
def test_two_panels_of_as_many_judges_as_are_needed_correlate_as_wanted(noise, judges, items):
    rng = np.random.default_rng(5)
    level = rng.normal(size=items)
    seen = level + noise * rng.normal(size=(judges, items)) + rng.normal(size=(judges, 1))
    found = q.trust(q.Scores.from_matrix(seen.tolist()), "judges_needed(target=0.8)").findings[0].overall[0]
    k = int(found.value)
    two = level + noise * rng.normal(size=(2, 200, k, items)).mean(axis=2)
    real = np.mean([np.corrcoef(a, b)[0, 1] for a, b in zip(*two, strict=True)])
    assert real == pytest.approx(0.8, abs=0.06)
    true = 0.8 * noise**2 / level.var(ddof=1) / 0.2
    assert found.interval.low <= math.ceil(true) <= found.interval.high


def test_one_judge_is_the_correlation_of_two_judges_scores_whatever_their_severity():
    rng = np.random.default_rng(6)
    seen = rng.normal(size=400) + rng.normal(size=(6, 400)) + 5 * rng.normal(size=(6, 1))
    made = OutputDesign.every(q.Scores.from_matrix(seen.tolist()))[0]
    r, _ = one_judge(made, FIGURES)
    pairs = np.corrcoef(seen)[np.triu_indices(6, 1)]
    assert r == pytest.approx(pairs.mean(), abs=0.02)
    (half,) = q.trust(q.Scores.from_matrix(seen.tolist()), "split_half", resamples=0).findings[0].overall
    assert half.value == pytest.approx(stepped_up(r, 6))


def test_judges_whose_scores_do_not_go_together_are_never_enough():
    found = q.trust(q.Scores.from_matrix([[1, 2, 3, 4], [4, 3, 2, 1]]), "judges_needed")
    assert math.isnan(found.findings[0].overall[0].value)
    assert "No number of such judges" in found.sentences[1]


def test_an_interval_without_an_end_is_said_to_have_none():
    rng = np.random.default_rng(0)
    scores = 0.3 * rng.normal(size=12) + rng.normal(size=(3, 12))
    found = q.trust(q.Scores.from_matrix(scores.tolist()), "judges_needed")
    o = found.findings[0].overall[0]
    assert o.interval is None or math.isinf(o.interval.high) or o.interval.high > 100
    assert found.to_json()


# -- labels ------------------------------------------------------------------------------------------------------------


def labels(rng, items, judges, agreement):
    """Labels of three, each item with shares of its own; and which of them most judges would give."""
    share = rng.dirichlet(np.array([0.5, 0.3, 0.2]) * (1 - agreement) / agreement, size=items)
    given = np.stack([rng.choice(3, size=judges, p=p) for p in share])
    rows = [(f"j{j}", i, "abc"[given[i, j]]) for i in range(items) for j in range(judges)]
    judge, item, label = zip(*rows, strict=True)
    return q.Scores.build({"judge": judge, "item": item, "label": label}), share


@pytest.mark.parametrize("agreement", [0.4, 0.7])
def test_judges_needed_of_labels_is_when_majorities_are_those_of_all(agreement):
    rng = np.random.default_rng(7)
    made, share = labels(rng, 200, 5, agreement)
    (f,) = q.trust(made, "judges_needed(target=0.85)").findings
    told = dict(zip(f.keys["judges"], f.values, strict=True))
    right = share.argmax(axis=1)
    for k in (1, 5, 15):
        if k in told:
            panels = most_given(rng.multinomial(k, np.broadcast_to(share, (300, *share.shape))))
            assert told[k] == pytest.approx((panels == right).mean(), abs=0.05)
    assert f.overall[0].interval.low <= f.overall[0].value <= f.overall[0].interval.high


def test_the_majority_of_another_panel_is_the_same_as_often_as_told():
    rng = np.random.default_rng(8)
    made, share = labels(rng, 300, 5, 0.5)
    answer = q.trust(made)
    assert [f.method.name for f in answer.findings] == ["majority_stability", "judges_needed"]
    (value,) = (o.value for o in answer["majority_stability"].overall)
    first, second = (most_given(rng.multinomial(5, np.broadcast_to(share, (200, *share.shape)))) for _ in "ab")
    known = first >= 0
    assert value == pytest.approx((first == second)[known].mean(), abs=0.05)
    assert answer["majority_stability"].values == sorted(answer["majority_stability"].values)


def test_all_alike_one_judge_and_one_item_of_labels_are_no_trouble():
    for judge, item, label in (
        (["a"], [1], ["x"]),
        (["a", "b"], [1, 1], ["x", "y"]),
        (["a"] * 3, [1, 2, 3], list("xyx")),
    ):
        assert q.trust(q.Scores.build({"judge": judge, "item": item, "label": label}), resamples=20).sentences


# -- plans -------------------------------------------------------------------------------------------------------------


def test_a_pilot_tells_how_far_systems_spread_from_task_to_task_without_judges_noise():
    made = panel(table(np.random.default_rng(9), 60, 4, 8, rest=2.0))
    expected = math.sqrt(DEVIATIONS["task"] ** 2 + DEVIATIONS["task x system"] ** 2)
    assert from_task_to_task(OutputDesign.every(made)[0]) == pytest.approx(expected, rel=0.3)
    assert pilot(made).deviation == pytest.approx(expected, rel=0.3)
    assert pilot(q.Scores.from_matrix([[1, 2, 3, 5], [1, 2, 4, 5]])).deviation is None


@pytest.mark.long
def test_intervals_of_judges_needed_of_labels_hold_the_number_that_is():
    rng, held, number = np.random.default_rng(10), 0, 20
    _, many = labels(rng, 3000, 1, 0.5)
    right = many.argmax(axis=1)
    true = next(k for k in NUMBERS if (most_given(rng.multinomial(k, many)) == right).mean() >= 0.85)
    for k in range(number):
        made, _ = labels(rng, 40, 3, 0.5)
        (found,) = q.trust(made, "judges_needed(target=0.85)", resamples=100, seed=k).findings[0].overall
        held += found.interval.low <= true <= found.interval.high
    assert held >= number - 4
