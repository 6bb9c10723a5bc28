"""Few people, many models: systems' means as people would have them."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.scores.prediction_powered import weight_of_models


def panel(people, models):
    """``people[input][system]`` and ``models`` as numbers or None."""
    rows = [
        (f"t{i}", judge, kind, f"t{i}-{s}", f"s{s}", value)
        for judge, kind, table in (("ann", "human", people), ("bot", "llm", models))
        for i, row in enumerate(table)
        for s, value in enumerate(row)
        if value is not None
    ]
    names = ("task", "judge", "judge_kind", "item", "system", "score")
    return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def plain(people, models, system):
    """By the statistics module: the estimate, its variance, and the weight of the models."""
    top = bottom = 0.0
    for s in range(len(people[0])):
        both = [(y[s], f[s]) for y, f in zip(people, models, strict=True) if y[s] is not None]
        alone = [f[s] for y, f in zip(people, models, strict=True) if y[s] is None]
        my, mf = (statistics.mean(c) for c in zip(*both, strict=True))
        top += sum((y - my) * (f - mf) for y, f in both)
        bottom += sum((f - mf) ** 2 for _, f in both) * (1 + len(both) / len(alone))
    w = max(top / bottom, 0.0) if bottom > 0 else 0.0
    both = [(y[system], f[system]) for y, f in zip(people, models, strict=True) if y[system] is not None]
    alone = [f[system] for y, f in zip(people, models, strict=True) if y[system] is None]
    left = [y - w * f for y, f in both]
    value = w * statistics.mean(alone) + statistics.mean(left)
    return value, statistics.variance(left) / len(left) + w**2 * statistics.variance(alone) / len(alone), w


@given(st.data())
def test_the_estimate_is_that_of_plain_sums(data):
    score = st.integers(0, 50).map(lambda v: v / 5)
    n, m = data.draw(st.integers(5, 9)), data.draw(st.integers(2, 9))
    models = [[data.draw(score), data.draw(score)] for _ in range(n + m)]
    people = [[data.draw(score), data.draw(score)] if i < n else [None, None] for i in range(n + m)]
    found = q.trust(panel(people, models), "prediction_powered").findings[0]
    for o in found.overall:
        value, variance, _ = plain(people, models, int(o.labels["system"][1:]))
        assert o.value == pytest.approx(value, abs=1e-9)
        if variance > 1e-9:
            assert o.interval.low < value < o.interval.high
            alone = statistics.variance([row[int(o.labels["system"][1:])] for row in people[:n]])
            assert o.labels["worth"] == pytest.approx(min(alone / variance, n + m), rel=1e-6)


def study(rng, skill, inputs=200, judged=30):
    """True means 3 and 2.5 of two systems; models are off by a level, and go with people as ``skill`` says."""
    y = np.array([3.0, 2.5]) + rng.normal(0, 1, (inputs, 2))
    f = 1 + skill * y + rng.normal(0, 0.5, (inputs, 2))
    return [row.tolist() if i < judged else [None, None] for i, row in enumerate(y)], f.tolist()


def test_intervals_hold_the_truth_as_often_as_they_say_and_models_who_know_save_work():
    rng = np.random.default_rng(4)
    hits, saved = [], []
    for _ in range(120):
        found = q.trust(panel(*study(rng, 0.8)), "prediction_powered").findings[0]
        for o in found.overall:
            truth = {"s0": 3.0, "s1": 2.5}[o.labels["system"]]
            hits.append(o.interval.low <= truth <= o.interval.high)
            saved.append(o.labels["worth"] / o.labels["people"])
    assert 0.91 <= np.mean(hits) <= 0.985
    assert np.mean(saved) > 1.5


def test_models_who_go_with_nobody_count_nothing():
    rng = np.random.default_rng(5)
    people, models = study(rng, 0.0, judged=100)
    found = q.trust(panel(people, models), "prediction_powered")
    for o in found.findings[0].overall:
        assert o.value == pytest.approx(o.labels["people_only"], abs=0.05)
        assert o.labels["worth"] < 1.15 * o.labels["people"]
    against = -np.array(models)
    assert weight_of_models(np.array(people, float), 10 + against) < 0.2


def test_it_is_told_where_models_scored_what_people_did_not():
    people, models = study(np.random.default_rng(6), 0.8)
    answer = q.trust(panel(people, models), resamples=50)
    assert str(answer.findings[0].method) == "prediction_powered"
    assert "as people would have it" in " ".join(answer.sentences)
    whole = [[3.0, 2.0]] * 6
    assert "prediction_powered" not in [str(f.method) for f in q.trust(panel(whole, whole), resamples=50).findings]


def test_edges():
    few = [[1.0, 2.0], [2.0, 3.0], [None, None]]
    none = q.trust(panel(few, [[1.0, 2.0]] * 3), "prediction_powered").findings[0]
    assert none.overall == ()
    level = [[1.0, 2.0]] * 5 + [[None, None]] * 3
    for o in q.trust(panel(level, [[1.0, 2.0]] * 8), "prediction_powered").findings[0].overall:
        assert o.value == o.labels["people_only"]
        assert math.isnan(o.labels["worth"])
    only = q.Scores.build({"judge": ["a", "b"], "item": ["x", "x"], "score": [1, 2]})
    assert q.trust(only, "prediction_powered").findings[0].overall == ()
    with pytest.raises(q.errors.BadParameter, match="over=judges"):
        q.trust(panel(level, [[1.0, 2.0]] * 8), "prediction_powered", over="judges")


def test_half_the_error_never_takes_more_people_than_people_alone_would():
    """Few inputs of models alone: however many people judge, the models' own error is left, so that they count less."""
    rng = np.random.default_rng(6)
    true = rng.normal(size=30)
    models = [[t + 0.5 * rng.normal()] for t in true]
    people = [[t + 0.5 * rng.normal()] if i < 20 else [None] for i, t in enumerate(true)]
    (o,) = q.trust(panel(people, models), "prediction_powered").findings[0].overall
    _, variance, _ = plain(people, models, 0)
    alone = statistics.variance([row[0] for row in people[:20]])
    assert o.labels["to_halve"] <= 4 * alone / variance + 1e-9
    assert o.labels["to_halve"] > 20
